"""Guards patrol, notice, investigate, engage, chase, search, give up and return."""

from __future__ import annotations

import math
import re
import tempfile
from pathlib import Path

import numpy as np
import pytest

from lastseen.agents.behaviour.registry import Registry
from lastseen.agents.behaviour.status import Status
from lastseen.agents.brains.leaves.registry import brain_leaves
from lastseen.agents.brains.mind import Mind
from lastseen.errors import ScenarioError
from lastseen.simulation.game_loop import run, step
from lastseen.simulation.scenario.reader import parse_scenario
from lastseen.simulation.world.setup import make_world
from lastseen.simulation.world.world import World
from lastseen.views.prose.sentences import Sentences
from specimens.worlds import Play

ROOMS = """
level: rooms
seconds: 200
step: 0.1
agents:
  - {name: Ames, patrol: east room}
  - {name: you, brain: puppet, at: [2.5, 2.5]}
"""


def test_a_guard_walks_its_patrol_and_nothing_else_while_nothing_happens() -> None:
    play, stops = Play(ROOMS), set()
    play.run(40.0, lambda world: stops.add(world.minds[0].blackboard["patrol_at"]))
    assert play.states["Ames"] == ["patrol"]
    assert set(play.kinds("Ames")) <= {"state", "door", "did"}  # Rules choose what it does when idle.
    assert stops == set(range(len(play.world.level.patrols[0].stops)))


def test_who_stands_before_a_guard_is_seen_run_to_and_caught() -> None:
    text = "level: corridor\nagents:\n  - {name: Ames, at: [4, 4]}\n  - {name: you, brain: puppet, at: [12, 4]}\n"
    play = Play(text).run(20.0)
    assert play.outcome.reason == "caught"
    assert play.states["Ames"][-1] == "engage"


def test_nothing_hostile_happens_before_the_reaction_time_is_over() -> None:
    text = "level: corridor\nagents:\n  - {name: Ames, at: [4, 4]}\n  - {name: you, brain: puppet, at: [12, 4]}\n"
    play = Play(text)
    first_look = math.inf
    while "engage" not in play.states["Ames"]:
        play.run(1 / 30)
        assert play.world.senses.sightings is not None
        if play.world.senses.sightings.identified.any():
            first_look = min(first_look, play.world.time)
        assert play.world.time < 5.0
    assert play.world.time - first_look >= 0.38 - 1 / 30


