"""One sentence per event."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import msgspec

from ...agents.rules.speech.utterance import miss_words
from ...simulation.recording.crew_columns import REASON
from ...simulation.recording.recording import Recording
from ...simulation.world.world import World
from ...vocabulary import events as kinds
from ...vocabulary.crew_events import Casualty, NowhereToGo, Refuses
from ...vocabulary.events import AnyEvent, Departure, Ended, KnownTarget, Place, RoleLoss, SearchEnd
from ...vocabulary.words import ObjectKind, SceneAct, Trespass

Reason = Callable[[int, int], str]
"""Maps step and agent to why the agent has its role; empty if unknown."""

_STOPS = {
    "too_many": "the flood stopped in a wide place",
    "max_steps": "the flood reached its step limit",
    "no_cells": "the flood filled every cell it could reach",
    "running": "the flood goes on",
    "own": "your own predictor chose it",
}
_DEPARTURES = {
    Departure.OTHER_REQUEST: "requests something else",
    Departure.NO_REQUEST: "no longer requests it",
    Departure.LOST: "can no longer act",
    Departure.DISBANDED: "its tree ended it",
    Departure.TOO_FEW: "too few request it",
}
_LOSSES = {
    RoleLoss.UNWANTED: "the crew has no role for it",
    RoleLoss.ADMITTED: "there is room",
    RoleLoss.RELEASED: "it no longer asks, or that crew has room",
}
_MOST = 4
"""Targets named in the sentence about a failed brain."""


def article(thing: str) -> str:
    """Return a thing with its indefinite article."""
    return f"{'an' if thing[:1] in 'aeiou' else 'a'} {thing}"


def thrown(event: kinds.Threw) -> str:
    """Return what was thrown, in words."""
    return event.thing if event.thing == "something" else article(event.thing)


def listed(names: Sequence[str]) -> str:
    """Return names as "A, B and C"."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def place_text(place: Place | None) -> str:
    """Return a place as coordinates on the map."""
    return "somewhere" if place is None else f"({place[0]:.1f}, {place[1]:.1f})"


class Sentences:
    """Makes sentences about the events of one run.

    Parameters
    ----------
    names : names of the agents, by number.
    reason : returns why an agent has its role since a step; by default no reasons are known.
    """

    def __init__(self, names: Sequence[str], reason: Reason = lambda tick, agent: ""):  # noqa: ARG005
        self.names, self.reason = names, reason

    @classmethod
    def of_world(cls, world: World) -> Sentences:
        """Return sentences about the steps a world has made so far."""
        reasons = world.teamwork.role_reasons
        return cls(world.names, lambda tick, agent: reasons.get((tick, agent), ""))

    @classmethod
    def of_recording(cls, recording: Recording) -> Sentences:
        """Return sentences about a recording."""
        texts = lru_cache(maxsize=1)(recording.texts)
        return cls(recording.about.agents, lambda tick, agent: texts(tick).get((agent, REASON), ""))

    def __call__(self, event: AnyEvent) -> str:
        """Return the sentence of an event; for speech, the line spoken."""
        return SENTENCES[type(event)](self, event)

    def as_object(self, event: AnyEvent) -> dict[str, Any]:
        """Return kind and fields of an event and its sentence as `text`; fields with default values are left out."""
        fields: dict[str, Any] = msgspec.to_builtins(event)
        if isinstance(event, kinds.RuleOutcome) and event.near:
            fields["near"] = [{"rule": one.rule, "text": miss_words(one)} for one in event.near]
        fields.pop("definition", None)  # only repeating a run needs it
        return fields | {"agent": event.agent, "text": self(event)}

    def ending(self, ending: Ended | None) -> str:
        """Return how a run ended; empty if it was interrupted."""
        return "" if ending is None else self(ending)

    def name(self, agent: int) -> str:
        """Return the name of an agent."""
        return self.names[agent] if 0 <= agent < len(self.names) else "someone"

    def named(self, agents: Sequence[int]) -> str:
        """Return the names of agents, separated by commas."""
        return ", ".join(map(self.name, agents))


def ending_of(recording: Recording) -> Ended | None:
    """Return the event that ended a recorded run; None if it was interrupted or is still running."""
    last = recording.events(len(recording) - 1)
    return next((event for event in last if isinstance(event, Ended)), None)


def _crew(event: Any) -> str:
    return f"crew {event.crew} ({event.objective})"


