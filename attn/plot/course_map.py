"""The map of the course: how data flows through attention, as far as a chapter has come.

One table of parts says what there is; the drawing follows from it. A part spans some of three
lanes (those of queries, keys and values), and an arrow runs down each lane to the next part.
"""

from dataclasses import dataclass
from html import escape

from attn.palette import ROLES, colours, picture_css
from attn.plot.axes import dashes
from attn.plot.picture import Picture, themed_svg

CHAPTERS = range(2, 14)
ALL = (0, 1, 2)
LANES = ("query", "key", "value")


@dataclass(frozen=True)
class Part:
    """A box of the map. `forms` are its formulas, each with the chapter that first has it."""

    name: str
    since: int
    words: str
    lanes: tuple = ALL
    role: str | None = None
    forms: tuple = ()

    def form(self, chapter):
        """Its formula in that chapter, or ''."""
        return next((text for since, text in reversed(self.forms) if since <= chapter), "")


# Each entry is a row of the map, from top to bottom.
ROWS = (
    (Part("words", 2, "a sentence, cut into tokens"),),
    (Part("vectors", 2, "a row of numbers for each word", forms=((2, "X"),)),),
    (Part("positions", 7, "where each word stands, added on", forms=((7, "X + PE"),)),),
    (
        Part("queries", 3, "what a word asks for", (0,), "query", ((3, "Q = X W_q"),)),
        Part("keys", 3, "what it is found by", (1,), "key", ((3, "K = X W_k"),)),
        Part("values", 3, "what it hands over", (2,), "value", ((3, "V = X W_v"),)),
    ),
    (Part("scores", 1, "how well a key fits a query", (0, 1), None, ((2, "X Xᵀ"), (3, "Q Kᵀ"))),),
    (Part("scale", 4, "the same spread, whatever d_k is", (0, 1), None, ((4, "÷ √d_k"),)),),
    (Part("mask", 6, "which keys a query may look at", (0, 1)),),
    (Part("weights", 1, "each row shares out 1", (0, 1), "weight", ((2, "A = softmax"),)),),
    (Part("blend", 1, "averages of the values, by the weights", forms=((2, "A X"), (3, "A V"))),),
    (Part("merge", 5, "heads side by side, mixed by a matrix", forms=((5, "W_o"),)),),
    (Part("add & norm", 10, "the input added back, then evened out"),),
    (Part("feed-forward", 10, "a small network, for each word alone"),),
    (Part("add & norm again", 10, "its input added back, then evened out"),),
    (Part("outputs", 2, "a new vector for each word", role="output", forms=((2, "Y"),)),),
)
# What joins parts that are not neighbours: around them, or past them on the left.
HEADS = Part("heads", 5, "h times over, each with matrices of its own")
SKIPS = (("positions", "add & norm", 10), ("add & norm", "add & norm again", 10))
PARTS = (*(part for row in ROWS for part in row), HEADS)


def course_map(chapter, *, here=None):
    """The map up to `chapter`, with "you are here" at what that chapter adds.

    Parameters
    ----------
    chapter : int
        2 to 13.
    here : names of parts, optional
        What to mark in a chapter that works on parts that are there already.

    >>> course_map(4).alt.split("You are here: ")[1]
    'scale, the same spread, whatever d_k is.'
    """
    if chapter not in CHAPTERS:
        raise ValueError(f"the map runs from chapter 2 to 13: chapter is {chapter!r}")
    shown = {part.name: part for part in PARTS if part.since <= chapter}
    unknown = [name for name in here or () if name not in shown]
    if unknown:
        raise ValueError(f"chapter {chapter} knows {', '.join(shown)}, not {', '.join(unknown)}")
    new = [part.name for part in PARTS if part.since == chapter]
    return CourseMap(chapter, [shown[name] for name in (new if here is None else here)])


