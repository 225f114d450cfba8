"""Events: what happened in a run, one small struct per kind, which recordings store with their kind as a tag.

An event holds numbers, places, enum members, names and quotes, never a sentence: `views/prose` makes those.
"""

from __future__ import annotations

from typing import Literal, get_args

import msgspec

from .crew_events import (
    Attacks,
    AttitudeChanged,
    CrewChanged,
    Did,
    FailedCondition,
    Fell,
    Hinted,
    Hit,
    LineCrossed,
    Missed,
    NearMiss,
    PlaceChanged,
    RoleChanged,
    RuleFault,
    RuleOutcome,
    Said,
    SceneActed,
    Sheltered,
    ShrugsOff,
    Sprung,
    SquadEvent,
    Talks,
    Trespasses,
    Unreachable,
)
from .event_base import (
    BlowKind,
    CrewChange,
    Departure,
    Event,
    Fact,
    Located,
    Miss,
    Name,
    Paired,
    Place,
    Quote,
    RoleLoss,
    SearchEnd,
)
from .power_events import (
    Appeared,
    Blinked,
    CameTo,
    DecoyGone,
    InputChanged,
    LeftDecoy,
    ObjectUsed,
    Possessed,
    Released,
    SetTrap,
    SwarmActs,
    TimeResumed,
    TimeStopped,
    TrapSprung,
    Travelled,
)  # fmt: skip
from .words import AgentState

__all__ = [
    "KINDS", "AlarmRaised", "AnyEvent", "Appeared", "Approaches", "Attacks", "AttitudeChanged", "Blinked",
    "BlowKind", "CameOut", "CameTo", "Caught", "Contact", "CrewChange", "CrewChanged", "DecoyGone", "Departure",
    "Did", "DoorMoved", "Ended", "Event", "Fact", "FailedCondition", "Fell", "Found", "FoundHiding", "GivesUp",
    "Heard", "Hid", "Hinted", "Hit", "InputChanged", "Investigates", "InvestigatorMissing", "KnownTarget",
    "LeftDecoy", "LineCrossed", "Lost", "Miss", "Missed", "Missing", "Name", "NearMiss", "ObjectUsed", "Opened",
    "PhaseAdvanced", "PicksPlace", "Place", "PlaceChanged", "Placed", "Possessed", "Predicted", "Quote", "Released",
    "RoleChanged", "RoleLoss", "RuleFault", "RuleOutcome", "Said", "SceneActed", "Scripted", "SearchBegins",
    "SearchEnd", "SearchEnded", "SearchOver", "SearchStarted", "Searches", "Sees", "SetTrap", "Sheltered",
    "ShrugsOff", "Sprung", "StateChanged", "Suspects", "SwarmActs", "Talks", "Threw", "TimeResumed", "TimeStopped",
    "TrapSprung", "Travelled", "TreeChanged", "Trespasses", "Unreachable",
]  # fmt: skip

# Senses and knowledge


class Sees(Paired, frozen=True, tag="sees"):
    """An agent sees and identifies a target."""


class Lost(Paired, frozen=True, tag="lost"):
    """An agent lost sight of a target."""


class Heard(Located, frozen=True, tag="heard"):
    """A sound was heard that calls for a look; `agent` is the first that heard it."""

    sound: Name = ""


class Found(Paired, frozen=True, tag="found"):
    """An agent found something that changed; `other` is the body of an agent, `name` that of an object."""

    thing: Literal["body", "open door", "shut door", "theft", "dark zone"] = "body"
    name: Name = ""


class Missing(Paired, frozen=True, tag="missing"):
    """An agent misses a colleague."""


# Chase and search


