"""Interpret kernels that are not compiled, as long as that takes less time than compiling them.

A command that runs once on a small level calls most kernels once, for milliseconds; compiling one takes a second. As in
the ski rental problem, a kernel is interpreted until that has taken as long as compiling it would, and then compiled:
at worst, that takes twice as long as the better choice.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any

import msgspec

PURPOSES = ("tiles", "floors", "faces", "chase", "belief")
"""Purposes whose kernels give the same results in the interpreter, to the last bit, except `INEXACT` ones."""
INEXACT = {"flood.particles.run_particles": "exponentials and powers are rounded differently"}
"""Kernels of these purposes that are always compiled, and why."""
SETTING_UP = (
    "cells.blocked_cells.cells_in_slots",
    "cells.blocked_cells.mark_covered",
    "cells.cell_choice.choose_cells",
    "cells.cell_cut.cut_faces",
    "cells.cell_walk.clear_walks",
    "cells.cell_walk.walks_in_columns",
    "mesh.adjacency.connected_components",
    "mesh.adjacency.weld_points",
    "mesh.convex_merge.merge_tiles",
    "mesh.convex_merge.merge_triangles",
    "mesh.corner.faces_about_links",
    "mesh.corner.mark_walls",
    "mesh.cut_children.convex_children",
    "mesh.cut_links.links_of_pieces",
    "sight.sight_grid.fill_columns",
)
"""Kernels that a game calls only while it is set up, never in a step; interpreting them gives the same results."""
EARLY = (
    "cells.cell_access.cells_of_points",
    "cells.nearby_cells.nearest_cells_of_points",
    "mesh.point_location.nearest_on_mesh",
    "senses.hearing_pairs.cast_to_sounds",
    "senses.hearing_pairs.choose_calls",
    "senses.hearing_pairs.judge_sounds",
    "senses.hearing_pairs.pair_sounds",
    "senses.hearing_path.hear_along_cells",
    "senses.knowledge.choose_targets",
    "senses.knowledge.remember_sounds",
    "sight.sight_line.clear_lines",
    "walk.path_trace.find_ways",
)
"""Kernels that steps of a game call seldom or for milliseconds; interpreting them gives the same results."""
MOST_EARLY = 2_000
"""Maximum number of cells of a level on which a game starts before its `EARLY` kernels are compiled."""
_MOST_ELEMENTS = 100_000
"""Maximum number of array elements with which an `EARLY` kernel is interpreted."""
MORE = frozenset({*SETTING_UP, *EARLY, "mesh.point_location.faces_under"})
"""Kernels that give the same results in the interpreter, whatever their purposes."""

LOCAL = {
    "cells.blocked_cells.cells_in_slots": 0.01,
    "cells.blocked_cells.mark_covered": 0.01,
    "flood.heat_look.flood_once": 0.1,
    "mesh.corner.faces_about_links": 0.01,
    "mesh.corner.mark_walls": 0.01,
    "mesh.cut_children.convex_children": 0.01,
    "mesh.cut_links.links_of_pieces": 0.01,
}
"""Usual seconds of interpretation, for kernels whose time depends on what they touch, not on their array sizes."""

PER_ROW = {
    "cells.standing_cells.places_on_floor": (2, 1e-2),
    "cells.cell_walk.walks_in_columns": (4, 5e-4),
    "mesh.point_location.faces_under": (1, 1e-4),
    "walk.raycast.cast_rays": (1, 5e-4),
}
"""The argument whose rows a kernel handles one by one, and the seconds that interpreting it takes per row."""

_PACE = 4e-6
"""Estimated seconds that interpreting other kernels takes per element of their arrays."""
_LOADING = 0.25
"""Seconds that loading compiled kernels takes; every process may interpret for as long."""

_namespaces: dict[int, dict[str, Any]] = {}
"""Copies of module globals in which every kernel is a Python function, by id of the original."""
_functions: dict[Any, Callable[..., Any]] = {}


@dataclass
class _Account:
    """Time spent on one kernel.

    Attributes
    ----------
    name : name of the kernel.
    price : seconds that compiling it takes, callees included.
    before : seconds lost to interpreting it in earlier processes.
    seconds : seconds spent on interpreting it in this process; `calls`: number of calls.
    """

    name: str
    price: float
    before: float
    seconds: float = 0.0
    calls: int = 0

    def affords(self, given: tuple[Any, ...]) -> bool:
        """Return whether interpreting a call with these arguments likely takes less time than compiling."""
        if self.name in PER_ROW:
            argument, pace = PER_ROW[self.name]
            likely = len(given[argument]) * pace
        else:
            likely = LOCAL.get(self.name) or _elements(given) * _PACE
        return self.before + self.seconds + likely <= self.price


class Interpreter:
    """Decides, call by call, whether a kernel that is not compiled is interpreted.

    Parameters
    ----------
    when_compiling : called once, before the first kernel that is compiled after all.
    """

    def __init__(self, when_compiling: Callable[[], object] = lambda: None):
        self._when_compiling: Callable[[], object] | None = when_compiling
        self._accounts: dict[Any, _Account] = {}
        self._compiled: set[Any] = set()

    @property
    def kernels(self) -> set[str]:
        """Names of the kernels that were interpreted."""
        return {account.name for account in self._accounts.values() if account.calls}

    def take(self, kernel: Any, given: tuple[Any, ...]) -> Callable[..., Any] | None:
        """Return the function to call instead of a kernel; None if the kernel should be loaded or compiled."""
        if kernel in self._compiled:
            return None
        if kernel not in self._accounts and _is_kept(kernel, given):
            self._compiled.add(kernel)
            return None
        account = self._account(kernel)
        if is_exact(account.name) and account.affords(given):
            return _counted(kernel, account)
        self._compiled.add(kernel)
        tell, self._when_compiling = self._when_compiling, None
        if tell is not None:
            tell()
        return None

    def _account(self, kernel: Any) -> _Account:
        if kernel not in self._accounts:
            from ..kernels.jit import name_among_kernels

            name = name_among_kernels(kernel.py_func)
            self._accounts[kernel] = _Account(name, _price(name), _losses().get(name, 0.0))
        return self._accounts[kernel]

    def close(self) -> None:
        """Record the time lost compared with loading compiled kernels, so that frequent ones get compiled."""
        spent = sum(account.seconds for account in self._accounts.values())
        if spent > _LOADING:
            share = 1.0 - _LOADING / spent
            _note({one.name: one.seconds * share for one in self._accounts.values() if one.calls})


@contextmanager
def kernels_interpreted(when_compiling: Callable[[], object] = lambda: None) -> Iterator[Interpreter]:
    """Interpret kernels that are not compiled within the block, in all threads, as long as that is quicker.

    For commands that run once, and for setting up; not for game loops, whose kernels are prepared.
    """
    from ..kernels.jit import is_compiled, offered_calls

    interpreter = Interpreter(when_compiling)
    if not is_compiled():
        yield interpreter
        return
    with offered_calls(interpreter.take):
        try:
            yield interpreter
        finally:
            interpreter.close()


@contextmanager
def early_kernels_interpreted() -> Iterator[None]:
    """Interpret `EARLY` kernels within the block, in all threads, until another process has compiled them."""
    from ..kernels.jit import offered_calls

    with offered_calls(_take_early):
        yield


def _take_early(kernel: Any, given: tuple[Any, ...]) -> Callable[..., Any] | None:
    from ..kernels.jit import name_among_kernels

    is_early = name_among_kernels(kernel.py_func) in EARLY and _elements(given) <= _MOST_ELEMENTS
    return _quiet(_plain_function(kernel)) if is_early and not _is_kept(kernel, given) else None


@cache
def is_exact(name: str) -> bool:
    """Return whether a kernel gives the same results in the interpreter, to the last bit."""
    from .manifest import manifest

    return name in MORE or (
        name not in INEXACT
        and any(entry.kernel == name and not set(entry.purposes).isdisjoint(PURPOSES) for entry in manifest().kernels)
    )


def _counted(kernel: Any, account: _Account) -> Callable[..., Any]:
    """Return a kernel as a Python function that measures its CPU time, which prices are in."""
    function = _quiet(_plain_function(kernel))

    def interpret(*given: Any) -> Any:
        start = time.thread_time()
        result = function(*given)
        account.seconds += time.thread_time() - start
        account.calls += 1
        return result

    return interpret


def _quiet(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function whose integers wrap around without a warning, as in compiled code."""
    import numpy as np

    return np.errstate(all="ignore")(function)