def _predicted(of: Sentences, event: kinds.Predicted) -> str:
    because = _STOPS.get(event.reason, event.reason)
    after = f" after {article(event.stimulus)}" if event.stimulus else ""
    return f"{of.name(event.agent)} runs to {place_text(event.at)}, {event.metres:.0f} m away{after}: {because}"


def _searches(of: Sentences, event: kinds.Searches) -> str:
    words = {"investigate": "goes to", "support": "covers from"}.get(event.role, "looks at")
    return f"{of.name(event.agent)} {words} {place_text(event.at)}"


def _search_begins(of: Sentences, event: kinds.SearchBegins) -> str:
    return f"{_crew(event) if event.crew >= 0 else of.name(event.agent)} begins a search"


def _search_ends(sentence: str, reason: SearchEnd | None) -> str:
    return f"{sentence}: {reason}" if reason is not None else sentence


def _state(of: Sentences, event: kinds.StateChanged) -> str:
    return f"{of.name(event.agent)}: {f'{event.before} → ' if event.before else ''}{event.state}"


def _door(of: Sentences, event: kinds.DoorMoved) -> str:  # noqa: ARG001
    return f"{event.name or f'door {event.door + 1}'} {'shut' if event.shut else 'opened'}"


def _appeared(of: Sentences, event: kinds.Appeared) -> str:
    words = f"{of.name(event.agent)} appears at {place_text(event.at)}"
    return words if event.other < 0 else f"{words}, summoned by {of.name(event.other)}"


_TRAPPED = {"fell": "goes down in", "snare": "is held by", "noise": "sets off"}


def _trap(of: Sentences, event: kinds.TrapSprung) -> str:
    whose = f" of {of.name(event.other)}" if event.other >= 0 else ""
    return f"{of.name(event.agent)} {_TRAPPED[event.effect]} {event.trap or 'a trap'}{whose}"


def _found(of: Sentences, event: kinds.Found) -> str:
    name = of.name(event.agent)
    if event.thing == "theft":
        return f"{name} notices that {event.name} is gone"
    return (
        f"{name} notices that the light is off"
        if event.thing == "dark zone"
        else f"{name} finds {article(event.thing)}"
    )


def used_words(event: kinds.ObjectUsed) -> str:
    """Return what an agent does with an object, in the present tense."""
    match event.step, event.thing:
        case "begins", _:
            return f"begins to use {event.object} ({event.animation})"
        case "breaks off", _:
            return f"breaks off its use of {event.object} ({event.animation})"
        case "put", _:
            return f"puts {event.object} down at {place_text(event.at)}"
        case _, ObjectKind.ALARM:
            return f"rings {event.object}"
        case _, ObjectKind.SWITCH:
            return f"switches the light in {event.detail} {'on' if event.is_on else 'off'}"
        case _, ObjectKind.ITEM:
            return f"takes {event.object}"
        case _, ObjectKind.LOCKER if event.detail:
            return f"takes {event.detail} from {event.object}"
        case _, ObjectKind.BARRIER:
            return f"turns {event.object}, which now serves {event.detail}"
    return f"is done with {event.object} ({event.animation})"


def _trespasses(of: Sentences, event: kinds.Trespasses) -> str:
    guard, other, zone = of.name(event.agent), of.name(event.other), event.zone or "a restricted zone"
    words = {
        Trespass.WARNED: f"{guard} warns {other} off {zone}",
        Trespass.ESCORTED: f"{guard} escorts {other} out of {zone}",
        Trespass.WANTED: f"{guard} attacks {other} for staying in {zone}",
        Trespass.FREE: f"{other} has left and is let go",
    }
    return words[event.step]


def _attitude(of: Sentences, event: kinds.AttitudeChanged) -> str:
    words = f"{event.team} and {event.toward} are {event.attitude} from now on"
    return words if event.other < 0 else f"{words}: {of.name(event.other)} attacked {of.name(event.agent)}"


def _attacks(of: Sentences, event: kinds.Attacks) -> str:
    words = "strikes at" if event.blow == "strike" else "aims at"
    return f"{of.name(event.agent)} {words} {of.name(event.other)}"


def _hit(of: Sentences, event: kinds.Hit) -> str:
    return f"{of.name(event.agent)} hit {of.name(event.other)}, {event.health:g} of {event.most:g} left"


