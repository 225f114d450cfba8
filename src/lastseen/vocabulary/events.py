"""Events: what happened in a run, one small struct per kind.

An event holds numbers, places, enum members, names and quotes, never a sentence: `views/prose` makes those. Recordings
store the structs, with their kind as a tag.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal, get_args

import msgspec

from .words import AgentState

__all__ = [
    "KINDS",
    "AlarmRaised",
    "AnyEvent",
    "Approaches",
    "Attacks",
    "Blow",
    "CameOut",
    "Caught",
    "Contact",
    "CrewChange",
    "CrewChanged",
    "Departure",
    "DoorMoved",
    "Ended",
    "Event",
    "Fact",
    "FailedCondition",
    "Fell",
    "Found",
    "FoundHiding",
    "GivesUp",
    "Heard",
    "Hid",
    "Hinted",
    "Hit",
    "InputChanged",
    "Investigates",
    "InvestigatorMissing",
    "KnownTarget",
    "LineCrossed",
    "Lost",
    "Miss",
    "Missed",
    "Missing",
    "Name",
    "NearMiss",
    "Opened",
    "PhaseAdvanced",
    "Place",
    "PlaceChanged",
    "Placed",
    "Predicted",
    "Quote",
    "RoleChanged",
    "RoleLoss",
    "RuleFault",
    "RunsTo",
    "Said",
    "Scripted",
    "SearchBegins",
    "SearchEnd",
    "SearchEnded",
    "SearchOver",
    "SearchStarted",
    "Searches",
    "Sees",
    "ShrugsOff",
    "Sprung",
    "StateChanged",
    "Suspects",
    "Talks",
    "Threw",
    "Unreachable",
]

Place = tuple[float, float, float]
"""Metres."""
Name = Annotated[str, msgspec.Meta(description="a name or an identifier")]
Quote = Annotated[str, msgspec.Meta(description="words of a rule file or of user code, as they are")]
Fact = bool | int | float | Quote | None
"""Value of a variable of rules; None: unknown."""
Blow = Literal["strike", "shoot"]


class CrewChange(StrEnum):
    """What happened to a crew."""

    FORMED = "formed"
    JOINED = "joined"
    LEFT = "left"
    ENDED = "ended"


class Departure(StrEnum):
    """Why a member left its crew, or why the crew ended."""

    OTHER_REQUEST = "other request"
    NO_REQUEST = "no request"
    LOST = "lost"
    DISBANDED = "disbanded"
    TOO_FEW = "too few"


class RoleLoss(StrEnum):
    """Why an agent lost its role."""

    UNWANTED = "unwanted"
    LEFT = "left"
    CREW_ENDED = "crew ended"
    ADMITTED = "admitted"
    RELEASED = "released"


class Miss(StrEnum):
    """Why an attack hit nothing."""

    OUT_OF_REACH = "out of reach"
    OUT_OF_SIGHT = "out of sight"
    WENT_WIDE = "went wide"


class SearchEnd(StrEnum):
    """Why a coordinated search ended, or one searcher gave up."""

    CALLED_OFF = "called off"
    NO_INVESTIGATOR = "no investigator is left"
    NO_SPOT = "no spot is left"
    NOTHING_FOUND = "nothing found"
    TARGET_FOUND = "target found"
    TIME_UP = "time is up"


class Event(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="kind"):
    """Something that happened.

    Attributes
    ----------
    tick : number of the step.
    agent : number of the agent it happened to, -1 if it concerns none.
    """

    tick: int
    agent: int = -1

    @property
    def kind(self) -> str:
        """Name of the kind, as recordings store it."""
        return str(self.__struct_config__.tag)

    @property
    def partner(self) -> int:
        """Number of the other agent concerned, -1 if there is none."""
        return int(getattr(self, "other", -1))

    @property
    def place(self) -> Place | None:
        """Where it happened, or None."""
        return getattr(self, "at", None)


class _Located(Event, frozen=True):
    """Base of events with a place."""

    at: Place | None = None


class _Paired(_Located, frozen=True):
    """Base of events with a place and another agent, `other`; -1 if there is none."""

    other: int = -1


# Senses and knowledge


class Sees(_Paired, frozen=True, tag="sees"):
    """An agent sees and identifies a target."""


class Lost(_Paired, frozen=True, tag="lost"):
    """An agent lost sight of a target."""


class Heard(_Located, frozen=True, tag="heard"):
    """A sound was heard that calls for a look; `agent` is the first that heard it."""

    sound: Name = ""


class Found(_Located, frozen=True, tag="found"):
    """An agent found something that changed."""

    thing: Literal["body", "open door", "shut door"] = "body"


class Missing(_Paired, frozen=True, tag="missing"):
    """An agent misses a colleague."""


# Chase and search


class Predicted(_Paired, frozen=True, tag="flood"):
    """A predictor guessed where a lost target ran.

    Attributes
    ----------
    metres : straight-line distance to the destination `at`.
    reason : why the predictor stopped there.
    steps : of the flood; None for predictors without a flood.
    warm, values, heated_in : warm cells, their heat, and the step in which each was heated.
    cold, cold_in : cells that have cooled down, and the step in which each was heated.
    barrier, closed : cells the flood could not enter.
    """

    predictor: Name = ""
    reason: Name = ""
    metres: float = 0.0
    seen_at: Place = (0.0, 0.0, 0.0)
    heading: tuple[float, ...] = ()
    steps: int | None = None
    warm: tuple[int, ...] = ()
    values: tuple[int, ...] = ()
    heated_in: tuple[int, ...] = ()
    cold: tuple[int, ...] = ()
    cold_in: tuple[int, ...] = ()
    barrier: tuple[int, ...] = ()
    closed: tuple[int, ...] = ()


class Searches(_Located, frozen=True, tag="searches"):
    """An agent goes to a place of a search.

    Attributes
    ----------
    role : of the searcher.
    cells, scores, terms, metres : the best cells of the search map, their scores with terms, and path lengths.
    spot, score, spot_terms : the spot a coordinator chose, -1 if none, its score and terms.
    """

    role: Literal["combat", "investigate", "support", "sweep", "linger", "none"] = "sweep"
    cells: tuple[int, ...] = ()
    scores: tuple[float, ...] = ()
    terms: tuple[tuple[float, ...], ...] = ()
    metres: tuple[float, ...] = ()
    spot: int = -1
    score: float = 0.0
    spot_terms: tuple[float, ...] = ()


class SearchBegins(_Located, frozen=True, tag="search begins"):
    """An agent, or the crew it leads, begins a search."""

    crew: int = -1
    objective: Name = ""


class SearchStarted(_Located, frozen=True, tag="search started"):
    """A coordinated search started."""

    mode: Literal["aggressive", "cautious"] = "aggressive"


class PhaseAdvanced(_Located, frozen=True, tag="phase advanced"):
    """A searcher begins to sweep, because the place is empty."""


class InvestigatorMissing(_Located, frozen=True, tag="investigator missing"):
    """A searcher did not come back."""


class SearchEnded(Event, frozen=True, tag="search ended"):
    """A coordinated search ended."""

    reason: SearchEnd = SearchEnd.CALLED_OFF


class SearchOver(Event, frozen=True, tag="search over"):
    """The search all guards share is over."""


class GivesUp(_Located, frozen=True, tag="gives up"):
    """An agent gives up: by its tree, with the `state` it was in, or by its coordinator, with the `reason`."""

    state: AgentState | None = None
    reason: SearchEnd | None = None


class Investigates(_Located, frozen=True, tag="investigates"):
    """An agent looks into a stimulus."""

    stimulus: Name = ""


class Suspects(_Located, frozen=True, tag="suspects"):
    """An agent goes to see what is there."""


class Approaches(_Located, frozen=True, tag="approaches"):
    """An agent that held its ground approaches the place where it believes the target to be."""


class RunsTo(_Located, frozen=True, tag="runs to"):
    """An agent runs to a place that a query picked."""

    query: Name = ""


class StateChanged(Event, frozen=True, tag="state"):
    """An agent changed its state; `is_told`: its crew said so."""

    before: AgentState | None = None
    state: AgentState | None = None
    is_told: bool = False


# Acts


class Hid(_Located, frozen=True, tag="hid"):
    """An agent hid; `spot` is the name of the hiding place, empty if it has none."""

    spot: Name = ""


class CameOut(_Located, frozen=True, tag="came out"):
    """An agent came out of hiding."""


class Opened(_Located, frozen=True, tag="opened"):
    """An agent opened a hiding place."""

    spot: Name = ""


class FoundHiding(_Paired, frozen=True, tag="found hiding"):
    """An agent found another one in a hiding place."""

    spot: Name = ""


class DoorMoved(_Located, frozen=True, tag="door"):
    """A door was opened or shut."""

    door: int = 0
    name: Name = ""
    shut: bool = False


class Threw(_Located, frozen=True, tag="threw"):
    """An agent threw something to a place."""


class AlarmRaised(_Located, frozen=True, tag="alarm"):
    """An agent raised the alarm."""


class Caught(_Paired, frozen=True, tag="caught"):
    """An agent caught another one."""


class Contact(_Paired, frozen=True, tag="contact"):
    """Two colleagues ran into each other."""


class Scripted(_Located, frozen=True, tag="script"):
    """The scenario made something happen; `subject` names what it concerns, if anything."""

    action: Name = ""
    subject: Name = ""


class Placed(_Located, frozen=True, tag="placed"):
    """An agent was moved from outside."""


class InputChanged(Event, frozen=True, tag="input"):
    """The player's input changed; see `PlayerInput`."""

    move: tuple[float, float] = (0.0, 0.0)
    gait: Name = "walk"
    use: bool = False
    throw: Place | None = None
    strike: bool = False


