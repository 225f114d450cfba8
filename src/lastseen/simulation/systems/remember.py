"""Remember: what was perceived becomes knowledge, and what calls for a look goes on the board."""

from __future__ import annotations

import numpy as np

from ...agents.brains.surroundings import TEAMS
from ...agents.knowledge.sharing import share
from ...agents.senses.vision.sightings import BANDS, Sightings
from ...kernels.senses.knowledge import choose_targets
from ..world.world import World
from .investigations import call_guards, miss_colleagues, notice_changes, post_sounds

__all__ = ["remember"]

_GLANCE = BANDS.index("glance")
_FORGOTTEN = 90.0
"""Seconds after which what is known of somebody no longer makes a guard search."""
_RECOGNISED = 1.5
"""Seconds for which one who was identified is recognised at a glance."""


def remember(world: World) -> None:
    """Bring what watchers know up to date."""
    assert world.sightings is not None
    assert world.heard is not None
    know = world.knowledge
    world.stimuli.expire(world.time)
    sightings = world.reacting.see(world.sightings, world.time)
    world.noted = world.reacting.hear(world.heard, world.time)
    know.remember(sightings, world.bodies, world.time)
    know.hear(world.noted, world.bodies, world.time)
    share(know, world.bodies, world.sharing)
    before = world.seen
    _best_targets(world, sightings)
    if before:
        _tell_changes(world, before)
    post_sounds(world)
    notice_changes(world)
    miss_colleagues(world)
    world.calls = call_guards(world)


def _best_targets(world: World, sightings: Sightings) -> None:
    """Fill the lists of whom each watcher may act on, notices, knows of, has lost."""
    assert world.sightings is not None
    know, visible = world.knowledge.arrays, world.sightings.visible
    if not len(world.targets):
        world.seen = world.noticed = world.known = world.lost = [-1] * len(world.watchers)
        return
    # Who was identified a moment ago is known for as long as it stays in sight.
    acting = sightings.identified | (visible & (world.time - world.acted_on <= _RECOGNISED))
    best = np.full((4, len(world.watchers)), -1, np.int32)
    if acting.any() or visible.any() or know.identified.any():
        choose_targets(
            know,
            world.bodies,
            world.watchers,
            acting,
            visible,
            sightings.band,
            sightings.metres,
            _GLANCE,
            world.time,
            _FORGOTTEN,
            world.acted_on,
            best,
        )
    world.seen, world.noticed, world.known, world.lost = best.tolist()


def _tell_changes(world: World, before: list[int]) -> None:
    """Write down who came into sight and who was lost; a loss starts the search."""
    assert world.sightings is not None
    for row, (was, now) in enumerate(zip(before, world.seen)):
        if now == was:
            continue
        agent = int(world.watchers[row])
        if now >= 0:
            x, y, z = world.knowledge.arrays.xyz[row, now].tolist()
            name = world.target_name(now)
            world.happened(
                "sees", agent, f"{world.names[agent]} sees {name}", other=int(world.targets[now]), at=(x, y, z)
            )
        if was >= 0 and not world.sightings.visible[row, was]:  # another one may be seen in its place
            x, y, z = world.knowledge.arrays.xyz[row, was].tolist()
            name = world.target_name(was)
            world.happened(
                "lost", agent, f"{world.names[agent]} lost {name}", other=int(world.targets[was]), at=(x, y, z)
            )
            if world.bodies.team[agent] == TEAMS.index("guards") and not any(column == was for column in world.seen):
                places, target = world.bodies.xyz[[agent]], int(world.targets[was])
                # Of several targets, one being here says nothing of where the others are.
                sure = len(world.targets) == 1
                world.hunt.perceive((x, y, z), world.time, sure=sure, agents=[agent], places=places, target=target)
