"""The model for the tests: fetched as the build does it, once."""

import pytest

from attn import minilm
from web.third_party import assets


@pytest.fixture(scope="session")
def model():
    """The weights, from the cache or else from the sources of the manifest."""
    for asset in assets.load_manifest():
        if asset.optional_for == "attn.minilm":
            try:
                assets.fetch(asset)
            except assets.AssetError as error:
                pytest.skip(f"no source has the model: {error}")
    return minilm.load(assets.ASSETS)
