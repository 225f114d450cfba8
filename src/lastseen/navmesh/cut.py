"""Cut doors, crates and moving walls out of a mesh at run time, and restore the floor when they are gone."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from math import floor
from typing import Any

import numpy as np
import shapely

from ..checks import expect, finite_number, frozen
from ..checks import outline_xy as simple_outline
from ..compilation.preparation import prepare
from ..conventions import Array, Floats, Ids
from ..errors import InputError, QueryError
from ..kernels.arrays.level_arrays import MeshArrays
from ..kernels.mesh.corner import faces_about_links, mark_walls
from ..kernels.mesh.cut_links import ROW, links_of_pieces
from .body import Body
from .growing_mesh import GrowingMesh, ranges
from .inset import ARC_SEGMENTS
from .navmesh import LIMIT, NavMesh
from .platforms import Gap
from .remainder import CLOSE, Children, Part, Standing, blocked_parts, convex_ring, remainders

MARGIN = 1e-4
"""Distance in metres within which a portal's end may touch a changed face."""

_KERNELS = (
    "mesh.cut_children.convex_children",
    "mesh.cut_outline.rings_left",
    "mesh.cut_links.links_of_pieces",
    "mesh.corner.faces_about_links",
    "mesh.corner.mark_walls",
    "mesh.point_location.faces_under",
    "mesh.point_location.nearest_on_mesh",
    "walk.raycast.cast_rays",
    "walk.path_trace.find_ways",
    "walk.path_corridor.find_other_ways",
    "walk.reachability.pairs_meet",
)
"""Kernels that cuts, lifts and queries call."""

ROWS = 1024
"""Initial room for links while they are computed."""

CHANGED, RESTORED, NEAR_CUT = 1, 2, 4
"""Bits that mark base faces while their links are rewritten."""


@dataclass(frozen=True, eq=False)
class Cut:
    """An obstacle cut out of a mesh until it is lifted.

    Attributes
    ----------
    outline_xy : (n, 2) float64, footprint as given, metres.
    z_low, z_high : vertical extent, metres.
    inflate : metres by which the footprint was grown before cutting.
    faces : (m,) int32, base faces it removes something from, ascending.
    number : number of the cut in its mesh, from 0.
    """

    outline_xy: Floats
    z_low: float
    z_high: float
    inflate: float
    faces: Ids
    number: int


