"""Parameters and measures of an experiment: types, defaults and values in sweep files, and rows of results."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterator
from dataclasses import MISSING, dataclass, fields, replace
from functools import cached_property
from typing import Any, Literal, get_args, get_origin, get_type_hints

from ....checks import shown
from ....errors import InputError, did_you_mean

Value = bool | int | float | str | tuple[Any, ...] | None
"""Value of a parameter; lists are tuples, so that values are hashable."""
Values = dict[str, Value]

_DESCRIPTIONS = {
    "number": "a number",
    "whole": "a whole number",
    "yes": "true or false",
    "text": "text",
    "numbers": "a list of numbers",
    "wholes": "a list of whole numbers",
    "texts": "a list of texts",
    "place": "a place, [x, y] or [x, y, z] in metres",
    "path": "a GeoJSON file, or a list of places [x, y] or [x, y, z] in metres",
    "file": "the name of a file",
}
"""Kinds of parameters, in words for messages."""
_ITEMS = {"numbers": "number", "wholes": "whole", "texts": "text"}


@dataclass(frozen=True)
class Parameter:
    """One setting that may be fixed or swept.

    Attributes
    ----------
    kind : "number", "whole", "yes" (true or false), "text", lists of them, "place", "path" or "file".
    usual : its default; None: derived from the level.
    about : a description.
    choices : allowed texts; empty: any.
    """

    kind: str
    usual: Value = None
    about: str = ""
    choices: tuple[str, ...] = ()

    @property
    def is_numeric(self) -> bool:
        """Whether it can be given as a range."""
        return self.kind in ("number", "whole")

    @property
    def allowed(self) -> str:
        """Allowed values, in words for messages."""
        return " or ".join(map(repr, self.choices)) if self.choices else _DESCRIPTIONS[self.kind]

    def value(self, given: Any, name: str) -> Value:
        """Return a value from a file as this kind: 4 and 4.0 are the same number.

        Raises
        ------
        InputError
            The value is of another kind.
        """
        may_be_empty = isinstance(given, list | tuple) and not given and self.usual == ()
        found = () if may_be_empty else _value(self.kind, given)
        if found is None or (self.choices and found not in self.choices):
            raise InputError(f"{name} is {shown(given)}{did_you_mean(given, self.choices)}; give {self.allowed}")
        return found


def _value(kind: str, given: Any) -> Value:
    """Return a value as a kind, or None if it does not fit."""
    if kind == "yes":
        return given if isinstance(given, bool) else None
    if kind == "whole":
        return given if isinstance(given, int) and not isinstance(given, bool) else None
    if kind == "number":
        fits = isinstance(given, int | float) and not isinstance(given, bool) and abs(given) < 1e300
        return float(given) if fits and math.isfinite(given) else None
    if kind in ("text", "file"):
        return given if isinstance(given, str) and given else None
    if kind == "path" and isinstance(given, str):
        return given or None
    if not isinstance(given, list | tuple) or not given:
        return None
    if kind == "path":
        found = tuple(_value("place", item) for item in given)
        return found if len(found) > 1 and None not in found else None
    if kind == "place":
        found = tuple(_value("number", item) for item in given)
        return found if len(found) in (2, 3) and None not in found else None
    found = tuple(_value(_ITEMS[kind], item) for item in given)
    return None if None in found else found


def text_of_value(value: Value) -> str:
    """Return a value formatted for display."""
    if isinstance(value, tuple):
        nested = any(isinstance(item, tuple) for item in value)
        return ("; " if nested else ", ").join(text_of_value(item) for item in value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else "" if value is None else str(value)


_KINDS: dict[type, str] = {bool: "yes", int: "whole", float: "number", str: "text", type(None): "number"}


def parameters_of(
    settings: type, *, leave_out: Collection[str] = (), degrees: Collection[str] = ()
) -> dict[str, Parameter]:
    """Return the parameters of a settings class, with its defaults and the descriptions from its docstring.

    Angles named in `degrees` are given in degrees in sweep files.
    """
    about = dict(_described(settings.__doc__ or ""))
    found = {}
    for field in fields(settings):
        if field.name in leave_out or field.default is MISSING:
            continue
        in_degrees = field.name in degrees and field.default is not None
        usual = math.degrees(field.default) if in_degrees else field.default
        kind = f"{_KINDS[type(usual[0])]}s" if isinstance(usual, tuple) else _KINDS[type(usual)]
        if usual is None and str(field.type).startswith("int"):
            kind = "whole"
        words = "degrees; " * (field.name in degrees) + about.get(field.name, "")
        found[field.name] = Parameter(kind, round(usual, 9) if isinstance(usual, float) else usual, words)
    return found


def _described(docstring: str) -> Iterator[tuple[str, str]]:
    """Yield the name and description of every attribute in a docstring."""
    text = docstring.partition("Attributes\n")[2]
    for names, words in re.findall(r"^ {4}([a-z_][a-z_, ]*) : (.+(?:\n {8}.+)*)", text, re.MULTILINE):
        for name in names.split(","):
            yield name.strip(), " ".join(words.split())


def named(values: Values, names: Collection[str], *, degrees: Collection[str] = ()) -> dict[str, Any]:
    """Return some of the values as arguments of a settings class."""
    return {name: math.radians(values[name]) if name in degrees else values[name] for name in names}  # type: ignore[arg-type]


@dataclass(frozen=True)
class Tuning:
    """Parameters that change settings of all variants; one without a value leaves each variant its own.

    Attributes
    ----------
    prefix : names of the parameters are the prefix, an underscore and the name of the setting.
    settings : class of the settings, without the fields in `leave_out`; those in `degrees` are given in degrees.
    usual : a description of the defaults.
    """

    prefix: str
    settings: type
    usual: str
    leave_out: tuple[str, ...] = ()
    degrees: tuple[str, ...] = ()

    @cached_property
    def parameters(self) -> dict[str, Parameter]:
        """The parameters by name."""
        found, hints = {}, get_type_hints(self.settings)
        for name, one in parameters_of(self.settings, leave_out=self.leave_out, degrees=self.degrees).items():
            choices = get_args(hints[name]) if get_origin(hints[name]) is Literal else ()
            about = f"{one.about}; default: {self.usual}"
            found[f"{self.prefix}_{name}"] = replace(one, usual=None, about=about, choices=choices)
        return found

    def changes(self, values: Values) -> dict[str, Any]:
        """Return the values that are given, by setting."""
        given = {self._setting(name): values[name] for name in self.parameters if values.get(name) is not None}
        return named(given, given, degrees=self.degrees)

    def row(self, settings: Any, values: Values) -> Row:
        """Return the effective values: those given, else those of a variant's settings, or None if it has none."""
        own = {name: self._own(settings, self._setting(name)) for name in self.parameters}
        return {name: own[name] if values.get(name) is None else values[name] for name in own}  # type: ignore[misc]

    def _setting(self, name: str) -> str:
        return name.removeprefix(f"{self.prefix}_")

    def _own(self, settings: Any, name: str) -> Any:
        value = getattr(settings, name, None)
        if isinstance(value, float):
            return number(round(math.degrees(value), 9) if name in self.degrees else value)
        return value


