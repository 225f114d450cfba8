"""Sides: on whose side is an agent, and how is it armed, where the scenario does not say so?"""

from __future__ import annotations

from ...agents.brains.ready import BRAINS, PUPPET
from ...agents.combat import AttackKind
from .scenario import AgentSpec

__all__ = ["arms_of", "team_of"]

_ARMED = ("brawler", PUPPET)
"""Brains of intruders that fight by themselves, or whose player may."""


def team_of(spec: AgentSpec) -> str:
    """Return its team: as the scenario says, else as its brain's."""
    return spec.team or ("intruders" if spec.brain == PUPPET else BRAINS.get(spec.brain, "guards"))


def arms_of(spec: AgentSpec, team: str) -> AttackKind:
    """Return how it is armed: guards have blades where nothing is said; few others have any."""
    if spec.attack is not None:
        return spec.attack
    return "melee" if team == "guards" or spec.brain in _ARMED else "none"
