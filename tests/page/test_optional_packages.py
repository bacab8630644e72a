"""Packages that the page's Python loads when a task asks: once, told as they come, or why not."""

import json

from browsers.page_functions import page_function

from attn.widgets import LayerExplorer

RUN = page_function(__file__, "run")
CHAPTER = "book/01-lookup.html"
TASK = """
import json
import logging

logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)  # as page_tasks.display does

def packages(task):
    return task["needs"]

def run(task, send):
    from attn import plot
    from attn.widgets import LayerExplorer
    picture = plot.curves([0, 1], {"one": [0, 1]}, alt="A line.", xlabel="$x^2$", ylabel="y")
    send("svg", {"svg": picture.svg, "alt": picture.alt})
    send("figure", {"module": "layer_explorer", "state": LayerExplorer().get_state()})
    return json.dumps({"state": "passed"})
"""
NEEDS = ["matplotlib", "attn-book"]
ROUTES = {"**/page_tasks/plotting.py": lambda route: route.fulfill(body=TASK)}


def wheels(page):
    names = [url.split("/")[-1] for url in page.record.requests if url.endswith(".whl")]
    return {name.split("-")[0] for name in names}


def test_a_task_loads_its_packages_once_and_sends_data_and_an_exercise_loads_none(open_page, site):
    page = open_page(CHAPTER, routes=ROUTES)
    first = page.evaluate(RUN, [site, "exercise", {"code": "1", "exercise": "01-softmax"}])
    assert first["outcome"]["state"] == "unanswered"
    assert wheels(page) == {"numpy", "attn"}
    asked = page.evaluate(RUN, [site, "plotting", {"needs": NEEDS}])
    assert asked["outcome"]["state"] == "passed"
    assert {"matplotlib", "traitlets", "attn_book"} <= wheels(page)
    what = "matplotlib and the book’s modules"
    told = [phase for phase in asked["phases"] if phase["name"] == "download"]
    assert {phase["what"] for phase in told} == {what}
    assert told[-1]["loaded"] >= told[-1]["total"] > 5e6
    assert [phase["name"] for phase in asked["phases"]][-1] == "running"
    again = page.evaluate(RUN, [site, "plotting", {"needs": NEEDS}])
    assert again["phases"] == [{"name": "running"}]
    (_, picture), (_, figure) = asked["sent"]
    assert picture["alt"] == "A line."
    assert "<svg" in picture["svg"]
    built = LayerExplorer().get_state()
    for name in ("_anywidget_id", "_spec", *built["_spec"]["traits"]):
        assert figure["state"][name] == json.loads(json.dumps(built[name])), name


def test_what_does_not_arrive_is_said_and_the_next_run_tries_again(open_page, site):
    page = open_page(CHAPTER, routes=ROUTES)
    page.context.route("**/six-*.whl", lambda route: route.abort())
    asked = page.evaluate(RUN, [site, "plotting", {"needs": NEEDS}])
    assert asked["outcome"]["broken"] == "download"
    assert "six did not arrive" in asked["outcome"]["summary"]
    page.context.unroute("**/six-*.whl")
    again = page.evaluate(RUN, [site, "plotting", {"needs": NEEDS}])
    assert again["outcome"]["state"] == "passed"
    assert page.evaluate("workers") == 1  # the same Python, with all that it knew
    page.record.console.clear()  # the browser's own words on a file that did not arrive
