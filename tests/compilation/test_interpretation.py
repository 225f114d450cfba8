"""Kernels that are not compiled are interpreted where that is quicker, with results equal to the last bit."""

from __future__ import annotations

import dis
import itertools
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from lastseen.compilation import interpretation
from lastseen.compilation.interpretation import (
    EARLY,
    INEXACT,
    LOCAL,
    MORE,
    PER_ROW,
    SETTING_UP,
    early_kernels_interpreted,
    is_exact,
    kernels_interpreted,
)
from lastseen.compilation.manifest import manifest
from lastseen.kernels.jit import jit
from lastseen.kernels.signatures import kernel_named

ROUNDED = {"hypot", "argsort", "sum", "mean", "dot", "exp", "log", "power", "arctan2"}
"""Functions that compiled code rounds or orders differently."""


@jit
def _doubled(values, index):
    return values[index] * np.uint64(2)


@jit
def wrapped_sum(values):
    total = np.uint64(0)
    for index in range(len(values)):
        total += _doubled(values, index)
    return total


@jit
def patient_sum(values):
    total = np.uint64(0)
    for index in range(len(values)):
        total += _doubled(values, index)
    return total


@pytest.fixture
def priced(monkeypatch, tmp_path):
    """Return a function that sets the price of all kernels; losses are noted in a folder of the test's own."""
    monkeypatch.setattr(interpretation, "is_exact", lambda _: True)
    monkeypatch.setattr(interpretation, "_is_kept", lambda *_: False)
    monkeypatch.setattr(interpretation, "_file", lambda: tmp_path / "lost")
    return lambda seconds: monkeypatch.setattr(interpretation, "_price", lambda _: seconds)


def test_a_kernel_is_interpreted_until_that_costs_as_much_as_compiling(priced):
    values = np.full(10, 2**63 + 1, np.uint64)
    told = []
    priced(1.0)
    with kernels_interpreted(lambda: told.append("compiling")) as interpreter:
        assert int(wrapped_sum(values)) == 20
        assert int(wrapped_sum(values)) == 20
        assert [name.rpartition(".")[2] for name in interpreter.kernels] == ["wrapped_sum"]
        assert not told
        assert not wrapped_sum.signatures
        for account in interpreter._accounts.values():
            account.seconds = 2.0
        assert int(wrapped_sum(values)) == 20
        assert told == ["compiling"]
        assert wrapped_sum.signatures


def test_on_a_busy_machine_no_more_kernels_are_compiled(priced, monkeypatch):
    clock = itertools.count(step=100.0)
    monkeypatch.setattr(
        interpretation, "time", SimpleNamespace(perf_counter=lambda: next(clock), thread_time=time.thread_time)
    )
    priced(1.0)
    told = []
    with kernels_interpreted(lambda: told.append("compiling")):
        for _ in range(3):
            assert int(patient_sum(np.ones(3, np.uint64))) == 6
    assert not told


def test_large_arrays_are_not_interpreted(priced):
    priced(1.0)
    with kernels_interpreted() as interpreter:
        assert interpreter.take(wrapped_sum, (np.zeros(1000, np.uint64),)) is not None
        assert interpreter.take(wrapped_sum, ((np.zeros(10**6, np.uint64),),)) is None
        assert interpreter.take(wrapped_sum, (np.zeros(1000, np.uint64),)) is None


def test_kernels_that_handle_rows_are_interpreted_for_few_rows(priced, monkeypatch):
    priced(1.0)
    monkeypatch.setattr(interpretation, "PER_ROW", {f"{__name__}.wrapped_sum": (0, 0.1)})
    monkeypatch.setattr("lastseen.kernels.jit.name_among_kernels", lambda function: f"{__name__}.{function.__name__}")
    with kernels_interpreted() as interpreter:
        assert interpreter.take(wrapped_sum, (np.zeros(10, np.uint64), np.zeros(10**6))) is not None
        assert interpreter.take(wrapped_sum, (np.zeros(11, np.uint64),)) is None


def test_time_lost_in_earlier_processes_counts(priced):
    priced(1.0)
    given = (np.zeros(10, np.uint64),)
    for _ in range(2):
        with kernels_interpreted() as interpreter:
            assert interpreter.take(wrapped_sum, given) is not None
            interpreter._accounts[wrapped_sum].seconds, interpreter._accounts[wrapped_sum].calls = 0.75, 1
    with kernels_interpreted() as interpreter:
        assert interpreter.take(wrapped_sum, given) is None


