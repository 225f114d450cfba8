"""Count the random faults in kernels, reasoning and agents that the nearest tests notice.

    python -m tools.mutate                                    # 200 mutants
    python -m tools.mutate --count 30 --seed 7 --path src/lastseen/agents/rules

A mutant changes one place of one file: a comparison, an operator, a constant (tools/mutants.py says how), a condition
negated, `and` for `or`, `min` for `max` (exchanging their arguments would change nothing), or a statement removed. It
is written into a copy of `src`, never into the checkout, and the tests that execute the changed line run on it
(tools/reached.py records them once per test file). A mutant is killed when a test fails, or when the tests take several
times the processor time they take without it: other work on the machine kills none. Survivors are listed, with the
reason where tests/surviving_mutants.toml gives one. A mutant that cannot be imported, or a kernel that numba would
refuse for its types, proves nothing about the tests: another one is drawn in its place.

cosmic-ray and mutmut do neither of two things needed here: choose the nearest tests (each would run the same command,
the whole suite, for every mutant), and know that compiled kernels are cached by a digest of their text. Mutants of
kernels run as plain Python (NUMBA_DISABLE_JIT) where their tests pass that way, and are compiled otherwise, into a
temporary cache that begins with what the user's own holds.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import partial
from itertools import islice
from pathlib import Path

import click

from lastseen.kernels.store import cache_folder
from tools.mutants import Mutant, mutants_of, thresholds_of
from tools.nearest_tests import NearestTests

ROOT = Path(__file__).resolve().parents[1]
DEFAULT = tuple(Path("src/lastseen", name) for name in ("kernels", "reasoning", "agents"))
MACHINERY = ("frugal.py", "jit.py", "kernel_cache.py", "store.py", "signatures.py")
"""Files among the kernels that compile them; a fault there is no fault of a kernel."""
RESULTS = ("killed", "timeout", "survived", "untested")
_UNREADABLE = 2
"""Exit code of pytest when it cannot import tests."""
_FEW_FILES = 5
"""Test files that are tried before all others: to collect tests takes longer than most tests."""
_STALLED = 20.0
"""Seconds per second of the limit after which tests that wait, rather than work, are given up; that kills no mutant."""
_ILL_TYPED = re.compile(r"^E   (TypeError|IndexError: only integers|[\w.]*(Typing|Lowering)Error)", re.M)
"""What pytest tells about a kernel that numba refuses: a number with a fraction where a whole one has to be."""


@dataclass(frozen=True)
class Outcome:
    """A mutant, what became of it (one of `RESULTS`, or "invalid") and the tests that were run."""

    mutant: Mutant
    result: str
    tests: tuple[str, ...]


class Runner:
    """Runs tests on a copy of `src` in a temporary folder."""

    def __init__(self, root: Path, folder: Path, seconds: float):
        self.root, self.folder = root, folder
        self.nearest = NearestTests(root, seconds)
        shutil.copytree(root / "src", folder / "src", ignore=shutil.ignore_patterns("__pycache__", "compiled"))
        (folder / "kernels").mkdir()
        for kept in cache_folder().glob("*/"):
            (folder / "kernels" / kept.name).symlink_to(kept.resolve(), target_is_directory=True)
        self._green: dict[tuple[tuple[str, ...], bool], float | None] = {}
        self._passing: set[tuple[str, bool]] = set()

    def run(self, mutant: Mutant) -> Outcome:
        """Run the nearest tests on a mutant until one notices it: those of a few files, then all others."""
        tests, seconds = self.nearest.of(mutant)
        files = list(dict.fromkeys(test.split("::")[0] for test in tests))[:_FEW_FILES]
        few = [test for test in tests if test.split("::")[0] in files]
        outcome = self._run(mutant, few, seconds)
        if outcome.result not in ("survived", "untested") or len(few) == len(tests):
            return outcome
        rest = self._run(mutant, tests[len(few) :], seconds)
        if rest.result in ("survived", "untested") and outcome.tests:
            return Outcome(mutant, "survived", outcome.tests + rest.tests)
        return rest

    def _run(self, mutant: Mutant, tests: list[str], seconds: float) -> Outcome:
        plain = self.nearest.is_plain(mutant.path)
        limit = 2.0 * seconds + 15.0 + (180.0 if "/kernels/" in mutant.path and not plain else 0.0)
        while tests:
            code, failed, is_valid = self._mutated(mutant, tests, plain, limit)
            if code == 0:
                return Outcome(mutant, "survived", tuple(tests))
            if not is_valid:
                return Outcome(mutant, "invalid", ())
            if failed and (failed[0], plain) in self._passing:
                return Outcome(mutant, "killed", tuple(failed))
            # With all that ran before it: a test may fail for what another left behind, whatever the mutant.
            blamed = tests[: tests.index(failed[0]) + 1] if failed else tests
            taken = self._duration(blamed, plain, 4.0 * limit)
            if taken is None:  # they fail without the mutant, too
                tests = [one for one in tests if failed and one not in failed]
            elif code is None and limit < 3.0 * taken:
                limit = 4.0 * taken
            else:
                return Outcome(mutant, "killed" if code is not None else "timeout", tuple(failed or blamed))
        return Outcome(mutant, "untested", ())

    def _mutated(
        self, mutant: Mutant, tests: list[str], plain: bool, limit: float
    ) -> tuple[int | None, list[str], bool]:
        """Return pytest's exit code, None at the limit, the test that failed, and whether the mutant runs."""
        text = (self.folder / mutant.path).read_bytes()
        try:
            self._write(mutant.path, mutant.applied(text))
            code, told = self._pytest(tests, plain, limit)
            is_ill_typed = "/kernels/" in mutant.path and _ILL_TYPED.search(told)
            return code, _failed(tests, told), not is_ill_typed and (code != _UNREADABLE or self._imports(mutant.path))
        finally:
            self._write(mutant.path, text)

    def _imports(self, path: str) -> bool:
        name = ".".join(Path(path).with_suffix("").parts[1:]).removesuffix(".__init__")
        return not subprocess.run(
            [sys.executable, "-c", f"import {name}"], env=self._environment(True), capture_output=True, check=False
        ).returncode

    def _duration(self, tests: list[str], plain: bool, limit: float) -> float | None:
        """Return the processor time that tests take without a mutant, None if they do not pass within the limit."""
        key = (tuple(tests), plain)
        if key not in self._green:
            began = _processor_time()
            passes = self._pytest(tests, plain, limit)[0] == 0
            self._green[key] = _processor_time() - began if passes else None
            self._passing |= {(test, plain) for test in tests if passes}
        return self._green[key]

    def _write(self, path: str, text: bytes) -> None:
        target = self.folder / path
        target.write_bytes(text)
        for stale in target.parent.glob(f"__pycache__/{target.stem}.*"):  # as fresh as the text, to the second
            stale.unlink()

    def _environment(self, plain: bool) -> dict[str, str]:
        own = {"PYTHONPATH": str(self.folder / "src"), "NUMBA_CACHE_DIR": str(self.folder / "kernels")}
        environment = os.environ | own | {"NUMBA_DISABLE_JIT": str(int(plain)), "TESTS_PROFILE": "mutants"}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        return environment

    def _pytest(self, tests: list[str], plain: bool, limit: float) -> tuple[int | None, str]:
        """Return pytest's exit code, None after `limit` seconds of processor time, and its output."""
        # NumPy warns of numbers that overflow or are not numbers; compiled kernels do not, so that proves nothing.
        wraps = ["-W", "ignore::RuntimeWarning"] if plain else []
        line = [sys.executable, "-m", "pytest", "-x", "-n0", "--no-header", "--tb=line", "-rfE", *wraps, *tests]
        with subprocess.Popen(
            line, cwd=self.root, env=self._environment(plain), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            start_new_session=True, text=True, errors="replace", preexec_fn=partial(_at_most, limit),
        ) as process:  # fmt: skip
            try:
                told = process.communicate(timeout=_STALLED * limit)[0]
            except subprocess.TimeoutExpired:
                return 0, ""
            finally:
                if process.poll() is None:
                    os.killpg(process.pid, signal.SIGKILL)
        return None if process.returncode == -signal.SIGXCPU else process.returncode, told


