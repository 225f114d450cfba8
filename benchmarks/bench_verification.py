"""Verifying guards on the docks of the research group: random trees against the exact search, and their time."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np

from lastseen.level.level import Level
from lastseen.navmesh.query import find_paths
from lastseen.reasoning.placement.files.level_guards import patrol_placement
from lastseen.reasoning.placement.guard_routes import GuardKind, GuardRoute
from lastseen.reasoning.placement.placement_settings import VerifySettings
from lastseen.reasoning.placement.verify.sneak_ground import SneakGround
from lastseen.reasoning.placement.verify.solver import Question, search_exactly, search_with_trees
from lastseen.rng import generator

from .harness import Agreement, Comparison

DOCKS = Path(__file__).resolve().parents[2] / "shared" / "data" / "gram" / "Pedro_3D_visualizer.json"
GUARD = GuardKind(view_distance=4.0, view_angle=math.radians(66.0), speed=1.0, turn_speed=math.radians(90.0))
SETTINGS = VerifySettings(seconds=60.0, speed=2.0)
QUERIES = 20
CROWDS = (0, 4, 8)
"""Guards beside the level's own two."""
FARTHER = 10.0
RUNS = 6
"""Runs differ by two or three questions."""


def comparisons() -> Iterator[Comparison | Agreement | str]:
    if not DOCKS.is_file():
        yield "random trees on the docks: the research levels are not here"
        return
    yield Agreement(
        f"solvable questions on the docks that random trees solve, mean of {RUNS} runs",
        ours=lambda: (
            float(np.mean([_solved(question, run) for question in solvable() for run in range(RUNS)])) * len(solvable())
        ),
        peer=lambda: float(len(solvable())),
        within=0.05,
        peer_name="the exact search",
    )
    yield Comparison(
        "random trees on the docks, mean of solvable questions",
        ours=lambda number: [search_with_trees(question, number) for question in solvable()],
        peer=None,
        at_most=0.1,
        items=len(solvable()),
        rounds=5,
        parts=_slowest,
    )


def _solved(question: Question, run: int) -> bool:
    return search_with_trees(question, run).found


@cache
def solvable() -> tuple[Question, ...]:
    """Questions from somewhere nobody sees to somewhere far, that the exact search answers with a way."""
    level = Level.read(DOCKS)
    ground = SneakGround(level, radius=0.0, cell=0.4)
    own = patrol_placement(level, pivots=False, near=0.25).routes
    found: list[Question] = []
    for crowd in CROWDS:
        random = generator(crowd, "docks questions")
        asked = 0
        while asked < QUERIES:
            guards = [*own, *(_round(ground, random) for _ in range(crowd))]
            start, goal = ground.scattered(random.random((2, 3)), 0)
            question = Question.make(ground, guards, start, goal, SETTINGS)
            if np.linalg.norm(start - goal) < FARTHER or question.start_seen():
                continue
            asked += 1
            if search_exactly(question).found:
                found.append(question)
    return tuple(found)


def _round(ground: SneakGround, random: np.random.Generator) -> GuardRoute:
    """Return a round along the shortest ways between three places."""
    corners = ground.scattered(random.random((3, 3)), 0)
    legs = find_paths(ground.mesh, corners, np.roll(corners, -1, axis=0))
    points = np.concatenate([leg.points_xyz[:-1] for leg in legs])
    return GuardRoute(GUARD, points, phase=float(random.random() * 60.0))


def _slowest() -> dict[str, float]:
    """Return how long the slowest question takes."""
    spent = []
    for question in solvable():
        begun = time.perf_counter()
        search_with_trees(question, 1)
        spent.append(time.perf_counter() - begun)
    return {"slowest": max(spent)}
