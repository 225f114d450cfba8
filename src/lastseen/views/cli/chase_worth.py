"""`--worth exits=3,hiding`: what attracts the target in a level, and how strongly."""

from __future__ import annotations

from typing import Any

from ...checks import finite_number
from ...errors import InputError, did_you_mean
from ...layers.layer import Layer
from ...layers.tactical_worth import tactical_points, tactical_worth
from .cell_file import Baked

__all__ = ["parse_worth", "worth_layer"]

_WEIGHTS = {"cover": 0.5, "hiding": 2.0, "exits": 3.0}
"""Default weight of each kind, added to the 1 that every cell counts."""

_ARGUMENTS = {
    "cover": ("cover", "cover_worth"),
    "hiding": ("hiding_places", "hiding_worth"),
    "exits": ("exits", "exit_worth"),
}


def parse_worth(given: str) -> dict[str, float]:
    """Return the weight of each requested kind; "all" means every kind with its default weight."""
    if given.strip() == "all":
        return dict(_WEIGHTS)
    weights: dict[str, float] = {}
    for part in given.split(","):
        kind, equals, number = (word.strip() for word in part.partition("="))
        if kind not in _WEIGHTS:
            hint = did_you_mean(kind, _WEIGHTS)
            raise InputError(
                f"--worth {given!r}: no kind {kind!r}{hint}; choose from {', '.join(_WEIGHTS)}, "
                "with optional weights, such as exits=3,hiding; or give all"
            )
        if kind in weights:
            raise InputError(f"--worth {given!r} names {kind} twice; give each kind once")
        weights[kind] = finite_number(number, f"--worth {kind}", low=0.0, high=1e6) if equals else _WEIGHTS[kind]
    return weights


def worth_layer(baked: Baked, weights: dict[str, float], *, all_kinds: bool, path: str) -> Layer:
    """Return how much more each cell counts; a kind requested by name but absent from the level is an error."""
    if baked.level is None:
        raise InputError(f"--worth needs the level, but the cell file {path} does not hold it; give the level itself")
    points = tactical_points(baked.level)
    missing = [kind for kind in weights if not len(points[_ARGUMENTS[kind][0]])]
    if missing and (not all_kinds or len(missing) == len(weights)):
        have = [kind for kind, (name, _) in _ARGUMENTS.items() if len(points[name])]
        raise InputError(
            f"--worth: {path} has no {' and no '.join(missing)}; it has {', '.join(have) or 'none of these'}"
        )
    chosen: dict[str, Any] = {}
    for kind, weight in weights.items():
        name, weight_name = _ARGUMENTS[kind]
        chosen |= {name: points[name], weight_name: weight}
    return tactical_worth(baked.layout, **chosen)