def _at_most(seconds: float) -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(seconds), math.ceil(seconds) + 5))


def _processor_time() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _failed(tests: list[str], told: str) -> list[str]:
    lines = told.splitlines()
    failed = [one for one in tests if any(line.startswith((f"FAILED {one}", f"ERROR {one}")) for line in lines)]
    return sorted(failed, key=len)[-1:]


def chosen(root: Path, paths: Sequence[Path], seed: int) -> list[Mutant]:
    """Return all mutants of the files at `paths` in a random order that changes elsewhere do not change."""
    files: set[Path] = set()
    for path in paths:
        whole = (root / path).resolve()
        if not whole.is_relative_to(root / "src"):
            raise click.UsageError(f"{path} is not below {root / 'src'}; give a file or folder of the source")
        if not whole.exists():
            raise click.UsageError(f"there is no {path}; give a file or folder of the source")
        files |= {whole} if whole.is_file() else set(whole.rglob("*.py"))
    thresholds = {name for file in root.glob("src/**/*.py") for name in thresholds_of(file.read_bytes())}
    found = [
        mutant
        for file in sorted(files)
        if not (file.parent.name == "kernels" and file.name in MACHINERY)
        for mutant in mutants_of(str(file.relative_to(root)), file.read_bytes(), thresholds)
    ]
    if not found:
        raise click.UsageError(f"nothing to change in {', '.join(map(str, paths))}; give files with code")
    seen: Counter[str] = Counter()
    drawn = []
    for mutant in found:
        text = f"{seed} {mutant.path} {mutant.before} {mutant.after}"
        drawn.append((hashlib.blake2b(f"{text} {seen[text]}".encode()).digest(), mutant))
        seen[text] += 1
    return [mutant for _, mutant in sorted(drawn, key=lambda each: each[0])]


