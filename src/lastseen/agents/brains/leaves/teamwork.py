"""Teamwork: request crews, follow their directions, miss absent colleagues, and request roles.

Without a crew, leaves about crews do nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from ....errors import BehaviourError, InputError, did_you_mean
from ....kernels.arrays.agent_arrays import ACTIVE
from ....vocabulary.events import Missing, StateChanged
from ....vocabulary.words import AgentState
from ...behaviour.leaf import FunctionLeaf
from ...behaviour.status import FAILURE, RUNNING, SUCCESS, Status
from ...behaviour.tree import Tree
from ...directions import ORDER, Direction, may_say
from ...held_roles import HELD_ROLES, RoleKind
from ...limits import CrewSize, Metres, NotNegative, Priority, Seconds, Timespan
from ..facts import AWAITS, IN_CREW, REQUESTS, TALKS
from ..mind import Mind, Place, as_place
from .brain_leaf import Answer, BrainLeaf, MovingLeaf, action, condition, leaf
from .investigation import CALL_KEYS, PATIENCE

_CONDITION_KEYS = {"may_attack": ("attack",), "may_search": ("search",)}
"""Direction keys that shipped conditions read; other conditions list theirs in an attribute `obeys`."""


def _notices(mind: Mind) -> dict[str, tuple[Any, float]]:
    """Return the notices of the agent's crew, whether or not the agent has a role; empty without a crew."""
    crew = mind.teamwork.crew_numbers.get(mind.number)
    return {} if crew is None else mind.teamwork.notices.get(crew, {})


@condition(IN_CREW)
def has_direction(mind: Mind, role: str = "", key: str = "") -> Answer:
    """Return whether the agent's crew gives it a direction: any, one in this role, or one with a value under this key.

    A value of false does not count.
    """
    given = mind.direction
    if given is None:
        return False, "has no direction of a crew"
    if role and given.role != role:
        return False, f"is {given.role}"
    if key and not given.values.get(key):
        return False, f"is {given.role}, {'told not to' if given.values.get(key) is False else 'no value for'} {key}"
    return True, given.reason


@condition(IN_CREW)
def noticed_by_crew(mind: Mind, key: str, within: Seconds = 5.0) -> Answer:
    """Return whether the agent's crew posted a notice with this key in the last `within` seconds."""
    found = _notices(mind).get(key)
    if found is None or not found[0]:
        return False, f"no notice {key}"
    age = mind.time - found[1]
    return age <= within, f"notice {key} {age:.1f} s ago"


@condition(IN_CREW)
def may_search(mind: Mind) -> Answer:
    """Return whether the agent may search: it has no crew, or its crew does not forbid it."""
    given = mind.direction
    if given is None or "search" not in given.values:
        return True, "is free to search"
    return bool(given.values["search"]), given.reason


@condition(AWAITS)
def is_overdue(mind: Mind, seconds: float = 40.0, silent: float = 4.0) -> Answer:
    """Return whether an awaited colleague has been away for `seconds`, or `silent` for this many seconds.

    Silence means that the colleague can no longer act and its crew has ended.
    """
    board = mind.blackboard
    if board["worries_until"] > mind.time and board["call"] >= 0 and mind.state == "suspicious":
        return True, "looks for an overdue colleague"
    colleague = board["awaited"]
    if colleague < 0:
        return False, "waits for nobody"
    waited, quiet = mind.time - board["awaited_since"], mind.time - board["heard_of"]
    name = mind.world.names[colleague]
    if waited >= seconds:
        return True, f"{name} has been away for {waited:.0f} s"
    return quiet >= silent, f"heard of {name} {quiet:.1f} s ago"


@condition(TALKS)
def meets_colleague(mind: Mind, metres: float = 3.0, every: float = 60.0) -> Answer:
    """Return whether a colleague on patrol is near and the agent has not talked for `every` seconds.

    Only agents with the setting `talks` talk.
    """
    board, world = mind.blackboard, mind.world
    if not board["talks"]:
        return False, "does not talk"
    if mind.time - board["talked"] < every:
        return False, "has talked recently"
    bodies = world.bodies
    for other in world.cast.watchers.tolist():
        near = other != mind.number and mind.distance_to(world.snapshot.places[other]) <= metres
        calm = bodies.mode[other] == ACTIVE and world.state_of(other) == "patrol"
        if near and calm and bodies.team[other] == bodies.team[mind.number]:
            board["talked"] = mind.time
            return True, f"meets {world.names[other]}"
    return False, "meets nobody"