def _crew_changed(of: Sentences, event: kinds.CrewChanged) -> str:
    crew, why = _crew(event), "" if event.reason is None else _DEPARTURES[event.reason]
    match event.change:
        case kinds.CrewChange.FORMED:
            return f"{crew} is formed: {of.named(event.members)}"
        case kinds.CrewChange.JOINED:
            return f"{of.name(event.agent)} joins {crew}"
        case kinds.CrewChange.LEFT:
            return f"{of.name(event.agent)} leaves {crew}: {why}"
        case kinds.CrewChange.ENDED:
            return f"{crew} is over: {_over(of, event)}"


def _over(of: Sentences, event: kinds.CrewChanged | kinds.RoleChanged) -> str:
    """Return why a crew ended."""
    ended = event.reason if isinstance(event, kinds.CrewChanged) else event.departure
    words = "" if ended is None else _DEPARTURES[ended]
    return f"{of.named(event.lost)} {words}" if event.lost else words


def _role(of: Sentences, event: kinds.RoleChanged) -> str:
    name = of.name(event.agent)
    if event.loss is None:
        return f"{name}: {of.reason(event.tick, event.agent) or event.role}"
    if event.loss is RoleLoss.CREW_ENDED:
        why = f"the crew is over: {_over(of, event)}"
    else:
        why = _LOSSES.get(event.loss) or ("" if event.departure is None else _DEPARTURES[event.departure])
    return f"{name} loses the role {event.before}: {why}"


def _place(of: Sentences, event: kinds.PlaceChanged) -> str:
    return f"{of.name(event.agent)} changes its place: {of.reason(event.tick, event.agent) or event.role}"


def _talks(of: Sentences, event: kinds.Talks) -> str:
    begin, resume = ("begin the scene", "take up the scene") if event.is_scene else ("begin to talk", "go on talking")
    words = (resume if event.resumed else begin) + ("" if event.is_scene else " about")
    return f"{listed([of.name(one) for one in event.speakers])} {words} {event.topic}"


_SCENE_ACTS = {
    SceneAct.TALK: "talks",
    SceneAct.ARGUE: "argues with {other}",
    SceneAct.GIVE: "gives {other} {item}",
    SceneAct.INSPECT: "inspects {item}",
}


def _unreachable(of: Sentences, event: kinds.Unreachable) -> str:
    why = f"{of.named(event.lost)} did not get through" if event.lost else "no one got there in time"
    return f"{_crew(event)} gives up the area around {of.name(event.other)}: {why}"


def _hinted(of: Sentences, event: kinds.Hinted) -> str:
    words = ", ".join(f"{branch} {type_}" for branch, type_ in event.hints.items())
    return f"{of.name(event.agent)} gets hints: {words}" if words else f"{of.name(event.agent)} gets no more hints"


def _ended(of: Sentences, event: Ended) -> str:
    name, other = of.name(event.agent), of.name(event.other)
    match event.reason:
        case "caught":
            return f"{name} caught {other}"
        case "found":
            return f"{name} found {other} in {event.spot or 'a hiding place'}"
        case "beaten":
            return f"{other} went down, beaten by {name}"
        case "escaped":
            return f"{name} escaped"
        case "all calm":
            return "everyone is calm again"
        case "time over":
            return f"time limit of {event.seconds:g} s reached"
        case "brain failed" if event.state:
            return f"{name}: {event.error}; it was at {place_text(event.at)}, {event.state}; it {_knowledge(of, event)}"
        case "brain failed":
            return event.error
    return event.reason


def _knowledge(of: Sentences, event: Ended) -> str:
    if event.knew:
        more = f" and {len(event.knew) - _MOST} more" if len(event.knew) > _MOST else ""
        return f"knew of {', '.join(_known(of, one) for one in event.knew[:_MOST])}{more}"
    return f"watched {of.named(event.watched[:_MOST])} and knew nothing" if event.watched else "watched no one"


def _known(of: Sentences, known: KnownTarget) -> str:
    age = "" if known.age is None else f" {known.age:.1f} s ago"
    return f"{of.name(known.target)} at {place_text(known.at)}{age} ({known.source})"