class CourseMap(Picture):
    """A picture in two widths: words beside the boxes, or below them."""

    def __init__(self, chapter, here):
        self.chapter, self.here = chapter, here
        super().__init__(_svg(chapter, here, words=True), _in_words(chapter, here))

    def _repr_html_(self):
        narrow = Picture(_svg(self.chapter, self.here, words=False), self.alt)
        rules = " ".join((picture_css() + STYLE).split())
        # Beside the wide drawing stand the words of all parts but the heads' frame.
        framed = [part for part in self.here if part is HEADS]
        return (
            f'<figure class="attn-figure attn-map"><style>{rules}</style>'
            f'<div class="attn-map-wide">{themed_svg(self)}'
            f"{_note(self.here and ['what is bold', *_named(framed)])}</div>"
            f'<div class="attn-map-narrow">{themed_svg(narrow)}{_note(_named(self.here))}</div>'
            "</figure>"
        )


STYLE = """
.attn-map { container-type: inline-size; margin: 1.2rem 0; }
.attn-map svg { display: block; margin: 0 auto; }
.attn-map p { max-width: 39rem; margin: 0.4rem auto 0; font-size: 0.9em; }
.attn-map-wide { display: none; }
@container (min-width: 600px) {
  .attn-map-wide { display: block; }
  .attn-map-narrow { display: none; }
}
"""


def _named(parts):
    return [f"<strong>{escape(part.name)}</strong>, {part.words}" for part in parts]


def _note(parts):
    return f"<p>▶ You are here: {'; '.join(parts)}.</p>" if parts else ""


def _rows(chapter):
    """The rows that the chapter has reached, each with the parts it has reached."""
    reached = ([part for part in row if part.since <= chapter] for row in ROWS)
    return [row for row in reached if row]


def _label(part, chapter):
    return f"{part.name} {part.form(chapter)}".strip()


def _in_words(chapter, here):
    steps = (" and ".join(_label(part, chapter) for part in row) for row in _rows(chapter))
    heads = f" From queries to blend, {HEADS.words}." if chapter >= HEADS.since else ""
    marked = "; ".join(f"{part.name}, {part.words}" for part in here) or "all of it"
    return (
        f"The map of the course, up to chapter {chapter}: {' → '.join(steps)}.{heads} "
        f"You are here: {marked}."
    )


# --- the drawing, in points as matplotlib's are: 3/4 of a CSS pixel -----------------------

LEFT, LANE, GAP, BOX, PITCH, TOP = 19, 72, 4, 23, 36, 5
WIDTH = LEFT + 3 * LANE + 8
WORDS_AT, WORDS_WIDTH = WIDTH + 14, 222
LIGHT = colours("light")


def _svg(chapter, here, *, words):
    rows = _rows(chapter)
    tops = {part: TOP + PITCH * index for index, row in enumerate(rows) for part in row}
    boxes = [_box(part, top, chapter, part in here) for part, top in tops.items()]
    drawn = [*_heads(tops, chapter, here), *_skips(tops, chapter), *_arrows(tops), *boxes]
    for row in rows:
        new = any(part in here for part in row)
        drawn += [_pointer(tops[row[0]])] * new + [_words(row, tops[row[0]], new)] * words
    wide, high = (WORDS_AT + WORDS_WIDTH if words else WIDTH), max(tops.values()) + BOX + 5
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" '
        f'width="{wide}pt" height="{high}pt">{"".join(drawn)}</svg>'
    )


def _middle(lanes):
    return LEFT + LANE * (lanes[0] + lanes[-1] + 1) / 2


def _box(part, top, chapter, here):
    wide, middle = LANE * len(part.lanes) - GAP, _middle(part.lanes)
    name = part.name if len(part.lanes) > 1 else ""  # one lane has room for a formula only
    return (
        f'<rect x="{middle - wide / 2:g}" y="{top}" width="{wide}" height="{BOX}" rx="5" '
        f'fill="{LIGHT["paper"]}" stroke="{LIGHT[part.role or "edge"]}" '
        f'stroke-width="{2.4 if here else 1}"/>'
        + _text(middle, top, name, part.form(chapter), anchor="middle", bold=here)
    )


def _text(x, top, words, form="", *, anchor="start", bold=False, size=10, colour="ink", dy=0):
    gap = "\N{NO-BREAK SPACE} " if words and form else ""
    return (
        f'<text x="{x:g}" y="{top + BOX / 2 + 3.4 + dy:g}" text-anchor="{anchor}" '
        f'style="font-size: {size}px; font-weight: {600 if bold else 400}; '
        f'fill: {LIGHT[colour]}">{escape(words)}{gap}{_formula(form)}</text>'
    )