@leaf
class Request(BrainLeaf):
    """Request a common objective for some seconds, about the agent's target. Always SUCCESS.

    Agents of one team that request the same about the same target become a crew. With `about: nobody` the request has
    no target; with `about: call` it is about the call: the agent that lies there or is missing, and the place. The
    nearest colleagues within `draws` metres are called by radio until there are as many as the request `wants`.
    Where the agent already requests the objective `renews` about the same, it extends that, so that its crew persists.
    """

    kind = "request"
    woken_by = REQUESTS

    def __init__(
        self,
        *,
        objective: str,
        priority: Priority = 1.0,
        seconds: Timespan = 1.0,
        about: str = "target",
        draws: NotNegative = 0.0,
        wants: CrewSize = 10,
        renews: str = "",
        name: str = "",
    ):
        if about not in ("target", "nobody", "call"):
            raise BehaviourError(f"about is {about!r}; give 'target', 'nobody' or 'call'")
        self.draws, self.wants = draws, wants
        self.objective, self.priority, self.seconds, self.name = objective, priority, seconds, name
        self.about, self.renews = about, renews

    def details(self) -> str:
        """Return the objective."""
        return self.objective

    def tick(self, mind: Mind) -> Status:
        """Post the request, or renew it."""
        requests = mind.teamwork.requests
        if requests.is_read:
            target, matter, place = self._subject(mind)
            if self.renews and requests.renew(
                mind.number, self.renews, target, seconds=self.seconds, now=mind.time, matter=matter
            ):
                return SUCCESS
            requests.post(
                mind.number,
                self.objective,
                target,
                priority=self.priority,
                seconds=self.seconds,
                now=mind.time,
                place=place,
                draws=self.draws,
                wants=self.wants,
                matter=matter,
            )
        return SUCCESS

    def _subject(self, mind: Mind) -> tuple[int, int, Place | None]:
        """Return the target of the request, or else the number of the stimulus, and its place."""
        world, board = mind.world, mind.blackboard
        if self.about == "call":
            number = board["call_about"] - (len(world.doors.shut) if board["call_kind"] == "body" else 0)
            is_agent = board["call_kind"] in ("body", "missing colleague")
            return number if is_agent else -1, -1 if is_agent else board["call"], board.get("goal")
        column = board.get("target", -1) if self.about == "target" else -1
        return int(world.cast.targets[column]) if column >= 0 else -1, -1, None


@leaf
class Notify(BrainLeaf):
    """Post a notice to the agent's crew under a key. Always SUCCESS, even without a crew."""

    kind = "notify"

    def __init__(self, *, key: str, value: float | str | bool = True, name: str = ""):
        self.key, self.value, self.name = key, value, name

    def details(self) -> str:
        """Return key and value."""
        return f"{self.key}: {self.value}"

    def tick(self, mind: Any) -> Status:
        """Post the notice."""
        self.write(mind)
        return SUCCESS

    def write(self, mind: Any) -> None:
        """Post the notice to the crew; the leaf of crew trees overrides this."""
        crew = mind.teamwork.crew_numbers.get(mind.number)
        if crew is not None:
            mind.teamwork.notify(crew, self.key, self.value, mind.time)