Row = dict[str, bool | int | float | str | None]
"""Result of a task by column; a task that compares several subjects returns one row for each."""


@dataclass(frozen=True)
class Measure:
    """A measured quantity.

    Attributes
    ----------
    unit : "share" (0 … 1), "m", "s" or empty.
    about, title, short : a description; its heading in reports; that in the terminal, empty: left out there.
    yes_or_no : it is 1 or 0 for each task, and its unit is "share".
    interval : rows also hold its 95 % interval, as `name_low` and `name_high`.
    reported : it answers the question of the experiment, rather than giving a sample size.
    metric : its name in outcomes of trials, where a parameter has the name of the measure.
    less_is_better : whether a smaller value is better; None: neither.
    """

    name: str
    unit: str = ""
    about: str = ""
    interval: bool = False
    reported: bool = True
    yes_or_no: bool = False
    title: str = ""
    short: str = ""
    metric: str = ""
    less_is_better: bool | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "metric", self.metric or self.name)

    @property
    def columns(self) -> tuple[str, ...]:
        """Columns of results that hold it."""
        return (self.name, f"{self.name}_low", f"{self.name}_high") if self.interval else (self.name,)


def number(value: float) -> float | None:
    """Return a number for a row: None if it is not finite."""
    return float(value) if math.isfinite(value) else None


def interval(name: str, value: float, low: float, high: float) -> Row:
    """Return a measure with its interval as columns."""
    return {name: number(value), f"{name}_low": number(low), f"{name}_high": number(high)}
