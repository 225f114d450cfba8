"""Warming up compiles what is missing, callees first, and nothing twice."""

from __future__ import annotations

import importlib
import json
import os
import pkgutil
import shutil
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from lastseen import kernels
from lastseen.compilation import warmup as warmup_module
from lastseen.compilation.compile_monitor import expected_kernels
from lastseen.compilation.interpretation import LOCAL, PER_ROW
from lastseen.compilation.manifest import KernelEntry, Manifest, manifest
from lastseen.compilation.progress import CompileProgress
from lastseen.compilation.warmup import is_ready, missing_kernels, purposes, warmup
from lastseen.errors import InputError
from lastseen.kernels.jit import name_among_kernels
from lastseen.kernels.signatures import argument_types, callees, compile_kernel, described, kernel_named
from lastseen.views.cli.app.main import cli
from specimens.nasty_values import NASTY


def test_every_entry_of_the_manifest_names_a_kernel_and_its_types() -> None:
    given = manifest()
    assert len(given.kernels) > 300
    for entry in given.kernels:
        kernel, types = kernel_named(entry.kernel), argument_types(given.arguments(entry))
        assert len(types) == len(kernel.py_func.__code__.co_varnames[: kernel.py_func.__code__.co_argcount])
        assert [described(one) for one in types] == given.arguments(entry)


def test_every_kernel_is_in_the_manifest() -> None:
    modules = [one.name for one in pkgutil.walk_packages(kernels.__path__, f"{kernels.__name__}.")]
    found = [one for name in modules for one in vars(importlib.import_module(name)).values() if hasattr(one, "py_func")]
    absent = {name_among_kernels(one.py_func) for one in found} - {entry.kernel for entry in manifest().kernels}
    assert not absent, f"rehearse {sorted(absent)} in tools/rehearsals.py, then run make kernels"


def test_entries_follow_their_callees_and_those_are_the_kernels_the_source_calls() -> None:
    given = manifest()
    for number, entry in enumerate(given.kernels):
        assert all(callee < number for callee in entry.callees)
        named = {given.kernels[callee].kernel for callee in entry.callees}
        assert named <= set(callees(kernel_named(entry.kernel)))


def test_purposes_are_those_of_the_entries() -> None:
    named = {purpose for entry in manifest().kernels for purpose in entry.purposes}
    assert named == set(purposes())


def test_the_kernels_of_a_purpose_come_with_their_callees_first() -> None:
    given = Manifest(
        {"a": "", "b": ""},
        [],
        [
            KernelEntry("x.inner", [], 1.0),
            KernelEntry("x.other", [], 1.0, [0]),
            KernelEntry("x.outer", [], 1.0, [0, 1], ["b"]),
            KernelEntry("x.alone", [], 1.0, [], ["a", "b"]),
        ],
    )
    assert given.entries_for(("a",)) == [3]
    assert given.entries_for(("a", "b")) == [3, 2]
    assert given.with_callees(2) == [0, 1, 2]


SCRIPT = """
import json, sys
from lastseen.compilation.warmup import is_ready, missing_kernels, warmup

steps = []
before = missing_kernels(["rules"])
report = warmup("rules", jobs=2, progress=lambda progress: steps.append([progress.done, progress.total]))
again = warmup("rules")
print(json.dumps({
    "missing": len(before), "steps": steps, "compiled": len(report.compiled), "failed": report.failed,
    "megabytes": report.most_megabytes, "again": len(again.compiled), "ready": is_ready("rules"),
    "left": missing_kernels(["rules"]),
}))
"""


def _alone(tmp_path: Path, script: str = SCRIPT, **variables: str) -> dict:
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / "cache")} | variables
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    found: dict = json.loads(done.stdout)
    return found


def test_warming_up_compiles_what_is_missing_once(tmp_path: Path) -> None:
    found = _alone(tmp_path)
    total = found["missing"]
    assert total == found["compiled"] > 0
    assert found["steps"] == [[number, total] for number in range(total + 1)]
    assert found["failed"] == {}
    assert found["again"] == 0
    assert found["ready"]
    assert found["left"] == []
    assert 0 < found["megabytes"] < 500


