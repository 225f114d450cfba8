"""The cache of one kernel's compiled code.

numba's own cache ties compiled code to the path of its source and to the exact processor. This one uses a digest of
the source instead, so that all copies of a source file share their code, and it accepts shipped code compiled for a
processor baseline that the host supports.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from numba.core import caching
from numba.core.registry import cpu_target

from .store import cache_folder, shipped_about, shipped_folder, text_digest


class _Locator(caching._CacheLocator):
    """Keeps kernels in a folder named after their source digest."""

    def __init__(self, function: Callable[..., Any], file: str):
        self._py_file = file  # numba's warnings name it
        self._digest = text_digest(Path(file))
        self._line = function.__code__.co_firstlineno

    @classmethod
    def from_function(cls, function: Callable[..., Any], file: str) -> _Locator:
        return cls(function, file)

    def get_cache_path(self) -> str:
        return str(cache_folder() / self._digest)

    def get_source_stamp(self) -> str:
        return self._digest

    def get_disambiguator(self) -> str:
        return str(self._line)


class _CacheImpl(caching.CompileResultCacheImpl):
    _locator_classes = [_Locator]  # noqa: RUF012 - numba's own attribute


class KernelCache(caching.FunctionCache):
    """Stores the compiled code of one kernel. Code that cannot be read or written is compiled instead."""

    _impl_class = _CacheImpl

    def __init__(self, function: Callable[..., Any]):
        super().__init__(function)
        self._folder = Path(self.cache_path).name
        self._shipped_file = caching.IndexDataCacheFile(
            str(shipped_folder() / self._folder), self._impl.filename_base, self._folder
        )

    def holds(self, types: Any) -> bool:
        """Return whether code for these argument types is cached or shipped."""
        if not self._has_index():
            return False
        cpu_target.target_context.refresh()  # loads a lot, which only processes that compile need
        codegen = cpu_target.target_context.codegen()
        with suppress(Exception):
            if self._index_key(types, codegen) in self._cache_file._load_index():
                return True
        with suppress(Exception):
            return (name := self._shipped_name(types)) is not None and self._is_sound(name)
        return False

    def _has_index(self) -> bool:
        """Return whether code for any types may be cached or shipped."""
        name = self._cache_file._index_name
        return (Path(self.cache_path) / name).exists() or (
            (about := shipped_about()) is not None and f"{self._folder}/{name}" in about["files"]
        )

    def _load_overload(self, sig: Any, target_context: Any) -> Any:
        # A damaged file may raise any exception.
        with suppress(Exception):
            if (kept := super()._load_overload(sig, target_context)) is not None:
                return kept
        with suppress(Exception):
            if (name := self._shipped_name(sig)) is not None and self._is_sound(name):
                return self._impl.rebuild(target_context, self._shipped_file._load_data(name))
        return None

    def _save_overload(self, sig: Any, data: Any) -> None:
        try:
            super()._save_overload(sig, data)
        except OSError:  # the cache is not writable
            return
        except Exception:  # the index is damaged
            with suppress(OSError):
                self.flush()
                super()._save_overload(sig, data)

    def _shipped_name(self, sig: Any) -> str | None:
        """Return the name of the file with shipped code for these types, or None."""
        about = shipped_about()
        if about is None or f"{self._folder}/{self._shipped_file._index_name}" not in about["files"]:
            return None
        key = self._index_key(sig, cpu_target.target_context.codegen())
        if not self._is_sound(self._shipped_file._index_name):
            return None
        found: str | None = self._shipped_file._load_index().get((key[0], tuple(about["target"]), key[2]))
        return found

    def _is_sound(self, name: str) -> bool:
        """Return whether a shipped file has the digest recorded when it was built."""
        about = shipped_about()
        data = (shipped_folder() / self._folder / name).read_bytes()
        digest = hashlib.blake2b(data, digest_size=16).hexdigest()
        return about is not None and about["files"].get(f"{self._folder}/{name}") == digest