def test_early_kernels_are_interpreted_until_another_process_has_compiled_them(monkeypatch):
    kept = []
    monkeypatch.setattr(interpretation, "_is_kept", lambda *_: bool(kept))
    monkeypatch.setattr("lastseen.kernels.jit.name_among_kernels", lambda function: function.__name__)

    @jit
    def wrapped(values):
        return wrapped_sum(values)

    values = np.full(10, 2**63 + 1, np.uint64)
    with early_kernels_interpreted():
        monkeypatch.setattr(interpretation, "EARLY", ("wrapped",))
        assert int(wrapped(values)) == 20
        assert not wrapped.signatures
        assert interpretation._take_early(wrapped, (np.zeros(100_001, np.uint64),)) is None
        kept.append(True)
        assert int(wrapped(values)) == 20
        assert wrapped.signatures
        kept.clear()
        monkeypatch.setattr(interpretation, "EARLY", ())
        assert interpretation._take_early(wrapped, (values,)) is None


def test_outside_the_block_kernels_are_compiled(priced):
    priced(1e9)
    with kernels_interpreted():
        pass

    @jit
    def thrice(value):
        return 3 * value

    assert thrice(2) == 6
    assert thrice.signatures


def _functions(kernel, found):
    if kernel.py_func not in found:
        found[kernel.py_func] = None
        for name in kernel.py_func.__code__.co_names:
            callee = kernel.py_func.__globals__.get(name)
            if hasattr(callee, "py_func"):
                _functions(callee, found)
    return found


def test_interpreted_kernels_call_nothing_that_is_rounded_differently():
    called = {entry.kernel for entry in manifest().kernels if entry.purposes}
    assert called.issuperset({*INEXACT, *LOCAL, *MORE, *PER_ROW})
    exact = [name for name in called if is_exact(name)]
    assert len(exact) > 20
    for name in exact:
        for function in _functions(kernel_named(name), {}):
            code = function.__code__
            assert ROUNDED.isdisjoint(code.co_names), (name, function.__name__)
            powers = [one for one in dis.get_instructions(code) if one.argrepr in ("**", "**=")]
            assert not powers, (name, function.__name__)


BOTH = """
import sys
import time

import numpy as np
from click.testing import CliRunner

import lastseen as ls
from lastseen.compilation.interpretation import EARLY, LOCAL, SETTING_UP, is_exact
from lastseen.kernels import jit as jitted
from lastseen.compilation.interpretation import _plain_function as plain_function
from lastseen.views.cli.app.main import cli

met, entries, stepping = set(), {}, []


def flat(given):
    return [x for one in given for x in flat(one)] if isinstance(given, tuple) else [given]


def cloned(given, known):
    if isinstance(given, tuple):
        fields = [cloned(one, known) for one in given]
        return type(given)(*fields) if hasattr(given, "_fields") else tuple(fields)
    if not isinstance(given, np.ndarray):
        return given
    # Arguments may be parts of one array.
    base = given
    while isinstance(base.base, np.ndarray):
        base = base.base
    if id(base) not in known:
        known[id(base)] = base, base.copy(order="K")
    old, new = known[id(base)]
    start = given.__array_interface__["data"][0] - old.__array_interface__["data"][0]
    if not new.flags.forc or not given.size:
        return given.copy()
    return np.ndarray(given.shape, given.dtype, new.data.cast("B") if new.size else new, start, given.strides)


def used(given):
    # Paths have spare room that nobody writes.
    if not hasattr(given, "point_start"):
        return given
    points, faces = given.point_start[-1], given.face_start[-1]
    return given._replace(points=given.points[:points], bends=given.bends[:points], faces=given.faces[:faces])


def same(first, second):
    for one, other in zip(flat((used(first),)), flat((used(second),)), strict=True):
        if isinstance(other, np.ndarray):
            assert one.dtype == other.dtype
        # Bytes tell -0.0 from 0.0.
        assert np.asarray(one, np.asarray(other).dtype).tobytes() == np.asarray(other).tobytes()


def take(kernel, given):
    name = jitted.name_among_kernels(kernel.py_func)
    assert not (stepping and name in SETTING_UP), name

    def both(*given):
        types = jitted.types_of(kernel, given)
        if (kernel, types) not in entries:
            entries[kernel, types] = kernel.compile(types)
        elements = 0 if name in LOCAL else sum(getattr(one, "size", 0) for one in flat(given))
        if not is_exact(name) or elements > 300_000:
            return entries[kernel, types](*given)
        met.add(name)
        copies = cloned(given, {})
        with np.errstate(all="ignore"):
            interpreted = plain_function(kernel)(*copies)
        compiled = entries[kernel, types](*given)
        try:
            same(interpreted, compiled)
            same(copies, given)
        except AssertionError as error:
            raise SystemExit(f"{name} differs in the interpreter")
        return compiled

    return both


def arm():
    import importlib, pkgutil

    import lastseen.kernels
    for info in pkgutil.walk_packages(lastseen.kernels.__path__, "lastseen.kernels."):
        for kernel in vars(importlib.import_module(info.name)).values():
            if hasattr(kernel, "py_func") and not kernel.targetoptions.get("no_cpython_wrapper"):
                kernel._insert = lambda *_: None  # every call is offered


def run(*words):
    result = CliRunner().invoke(cli, list(words))
    if result.exit_code:
        raise SystemExit(f"{words}: {result.output} {result.exception}")


arm()
import lastseen.compilation.interpretation as interpretation

interpretation.Interpreter.take = lambda self, kernel, given: take(kernel, given)
"""

