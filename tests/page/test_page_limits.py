"""Each limit can fail: a page that breaks one rule is caught by that rule."""

import re

import pytest
from browsers.site_server import serve, watch
from page.page_limits import MOST_BYTES, REPEATED_IDS, WIDE_FORMULAS, transfer_sizes, violations

from web.formulas.convert import as_math
from web.theme.security import with_policy

PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8" />
<title>A page</title><link rel="icon" href="data:," />{head}</head>
<body><main><h1>A page</h1>{body}</main></body></html>"""


@pytest.fixture
def open_html(browser, tmp_path):
    """``open_html(head=…, body=…)`` serves such a page under the site's policy and opens it."""
    opened = []

    def open_it(head="", body="", files=None):
        for name, content in (files or {}).items():
            (tmp_path / name).write_bytes(content)
        html = PAGE.format(head=head, body=body)
        # The policy is made for the page without the part that breaks it.
        policy = re.search(r"<meta http-equiv[^>]*>", with_policy(PAGE))[0]
        (tmp_path / "page.html").write_text(html.replace("<title>", f"{policy}<title>", 1))
        server, address = serve(tmp_path)
        page = watch(browser.new_context().new_page(), address)
        page.goto(address + "page.html", wait_until="load")
        page.evaluate("0")  # what it wrote before is heard before the answer
        opened.append((server, page))
        return page

    yield open_it
    for server, page in opened:
        page.context.close()
        server.shutdown()
        server.server_close()


def test_a_sound_page_keeps_every_limit(open_html, axe, tmp_path):
    page = open_html(body="<p>Sound.</p>")
    assert (page.record.outside, page.record.console) == ([], [])
    assert violations(page, axe) == []
    assert page.evaluate(REPEATED_IDS) == []
    assert sum(transfer_sizes(page.record, tmp_path).values()) < MOST_BYTES


def test_a_request_to_another_host_is_seen_and_blocked(open_html):
    page = open_html(body='<img src="http://127.0.0.1:9/outside.png" alt="outside">')
    assert any("policy: img-src" in line for line in page.record.console)


def test_a_console_error_is_seen(open_html):
    page = open_html(
        head='<script src="loud.js"></script>', files={"loud.js": b"console.error('oh')"}
    )
    assert page.record.console == ["error: oh"]


def test_an_uncaught_exception_is_seen(open_html):
    page = open_html(head='<script src="bad.js"></script>', files={"bad.js": b"nowhere()"})
    assert "nowhere is not defined" in page.record.console[0]


@pytest.mark.parametrize(
    "body",
    [
        "<script>document.title = 'inline'</script>",
        '<button onclick="document.title = 1">press</button><script src="press.js"></script>',
        '<script src="eval.js"></script>',
    ],
)
def test_a_script_made_of_text_is_refused(open_html, body):
    files = {
        "press.js": b"document.querySelector('button').click()",
        "eval.js": b"new Function('return 1')()",
    }
    page = open_html(body=body, files=files)
    assert any("script-src" in line for line in page.record.console)
    assert page.title() == "A page"


def test_a_heavy_page_is_weighed(open_html, tmp_path):
    import random

    noise = random.Random(0).randbytes(MOST_BYTES)
    page = open_html(body='<img src="noise.png" alt="noise">', files={"noise.png": noise})
    assert sum(transfer_sizes(page.record, tmp_path).values()) > MOST_BYTES


def test_an_accessibility_violation_is_found(open_html, axe):
    body = """<p style="color: #bbb">faint</p>
      <img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">
      <button aria-label="Find">Search</button>
      <div style="width: 40px; height: 20px; overflow: auto"><p style="width: 400px">wide</p></div>
    """
    found = {line.split(":")[0] for line in violations(open_html(body=body), axe)}
    rules = {"color-contrast", "image-alt"}
    rules |= {"label-content-name-mismatch", "scrollable-region-focusable"}
    assert found >= rules


def test_an_id_used_twice_is_found(open_html):
    assert open_html(body='<p id="a"></p><p id="a"></p>').evaluate(REPEATED_IDS) == ["a"]


def test_a_formula_wider_than_its_column_is_seen(open_html):
    column = '<div class="equation" style="width: 40px; overflow: auto">{}</div>'
    texts = "x", "a+b+c+d+e+f+g+h"
    formulas = [
        column.format(as_math(f"<mtext>{text}</mtext>", text, display=True)) for text in texts
    ]
    page = open_html(body=f'<div class="bd-article">{"".join(formulas)}</div>')
    assert page.evaluate(WIDE_FORMULAS) == ["a+b+c+d+e+f+g+h"]
