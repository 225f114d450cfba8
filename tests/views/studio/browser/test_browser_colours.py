"""The colours the page really uses, seen with three kinds of colour blindness."""

from __future__ import annotations

import numpy as np
import pytest

from studio.colour_vision import SEEN_AS, ciede2000, lab

LEAST = 16.0
"""The difference stated in docs/studio.md."""
UPPER = "[0.5, 0.6, 0.7, 0.8, 0.9, 1].map((share) => it.onFloor(NAME, share))"


@pytest.mark.parametrize(
    ("one", "other", "difference"),
    [
        ([50.0, 2.6772, -79.7751], [50.0, 0.0, -82.7485], 2.0425),
        ([50.0, 2.5, 0.0], [73.0, 25.0, -18.0], 27.1492),
        ([2.0776, 0.0795, -1.1350], [0.9033, -0.0636, -0.5514], 0.9082),
    ],
)
def test_the_difference_is_that_of_the_published_pairs(one, other, difference):
    assert round(float(ciede2000(np.array(one), np.array(other))), 4) == difference


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_floods_differ_from_searches_and_from_what_is_seen(rooms, window, theme):
    one = window(rooms, color_scheme=theme)
    assert one.module("colours.js", "it.theme.name") == theme
    scales = one.module(
        "studio.js", "Object.fromEntries(it.studio.hello.layers.map(({ name, scale }) => [name, scale]))"
    )
    assert scales["heat"] == "heat"
    flood = one.module("colours.js", UPPER.replace("NAME", "'heat'"))
    for name in ("search", scales["exposure"]):
        other = one.module("colours.js", UPPER.replace("NAME", f"'{name}'"))
        for vision in SEEN_AS:
            apart = ciede2000(lab(flood, vision)[:, None], lab(other, vision)[None])
            assert apart.min() >= LEAST, (name, vision)
