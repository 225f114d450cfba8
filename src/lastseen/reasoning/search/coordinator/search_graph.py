"""The search graph: a few points, each in sight of its predecessor, that together see all floor around a place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from ....cells.meshed_layout import MeshedLayout, cells_near
from ....checks import point_xyz, read_only, real_number, shown, whole_number
from ....conventions import NOWHERE, Array, Floats, Ids
from ....errors import InputError
from ....layers.layer import require_cells
from ...input_checks import require_choice
from ..sight import Sees, sight_test


@dataclass(frozen=True, eq=False)
class SearchGraph:
    """Points to look from.

    Attributes
    ----------
    points_xyz : (k, 3) float64 metres, the last known position first.
    node : (k,) int32, the face or cell whose centre each point is.
    previous : (k,) int32, the point from which it was found, -1 for the first. They see each other, or are neighbours.
    seen_from : (n,) int32 by face or cell: number of a point that sees it, -1: not seen.
    whole : whether everything reachable is seen, within the limit of points.
    """

    points_xyz: Floats
    node: Ids
    previous: Ids
    seen_from: Ids
    whole: bool

    def __len__(self) -> int:
        return len(self.node)


def search_graph(
    cells: MeshedLayout,
    last_xyz: Any,
    *,
    most: int = 12,
    over: Literal["faces", "cells"] = "cells",
    sees: Sees | None = None,
    radius: float = np.inf,
) -> SearchGraph:
    """Find points from which everything around a place is seen.

    Parameters
    ----------
    last_xyz : last known position.
    most : maximum number of points.
    over : what to search: "faces" of the navmesh, as in the source, or the finer "cells".
    sees : test of sight; None: a straight walk on the mesh.
    radius : metres from `last_xyz` to search.

    Notes
    -----
    After Mark Botta, "Infected AI in *The Last of Us*": a breadth-first search over neighbours; where one is out of
    sight of the current point, its parent, the last one in sight, becomes a new point.
    """
    require_cells(cells, "cells")
    most = whole_number(most, "most", low=1)
    if not real_number(radius, "radius") >= 0.0:
        raise InputError(f"radius is {shown(radius)}; give 0 or more metres")
    test = sight_test(sees, cells.mesh)
    place = point_xyz(last_xyz, "last_xyz")
    require_choice(over, "over", ("faces", "cells"))
    start_cell = int(cells_near(cells, place, 2.0, "last_xyz")[0])
    if over == "cells":
        nodes = _CellNodes(cells)
        first = start_cell
    else:
        nodes = _FaceNodes(cells)
        first = nodes.under(cells, start_cell)
    return _grow(nodes, first, most, test, place, radius)


class _CellNodes:
    """Cells and their open links."""

    def __init__(self, cells: MeshedLayout):
        self._arrays = cells.arrays
        self.xyz: Floats = cells.arrays.cell_xyz.astype(np.float64)

    def neighbours(self, node: int) -> Array:
        arrays = self._arrays
        link = np.arange(int(arrays.link_start[node]), int(arrays.link_start[node + 1]))
        other = arrays.link_cell[link].astype(np.int64)
        barred = arrays.blocked[link >> 3] >> (link & 7) | arrays.disabled[other >> 3] >> (other & 7)
        return other[barred & 1 == 0]


class _FaceNodes(_CellNodes):
    """Faces of the mesh and their portals."""

    def __init__(self, cells: MeshedLayout):
        mesh = cells.mesh.arrays
        self._mesh = mesh
        count = len(mesh.face_start)
        corners_of = mesh.face_count.astype(np.int64)
        corner = np.repeat(np.arange(count), corners_of)
        first = np.repeat(mesh.face_start.astype(np.int64), corners_of)
        step = np.arange(len(corner)) - np.repeat(np.cumsum(corners_of) - corners_of, corners_of)
        corners = mesh.vertex_xyz[mesh.face_vertex[first + step]]
        self.xyz = np.zeros((count, 3))
        np.add.at(self.xyz, corner, corners)
        self.xyz /= np.maximum(corners_of, 1)[:, None]

    def under(self, cells: MeshedLayout, cell: int) -> int:
        """Return the face under a cell; for a face that was cut, the nearest of the faces that replace it."""
        frozen: Any = getattr(cells, "layout", cells)
        face = int(frozen.cell_face[cell])
        if not self._mesh.face_cut[face]:
            return face
        children = np.arange(self._mesh.child_count[face]) + int(self._mesh.child_start[face])
        away = np.linalg.norm(self.xyz[children] - cells.arrays.cell_xyz[cell], axis=1)
        return int(children[np.argmin(away)])

    def neighbours(self, node: int) -> Array:
        start = int(self._mesh.link_start[node])
        return np.unique(self._mesh.link_face[start : start + int(self._mesh.link_count[node])].astype(np.int64))


def _grow(nodes: _CellNodes, first: int, most: int, sees: Sees, place: Floats, radius: float) -> SearchGraph:
    point_node, previous = [first], [NOWHERE]
    number_of = {first: 0}
    seen_from = np.full(len(nodes.xyz), NOWHERE, np.int32)
    seen_from[first] = 0
    ring, whole = [first], True

    def new_point(node: int, before: int) -> int:
        if node not in number_of:
            if len(point_node) == most:
                return NOWHERE
            number_of[node] = len(point_node)
            point_node.append(node)
            previous.append(before)
        return number_of[node]

    while ring:
        parents: list[int] = []
        children: list[int] = []
        for parent in ring:
            for child in nodes.neighbours(parent).tolist():
                if seen_from[child] == NOWHERE and np.linalg.norm(nodes.xyz[child] - place) <= radius:
                    seen_from[child] = -2 - len(children)
                    parents.append(parent)
                    children.append(child)
        current = seen_from[parents]
        seen = _sees(nodes, sees, [point_node[point] for point in current], children)
        from_parent = _sees(nodes, sees, parents, children)
        ring = []
        for child, parent, point, visible, near in zip(children, parents, current.tolist(), seen, from_parent):
            if not visible:
                point = new_point(parent, point)
                if point != NOWHERE and not near:
                    point = new_point(child, point)
            seen_from[child] = point
            if point == NOWHERE:
                whole = False
            else:
                ring.append(child)
    return SearchGraph(
        points_xyz=read_only(nodes.xyz[point_node]),
        node=read_only(np.array(point_node, np.int32)),
        previous=read_only(np.array(previous, np.int32)),
        seen_from=read_only(seen_from),
        whole=whole,
    )


def _sees(nodes: _CellNodes, sees: Sees, eyes: list[int], points: list[int]) -> Array:
    if not points:
        return np.zeros(0, np.bool_)
    return sees(nodes.xyz[eyes], nodes.xyz[points])