def test_a_guard_that_loses_somebody_chases_searches_gives_up_and_goes_back() -> None:
    text = """
level: corridor
seconds: 200
step: 0.1
search_seconds: 10
agents:
  - {name: Ames, at: [6, 4], heading: 0.0, patrol: beat}
  - {name: you, brain: puppet, at: [14, 4]}
script:
  - {at: 1.5, do: remove, agent: you}
"""
    gazes: list[float] = []
    play = Play(text).run(60.0, lambda world: gazes.append(float(world.bodies.gaze[0])))
    order = [state for state in play.states["Ames"] if state != "suspicious"]
    assert order[-1] == "patrol"
    wanted = ["engage", "chase", "search", "patrol"]
    assert [state for state in order if state in wanted][-4:] == wanted
    flood = play.of_kind("flood")[0]
    assert flood.predictor == "belief"
    assert flood.reason in ("too_many", "max_steps", "no_cells")
    assert play.of_kind("searches")
    barks = {event.facts["bark.trigger"]: event.tick for event in reversed(play.of_kind("said"))}
    assert barks["SEARCH"] < barks["GIVE_UP"]
    turned = gazes[barks["SEARCH"] - 25 :][:25]
    assert {int(gaze // (math.pi / 2)) % 4 for gaze in turned} == {0, 1, 2, 3}, "it looks around before it searches"
    assert not play.world.hunt.search.layer.values.any(), "the layer is clean after the end"


def test_a_thrown_bottle_draws_exactly_one_of_two_guards_who_then_goes_back_to_its_post() -> None:
    text = """
level: hall
seconds: 100
step: 0.1
agents:
  - {name: Cole, at: [8, 4], heading: 1.57}
  - {name: Dane, at: [8, 14], heading: -1.57}
  - {name: you, brain: puppet, at: [30, 9]}
script:
  - {at: 1.0, do: sound, kind: bottle, place: [9, 9]}
"""
    play = Play(text)
    play.world.bodies.mode[2] = 3
    play.run(25.0)
    assert len(play.of_kind("investigates")) == 1
    names = {play.world.names[event.agent] for event in play.of_kind("investigates")}
    assert len(names) == 1
    other = ({"Cole", "Dane"} - names).pop()
    assert play.states[other] == ["patrol"]
    assert play.states[names.pop()] == ["patrol", "suspicious", "return", "patrol"]
    home = np.linalg.norm(play.world.bodies.xyz[:2] - play.world.cast.home[:2], axis=1)
    assert home.max() <= 0.6


def test_a_body_is_found_and_looked_into() -> None:
    text = """
level: corridor
seconds: 60
agents:
  - {name: Ames, at: [4, 4], heading: 0.0}
  - {name: Bell, at: [12, 4], heading: 0.0}
script:
  - {at: 0.5, do: fell, agent: Bell}
"""
    play = Play(text).run(15.0)
    assert [event.thing for event in play.of_kind("found")] == ["body"]
    assert "suspicious" in play.states["Ames"]


MISSED = """
level: {level}
seconds: 60
step: {step}
agents:
  - {{name: Cole, at: {cole}, heading: {away}}}
  - {{name: Dane, at: {dane}, heading: 0.0}}
script:
  - {{at: 12.0, do: fell, agent: Dane}}
"""


@pytest.mark.parametrize("step", [1 / 30, 0.4])
def test_a_colleague_who_falls_silent_is_missed_after_ten_and_five_seconds(step: float) -> None:
    play = Play(MISSED.format(level="corridor", step=step, cole="[10, 4]", dane="[16, 4]", away=3.14)).run(30.0)
    missed = play.of_kind("missing")
    assert len(missed) == 1
    assert missed[0].tick * play.world.step == pytest.approx(17.0, abs=max(0.25, 2 * step))
    assert "suspicious" in play.states["Cole"]


def test_nobody_is_missed_through_a_wall_with_the_door_shut() -> None:
    text = MISSED.format(level="rooms", step=0.1, cole="[10.0, 2.0]", dane="[13.0, 2.0]", away=1.57)
    assert not Play(text).run(25.0).of_kind("missing")


def test_one_lost_while_another_is_seen_is_lost_all_the_same_and_searched_for() -> None:
    text = """
level: corridor
seconds: 60
ends: []
search_seconds: 30
agents:
  - {name: Cole, at: [6, 4], heading: 0.0}
  - {name: near, brain: puppet, at: [11, 4]}
  - {name: far, brain: puppet, at: [16, 3.5]}
script:
  - {at: 1.3, do: remove, agent: near}
"""
    play = Play(text).run(2.5)
    assert [play.world.names[event.other] for event in play.of_kind("lost")] == ["near"]
    assert play.world.hunt.is_on(play.world.time)


def test_leaves_of_ones_own_run_in_a_scenario() -> None:
    registry = Registry().include(brain_leaves())
    seen: list[str] = []

    @registry.action
    def note(mind: Mind) -> Status:
        seen.append(mind.name)
        return Status.SUCCESS

    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "own.yaml").write_text("root: note\n")
        text = "level: rooms\nagents:\n  - {name: A, at: [2, 2], brain: own.yaml, team: guards}\n"
        with pytest.raises(ScenarioError, match="note"):
            parse_scenario(text, folder=folder)
        world = make_world(parse_scenario(text, folder=folder, leaves=registry))
    step(world)
    assert seen == ["A"]


def test_one_in_a_wardrobe_is_found_by_a_search_that_opens_it() -> None:
    text = """
level: corridor
seconds: 200
step: 0.1
search_seconds: 120
ends: [found, caught]
agents:
  - {name: Ames, at: [6, 4], heading: 0.0}
  - {name: you, brain: puppet, at: [14, 4]}
"""
    play = Play(text)
    hiding = play.world.level.hiding_places[0]

    def hide(world: World) -> None:
        if world.time > 1.2 and world.bodies.mode[1] == 0:
            world.bodies.xyz[1] = hiding.xyz
            world.bodies.mode[1] = 1
            world.acts.hidden_in[1] = 0

    play.run(150.0, hide)
    assert play.outcome.reason == "found"


def test_the_same_seed_gives_the_same_digest_and_another_seed_another() -> None:
    text = "level: hall\nseconds: 20\nstep: 0.1\nseed: {}\n"
    digests = [Play(text.format(seed)).run(20.0).outcome.digest for seed in (1, 1, 2)]
    assert digests[0] == digests[1]
    assert digests[0] != digests[2]


def test_a_runner_is_heard_through_an_open_door_and_not_through_a_shut_one() -> None:
    heard = {}
    for word in ("open", "close"):
        text = f"""
level: rooms
seconds: 20
agents:
  - {{name: Ames, at: [14, 2.0], heading: 0.0}}
  - {{name: you, brain: puppet, at: [9, 5.5]}}
script:
  - {{at: 0.0, do: {word} door, door: door 1}}
  - {{at: 2.0, do: sound, kind: voice, place: [9, 5.5], agent: you}}
"""
        play = Play(text)
        play.world.bodies.mode[1] = 1
        play.run(4.0)
        heard[word] = any(event.sound == "voice" for event in play.of_kind("heard"))
    assert heard == {"open": True, "close": False}


def test_guards_shut_the_doors_they_opened_and_notice_those_left_open() -> None:
    text = """
level: rooms
seconds: 60
agents:
  - {name: Ames, at: [20, 5.5], heading: 3.14}
  - {name: you, brain: puppet, at: [3, 2]}
script:
  - {at: 0.0, do: close door, door: door 1}
"""
    play = Play(text).run(1.0)
    from lastseen.simulation.systems.act import set_door

    play.world.bodies.mode[1] = 1
    set_door(play.world, 0, shut=False, by=1)
    play.run(3.0)
    assert [event.thing for event in play.of_kind("found")] == ["open door"]


def test_a_brain_that_raises_ends_the_episode_with_its_path_in_the_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    play = Play(ROOMS)
    tree = play.world.trees[0]
    assert tree is not None

    def broken(*_: object) -> None:
        raise ZeroDivisionError("patrol upside down")

    monkeypatch.setattr(tree.find("follow_patrol"), "tick", broken)
    play.run(5.0)
    assert play.outcome.reason == "brain failed"
    assert "follow_patrol" in play.ending
    assert "patrol upside down" in play.ending
    assert "Ames" in play.ending
    assert "watched you and knew nothing" in play.ending


SEEN = """
level: corridor
seconds: 6
seed: {seed}
ends: []
agents:
  - {{name: Ames, at: [6, 4], heading: 0.0, brain: {brain}}}
  - {{name: you, brain: puppet, at: [10, 4]}}
"""


def _leaves_that_fail_for(seed: int) -> Registry:
    """Return the leaves of brains, and one that raises at 2 s in the world of one seed."""
    leaves = Registry().include(brain_leaves())

    @leaves.action
    def think_hard(mind: Mind) -> Status:
        if mind.world.cast.seed == seed and mind.time >= 2.0:
            raise ZeroDivisionError("too hard")
        return Status.RUNNING

    return leaves


def test_a_brain_that_raises_ends_its_own_episode_with_its_last_knowledge_and_the_others_go_on(tmp_path: Path) -> None:
    (tmp_path / "thinker.yaml").write_text("trees: {thinker: {sequence: [think_hard]}}")
    outcomes, ends = [], []
    for seed in range(3):
        text = SEEN.format(seed=seed, brain="thinker.yaml")
        world = make_world(parse_scenario(text, folder=tmp_path, leaves=_leaves_that_fail_for(1)))
        outcomes.append(run(world, each=lambda now: ends.extend(e for e in now.events if e.kind == "end")))
    assert [one.reason for one in outcomes] == ["time over", "brain failed", "time over"]
    assert outcomes[1].seconds == pytest.approx(2.0, abs=0.1)
    words = r"Ames: sequence/think_hard: raised ZeroDivisionError: too hard "
    words += r"\(.*test_guards_at_work\.py:\d+, in think_hard\); it was at \(6\.0, 4\.0\), patrol; it "
    assert re.fullmatch(
        words + r"knew of you at \(10\.0, 4\.0\) 0\.0 s ago \(sight\)",
        Sentences(world.names).ending(outcomes[1].ending),
    )
    failed = ends[1]
    assert failed.path == "sequence/think_hard"
    assert failed.reason == "brain failed"
    assert [(one.target, one.at[:2], one.source) for one in failed.knew] == [(1, (10.0, 4.0), "sight")]
