"""Assemble convex faces into a navmesh with links, components, storeys and a locator grid."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..checks import frozen, points_xyz
from ..conventions import Array, Floats
from ..errors import BakeError, InputError
from ..kernels.arrays.level_arrays import MeshArrays
from ..kernels.mesh.adjacency import connected_components, lay_storeys, overlapping_pairs, weld_points
from ..level.level import ConvexFaces, Level
from .body import Body
from .links import EDGE_TOLERANCE, WELD, Edges, Links, find_links
from .navmesh import LIMIT, NavMesh

BUCKETS_PER_FACE = 16
MARGIN = 1e-6
OVERLAP = 1e-4
"""Metres by which faces may overlap and still count as side by side."""


def assemble(
    vertices_xyz: Any,
    face_start: Any,
    corners: Any,
    *,
    body: Body,
    face_storey: Any = None,
    barred: Any = None,
    name: str = "",
) -> NavMesh:
    """Build a navmesh from convex faces.

    Parameters
    ----------
    vertices_xyz : (V, 3) float, metres.
    face_start : (F + 1,) int, corners of face `f` are `corners[face_start[f]:face_start[f + 1]]`.
    corners : (C,) int, vertex ids; faces convex and counter-clockwise from above.
    face_storey : (F,) int, storey of each face; None: derived so that no two faces of a storey overlap.
    barred : (C,) bool, edges (by their first corner) that lead nowhere, even if another face adjoins; None: no edge.

    Notes
    -----
    Vertices within a micrometre are welded and faces without area dropped, so face ids may shift.
    Two faces are linked wherever their edges share a stretch seen from above, even if the edges match only in part,
    and the step between them is at most `body.climb`; of several faces at one stretch, the nearest in height wins.
    """
    vertex, place = _weld(_checked_vertices(vertices_xyz))
    start, corner = _checked_faces(face_start, corners, len(vertex.rows))
    shut = _checked_barred(barred, len(corner))
    faces, start, corner, kept = _clean_faces(vertex, place, start, corner)
    used, corner = np.unique(corner, return_inverse=True)
    vertex_xyz, place = vertex.xyz[used], place[used]
    _require_convex(vertex_xyz, start, corner)
    count = np.diff(start)
    face = np.repeat(np.arange(len(count)), count)
    end = corner[_following(start)]
    links = find_links(Edges(vertex_xyz, place, corner, end, face), body.climb, shut[kept])
    grid = _locator_grid(vertex_xyz[corner, :2], start)
    link_from, link_face = face[links.edge], face[links.other]
    link_start = np.searchsorted(link_from, np.arange(len(count) + 1))
    if face_storey is None:
        storey = _derive_storeys(vertex_xyz[corner], start, link_start, link_face, grid, body)
    else:
        storey = _checked_storey(face_storey, faces)
    component = connected_components(link_start, link_face)
    own = np.arange(len(count))
    arrays = MeshArrays(
        vertex_xyz=frozen(vertex_xyz, np.float64),
        face_start=frozen(start[:-1], np.uint32),
        face_count=frozen(count, np.uint32),
        face_vertex=frozen(corner, np.uint32),
        face_plane=frozen(_planes(vertex_xyz[corner], start), np.float64),
        face_parent=frozen(own, np.int32),
        face_cut=frozen(np.zeros(len(count)), np.uint8),
        child_start=frozen(np.zeros(len(count)), np.uint32),
        child_count=frozen(np.zeros(len(count)), np.uint32),
        link_start=frozen(link_start[:-1], np.uint32),
        link_count=frozen(np.diff(link_start), np.uint32),
        link_face=frozen(link_face, np.uint32),
        link_edge=frozen(links.edge - start[link_from], np.uint32),
        link_portal=frozen(np.stack([links.right_xyz, links.left_xyz], axis=1), np.float64),
        link_wall=frozen(_wall_bits(links), np.uint8),
        grid_origin=frozen(grid.origin, np.float64),
        grid_size=frozen([grid.size], np.float64),
        grid_shape=frozen(grid.shape, np.uint32),
        bucket_start=frozen(grid.bucket_start, np.uint32),
        bucket_face=frozen(grid.bucket_face, np.uint32),
    )
    return NavMesh(arrays, frozen(storey, np.int32), frozen(component, np.int32), body, name)


def _checked_vertices(values: Any) -> Floats:
    vertices = points_xyz(values, "vertices_xyz")
    if len(vertices) and np.abs(vertices).max() > LIMIT:
        row = int(np.argmax(np.abs(vertices).max(axis=1)))
        raise BakeError(
            f"vertex {row} lies at {vertices[row].tolist()}; coordinates may be at most {LIMIT:g} m: "
            "move the level closer to the origin"
        )
    return vertices


def _checked_faces(face_start: Any, corners: Any, vertex_count: int) -> tuple[Array, Array]:
    start, corner = np.asarray(face_start, dtype=np.int64), np.asarray(corners, dtype=np.int64)
    if start.ndim != 1 or corner.ndim != 1 or len(start) == 0 or start[0] != 0 or start[-1] != len(corner):
        raise InputError(
            f"face_start must run from 0 to the number of corners ({corner.size}), got {start.tolist()[:4]}…"
        )
    if (np.diff(start) < 0).any():
        raise InputError("face_start must not decrease")
    if len(corner) and (corner.min() < 0 or corner.max() >= vertex_count):
        raise InputError(f"corners use vertices {corner.min()} … {corner.max()}; allowed: 0 … {vertex_count - 1}")
    return start, corner


def _checked_storey(face_storey: Any, faces: Array) -> Array:
    storey = np.asarray(face_storey, dtype=np.int64)
    if storey.ndim != 1 or (len(faces) and len(storey) <= faces.max()):
        raise InputError(f"face_storey must hold one number per face, got shape {storey.shape}")
    return storey[faces]


def _checked_barred(barred: Any, corners: int) -> Array:
    shut = np.zeros(corners, dtype=bool) if barred is None else np.asarray(barred, dtype=bool)
    if shut.shape != (corners,):
        raise InputError(f"barred must hold one bool per corner ({corners}), got shape {shut.shape}")
    return shut


class _Welded:
    """Vertices after welding: `rows` maps a given vertex to its row of `xyz`."""

    def __init__(self, rows: Array, xyz: Floats):
        self.rows, self.xyz = rows, xyz


def _weld(vertices: Floats) -> tuple[_Welded, Array]:
    """Give vertices above one another exactly the same (x, y), and merge those that also agree in z."""
    if not len(vertices):
        return _Welded(np.zeros(0, dtype=np.int64), vertices), np.zeros(0, dtype=np.int64)
    above = weld_points(np.ascontiguousarray(vertices[:, :2]), WELD)
    order = np.lexsort((np.arange(len(above)), vertices[:, 2], above))
    apart = (above[order][1:] != above[order][:-1]) | (np.diff(vertices[order, 2]) > WELD)
    row = np.empty(len(order), dtype=np.int64)
    row[order] = np.r_[0, np.cumsum(apart)]
    first = order[np.r_[True, apart]]
    xyz = np.column_stack([vertices[above[first], :2], vertices[first, 2]])
    return _Welded(row, xyz), above[first]


def _following(start: Array) -> Array:
    """Return for each corner the index of the next corner of its face."""
    following = np.arange(1, start[-1] + 1)
    filled = start[1:] > start[:-1]
    following[start[1:][filled] - 1] = start[:-1][filled]
    return following


def _clean_faces(vertex: _Welded, place: Array, start: Array, corner: Array) -> tuple[Array, Array, Array, Array]:
    """Drop repeated corners and faces without area; return the ids of the kept faces, their starts and corners, and
    the ids of the kept corners.
    """
    corner = vertex.rows[corner]
    face = np.repeat(np.arange(len(start) - 1), np.diff(start))
    keep = place[corner] != place[corner[_following(start)]]
    corner, face, kept = corner[keep], face[keep], np.flatnonzero(keep)
    count = np.bincount(face, minlength=len(start) - 1)
    start = np.r_[0, np.cumsum(count)]
    following = corner[_following(start)]
    base = vertex.xyz[corner[np.minimum(start[:-1], max(len(corner) - 1, 0))]][face] if len(corner) else vertex.xyz[:0]
    one, other = vertex.xyz[corner] - base, vertex.xyz[following] - base
    area = np.bincount(face, one[:, 0] * other[:, 1] - one[:, 1] * other[:, 0], minlength=len(count)) / 2.0
    girth = np.bincount(face, np.hypot(*(other - one)[:, :2].T), minlength=len(count))
    solid = (count >= 3) & (np.abs(area) > WELD * girth / 2.0)
    if not solid.any():
        raise BakeError("no walkable place: no face has any area; give at least one polygon wider than a micrometre")
    if (area[solid] < 0.0).any():
        bad = int(np.flatnonzero(solid & (area < 0.0))[0])
        raise BakeError(
            f"face {bad} at {_place_of(vertex.xyz[corner[start[bad]]])} runs clockwise; "
            "list its corners counter-clockwise"
        )
    faces = np.flatnonzero(solid)
    return faces, np.r_[0, np.cumsum(count[faces])], corner[solid[face]], kept[solid[face]]


def _require_convex(vertex_xyz: Floats, start: Array, corner: Array) -> None:
    """Raise where a face turns right somewhere or winds around itself more than once."""
    following = _following(start)
    side = vertex_xyz[corner[following], :2] - vertex_xyz[corner, :2]
    onward = side[following]
    cross = side[:, 0] * onward[:, 1] - side[:, 1] * onward[:, 0]
    dot = (side * onward).sum(axis=1)
    reach = np.maximum(np.hypot(*side.T), np.hypot(*onward.T))
    dent = -cross / reach
    turning = np.add.reduceat(np.arctan2(cross, dot), start[:-1])
    bent = np.flatnonzero(dent > 4.0 * EDGE_TOLERANCE)
    wound = np.flatnonzero(np.abs(turning - 2.0 * np.pi) > 1.0)
    if len(bent) or len(wound):
        face = int(np.searchsorted(start, bent[0], side="right") - 1) if len(bent) else int(wound[0])
        at = corner[following[bent[0]]] if len(bent) else corner[start[face]]
        raise BakeError(
            f"face {face} is not convex at {_place_of(vertex_xyz[at])}; split it there: navmesh faces must be convex"
        )


def _place_of(xyz: Floats) -> str:
    return "(" + ", ".join(f"{value:g}" for value in xyz) + ")"


def _planes(corner_xyz: Floats, start: Array) -> Floats:
    """Return `z = a x + b y + c` of each face: exact for flat ones, the mean plane of warped ones.

    Newell's normal, in coordinates relative to the first corner: level faces get a = b = 0 exactly.
    """
    count = np.diff(start)
    base = corner_xyz[start[:-1]]
    local = corner_xyz - np.repeat(base, count, axis=0)
    onward = local[_following(start)]
    normal = np.stack(
        [
            np.add.reduceat((local[:, p] - onward[:, p]) * (local[:, q] + onward[:, q]), start[:-1])
            for p, q in ((1, 2), (2, 0), (0, 1))
        ]
    )
    a, b = 0.0 - normal[0] / normal[2], 0.0 - normal[1] / normal[2]
    mean = base + np.add.reduceat(local, start[:-1], axis=0) / count[:, None]
    return np.column_stack([a, b, mean[:, 2] - a * mean[:, 0] - b * mean[:, 1]])


def _wall_bits(links: Links) -> Array:
    return links.right_wall.astype(np.uint8) | (links.left_wall.astype(np.uint8) << 1)


@dataclass(frozen=True)
class _LocatorGrid:
    """Square buckets over the plane; `box` (F, 4) holds the bounds of each face: left, low, right, high."""

    origin: Floats
    size: float
    shape: tuple[int, int]
    bucket_start: Array
    bucket_face: Array
    box: Floats


def _locator_grid(corner_xy: Floats, start: Array) -> _LocatorGrid:
    """Sort faces into buckets half as wide as a typical face, so that a bucket holds about two of them."""
    low = np.minimum.reduceat(corner_xy, start[:-1])
    high = np.maximum.reduceat(corner_xy, start[:-1])
    origin = low.min(axis=0) - MARGIN
    extent = high.max(axis=0) + MARGIN - origin
    faces = len(low)
    typical = float(np.median(np.sqrt((high - low).prod(axis=1)))) / 2.0
    # A few small faces in a wide plane must not make millions of buckets, nor large ones millions of entries.
    mean = float(np.sqrt((high - low + MARGIN).prod(axis=1).sum() / faces)) / 3.0
    size = max(
        typical, mean, float(np.sqrt(extent.prod() / (BUCKETS_PER_FACE * faces + 64))), float(extent.max()) / 30000
    )
    columns, rows = (int(value) for value in np.floor(extent / size).astype(np.int64) + 1)
    first = np.floor((low - MARGIN - origin) / size).astype(np.int64).clip(0)
    last = np.floor((high + MARGIN - origin) / size).astype(np.int64)
    last = np.minimum(last, [columns - 1, rows - 1])
    width, height = (last - first + 1).T
    entries = width * height
    face = np.repeat(np.arange(faces), entries)
    running = np.arange(entries.sum()) - np.repeat(np.cumsum(entries) - entries, entries)
    bucket = (first[face, 1] + running // width[face]) * columns + first[face, 0] + running % width[face]
    order = np.argsort(bucket, kind="stable")
    bucket_start = np.searchsorted(bucket[order], np.arange(columns * rows + 1))
    return _LocatorGrid(origin, size, (columns, rows), bucket_start, face[order], np.column_stack([low, high]))


def _derive_storeys(
    corner_xyz: Floats, start: Array, link_start: Array, link_face: Array, grid: _LocatorGrid, body: Body
) -> Array:
    """Return a storey per face, (F,) int32 from 0 at the bottom; linked faces share one if possible.

    Greedy: each storey floods from the lowest remaining face, lowest first, and avoids faces that would overlap it.
    """
    locator = np.array([*grid.origin, grid.size, grid.shape[0]])
    flat = np.ascontiguousarray(corner_xyz[:, :2])
    faces = len(start) - 1
    pairs = np.empty((4 * faces, 2), dtype=np.int64)
    scene = (flat, start, grid.box, grid.bucket_start, grid.bucket_face, locator, OVERLAP)
    count = overlapping_pairs(*scene, pairs)
    if count > len(pairs):
        pairs = np.empty((count, 2), dtype=np.int64)
        overlapping_pairs(*scene, pairs)
    pairs = pairs[:count]
    if not len(pairs):
        return np.zeros(faces, dtype=np.int32)
    clash, other = np.r_[pairs[:, 0], pairs[:, 1]], np.r_[pairs[:, 1], pairs[:, 0]]
    order = np.lexsort((other, clash))
    clash_start = np.searchsorted(clash[order], np.arange(faces + 1))
    height = np.add.reduceat(corner_xyz[:, 2], start[:-1]) / np.diff(start)
    by_height = np.argsort(height, kind="stable")
    storey = lay_storeys(by_height, height, link_start, link_face, clash_start, other[order], body.height)
    return _bottom_up(storey, height)


def _bottom_up(storey: Array, height: Floats) -> Array:
    """Number storeys by their mean height."""
    mean = np.bincount(storey, height) / np.bincount(storey)
    rank = np.empty(len(mean), dtype=np.int32)
    rank[np.argsort(mean, kind="stable")] = np.arange(len(mean))
    return rank[storey]


def build_from_faces(level: Level, body: Body) -> NavMesh:
    """Build a navmesh from ready-made faces, which are assumed to keep the body's radius from walls already."""
    faces = level.surface
    assert isinstance(faces, ConvexFaces)
    if level.obstacles or level.cover:
        raise BakeError(
            f"{level.name or 'the level'}: {len(level.obstacles) + len(level.cover)} obstacles stand on a ready-made "
            "mesh, which is used unchanged; remove them and cut them from the mesh with CutMesh"
        )
    return assemble(faces.vertices_xyz, faces.face_start, faces.corners, body=body, name=level.name)
