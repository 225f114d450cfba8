"""Small runs of everything the library does: `record_kernels` writes down which kernels they call."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Literal

import numpy as np

from lastseen.agents.bodies.bodies import bodies
from lastseen.agents.bodies.combat import AttackKind, clear_shot, friend_in_line
from lastseen.agents.knowledge.knowledge import SHARING, share
from lastseen.agents.rules.engine.compile import compile_handler
from lastseen.agents.rules.engine.engine import Engine
from lastseen.agents.rules.language.rule import Database, Handler, Rule, RuleCondition, VariableSpec
from lastseen.agents.senses.vision.look import look_at_points
from lastseen.agents.senses.vision.shapes import Sector
from lastseen.cells.build import build_layout
from lastseen.cells.layout import CellLayout
from lastseen.cells.live import LiveLayout
from lastseen.cells.meshed_layout import on_floor
from lastseen.cells.query import cell_at, cells_in_box, cells_within, nearest_cell, neighbours
from lastseen.kernels.arrays.agent_arrays import SIGHT
from lastseen.kernels.bodies.fire_lines import lines_near
from lastseen.kernels.spacetime.space_time_lines import off_lines
from lastseen.kernels.voxels.voxel_simplification import pin_farthest
from lastseen.layers.selection import best_cells, next_cell
from lastseen.layers.spread import Falloff, Spread
from lastseen.layers.stack import LayerStack
from lastseen.level.level import ConvexFaces, Level, TileFloor, Tiles
from lastseen.level.samples import sample
from lastseen.level.sight.query import first_hit, sees, sees_any, sees_each, visible_area
from lastseen.level.sight.sight import Sight
from lastseen.navmesh.body import Body
from lastseen.navmesh.build import build_navmesh
from lastseen.navmesh.navmesh import AnyMesh, NavMesh
from lastseen.navmesh.query import face_at, find_path, height_at, nearest, raycast, reachable
from lastseen.reasoning.chase.baselines import DeadReckoning, ParticleFilter
from lastseen.reasoning.chase.flood.chase import Chase
from lastseen.reasoning.chase.loss import Loss, View
from lastseen.reasoning.locations.criteria import Angle, Distance, Height
from lastseen.reasoning.locations.curve import Curve
from lastseen.reasoning.locations.picker import Picker
from lastseen.reasoning.locations.query import Query, shipped_queries, shipped_query
from lastseen.reasoning.locations.query_places import Place
from lastseen.reasoning.placement.guard_routes import KINDS
from lastseen.reasoning.placement.place.place import place_guards
from lastseen.reasoning.placement.placement_settings import PlacementSettings, VerifySettings
from lastseen.reasoning.placement.verify.similarity import hausdorff
from lastseen.reasoning.placement.verify.sneak_ground import leash_to
from lastseen.reasoning.placement.verify.verify import verify
from lastseen.reasoning.tactical.area import area_within
from lastseen.reasoning.tactical.cheapest_paths import CheapestPaths
from lastseen.reasoning.tactical.exits import cells_closing
from lastseen.reasoning.tactical.exposure import cells_seen, cover_against, cover_towards
from lastseen.reasoning.tactical.flank import Avenue, combat_line, flank_paths
from lastseen.rng import generator
from lastseen.simulation.experiments.chase.experiment import evaluate_chase
from lastseen.simulation.game_loop import step
from lastseen.simulation.scenario.reader import setting_of
from lastseen.simulation.scenario.scenario import AgentSpec, Incident, Scenario
from lastseen.simulation.world.puppet import PlayerInput
from lastseen.simulation.world.setup import make_world
from lastseen.simulation.world.world import World
from lastseen.views.studio.protocol.frames import FramePacker
from lastseen.views.studio.session.folder import Folder
from lastseen.views.studio.session.game import Game
from lastseen.views.studio.session.stage_opening import opened, request_for

__all__ = ["REHEARSALS"]

_HERE, _THERE, _NOWHERE = (3.0, 3.0, 0.0), (9.0, 3.0, 0.0), (99.0, 99.0, 0.0)


def _tiles(edge: int) -> Level:
    return Level(Tiles((TileFloor(np.ones((edge, edge), dtype=np.bool_)),)))


def _within_much_floor(name: str) -> Level:
    """Return a sample of tiles next to a floor so large that the ids of its cells are wide."""
    level = sample(name)
    assert isinstance(level.surface, Tiles)
    (floor,) = level.surface.floors
    passable = np.pad(floor.passable, ((0, 0), (0, 70_000 // len(floor.passable))), constant_values=True)
    return replace(level, surface=Tiles((replace(floor, passable=passable),)))


def _house() -> NavMesh:
    return build_navmesh(sample("house"))


def _bake_tiles() -> None:
    for name in ("warehouse", "hall"):
        build_layout(build_navmesh(sample(name), Body(radius=0.0)))


def _bake_floors() -> None:
    """Floors with stairs, and tiles around which a body of some width walks."""
    build_layout(_house())
    for radius in (0.0, 0.3):
        build_layout(build_navmesh(sample("rooms"), Body(radius=radius)))


def _bake_triangles() -> None:
    build_navmesh(sample("house"), builder="voxel")
    build_layout(_house(), height=0.1)  # levels so low that stairs climb several per cell, in a sparse grid
    corner, pinned = np.zeros(1, np.uint32), np.zeros(3, np.bool_)  # outlines that cross are rare
    pin_farthest(np.zeros((3, 2), np.int32), np.zeros(3), corner, corner, 1.0, 1.0, pinned)


def _bake_ready_faces() -> None:
    square = np.array([[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [2.0, 2.0, 0.0], [0.0, 2.0, 0.0]])
    faces = ConvexFaces(square, np.array([0, 4], dtype=np.int32), np.arange(4, dtype=np.int32))
    build_navmesh(Level(faces), Body(radius=0.0))


def _ask_mesh() -> None:
    _ask(_house())


def _ask(mesh: AnyMesh) -> None:
    face_at(mesh, _HERE)
    height_at(mesh, _HERE)
    nearest(mesh, _HERE)
    raycast(mesh, _HERE, _THERE)
    raycast(mesh, _HERE, _THERE, strict=True)
    find_path(mesh, _HERE, _THERE)
    find_path(mesh, _HERE, _NOWHERE)
    reachable(mesh, _HERE, _THERE)


def _see() -> None:
    sight = Sight.from_level(sample("house"))
    eye, point = (*_HERE[:2], 1.6), (*_THERE[:2], 1.6)
    sees(sight, eye, point)
    sees_each(sight, eye, point)
    sees_any(sight, eye, point)
    first_hit(sight, eye, point)
    visible_area(sight, eye, 0.0, 2.0, 10.0)
    look_at_points(bodies([_HERE]), sight.arrays, [0], [point], Sector(1.0, 10.0))


def _survey() -> None:
    """What can be seen from where, what covers, and what closes a place off."""
    layout, sight, eyes = build_layout(_house()), Sight.from_level(sample("house")), [(*_HERE[:2], 1.6)]
    cells_seen(layout, sight, eyes)
    cover_towards(layout, sight, [0], (1.0, 0.0))
    cover_against(layout, sight, [0], eyes)
    cells_closing(area_within(layout, _HERE, 1.0), area_within(layout, _HERE, 3.0))
    Avenue(path_xyz=[_HERE, _THERE], kind="corridor", narrow=1.0, wide=2.0).contains([_HERE])


def _cut() -> None:
    """A cut mesh has arrays of its own, which kernels are compiled for once more."""
    live = LiveLayout(build_layout(_house()))
    cut = live.cut([(6.0, 2.0), (7.0, 2.0), (7.0, 3.0), (6.0, 3.0)], 0.0, 2.0)
    live.cut([(6.4, 2.3), (7.6, 2.6), (6.9, 3.4)], 0.0, 2.0)  # two on one face
    _ask(live.mesh)
    nearest_cell(live, _HERE)
    Spread(live).distances([0])
    live.lift(cut)


def _ask_cells() -> None:
    _use_cells(build_layout(_house()))


def _ask_many_cells() -> None:
    """Ids of more than 65,535 cells are wider, and a thin tall layout is looked up in another table."""
    _use_cells(build_layout(build_navmesh(_tiles(260), Body(radius=0.0)), cell=1.0))


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
    layout = build_layout(build_navmesh(sample("warehouse"), Body(radius=0.0)))
    chase = Chase(layout)  # with the kernels that the usual case needs, and no others
    chase.predict(seen_at=(7.5, 8.5), heading=(1, 0))
    chase.predict(seen_at=(7.5, 8.5))


def _believe() -> None:
    for layout in (build_layout(build_navmesh(sample("rooms"), Body(radius=0.0))), build_layout(_house())):
        _predict(Chase(layout))
        _predict(Chase(LiveLayout(layout)))
    _believe_on(build_layout(_house()))
    _believe_on(build_layout(build_navmesh(sample("rooms"), Body(radius=0.0))))


def _believe_on(layout: CellLayout) -> None:
    for predictor in (
        Chase(layout, "belief"),
        Chase(layout, "corridors"),
        DeadReckoning(layout),
        ParticleFilter(layout, particles=4),
    ):
        _predict(predictor)


def _predict(predictor: Chase | DeadReckoning | ParticleFilter) -> None:
    """Predict with and without a guard, one loss and many; floods also step by step."""
    loss = Loss(_HERE, (1.0, 0.0), guard_at=_THERE, guard_view=View())
    for known in (loss, Loss(_HERE, (1.0, 0.0))):
        predictor.predict(known)
        predictor.predict_many([known])
        if isinstance(predictor, Chase):
            run = predictor.start(known)
            while not run.advance(4):
                pass
            run.result()


def _chase_in_many_cells() -> None:
    layout = build_layout(build_navmesh(_tiles(260), Body(radius=0.0)), cell=1.0)
    _predict(Chase(layout))
    _believe_on(layout)


def _bake_many_cells() -> None:
    build_layout(build_navmesh(_tiles(260)), cell=0.9)


def _locate() -> None:
    for level, agent in ((sample("house"), Body()), (sample("rooms"), Body(radius=0.0))):
        layout = build_layout(build_navmesh(level, agent))
        picker = Picker(LiveLayout(layout), level=level, sight=Sight.from_level(level))
        _locate_by(picker, [shipped_query(name) for name in shipped_queries()])


def _locate_in_many_cells() -> None:
    level = _tiles(260)
    picker = Picker(build_layout(build_navmesh(level, Body(radius=0.0)), cell=1.0), sight=Sight.from_level(level))
    _locate_by(picker, [shipped_query("panic"), shipped_query("watch")])


def _locate_by(picker: Picker, queries: list[Query]) -> None:
    points = {name: Place(_THERE, heading=0.0) for name in ("threats", "players", "target", "exits")}
    every = (Angle("threats", curve=Curve(inverse=1.0)), Height("threats", at_most=9.0), Distance("asker", at_most=9.0))
    for query in (*queries, Query(every)):
        picker.pick(query, _HERE, places=points, random=generator(0, "rehearsal"))


def _evaluate() -> None:
    """Measured predictors see pursuits, which have a kernel of their own."""
    evaluate_chase({"rooms": build_layout(build_navmesh(sample("rooms"), Body(radius=0.0)))}, episodes=2)


def _simulate() -> None:
    """Guards see runners, hear them, chase and search; once by each model that has kernels of its own."""
    _simulate_in([(sample(name), hearing, search) for name, hearing, search in _WORLDS])


def _simulate_in_many_cells() -> None:
    _simulate_in([(_within_much_floor(name), hearing, search) for name, hearing, search in _WORLDS if name != "house"])


def _simulate_in(worlds: list[tuple[Level, Literal["path", "radius"], str]]) -> None:
    for level, hearing, search in worlds:
        spots = [spawn.xyz for spawn in level.spawns]
        agents = tuple(
            AgentSpec(f"{brain} {number}", brain, spots[number % len(spots)], vision=vision)
            for number, (brain, vision) in enumerate(_CAST)
        )
        fell = Incident("fell", 1.0, agent="guard 1")
        script = (fell, Incident("sound", 1.5, place=spots[0], kind="bottle"))
        scenario = Scenario(level.name, agents, script, seconds=20.0, ends=(), hearing=hearing, search=search)
        world = make_world(setting_of(scenario, level=level))
        visible_area(world.sight, (*_HERE[:2], 1.6), 0.0, 2.0, 10.0)  # what pictures show
        neighbours(world.cells, 0)  # what pages ask of a cell
        Chase(world.cells)  # with the kernels for places that are not plain
        world.knowledge.touch(0, 0, world.bodies, world.time)
        share(world.knowledge, world.bodies, SHARING["broadcast"])  # what loops of one's own may do
        runner = int(world.cast.targets[0])
        for _ in range(_STEPS):
            step(world)
            if world.tick == _STEPS // 3:  # whatever they saw: from now on they search
                world.knowledge.touch(0, 0, world.bodies, world.time)
                guard, there = [int(world.cast.watchers[0])], world.bodies.xyz[runner]
                world.hunt.perceive(
                    there, world.time, sure=True, agents=guard, places=world.bodies.xyz[guard], target=runner
                )


_CAST = (("guard", "zones"), ("guard", "coffin"), ("guard", "narrowing"), ("civilian", None), ("runner", None))
_WORLDS: tuple[tuple[str, Literal["path", "radius"], str], ...] = (
    ("house", "path", "both"),
    ("rooms", "path", "gain"),
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
    house = sample("house")  # on stairs, the exact search measures links along the floor
    verify(house, [], path=house.paths[0], settings=VerifySettings(solver="both", runs=1))


def _compare_paths() -> None:
    path = np.array([_HERE, _THERE])
    hausdorff(path, path)
    off_lines(leash_to(path, 1.0, 2.0), path, np.empty(2))


def _match_rules() -> None:
    rules = Rule("a", (RuleCondition("health", "<", 0.5),))
    database = Database({"health": VariableSpec("health", "float")}, {"h": Handler("h", (rules,))})
    engine = Engine(compile_handler(database, "h"))
    engine.match_many(engine.encode_many([{"health": 0.2}]))


def _crews() -> None:
    _crews_in(sample("rooms"))


def _crews_in_many_cells() -> None:
    _crews_in(_within_much_floor("rooms"))


def _crews_in(level: Level) -> None:
    """Let three guards fight a target together, and then chase it."""
    arms: tuple[AttackKind, ...] = "melee", "melee", "ranged"
    guards = tuple(AgentSpec(f"guard {at}", at=(3.0 + at, 4.0), attack=kind) for at, kind in enumerate(arms))
    agents = (*guards, AgentSpec("you", "puppet", (9.0, 4.0)))
    world = make_world(setting_of(Scenario("rooms", agents, rules="none", crews=True, combat=True), level=level))
    assert world.teamwork.crews is not None
    know = world.knowledge.arrays
    know.xyz[:, 0], know.time[:, 0], know.source[:, 0] = world.bodies.xyz[3], 0.0, SIGHT
    for objective, priority, seen in (("fight", 1.0, 0), ("chase", 2.0, -1)):
        world.attention.seen = [seen] * 3
        for agent in range(3):
            world.teamwork.requests.post(agent, objective, 3, priority=priority, seconds=9.0, now=world.time)
        world.teamwork.crews.update(world)
        world.time += world.step
    _ask_of_fights(world)


def _ask_of_fights(world: World) -> None:
    """What trees of crews ask only where a target is far, out of reach, or lost and looked for."""
    guard, you = world.bodies.xyz[0].tolist(), world.bodies.xyz[3].tolist()
    clear_shot(world.sight.arrays, world.bodies, 0, 3)
    friend_in_line(world.bodies, 0, 3)
    feet = world.bodies.xyz
    lines_near(feet, you[0], you[1], feet, 0.5, np.empty((len(feet), len(feet)), np.bool_))
    reachable(world.cells.mesh, guard, you)
    find_path(world.cells.mesh, guard, _NOWHERE)
    flank_paths(CheapestPaths(world.cells), combat_line(you, [guard]), [guard])
    world.hunt.search.clean([0])
    world.hunt.search.dismiss(you)


def _first_steps() -> None:
    """What a player meets first: guards that patrol, see and move, and the page that draws them."""
    game = Game(opened(Folder("."), request_for("warehouse")))
    packer = FramePacker(game)
    for _ in range(30):
        game.advance(PlayerInput((1.0, 0.0), "walk", False, None))
    packer.frame(views=True, ways=True)


def _further_levels() -> None:
    for name in ("house", "rooms", "hall"):
        game = Game(opened(Folder("."), request_for(name)))
        for _ in range(30):
            game.advance(PlayerInput((1.0, 0.0), "run", True, None))
    live = LiveLayout(build_layout(_house()))  # A flood that ends on stairs puts its destination on the floor.
    on_floor(live, live.arrays.cell_xyz[:1].astype(float), np.zeros(1, np.int32), np.zeros(1, np.bool_))


_MANY = (
    _bake_many_cells,
    _ask_many_cells,
    _chase_in_many_cells,
    _locate_in_many_cells,
    _simulate_in_many_cells,
    _crews_in_many_cells,
)
REHEARSALS: dict[str, tuple[str, tuple[Callable[[], None], ...]]] = {
    "tiles": ("bake tile maps", (_bake_tiles,)),
    "play": ("the first steps of a game: patrol, see, move", (_first_steps,)),
    "chase": ("predict where a target ran, as the article does", (_chase,)),
    "game": ("the rest of a game: chase, search, crews", (_simulate, _crews, _further_levels)),
    "belief": ("other predictors, batches and floods in frames", (_believe,)),
    "floors": ("bake floors and walls", (_bake_floors,)),
    "triangles": ("bake triangle meshes", (_bake_triangles,)),
    "faces": ("bake ready navmeshes", (_bake_ready_faces,)),
    "queries": ("paths, rays, looks and cells; cuts at run time", (_ask_mesh, _see, _survey, _cut, _ask_cells)),
    "locate": ("pick places", (_locate,)),
    "evaluate": ("measure predictors", (_evaluate,)),
    "placement": ("place and verify guards", (_place_guards, _verify_guards, _compare_paths)),
    "rules": ("match rules", (_match_rules,)),
    "large": ("layouts of more than 65,535 cells", _MANY),
}
"""By purpose: what it is, and small runs that call every kernel it needs with the types it meets."""
