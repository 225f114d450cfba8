"""Kernels are compiled as seldom as can be: kept until a text they need changes, once for all processes and types."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import numba
import numpy as np
import pytest

from lastseen.kernels.jit import jit, missing_hooks
from lastseen.kernels.store import text_digest


def _kernels(folder: Path, helper: str) -> list[str]:
    folder.mkdir()
    (folder / "jit.py").write_text("")
    (folder / "helper.py").write_text(f"from .jit import jit\n{helper}\n")
    (folder / "between.py").write_text("from .helper import one\n")
    (folder / "user.py").write_text("from .between import (\n    one,\n)\n")
    (folder / "stranger.py").write_text("from .jit import jit\n")
    return [text_digest(folder / f"{name}.py") for name in ("helper", "user", "stranger")]


def test_an_edit_changes_the_digest_of_all_that_use_it_and_of_nothing_else(tmp_path: Path) -> None:
    before, after = _kernels(tmp_path / "before", "one = 1"), _kernels(tmp_path / "after", "one = 2")
    assert [old == new for old, new in zip(before, after)] == [False, False, True]


def test_the_same_text_has_the_same_digest_wherever_it_stands(tmp_path: Path) -> None:
    assert _kernels(tmp_path / "here", "one = 1") == _kernels(tmp_path / "there", "one = 1")


def test_files_that_import_one_another_have_a_digest(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("from .b import b\n")
    (tmp_path / "b.py").write_text("from .a import a\n")
    assert text_digest(tmp_path / "a.py") == text_digest(tmp_path / "b.py")


SCRIPT = """
import sys

from lastseen.kernels.jit import jit

sys.path.insert(0, sys.argv[1])
print("ready", flush=True)
sys.stdin.readline()
from slow_kernel import inner, outer

print(outer(3), sum(one.stats.cache_misses.total() for one in (inner, outer)))
"""

KERNEL = """
from lastseen.kernels.jit import jit


@jit
def inner(count):
    return count * 2


@jit
def outer(count):
    total = 0
    for number in range(count):
        total += inner(number)
    return total
"""


def test_two_processes_compile_a_kernel_once(tmp_path: Path) -> None:
    (tmp_path / "slow_kernel.py").write_text(KERNEL)
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    both = [
        subprocess.Popen([sys.executable, "-c", SCRIPT, str(tmp_path)], stdin=-1, stdout=-1, text=True, env=environment)
        for _ in range(2)
    ]
    for one in both:
        assert one.stdout is not None
        assert one.stdout.readline() == "ready\n"
    for one in both:
        assert one.stdin is not None
        one.stdin.write("go\n")
        one.stdin.flush()
    said = [one.communicate(timeout=120)[0].split() for one in both]
    assert [words[0] for words in said] == ["6", "6"]
    assert sorted(int(words[1]) for words in said) == [0, 2]


PLAIN = """
import numpy as np

import lastseen as ls
from lastseen.level.level import ConvexFaces

