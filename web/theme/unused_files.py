"""What each page loads besides its text: what it does not use is dropped."""

from typing import Any

from sphinx.application import Sphinx
from sphinx.util.typing import ExtensionMetadata

from web.builder.events import PARALLEL_SAFE, Page, connect_page

# Never used: live code through a remote kernel, third-party comments, another palette for code.
NEVER = ("thebe", "comments", "hypothes.is", "utteranc", "pygments.css")

# Added to every page by an extension, used by some: file name -> what a page has that needs it.
USED_WITH = {
    "clipboard": 'class="highlight',
    "copybutton": 'class="highlight',
    "design-tabs": 'class="sd-tab',
    "sphinx-design": "sd-",
    "togglebutton": "dropdown",
    "toggleHint": "dropdown",
    "toggleOpenOnPrint": "dropdown",
    "exercise.css": "exercise",
    "start-page.css": 'id="the-chapters"',
    "mystnb.": 'class="cell',
    "formulas.css": "<math",
    "copied-formulas.mjs": "<math",
}


def _is_used(file: Any, body: str) -> bool:
    attributes = getattr(file, "attributes", {})
    if attributes.get("type", "").startswith("application/"):
        return True  # data, not a script
    text = f"{getattr(file, 'filename', '')} {attributes.get('body', '')}"
    if any(word in text for word in NEVER):
        return False
    return all(mark in body for name, mark in USED_WITH.items() if name in text)


def _accessible(body: str) -> str:
    """What others write into a page and accessibility forbids, put right."""
    # docutils gives the entries of a bibliography a role that ARIA has since withdrawn.
    body = body.replace('role="doc-biblioentry"', 'role="listitem"')
    # myst-nb names a folded cell otherwise than the words that a reader sees, and could say.
    return body.replace('<summary aria-label="Toggle hidden content">', "<summary>")


def _on_page(page: Page) -> None:
    body = page.context["body"] = _accessible(page.context.get("body", ""))
    for kind in ("script_files", "css_files"):
        seen, used = set(), []
        for file in page.context.get(kind, []):
            key = (getattr(file, "filename", None), getattr(file, "attributes", {}).get("body"))
            if key not in seen and _is_used(file, body):
                seen.add(key)
                used.append(file)
        page.context[kind][:] = used


def setup(app: Sphinx) -> ExtensionMetadata:
    # Styles are weighed by their order: the icons may be restyled, the theme is overridden.
    app.add_css_file("theme/icons.css", priority=300)
    app.add_css_file("theme/theme.css", priority=900)
    app.add_js_file("theme/scrollable.mjs", type="module")
    connect_page(app, _on_page)
    return PARALLEL_SAFE
