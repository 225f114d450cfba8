"""Objects made for game loops have their kernels ready: 1,000 calls or steps neither compile nor load one."""

from __future__ import annotations

import ast
import os
import subprocess
import sys

import pytest

from guards import source_files
from lastseen.compilation import preparation
from lastseen.compilation.manifest import KernelEntry, Manifest, manifest
from lastseen.reasoning.chase.flood import chase

COUNTING = """
import numpy as np
from numba.core import event

import lastseen as ls
from lastseen.kernels.kernel_cache import KernelCache

met = []


class Compiled(event.Listener):
    def on_start(self, about):
        met.append("compile " + about.data["dispatcher"].py_func.__qualname__)

    def on_end(self, about):
        pass


load = KernelCache.load_overload


def counted(self, *given):
    met.append("load " + self._name)
    return load(self, *given)


KernelCache.load_overload = counted
event.register("numba:compile", Compiled())
draw = np.random.default_rng(7)
with ls.kernels_on_demand():  # baking is not part of a game's loop
    level = ls.Level.sample("warehouse")
    mesh = ls.NavMesh.from_level(level, ls.Body(radius=0.3))
    cells = ls.CellLayout.from_navmesh(mesh)
    spots = cells.arrays.cell_xyz[draw.integers(len(cells), size=(1000, 4))].astype(float)
    met.clear()


def run(call):
    assert met, "making it prepared nothing"
    met.clear()
    for number in range(1000):
        call(number, *spots[number])
    assert not met, f"1,000 calls met {met}"
    print("counted")


"""

