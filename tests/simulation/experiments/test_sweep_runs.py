"""Sweeps at work: the same results however they are run, stopped, killed or resumed."""

import operator
import os
import re
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import duckdb
import msgspec
import pandas
import polars
import pytest

from lastseen.errors import InputError
from lastseen.simulation.experiments.harness import processes
from lastseen.simulation.experiments.harness.processes import Chunks
from lastseen.simulation.experiments.harness.results import MANIFEST, Results, digest_of_rows, read_manifest
from lastseen.simulation.experiments.harness.sweep import read_sweep
from lastseen.simulation.experiments.harness.sweep_run import run_sweep
from specimens.sweeps import HURRY, NOTES, TRIAL, TRIALS, sweep_text, wait_for

TESTS = Path(__file__).resolve().parents[2]


@pytest.fixture
def sweep_of(tmp_path):
    """Return a function that writes a sweep of trials and reads it."""

    def make(*args, **kwargs):
        path = tmp_path / "sweep.toml"
        path.write_text(sweep_text(*args, **kwargs), encoding="utf-8")
        return read_sweep(path, experiments=TRIALS)

    return make


@pytest.fixture
def notes(tmp_path, monkeypatch):
    """Count how often each task was run."""
    folder = tmp_path / "notes"
    folder.mkdir()
    monkeypatch.setenv(NOTES, str(folder))
    return lambda: Counter(tuple(path.name.split("-")[:2]) for path in folder.iterdir())


def table(folder):
    """Return all rows without how long they took."""
    rows = Results(folder, TRIAL).rows()
    return [{name: value for name, value in row.items() if name != "took_seconds"} for row in rows]


def test_rows_hold_what_was_asked_and_what_came_of_it(sweep_of, tmp_path):
    sweep = sweep_of("a = [0.1, 3.0]", seeds=2)
    outcome = run_sweep(sweep, tmp_path / "out")
    assert (outcome.tasks, outcome.earlier, outcome.done, outcome.failed) == (4, 0, 4, 0)
    rows = table(tmp_path / "out")
    assert len(rows) == 8
    found = {(row["a"], row["seed"], row["side"]): row for row in rows}
    row = found[3.0, 1, "right"]
    assert row["value"] == (3.0 * 0.1 + 1 / 3.0) * 2.0
    assert (row["share"], row["share_low"], row["share_high"]) == (0.3, 0.15, 0.65)
    assert (row["level"], row["count"], row["on"], row["names"], row["mode"]) == ("rooms", 3, False, "one", "works")
    assert row["never"] is None
    assert row["error"] == ""
    assert found[0.1, 0, "left"]["value"] == 0.1 * 0.1


def test_other_readers_of_parquet_see_the_same(sweep_of, tmp_path):
    import duckdb

    run_sweep(sweep_of(), tmp_path / "out")
    ((count, total),) = duckdb.execute(f"SELECT count(*), sum(value) FROM '{tmp_path}/out/*.parquet'").fetchall()
    assert count == 24
    assert total == pytest.approx(sum(row["value"] for row in table(tmp_path / "out")))


def test_one_sweep_one_digest_for_any_number_of_processes(sweep_of, tmp_path):
    sweep = sweep_of()
    one = run_sweep(sweep, tmp_path / "one")
    two = run_sweep(sweep, tmp_path / "two", jobs=2)
    assert one.digest == two.digest
    assert table(tmp_path / "one") == table(tmp_path / "two")
    other = run_sweep(sweep_of("a = [0.5, 1.0, 2.0, 3.5]"), tmp_path / "other")
    assert other.digest != one.digest


def test_the_digest_is_of_the_rows_in_any_order():
    rows = [{"task": "a", "value": 1.0, "took_seconds": 3.0}, {"task": "b", "value": 2.0, "took_seconds": 4.0}]
    assert digest_of_rows(rows) == digest_of_rows(rows[::-1])
    assert digest_of_rows(rows) == digest_of_rows([row | {"took_seconds": 0.0} for row in rows])
    assert digest_of_rows(rows) != digest_of_rows([rows[0], rows[1] | {"value": 2.5}])
    assert digest_of_rows(rows) != digest_of_rows([*rows, rows[0]])


def test_a_sweep_again_or_extended_does_only_what_is_missing(sweep_of, tmp_path, notes):
    sweep = sweep_of("a = [1, 2]", seeds=2)
    first = run_sweep(sweep, tmp_path / "out")
    again = run_sweep(sweep, tmp_path / "out")
    assert (again.earlier, again.done, again.digest) == (4, 0, first.digest)
    more = run_sweep(sweep_of("a = [1, 2, 3]", seeds=3), tmp_path / "out")
    assert (more.earlier, more.done) == (4, 5)
    assert set(notes().values()) == {1}
    assert len(notes()) == 9


