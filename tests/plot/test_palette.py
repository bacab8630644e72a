"""The palette is legible, and told apart by every reader."""

from itertools import pairwise

import numpy as np
import pytest

from attn import palette

# The site's grounds: the book theme's pages, the theme it is built on, and the figures' own card.
GROUNDS = {"light": ["#ffffff", "#f6f8fa"], "dark": ["#121212", "#14181e", "#1c2026"]}
# The theme's own, on which questions and the editors of exercises stand.
SURFACE = {"light": "#f3f4f5", "dark": "#29313d"}
THEMES = pytest.mark.parametrize("theme", ["light", "dark"])


def roles(theme):
    return {name: palette.colours(theme)[name] for name in palette.ROLES}


def test_black_on_white_has_the_greatest_contrast():
    assert palette.contrast("#000000", "#ffffff") == pytest.approx(21)
    assert palette.contrast("#777777", "#777777") == 1


def test_a_mixture_ends_where_its_colours_are():
    assert palette.mix("#8e1a80", "#ffffff", 1.0) == "#8e1a80"
    assert palette.mix("#8e1a80", "#ffffff", 0.0) == "#ffffff"


def test_white_is_the_lightest_and_has_no_hue():
    np.testing.assert_allclose(palette.oklab("#ffffff"), [1, 0, 0], atol=1e-6)


@THEMES
@pytest.mark.parametrize("name", [*palette.ROLES, *palette.SERIES, "ink", "muted"])
def test_words_in_a_role_s_or_series_colour_have_a_contrast_of_4_5(theme, name):
    colour = palette.colours(theme)[name]
    assert min(palette.contrast(colour, ground) for ground in GROUNDS[theme]) >= 4.5


@THEMES
@pytest.mark.parametrize("name", ["edge", "focus"])
def test_outlines_have_a_contrast_of_3(theme, name):
    colour = palette.colours(theme)[name]
    assert min(palette.contrast(colour, ground) for ground in GROUNDS[theme]) >= 3


@THEMES
@pytest.mark.parametrize("name", palette.PAGE)
def test_on_a_page_words_have_a_contrast_of_4_5_and_edges_of_3(theme, name):
    colour = palette.colours(theme)[name]
    least = 3 if name in ("passed", "failed") else 4.5
    grounds = [*GROUNDS[theme], SURFACE[theme]]
    assert min(palette.contrast(colour, ground) for ground in grounds) >= least


@THEMES
@pytest.mark.parametrize("deficiency", [None, "protan", "deutan", "tritan"])
def test_every_reader_can_tell_two_roles_apart(theme, deficiency):
    distance, a, b = palette.nearest_pair(roles(theme), deficiency)
    assert distance >= 0.1, f"{a} and {b} look alike"


@THEMES
@pytest.mark.parametrize("deficiency", [None, "protan", "deutan", "tritan"])
def test_every_reader_can_tell_two_series_apart(theme, deficiency):
    series = {name: palette.colours(theme)[name] for name in palette.SERIES}
    distance, a, b = palette.nearest_pair(series, deficiency)
    assert distance >= 0.095, f"{a} and {b} look alike"


@THEMES
def test_no_series_looks_like_a_role(theme):
    shades = palette.colours(theme)
    for series in palette.SERIES:
        for role in palette.ROLES:
            pair = {name: shades[name] for name in (series, role)}
            assert palette.nearest_pair(pair)[0] >= 0.08, pair


def test_red_and_green_of_one_lightness_fail_that_test():
    assert palette.nearest_pair({"red": "#b44a3c", "green": "#5f7d1e"}, "deutan")[0] < 0.1


def test_no_two_roles_or_series_share_a_second_carrier():
    for carrier in ("letter", "marker"):
        assert len({getattr(role, carrier) for role in palette.ROLES.values()}) == 5
    for carrier in ("dash", "marker"):
        assert len({getattr(look, carrier) for look in palette.SERIES.values()}) == 5


@pytest.mark.parametrize("role", palette.ROLES)
def test_a_style_sheet_takes_dash_shape_and_underline_from_the_role(role):
    look = palette.ROLES[role]
    css = palette.css()
    assert f"--attn-{role}-dash: {look.dash or 'none'};" in css
    assert f"--attn-{role}-shape: {palette.SHAPES[look.marker]};" in css
    kind, _, thickness = look.underline.partition(" ")
    assert (f"--attn-{role}-underline: {kind};" in css) == bool(kind)
    assert (f"--attn-{role}-underline-thickness: {thickness};" in css) == bool(kind)


@THEMES
@pytest.mark.parametrize("end", ["weight", "score-low"])
def test_a_number_on_a_cell_is_legible_at_every_share(theme, end):
    shades = palette.colours(theme)
    for share in np.linspace(0, 1, 401):
        ground = palette.mix(shades[end], shades["paper"], share)
        ink = shades["on-strong" if share >= palette.STRONG else "on-faint"]
        assert palette.contrast(ground, ink) >= 4.5, share


@THEMES
@pytest.mark.parametrize("end", ["weight", "score-low"])
def test_equal_steps_of_weight_are_equal_steps_to_the_eye(theme, end):
    shades = palette.colours(theme)
    steps = [palette.oklab(palette.mix(shades[end], shades["paper"], k / 10)) for k in range(11)]
    sizes = [np.linalg.norm(b - a) for a, b in pairwise(steps)]
    assert max(sizes) / min(sizes) < 1.15


def test_an_unknown_theme_or_deficiency_is_named():
    with pytest.raises(ValueError, match="not 'sepia'"):
        palette.colours("sepia")
    with pytest.raises(ValueError, match="not 'mono'"):
        palette.simulate("#ffffff", "mono")
