"""The site's security policy in a browser: what it refuses, and that a page says so."""

import re

import pytest
from browsers.site_server import serve, watch

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


def test_a_request_to_another_host_is_seen_and_blocked(open_html):
    page = open_html(body='<img src="http://127.0.0.1:9/outside.png" alt="outside">')
    assert any("policy: img-src" in line for line in page.record.console)


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
