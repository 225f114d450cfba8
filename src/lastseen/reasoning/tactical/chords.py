"""Measure how wide the floor is at a place, across a direction."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...conventions import Array, Floats
from ...navmesh.navmesh import AnyMesh
from ...navmesh.query import heights_at, nearest_many, raycasts

SHARES = (1 / 6, 1 / 2, 5 / 6)
"""Positions between two cells at which chords are drawn: a wall between them may be thinner than a cell."""
_TURNS = np.array([0.0, -0.3927, 0.3927])
"""Radians by which a chord may turn to become shorter: an eighth of half a turn."""
_ASIDE = 1.0
"""Metres from the straight line by which a step between two cells may bend."""


@dataclass(frozen=True, eq=False)
class Chords:
    """Straight lines from edge to edge of the floor.

    Attributes
    ----------
    middle : (n, 3) float64, the given place.
    width : (n,) float64 metres for a body: the line plus its radius at both ends; infinite: wider than `widest`.
    ends : (n, 2, 3) float64, counter-clockwise and clockwise of the direction.
    """

    middle: Floats
    width: Floats
    ends: Floats


def chords_across(mesh: AnyMesh, places: Floats, directions: Floats, widest: float) -> Chords:
    """Return the narrowest chord through each of `places` (n, 3), across `directions` (n, 2) or nearly so.

    Rays end after `widest` metres. The second is cast only where the first hit an edge.
    """
    count, body = len(places), 2.0 * mesh.body.radius
    width, ends = np.full(count, np.inf), np.repeat(places[:, None], 2, axis=1)
    reach = max(widest - body, 0.0) + 1e-6
    along = directions / np.maximum(np.hypot(directions[:, 0], directions[:, 1]), 1e-12)[:, None]
    for turn in _TURNS.tolist():
        cos, sin = np.cos(turn), np.sin(turn)
        left = np.column_stack([-along[:, 1] * cos - along[:, 0] * sin, along[:, 0] * cos - along[:, 1] * sin])
        # Turn chords only where the straight one is not much too wide.
        rows = np.arange(count) if turn == 0.0 else np.flatnonzero(width <= 1.5 * widest)
        _narrower(mesh, places, left, rows, reach if turn == 0.0 else 1.5 * reach, body, width, ends)
    width[width > widest] = np.inf
    return Chords(places, width, ends)


def _narrower(
    mesh: AnyMesh,
    places: Floats,
    left: Floats,
    rows: Array,
    reach: float,
    body: float,
    width: Floats,
    ends: Floats,
) -> None:
    """Cast in both directions along `left` (n, 2) and keep what is narrower than before."""
    hits: list[tuple[Floats, Floats]] = []
    for sign in (1.0, -1.0):
        across = np.column_stack([left[rows], np.zeros(len(rows))])
        found = raycasts(mesh, places[rows], places[rows] + sign * reach * across)
        met = found.outcome == 1
        hits = [(xyz[met], away[met]) for xyz, away in hits] + [(found.xyz[met], found.fraction[met] * reach)]
        rows = rows[met]
    (one, left_away), (other, right_away) = hits
    total = left_away + right_away + body
    better = total < width[rows] - 1e-9
    rows = rows[better]
    width[rows], ends[rows, 0], ends[rows, 1] = total[better], one[better], other[better]


def _on_mesh(mesh: AnyMesh, places: Floats) -> Floats:
    """Return places on the mesh: a step that bends around a door frame has its middle in the wall."""
    off = np.flatnonzero(np.isnan(heights_at(mesh, places)))
    if len(off):
        near = nearest_many(mesh, places[off], _ASIDE)
        places[off[near.found]] = near.xyz[near.found]
    return places


def chords_of_steps(mesh: AnyMesh, start: Floats, end: Floats, widest: float) -> Chords:
    """Return the narrowest chord across each step (n, 3) to (n, 3), of those drawn at `SHARES` of it."""
    count = len(start)
    places = _on_mesh(mesh, np.concatenate([start + share * (end - start) for share in SHARES]))
    found = chords_across(mesh, places, np.tile((end - start)[:, :2], (len(SHARES), 1)), widest)
    best = found.width.reshape(len(SHARES), count).argmin(axis=0)
    # If all are equally wide, take the one in the middle.
    best[np.isinf(found.width.reshape(len(SHARES), count)).all(axis=0)] = 1
    rows = best * count + np.arange(count)
    return Chords(found.middle[rows], found.width[rows], found.ends[rows])
