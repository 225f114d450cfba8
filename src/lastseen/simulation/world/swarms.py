"""Swarms: creatures flow along walking distances, to the nearest agent in reach of their nest or back to it."""

from __future__ import annotations

import math

import numpy as np

from ...agents.brains.swarms import Swarm, Swarms
from ...cells.layout import CellLayout
from ...cells.query import nearest_cells
from ...conventions import Floats, Ids
from ...kernels.arrays.agent_arrays import ACTIVE
from ...layers.spread import Spread
from ...rng import generator
from ...vocabulary.events import SwarmActs
from ..scenario.object_specs import SwarmSpec
from ..scenario.reader import Setting
from .combat import go_down
from .objects import place_named
from .world import World

_EVERY = 0.25
"""Seconds from one choice of prey to the next."""
_LEASH = 2.0
"""Times the reach at which a swarm lets off its prey."""
_ROAMS, _CLOSE = 1.5, 0.8
"""Metres to walk from the nest within which calm creatures fly about, and from the prey within which others do."""
_MIDST, _SHARE = 1.0, 0.2
"""Metres from an agent within which creatures sting it, and the share of them that it takes."""
_NEAR = 2.0
"""Metres from an agent within which a cell stands for its place."""
_JITTER = 0.25


def make_swarms(setting: Setting, teams: tuple[str, ...], layout: CellLayout, seed: int) -> Swarms | None:
    """Return the swarms of a scenario at their nests; None if there are none."""
    specs = setting.scenario.swarms
    if not specs:
        return None
    places = [place_named(spec.marker or spec.place, setting.level) for spec in specs]
    arrays, random = layout.arrays, generator(seed, "swarms")
    degree = np.diff(arrays.link_start.astype(np.int64))
    links = np.repeat(np.arange(len(layout), dtype=np.int32)[:, None], max(1, int(degree.max(initial=1))), axis=1)
    lengths = np.zeros(links.shape)
    filled = np.arange(links.shape[1]) < degree[:, None]
    links[filled], lengths[filled] = arrays.link_cell, arrays.link_length
    cells = nearest_cells(layout, np.array(places)).tolist()
    swarms = [_swarm(spec, cell, teams, layout, random) for spec, cell in zip(specs, cells)]
    return Swarms(tuple(swarms), links, lengths, random)


def _swarm(
    spec: SwarmSpec, cell: int, teams: tuple[str, ...], layout: CellLayout, random: np.random.Generator
) -> Swarm:
    x, y, z = layout.arrays.cell_xyz[cell].astype(np.float64).tolist()
    offset = random.uniform(-_JITTER, _JITTER, (spec.count, 2))
    xyz = np.array([x, y, z]) + np.column_stack([offset, np.zeros(spec.count)])
    return Swarm(
        spec.name, teams.index(spec.team) if spec.team else -1, (x, y, z), cell, spec.range, spec.speed, spec.fells,
        xyz, np.full(spec.count, cell, np.int32), offset, np.full(len(layout), np.inf),
    )  # fmt: skip


def run_swarms(world: World) -> None:
    """Let each swarm choose its prey, fly one step further, and sting."""
    assert world.swarms is not None
    for swarm in world.swarms.each:
        if world.time >= swarm.due - 1e-9:
            swarm.due = world.time + _EVERY
            _choose_prey(world, swarm)
        _fly(world.swarms, swarm, world.cells.arrays.cell_xyz, world.step)
        _sting(world, swarm)


