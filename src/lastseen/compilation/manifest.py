"""The list of kernels and argument types that each purpose needs, recorded by `make kernels`."""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from .. import kernels
from ..kernels.store import cache_folder, compiler_words

LARGE = "large"
"""The purpose for layouts of more than 65,535 cells, whose ids are wider."""
_FILE = Path(__file__).with_name("manifest.json")


class KernelEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One kernel for one combination of argument types.

    Attributes
    ----------
    kernel : module and name, as in "walk.raycast.cast_rays".
    types : numbers of its argument types in the manifest's table.
    seconds : compile time when it was recorded, without its callees; a weight rather than a prediction.
    callees : numbers of the entries it calls.
    purposes : purposes that call it from Python; empty for kernels called only by other kernels.
    """

    kernel: str
    types: list[int]
    seconds: float
    callees: list[int] = []
    purposes: list[str] = []


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All kernels in an order in which each follows its callees.

    Attributes
    ----------
    purposes : names with a one-line description each, in warmup order.
    types : table of argument types (see `kernels.signatures`).
    kernels : the entries.
    """

    purposes: dict[str, str]
    types: list[Any]
    kernels: list[KernelEntry]

    def arguments(self, entry: KernelEntry) -> list[Any]:
        """Return the argument types of an entry as text."""
        return [self.types[number] for number in entry.types]

    def entries_for(self, purposes: tuple[str, ...]) -> list[int]:
        """Return the numbers of the kernels that these purposes call from Python, in the order of the purposes."""
        found = dict.fromkeys(
            number for purpose in purposes for number, entry in enumerate(self.kernels) if purpose in entry.purposes
        )
        return list(found)

    def entries_of(self, names: Iterable[str], large: bool) -> list[int]:
        """Return the numbers of the entries that Python calls, for the named kernels and purposes.

        For kernels also recorded for `LARGE` layouts, return only the entries for those, or only the others.
        """
        asked = set(names)
        called: dict[str, list[int]] = {}
        for number, entry in enumerate(self.kernels):
            if entry.purposes:
                called.setdefault(entry.kernel, []).append(number)
        found = list[int]()
        for kernel, numbers in called.items():
            if kernel in asked or any(asked.intersection(self.kernels[number].purposes) for number in numbers):
                found += [number for number in numbers if self._suits(number, large)] or numbers
        return found

    def _suits(self, number: int, large: bool) -> bool:
        purposes = self.kernels[number].purposes
        return LARGE in purposes if large else purposes != [LARGE]

    def with_callees(self, number: int) -> list[int]:
        """Return an entry and all its direct and indirect callees, callees first."""
        found = dict[int, None]()

        def visit(one: int) -> None:
            if one not in found:
                for callee in self.kernels[one].callees:
                    visit(callee)
                found[one] = None

        visit(number)
        return list(found)


@cache
def manifest() -> Manifest:
    """Read the manifest."""
    return msgspec.json.decode(_FILE.read_bytes(), type=Manifest)


@cache
def ready_file() -> Path:
    """Return the file that lists the purposes whose kernels are all compiled.

    Its name is a digest of everything compiled code depends on, so that it does not outlive the code.
    """
    digest = hashlib.blake2b(f"{compiler_words()} {platform.python_version()}".encode(), digest_size=8)
    for file in (_FILE, *sorted(Path(kernels.__path__[0]).rglob("*.py"))):
        digest.update(file.read_bytes())
    return cache_folder() / "ready" / digest.hexdigest()
