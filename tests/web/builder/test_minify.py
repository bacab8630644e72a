"""A page gets scripts and styles without what only their authors read."""

import pytest

from web.builder.minified_files import own_files
from web.builder.minify import MinifyError, minify
from web.builder.page_files import page_files
from web.builder.paths import SITE, TOP


def test_a_script_keeps_what_it_exports_and_loses_its_comments(tmp_path):
    script = tmp_path / "a.mjs"
    script.write_text("// why\nexport function half(number) {\n  return number / 2;\n}\n")
    minify([script])
    assert script.read_text() == "export function half(n){return n/2}\n"


def test_a_style_keeps_its_rules(tmp_path):
    style = tmp_path / "a.css"
    style.write_text("/* why */\nmath .q {\n  color: var(--attn-query);\n}\n")
    minify([style])
    assert style.read_text() == "math .q{color:var(--attn-query)}\n"


def test_what_cannot_be_read_stops_the_build(tmp_path):
    script = tmp_path / "a.mjs"
    script.write_text("export function {")
    with pytest.raises(MinifyError, match=r"/a\.mjs:1:16: ERROR: Expected identifier"):
        minify([script])


def test_all_that_we_wrote_is_shorter_on_the_site():
    files = own_files(SITE / "_static")
    names = {path.relative_to(SITE / "_static").as_posix() for path in files}
    assert {"attn/kit/elements.js", "figures/loader.mjs", "formulas/formulas.css"} <= names
    sources = page_files()
    sources |= {n: TOP / "attn/widgets" / n[5:] for n in names if n.startswith("attn/")}
    written = sum(sources[name].stat().st_size for name in names)
    served = sum(path.stat().st_size for path in files)
    assert served < 0.7 * written