@leaf
class TakeStand(MovingLeaf):
    """Go to the place that the crew suggests, at the suggested gait, and face what it should face.

    `key` is the direction with the place: "stand", or "watch" for what is less urgent.

    | its direction                    | status  |
    |----------------------------------|---------|
    | names a place                    | RUNNING, also once the agent is there |
    | names none, or does not exist    | FAILURE |
    | names a place without a path     | FAILURE |
    """

    kind = "take_stand"
    obeys = ("stand", "gait", "face")

    def __init__(self, *, key: str = "stand", within: Metres = 0.4, name: str = ""):
        self.key, self.within, self.name = key, within, name
        self.obeys = (key, "gait", "face")

    def tick(self, mind: Mind) -> Status:
        """Go on, or stand."""
        given = mind.direction
        place: Place | None = None if given is None else given.values.get(self.key)
        if given is None or place is None:
            self.reason = "no place to stand"
            return FAILURE
        face: Place | None = given.values.get("face")
        away = mind.distance_to(place)
        self.reason = f"{given.reason}; {away:.1f} m to go"
        if away > self.within:
            mind.go(place, given.values.get("gait", "run"))
            if mind.is_stopped:
                self.reason = "no way there"
                return FAILURE
            if not mind.has_arrived:
                if face is not None:
                    mind.look(mind.heading_to(face))
                return RUNNING
        self.reason = f"{given.reason}; there"
        mind.stand()
        if face is not None:
            mind.turn(mind.heading_to(face))
        return RUNNING


@leaf
class SayAsTold(BrainLeaf):
    """Give the agent the reason to speak that its crew suggests, once per role. Always SUCCESS.

    The leader, or another member the crew's tree chooses, also gives each order once.
    """

    kind = "say_as_told"
    woken_by = IN_CREW
    obeys = ("say", "line", "topic", "turn")

    def __init__(self, *, name: str = ""):
        self.name = name
        self.forget()

    def forget(self) -> None:
        """Allow the agent to speak again."""
        self._said: tuple[int, str, float] | None = None
        self._ordered: dict[str, float] = {}

    def tick(self, mind: Mind) -> Status:
        """Speak, unless it has done so."""
        given = mind.direction
        role = None if given is None else (given.crew, given.role, given.since)
        if given is not None and isinstance(given.values.get("line"), str):
            self._recite(mind, given)
        elif given is not None and given.values.get("say") and role != self._said and may_say(given, mind.xyz):
            self._said = role
            self.reason = str(given.values["say"])
            mind.bark(self.reason)
        for key, (order, when) in _notices(mind).items():
            if key.startswith(ORDER) and order[1] == mind.number and when > self._ordered.get(key, -math.inf):
                self._ordered[key] = when
                self.reason = str(order[0])
                mind.bark(self.reason)
        return SUCCESS

    def _recite(self, mind: Mind, given: Direction) -> None:
        """Say the words of a step of a scene once."""
        step = (given.crew, f"{given.role} {given.values.get('turn')}", given.since)
        line = given.values["line"]
        if step != self._said and line:
            self.reason = line
            mind.say(line)
        self._said = step


@leaf
class BeAsTold(BrainLeaf):
    """Take on the state that the crew suggests, and note the time of a conversation. Always SUCCESS."""

    kind = "be_as_told"
    woken_by = IN_CREW
    obeys = ("state",)

    def tick(self, mind: Mind) -> Status:
        """Change the state and report it once."""
        given = mind.direction
        if given is not None and "topic" in given.values:
            mind.blackboard["talked"] = mind.time
        state = None if given is None else given.values.get("state")
        if state is not None:
            before = AgentState(mind.state)
            if mind.be(state):
                tick, now = mind.world.tick, AgentState(state)
                mind.world.happened(StateChanged(tick, mind.number, before=before, state=now, is_told=True))
        return SUCCESS


@leaf
class LeaveSearch(BrainLeaf):
    """Leave the search, so that others can take over the agent's place in it. Always SUCCESS."""

    kind = "leave_search"

    def tick(self, mind: Mind) -> Status:
        """Leave, if the agent takes part."""
        if mind.number in mind.world.hunt.members:
            mind.world.hunt.leave(mind.number, mind.time)
            self.reason = "leaves it to others"
        return SUCCESS


@leaf
class NoteAwaited(BrainLeaf):
    """Note the colleague that the crew has the agent wait for, and its position. Always SUCCESS.

    This outlasts the crew: a colleague silent from then on is missed (`is_overdue`). The agent stops waiting when it
    gets another direction or hears of the colleague again.
    """

    kind = "note_awaited"
    woken_by = IN_CREW | AWAITS
    obeys = ("await",)

    def tick(self, mind: Mind) -> Status:
        """Note the colleague, or stop waiting."""
        given, board = mind.direction, mind.blackboard
        colleague = -1 if given is None else int(given.values.get("await", -1))
        if colleague >= 0 and colleague != mind.number:
            if board["awaited"] != colleague:
                board["awaited"], board["awaited_since"] = colleague, mind.time
            board["awaited_at"], board["heard_of"] = mind.world.snapshot.places[colleague], mind.time
        elif board["awaited"] >= 0 and (given is not None or mind.world.bodies.mode[board["awaited"]] == ACTIVE):
            board["awaited"] = -1
        return SUCCESS


