"""Put Python for the page into the site, below ``_static/python``."""

from pathlib import Path

from sphinx.errors import ExtensionError

from web.ext import PARALLEL_SAFE, connect
from web.page_python.runtime import lay_out
from web.third_party.assets import AssetError, load_manifest


def _on_builder_inited(app) -> None:
    if app.builder.format != "html":
        return
    assets = {asset.name: asset for asset in load_manifest()}
    folder = Path(app.outdir) / "_static" / "python"
    try:
        lay_out(folder, assets["pyodide"], assets["numpy-for-the-page"])
    except AssetError as error:
        raise ExtensionError(str(error)) from error


def setup(app):
    connect(app, "builder-inited", _on_builder_inited)
    return PARALLEL_SAFE
