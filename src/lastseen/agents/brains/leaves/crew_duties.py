"""Duties a crew suggests: search, alertness and awaited colleagues; and roles that an agent requests itself."""

from __future__ import annotations

import math

from ....errors import BehaviourError, InputError, did_you_mean
from ....kernels.arrays.agent_arrays import ACTIVE
from ....vocabulary.events import Missing, StateChanged
from ....vocabulary.words import AgentState
from ...behaviour.leaf import Leaf
from ...behaviour.status import FAILURE, SUCCESS, Status
from ...held_roles import HELD_ROLES, RoleKind
from ..facts import AWAITS, IN_CREW, TALKS, woken_by
from ..mind import Mind
from .investigation import OF_CALLS, PATIENCE

__all__ = [
    "BeAsTold",
    "GetsRole",
    "LeaveSearch",
    "NoteAwaited",
    "TakeWorry",
    "is_overdue",
    "may_search",
    "meets_colleague",
]

Answer = tuple[bool, str]


@woken_by(IN_CREW)
def may_search(mind: Mind) -> Answer:
    """May it search: is it in no crew, or in one that does not keep it from that?"""
    given = mind.direction
    if given is None or "search" not in given.values:
        return True, "nobody keeps it from it"
    return bool(given.values["search"]), given.reason


@woken_by(AWAITS)
def is_overdue(mind: Mind, seconds: float = 40.0, silent: float = 4.0) -> Answer:
    """Has somebody it waits for not come back in `seconds`, or not been heard of for so long that it is worried?

    `silent`: seconds after which it worries about one who can act no more, whose crew is over.
    """
    board = mind.blackboard
    if board["worries_until"] > mind.time and board["call"] >= 0 and mind.state == "suspicious":
        return True, "looks for who did not come back"
    who = board["awaited"]
    if who < 0:
        return False, "waits for nobody"
    waited, quiet = mind.time - board["awaited_since"], mind.time - board["heard_of"]
    name = mind.world.names[who]
    if waited >= seconds:
        return True, f"{name} has been away for {waited:.0f} s"
    return quiet >= silent, f"heard of {name} {quiet:.1f} s ago"


@woken_by(TALKS)
def meets_colleague(mind: Mind, metres: float = 3.0, every: float = 60.0) -> Answer:
    """Is a colleague on its round near, and has this one not talked for so long? Only with the setting `talks`."""
    board, world = mind.blackboard, mind.world
    if not board["talks"]:
        return False, "does not talk"
    if mind.time - board["talked"] < every:
        return False, "has talked lately"
    bodies = world.bodies
    for other in world.cast.watchers.tolist():
        near = other != mind.number and mind.distance_to(world.snapshot.places[other]) <= metres
        calm = bodies.mode[other] == ACTIVE and world.state_of(other) == "patrol"
        if near and calm and bodies.team[other] == bodies.team[mind.number]:
            board["talked"] = mind.time
            return True, f"meets {world.names[other]}"
    return False, "meets nobody"


class BeAsTold(Leaf):
    """Is up to what its crew says it is: `state`; who talks of a `topic` keeps in mind that it did. Always SUCCESS."""

    kind = "be_as_told"
    woken_by = IN_CREW
    obeys = ("state",)

    def __init__(self, *, name: str = ""):
        self.name = name

    def tick(self, mind: Mind) -> Status:
        """Be it, and tell the world once."""
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


class LeaveSearch(Leaf):
    """Takes no place of the search any more, so that others may; always SUCCESS."""

    kind = "leave_search"

    def __init__(self, *, name: str = ""):
        self.name = name

    def tick(self, mind: Mind) -> Status:
        """Leave, if it takes part."""
        if mind.number in mind.world.hunt.members:
            mind.world.hunt.leave(mind.number, mind.time)
            self.reason = "leaves it to others"
        return SUCCESS


class NoteAwaited(Leaf):
    """Keeps in mind whom its crew has it wait for, and where that one was; always SUCCESS.

    That outlasts the crew: who is silent from then on is missed (`is_overdue`). Who is told something else, or hears
    of the other again, waits no longer.
    """

    kind = "note_awaited"
    woken_by = IN_CREW | AWAITS
    obeys = ("await",)

    def __init__(self, *, name: str = ""):
        self.name = name

    def tick(self, mind: Mind) -> Status:
        """Note it."""
        given, board = mind.direction, mind.blackboard
        who = -1 if given is None else int(given.values.get("await", -1))
        if who >= 0 and who != mind.number:
            if board["awaited"] != who:
                board["awaited"], board["awaited_since"] = who, mind.time
            board["awaited_at"], board["heard_of"] = mind.world.snapshot.places[who], mind.time
        elif board["awaited"] >= 0 and (given is not None or mind.world.bodies.mode[board["awaited"]] == ACTIVE):
            board["awaited"] = -1
        return SUCCESS


class TakeWorry(Leaf):
    """Makes who did not come back something to look into, where it was last heard of: writes the place to "goal".

    FAILURE where it waits for nobody.
    """

    kind = "take_worry"
    writes = OF_CALLS | {"worries_until": float, "awaited": int}

    def __init__(self, *, name: str = ""):
        self.name = name

    def tick(self, mind: Mind) -> Status:
        """Put it on the board, and take it on."""
        board, world = mind.blackboard, mind.world
        who = board["awaited"]
        if who < 0:
            self.reason = "waits for nobody"
            return FAILURE
        place = board["awaited_at"]
        kind, until, stimuli = "missing colleague", mind.time + PATIENCE, mind.attention.stimuli
        number = stimuli.post(kind, place, now=mind.time, priority=2.0, lifetime=PATIENCE, about=who).number
        stimuli.claim(number, mind.number)
        board.update(
            goal=place,
            call=number,
            call_kind=kind,
            call_hostile=False,
            call_about=who,
            call_until=until,
            worries_until=until,
            awaited=-1,
            awaited_since=-math.inf,
        )
        self.reason = f"{world.names[who]} did not come back"
        world.happened(Missing(world.tick, mind.number, at=place, other=who))
        return SUCCESS


class GetsRole(Leaf):
    """Asks for a role that one of its side has at a time: SUCCESS while it has it, else FAILURE.

    Ask in every tick: who asks no more gives it back. `role`: one of the chapter, or any other with its `mode`: "first
    come", or "ideal only", for which who is nearest to the target it knows of is ideal.

    Notes
    -----
    Chapter 34: request, acknowledge, release.
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
        """Return which."""
        return self.role

    def tick(self, mind: Mind) -> Status:
        """Bid, and ask."""
        asked = mind.teamwork.desk_of(int(mind.world.bodies.team[mind.number]))
        cost = _metres(mind)
        if asked.ask(mind.number, self.role, self._kind, cost, mind.time):
            self.reason = f"is {self.role}"
            return SUCCESS
        holder = asked.desk.holder(self.role)
        self.reason = f"{mind.world.names[holder]} is {self.role}" if holder >= 0 else f"nobody is {self.role} yet"
        return FAILURE


def _metres(mind: Mind) -> float:
    """Return how far it is from the target it knows of; infinite: it knows of none."""
    column = mind.attention.known[mind.row] if mind.row >= 0 and mind.attention.known else -1
    if column < 0:
        return math.inf
    x, y, z = mind.world.knowledge.arrays.xyz[mind.row, column].tolist()
    return mind.distance_to((x, y, z))
