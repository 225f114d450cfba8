"""Nobody reacts in the moment (chapter 5): sounds and sights come to mind after a delay of their own."""

from __future__ import annotations

import numpy as np
import pytest

from lastseen.errors import ScenarioError
from lastseen.simulation.game_loop import step
from lastseen.simulation.scenario.reader import parse_scenario
from lastseen.simulation.world.setup import make_world
from lastseen.simulation.world.world import World

STEP = 1 / 30


def make(text: str, *, seed: int = 0, **keys: str) -> World:
    keys = {"level": "hall", "seconds": "30", "ends": "[]", **keys}
    return make_world(parse_scenario("".join(f"{key}: {value}\n" for key, value in keys.items()) + text), seed=seed)


TWO = "agents:\n  - {name: Cole, at: [4, 4]}\n  - {name: you, brain: puppet, at: [12, 4]}\n"
ONE = "agents:\n  - {name: Cole, at: [8, 4], heading: 1.57}\n"


def heard_after(kind: str, *, place: str = "[9, 9]", seed: int = 0, **keys: str) -> float:
    """Seconds from a sound to the step in which the guard does anything about it."""
    world = make(f"{ONE}script:\n  - {{at: 1.0, do: sound, kind: {kind}, place: {place}}}\n", seed=seed, **keys)
    made, state = 0.0, int(world.state[0])
    while world.time < 4.0:
        begun = world.time
        step(world)
        if world.senses.heard is not None and world.senses.heard.heard.any() and not made:
            made = begun
        if made and (int(world.state[0]) != state or any(event.kind == "heard" for event in world.events)):
            return begun - made
    raise AssertionError("it never reacted")


@pytest.mark.parametrize("kind", ["bottle", "gunshot"])
def test_sounds_are_reacted_to_after_at_least_the_simple_reaction_of_the_chapter(kind: str) -> None:
    for seed in range(3):
        assert 0.16 - 1e-9 <= heard_after(kind, seed=seed) < 0.9
    assert heard_after(kind, reaction="at once") == 0.0


def test_a_faint_sound_takes_longer_than_a_loud_one() -> None:
    near, far = (heard_after("bottle", place=f"[8, {y}]", reaction="usual") for y in ("4.5", "16"))
    assert far > near + 0.1


def test_each_sight_and_each_sound_has_a_delay_of_its_own() -> None:
    world = make(
        f"{TWO}script:\n"
        + "".join(
            f"  - {{at: {3 * k + 2}, do: place, agent: you, place: [2, 4]}}\n"
            f"  - {{at: {3 * k + 4}, do: place, agent: you, place: [12, 4]}}\n"
            for k in range(6)
        ),
        level="corridor",
        reaction="inattentive",
        step="0.02",
    )
    world.trees[0] = None  # it stands and looks
    delays, begun = [], 0.0
    was, acted = False, False
    while world.time < 20.0:
        now = world.time
        step(world)
        assert world.senses.sightings is not None
        sees = bool(world.senses.sightings.identified[0, 0])
        begun = now if sees and not was else begun
        if world.attention.seen[0] == 0 and not acted:
            delays.append(round(now - begun, 3))
        was, acted = sees, world.attention.seen[0] == 0
    assert len(delays) >= 6
    assert min(delays) >= 0.38 - 1e-9
    assert len(set(delays)) >= 3, "not one for the pair"


def test_what_comes_into_view_is_noticed_after_a_simple_reaction_and_known_after_telling_friend_from_foe() -> None:
    for name, simple, go in (("usual", 0.2, 0.38), ("at once", 0.0, 0.0)):
        world = make(TWO, level="corridor", reaction=name)
        noticed = known = -1.0
        while known < 0.0:
            now = world.time
            step(world)
            source = int(world.knowledge.arrays.source[0, 0])
            if source and noticed < 0.0:
                noticed = now
            if world.knowledge.arrays.identified[0, 0]:
                known = now
            assert world.knowledge.arrays.identified[0, 0] == (world.attention.seen[0] == 0)
            assert world.time < 5.0
        assert simple <= noticed + 1e-9 <= simple + 2 * STEP
        assert go <= known + 1e-9 <= go + 2 * STEP


def test_a_door_left_open_and_a_body_take_a_moment_too() -> None:
    text = """agents:
  - {name: Cole, at: [4, 4]}
  - {name: Dane, at: [9, 4]}
script:
  - {at: 1.0, do: fell, agent: Dane}
"""
    world = make(text, level="corridor", reaction="usual")
    found = []
    while not found:
        now = world.time
        step(world)
        found = [now for event in world.events if event.kind == "found"]
        assert world.time < 5.0
    assert 1.2 - 1e-9 <= found[0] <= 1.2 + 2 * STEP


def test_an_agent_may_be_quicker_than_the_others() -> None:
    text = """agents:
  - {name: Cole, at: [8, 4], heading: 1.57, reaction: at once}
  - {name: Dane, at: [8, 14], heading: -1.57}
script:
  - {at: 1.0, do: sound, kind: gunshot, place: [8, 9]}
"""
    world = make(text, reaction="usual")
    changed: dict[int, float] = {}
    while len(changed) < 2:
        now = world.time
        step(world)
        for agent in np.flatnonzero(world.state).tolist():
            changed.setdefault(agent, now)
        assert world.time < 5.0
    assert changed[0] < 1.05
    assert changed[1] >= changed[0] + 0.16
    with pytest.raises(ScenarioError, match="no reaction 'at onec'"):
        make("agents:\n  - {name: Cole, at: [8, 4], reaction: at onec}\n")


def test_delays_are_the_same_with_the_same_seed_and_others_with_another() -> None:
    shots = [heard_after("bottle", seed=seed, step="0.01") for seed in (1, 1, 2, 3, 4)]
    assert shots[0] == shots[1]
    assert len(set(shots)) > 1


def test_nobody_begins_small_talk_while_it_wonders_what_it_heard() -> None:
    said = {}
    for shot in (False, True):
        world = make(ONE, reaction="usual")
        assert world.talk is not None
        world.talk.voices._talks_at[:] = 1.1
        if shot:
            world = make(f"{ONE}script:\n  - {{at: 1.0, do: sound, kind: gunshot, place: [9, 9]}}\n", reaction="usual")
            assert world.talk is not None
            world.talk.voices._talks_at[:] = 1.1
        said[shot] = []
        while world.time < 1.4:
            step(world)
            said[shot] += [event.line for event in world.events if event.kind == "said"]
    assert said[False], "else it would have"
    assert not any(words in said[False] for words in said[True])
    assert "Well lit, wide open and empty. Good." not in said[True]
