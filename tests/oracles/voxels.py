"""Slow, obvious versions of the voxel builder's steps."""

from __future__ import annotations

import heapq
import math

import numpy as np
import shapely


def clip(polygon, axis, at, keep_below):
    """Cut a 3D polygon by an axis-aligned plane (Sutherland and Hodgman)."""
    result = []
    for k, end in enumerate(polygon):
        begin = polygon[k - 1]
        inside_begin = begin[axis] <= at if keep_below else begin[axis] >= at
        inside_end = end[axis] <= at if keep_below else end[axis] >= at
        if inside_begin != inside_end:
            t = (at - begin[axis]) / (end[axis] - begin[axis])
            result.append(tuple(b + t * (e - b) for b, e in zip(begin, end)))
        if inside_end:
            result.append(end)
    return result


def solid_columns(points, triangles, walkable, width, depth, gap):
    """Return for each column its spans (bottom, top, floor, stand), each triangle clipped to each column."""
    columns = {}
    for triangle, up in zip(triangles, walkable):
        a, b, c = (tuple(map(float, points[k])) for k in triangle)
        for y in range(depth):
            row = clip(clip([a, b, c], 1, y, False), 1, y + 1, True)
            for x in range(width) if len(row) >= 3 else ():
                piece = clip(clip(row, 0, x, False), 0, x + 1, True)
                if len(piece) < 3:
                    continue
                low, high = min(p[2] for p in piece), max(p[2] for p in piece)
                floor, stand = high, -math.inf
                if up:
                    normal = np.cross(np.subtract(b, a), np.subtract(c, a))
                    centre = a[2] - (normal[0] * (x + 0.5 - a[0]) + normal[1] * (y + 0.5 - a[1])) / normal[2]
                    floor, stand = min(max(centre, low), high), high
                columns.setdefault(y * width + x, []).append((low, high, floor, stand))
    return {column: merged(spans, gap) for column, spans in columns.items()}


def merged(spans, gap):
    result = []
    for low, high, floor, stand in sorted(spans):
        if result and low <= result[-1][1] + gap:
            last = result[-1]
            result[-1] = (last[0], max(last[1], high), max(last[2], floor), max(last[3], stand))
        else:
            result.append((low, high, floor, stand))
    return result


def chamfer(link):
    """Return distances to the border by shortest paths: 2 a straight step, 3 an aslant one (two links)."""
    distance = {}
    heap = [(0, s) for s in range(len(link)) if (link[s] < 0).any()]
    while heap:
        d, s = heapq.heappop(heap)
        if s in distance:
            continue
        distance[s] = d
        for k in range(4):
            n = link[s, k]
            if n < 0:
                continue
            heapq.heappush(heap, (d + 2, int(n)))
            for aslant in ((k + 1) % 4, (k + 3) % 4):
                if link[n, aslant] >= 0:
                    heapq.heappush(heap, (d + 3, int(link[n, aslant])))
    return np.array([distance[s] for s in range(len(link))])


def flat_links(walkable):
    """Return ids of the true cells of a (rows, columns) field and their links east, north, west, south."""
    rows, columns = walkable.shape
    number = np.full(walkable.shape, -1)
    number[walkable] = np.arange(walkable.sum())
    link = np.full((int(walkable.sum()), 4), -1, np.int32)
    for y, x in zip(*np.nonzero(walkable)):
        for k, (dx, dy) in enumerate(((1, 0), (0, 1), (-1, 0), (0, -1))):
            if 0 <= x + dx < columns and 0 <= y + dy < rows:
                link[number[y, x], k] = number[y + dy, x + dx]
    return link


def centres_in(polygon, width, depth):
    """Return columns whose centre lies in a polygon given in voxels."""
    x, y = np.meshgrid(np.arange(width) + 0.5, np.arange(depth) + 0.5)
    return np.flatnonzero(shapely.intersects_xy(polygon, x.ravel(), y.ravel()))


def faces_in_voxels(mesh, grid):
    """Return each face of a mesh as a polygon in voxels, and its plane as a function of voxels (x, y)."""
    scale = grid.settings.voxel
    for face in range(mesh.face_count):
        corners = mesh.face_xyz(face)
        a, b, c = mesh.arrays.face_plane[face]
        polygon = shapely.Polygon((corners[:, :2] - grid.origin_xyz[:2]) / scale)

        def height(x, y, a=a, b=b, c=c):
            return a * (x * scale + grid.origin_xyz[0]) + b * (y * scale + grid.origin_xyz[1]) + c

        yield polygon, height


def require_on_floor(mesh, regions):
    """Fail where a face strays from the floor below a voxel centre it covers."""
    grid, spans = regions.spans.grid, regions.spans
    error = grid.settings.height_error
    for polygon, height in faces_in_voxels(mesh, grid):
        for column in centres_in(polygon, grid.width, grid.depth):
            floor = spans.floor[spans.start[column] : spans.start[column + 1]]
            off = np.abs(floor - height(column % grid.width + 0.5, column // grid.width + 0.5))
            # What lies farther than a step away belongs to another storey.
            assert not len(off) or off.min() <= error + 1e-4 or off.min() >= grid.reach - error - 1e-4


def require_true_outlines(contours, regions):
    """Fail where a region's polygon covers a column without it, or misses one with it, deeper than the edge error."""
    grid, spans = regions.spans.grid, regions.spans
    error = grid.settings.edge_error
    for own, polygon in enumerate(contours.polygons):
        assert polygon.is_valid
        assert polygon.area > 0.0
        covered, meant = centres_in(polygon, grid.width, grid.depth), spans.column_of[regions.region == own]
        wrong = np.setxor1d(covered, meant)
        at = shapely.points(wrong % grid.width + 0.5, wrong // grid.width + 0.5)
        assert (shapely.distance(polygon.boundary, at) <= error + 1e-6).all()
