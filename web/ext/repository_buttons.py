"""The Binder and GitHub buttons, where the project has an address."""

from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.util import logging
from sphinx.util.typing import ExtensionMetadata

from web.ext import PARALLEL_SAFE, connect
from web.repository import BRANCH, address

log = logging.getLogger(__name__)


def _on_config_inited(app: Sphinx, config: Config) -> None:
    url = address()
    if url is None:
        log.info(
            "repository: no address (set ATTN_REPOSITORY or a git remote); "
            "Binder and GitHub buttons are left out"
        )
        return
    log.info("repository: %s", url)
    config.html_theme_options |= {
        "repository_url": url,
        "repository_branch": BRANCH,
        "path_to_docs": "",
        "use_repository_button": True,
        "launch_buttons": {
            "binderhub_url": "https://mybinder.org",
            "notebook_interface": "jupyterlab",
        },
    }


def setup(app: Sphinx) -> ExtensionMetadata:
    connect(app, "config-inited", _on_config_inited)
    return PARALLEL_SAFE