def _choose_prey(world: World, swarm: Swarm) -> None:
    """Choose the agent nearest to the nest to walk; keep one that is being chased twice as far."""
    spread = Spread(world.doors.air)
    from_nest = _metres(spread, swarm.cell)
    agents = np.flatnonzero(world.bodies.mode == ACTIVE)
    agents = np.array([one for one in agents.tolist() if not swarm.spares(int(world.bodies.team[one]))], np.int64)
    cells = nearest_cells(world.doors.air, world.bodies.xyz[agents], _NEAR) if len(agents) else agents
    away = np.where(cells >= 0, from_nest[cells], np.inf)
    limit = np.where(agents == swarm.prey, _LEASH * swarm.reach, swarm.reach)
    away = np.where(away <= limit, np.where(agents == swarm.prey, -1.0, away), np.inf)
    best = int(away.argmin()) if len(away) and np.isfinite(away.min()) else -1
    prey = int(agents[best]) if best >= 0 else -1
    if prey != swarm.prey:
        if prey < 0 and world.bodies.mode[swarm.prey] == ACTIVE:
            at = world.place_of(swarm.prey)
            world.happened(SwarmActs(world.tick, swarm.prey, at=at, swarm=swarm.name, step="lets off"))
        elif prey >= 0:
            world.happened(SwarmActs(world.tick, prey, at=world.place_of(prey), swarm=swarm.name, step="attacks"))
        swarm.prey = prey
    swarm.metres = from_nest if prey < 0 else _metres(spread, int(cells[best]))


def _metres(spread: Spread, cell: int) -> Floats:
    """Return the metres to walk from every cell to one; infinite where there is no way."""
    found = np.full(len(spread.layout.arrays.cell_grid), np.inf)
    reached = spread.distances(np.array([cell], np.int32))
    found[reached.cells] = reached.metres
    return found


def _fly(swarms: Swarms, swarm: Swarm, cell_xyz: Floats, step: float) -> None:
    """Move all creatures one step; those that arrive head for the next cell."""
    goal = cell_xyz[swarm.heads_for].astype(np.float64)
    goal[:, :2] += swarm.offset
    way = goal - swarm.xyz
    left = np.linalg.norm(way, axis=1)
    share = np.minimum(1.0, swarm.speed * step / np.maximum(left, 1e-9))
    swarm.xyz += way * share[:, None]
    there = np.flatnonzero(share >= 1.0)
    if len(there):
        swarm.heads_for[there] = next_cells(swarms, swarm, swarm.heads_for[there])


def next_cells(swarms: Swarms, swarm: Swarm, cells: Ids) -> Ids:
    """Return the neighbours to which creatures in some cells fly on: down the distance, or about where it is small."""
    options, lengths = swarms.links[cells], swarms.lengths[cells]
    metres, own = swarm.metres[options], swarm.metres[cells][:, None]
    draws = swarms.random.random(options.shape)
    # Where a shut door is between two cells, the way round makes their distances differ by more than the link.
    is_open = np.isfinite(metres) & np.isfinite(own)
    is_open &= np.abs(np.where(is_open, metres - np.where(is_open, own, 0.0), np.inf)) <= lengths + 1e-6
    about = _CLOSE if swarm.prey >= 0 else _ROAMS
    worth = np.where(metres <= about, draws, 10.0 + metres + 0.3 * draws)
    worth = np.where(is_open, worth, np.inf)
    best = worth.argmin(axis=1)
    rows = np.arange(len(cells))
    chosen: Ids = np.where(np.isfinite(worth[rows, best]), options[rows, best], cells).astype(np.int32)
    return chosen


def _sting(world: World, swarm: Swarm) -> None:
    """Count the time that agents spend in the midst of creatures; after long enough they go down."""
    least = max(1, math.ceil(_SHARE * len(swarm.xyz)))
    for agent in range(len(world.names)):
        if world.bodies.mode[agent] != ACTIVE or swarm.spares(int(world.bodies.team[agent])):
            swarm.stung.pop(agent, None)
            continue
        near = np.linalg.norm(swarm.xyz - world.bodies.xyz[agent], axis=1) <= _MIDST
        seconds = swarm.stung.get(agent, 0.0) + (world.step if near.sum() >= least else -world.step)
        swarm.stung[agent] = max(0.0, seconds)
        if seconds >= swarm.fells - 1e-9:
            del swarm.stung[agent]
            at = world.place_of(agent)
            world.happened(SwarmActs(world.tick, agent, at=at, swarm=swarm.name, step="fells"))
            go_down(world, agent)