@pytest.mark.parametrize("mode", ["fails", "bug"])
def test_a_failing_task_is_a_row_and_the_rest_goes_on(sweep_of, tmp_path, notes, mode):
    sweep = sweep_of("a = [1, 2]", f'mode = "{mode}"')
    outcome = run_sweep(sweep, tmp_path / "out", jobs=1)
    assert (outcome.done, outcome.failed) == (6, 2)
    failed = [row for row in table(tmp_path / "out") if row["error"]]
    assert {(row["a"], row["seed"]) for row in failed} == {(1.0, 1), (2.0, 1)}
    assert all(row["value"] is None for row in failed)
    told = {
        "fails": "seed 1 is not to be had with a = 1",
        "bug": r"ZeroDivisionError: nothing to share \(.*sweeps.py:\d+, in run\)",
    }
    assert any(re.match(told[mode], error) for error in outcome.errors)
    # They are not done again, unless that is asked for.
    assert run_sweep(sweep, tmp_path / "out").done == 0
    again = run_sweep(sweep, tmp_path / "out", retry=True)
    assert (again.earlier, again.done, again.failed, again.digest) == (4, 2, 2, outcome.digest)
    assert {key: count for key, count in notes().items() if count > 1} == {("1", "1"): 2, ("2", "1"): 2}


def killed_while_starting(monkeypatch, numbers):
    """Have those of the processes killed, by their number from 1, before they can be ready."""
    begun = []

    class Killed(processes._Worker):
        def __init__(self, make, plan):
            super().__init__(make, plan)
            begun.append(self)
            if len(begun) in numbers:
                self._process.kill()

    monkeypatch.setattr(processes, "_Worker", Killed)


def test_a_killed_process_is_replaced_and_its_task_done_again(sweep_of, tmp_path, notes, monkeypatch):
    # More often than a task may take its process with it: none had been begun.
    killed_while_starting(monkeypatch, range(1, 5))
    sweep = sweep_of("a = [1]", 'mode = "dies once"', seeds=4)
    outcome = run_sweep(sweep, tmp_path / "out", jobs=2)
    assert (outcome.done, outcome.failed) == (4, 0)
    assert notes() == {("1", "0"): 1, ("1", "1"): 2, ("1", "2"): 1, ("1", "3"): 1}
    assert len(table(tmp_path / "out")) == 8


def test_processes_always_killed_while_they_start_are_told(sweep_of, tmp_path, monkeypatch):
    killed_while_starting(monkeypatch, range(100))
    with pytest.raises(InputError, match=r"keep ending while starting: killed by signal 9 .* fewer jobs") as told:
        run_sweep(sweep_of("a = [1]", seeds=2), tmp_path / "out", jobs=2)
    assert "__main__" not in str(told.value)
    assert not Results(tmp_path / "out", TRIAL).parts()


def test_processes_that_end_by_themselves_while_they_start_are_told(monkeypatch):
    # As those of a script that does not guard its start, whose first lines they run again.
    monkeypatch.setattr(processes, "_work", operator.not_)
    with pytest.raises(InputError, match=r"starting \(exit code 0\); .* under if __name__ == '__main__':"):
        list(processes.run_tasks(operator.not_, None, [0, 1], jobs=2, given_up=operator.is_))


def test_a_task_that_always_kills_its_process_is_a_row_in_the_end(sweep_of, tmp_path, notes):
    sweep = sweep_of("a = [1]", 'mode = "dies"', seeds=3)
    outcome = run_sweep(sweep, tmp_path / "out", jobs=2)
    assert (outcome.done, outcome.failed) == (3, 1)
    assert "ended 3 times: killed by signal 9" in outcome.errors[0]
    assert notes()["1", "1"] == 3