_TRIGGERS = {
    "enters": "{agent} entered {detail}",
    "leaves": "{agent} left {detail}",
    "sees": "{agent} saw {target}",
    "loses": "{agent} lost {target}",
    "hears": "{agent} heard {sound}",
    "finds body": "{agent} found the body of {target}",
    "springs trap": "{agent} sprang a trap",
    "reaches state": "{agent} reached the state {detail}",
    "uses": "{agent} used {detail}",
    "crew ends": "the crew of {agent} ended",
    "fact holds": "{detail} began to hold",
}
"""What triggered a row of the script, by the trigger's event."""


def deed_words(event: kinds.Did) -> str:
    """Return what a rule chose: a name, or the values of its data, such as an achievement and its points."""
    try:
        data = msgspec.json.decode(event.action)
    except msgspec.DecodeError:
        return event.action
    if not isinstance(data, dict):
        return event.action
    title = data.pop("achievement", None)
    words = [] if title is None else [f"achievement “{title}”"]
    points = data.pop("points", None)
    words += [f"{key.replace('_', ' ')} {value}" for key, value in data.items()]
    return ", ".join([*words, *([] if points is None else [f"{points} points"])])


def scripted_words(event: kinds.Scripted, name: Callable[[int], str]) -> str:
    """Return what a script did, and what triggered it."""
    value = str(event.value).lower() if isinstance(event.value, bool) else event.value
    done = f"{event.action} {event.subject}".strip() + ("" if value is None else f" to {value}")
    if event.toward:
        done = f"{event.subject} and {event.toward} become {value}"
    if not event.trigger:
        return done
    sound = article(event.detail) if event.trigger == "hears" else ""
    why = _TRIGGERS[event.trigger].format(
        agent=name(event.other), target=name(event.target), detail=event.detail, sound=sound
    )
    return f"{done}, because {why}"


_STUNG = {
    "attacks": "the swarm attacks {}",
    "lets off": "the swarm lets {} off",
    "fells": "{} goes down in the swarm",
}