# Combat


class Attacks(_Paired, frozen=True, tag="attack"):
    """An agent begins to strike or to aim."""

    blow: Blow = "strike"


class Hit(_Paired, frozen=True, tag="hit"):
    """A blow hit; `health` of `most` is left."""

    blow: Blow = "strike"
    damage: float = 0.0
    health: float = 0.0
    most: float = 0.0


class Missed(_Paired, frozen=True, tag="missed"):
    """A blow missed."""

    blow: Blow = "strike"
    reason: Miss = Miss.WENT_WIDE


class LineCrossed(_Paired, frozen=True, tag="line crossed"):
    """A colleague, `other`, is in the line of a shot at `target`; `held`: so the shot is not fired."""

    target: int = -1
    held: bool = False


class Fell(_Paired, frozen=True, tag="fell"):
    """An agent went down, beaten by `other`."""


# Crews


class CrewChanged(Event, frozen=True, tag="crew"):
    """A crew was formed, changed or ended.

    Attributes
    ----------
    other : the target, -1 if there is none.
    crew, seat : numbers of the crew, and of its seat.
    members : those concerned.
    reason : why a member left, or the crew ended; `lost` are the members it ended for.
    """

    other: int = -1
    crew: int = -1
    seat: int = -1
    objective: Name = ""
    change: CrewChange = CrewChange.FORMED
    members: tuple[int, ...] = ()
    leader: int = -1
    reason: Departure | None = None
    lost: tuple[int, ...] = ()


