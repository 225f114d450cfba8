"""`lastseen tree …` in this process."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from lastseen.agents.behaviour.files.read import read_trees
from lastseen.agents.brains.shipped_brains import BRAINS
from lastseen.views.cli.app.main import cli
from oracles.schema import accepts

OWN = """\
from lastseen.agents.behaviour.registry import Registry

registry = Registry()


@registry.condition
def is_dark(mind, below: float = 0.3):
    return True


def make():
    return registry


number = 3
"""


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def runner(*arguments):
        return CliRunner().invoke(cli, ["tree", *(str(argument) for argument in arguments)])

    return runner


def test_shipped_brains_are_sound_and_fit_the_schema(run):
    result = run("check", *BRAINS)
    assert result.exit_code == 0, result.output
    assert result.output.count("no faults") == len(BRAINS)
    assert run("schema", "-o", "tree.schema.json").exit_code == 0
    schema = json.loads(Path("tree.schema.json").read_text(encoding="utf-8"))
    for name in BRAINS:
        assert run("convert", name, "-o", f"{name}.json").exit_code == 0
        assert accepts(schema, json.loads(Path(f"{name}.json").read_text(encoding="utf-8"))), name


def test_faults_are_printed_with_their_lines(run):
    Path("bad.yaml").write_text("trees:\n  a:\n    sequence:\n      - patroll\n      - waitt: 2\n  b: {subtree: b}\n")
    result = run("check", "bad.yaml")
    assert result.exit_code == 2
    assert [line.split(": ")[0] for line in result.output.splitlines()] == ["bad.yaml:4", "bad.yaml:5", "bad.yaml:6"]
    report = json.loads(run("check", "bad.yaml", "--json").stdout)
    assert report["faults"] == 3
    assert report["files"][0]["faults"][2]["what"] == "the subtrees form a cycle: b → b; a tree may not use itself"


def test_faults_of_import_do_not_hide_those_of_nodes(run):
    Path("cross.xml").write_text("""<root BTCPP_format="4">
  <BehaviorTree ID="Main">
    <Sequence>
      <Script code="a := foo(2)"/>
      <PatroI/>
      <Fallback>
        <ManualSelector/>
      </Fallback>
    </Sequence>
  </BehaviorTree>
</root>""")
    result = run("check", "cross.xml")
    assert result.exit_code == 2
    assert [line.split(": ")[0] for line in result.output.splitlines()] == [f"cross.xml:{line}" for line in (4, 5, 7)]
    assert "no node 'patro_i'" in result.output


def test_trees_in_a_circle_apart_from_the_main_one_are_found(run):
    Path("odd.yaml").write_text("trees:\n  a: always_success\n  b: {subtree: c}\n  c: {subtree: b}\n")
    result = run("check", "odd.yaml")
    assert result.exit_code == 2
    assert "cycle: b → c → b" in result.output


def test_a_missing_file_and_a_wrong_option_have_words(run):
    for arguments in (
        ("check", "none.yaml"),
        ("show", "none.yaml"),
        ("show", "gard"),
        ("show", "guard", "--tree", "gaurd"),
        ("show", "guard", "--leaves", "nowhere"),
        ("show", "guard", "--leaves", "no_such_module:registry"),
        ("convert", "guard", "-o", "nowhere/guard.yaml"),
        ("convert", "guard", "-o", "guard.txt"),
        ("schema", "-o", "nowhere/schema.json"),
    ):
        result = run(*arguments)
        assert result.exit_code == 2, arguments
        assert isinstance(result.exception, SystemExit), arguments
        assert len(result.output) > 20, arguments


def test_a_tree_is_printed_with_its_subtrees_and_keys(run):
    Path("own_leaves.py").write_text(OWN)
    Path("own.yaml").write_text("keys: {rounds: {type: int}}\ntrees:\n  a: {invert: {name: light, child: is_dark}}\n")
    for leaves in ("own_leaves:registry", "own_leaves:make", "any"):
        result = run("show", "own.yaml", "--keys", "--leaves", leaves)
        assert result.exit_code == 0, result.output
        assert result.output.startswith("light [invert]\n└─ is_dark\n\nkeys:\n")
        assert "  rounds: int\n" in result.output
    assert run("check", "own.yaml").exit_code == 2
    assert "is 3; name a lastseen.trees.Registry" in run("show", "own.yaml", "--leaves", "own_leaves:number").output


def test_own_leaves_are_used_next_to_the_shipped_ones(run):
    Path("own_leaves.py").write_text(OWN)
    Path("own.yaml").write_text("trees:\n  a: {sequence: [is_dark, follow_patrol, {say: {line: Enough.}}]}\n")
    result = run("check", "own.yaml", "--leaves", "own_leaves:registry")
    assert result.exit_code == 0, result.output
    assert {"is_dark", "follow_patrol"} <= _leaves_of(run("schema", "--leaves", "own_leaves:registry").output)


def test_leaves_that_replace_shipped_ones_stand_alone(run):
    Path("other_leaves.py").write_text(OWN.replace("is_dark", "follow_patrol"))
    Path("own.yaml").write_text("trees:\n  a: {follow_patrol: {below: 0.5}}\n")
    assert run("check", "own.yaml", "--leaves", "other_leaves:registry").exit_code == 0
    assert "is_spotted" not in run("schema", "--leaves", "other_leaves:registry").output


def _leaves_of(schema):
    return {name for name in ("is_dark", "follow_patrol") if f'"{name}"' in schema}


def test_a_tree_of_the_other_library_becomes_yaml(run):
    Path("robot.xml").write_text(
        '<root BTCPP_format="4"><BehaviorTree ID="Go"><Timeout msec="500"><DriveTo goal="{there}"/></Timeout>'
        "</BehaviorTree></root>"
    )
    assert run("convert", "robot.xml", "-o", "robot.yaml").exit_code == 0
    assert Path("robot.yaml").read_text() == (
        "trees:\n  Go:\n    time_limit:\n      seconds: 0.5\n      child:\n        drive_to: {goal: $there}\n"
    )
    assert run("check", "robot.yaml", "--leaves", "any").exit_code == 0
    assert run("check", "robot.yaml").exit_code == 2


def test_a_port_that_nothing_uses_is_a_warning(run):
    Path("robot.xml").write_text(
        '<root BTCPP_format="4"><BehaviorTree ID="Go"><SubTree ID="Rest" spare="1"/></BehaviorTree>'
        '<BehaviorTree ID="Rest"><AlwaysSuccess/></BehaviorTree></root>'
    )
    result = run("check", "robot.xml")
    assert result.exit_code == 0
    assert result.output == (
        "warning: robot.xml:1: Rest: port 'spare' is not used in Rest\nrobot.xml: no faults (Go: 2 nodes)\n"
    )
    (told,) = json.loads(run("check", "robot.xml", "--json").stdout)["files"]
    assert [warning["line"] for warning in told["warnings"]] == [1]


def test_a_shipped_brain_is_copied_with_its_comments(run):
    assert run("convert", "guard", "-o", "mine.yaml").exit_code == 0
    assert Path("mine.yaml").read_text(encoding="utf-8").startswith("# A guard")
    assert read_trees("mine.yaml").main == "guard"
