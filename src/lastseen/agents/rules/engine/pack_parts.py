"""Parts of a pack: metadata, rules and actions decoded on first access, and tables checked before use."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Generic, TypeVar, overload

import msgspec
import numpy as np

from ....conventions import Array
from ....errors import RuleError
from ..language.rule import Order, Policy, Rule, VariableSpec
from .compile import ActionList

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


class Lazy(Sequence[Item], Generic[Item]):
    """Encoded pieces, decoded on first access; `complain` makes the error for a piece that cannot be read."""

    def __init__(self, start: Array, data: Array, decode: Callable[[memoryview], Item], complain: Complain):
        self._start, self._data = start, memoryview(data)  # type: ignore[arg-type]
        self._decode, self._complain = decode, complain
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


_RULE = msgspec.msgpack.Decoder(Rule)
_LIST = msgspec.msgpack.Decoder(
    tuple[tuple[Any, ...], Policy, tuple[Annotated[int, msgspec.Meta(ge=1)], ...], tuple[float | None, ...]]
)


def rule_decoder(meta: HandlerMeta, folder: str, complain: Complain) -> Callable[[memoryview], Rule]:
    """Return a decoder of a handler's rules that adds the handler's cooldown and the paths of their files."""
    known = frozenset(meta.variables)

    def decode(piece: memoryview) -> Rule:
        rule = _RULE.decode(piece)
        if not known.issuperset([one.variable for one in rule.conditions]):
            raise complain(f"rule {rule.name[:60]!r} uses a variable its handler does not have")
        cooldown = meta.cooldown or None if rule.cooldown is None else rule.cooldown
        source = os.path.normpath(f"{folder}/{rule.source}") if rule.source else ""
        return msgspec.structs.replace(rule, cooldown=cooldown, source=source)

    return decode


def decode_list(piece: memoryview) -> ActionList:
    """Decode one action list."""
    found = ActionList(*_LIST.decode(piece))
    if not {len(found.weights), len(found.cooldowns)} <= {0, len(found.actions)}:
        raise msgspec.ValidationError("weights and cooldowns do not fit the actions")
    return found


PARTS = {
    "rule_start": np.uint32, "rules": np.uint8, "list_of": np.int32, "list_start": np.uint32, "lists": np.uint8,
    "cut_start": np.uint32, "cuts": np.float64, "row_start": np.uint32, "rows": np.uint64, "ask_start": np.uint32,
    "asks": np.uint32, "written": np.int32,
}  # fmt: skip
"""Arrays of a handler: those of `CompiledHandler`, encoded pieces and lists of numbers with their start offsets."""

_DIVIDED = {"rule_start": "rules", "list_start": "lists", "cut_start": "cuts", "ask_start": "asks"}


def table_arrays(handlers: Sequence[Mapping[str, Array]]) -> dict[str, Array]:
    """Return the arrays of handlers joined part by part, and `sizes` (handlers, parts) uint32 to split them."""
    sizes = [[handler[part].size for part in PARTS] for handler in handlers]
    arrays = {
        part: np.concatenate([np.empty(0, dtype), *(handler[part].ravel() for handler in handlers)]).astype(dtype)
        for part, dtype in PARTS.items()
    }
    return {"sizes": np.array(sizes, np.uint32).reshape(-1, len(PARTS)), **arrays}


class Tables:
    """Tables of a pack; raises a RuleError if a number used as an index is out of range.

    Parameters
    ----------
    arrays : as made by `table_arrays`, possibly corrupted.
    asked : number of variables of each handler.
    """

    def __init__(self, arrays: Mapping[str, Array], asked: Sequence[int]):
        self._flat = {part: _part(arrays, part, dtype, 1) for part, dtype in PARTS.items()}
        sizes = _part(arrays, "sizes", np.uint32, 2).astype(np.int64)
        if sizes.shape != (len(asked), len(PARTS)):
            raise RuleError("the number of tables differs from the number of handlers")
        self._sizes = dict(zip(PARTS, sizes.T))
        self._start = {part: np.concatenate([[0], np.cumsum(size)]) for part, size in self._sizes.items()}
        self._asked = np.array(asked, np.int64)
        self._count = self._sizes["rule_start"] - 1
        self._words = np.maximum(1, (self._count + 63) // 64)
        self._check_sizes()
        self._check_places()

    def handler(self, place: int) -> dict[str, Array]:
        """Return the arrays of one handler, as views."""
        found = {part: self._flat[part][start[place] : start[place + 1]] for part, start in self._start.items()}
        found["rows"] = found["rows"].reshape(-1, self._words[place])
        return found

    def _check_sizes(self) -> None:
        sizes, count = self._sizes, self._count
        for part, flat in self._flat.items():
            _demand(self._start[part][-1] == len(flat), f"{part!r} does not have the total size of its handlers")
        same = (sizes["list_of"] == count) & (sizes["written"] == count) & (sizes["ask_start"] == count + 1)
        same &= (sizes["cut_start"] == self._asked + 1) & (sizes["row_start"] == self._asked + 1)
        same &= (count >= 0) & (sizes["list_start"] > 0) & (sizes["rows"] % self._words == 0)
        _demand(same.all(), "the sizes of its tables do not match")

    def _check_places(self) -> None:
        flat, sizes, start = self._flat, self._sizes, self._start
        if not len(self._asked):
            return
        for part, pieces in _DIVIDED.items():
            self._check_start(part, sizes[pieces])
        self._check_start("row_start", sizes["rows"] // self._words)
        inner = _inner(start["row_start"])
        rows, cuts = np.diff(flat["row_start"].astype(np.int64)), np.diff(flat["cut_start"].astype(np.int64))
        _demand((rows == 2 * cuts + 2)[inner].all(), "its rows do not match its constants")
        first = flat["cut_start"].astype(np.int64) + np.repeat(start["cuts"][:-1], sizes["cut_start"])
        rising = flat["cuts"][1:] > flat["cuts"][:-1]
        rising[first[(first > 0) & (first < len(flat["cuts"]))] - 1] = True
        _demand(rising.all() and not np.isnan(flat["cuts"]).any(), "its constants do not ascend")
        _demand(_below(flat["list_of"], sizes["list_start"] - 1, sizes["list_of"]), "it refers to missing action lists")
        _demand(_below(flat["asks"], self._asked, sizes["asks"]), "it refers to missing variables")
        _demand(_below(flat["written"], self._count, sizes["written"]), "the order of its rules is invalid")
        places = flat["written"] + np.repeat(start["written"][:-1], sizes["written"])
        _demand((np.bincount(places, minlength=1) <= 1).all(), "the order of its rules is invalid")
        for place, over in enumerate((self._count % 64).tolist()):
            row = flat["rows"][start["rows"][place] + self._words[place] - 1 : start["rows"][place + 1]]
            beyond = row[:: self._words[place]] >> np.uint64(over) if over or not self._count[place] else row[:0]
            _demand(not beyond.any(), "it refers to missing rules")

    def _check_start(self, part: str, lengths: Array) -> None:
        """Check that a handler's starts begin with 0, never decrease, and end with the number of divided items."""
        flat, start = self._flat[part], self._start[part]
        fine = (flat[start[:-1]] == 0) & (flat[start[1:] - 1] == lengths)
        rising = (flat[1:] >= flat[:-1])[_inner(start)]
        _demand(fine.all() and rising.all(), f"{part!r} is not a valid list of offsets")


def _part(arrays: Mapping[str, Array], part: str, dtype: type, dimensions: int) -> Array:
    array = arrays.get(part)
    if array is None or array.dtype != dtype or array.ndim != dimensions:
        raise RuleError(f"{part!r} is missing or has the wrong type")
    return array


def _inner(start: Array) -> Array:
    """Return which steps from one number to the next stay within one handler."""
    inner = np.ones(max(0, start[-1] - 1), np.bool_)
    inner[start[1:-1] - 1] = False
    return inner


def _below(numbers: Array, limits: Array, sizes: Array) -> bool:
    return bool(((numbers >= 0) & (numbers < np.repeat(limits, sizes))).all())


def _demand(holds: object, what: str) -> None:
    if not holds:
        raise RuleError(what)
