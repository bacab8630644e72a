"""Chromium and Firefox, driven by Playwright."""

from browsers import chromium
from browsers.site_server import REPORT_VIOLATIONS
from browsers.tab import Tab

SIZE = {"width": 1280, "height": 900}
THEMES = {"light": 1, "dark": 0}
COLOUR_SCHEME = "layout.css.prefers-color-scheme.content-override"


class Chromium:
    """The machine's Chromium; it is told the theme tab by tab."""

    def __init__(self, playwright, path):
        self._browser = chromium.launch(playwright)

    def open(self, *, theme="light"):
        return PlaywrightTab(self._browser.new_context(viewport=SIZE, color_scheme=theme))

    def close(self):
        self._browser.close()


class Firefox:
    """The machine's Firefox over WebDriver BiDi; it is told the theme when it starts."""

    def __init__(self, playwright, path):
        self._playwright, self._path, self._started = playwright, path, {}

    def open(self, *, theme="light"):
        if theme not in self._started:
            self._started[theme] = self._playwright.firefox.launch(
                channel="moz-firefox",
                executable_path=self._path,
                firefox_user_prefs={COLOUR_SCHEME: THEMES[theme]},
            )
        return PlaywrightTab(self._started[theme].new_context(viewport=SIZE))

    def close(self):
        for started in self._started.values():
            started.close()


class PlaywrightTab(Tab):
    def __init__(self, context):
        context.set_default_timeout(chromium.PATIENCE_MS)
        self._page = context.new_page()
        self._complaints = []
        self._page.on("console", self._on_console)
        self._page.on("pageerror", lambda error: self._complaints.append(f"error: {error}"))
        self._page.add_init_script(REPORT_VIOLATIONS)

    def _on_console(self, message):
        if message.type in ("warning", "error"):
            self._complaints.append(f"{message.type}: {message.text}")

    def go(self, address):
        self._page.goto(address, wait_until="load")

    def reload(self):
        self._page.reload(wait_until="load")

    def evaluate(self, function, *arguments):
        return self._page.evaluate(f"(given) => ({function})(...given)", list(arguments))

    def stroke(self, *points):
        mouse = self._page.mouse
        mouse.move(*points[0])
        mouse.down()
        for point in points[1:]:
            mouse.move(*point)
        mouse.up()

    def key(self, *names):
        self._page.keyboard.press("+".join(names))

    def write(self, text):
        self._page.keyboard.type(text)

    def complaints(self):
        found, self._complaints[:] = list(self._complaints), []
        return found

    def screenshot(self, path):
        self._page.screenshot(path=path)

    def close(self):
        self._page.context.close()
