"""Candidates: scenario data about potential crew members, known before the simulation starts."""

from __future__ import annotations

from dataclasses import dataclass

from ..combat import AttackKind

__all__ = ["Candidate"]


@dataclass(frozen=True)
class Candidate:
    """A potential member; words use it to decide whether they can ever hold (`among` of `RoleWords.member`).

    Attributes
    ----------
    name, brain : as in the scenario.
    team : the side it is on.
    attack : its weapon; "none" also if the scenario has no fighting.
    """

    name: str
    brain: str = "guard"
    team: str = "guards"
    attack: AttackKind = "none"
