"""A mind: one agent's view of its surroundings, its blackboard, and the orders it gives its own body."""

from __future__ import annotations

import math
from collections.abc import Callable, Sized
from typing import Any

import numpy as np

from ...checks import finite_number, point_xyz, shown, text_of, whole_number
from ...conventions import Array
from ...errors import QueryError, did_you_mean
from ...kernels.arrays.agent_arrays import ARRIVED, NO_WAY, STUCK, WALKING
from ..bodies.orders import ACTED_ON, ACTS, SPEEDS, Act, Gait
from ..directions import Direction
from ..senses.hearing.sounds import sound
from .facts import facts_of
from .surroundings import STATES, Surroundings

Place = tuple[float, float, float]
"""A point, x, y, z in metres."""


def as_place(xyz: Array) -> Place:
    """Return a point (3,) as a tuple."""
    x, y, z = xyz.tolist()
    return x, y, z


_THINGS: dict[str, Callable[[Surroundings], Sized]] = {
    "agent": lambda world: world.names,
    "target": lambda world: world.names,
    "door": lambda world: world.level.doors,
    "hiding place": lambda world: world.level.hiding_places,
    "object": lambda world: () if world.objects is None else world.objects.things,
}
"""What acts name by number, counted from 0."""


def _index(value: Any, name: str, what: str, world: Surroundings) -> int:
    """Return the number of an agent, target, door, hiding place or object, if there is one."""
    number = whole_number(value, name)
    if what == "target" and number not in world.cast.targets:
        raise QueryError(f"{name}: agent {number} is no target; targets are {world.cast.targets.tolist()}")
    things = _THINGS[what](world)
    if number >= len(things):
        raise QueryError(f"{name}: there is no {what} {number}; there are {len(things)}, counted from 0")
    return number