level = ls.Level.sample("corridor")
mesh = ls.NavMesh.from_level(level)
cells = ls.CellLayout.from_navmesh(mesh)
negative = [(-4.0, -4.0, 0.0), (-1.0, -4.0, 0.0), (-1.0, -1.0, 0.0), (-4.0, -1.0, 0.0)]
corners = np.array([*negative, (2.0, -4.0, 0.0), (2.0, -1.0, 0.0)])
faces = ConvexFaces(corners, np.array([0, 4, 8], np.int32), np.array([0, 1, 2, 3, 1, 4, 5, 2], np.int32))
print(ls.NavMesh.from_level(ls.Level(faces), ls.Body(radius=0.0)).face_count)
here, there = cells.arrays.cell_xyz[[5, -5]].tolist()
flood = ls.Chase(cells, "belief").predict(seen_at=here, heading=(1, 0), guard_at=there)
sight = ls.Sight.from_level(level)
path = ls.find_path(mesh, here, there)
print(ls.warmup("rules", jobs=1).failed, flood.destination.tolist(), flood.steps, path.points_xyz.tolist())
print(ls.sees(sight, (6, 4, 1.6), (14, 4, 1.6)), ls.level.visible_area(sight, (6, 4, 1.6), 0.0, 2.0, 9.0).tolist())
"""


def test_kernels_run_as_plain_python_with_the_same_results() -> None:
    """What a debugger steps through, and coverage counts."""
    said = [
        subprocess.run(
            [sys.executable, "-W", "ignore", "-c", PLAIN],
            env=os.environ | {"NUMBA_DISABLE_JIT": setting},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for setting in ("0", "1")
    ]
    assert len(said[0]) > 100
    assert said[0] == said[1]


class Pair(NamedTuple):
    first: np.ndarray
    second: np.ndarray


@jit
def chosen(pair, index, doubled):
    return pair.first[index] * (2.0 if doubled else 1.0)


@jit
def chosen_thrice(pair, more):
    return chosen(pair, 0, True) + chosen(pair, 1, False) + chosen(pair, index=1, doubled=True) + more[0]


def test_frozen_arrays_and_constants_need_no_code_of_their_own() -> None:
    free = np.array([1.0, 10.0])
    frozen = free.copy()
    frozen.flags.writeable = False
    whole = np.arange(2)
    answers = [chosen_thrice(Pair(first, whole), more) for first, more in itertools.product((free, frozen), repeat=2)]
    assert answers == [33.0] * 4
    assert chosen(Pair(free, whole), 0, True) == chosen(Pair(frozen, whole), 0, True) == 2.0
    assert (len(chosen_thrice.signatures), len(chosen.signatures)) == (1, 1)
    assert chosen_thrice(Pair(frozen, frozen), frozen) == 33.0  # a tuple of equals is another type
    assert len(chosen_thrice.signatures) == 2


def test_frozen_arrays_are_known_from_the_second_call_on(monkeypatch: pytest.MonkeyPatch) -> None:
    frozen = np.ones(2, np.float32)
    frozen.flags.writeable = False
    first = chosen_thrice(Pair(frozen, frozen), frozen)
    monkeypatch.setattr(chosen_thrice, "compile", None)
    assert chosen_thrice(Pair(frozen, frozen), frozen) == first == 6.0


def test_two_threads_that_ask_at_once_leave_one_entry(monkeypatch: pytest.MonkeyPatch) -> None:
    frozen = np.ones(2, np.int16)
    frozen.flags.writeable = False
    types = tuple(numba.typeof(one) for one in (Pair(frozen, frozen), frozen))
    for _ in range(2):  # the second as if it had begun to wait before the first was done
        chosen_thrice.compile(types)
    monkeypatch.setattr(chosen_thrice, "compile", None)
    assert chosen_thrice(Pair(frozen, frozen), frozen) == 6.0


def test_numba_has_every_hook_we_use() -> None:
    assert missing_hooks() == [], (
        f"numba {numba.__version__} lacks {missing_hooks()}, which kernels/jit.py takes hold of: kernels fall back to "
        "plain numba, which compiles more often and cannot load shipped kernels. Adapt kernels/jit.py."
    )


FALLBACK = """
import sys

sys.path.insert(0, sys.argv[1])
{damage}
from slow_kernel import inner, outer

print(outer(3), outer(3.0 > 2.0), len(outer.signatures))
"""
DAMAGE = {
    "another class": "sys.modules['lastseen.kernels.kernel_cache'] = None",
    "another version": "from lastseen.kernels import frugal\nfrugal.VERSIONS = ()",
    "another method": "from lastseen.kernels import jit\njit.HOOKS = (*jit.HOOKS, (jit.dispatcher.Dispatcher, 'gone'))",
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_without_its_hooks_numba_compiles_as_it_does_by_itself(tmp_path: Path, damage: str) -> None:
    (tmp_path / "slow_kernel.py").write_text(KERNEL)
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    words = [sys.executable, "-c", FALLBACK.format(damage=damage), str(tmp_path)]
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.split() == ["6", "0", "2"]
    assert list((tmp_path / "cache").rglob("*.nbi")), "numba's own cache keeps nothing"
