"""Storage of compiled kernels: the user's cache, and the package itself for kernels shipped with it."""

from __future__ import annotations

import hashlib
import json
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import llvmlite
import numba
from llvmlite import binding
from numba.core.registry import cpu_target

try:
    import fcntl
except ImportError:  # no file locks on this platform: processes do not coordinate
    fcntl = None

OPTIONS = {"nogil": True, "no_cfunc_wrapper": True}
"""Options with which numba compiles every kernel."""

_IMPORT = re.compile(rb"^\s*from \.(\.*)([\w.]+) import", re.MULTILINE)
_MACHINERY = ("frugal", "jit", "kernel_cache", "store")
"""Modules that every kernel needs but that do not affect compiled code."""
_FORM = 3
"""Version of the storage format. Since 2, inner kernels have no machine code of their own; since 3, kernels count no
references to their arguments."""
_V3 = "sse3 ssse3 sse4.1 sse4.2 popcnt cx16 avx avx2 bmi bmi2 f16c fma lzcnt movbe xsave"
BASELINES: dict[str, tuple[str, tuple[str, ...]]] = {
    "x86_64": ("x86-64-v3", tuple(_V3.split())),
    "aarch64": ("generic", ()),
    "arm64": ("generic", ()),
}
"""By machine: the processor that shipped kernels are compiled for, and the features a host needs to run them."""


def cache_folder() -> Path:
    """Return the folder of compiled kernels; it has one folder per source digest."""
    if given := os.environ.get("NUMBA_CACHE_DIR"):
        return Path(given)
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return home / "lastseen" / "kernels"


@contextmanager
def locked(place: Path) -> Iterator[None]:
    """Let only one process at a time run the block; `place` is a file used only for this lock."""
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        file = place.open("wb") if fcntl is not None else None
    except OSError:  # nothing can be stored there, so there is nothing to wait for
        file = None
    if file is None:
        yield
        return
    with file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def compiler_words() -> str:
    """Return the compiler's version and target processor; cached code is valid only for this combination."""
    return f"{numba.__version__} {cpu_target.target_context.codegen().magic_tuple()}"


@cache
def _texts(path: Path) -> dict[Path, bytes]:
    """Read a kernel file and all kernel files it imports, directly or through others."""
    found, waiting = dict[Path, bytes](), [path]
    while waiting:
        one = waiting.pop()
        if one not in found and one.stem not in _MACHINERY:
            found[one] = one.read_bytes()
            waiting += [_imported(one, len(dots), name.decode()) for dots, name in _IMPORT.findall(found[one])]
    return found


def _imported(path: Path, above: int, name: str) -> Path:
    """Return the file that a module at `path` imports by a relative name, `above` folders above its own."""
    return path.parents[above].joinpath(*name.split(".")).with_suffix(".py")


@cache
def text_digest(path: Path) -> str:
    """Return a digest of all source text that a kernel file is compiled from.

    numba notices edits to a kernel's own file, but not to helpers in other files. As the digest covers only the files
    that a kernel needs, an edit leaves unrelated kernels compiled.
    """
    digest = hashlib.blake2b(f"{_FORM} {OPTIONS!r}".encode(), digest_size=8)
    for one, text in sorted(_texts(path).items()):
        digest.update(one.name.encode() + text)
    return digest.hexdigest()


def shipped_folder() -> Path:
    """Return the folder of the package that holds shipped kernels; it may not exist."""
    return Path(__file__).parent / "compiled"


@cache
def shipped_about() -> dict[str, Any] | None:
    """Return the description of the shipped kernels, or None if there are none that this machine can run."""
    if os.environ.get("LASTSEEN_SHIPPED_KERNELS") == "off":
        return None
    try:
        about: dict[str, Any] = json.loads((shipped_folder() / "about.json").read_text())
        same = [about["numba"], about["llvmlite"], about["python"]] == [
            numba.__version__,
            llvmlite.__version__,
            sys.implementation.cache_tag,
        ]
        triple, host = cpu_target.target_context.codegen().magic_tuple()[0], binding.get_host_cpu_features()
        if same and about["target"][0] == triple and all(host.get(one, False) for one in about["needs"]):
            return about
    except (OSError, ValueError, KeyError, IndexError, TypeError):  # absent, damaged, or in another format
        pass
    return None
