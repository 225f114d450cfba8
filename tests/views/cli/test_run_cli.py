"""`lastseen run`: what it tells, what it leaves behind, and what it refuses."""

import json
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from lastseen.level.samples import sample
from lastseen.level.write import to_geojson
from lastseen.simulation import game_loop as running
from lastseen.simulation.recording.recording import Recording
from lastseen.views.cli.app.main import cli
from lastseen.views.prose.sentences import Sentences
from specimens.recordings import LOST

STANDING = "level: rooms\nseconds: 1\nagents:\n  - {name: Ames}\n"


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Run `lastseen run` in a folder with scenarios."""
    monkeypatch.chdir(tmp_path)
    Path("lost.yaml").write_text(LOST)
    Path("standing.yaml").write_text(STANDING)

    def runner(*arguments):
        return CliRunner().invoke(cli, ["run", *map(str, arguments)])

    return runner


def refused(result):
    assert result.exit_code == 2, result.output
    assert isinstance(result.exception, SystemExit)
    assert result.stdout == ""
    return result.stderr


def test_what_happens_is_told_with_its_time_and_how_it_ended(run):
    result = run("lost.yaml", "-o", "lost.rec")
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    happened = lines[: next(n for n, line in enumerate(lines) if line.startswith("all calm after"))]
    times = [float(line[:7]) for line in happened]
    assert times == sorted(times)
    assert any(line.endswith("Ames sees you") for line in happened)
    assert any("Ames: “" in line and line.endswith("”") for line in happened)
    assert lines[-2] == f"digest {Recording.read('lost.rec').end.digest}"
    assert lines[-1].startswith("wrote lost.rec; next: lastseen replay lost.rec")


def test_how_it_ended_is_told_once(run):
    Path("caught.yaml").write_text(
        "level: rooms\nseconds: 9\nagents:\n  - {name: Ames, at: [2.5, 2.5]}\n"
        "  - {name: you, brain: puppet, at: [1.5, 2.5]}\n"
    )
    lines = run("caught.yaml").stdout.splitlines()
    assert len([line for line in lines if line.endswith(" s  Ames caught you")]) == 1
    assert lines[-2].startswith("caught after ")
    assert lines[-2].endswith(" s: Ames caught you")
    assert [event["kind"] for event in json.loads(run("caught.yaml", "--json").stdout)["events"]].count("end") == 1


def test_times_told_are_those_of_the_recording(run):
    answer = json.loads(run("lost.yaml", "-o", "lost.rec", "--json").stdout)
    recording = Recording.read("lost.rec")
    of = Sentences.of_recording(recording)
    kept = [(round(event.tick * recording.about.step, 3), event.kind, of(event)) for event in recording.events()]
    assert [(event["seconds"], event["kind"], event["text"]) for event in answer["events"]] == kept
    assert set(answer) == {
        *("reason", "text", "seconds", "steps", "digest", "recording", "events"),
        *("milliseconds", "agent_milliseconds", "budget"),
        *("took_seconds", "compile_seconds", "compiled_kernels", "interpreted_kernels"),
    }
    assert set(answer["took_seconds"]) == {"bake", "run"}
    assert answer["reason"] == "all calm"
    assert answer["recording"] == "lost.rec"
    assert answer["steps"] == len(recording)
    assert answer["seconds"] == pytest.approx(recording.seconds)
    assert {"sense", "think", "move"} <= set(answer["milliseconds"])


def test_one_seed_one_digest_and_another_seed_is_kept(run):
    first, second = (json.loads(run("standing.yaml", "--json").stdout) for _ in range(2))
    assert first["digest"] == second["digest"]
    assert first["recording"] is None
    assert run("standing.yaml", "--seed", "7", "-o", "seven.rec").exit_code == 0
    assert Recording.read("seven.rec").about.seed == 7


def test_seconds_given_win_over_the_scenario(run):
    answer = json.loads(run("standing.yaml", "--seconds", "0.5", "--json").stdout)
    assert (answer["reason"], answer["steps"]) == ("time over", 15)


def test_quiet_tells_the_end_only(run):
    lines = run("lost.yaml", "--seconds", "1", "--quiet").stdout.splitlines()
    assert [line.split()[0] for line in lines] == ["time", "digest"]


def test_a_level_is_a_scenario_of_those_it_spawns(run):
    result = run("rooms", "--seconds", "0.2", "-o", "rooms.rec")
    assert result.exit_code == 0, result.output
    assert Recording.read("rooms.rec").about.agents == ("Ames", "player")


def test_a_json_scenario_is_told_from_a_json_level(run):
    Path("scenario.json").write_text(json.dumps({"level": "rooms", "seconds": 0.2}))
    assert run("scenario.json").exit_code == 0
    level = to_geojson(replace(sample("rooms"), name="level"))
    assert b'"level"' in level
    Path("level.json").write_bytes(level)
    result = run("level.json", "--seconds", "0.2")
    assert result.exit_code == 0, result.output


def test_a_brain_that_fails_ends_the_episode_with_its_place_in_the_tree(run):
    Path("mad.yaml").write_text("trees: {mad: {sequence: [sees_intruder, stand_still]}}")
    Path("mad scenario.yaml").write_text(
        "level: rooms\nseconds: 1\nagents:\n  - {name: Ames, brain: mad.yaml, team: intruders}\n"
    )
    result = run("mad scenario.yaml")
    assert "brain failed after 0.0 s: Ames: sequence/sees_intruder: " in result.stdout
    assert result.exit_code == 2


LEAVES = """\
from lastseen.trees import Registry, Status, brain_leaves
registry = Registry().include(brain_leaves())

