"""What this course tells the program that builds its site; see `web.course`.

The one place that knows both: `web` imports nothing of `attn`, and `attn` nothing of `web`.
"""

from pathlib import Path
from typing import Any

from web.course import Course, Figures, Packages, RealModel

PACKAGE = Path(__file__).parent / "attn"
WIDGETS = PACKAGE / "widgets"


def exercises() -> Any:
    from attn.exercises import catalog

    return catalog()


def verdict_headings() -> dict[str, str]:
    from attn.exercises.checking.verdict import HEADINGS

    return HEADINGS


def role_letters() -> dict[str, str]:
    from attn.palette import ROLES

    return {name: role.letter for name, role in ROLES.items()}


def palette() -> str:
    from attn.palette import css

    return css()


def figure_names() -> list[str]:
    from attn import widgets

    return widgets.__all__


def create_figure(name: str) -> Any:
    from attn import widgets

    return getattr(widgets, name)()


def figure_modules(name: str) -> list[str]:
    from attn.widgets.kit.module_text import modules

    return modules(WIDGETS, name)


def model_made_from() -> list[bytes] | None:
    from attn import minilm
    from attn.minilm.weights import FILES

    try:
        minilm.find()
    except minilm.MissingWeights:
        return None
    code = [(PACKAGE / "minilm" / name).read_bytes() for name in ("nearest.py", "quantised.py")]
    return [*code, *(sha256.encode() for sha256 in FILES.sha256.values())]


def model_numbers() -> dict[str, bytes]:
    from attn import minilm
    from attn.minilm import nearest, quantised
    from attn.minilm.weights import read_safetensors

    weights = minilm.load()
    tensors = read_safetensors(minilm.find()[0].read_bytes())
    return quantised.files(tensors, weights.vocabulary) | {"nearest.bin": nearest.table(weights)}


def longest_sentence() -> int:
    from attn.minilm.maps import LONGEST

    return LONGEST


def sentence_figure_state() -> dict[str, Any]:
    """What a head browser is made of, but for its sentences."""
    state = create_figure("HeadBrowser").get_state()
    spec = state["_spec"] | {"tokens": {}}
    traits = {name: state[name] for name in spec["traits"]}
    return traits | {"_anywidget_id": state["_anywidget_id"], "_spec": spec}


COURSE = Course(
    package=PACKAGE,
    exercises=exercises,
    verdict_headings=verdict_headings,
    role_letters=role_letters,
    palette=palette,
    figures=Figures(WIDGETS, figure_names, create_figure, figure_modules),
    real_model=RealModel(
        code=(PACKAGE / "minilm", PACKAGE / "pretrained"),
        made_from=model_made_from,
        numbers=model_numbers,
        longest=longest_sentence,
        figure="head_browser",
        figure_state=sentence_figure_state,
    ),
    packages=Packages(
        for_exercises=frozenset({"__init__.py", "core", "exercises"}),
        for_no_page=frozenset({"nn"}),
        commands=("exercises/__main__.py", "exercises/progress.py", "*/make_*.py"),
        missing={"attn.minilm": "minilm", "attn.nn": "torch"},
    ),
)
