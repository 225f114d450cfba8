"""The lines of the source that each test executes, recorded once per test file to choose the tests of a mutant.

A record outlives changes of the source: lines are counted from the start of their function, and a test chosen by a
record that no longer holds costs time but says nothing wrong. A changed test file is recorded again.
"""

from __future__ import annotations

import ast
import hashlib
import json
import os
import signal
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import click
import coverage
import pytest

from lastseen.files import atomic_write

__all__ = ["Reached", "functions_of"]

ROOT = Path(__file__).resolve().parents[1]
TESTED = {
    True: (
        *("test_oracle_table.py", "kernels", "cells", "layers", "level/sight", "navmesh"),
        *("reasoning", "agents/perception", "agents/knowledge", "agents/test_bodies.py", "agents/test_movement.py"),
        "simulation/experiments/test_pursuits.py",
    ),
    False: ("agents", "reasoning", "simulation", "kernels/rules", "test_bad_arguments.py", "test_own_code.py"),
}
"""Folders and files of tests that run kernels as plain Python (True), and those that reach reasoning and agents."""
SOURCE = {True: ("src/lastseen/kernels",), False: ("src/lastseen/agents", "src/lastseen/reasoning")}
ABOUT_TEXT = (
    "tests/test_guards.py",
    "tests/kernels/test_shipped.py",
    "tests/kernels/test_jit.py",
    "tests/kernels/test_frugal.py",
)
"""Tests that notice every change of a text, or compile: they say nothing about a mutant."""
MOST = 150
"""Tests of one file that are recorded for a line, the quickest first."""


@dataclass
class _Functions:
    """The functions of a file by line; code outside of functions belongs to the name it is assigned to."""

    owner: dict[int, tuple[str, int]] = field(default_factory=dict)

    def add(self, node: ast.AST, outer: str = "") -> None:
        """Note the lines of what a module, class or function holds."""
        for child in ast.iter_child_nodes(node):
            name, first = outer, None
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                name = f"{outer}.{child.name}" if outer else child.name
                first = None if isinstance(child, ast.ClassDef) else child.lineno
            if first is not None:
                for line in range(first, (child.end_lineno or first) + 1):  # type: ignore[attr-defined]
                    self.owner[line] = (name, line - first)
            else:
                self.add(child, name)


def functions_of(text: bytes) -> dict[int, tuple[str, int]]:
    """Return the outermost function of each line with the distance from its first line."""
    found = _Functions()
    found.add(ast.parse(text))
    return found.owner


class Recorder:
    """Pytest plugin that notes which lines the tests of one file execute and what each takes."""

    def __init__(self, source: list[str], seconds: int):
        self.seconds = seconds
        self.taken: dict[str, float] = {}
        self.failed: set[str] = set()
        self.coverage = coverage.Coverage(data_file=None, config_file=False, source=source, messages=False)
        self.coverage.start()

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self) -> None:
        """Count what fixtures do for every test of the file; leave out the rest of a file that takes long."""
        self.coverage.switch_context("*")
        if sum(self.taken.values()) > 8.0 * self.seconds:
            pytest.skip("the file takes too long")
        self.limit(4.0 * self.seconds)

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        """Note one test, and stop it when it takes too long."""
        self.coverage.switch_context(item.nodeid)
        self.limit(self.seconds)
        yield
        self.limit(0.0)
        self.coverage.switch_context("*")

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_teardown(self) -> None:
        """Lift the limit when fixtures failed, too."""
        self.limit(0.0)

    def limit(self, seconds: float) -> None:
        """Stop what comes next when it takes longer, 0: never; and again a second later, if that was caught."""
        signal.signal(signal.SIGPROF, _too_long)
        signal.setitimer(signal.ITIMER_PROF, seconds, 1.0 if seconds else 0.0)

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Note what a test takes: processor time, which other work on the machine does not change."""
        began = sum(os.times()[:4])
        yield
        self.taken[item.nodeid] = sum(os.times()[:4]) - began

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note a test that does not pass."""
        if report.outcome != "passed":
            self.failed.add(report.nodeid)

    def result(self) -> dict[str, object]:
        """Return seconds by test, and for each source file, function and line the numbers of the tests."""
        self.coverage.stop()
        data = self.coverage.get_data()
        passed = sorted((name for name in self.taken if name not in self.failed), key=lambda name: self.taken[name])
        number = {name: at for at, name in enumerate(passed)}
        lines: dict[str, dict[str, dict[int, list[int]]]] = {}
        for path in sorted(data.measured_files()):
            owner = functions_of(Path(path).read_bytes())
            of_file: dict[str, dict[int, list[int]]] = defaultdict(dict)
            for line, contexts in data.contexts_by_lineno(path).items():
                tests = sorted(
                    range(len(passed)) if "*" in contexts else {number[one] for one in contexts if one in number}
                )
                if line in owner and tests:
                    of_file[owner[line][0]][owner[line][1]] = tests[:MOST]
            if of_file:
                lines[str(Path(path).relative_to(Path.cwd()))] = of_file
        return {"tests": [[name, round(self.taken[name], 3)] for name in passed], "lines": lines}


