"""From a move of the slider to a laid-out figure, for every figure of the site; and one check.

Needs the built site (`make book`) and a browser. A frame at 60 Hz is 16.7 ms.
"""

import threading
import time
from statistics import median

from browsers import chromium
from playwright.sync_api import sync_playwright

from attn.exercises import catalog, check
from web.builder.server.http_server import make_server
from web.chapters import contents

MOVE = """async (slider) => {
  const { min, max } = slider;
  const times = [];
  for (let round = 0; round < 60; round += 1) {
    slider.value = Number(min) + ((round % 12) / 11) * (max - min);
    const start = performance.now();
    slider.dispatchEvent(new Event("input"));
    await null; // a figure draws once for all changes of one moment, right after it
    slider.getBoundingClientRect();
    times.push(performance.now() - start);
  }
  return times;
}"""


def figures() -> None:
    server = make_server(port=0)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print("figure               median ms   slowest ms")
    with sync_playwright() as playwright:
        page = chromium.launch(playwright).new_page(viewport={"width": 1280, "height": 900})
        for path in contents.chapters():
            page.goto(f"http://127.0.0.1:{server.server_port}/book/{path.stem}.html")
            page.wait_for_load_state("networkidle")
            for root in page.locator(".attn-widget").all():
                root.locator("output").wait_for()
                times = root.locator("input[type=range]").first.evaluate(MOVE)
                name = root.get_attribute("data-widget")
                print(f"{name:20} {median(times):9.1f}   {max(times):10.1f}")
        page.context.browser.close()
    server.shutdown()


def checks() -> None:
    slowest = ("", 0.0)
    for exercise in catalog():
        for answer in (exercise.task.reference, *(m.wrong for m in exercise.mistakes)):
            start = time.process_time()
            check(exercise.id, answer)
            slowest = max(slowest, (exercise.id, time.process_time() - start), key=lambda s: s[1])
    print(f"slowest check, native: {slowest[0]}, {1000 * slowest[1]:.0f} ms of CPU")


if __name__ == "__main__":
    figures()
    checks()