def test_where_nothing_can_be_kept_warming_up_still_ends(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file where a folder should be")
    found = _alone(tmp_path)
    assert found["missing"] > 0
    assert (found["compiled"], found["ready"]) == (0, False)


def test_a_cache_cleared_in_part_is_not_ready(tmp_path: Path) -> None:
    assert _alone(tmp_path)["compiled"] > 0
    for folder in (tmp_path / "cache").iterdir():
        if folder.name != "ready":
            shutil.rmtree(folder)
    assert _alone(tmp_path)["compiled"] > 0


def test_files_of_the_current_folder_are_not_imported(tmp_path: Path) -> None:
    (tmp_path / "json.py").write_text("raise SystemExit('the json.py of a game')")
    command = Path(sys.executable).with_name("lastseen")
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    done = subprocess.run(
        [command, "warmup", "rules"], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "2 compiled" in done.stdout


NOTE = """
import sys
from lastseen.compilation.warmup import _note_ready

print("ready", flush=True)
sys.stdin.readline()
for number in range(20):
    _note_ready([f"{sys.argv[1]} {number}"])
"""


def test_processes_that_note_what_is_ready_at_once_forget_nothing(tmp_path: Path) -> None:
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    started = [
        subprocess.Popen([sys.executable, "-c", NOTE, name], env=environment, stdin=-1, stdout=-1, text=True)
        for name in ("one", "two", "three")
    ]
    for process in started:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in started:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    for process in started:
        process.communicate(timeout=300)
    (ready,) = (file for file in (tmp_path / "cache" / "ready").iterdir() if file.suffix != ".lock")
    noted = {line for line in ready.read_text().split("\n") if not line.startswith("folder ")}
    assert noted == {f"{name} {number}" for name in ("one", "two", "three") for number in range(20)}


def test_json_of_a_warm_up_has_the_names_other_commands_use(monkeypatch: pytest.MonkeyPatch) -> None:
    _pretend(monkeypatch, [{"seconds": 1.0}] * 9)
    monkeypatch.setattr(warmup_module, "_note_ready", lambda names: None)
    result = CliRunner().invoke(cli, ["warmup", "rules", "--json", "--jobs", "1"])
    found = json.loads(result.stdout)
    assert set(found) == {
        *("compile_seconds", "compiled_kernels", "kernel_seconds"),
        *("most_megabytes", "kernels", "failed"),
    }
    assert found["kernel_seconds"] == found["compiled_kernels"] == len(found["kernels"]) == 3
    assert 0.0 < found["compile_seconds"] < 3.0


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_progress_function_that_raises_leaves_nothing_marked_ready(
    monkeypatch: pytest.MonkeyPatch, jobs: int
) -> None:
    def complain(now: CompileProgress) -> None:
        if now.done:
            raise ValueError("no more")

    _pretend(monkeypatch, [{"seconds": 1.0}] * 9)
    with pytest.raises(ValueError, match="no more"):
        warmup("rules", jobs=jobs, progress=complain)


@pytest.mark.parametrize("jobs", [1, 2])
def test_where_no_process_can_be_started_warming_up_ends_and_says_so(
    monkeypatch: pytest.MonkeyPatch, jobs: int
) -> None:
    def refuse(*words: object, **named: object) -> None:
        raise OSError("no more processes")

    _pretend(monkeypatch, [])
    monkeypatch.setattr(warmup_module.subprocess, "Popen", refuse)
    report = warmup("rules", jobs=jobs)
    assert report.compiled == {}
    assert "no more processes" in str(report.failed)


def _pretend(monkeypatch: pytest.MonkeyPatch, answers: list[dict]) -> None:
    """Let three kernels be missing, and processes answer so."""
    each = iter(answers)
    monkeypatch.setattr(warmup_module, "_asked", lambda process, number: next(each))
    monkeypatch.setattr(warmup_module, "is_ready", lambda *names: False)
    monkeypatch.setattr(warmup_module, "missing_kernels", lambda names, skipped: [0, 1, 2])
    monkeypatch.setattr(warmup_module, "_note_ready", lambda names: pytest.fail("not all are compiled"))


def test_an_unknown_purpose_is_refused_with_a_hint() -> None:
    with pytest.raises(InputError, match=r"unknown purpose 'chas' \(did you mean 'chase'\?\)"):
        warmup("chas")
    with pytest.raises(InputError, match="unknown purpose"):
        warmup(["rules"])
    with pytest.raises(InputError, match="nice is 99"):
        warmup("rules", nice=99)


@pytest.mark.parametrize("argument", ["jobs", "nice", "progress"])
@pytest.mark.parametrize("nasty", sorted(set(NASTY) - {"none", "beyond int64", "beyond float"}))
def test_bad_arguments_stay_in_the_error_tree(argument: str, nasty: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warmup_module, "is_ready", lambda *names: pytest.fail("bad input is taken"))
    with pytest.raises(InputError, match=argument):
        warmup("rules", **{argument: NASTY[nasty]})


def test_a_compiling_process_that_ends_is_reported_and_the_rest_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    _pretend(monkeypatch, [{"error": "the compiling process ended", "megabytes": 9e9}] + [{"seconds": 1.0}] * 9)
    report = warmup("rules", jobs=1)
    assert len(report.failed) == 1
    assert len(report.compiled) == 2


def test_types_are_written_and_read() -> None:
    import numba

    pair = (np.zeros((2, 2)), np.zeros(3, np.uint8), 1, 2.0, True)
    types = tuple(numba.typeof(one) for one in (*pair, pair, (1, 2)))
    texts = [described(one) for one in types]
    assert texts[:5] == ["float64[2,C]", "uint8[1,C]", "int64", "float64", "bool"]
    assert argument_types(texts) == types
    assert described(numba.typeof("text")) is None


def test_kernels_that_are_interpreted_are_not_expected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lastseen.kernels.signatures.is_kept", lambda *_: False)
    monkeypatch.setattr(warmup_module, "is_ready", lambda *_: False)
    every = {name for name, _ in expected_kernels(("floors",))}
    expected = {name for name, _ in expected_kernels(("floors",), {*LOCAL, *PER_ROW})}
    assert "walk.raycast.cast_rays" in every - expected
    assert "walk.raycast._leaves_at" in every - expected  # which only rays need
    assert {"cells.cell_cut.cut_faces", "mesh.adjacency.weld_points"} <= expected < every


def test_waiting_is_no_part_of_the_time_of_a_kernel() -> None:
    class Kernel:
        def compile(self, _: object) -> None:
            time.sleep(0.3)

    assert compile_kernel(Kernel(), ()) < 0.2


def test_ready_purposes_are_all_or_some() -> None:
    assert is_ready(*purposes()) == is_ready()
    assert set(missing_kernels([])) == set()


def test_a_cache_that_cannot_be_written_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / "file" / "kernels")}
    command = [sys.executable, "-m", "lastseen", "warmup", "rules"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "compiled kernels cannot be kept" in done.stderr
