"""Format the result of `lastseen locate` as text or as one JSON object."""

from __future__ import annotations

import math
from typing import Any

from ...reasoning.locations.choice import Choice
from .locate_request import Located

__all__ = ["as_object", "as_words"]

_REASONS = {
    "fewer": "no other place fits",
    "no_candidates": "no cell is a candidate: is the asker on the floor, and the distance wide enough?",
    "all_dropped": "the limits of the query drop every candidate",
    "no_score": "no candidate scores above 0 (or the query's minimum)",
    "taken": "the good places are too close to others",
}


def as_words(found: Located) -> str:
    """Return the places, why the first was picked, and why the place asked about was or was not."""
    choice = found.choice
    lines = []
    for (x, y, z), score in zip(choice.xyz.tolist(), choice.scores.tolist()):
        lines.append(f"go to ({x:.2f}, {y:.2f}, {z:.2f}), score {score:.3f}")
    if choice.reason in _REASONS:
        lines.append(_REASONS[choice.reason])
    lines.append(f"{len(choice.candidates):,} candidates within the limits, {len(choice.dropped):,} were dropped")
    lines.append(choice.why())
    if found.asked >= 0:
        lines.append(choice.why(found.asked))
    return "\n".join(lines)


def as_object(found: Located, level: str, query: str) -> dict[str, Any]:
    """Return everything that was picked, and why, as plain values."""
    choice = found.choice
    return {
        "level": level,
        "query": query,
        "reason": choice.reason,
        "candidates": len(choice.candidates),
        "dropped": _dropped(choice),
        "places": [
            {
                "cell": int(cell),
                "xyz": [round(number, 4) for number in xyz],
                "score": round(score, 6),
                "criteria": _criteria(choice, int(cell)),
            }
            for cell, xyz, score in zip(choice.cells.tolist(), choice.xyz.tolist(), choice.scores.tolist())
        ],
        "why": choice.why(found.asked) if found.asked >= 0 else None,
    }


def _dropped(choice: Choice) -> dict[str, int]:
    counts: dict[str, int] = {}
    for number, one in enumerate(choice.query.criteria):
        if one.has_limit:
            counts[one.title] = counts.get(one.title, 0) + int((choice.dropped_by == number).sum())
    return counts


def _criteria(choice: Choice, cell: int) -> list[dict[str, Any]]:
    at = int((choice.candidates == cell).argmax())
    return [
        {
            "name": one.title,
            "value": _finite(float(choice.values[number, at])),
            "unit": one.unit,
            "rating": _finite(float(choice.ratings[number, at])),
            "weight": one.weight,
        }
        for number, one in enumerate(choice.query.criteria)
    ]


def _finite(value: float) -> float | None:
    return round(value, 6) if math.isfinite(value) else None