COMMANDS = """
for level, seen in (("rooms", "3.5,5.5"), ("house", "6,2"), ("hall", "5.5,5.5"), ("warehouse", "7.5,8.5")):
    run("chase", level, "--seen", seen, "--heading", "1,0.3", "--json")
    run("chase", level, "--seen", seen, "--heading", "0,1", "--preset", "belief", "--guard", seen)
draw = np.random.default_rng(5)
for number in range(4):
    rows = np.where(draw.random((9 + number, 14)) < 0.25, "#", ".")
    rows[4, :] = "."
    open(f"{number}.txt", "w").write("\\n".join("".join(row) for row in rows) + "\\n")
    x, dx, dy = draw.integers(14) + 0.5, *draw.uniform(-1, 1, 2).round(3)
    y = 4 + number + 0.5
    run("chase", f"{number}.txt", "--seen", f"{x},{y}", "--heading", f"{dx},{dy}", "--json")
    run("bake", f"{number}.txt", "--radius", "0.3", "--cell", "0.7", "-o", f"{number}.cells")
assert {"cells.cell_walk.clear_walks", "flood.heat_look.flood_once", "cells.cell_cut.cut_faces"} <= met, met
print("equal")
"""

GAMES = """
from lastseen.simulation.world.puppet import PlayerInput
from lastseen.views.studio.session.folder import Folder
from lastseen.views.studio.session.game import Game
from lastseen.views.studio.session.stage_opening import opened, request_for

for name in ("warehouse", "house"):
    stepping.clear()
    with interpretation.kernels_interpreted():
        game = Game(opened(Folder("."), request_for(name)))
        stepping.append(True)
        for _ in range(200):
            game.advance(PlayerInput((1.0, 0.4), "walk" if name == "warehouse" else "run"))
assert met.issuperset({*SETTING_UP, *EARLY}), {*SETTING_UP, *EARLY} - met
print("equal")
"""


@pytest.mark.parametrize("script", [COMMANDS, GAMES], ids=["commands", "games"])
def test_interpreted_kernels_equal_compiled_ones_to_the_last_bit(script, tmp_path):
    words = [sys.executable, "-c", BOTH + script]
    done = subprocess.run(words, cwd=tmp_path, env=os.environ, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout == "equal\n"


def _chase(folder: Path, *more: str) -> dict[str, object]:
    words = [sys.executable, "-m", "lastseen", "chase", "rooms", "--seen", "3.5,5.5", "--heading", "1,0", "--json"]
    environment = os.environ | {"NUMBA_CACHE_DIR": str(folder), "LASTSEEN_SHIPPED_KERNELS": "off"}
    done = subprocess.run([*words, *more], env=environment, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def test_a_first_chase_on_a_small_level_compiles_nothing(tmp_path):
    said = _chase(tmp_path)
    assert (said["compiled_kernels"], said["compile_seconds"]) == (0, 0.0)
    assert said["interpreted_kernels"] >= 6
    assert not list(tmp_path.rglob("*.nbi"))


def test_kernels_of_setting_up_and_of_early_steps_are_those_of_the_manifest():
    for names, purpose in ((SETTING_UP, "play"), (EARLY, "game")):
        assert {entry.kernel for entry in manifest().kernels if purpose in entry.purposes}.issuperset(names)
