"""Speak: say the lines of trees, and lines that the scenario's rules choose."""

from __future__ import annotations

from ...agents.rules.speech.utterance import Utterance
from ...vocabulary.events import Caught, RuleFault, Said
from ..world.world import World


def speak(world: World) -> None:
    """Say the lines of trees as they are, then those of rules: answers that are due, then the most urgent first."""
    for agent, line in world.orders.lines:
        world.happened(Said(world.tick, agent, at=world.place_of(agent), line=line))
    if world.talk is None:
        return
    speech, voices, now = world.talk.speech, world.talk.voices, world.time
    voices.chronicle.note(world.events, now)
    barks = [voices.bark(*reason) for reason in world.orders.barks]
    barks += [voices.bark(event.agent, "CAUGHT") for event in world.events if isinstance(event, Caught)]
    barks += voices.small_talk(now, _busy(world))
    said = speech.advance(now)
    if barks:
        said += speech.bark_many(barks, now=now)
    for one in said:
        _report(world, one)
    for path, words in speech.news():
        world.happened(RuleFault(world.tick, variable=path, error=words))


def _busy(world: World) -> set[int]:
    """Return agents that have something more urgent to say, talk with their crew, or have just heard a sound."""
    waiting = world.cast.watchers[world.attention.reacting.sounds.waiting].tolist()
    given = enumerate(world.teamwork.directions)
    talking = {agent for agent, direction in given if direction is not None and "topic" in direction.values}
    return {agent for agent, *_ in world.orders.barks} | set(waiting) | talking


def _report(world: World, said: Utterance) -> None:
    """Report a line with its rule, the facts it used, and rules that nearly fired instead."""
    assert isinstance(said.speaker, int)
    facts = {path: round(value, 3) if isinstance(value, float) else value for path, value in said.facts.items()}
    world.happened(
        Said(
            world.tick,
            said.speaker,
            at=world.place_of(said.speaker),
            other=said.to if isinstance(said.to, int) else -1,
            line=said.text,
            rule=said.rule,
            handler=said.handler,
            source=said.source,
            facts=facts,
            near=said.misses,
            seconds=round(said.seconds, 3),
            asked=said.asked if said.asked != said.handler else "",
            tier=said.tier,
            turn=said.turn,
            interrupts=tuple(one for one in said.interrupts if isinstance(one, int)),
            line_id=said.line_id,
            tags=dict(said.tags),
        )
    )