class RoleChanged(_Located, frozen=True, tag="role"):
    """An agent got a role, or lost it.

    The reason it was chosen is not part of the event; recordings keep it in their table of texts.

    Attributes
    ----------
    role, before : the new role and the previous one; empty: none.
    slot : number of its place in the role, -1 if there is none.
    watch : a place to watch, or None.
    loss : why it has no role any more; `departure` and `lost` say more if it left, or its crew ended.
    """

    crew: int = -1
    objective: Name = ""
    role: Name = ""
    before: Name = ""
    slot: int = -1
    watch: Place | None = None
    loss: RoleLoss | None = None
    departure: Departure | None = None
    lost: tuple[int, ...] = ()


class PlaceChanged(_Located, frozen=True, tag="place"):
    """A member keeps its role but gets another place; `slot` and `before` are numbers of places."""

    crew: int = -1
    objective: Name = ""
    role: Name = ""
    slot: int = -1
    before: int = -1


class Talks(Event, frozen=True, tag="talk"):
    """Speakers begin a conversation, or resume it."""

    speakers: tuple[int, ...] = ()
    topic: Name = ""
    resumed: bool = False


class ShrugsOff(_Located, frozen=True, tag="shrugs off"):
    """An agent ignores a stimulus."""

    stimulus: Name = ""
    crew: int = -1


