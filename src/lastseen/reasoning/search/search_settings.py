"""What a search map obeys: how influence spreads, how it is cleaned, how it comes back."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, replace
from typing import Any, Literal

from ...checks import finite_number, shown
from ...errors import InputError, did_you_mean


def require_choice(settings: Any, name: str, allowed: tuple[str, ...]) -> None:
    """Refuse a word that is none of those allowed."""
    given = getattr(settings, name)
    if not isinstance(given, str) or given not in allowed:
        hint = did_you_mean(given, allowed)
        raise InputError(f"{name} is {shown(given)}{hint}; give {' or '.join(map(repr, allowed))}")


def require_flag(settings: Any, name: str) -> None:
    """Refuse what is neither True nor False."""
    given = getattr(settings, name)
    if not isinstance(given, bool):
        raise InputError(f"{name} is {shown(given)}; give True or False")


@dataclass(frozen=True, kw_only=True)
class SearchSettings:
    """How a `SearchMap` spreads, is cleaned and comes back.

    Attributes
    ----------
    speed : m/s at which influence spreads, about that of who is searched for.
    pace : what the speed is measured along. "walked": links from cell to cell; never early, but late where the shortest
        way cuts corners. "shortest": ways on the mesh; right in the mean over the map, early here and late there.
    fade : share of the full value lost per metre; 0: what is seeded arrives everywhere.
    diagonals : False: only to neighbours that share a side, as on the search map of chapter 34.
    returns : how cleaned cells come back. "regenerate": by themselves, slowly, up to `threshold`. "bleed": from
        neighbours that still hold influence, at `speed`. "never".
    threshold : 0 … 1, the low value up to which cleaned cells regenerate.
    regeneration : share of the full value per second.
    watched : what a wave does at a cell a searcher cleaned in this step or the one before. "pass": goes on, and the
        cell is cleaned again. "hold": waits there until nobody looks: nobody slips by. Bleeding always holds.
    cube : metres to each side of a searcher that it cleans by being there.
    cube_needs_line : whether those cells too must be reached by a straight walk, so that walls count.
    angle, distance : radians and metres, opening and height of the triangle a searcher cleans by looking.
    reach_z : metres below and above the feet within which floors are looked at.
    gather : seconds within which seeds belong to one wave; a later one spreads over all that was cleaned meanwhile.
    nearest : metres within which a place off the cells still finds one.
    """

    speed: float = 4.0
    pace: Literal["walked", "shortest"] = "walked"
    fade: float = 0.0
    diagonals: bool = True
    returns: Literal["regenerate", "bleed", "never"] = "regenerate"
    threshold: float = 0.1
    regeneration: float = 0.01
    watched: Literal["pass", "hold"] = "pass"
    cube: float = 1.5
    cube_needs_line: bool = True
    angle: float = math.radians(60.0)
    distance: float = 10.0
    reach_z: float = 2.0
    gather: float = 1.0
    nearest: float = 2.0

    def __post_init__(self) -> None:
        require_choice(self, "returns", ("regenerate", "bleed", "never"))
        require_choice(self, "pace", ("walked", "shortest"))
        require_choice(self, "watched", ("pass", "hold"))
        require_flag(self, "diagonals")
        require_flag(self, "cube_needs_line")
        for name, unit, low, high in (
            ("speed", "m/s", 0.0, 1e3),
            ("fade", "per m", 0.0, 1.0),
            ("threshold", "", 0.0, 1.0),
            ("regeneration", "per s", 0.0, 1e3),
            ("cube", "m", 0.0, 100.0),
            ("angle", "rad", 0.0, math.radians(170.0)),
            ("distance", "m", 0.0, 1e3),
            ("reach_z", "m", 0.0, 100.0),
            ("gather", "s", 0.0, 1e6),
            ("nearest", "m", 0.0, 1e6),
        ):
            number = finite_number(getattr(self, name), name, unit=unit, low=low, high=high)
            object.__setattr__(self, name, number)

    def but(self, **changes: Any) -> SearchSettings:
        """Return the same settings with some changed; an unknown name is an error."""
        known = [field.name for field in fields(self)]
        for name in changes:
            if name not in known:
                raise InputError(f"no setting {name!r}{did_you_mean(name, known)}; settings: {', '.join(known)}")
        return replace(self, **changes)


PRESETS: dict[str, SearchSettings] = {
    "influence": SearchSettings(),
    "careful": SearchSettings(watched="hold", fade=0.004),
    "bleeding": SearchSettings(diagonals=False, returns="bleed", watched="hold"),
}
"""Settings by name. "influence" is the layer of *Dishonored 2*, "bleeding" the search map of "Human Enemy AI in *The
Last of Us*"; "careful" is the first, but nobody slips past a searcher's eyes and places further off count less."""


def preset(name: str) -> SearchSettings:
    """Return the settings of a named preset."""
    if not isinstance(name, str) or name not in PRESETS:
        raise InputError(f"no preset {shown(name)}{did_you_mean(name, PRESETS)}; presets: {', '.join(PRESETS)}")
    return PRESETS[name]
