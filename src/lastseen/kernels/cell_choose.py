"""Pieces of floor to cells: which piece of a column owns the slot of its level."""

from __future__ import annotations

import numpy as np

from ..conventions import Array
from .jit import jit
from .mesh_arrays import MeshArrays

__all__ = ["choose_cells", "give_cells_to_faces"]


@jit
def _linked(mesh: MeshArrays, one: int, other: int) -> bool:
    """Does a portal lead from one face straight to the other?"""
    if mesh.link_count[other] < mesh.link_count[one]:
        one, other = other, one
    start = np.int64(mesh.link_start[one])
    found = False
    for link in range(start, start + np.int64(mesh.link_count[one])):
        found |= mesh.link_face[link] == other
    return found


@jit
def choose_cells(
    mesh: MeshArrays,
    least_cover: float,
    order: Array,
    column_of: Array,
    face_of: Array,
    area_of: Array,
    centre_of: Array,
    level_of: Array,
    owns: Array,
) -> int:
    """Mark in `owns` the pieces that become cells: one per stretch of connected floor in a column and level.

    `order` sorts the pieces by column. A stretch counts if it holds the column's centre or covers `least_cover` m²;
    its owner is the piece with the centre, else the largest. Returns how many stretches found their slot taken by
    a larger one.
    """
    shadowed = 0
    total = len(order)
    most = 1
    run = 1
    for place in range(1, total):
        run = run + 1 if column_of[order[place]] == column_of[order[place - 1]] else 1
        most = max(most, run)
    root = np.empty(most, np.int64)
    owner = np.empty(most, np.int64)
    cover = np.empty(most)
    start = 0
    while start < total:
        column = column_of[order[start]]
        end = start + 1
        while end < total and column_of[order[end]] == column:
            end += 1
        if end == start + 1:
            fragment = order[start]
            owns[fragment] = centre_of[fragment] or area_of[fragment] >= least_cover
        else:
            shadowed += _choose_in_column(
                mesh, least_cover, order, start, end, face_of, area_of, centre_of, level_of, owns, root, owner, cover
            )
        start = end
    return shadowed


@jit
def _choose_in_column(
    mesh: MeshArrays,
    least_cover: float,
    order: Array,
    start: int,
    end: int,
    face_of: Array,
    area_of: Array,
    centre_of: Array,
    level_of: Array,
    owns: Array,
    root: Array,
    owner: Array,
    cover: Array,
) -> int:
    """Choose among the pieces `order[start:end]` of one column; the last three arrays are scratch."""
    count = end - start
    for one in range(count):
        root[one] = one
        owner[one] = -1
        cover[one] = 0.0
        for other in range(one):
            if root[one] != root[other] and _linked(mesh, face_of[order[start + one]], face_of[order[start + other]]):
                merged = max(root[one], root[other])
                kept = min(root[one], root[other])
                for each in range(one + 1):
                    if root[each] == merged:
                        root[each] = kept
    for each in range(count):
        stretch = root[each]
        fragment = np.int64(order[start + each])
        cover[stretch] += area_of[fragment]
        best = owner[stretch]
        if best < 0 or (centre_of[fragment], area_of[fragment]) > (centre_of[best], area_of[best]):
            owner[stretch] = fragment
    shadowed = 0
    for each in range(count):
        fragment = owner[each]
        if fragment < 0 or not (centre_of[fragment] or cover[each] >= least_cover):
            continue
        wins = True
        for other in range(each):
            rival = owner[other]
            if rival >= 0 and owns[rival] and level_of[rival] == level_of[fragment]:
                shadowed += 1
                if cover[each] > cover[other]:
                    owns[rival] = False
                else:
                    wins = False
        owns[fragment] = wins
    return shadowed


@jit
def give_cells_to_faces(
    order: Array,
    rank: Array,
    column_of: Array,
    face_of: Array,
    area_of: Array,
    level_of: Array,
    owns: Array,
) -> int:
    """Give each face without a cell the largest of its pieces whose slot is still free; return how many got one.

    `rank` is the inverse of `order`. Pieces of a face follow one another.
    """
    given = 0
    total = len(order)
    start = 0
    while start < total:
        face = face_of[start]
        end = start
        has_cell = False
        while end < total and face_of[end] == face:
            has_cell = has_cell or owns[end] != 0
            end += 1
        if not has_cell:
            best = -1
            for fragment in range(start, end):
                larger = best < 0 or area_of[fragment] > area_of[best]
                if larger and _slot_is_free(order, np.int64(rank[fragment]), column_of, level_of, owns):
                    best = fragment
            if best >= 0:
                owns[best] = True
                given += 1
        start = end
    return given


@jit
def _slot_is_free(order: Array, place: int, column_of: Array, level_of: Array, owns: Array) -> bool:
    fragment = order[place]
    column = column_of[fragment]
    first = place
    while first > 0 and column_of[order[first - 1]] == column:
        first -= 1
    while first < len(order) and column_of[order[first]] == column:
        rival = order[first]
        if owns[rival] and level_of[rival] == level_of[fragment]:
            return False
        first += 1
    return True
