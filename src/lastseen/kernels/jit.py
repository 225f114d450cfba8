"""Decorators that compile every hot loop, and listeners for compiler events.

They hook into numba in a few places that are not part of its public interface (`HOOKS`). If a newer numba lacks one of
them, kernels are compiled by plain numba: slower to start, with the same results.
"""

from __future__ import annotations

import hashlib
import operator
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from types import FunctionType
from typing import Any, TypeVar, cast

import numba
from numba.core import caching, dispatcher, event
from numba.core import types as numba_types
from numba.core.compiler_lock import global_compiler_lock

from .first_use import first_use
from .store import OPTIONS, cache_folder, locked, text_digest

try:
    from . import frugal
    from .kernel_cache import KernelCache
except (ImportError, AttributeError):  # numba has changed: fall back to its own cache
    KernelCache = None  # type: ignore[misc]


Function = TypeVar("Function", bound=Callable[..., Any])
KernelCall = tuple[Any, tuple[Any, ...]]
"""A kernel and the types it is called with."""
Taker = Callable[[Any, tuple[Any, ...]], Callable[..., Any] | None]
"""Takes a kernel and its arguments; returns a function to call instead of compiling the kernel, or None."""

HOOKS: tuple[tuple[Any, str], ...] = (
    (dispatcher.Dispatcher, "compile"),
    (dispatcher.Dispatcher, "get_call_template"),
    (dispatcher.Dispatcher, "_insert"),
    (dispatcher.Dispatcher, "_compile_for_args"),
    (dispatcher.Dispatcher, "typeof_pyval"),
    (numba_types, "int64._code"),
    (numba_types, "BaseTuple.from_types"),
    (caching, "_CacheLocator"),
    (caching, "CompileResultCacheImpl.rebuild"),
    (caching, "CompileResultCacheImpl._locator_classes"),
    (caching, "FunctionCache._index_key"),
    (caching, "FunctionCache._load_overload"),
    (caching, "FunctionCache._save_overload"),
    (caching, "IndexDataCacheFile._load_index"),
    (caching, "IndexDataCacheFile._load_data"),
    *(frugal.HOOKS if KernelCache is not None else ()),
)
"""Undocumented parts of numba that this package replaces or calls."""
_held: set[Path] = set()
"""Locks this process holds; read and written under the compiler's own lock only."""
_types: Any = numba_types  # has few type annotations
_compiling: list[KernelCall] = []
"""Stack of kernels being compiled, each called by the one before; accessed under the compiler's own lock only."""
_recorded: list[tuple[KernelCall | None, KernelCall]] | None = None
_taker: Taker | None = None


@contextmanager
def when_compiling(tell: Callable[[bool], None]) -> Iterator[None]:
    """Call `tell(True)` whenever the compiler starts within the block, and `tell(False)` when it is done."""
    with event.install_listener("numba:compile", _Listener(tell)):
        yield


@contextmanager
def recorded_calls() -> Iterator[list[tuple[KernelCall | None, KernelCall]]]:
    """Yield a list that grows by (caller, callee) as kernels are compiled; the caller is None for Python."""
    global _recorded
    _recorded = []
    try:
        yield _recorded
    finally:
        _recorded = None


@contextmanager
def offered_calls(taker: Taker) -> Iterator[None]:
    """Offer calls of kernels without compiled code to `taker` within the block, in all threads.

    Calls of compiled kernels never get here and incur no extra cost.
    """
    global _taker
    before, _taker = _taker, taker
    try:
        yield
    finally:
        _taker = before


class _Listener(event.Listener):
    """Reports the outermost compilation only: compiling a kernel also compiles the kernels it calls."""

    def __init__(self, tell: Callable[[bool], None]):
        self._tell = tell
        self._depth = 0

    def on_start(self, _: event.Event) -> None:
        self._depth += 1
        if self._depth == 1:
            self._tell(True)

    def on_end(self, _: event.Event) -> None:
        self._depth -= 1
        if self._depth == 0:
            self._tell(False)


def missing_hooks() -> list[str]:
    """Return the names of the `HOOKS` that this numba lacks."""
    return [f"{owner.__name__}.{name}" for owner, name in HOOKS if not _has(owner, name)]


def _has(owner: Any, name: str) -> bool:
    try:
        operator.attrgetter(name)(owner)
    except AttributeError:
        return False
    return True


def jit(function: Function) -> Function:
    """Compile a kernel on first use; the result is cached on disk and runs without the GIL.

    Kernels whose names begin with an underscore are called only by other kernels: see `inner`.
    """
    return _kernel(function, is_inner=function.__name__.startswith("_"))


def inner(function: Function) -> Function:
    """Compile a kernel that only other kernels call: like `jit`, but without an entry point for Python.

    The entry point would take as long to compile as a small kernel itself. Tests may still call the kernel: then a copy
    with an entry point is compiled.
    """
    return _kernel(function, is_inner=True)


def is_compiled() -> bool:
    """Return whether kernels are compiled; with NUMBA_DISABLE_JIT=1 they run as plain Python, for a debugger."""
    return not getattr(numba.config, "DISABLE_JIT")  # noqa: B009 - not in the stubs


def _kernel(function: Function, is_inner: bool) -> Function:
    if not is_compiled():
        return function
    folder = cache_folder() / text_digest(Path(function.__code__.co_filename))
    kernel: Any = numba.njit(no_cpython_wrapper=is_inner, **OPTIONS)(function)
    if missing_hooks() or KernelCache is None:
        setattr(numba.config, "CACHE_DIR", str(folder))  # noqa: B010 - not in the stubs
        kernel.enable_caching()
        return cast(Function, kernel)
    kernel._cache = KernelCache(function)
    _compile_once(kernel, folder)
    _forget_literals(kernel)
    if is_inner:
        _call_copy(kernel, function)
    else:
        _offer_calls(kernel)
    return cast(Function, kernel)


