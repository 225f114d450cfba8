"""Values no argument should choke on: an answer or an error of our own tree, nothing else; objects of wrong kinds."""

from __future__ import annotations

import functools
import os
import re
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from lastseen.errors import LastSeenError
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

_RECORD = Path(__file__).parent / "arguments.toml"
_LIMIT = re.compile(r"(?:at least|at most|more than|less than|below|up to) -?\d[\d.,]*(?:e[+-]?\d+)?")


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


def check_argument(name: str, call: Callable[[Any], object], values: Mapping[str, Any] = NASTY) -> None:
    """Assert that values are taken or refused as the file next to this one records, with errors of our own tree.

    A limit that changes, or a value that is no longer refused, is a change for users. With `RECORD_ARGUMENTS=1` in the
    environment and `-n 0`, what is found is recorded instead.
    """
    taken, limits, escaped = [], set(), {}
    for label, value in values.items():
        try:
            call(value)
            taken.append(label)
        except LastSeenError as error:
            limits |= {found.rstrip(".,") for found in _LIMIT.findall(str(error))}
        except Exception as error:
            escaped[label] = f"{type(error).__name__}: {str(error)[:80]}"
    assert escaped == {}, f"{name}: {escaped}"
    found = "; ".join([*sorted(limits), f"takes {', '.join(taken) if len(taken) < len(values) else 'anything'}"])
    known = _known()
    if os.environ.get("RECORD_ARGUMENTS"):
        known[name] = found
        lines = (f'"{key}" = "{known[key]}"\n' for key in sorted(known))
        _RECORD.write_text(
            "# What arguments allow (nasty_values.py).\n" + "".join(lines),
            encoding="utf-8",
        )
    assert found == known.get(name, found), f"{name}: if this is meant, see check_argument"


@functools.cache
def _known() -> dict[str, str]:
    return tomllib.loads(_RECORD.read_text(encoding="utf-8"))
