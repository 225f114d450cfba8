"""Columns of a world that are recorded in every step, and the recording of a run."""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from typing import Any

import msgspec
import numpy as np

from ... import __version__
from ...agents.bodies.combat import Combat
from ...agents.brains.objects import Objects
from ...agents.brains.swarms import Swarm
from ...checks import expect, seed_of
from ...conventions import Array
from ...level.level import Level
from ...level.write import to_geojson
from ...vocabulary.events import AnyEvent
from ...vocabulary.words import Hold, ObjectKind
from ..game_loop import Outcome, outcome, run
from ..scenario.scenario import budget_of
from ..systems import SYSTEMS
from ..world.tree_statuses import TreeWords, status_table
from ..world.world import World
from . import crew_columns
from .format import About, Column, LayerColumn
from .writer import Recorder

Maker = Callable[[World], Any]
_SYSTEMS = tuple(system.__name__ for system in SYSTEMS)

COLUMNS: dict[str, tuple[str, Maker]] = {
    "xyz": ("<f4", lambda world: world.bodies.xyz),
    "heading": ("<f4", lambda world: world.bodies.heading),
    "gaze": ("<f4", lambda world: world.bodies.gaze),
    "velocity": ("<f4", lambda world: world.bodies.velocity_xy),
    "mode": ("|u1", lambda world: world.bodies.mode),
    "stance": ("|u1", lambda world: world.bodies.stance),
    "state": ("|u1", lambda world: world.state),
    "going": ("|u1", lambda world: world.orders.arrays.going),
    "goal": ("<f4", lambda world: world.orders.arrays.goal_xyz),
    "way": ("|u1", lambda world: world.crowd.routes.status),
    "left": ("<f4", lambda world: world.crowd.routes.left),
    "awareness": ("<f4", lambda world: _sightings(world, "awareness")),
    "visible": ("|u1", lambda world: _sightings(world, "visible")),
    "sight_reason": ("|u1", lambda world: _sightings(world, "reason")),
    "known_xyz": ("<f4", lambda world: world.knowledge.arrays.xyz),
    "known_direction": ("<f4", lambda world: world.knowledge.arrays.direction_xy),
    "known_time": ("<f4", lambda world: world.knowledge.arrays.time + world.acts.stood_still * world.step),
    "known_source": ("|u1", lambda world: world.knowledge.arrays.source),
    "doors": ("|u1", lambda world: world.doors.shut),
    "tree": ("|u1", lambda world: _statuses(world)),
    "crew": ("<i4", crew_columns.crews_in),
    "slot": ("<i2", crew_columns.slots),
    "stand": ("<f4", crew_columns.stands),
    "turn": ("|u1", crew_columns.turns),
    "crew_seats": ("<i4", crew_columns.seats),
    "crew_tree": ("|u1", crew_columns.statuses),
    "cost": ("<f2", lambda world: np.array([world.trace.costs.get(name, 0.0) for name in _SYSTEMS])),
    "agent_cost": ("<f2", lambda world: np.array(world.trace.agent_costs or [0.0] * len(world.names)).round(3)),
    "digest": ("<u8", lambda world: np.frombuffer(world.trace.digest.digest()[:8], "<u8")),
}
"""Name, type and maker of each column. Costs are milliseconds, which differ from run to run; those of agents are whole
microseconds, as smaller differences are noise that takes long to pack."""
FIGHT_COLUMNS: dict[str, tuple[str, Maker]] = {
    "health": ("<f4", lambda world: _combat(world).health),
    "rest": ("<f4", lambda world: np.maximum(_combat(world).ready - world.time, 0.0)),
    "attack": ("|u1", lambda world: _attacks(world)),
    "foe": ("<i2", lambda world: _foes(world)),
    "due": ("<f4", lambda world: _dues(world)),
}
"""Columns of fights: health; seconds until the next attack; 1 while striking, 2 while aiming; the foe, -1 if none; and
seconds until the blow."""


HOLD_COLUMNS: dict[str, tuple[str, Maker]] = {
    "hold": ("|u1", lambda world: _holds(world)[0]),
    "held_by": ("<i2", lambda world: _holds(world)[1]),
}
"""Columns of worlds in which an agent can stop time or possess others: what keeps each agent from acting by itself, a
`Hold`, and the agent that does so, -1 if none."""


PLATFORM_COLUMNS: dict[str, tuple[str, Maker]] = {"platforms": ("|u1", lambda world: world.cells.platforms)}
"""Columns of levels with platforms: 1 for each that is present."""


