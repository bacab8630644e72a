"""The Binder and GitHub buttons, where the project has an address.

A link to ``https://mybinder.org`` in the text leads to the page's own notebook there; without an
address, the paragraph that holds it is left out.
"""

from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging
from sphinx.util.typing import ExtensionMetadata

from web.builder.events import PARALLEL_SAFE, PRIORITY, connect
from web.links.repository import BRANCH, address, binder_link

BINDER = "https://mybinder.org"
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
            "binderhub_url": BINDER,
            "notebook_interface": "jupyterlab",
        },
    }


class BinderLinks(SphinxPostTransform):
    """While links are resolved: lead those to Binder to the page's own notebook there."""

    default_priority = PRIORITY["resolving"]

    def run(self, **kwargs: Any) -> None:
        url = address()
        for link in list(self.document.findall(nodes.reference)):
            if link.get("refuri") != BINDER:
                continue
            if url:
                link["refuri"] = binder_link(url, self.env.docname)
            else:
                link.parent.parent.remove(link.parent)


def setup(app: Sphinx) -> ExtensionMetadata:
    app.add_post_transform(BinderLinks)
    connect(app, "config-inited", _on_config_inited)
    return PARALLEL_SAFE
