"""Candidates: what a scenario says of one who may become a member, before anything has happened."""

from __future__ import annotations

from dataclasses import dataclass

from ..combat import AttackKind

__all__ = ["Candidate"]


@dataclass(frozen=True)
class Candidate:
    """One who may become a member; words say of it whether they can ever hold (`among` of `RoleWords.member`).

    Attributes
    ----------
    name, brain : as the scenario has them.
    team : whose side it is on.
    attack : how it is armed; "none" also where nobody fights.
    """

    name: str
    brain: str = "guard"
    team: str = "guards"
    attack: AttackKind = "none"
