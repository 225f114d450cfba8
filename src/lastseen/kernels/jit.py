"""The one decorator of every hot loop, and where compiled code is kept."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from numba.core import caching, event
from numba.core import types as numba_types
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import cpu_target

try:
    import fcntl
except ImportError:  # no such locks here: every process compiles for itself
    fcntl = None

__all__ = ["cache_folder", "compiler_words", "jit", "text_digest", "when_compiling"]

Function = TypeVar("Function", bound=Callable[..., Any])


_held: set[Path] = set()
"""Locks this process holds; read and written under the compiler's own lock only."""
_types: Any = numba_types  # hardly typed itself
_compiling: list[Any] = []
"""Kernels this process compiles, each for the one before it; read and written under the compiler's own lock only."""
_IMPORT = re.compile(rb"^\s*from \.(\w+) import", re.MULTILINE)


def cache_folder() -> Path:
    """Return where compiled kernels are kept, in a folder for each text."""
    if given := os.environ.get("NUMBA_CACHE_DIR"):
        return Path(given)
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return home / "lastseen" / "kernels"


def compiler_words() -> str:
    """Return which compiler makes code for which processor: kept code is for these only."""
    return f"{numba.__version__} {cpu_target.target_context.codegen().magic_tuple()}"


@cache
def _texts(path: Path) -> dict[Path, bytes]:
    """Read a kernel file and all kernel files it imports from, itself or through others."""
    found, waiting = dict[Path, bytes](), [path]
    while waiting:
        one = waiting.pop()
        if one not in found:
            found[one] = one.read_bytes()
            waiting += [one.with_name(f"{name.decode()}.py") for name in _IMPORT.findall(found[one])]
    return found


@cache
def text_digest(path: Path) -> str:
    """Return a name for what a kernel file compiles to.

    numba notices an edit of the file a kernel stands in, but not of a helper in another file. Digests of just the
    files a kernel needs leave the others compiled after an edit.
    """
    digest = hashlib.blake2b(digest_size=8)
    for one, text in sorted(_texts(path).items()):
        digest.update(one.name.encode() + text)
    return digest.hexdigest()


@contextmanager
def when_compiling(tell: Callable[[bool], None]) -> Iterator[None]:
    """Have `tell(True)` called whenever the compiler starts meanwhile, and `tell(False)` when it is done."""
    with event.install_listener("numba:compile", _Listener(tell)):
        yield


class _Listener(event.Listener):
    """Counts compilations within compilations: a kernel compiles those it calls."""

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


class _Locator(caching._CacheLocator):
    """Keeps a kernel in a folder named after its text, so that copies of one text share it wherever they stand."""

    def __init__(self, function: Callable[..., Any], file: str):
        self._py_file = file  # numba's warnings name it
        self._digest = text_digest(Path(file))
        self._line = function.__code__.co_firstlineno

    @classmethod
    def from_function(cls, function: Callable[..., Any], file: str) -> _Locator | None:
        """Return a locator, or None where nothing can be written."""
        locator = cls(function, file)
        try:
            locator.ensure_cache_path()  # type: ignore[no-untyped-call]
        except OSError:
            return None
        return locator

    def get_cache_path(self) -> str:
        """Return the folder of everything compiled from the same text."""
        return str(cache_folder() / self._digest)

    def get_source_stamp(self) -> str:
        """Return what must be equal for kept code to be used."""
        return self._digest

    def get_disambiguator(self) -> str:
        """Return what tells kernels of one name apart."""
        return str(self._line)


class _CacheImpl(caching.CompileResultCacheImpl):
    _locator_classes = [_Locator]  # noqa: RUF012 - numba's own attribute


class _Cache(caching.FunctionCache):
    _impl_class = _CacheImpl


def jit(function: Function) -> Function:
    """Compile a kernel on first use; the result is cached on disk and runs without the GIL.

    One whose name begins with an underscore is called by kernels only: it gets no entry from Python.
    """
    folder = cache_folder() / text_digest(Path(function.__code__.co_filename))
    inner = function.__name__.startswith("_")
    kernel = numba.njit(nogil=True, no_cpython_wrapper=inner, no_cfunc_wrapper=True)(function)
    with suppress(RuntimeError):  # nothing can be kept there
        kernel._cache = _Cache(function)  # type: ignore[no-untyped-call]
    _compile_once(kernel, folder)
    _forget_literals(kernel)
    return cast(Function, kernel)


def _compile_once(kernel: Any, folder: Path) -> None:
    """Have a kernel compiled by one process at a time; `folder` is where what was compiled is kept.

    Kernels take locks in the order in which they call one another, which never leads back, so none waits for ever.
    Frozen arrays meet the code for arrays that can be written: what is frozen here is not in another process.
    """
    compile_it: Callable[[Any], Any] = kernel.compile
    name = f"{kernel.py_func.__qualname__} {kernel.py_func.__code__.co_firstlineno}"
    place = folder / f"{hashlib.blake2b(name.encode(), digest_size=8).hexdigest()}.lock"

    known: set[Any] = set()

    def compile_alone(given: Any) -> Any:
        # The compiler's lock comes first: else a thread could hold a file that the one who compiles waits for.
        with global_compiler_lock, _locked(place):
            met = given if _compiling else tuple(_thawed(one) for one in given)
            _compiling.append(kernel)
            try:
                entry = compile_it(met)
            finally:
                _compiling.pop()
            if met != given and given not in known:
                # Next time without asking; entered twice, as two threads may ask, neither would be found.
                known.add(given)
                kernel._insert([one._code for one in given], entry, False)
            return entry

    kernel.compile = compile_alone


def _thawed(given: Any) -> Any:
    """Return the type with every array writable, those in tuples, too."""
    if isinstance(given, _types.Array) and not given.mutable:
        return given.copy(readonly=False)
    if isinstance(given, _types.BaseTuple):
        named = given.instance_class if isinstance(given, _types.BaseNamedTuple) else None
        return _types.BaseTuple.from_types([_thawed(one) for one in given], named)
    return given


def _forget_literals(kernel: Any) -> None:
    """Have one version of a kernel whatever constants other kernels call it with."""
    template: Callable[[Any, Any], Any] = kernel.get_call_template

    def plain_template(given: Any, named: Any) -> Any:
        return template(
            [_types.unliteral(one) for one in given], {key: _types.unliteral(one) for key, one in named.items()}
        )

    kernel.get_call_template = plain_template


@contextmanager
def _locked(place: Path) -> Iterator[None]:
    if fcntl is None or place in _held:
        yield
        return
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        file = place.open("wb")
    except OSError:  # nothing can be kept there, so there is nothing to wait for
        yield
        return
    with file:
        fcntl.flock(file, fcntl.LOCK_EX)
        _held.add(place)
        try:
            yield
        finally:
            _held.discard(place)
