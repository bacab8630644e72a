"""Put the files that others wrote, and the bundles made of them, into the site."""

import shutil
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.util.typing import ExtensionMetadata

from web.builder.events import PARALLEL_SAFE, connect
from web.builder.third_party.assets import copy_files, load_manifest
from web.builder.third_party.bundles import bundle, folders


def _on_builder_inited(app: Sphinx) -> None:
    if app.builder.format != "html":
        return
    static = Path(app.outdir) / "_static"
    for asset in load_manifest():
        copy_files(asset, static)
    for folder in folders():
        shutil.copytree(bundle(folder), static / folder.name, dirs_exist_ok=True)


def setup(app: Sphinx) -> ExtensionMetadata:
    connect(app, "builder-inited", _on_builder_inited)
    return PARALLEL_SAFE