OBJECTS = {
    "sight": """
sight = ls.Sight.from_level(level)
up = np.array([0.0, 0.0, 1.6])


def look(number, a, b, c, d):
    sight.set_door(number % len(sight.door_names), number % 2 == 0)
    ls.sees(sight, a + up, b + up)
    ls.level.sees_each(sight, [a + up, c + up], [b + up, d + up])
    ls.level.sees_any(sight, [a + up, c + up], [b + up, d + up])
    ls.level.first_hit(sight, a + up, [b + up, d + up])
    ls.level.visible_area(sight, c + up, number, 1.5, 8.0)


run(look)
""",
    "picker": """
with ls.kernels_on_demand():
    sight = ls.Sight.from_level(level)
picker = ls.Picker(cells, level=level, sight=sight)
ready = [ls.locations.shipped_query(name) for name in ls.locations.shipped_queries()]
more = ls.Query([
    ls.locations.Angle("threats", curve=ls.locations.Curve(inverse=1.0)),
    ls.locations.Height("threats", at_most=9.0),
    ls.locations.Seen("target", line="walking", at_most=0.5),
    ls.locations.Distance("asker", how="walking", at_most=6.0),
])
random = np.random.default_rng(1)


def pick(number, a, b, c, d):
    places = {name: ls.locations.Place(c, heading=number) for name in ("threats", "players", "target", "exits")}
    query = more if number % 9 == 0 else ready[number % len(ready)]
    near = np.flatnonzero(np.linalg.norm(cells.arrays.cell_xyz - a, axis=1) < 3.0)
    picker.pick(query, a, places=places, candidates=near if number % 3 else None, random=random)


run(pick)
""",
    "cuts": """
from collections import deque

live = ls.LiveLayout(cells)
cuts = deque()


def change(number, a, b, c, d):
    ls.find_path(live.mesh, b, c)
    ls.navmesh.raycast(live.mesh, b, d)
    ls.navmesh.reachable(live.mesh, c, d)
    ls.navmesh.face_at(live.mesh, b)
    ls.navmesh.nearest(live.mesh, b)
    ls.cells.nearest_cell(live, d)
    if number % 4:
        return
    x, y = a[:2] + draw.uniform(-0.4, 0.4, 2)
    wide = 0.2 + 0.1 * (number % 5)
    cuts.append(live.cut([(x, y), (x + wide, y), (x + wide, y + 0.7), (x, y + wide)], 0.0, 2.0))
    if len(cuts) > 5:
        live.lift(cuts.popleft())


run(change)
""",
    "chase": """
chase, belief = ls.Chase(cells), ls.Chase(cells, "belief")


def guess(number, a, b, c, d):
    heading = None if number % 5 == 0 else (b - a)[:2] + 0.01
    chase.predict(seen_at=a, heading=heading)
    if number % 4 == 0:
        guard = {"guard_at": c, "guard_view": ls.View() if number % 8 else None} if number % 3 else {}
        belief.predict(seen_at=a, heading=heading, **guard)


run(guess)
""",
    "senses": """
with ls.kernels_on_demand():
    sight = ls.Sight.from_level(level)
visions = [ls.senses.vision("zones"), ls.senses.CoffinVision(), ls.senses.NarrowingVision()]
one_area = ls.senses.AreaHearing(ls.senses.AreaGraph(()), lambda at: np.zeros(len(at), int))
hearings = [ls.senses.PathHearing(cells), ls.senses.RadiusHearing(), one_area]
memories = [ls.senses.VisionMemory(2, 2) for _ in visions]


def sense(number, a, b, c, d):
    people = ls.senses.bodies([a, b, c, d], [0.0, 1.0, 2.0, number])
    for vision, memory in zip(visions, memories):
        rays, clouds = ls.senses.RayBudget(20) if number % 2 else None, [(*a, 1.0)] if number % 5 == 0 else None
        vision.look(people, sight.arrays, [0, 1], [2, 3], memory, 0.1, alert=number % 3, rays=rays, clouds=clouds)
    for hearing in hearings:
        hearing.listen([ls.senses.sound("gunshot", c), ls.senses.sound("footstep", d)], people, [0, 1],
                       sight=sight.arrays if number % 2 else None)


run(sense)
""",
    "knowledge and search": """
with ls.kernels_on_demand():
    sight, eyes = ls.Sight.from_level(level), ls.senses.vision("zones")
    people, memory = ls.senses.bodies(spots[0], team=[0, 0, 1, 1]), ls.senses.VisionMemory(2, 2)
    met.clear()
known, search = ls.senses.Knowledge(people, [0, 1], [2, 3]), ls.SearchMap(cells, spots={"locker": spots[0, 0]})
with ls.kernels_on_demand():
    eyes.look(people, sight, [0, 1], [2, 3], memory, 0.1)
    ears = ls.senses.RadiusHearing()
    ears.listen([ls.senses.sound("footstep", spots[0, 0], made_by=2)], people, [0, 1])


def remember(number, a, b, c, d):
    people.xyz[:] = a, b, a + 0.5, d
    known.remember(eyes.look(people, sight, [0, 1], [2, 3], memory, 0.1), people, number)
    known.hear(ears.listen([ls.senses.sound("footstep", a, made_by=2)], people, [0, 1]), people, number)
    ls.senses.share(known, people, ls.senses.sharing("broadcast"))
    search.seed(c, reset=number % 50 == 0)
    search.advance(0.1)
    search.clean_view([a, b], [0.0, number])
    search.clean_cube([a, b])
    search.clean([0, 1])
    search.destinations([a, b], [c])
    if number % 100 == 0:
        search.use_spot("locker")
        search.clear()


run(remember)
""",
    "worlds": """
from lastseen.simulation.game_loop import step
from lastseen.simulation.scenario.reader import shipped_scenario

worlds = [ls.make_world(shipped_scenario(name)) for name in ("night_shift", "brawl", "cordon")]


def go(number, *_):
    while worlds[0].ending is not None:
        del worlds[0]
    step(worlds[0])


run(go)
""",
    "large worlds": """
from dataclasses import replace

from lastseen.level.level import TileFloor, Tiles
from lastseen.simulation.game_loop import step
from lastseen.simulation.scenario.reader import setting_of
from lastseen.simulation.scenario.scenario import AgentSpec, Incident, Scenario

walls = np.ones((290, 290), np.bool_)
walls[5:280:9, 3:280] = False
wide = replace(level, surface=Tiles((TileFloor(walls),)), doors=(), obstacles=(), cover=())
brains = ("guard", "zones"), ("guard", "coffin"), ("civilian", None), ("runner", None)
brains += ("ghost", None), ("deceiver", None)
agents = tuple(AgentSpec(f"{one} {n}", one, (2.5 + 3 * n, 2.5), vision=see) for n, (one, see) in enumerate(brains))
script = Incident("fell", 1.0, agent="guard 1"), Incident("sound", 9.0, place=(9.5, 2.5), kind="bottle")
setting = setting_of(Scenario("wide", agents, script, seconds=900.0, ends=(), crews=True), level=wide)
world = ls.make_world(setting)
assert len(world.cells) > 65_535


def go(number, *_):
    step(world)
    if number % 200 == 100:
        guard, there = [int(world.cast.watchers[0])], world.bodies.xyz[int(world.cast.targets[0])]
        world.hunt.perceive(there, world.time, sure=True, agents=guard, places=world.bodies.xyz[guard], target=3)


run(go)
""",
}


