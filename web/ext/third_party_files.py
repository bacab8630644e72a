"""Put the files that others wrote, and the bundles made of them, into the site."""

import shutil
from pathlib import Path

from web.ext import PARALLEL_SAFE, connect
from web.third_party.assets import lay_out, load_manifest
from web.third_party.bundles import bundle, folders


def _on_builder_inited(app) -> None:
    if app.builder.format != "html":
        return
    static = Path(app.outdir) / "_static"
    for asset in load_manifest():
        lay_out(asset, static)
    for folder in folders():
        shutil.copytree(bundle(folder), static / folder.name, dirs_exist_ok=True)


def setup(app):
    connect(app, "builder-inited", _on_builder_inited)
    return PARALLEL_SAFE
