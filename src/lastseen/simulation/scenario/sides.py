"""Sides: defaults for an agent's team and weapon."""

from __future__ import annotations

from ...agents.brains.ready import BRAINS, PUPPET
from ...agents.combat import AttackKind
from .scenario import AgentSpec

__all__ = ["arms_of", "team_of"]

_ARMED = ("brawler", PUPPET)
"""Brains of intruders that fight by themselves, or whose player may."""


def team_of(spec: AgentSpec) -> str:
    """Return an agent's team: that of the scenario, else that of its brain."""
    return spec.team or ("intruders" if spec.brain == PUPPET else BRAINS.get(spec.brain, "guards"))


def arms_of(spec: AgentSpec, team: str) -> AttackKind:
    """Return an agent's weapon: by default blades for guards, and for few others."""
    if spec.attack is not None:
        return spec.attack
    return "melee" if team == "guards" or spec.brain in _ARMED else "none"
