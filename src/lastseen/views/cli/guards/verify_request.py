"""Turn the options of `lastseen guards verify` into a request."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ....conventions import Floats
from ....errors import InputError
from ....level.features import IntendedPath
from ....level.level import Level
from ....reasoning.placement.files.level_guards import known_place, patrol_placement
from ....reasoning.placement.files.route_files import read_guards, read_path
from ....reasoning.placement.floor_checks import settled_guards
from ....reasoning.placement.guard_routes import Placement
from ....reasoning.placement.placement_settings import VerifySettings
from ....reasoning.placement.verify.sneak_ground import SneakGround
from ....reasoning.placement.verify.verify import Verification, verify
from ..app.level_source import is_cell_file, read_source, source_name

Progress = Callable[[str, float], None]

_SETTINGS = ("runs", "seed", "seconds", "speed", "step", "substeps", "solver", "trees", "nodes", "smooth", "close")


@dataclass(frozen=True, eq=False)
class VerifyRequest:
    """Everything needed to verify a level."""

    ground: SneakGround
    placement: Placement
    path: IntendedPath | None
    start: Floats | None
    goal: Floats | None
    settings: VerifySettings
    title: str

    def verify(self, progress: Progress) -> Verification:
        """Return the verification."""
        return verify(
            self.ground,
            self.placement,
            self.start,
            self.goal,
            path=self.path,
            settings=self.settings,
            partial=True,
            progress=progress,
        )


def read_request(level: str, level_kind: str, up: str, given: dict[str, Any]) -> VerifyRequest:
    """Check all options, then read the level, the guards and the path."""
    settings = VerifySettings(**{name: given[name] for name in _SETTINGS if given[name] is not None})
    places = {name: _place(given[name], f"--{name}") for name in ("start", "goal") if given[name] is not None}
    if is_cell_file(level):
        raise InputError(f"{level} is a cell file; give the level it was baked from")
    drawn = read_source(level, kind=level_kind, up=up)
    ground = SneakGround(drawn, radius=given["radius"], **({} if given["cell"] is None else {"cell": given["cell"]}))
    if given["guards"] is not None:
        placement = settled_guards(ground.bare, read_guards(given["guards"]), given["guards"])
    else:
        placement = patrol_placement(drawn, pivots=given["pivots"], near=given["near"])
        if not placement.routes:
            raise InputError(f"{level} has no guards; give some with --guards FILE (see lastseen guards place)")
    path = read_path(given["path"]) if given["path"] is not None else _path_of(drawn, places)
    start, goal = places.get("start"), places.get("goal")
    if path is None:
        advice = "give --{0} X,Y, or the intended path with --path"
        start, goal = (
            known_place(drawn, name, level, advice) if place is None else place
            for name, place in (("start", start), ("goal", goal))
        )
    return VerifyRequest(ground, placement, path, start, goal, settings, drawn.name or source_name(level))


def _path_of(level: Level, places: dict[str, Floats]) -> IntendedPath | None:
    """Return the level's own intended path if it has one and neither start nor goal is given."""
    return level.paths[0] if len(level.paths) == 1 and not places else None


def _place(given: str, option: str) -> Floats:
    try:
        numbers = [float(part) for part in given.split(",")]
    except ValueError:
        numbers = []
    if len(numbers) not in (2, 3) or not np.isfinite(numbers).all():
        raise InputError(f"{option} {given!r} is not a position; give x,y or x,y,z in metres, such as 4.5,3")
    return np.array([*numbers, *([0.0] * (3 - len(numbers)))])
