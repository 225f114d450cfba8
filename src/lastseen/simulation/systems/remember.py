"""Remember: turn perceptions into knowledge, and post stimuli to investigate."""

from __future__ import annotations

import numpy as np

from ...agents.brains.relations import TEAMS
from ...agents.brains.surroundings import GLIMPSES_IDENTIFY
from ...agents.senses.vision.sightings import BANDS, Sightings
from ...conventions import Bools
from ...kernels.arrays.agent_arrays import SIGHT
from ...kernels.senses.knowledge import choose_targets
from ...vocabulary.events import Lost, Sees
from ..world.combat import bodies_in_sight
from ..world.possession import suspended_rows
from ..world.world import World
from .investigations import call_guards, miss_colleagues, notice_changes, post_sounds
from .losses import note_losses
from .outcomes import spread_outcomes
from .tell import spread_news

_GLANCE = BANDS.index("glance")
_FORGOTTEN = 90.0
"""Seconds after which knowledge of a target no longer makes a guard search."""
_RECOGNISED = 1.5
"""Seconds for which an identified target is recognised at a glance."""
_GLIMPSES_HALVE = 10.0
"""Seconds after which glimpses count half."""
_NEARLY = 1e-9
"""Rounding tolerance of sums of steps, in seconds."""


def remember(world: World) -> None:
    """Update the knowledge of watchers."""
    senses, attention, know = world.senses, world.attention, world.knowledge
    assert senses.sightings is not None
    assert senses.heard is not None
    attention.stimuli.expire(world.time)
    if attention.out or attention.told:
        spread_outcomes(world)
    note_losses(world)
    if world.relations.is_mixed:
        know.forget_pairs(~world.relations.hostile)
        attention.acted_on[~world.relations.hostile] = -np.inf
    sightings = attention.reacting.see(senses.sightings, world.time)
    attention.noted = attention.reacting.hear(senses.heard, world.time)
    for agent in [agent for agent, at in world.acts.jumped.items() if world.time - at <= world.step + _NEARLY]:
        if agent in world.cast.targets:
            know.end_grace(world.cast.targets.tolist().index(agent))
    if rows := suspended_rows(world):
        _suspend(world, rows)
    know.remember(sightings, bodies_in_sight(world), world.time)
    know.hear(attention.noted, world.bodies, world.time)
    spread_news(world)
    before = attention.seen
    _count_glimpses(world, sightings)
    _best_targets(world, sightings, senses.sightings.visible)
    _report_changes(world, before, senses.sightings.visible)
    post_sounds(world)
    notice_changes(world)
    miss_colleagues(world)
    attention.calls = call_guards(world)


def _suspend(world: World, rows: list[int]) -> None:
    """Let watchers that are possessed or dazed forget all targets and what they asked for."""
    attention = world.attention
    know = np.zeros(attention.acted_on.shape, np.bool_)
    know[rows] = True
    world.knowledge.forget_pairs(know)
    attention.news.forget(know)
    attention.acted_on[rows], attention.glimpses[rows] = -np.inf, 0.0
    attention.slipping = {pair: None for pair in attention.slipping if pair[0] not in rows}
    for agent in world.cast.watchers[rows].tolist():
        world.teamwork.requests.withdraw(agent)


def _count_glimpses(world: World, sightings: Sightings) -> None:
    """Count the times a watcher caught sight of a target that it could not identify; they fade."""
    attention = world.attention
    glimpsed = sightings.visible & (sightings.band >= _GLANCE)
    if not glimpsed.any() and not attention.glimpsed.any():
        return
    attention.glimpses *= 0.5 ** (world.step / _GLIMPSES_HALVE)
    attention.glimpses += glimpsed & ~attention.glimpsed
    attention.glimpses[sightings.identified] = 0.0
    attention.glimpsed = glimpsed


