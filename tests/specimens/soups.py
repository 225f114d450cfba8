"""Triangle soups made of boxes, ramps and stairs, z up, for tests of the voxel builder."""

from __future__ import annotations

import numpy as np

from lastseen.level.level import TriangleSoup


def join(*soups: TriangleSoup) -> TriangleSoup:
    offsets = np.cumsum([0, *(len(soup.vertices_xyz) for soup in soups)])
    return TriangleSoup(
        np.concatenate([soup.vertices_xyz for soup in soups]),
        np.concatenate([soup.triangles + offset for soup, offset in zip(soups, offsets)]),
    )


def quad(*corners: tuple[float, float, float]) -> TriangleSoup:
    """Return two triangles; corners counter-clockwise seen from where they face."""
    return TriangleSoup(np.array(corners, dtype=float), np.array([[0, 1, 2], [0, 2, 3]]))


def plate(x0: float, y0: float, x1: float, y1: float, z: float = 0.0) -> TriangleSoup:
    return quad((x0, y0, z), (x1, y0, z), (x1, y1, z), (x0, y1, z))


def box(x0: float, y0: float, z0: float, x1: float, y1: float, z1: float) -> TriangleSoup:
    a, b, c, d = (x0, y0, z0), (x1, y0, z0), (x1, y1, z0), (x0, y1, z0)
    e, f, g, h = (x0, y0, z1), (x1, y0, z1), (x1, y1, z1), (x0, y1, z1)
    return join(
        quad(e, f, g, h), quad(d, c, b, a), quad(a, b, f, e), quad(b, c, g, f), quad(c, d, h, g), quad(d, a, e, h)
    )


def ramp(x0: float, y0: float, x1: float, y1: float, z0: float, z1: float) -> TriangleSoup:
    """Return a plane that rises from z0 at x0 to z1 at x1."""
    return quad((x0, y0, z0), (x1, y0, z1), (x1, y1, z1), (x0, y1, z0))


def stairs(x0: float, y0: float, width: float, z0: float, steps: int, rise: float, tread: float) -> TriangleSoup:
    """Return solid steps that climb along x."""
    return join(
        *(
            box(x0 + k * tread, y0, z0 - 0.2, x0 + (k + 1) * tread, y0 + width, z0 + (k + 1) * rise)
            for k in range(steps)
        )
    )


def room(x0: float, y0: float, x1: float, y1: float, height: float = 3.0, wall: float = 0.3) -> TriangleSoup:
    """Return a floor at z = 0 with walls round it, no ceiling."""
    return join(
        plate(x0 - wall, y0 - wall, x1 + wall, y1 + wall),
        box(x0 - wall, y0 - wall, 0.0, x0, y1 + wall, height),
        box(x1, y0 - wall, 0.0, x1 + wall, y1 + wall, height),
        box(x0, y0 - wall, 0.0, x1, y0, height),
        box(x0, y1, 0.0, x1, y1 + wall, height),
    )
