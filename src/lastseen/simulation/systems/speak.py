"""Speak: say the lines of trees, and say and do what the scenario's rules choose."""

from __future__ import annotations

from typing import Any

import msgspec

from ...agents.rules.speech.utterance import Bark, Utterance
from ...vocabulary.events import Caught, Did, RuleFault, Said
from ..world.world import World

_MOST_AWARDS = 10
"""Maximum number of achievements granted in one step."""


def speak(world: World) -> None:
    """Say the lines of trees as they are, then those of rules: answers that are due, then the most urgent first."""
    for agent, line in world.orders.lines:
        world.happened(Said(world.tick, agent, at=world.place_of(agent), line=line))
    if world.talk is None:
        return
    speech, voices, now = world.talk.speech, world.talk.voices, world.time
    voices.chronicle.note(world.events, now)
    if world.acts.stopper >= 0:
        return
    asides = voices.asides(world.events)
    said = [speech.choose(bark, now=now) for bark in voices.moves(world.events, now)]
    barks = [voices.bark(*reason) for reason in world.orders.barks]
    asides += [bark for bark in barks if voices.side(bark.speaker) == "intruder"]
    barks = [bark for bark in barks if voices.side(bark.speaker) != "intruder"]
    barks += [voices.bark(event.agent, "CAUGHT") for event in world.events if isinstance(event, Caught)]
    barks += voices.squad_talk(world.losses.due)
    barks += voices.small_talk(now, _busy(world))
    said += [speech.choose(bark, "barks", now=now) for bark in asides]
    said += speech.advance(now)
    if barks:
        said += speech.bark_many(barks, now=now)
    for one in said:
        if one is not None:
            _report(world, one)
    award(world)
    for path, words in speech.news():
        world.happened(RuleFault(world.tick, variable=path, error=words))


def award(world: World) -> None:
    """Let the rules of the level's achievements judge what has happened, as often as one of them fires."""
    if world.talk is None or not world.events:
        return
    voices = world.talk.voices
    if world.ending is not None:
        voices.chronicle.note([world.ending], world.time)
    for _ in range(_MOST_AWARDS):
        found = world.talk.speech.choose(Bark(voices.level), "achievements", now=world.time)
        if found is None:
            return
        _report(world, found)


def _busy(world: World) -> set[int]:
    """Return agents that have something more urgent to say, talk with their crew, or have just heard a sound."""
    waiting = world.cast.watchers[world.attention.reacting.sounds.waiting].tolist()
    given = enumerate(world.teamwork.directions)
    talking = {agent for agent, direction in given if direction is not None and "topic" in direction.values}
    return {agent for agent, *_ in world.orders.barks} | set(waiting) | talking


def _report(world: World, said: Utterance) -> None:
    """Report a line or a deed with its rule, the facts it used, and rules that nearly fired instead."""
    assert isinstance(said.speaker, int)
    assert world.talk is not None
    is_agent = said.speaker < len(world.names)
    outcome: dict[str, Any] = {
        "at": None if said.speaker == world.talk.voices.level else world.talk.voices.place(said.speaker),
        "other": said.to if isinstance(said.to, int) else -1,
        "rule": said.rule,
        "handler": said.handler,
        "source": said.source,
        "facts": {path: round(value, 3) if isinstance(value, float) else value for path, value in said.facts.items()},
        "near": said.misses,
        "asked": said.asked if said.asked != said.handler else "",
        "tier": said.tier,
        "speaker": "" if is_agent else world.talk.voices.name(said.speaker),
    }
    agent = said.speaker if is_agent else -1
    if said.is_deed:
        action = said.action if isinstance(said.action, str) else msgspec.json.encode(said.action).decode()
        world.happened(Did(world.tick, agent, action=action, **outcome))
        return
    world.happened(
        Said(
            world.tick,
            agent,
            **outcome,
            line=said.text,
            seconds=round(said.seconds, 3),
            turn=said.turn,
            interrupts=tuple(one for one in said.interrupts if isinstance(one, int)),
            line_id=said.line_id,
            tags=dict(said.tags),
        )
    )
