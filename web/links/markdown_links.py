"""Plain Markdown links that Sphinx reads as citations and as references to labels.

JupyterLab follows ``[text](file.md#name)`` to the other notebook. It cannot resolve ``{cite}``
and ``{ref}`` across files: it shows a bare key, or a link that leads nowhere. So chapters write
links, and here

- ``[Vaswani et al. (2017)](references.md#vaswani2017attention)`` cites the work, so that the
  bibliography lists it;
- ``[masks](06-masks.md#sec-06-causal)`` leads to the label ``(sec-06-causal)=`` of that chapter.

A name that is neither is left to MyST, which knows headings and warns about the rest.
"""

from collections.abc import Iterator
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.nodes import make_refnode
from sphinx.util.typing import ExtensionMetadata
from sphinxcontrib.bibtex.citation_target import CitationTarget
from sphinxcontrib.bibtex.roles import CitationRef

from web.builder.events import PARALLEL_SAFE, PRIORITY

REFERENCES = "references"
Target = tuple[str, str, str | None]  # page, id, what to say on hover


def _links_into_pages(document: nodes.document) -> Iterator[addnodes.pending_xref]:
    """The links of a page that have a text and name a file and something in it."""
    for link in list(document.findall(addnodes.pending_xref)):
        is_inside = link["reftype"] == "myst" and link["refdomain"] == "doc" and link["reftargetid"]
        if is_inside and link["refexplicit"]:
            yield link


def _cites(link: addnodes.pending_xref) -> bool:
    return link["reftarget"].rpartition("/")[2] == REFERENCES


class NoteCitations(SphinxTransform):
    """While a page is read: tell the bibliography which works it cites."""

    default_priority = PRIORITY["reading"]

    def apply(self, **kwargs: Any) -> None:
        domain: Any = self.env.get_domain("cite")
        for link in _links_into_pages(self.document):
            key = link["reftargetid"]
            if _cites(link) and key in domain.bibdata.data.entries:
                self.document.note_explicit_target(link, link)  # as the cite role does
                domain.citation_refs.append(
                    CitationRef(
                        citation_ref_id=link["ids"][0],
                        docname=self.env.docname,
                        line=link.line or 0,
                        targets=[CitationTarget(key=key, pre="", post="")],
                    )
                )


class ResolveLinks(SphinxPostTransform):
    """When all pages are read: point each link at its entry or its label."""

    default_priority = PRIORITY["resolving"]

    def run(self, **kwargs: Any) -> None:
        for link in _links_into_pages(self.document):
            target = self._entry(link) if _cites(link) else self._label(link)
            if target:
                link.replace_self(self._reference(link, *target))

    def _entry(self, link: addnodes.pending_xref) -> Target | None:
        """Page and id of the entry in the bibliography, and what to say about it on hover."""
        domain: Any = self.env.get_domain("cite")
        for citation in domain.citations:
            if citation.key == link["reftargetid"]:
                title = citation.entry.fields.get("title", "").translate({123: None, 125: None})
                return citation.bibliography_key.docname, citation.citation_id, title
        return None

    def _label(self, link: addnodes.pending_xref) -> Target | None:
        """Page and id of a label, if it stands on the page that the link names."""
        labels = self.env.domains["std"].anonlabels
        page, identifier = labels.get(link["reftargetid"], ("", ""))
        return (page, identifier, None) if page == link["reftarget"] else None

    def _reference(
        self, link: addnodes.pending_xref, page: str, identifier: str, title: str | None
    ) -> nodes.reference:
        text = nodes.inline("", "", *link[0].children, classes=["std", "std-ref"])
        reference = make_refnode(self.app.builder, link["refdoc"], page, identifier, text, title)
        reference["ids"] = link["ids"]
        return reference


def setup(app: Sphinx) -> ExtensionMetadata:
    app.add_transform(NoteCitations)
    app.add_post_transform(ResolveLinks)
    return PARALLEL_SAFE
