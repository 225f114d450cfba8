"""Shapes of vision in the frame of the head: x ahead, y counter-clockwise of it."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ....checks import finite_number, frozen, real_array, shown
from ....conventions import Floats
from ....errors import InputError
from ....kernels.senses.vision_shapes import NARROWING, OUTLINE, SECTOR, ShapeArrays


@dataclass(frozen=True)
class Sector:
    """A circular sector: `half_angle` 0 … π radians to either side, from `near` to `far` metres."""

    half_angle: float
    far: float
    near: float = 0.0

    def __post_init__(self) -> None:
        finite_number(self.half_angle, "half_angle", unit="rad", low=0.0, high=math.pi + 1e-9)
        finite_number(self.far, "far", unit="m", low=0.0, high=1e6, open_low=True)
        finite_number(self.near, "near", unit="m", low=0.0, high=self.far)

    def half_width(self, ahead: float) -> float:
        """Return half the width this many metres ahead."""
        if not 0.0 <= ahead <= self.far:
            return 0.0
        rim = math.sqrt(max(self.far**2 - ahead**2, 0.0))
        return rim if self.half_angle >= math.pi / 2 else min(rim, ahead * math.tan(self.half_angle))


@dataclass(frozen=True)
class Outline:
    """A shape given by its width: `knots` are pairs (metres ahead, half the width there), interpolated linearly."""

    knots: tuple[tuple[float, float], ...]

    def __post_init__(self) -> None:
        given = real_array(self.knots, "knots", "pairs (metres ahead, half the width)")
        if given.ndim != 2 or given.shape[1] != 2:
            raise InputError(f"knots are {shown(self.knots)}; give pairs (metres ahead, half the width)")
        knots = tuple((float(ahead), float(width)) for ahead, width in given)
        object.__setattr__(self, "knots", knots)
        for ahead, width in knots:
            finite_number(ahead, "metres ahead of a knot", unit="m", low=0.0, high=1e6)
            finite_number(width, "half width at a knot", unit="m", low=0.0, high=1e6)
        if len(knots) < 2 or any(one[0] > other[0] for one, other in itertools.pairwise(knots)):
            raise InputError(f"knots are {shown(self.knots)}; give at least two, each further ahead than the last")

    @classmethod
    def coffin(cls, start: float, shoulder_at: float, shoulder: float, end_at: float, end: float) -> Outline:
        """Return a shape that widens from half width `start` to `shoulder` at `shoulder_at` metres, then narrows."""
        return cls(((0.0, start), (shoulder_at, shoulder), (end_at, end)))

    @classmethod
    def box(cls, width: float, length: float) -> Outline:
        """Return a rectangle: `width` metres in all, `length` metres ahead."""
        return cls(((0.0, width / 2.0), (length, width / 2.0)))

    @property
    def far(self) -> float:
        """Distance in metres from the head to the furthest corner."""
        return max(math.hypot(*knot) for knot in self.knots)

    def half_width(self, ahead: float) -> float:
        """Return half the width this many metres ahead."""
        if not self.knots[0][0] <= ahead <= self.knots[-1][0]:
            return 0.0
        knots = np.array(self.knots)
        return float(np.interp(ahead, knots[:, 0], knots[:, 1]))


@dataclass(frozen=True)
class Narrowing:
    """A view whose half angle is `constant / distance` radians, limited to `least` … `most`, up to `far` metres."""

    constant: float = 1.75
    least: float = math.radians(10.0)
    most: float = math.radians(100.0)
    far: float = 30.0

    def __post_init__(self) -> None:
        finite_number(self.constant, "constant", unit="m rad", low=0.0, high=1e6, open_low=True)
        finite_number(self.most, "most", unit="rad", low=0.0, high=math.pi + 1e-9)
        finite_number(self.least, "least", unit="rad", low=0.0, high=self.most)
        finite_number(self.far, "far", unit="m", low=0.0, high=1e6, open_low=True)

    def half_angle(self, metres: float) -> float:
        """Return half the angle of view at this distance, in radians."""
        return min(max(self.constant / max(metres, 1e-12), self.least), self.most)


Shape = Sector | Outline | Narrowing


def shape_of(value: Any) -> Shape:
    """Return a shape, or raise an error that lists the types."""
    if not isinstance(value, Sector | Outline | Narrowing):
        raise InputError(f"shape is {shown(value)}; give a Sector, Outline or Narrowing")
    return value


def pack(shapes: Sequence[Shape]) -> ShapeArrays:
    """Return the arrays of shapes for kernels, best shape first."""
    if not shapes or not all(isinstance(shape, Sector | Outline | Narrowing) for shape in shapes):
        raise InputError(f"shapes are {shown(shapes)}; give at least one Sector, Outline or Narrowing")
    count = len(shapes)
    longest = max([len(shape.knots) for shape in shapes if isinstance(shape, Outline)], default=2)
    kind, near, angle = np.zeros(count, np.uint8), np.zeros(count), np.zeros((count, 3))
    knot: Floats = np.zeros((count, longest, 2))
    for number, shape in enumerate(shapes):
        if isinstance(shape, Sector):
            kind[number], near[number] = SECTOR, shape.near
            angle[number, 0] = math.cos(shape.half_angle)
        elif isinstance(shape, Outline):
            kind[number] = OUTLINE
            knot[number] = shape.knots[-1]
            knot[number, : len(shape.knots)] = shape.knots
        else:
            kind[number] = NARROWING
            angle[number] = shape.constant, shape.least, shape.most
    return ShapeArrays(*map(frozen, (kind, near, np.array([shape.far for shape in shapes]), angle, knot)))
