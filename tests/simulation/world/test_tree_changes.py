"""Trees replaced in a running world: checked first, taken over in the next step, recorded, and repeated to the bit."""

from __future__ import annotations

from pathlib import Path

import pytest

from lastseen.agents.behaviour.files.definition import TreeFileError
from lastseen.agents.behaviour.files.read import parse_trees
from lastseen.agents.brains.leaves.registry import BLACKBOARD
from lastseen.agents.brains.shipped_brains import brain_text
from lastseen.errors import InputError
from lastseen.simulation import Recording, account_of, make_world, outcome, record, replace_tree, shipped_scenario, step
from lastseen.vocabulary.events import TreeChanged

STAND = "trees: {stand: {sequence: [{be: {state: suspicious}}, {set_key: {key: $mine, value: 3}}, stand_still]}}"


def world_of(name="distraction"):
    setting = shipped_scenario(name)
    return make_world(setting), setting


def run(world, steps):
    for _ in range(steps):
        step(world)


def guards_of(setting):
    return tuple(number for number, spec in enumerate(setting.agents) if spec.brain == "guard")


def test_agents_start_again_with_the_new_tree_in_the_next_step_and_the_world_stays():
    world, setting = world_of()
    run(world, 60)
    agents = guards_of(setting)
    places, before = world.bodies.xyz.copy(), [world.trees[agent] for agent in agents]
    others = [tree for agent, tree in enumerate(world.trees) if agent not in agents]
    known = world.knowledge.arrays.time.copy()
    for agent in agents:
        world.minds[agent].blackboard["left over"] = 1
    assert replace_tree(world, setting, "guard", parse_trees(STAND)) == agents
    assert [world.trees[agent] for agent in agents] == before, "not before the step"
    assert (world.bodies.xyz == places).all()
    assert (world.knowledge.arrays.time == known).all()
    step(world)
    (event,) = (one for one in world.events if isinstance(one, TreeChanged))
    assert (event.tick, event.agent, event.agents, event.brain) == (60, agents[0], agents, "guard")
    assert event.lines.splitlines()[0] == "sequence"
    assert [tree for agent, tree in enumerate(world.trees) if agent not in agents] == others
    for agent, old in zip(agents, before):
        assert world.trees[agent].running[0].label == "stand_still"
        assert not old.running, "nodes of the old tree have ended"
        assert world.minds[agent].state == "suspicious"
        wanted = dict(BLACKBOARD) | dict(setting.agents[agent].settings) | {"mine": 3}
        assert {key: world.minds[agent].blackboard[key] for key in wanted if key != "patrol"} == {
            key: value for key, value in wanted.items() if key != "patrol"
        }
        assert "left over" not in world.minds[agent].blackboard
        assert not world.orders.arrays.going[agent]
    run(world, 5)
    assert not any(isinstance(one, TreeChanged) for one in world.events), "once"


def test_the_same_edit_at_the_same_step_gives_the_same_digest_and_another_step_does_not():
    def digest(at, text=STAND):
        world, setting = world_of()
        run(world, at)
        if text:
            replace_tree(world, setting, "guard", parse_trees(text))
        run(world, 150 - at)
        return outcome(world).digest

    assert digest(60) == digest(60)
    assert digest(60) != digest(61)
    assert digest(60) != digest(60, "")


def test_a_tree_replaced_by_itself_at_the_start_changes_nothing():
    plain, _ = world_of()
    world, setting = world_of()
    replace_tree(world, setting, "guard", parse_trees(brain_text("guard")))
    run(world, 100)
    run(plain, 100)
    assert outcome(world).digest == outcome(plain).digest


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("trees: {a: {sequence: [no_such_leaf]}}", "no_such_leaf"),
        ("trees: {a: {go_to: {gait: crawl}}}", "'crawl'"),
        ("trees: {a: {choose_place: {query: mine.yaml}}}", "did not load the query 'mine.yaml'"),
        ("trees: {a: {layer_here: {layer: danger}}}", "does not compute the layer 'danger'"),
    ],
)
def test_a_tree_with_faults_is_refused_and_the_game_goes_on_with_the_old_one(text, says):
    world, setting = world_of()
    plain, _ = world_of()
    run(world, 20)
    with pytest.raises(TreeFileError, match=says):
        replace_tree(world, setting, "guard", parse_trees(text))
    run(world, 40)
    run(plain, 60)
    assert outcome(world).digest == outcome(plain).digest


def test_a_brain_that_no_agent_has_is_refused():
    world, setting = world_of()
    with pytest.raises(InputError, match=r"no agent has the brain 'gard'.*did you mean 'guard'"):
        replace_tree(world, setting, "gard", parse_trees(STAND))


def test_recordings_note_the_tree_and_accounts_show_the_one_of_the_step(tmp_path: Path):
    world, setting = world_of()

    def edit(now):
        if now.tick == 40:
            replace_tree(now, setting, "guard", parse_trees(STAND))
        if now.tick == 80:
            now.end("stopped")

    record(world, tmp_path / "run.rec", each=edit)
    recording = Recording.read(tmp_path / "run.rec")
    name, length = setting.agents[guards_of(setting)[0]].name, recording.about.step
    before, after = account_of(recording, name, 39 * length), account_of(recording, name, 40 * length)
    assert before.tree[0].text == "reactive_hinted_selector"
    assert [node.status for node in after.tree] == ["running", "success", "success", "running"]
    assert len(before.tree) > len(after.tree) == 4
    assert after.tree[0].reason == "", "reasons of the old tree are gone"
    assert any(isinstance(event, TreeChanged) for event in after.before)


def test_a_tree_with_more_nodes_than_the_recording_has_room_for_is_refused(tmp_path: Path):
    world, setting = world_of()
    large = "trees: {a: {sequence: [" + "stand_still, " * 400 + "]}}"

    def edit(now):
        with pytest.raises(InputError, match="401 nodes, but this run has room to record"):
            replace_tree(now, setting, "guard", parse_trees(large))
        now.end("stopped")

    record(world, tmp_path / "run.rec", each=edit)


def test_an_exception_in_the_old_tree_ends_the_episode():
    world, setting = world_of()
    run(world, 5)

    def broken(mind, status):
        raise RuntimeError("no way out")

    world.trees[0].running[0].exit = broken
    replace_tree(world, setting, "guard", parse_trees(STAND))
    step(world)
    assert world.ending is not None
    assert world.ending.reason == "brain failed"
    assert "no way out" in world.ending.error
