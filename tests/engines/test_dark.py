"""A reader whose system is dark gets dark pages in three engines."""

from browsers.page_functions import page_function

CHAPTER = "book/01-lookup.html"
CONTRAST = page_function(__file__, "contrast")
PARTS = [
    ".bd-article p",
    ".attn-widget output",
    ".attn-widget .attn-reset",
    ".attn-question-prompt",
    ".attn-exercise .cm-content",
    ".cell_input pre",
    ".bd-sidebar-primary a",
]


def test_every_kind_of_text_is_light_on_a_dark_ground(engine, open_tab):
    tab = open_tab(theme="dark")
    tab.go(engine.isolated + CHAPTER)
    tab.wait("() => document.documentElement.dataset.theme === 'dark'")
    tab.wait("() => document.querySelector('.attn-widget output')")
    tab.evaluate("() => document.querySelector('.attn-exercise').scrollIntoView()")
    tab.wait("() => document.querySelector('.attn-exercise .cm-content')")
    for part in PARTS:
        seen = tab.evaluate(CONTRAST, part)
        assert seen["behind"] < 0.1, f"{part}: {seen}"
        assert seen["contrast"] >= 4.5, f"{part}: {seen}"
    # Scroll bars and form controls follow this; Firefox drew a white bar without it.
    assert tab.evaluate("() => getComputedStyle(document.documentElement).colorScheme") == "dark"
    assert tab.complaints() == []
