"""Values no argument should choke on: an answer or an error of our own tree, nothing else; objects of wrong kinds."""

from __future__ import annotations

import functools

import numpy as np

from public_names import public

NASTY = {
    "none": None,
    "text": "x",
    "nan": float("nan"),
    "inf": float("inf"),
    "minus one": -1,
    "half": 1.5,
    "beyond int64": 10**30,
    "beyond float": 10**400,
    "true": True,
    "empty": [],
    "list of text": ["a", "b"],
    "ragged": [[1.0], [2.0, 3.0]],
    "place of nan": (float("nan"), 0.0),
    "place beyond float": (10**400, 0),
    "complex": 1j,
    "complex array": np.array([[1j, 2.0]]),
    "deep array": np.zeros((2, 2, 2)),
    "dates": np.array(["2020-01-01"], "datetime64[D]"),
    "dict": {"a": 1},
    "object": object(),
}


@functools.cache
def kinds():
    """Objects of lastseen that stand where another kind is expected."""
    level = public.Level.sample("corridor")
    layout = public.CellLayout.from_level(level)
    return {
        "a Level": level,
        "a NavMesh": layout.mesh,
        "a CellLayout": layout,
        "a LiveLayout": public.LiveLayout(layout),
        "a Sight": public.Sight.from_level(level),
        "a Body": public.Body(),
        "a Layer": public.Layer(layout, "danger"),
        "a map": np.zeros((5, 5)),
    }
