"""Conversion of floor pieces to cells: the piece of a column that owns the slot of its level."""

from __future__ import annotations

import numpy as np

from ...conventions import Array
from ..jit import jit


@jit
def choose_cells(
    link_start: Array,
    link_count: Array,
    link_face: Array,
    least_cover: float,
    order: Array,
    starts: Array,
    ends: Array,
    face_of: Array,
    area_of: Array,
    centre_of: Array,
    level_of: Array,
    owns: Array,
    root: Array,
    owner: Array,
    cover: Array,
) -> int:
    """Mark in `owns` the pieces that become cells: one per stretch of connected floor in a column and level.

    The pieces of one column are `order[starts[i]:ends[i]]`. A stretch counts if it contains the column's centre or
    covers `least_cover` m²; its owner is the piece with the centre, else the largest. Returns the number of conflicts
    between stretches for one slot, which the larger one wins. Links are those of the mesh; the last three arrays are
    scratch, as long as the longest column.
    """
    shadowed = 0
    for column in range(len(starts)):
        start = starts[column]
        count = ends[column] - start
        for one in range(count):
            root[one] = one
            owner[one] = -1
            cover[one] = 0.0
            for other in range(one):
                if root[one] == root[other]:
                    continue
                face, beyond = face_of[order[start + one]], face_of[order[start + other]]
                if link_count[beyond] < link_count[face]:
                    face, beyond = beyond, face
                first = np.int64(link_start[face])
                linked = False
                for link in range(first, first + np.int64(link_count[face])):
                    linked |= link_face[link] == beyond
                if linked:
                    merged, kept = root[one], root[other]
                    if merged < kept:
                        merged, kept = kept, merged
                    for each in range(one + 1):
                        if root[each] == merged:
                            root[each] = kept
        for each in range(count):
            stretch = root[each]
            fragment = np.int64(order[start + each])
            cover[stretch] += area_of[fragment]
            best = owner[stretch]
            larger = best < 0 or centre_of[fragment] > centre_of[best]
            if larger or (centre_of[fragment] == centre_of[best] and area_of[fragment] > area_of[best]):
                owner[stretch] = fragment
        for each in range(count):
            fragment = owner[each]
            if fragment < 0 or (centre_of[fragment] == 0 and cover[each] < least_cover):
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
