"""Trees edited in the page: what is opened, how faults are located, how they are saved, and put into a running game."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from lastseen.agents.behaviour.files.build import check_trees
from lastseen.agents.behaviour.files.read import parse_trees
from lastseen.agents.brains.leaves.registry import brain_leaves
from lastseen.agents.brains.shipped_brains import BRAINS
from lastseen.agents.crews.crew_trees import shipped_crews
from lastseen.errors import InputError, LastSeenError
from lastseen.views.studio.editing.level_files import Changed
from lastseen.views.studio.editing.tree_files import check_tree, open_tree, save_tree, tree_choices, tree_menu
from lastseen.views.studio.protocol.tree_replies import SaveTree, TreeValues
from lastseen.views.studio.session.breakpoints import matching_nodes
from lastseen.views.studio.session.folder import Folder
from lastseen.vocabulary.events import TreeChanged
from studio.server import serving

TEXT = """\
# My guard.
trees:
  mine:
    selector:
      # only near
      - sequence: [sees_intruder, {go_to: {gait: run}}]   # at once
      - cooldown: {seconds: 5, child: alarm}
      - stand_still
"""
STAND = {"trees": {"stand": {"sequence": [{"be": {"state": "suspicious"}}, "stand_still"]}}}


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    (tmp_path / "mine.yaml").write_text(TEXT)
    return Folder(tmp_path)


def as_the_page_sends_it(value: Any) -> Any:
    """Return values as JavaScript writes them: 1.0 is 1 there."""
    return json.loads(
        json.dumps(value), parse_float=lambda text: int(float(text)) if float(text) % 1 == 0 else float(text)
    )


@pytest.mark.parametrize("name", [*BRAINS, *shipped_crews()])
def test_shipped_trees_open_as_copies_without_faults_and_are_saved_as_they_are(folder: Folder, name: str):
    opened = open_tree(folder, name)
    assert (opened.digest, opened.file) == ("", f"{name} copy.yaml")
    assert opened.users == ("agents" if name in BRAINS else "crews")
    value = as_the_page_sends_it(opened.value)
    checked = check_tree(TreeValues(name, opened.users, value))
    assert checked.faults == []
    assert checked.sizes
    save_tree(folder, SaveTree(opened.file, opened.users, value, opened.text))
    assert (folder.root / opened.file).read_text() == opened.text
    assert opened.file in [one.name for one in tree_menu(folder)]


def test_only_what_changed_changes_in_the_file(folder: Folder):
    opened = open_tree(folder, "mine.yaml")
    opened.value["trees"]["mine"]["selector"][0]["sequence"][1]["go_to"]["gait"] = "sneak"
    opened.value["trees"]["mine"]["selector"].insert(2, {"wait": 2})
    saved = save_tree(folder, SaveTree("mine.yaml", "agents", opened.value, opened.text, opened.digest))
    expected = TEXT.replace("gait: run", "gait: sneak").replace(
        "      - stand_still", "      - wait: 2\n      - stand_still"
    )
    assert (folder.root / "mine.yaml").read_text() == saved.text == expected
    with pytest.raises(Changed, match="has changed"):
        save_tree(folder, SaveTree("mine.yaml", "agents", opened.value, opened.text, opened.digest))


def test_all_faults_are_found_at_once_at_their_nodes_and_parameters():
    value = {
        "trees": {
            "mine": {
                "selector": [
                    {"go_to": {"gait": "crawl", "pace": "fast"}},
                    {
                        "sequence": {
                            "name": "chase",
                            "children": ["sees_intrudr", {"choose_place": {"query": "nowhere"}}],
                        }
                    },
                    {"cooldown": {"child": "alarm"}},
                    {"invert": []},
                    {"wait": "long"},
                ]
            }
        }
    }
    found = {
        (tuple(one.path[2:]), one.parameter): one.what for one in check_tree(TreeValues("x", "agents", value)).faults
    }
    assert "'crawl'" in found[("selector", 0), "gait"]
    assert set(found) == {
        (("selector", 0), "gait"),
        (("selector", 0), "pace"),
        (("selector", 1, "sequence", "children", 0), ""),
        (("selector", 1, "sequence", "children", 1), "query"),
        (("selector", 2), "seconds"),
        (("selector", 3), ""),
        (("selector", 4), "seconds"),
    }
    assert "did you mean 'sees_intruder'" in found[("selector", 1, "sequence", "children", 0), ""]


def test_faults_are_those_of_the_command_line():
    text = "trees: {a: {sequence: [nothing, {go_to: {gait: crawl}}]}, b: {subtree: c}}"
    report = check_trees(parse_trees(text), brain_leaves())
    told = check_tree(TreeValues("x", "agents", parse_value(text)))
    assert [one.what for one in told.faults] == [one.what.replace("text", "x") for one in report.faults]


def parse_value(text: str) -> Any:
    from lastseen.textfile import parse

    return parse(text, "yaml").value


@pytest.mark.parametrize(
    "value", [{}, {"trees": 3}, {"trees": {}}, {"trees": {"a": None}}, {"root": []}, {"trees": {"a": {"x": 1, "y": 2}}}]
)
def test_values_of_any_kind_are_reported_not_raised(value):
    assert check_tree(TreeValues("x", "agents", value)).faults


def test_values_nested_too_deeply_are_refused():
    value: Any = "x"
    for _ in range(900):
        value = {"a": value}
    with pytest.raises(InputError, match="nesting deeper"):
        check_tree(TreeValues("x", "agents", {"trees": {"a": {"set_key": {"value": value}}}}))


def test_choices_describe_every_kind_with_typed_parameters_and_names():
    choices = tree_choices("agents")
    kinds = {one.name: one for one in choices.kinds}
    assert set(brain_leaves().leaves) < set(kinds)
    assert all(one.about for one in kinds.values())
    gait, goal, pace = kinds["go_to"].parameters
    assert (gait.form, gait.choices, gait.default) == ("choice", ["sneak", "walk", "run"], "walk")
    assert (goal.takes_key, goal.default) == (True, "$goal")
    assert (pace.form, pace.required) == ("number", False)
    assert kinds["sees_intruder"].group == "condition"
    assert (kinds["cooldown"].group, kinds["selector"].group) == ("decorator", "control")
    assert (kinds["subtree"].least, kinds["subtree"].most) == (0, 0)
    assert "escape" in choices.names["query"]
    assert "dead reckoning" in choices.names["predictor"]
    assert {"goal", "target", "patrol"} <= set(choices.keys)
    assert "roles" in {one.name for one in tree_choices("crews").kinds}


@pytest.mark.parametrize("name", ["../out.yaml", "/tmp/out.yaml", "a/../../out.yaml", ".hidden.yaml", "x\0.yaml"])
def test_names_lead_nowhere_else(folder: Folder, name: str):
    with pytest.raises(LastSeenError):
        save_tree(folder, SaveTree(name, "agents", STAND))
    with pytest.raises(LastSeenError):
        open_tree(folder, name)
    assert [one.name for one in folder.root.iterdir()] == ["mine.yaml"]


def test_a_link_is_not_written_through(folder: Folder, tmp_path_factory):
    outside = tmp_path_factory.mktemp("outside") / "secret.yaml"
    outside.write_text("root: stand_still\n")
    (folder.root / "link.yaml").symlink_to(outside)
    with pytest.raises(InputError):
        save_tree(folder, SaveTree("link.yaml", "agents", STAND))
    assert outside.read_text() == "root: stand_still\n"


def test_a_new_tree_and_one_of_xml_are_copies(folder: Folder):
    opened = open_tree(folder, "")
    assert (opened.file, opened.digest) == ("tree.yaml", "")
    assert check_tree(TreeValues("", "agents", opened.value)).faults == []
    (folder.root / "robot.xml").write_text(
        '<root BTCPP_format="4"><BehaviorTree ID="A"><Sequence><AlwaysSuccess/></Sequence></BehaviorTree></root>'
    )
    opened = open_tree(folder, "robot.xml")
    assert (opened.file, opened.digest) == ("robot copy.yaml", "")
    assert opened.value["trees"]["A"] == {"sequence": ["always_success"]}


def test_nodes_are_found_again_after_edits():
    before = ["selector", "├─ sequence", "│  ├─ see", "│  └─ shoot", "└─ wait (2)"]
    wrapped = ["selector", "├─ invert", "│  └─ sequence", "│     ├─ see", "│     └─ shoot", "└─ wait (2)"]
    assert matching_nodes(before, wrapped) == {0: 0, 1: 2, 2: 3, 3: 4, 4: 5}
    moved = ["selector", "├─ wait (2)", "└─ sequence", "   └─ shoot"]
    assert matching_nodes(before, moved) == {0: 0, 4: 1, 1: 2, 3: 3}


LOST = """
level: corridor
seconds: 30
ends: []
agents:
  - {name: Ames, at: [6, 4], heading: 0.0}
  - {name: you, brain: hider, at: [14, 4]}
