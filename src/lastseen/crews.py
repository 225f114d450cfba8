"""Groups of agents: roles, ranks, tokens and the assignment of slots."""

from __future__ import annotations

from .agents.bodies.combat import CombatRules
from .agents.crews.combat.ranks import Ranking, RankSettings
from .agents.crews.combat.tokens import TokenPool, TokenSettings
from .agents.crews.crew_trees import crew_tree, leaves_with, roles_of
from .agents.crews.crews import Crews
from .agents.crews.roles.roles import assign
from .agents.crews.roles.vocabulary import RoleWords
from .agents.crews.shipped.general import shipped_words
from .agents.held_roles import RoleDesk, RoleKind

__all__ = [
    "CombatRules",
    "Crews",
    "RankSettings",
    "Ranking",
    "RoleDesk",
    "RoleKind",
    "RoleWords",
    "TokenPool",
    "TokenSettings",
    "assign",
    "crew_tree",
    "leaves_with",
    "roles_of",
    "shipped_words",
]