def _formula(form):
    """W_q with a small lowered q; what follows stands on the line again."""
    first, *rest = form.split("_")
    low = '<tspan dy="2.2" style="font-size: 7.5px">{}</tspan>'
    back = '<tspan dy="-2.2">{}</tspan>'
    lowered = [low.format(t[0]) + (back.format(escape(t[1:])) if t[1:] else "") for t in rest]
    return escape(first) + "".join(lowered)


def _arrows(tops):
    """From each part down its lanes to the next part; where the ways divide, one for each lane."""
    for part, top in tops.items():
        nexts = {lane: _next(tops, part, lane) for lane in part.lanes}
        below = {other: None for other in nexts.values() if other}
        for other in below:
            shared = [lane for lane in part.lanes if nexts[lane] is other]
            for lanes in [[lane] for lane in shared] if len(below) > 1 else [shared]:
                role = part.role or (LANES[lanes[0]] if len(lanes) == 1 else None)
                yield _arrow(_middle(lanes), top + BOX, tops[other], role)
                if len(below) > 1 and len(other.lanes) > 1:
                    yield _text(_middle(lanes) + 7, top + 18, f"as {role}", size=8, colour=role)


def _next(tops, part, lane):
    return next((p for p, top in tops.items() if top > tops[part] and lane in p.lanes), None)


def _arrow(x, start, end, role):
    colour = LIGHT[role or "edge"]
    dash = dashes(ROLES[role].dash) if role else "-"
    pattern = "" if dash == "-" else f' stroke-dasharray="{" ".join(f"{n:g}" for n in dash[1])}"'
    return (
        f'<path d="M {x:g} {start} V {end - 4}" fill="none" stroke="{colour}" '
        f'stroke-width="1.6"{pattern}/>'
        f'<path d="M {x - 3.4:g} {end - 6} H {x + 3.4:g} L {x:g} {end - 0.5} Z" fill="{colour}"/>'
    )


def _pointer(top):
    y = top + BOX / 2
    return f'<path d="M 1 {y - 5:g} L 9 {y:g} L 1 {y + 5:g} Z" fill="{LIGHT["ink"]}"/>'


def _words(row, top, here):
    """What the row's parts are, beside it; three of them take two lines."""
    first, *rest = (part.words for part in row)
    lines = [f"{first},", ", ".join(rest)] if rest else [first]
    colour = "ink" if here else "muted"
    shifts = [12 * (index - (len(lines) - 1) / 2) for index in range(len(lines))]
    return "".join(
        _text(WORDS_AT, top, line, bold=here, colour=colour, dy=dy)
        for line, dy in zip(lines, shifts, strict=True)
    )


def _skips(tops, chapter):
    """A way round on the left: what a part reads beside its neighbour's output."""
    middles = {part.name: top + BOX / 2 for part, top in tops.items()}
    left, edge = LEFT + GAP / 2, LIGHT["edge"]
    for source, target, since in SKIPS:
        if since <= chapter:
            start, end = middles[source], middles[target]
            yield (
                f'<path d="M {left:g} {start + 4:g} H {left - 7:g} V {end - 4:g} H {left - 3:g}" '
                f'fill="none" stroke="{edge}" stroke-width="1.3"/>'
                f'<path d="M {left - 5:g} {end - 7:g} V {end - 1:g} L {left:g} {end - 4:g} Z" '
                f'fill="{edge}"/>'
            )


def _heads(tops, chapter, here):
    """Frames behind each other, round what every head has for itself."""
    if chapter < HEADS.since:
        return
    top_of = {part.name: top for part, top in tops.items()}
    start, end = top_of["queries"] - 5, top_of["blend"] + BOX + 4
    for shift in (6, 3, 0):
        yield (
            f'<rect x="{LEFT - 1 + shift}" y="{start - shift}" width="{3 * LANE + 2}" '
            f'height="{end - start}" rx="8" fill="{LIGHT["paper"]}" stroke="{LIGHT["edge"]}" '
            f'stroke-width="{1.8 if HEADS in here else 0.9}"/>'
        )
    yield _text(_middle((2,)) + 6, top_of["weights"], "× h", bold=HEADS in here)
