"""Format the answer of `lastseen chase` as one JSON object or as a few lines of text."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....cells.layout import CellLayout
from ....conventions import Array
from ....navmesh.query import heights_at
from ....reasoning.chase.prediction import Flood
from .chase_request import Answer

_FELL_BACK = {
    "few_steps": "the guard's knowledge left too few cells to flood, so only the article's barrier was used",
    "no_view": "the guard's position and view are unknown, so only the article's barrier was used (give --guard x,y)",
}


def as_object(layout: CellLayout, found: Answer, level: str) -> dict[str, Any]:
    """Return everything about a prediction; a predictor other than the flood has no steps and no cells."""
    prediction, loss = found.prediction, found.loss
    flood = prediction if isinstance(prediction, Flood) else None

    def places(cells: Array) -> list[list[float]]:
        listed: list[list[float]] = layout.arrays.cell_xyz[cells].astype(np.float64).tolist()
        return listed

    warm = [] if flood is None else places(flood.warm)
    values = [] if flood is None else flood.values.tolist()
    return {
        "destination": prediction.destination.tolist(),
        "destination_cell": int(prediction.cell),
        "reason": prediction.reason,
        "steps": 0 if flood is None else flood.steps,
        "heated": [] if flood is None else flood.heated.tolist(),
        "warm": [[*xyz, value] for xyz, value in zip(warm, values)],
        "barrier": [] if flood is None else places(flood.barrier),
        "closed": [] if flood is None else places(flood.closed),
        "has_barrier": flood is not None and flood.has_barrier,
        "fell_back": "" if flood is None else flood.fell_back,
        "notes": _notes(layout, found),
        "level": layout.mesh.name or level,
        "seen": np.asarray(loss.seen_at).tolist(),
        "heading": np.asarray(loss.heading).tolist(),
        "predictor": found.predictor,
        "preset": found.preset,
        "worth": found.worth,
    }


def as_words(layout: CellLayout, found: Answer) -> str:
    """Return a prediction in a few lines."""
    prediction = found.prediction
    x, y, z = prediction.destination.tolist()
    away = float(np.linalg.norm(prediction.destination - found.loss.seen_at))
    rows = [("run to", f"({x:.2f}, {y:.2f}, {z:.2f}), {away:.1f} m from where the target was last seen")]
    if isinstance(prediction, Flood):
        made = f"{prediction.steps} step{'' if prediction.steps == 1 else 's'}"
        rows.append(("stopped", f"{prediction.reason} after {made}: {_why(prediction, found)}"))
        rows.append(("heated", _counts(prediction.heated.tolist())))
        cells = f"{len(prediction.warm):,} warm, {len(prediction.barrier):,} barrier"
        if len(prediction.closed):
            cells += f", {len(prediction.closed):,} closed"
        rows.append(("cells", f"{cells}, of {len(layout):,}"))
    else:
        rows.append(("why", f"{prediction.reason} ({found.predictor})"))
    rows += [("note", words) for words in _notes(layout, found)]
    return "\n".join(f"{name:<9} {words}" for name, words in rows)


def _why(flood: Flood, found: Answer) -> str:
    if flood.reason == "no_cells":
        return "no cells left to heat"
    if flood.reason == "max_steps":
        return "the maximum"
    last, most = int(flood.heated[-1]), found.settings.max_heated
    if last > most:
        return f"the last one heated {last} cells, more than {most}, too wide to predict"
    return "too many cells in total"


def _counts(heated: list[int], most: int = 24) -> str:
    words = " ".join(map(str, heated[:most])) or "nothing"
    return f"{words} …" if len(heated) > most else words


def _to_see(found: Answer) -> str:
    corner = "to see around a corner" if found.settings.corner > 0.0 else ""
    more = "to a cell with a wider view" if found.settings.look_round else ""
    return " or ".join(words for words in (corner, more) if words)


def _without_heading(flood: Flood | None) -> str:
    if flood is None:
        return "the heading is unknown"
    if flood.has_barrier:
        return "the heading is unknown: the barrier holds the cells the guard reaches first"
    ways = "cells closed by the guard bound it" if len(flood.closed) else "the flood spreads in all directions"
    return f"the heading is unknown, so there is no barrier: {ways}"


def _off(layout: CellLayout, found: Answer) -> str:
    """Return a note naming the cell used for a place off the floor, or "" if the place is on it."""
    flood, reach = found.prediction, float(layout.arrays.size_xyz[2])
    seen = found.loss.seen_at[None]
    if not isinstance(flood, Flood) or not np.isnan(heights_at(layout.mesh, seen, below=reach, above=reach)[0]):
        return ""
    x, y, z = layout.arrays.cell_xyz[flood.start].tolist()
    return (
        f"the last seen position is off the floor; the flood starts in the nearest cell, at ({x:.2f}, {y:.2f}, {z:.2f})"
    )


def _notes(layout: CellLayout, found: Answer) -> list[str]:
    notes = [words] if (words := _off(layout, found)) else []
    flood = found.prediction if isinstance(found.prediction, Flood) else None
    if not found.loss.has_heading and found.predictor != "last-position":
        notes.append(_without_heading(flood))
    elif flood is not None and flood.has_barrier and not np.asarray(found.loss.heading)[:2].any():
        notes.append("the heading points straight up or down, so no cell of a level floor lies behind it")
    elif flood is not None and flood.has_barrier and len(flood.barrier) == 0:
        none = ", as no neighbour of the start lies behind it" if found.settings.exits == "hidden" else ""
        notes.append(f"the barrier holds no cell{none}: the flood may turn back")
    notes += [f"shut: {', '.join(found.shut)}"] if found.shut else []
    if found.unused:
        who = f"preset {found.preset!r}" if found.predictor == "flood" else found.predictor
        notes.append(f"{', '.join(found.unused)} ignored: {who} does not use what the guard knows")
    if flood is not None and flood.fell_back:
        notes.append(_FELL_BACK[flood.fell_back])
    if found.unweighted is not None:
        metres = float(np.linalg.norm(found.prediction.destination - found.unweighted.destination))
        drawn = f"moved the destination {metres:.1f} m" if metres >= 0.05 else "made no difference"
        notes.append(f"the worth of {', '.join(found.worth)} {drawn}")
    if flood is not None and flood.moved:
        notes.append(f"moved {flood.moved} time{'' if flood.moved == 1 else 's'} from the middle of the heat "
                     f"{_to_see(found)}")  # fmt: skip
    return notes
