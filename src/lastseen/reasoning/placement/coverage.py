"""What do guards see of a level, and how often?"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import shapely

from ...checks import shown, thing_of, whole_number
from ...conventions import Floats
from ...errors import InputError
from ...kernels.watch_share import watch_share
from .ground import GuardGround
from .routes import Coverage, GuardRoute

__all__ = ["Watch", "path_samples"]

SEEN_AT = 1.0
"""Metres above the floor at which somebody is looked for: the chest of one who crouches."""
_STEP = 0.5
"""Seconds between looks at a round."""
_MOST_LOOKS = 48
MOST_SAMPLES = 200_000


class Watch:
    """Even samples of a level's floor and of its intended path, to ask how often routes see them.

    Attributes
    ----------
    places : (n, 3) feet on the floor, one for each `area / n` square metres, all storeys.
    path : (m, 3) along the intended path.
    """

    def __init__(self, ground: GuardGround, *, samples: int = 600) -> None:
        self._ground = thing_of(ground, GuardGround, "ground", "make one with GuardGround(level, path)")
        samples = whole_number(samples, "samples", low=1)
        if samples > MOST_SAMPLES:
            raise InputError(f"samples is {shown(samples)}; give at most {MOST_SAMPLES}")
        spacing = math.sqrt(ground.area / samples)
        self.places = np.concatenate([_even(ground, number, spacing) for number in range(len(ground.storeys))])
        self.path = path_samples(ground.path, spacing / 2.0)
        up = np.array([0.0, 0.0, SEEN_AT])
        self._asked = np.ascontiguousarray(np.concatenate([self.places, self.path]) + up)

    def share(self, route: GuardRoute) -> Floats:
        """Return the share of its round, 0 … 1, in which a route sees each of `places` and then of `path`, (n + m,)."""
        looks = min(max(math.ceil(route.period / _STEP), 1), _MOST_LOOKS)
        poses = np.ascontiguousarray(route.pose_at(np.arange(looks) * (route.period / looks)))
        out, kind = np.empty(len(self._asked)), route.kind
        watch_share(
            self._ground.sight.arrays,
            poses,
            kind.eye_height,
            kind.view_angle,
            kind.view_distance,
            self._asked,
            out,
        )
        return np.minimum(out, 1.0)

    def coverage(self, routes: Sequence[GuardRoute]) -> Coverage:
        """Return what routes see together, their rounds taken as independent of one another."""
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
    """Return places along a path no more than `spacing` metres apart, its corners among them, (n, 3)."""
    pieces = [path[:1]]
    for begin, end in pairwise(path):
        count = max(1, math.ceil(float(np.linalg.norm(end - begin)) / spacing))
        pieces.append(begin + (end - begin) * (np.arange(1, count + 1) / count)[:, None])
    return np.concatenate(pieces)
