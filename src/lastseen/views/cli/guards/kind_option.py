"""The option --kind: archetypes of guards, how many of each, and abilities of their own."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from ....checks import finite_number
from ....errors import InputError, did_you_mean
from ....reasoning.placement.guard_routes import GuardKind, guard_kind

_ABILITIES = {
    "view": ("view_distance", 1.0, 10_000.0, "m"),
    "angle": ("view_angle", math.pi / 180.0, 360.0, "degrees"),
    "speed": ("speed", 1.0, 50.0, "m/s"),
    "turn": ("turn_speed", math.pi / 180.0, 50_000.0, "degrees/s"),
    "passive": ("passive", 1.0, 10_000.0, "m"),
}
"""By option: the ability it sets, its unit in those of the library, its maximum and its unit in messages."""
_OWN = {
    **_ABILITIES,
    "sweep": ("sweep", math.pi / 180.0, 360.0, "degrees"),
    "pause": ("pause", 1.0, 3600.0, "s"),
    "eye": ("eye_height", 1.0, 100.0, "m"),
}
"""The same for what one kind can be given after its name."""
_MOST_KINDS = 500


def kinds_of(words: str, given: dict[str, Any]) -> list[GuardKind]:
    """Return the kinds that one --kind names: `[COUNT*]NAME[:ABILITY=NUMBER,...]`.

    An archetype is changed by the options for all kinds, where a speed applies to walking guards only, and then by the
    abilities of its own.
    """
    head, _, tail = words.partition(":")
    count, star, name = head.rpartition("*")
    times = int(count) if count.isdigit() else 0
    if star and not 1 <= times <= _MOST_KINDS:
        raise InputError(f"--kind {words}: {count!r} is no number of guards; give 1 to {_MOST_KINDS}, as in 2*camera")
    kind = guard_kind(name)
    shared = {name: given[name] for name in _ABILITIES if given[name] is not None and (name != "speed" or kind.walks)}
    kind = _changed(kind, shared, "--")
    own: dict[str, Any] = {}
    for part in tail.split(",") if tail else ():
        ability, _, number = part.partition("=")
        if ability not in _OWN:
            known = ", ".join(_OWN)
            raise InputError(
                f"--kind {words}: there is no ability {ability!r}{did_you_mean(ability, _OWN)}; give {known}"
            )
        if ability == "speed" and not kind.walks:
            raise InputError(f"--kind {words}: a {name} guard does not walk; leave out its speed")
        try:
            own[ability] = float(number)
        except ValueError:
            raise InputError(f"--kind {words}: {ability} is {number!r}; give a number, as in {ability}=2") from None
    return [_changed(kind, own, f"--kind {words}: ")] * (times or 1)


def _changed(kind: GuardKind, abilities: dict[str, Any], where: str) -> GuardKind:
    changes: dict[str, Any] = {}
    for name, value in abilities.items():
        ability, unit, most, unit_name = _OWN[name]
        number = finite_number(value, f"{where}{name}", unit=unit_name, low=0.0, high=most, open_low=name in _ABILITIES)
        changes[ability] = min(number * unit, 2.0 * math.pi) if unit_name == "degrees" else number * unit
    return replace(kind, **changes)
