"""Danger: take cover under fire, and stay out of regions where a comrade was hit or went down (chapter 2)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ....kernels.sight.sight_line import is_clear
from ....navmesh.query import find_paths
from ....vocabulary.crew_events import NowhereToGo, Refuses
from ...behaviour.status import FAILURE, RUNNING, Status
from ...knowledge.losses import Danger
from ...limits import Metres, Seconds
from ..facts import DANGER, FIGHTS
from ..mind import Mind, Place, as_place
from .brain_leaf import MovingLeaf, leaf
from .places import ChoosePlace

_SEEN_AT = 1.0
"""Height in metres at which a region ends at walls that block the view from its centre."""
_SAME_FLOOR = 1.5
_THINKS = 0.5
"""Seconds for which the way into a region is not looked for again."""
_REPEATS = 8.0
"""Seconds for which another refusal for the same reason is no event."""


@leaf
class ShunDanger(MovingLeaf):
    """Refuse to enter a region in which the agent saw a comrade hit by fire or go down.

    The agent waits, facing it, while its way to where it should go leads into the region: RUNNING. FAILURE if there is
    no such region, if it leads elsewhere, or if the agent is in it already. Its way leads where its crew sends it, else
    to its foe, else to where it knows its target.
    """

    kind = "shun_danger"
    woken_by = DANGER

    def __init__(self, *, name: str = ""):
        self.name = name
        self.forget()

    def forget(self) -> None:
        """Look for the way again, and say again what is refused."""
        self._looks = -math.inf
        self._found: Danger | None = None
        self._refused: tuple[int, str, float] = (-1, "", -math.inf)

    def enter(self, mind: Mind) -> None:  # noqa: ARG002
        """Look for the way again."""
        self._looks, self._found = -math.inf, None

    def tick(self, mind: Mind) -> Status:
        """Wait, or go on."""
        dangers = mind.world.losses.dangers.get(mind.number, [])
        if not dangers:
            self.reason = "remembers no danger"
            return FAILURE
        if mind.time >= self._looks or self._found not in dangers:
            self._looks, self._found = mind.time + _THINKS, self._ahead(mind, dangers)
        danger = self._found
        if danger is None:
            return FAILURE
        self.reason = refusal(mind, danger)
        what, now = (danger.comrade, danger.blow), mind.time
        if self._refused[:2] != what or now - self._refused[2] > _REPEATS:
            self._refused = (*what, now)
            mind.world.happened(Refuses(mind.world.tick, mind.number, danger.xyz, danger.comrade, blow=danger.blow))
        mind.stand()
        mind.turn(mind.heading_to(danger.xyz))
        return RUNNING

    def _ahead(self, mind: Mind, dangers: list[Danger]) -> Danger | None:
        """Return the region that the way of the agent leads into first; None if it leads into none."""
        place, short = _destination(mind)
        outside = [one for one in dangers if not _is_inside(mind, mind.xyz, one)]
        if place is None or not outside:
            self.reason = "goes nowhere" if place is None else "is in it"
            return None
        path = find_paths(mind.world.crowd.mesh, [mind.xyz], [place]).points_xyz
        for x, y, z in _points_along(np.concatenate([[mind.xyz], path]), short):
            for danger in outside:
                if _is_inside(mind, (x, y, z), danger):
                    return danger
        self.reason = "its way leads elsewhere"
        return None


def refusal(mind: Mind, danger: Danger) -> str:
    """Explain why an agent does not enter a region."""
    what = "went down" if danger.blow == "fell" else "was hit"
    name, since, left = mind.world.names[danger.comrade], mind.time - danger.since, danger.until - mind.time
    return f"refuses to go where {name} {what} {since:.0f} s ago, for {left:.0f} s more"


def _destination(mind: Mind) -> tuple[Place | None, float]:
    """Return where an agent is about to go, and how many metres short of it it stops."""
    given, combat, board = mind.direction, mind.world.combat, mind.blackboard
    place: Any = None if given is None else given.values.get("stand")
    if place is not None:
        return place, 0.0
    short = 0.0 if combat is None else combat.distance(mind.number)[0]
    if combat is not None and board.get("foe", -1) >= 0:
        return mind.world.snapshot.places[board["foe"]], short
    column = mind.attention.known[mind.row]
    return (None if column < 0 else as_place(mind.world.knowledge.arrays.xyz[mind.row, column])), short


def _points_along(path: Any, short: float) -> list[Place]:
    """Return points every half a metre along a path (n, 3), without its last `short` metres."""
    metres = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(path, axis=0), axis=1))])
    at = np.arange(0.0, max(0.0, metres[-1] - short) + 0.5, 0.5).clip(max=max(0.0, metres[-1] - short))
    return list(zip(*(np.interp(at, metres, path[:, axis]).tolist() for axis in range(3)), strict=True))


def _is_inside(mind: Mind, place: Place, danger: Danger) -> bool:
    """Return whether a place is in a region: near its centre, on its floor, and in view of it."""
    (x, y, z), (cx, cy, cz) = place, danger.xyz
    if math.hypot(x - cx, y - cy) > danger.radius or abs(z - cz) > _SAME_FLOOR:
        return False
    return bool(is_clear(mind.world.sight.arrays, cx, cy, cz + _SEEN_AT, x, y, z + _SEEN_AT))


@leaf
class TakeCover(ChoosePlace, MovingLeaf):
    """Run out of the fire of a gun that hit the agent less than `within` seconds ago, and wait there: RUNNING.

    A query chooses the place. FAILURE if no such hit happened, if the attacker is closer than `near` metres, or if
    there is no better place: then it has nowhere to go, which is an event.
    """

    kind = "take_cover"
    woken_by = FIGHTS

    def __init__(self, *, query: str = "cover", within: Seconds = 3.0, near: Metres = 4.0, name: str = ""):
        super().__init__(query=query, name=name)
        self.within, self.near = within, near
        self.forget()

    def forget(self) -> None:
        """Choose at the next hit."""
        self._hit = -math.inf
        self._place: Place | None = None

    def tick(self, mind: Mind) -> Status:
        """Go to cover, or wait in it."""
        world, combat = mind.world, mind.world.combat
        when, by = (-math.inf, -1) if combat is None else combat.hurt.get(mind.number, (-math.inf, -1))
        if combat is None or mind.time - when > self.within or combat.attack[by] != "ranged":
            self.reason = "is not under fire"
            return FAILURE
        if mind.distance_to(world.snapshot.places[by]) < self.near:
            self.reason = f"{world.names[by]} is too close to run"
            return FAILURE
        if when > self._hit:
            self._hit, self._place = when, self._pick(mind)
            if self._place is None:
                world.happened(NowhereToGo(world.tick, mind.number, at=mind.xyz, other=by))
            else:
                self._tell(mind, self._place)
        if self._place is None:
            self.reason = "has nowhere to go"
            return FAILURE
        mind.go(self._place, "run")
        self.reason = f"{mind.distance_to(self._place):.1f} m to cover"
        return RUNNING
