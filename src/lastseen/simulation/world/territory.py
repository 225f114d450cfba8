"""Territory: guards warn, escort and at last attack neutral agents in restricted zones; safe zones shelter enemies."""

from __future__ import annotations

import math

import numpy as np

from ...agents.brains.relations import TEAMS
from ...agents.brains.surroundings import Territory
from ...conventions import Ids
from ...kernels.arrays.agent_arrays import ACTIVE
from ...level.level import Level
from ...vocabulary.events import Sheltered, Trespasses
from ...vocabulary.words import Attitude, Trespass, ZoneKind
from ..scenario.scenario import Scenario, TerritoryRules
from .lighting import within
from .world import World

_GUARDS = TEAMS.index("guards")


def make_territory(scenario: Scenario, level: Level, targets: Ids) -> Territory | None:
    """Return the initial state of restricted and safe zones; None if the scenario does not use them."""
    given = scenario.territory
    if not given:
        return None
    rules = TerritoryRules() if given is True else given
    kinds = {kind: tuple(zone for zone in level.zones if zone.kind == kind) for kind in ("restricted", "safe")}
    return Territory(
        restricted=kinds[ZoneKind.RESTRICTED],
        safe=kinds[ZoneKind.SAFE],
        steps=[Trespass.FREE] * len(targets),
        since=[-math.inf] * len(targets),
        inside=[-math.inf] * len(targets),
        keeper=[-1] * len(targets),
        sheltered=[-math.inf] * len(targets),
        patience=rules.patience,
        escort=rules.escort,
        forgives=rules.forgives,
    )


def judge_territory(world: World) -> None:
    """Let guards react to agents in restricted zones, and let enemies in safe zones alone."""
    own = world.territory
    if own is None or not len(world.cast.targets):
        return
    places = world.bodies.xyz[world.cast.targets]
    forbidden = [within(zone, places) for zone in own.restricted]
    sheltered = np.any([within(zone, places) for zone in own.safe], axis=0) if own.safe else np.zeros(len(places), bool)
    for column, agent in enumerate(world.cast.targets.tolist()):
        if world.bodies.mode[agent] == ACTIVE:
            zone = next((number for number, found in enumerate(forbidden) if found[column]), -1)
            _trespass(world, column, agent, zone)
            _shelter(world, column, agent, is_in=bool(sheltered[column]))


def _trespass(world: World, column: int, agent: int, zone: int) -> None:
    """Take the next step against an agent: warn it, escort it, attack it; forgive it some time after it has left."""
    own, now = world.territory, world.time
    assert own is not None
    step, guard = own.steps[column], _nearest_witness(world, column)
    if zone >= 0:
        own.inside[column] = now
    elif step is not Trespass.FREE and now - own.inside[column] >= own.forgives:
        if step is not Trespass.WANTED or column not in world.attention.seen:
            _change(world, column, agent, Trespass.FREE, -1, -1)
        return
    waited = now - own.since[column]
    if zone < 0 or guard < 0:
        return
    if step is Trespass.FREE and world.relations.between(guard, agent) is Attitude.NEUTRAL:
        _change(world, column, agent, Trespass.WARNED, guard, zone)
    elif step is Trespass.WARNED and waited >= own.patience:
        _change(world, column, agent, Trespass.ESCORTED, guard, zone)
    elif step is Trespass.ESCORTED and waited >= own.escort:
        _change(world, column, agent, Trespass.WANTED, guard, zone)


def _change(world: World, column: int, agent: int, step: Trespass, guard: int, zone: int) -> None:
    own = world.territory
    assert own is not None
    own.steps[column], own.since[column], own.keeper[column] = step, world.time, guard
    world.relations.override(agent, Attitude.HOSTILE if step is Trespass.WANTED else None)
    name = own.restricted[zone].name if zone >= 0 else ""
    world.happened(Trespasses(world.tick, guard, at=world.place_of(agent), other=agent, zone=name, step=step))


def _nearest_witness(world: World, column: int) -> int:
    """Return the active guard nearest to a target among those that see it; -1 if none does."""
    watchers, agent = world.cast.watchers, int(world.cast.targets[column])
    seen = watchers[world.senses.passers[:, column]] if len(world.senses.passers) else watchers[:0]
    guards = [one for one in seen.tolist() if world.cast.side[one] == _GUARDS]
    here = world.place_of(agent)
    return min(guards, key=lambda guard: (math.dist(world.place_of(guard), here), guard), default=-1)


def _shelter(world: World, column: int, agent: int, *, is_in: bool) -> None:
    """Treat an enemy as neutral while it is in a safe zone, and for a while after, so that it is not a trap."""
    own = world.territory
    assert own is not None
    was = world.relations.overrides.get(agent) is Attitude.NEUTRAL
    if is_in:
        own.sheltered[column] = world.time
    ends = was and world.time - own.sheltered[column] >= own.forgives
    if (is_in and not was and world.relations.has_enemies(agent) and own.steps[column] is not Trespass.WANTED) or ends:
        world.relations.override(agent, None if ends else Attitude.NEUTRAL)
        world.happened(Sheltered(world.tick, agent, at=world.place_of(agent), is_safe=not ends))