class CutMesh:
    """A navmesh under cuts; every query accepts it in place of a `NavMesh`.

    Creating one copies the mesh's arrays. A cut takes time proportional to the faces it touches and their neighbours;
    lifting it restores them. Once the last cut is lifted, all arrays equal those of the base to the last bit.
    Single writer: do not cut or lift while another thread runs queries.
    """

    def __init__(self, base: NavMesh) -> None:
        self._base = expect(base, NavMesh, "base")
        self._growing = GrowingMesh(base.arrays)
        self._cuts: dict[int, Cut] = {}
        self._standing: dict[int, Standing] = {}
        self._shapes = np.full(base.face_count, None, dtype=object)
        self._box = _boxes(base.arrays)
        self._marks = np.zeros(base.face_count, np.uint8)
        self._rows = np.empty((ROWS, ROW))
        self._next = 0
        prepare(*_KERNELS)

    @property
    def base(self) -> NavMesh:
        """The mesh without cuts."""
        return self._base

    @property
    def arrays(self) -> MeshArrays:
        """All arrays mesh queries use; fetch them again after every cut or lift."""
        return self._growing.view

    @property
    def body(self) -> Body:
        """The body the mesh was built for."""
        return self._base.body

    @property
    def face_component(self) -> Ids:
        """(F,) int32 by base face, ignoring cuts: faces with different numbers never reach one another."""
        return self._base.face_component

    @property
    def cuts(self) -> tuple[Cut, ...]:
        """The cuts in force, oldest first."""
        return tuple(self._cuts.values())

    def cut(self, outline_xy: Any, z_low: float, z_high: float, *, inflate: float | None = None) -> Cut:
        """Remove a footprint from every floor on which a body would collide with it.

        Parameters
        ----------
        outline_xy : (n, 2) simple polygon in metres, in either orientation.
        z_low, z_high : vertical extent in metres. A body occupies a floor's height up to `body.height` above it.
        inflate : metres to grow the footprint by. None: the body's radius, the distance the mesh keeps from walls.
            0: the footprint itself is where a body's centre may not be.
        """
        corners, shape = _checked_outline(outline_xy)
        low = finite_number(z_low, "z_low", unit="m", low=-LIMIT, high=LIMIT)
        high = finite_number(z_high, "z_high", unit="m", low=-LIMIT, high=LIMIT)
        if low >= high:
            raise InputError(f"z_low is {low:g} m and z_high {high:g} m; z_low must be below z_high")
        grow = self.body.radius
        if inflate is not None:
            grow = finite_number(inflate, "inflate", unit="m", low=0.0, high=LIMIT)
        # Everything that can fail comes first, so that a failed call changes nothing.
        with _geometry_errors():
            if grow > 0.0:
                shape = shapely.buffer(shape, grow, quad_segs=ARC_SEGMENTS)
            faces = self._faces_near(shape.bounds)
            faces, parts = blocked_parts(
                self._base.arrays, faces, self._shapes_of(faces), shape, low - self.body.height, high
            )
        return self._add(corners, low, high, grow, faces, parts)

    def cut_gap(self, gap: Gap) -> Cut:
        """Remove the floor that is missing while platforms are absent; see `Site.gap`."""
        with _geometry_errors():
            near = self._faces_near(gap.bounds)
            faces, parts = gap.parts(self._base.arrays, near, self._shapes_of(near))
        left, bottom, right, top = gap.bounds
        corners = np.array([(left, bottom), (right, bottom), (right, top), (left, top)])
        return self._add(corners, gap.z_low, gap.z_high, 0.0, faces, parts)

    def _add(self, corners: Floats, low: float, high: float, grow: float, faces: Array, parts: Array) -> Cut:
        """Add a cut that removes a part of each of some faces."""
        with _geometry_errors():
            cut = Cut(frozen(corners), low, high, grow, frozen(faces, np.int32), self._next)
            standing = self._with(faces, cut.number, parts)
            opened = self._opened(faces, standing)
        self._next += 1
        self._cuts[cut.number] = cut
        self._update(faces, standing, *opened)
        return cut

    def lift(self, cut: Cut) -> None:
        """Restore what a cut removed, except where other cuts overlap it."""
        if not isinstance(cut, Cut) or self._cuts.get(cut.number) is not cut:
            raise QueryError(
                f"{cut!r} is not in force on this mesh: it was already lifted, or belongs to another; see `.cuts`"
            )
        faces = cut.faces.astype(np.int64)
        standing = [
            tuple(part for part in self._standing[face] if part.number != cut.number) for face in faces.tolist()
        ]
        with _geometry_errors():
            opened = self._opened(faces, standing)
        del self._cuts[cut.number]
        self._update(faces, standing, *opened)

    def _faces_near(self, bounds: tuple[float, float, float, float]) -> Array:
        """Return the base faces whose bounding boxes meet a box, ascending."""
        mesh = self._base.arrays
        (x, y), size, (wide, high) = mesh.grid_origin.tolist(), float(mesh.grid_size[0]), mesh.grid_shape.tolist()
        left, bottom = (floor((low - at) / size) for low, at in zip(bounds[:2], (x, y)))
        right, top = (floor((up - at) / size) for up, at in zip(bounds[2:], (x, y)))
        if right < 0 or top < 0 or left >= wide or bottom >= high:
            return np.zeros(0, np.int64)
        left, right = max(left, 0), min(right, wide - 1)
        rows = [
            mesh.bucket_face[mesh.bucket_start[row * wide + left] : mesh.bucket_start[row * wide + right + 1]]
            for row in range(max(bottom, 0), min(top, high - 1) + 1)
        ]
        box = np.array(bounds).reshape(2, 2)
        faces = np.concatenate(rows)
        meet = (self._box[faces, 0] <= box[1]) & (self._box[faces, 1] >= box[0])
        return np.unique(faces[meet.all(axis=1)]).astype(np.int64)

    def _shapes_of(self, faces: Array) -> Array:
        """Return base faces as polygons seen from above; each is created once."""
        for face in faces[self._shapes[faces] == None].tolist():  # noqa: E711 - compares entry by entry
            self._shapes[face] = shapely.Polygon(self._base.face_xyz(face)[:, :2])
        return self._shapes[faces]

    def _with(self, faces: Array, number: int, parts: Array) -> list[Standing]:
        """Return the parts of cuts on some faces, with a part of a new cut added to each."""
        # Most parts are the whole footprint, whose ring is computed once.
        distinct = {id(part): part for part in parts.tolist()}
        known = {key: Part(number, part, convex_ring(part)) for key, part in distinct.items()}
        return [(*self._standing.get(face, ()), known[id(part)]) for face, part in zip(faces.tolist(), parts.tolist())]

    def _opened(self, faces: Array, standing: list[Standing]) -> tuple[Array, Children | None]:
        """Return the faces on which cuts stand, and what is left of them."""
        faces = faces[[len(parts) > 0 for parts in standing]]
        standing = [parts for parts in standing if parts]
        return faces, remainders(self._base.arrays, faces, self._shapes_of(faces), standing) if standing else None

    def _update(self, changed: Array, standing: list[Standing], opened: Array, children: Children | None) -> None:
        """Update arrays and links to match the parts of cuts on the changed faces."""
        for face, parts in zip(changed.tolist(), standing):
            if parts:
                self._standing[face] = parts
            else:
                self._standing.pop(face, None)
        if len(changed):
            self._growing.make_whole(changed)
            if children is not None:
                self._growing.replace_faces(opened, children)
            self._mark_walls(changed, *self._relink(changed))
        if not self._cuts:
            self._growing.forget()

    def _relink(self, changed: Array) -> tuple[Array, Array]:
        """Rewrite the links of faces and their neighbours; return the new links and the restored base faces."""
        growing, base = self._growing, self._base.arrays
        links = ranges(base.link_start[changed].astype(np.int64), base.link_count[changed].astype(np.int64))
        faces = np.unique(np.concatenate([changed, base.link_face[links]])).astype(np.int64)
        own, behind = (base.link_start, base.link_count, base.link_wall), len(base.face_vertex)
        whole = np.empty(len(faces), np.uint8)
        pieces = np.empty(len(faces) + int(growing.room["child_count"][faces].sum()), np.int64)
        self._marks[changed] = CHANGED
        given = (growing.view, growing.children, *own, behind, faces, self._marks, CLOSE, whole, pieces)
        found, made = links_of_pieces(*given, self._rows)
        if made > len(self._rows):
            self._rows = np.empty((2 * made, ROW))
            found, made = links_of_pieces(*given, self._rows)
        self._marks[changed] = 0
        restored = faces[whole > 0]
        growing.restore_links(restored)
        return growing.write_links(pieces[:found], self._rows[:made]), restored

    def _mark_walls(self, changed: Array, new: Array, restored: Array) -> None:
        """Update which portal ends touch walls: of new and restored links, and of others that end near a change."""
        growing = self._growing
        wall = growing.room["link_wall"]
        region = np.unique(np.concatenate([changed, self._around(changed)[0]]))
        rows, leaves, base_face = growing.links_of(region)
        about, leaving = self._around(region)
        marks = self._marks
        marks[leaving[growing.room["face_cut"][about] > 0]] = NEAR_CUT
        marks[restored] |= RESTORED
        low, high = self._box[changed, 0].min(axis=0) - MARGIN, self._box[changed, 1].max(axis=0) + MARGIN
        x, y = growing.room["link_portal"][rows, :, :2].transpose(2, 0, 1)
        near = (x >= low[0]) & (x <= high[0]) & (y >= low[1]) & (y <= high[1])
        near = near[:, 0] | near[:, 1]
        is_new = np.zeros(len(wall), np.bool_)
        is_new[new] = True
        mark, fresh = marks[base_face], is_new[rows]
        near |= fresh | (mark & RESTORED > 0)
        wall[rows[near]] = growing.inherited[rows[near]]
        marked = fresh | (near & (mark & NEAR_CUT > 0))
        marks[leaving] = 0
        marks[restored] = 0
        mark_walls(growing.view, wall, leaves[marked], rows[marked])

    def _around(self, faces: Array) -> tuple[Array, Array]:
        """Return the base faces around both ends of all links of some faces, and for each the face its links leave."""
        base = self._base.arrays
        count = base.link_count[faces].astype(np.int64)
        links = ranges(base.link_start[faces].astype(np.int64), count)
        return faces_about_links(base, np.repeat(faces, count), links)


