"""Groups of agents: roles, ranks, tokens and who takes which slot."""

from __future__ import annotations

from .agents.combat import CombatRules
from .agents.crews.assignment import assign
from .agents.crews.crews import Crews
from .agents.crews.leaves import crew_tree, leaves_with, roles_of
from .agents.crews.ranks import Ranking, RankSettings
from .agents.crews.ready_words import ready_words
from .agents.crews.tokens import TokenPool, TokenSettings
from .agents.crews.words import RoleWords
from .agents.role_desk import RoleDesk, RoleKind

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
    "ready_words",
    "roles_of",
]
