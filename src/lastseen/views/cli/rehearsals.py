"""Small runs of everything, so that every kernel is compiled for the types it meets, and kept."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Literal

import numpy as np

from ...agents.rules.compile import compile_handler
from ...agents.rules.engine import Engine
from ...agents.rules.rule import Condition, Database, Handler, Rule, VariableSpec
from ...cells.build import build_layout
from ...cells.layout import CellLayout
from ...cells.live import LiveLayout
from ...cells.query import cell_at, cells_in_box, cells_within, nearest_cell, neighbours
from ...layers.best import best_cells
from ...layers.spread import Falloff, Spread
from ...layers.stack import LayerStack
from ...layers.traverse import next_cell
from ...level.level import ConvexFaces, Level, TileFloor, Tiles
from ...level.samples import sample
from ...level.sight.query import visible_area
from ...level.sight.sight import Sight
from ...navmesh.agent import Agent
from ...navmesh.build import build_navmesh
from ...navmesh.navmesh import AnyMesh, NavMesh
from ...navmesh.query import face_at, find_path, height_at, nearest, raycast, reachable
from ...reasoning.chase.chase import Chase
from ...reasoning.chase.dead_reckoning import DeadReckoning
from ...reasoning.chase.loss import Loss, View
from ...reasoning.chase.particles import ParticleFilter
from ...reasoning.locations.criteria import Angle, Distance, Height
from ...reasoning.locations.curve import Curve
from ...reasoning.locations.picker import Picker
from ...reasoning.locations.places import Place
from ...reasoning.locations.query import Query
from ...reasoning.locations.query_file import ready_queries, ready_query
from ...reasoning.placement.place import place_guards
from ...reasoning.placement.routes import KINDS
from ...reasoning.placement.settings import PlacementSettings
from ...reasoning.placement.verify import verify
from ...reasoning.placement.verify_settings import VerifySettings
from ...rng import generator
from ...simulation.evaluation.evaluation import evaluate_chase
from ...simulation.run import step
from ...simulation.scenario.read import setting_of
from ...simulation.scenario.scenario import AgentSpec, Incident, Scenario
from ...simulation.setup import make_world
from .rehearsal_crews import share_roles

__all__ = ["REHEARSALS"]

_HERE, _THERE = (3.0, 3.0, 0.0), (9.0, 3.0, 0.0)


def _tiles(edge: int) -> Level:
    return Level(Tiles((TileFloor(np.ones((edge, edge), dtype=np.bool_)),)))


def _house() -> NavMesh:
    return build_navmesh(sample("house"))


def _bake_tiles() -> None:
    build_layout(build_navmesh(sample("rooms"), Agent(radius=0.0)))


def _bake_floors() -> None:
    build_layout(_house())


def _bake_triangles() -> None:
    build_navmesh(sample("house"), builder="voxel")


def _bake_ready_faces() -> None:
    square = np.array([[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [2.0, 2.0, 0.0], [0.0, 2.0, 0.0]])
    faces = ConvexFaces(square, np.array([0, 4], dtype=np.int32), np.arange(4, dtype=np.int32))
    build_navmesh(Level(faces), Agent(radius=0.0))


def _ask_mesh() -> None:
    _ask(_house())


def _ask(mesh: AnyMesh) -> None:
    face_at(mesh, _HERE)
    height_at(mesh, _HERE)
    nearest(mesh, _HERE)
    raycast(mesh, _HERE, _THERE)
    raycast(mesh, _HERE, _THERE, strict=True)
    find_path(mesh, _HERE, _THERE)
    reachable(mesh, _HERE, _THERE)


def _cut() -> None:
    """A cut mesh has arrays of its own, which kernels are compiled for once more."""
    live = LiveLayout(build_layout(_house()))
    cut = live.cut([(6.0, 2.0), (7.0, 2.0), (7.0, 3.0), (6.0, 3.0)], 0.0, 2.0)
    _ask(live.mesh)
    nearest_cell(live, _HERE)
    Spread(live).distances([0])
    live.lift(cut)


def _ask_cells() -> None:
    _use_cells(build_layout(_house()))


def _ask_many_cells() -> None:
    """Ids of more than 65,535 cells are wider, and a thin tall layout is looked up in another table."""
    _use_cells(build_layout(build_navmesh(_tiles(260), Agent(radius=0.0)), cell=1.0))


def _use_cells(layout: CellLayout) -> None:
    first = nearest_cell(layout, _HERE)
    cell_at(layout, _HERE)
    cells_within(layout, _HERE, 2.0)
    cells_in_box(layout, (0.0, 0.0, 0.0), (2.0, 2.0, 1.0))
    stack = LayerStack(layout)
    for dtype in ("int8", "float32"):
        layer = stack.add(dtype, dtype, fill=0)
        Spread(layout).influence(layer, [first], Falloff.linear(5.0), strengths=10.0)
        Spread(layout).influence(layer, [first], Falloff.linear(5.0), strengths=10.0, combine="sum")
        best_cells(layer, 3, spacing=1.0)
        next_cell(layer, at_least=1.0)
    Spread(layout).distances([first], reach=math.inf)


def _chase() -> None:
    _chase_on(build_layout(_house()))


def _chase_in_many_cells() -> None:
    _chase_on(build_layout(build_navmesh(_tiles(260), Agent(radius=0.0)), cell=1.0))


def _chase_on(layout: CellLayout) -> None:
    loss = Loss(_HERE, (1.0, 0.0), guard_at=_THERE, guard_view=View())
    for predictor in (
        Chase(layout),
        Chase(layout, "belief"),
        Chase(layout, "corridors"),
        DeadReckoning(layout),
        ParticleFilter(layout, particles=4),
    ):
        for known in (loss, Loss(_HERE, (1.0, 0.0))):
            predictor.predict(known)
            predictor.predict_many([known])


def _locate() -> None:
    for level, agent in ((sample("house"), Agent()), (sample("rooms"), Agent(radius=0.0))):
        layout = build_layout(build_navmesh(level, agent))
        picker = Picker(LiveLayout(layout), level=level, sight=Sight.from_level(level))
        _locate_by(picker, [ready_query(name) for name in ready_queries()])


def _locate_in_many_cells() -> None:
    level = _tiles(260)
    picker = Picker(build_layout(build_navmesh(level, Agent(radius=0.0)), cell=1.0), sight=Sight.from_level(level))
    _locate_by(picker, [ready_query("panic"), ready_query("watch")])


def _locate_by(picker: Picker, queries: list[Query]) -> None:
    points = {name: Place(_THERE, heading=0.0) for name in ("threats", "players", "target", "exits")}
    every = (Angle("threats", curve=Curve(inverse=1.0)), Height("threats", at_most=9.0), Distance("asker", at_most=9.0))
    for query in (*queries, Query(every)):
        picker.pick(query, _HERE, places=points, random=generator(0, "rehearsal"))


def _evaluate() -> None:
    """Measured predictors see pursuits, which have a kernel of their own."""
    evaluate_chase({"rooms": build_layout(build_navmesh(sample("rooms"), Agent(radius=0.0)))}, episodes=2)


def _simulate() -> None:
    """Guards see runners, hear them, chase and search; once by each model that has kernels of its own."""
    for name, hearing, search in _WORLDS:
        level = sample(name)
        spots = [spawn.xyz for spawn in level.spawns]
        agents = tuple(
            AgentSpec(f"{brain} {number}", brain, spots[number % len(spots)], vision=vision)
            for number, (brain, vision) in enumerate(_CAST)
        )
        script = (Incident(1.0, "fell", agent="guard 1"), Incident(1.5, "sound", spots[0], "bottle"))
        scenario = Scenario(name, agents, script, seconds=20.0, ends=(), hearing=hearing, search=search)
        world = make_world(setting_of(scenario, level=level))
        visible_area(world.sight, (*_HERE[:2], 1.6), 0.0, 2.0, 10.0)  # what pictures show
        neighbours(world.cells, 0)  # what pages ask of a cell
        runner = int(world.targets[0])
        for _ in range(_STEPS):
            step(world)
            if world.tick == _STEPS // 3:  # whatever they saw: from now on they search
                world.knowledge.touch(0, 0, world.bodies, world.time)
                guard, there = [int(world.watchers[0])], world.bodies.xyz[runner]
                world.hunt.perceive(
                    there, world.time, sure=True, agents=guard, places=world.bodies.xyz[guard], target=runner
                )


_CAST = (("guard", "zones"), ("guard", "coffin"), ("guard", "narrowing"), ("civilian", None), ("runner", None))
_WORLDS: tuple[tuple[str, Literal["path", "radius"], str], ...] = (
    ("house", "path", "both"),
    ("rooms", "path", "influence"),
    ("hall", "radius", "influence"),
)
_STEPS = 240


def _place_guards() -> None:
    level = sample("house")
    kinds = [replace(kind, passive=0.5) for kind in KINDS.values()]
    for together in (False, True):
        settings = PlacementSettings(together=together, candidates=1)
        place_guards(level, level.paths[0], len(kinds), kinds=kinds, settings=settings)


def _verify_guards() -> None:
    path = [(1.5, 1.5), (3.5, 5.5)]
    verify(sample("rooms"), [], path=path, settings=VerifySettings(solver="both", runs=2))


def _match_rules() -> None:
    rules = Rule("a", (Condition("health", "<", 0.5),))
    database = Database({"health": VariableSpec("health", "float")}, {"h": Handler("h", (rules,))})
    engine = Engine(compile_handler(database, "h"))
    engine.match_many(engine.encode_many([{"health": 0.2}]))


REHEARSALS: dict[str, Callable[[], None]] = {
    "tile maps": _bake_tiles,
    "floors": _bake_floors,
    "triangle meshes": _bake_triangles,
    "ready meshes": _bake_ready_faces,
    "questions on a mesh": _ask_mesh,
    "cuts": _cut,
    "questions on cells": _ask_cells,
    "questions on large layouts": _ask_many_cells,
    "the chase": _chase,
    "the chase in large layouts": _chase_in_many_cells,
    "locations": _locate,
    "locations in large layouts": _locate_in_many_cells,
    "pursuits": _evaluate,
    "placing guards": _place_guards,
    "verifying guards": _verify_guards,
    "rules": _match_rules,
    "a world of guards": _simulate,
    "crews": share_roles,
}
"""What `lastseen warmup` runs, by the words it shows meanwhile."""
