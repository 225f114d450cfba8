"""Models of runners: paths over the floor that no predictor can influence.

Runners that consider their pursuer flee from one that follows their own trail at the initial distance, so that all
predictors meet the same runner.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.random import Generator

from ....conventions import Array, Floats
from ....navmesh.navmesh import AnyMesh
from ....navmesh.query import find_paths, raycasts


class RunnerPaths:
    """One path per episode, extended at its end; `length` (n,) is in metres."""

    def __init__(self, starts_xyz: Floats):
        self._points = [[start] for start in np.asarray(starts_xyz, np.float64)]
        self.length = np.zeros(len(starts_xyz))

    def __len__(self) -> int:
        return len(self._points)

    def ends(self, rows: np.ndarray) -> Floats:
        """Return the ends of some paths, (k, 3)."""
        return np.array([self._points[row][-1] for row in rows.tolist()]).reshape(-1, 3)

    def headings(self, rows: np.ndarray) -> Floats:
        """Return the unit direction of the last leg of some paths, (k, 2); zeros without a leg."""
        found = np.zeros((len(rows), 2))
        for k, row in enumerate(rows.tolist()):
            if len(self._points[row]) > 1:
                leg = (self._points[row][-1] - self._points[row][-2])[:2]
                found[k] = leg / max(float(np.hypot(*leg)), 1e-12)
        return found

    def back(self, rows: np.ndarray, metres: Floats) -> Floats:
        """Return the place at a distance before the end of some paths, at most their start, (k, 3)."""
        return np.array([self._at(row, self.length[row] - m) for row, m in zip(rows.tolist(), metres.tolist())])

    def grow(self, row: int, points: Floats, most: float = np.inf) -> None:
        """Extend one path along points by at most `most` metres; repeated points are left out."""
        line = self._points[row]
        for point in points:
            leg = float(np.linalg.norm(point - line[-1]))
            if leg < 1e-6:
                continue
            if leg >= most:
                line.append(line[-1] + (point - line[-1]) * (most / leg))
                self.length[row] += most
                return
            line.append(point)
            self.length[row] += leg
            most -= leg

    def _at(self, row: int, metres: float) -> Floats:
        """Return a place on a path, found from its end, as it is usually close to it."""
        line, left = self._points[row], self.length[row] - max(metres, 0.0)
        for k in range(len(line) - 1, 0, -1):
            leg = float(np.linalg.norm(line[k] - line[k - 1]))
            if leg >= left:
                return line[k] + (line[k - 1] - line[k]) * (left / leg)
            left -= leg
        return line[0]

    def sample(self, metres: Floats, rows: np.ndarray | None = None) -> Floats:
        """Return places at `metres` (k, t) from the start of all or some paths, (k, t, 3), clamped to their ends."""
        found = np.empty((*metres.shape, 3))
        lines = self._points if rows is None else [self._points[row] for row in rows.tolist()]
        for row, line in enumerate(lines):
            points = np.array(line)
            along = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))])
            for axis in range(3):
                found[row, :, axis] = np.interp(metres[row], along, points[:, axis])
        return found


_RAYS = 16
_REACH = 15.0
_FROM_WALL = 0.3
_SHORTEST = 0.7
_MOST_LEGS = 400
_GOALS = 6

Grow = Callable[[AnyMesh, Floats, RunnerPaths, Array, Floats, Generator], None]


def run_on(
    model: str,
    mesh: AnyMesh,
    floor: Floats,
    runners: RunnerPaths,
    rows: Array,
    gap: Floats,
    metres: float,
    draw: Generator,
) -> None:
    """Extend the paths of some rows to at least `metres`."""
    for _ in range(_MOST_LEGS):
        short = rows[runners.length[rows] < metres]
        if len(short) == 0:
            break
        _MODELS[model](mesh, floor, runners, short, gap[short], draw)


def _to_a_goal(mesh: AnyMesh, floor: Floats, runners: RunnerPaths, rows: Array, _: Floats, draw: Generator) -> None:
    """Take the shortest path to a distant place, then to another."""
    here = runners.ends(rows)
    goals = _places(floor, here, draw.uniform(30.0, 100.0, len(rows)), draw)
    paths = find_paths(mesh, here, goals, on_floor=True)
    for k, row in enumerate(rows.tolist()):
        runners.grow(row, paths[k].points_xyz)


def _double_back(mesh: AnyMesh, floor: Floats, runners: RunnerPaths, rows: Array, gap: Floats, draw: Generator) -> None:
    """Run on for a while, then turn back by the path that keeps furthest from the pursuer."""
    count = len(rows)
    here, heading = runners.ends(rows), runners.headings(rows)
    pursuer = runners.back(rows, gap)
    goals = np.stack([_places(floor, here, draw.uniform(15.0, 50.0, count), draw) for _ in range(_GOALS)], axis=1)
    away = goals[:, :, :2] - here[:, None, :2]
    away /= np.maximum(np.linalg.norm(away, axis=2), 1e-9)[:, :, None]
    behind = -np.einsum("kij,kj->ki", away, heading)
    paths = find_paths(mesh, np.repeat(here, _GOALS, axis=0), goals.reshape(-1, 3), on_floor=True)
    most = draw.uniform(10.0, 30.0, count)
    for k, row in enumerate(rows.tolist()):
        clear = [_clearance(paths[k * _GOALS + n].points_xyz, pursuer[k]) for n in range(_GOALS)]
        score = np.minimum(np.array(clear), 6.0) / 3.0 + behind[k]
        runners.grow(row, paths[k * _GOALS + int(score.argmax())].points_xyz, float(most[k]))


def _clearance(points: Floats, pursuer: Floats) -> float:
    """Return the minimum distance in metres of the first 10 m of a path from the pursuer."""
    along = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))])
    metres = np.linspace(0.0, 10.0, 11)
    spots = np.column_stack([np.interp(metres, along, points[:, axis]) for axis in range(2)])
    return float(np.hypot(*(spots - pursuer[:2]).T).min())


def _wander(mesh: AnyMesh, _: Floats, runners: RunnerPaths, rows: Array, gap: Floats, draw: Generator) -> None:  # noqa: ARG001
    """Run mostly straight ahead, rarely with a sharp turn."""
    ends, room, turn = _rays(mesh, runners, rows, draw)
    worth = np.where(room > _SHORTEST, np.exp(3.0 * np.cos(turn)) * np.minimum(room, 8.0), 0.0)
    total = worth.sum(axis=1)
    chosen = (np.cumsum(worth, axis=1) < (draw.random(len(rows)) * total)[:, None]).sum(axis=1)
    share = draw.uniform(0.4, 1.0, len(rows))
    for k, row in enumerate(rows.tolist()):
        if total[k] > 0.0:
            n = int(chosen[k])
            runners.grow(row, ends[k, n : n + 1], float(min(share[k] * room[k, n], 10.0)))


def _break_sight(mesh: AnyMesh, _: Floats, runners: RunnerPaths, rows: Array, gap: Floats, draw: Generator) -> None:
    """Run to the nearest place hidden from the pursuer, preferably away from it."""
    ends, room, turn = _rays(mesh, runners, rows, draw)
    here, pursuer = runners.ends(rows), runners.back(rows, gap)
    share = np.where(room > _SHORTEST, draw.uniform(0.5, 1.0, room.shape), 0.0)
    length = np.maximum(np.linalg.norm(ends - here[:, None], axis=2), 1e-9)
    spots = here[:, None] + (ends - here[:, None]) * (share * room / length)[:, :, None]
    watched = raycasts(mesh, np.repeat(pursuer, _RAYS, axis=0), spots.reshape(-1, 3)).reached.reshape(room.shape)
    away = np.linalg.norm(spots - pursuer[:, None], axis=2) - np.linalg.norm(here - pursuer, axis=1)[:, None]
    score = 3.0 * ~watched + np.cos(turn) + np.clip(away, -8.0, 8.0) / 4.0 - share * room / 15.0
    score += draw.uniform(0.0, 1.0, score.shape)
    score[room <= _SHORTEST] = -np.inf
    best = score.argmax(axis=1)
    for k, row in enumerate(rows.tolist()):
        n = int(best[k])
        if room[k, n] > _SHORTEST:
            runners.grow(row, spots[k, n : n + 1])


def _rays(mesh: AnyMesh, runners: RunnerPaths, rows: Array, draw: Generator) -> tuple[Floats, Floats, Floats]:
    """Return the ends (k, rays, 3), lengths (k, rays) and turns (k, rays) of straight lines a runner could take."""
    return rays_from(mesh, runners.ends(rows), runners.headings(rows), draw, _REACH)


def rays_from(
    mesh: AnyMesh, here: Floats, heading: Floats, draw: Generator, reach: float
) -> tuple[Floats, Floats, Floats]:
    """Return the same for lines of at most `reach` metres from places (k, 3); a zero heading is drawn."""
    ahead = np.arctan2(heading[:, 1], heading[:, 0])
    new = ~heading.any(axis=1)
    ahead[new] = draw.uniform(-np.pi, np.pi, int(new.sum()))
    spread = np.linspace(-np.pi, np.pi, _RAYS, endpoint=False)
    turn = spread[None, :] + draw.uniform(-np.pi / _RAYS, np.pi / _RAYS, (len(here), _RAYS))
    angle = ahead[:, None] + turn
    offset = np.stack([np.cos(angle), np.sin(angle), np.zeros_like(angle)], axis=2) * reach
    starts = np.repeat(here, _RAYS, axis=0)
    hits = raycasts(mesh, starts, starts + offset.reshape(-1, 3))
    ends = hits.xyz.reshape(len(here), _RAYS, 3)
    room = np.linalg.norm(ends - here[:, None], axis=2) - _FROM_WALL
    return ends, room, turn


def _places(floor: Floats, here: Floats, wanted: Floats, draw: Generator) -> Floats:
    """Return a random place of the floor for each position, at about the wanted distance."""
    drawn = floor[draw.integers(0, len(floor), (len(here), 2 * _GOALS))]
    miss = np.abs(np.linalg.norm(drawn - here[:, None], axis=2) - wanted[:, None])
    return drawn[np.arange(len(here)), miss.argmin(axis=1)]


_MODELS: dict[str, Grow] = {
    "to a goal": _to_a_goal,
    "sight breaker": _break_sight,
    "momentum wanderer": _wander,
    "double-backer": _double_back,
}

MODELS = tuple(_MODELS)
"""Names of the models of runners."""
