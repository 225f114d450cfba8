"""Kernels shipped with the package are loaded where they fit, and compiled where they do not."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest

from lastseen.kernels.store import BASELINES

KERNEL = """
from lastseen.kernels.jit import jit


@jit
def _half(value):
    return value / 2


@jit
def halves(values):
    total = 0.0
    for number in range(len(values)):
        total += _half(values[number])
    return total
"""
SCRIPT = """
import json, sys
from pathlib import Path

from lastseen.kernels import store

sys.path.insert(0, sys.argv[1])
store.shipped_folder = lambda: Path(sys.argv[2])

import llvmlite, numba
import numpy as np
from halving import _half, halves
from numba.core.registry import cpu_target

values = np.arange(9.0)
print(json.dumps({
    "total": halves(values), "misses": sum(one.stats.cache_misses.total() for one in (_half, halves)),
    "about": {"numba": numba.__version__, "llvmlite": llvmlite.__version__, "python": sys.implementation.cache_tag,
              "target": list(cpu_target.target_context.codegen().magic_tuple())},
    "holds": halves._cache.holds((numba.typeof(values),)),
}))
"""


def _run(folder: Path, shipped: Path, cache: Path, **variables: str) -> dict:
    folder.mkdir(exist_ok=True)
    (folder / "halving.py").write_text(KERNEL)
    environment = os.environ | {"NUMBA_CACHE_DIR": str(cache)} | variables
    words = [sys.executable, "-c", SCRIPT, str(folder), str(shipped)]
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    found: dict = json.loads(done.stdout)
    assert found["total"] == 18.0
    return found


@pytest.fixture(scope="module")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of kernels compiled for the baseline, as a wheel holds it."""
    folder = tmp_path_factory.mktemp("build")
    cpu, needs = BASELINES[platform.machine()]
    built = _run(folder / "here", folder / "nowhere", folder / "cache", NUMBA_CPU_NAME=cpu, NUMBA_CPU_FEATURES="")
    assert built["misses"] == 2
    assert built["about"]["target"][1] == cpu
    for path in (folder / "cache").glob("*/*.lock"):
        path.unlink()
    files = {
        str(path.relative_to(folder / "cache")): hashlib.blake2b(path.read_bytes(), digest_size=16).hexdigest()
        for path in (folder / "cache").glob("*/*.nb?")
    }
    about = built["about"] | {"needs": needs, "files": files}
    (folder / "cache" / "about.json").write_text(json.dumps(about))
    return folder / "cache"


def _with_about(shipped: Path, place: Path, **changes: object) -> Path:
    """Return a copy of the shipped folder with another description."""
    place.mkdir()
    for path in shipped.glob("*/*"):
        (place / path.parent.name).mkdir(exist_ok=True)
        (place / path.parent.name / path.name).write_bytes(path.read_bytes())
    about = json.loads((shipped / "about.json").read_text()) | changes
    (place / "about.json").write_text(json.dumps(about))
    return place


def test_shipped_kernels_load_from_any_path_without_compiling(shipped: Path, tmp_path: Path) -> None:
    found = _run(tmp_path / "elsewhere", shipped, tmp_path / "cache")
    assert found["misses"] == 0
    assert found["holds"]


@pytest.mark.parametrize(
    "changes",
    [
        {"numba": "0.1"},
        {"llvmlite": "0.1"},
        {"python": "cpython-27"},
        {"needs": ["a feature no processor has"]},
        {"files": {}},
        {"files": "no table"},
    ],
)
def test_kernels_that_do_not_fit_are_compiled(shipped: Path, tmp_path: Path, changes: dict) -> None:
    found = _run(tmp_path / "elsewhere", _with_about(shipped, tmp_path / "other", **changes), tmp_path / "cache")
    assert found["misses"] == 2


def test_damaged_kernels_are_compiled(shipped: Path, tmp_path: Path) -> None:
    other = _with_about(shipped, tmp_path / "other")
    for path in other.glob("*/*.nbc"):
        data = bytearray(path.read_bytes())
        data[len(data) // 2] ^= 1
        path.write_bytes(data)
    assert _run(tmp_path / "elsewhere", other, tmp_path / "cache")["misses"] == 2


def test_damaged_kernels_of_the_cache_are_compiled_again(tmp_path: Path) -> None:
    for misses in (2, 0, 2):
        assert _run(tmp_path / "here", tmp_path / "nowhere", tmp_path / "cache")["misses"] == misses
        if misses == 0:
            for path in (tmp_path / "cache").glob("*/*.nb?"):
                path.write_bytes(path.read_bytes()[:40])
