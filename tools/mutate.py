"""Count the random faults in kernels, reasoning and agents that the nearest tests notice.

    python -m tools.mutate                                    # 200 mutants
    python -m tools.mutate --count 30 --seed 7 --path src/lastseen/agents/rules

A mutant changes one place of one file: a comparison, an operator, a constant (whole numbers by one, others doubled), a
condition negated, `and` for `or`, `min` for `max` (exchanging their arguments would change nothing), or a statement
removed. It is written into a copy of `src`, never into the checkout, and the tests nearest to the file run on it. A
mutant that fails a test or exceeds the time limit is killed; survivors are listed.

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
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

import click

from lastseen.files import atomic_write
from lastseen.kernels.store import cache_folder
from tools.mutants import Mutant, mutants_of
from tools.nearest_tests import NearestTests

ROOT = Path(__file__).resolve().parents[1]
DEFAULT = tuple(Path("src/lastseen", name) for name in ("kernels", "reasoning", "agents"))
MACHINERY = ("frugal.py", "jit.py", "kernel_cache.py", "store.py", "signatures.py")
"""Files among the kernels that compile them; a fault there is no fault of a kernel."""
RESULTS = ("killed", "timeout", "survived", "untested")


@dataclass(frozen=True)
class Outcome:
    """A mutant, what became of it (one of `RESULTS`) and the tests that were run."""

    mutant: Mutant
    result: str
    tests: tuple[str, ...]


class Runner:
    """Runs tests on a copy of `src` in a temporary folder."""

    def __init__(self, root: Path, folder: Path, seconds: float):
        self.root, self.folder, self.seconds = root, folder, seconds
        self.nearest = NearestTests(root)
        shutil.copytree(root / "src", folder / "src", ignore=shutil.ignore_patterns("__pycache__", "compiled"))
        (folder / "kernels").mkdir()
        for kept in cache_folder().glob("*/"):
            (folder / "kernels" / kept.name).symlink_to(kept.resolve(), target_is_directory=True)
        self._records = root / ".cache" / "mutants.json"
        self._state = self._digest([*root.glob("src/**/*.py"), *root.glob("tests/**/[!t]*.py")])
        self._known: dict[str, float | None] = {}
        with suppress(OSError, ValueError):
            self._known = json.loads(self._records.read_text())

    def run(self, mutant: Mutant) -> Outcome:
        """Run the nearest tests on a mutant, those known to be cheap first, until one notices it."""
        passed: list[str] = []
        for test in sorted(self.nearest.of(mutant.path), key=self._cost):
            for plain in (True, False) if "/kernels/" in mutant.path else (False,):
                result = self._result(mutant, test, plain)
                if result in ("killed", "timeout"):
                    return Outcome(mutant, result, (*passed, test))
                if result:
                    passed.append(test)
                    break
        return Outcome(mutant, "survived" if passed else "untested", tuple(passed))

    def _result(self, mutant: Mutant, test: str, plain: bool) -> str:
        """Return what a test file says of a mutant; nothing if it does not pass, or not in time, without it."""
        known = self._known.get(self._key(test, plain), math.nan)
        if known is None:
            return ""
        compiling = 180.0 if "/kernels/" in mutant.path and not plain else 0.0
        text = (self.root / mutant.path).read_bytes()
        try:
            self._write(mutant.path, mutant.applied(text))
            limit = self.seconds if math.isnan(known) else 3.0 * known + 20.0
            code = self._pytest(test, plain, limit + compiling)
        finally:
            self._write(mutant.path, text)
        if code == 0:
            return "survived"
        if self._duration(test, plain) is None:
            return ""
        if code is None and math.isnan(known):  # now that its time is known
            return self._result(mutant, test, plain)
        return "timeout" if code is None else "killed"

    def _key(self, test: str, plain: bool) -> str:
        return f"{test} {plain} {self.seconds} {self._digest([self.root / test])} {self._state}"

    def _cost(self, test: str) -> float:
        """Return the seconds a test file is known to take; a few where they are not known."""
        return min(self._known.get(self._key(test, plain)) or 3.0 for plain in (False, True))

    def _duration(self, test: str, plain: bool) -> float | None:
        """Return the seconds a test file takes without a mutant, None if it does not pass in time; recorded once."""
        key = self._key(test, plain)
        if key not in self._known:
            began = time.monotonic()
            passes = self._pytest(test, plain, self.seconds) == 0
            self._known[key] = round(time.monotonic() - began, 1) if passes else None
            self._records.parent.mkdir(exist_ok=True)
            kept = {name: taken for name, taken in self._known.items() if taken and name.endswith(self._state)}
            atomic_write(self._records, json.dumps(kept, indent=1).encode())
        return self._known[key]

    def _write(self, path: str, text: bytes) -> None:
        target = self.folder / path
        target.write_bytes(text)
        for stale in target.parent.glob(f"__pycache__/{target.stem}.*"):  # as fresh as the text, to the second
            stale.unlink()

    def _pytest(self, test: str, plain: bool, limit: float) -> int | None:
        """Return pytest's exit code, None after `limit` seconds."""
        own = {"PYTHONPATH": str(self.folder / "src"), "NUMBA_CACHE_DIR": str(self.folder / "kernels")}
        environment = os.environ | own | {"NUMBA_DISABLE_JIT": str(int(plain))}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        # Kernels count on unsigned numbers that wrap; NumPy warns of it.
        wraps = ["-W", "ignore:overflow encountered:RuntimeWarning"] if plain else []
        line = [sys.executable, "-m", "pytest", "-x", "-n0", "--no-header", *wraps, test]
        with subprocess.Popen(
            line, cwd=self.root, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            start_new_session=True,
        ) as process:  # fmt: skip
            try:
                return process.wait(limit)
            except subprocess.TimeoutExpired:
                return None
            finally:
                if process.poll() is None:
                    os.killpg(process.pid, signal.SIGKILL)

    @staticmethod
    def _digest(files: Sequence[Path]) -> str:
        digest = hashlib.blake2b(digest_size=8)
        for file in sorted(files):
            digest.update(file.read_bytes())
        return digest.hexdigest()


