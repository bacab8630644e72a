"""WebKitGTK, the open relative of Safari's engine: MiniBrowser driven by selenium."""

import os
import socket
import urllib.request

from browsers.child_processes import ProcessGroup
from browsers.polling import PATIENCE, eventually
from browsers.tab import Tab
from selenium import webdriver
from selenium.webdriver.common.actions.action_builder import ActionBuilder
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.client_config import ClientConfig
from selenium.webdriver.remote.remote_connection import RemoteConnection

# The driver relays no console, so its host makes pages keep a record themselves.
TAKE_COMPLAINTS = "() => window.complaints?.splice(0) ?? []"
KEYS = {
    "ArrowLeft": Keys.ARROW_LEFT,
    "ArrowRight": Keys.ARROW_RIGHT,
    "ArrowUp": Keys.ARROW_UP,
    "ArrowDown": Keys.ARROW_DOWN,
    "Control": Keys.CONTROL,
    "End": Keys.END,
    "Enter": Keys.ENTER,
    "Shift": Keys.SHIFT,
    "Space": Keys.SPACE,
    "Tab": Keys.TAB,
}


class WebKit:
    """A driver for each tab: WebKit reads theme and shared memory from its environment.

    Safari has shared memory in isolated pages; WebKitGTK has it only on request. It draws without
    a graphics card's language: where there is no card, Mesa speaks it for one, and has crashed.
    """

    def __init__(self, playwright, path):
        self._path = path
        self._screen, self._display = _screen()

    def open(self, *, theme="light", shared_memory=True):
        wanted = {"DISPLAY": self._display, "WEBKIT_DISABLE_COMPOSITING_MODE": "1"}
        wanted |= {"GTK_THEME": "Adwaita:dark"} if theme == "dark" else {}
        wanted |= {"JSC_useSharedArrayBuffer": "1"} if shared_memory else {}
        return WebKitTab(self._path, os.environ | wanted)

    def close(self):
        self._screen.end()


def _screen():
    """A screen that nobody sees; X picks a free number."""
    read, write = os.pipe()
    os.set_inheritable(write, True)
    options = f"-displayfd {write} -screen 0 1400x1000x24 -nolisten tcp".split()
    screen = ProcessGroup("Xvfb", *options, pass_fds=(write,))
    os.close(write)
    with os.fdopen(read) as pipe:
        number = pipe.readline().strip()
    assert number, "Xvfb ended before it had a screen"
    return screen, f":{number}"


class WebKitTab(Tab):
    def __init__(self, browser, environment):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self._process = ProcessGroup("WebKitWebDriver", f"--port={port}", environment=environment)
        self._complaints = []
        try:
            self._driver = _session(f"http://127.0.0.1:{port}", browser)
        except BaseException:
            self._process.end()
            raise

    def go(self, address):
        self._complaints += self.evaluate(TAKE_COMPLAINTS)
        self._driver.get(address)

    def reload(self):
        self._complaints += self.evaluate(TAKE_COMPLAINTS)
        self._driver.refresh()

    def evaluate(self, function, *arguments):
        return self._driver.execute_script(f"return ({function})(...arguments)", *arguments)

    def stroke(self, *points):
        actions = ActionBuilder(self._driver, duration=20)
        pointer = actions.pointer_action
        pointer.move_to_location(*map(round, points[0]))
        pointer.pointer_down()
        for point in points[1:]:
            pointer.move_to_location(*map(round, point))
        pointer.pointer_up()
        actions.perform()

    def key(self, *names):
        actions = ActionBuilder(self._driver)
        keys = [KEYS.get(name, name) for name in names]
        for key in keys:
            actions.key_action.key_down(key)
        for key in reversed(keys):
            actions.key_action.key_up(key)
        actions.perform()

    def write(self, text):
        actions = ActionBuilder(self._driver)
        actions.key_action.send_keys(text)
        actions.perform()

    def complaints(self):
        found, self._complaints = self._complaints + self.evaluate(TAKE_COMPLAINTS), []
        return found

    def screenshot(self, path):
        self._driver.save_screenshot(path)

    def close(self):
        self._process.end()


def _session(address, browser):
    """A window of the browser, once its driver answers."""
    eventually("WebKitWebDriver to answer", lambda: _answers(address))
    options = webdriver.WebKitGTKOptions()
    options.binary_location = browser
    options.add_argument("--automation")
    connection = RemoteConnection(client_config=ClientConfig(address, timeout=PATIENCE))
    driver = webdriver.Remote(connection, options=options)
    driver.set_script_timeout(PATIENCE)
    driver.set_window_rect(0, 0, 1280, 938)  # 900 for the page
    return driver


def _answers(address):
    try:
        urllib.request.urlopen(address + "/status", timeout=PATIENCE).close()
    except OSError:
        return False
    return True
