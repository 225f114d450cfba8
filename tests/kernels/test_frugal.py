"""Compiling spares numba work that changes no results."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numba
import numpy as np
import pytest
from numba.core.caching import NullCache
from numba.core.runtime import _nrt_python, rtsys
from numba.core.types import functions

from lastseen.kernels import frugal
from lastseen.kernels.jit import inner, jit, types_of
from lastseen.kernels.mesh import point_location
from lastseen.kernels.mesh.point_location import faces_under
from lastseen.level.samples import sample
from lastseen.navmesh.build import build_navmesh


def test_numba_is_of_a_version_that_was_checked() -> None:
    assert frugal.is_checked(), (
        f"numba {numba.__version__} is not among {frugal.VERSIONS}: kernels compile as slowly as numba does by itself. "
        "Compare what kernels/frugal.py replaces with numba's text, then add the version."
    )


@inner
def _twice(values, index):
    return 2.0 * values[index] if index < len(values) else np.sqrt(values[0])


@jit
def total_of_twice(values):
    total = 0.0
    for index in range(len(values) + 1):
        total += _twice(values, index)
    return total


def test_only_what_python_calls_becomes_machine_code() -> None:
    assert total_of_twice(np.array([4.0, 1.0])) == 12.0
    _twice.compile((numba.float64[::1], numba.int64))
    assert [one.overloads[one.signatures[0]].library._is_code for one in (_twice, total_of_twice)] == [False, True]


def test_tests_may_call_what_python_does_not() -> None:
    values = np.array([4.0, 1.0])
    assert [_twice(values, index) for index in range(3)] == [8.0, 2.0, 2.0]
    assert _twice(values.astype(np.float32), 1) == 2.0


@inner
def _longer(values, least):
    while len(values) < least:
        more = np.zeros(2 * len(values))
        for index in range(len(values)):
            more[index] = values[index]
        values = more
    return values


@inner
def _first_of(pair, index):
    for _ in range(index):
        pair = (pair[1], pair[0])
    return pair[0], pair


@jit
def grown_total(values, least):
    total = 0.0
    for index in range(3):
        kept, (first, second) = _first_of((_longer(values, least), values), index)
        total += kept.sum() + first.sum() + second.sum() + _longer(np.ones(2), index).sum()
    return total


@jit
def itself_or_longer(values, least):
    return _longer(values, least)


def test_arguments_are_borrowed_and_nothing_is_freed_twice_or_kept(request: pytest.FixtureRequest) -> None:
    _nrt_python.memsys_enable_stats()
    request.addfinalizer(_nrt_python.memsys_disable_stats)
    values = np.arange(3.0)
    references, before = sys.getrefcount(values), rtsys.get_allocation_stats()
    for _ in range(100):
        assert grown_total(values, 10) == 3 * 9.0 + 6.0
        assert itself_or_longer(values, 3) is not None
        assert itself_or_longer(values, 10).tolist() == [0.0, 1.0, 2.0] + [0.0] * 9
    after = rtsys.get_allocation_stats()
    assert after.alloc - before.alloc == after.free - before.free > 0
    assert sys.getrefcount(values) == references
    assert values.tolist() == [0.0, 1.0, 2.0]


def test_kernels_do_not_count_references_to_their_arguments(monkeypatch: pytest.MonkeyPatch) -> None:
    for kernel in (point_location.contains, point_location.child_under, point_location.face_under, faces_under):
        monkeypatch.setattr(kernel, "_cache", NullCache())
    mesh = build_navmesh(sample("house")).arrays
    types = types_of(faces_under, (mesh, np.zeros((0, 3)), 1.0, 1.0, np.zeros(0, np.int32), np.zeros(0)))
    fresh = jit(faces_under.py_func)  # One that was loaded from the cache shows no code.
    monkeypatch.setattr(fresh, "_cache", NullCache())
    fresh.compile(types)
    text = fresh.overloads[types].library.get_llvm_str()
    assert "faces_under" in text
    assert "call void @NRT_incref" not in text  # 43 of them if arguments are counted


def test_numba_is_left_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []
    plain = functions.BaseFunction.get_call_type
    monkeypatch.setattr(
        functions.BaseFunction, "get_call_type", lambda *given: (asked.append(given[0]), plain(*given))[1]
    )
    before = functions.BaseFunction.get_call_type
    total_of_twice.compile((numba.float32[::1],))
    assert functions.BaseFunction.get_call_type is before
    theirs = numba.njit(lambda value: value + 1)
    assert theirs(2) == 3
    assert asked
    assert type(theirs.overloads[theirs.signatures[0]].library) is not frugal.KernelLibrary


def test_a_signature_is_looked_up_once_for_the_same_types(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[object, ...]] = []
    plain = functions.BaseFunction.get_call_type

    def look_up(self, context, args, kws):
        asked.append((self, *args))
        return plain(self, context, args, kws)

    monkeypatch.setattr(functions.BaseFunction, "get_call_type", look_up)

    @jit
    def powers(value):
        return value * value * value * value * value * value

    monkeypatch.setattr(powers, "_cache", NullCache())
    powers.compile((numba.complex64,))
    ours = [one for one in asked if numba.complex64 in one and "mul" in str(one[0])]
    assert len(ours) == 1


LOW = """
from lastseen.kernels.jit import inner


@inner
def half(value):
    return value / 2
"""
HIGH = """
from lastseen.kernels.jit import jit
from low import half


@jit
def halves(values):
    total = 0.0
    for number in range(len(values)):
        total += half(values[number]) * {factor}
    return total
"""
SCRIPT = """
import sys

sys.path.insert(0, sys.argv[1])
import numpy as np
from high import half, halves

print(halves(np.arange(9.0)), half.stats.cache_misses.total(), half.stats.cache_hits.total())
"""


def _run(folder: Path, factor: int) -> list[str]:
    (folder / "low.py").write_text(LOW)
    (folder / "high.py").write_text(HIGH.format(factor=factor))
    # Without bytecode: that of another factor has the same size and, within a second, the same age.
    words = [sys.executable, "-B", "-c", SCRIPT, str(folder)]
    environment = os.environ | {"NUMBA_CACHE_DIR": str(folder / "cache")}
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout.split()


def test_kept_inner_kernels_are_linked_into_callers_compiled_later(tmp_path: Path) -> None:
    assert _run(tmp_path, 1) == ["18.0", "1", "0"]
    assert _run(tmp_path, 3) == ["54.0", "0", "1"]