WEATHER_COLUMNS: dict[str, tuple[str, Maker]] = {"weather": ("|u1", lambda world: [world.script.weather.number])}
LIGHT_COLUMNS: dict[str, tuple[str, Maker]] = {
    "lights": ("<f4", lambda world: [math.nan if one is None else one for one in world.script.lighting.light])
}
SMOKE_COLUMNS: dict[str, tuple[str, Maker]] = {"smoke": ("<f4", lambda world: _smoke(world))}
"""Columns of worlds whose weather, lights or smoke may change: the number of the weather; the light of each zone, NaN
where it has none; and the clouds (x, y, z, radius in metres), one for each row of the script, radius 0 without one.
"""


OBJECT_COLUMNS: dict[str, tuple[str, Maker]] = {
    "object_xyz": ("<f4", lambda world: np.array(_objects(world).places)),
    "object_state": ("|u1", lambda world: np.array(_objects(world).states(world.time), np.uint8)),
    "uses": ("<i2", lambda world: _uses(world)),
}
"""Columns of worlds with objects: where each is; its state (see `Objects.states`); and the object that each agent uses,
-1 if none."""


SWARM_COLUMNS: dict[str, tuple[str, Maker]] = {
    "swarm_xyz": ("<f4", lambda world: np.concatenate([swarm.xyz for swarm in _swarms(world)])),
    "swarm_prey": ("<i2", lambda world: [swarm.prey for swarm in _swarms(world)]),
}
"""Columns of worlds with swarms: all creatures, swarm by swarm; and the agent each swarm is after, -1 if none."""


def _swarms(world: World) -> tuple[Swarm, ...]:
    return () if world.swarms is None else world.swarms.each


def _holds(world: World) -> tuple[Array, Array]:
    """Return what keeps each agent from acting by itself, (n,) uint8, and which agent does so, (n,) int16."""
    hold, by = np.zeros(len(world.names), np.uint8), np.full(len(world.names), -1, np.int16)
    acts = world.acts
    if acts.stopper >= 0:
        hold[:], by[:] = Hold.STANDSTILL.number, acts.stopper
        hold[acts.stopper], by[acts.stopper] = 0, -1
    hold[list(acts.dazed)] = Hold.DAZED.number
    for agent, held in acts.possessed.items():
        hold[held.host], by[held.host] = Hold.POSSESSED.number, agent
    return hold, by


def _smoke(world: World) -> Array:
    """Return the clouds, (rows of smoke in the script, 4); a row that fires again makes the same one."""
    found = np.zeros((_rows(world, "smoke"), 4))
    clouds = list(dict.fromkeys(cloud[:4] for cloud in world.script.smoke))
    if clouds:
        found[: len(clouds)] = clouds[: len(found)]
    return found


def _rows(world: World, do: str) -> int:
    """Return how many rows of the script do something."""
    return sum(row.do == do for row in world.script.rows)


def _sightings(world: World, name: str) -> Array:
    if world.senses.sightings is None:
        return np.zeros((len(world.cast.watchers), len(world.cast.targets)))
    found: Array = getattr(world.senses.sightings, name)
    return found


def _combat(world: World) -> Combat:
    assert world.combat is not None
    return world.combat


def _objects(world: World) -> Objects:
    assert world.objects is not None
    return world.objects


def _uses(world: World) -> Array:
    """Return the object that each agent uses, (n,) int16."""
    found = np.full(len(world.names), -1, np.int16)
    for agent, use in _objects(world).uses.items():
        found[agent] = use.thing
    return found


def _attacks(world: World) -> Array:
    """Return the attack of each agent, (n,) uint8."""
    found = np.zeros(len(world.names), np.uint8)
    for agent, blow in _combat(world).blows.items():
        found[agent] = 1 if blow.kind == "strike" else 2
    return found


def _foes(world: World) -> Array:
    """Return the foe of each agent, (n,) int16."""
    found = np.full(len(world.names), -1, np.int16)
    for agent, blow in _combat(world).blows.items():
        found[agent] = blow.target
    return found


def _dues(world: World) -> Array:
    """Return the seconds until each agent's blow, (n,) float64; 0 if none."""
    found = np.zeros(len(world.names))
    for agent, blow in _combat(world).blows.items():
        found[agent] = max(0.0, blow.due - world.time)
    return found


def _statuses(world: World) -> Array:
    """Return the statuses of all nodes of all trees, padded to the largest tree."""
    return status_table(world.trees) if world.trace.tree_words is None else world.trace.tree_words.statuses()


