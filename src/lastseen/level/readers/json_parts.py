"""Decode JSON piece by piece, so that one faulty piece does not hide the faults of the others."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from .faults import FaultList

__all__ = ["decode_document", "decode_part"]


def decode_document(data: bytes, kind: Any, advice: str, faults: FaultList) -> Any:
    """Return the whole file as `kind`, whose large parts are `msgspec.Raw`; raise `LevelError` if it is invalid."""
    if not data.strip():
        faults.add("the file is empty", advice)
        faults.stop_if_any()
    found = decode_part(data.removeprefix(b"\xef\xbb\xbf"), kind, "", advice, faults)
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
        text = _plain(error)
        place = re.search(r" \(byte (\d+)\)", text)
        if place and not where:
            before = bytes(raw)[: int(place[1])]
            line, column = before.count(b"\n") + 1, len(before) - before.rfind(b"\n")
            where = f"line {line}, column {column}"
            text = text.replace(place[0], "")
        faults.add(f"invalid JSON: {text}", "check it with a JSON tool, or save it again", where)
    return None


def _plain(error: Exception) -> str:
    text = (str(error) or type(error).__name__).removeprefix("JSON is malformed: ")
    return text[:1].lower() + text[1:200]