def chosen(root: Path, paths: Sequence[Path], count: int, seed: int) -> list[Mutant]:
    """Return mutants drawn at random from all of the files at `paths`."""
    files: set[Path] = set()
    for path in paths:
        whole = (root / path).resolve()
        if not whole.is_relative_to(root / "src"):
            raise click.UsageError(f"{path} is not below {root / 'src'}; give a file or folder of the source")
        if not whole.exists():
            raise click.UsageError(f"there is no {path}; give a file or folder of the source")
        files |= {whole} if whole.is_file() else set(whole.rglob("*.py"))
    found = [
        mutant
        for file in sorted(files)
        if not (file.parent.name == "kernels" and file.name in MACHINERY)
        for mutant in mutants_of(str(file.relative_to(root)), file.read_bytes())
    ]
    if not found:
        raise click.UsageError(f"nothing to change in {', '.join(map(str, paths))}; give files with code")
    return random.Random(seed).sample(found, min(count, len(found)))


def summary(outcomes: Sequence[Outcome]) -> dict[str, object]:
    """Return the counts and the mutants that were not killed; one that exceeds the time limit counts as killed."""
    counts = {name: sum(one.result == name for one in outcomes) for name in RESULTS}
    killed = counts["killed"] + counts["timeout"]
    alive = [asdict(one) for one in outcomes if one.result in ("survived", "untested")]
    return {"mutants": len(outcomes), **counts, "share": round(killed / max(1, len(outcomes)), 4), "alive": alive}


def _line(one: Outcome) -> str:
    before, after = (" ".join(text.split()) for text in (one.mutant.before, one.mutant.after))
    return (
        f"{one.result}: {one.mutant.path}:{one.mutant.line}: {before} → {after}  ({' '.join(one.tests) or 'no tests'})"
    )


def _progress(outcomes: Sequence[Outcome], count: int, began: float) -> str:
    left = (time.monotonic() - began) / len(outcomes) * (count - len(outcomes))
    counts = ", ".join(f"{sum(one.result == name for one in outcomes)} {name}" for name in RESULTS)
    return f"{len(outcomes)}/{count}: {counts}; about {left / 60:.0f} min left"


@click.command(help=__doc__)
@click.option("--count", default=200, show_default=True, type=click.IntRange(1), help="Number of mutants.")
@click.option("--seed", default=1, show_default=True, help="Seed of the draw.")
@click.option("--path", "paths", multiple=True, type=click.Path(path_type=Path), help="File or folder; repeatable.")
@click.option("--limit", default=30.0, show_default=True, help="Leave out test files that take more seconds.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def main(count: int, seed: int, paths: tuple[Path, ...], limit: float, as_json: bool) -> None:
    """Run the nearest tests on random mutants and list the survivors."""
    mutants = chosen(ROOT, paths or DEFAULT, count, seed)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    outcomes: list[Outcome] = []
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        try:
            runner = Runner(ROOT, Path(folder), limit)
            for mutant in mutants:
                outcomes.append(runner.run(mutant))
                if outcomes[-1].result in ("survived", "untested"):
                    click.echo(_line(outcomes[-1]), err=True)
                click.echo(_progress(outcomes, len(mutants), began), err=True)
        except KeyboardInterrupt:
            click.echo(f"stopped after {len(outcomes)} of {len(mutants)} mutants", err=True)
    result = summary(outcomes)
    if as_json:
        click.echo(json.dumps(result, indent=1))
    else:
        for one in outcomes:
            if one.result in ("survived", "untested"):
                click.echo(_line(one))
        counts = ", ".join(f"{result[name]} {name}" for name in RESULTS)
        share = 100.0 * float(str(result["share"]))
        click.echo(f"{len(outcomes)} mutants: {counts}; {share:.1f} % killed, time limits included")
    sys.exit(130 if len(outcomes) < len(mutants) else 0)


if __name__ == "__main__":
    main()