def _makers(world: World) -> dict[str, tuple[str, Maker]]:
    """Return the columns of this world."""
    found = COLUMNS if world.combat is None else COLUMNS | FIGHT_COLUMNS
    switches = world.objects is not None and any(one.kind is ObjectKind.SWITCH for one in world.objects.things)
    kept = (
        (world.level.platforms, PLATFORM_COLUMNS),
        (any({"time_stop", "possess"}.intersection(powers) for powers in world.acts.powers), HOLD_COLUMNS),
        (world.scenario.weather != "clear" or _rows(world, "weather"), WEATHER_COLUMNS),
        (world.level.zones and (switches or _rows(world, "light")), LIGHT_COLUMNS),
        (_rows(world, "smoke"), SMOKE_COLUMNS),
        (world.objects is not None, OBJECT_COLUMNS),
        (world.swarms is not None, SWARM_COLUMNS),
    )
    for is_kept, columns in kept:
        found = found | columns if is_kept else found
    return found


def columns_of(world: World) -> list[Array]:
    """Return the current values of `COLUMNS`, then those of combat, platforms, objects … that there are."""
    return [np.asarray(make(world)) for _, make in _makers(world).values()]


def about_of(world: World, *, seed: int | None = None) -> About:
    """Return the description of a recording of this world."""
    now = columns_of(world)
    trees = tuple("" if tree is None else tree.as_text(live=False) for tree in world.trees)
    return About(
        lastseen=__version__,
        scenario=msgspec.json.encode(world.scenario).decode(),
        level=_level_text(world.level),
        seed=world.scenario.seed if seed is None else seed_of(seed),
        step=world.step,
        agents=world.names,
        columns=tuple(Column(name, kind, made.shape) for (name, (kind, _)), made in zip(_makers(world).items(), now)),
        layers=(
            LayerColumn("search", "|i1", len(world.cells)),
            *(LayerColumn(name, "<f4", len(world.cells)) for name in world.layers.named),
        ),
        trees=trees,
        notes={
            "teams": world.cast.side.tolist(),
            "team_names": [world.relations.teams[team] for team in world.bodies.team.tolist()],
            "watchers": world.cast.watchers.tolist(),
            "targets": world.cast.targets.tolist(),
            "radius": world.scenario.radius,
            "cell": float(world.cells.arrays.size_xyz[0]),
            "numpy": np.__version__,
            "crews": crew_columns.crew_notes(world),
            "costs": {"systems": list(_SYSTEMS), "budget": budget_of(world.scenario)},
            "swarms": [{"name": swarm.name, "count": len(swarm.xyz)} for swarm in _swarms(world)],
            **({} if world.objects is None else {"objects": _object_notes(world.objects)}),
        },
    )


def _object_notes(objects: Objects) -> list[dict[str, Any]]:
    """Return what stays the same about each object: name, kind, animation, and the outlines of a barrier."""
    return [
        {
            "name": thing.name,
            "kind": str(thing.kind),
            "animation": thing.animation,
            "zones": [zone.outline_xy.tolist() for zone in thing.zones if thing.kind is ObjectKind.BARRIER],
        }
        for thing in objects.things
    ]


def _level_text(level: Level) -> str:
    return to_geojson(level).decode()


def recorder_of(world: World, path: str | os.PathLike[str], *, seed: int | None = None) -> Recorder:
    """Begin to record a world."""
    about = about_of(world, seed=seed)
    gather_reasons(world)
    return Recorder(path, about)


def gather_reasons(world: World, room: int = 0) -> TreeWords:
    """Collect the reasons of nodes that change their status in `world.trace.texts` from now on.

    `room` : number of nodes to record of each tree, if trees with more nodes may replace those of agents.
    """
    world.trace.tree_words = TreeWords(world.trees, world.trace.texts, room)
    return world.trace.tree_words


def step_of(world: World) -> tuple[list[Array], list[Array], list[AnyEvent], list[tuple[int, int, str]]]:
    """Return the last step as recorded: columns, layers, events, texts."""
    words = gather_reasons(world) if world.trace.tree_words is None else world.trace.tree_words
    columns = columns_of(world)
    # Observers receive changes of status only, but reasons may change without.
    world.trace.texts += words.news()
    world.trace.texts += crew_columns.crew_texts(world)
    decided = words.decisions(world.minds)
    world.trace.texts += [(mind.number, crew_columns.DECIDED, mind.decided) for mind in decided if mind.decided]
    layers = [world.hunt.search.layer.values, *(layer.values for layer in world.layers.named.values())]
    return columns, layers, list(world.events), world.trace.texts


def record(
    world: World,
    path: str | os.PathLike[str],
    *,
    seed: int | None = None,
    each: Callable[[World], Any] | None = None,
) -> Outcome:
    """Run a world to its end and record it; steps flushed before a failure can be read."""
    recorder = recorder_of(expect(world, World, "world"), path, seed=seed)

    def keep(now: World) -> None:
        recorder.add(*step_of(now))
        if each is not None:
            each(now)

    try:
        run(world, each=keep)
    except BaseException:
        recorder.abandon()
        raise
    end = outcome(world)
    recorder.close(end.reason, end.digest)
    return end