@action(writes=CALL_KEYS | {"worries_until": float, "awaited": int})
def take_worry(mind: Mind) -> tuple[Status, str]:
    """Take a call for the overdue colleague and write where it was last heard of to "goal".

    FAILURE if the agent waits for no colleague.
    """
    board, world = mind.blackboard, mind.world
    colleague, place = board["awaited"], board["awaited_at"]
    if colleague < 0:
        return FAILURE, "waits for nobody"
    kind, until, stimuli = "missing colleague", mind.time + PATIENCE, mind.attention.stimuli
    number = stimuli.post(kind, place, now=mind.time, priority=2.0, lifetime=PATIENCE, about=colleague).number
    stimuli.claim(number, mind.number)
    board.update(
        goal=place,
        call=number,
        call_kind=kind,
        call_hostile=False,
        call_about=colleague,
        call_until=until,
        worries_until=until,
        awaited=-1,
        awaited_since=-math.inf,
    )
    world.happened(Missing(world.tick, mind.number, at=place, other=colleague))
    return SUCCESS, f"{world.names[colleague]} did not come back"


@leaf
class GetsRole(BrainLeaf):
    """Request a role that one agent of a team has at a time: SUCCESS while the agent has it, else FAILURE.

    Tick it for as long as the role is wanted; an agent that stops requesting it gives it back. `role` is one of chapter
    34, or any other with a `mode`: "first come" or "ideal only". For the latter, the agent nearest to its target is
    ideal.
    """

    kind = "gets_role"

    def __init__(self, *, role: str, mode: str = "", name: str = ""):
        if not role or (not mode and role not in HELD_ROLES):
            known = ", ".join(HELD_ROLES)
            raise BehaviourError(f"no role {role!r}{did_you_mean(role, HELD_ROLES)}; give one of {known}, or a mode")
        try:
            self._kind = RoleKind(mode) if mode else HELD_ROLES[role]  # type: ignore[arg-type]
        except InputError as error:
            raise BehaviourError(f"role {role!r}: {error}") from None
        self.role, self.name = role, name

    def details(self) -> str:
        """Return the role."""
        return self.role

    def tick(self, mind: Mind) -> Status:
        """Bid for the role and request it."""
        roles = mind.teamwork.desk_of(int(mind.world.bodies.team[mind.number]))
        if roles.ask(mind.number, self.role, self._kind, _metres_to_target(mind), mind.time):
            self.reason = f"is {self.role}"
            return SUCCESS
        holder = roles.desk.holder(self.role)
        self.reason = f"{mind.world.names[holder]} is {self.role}" if holder >= 0 else f"nobody is {self.role} yet"
        return FAILURE


def _metres_to_target(mind: Mind) -> float:
    """Return the distance to the target the agent knows of; infinite if it knows of none."""
    column = mind.attention.known[mind.row] if mind.row >= 0 and mind.attention.known else -1
    if column < 0:
        return math.inf
    return mind.distance_to(as_place(mind.world.knowledge.arrays.xyz[mind.row, column]))


def obeyed_keys(tree: Tree) -> frozenset[str]:
    """Return the direction keys that the leaves of a tree read: those in their `obeys`, and those they test."""
    return frozenset(key for node in tree.nodes for key in _keys_of(node))


def _keys_of(node: Any) -> Iterator[str]:
    yield from getattr(node, "obeys", ())
    if not isinstance(node, FunctionLeaf):
        return
    yield from getattr(node.function, "obeys", ())
    yield from _CONDITION_KEYS.get(node.function.__name__, ())
    if node.function is has_direction:
        key = node.parameters.get("key")
        found = getattr(key, "value", key)
        if isinstance(found, str) and found:
            yield found