def started(tmp_path, folder, *, jobs, cluster=""):
    """Run a sweep of trials in a program of its own."""
    file = tmp_path / "sweep.toml"
    program = f"from specimens.sweeps import main; main({str(file)!r}, {str(folder)!r}, {jobs}, {cluster!r})"
    environment = os.environ | {"PYTHONPATH": str(TESTS)}
    return subprocess.Popen(
        [sys.executable, "-c", program], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def test_killed_in_the_middle_and_resumed_it_gives_the_same_table(sweep_of, tmp_path, notes, monkeypatch):
    # Long enough that it is not done before it is killed, however late that is.
    sweep = sweep_of("a = { low = 1, high = 200, steps = 200 }", "pause = 0.15", seeds=1)
    killed = tmp_path / "killed"
    running = started(tmp_path, killed, jobs=2)
    wait_for(lambda: list(killed.glob("part-*.parquet")))
    running.send_signal(signal.SIGKILL)
    running.communicate(timeout=300)
    kept = len(Results(killed, TRIAL).done())
    assert 0 < kept < 200
    monkeypatch.setenv(HURRY, "1")
    resumed = run_sweep(sweep, killed)
    assert (resumed.earlier, resumed.done) == (kept, 200 - kept)
    whole = run_sweep(sweep, tmp_path / "whole")
    assert resumed.digest == whole.digest
    assert table(killed) == table(tmp_path / "whole")


def test_an_interrupt_keeps_what_was_done(sweep_of, tmp_path, notes, monkeypatch):
    sweep = sweep_of("a = { low = 1, high = 200, steps = 200 }", "pause = 0.1", seeds=1)
    running = started(tmp_path, tmp_path / "out", jobs=1)
    wait_for(lambda: len(notes()) >= 3)
    running.send_signal(signal.SIGINT)
    running.communicate(timeout=300)
    # What had ended is kept, though no two seconds had passed.
    kept = len(Results(tmp_path / "out", TRIAL).done())
    assert 2 <= kept < 200
    monkeypatch.setenv(HURRY, "1")
    assert run_sweep(sweep, tmp_path / "out").done == 200 - kept


def test_nothing_half_written_counts(sweep_of, tmp_path):
    sweep, folder = sweep_of(), tmp_path / "out"
    digest = run_sweep(sweep, folder).digest
    (tmp_path / f".{folder.name}.writing-part-0.parquet").write_bytes(b"PAR1 half")
    (tmp_path / f".{folder.name}.writing-part-0.json").write_text("{", encoding="utf-8")
    assert run_sweep(sweep, folder).digest == digest
    assert not list(tmp_path.glob(".*writing*"))


def test_a_damaged_part_is_named(sweep_of, tmp_path):
    sweep, folder = sweep_of(), tmp_path / "out"
    digest = run_sweep(sweep, folder).digest
    part = Results(folder, TRIAL).parts()[0]
    part.write_bytes(part.read_bytes()[:-40])
    with pytest.raises(InputError, match=rf"{part.name} cannot be read: .*move it away and run the sweep again"):
        run_sweep(sweep, folder)
    part.unlink()
    assert run_sweep(sweep, folder).digest == digest


def test_results_of_something_else_are_not_mixed(sweep_of, tmp_path):
    folder = tmp_path / "out"
    run_sweep(sweep_of(), folder)
    with pytest.raises(InputError, match="9 tasks of another sweep: its file or a level has changed"):
        run_sweep(sweep_of("a = [0.5, 7.0]"), folder)
    manifest, results = read_manifest(folder), Results(folder, TRIAL)
    for change, words in (
        ({"evaluate": "chase"}, "results of chase, not trial"),
        ({"lastseen": "0.0.1"}, "lastseen 0.0.1"),
        ({"form": 1}, "has another version"),
    ):
        results.begin(msgspec.structs.replace(manifest, **change))
        with pytest.raises(InputError, match=words):
            run_sweep(sweep_of(), folder)
    for content, words in ((b"PAR1 half", "sweep results: sweep.parquet: "), (None, r"no sweep\.parquet")):
        (folder / MANIFEST).unlink() if content is None else (folder / MANIFEST).write_bytes(content)
        with pytest.raises(InputError, match=words):
            run_sweep(sweep_of(), folder)
    results.parts()[0].replace(folder / MANIFEST)
    with pytest.raises(InputError, match="was not written by lastseen"):
        run_sweep(sweep_of(), folder)
    with pytest.raises(InputError, match="name a folder whose parent exists"):
        run_sweep(sweep_of(), tmp_path / "gone" / "out")


def test_a_folder_of_results_is_one_table_for_pandas_polars_and_duckdb(sweep_of, tmp_path):
    folder = tmp_path / "out"
    run_sweep(sweep_of(), folder)
    results = Results(folder, TRIAL)
    rows = results.rows()
    for read, pick in (
        (pandas.read_parquet, lambda table: table["task"].tolist()),
        (polars.read_parquet, lambda table: table["task"].to_list()),
        (duckdb.read_parquet, lambda table: [row[0] for row in table.select("task").fetchall()]),
    ):
        table = read(str(folder))
        assert list(table.columns) == list(results.columns)
        assert sorted(pick(table)) == [row["task"] for row in rows]


def contents(folder):
    """Return all files of a folder, byte by byte."""
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize("retry", [False, True])
def test_a_sweep_that_is_refused_leaves_every_byte(sweep_of, tmp_path, retry):
    folder = tmp_path / "out"
    run_sweep(sweep_of("a = [1, 2]", 'mode = "fails"', seeds=2), folder)
    (folder / ".writing-part-0.parquet").write_bytes(b"PAR1 half")
    before = contents(folder)
    with pytest.raises(InputError, match="4 tasks of another sweep"):
        run_sweep(sweep_of("a = [7]", more='about = "other"', seeds=1), folder, retry=retry)
    assert contents(folder) == before
    more = sweep_of("a = [1, 2, 3]", 'mode = "fails"', seeds=2)
    with pytest.raises(InputError, match="no scheduler answers at"):
        run_sweep(more, folder, retry=retry, cluster="garbage")
    assert contents(folder) == before
    outcome = run_sweep(more, folder, retry=retry)
    assert (outcome.earlier, outcome.done, outcome.failed) == ((2, 4, 3) if retry else (4, 2, 3))


def test_a_folder_of_something_else_is_refused_untouched(sweep_of, tmp_path):
    folder = tmp_path / "out"
    folder.mkdir()
    (folder / "own.parquet").write_bytes(b"PAR1")
    with pytest.raises(InputError, match=r"no sweep\.parquet"):
        run_sweep(sweep_of(), folder)
    assert contents(folder) == {"own.parquet": b"PAR1"}


def test_two_sweeps_do_not_write_to_one_folder(sweep_of, tmp_path, notes):
    sweep = sweep_of("a = [1, 2, 3]", "pause = 30.0", seeds=1)
    running = started(tmp_path, tmp_path / "out", jobs=1)
    try:
        wait_for(notes)
        with pytest.raises(InputError, match="another sweep is writing to"):
            run_sweep(sweep, tmp_path / "out")
    finally:
        running.kill()
        running.communicate(timeout=300)


def test_progress_tells_how_far_it_is(sweep_of, tmp_path):
    told = []
    run_sweep(
        sweep_of("a = [1, 2]", 'mode = "fails"', seeds=2), tmp_path / "out", progress=lambda *word: told.append(word)
    )
    assert told[0] == ("1 of 4 tasks", 0.25)
    assert told[-1] == ("4 of 4 tasks, 2 failed", 1.0)


@pytest.mark.parametrize("jobs", [0, -1, 1.5, True, "2"])
def test_jobs_are_a_whole_number(sweep_of, tmp_path, jobs):
    with pytest.raises(InputError, match="jobs"):
        run_sweep(sweep_of(), tmp_path / "out", jobs=jobs)
    assert not (tmp_path / "out").exists()


def test_chunks_grow_with_short_tasks_and_end_together():
    chunks = Chunks(1000)
    assert len(chunks.take(2)) == 1
    chunks.answered(1, 0.01)
    assert len(chunks.take(2)) == 25
    sizes = []
    while chunks:
        sizes.append(len(chunks.take(2)))
    assert sum(sizes) == 974
    assert sizes[-1] == 1
    assert sizes == sorted(sizes, reverse=True)


def test_lost_chunks_come_again_one_by_one_and_are_given_up_at_last():
    chunks = Chunks(3)
    both, ahead = [*chunks.take(1), *chunks.take(1)], chunks.take(1)
    assert chunks.lost([both, ahead]) == []
    for _ in range(3):
        alone = chunks.take(1)
        assert len(alone) == 1
        assert chunks.lost([alone]) == [], "the one sent ahead had not begun"
    left = [chunks.take(1) for _ in range(3)]
    assert [chunks.lost([chunk]) for chunk in left] == [[0], [1], []]
    assert len(chunks) == 1


def test_a_folder_with_other_files_is_refused_and_left_unchanged(sweep_of, tmp_path):
    folder = tmp_path / "out"
    folder.mkdir()
    (folder / "notes.txt").write_text("mine")
    with pytest.raises(InputError, match=r"contains 'notes.txt' but no sweep.parquet; name a new or empty folder"):
        run_sweep(sweep_of("a = [1]"), folder)
    assert [path.name for path in folder.iterdir()] == ["notes.txt"]
    (folder / "notes.txt").unlink()
    assert run_sweep(sweep_of("a = [1]"), folder, jobs=1).done > 0
    assert len(pandas.read_parquet(folder)) == len(table(folder))
