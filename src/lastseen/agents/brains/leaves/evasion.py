"""Evasion: remember guards that were seen or heard, keep out of their way, shut doors behind oneself, distract them."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from ....conventions import Bools, Floats
from ....kernels.arrays.agent_arrays import ACTIVE
from ....navmesh.query import find_paths, raycasts
from ....reasoning.locations.query_places import Place as QueryPlace
from ....reasoning.tactical.cheapest_paths import CheapestPaths
from ....reasoning.tactical.cost_field import NO_COST, CostField
from ....reasoning.tactical.flank import Avenue
from ...behaviour.status import FAILURE, RUNNING, SUCCESS, Status
from ...bodies.orders import Gait
from ...senses.hearing.sounds import MovementNoise
from ..mind import Mind, Place, as_place
from .brain_leaf import GOAL_PLACE, Answer, BrainLeaf, MovingLeaf, action, condition, leaf
from .flight import ChooseExit, enemy_rows

_STEPS = MovementNoise()
_REMEMBERED = 10.0
"""Seconds for which an intruder reckons with a guard where it last saw or heard it."""
_VIEW, _FAN, _STRIP, _LEAST = 14.0, (-0.9, -0.45, 0.0, 0.45, 0.9), 1.8, 0.05
"""Metres that an intruder expects a guard to see, directions in radians off its heading, and half the width of each."""
_SEEN_COST, _NEAR_COST, _NEAR = 6.0, 30.0, 2.5
"""Extra cost per metre in a guard's view and within so many metres of it."""
_EVERY = 1.0
"""Seconds between two looks for a path around guards."""
_PASSED = 0.6
_DOOR = (0.9, 2.2)
"""Metres from a door within which an intruder that has passed it shuts it."""
_AHEAD = 1.0
"""Metres by which an intruder must be nearer to an exit than every guard it knows of."""
_FOLLOWED = 20.0
"""Metres within which a guard that is remembered makes doors worth shutting."""


@dataclass(eq=False)
class KnownGuards:
    """Guards as one intruder knows them, by row of the watchers: by sight all around, and by the sound of their steps.

    Attributes
    ----------
    xyz, heading : (w, 3) and (w,), where each was and the direction in which it looked, when last seen or heard.
    time : (w,) seconds at which that was; -inf: never.
    """

    count: int
    xyz: Floats = field(init=False)
    heading: Floats = field(init=False)
    time: Floats = field(init=False)

    def __post_init__(self) -> None:
        self.xyz, self.heading = np.zeros((self.count, 3)), np.zeros(self.count)
        self.time = np.full(self.count, -math.inf)

    def update(self, mind: Mind) -> None:
        """Take in what the intruder sees and hears now; forget guards that are not where it looks for them."""
        bodies, watchers = mind.world.bodies, mind.world.cast.watchers
        known: Bools = np.zeros(self.count, np.bool_)
        known[enemy_rows(mind)] = True
        away = np.linalg.norm(bodies.xyz[watchers] - bodies.xyz[mind.number], axis=1)
        known |= away <= _STEPS.radii(bodies)[watchers]
        known &= bodies.mode[watchers] == ACTIVE
        if mind.world.relations.is_mixed:
            known &= mind.world.relations.hostile[:, mind.world.cast.targets.tolist().index(mind.number)]
        self.xyz[known], self.heading[known] = bodies.xyz[watchers[known]], bodies.gaze[watchers[known]]
        self.time[known] = mind.time

    def lately(self, now: float, seconds: float = _REMEMBERED) -> Bools:
        """Return the guards seen or heard in the last so many seconds, (w,) bool."""
        return now - self.time <= seconds


def known_guards(mind: Mind) -> KnownGuards:
    """Return what an intruder knows of guards."""
    known = mind.blackboard.get("known_guards")
    if known is None:
        known = mind.blackboard["known_guards"] = KnownGuards(len(mind.world.cast.watchers))
    return known


def guards_remembered(mind: Mind) -> QueryPlace:
    """Return the places of the guards an intruder knows of, the latest first."""
    known = known_guards(mind)
    rows = np.flatnonzero(known.lately(mind.time))
    rows = rows[np.argsort(-known.time[rows], kind="stable")]
    return QueryPlace(known.xyz[rows], heading=known.heading[rows])


@condition(writes={"known_guards": KnownGuards})
def knows_guard(mind: Mind, within: float = 20.0, seconds: float = 3.0) -> Answer:
    """Return whether the agent has seen or heard a guard within this distance in the last `seconds`.

    It notes what it sees and hears, so that it comes first in a tree that avoids guards.
    """
    known = known_guards(mind)
    known.update(mind)
    rows = np.flatnonzero(known.lately(mind.time, seconds))
    if not len(rows):
        return False, "knows of no guard near"
    metres = float(np.linalg.norm(known.xyz[rows] - mind.xyz, axis=1).min())
    return metres <= within, f"{len(rows)} known, the nearest at {metres:.0f} m"


