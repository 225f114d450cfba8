"""What a level itself defines: the patrols of its guards as a placement, and the start and goal of players."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from ....checks import expect, finite_number, instance_of, point_xyz, read_only, shown, whole_number
from ....conventions import Floats
from ....errors import InputError
from ....level.features import Patrol, PatrolStop, Spawn
from ....level.level import Level
from ....vocabulary.words import GOAL_MARKERS
from ..detection import routes_of_guards
from ..guard_ground import settled_guards, unlocked_mesh
from ..guard_routes import GuardKind, GuardRoute, Placement, finite_moments, guard_kind, interpolated_poses
from .route_files import read_guards

_TURN = 2.0 * math.pi
_SAME = 1e-9
_LONGEST_TURN = 2.0
"""Radians of a longer turn that is split, so that its direction is clear."""


@dataclass(frozen=True, eq=False)
class PatrolRoute(GuardRoute):
    """A route of stops: the guard follows one stop after another, and after the last continues at `loop_to`.

    Attributes
    ----------
    points : places it passes repeatedly.
    stops : where to walk, wait or turn.
    loop_to : stop to return to; None: it stays at the last stop.
    pivots : it turns on the spot, at its turn speed, before walking; otherwise it turns instantly.
    near : metres from a stop within which it has arrived, 0 … 10.
    begin : initial position; None: the first of `points`.
    """

    stops: tuple[PatrolStop, ...] = ()
    loop_to: int | None = 0
    pivots: bool = True
    near: float = 0.0
    begin: tuple[float, float, float] | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        given = self.stops if isinstance(self.stops, list | tuple) else (self.stops,)
        stops = tuple(
            instance_of(stop, PatrolStop, f"stops[{number}]", "give PatrolStops") for number, stop in enumerate(given)
        )
        object.__setattr__(self, "stops", stops)
        object.__setattr__(self, "near", finite_number(self.near, "near", unit="m", low=0.0, high=10.0))
        if self.begin is not None:
            x, y, z = point_xyz(self.begin, "begin").tolist()
            object.__setattr__(self, "begin", (x, y, z))
        if self.loop_to is not None and whole_number(self.loop_to, "loop_to") >= max(1, len(stops)):
            raise InputError(f"loop_to is {shown(self.loop_to)}; give a stop from 0 to {len(stops) - 1}, or None")

    @cached_property
    def _track(self) -> tuple[Floats, Floats, float]:
        """Return moments (k,), poses (k, 4), and the moment from which they repeat."""
        begin = self.points[0] if self.begin is None else np.array(self.begin)
        recorder = _PatrolRecorder(self.kind, begin, self.heading, self.pivots, self.near)
        if self.loop_to is None or not self.stops:
            recorder.follow(self.stops)
            return (*recorder.arrays(), recorder.now)
        recorder.follow(self.stops[: self.loop_to + 1])
        again = (*self.stops[self.loop_to + 1 :], self.stops[self.loop_to])
        # The first heading depends on where it came from; from the second time on everything repeats.
        recorder.follow(again)
        lead = recorder.now
        recorder.follow(again)
        return (*recorder.arrays(), lead)

    @property
    def timeline(self) -> tuple[Floats, Floats]:
        """Moments (k,) of the part it repeats, from 0 to its end, and the poses (k, 4) then."""
        seconds, poses, lead = self._track
        kept = seconds >= lead
        return read_only(seconds[kept] - lead), read_only(poses[kept])

    @property
    def lead(self) -> float:
        """Seconds before it repeats itself."""
        return self._track[2]

    def pose_at(self, seconds: Any) -> Floats:
        """Return position and heading at these moments, (..., 4); before its start, those of the first moment."""
        knots, poses, lead = self._track
        period = knots[-1] - lead
        along = finite_moments(seconds) + self.phase
        if period > 0.0:
            along = np.where(along > lead, lead + np.mod(along - lead, period), along)
        return interpolated_poses(along, knots, poses)


class _PatrolRecorder:
    """Records where a guard that follows its stops is, and when."""

    def __init__(self, kind: GuardKind, place: Floats, heading: float, pivots: bool, near: float) -> None:
        self._kind, self._pivots, self._near = kind, pivots, near
        self._rows = [(0.0, *place.tolist(), heading)]

    @property
    def now(self) -> float:
        return self._rows[-1][0]

    def arrays(self) -> tuple[Floats, Floats]:
        rows = np.array(self._rows)
        return read_only(rows[:, 0].copy()), read_only(rows[:, 1:].copy())

    def follow(self, stops: Sequence[PatrolStop]) -> None:
        for stop in stops:
            self._walk(stop.xyz)
            if stop.action == "wait":
                self._add(stop.seconds)
            elif stop.action == "turn":
                self._turn(stop.heading)

    def _add(self, seconds: float, place: Sequence[float] | None = None, heading: float | None = None) -> None:
        now, *here, facing = self._rows[-1]
        x, y, z = here if place is None else place
        self._rows.append((now + seconds, x, y, z, facing if heading is None else heading))

    def _walk(self, place: Sequence[float]) -> None:
        _, *here, _ = self._rows[-1]
        offset = np.subtract(place, here)
        whole = float(np.linalg.norm(offset))
        length = whole - self._near
        if length <= _SAME or not self._kind.walks:
            return
        if math.hypot(offset[0], offset[1]) > _SAME:
            self._turn(math.atan2(offset[1], offset[0]), at_once=not self._pivots)
        self._add(
            length / self._kind.speed, (np.array(here) + offset * (length / whole)).tolist() if self._near else place
        )

    def _turn(self, heading: float, *, at_once: bool = False) -> None:
        facing = self._rows[-1][4]
        turn = math.remainder(heading - facing, _TURN)
        if abs(turn) > _SAME:
            self._add(0.0 if at_once else abs(turn) / self._kind.turn_speed, heading=facing + turn)


def patrol_placement(
    level: Level, *, pivots: bool = True, near: float = 0.0, usual: GuardKind | None = None
) -> Placement:
    """Return the level's own guards on their patrols.

    Parameters
    ----------
    pivots, near : see `PatrolRoute`. The tool of the GRAM levels uses False and 0.25.
    usual : abilities the level does not specify; None: `guard_kind("walking")`.
    """
    expect(level, Level, "level")
    base = guard_kind("walking") if usual is None else instance_of(usual, GuardKind, "usual", "give a GuardKind")
    patrols = {patrol.name: patrol for patrol in level.patrols}
    guards = [spawn for spawn in level.spawns if spawn.who == "guard"]
    routes = tuple(_route(spawn, patrols.get(spawn.patrol), base, pivots, near) for spawn in guards)
    notes = () if routes else ("the level has no guards",)
    return Placement(routes, notes=notes)


def _route(spawn: Spawn, patrol: Patrol | None, base: GuardKind, pivots: bool, near: float) -> GuardRoute:
    stops = () if patrol is None else patrol.stops
    moves = any(stop.xyz != spawn.xyz for stop in stops)
    # In a file, a speed, angle or distance of 0 means unspecified.
    kind = replace(
        base,
        speed=spawn.speed or base.speed,
        turn_speed=spawn.turn_speed or base.turn_speed,
        view_angle=min(spawn.view_angle or base.view_angle, _TURN),
        view_distance=spawn.view_distance or base.view_distance,
    )
    if not moves and not any(stop.action == "turn" for stop in stops):
        kind = replace(kind, name="standing", speed=0.0, sweep=0.0)
        return GuardRoute(kind, np.array([spawn.xyz]), heading=spawn.heading, name=spawn.name)
    loop_to = 0 if patrol is None else patrol.loop_to
    points = np.array([stop.xyz for stop in stops[loop_to or 0 :]])
    return PatrolRoute(
        kind,
        points,
        heading=spawn.heading,
        name=spawn.name,
        stops=stops,
        loop_to=loop_to,
        pivots=pivots,
        near=near,
        begin=spawn.xyz,
    )


def with_guards(level: Level, guards: Placement | Sequence[GuardRoute]) -> Level:
    """Return a level with these guards on patrols, to be played; its own guards and their patrols are left out.

    `patrol_placement` of the result gives the same poses at the same moments. Levels hold neither eye heights nor
    passive radii, and agents of a game leave their place to chase a player, whatever their kind.
    """
    expect(level, Level, "level")
    routes = routes_of_guards(guards)
    others = tuple(spawn for spawn in level.spawns if spawn.who != "guard")
    left = {spawn.patrol for spawn in level.spawns if spawn.who == "guard"} - {spawn.patrol for spawn in others}
    patrols = [patrol for patrol in level.patrols if patrol.name not in left]
    names, spawns = {spawn.name for spawn in others} | {patrol.name for patrol in patrols}, list[Spawn]()
    for number, route in enumerate(routes):
        name = route.name or f"guard {number + 1}"
        while name in names or f"{name} patrol" in names:
            name += "'"
        names |= {name, f"{name} patrol"}
        stops, loop_to = _stops(route)
        if stops:
            patrols.append(Patrol(stops, f"{name} patrol", loop_to))
        spawns.append(_spawn(route, name, f"{name} patrol" if stops else ""))
    return replace(level, spawns=(*others, *spawns), patrols=tuple(patrols))


def guarded_level(level: Level, file: str | os.PathLike[str]) -> Level:
    """Return a level with the guards of a guard file instead of its own; raise InputError if they do not fit it."""
    return with_guards(level, settled_guards(unlocked_mesh(level, 0.0), read_guards(file), os.fspath(file)))


def _spawn(route: GuardRoute, name: str, patrol: str) -> Spawn:
    x, y, z, heading = route.pose_at(0.0).tolist()
    kind = route.kind
    return Spawn(
        xyz=(x, y, z),
        name=name,
        heading=heading,
        patrol=patrol,
        speed=kind.speed or None,
        turn_speed=kind.turn_speed,
        view_angle=kind.view_angle,
        view_distance=kind.view_distance,
    )


def _stops(route: GuardRoute) -> tuple[tuple[PatrolStop, ...], int]:
    """Return what a guard does from moment 0 on, as stops, and the stop from which it repeats itself.

    Each row of its timeline is a walk, a wait or a turn; one that is under way at moment 0 comes first, cut short.
    """
    knots, poses = route.timeline
    if route.period == 0.0:
        return (), 0
    along = route.phase % route.period
    now = min(int(np.searchsorted(knots, along, side="right")) - 1, len(knots) - 2)
    order = [*range(now + 1, len(knots) - 1), *range(now + 1)]
    begin = np.array([np.interp(along, knots, column) for column in poses.T])
    lead = _row_stops(begin, poses[now + 1], float(knots[now + 1]) - along, route)
    loop = [
        stop for row in order for stop in _row_stops(poses[row], poses[row + 1], knots[row + 1] - knots[row], route)
    ]
    return (*lead, *loop), len(lead)


def _row_stops(begin: Floats, end: Floats, seconds: float, route: GuardRoute) -> list[PatrolStop]:
    """Return a row of a timeline as stops; guards turn on their own to where they walk on."""
    x, y, z, heading = end.tolist()
    if math.dist(begin[:3], end[:3]) > _SAME:
        return [PatrolStop((x, y, z))]
    turn = heading - float(begin[3])
    if abs(turn) > _SAME:
        parts = math.ceil(abs(turn) / _LONGEST_TURN)
        shares = [heading - turn * (parts - part) / parts for part in range(1, parts + 1)]
        return [PatrolStop((x, y, z), "turn", heading=share) for share in shares[: None if route.stays else -1]]
    return [PatrolStop((x, y, z), "wait", seconds)] if seconds > _SAME else []


def known_place(level: Level, what: str, name: str, advice: str) -> Floats:
    """Return the only start or goal of a level, (3,); raise InputError if there is none or more than one.

    Parameters
    ----------
    what : "start" or "goal".
    name : name of the level, for messages.
    advice : what to do if there is none or more than one; `{0}` stands for `what`.
    """
    if what == "start":
        known = [spawn.xyz for spawn in level.spawns if spawn.who == "player"]
    else:
        known = [mark.xyz for mark in level.markers if mark.kind in GOAL_MARKERS]
    if len(known) != 1:
        many = "none" if not known else f"{len(known)}"
        raise InputError(f"{name} must have exactly one {what}, but has {many}; {advice.format(what)}")
    return np.array(known[0])
