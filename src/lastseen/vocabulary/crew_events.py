"""Events of fights, crews, teams and speech."""

from __future__ import annotations

from typing import Literal

import msgspec

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
)
from .words import Attitude, SceneAct, Trespass

# Combat


class Attacks(Paired, frozen=True, tag="attack"):
    """An agent begins to strike or to aim."""

    blow: BlowKind = "strike"


class Hit(Paired, frozen=True, tag="hit"):
    """A blow hit; `health` of `most` is left."""

    blow: BlowKind = "strike"
    damage: float = 0.0
    health: float = 0.0
    most: float = 0.0


class Missed(Paired, frozen=True, tag="missed"):
    """A blow missed."""

    blow: BlowKind = "strike"
    reason: Miss = Miss.WENT_WIDE


class LineCrossed(Paired, frozen=True, tag="line crossed"):
    """A colleague, `other`, is in the line of a shot at `target`; `held`: so the shot is not fired."""

    target: int = -1
    held: bool = False


class Fell(Paired, frozen=True, tag="fell"):
    """An agent went down, beaten by `other`."""


class Casualty(Paired, frozen=True, tag="casualty"):
    """A squad lost a member: `count` of its members are down now, and `left` are not."""

    count: int = 0
    left: int = 0


class Refuses(Paired, frozen=True, tag="refuses"):
    """An agent refuses to enter the region where it saw what happened to its comrade `other`."""

    blow: Literal["hit", "fell"] = "hit"


class NowhereToGo(Paired, frozen=True, tag="nowhere to go"):
    """An agent under fire of `other` finds no better place."""


SquadEvent = Casualty | Refuses | NowhereToGo


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


class RoleChanged(Located, frozen=True, tag="role"):
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


class PlaceChanged(Located, frozen=True, tag="place"):
    """A member keeps its role but gets another place; `slot` and `before` are numbers of places."""

    crew: int = -1
    objective: Name = ""
    role: Name = ""
    slot: int = -1
    before: int = -1


class Talks(Event, frozen=True, tag="talk"):
    """Speakers begin a conversation or another scene, or resume it; `topic` is the name of a scene."""

    speakers: tuple[int, ...] = ()
    topic: Name = ""
    resumed: bool = False
    is_scene: bool = False


class SceneActed(Paired, frozen=True, tag="scene act"):
    """In a scene an agent gave `item` to another, inspected it, or argued with another."""

    scene: Name = ""
    act: SceneAct = SceneAct.TALK
    item: Name = ""


class ShrugsOff(Located, frozen=True, tag="shrugs off"):
    """An agent ignores a stimulus."""

    stimulus: Name = ""
    crew: int = -1


class Unreachable(Paired, frozen=True, tag="unreachable"):
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

    hints: dict[Name, Name] = {}  # noqa: RUF012


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


class RuleOutcome(Paired, frozen=True):
    """Something that a rule decided.

    Attributes
    ----------
    rule, handler, source : the rule it comes from, its handler, file and line; empty for lines of trees.
    facts : variables the rule read.
    near : rules that nearly fired.
    asked : name under which handlers were combined; empty if it is `handler`.
    speaker : the loudspeaker, or "level"; empty if it is an agent.
    """

    rule: Name = ""
    handler: Name = ""
    source: Name = ""
    facts: dict[Name, Fact] = {}  # noqa: RUF012
    near: tuple[NearMiss, ...] = ()
    asked: Name = ""
    tier: int = 0
    speaker: Name = ""


class Did(RuleOutcome, frozen=True, tag="did"):
    """An agent did what a rule chose, such as an attack or a reaction; or the level granted something.

    `action` is as written after `do`: a name, or data as JSON.
    """

    action: Quote = ""


class Said(RuleOutcome, frozen=True, tag="said"):
    """An agent said a line, in answer to `other`.

    Attributes
    ----------
    line : as it is heard.
    seconds : duration.
    turn : number of the line in its exchange, from 1.
    interrupts : agents it cut short.
    line_id, tags : the id of the line, empty if it has none, and its tags: the name of a recording, a mood.
    """

    line: Quote = ""
    seconds: float = 0.0
    turn: int = 1
    interrupts: tuple[int, ...] = ()
    line_id: Name = ""
    tags: dict[Name, Quote] = {}  # noqa: RUF012


class RuleFault(Event, frozen=True, tag="rule fault"):
    """A variable of the rules cannot be read; `error` is what user code raised."""

    variable: Name = ""
    error: Quote = ""


class AttitudeChanged(Paired, frozen=True, tag="attitude"):
    """Two teams changed their attitude to each other: by the script, or because `other` attacked `agent`."""

    team: Name = ""
    toward: Name = ""
    attitude: Attitude = Attitude.NEUTRAL


class Trespasses(Paired, frozen=True, tag="trespass"):
    """Guards change how they treat `other` because of a restricted zone; `agent` sees to it, -1 if none needs to."""

    zone: Name = ""
    step: Trespass = Trespass.WARNED


class Sheltered(Located, frozen=True, tag="sheltered"):
    """An enemy entered a safe zone and is left alone, or (`is_safe` false) has been outside it for a while."""

    is_safe: bool = True
