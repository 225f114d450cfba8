"""Turn the options of `lastseen guards improve` into a request."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from ....checks import job_count, whole_number
from ....errors import InputError
from ....navmesh.body import Body
from ....navmesh.build import build_navmesh
from ....reasoning.placement.files.route_files import read_guards
from ....reasoning.placement.floor_checks import settled_guards
from ....reasoning.placement.guard_routes import Placement
from ....reasoning.placement.improve.improve import Improvement, improve_guards
from ....reasoning.placement.improve.targets import Targets
from ....reasoning.placement.placement_settings import VerifySettings
from ..app.level_source import source_name
from .place_request import GuardRequest, read_request

_SOLVER = ("runs", "trees", "nodes", "seconds", "close")


@dataclass(frozen=True, eq=False)
class ImproveRequest:
    """Everything needed to improve guards; `begin`: the guards to start from, or how many to place first."""

    placing: GuardRequest
    begin: int | Placement
    targets: Targets
    settings: VerifySettings
    rounds: int
    jobs: int
    title: str

    def improve(self, progress: Callable[[str, float], None]) -> Improvement:
        """Return the best guards found."""
        asked = self.placing
        return improve_guards(
            asked.level,
            asked.path,
            self.begin,
            self.targets,
            kinds=asked.kinds,
            placing=asked.settings,
            settings=self.settings,
            width=asked.within,
            rounds=self.rounds,
            seed=asked.seed,
            jobs=self.jobs,
            progress=progress,
        )


def read_improve_request(level: str, level_kind: str, up: str, given: dict[str, Any]) -> ImproveRequest:
    """Check all options, then read the level, the path and the guards to start from."""
    targets = Targets(_span(given["success"]), given["closeness"], given["coverage"])
    rounds, jobs = whole_number(given["rounds"], "--rounds", low=1), job_count(given["jobs"], "--jobs")
    VerifySettings(**_said(given))
    begin: int | Placement
    if (given["guards"] is None) == (given["begin"] is None):
        raise InputError("give either --guards N (how many to place) or --from FILE (guards to start from)")
    if given["begin"] is None:
        begin = whole_number(given["guards"], "--guards", low=1)
        placing = read_request(level, level_kind, up, {**given, "checked": True})
    else:
        begin = read_guards(given["begin"])
        asked = {**given, "checked": True, "guards": len(begin.routes)}
        kinds = tuple(dict.fromkeys(route.kind for route in begin.routes))
        placing = replace(read_request(level, level_kind, up, asked), kinds=kinds)
        begin = settled_guards(build_navmesh(placing.level, Body(radius=0.0)), begin, given["begin"])
    settings = solver_settings(placing, {**given, "close": targets.closeness})
    title = placing.level.name or source_name(level)
    return ImproveRequest(placing, begin, targets, settings, rounds, jobs, title)


def solver_settings(placing: GuardRequest, given: dict[str, Any]) -> VerifySettings:
    """Return the solver settings: the player of the path, changed by the options."""
    return replace(VerifySettings() if placing.player is None else placing.player, **_said(given))


def _said(given: dict[str, Any]) -> dict[str, Any]:
    return {name: given[name] for name in _SOLVER if given.get(name) is not None}


def _span(given: str | None) -> tuple[float, float] | None:
    if given is None:
        return None
    low, dots, high = given.partition("..")
    try:
        return float(low), float(high if dots else low)
    except ValueError:
        raise InputError(f"--success is {given!r}; give a range of shares, such as 0.2..0.6") from None
