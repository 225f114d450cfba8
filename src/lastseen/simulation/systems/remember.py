"""Remember: turn perceptions into knowledge, and post stimuli to investigate."""

from __future__ import annotations

import numpy as np

from ...agents.brains.relations import TEAMS
from ...agents.knowledge.knowledge import share
from ...agents.senses.vision.sightings import BANDS, Sightings
from ...conventions import Bools
from ...kernels.senses.knowledge import choose_targets
from ...vocabulary.events import Lost, Sees
from ..world.combat import bodies_in_sight
from ..world.world import World
from .investigations import call_guards, miss_colleagues, notice_changes, post_sounds

_GLANCE = BANDS.index("glance")
_FORGOTTEN = 90.0
"""Seconds after which knowledge of a target no longer makes a guard search."""
_RECOGNISED = 1.5
"""Seconds for which an identified target is recognised at a glance."""


def remember(world: World) -> None:
    """Update the knowledge of watchers."""
    senses, attention, know = world.senses, world.attention, world.knowledge
    assert senses.sightings is not None
    assert senses.heard is not None
    attention.stimuli.expire(world.time)
    if world.relations.is_mixed:
        know.forget_pairs(~world.relations.hostile)
        attention.acted_on[~world.relations.hostile] = -np.inf
    sightings = attention.reacting.see(senses.sightings, world.time)
    attention.noted = attention.reacting.hear(senses.heard, world.time)
    know.remember(sightings, bodies_in_sight(world), world.time)
    know.hear(attention.noted, world.bodies, world.time)
    share(know, world.bodies, attention.sharing)
    before = attention.seen
    _best_targets(world, sightings, senses.sightings.visible)
    if before:
        _report_changes(world, before, senses.sightings.visible)
    post_sounds(world)
    notice_changes(world)
    miss_colleagues(world)
    attention.calls = call_guards(world)


def _best_targets(world: World, sightings: Sightings, visible: Bools) -> None:
    """Choose the target that each watcher may act on, notices, knows of and has lost."""
    attention, know, watchers = world.attention, world.knowledge.arrays, world.cast.watchers
    if not len(world.cast.targets):
        attention.seen = attention.noticed = attention.known = attention.lost = [-1] * len(watchers)
        return
    # A target identified a moment ago stays identified while it is in sight.
    acting = sightings.identified | (visible & (world.time - attention.acted_on <= _RECOGNISED))
    best = np.full((4, len(watchers)), -1, np.int32)
    if acting.any() or visible.any() or know.identified.any():
        choose_targets(
            know,
            world.bodies,
            watchers,
            acting,
            visible,
            sightings.band,
            sightings.metres,
            _GLANCE,
            world.time,
            _FORGOTTEN,
            attention.acted_on,
            best,
        )
    attention.seen, attention.noticed, attention.known, attention.lost = best.tolist()


def _report_changes(world: World, before: list[int], visible: Bools) -> None:
    """Report targets that came into sight or were lost; a loss starts the search."""
    cast, seen = world.cast, world.attention.seen
    for row, (was, now) in enumerate(zip(before, seen)):
        if now == was:
            continue
        agent = int(cast.watchers[row])
        if now >= 0:
            x, y, z = world.knowledge.arrays.xyz[row, now].tolist()
            world.happened(Sees(world.tick, agent, at=(x, y, z), other=int(cast.targets[now])))
        # Another may be seen instead, and a former enemy is not lost.
        if was >= 0 and not visible[row, was] and world.relations.is_hostile(agent, int(cast.targets[was])):
            x, y, z = world.knowledge.arrays.xyz[row, was].tolist()
            world.happened(Lost(world.tick, agent, at=(x, y, z), other=int(cast.targets[was])))
            if world.cast.side[agent] == TEAMS.index("guards") and was not in seen:
                places, target = world.bodies.xyz[[agent]], int(cast.targets[was])
                # With several targets, the place of one says nothing about the others.
                sure = len(cast.targets) == 1
                world.hunt.perceive((x, y, z), world.time, sure=sure, agents=[agent], places=places, target=target)