def _best_targets(world: World, sightings: Sightings, visible: Bools) -> None:
    """Choose the target that each watcher may act on, notices, knows of and has lost."""
    attention, know, watchers = world.attention, world.knowledge.arrays, world.cast.watchers
    if not len(world.cast.targets):
        attention.seen = attention.noticed = attention.known = attention.lost = [-1] * len(watchers)
        return
    # A target identified a moment ago stays identified while it is in sight; so does one that was glimpsed often.
    acting = sightings.identified | (visible & (world.time - attention.acted_on <= _RECOGNISED))
    acting |= attention.glimpsed & (attention.glimpses >= GLIMPSES_IDENTIFY)
    best = np.full((4, len(watchers)), -1, np.int32)
    if np.count_nonzero(acting) or np.count_nonzero(visible) or np.count_nonzero(know.identified):
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
    before = attention.seen
    attention.seen, attention.noticed, attention.known, attention.lost = best.tolist()
    for row, was in enumerate(before):
        if was >= 0 and attention.seen[row] < 0 and _is_held(world, row, was):
            attention.seen[row] = was
    for row, column in (*attention.slipping, *enumerate(attention.seen)):
        if column >= 0 and attention.lost[row] == column and _slips(world, row, column):
            attention.lost[row] = -1


def _is_held(world: World, row: int, column: int) -> bool:
    """Return whether a watcher that no longer sees a target still acts as if it did, for a moment.

    It does not if one of the two was moved to another place at once: then nothing tells where the target is.
    """
    acted, jumped = world.attention.acted_on.item(row, column), world.acts.jumped
    both = int(world.cast.watchers[row]), int(world.cast.targets[column])
    if jumped and any(jumped.get(one, -np.inf) >= acted for one in both):
        return False
    return world.time - acted <= world.attention.holds[row] + _NEARLY


def _slips(world: World, row: int, column: int) -> bool:
    """Return whether a target out of sight is not lost yet: held, or known by ear or news while a colleague sees it."""
    if _is_held(world, row, column):
        return True
    know, attention = world.knowledge.arrays, world.attention
    if attention.holds[row] == 0.0:
        return False
    is_fresh = world.time - know.time.item(row, column) <= attention.holds[row] + _NEARLY
    return is_fresh and column in attention.seen and bool(know.source[row, column] != SIGHT)


def _report_changes(world: World, before: list[int], visible: Bools) -> None:
    """Report targets that came into sight or were lost; a loss starts the search."""
    cast, attention = world.cast, world.attention
    seen, slipping = attention.seen, attention.slipping
    for row, (was, now) in enumerate(zip(before, seen)):
        if now == was:
            continue
        if now >= 0 and (row, now) not in slipping:
            x, y, z = world.knowledge.arrays.xyz[row, now].tolist()
            agent, target = int(cast.watchers[row]), int(cast.targets[now])
            world.happened(Sees(world.tick, agent, at=(x, y, z), other=target))
        if was >= 0:
            slipping[row, was] = None  # Another may be seen instead.
    for row, column in list(slipping):
        is_visible = bool(visible[row, column])
        if is_visible or seen[row] == column or not _slips(world, row, column):
            del slipping[row, column]
            if not is_visible and seen[row] != column:
                _lose(world, row, column)


def _lose(world: World, row: int, column: int) -> None:
    """Report that a watcher lost sight of a target, and let guards search for it; a former enemy is not lost."""
    cast, agent, target = world.cast, int(world.cast.watchers[row]), int(world.cast.targets[column])
    if not world.relations.is_hostile(agent, target):
        return
    x, y, z = world.knowledge.arrays.xyz[row, column].tolist()
    world.happened(Lost(world.tick, agent, at=(x, y, z), other=target))
    if cast.side[agent] == TEAMS.index("guards") and column not in world.attention.seen:
        # With several targets, the place of one says nothing about the others.
        sure = len(cast.targets) == 1
        places = world.bodies.xyz[[agent]]
        world.hunt.perceive((x, y, z), world.time, sure=sure, agents=[agent], places=places, target=target)