def _too_long(*_: object) -> None:
    raise TimeoutError("takes too long as plain Python")


class Reached:
    """The records of a project's tests, read from `folder`."""

    def __init__(self, root: Path, plain: bool):
        self.root, self.plain = root, plain
        self.folder = root / ".cache" / "reached" / ("plain" if plain else "compiled")
        self.seconds: dict[str, float] = {}
        self._lines: dict[str, dict[str, dict[str, set[str]]]] = {}
        for file in sorted(self.folder.glob("*.json")):
            self._read(json.loads(file.read_bytes()))

    def _read(self, record: dict) -> None:
        tests = [name for name, _ in record["tests"]]
        if not tests or not (self.root / tests[0].split("::")[0]).exists():
            return
        self.seconds |= dict(record["tests"])
        for path, functions in record["lines"].items():
            for name, lines in functions.items():
                kept = self._lines.setdefault(path, {}).setdefault(name, {})
                for line, numbers in lines.items():
                    kept.setdefault(line, set()).update(tests[at] for at in numbers)

    def by_line(self, path: str, function: str, line: int) -> set[str]:
        """Return the tests that execute a line; those of its function where no record has the line."""
        lines = self._lines.get(path, {}).get(function, {})
        return lines.get(str(line)) or set().union(*lines.values())

    def by_module(self, path: str) -> set[str]:
        """Return the tests that execute any function of a file."""
        return {one for lines in self._lines.get(path, {}).values() for tests in lines.values() for one in tests}

    def missing(self) -> list[str]:
        """Return the test files without a record of their present text."""
        places = [self.root / "tests" / name for name in TESTED[self.plain]]
        files = [str(file.relative_to(self.root)) for place in places
                 for file in ([place] if place.is_file() else sorted(place.rglob("test_*.py")))]  # fmt: skip
        return [file for file in files if file not in ABOUT_TEXT and not self._record(file).exists()]

    def record(self, test: str, seconds: int) -> None:
        """Record one test file in a process of its own."""
        # Hypothesis would look for minutes for a smaller example of what takes too long.
        own = {"NUMBA_DISABLE_JIT": str(int(self.plain)), "TESTS_PROFILE": "mutants"}
        line = [sys.executable, "-m", "tools.reached", "--plain" if self.plain else "--compiled", "--one", test]
        with suppress(subprocess.TimeoutExpired):  # a test stopped while it waits for processes it started
            subprocess.run([*line, "--seconds", str(seconds)], cwd=self.root, env=os.environ | own, check=False,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=40 * seconds)  # fmt: skip

    def _record(self, test: str) -> Path:
        digest = hashlib.blake2b((self.root / test).read_bytes(), digest_size=6).hexdigest()
        return self.folder / f"{test.removesuffix('.py').replace('/', '.')}.{digest}.json"

    def run(self, test: str, seconds: int) -> None:
        """Run a test file here and write its record over older ones."""
        recorder = Recorder([str(self.root / one) for one in SOURCE[self.plain]], seconds)
        wraps = ["-W", "ignore::RuntimeWarning"] if self.plain else []
        recorder.limit(4.0 * seconds)
        pytest.main(["-n0", "-q", *wraps, test], plugins=[recorder])
        target = self._record(test)
        target.parent.mkdir(parents=True, exist_ok=True)
        for stale in target.parent.glob(f"{test.removesuffix('.py').replace('/', '.')}.*.json"):
            stale.unlink()
        atomic_write(target, json.dumps(recorder.result()).encode())


@click.command(help=__doc__)
@click.option("--plain/--compiled", default=True, help="Kernels as plain Python, or the modules that call them.")
@click.option("--one", help="Record this test file only, in this process.")
@click.option("--seconds", type=int, help="Leave out tests that take longer.  [default: 3, compiled 10]")
def main(plain: bool, one: str | None, seconds: int | None) -> None:
    """Record the test files that have no record yet."""
    reached = Reached(ROOT, plain)
    seconds = seconds or (3 if plain else 10)
    if one:
        reached.run(one, seconds)
        return
    missing = reached.missing()
    for number, test in enumerate(missing, 1):
        click.echo(f"{number}/{len(missing)} {test}", err=True)
        reached.record(test, seconds)


if __name__ == "__main__":
    main()