class Predicted(Paired, frozen=True, tag="flood"):
    """A predictor guessed where a lost target ran.

    Attributes
    ----------
    stimulus : kind of the stimulus perceived at `seen_at` that restarted the chase; empty: the target was lost there.
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
    stimulus: Name = ""
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


class Searches(Located, frozen=True, tag="searches"):
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


class SearchBegins(Located, frozen=True, tag="search begins"):
    """An agent, or the crew it leads, begins a search."""

    crew: int = -1
    objective: Name = ""


class SearchStarted(Located, frozen=True, tag="search started"):
    """A coordinated search started."""

    mode: Literal["aggressive", "cautious"] = "aggressive"


class PhaseAdvanced(Located, frozen=True, tag="phase advanced"):
    """A searcher begins to sweep, because the place is empty."""


class InvestigatorMissing(Located, frozen=True, tag="investigator missing"):
    """A searcher did not come back."""


class SearchEnded(Event, frozen=True, tag="search ended"):
    """A coordinated search ended."""

    reason: SearchEnd = SearchEnd.CALLED_OFF


class SearchOver(Event, frozen=True, tag="search over"):
    """The search all guards share is over."""


class StandsDown(Paired, frozen=True, tag="stands down"):
    """An agent learned that its target was caught or beaten, and stops hunting."""


class GivesUp(Located, frozen=True, tag="gives up"):
    """An agent gives up: by its tree, with the `state` it was in, or by its coordinator, with the `reason`."""

    state: AgentState | None = None
    reason: SearchEnd | None = None


class Investigates(Located, frozen=True, tag="investigates"):
    """An agent looks into a stimulus."""

    stimulus: Name = ""


class Suspects(Located, frozen=True, tag="suspects"):
    """An agent goes to see what is there."""


class Approaches(Located, frozen=True, tag="approaches"):
    """An agent that held its ground approaches the place where it believes the target to be."""


class PicksPlace(Located, frozen=True, tag="picks place"):
    """An agent picked a place by a query, to go to or to appear at."""

    query: Name = ""


class StateChanged(Event, frozen=True, tag="state"):
    """An agent changed its state; `is_told`: its crew said so."""

    before: AgentState | None = None
    state: AgentState | None = None
    is_told: bool = False


# Acts


class Hid(Located, frozen=True, tag="hid"):
    """An agent hid; `spot` is the name of the hiding place, empty if it has none."""

    spot: Name = ""


class CameOut(Located, frozen=True, tag="came out"):
    """An agent came out of hiding."""


class Opened(Located, frozen=True, tag="opened"):
    """An agent opened a hiding place."""

    spot: Name = ""


class FoundHiding(Paired, frozen=True, tag="found hiding"):
    """An agent found another one in a hiding place."""

    spot: Name = ""


class DoorMoved(Located, frozen=True, tag="door"):
    """A door was opened or shut."""

    door: int = 0
    name: Name = ""
    shut: bool = False


class Threw(Located, frozen=True, tag="threw"):
    """An agent threw something to a place."""

    thing: Name = "something"


class AlarmRaised(Located, frozen=True, tag="alarm"):
    """An agent raised the alarm."""


class Caught(Paired, frozen=True, tag="caught"):
    """An agent caught another one."""


class Contact(Paired, frozen=True, tag="contact"):
    """Two colleagues ran into each other."""


class Scripted(Paired, frozen=True, tag="script"):
    """The script made something happen.

    Attributes
    ----------
    row : its number in the script, from 0.
    action, subject, value : what happened, the name of what it concerns, and the value that was set; if any.
    trigger : the event the row waited for; empty: it happened at a given time.
    other, target : the agent that triggered it, and the one that was seen, lost or found; -1: none.
    detail, toward : what the trigger waited for, such as a zone; the other team whose attitude changed.
    """

    action: Name = ""
    subject: Name = ""
    toward: Name = ""
    value: Fact = None
    row: int = -1
    trigger: Name = ""
    target: int = -1
    detail: Name = ""


class Placed(Located, frozen=True, tag="placed"):
    """An agent was moved from outside."""


class TreeChanged(Event, frozen=True, tag="tree changed"):
    """Agents start again with another tree, which the user gave the running game.

    Attributes
    ----------
    brain : the name by which the scenario knows the tree.
    agents : the agents that use it; `agent` is the first.
    lines : the tree as text, one line for each node.
    definition : the file of trees as JSON, to repeat the run with.
    """

    brain: Name = ""
    agents: tuple[int, ...] = ()
    lines: Quote = ""
    definition: Quote = ""


# The end


class KnownTarget(msgspec.Struct, frozen=True):
    """What an agent knew about a target: where, seconds ago (None: unknown), and by which sense."""

    target: int
    at: Place
    age: float | None
    source: Name


class Ended(Paired, frozen=True, tag="end"):
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
    | SearchOver | StandsDown | GivesUp | Investigates | Suspects | Approaches | PicksPlace | StateChanged
    | Hid | CameOut | Opened | FoundHiding | DoorMoved | Threw | AlarmRaised | Appeared | Caught | Contact
    | Blinked | LeftDecoy | DecoyGone | AttitudeChanged | SetTrap | TrapSprung | ObjectUsed | Trespasses | Sheltered
    | TimeStopped | TimeResumed | Possessed | Released | CameTo | Travelled | SwarmActs
    | Scripted | Placed | TreeChanged | InputChanged
    | Attacks | Hit | Missed | LineCrossed | Fell | SquadEvent
    | CrewChanged | RoleChanged | PlaceChanged | Talks | SceneActed | ShrugsOff | Unreachable | Sprung | Hinted
    | Said | Did | RuleFault | Ended
)  # fmt: skip
"""All kinds of events, as recordings store them."""

KINDS: dict[str, type[Event]] = {str(one.__struct_config__.tag): one for one in get_args(AnyEvent)}
"""All kinds by name."""
