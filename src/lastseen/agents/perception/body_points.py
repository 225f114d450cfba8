"""Points of bodies that rays go to, for each stance."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...checks import frozen
from ...conventions import Floats
from ...kernels.vision_rays import PointArrays
from ..bodies import STANCES, Stance

__all__ = ["BONES", "bone_points", "chest_and_head"]

BONES = ("head", "left shoulder", "right shoulder", "chest", "hips", "left knee", "right knee", "feet")
"""The eight parts of a body that are looked for one by one."""

# Radii ahead, radii to the left, share of the height of the head.
_UPRIGHT = (
    (0.0, 0.0, 0.95),
    (0.0, 0.8, 0.82),
    (0.0, -0.8, 0.82),
    (0.0, 0.0, 0.72),
    (0.0, 0.0, 0.52),
    (0.3, 0.5, 0.28),
    (0.3, -0.5, 0.28),
    (0.0, 0.0, 0.05),
)
_LYING = (
    (2.8, 0.0, 0.8),
    (2.0, 0.8, 0.7),
    (2.0, -0.8, 0.7),
    (1.4, 0.0, 0.8),
    (0.2, 0.0, 0.6),
    (-1.4, 0.4, 0.5),
    (-1.4, -0.4, 0.5),
    (-2.8, 0.0, 0.5),
)


def bone_points(needed: Sequence[int]) -> PointArrays:
    """Look for all eight parts; `needed` of them must be in sight, by stance."""
    return _table([_bones(stance) for stance in STANCES], needed, (0, 0, 0), (8, 8, 8))


def chest_and_head(last_by_alert: Sequence[int] = (1, 1, 1), first_by_alert: Sequence[int] = (0, 0, 0)) -> PointArrays:
    """Look for one point: point 0 is the middle of the chest, point 1 the top of the head."""
    rows = [np.array([(0.0, 0.0, stance.chest), (0.0, 0.0, stance.head)]) for stance in STANCES]
    return _table(rows, (1,) * len(STANCES), first_by_alert, last_by_alert)


def _bones(stance: Stance) -> Floats:
    points = np.array(_LYING if stance.name == "lying" else _UPRIGHT)
    points[:, 2] *= stance.head
    return points


def _table(rows: list[Floats], needed: Sequence[int], first: Sequence[int], last: Sequence[int]) -> PointArrays:
    return PointArrays(
        eye=frozen([stance.eye for stance in STANCES], np.float64),
        point=frozen(rows, np.float64),
        needed=frozen(needed, np.uint8),
        first=frozen(first, np.uint8),
        last=frozen(last, np.uint8),
    )