class Mind:
    """Context of the leaves of an agent's tree.

    Attributes
    ----------
    world : the surroundings; read-only. `senses`, `attention` and `teamwork` are parts of it that leaves read often.
    number : the agent's row in all tables; `row` is its row among the watchers, -1 if it is not one.
    blackboard : the tree's memory, by key.
    decided : why the agent chose its last destination, as text for recordings.
    """

    __slots__ = (
        *("_asked", "_goal", "_order", "attention", "blackboard", "decided", "number", "row", "senses", "teamwork"),
        "world",
    )

    def __init__(self, world: Surroundings, number: int, blackboard: dict[str, Any]):
        self.world = world
        self.senses, self.attention, self.teamwork = world.senses, world.attention, world.teamwork
        self.number = number
        self.row = int(world.cast.watcher_row[number])
        self.blackboard = blackboard
        self.decided = ""
        self._goal: Place | None = None
        self._asked = -1
        self._order: tuple[Any, ...] | None = None

    def restart(self, blackboard: dict[str, Any]) -> None:
        """Forget everything but a new blackboard, as at the start."""
        self.blackboard.clear()
        self.blackboard.update(blackboard)
        self.decided = ""
        self._goal, self._asked, self._order = None, -1, None

    @property
    def name(self) -> str:
        """The agent's name."""
        return self.world.names[self.number]

    @property
    def time(self) -> float:
        """Seconds since the start."""
        return self.world.time

    facts = property(facts_of)
    """The facts that hold now, as bits; see `facts`."""

    @property
    def xyz(self) -> Place:
        """Position of its feet."""
        return self.world.snapshot.places[self.number]

    @property
    def heading(self) -> float:
        """Direction of its body in radians."""
        return float(self.world.bodies.heading[self.number])

    @property
    def state(self) -> str:
        """The agent's state, one of `STATES`."""
        return STATES[self.world.state[self.number]]

    @property
    def direction(self) -> Direction | None:
        """The direction its crew suggests, or None."""
        return self.teamwork.direction_of(self.number)

    @property
    def is_warned(self) -> bool:
        """Whether guards want the agent to leave a restricted zone."""
        territory, targets = self.world.territory, self.world.cast.targets
        if territory is None or self.number not in targets:
            return False
        return territory.is_warned(targets.tolist().index(self.number))

    def be(self, state: str) -> bool:
        """Change the state; return whether it differs from the present one."""
        if state not in STATES:
            raise QueryError(f"there is no state {shown(state)}{did_you_mean(state, STATES)}; use {', '.join(STATES)}")
        number = STATES.index(state)
        if self.world.state[self.number] == number:
            return False
        self.world.state[self.number] = number
        return True

    def distance_to(self, place: Place) -> float:
        """Return the straight-line distance to a place in metres."""
        return math.dist(self.world.snapshot.places[self.number], place)

    def go(self, place: Place, gait: Gait, *, pace: float = 1.0, toward: int = -1) -> None:
        """Order the body to walk to a place; it runs up to the agent `toward` instead of avoiding it."""
        order = (place, gait, pace, toward)
        if type(place) is tuple and order == self._order:
            return
        place = as_place(point_xyz(place, "place"))
        pace = finite_number(pace, "pace", low=0.0)
        if toward != -1:
            toward = _index(toward, "toward", "agent", self.world)
        order = (place, gait, pace, toward)
        if gait not in SPEEDS:
            raise QueryError(f"there is no gait {shown(gait)}{did_you_mean(gait, SPEEDS)}; use {', '.join(SPEEDS)}")
        if order == self._order:
            return
        self._order = order
        orders, number = self.world.orders.arrays, self.number
        if place != self._goal:
            self._goal, self._asked = place, self.world.tick
            orders.goal_xyz[number] = place
        orders.going[number] = 1
        own = self.world.cast.pace[number] if self.world.cast.pace else 1.0
        orders.speed[number] = SPEEDS[gait] * pace * own
        orders.face[number] = orders.gaze[number] = np.nan
        orders.stance[number] = 1 if gait == "sneak" else 0
        orders.toward[number] = toward

    def goes_on(self, place: Place, gait: Gait) -> bool:
        """Return whether the body is under way there by an order that `go` would only repeat."""
        return self._order == (place, gait, 1.0, -1) and self.world.snapshot.ways[self.number] == WALKING

    def stand(self) -> None:
        """Order the body to stay here."""
        orders, number = self.world.orders.arrays, self.number
        self._goal = self._order = None
        orders.going[number] = 0
        orders.face[number] = orders.gaze[number] = np.nan
        orders.toward[number] = -1

    def face(self, heading: float) -> None:
        """Order the body to turn."""
        self._order = None
        self.world.orders.arrays.face[self.number] = finite_number(heading, "heading", unit="rad")

    def look(self, heading: float) -> None:
        """Order the head to turn."""
        self._order = None
        self.world.orders.arrays.gaze[self.number] = finite_number(heading, "heading", unit="rad")

    def turn(self, heading: float) -> None:
        """Order body and head to turn."""
        self._order = None
        orders = self.world.orders.arrays
        orders.face[self.number] = orders.gaze[self.number] = finite_number(heading, "heading", unit="rad")

    def heading_to(self, place: Place) -> float:
        """Return the direction to a place in radians."""
        x, y, _ = self.xyz
        return math.atan2(place[1] - y, place[0] - x)

    @property
    def has_arrived(self) -> bool:
        """Whether the agent is at its goal, or as close as there is a path."""
        # In the step in which a goal is set, no path has been searched yet.
        return self._asked < self.world.tick and self.world.snapshot.ways[self.number] == ARRIVED

    @property
    def is_stopped(self) -> bool:
        """Whether there is no path, or the agent has been stuck for long."""
        return self._asked < self.world.tick and self.world.snapshot.ways[self.number] in (NO_WAY, STUCK)

    def act(self, kind: Any, number: int = -1, place: Place | None = None, *, seconds: float | None = None) -> None:
        """Order the body to do something once, in this step."""
        if kind not in ACTS:
            raise QueryError(f"there is no act {shown(kind)}{did_you_mean(kind, ACTS)}; use {', '.join(ACTS)}")
        if (what := ACTED_ON.get(kind)) is not None:
            number = _index(number, kind, what, self.world)
        if place is not None:
            place = as_place(point_xyz(place, "place"))
        if seconds is not None:
            seconds = finite_number(seconds, "seconds", low=0.0, unit="s")
        self.world.orders.acts.append((self.number, Act(kind, number, place, seconds)))

    def say(self, line: str) -> None:
        """Say something aloud."""
        self.world.orders.lines.append((self.number, text_of(line, "line")))

    def bark(self, trigger: str) -> None:
        """Give the agent a reason to speak, for which rules may find a line."""
        self.world.orders.barks.append((self.number, text_of(trigger, "trigger"), self.state))

    def make_sound(self, kind: str, place: Place | None = None) -> None:
        """Make a sound that others hear in the next step."""
        self.senses.sounds.append(
            sound(kind, self.xyz if place is None else place, created=self.time, made_by=self.number)
        )

    def require_watcher(self) -> int:
        """Return the agent's row among the watchers, or raise an error if it is not one."""
        if self.row < 0:
            raise QueryError(f"{self.name} is not a watcher; give it a brain of guards or civilians")
        return self.row