def _offer_calls(kernel: Any) -> None:
    """Let `offered_calls` intercept calls that would compile: numba calls whatever replaces the compiled code."""
    compile_for_args: Callable[..., Any] = kernel._compile_for_args

    def taken_or_compiled(*given: Any, **named: Any) -> Any:
        taken = _taker(kernel, given) if _taker is not None and not named else None
        return compile_for_args(*given, **named) if taken is None else taken

    kernel._compile_for_args = taken_or_compiled


def _call_copy(kernel: Any, function: Callable[..., Any]) -> None:
    """Let Python call an inner kernel through a copy with an entry point, created on the first call."""
    copies: list[Any] = []

    def compile_for_args(*given: Any, **named: Any) -> Any:
        if not copies:
            name = f"{function.__name__}_from_python"
            copy = FunctionType(function.__code__, function.__globals__, name, function.__defaults__)
            copy.__module__, copy.__qualname__ = function.__module__, name
            copies.append(_kernel(copy, is_inner=False))
        return copies[0]._compile_for_args(*given, **named)

    kernel._compile_for_args = compile_for_args
    kernel._insert = lambda *_: None  # there is no code to look up


def _compile_once(kernel: Any, folder: Path) -> None:
    """Let only one process at a time compile a kernel whose code is stored in `folder`.

    Kernels take locks in call order, and calls have no cycles, so there is no deadlock. Read-only arrays use the code
    for writable ones: an array that is frozen here may be writable in another process.
    """
    compile_it: Callable[[Any], Any] = kernel.compile
    name = f"{kernel.py_func.__qualname__} {kernel.py_func.__code__.co_firstlineno}"
    place = folder / f"{hashlib.blake2b(name.encode(), digest_size=8).hexdigest()}.lock"

    known: set[Any] = set()

    def compile_alone(given: Any) -> Any:
        # The compiler's lock comes first: otherwise a thread could hold a file lock the compiling thread waits for.
        with global_compiler_lock, _locked(place), frugal.sparing() if not _compiling else nullcontext():
            met = given if _compiling else tuple(_thawed(one) for one in given)
            if _recorded is not None:
                _recorded.append((_compiling[-1] if _compiling else None, (kernel, met)))
            _compiling.append((kernel, met))
            try:
                entry = compile_it(met)
            finally:
                _compiling.pop()
            if met != given and given not in known:
                # Dispatch directly next time. Two threads may get here; inserted twice, neither entry would be found.
                known.add(given)
                kernel._insert([one._code for one in given], entry, False)
            return entry

    kernel.compile = compile_alone


def types_of(kernel: Any, given: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the types a kernel is compiled for when it is called with these arguments."""
    return tuple(_thawed(kernel.typeof_pyval(one)) for one in given)


def _thawed(given: Any) -> Any:
    """Return the type with every array writable, including arrays in tuples."""
    if isinstance(given, _types.Array) and not given.mutable:
        return given.copy(readonly=False)
    if isinstance(given, _types.BaseTuple):
        named = given.instance_class if isinstance(given, _types.BaseNamedTuple) else None
        return _types.BaseTuple.from_types([_thawed(one) for one in given], named)
    return given


def _forget_literals(kernel: Any) -> None:
    """Compile a single version of a kernel, whichever constants other kernels pass to it."""
    template: Callable[[Any, Any], Any] = kernel.get_call_template

    def plain_template(given: Any, named: Any) -> Any:
        return template(
            [_types.unliteral(one) for one in given], {key: _types.unliteral(one) for key, one in named.items()}
        )

    kernel.get_call_template = plain_template


@contextmanager
def _locked(place: Path) -> Iterator[None]:
    if place in _held:
        yield
        return
    with locked(place):
        _held.add(place)
        try:
            yield
        finally:
            _held.discard(place)


@contextmanager
def when_kernels_compile(begin: Callable[[], None], end: Callable[[str], None]) -> Iterator[None]:
    """Call `begin()` when the compilation of a kernel starts within the block, and `end(name)` when it ends.

    A kernel starts before the kernels it calls and ends after them. Kernels loaded from the cache are not reported, and
    numba's own functions count as part of the kernels that call them.
    """
    with event.install_listener("numba:compile", _KernelListener(begin, end)):
        yield


def kernel_name(data: Any) -> str:
    """Return the name of the kernel an event is about: its module and function, as in "walk.raycast.cast_rays"."""
    function = _function(data)
    return "" if function is None else name_among_kernels(function)


def name_among_kernels(one: Any) -> str:
    """Return the name of a function or class below `lastseen.kernels`, as in "walk.raycast.cast_rays"."""
    return f"{one.__module__}.{one.__qualname__}".removeprefix(f"{__package__}.")


def _function(data: Any) -> Any:
    return getattr((data or {}).get("dispatcher"), "py_func", None)


def _is_ours(data: Any) -> bool:
    return not getattr(_function(data), "__module__", "").startswith("numba.")


class _KernelListener(event.Listener):
    def __init__(self, begin: Callable[[], None], end: Callable[[str], None]):
        self._begin, self._end = begin, end

    def on_start(self, about: event.Event) -> None:
        if _is_ours(about.data):
            self._begin()

    def on_end(self, about: event.Event) -> None:
        if _is_ours(about.data):
            self._end(kernel_name(about.data))


event.register("numba:compile", _KernelListener(first_use.begin, first_use.end))  # type: ignore[no-untyped-call]