def _is_kept(kernel: Any, given: tuple[Any, ...]) -> bool:
    from ..kernels.jit import types_of
    from ..kernels.signatures import is_kept

    return is_kept(kernel, types_of(kernel, given))


def _elements(given: tuple[Any, ...]) -> int:
    return sum(_elements(one) if isinstance(one, tuple) else getattr(one, "size", 1) for one in given)


def _price(name: str) -> float:
    """Return the seconds that compiling a kernel takes with its callees; 0 if the manifest does not list it."""
    from .manifest import manifest

    given = manifest()
    for number, entry in enumerate(given.kernels):
        if entry.kernel == name and entry.purposes:
            return sum(given.kernels[one].seconds for one in given.with_callees(number))
    return 0.0


def _file() -> Path:
    from .manifest import ready_file

    return ready_file().with_suffix(".interpreted")


def _losses() -> dict[str, float]:
    """Return the seconds that earlier processes lost to interpreting, by kernel."""
    try:
        return msgspec.json.decode(_file().read_bytes(), type=dict[str, float])
    except (OSError, msgspec.MsgspecError):
        return {}


def _note(lost: dict[str, float]) -> None:
    """Add to the recorded seconds lost, if the cache is writable."""
    from ..errors import InputError
    from ..files import atomic_write
    from ..kernels.store import locked

    place = _file()
    with contextlib.suppress(OSError, InputError), locked(place.with_suffix(".lock")):
        known = _losses()
        total = known | {name: round(known.get(name, 0.0) + seconds, 4) for name, seconds in lost.items()}
        atomic_write(place, msgspec.json.encode(total))


def _plain_function(kernel: Any) -> Callable[..., Any]:
    """Return a kernel as a Python function that calls other kernels as Python functions too.

    A kernel's own `py_func` calls compiled kernels, each of which would have to be compiled.
    """
    known = _functions.get(kernel)
    if known is None:
        function = kernel.py_func
        space = _namespace(function.__globals__)
        known = _functions.setdefault(kernel, _copy(function, space))
    return known


def _namespace(given: dict[str, Any]) -> dict[str, Any]:
    known = _namespaces.get(id(given))
    if known is None:
        known = _namespaces[id(given)] = dict(given)
        for name, value in given.items():
            if hasattr(value, "py_func"):
                known[name] = _plain_function(value)
    return known


def _copy(function: Any, space: dict[str, Any]) -> Callable[..., Any]:
    return FunctionType(function.__code__, space, function.__name__, function.__defaults__, function.__closure__)
