"""Lines of sight for searches: whatever the game has, or a straight walk on the mesh."""

from __future__ import annotations

from collections.abc import Callable

from ...checks import frozen
from ...conventions import Bools, Floats
from ...errors import InputError
from ...navmesh.navmesh import AnyMesh
from ...navmesh.straight_lines import raycasts

__all__ = ["EYE", "Sees", "walkable_lines"]

EYE = frozen([0.0, 0.0, 1.6])
"""Metres from the feet to the eyes of one who stands."""

Sees = Callable[[Floats, Floats], Bools]
"""Answers for eyes (n, 3) and points (n, 3), row by row, whether one sees the other: (n,) bool."""


def walkable_lines(mesh: AnyMesh) -> Sees:
    """Return a test of sight by straight walks on the mesh: low cover blocks it as a wall does."""
    if not hasattr(mesh, "arrays"):
        raise InputError(f"mesh is a {type(mesh).__name__}; give a NavMesh or a CutMesh")

    def sees(eyes: Floats, points: Floats) -> Bools:
        return raycasts(mesh, eyes, points).reached

    return sees