@contextmanager
def _geometry_errors() -> Iterator[None]:
    """Turn a failure of the geometry library into a `QueryError`."""
    try:
        yield
    except shapely.errors.GEOSException as error:
        raise QueryError(
            f"the remaining floor cannot be computed ({error}); nothing was changed: move the outline a little "
            "or give it fewer corners"
        ) from error


def _checked_outline(values: Any) -> tuple[Floats, shapely.Polygon]:
    """Return the corners of an outline and the polygon it bounds."""
    outline = simple_outline(values)
    if np.abs(outline).max() > LIMIT:
        worst = outline[np.abs(outline).max(axis=1).argmax()]
        raise InputError(f"outline has a corner at {worst.tolist()}; coordinates may be at most {LIMIT:g} m")
    shape = shapely.Polygon(outline)
    if not shape.is_valid:
        raise InputError(
            f"outline does not enclose a single area: {shapely.is_valid_reason(shape)}; list its corners in order"
        )
    if shape.area == 0.0:
        raise InputError("outline has no area; give at least three corners that are not collinear")
    return outline, shape


def _boxes(mesh: MeshArrays) -> Floats:
    """Return the lowest and the highest corner (F, 2, 2) of the box around each face."""
    corner_xy = mesh.vertex_xyz[mesh.face_vertex, :2]
    first = mesh.face_start.astype(np.int64)
    return np.stack([np.minimum.reduceat(corner_xy, first), np.maximum.reduceat(corner_xy, first)], axis=1)
