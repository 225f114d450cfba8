"""Format the result of `lastseen guards place` as text or JSON."""

from __future__ import annotations

import math
from typing import Any

from ...reasoning.placement.guard_routes import GuardRoute, Placement
from ...reasoning.placement.place.place import GuardPlanner
from .source import source_name

__all__ = ["as_object", "as_words"]


def as_words(planner: GuardPlanner, placement: Placement, level: str, passes: str) -> str:
    """Return the guards and what they see; `passes` says how the path can be walked unseen."""
    count = len(placement.routes)
    lines = [
        f"{count} guard{'s' if count > 1 else ''} for {source_name(level)}: {planner.ground.area:.4g} m², "
        f"{len(planner.partition)} places, {len(planner.graph.pairs)} links between them"
    ]
    lines += [f"  {route.name:10} {route.kind.name:9} {_round(route)}" for route in placement.routes]
    if placement.coverage is not None:
        seen = placement.coverage
        lines.append(
            f"  they see {seen.ever:.0%} of the floor at some time and {seen.mean:.0%} at any moment; "
            f"and {seen.path:.1%} of the intended path at any moment"
        )
    if passes:
        lines.append(f"  the intended path can be walked unseen: {passes}")
    lines += [f"  note: {note}" for note in placement.notes]
    return "\n".join(lines)


def _round(route: GuardRoute) -> str:
    x, y, _ = route.points[0].tolist()
    if not route.stays:
        return f"{route.length:5.1f} m route in {route.period:.1f} s, past ({x:.1f}, {y:.1f})"
    way = math.degrees(route.heading) % 360.0
    return f"stays at ({x:.1f}, {y:.1f})" + ("" if route.kind.opening >= 2 * math.pi else f", facing {way:.0f}°")


def as_object(planner: GuardPlanner, placement: Placement, level: str, output: str, passes: str) -> dict[str, Any]:
    """Return the same for JSON, with units in the names."""
    seen = placement.coverage
    return {
        "level": level,
        "output": output,
        "seed": placement.seed,
        "area_m2": planner.ground.area,
        "places": len(planner.partition),
        "ways": len(planner.graph.pairs),
        "radius_m": [planner.partition.smallest, planner.partition.largest],
        "filled": planner.partition.filled,
        "settings": placement.settings.as_object(),
        "guards": [
            {
                "name": route.name,
                "kind": route.kind.name,
                "points_xyz": route.points.tolist(),
                "length_m": route.length,
                "period_s": route.period,
                "phase_s": route.phase,
                "heading_rad": route.heading,
                "view_distance_m": route.kind.view_distance,
                "view_angle_rad": route.kind.view_angle,
            }
            for route in placement.routes
        ],
        "coverage": None if seen is None else {"ever": seen.ever, "mean": seen.mean, "path": seen.path},
        "path_passable": passes or None,
        "notes": list(placement.notes),
    }
