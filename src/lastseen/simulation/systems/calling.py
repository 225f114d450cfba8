"""Calling: of all that calls for a look, what should each guard look into?"""

from __future__ import annotations

import numpy as np

from ...agents.brains.surroundings import STATES
from ...kernels.calls import choose_calls
from ..world import World

__all__ = ["call_guards"]

_AT_IT = np.array([name in ("engage", "chase", "search") for name in STATES])


def call_guards(world: World) -> list[int]:
    """Which stimulus should each watcher look into? Highest priority, then nearest; -1: none."""
    posted = list(world.stimuli)
    if not posted:
        world.heard_by.clear()
        return [-1] * len(world.watchers)
    may = np.zeros((len(posted), len(world.watchers)), np.bool_)
    free = ~_AT_IT[world.state[world.watchers]]
    for row, stimulus in enumerate(posted):
        owners = world.stimuli.claimed_by(stimulus.number)
        heard = world.heard_by.get(stimulus.number)
        if heard is not None:
            if stimulus.kind in ("shout", "alarm"):  # who is at it already needs no call, nor afterwards
                heard &= free
            if len(owners) < stimulus.most_claims:
                may[row] = heard
            else:
                for owner in owners:
                    mine = world.watcher_row[owner]
                    may[row, mine] = heard[mine]
    places = np.array([stimulus.xyz for stimulus in posted])
    priority = np.array([stimulus.priority or 0.0 for stimulus in posted])
    numbers = np.array([stimulus.number for stimulus in posted])
    chosen = np.empty(len(world.watchers), np.int32)
    choose_calls(places, priority, may, world.bodies.xyz, world.watchers, chosen)
    if len(world.heard_by) > len(posted):
        known = set(numbers.tolist())
        world.heard_by = {number: heard for number, heard in world.heard_by.items() if number in known}
    return np.where(chosen >= 0, numbers[chosen], -1).tolist()
