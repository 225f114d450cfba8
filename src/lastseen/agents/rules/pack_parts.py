"""Parts of a pack: its metadata, and rules and actions that are decoded on first access."""

from __future__ import annotations

import os
from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar, overload

import msgspec
import numpy as np

from ...conventions import Array
from ...errors import RuleError
from .compile import ActionList
from .rule import Order, Policy, Rule, VariableSpec

__all__ = ["HandlerMeta", "LazyLists", "LazyRules", "PackMeta", "SourceMeta", "joined"]

Complain = Callable[[str], RuleError]
Item = TypeVar("Item")


class SourceMeta(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A source file of a pack: its path relative to the pack's folder, and the BLAKE2b digest of its bytes."""

    name: str
    digest: str


class HandlerMeta(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Metadata of a handler in a pack."""

    name: str
    order: Order
    policy: Policy
    cooldown: float
    variables: tuple[str, ...]
    texts: dict[str, int]


class PackMeta(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Metadata of a pack."""

    sources: list[SourceMeta]
    variables: dict[str, VariableSpec]
    handlers: list[HandlerMeta]


def joined(pieces: Sequence[bytes]) -> tuple[Array, Array]:
    """Return the start of each piece, (n + 1,) uint32, and the concatenated pieces, uint8."""
    starts = np.cumsum([0, *map(len, pieces)], dtype=np.uint32)
    return starts, np.frombuffer(b"".join(pieces), np.uint8)


class _Lazy(Sequence[Item], Generic[Item]):
    """Encoded pieces, decoded on first access."""

    def __init__(self, start: Array, data: Array, complain: Complain):
        self._start, self._data, self._complain = start, memoryview(data), complain  # type: ignore[arg-type]
        self._found: dict[int, Item] = {}

    def __len__(self) -> int:
        return len(self._start) - 1

    @overload
    def __getitem__(self, number: int) -> Item: ...
    @overload
    def __getitem__(self, number: slice) -> Sequence[Item]: ...
    def __getitem__(self, number: int | slice) -> Item | Sequence[Item]:
        if isinstance(number, slice):
            return [self[each] for each in range(*number.indices(len(self)))]
        place = int(number)
        if place not in self._found:
            if not -len(self) <= place < len(self):
                raise IndexError(place)
            place %= len(self)
            try:
                self._found[place] = self._decode(self._data[self._start[place] : self._start[place + 1]])
            except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
                raise self._complain(f"piece {place} cannot be read: {error}") from None
        return self._found[place]

    @abstractmethod
    def _decode(self, piece: memoryview) -> Item:
        """Return the decoded item."""


_RULE = msgspec.msgpack.Decoder(Rule)
_LIST = msgspec.msgpack.Decoder(tuple[tuple[Any, ...], Policy])


class LazyRules(_Lazy[Rule]):
    """Rules of a handler, with the handler's cooldown and the paths of their files."""

    def __init__(self, start: Array, data: Array, meta: HandlerMeta, folder: str, complain: Complain):
        super().__init__(start, data, complain)
        self._meta, self._folder = meta, folder
        self._known = frozenset(meta.variables)

    def _decode(self, piece: memoryview) -> Rule:
        rule = _RULE.decode(piece)
        if not self._known.issuperset([one.variable for one in rule.conditions]):
            raise self._complain(f"rule {rule.name[:60]!r} uses a variable its handler does not have")
        cooldown = self._meta.cooldown or None if rule.cooldown is None else rule.cooldown
        source = os.path.normpath(f"{self._folder}/{rule.source}") if rule.source else ""
        return msgspec.structs.replace(rule, cooldown=cooldown, source=source)


class LazyLists(_Lazy[ActionList]):
    """Action lists of a handler."""

    def _decode(self, piece: memoryview) -> ActionList:
        return ActionList(*_LIST.decode(piece))