SENTENCES: dict[type[kinds.Event], Callable[[Sentences, Any], str]] = {
    kinds.Sees: lambda of, event: f"{of.name(event.agent)} sees {of.name(event.other)}",
    kinds.Lost: lambda of, event: f"{of.name(event.agent)} lost {of.name(event.other)}",
    kinds.Heard: lambda of, event: f"{article(event.sound)} is heard",  # noqa: ARG005
    kinds.Found: _found,
    kinds.Missing: lambda of, event: f"{of.name(event.agent)} misses {of.name(event.other)}",
    kinds.Predicted: _predicted,
    kinds.Searches: _searches,
    kinds.SearchBegins: _search_begins,
    kinds.SearchStarted: lambda of, event: f"{article(event.mode)} search starts",  # noqa: ARG005
    kinds.PhaseAdvanced: lambda of, event: f"{of.name(event.agent)} begins to sweep: the place is empty",
    kinds.InvestigatorMissing: lambda of, event: f"{of.name(event.agent)} did not come back",
    kinds.SearchEnded: lambda of, event: _search_ends("the search ends", event.reason),  # noqa: ARG005
    kinds.SearchOver: lambda of, event: "the search is over",  # noqa: ARG005
    kinds.StandsDown: lambda of, event: f"{of.name(event.agent)} knows that {of.name(event.other)} is out of the game",
    kinds.GivesUp: lambda of, event: _search_ends(f"{of.name(event.agent)} gives up", event.reason),
    kinds.Investigates: lambda of, event: f"{of.name(event.agent)} looks into {article(event.stimulus)}",
    kinds.Suspects: lambda of, event: f"{of.name(event.agent)} goes to see what is there",
    kinds.Approaches: lambda of, event: f"{of.name(event.agent)} goes in",
    kinds.PicksPlace: lambda of, event: f"{of.name(event.agent)} picks {place_text(event.at)}, as {event.query} says",
    kinds.StateChanged: _state,
    kinds.Hid: lambda of, event: f"{of.name(event.agent)} hid in {event.spot or 'a hiding place'}",
    kinds.CameOut: lambda of, event: f"{of.name(event.agent)} came out of hiding",
    kinds.Opened: lambda of, event: f"{of.name(event.agent)} opened {event.spot or 'a hiding place'}",
    kinds.FoundHiding: lambda of, event: (
        f"{of.name(event.agent)} found {of.name(event.other)} in {event.spot or 'a hiding place'}"
    ),
    kinds.DoorMoved: _door,
    kinds.Threw: lambda of, event: f"{of.name(event.agent)} threw {thrown(event)}",
    kinds.Blinked: lambda of, event: f"{of.name(event.agent)} blinks to {place_text(event.at)}",
    kinds.LeftDecoy: lambda of, event: f"{of.name(event.agent)} leaves a decoy",
    kinds.DecoyGone: lambda of, event: (
        f"the decoy of {of.name(event.agent)} vanishes"
        + (f": {of.name(event.other)} came up to it" if event.other >= 0 else "")
    ),
    kinds.TimeStopped: lambda of, event: f"{of.name(event.agent)} stops time",
    kinds.TimeResumed: lambda of, event: f"time goes on; {of.name(event.agent)} is at {place_text(event.at)}",
    kinds.Possessed: lambda of, event: f"{of.name(event.agent)} takes control of {of.name(event.other)}",
    kinds.Released: lambda of, event: f"{of.name(event.agent)} comes out of {of.name(event.other)}: {event.reason}",
    kinds.CameTo: lambda of, event: f"{of.name(event.agent)} comes to",
    kinds.Travelled: lambda of, event: f"{of.name(event.agent)} travels to the state {event.state}",
    kinds.SwarmActs: lambda of, event: f"{event.swarm}: {_STUNG[event.step].format(of.name(event.agent))}",
    kinds.SetTrap: lambda of, event: f"{of.name(event.agent)} sets a trap",
    kinds.AlarmRaised: lambda of, event: f"{of.name(event.agent)} raised the alarm",
    kinds.Appeared: _appeared,
    kinds.Caught: lambda of, event: f"{of.name(event.agent)} caught {of.name(event.other)}",
    kinds.Contact: lambda of, event: f"{of.name(event.agent)} and {of.name(event.other)} run into each other",
    kinds.AttitudeChanged: _attitude,
    kinds.TrapSprung: _trap,
    kinds.ObjectUsed: lambda of, event: f"{of.name(event.agent)} {used_words(event)}",
    kinds.Trespasses: _trespasses,
    kinds.Sheltered: lambda of, event: (
        f"{of.name(event.agent)} {'is left alone in a safe zone' if event.is_safe else 'is no longer safe'}"
    ),
    kinds.Scripted: lambda of, event: scripted_words(event, of.name),
    kinds.TreeChanged: lambda of, event: f"starts again with the edited tree {event.brain}",  # noqa: ARG005
    kinds.Placed: lambda of, event: f"moved by hand to {place_text(event.at)}",  # noqa: ARG005
    kinds.InputChanged: lambda of, event: f"the input to {of.name(event.agent)} changes",
    kinds.Attacks: _attacks,
    kinds.Hit: _hit,
    kinds.Missed: lambda of, event: f"{of.name(event.agent)} missed {of.name(event.other)}: {event.reason}",
    kinds.LineCrossed: lambda of, event: f"{of.name(event.other)} is in the line of {of.name(event.agent)}'s shot",
    kinds.Fell: lambda of, event: f"{of.name(event.agent)} went down, beaten by {of.name(event.other)}",
    Casualty: lambda of, event: f"squad of {of.name(event.agent)}: {event.count} down, {event.left} left",
    Refuses: lambda of, event: f"{of.name(event.agent)} will not go where {of.name(event.other)} was hit",
    NowhereToGo: lambda of, event: f"{of.name(event.agent)}, under fire, has nowhere to go",
    kinds.CrewChanged: _crew_changed,
    kinds.RoleChanged: _role,
    kinds.PlaceChanged: _place,
    kinds.Talks: _talks,
    kinds.SceneActed: lambda of, event: (
        f"{of.name(event.agent)} {_SCENE_ACTS[event.act].format(other=of.name(event.other), item=event.item)}"
    ),
    kinds.ShrugsOff: lambda of, event: f"{of.name(event.agent)} thinks nothing of {article(event.stimulus)}",
    kinds.Unreachable: _unreachable,
    kinds.Sprung: lambda of, event: f"{_crew(event)} springs on {of.name(event.other)}",
    kinds.Hinted: _hinted,
    kinds.Said: lambda of, event: event.line,  # noqa: ARG005
    kinds.Did: lambda of, event: f"{event.speaker or of.name(event.agent)}: {deed_words(event)}",
    kinds.RuleFault: lambda of, event: f"{event.variable} cannot be read: {event.error}",  # noqa: ARG005
    kinds.Ended: _ended,
}
"""The sentence of each kind of event."""
