"""Place guards in the open level around an intended path, and sneak past them, in the background."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from ....conventions import Floats
from ....errors import InputError, LastSeenError
from ....level.level import Level
from ....level.sight.query import visible_areas
from ....level.sight.sight import Sight
from ....navmesh.navmesh import AnyMesh
from ....navmesh.query import find_path, nearest_many
from ....reasoning.placement.files.level_guards import with_guards
from ....reasoning.placement.files.route_files import guards_text, read_guards
from ....reasoning.placement.guard_ground import settled_guards, unlocked_mesh, xyz_text
from ....reasoning.placement.guard_routes import Placement
from ....reasoning.placement.place.place import place_guards
from ....reasoning.placement.placement_settings import VerifySettings
from ....reasoning.placement.verify.path_check import PathCheck
from ....reasoning.placement.verify.verify import verify
from ...prose.verdicts import fact_rows
from ..protocol.messages import Guards, Join, Point, Sneak
from ..protocol.news import Joined
from ..protocol.replies import GuardMotion, PlacedGuards, SneakPath, SneakPaths
from .export_jobs import Made
from .replay_page import Progress

_FORM = "application/json"
_SHOWN = 30.0
"""Seconds of the guards' routes that are shown before sneaking."""
MOST_SHOWN = 12
"""Maximum number of guards a page shows: as many as it may request."""
_EVERY = 0.25
"""Seconds between two shown views."""


@dataclass(frozen=True)
class _Plan:
    level: Level
    path: tuple[Point, ...]
    placement: Placement


class GuardPlans:
    """The guards last placed for each page; those of a level that is no longer open are forgotten."""

    def __init__(self) -> None:
        self._plans: dict[int, _Plan] = {}
        self._age = 0

    def forget(self, client: int | None = None) -> None:
        """Forget the guards of a page, or of all pages."""
        if client is None:
            self._age += 1
            self._plans.clear()
        else:
            self._plans.pop(client, None)

    def level_of(self, client: int) -> Level:
        """Return the open level with the guards a page had placed; raise InputError if it has none."""
        plan = self._plans.get(client)
        if plan is None:
            raise InputError("there are no guards to play against; place them first")
        return with_guards(plan.level, plan.placement)

    def placer_of(self, client: int, level: Level, message: Guards) -> Callable[[Progress], Made]:
        """Return a function that places guards for a page around the path it drew.

        Raise InputError if it drew none.
        """
        if not message.path:
            raise InputError("there is no intended path; draw it first, or choose a guard file")
        age = self._age

        def make(progress: Progress) -> Made:
            kinds = list(message.kinds)
            tell = _share(progress, 0.0, 0.85)
            check = PathCheck(level, message.path)
            placement = place_guards(
                level, message.path, message.guards, kinds=kinds, seed=message.seed, check=check, progress=tell
            )
            return self._planned(client, age, _Plan(level, message.path, placement), _share(progress, 0.85, 1.0))

        return make

    def loader_of(self, client: int, level: Level, message: Guards, path: Path) -> Callable[[Progress], Made]:
        """Return a function that loads a page's guards from a file; raises for guards that do not fit the level."""
        age = self._age

        def make(progress: Progress) -> Made:
            try:
                given = read_guards(path)
            except LastSeenError as error:
                # Pages know files by their name in the folder.
                raise InputError(str(error).replace(str(path), str(message.file))) from None
            if len(given.routes) > MOST_SHOWN:
                raise InputError(
                    f"{message.file} has {len(given.routes)} guards; the studio shows {MOST_SHOWN}; remove some, "
                    "or use lastseen guards verify"
                )
            plan = _Plan(level, message.path, settled_guards(unlocked_mesh(level, 0.0), given, str(message.file)))
            return self._planned(client, age, plan, progress)

        return make

    def _planned(self, client: int, age: int, plan: _Plan, progress: Progress) -> Made:
        """Keep guards for a page, unless another level was opened meanwhile, and return the page's data."""
        if age == self._age:
            self._plans[client] = plan
        placement = plan.placement
        content = PlacedGuards(
            geojson=guards_text(placement),
            notes=placement.notes,
            coverage=placement.coverage,
            **_motion(plan.level, placement, _SHOWN, progress),
        )
        return Made("guards.geojson", _FORM, msgspec.json.encode(content))

    def sneaker_of(self, client: int, message: Sneak) -> Callable[[Progress], Made]:
        """Return a function that sneaks past the guards a page had placed.

        Raise InputError if it has none, or no path.
        """
        plan = self._plans.get(client)
        if plan is None:
            raise InputError("there are no guards to sneak past; place them first")
        path = message.path or plan.path
        if not path:
            raise InputError("there is no intended path to sneak along; draw it first")

        def make(progress: Progress) -> Made:
            settings = VerifySettings(runs=message.runs, seed=message.seed)
            tell = _share(progress, 0.0, 0.85)
            found = verify(plan.level, plan.placement, path=path, settings=settings, progress=tell)
            longest = max((way.seconds for way in found.solutions), default=_SHOWN)
            motion = _motion(plan.level, plan.placement, longest, _share(progress, 0.85, 1.0))
            content = SneakPaths(
                facts=fact_rows(found),
                success=found.success.as_object(),
                close=found.close.as_object(),
                notes=found.notes,
                ways=[SneakPath(np.round(way.path, 2).tolist(), way.group) for way in found.solutions],
                **motion,
            )
            return Made("ways.json", _FORM, msgspec.json.encode(content))

        return make


def joined(mesh: AnyMesh, asked: Join) -> Joined:
    """Return the shortest path between two places; places off the floor are moved onto it.

    Raise InputError if no path connects them.
    """
    end = nearest_many(mesh, np.array([asked.end]))[0]
    if asked.start is None:
        return Joined(_places(end.xyz[None]), float(end.distance))
    start = nearest_many(mesh, np.array([asked.start]))[0]
    path = find_path(mesh, start.xyz, end.xyz)
    if not path.reached:
        raise InputError(
            f"no path leads from {xyz_text(start.xyz)} to {xyz_text(end.xyz)}: the level is in separate pieces, "
            "as locked doors are walls here; choose a place on the same piece"
        )
    return Joined(_places(path.points_xyz[1:]), float(end.distance))


def _places(points: Floats) -> list[tuple[float, float, float]]:
    return [(x, y, z) for x, y, z in points.tolist()]


def _share(progress: Progress, first: float, last: float) -> Progress:
    return lambda text, done: progress(text, first + (last - first) * min(1.0, max(0.0, done)))


def _motion(level: Level, placement: Placement, seconds: float, progress: Progress) -> dict[str, Any]:
    """Return where guards are, where they look and what they see, at even intervals."""
    moments = np.arange(0.0, seconds + _EVERY, _EVERY)
    sight, guards = Sight.from_level(level), []
    for number, route in enumerate(placement.routes):
        progress("views of guards", number / len(placement.routes))
        poses = route.pose_at(moments)
        eyes = poses[:, :3] + [0.0, 0.0, route.kind.eye_height]
        areas = visible_areas(sight, eyes, poses[:, 3], route.kind.view_angle, route.kind.view_distance)
        guards.append(
            GuardMotion(
                name=route.name or f"guard {number + 1}",
                kind=route.kind.name,
                round=np.round(route.points, 2).tolist(),
                poses=np.round(poses, 3).tolist(),
                views=[np.round(area, 2).ravel().tolist() for area in areas],
            )
        )
    return {"every": _EVERY, "seconds": float(moments[-1]), "guards": guards}
