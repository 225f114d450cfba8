"""What a flood obeys: the article's three constants, each choice it leaves open, and what goes beyond it."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, replace
from typing import Any, Literal

import numpy as np

from ....checks import finite_number, shown
from ....errors import InputError, did_you_mean

DIFFICULTY = {1: 20, 2: 30, 3: 40}
"""Most steps by difficulty, as in the game. For one loss fewer steps predict better, so it makes guards run further,
not guess better."""

_CHOICES = {
    "behind": ("strict", "inclusive", "cone"),
    "barrier": ("momentum", "belief", "both", "none"),
    "claims": ("untouched", "warm"),
    "cooled": ("untouched", "spent"),
    "excess": ("made", "undone"),
    "weights": ("value", "even", "front"),
    "exits": ("hidden", "opened"),
    "about_turns": ("allowed", "barred"),
}


@dataclass(frozen=True, kw_only=True)
class ChaseSettings:
    """How the heat spreads, what keeps it from running back, and how one place is made of it.

    Attributes
    ----------
    hot : 1 … 127, heat of a cell when it is reached; lower: dead ends cool sooner, corridors win.
    max_heated : most cells heated in one step; more, and the flood stops: the place is too wide to guess.
    max_steps : 1 … 30,000, how far the flood runs at most.
    max_total : most cells heated in all; None: no limit.
    barrier : "momentum": cells behind the runner are barred, as in the article. "belief": instead, cells where the
        guard would be first, and cells it saw empty, are closed. "both": those and these. "none": nothing is.
    behind : "strict": a barrier cell's neighbours further back than abeam; "inclusive": those abeam too; "cone": what
        lies within `cone` of straight back, measured from the start cell.
    cone : 0 … π, radians to either side, with behind="cone".
    claims : what the barrier may take: "untouched" cells only, or "warm" ones too (they pass on no heat then).
    cooled : what a cell cooled to 0 is: "untouched" again, or "spent" for this flood.
    excess : a step with more than `max_heated` cells is "made" before the flood stops, or "undone".
    weights : what a warm cell counts in the mean: its "value", all "even"ly, or value by width of the "front" it was
        heated in, so that wide places do not outweigh corridors.
    exits : "hidden": the barrier is the article's, and may hide ways out behind the first cells. "opened": instead it
        holds the cells that the guard, or where that is unknown somebody `follow` metres behind the runner, reaches
        first: ways out beside the runner stay open, and nobody is turned round.
    follow : metres behind the runner, with exits="opened" and an unknown guard.
    lead : metres by which the guard may be later and still close a cell, with barrier="belief" or "both".
    slack : metres the runner may have gone further than its speed says, before cells seen empty are closed.
    least_steps : a belief flood of fewer steps gives way to one with the article's barrier and these other settings.
    about_turns : "barred": a place to which a known guard is clearly nearer (1 m) than where the target was seen takes
        no heat and is no destination, whatever the flood: the target would have had to pass the guard.
        "allowed": it may be one.
    corner : metres the destination may move on to see round a corner, where most warm floor ahead is hidden from it and
        some of that lies as near; 0: never.
    look_round : how often the destination may move on to where clearly more unseen floor shows; 0: never.
    look_reach, look_distance, look_area : metres of one such move, metres seen from there, m² that must show.
    nearest : metres within which a place off the cells still finds one.
    """

    hot: int = 20
    max_heated: int = 25
    max_steps: int = 30
    max_total: int | None = None
    barrier: Literal["momentum", "belief", "both", "none"] = "momentum"
    behind: Literal["strict", "inclusive", "cone"] = "strict"
    cone: float | None = None
    claims: Literal["untouched", "warm"] = "untouched"
    cooled: Literal["untouched", "spent"] = "untouched"
    excess: Literal["made", "undone"] = "made"
    weights: Literal["value", "even", "front"] = "value"
    exits: Literal["hidden", "opened"] = "hidden"
    follow: float = 4.0
    lead: float = 2.0
    slack: float = 1.0
    least_steps: int = 3
    about_turns: Literal["allowed", "barred"] = "allowed"
    corner: float = 0.0
    look_round: int = 0
    look_reach: float = 3.0
    look_distance: float = 10.0
    look_area: float = 12.0
    nearest: float = 2.0

    def __post_init__(self) -> None:
        for name, allowed in _CHOICES.items():
            given = getattr(self, name)
            if not isinstance(given, str) or given not in allowed:
                hint = did_you_mean(given, allowed)
                raise InputError(f"{name} is {shown(given)}{hint}; give {' or '.join(map(repr, allowed))}")
        self._whole("hot", 1, 127, "values are kept in one signed byte")
        self._whole("max_heated", 1, 2**31 - 1)
        self._whole("max_steps", 1, 30_000)
        if self.max_total is not None:
            self._whole("max_total", 1, 2**31 - 1)
        self._whole("least_steps", 0, 30_000)
        self._whole("look_round", 0, 10)
        for name in ("follow", "lead", "slack", "look_area", "nearest"):
            finite_number(getattr(self, name), name, unit="m²" if name == "look_area" else "m", low=0.0, high=1e6)
        for name in ("look_reach", "look_distance", "corner"):
            finite_number(getattr(self, name), name, unit="m", low=0.0, high=30.0)
        self._require_sense()

    def _whole(self, name: str, low: int, high: int, why: str = "") -> None:
        given = getattr(self, name)
        if isinstance(given, np.integer):
            object.__setattr__(self, name, given := int(given))
        if isinstance(given, bool) or not isinstance(given, int) or not low <= given <= high:
            reason = f" ({why})" if why else ""
            raise InputError(f"{name} is {shown(given)}; give a whole number from {low} to {high}{reason}")

    def _require_sense(self) -> None:
        """Refuse options that contradict one another."""
        if self.behind == "cone":
            if self.cone is None:
                raise InputError("behind='cone' needs the angle: give cone in radians, such as math.radians(75)")
            finite_number(self.cone, "cone", unit="rad", low=0.0, high=math.pi)
        elif self.cone is not None:
            raise InputError(f"cone is {self.cone!r} but behind is {self.behind!r}; give behind='cone', or no cone")
        if self.barrier != "momentum":
            names = {"none": ("behind", "claims", "exits"), "belief": ("claims", "exits"), "both": ("exits",)}
            for name in names[self.barrier]:
                if getattr(self, name) != _CHOICES[name][0]:
                    raise InputError(
                        f"{name}={getattr(self, name)!r} is about the barrier of momentum, but barrier is "
                        f"{self.barrier!r}; give barrier='momentum', or leave {name} out"
                    )

    def idle(self) -> list[tuple[str, str]]:
        """Return the settings that make no difference beside the others, and where that is so."""
        found = []
        if self.barrier not in ("belief", "both"):
            found += [(name, f"where barrier is {self.barrier!r}") for name in ("lead", "slack", "least_steps")]
        if self.exits != "opened":
            found.append(("follow", f"where exits is {self.exits!r}"))
        if not self.look_round:
            found += [(name, "where look_round is 0") for name in ("look_reach", "look_area")]
            if self.corner == 0.0:
                found.append(("look_distance", "where look_round and corner are 0"))
        return found

    def but(self, **changes: Any) -> ChaseSettings:
        """Return the same settings with some changed; an unknown name is an error."""
        known = [field.name for field in fields(self)]
        for name in changes:
            if name not in known:
                raise InputError(f"no setting {name!r}{did_you_mean(name, known)}; settings: {', '.join(known)}")
        return replace(self, **changes)


PRESETS: dict[str, ChaseSettings] = {
    "article": ChaseSettings(),
    "belief": ChaseSettings(
        hot=30,
        max_steps=15,
        barrier="both",
        lead=1.5,
        slack=2.0,
        about_turns="barred",
        look_round=1,
        look_reach=2.0,
    ),
    "corridors": ChaseSettings(weights="front", exits="opened", corner=3.0),
    "no barrier": ChaseSettings(barrier="none"),
    "inclusive": ChaseSettings(behind="inclusive"),
    "narrow cone": ChaseSettings(behind="cone", cone=math.radians(75.0)),
    "plain mean": ChaseSettings(weights="even"),
    "total cells": ChaseSettings(max_heated=2**31 - 1, max_total=200),
    "easy": ChaseSettings(max_steps=DIFFICULTY[1]),
    "normal": ChaseSettings(max_steps=DIFFICULTY[2]),
    "hard": ChaseSettings(max_steps=DIFFICULTY[3]),
}
"""Settings by name. "article" is the faithful one, "belief" measured better; "corridors" is the article with its known
weaknesses eased but no knowledge of the guard. The others are what public versions do differently, to see what each
costs: a cone of 75 degrees from the start cell, an unweighted mean, a stop by cells in total; and the difficulties."""


def preset(name: str) -> ChaseSettings:
    """Return the settings of a named preset."""
    if not isinstance(name, str) or name not in PRESETS:
        raise InputError(f"no preset {shown(name)}{did_you_mean(name, PRESETS)}; presets: {', '.join(PRESETS)}")
    return PRESETS[name]
