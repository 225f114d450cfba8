"""A level under construction: lists that grow feature by feature, then one walkable surface."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from ..level import ConvexFaces, Floor, Floors, Surface, TileFloor, Tiles, TriangleSoup
from .parts import Parts

__all__ = ["Draft", "Wrong"]

STOREY_GAP = 1.0
"""Metres: floors whose heights differ by more are on different storeys, unless the file says otherwise."""


class Wrong(Exception):
    """A feature cannot be used: what is wrong, and what to do."""

    def __init__(self, what: str, advice: str):
        self.what = what
        self.advice = advice
        super().__init__(what)


@dataclass
class Draft(Parts):
    """Everything read so far; `storey_given` records for each floor whether the file named its storey."""

    floors: list[Floor] = field(default_factory=list)
    storey_given: list[bool] = field(default_factory=list)
    tiles: list[TileFloor] = field(default_factory=list)
    meshes: list[TriangleSoup | ConvexFaces] = field(default_factory=list)

    def surface(self, stated: str | None) -> Surface:
        """Return the one walkable surface of the file; `stated` is the kind its header names."""
        floors = tuple(self._with_storeys())
        if self.meshes:
            if len(self.meshes) > 1 or floors or self.tiles:
                advice = "keep one triangles or faces feature, or draw everything as floors"
                raise Wrong("the file has a mesh and another walkable surface", advice)
            return self.meshes[0]
        if self.tiles or stated == "tiles":
            flat = [floor for floor in floors if floor.kind == "floor"]
            if flat and stated != "tiles":
                advice = "draw the floors as tiles too, or make them ramps that join storeys"
                raise Wrong("the file has both tiles and floor polygons", advice)
            return Tiles(tuple(self.tiles), floors)
        return Floors(floors)

    def _with_storeys(self) -> list[Floor]:
        """Number the storeys by height, from 0 at the bottom, unless a floor of the file names its own."""
        if any(self.storey_given) or not self.floors:
            return self.floors
        lowest = np.array([floor.outline_xyz[:, 2].min(initial=np.inf) for floor in self.floors])
        flat = np.array([floor.kind == "floor" for floor in self.floors])
        heights = np.unique(lowest[flat] if flat.any() else lowest)
        starts = heights[np.concatenate([[True], np.diff(heights) > STOREY_GAP])]
        # A ramp belongs to the storey it leaves, the one below its lowest point.
        storeys = np.maximum(np.searchsorted(starts, lowest + 1e-9, side="right") - 1, 0)
        return [replace(floor, storey=int(storey)) for floor, storey in zip(self.floors, storeys, strict=True)]
