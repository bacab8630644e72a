"""A reader whose system is dark gets dark pages in three engines."""

CHAPTER = "book/01-lookup.html"
# The contrast of a text with what is painted behind it (WCAG), and how bright that ground is.
CONTRAST = """(selector) => {
  const node = document.querySelector(selector);
  const parts = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const clear = (colour) => colour === "transparent" || parts(colour)[3] === 0;
  const light = (colour) => {
    const [r, g, b] = parts(colour).map((x) => x / 255)
      .map((x) => (x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  let ground = node;
  while (clear(getComputedStyle(ground).backgroundColor)) ground = ground.parentElement;
  const behind = light(getComputedStyle(ground).backgroundColor);
  const text = light(getComputedStyle(node).color);
  return { behind, contrast: (text + 0.05) / (behind + 0.05) };
}"""
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
