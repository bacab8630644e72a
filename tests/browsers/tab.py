"""A tab of some browser, as a reader uses it: the checks know only this."""

import time
from abc import ABC, abstractmethod

from browsers.page_functions import page_function
from browsers.polling import PATIENCE

LISTEN_FOR_PRESS = page_function(__file__, "listenForPress")
PLACE_OF = page_function(__file__, "placeOf")
FOCUS = page_function(__file__, "focus")
TEXT_OF = page_function(__file__, "textOf")
COVERED = "something covers it"  # says PLACE_OF
SETTLED = 2.0  # seconds after which a page no longer scrolls


class Tab(ABC):
    """What each engine does in its own way, and what follows from it."""

    @abstractmethod
    def go(self, address: str) -> None:
        """Open an address and wait until it is loaded."""

    @abstractmethod
    def reload(self) -> None: ...

    @abstractmethod
    def evaluate(self, function: str, *arguments):
        """The value of a JavaScript function, given as text, in the page."""

    @abstractmethod
    def stroke(self, *points: tuple[float, float]) -> None:
        """Press the pointer at the first point, move through the others, release."""

    @abstractmethod
    def key(self, *names: str) -> None:
        """Press keys at the focused element: ``key("ArrowRight")``, ``key("Control", "a")``."""

    @abstractmethod
    def write(self, text: str) -> None:
        """Type text, one key after the other."""

    @abstractmethod
    def complaints(self) -> list[str]:
        """Warnings and errors the page wrote since the last time this was asked."""

    @abstractmethod
    def screenshot(self, path: str) -> None: ...

    @abstractmethod
    def close(self) -> None: ...

    def wait(self, function: str, *arguments, saw="() => document.body.innerText"):
        """Ask again until the function gives something true; else say what the page showed."""
        end = time.monotonic() + PATIENCE
        while not (answer := self.evaluate(function, *arguments)):
            if time.monotonic() > end:
                shown = str(self.evaluate(saw))[:2000]
                said = "\n".join(self.complaints())
                raise AssertionError(
                    f"after {PATIENCE:g} s still not: {function[:80]} {arguments}\n"
                    f"the page complained: {said or 'not at all'}\nit showed: {shown}"
                )
            time.sleep(0.05)
        return answer

    def place(self, selector, at=0, name=None) -> dict:
        """Where an element is that stands still in view, and a point where it can be pressed."""
        end, box = time.monotonic() + PATIENCE, None
        while True:
            before, box = box, self.evaluate(PLACE_OF, selector, at, name)
            if "problem" not in box and box == before:
                return box
            if time.monotonic() > end:
                raise AssertionError(f"{selector}[{at}] {name or ''}: {box}, before {before}")
            time.sleep(0.02)

    def is_covered(self, selector) -> bool:
        """Whether something else lies over an element's middle, and stays there."""
        end = time.monotonic() + SETTLED
        while self.evaluate(PLACE_OF, selector, 0, None).get("problem") == COVERED:
            if time.monotonic() > end:
                return True
            time.sleep(0.05)
        return False

    def press(self, selector, at=0, name=None, *, across=None) -> None:
        """Press the pointer on an element, at its middle or elsewhere across its width."""
        self._stroke_from(lambda x, y: [(x, y)], selector, at, name, across)

    def drag(self, selector, by) -> None:
        """Drag an element by so many pixels."""
        dx, dy = by
        self._stroke_from(lambda x, y: [(x + dx / 2, y + dy / 2), (x + dx, y + dy)], selector)

    def _stroke_from(self, way, selector, at=0, name=None, across=None):
        """A page that still moves may take a press elsewhere; then it is made again."""
        end = time.monotonic() + PATIENCE
        while True:
            box = self.place(selector, at, name)
            x = box["x"] if across is None else box["left"] + across * box["width"]
            self.evaluate(LISTEN_FOR_PRESS, selector, at, name)
            self.stroke((x, box["y"]), *way(x, box["y"]))
            if self.evaluate("() => window.pressed"):
                return
            assert time.monotonic() < end, f"{selector}[{at}] {name or ''} does not feel a press"

    def focus(self, selector, at=0) -> None:
        assert self.evaluate(FOCUS, selector, at), f"{selector}[{at}] takes no focus"

    def text(self, selector, at=0) -> str:
        """The visible text of an element."""
        return self.evaluate(TEXT_OF, selector, at)

    def count(self, selector) -> int:
        return self.evaluate("(s) => document.querySelectorAll(s).length", selector)