@registry.action
def think(mind):
    return hard(mind.time)

def hard(time):
    return 1 / (time < 0.0)

@registry.action
def shrug(mind):
    return 3
"""


@pytest.mark.parametrize(
    ("leaf", "words"),
    [
        ("think", "sequence/think: raised ZeroDivisionError: division by zero (own_think.py:9, in hard)"),
        ("shrug", "return Status.SUCCESS, FAILURE or RUNNING (own_shrug.py:11, in shrug)"),
    ],
)
def test_your_own_leaf_that_fails_is_named_with_file_and_line(run, leaf, words):
    Path(f"own_{leaf}.py").write_text(LEAVES)
    Path("thinker.yaml").write_text(f"trees: {{thinker: {{sequence: [{leaf}]}}}}")
    Path("night.yaml").write_text("level: rooms\nseconds: 1\nagents:\n  - {name: Ames, brain: thinker.yaml}\n")
    result = run("night.yaml", "--leaves", f"own_{leaf}:registry", "-o", "night.rec")
    assert (result.exit_code, words in result.stdout) == (2, True), result.output
    assert Path("night.rec").exists()
    answer = run("night.yaml", "--leaves", f"own_{leaf}:registry", "--json")
    assert (answer.exit_code, words in json.loads(answer.stdout)["text"]) == (2, True)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("rommos",), "neither a file, a shipped scenario nor a sample level (did you mean 'rooms'?)"),
        (("brawlz",), "did you mean 'brawl'?"),
        (("missing.yaml",), "missing.yaml"),
        (("lost.yaml", "--seconds", "0"), "--seconds is 0"),
        (("lost.yaml", "--seconds", "nan"), "--seconds is nan"),
        (("lost.yaml", "--seconds", "1e9"), "at most 86400"),
        (("lost.yaml", "--seed", "-1"), "--seed is -1"),
        (("lost.yaml", "-o", "nowhere/run.rec"), "no folder 'nowhere'"),
        (("lost.yaml", "-o", "."), "it is a folder"),
        (("lost.yaml", "-o", "lost.yaml"), "is an input"),
        (("broken.yaml",), "broken.yaml"),
        (("unknown.yaml",), "did you mean 'rooms'"),
        (("empty.json",), "empty.json"),
    ],
)
def test_bad_input_is_refused_in_words_and_leaves_nothing(run, arguments, words):
    Path("broken.yaml").write_text("level: [")
    Path("unknown.yaml").write_text("level: room\n")
    Path("empty.json").write_text("{}")
    before = {path.name: path.read_bytes() for path in Path().iterdir()}
    assert words in refused(run(*arguments))
    assert {path.name: path.read_bytes() for path in Path().iterdir()} == before


def test_a_run_stopped_by_hand_says_what_is_left_of_it(run, monkeypatch):
    step, done = running.step, []

    def stop_after_a_while(world):
        if len(done) == 50:
            raise KeyboardInterrupt
        done.append(step(world))

    monkeypatch.setattr(running, "step", stop_after_a_while)
    Path("lost.rec").write_bytes(b"an older recording")
    result = run("lost.yaml", "-o", "lost.rec")
    assert result.exit_code == 130
    assert "lost.rec.part holds the run up to 1.7 s" in result.stderr
    assert Path("lost.rec").read_bytes() == b"an older recording"
    part = Recording.read("lost.rec.part")
    assert len(part) == 50
    assert "the run did not end" in part.fault


def test_a_killed_run_is_readable_up_to_its_last_flush(run, tmp_path):
    Path("long.yaml").write_text(STANDING.replace("seconds: 1", "seconds: 86400"))
    command = [sys.executable, "-m", "lastseen", "run", "long.yaml", "-o", "long.rec", "--quiet"]
    part, until = tmp_path / "long.rec.part", time.monotonic() + 300
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        while not (part.exists() and len(Recording.read(part)) > 0) and time.monotonic() < until:
            assert process.poll() is None
            time.sleep(0.05)
        process.kill()
    found = Recording.read(part)
    assert len(found) >= 30
    assert "the run did not end" in found.fault or "cut off" in found.fault
    result = CliRunner().invoke(cli, ["why", "long.rec.part", "--agent", "Ames"])
    assert result.exit_code == 0
    assert result.stdout.startswith("Ames at ")
    assert "readable up to" in result.stderr
    missing = CliRunner().invoke(cli, ["why", "long.rec", "--agent", "Ames"])
    assert missing.exit_code == 2
    assert "a run that did not end left long.rec.part" in missing.stderr
