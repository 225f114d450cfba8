"""The solutions stored with the research levels: ours finds a path wherever theirs did.

A stored path is a position for each moment, so we can test whether and when guards see it.
"""

from __future__ import annotations

import json
from functools import cache

import numpy as np
import pytest

from lastseen.level.level import Level
from lastseen.reasoning.placement.detection import GuardViews
from lastseen.reasoning.placement.files.level_guards import patrol_placement
from lastseen.reasoning.placement.placement_settings import VerifySettings
from lastseen.reasoning.placement.verify.sneak_ground import SneakGround
from lastseen.reasoning.placement.verify.solver import Question, search_exactly, search_with_trees
from oracles.space_time import respects

pytestmark = pytest.mark.data

DOCKS, DESIGNED, CORRIDOR = "Pedro_3D_visualizer", "LevelDesigner1_3D_visualizer", "Smith1_controller"
AS_THERE = {"substeps": 1, "contact": False}
"""The tool looks once per step and knows only views."""


@cache
def ready(file) -> SneakGround:
    return SneakGround(Level.read(file), radius=0.0, cell=0.4)


def ground_of(data, name: str) -> SneakGround:
    return ready(data / "gram" / f"{name}.json")


def guards(ground: SneakGround, phase: float):
    """Return the level's guards as the tool moves them, this many seconds into their routes."""
    return [route.with_phase(phase) for route in patrol_placement(ground.level, pivots=False, near=0.25).routes]


def stored(ground: SneakGround) -> np.ndarray:
    path = ground.level.paths[0]
    return np.column_stack([path.points_xyz, path.seconds])


def unseen(ground: SneakGround, phase: float) -> bool:
    way = stored(ground)
    views = GuardViews(ground.sight, guards(ground, phase), seconds=way[-1, 3], substeps=1, touch=None)
    return views.first_seen(way) is None


def within_its_means(ground: SneakGround, phase: float) -> Question:
    """Return the ends of the stored path, its time and its top speed."""
    way = stored(ground)
    speed = float((np.linalg.norm(np.diff(way[:, :3], axis=0), axis=1) / np.diff(way[:, 3])).max())
    settings = VerifySettings(seconds=float(way[-1, 3]), speed=speed, trees=40, **AS_THERE)
    return Question.make(ground, guards(ground, phase), way[0, :3], way[-1, :3], settings)


def require_solved(question: Question) -> None:
    exact = search_exactly(question)
    assert exact.found
    assert respects(question, exact.path)
    runs = [search_with_trees(question, run) for run in range(5)]
    assert sum(run.found for run in runs) >= 4
    assert all(respects(question, run.path) for run in runs if run.found)


@pytest.mark.parametrize(("name", "phase"), [(DOCKS, 0.0), (DOCKS, 110.0), (DESIGNED, 76.0), (DESIGNED, 96.0)])
def test_where_the_stored_solution_is_unseen_ours_finds_a_way_too(data, name, phase):
    ground = ground_of(data, name)
    assert unseen(ground, phase)
    require_solved(within_its_means(ground, phase))


def test_the_designers_level_has_no_way_as_its_guard_is_stored_and_its_solution_is_of_another_moment(data):
    """Check that the guard comes towards the start; the path waits in an alcove for one that passes later."""
    ground = ground_of(data, DESIGNED)
    assert [phase for phase in range(125) if unseen(ground, phase)] == list(range(76, 97))
    way = stored(ground)
    patient = VerifySettings(seconds=200.0, speed=3.0, **AS_THERE)
    assert not search_exactly(Question.make(ground, guards(ground, 0.0), way[0, :3], way[-1, :3], patient)).found


def test_the_path_stored_with_the_corridor_is_of_another_level_and_ours_finds_a_way(data):
    names = (CORRIDOR, "COD4Shipment_Explorability")
    files = [json.loads((data / "gram" / f"{name}.json").read_text()) for name in names]
    assert files[0]["stored_path_cells_xyt"] == files[1]["stored_path_cells_xyt"]
    ground = ground_of(data, CORRIDOR)
    assert ground.level.paths == ()
    start = next(spawn.xyz for spawn in ground.level.spawns if spawn.who == "player")
    goal = next(marker.xyz for marker in ground.level.markers if marker.kind == "goal")
    settings = VerifySettings(seconds=60.0, speed=1.9, trees=40, **AS_THERE)
    require_solved(Question.make(ground, guards(ground, 0.0), start, goal, settings))