def summary(outcomes: Sequence[Outcome]) -> dict[str, object]:
    """Return the counts and the mutants that were not killed; one that exceeds its processor time is."""
    counts = {name: sum(one.result == name for one in outcomes) for name in RESULTS}
    killed = counts["killed"] + counts["timeout"]
    alive = [asdict(one) for one in outcomes if one.result in ("survived", "untested")]
    return {"mutants": len(outcomes), **counts, "share": round(killed / max(1, len(outcomes)), 4), "alive": alive}


def _line(one: Outcome, known: dict[tuple[str, str, str], str]) -> str:
    mutant = one.mutant
    why = known.get((mutant.path, mutant.text, mutant.change))
    why = why or f"{len(one.tests)} tests in {_files(one) or 'no file'}; no reason given"
    return f"{one.result}: {mutant.path}:{mutant.line}: {mutant.text}: {mutant.change}  ({why})"


def _files(one: Outcome) -> str:
    return " ".join(sorted({test.split("::")[0] for test in one.tests}))


def reasons(root: Path) -> dict[tuple[str, str, str], str]:
    """Return why mutants known to survive do so, by file, text of the line and change."""
    file = root / "tests" / "surviving_mutants.toml"
    known = tomllib.loads(file.read_text(encoding="utf-8"))["mutant"] if file.exists() else []
    return {(one["path"], one["line"], one["change"]): one["reason"] for one in known}


def _progress(outcomes: Sequence[Outcome], count: int, began: float) -> str:
    left = (time.monotonic() - began) / len(outcomes) * (count - len(outcomes))
    counts = ", ".join(f"{sum(one.result == name for one in outcomes)} {name}" for name in RESULTS)
    return f"{len(outcomes)}/{count}: {counts}; about {left / 60:.0f} min left"


@click.command(help=__doc__)
@click.option("--count", default=200, show_default=True, type=click.IntRange(1), help="Number of mutants.")
@click.option("--seed", default=1, show_default=True, help="Seed of the draw.")
@click.option("--path", "paths", multiple=True, type=click.Path(path_type=Path), help="File or folder; repeatable.")
@click.option("--limit", default=20.0, show_default=True, help="Seconds for the tests of one mutant.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def main(count: int, seed: int, paths: tuple[Path, ...], limit: float, as_json: bool) -> None:
    """Run the nearest tests on random mutants and list the survivors."""
    mutants = iter(chosen(ROOT, paths or DEFAULT, seed))
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    outcomes: list[Outcome] = []
    is_stopped = False
    known = reasons(ROOT)
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        try:
            runner = Runner(ROOT, Path(folder), limit)
            for one in islice((one for one in map(runner.run, mutants) if one.result != "invalid"), count):
                outcomes.append(one)
                if one.result in ("survived", "untested"):
                    click.echo(_line(one, known), err=True)
                click.echo(_progress(outcomes, count, began), err=True)
        except KeyboardInterrupt:
            is_stopped = True
            click.echo(f"stopped after {len(outcomes)} of {count} mutants", err=True)
    result = summary(outcomes)
    if as_json:
        click.echo(json.dumps(result, indent=1))
    else:
        for one in outcomes:
            if one.result in ("survived", "untested"):
                click.echo(_line(one, known))
        counts = ", ".join(f"{result[name]} {name}" for name in RESULTS)
        share = 100.0 * float(str(result["share"]))
        click.echo(f"{len(outcomes)} mutants: {counts}; {share:.1f} % killed, time limits included")
    sys.exit(130 if is_stopped else 0)


if __name__ == "__main__":
    main()
