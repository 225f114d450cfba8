"""Slow, obvious answers about meshes: what lies beyond a point of an edge, is a point walled in."""

from __future__ import annotations

import itertools
import math

import numpy as np

from lastseen.navmesh.navmesh import NavMesh


def faces_as_lists(mesh: NavMesh) -> list[list[tuple[float, float, float]]]:
    return [[tuple(corner) for corner in mesh.face_xyz(face).tolist()] for face in range(mesh.face_count)]


def beyond(faces, face: int, edge: int, share: float, climb: float) -> int:
    """Which face goes on at `share` along an edge? The nearest in height whose own edge passes there the other way."""
    corners = faces[face]
    a, b = corners[edge], corners[(edge + 1) % len(corners)]
    point = [a[k] + share * (b[k] - a[k]) for k in range(3)]
    best, best_step = -1, climb + 5e-6
    for other, ring in enumerate(faces):
        if other == face:
            continue
        for k in range(len(ring)):
            c, d = ring[k], ring[(k + 1) % len(ring)]
            length = math.hypot(d[0] - c[0], d[1] - c[1])
            u = ((point[0] - c[0]) * (d[0] - c[0]) + (point[1] - c[1]) * (d[1] - c[1])) / length**2
            off = abs((point[0] - c[0]) * (d[1] - c[1]) - (point[1] - c[1]) * (d[0] - c[0])) / length
            tilt = abs((b[0] - a[0]) * (d[1] - c[1]) - (b[1] - a[1]) * (d[0] - c[0])) / length
            opposite = (b[0] - a[0]) * (d[0] - c[0]) + (b[1] - a[1]) * (d[1] - c[1]) < 0
            if not opposite or not 0 <= u <= 1 or off > 5e-6 or tilt > 1e-5:
                continue
            step = abs(c[2] + u * (d[2] - c[2]) - point[2])
            if step < best_step:
                best, best_step = other, step
    return best


def linked(mesh: NavMesh, face: int, edge: int, share: float) -> int:
    """Which face do the mesh's links name at `share` along an edge?"""
    arrays = mesh.arrays
    corners = mesh.face_xyz(face)
    point = corners[edge] + share * (corners[(edge + 1) % len(corners)] - corners[edge])
    first = int(arrays.link_start[face])
    for link in range(first, first + int(arrays.link_count[face])):
        right, left = arrays.link_portal[link]
        if arrays.link_edge[link] == edge and (left - point)[:2] @ (right - point)[:2] <= 0.0:
            return int(arrays.link_face[link])
    return -1


def contains(ring, x: float, y: float) -> bool:
    for k in range(len(ring)):
        a, b = ring[k], ring[(k + 1) % len(ring)]
        if (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]) < -1e-9:
            return False
    return True


def touches_wall(faces, at, climb: float, radius: float = 1e-4, directions: int = 720) -> bool:
    """Is any direction around a point not covered by a face at about its height?"""
    near = [
        ring
        for ring in faces
        if contains(ring, at[0], at[1]) and min(p[2] for p in ring) - climb <= at[2] <= max(p[2] for p in ring) + climb
    ]
    for k in range(directions):
        angle = 2 * math.pi * (k + 0.37) / directions
        x, y = at[0] + radius * math.cos(angle), at[1] + radius * math.sin(angle)
        if not any(contains(ring, x, y) for ring in near):
            return True
    return False


def require_sound(mesh: NavMesh) -> None:
    """Assert what holds for every mesh: convex faces, portals on both edges, links both ways, sorted, no overlap."""
    arrays = mesh.arrays
    assert (mesh.face_area > 0).all()
    back: dict[tuple, int] = {}
    for face in range(mesh.face_count):
        corners = mesh.face_xyz(face)
        way = np.roll(corners, -1, axis=0) - corners
        onward = np.roll(way, -1, axis=0)
        turn = way[:, 0] * onward[:, 1] - way[:, 1] * onward[:, 0]
        assert (turn >= -1e-5 * np.maximum(np.hypot(*way.T[:2]), np.hypot(*onward.T[:2]))).all()
        plane = arrays.face_plane[face]
        assert np.allclose(corners[:, :2] @ plane[:2] + plane[2], corners[:, 2], atol=1e-6)
        first, count = int(arrays.link_start[face]), int(arrays.link_count[face])
        order = []
        for link in range(first, first + count):
            edge = int(arrays.link_edge[link])
            begin, end = corners[edge], corners[(edge + 1) % len(corners)]
            length = np.hypot(*(end - begin)[:2])
            along = (end - begin)[:2] / length
            metres = [float((portal_end - begin)[:2] @ along) for portal_end in arrays.link_portal[link]]
            for portal_end, t in zip(arrays.link_portal[link], metres):
                assert np.hypot(*(begin[:2] + t * along - portal_end[:2])) < 1e-5
                assert abs(begin[2] + t / length * (end - begin)[2] - portal_end[2]) < 1e-5
            assert -1e-5 < metres[0] < metres[1] < length + 1e-5
            order.append((edge, metres[0], metres[1]))
            other = int(arrays.link_face[link])
            right, left = arrays.link_portal[link]
            back[(face, other, *right[:2], *left[:2])] = link
            assert mesh.face_component[face] == mesh.face_component[other]
        assert order == sorted(order)
        for one, two in itertools.pairwise(order):
            assert one[0] != two[0] or one[2] <= two[1] + 1e-5
    for face, other, *ends in back:
        right, left = ends[:2], ends[2:]
        link = back[(face, other, *ends)]
        twin = back[(other, face, *left, *right)]
        step = np.abs(arrays.link_portal[link][:, 2] - arrays.link_portal[twin][::-1, 2])
        assert (step <= mesh.body.climb + 1e-5).all()
    for array in arrays:
        assert not array.flags.writeable
