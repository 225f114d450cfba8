"""Split a text map into storeys, legend, patrols and paths; the format is described in `text_map`."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field, replace
from typing import Any

from ...errors import did_you_mean
from .faults import FaultList
from .parts import DOORS, Meaning, plain_meanings

ARROWS = {">": (1, 0), "v": (0, 1), "<": (-1, 0), "^": (0, -1)}
"""Step in columns and rows of each arrow: the direction in which stairs rise or an agent looks."""

KINDS = {
    **plain_meanings("wall", "floor", "void", "player", "guard", "cover", "exit", "marker", "waypoint", "zone"),
    **DOORS,
    "hiding place": Meaning("hide"),
}
"""Kinds a legend line may declare."""

_DEFAULTS = {
    "#": "wall",
    ".": "floor",
    " ": "void",
    "+": "door",
    "'": "open door",
    "/": "open door",
    "P": "player",
    "G": "guard",
    "h": "hiding place",
    "c": "cover",
    "E": "exit",
}
DEFAULT_LEGEND = {symbol: KINDS[kind] for symbol, kind in _DEFAULTS.items()} | dict.fromkeys(ARROWS, Meaning("stairs"))
"""Meanings of symbols that need no legend line."""

OPTIONS = {
    "door": {"height"},
    "cover": {"height"},
    "zone": {"height", "kind"},
    "marker": {"kind"},
    "hide": {"heading", "capacity"},
    "player": {"heading", "speed", "turn_speed", "view_angle", "view_distance"},
    "guard": {"heading", "patrol", "speed", "turn_speed", "view_angle", "view_distance"},
}
"""Options a legend line may carry, by kind."""

_DIRECTIVES = ("name", "legend", "patrol", "path")
_DIRECTIVE = re.compile(r"\s*([A-Za-z]{2,})\s*:(.*)")
_WORD = re.compile(r'\w+="[^"]*"|"[^"]*"|\S+')
_HEADINGS = {"right": ">", "down": "v", "left": "<", "up": "^"}


@dataclass
class Sheet:
    """One storey as drawn: its rows and the line of the file each comes from."""

    name: str
    z: float
    rows: list[str] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)


@dataclass(frozen=True)
class Itinerary:
    """A `patrol:` or `path:` line, split into words."""

    kind: str
    name: str
    words: tuple[str, ...]
    where: str


@dataclass
class Drawing:
    """A text map split into its parts."""

    name: str = ""
    tile: float | None = None
    sheets: list[Sheet] = field(default_factory=list)
    legend: dict[str, Meaning] = field(default_factory=lambda: dict(DEFAULT_LEGEND))
    declared: dict[str, int] = field(default_factory=dict)
    itineraries: list[Itinerary] = field(default_factory=list)


def parse(text: str, faults: FaultList) -> Drawing:
    """Split the text into its parts, recording every line that is not valid."""
    drawing = Drawing()
    preamble = True
    for number, raw in enumerate(text.split("\n"), 1):
        line = raw.rstrip("\r")
        if line.startswith(";"):
            continue
        if line.startswith("=="):
            _header(line, number, drawing, faults)
            preamble = False
        elif match := _DIRECTIVE.fullmatch(line):
            _directive(match[1].lower(), match[2].strip(), number, drawing, faults)
        elif line.strip() or not preamble:
            if preamble:
                drawing.sheets.append(Sheet("ground", 0.0))
                preamble = False
            drawing.sheets[-1].rows.append(line)
            drawing.sheets[-1].lines.append(number)
    for sheet in drawing.sheets:
        while sheet.rows and not sheet.rows[-1].strip():
            sheet.rows.pop()
    return drawing


def heading_of(word: str) -> float | None:
    """Return radians for an arrow, left/right/up/down on the page, or degrees; None for anything else."""
    arrow = _HEADINGS.get(word.lower(), word)
    if arrow in ARROWS:
        step_x, step_y = ARROWS[arrow]
        return math.atan2(step_y, step_x)
    degrees = number_of(word)
    return None if degrees is None else math.radians(degrees)


def number_of(word: str) -> float | None:
    """Return a finite number of plausible size, else None."""
    try:
        number = float(word)
    except ValueError:
        return None
    return number if abs(number) <= 1e9 else None


def _header(line: str, number: int, drawing: Drawing, faults: FaultList) -> None:
    """Start a storey: `== name z=3 tile=1`."""
    place = f"line {number}"
    last = drawing.sheets[-1] if drawing.sheets else None
    sheet = Sheet("", last.z + 3.0 if last else 0.0)
    names = []
    for word in _WORD.findall(line.strip().strip("=")):
        key, equals, value = word.partition("=")
        if not equals:
            names.append(word.strip('"'))
            continue
        given = number_of(value)
        if key not in ("z", "tile"):
            faults.add(f"header option {key!r} is unknown{did_you_mean(key, ['z', 'tile'])}", "use z= or tile=", place)
        elif given is None or (key == "tile" and not 0.01 <= given <= 1000):
            limit = "from 0.01 to 1000" if key == "tile" else "in metres"
            faults.add(f"{key} is {value!r}", f"give a number {limit}", place)
        elif key == "z":
            sheet.z = given
        elif drawing.tile not in (None, given):
            faults.add(f"tile is {given:g} m here but {drawing.tile:g} m above", "use one tile size per file", place)
        else:
            drawing.tile = given
    sheet.name = " ".join(names) or f"storey {len(drawing.sheets)}"
    if last and sheet.z <= last.z:
        faults.add(
            f"storey {sheet.name!r} has z={sheet.z:g} but the storey below has z={last.z:g}",
            "draw storeys from the bottom up, each higher than the last",
            place,
        )
    drawing.sheets.append(sheet)


def _directive(key: str, text: str, number: int, drawing: Drawing, faults: FaultList) -> None:
    place = f"line {number}"
    if key not in _DIRECTIVES:
        hint = did_you_mean(key, _DIRECTIVES)
        faults.add(f"'{key[:40]}:' is unknown{hint}", "start the line with name:, legend:, patrol: or path:", place)
        return
    if key == "name":
        drawing.name = text
        return
    if key == "legend":
        _legend(text, place, number, drawing, faults)
        return
    name, equals, words = text.partition("=")
    name = name.strip().strip('"')
    if not equals or not name or not words.split():
        faults.add(f"{key} line is incomplete", f"write it as '{key}: some name = a b c'", place)
        return
    drawing.itineraries.append(Itinerary(key, name, tuple(words.split()), place))


def _legend(text: str, place: str, number: int, drawing: Drawing, faults: FaultList) -> None:
    """Declare one symbol: `K = hiding place "closet" heading=right`."""
    match = re.fullmatch(r"(\S)\s*=\s*(\S.*)", text)
    if match is None:
        faults.add(f"legend line {text[:40]!r} is not valid", "write 'legend: K = hiding place \"closet\"'", place)
        return
    symbol = match[1]
    if symbol in "#. ;:=<>^v":
        faults.add(f"symbol {symbol!r} cannot be redeclared", "choose another character", place)
        return
    if symbol in drawing.declared:
        faults.add(f"symbol {symbol!r} is declared on line {drawing.declared[symbol]}", "declare it once", place)
        return
    drawing.declared[symbol] = number
    words = _WORD.findall(match[2])
    kind = " ".join(word for word in words if '"' not in word and "=" not in word).lower()
    drawing.legend[symbol] = meaning = KINDS.get(kind, Meaning("floor"))
    if kind not in KINDS:
        allowed = ", ".join(KINDS)
        faults.add(f"kind {kind[:40]!r} is unknown{did_you_mean(kind, KINDS)}", f"use one of: {allowed}", place)
        return
    for word in words:
        if word.startswith('"'):
            meaning = replace(meaning, name=word.strip('"'))
        elif "=" in word:
            meaning = _option(meaning, word, place, faults)
    drawing.legend[symbol] = meaning


def _option(meaning: Meaning, word: str, place: str, faults: FaultList) -> Meaning:
    """Return the meaning with one `key=value` applied."""
    key, _, value = word.partition("=")
    value = value.strip('"')
    allowed = sorted(OPTIONS.get(meaning.kind, ()))
    if key not in allowed:
        advice = f"use {', '.join(allowed)}" if allowed else "give only a name"
        faults.add(f"option {key!r} does not fit a {meaning.kind}{did_you_mean(key, allowed)}", advice, place)
        return meaning
    if key == "patrol":
        return replace(meaning, patrol=value)
    if key == "kind":
        return replace(meaning, subkind=value)
    number = heading_of(value) if key == "heading" else number_of(value)
    if number is None:
        advice = "give an arrow, left, right, up, down or degrees" if key == "heading" else "give a number"
        faults.add(f"{key} is {value!r}", advice, place)
        return meaning
    if key != "heading" and number <= 0:
        faults.add(f"{key} is {number:g}", "give a number above 0", place)
        return meaning
    if key in ("turn_speed", "view_angle"):
        number = math.radians(number)
    if key == "capacity":
        return replace(meaning, capacity=max(1, int(number)))
    change: dict[str, Any] = {key: number}
    return replace(meaning, **change)
