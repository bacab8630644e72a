"""One world: its table is true, and the chapters of the layer compute with its numbers."""

import ast

import numpy as np
import pytest
from book.chapter_text import BOOK, Chapter

from attn import sentence as world
from attn import widgets
from attn.widgets import layer_explorer
from web.chapters import contents

ARRAYS = {name: getattr(world, name) for name in ("X", "W_q", "W_k", "W_v", "W_o")}
STAGES = {f"{stage:02}" for stage in layer_explorer.STAGES}
CHAPTERS = [path.stem for path in contents.chapters() if path.stem[:2] in STAGES]
SECTION = (BOOK / "notation.md").read_text(encoding="utf-8").split("(sec-world)=")[1]


def table(first):
    """The rows of the table whose first head is `first`, as texts, without head and rule."""
    lines = [line for line in SECTION.splitlines() if line.startswith("|")]
    start = next(i for i, line in enumerate(lines) if line.startswith(f"| {first} |"))
    rows = []
    for line in lines[start:]:
        if rows and line.startswith("| head |"):
            break
        rows.append([cell.strip() for cell in line.strip("|").split("|")])
    return [rows[0], *rows[2:]]


def test_the_table_of_words_is_x():
    (_, *entries), *rows = table("word")
    assert tuple(entries) == world.ENTRIES
    assert tuple(word for word, *_ in rows) == world.WORDS
    cells = [[float(cell or 0) for cell in row] for _, *row in rows]
    np.testing.assert_array_equal(cells, world.X)


def test_the_table_of_heads_is_the_matrices():
    _, *rows = table("head")
    made = {name: np.zeros((8, 8)) for name in ("W_q", "W_k", "W_v", "W_o")}
    place = world.ENTRIES.index
    for _, column, _, asks, found, carries, goes in rows:
        c = int(column)
        made["W_q"][place(asks), c] = world.STRENGTH
        made["W_k"][place(found), c] = made["W_v"][place(carries), c] = 1
        for entry in goes.split(", "):
            made["W_o"][c, place(entry.removesuffix(" ½"))] = 0.5 if entry.endswith("½") else 1
    for name, W in made.items():
        np.testing.assert_array_equal(W, ARRAYS[name])
    assert tuple(row[2] for row in rows) == world.ASKED
    assert tuple(row[0] for row in rows if row[0]) == world.QUESTIONS


def imported(cell):
    """What a cell takes from attn.sentence."""
    found = [n for n in ast.walk(ast.parse(cell)) if isinstance(n, ast.ImportFrom)]
    return {name.name for node in found if node.module == "attn.sentence" for name in node.names}


def runnable(name):
    return [cell for cell in Chapter(name).cells if not cell.lstrip().startswith(("%", "!"))]


def literals(cell):
    """The arrays that a cell writes out in full."""
    for node in ast.walk(ast.parse(cell)):
        if isinstance(node, ast.List | ast.Tuple):
            try:
                yield np.array(ast.literal_eval(node), dtype=float)
            except (ValueError, TypeError):
                continue


@pytest.mark.parametrize("name", CHAPTERS)
def test_a_chapter_imports_the_world_and_does_not_copy_it(name):
    for cell in runnable(name):
        assert imported(cell) <= set(vars(world))
        for array in literals(cell):
            copied = [key for key, own in ARRAYS.items() if np.array_equal(array, own)]
            assert not copied, f"from attn.sentence import {copied[0]}"


def test_the_chapters_that_build_the_layer_import_its_words():
    for name in ("02-self-attention", "03-qkv"):
        assert "X" in set().union(*map(imported, runnable(name)))


def numbers(figure, name):
    """An array that a figure has under one of the world's names, or None."""
    value = getattr(figure, name, None)
    return None if callable(value) or value is None else np.asarray(value, dtype=float)


def speaks_of_the_world(figure):
    spoken = [list(world.WORDS), " ".join(world.WORDS)]
    return any(value in spoken for value in figure.get_state().values())


FIGURES = [name for name in widgets.__all__ if speaks_of_the_world(getattr(widgets, name)())]


def test_the_figures_of_the_world_are_found():
    assert {"LayerExplorer", "TokenPlane", "QKVStepper"} <= set(FIGURES)


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_that_has_the_world_s_words_has_its_numbers(name):
    figure = getattr(widgets, name)()
    for key, own in ARRAYS.items():
        mine = numbers(figure, key)
        if mine is not None and mine.shape == own.shape:
            np.testing.assert_array_equal(mine, own, err_msg=key)
        elif mine is not None:
            rows = [world.ENTRIES.index(entry) for entry in figure.entries]
            np.testing.assert_array_equal(mine, own[rows, : mine.shape[1]], err_msg=key)
