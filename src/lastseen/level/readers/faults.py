"""Collect the faults of a file up to a limit, and decode JSON piece by piece."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import msgspec

from ...errors import Fault, LevelError

MOST_TILES = 64_000_000
"""Most tiles of one storey; larger grids are rejected before anything is allocated."""

MOST_SHOWN, MOST_LINES = 100, 20
"""A garbled file may have a fault per byte, and an exporter may break every line the same way: the rest is counted."""


class FaultList:
    """Faults of one file, in the order found; beyond `most` they are only counted."""

    def __init__(self, source: str, most: int = MOST_SHOWN) -> None:
        self.source, self.most = source, most
        self.faults: list[Fault] = []
        self.count = 0

    def add(self, what: str, advice: str, where: str = "", at: tuple[float, ...] | None = None) -> None:
        """Record one fault."""
        self.count += 1
        if len(self.faults) < self.most:
            self.faults.append(Fault(what, advice, where, at))

    def stop_if_any(self, warnings: Iterable[Fault] = ()) -> None:
        """Raise `LevelError` with every fault recorded so far, and with warnings found along the way."""
        if not self.faults:
            return
        unseen = self.count - len(self.faults)
        more = [Fault(f"{unseen} more faults follow", "fix these first")] if unseen else []
        raise LevelError(self.source, [*self.faults, *more, *warnings])


def decode_document(data: bytes, kind: Any, advice: str, faults: FaultList) -> Any:
    """Return the whole file as `kind`, whose large parts are `msgspec.Raw`; raise `LevelError` if it is invalid."""
    if not data.strip():
        faults.add("the file is empty", advice)
        faults.stop_if_any()
    data = data.removeprefix(b"\xef\xbb\xbf")
    try:
        data.decode()  # msgspec would count the bytes of a wrong string only
        found = decode_part(data, kind, "", advice, faults)
    except UnicodeDecodeError as error:
        faults.add(f"byte {error.start} is not UTF-8", "save the file as UTF-8", _line_of(data, error.start))
    faults.stop_if_any()
    return found


def decode_part(raw: Any, kind: Any, where: str, advice: str, faults: FaultList) -> Any:
    """Return one piece of JSON as `kind`, or None after recording the fault."""
    try:
        return msgspec.json.decode(raw, type=kind)
    except UnicodeDecodeError as error:
        faults.add(f"byte {error.start} is not UTF-8", "save the file as UTF-8", where)
    except msgspec.ValidationError as error:
        faults.add(_plain(error), advice, where)
    except (msgspec.DecodeError, RecursionError, ValueError, OverflowError) as error:
        text = "its brackets are nested too deeply" if isinstance(error, RecursionError) else _plain(error)
        place = re.search(r" \(byte (\d+)\)", text)
        data = bytes(raw)
        if not where and (place or "truncated" in text):
            where = _line_of(data, int(place[1]) if place else len(data))
            text = text.replace(place[0], "") if place else text
        advice = "check it with a JSON tool, or save it again"
        if re.search(rb"\bNaN|Inf", data):
            advice = "JSON has no NaN or Infinity: give every number a finite value"
        faults.add(f"invalid JSON: {text}", advice, where)
    return None


def _line_of(data: bytes, position: int) -> str:
    line, column = data.count(b"\n", 0, position) + 1, position - data.rfind(b"\n", 0, position)
    return f"line {line}, column {column}"


def _plain(error: Exception) -> str:
    text = (str(error) or type(error).__name__).removeprefix("JSON is malformed: ")
    return text[:1].lower() + text[1:200]
