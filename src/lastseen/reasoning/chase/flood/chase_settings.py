"""Settings of a flood: the article's three constants, the choices it leaves open, and extensions."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from ....checks import finite_number, shown
from ....errors import InputError
from ...input_checks import changed, preset_of, require_choice, store_numbers

DIFFICULTY = {1: 20, 2: 30, 3: 40}
"""Maximum steps by difficulty, as in the game. Fewer steps predict a single loss better, so a higher difficulty makes
guards run further, not predict better."""

_CHOICES = {
    "behind": ("strict", "inclusive", "cone"),
    "barrier_shape": ("circle", "square", "strip"),
    "barrier": ("momentum", "belief", "both", "none"),
    "claims": ("untouched", "warm"),
    "cooled": ("untouched", "spent"),
    "excess": ("made", "undone"),
    "weights": ("value", "even", "front"),
    "exits": ("hidden", "opened"),
    "about_turns": ("allowed", "barred"),
}
_METRES = ("m", 0.0, 1e6)
_NEAR_METRES = ("m", 0.0, 30.0)
_RANGES = {
    **dict.fromkeys(("follow", "lead", "slack", "nearest"), _METRES),
    **dict.fromkeys(("look_reach", "look_distance", "corner"), _NEAR_METRES),
    "look_area": ("m²", 0.0, 1e6),
}


@dataclass(frozen=True, kw_only=True)
class ChaseSettings:
    """How heat spreads, what keeps it from running back, and how it is reduced to one place.

    Attributes
    ----------
    hot : heat of a cell when it is reached, 1 … 127; with lower values dead ends cool sooner and corridors win.
    max_heated : maximum number of cells heated in one step; with more, the flood stops: the place is too wide.
    max_steps : maximum number of steps, 1 … 30,000.
    max_total : maximum number of cells heated in total; None: no limit.
    barrier : "momentum": bar cells behind the runner, as in the article. "belief": instead, close cells that the guard
        would reach first and cells it saw empty. "both": do both. "none": no barrier.
    behind : neighbours of a barrier cell that count as behind: "strict": further back than abeam; "inclusive": abeam
        too; "cone": within `cone` of straight back, measured from the start cell.
    cone : half angle in radians, 0 … π, with behind="cone".
    barrier_reach : metres from the start cell, in plan, beyond which the barrier does not grow; None: no limit.
    barrier_shape : what `barrier_reach` measures: "circle": the distance; "square": the larger of both axes; "strip":
        the distance from the line through the start cell along the heading.
    claims : cells the barrier may take: "untouched" ones only, or "warm" ones too, which then pass on no heat.
    cooled : state of a cell that has cooled to 0: "untouched" again, or "spent" for this flood.
    excess : a step with more than `max_heated` cells is "made" before the flood stops, or "undone".
    weights : weight of a warm cell in the mean: its "value", "even" for all, or its value divided by the width of the
        "front" in which it was heated, so that wide places do not outweigh corridors.
    exits : "hidden": the barrier is the article's, which may hide exits behind the first cells. "opened": it consists
        of the cells that the guard, or if unknown a pursuer `follow` metres behind the runner, reaches first, so that
        exits at the runner's side stay open.
    follow : metres behind the runner, with exits="opened" and an unknown guard.
    lead : metres by which the guard may be later and still close a cell, with barrier="belief" or "both".
    slack : metres the runner may have gone further than its speed allows before cells seen empty are closed.
    least_steps : belief floods with fewer steps are replaced by one with the article's barrier and the same settings.
    about_turns : "barred": places clearly (1 m) nearer to a known guard than to where the target was seen take no heat
        and are no destination, because the target would have had to pass the guard. "allowed": they may be.
    corner : metres the destination may move on to see around a corner, if most warm floor ahead is hidden from it and
        some of that is equally near; 0: never.
    look_round : how often the destination may move on to where clearly more unseen floor is visible; 0: never.
    look_reach, look_distance, look_area : metres of one such move, metres seen from there, m² that must be visible.
    nearest : metres within which a place off the cells is moved to the nearest one.
    """

    hot: int = 20
    max_heated: int = 25
    max_steps: int = 30
    max_total: int | None = None
    barrier: Literal["momentum", "belief", "both", "none"] = "momentum"
    behind: Literal["strict", "inclusive", "cone"] = "strict"
    cone: float | None = None
    barrier_reach: float | None = None
    barrier_shape: Literal["circle", "square", "strip"] = "circle"
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
            require_choice(getattr(self, name), name, allowed)
        self._whole("hot", 1, 127, "values are stored in a signed byte")
        self._whole("max_heated", 1, 2**31 - 1)
        self._whole("max_steps", 1, 30_000)
        if self.max_total is not None:
            self._whole("max_total", 1, 2**31 - 1)
        if self.barrier_reach is not None:
            finite_number(self.barrier_reach, "barrier_reach", unit="m", low=0.0, high=1e6)
        self._whole("least_steps", 0, 30_000)
        self._whole("look_round", 0, 10)
        store_numbers(self, _RANGES)
        self._require_consistency()

    def _whole(self, name: str, low: int, high: int, why: str = "") -> None:
        given = getattr(self, name)
        if isinstance(given, np.integer):
            object.__setattr__(self, name, given := int(given))
        if isinstance(given, bool) or not isinstance(given, int) or not low <= given <= high:
            reason = f" ({why})" if why else ""
            raise InputError(f"{name} is {shown(given)}; give a whole number from {low} to {high}{reason}")

    def _require_consistency(self) -> None:
        """Raise if settings contradict each other."""
        if self.behind == "cone":
            if self.cone is None:
                raise InputError("behind='cone' needs the angle: give cone in radians, such as math.radians(75)")
            finite_number(self.cone, "cone", unit="rad", low=0.0, high=math.pi)
        elif self.cone is not None:
            raise InputError(f"cone is {self.cone!r} but behind is {self.behind!r}; give behind='cone', or no cone")
        if self.barrier != "momentum":
            names = {
                "none": ("behind", "claims", "exits", "barrier_shape"),
                "belief": ("claims", "exits", "barrier_shape"),
                "both": ("exits",),
            }
            for name in names[self.barrier]:
                if getattr(self, name) != _CHOICES[name][0]:
                    raise InputError(
                        f"{name}={getattr(self, name)!r} applies to the momentum barrier, but barrier is "
                        f"{self.barrier!r}; give barrier='momentum', or leave {name} out"
                    )

    def idle(self) -> list[tuple[str, str]]:
        """Return the settings that have no effect because of others, each with the reason."""
        found = []
        if self.barrier not in ("belief", "both"):
            found += [(name, f"where barrier is {self.barrier!r}") for name in ("lead", "slack", "least_steps")]
        if self.barrier in ("belief", "none") or self.exits == "opened":
            found.append(("barrier_reach", "where no half-plane is barred"))
        if self.barrier_reach is None:
            found.append(("barrier_shape", "without barrier_reach"))
        if self.exits != "opened":
            found.append(("follow", f"where exits is {self.exits!r}"))
        if not self.look_round:
            found += [(name, "where look_round is 0") for name in ("look_reach", "look_area")]
            if self.corner == 0.0:
                found.append(("look_distance", "where look_round and corner are 0"))
        return found

    def but(self, **changes: Any) -> ChaseSettings:
        """Return a copy with some settings changed; an unknown name is an error."""
        return changed(self, changes)


FAITHFUL = "article"
"""The preset of the article: that of the command line, and what evaluations compare the others with."""
PREFERRED = "belief"
"""The preset of guards in scenarios: the best one that was measured."""
PRESETS: dict[str, ChaseSettings] = {
    FAITHFUL: ChaseSettings(),
    PREFERRED: ChaseSettings(
        hot=30, max_steps=15, barrier="both", lead=1.5, slack=2.0, about_turns="barred", look_round=1, look_reach=2.0
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
"""Settings by name. "article" follows the article, "belief" measured better; "corridors" is the article with its known
weaknesses reduced but no knowledge of the guard. The others are variations found in public versions, to measure the
effect of each (a cone of 75 degrees, an unweighted mean, a limit on cells in total), and the difficulties."""


def preset(name: str) -> ChaseSettings:
    """Return the settings of a named preset."""
    return preset_of(PRESETS, name)
