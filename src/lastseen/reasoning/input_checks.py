"""Checks shared by the packages of reasoning: choices, flags, numbers, changed copies of settings and presets."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import fields, replace
from typing import Any, TypeVar

import numpy as np

from ..checks import finite_number, real_array, shown
from ..conventions import Floats
from ..errors import InputError, did_you_mean

Settings = TypeVar("Settings")
_LARGEST = float(np.finfo(np.float64).max)


def require_choice(value: Any, name: str, allowed: Collection[str]) -> str:
    """Return a word that is allowed, or raise an error that lists the allowed ones."""
    if not isinstance(value, str) or value not in allowed:
        raise InputError(
            f"{name} is {shown(value)}{did_you_mean(value, allowed)}; give {' or '.join(map(repr, allowed))}"
        )
    return value


def require_flags(settings: Any, *names: str) -> None:
    """Raise unless these attributes are True or False."""
    for name in names:
        if not isinstance(getattr(settings, name), bool):
            raise InputError(f"{name} is {shown(getattr(settings, name))}; give True or False")


def one_or_each(
    values: Any, count: int, name: str, allowed: str, *, low: float = -_LARGEST, high: float = _LARGEST
) -> Floats:
    """Return numbers (count,) from `low` to `high`, by default any finite ones, given as one for all or one each."""
    given = real_array(values, name, f"{allowed}, one or one for each of {count}")
    if given.shape not in ((), (count,)) or not ((given >= low) & (given <= high)).all():
        raise InputError(f"{name} is {shown(values)}; give {allowed}, one or one for each of {count}")
    return np.full(count, given)


def store_numbers(settings: Any, ranges: Mapping[str, tuple[str, float, float]], *positive: str) -> None:
    """Store attributes of frozen settings as floats, each within its range of (unit, minimum, maximum).

    The minimum itself is excluded for those named in `positive`.
    """
    for name, (unit, low, high) in ranges.items():
        given = getattr(settings, name)
        number = finite_number(given, name, unit=unit, low=low, high=high, open_low=name in positive)
        object.__setattr__(settings, name, number)


def changed(settings: Settings, changes: Mapping[str, Any]) -> Settings:
    """Return a copy of a dataclass of settings with some changed, or raise an error that lists the known names."""
    known = [field.name for field in fields(settings)]  # type: ignore[arg-type]
    for name in changes:
        if name not in known:
            raise InputError(f"no setting {name!r}{did_you_mean(name, known)}; settings: {', '.join(known)}")
    return replace(settings, **changes)  # type: ignore[type-var]


def preset_of(presets: Mapping[str, Settings], name: Any) -> Settings:
    """Return the settings of a named preset, or raise an error that lists the presets."""
    if not isinstance(name, str) or name not in presets:
        raise InputError(f"no preset {shown(name)}{did_you_mean(name, presets)}; presets: {', '.join(presets)}")
    return presets[name]


def changes_in(name: str, what: str, example: str) -> dict[str, Any]:
    """Return the settings in a name such as `belief:lead=1:weights=front`: numbers, True and False, or words."""
    changes: dict[str, Any] = {}
    for change in name.split(":")[1:]:
        key, equals, value = change.partition("=")
        if not equals:
            raise InputError(f"{change!r} in {what} {name!r} is no setting; write it as {example}")
        changes[key] = _setting(value)
    return changes


def _setting(words: str) -> Any:
    if words in ("True", "False"):
        return words == "True"
    for kind in (int, float):
        try:
            return kind(words)
        except ValueError:
            continue
    return words
