"""On a host that sends no headers, a reader's code reaches no other host and evaluates no text."""

import socket
import threading
from http.server import SimpleHTTPRequestHandler

import pytest
from browsers.site_server import serve
from engines.conftest import in_full
from engines.test_exercise import BUTTON, CHAPTER, EDITOR, ROOT, Exercise

from web.builder.paths import SITE
from web.builder.server.http_server import SiteHandler

TYPE_AT_ONCE = """(editor, text) => {
    getSelection().selectAllChildren(document.querySelector(editor));
    document.execCommand("insertText", false, text);
}"""
TRY_ALL = """
import js
from pyodide.code import run_js

def ask_at_once():
    request = js.XMLHttpRequest.new()
    request.open("GET", other, False)
    request.send()

for name, act in {
    "fetch": lambda: js.fetch(other),
    "WebSocket": lambda: js.WebSocket.new(other.replace("http", "ws")),
    "EventSource": lambda: js.EventSource.new(other),
    "WebTransport": lambda: js.WebTransport.new(other.replace("http", "https")),
    "Worker": lambda: js.Worker.new(file, type="module"),
    "importScripts": lambda: js.importScripts(other),
    "XMLHttpRequest": ask_at_once,
    "eval": lambda: js.eval("1"),
    "Function": lambda: js.Function.new("return 1"),
    "run_js": lambda: run_js("1"),
}.items():
    try:
        act()
        print(name, "is allowed.")
    except Exception:
        print(name, "is refused.")
"""


@pytest.fixture
def site():
    """The site, served without any header but what a file is."""

    class Handler(SiteHandler):
        def end_headers(self):
            SimpleHTTPRequestHandler.end_headers(self)

    server, address = serve(SITE, base=Handler)
    yield address
    server.shutdown()
    server.server_close()


@pytest.fixture
def other():
    """Another host, and who called it."""
    callers = []
    listener = socket.create_server(("127.0.0.1", 0))

    def listen():
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            callers.append(connection.recv(100))
            connection.close()

    thread = threading.Thread(target=listen, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{listener.getsockname()[1]}/", callers
    listener.shutdown(socket.SHUT_RDWR)
    listener.close()
    thread.join()


@in_full
def test_code_of_a_reader_is_held_by_the_page_s_policy(engine, open_tab, site, other):
    tab, (address, callers) = open_tab(), other
    tab.go(site + CHAPTER)
    one = Exercise(tab)
    one.show()
    tab.focus(EDITOR)
    file = f"{site}_static/page_python/python-worker.mjs"
    tab.evaluate(TYPE_AT_ONCE, EDITOR, f"other, file = {address!r}, {file!r}\n{TRY_ALL}")
    tab.press(BUTTON, name="Run")
    one.ends("unanswered")
    said = tab.text(f"{ROOT} .attn-exercise-output")
    for name in ("Worker", "importScripts", "XMLHttpRequest", "eval", "Function", "run_js"):
        assert f"{name} is refused." in said
    one.write("1")  # whatever was asked for has been sent by then
    tab.press(BUTTON, name="Run")
    one.ends("unanswered")
    assert callers == []
