"""Find every fault of a level at once, each with its location and advice."""

from __future__ import annotations

import numpy as np

from ..errors import Fault
from .check_meshes import face_faults, soup_faults, tile_faults, winding_faults
from .check_numbers import extent_faults, name_faults, unwritable, value_faults
from .check_outlines import floor_faults, outline_faults
from .check_places import place_faults
from .level import Floors, Level, Tiles, TriangleSoup


def find_faults(level: Level) -> tuple[Fault, ...]:
    """Return all faults of a level, errors before warnings.

    Checks, in this order: numbers that are not finite; outlines that cross themselves, have no area or too few
    points; holes outside their outline; ramps that are not flat; bad triangles and faces; values out of range;
    duplicate or missing names; a level with nothing to walk on; overlapping floors; things off the floor; flipped
    triangles. Positions are checked only if all shapes are sound.
    """
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        faults = list(shape_faults(level))
        sound = not any(fault.severity == "error" for fault in faults)
        faults += value_faults(level)
        faults += name_faults(level)
        if sound:
            faults += place_faults(level)
            if isinstance(level.surface, TriangleSoup):
                faults += winding_faults(level.surface)
    return tuple(sorted(faults, key=lambda fault: fault.severity != "error"))


def shape_faults(level: Level) -> tuple[Fault, ...]:
    """Return the faults each part of the level has on its own, wherever it stands."""
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        faults = unwritable(level)
        surface = level.surface
        if not faults:
            faults += extent_faults(level)
            if isinstance(surface, Floors):
                faults += floor_faults(surface.polygons, "floors")
            elif isinstance(surface, Tiles):
                faults += tile_faults(surface)
                faults += floor_faults(surface.ramps, "ramps")
            elif isinstance(surface, TriangleSoup):
                faults += soup_faults(surface)
            else:
                faults += face_faults(surface)
            faults += outline_faults(level)
    return tuple(faults)
