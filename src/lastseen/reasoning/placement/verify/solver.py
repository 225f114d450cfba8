"""Search for unseen paths of a player: exactly over cells, or with random trees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
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
from ....navmesh.query import find_paths
from ....rng import generator
from ..detection import GuardViews, Sighting, guard_label
from ..guard_ground import xyz_text
from ..placement_settings import VerifySettings
from .sneak_ground import ANYWHERE, LinkGraph, SneakGround, place_arrays

MOST_STAYS = 4_000_000_000
"""Maximum of places times steps in an exact search."""
FEW_STAYS = 8_000_000
"""Places times steps times guards up to which a level is small: an exact search takes about five seconds."""
_PATIENCE = 1.0
"""Seconds between two attempts to leave a node for the goal."""
_TRIES = 10
_GUIDED = 3
"""One in so many trees is guided by known paths, the last of a run."""
_BESIDE = 0.3
"""Standard deviation in metres of guided samples from a known path."""
_LATER = 10.0
"""Mean number of steps that these are later."""
_STOP = 0.01
"""Metres: a shorter leg of a known path is a wait."""
_WAIT_FIRST = 0.625 - 1e-13
"""Mood of a sample that is reached as late as possible: see `grow_tree`."""
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
        here, there = ground.settled(start, "start"), ground.settled(goal, "goal")
        ground.together(here, there)
        if settings.seconds is None:
            settings = settings.limited(float(find_paths(ground.mesh, here[0][None], there[0][None]).length[0]))
        views = GuardViews(
            ground.sight,
            guards,
            seconds=settings.limit,
            step=settings.step,
            substeps=settings.substeps,
            seen_at=settings.seen_at,
            touch=2.0 * ground.radius if settings.contact else None,
        )
        return cls(ground, views, settings, here[0], there[0], here[1], there[1])

    def later(self, place: Floats, seconds: float, goal: Any, *, without: int = -1) -> Question | None:
        """Return the query from a place and a moment on, to any goal and without a guard, by its number.

        None if no time is left, or if the place is in view then.
        """
        left = self.settings.limit - seconds
        if left < self.settings.step:
            return None
        routes = [
            route.with_phase(route.phase + seconds)
            for number, route in enumerate(self.views.routes)
            if number != without
        ]
        rest = Question.make(self.ground, routes, place, goal, replace(self.settings, seconds=left))
        return None if rest.start_seen() else rest

    def start_seen(self) -> str:
        """Return a message naming the guard that sees the start at time 0, or "" if none does."""
        guard = int(self.views.seen(self.start[None], 0.0)[0])
        if guard < 0:
            return ""
        label, near = guard_label(self.views.routes, guard), float(self.views.arrays.reach[guard, 2])
        if np.linalg.norm(self.views.arrays.look[0, guard, :2] - self.start[:2]) <= near:
            return f"the start {xyz_text(self.start)} is within {near:g} m of {label} at time 0"
        return f"the start {xyz_text(self.start)} is in the view of {label} at time 0"


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
    """The result of one run of random trees: a path (n, 4), empty if there is none; the trees and samples it took; the
    earliest sighting among discarded branches, None: never seen; and whether its last tree was guided by known paths.
    """

    path: Floats
    trees: int
    samples: int
    caught: Sighting | None
    guided: bool = False

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


def reached_stays(question: Question) -> tuple[Floats, Floats]:
    """Return all unseen stays of an exact search whose goal is never reached, as `reach_places` does, and the places.

    The start stands in for the goal of the links; no path leads to the copy of it that the search looks for.
    """
    graph, here, _ = question.ground.joined(question.start, question.start)
    xyz = np.concatenate([graph.xyz, question.start[None]])
    stays, _ = _reached(question, LinkGraph(xyz, graph.begin, graph.end), here, len(xyz) - 1, ANYWHERE)
    return stays, xyz


def search_links(
    question: Question, graph: LinkGraph, here: int, there: int, leash: LeashArrays = ANYWHERE
) -> ExactAnswer:
    """Search all of some places × time, from one place to another."""
    stays, found = _reached(question, graph, here, there, leash)
    moment = question.settings.step / question.views.substeps
    reached = np.zeros(len(graph.xyz), np.bool_)
    reached[stays[:, 0].astype(np.int64)] = True
    path = path_of(stays, graph.xyz, moment) if found else np.zeros((0, 4))
    return ExactAnswer(read_only(path), float(path[-1, 3]) if found else float("inf"), read_only(reached))


def _reached(question: Question, graph: LinkGraph, here: int, there: int, leash: LeashArrays) -> tuple[Floats, bool]:
    """Return the stays of a search, and whether the last is at its goal."""
    ground, views, settings = question.ground, question.views, question.settings
    if len(graph.xyz) * views.steps > MOST_STAYS:
        raise InputError(
            f"an exact search over {len(graph.xyz):,} cells × {views.steps:,} steps is too large; use larger "
            "cells or steps, a shorter time, or the solver 'rrt'"
        )
    moment, ask = settings.step / views.substeps, _asked(question)
    stays, found = reach_places(
        ground.sight.arrays,
        views.arrays,
        ground.mesh.arrays,
        ask,
        place_arrays(ground, graph, settings.speed * moment, ask),
        leash,
        here,
        there,
    )
    return stays, bool(found)


def path_of(stays: Floats, xyz: Floats, moment: float) -> Floats:
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


def search_with_trees(question: Question, run: int, known: Sequence[Floats] = ()) -> TreeRun:
    """Search with random trees, one after another, until one finds the goal or all are used up.

    Each tree starts afresh, so none is trapped for long in its first samples. Run `run` under a seed always draws the
    same trees.

    Parameters
    ----------
    known : unseen paths (n, 4); the last third of the trees is guided by them.
    """
    settings, views, ground = question.settings, question.views, question.ground
    random = generator(settings.seed, f"space-time trees {run}")
    mesh = ground.mesh
    ask = _asked(question)
    tree = _room(4 * settings.nodes + 4)
    caught = np.empty((settings.nodes, 5))
    bends, sees = ground.bends_between(question.start, question.goal)
    guides = [guide for path in known if len((guide := _Guide.along(path, settings.step, sees)).rows)]
    alone = settings.trees - (max(1, settings.trees // _GUIDED) if guides else 0)
    first: Sighting | None = None
    for number in range(settings.trees):
        drawn = random.random((settings.nodes, 7))
        samples = np.column_stack([ground.scattered(drawn[:, :3], question.start_face), drawn[:, 3:6]])
        at_bends = np.flatnonzero(drawn[:, 5] < _BENDS)
        samples[:, 5] = -1.0
        samples[at_bends, 5] = np.floor(drawn[at_bends, 5] / _BENDS * len(bends))
        samples[at_bends, :3] = bends[samples[at_bends, 5].astype(np.int64)]
        _hurry(samples, drawn[:, 6], question)
        joined = sees
        if number >= alone:
            guide = guides[number % len(guides)]
            guide.lead(samples, int(ask.steps[1]), random)
            joined = guide.sees
        count, found, seen = grow_tree(
            ground.sight.arrays, views.arrays, mesh.arrays, ask, samples, joined, tree, caught
        )
        first = _earliest(views, caught[:seen], first)
        if found:
            branch = _branch(tree, int(count) - 1)
            if settings.smooth:
                shorter = _room(2 * len(branch.step))
                kept = shorten_way(ground.sight.arrays, views.arrays, mesh.arrays, ask, branch, shorter)
                branch = TreeArrays(*(column[:kept] for column in shorter))
            path = np.column_stack([branch.xyz, branch.step * settings.step])
            return TreeRun(read_only(path), number + 1, (number + 1) * settings.nodes, first, number >= alone)
    return TreeRun(read_only(np.zeros((0, 4))), settings.trees, settings.trees * settings.nodes, first)


def _hurry(samples: Floats, random: Floats, question: Question) -> None:
    """Change the times of half of the samples to soon after the player can be there.

    The other half is uniform over the time limit, most of which is late where the limit is long.
    """
    soon = random < 0.5
    far = np.linalg.norm(samples[soon, :3] - question.start, axis=1)
    # A path is longer than the straight line, and it may have to wait.
    seconds = far / question.settings.speed * (1.0 - np.log1p(-2.0 * random[soon])) + _PATIENCE
    samples[soon, 3] = np.minimum(seconds / question.views.seconds[-1], samples[soon, 3].clip(0.9))


@dataclass(frozen=True, eq=False)
class _Guide:
    """A known path as samples: `rows` (k, 4) of x, y, z and the time of arrival in steps; `sees` extends that of the
    bends so that each row is reached from the one before, the first from the start.
    """

    rows: Floats
    sees: Array
    bends: int

    @classmethod
    def along(cls, known: Floats, step: float, sees: Array) -> _Guide:
        # Waits follow from the times of the points after them.
        walked = np.linalg.norm(np.diff(known[:, :3], axis=0), axis=1) >= _STOP
        rows = known[1:][walked] / np.array([1.0, 1.0, 1.0, step])
        bends, size = len(sees), len(sees) + len(rows)
        joined = np.zeros((size, size), np.uint8)
        joined[:bends, :bends] = sees
        joined[np.arange(bends, size), np.r_[0, np.arange(bends, size - 1)][: len(rows)]] = 1
        return cls(rows, joined, bends)

    def lead(self, samples: Floats, last: int, random: np.random.Generator) -> None:
        """Replace every other sample by the points of the path in their order: exactly at first, then nearby."""
        places = np.arange(0, len(samples), 2)
        cycle, which = np.divmod(np.arange(len(places)), len(self.rows))
        guide, again = self.rows[which].copy(), cycle > 0
        guide[again, :2] += random.normal(0.0, _BESIDE, (int(again.sum()), 2))
        guide[again, 3] += random.exponential(_LATER, int(again.sum()))
        samples[places, :3] = guide[:, :3]
        # The kernel turns a share of the time into steps: 1 + share (last - 1).
        samples[places, 3] = ((guide[:, 3] - 1.0) / max(1, last - 1)).clip(-1.0, 1.0)
        samples[places, 4] = _WAIT_FIRST
        samples[places, 5] = np.where(again, -1.0, self.bends + which)


def _room(count: int) -> TreeArrays:
    return TreeArrays(np.empty((count, 3)), np.empty(count), np.empty(count, np.int64), np.empty(count, np.int32))


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
