"""The ground of a picture: light floors, dark walls, slopes with contour lines and arrows that point up."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

import numpy as np

from ....conventions import Array, Bools, Floats
from ....level.level import ConvexFaces, Floor, Floors, Level, TileFloor, Tiles, TriangleSoup
from ....navmesh.navmesh import NavMesh
from .canvas import Canvas
from .palette import HEIGHT_LINE, PAGE, QUIET_INK, SHADOW, WALKABLE, WALL, Colour
from .storeys import Storeys

_INTERVALS = (0.25, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0)
_GENTLE = 0.08
_LEAST_SPACING = 4.0


def is_sloping(polygon: Floor) -> bool:
    """Return whether a polygon slopes."""
    return bool(np.ptp(polygon.outline_xyz[:, 2]) > 0.05)


def draw_height_lines(canvas: Canvas, planes: Floats, numbers: Array) -> None:
    """Draw contour lines.

    Parameters
    ----------
    planes : (F, 3) float64, z = a x + b y + c.
    numbers : (rows, columns) int32, the plane at each pixel, -1 for none.
    """
    slope = np.hypot(planes[:, 0], planes[:, 1])
    if not (slope > _GENTLE).any():
        return
    sloping = (numbers >= 0) & (slope > _GENTLE)[numbers]
    if sloping.any():
        canvas.blend(_lines(canvas, planes, slope, numbers, sloping), HEIGHT_LINE)


def draw_floor_slopes(canvas: Canvas, polygons: Sequence[Floor]) -> None:
    """Draw the contour lines of ramps and stairs."""
    if polygons:
        planes = np.stack([_plane(polygon.outline_xyz) for polygon in polygons])
        numbers = canvas.numbered([(n, polygon.outline_xyz) for n, polygon in enumerate(polygons)])
        draw_height_lines(canvas, planes, numbers)


def draw_ways_up(canvas: Canvas, level: Level, storey: int) -> None:
    """Draw an arrow up each ramp and flight of stairs of a storey."""
    for polygon in _ramps(level):
        if polygon.storey == storey and is_sloping(polygon):
            outline = polygon.outline_xyz
            way = _plane(outline)[:2]
            way /= np.hypot(*way) or 1.0
            middle = outline[:, :2].mean(axis=0)
            along = (outline[:, :2] - middle) @ way
            foot, top = middle + 0.7 * along.min() * way, middle + 0.7 * along.max() * way
            canvas.arrow(foot, top, QUIET_INK, 1.3, min(6.0, 0.25 * canvas.view.scale))


def _ramps(level: Level) -> Iterator[Floor]:
    surface = level.surface
    if isinstance(surface, Tiles):
        yield from surface.ramps
    elif isinstance(surface, Floors):
        yield from surface.polygons


def _plane(outline: Floats) -> Floats:
    """Return a, b, c of the plane z = a x + b y + c that fits the corners best."""
    middle = outline.mean(axis=0)
    around = outline - middle
    ab = np.linalg.lstsq(around[:, :2], around[:, 2], rcond=None)[0]
    return np.array([ab[0], ab[1], middle[2] - ab @ middle[:2]])


def _lines(canvas: Canvas, planes: Floats, slope: Floats, numbers: Array, sloping: Bools) -> Bools:
    x, y = canvas.columns_rows()
    typical = float(np.median(slope[numbers[sloping]]))
    spacing = canvas.view.scale / typical
    interval = next((i for i in _INTERVALS if i * spacing >= _LEAST_SPACING), _INTERVALS[-1])
    here = planes[numbers]
    z = here[..., 0] * x[None, :] + here[..., 1] * y[:, None] + here[..., 2]
    # The offset keeps floors at round heights off the lines.
    step = np.floor(z / interval + 0.37)
    lines = np.zeros(numbers.shape, dtype=bool)
    lines[:, 1:] |= (step[:, 1:] != step[:, :-1]) & sloping[:, 1:] & sloping[:, :-1]
    lines[1:, :] |= (step[1:, :] != step[:-1, :]) & sloping[1:, :] & sloping[:-1, :]
    return canvas.grown(lines, 0.4) & sloping


def surface_bounds(level: Level) -> Floats:
    """Return the corners of the rectangle the surface covers, (2, 2) float64, in metres."""
    surface = level.surface
    if isinstance(surface, TriangleSoup | ConvexFaces):
        points = surface.vertices_xyz[:, :2]
    elif isinstance(surface, Tiles):
        points = np.concatenate([_tile_corners(floor) for floor in surface.floors])
    else:
        points = np.concatenate([polygon.outline_xyz[:, :2] for polygon in surface.polygons])
    return np.stack([points.min(axis=0), points.max(axis=0)])


def draw_ground(canvas: Canvas, level: Level, storeys: Storeys, storey: int, floor: Colour) -> None:
    """Draw one storey as the designer drew it: floors in the given colour, dark walls around and inside them."""
    surface = level.surface
    if isinstance(surface, Tiles):
        if storey < len(surface.floors):
            _draw_tiles(canvas, surface.floors[storey], floor)
        _draw_floors(canvas, [ramp for ramp in surface.ramps if ramp.storey == storey], storey, floor)
    elif isinstance(surface, Floors):
        _draw_floors(canvas, [polygon for polygon in surface.polygons if polygon.storey == storey], storey, floor)
    elif isinstance(surface, ConvexFaces):
        start = surface.face_start
        corners = (surface.vertices_xyz[surface.corners[a:b]] for a, b in itertools.pairwise(start))
        _draw_patches(canvas, list(corners), floor)
    else:
        _draw_relief(canvas, surface)
    for obstacle in level.obstacles:
        if storey in storeys.through(obstacle.z, obstacle.height):
            canvas.polygon(obstacle.outline_xy, WALL)


def _tile_corners(floor: TileFloor) -> Floats:
    rows, columns = floor.passable.shape
    low = np.array(floor.origin_xy)
    return np.stack([low, low + np.array([columns, rows]) * floor.tile])


def _draw_tiles(canvas: Canvas, floor: TileFloor, colour: Colour) -> None:
    x, y = canvas.columns_rows()
    column = np.floor((x - floor.origin_xy[0]) / floor.tile).astype(np.int64)
    row = np.floor((y - floor.origin_xy[1]) / floor.tile).astype(np.int64)
    rows, columns = floor.passable.shape
    # One ring of wall around the map closes passages that run to its edge.
    walled = np.zeros((rows + 2, columns + 2), dtype=bool)
    walled[1:-1, 1:-1] = floor.passable
    passable = walled[np.clip(row + 1, 0, rows + 1)[:, None], np.clip(column + 1, 0, columns + 1)[None, :]]
    ring = min(0.3 * floor.tile, 0.5)
    inside = ((y > floor.origin_xy[1] - ring) & (y < floor.origin_xy[1] + rows * floor.tile + ring))[:, None] & (
        (x > floor.origin_xy[0] - ring) & (x < floor.origin_xy[0] + columns * floor.tile + ring)
    )
    canvas.blend(inside, WALL)
    canvas.blend(passable, colour)


def _draw_floors(canvas: Canvas, polygons: list[Floor], storey: int, colour: Colour) -> None:
    """Outline all polygons, then fill them all: walls remain only where no other floor adjoins."""
    width = wall_width(canvas)
    for polygon in polygons:
        canvas.line(polygon.outline_xyz, WALL, width, closed=True)
    for polygon in polygons:
        canvas.polygon(polygon.outline_xyz, colour)
    for polygon in polygons:
        for hole in polygon.holes_xyz:
            canvas.line(hole, WALL, width / 2, closed=True)
            # On the ground floor a hole is solid; higher up it is an opening to the storey below.
            canvas.polygon(hole, WALL if storey == 0 else PAGE)
    for polygon in polygons:
        if is_sloping(polygon):
            canvas.polygon(polygon.outline_xyz, colour)
    draw_floor_slopes(canvas, [polygon for polygon in polygons if is_sloping(polygon)])


def _draw_patches(canvas: Canvas, outlines: list[Floats], colour: Colour) -> None:
    width = wall_width(canvas)
    for outline in outlines:
        canvas.line(outline, WALL, width, closed=True)
    for outline in outlines:
        canvas.polygon(outline, colour)


def _draw_relief(canvas: Canvas, soup: TriangleSoup) -> None:
    """Draw triangles that are not vertical, lowest first, lighter with height."""
    corners = soup.vertices_xyz[soup.triangles]
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    length = np.linalg.norm(normal, axis=1)
    steep = np.abs(normal[:, 2]) / np.where(length > 0.0, length, 1.0)
    height = corners[:, :, 2].mean(axis=1)
    low, high = float(height.min(initial=0.0)), float(height.max(initial=1.0))
    level = (height - low) / max(high - low, 1e-9)
    for triangle in np.argsort(height, kind="stable").tolist():
        if steep[triangle] < 0.1:
            continue
        grey = 120 + round(70 * level[triangle] + 55 * min(1.0, steep[triangle]))
        canvas.polygon(corners[triangle], (grey, grey, grey - 3))


def wall_width(canvas: Canvas) -> float:
    """Return the width of the line around a floor, in finished pixels."""
    return float(np.clip(0.24 * canvas.view.scale, 2.0, 9.0))


def face_numbers(canvas: Canvas, mesh: NavMesh, storey: int) -> Array:
    """Return the face at each pixel of a storey, (rows, columns) int32, -1 where the ground is not walkable."""
    faces = np.flatnonzero(mesh.face_storey == storey)
    return canvas.numbered([(int(face), mesh.face_xyz(int(face))) for face in faces])


def draw_walls_round_mesh(canvas: Canvas, mesh: NavMesh, storey: int) -> None:
    """Draw walls along the edge of the walkable ground, for lack of a level; other storeys appear below as shadows."""
    width = wall_width(canvas)
    for face in np.flatnonzero(mesh.face_storey != storey):
        canvas.polygon(mesh.face_xyz(int(face)), SHADOW)
    for face in np.flatnonzero(mesh.face_storey == storey):
        canvas.line(mesh.face_xyz(int(face)), WALL, width, closed=True)


def draw_mesh(canvas: Canvas, mesh: NavMesh, faces: Array) -> None:
    """Paint the walkable ground, with contour lines where it slopes."""
    canvas.blend(faces >= 0, WALKABLE)
    draw_height_lines(canvas, mesh.arrays.face_plane, faces)


def edges_between(numbers: Array) -> Bools:
    """Return the pixels where the number changes, ignoring -1."""
    lines = np.zeros(numbers.shape, dtype=bool)
    for axis in (0, 1):
        later = np.moveaxis(numbers, axis, 0)[1:]
        earlier = np.moveaxis(numbers, axis, 0)[:-1]
        np.moveaxis(lines, axis, 0)[1:] |= (later != earlier) & (later >= 0) & (earlier >= 0)
    return lines
