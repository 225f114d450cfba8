"""Checks of the floor of a scenario: agents stand on it, and it does not connect two states of the level."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ...agents.brains.level_states import LevelStates, level_states
from ...cells.layout import CellLayout
from ...conventions import Floats
from ...errors import ScenarioError
from ...layers.spread import Spread
from ...level.sight.query import sees
from ...level.sight.sight import Sight
from ...navmesh.body import Body
from ...navmesh.build import build_navmesh
from ...navmesh.navmesh import AnyMesh
from ...navmesh.query import find_paths, nearest_many
from ...reasoning.search.sight import EYE
from ...rng import generator
from ...textfile import Document
from ...textforms import Path
from ..scenario.faults import Faults
from ..scenario.reader import Setting
from .objects import place_named
from .traits import starts_of

ON_FLOOR = 1.0
"""Metres within which a place is moved onto the walkable floor."""
_UNHEARD = "no one would hear it this far from the walkable floor"
_LOOKS = 4000
"""Number of lines of sight that are tried from one state of the level to the other."""
NEAR_FLOOR = 1.5
"""The same for slots of objects: most objects stand at a wall."""
_AROUND = 6.0
"""Most metres to walk from an object to a slot of its that no straight way leads to, such as behind a large table."""
_EARSHOT = 2.5
"""`ON_FLOOR` for sounds, which listeners hear along the floor, from cells up to 2 m away."""


class _Spot(NamedTuple):
    """A place in a scenario: its path in the file, metres, what is wrong if no floor is that near, and what to do."""

    path: Path
    xyz: tuple[float, float, float]
    near: float
    what: str
    advice: str = "put it within {:g} m of the floor"


def check_places(setting: Setting) -> None:
    """Check all places of a setting as `make_world` does, without making the world.

    Raises
    ------
    ScenarioError
        See `check_floor`.
    """
    check_floor(setting, build_navmesh(setting.level, Body(radius=setting.scenario.radius)))


def check_floor(setting: Setting, mesh: AnyMesh) -> None:
    """Check that all places of a setting at which agents stand, or that they should hear, are on the walkable floor.

    Raises
    ------
    ScenarioError
        With every place that is not, and its line.
    """
    spots = [
        spot
        for kind in (_agents, _objects, _tasks, _traps, _swarms, _scenes, _script, _patrols, _loudspeakers)
        for spot in kind(setting)
    ]
    found = nearest_many(mesh, np.array([spot.xyz for spot in spots]).reshape(-1, 3))
    document = setting.document or Document(setting.source, {}, {})
    if not document.value.get("agents"):  # those of the level, or of a recording
        names = [{"name": spec.name} for spec in setting.agents]
        document = Document(document.source, document.value | {"agents": names}, document.lines)
    faults = Faults(document)
    for spot, metres, nearest in zip(spots, found.distance.tolist(), found.xyz.tolist()):
        if not metres <= spot.near:
            where = f"; the nearest is at ({', '.join(f'{one:g}' for one in np.round(nearest, 2))})"
            faults.add(spot.path, spot.what, spot.advice.format(spot.near) + where, at=spot.xyz)
    _slots_apart(setting, mesh, faults)
    if faults.found:
        raise ScenarioError(setting.source, faults.found)


def make_states(setting: Setting, layout: CellLayout, sight: Sight) -> LevelStates | None:
    """Return the two states of the level of a setting; None if it has one only.

    Raises
    ------
    ScenarioError
        Agents could walk, or see, from one state to the other.
    """
    names = setting.scenario.level_states
    if names is None:
        return None
    found = level_states(setting.level.zones, (names[0], names[1]), layout)
    places = layout.arrays.cell_xyz.astype(np.float64)
    one, other = (np.flatnonzero(inside) for inside in found.holds(places).T)
    across = other[np.isin(other, Spread(layout).distances(one.astype(np.int32)).cells)]
    fault = ""
    if not (found.twin[one] >= 0).any():
        fault = "no place has floor in both states"
    elif len(across):
        fault = f"agents could walk from one to the other, to ({_at(places[across[0]])})"
    else:  # Some pairs of places are enough: a gap in the walls shows in many.
        random = generator(0, "looks between states")
        pairs = np.column_stack([random.choice(one, _LOOKS), random.choice(other, _LOOKS)])
        seen = sees(sight, places[pairs[:, 0]] + EYE, places[pairs[:, 1]] + EYE)
        if seen.any():
            start, end = places[pairs[seen.argmax()]]
            fault = f"agents at ({_at(start)}) could see to ({_at(end)}) in the other one"
    if fault:
        faults = Faults(setting.document or Document(setting.source, {}, {}))
        faults.add(("level_states",), fault, "draw the same floor plan twice, with walls around each")
        raise ScenarioError(setting.source, faults.found)
    return found


def _at(place: Floats) -> str:
    return ", ".join(f"{one:g}" for one in np.round(place, 2).tolist()[:2])


def _agents(setting: Setting) -> Iterator[_Spot]:
    for number, (spec, place) in enumerate(zip(setting.agents, starts_of(setting)[0].tolist())):
        yield _Spot(
            ("agents", number) if spec.at is None else ("agents", number, "at"),
            place_named(place, setting.level),
            ON_FLOOR,
            f"{spec.name!r} starts off the walkable floor",
        )


def _objects(setting: Setting) -> Iterator[_Spot]:
    what, advice = "its users would stand off the walkable floor", "give slots within {:g} m of the floor"
    for number, spec in enumerate(setting.scenario.objects):
        path: Path = ("objects", number)
        for at, slot in enumerate(spec.slots):
            yield _Spot((*path, "slots", at), place_named(slot, setting.level), NEAR_FLOOR, what, advice)
        if not spec.slots and (spec.marker or spec.place is not None):
            place = place_named(spec.marker or spec.place, setting.level)
            yield _Spot((*path, "marker" if spec.marker else "place"), place, NEAR_FLOOR, what, advice)


def _slots_apart(setting: Setting, mesh: AnyMesh, faults: Faults) -> None:
    """Add slots from which nobody could use their object: it is in another room, or on another floor."""
    found: list[tuple[Path, tuple[float, float, float], tuple[float, float, float]]] = []
    for number, spec in enumerate(setting.scenario.objects):
        if spec.marker or spec.place is not None:
            thing = place_named(spec.marker or spec.place, setting.level)
            found += [
                (("objects", number, "slots", at), place_named(slot, setting.level), thing)
                for at, slot in enumerate(spec.slots)
            ]
    if not found:
        return
    slots, things = (nearest_many(mesh, np.array([one[side] for one in found])) for side in (1, 2))
    paths = find_paths(mesh, things.xyz, slots.xyz)
    straight = np.linalg.norm(slots.xyz - things.xyz, axis=1)
    for (path, xyz, _), reached, metres, least, off in zip(
        found, paths.reached.tolist(), paths.length.tolist(), straight.tolist(), slots.distance.tolist()
    ):
        if off <= NEAR_FLOOR and not (reached and metres <= max(_AROUND, 1.05 * least)):
            how = f"{metres:.1f} m to walk" if reached else "no path leads there"
            advice = f"give slots in a straight line from it on the floor, or at most {_AROUND:g} m to walk"
            faults.add(path, f"its user would stand too far from the object: {how}", advice, at=xyz)


def _tasks(setting: Setting) -> Iterator[_Spot]:
    for number, agent in enumerate(setting.agents):
        for at, task in enumerate(agent.tasks):
            if not isinstance(task, str) and task.to is not None:
                place, what = place_named(task.to, setting.level), f"no one can put {task.use!r} down there"
                yield _Spot(("agents", number, "tasks", at, "to"), place, NEAR_FLOOR, what)


def _traps(setting: Setting) -> Iterator[_Spot]:
    what, advice = "no agent can step into the trap", "put it, or make its radius reach, where agents walk"
    for number, spec in enumerate(setting.scenario.traps):
        place = place_named(spec.marker or spec.place, setting.level)
        yield _Spot(("traps", number, "marker" if spec.marker else "place"), place, spec.radius, what, advice)


def _swarms(setting: Setting) -> Iterator[_Spot]:
    for number, spec in enumerate(setting.scenario.swarms):
        place = place_named(spec.marker or spec.place, setting.level)
        path: Path = ("swarms", number, "marker" if spec.marker else "place")
        yield _Spot(path, place, NEAR_FLOOR, "the nest is off the walkable floor")


def _scenes(setting: Setting) -> Iterator[_Spot]:
    for name, scene in setting.scenario.scenes.items():
        for block, steps in enumerate(scene.blocks):
            for number, step in enumerate(steps):
                if step.marker or step.place is not None:
                    path: Path = ("scenes", name, "blocks", block, number, "marker" if step.marker else "place")
                    place = place_named(step.marker or step.place, setting.level)
                    yield _Spot(path, place, ON_FLOOR, f"{step.who!r} cannot go there, off the walkable floor")


def _script(setting: Setting) -> Iterator[_Spot]:
    for number, row in enumerate(setting.scenario.script):
        near, what = ON_FLOOR, f"{row.agent!r} would be placed off the walkable floor"
        if row.do in ("sound", "alarm"):
            near, what = _EARSHOT, _UNHEARD
            if setting.scenario.hearing == "radius":
                continue
        elif row.do == "smoke":
            near, what = row.radius, "the smoke would not reach the walkable floor"
        elif row.do != "place":
            continue
        if row.place is not None:
            yield _Spot(("script", number, "place"), place_named(row.place, setting.level), near, what)


def _loudspeakers(setting: Setting) -> Iterator[_Spot]:
    for name, place in (setting.scenario.loudspeakers or {}).items():
        if setting.scenario.hearing != "radius":
            yield _Spot(("loudspeakers", name), place_named(place, setting.level), _EARSHOT, _UNHEARD)


def _patrols(setting: Setting) -> Iterator[_Spot]:
    for name, stops in setting.scenario.patrols.items():
        for number, stop in enumerate(stops):
            if not isinstance(stop, str):
                what = "the stop is off the walkable floor"
                yield _Spot(("patrols", name, number), place_named(stop, setting.level), ON_FLOOR, what)
