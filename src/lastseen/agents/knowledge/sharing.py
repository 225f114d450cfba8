"""Sharing: exchange of knowledge within a team."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...checks import real_number, shown
from ...errors import InputError, did_you_mean
from ...kernels.arrays.agent_arrays import BodyArrays
from ...kernels.senses.knowledge import share_newest
from .knowledge import Knowledge


@dataclass(frozen=True)
class Sharing:
    """Policy for sharing knowledge of targets within a team.

    `reach` 0: not at all; infinite: the whole team knows at once; otherwise the distance in metres within which agents
    that meet exchange knowledge, one contact per step.
    """

    name: str
    reach: float

    def __post_init__(self) -> None:
        reach = real_number(self.reach, "reach", "0 or more metres")
        if not reach >= 0.0:
            raise InputError(f"reach is {reach:g}; give 0 or more metres")
        object.__setattr__(self, "reach", reach)


SHARING = {
    "private": Sharing("private", 0.0),
    "broadcast": Sharing("broadcast", np.inf),
    "on contact": Sharing("on contact", 5.0),
}
"""Policies by name: the infected of chapter 33 share nothing, the hunters of chapter 34 broadcast; 5 m is our value."""


def sharing(name: str) -> Sharing:
    """Return the policy with this name."""
    if not isinstance(name, str) or name not in SHARING:
        hint = did_you_mean(name, SHARING)
        raise InputError(f"no sharing policy {shown(name)}{hint}; give one of {', '.join(SHARING)}")
    return SHARING[name]


def share(knowledge: Knowledge, bodies: BodyArrays, policy: Sharing) -> int:
    """Let agents of a team take over newer records of others; return the number of records passed on.

    Position and time stay those of the original perception, so that all agents informed hold the same record.
    """
    if not isinstance(policy, Sharing):
        raise InputError(f"policy is {shown(policy)}; give one of SHARING, or Sharing(name, reach)")
    if policy.reach == 0.0 or not knowledge.arrays.source.any():
        return 0
    return int(share_newest(knowledge.arrays, bodies, knowledge.observers, policy.reach))