class Unreachable(_Paired, frozen=True, tag="unreachable"):
    """A crew abandons the area around its target; `lost` are members that did not get through."""

    crew: int = -1
    objective: Name = ""
    radius: float = 0.0
    seconds: float = 0.0
    lost: tuple[int, ...] = ()


class Sprung(Event, frozen=True, tag="sprung"):
    """A crew springs an ambush on `other`."""

    other: int = -1
    crew: int = -1
    objective: Name = ""
    members: tuple[int, ...] = ()


class Hinted(Event, frozen=True, tag="hint"):
    """The hints a crew gives a member changed: types by branch of its tree."""

    hints: dict[Name, Name] = {}


# Speech


class FailedCondition(msgspec.Struct, frozen=True):
    """A condition of a rule that did not hold, and the value of its variable."""

    variable: Name
    operator: Literal["==", "!=", "<", "<=", ">", ">="]
    constant: bool | int | float | Quote
    value: Fact


class NearMiss(msgspec.Struct, frozen=True, omit_defaults=True):
    """A rule that nearly fired: the conditions that failed, or the words by which a filter refused it."""

    rule: Name
    failed: tuple[FailedCondition, ...] = ()
    refused: Quote = ""


class Said(_Paired, frozen=True, tag="said"):
    """An agent said a line, in answer to `other`.

    Attributes
    ----------
    line : as it is heard.
    rule, handler, source : the rule it comes from, its handler, file and line; empty for lines of trees.
    facts : variables the rule read.
    near : rules that nearly fired.
    seconds : duration.
    asked : name under which handlers were combined; empty if it is `handler`.
    turn : number of the line in its exchange, from 1.
    interrupts : agents it cut short.
    """

    line: Quote = ""
    rule: Name = ""
    handler: Name = ""
    source: Name = ""
    facts: dict[Name, Fact] = {}
    near: tuple[NearMiss, ...] = ()
    seconds: float = 0.0
    asked: Name = ""
    tier: int = 0
    turn: int = 1
    interrupts: tuple[int, ...] = ()


class RuleFault(Event, frozen=True, tag="rule fault"):
    """A variable of the rules cannot be read; `error` is what user code raised."""

    variable: Name = ""
    error: Quote = ""


# The end


class KnownTarget(msgspec.Struct, frozen=True):
    """What an agent knew about a target: where, seconds ago (None: unknown), and by which sense."""

    target: int
    at: Place
    age: float | None
    source: Name


class Ended(_Paired, frozen=True, tag="end"):
    """The episode ended.

    Attributes
    ----------
    reason : one of the scenario's `ends`, "time over", "brain failed", or a name given by a program.
    spot : hiding place in which `other` was found.
    seconds : the time limit.
    path, error : node of the tree that failed, and what it raised.
    state, watched, knew : what the agent of a failed tree was doing, which targets it watched, and what it knew;
        empty if the tree of a crew failed.
    """

    reason: Name = ""
    spot: Name = ""
    seconds: float = 0.0
    path: Name = ""
    error: Quote = ""
    state: AgentState | None = None
    watched: tuple[int, ...] = ()
    knew: tuple[KnownTarget, ...] = ()


AnyEvent = (
    Sees | Lost | Heard | Found | Missing
    | Predicted | Searches | SearchBegins | SearchStarted | PhaseAdvanced | InvestigatorMissing | SearchEnded
    | SearchOver | GivesUp | Investigates | Suspects | Approaches | RunsTo | StateChanged
    | Hid | CameOut | Opened | FoundHiding | DoorMoved | Threw | AlarmRaised | Caught | Contact | Scripted | Placed
    | InputChanged
    | Attacks | Hit | Missed | LineCrossed | Fell
    | CrewChanged | RoleChanged | PlaceChanged | Talks | ShrugsOff | Unreachable | Sprung | Hinted
    | Said | RuleFault | Ended
)  # fmt: skip
"""All kinds of events, as recordings store them."""

KINDS: dict[str, type[Event]] = {str(one.__struct_config__.tag): one for one in get_args(AnyEvent)}
"""All kinds by name."""
