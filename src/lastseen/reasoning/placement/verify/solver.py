"""Search for unseen paths of a player: exactly over cells, or with random trees."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ....checks import read_only
from ....conventions import Array, Floats
from ....errors import InputError
from ....kernels.spacetime.space_time_floor import AskArrays
from ....kernels.spacetime.space_time_lines import LeashArrays
from ....kernels.spacetime.space_time_nodes import TreeArrays, shorten_way
from ....kernels.spacetime.space_time_reach import reach_places
from ....kernels.spacetime.space_time_tree import grow_tree
from ....rng import generator
from ..detection import GuardViews, Sighting, guard_label
from ..guard_ground import xyz_text
from ..placement_settings import VerifySettings
from .sneak_ground import ANYWHERE, LinkGraph, SneakGround, place_arrays

MOST_STAYS = 4_000_000_000
"""Maximum of places times moments in an exact search: the views it may have to evaluate."""
_PATIENCE = 1.0
"""Seconds between two attempts to leave a node for the goal."""
_TRIES = 10
_BENDS = 0.25
"""Share of samples at bends of shortest paths: doors and stairs are too narrow to hit at random."""


@dataclass(frozen=True, eq=False)
class Question:
    """A checked query: start and goal, floor, views and settings."""

    ground: SneakGround
    views: GuardViews
    settings: VerifySettings
    start: Floats
    goal: Floats
    start_face: int
    goal_face: int

    @classmethod
    def ask(cls, ground: SneakGround, guards: Any, start: Any, goal: Any, settings: VerifySettings) -> Question:
        """Create a query; raise InputError if its ends are off the floor or not connected, or its start is in view."""
        question = cls.make(ground, guards, start, goal, settings)
        if seen := question.start_seen():
            raise InputError(f"{seen}; start elsewhere, or give the guard another phase or heading")
        return question

    @classmethod
    def make(cls, ground: SneakGround, guards: Any, start: Any, goal: Any, settings: VerifySettings) -> Question:
        """Create a query, checking everything except whether the start is in view."""
        views = GuardViews(
            ground.sight,
            guards,
            seconds=settings.seconds,
            step=settings.step,
            substeps=settings.substeps,
            seen_at=settings.seen_at,
        )
        here, there = ground.settled(start, "start"), ground.settled(goal, "goal")
        ground.together(here, there)
        return cls(ground, views, settings, here[0], there[0], here[1], there[1])

    def start_seen(self) -> str:
        """Return a message naming the guard that sees the start at time 0, or "" if none does."""
        guard = int(self.views.seen(self.start[None], 0.0)[0])
        if guard < 0:
            return ""
        return f"the start {xyz_text(self.start)} is in the view of {guard_label(self.views.routes, guard)} at time 0"


@dataclass(frozen=True, eq=False)
class ExactAnswer:
    """The result of an exact search.

    Attributes
    ----------
    path : (n, 4) x, y, z, seconds: a path with the earliest arrival; empty if there is none.
    seconds : when it arrives; infinite if there is none.
    reached : (n,) bool: places that can be reached unseen by then.
    """

    path: Floats
    seconds: float
    reached: Array

    @property
    def found(self) -> bool:
        """Whether there is a path."""
        return len(self.path) > 0


@dataclass(frozen=True, eq=False)
class TreeRun:
    """The result of one run of random trees: a path (n, 4), empty if there is none; the trees and samples it took; and
    the earliest sighting among discarded branches, None: never seen.
    """

    path: Floats
    trees: int
    samples: int
    caught: Sighting | None

    @property
    def found(self) -> bool:
        """Whether there is a path."""
        return len(self.path) > 0


def search_exactly(question: Question) -> ExactAnswer:
    """Search all of cells × time: wait, or continue at top speed, never in view.

    Time is continuous: an arrival need not coincide with a look. The search is complete up to the choice of places: a
    player waits and bends only in the middle of cells and at the bends of the shortest path, and walks straight between
    any two of them where `reach_places` finds that possible. Without guards the result is the shortest path.
    """
    graph, here, there = question.ground.joined(question.start, question.goal)
    return search_links(question, graph, here, there)


def search_links(
    question: Question, graph: LinkGraph, here: int, there: int, leash: LeashArrays = ANYWHERE
) -> ExactAnswer:
    """Search all of some places × time, from one place to another."""
    ground, views, settings = question.ground, question.views, question.settings
    if len(graph.xyz) * len(views.seconds) > MOST_STAYS:
        raise InputError(
            f"an exact search over {len(graph.xyz):,} cells × {len(views.seconds):,} moments is too large; use larger "
            "cells or steps, a shorter time, or the solver 'rrt'"
        )
    moment = settings.step / views.substeps
    stays, found = reach_places(
        ground.sight.arrays,
        views.arrays,
        ground.mesh.arrays,
        _asked(question),
        place_arrays(ground, graph, settings.speed * moment, settings.seen_at),
        leash,
        here,
        there,
    )
    reached = np.zeros(len(graph.xyz), np.bool_)
    reached[stays[:, 0].astype(np.int64)] = True
    path = _path_of(stays, graph.xyz, moment) if found else np.zeros((0, 4))
    return ExactAnswer(read_only(path), float(path[-1, 3]) if found else float("inf"), read_only(reached))


def _path_of(stays: Floats, xyz: Floats, moment: float) -> Floats:
    """Return the path to the last of some stays, (n, 4): arrivals, and departures if later."""
    rows: list[list[float]] = []
    stay, leaves = len(stays) - 1, -1.0
    while stay >= 0:
        place, since, before, left = stays[stay].tolist()
        x, y, z = xyz[int(place)].tolist()
        if leaves > since + 1e-9:
            rows.append([x, y, z, leaves * moment])
        rows.append([x, y, z, since * moment])
        stay, leaves = int(before), left
    return _without_idle(np.array(rows[::-1]))


def _asked(question: Question) -> AskArrays:
    """Return the query as kernels take it."""
    settings, agent = question.settings, question.ground.mesh.body
    return AskArrays(
        np.stack([question.start, question.goal]),
        np.array([question.start_face, question.goal_face], np.int32),
        np.array([settings.speed * settings.step, settings.seen_at, agent.height, agent.climb]),
        np.array(
            [question.views.substeps, question.views.steps, _TRIES, max(1, round(_PATIENCE / settings.step))], np.int64
        ),
        question.ground.flat,
    )


def search_with_trees(question: Question, run: int) -> TreeRun:
    """Search with random trees, one after another, until one finds the goal or all are used up.

    Each tree starts afresh, so none is trapped for long in its first samples. Run `run` under a seed always draws the
    same trees.
    """
    settings, views, ground = question.settings, question.views, question.ground
    random = generator(settings.seed, f"space-time trees {run}")
    mesh = ground.mesh
    ask = _asked(question)
    tree = _room(4 * settings.nodes + 4)
    caught = np.empty((settings.nodes, 5))
    bends, sees = ground.bends_between(question.start, question.goal)
    first: Sighting | None = None
    for number in range(settings.trees):
        drawn = random.random((settings.nodes, 6))
        samples = np.column_stack([ground.scattered(drawn[:, :3], question.start_face), drawn[:, 3:]])
        at_bends = np.flatnonzero(drawn[:, 5] < _BENDS)
        samples[:, 5] = -1.0
        samples[at_bends, 5] = np.floor(drawn[at_bends, 5] / _BENDS * len(bends))
        samples[at_bends, :3] = bends[samples[at_bends, 5].astype(np.int64)]
        count, found, seen = grow_tree(ground.sight.arrays, views.arrays, mesh.arrays, ask, samples, sees, tree, caught)
        first = _earliest(views, caught[:seen], first)
        if found:
            branch = _branch(tree, int(count) - 1)
            if settings.smooth:
                shorter = _room(2 * len(branch.step))
                kept = shorten_way(ground.sight.arrays, views.arrays, mesh.arrays, ask, branch, shorter)
                branch = TreeArrays(*(column[:kept] for column in shorter))
            path = np.column_stack([branch.xyz, branch.step * settings.step])
            return TreeRun(read_only(path), number + 1, (number + 1) * settings.nodes, first)
    return TreeRun(read_only(np.zeros((0, 4))), settings.trees, settings.trees * settings.nodes, first)


def _room(count: int) -> TreeArrays:
    return TreeArrays(
        np.empty((count, 3)), np.empty(count, np.int64), np.empty(count, np.int64), np.empty(count, np.int32)
    )


def _branch(tree: TreeArrays, node: int) -> TreeArrays:
    """Return the nodes from the root to a node."""
    rows = []
    while node >= 0:
        rows.append(node)
        node = int(tree.parent[node])
    return TreeArrays(*(np.ascontiguousarray(column[rows[::-1]]) for column in tree))


def _earliest(views: GuardViews, caught: Floats, first: Sighting | None) -> Sighting | None:
    if not len(caught):
        return first
    row = caught[int(caught[:, 0].argmin())].tolist()
    seconds = float(views.seconds[int(row[0])])
    if first is not None and first.seconds <= seconds:
        return first
    return Sighting(seconds, (row[1], row[2], row[3]), int(row[4]))


def _without_idle(path: Floats) -> Floats:
    """Drop the points inside a wait, and those on a straight segment of constant speed."""
    velocity = np.diff(path[:, :3], axis=0) / np.diff(path[:, 3])[:, None] if len(path) > 1 else np.zeros((0, 3))
    same = np.abs(np.diff(velocity, axis=0)).max(axis=1, initial=0.0) < 1e-9
    return path[np.r_[True, ~same, True]] if len(path) > 1 else path