@pytest.mark.parametrize("name", OBJECTS)
def test_a_thousand_calls_neither_compile_nor_load_a_kernel(name):
    words = [sys.executable, "-c", COUNTING + OBJECTS[name]]
    done = subprocess.run(words, env=os.environ, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout == "counted\n"


def test_within_kernels_on_demand_nothing_is_prepared(monkeypatch):
    monkeypatch.setattr(preparation, "_done", set())
    with preparation.kernels_on_demand(), preparation.kernels_on_demand():
        preparation.prepare("rules")
    assert preparation._done == set()
    preparation.prepare("rules")
    assert [manifest().kernels[number].kernel for number in preparation._done] == ["rules.rule_match.first_rules"]


def test_a_kernel_edited_since_it_was_recorded_is_left_to_its_first_call(monkeypatch):
    stale = Manifest({"a": ""}, ["int64"], [KernelEntry("rules.rule_match.first_rules", [0], 1.0, [], ["a"])])
    monkeypatch.setattr(preparation, "_done", set())
    monkeypatch.setattr("lastseen.compilation.manifest.manifest", lambda: stale)
    preparation.prepare("a")
    assert preparation._done == {0}


def test_large_layouts_have_entries_of_their_own():
    given = Manifest(
        {"a": "", "large": ""},
        [],
        [
            KernelEntry("x.inner", [], 1.0),
            KernelEntry("x.both", [], 1.0, [0], ["a", "large"]),
            KernelEntry("x.ids", [], 1.0, [0], ["a"]),
            KernelEntry("x.ids", [], 1.0, [0], ["large"]),
            KernelEntry("x.small", [], 1.0, [0], ["a"]),
            KernelEntry("x.other", [], 1.0, [0], ["large"]),
        ],
    )
    assert given.entries_of(["a"], large=False) == [1, 2, 4]
    assert given.entries_of(["a"], large=True) == [1, 3, 4]
    assert given.entries_of(["x.ids", "x.both"], large=True) == [1, 3]
    assert given.entries_of(["x.inner", "x.nothing"], large=False) == []


def test_every_kernel_that_objects_name_is_in_the_manifest():
    called = {entry.kernel for entry in manifest().kernels if entry.purposes}
    modules = {kernel.rpartition(".")[0] for kernel in called}
    named = {
        node.value
        for path in source_files()
        if "prepare(" in (text := path.read_text(encoding="utf-8")) or path.stem in ("look", "hearing_case")
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.rpartition(".")[0] in modules
    }
    assert len(named) > 30
    assert named <= called


def test_games_have_every_kernel_that_the_chases_of_guards_call():
    called = {entry.kernel for entry in manifest().kernels if "game" in entry.purposes}
    assert set(chase._BELIEVE) <= called
