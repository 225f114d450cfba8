"""Events: what happened in a run, one small struct per kind.

An event holds numbers, places, enum members, names and quotes, never a sentence: `views/prose` makes those. Recordings
store the structs, with their kind as a tag.
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
    Sheltered,
    ShrugsOff,
    Sprung,
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
from .words import AgentState

__all__ = [
    "KINDS",
    "AlarmRaised",
    "AnyEvent",
    "Appeared",
    "Approaches",
    "Attacks",
    "AttitudeChanged",
    "Blinked",
    "BlowKind",
    "CameOut",
    "Caught",
    "Contact",
    "CrewChange",
    "CrewChanged",
    "DecoyGone",
    "Departure",
    "Did",
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
    "LeftDecoy",
    "LineCrossed",
    "Lost",
    "Miss",
    "Missed",
    "Missing",
    "Name",
    "NearMiss",
    "Opened",
    "PhaseAdvanced",
    "PicksPlace",
    "Place",
    "PlaceChanged",
    "Placed",
    "Predicted",
    "Quote",
    "RoleChanged",
    "RoleLoss",
    "RuleFault",
    "RuleOutcome",
    "Said",
    "Scripted",
    "SearchBegins",
    "SearchEnd",
    "SearchEnded",
    "SearchOver",
    "SearchStarted",
    "Searches",
    "Sees",
    "Sheltered",
    "ShrugsOff",
    "Sprung",
    "StateChanged",
    "Suspects",
    "Talks",
    "Threw",
    "TrapSprung",
    "Trespasses",
    "Unreachable",
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
    """An agent found something that changed; `other` is the body of an agent."""

    thing: Literal["body", "open door", "shut door"] = "body"


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


class Blinked(Located, frozen=True, tag="blinked"):
    """An agent blinked from `start` to a place."""

    start: Place = (0.0, 0.0, 0.0)


class LeftDecoy(Located, frozen=True, tag="left decoy"):
    """An agent left a decoy, which watchers see instead of it for at most `seconds`."""

    seconds: float = 0.0


class DecoyGone(Paired, frozen=True, tag="decoy gone"):
    """The decoy of an agent vanished, because its time was over or `other` came up to it."""


class AlarmRaised(Located, frozen=True, tag="alarm"):
    """An agent raised the alarm."""


class Appeared(Paired, frozen=True, tag="appears"):
    """An agent vanished at `came_from` and appeared at once; `other` summoned it, -1 if it came by itself."""

    came_from: Place | None = None


class Caught(Paired, frozen=True, tag="caught"):
    """An agent caught another one."""


class Contact(Paired, frozen=True, tag="contact"):
    """Two colleagues ran into each other."""


class TrapSprung(Located, frozen=True, tag="trap"):
    """An agent stepped into a trap; `trap` is its name, empty if it has none."""

    trap: Name = ""
    effect: Literal["fell", "snare", "noise"] = "fell"


class Scripted(Paired, frozen=True, tag="script"):
    """The script made something happen.

    Attributes
    ----------
    row : its number in the script, from 0.
    action, subject, value : what happened, the name of what it concerns, and the value that was set; if any.
    trigger : the event the row waited for; empty: it happened at a given time.
    other, target : the agent that triggered it, and the one that was seen, lost or found; -1: none.
    detail : the zone, sound, state, objective or condition of the trigger.
    """

    action: Name = ""
    subject: Name = ""
    value: Fact = None
    row: int = -1
    trigger: Name = ""
    target: int = -1
    detail: Name = ""


class Placed(Located, frozen=True, tag="placed"):
    """An agent was moved from outside."""


class InputChanged(Event, frozen=True, tag="input"):
    """The player's input changed; see `PlayerInput`."""

    move: tuple[float, float] = (0.0, 0.0)
    gait: Name = "walk"
    use: bool = False
    throw: Place | None = None
    strike: bool = False
    blink: Place | None = None
    decoy: bool = False


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
    | SearchOver | GivesUp | Investigates | Suspects | Approaches | PicksPlace | StateChanged
    | Hid | CameOut | Opened | FoundHiding | DoorMoved | Threw | AlarmRaised | Appeared | Caught | Contact
    | Blinked | LeftDecoy | DecoyGone | AttitudeChanged | TrapSprung | Trespasses | Sheltered | Scripted | Placed
    | InputChanged
    | Attacks | Hit | Missed | LineCrossed | Fell
    | CrewChanged | RoleChanged | PlaceChanged | Talks | ShrugsOff | Unreachable | Sprung | Hinted
    | Said | Did | RuleFault | Ended
)  # fmt: skip
"""All kinds of events, as recordings store them."""

KINDS: dict[str, type[Event]] = {str(one.__struct_config__.tag): one for one in get_args(AnyEvent)}
"""All kinds by name."""
