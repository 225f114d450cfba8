import numpy as np
import pytest

from lastseen.errors import InputError
from lastseen.views.figures.drawing.palette import GUARD, SCALES, WALKABLE, WALL, scale_colours
from lastseen.views.scene.palette import on_floor


def lightness(colours: np.ndarray) -> np.ndarray:
    """CIE L* from sRGB, written down again from its definition."""
    share = colours / 255.0
    linear = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    luminance = linear @ [0.2126, 0.7152, 0.0722]
    return np.where(luminance > 216 / 24389, 116 * np.cbrt(luminance) - 16, luminance * 24389 / 27)


@pytest.mark.parametrize("name", SCALES)
def test_a_scale_darkens_evenly_so_that_order_survives_without_hue(name):
    steps = np.diff(lightness(scale_colours(name, 32)))
    assert (steps < 0).all()
    assert steps.min() > 3.0 * steps.max()  # no step is three times as large as another
    assert lightness(scale_colours(name)[[0]])[0] > 90
    assert lightness(scale_colours(name)[[-1]])[0] < 30


@pytest.mark.parametrize("name", ["flood", "search"])
def test_scales_under_signs_darken_evenly_and_end_before_the_signs_do(name):
    steps = np.diff(lightness(scale_colours(name, 12)))
    assert (steps < 0).all()
    assert steps.min() > 3.0 * steps.max()
    assert lightness(scale_colours(name)[[-1]])[0] > lightness(np.array([GUARD]))[0] + 25


@pytest.mark.parametrize(("theme", "least"), [("light", 18.0), ("dark", 40.0)])
def test_steps_of_the_search_scale_can_be_told_apart_on_the_floor(theme, least):
    painted = lightness(on_floor("search", theme, 12))
    steps = np.diff(painted)
    assert np.abs(painted[-1] - painted[0]) > least
    assert (np.sign(steps) == np.sign(steps[0])).all()
    assert np.abs(steps).max() < 2.2 * np.abs(steps).min()


@pytest.mark.parametrize("name", SCALES)
def test_a_scale_has_no_jumps(name):
    colours = scale_colours(name).astype(int)
    assert np.abs(np.diff(colours, axis=0)).max() <= 4
    assert len(np.unique(colours, axis=0)) > 240


def test_floor_is_light_and_wall_dark():
    assert lightness(np.array([WALKABLE]))[0] > 95
    assert lightness(np.array([WALL]))[0] < 30


def test_an_unknown_scale_is_named_with_a_suggestion():
    with pytest.raises(InputError, match=r"no colour scale 'hat' \(did you mean 'heat'\?\)"):
        scale_colours("hat")
