"""Measure what guards see of a level, and how often."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import shapely

from ...checks import instance_of, shown, whole_number
from ...conventions import Floats
from ...errors import InputError
from ...kernels.spacetime.space_time_views import watch_share
from .guard_ground import GuardGround
from .guard_routes import Coverage, GuardKind, GuardRoute

SEEN_AT = 1.0
"""Metres above the floor at which guards look for a target: the chest of a crouching body."""
_STRIDE = 0.25
"""Maximum metres a guard walks between two looks."""
_SWEEP = 0.125
"""Maximum share of its view angle that a guard turns between two looks."""
MOST_SAMPLES = 200_000
_KEPT_BYTES = 32 << 20
"""Memory limit for the views from cached legs."""
_DIGITS = 9
"""Decimal places of metres and radians to which two legs count as equal."""


class Watch:
    """Even samples of a level's floor and of its intended path, for measuring how often routes see them.

    Attributes
    ----------
    places : (n, 3) feet on the floor of all storeys, one per `area / n` square metres.
    path : (m, 3) along the intended paths.
    """

    def __init__(self, ground: GuardGround, *, samples: int = 600) -> None:
        self._ground = instance_of(ground, GuardGround, "ground", "create one with GuardGround(level, path)")
        samples = whole_number(samples, "samples", low=1)
        if samples > MOST_SAMPLES:
            raise InputError(f"samples is {shown(samples)}; give at most {MOST_SAMPLES}")
        spacing = math.sqrt(ground.area / samples)
        self.places = np.concatenate([_even(ground, number, spacing) for number in range(len(ground.storeys))])
        self.path = np.concatenate([path_samples(path, spacing / 2.0) for path in ground.paths])
        up = np.array([0.0, 0.0, SEEN_AT])
        self._asked = np.ascontiguousarray(np.concatenate([self.places, self.path]) + up)
        self._seen: dict[bytes, Floats] = {}

    def share(self, route: GuardRoute) -> Floats:
        """Return the share of its period, 0 … 1, in which a route sees each of `places`, then of `path`, (n + m,)."""
        if route.period == 0.0:
            return np.minimum(self._seen_in(looks_of(route), route.kind), 1.0)
        out, view = np.zeros(len(self._asked)), np.array(_view_of(route.kind)).tobytes()
        for leg, share in _legs(route).items():
            out += share * self._seen_on(leg, view, route.kind)
        return np.minimum(out, 1.0)

    def _seen_on(self, leg: bytes, view: bytes, kind: GuardKind) -> Floats:
        """Return the share of a leg in which each sample is seen; many routes share legs."""
        found = self._seen.get(leg + view)
        if found is None:
            ends = np.frombuffer(leg).reshape(2, 4)
            found = self._seen_in(_looks(np.array([0.0, 1.0]), ends, kind), kind)
            if (len(self._seen) + 1) * found.nbytes > _KEPT_BYTES:
                self._seen.clear()
            if found.nbytes <= _KEPT_BYTES:
                self._seen[leg + view] = found
        return found

    def _seen_in(self, looks: Floats, kind: GuardKind) -> Floats:
        out = np.empty(len(self._asked))
        watch_share(self._ground.sight.arrays, looks, *_view_of(kind), self._asked, out)
        return out

    def coverage(self, routes: Sequence[GuardRoute]) -> Coverage:
        """Return what routes see together, with their periods taken as independent."""
        return self.of_shares(np.array([self.share(route) for route in routes]).reshape(-1, len(self._asked)))

    def of_shares(self, shares: Floats) -> Coverage:
        """Return the same for shares (routes, n + m)."""
        unseen = np.prod(1.0 - shares, axis=0)
        floor, path = unseen[: len(self.places)], unseen[len(self.places) :]
        return Coverage(
            ever=float((floor < 1.0).mean()),
            mean=float(1.0 - floor.mean()),
            path=float(1.0 - path.mean()),
            samples=len(self.places),
        )


def looks_of(route: GuardRoute) -> Floats:
    """Return the looks of one period, (t, 5): x, y, z, heading, and the share of the period each stands for.

    Between two looks a guard walks at most 0.25 m and turns by at most an eighth of its view angle, so that it sees
    whatever it passes or sweeps over, however long the route is.
    """
    seconds, poses = route.timeline
    if route.period == 0.0:
        return np.array([[*poses[0], 1.0]])
    return _looks(seconds, poses, route.kind)


def _looks(seconds: Floats, poses: Floats, kind: GuardKind) -> Floats:
    """Return looks between poses (k, 4) at moments (k,)."""
    gone = np.linalg.norm(np.diff(poses[:, :3], axis=0), axis=1) / _STRIDE
    turned = np.abs(np.diff(poses[:, 3])) / (_SWEEP * kind.view_angle)
    count = np.maximum(np.ceil(np.maximum(gone, turned) - 1e-9), 1.0).astype(np.int64)
    leg = np.repeat(np.arange(len(count)), count + 1)
    nth = np.arange(len(leg)) - np.repeat(np.cumsum(count + 1) - count - 1, count + 1)
    share = (nth / count[leg])[:, None]
    # Both ends of a leg are sampled: they are its extremes.
    halves = np.where((nth == 0) | (nth == count[leg]), 1.0, 2.0)
    weight = halves * np.diff(seconds)[leg] / (2.0 * count[leg] * seconds[-1])
    looks = np.column_stack([poses[leg] * (1.0 - share) + poses[leg + 1] * share, weight])
    return np.ascontiguousarray(looks[weight > 0.0])


def _legs(route: GuardRoute) -> dict[bytes, float]:
    """Return the legs and turns of a route, each as its first and last pose, with the share of the period it takes.

    Poses are rounded and headings taken modulo a full turn, so that a leg shared by two routes is identical to the bit.
    """
    seconds, poses = route.timeline
    begin, change = poses[:-1].copy(), np.round(np.diff(poses, axis=0), _DIGITS)
    begin[:, 3] %= 2.0 * math.pi
    begin = np.round(begin, _DIGITS) + 0.0
    ends = np.ascontiguousarray(np.hstack([begin, begin + change]))
    found: dict[bytes, float] = {}
    for leg, share in zip(
        ends.view(f"V{8 * ends.itemsize}")[:, 0].tolist(), (np.diff(seconds) / route.period).tolist()
    ):
        if share > 0.0:
            found[leg] = found.get(leg, 0.0) + share
    return found


def _view_of(kind: GuardKind) -> tuple[float, float, float]:
    return kind.eye_height, kind.view_angle, kind.view_distance


def _even(ground: GuardGround, number: int, spacing: float) -> Floats:
    """Return a square grid of places on one storey."""
    plan = ground.storeys[number]
    left, low, right, high = plan.shape.bounds
    x = np.arange(left + spacing / 2.0, right, spacing)
    y = np.arange(low + spacing / 2.0, high, spacing)
    grid = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
    inside = grid[shapely.contains_xy(plan.shape, grid)]
    if len(inside) == 0:
        inside = shapely.get_coordinates(shapely.point_on_surface(plan.shape))
    return ground.lifted(inside, plan.storey)


def path_samples(path: Floats, spacing: float) -> Floats:
    """Return places along a path at most `spacing` metres apart, including its corners, (n, 3)."""
    pieces = [path[:1]]
    for begin, end in pairwise(path):
        count = max(1, math.ceil(float(np.linalg.norm(end - begin)) / spacing))
        pieces.append(begin + (end - begin) * (np.arange(1, count + 1) / count)[:, None])
    return np.concatenate(pieces)