@leaf
class SlipTo(MovingLeaf):
    """Walk to "goal" around known guards, out of their view; FAILURE if all paths have over `exposed` metres in view.

    Paths are the cheapest with costs of what guards see and of being near them; they are looked for again every second.
    """

    kind = "slip_to"
    reads = GOAL_PLACE

    def __init__(self, *, gait: Gait = "sneak", pace: float = 1.0, exposed: float = 4.0, name: str = ""):
        self.gait, self.pace, self.exposed, self.name = gait, pace, exposed, name
        self._bends: list[Place] = []
        self._thinks = -math.inf
        self._cheapest: CheapestPaths | None = None

    def details(self) -> str:
        """Return its settings."""
        return f"{self.gait}, at most {self.exposed:g} m in view"

    def enter(self, mind: Mind) -> None:
        """Look for a path at once."""
        del mind
        self._thinks = -math.inf

    def tick(self, mind: Mind) -> Status:
        """Go on along the path."""
        goal: Place = mind.blackboard["goal"]
        if mind.time >= self._thinks:
            self._thinks = mind.time + _EVERY
            if not self._plan(mind, goal):
                return FAILURE
        while len(self._bends) > 1 and mind.distance_to(self._bends[0]) <= _PASSED:
            self._bends.pop(0)
        mind.go(self._bends[0], self.gait, pace=self.pace)
        if len(self._bends) == 1 and mind.has_arrived:
            self.reason = "there"
            return SUCCESS
        if mind.is_stopped:
            self.reason = "no way on"
            return FAILURE
        return RUNNING

    def _plan(self, mind: Mind, goal: Place) -> bool:
        if self._cheapest is None:
            self._cheapest = CheapestPaths(mind.world.cells)
        guards = guards_remembered(mind)
        path = self._cheapest.find([mind.xyz], [goal], _avoided(mind, guards))[0]
        if not path.reached:
            self.reason = f"no path: {path.reason}"
            return False
        seen = max(path.cost - path.length * 1.1, 0.0) / _SEEN_COST
        if seen > self.exposed:
            self.reason = f"{seen:.0f} m of the path in view of guards"
            return False
        self._bends = [*(as_place(one) for one in path.points_xyz[1:-1]), goal]
        self.reason = f"{path.length:.0f} m around {len(guards.xyz)} guards"
        return True


def _avoided(mind: Mind, guards: QueryPlace) -> CostField:
    """Return the extra cost of the ground that guards look at and of that near them."""
    places, world = guards.xyz, mind.world
    if not len(places):
        return NO_COST
    # A view is a fan of strips that end at walls: rays over the floor, which are cheap enough to ask for every second.
    turn = (np.asarray(guards.heading)[:, None] + np.array(_FAN)).ravel()
    starts = np.repeat(places, len(_FAN), axis=0)
    ends = raycasts(
        world.cells.mesh, starts, starts + _VIEW * np.column_stack([np.cos(turn), np.sin(turn), 0.0 * turn])
    )
    total = NO_COST
    for start, end in zip(starts, ends.xyz):
        if math.dist(start, end) > _LEAST:
            total += Avenue("corridor", np.stack([start, end]), _STRIP, _STRIP, _SEEN_COST / 2.0).field()
    for place in places:
        ahead = place + np.array([_LEAST, 0.0, 0.0])
        total += Avenue("corridor", np.stack([place, ahead]), _NEAR, _NEAR, _NEAR_COST).field()
    return total


@leaf
class ChooseFreeExit(ChooseExit):
    """Write to "goal" the exit that `choose_exit` would; FAILURE unless the agent is there before any known guard."""

    kind = "choose_free_exit"

    def tick(self, mind: Mind) -> Status:
        """Compare the walks to the exit."""
        before = mind.blackboard.get("goal", ())
        if super().tick(mind) is FAILURE:
            return FAILURE
        feet = np.concatenate([[mind.xyz], guards_remembered(mind).xyz])
        goal = np.asarray(mind.blackboard["goal"])
        own, *others = find_paths(mind.world.cells.mesh, feet, np.repeat(goal[None], len(feet), axis=0)).length.tolist()
        ahead = min(others, default=math.inf) - own
        self.reason = f"{ahead:+.0f} m ahead at the exit"
        if not ahead > _AHEAD:
            mind.blackboard["goal"] = before
            return FAILURE
        return SUCCESS


@action()
def shut_door_behind(mind: Mind) -> Status:
    """Shut an open door that the agent has just passed, if it knows of a guard not far away. Always SUCCESS."""
    world, known = mind.world, known_guards(mind)
    rows = np.flatnonzero(known.lately(mind.time))
    if not len(rows) or not len(world.doors.shut):
        return SUCCESS
    me, way = world.bodies.xyz[mind.number], world.bodies.velocity_xy[mind.number]
    if float(np.linalg.norm(known.xyz[rows] - me, axis=1).min()) > _FOLLOWED:
        return SUCCESS
    for number in np.flatnonzero(~world.doors.shut).tolist():
        door = world.level.doors[number]
        to = door.outline_xy.mean(axis=0) - me[:2]
        metres = float(np.hypot(*to))
        # It has passed the door: that is behind it, on its storey.
        if _DOOR[0] <= metres <= _DOOR[1] and float(to @ way) < 0.0 and abs(door.z - me[2]) < 1.5 and not door.locked:
            mind.act("close door", number)
            break
    return SUCCESS


@leaf
class ThrowNoise(BrainLeaf):
    """Throw a bottle to "goal", where it draws guards that do not see the agent. Always SUCCESS."""

    kind = "throw_noise"
    reads = GOAL_PLACE

    def tick(self, mind: Mind) -> Status:
        """Throw once."""
        mind.act("throw", place=mind.blackboard["goal"])
        return SUCCESS
