"""Put Python for the page into the site, below ``_static/python``."""

from pathlib import Path

from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.util.typing import ExtensionMetadata

from web.builder.events import PARALLEL_SAFE, connect
from web.builder.third_party.assets import AssetError, named
from web.page_python.packages import ASSET, THIRD_PARTY
from web.page_python.runtime import write_runtime


def _on_builder_inited(app: Sphinx) -> None:
    if app.builder.format != "html":
        return
    folder = Path(app.outdir) / "_static" / "python"
    third_party = {name: named(ASSET.format(name)) for name in THIRD_PARTY}
    try:
        write_runtime(folder, named("pyodide"), third_party)
    except AssetError as error:
        raise ExtensionError(str(error)) from error


def setup(app: Sphinx) -> ExtensionMetadata:
    connect(app, "builder-inited", _on_builder_inited)
    return PARALLEL_SAFE