"""


@pytest.fixture
def lost(tmp_path):
    (tmp_path / "lost.yaml").write_text(LOST)
    with serving(tmp_path, "lost.yaml") as served:
        yield served


def test_an_applied_tree_runs_from_the_next_step_on_and_is_repeated(lost):
    game = lost.studio.director.game
    with lost.page() as page:
        page.say("step", ticks=20)
        page.say("apply", brain="guard", value=STAND)
        told = page.until("tree applied")
        assert (told["agents"], told["tick"]) == ([0], 21)
        page.say("step", ticks=30)
        page.settle()
        (event,) = (one for one in game.recording.events() if isinstance(one, TreeChanged))
        assert (event.tick, event.agents, event.brain) == (21, (0,), "guard")
        digest = game.digest()
        page.say("ask", agent=0)
        account = page.until("account")
        assert [one["text"] for one in account["tree"]] == event.lines.splitlines()
        assert account["state"] == "suspicious"
        page.say("ask", agent=0, tick=10)
        assert len(page.until("account")["tree"]) > 50
        page.say("seek", tick=40)
        page.say("resume")
        page.until("status", repeating=None, ticks=41)
        page.say("step", ticks=10)
        page.settle()
        assert game.ticks == 51
        assert game.digest() == digest, "the repeated run has the tree too"
        page.say("seek", tick=10)
        page.say("resume")
        page.until("status", repeating=None, ticks=11)
        page.say("step", ticks=40)
        page.settle()
        assert game.digest() != digest, "before the change, the run goes on without it"


def test_applying_in_the_past_continues_from_there_and_a_running_game_goes_on(lost):
    director = lost.studio.director
    with lost.page() as page:
        page.say("step", ticks=60)
        page.say("seek", tick=30)
        page.say("apply", brain="guard", value=STAND)
        assert page.until("tree applied")["tick"] == 31
        page.say("run", running=True)
        page.until("status", running=True)
        page.say("apply", brain="guard", value={"trees": {"a": "stand_still"}})
        page.until("tree applied")
        assert director.is_running


@pytest.mark.parametrize(
    ("brain", "value", "says"),
    [
        ("guard", {"trees": {"a": {"sequence": ["nothing", {"go_to": {"gait": "crawl"}}]}}}, "nothing"),
        ("guard", {"trees": {"a": {"sequence": ["nothing", {"go_to": {"gait": "crawl"}}]}}}, "crawl"),
        ("gaurd", STAND, "no agent has the brain 'gaurd'"),
        ("guard", {"trees": {"a": {"sequence": ["stand_still"] * 600}}}, "room to record"),
        ("guard", {"trees": {"a": {"choose_place": {"query": "../secret.yaml"}}}}, "did not load"),
        ("guard", {}, "give either 'trees'"),
    ],
)
def test_a_tree_with_faults_is_refused_and_the_game_goes_on_with_the_old_one(lost, brain, value, says):
    with lost.page() as page:
        page.say("step", ticks=5)
        page.say("apply", brain=brain, value=value)
        refused = page.until("error", about="apply")
        assert says in refused["message"]
        page.say("step", ticks=5)
        page.settle()
        assert not [one for one in lost.studio.director.game.recording.events() if isinstance(one, TreeChanged)]


def test_breakpoints_follow_their_nodes_into_the_edited_tree(lost):
    director = lost.studio.director
    lines = director.game.recording.about.trees[0].splitlines()
    node = next(number for number, line in enumerate(lines) if "follow_patrol" in line)
    gone = next(number for number, line in enumerate(lines) if "has_foe" in line)
    with lost.page() as page:
        page.say("breakpoints", agent=0, nodes=[node, gone])
        page.say("apply", brain="guard", value={"trees": {"a": {"sequence": [{"wait": 0.5}, "follow_patrol"]}}})
        moved = page.until("breakpoints moved")
        assert (moved["nodes"], moved["lines"][2][-13:]) == ([2], "follow_patrol")
        page.say("step", ticks=100)
        hit = page.until("breakpoint")
        assert (hit["node"], hit["label"]) == (2, "follow_patrol")
        assert 15 <= hit["tick"] <= 17


def test_a_saved_recording_of_an_edited_tree_can_be_opened_and_continued(lost, tmp_path):
    with lost.page() as page:
        page.say("step", ticks=20)
        page.say("apply", brain="guard", value=STAND)
        page.say("step", ticks=30)
        page.say("save", name="edited")
        page.until("saved")
        digest = lost.studio.director.game.digest()
        page.say("open", recording="edited.rec")
        page.until("hello", kind="recording")
        page.say("seek", tick=40)
        page.say("resume")
        page.until("status", repeating=None, ticks=41)
        page.say("step", ticks=10)
        page.settle()
        assert lost.studio.director.game.digest() == digest
