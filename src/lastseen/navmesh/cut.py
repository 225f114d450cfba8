"""Cuts: a mesh from which doors, crates and moving walls take pieces, and give them back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
import shapely

from ..checks import finite_number, frozen
from ..checks import outline_xy as simple_outline
from ..conventions import Array, Floats, Ids
from ..errors import InputError, QueryError
from ..kernels.corner import faces_about_links, mark_walls
from ..kernels.mesh_arrays import MeshArrays
from .agent import Agent
from .drawable import LIMIT
from .growing import GrowingMesh
from .inset import ARC_SEGMENTS
from .navmesh import NavMesh
from .relink import links_of_pieces
from .remainder import Remainder, blocked_part, face_shapes, remainders

__all__ = ["Cut", "CutMesh"]

MARGIN = 1e-4
"""Metres around a changed face within which portal ends may touch it."""

_Standing = dict[int, dict[int, shapely.Geometry]]
"""By base face and number of the cut: which part of its footprint is in the way there."""


@dataclass(frozen=True, eq=False)
class Cut:
    """Something that stands in the way until it is lifted.

    Attributes
    ----------
    outline_xy : (n, 2) float64, footprint as given, metres.
    z_low, z_high : metres, from where to where it is in the way.
    inflate : metres by which the footprint was grown before cutting.
    faces : (m,) int32, base faces it takes something from, ascending.
    number : counts the cuts of a mesh, from 0.
    """

    outline_xy: Floats
    z_low: float
    z_high: float
    inflate: float
    faces: Ids
    number: int


class CutMesh:
    """A navmesh under cuts; every query takes it in place of a `NavMesh`.

    Making one copies the mesh's arrays. A cut costs by the faces it touches and their neighbours; when it is lifted,
    those are as before. With no cut left, all arrays equal the base's to the last bit.
    One writer: do not cut or lift while another thread asks.
    """

    def __init__(self, base: NavMesh) -> None:
        if not isinstance(base, NavMesh):
            raise InputError(f"CutMesh needs a NavMesh to cut, got {type(base).__name__}; give its `.base`")
        self._base = base
        self._growing = GrowingMesh(base.arrays)
        self._cuts: dict[int, Cut] = {}
        self._standing: _Standing = {}
        self._cut_open: dict[int, Remainder] = {}
        self._next = 0

    @property
    def base(self) -> NavMesh:
        """The mesh without cuts."""
        return self._base

    @property
    def arrays(self) -> MeshArrays:
        """Every array a mesh query touches, as of now; ask again after a cut or a lift."""
        return self._growing.view

    @property
    def agent(self) -> Agent:
        """The body the mesh was made for."""
        return self._base.agent

    @property
    def face_component(self) -> Ids:
        """(F,) int32 by base face, without cuts: faces with different numbers never reach one another."""
        return self._base.face_component

    @property
    def cuts(self) -> tuple[Cut, ...]:
        """The cuts in force, oldest first."""
        return tuple(self._cuts.values())

    def cut(self, outline_xy: Any, z_low: float, z_high: float, *, inflate: float | None = None) -> Cut:
        """Take a footprint out of every floor on which a body would stand in it.

        Parameters
        ----------
        outline_xy : (n, 2) simple polygon in metres, either way round.
        z_low, z_high : metres. A body on a floor is in the way from the floor up to `agent.height` above it.
        inflate : metres to grow the footprint by. None: the agent's radius, as the mesh keeps it from walls.
            0: where a body's middle may not be, exactly.
        """
        corners = _checked_outline(outline_xy)
        low = finite_number(z_low, "z_low", unit="m", low=-LIMIT, high=LIMIT)
        high = finite_number(z_high, "z_high", unit="m", low=-LIMIT, high=LIMIT)
        if low >= high:
            raise InputError(f"z_low is {low:g} m and z_high {high:g} m; z_low must be below z_high")
        grow = self.agent.radius
        if inflate is not None:
            grow = finite_number(inflate, "inflate", unit="m", low=0.0, high=LIMIT)
        # All that can fail comes first: until it is done, nothing of this mesh changes.
        with _geometry_errors():
            shape = shapely.Polygon(corners)
            if grow > 0.0:
                shape = shapely.buffer(shape, grow, quad_segs=ARC_SEGMENTS)
            parts = self._parts(shape, low, high)
            cut = Cut(frozen(corners), low, high, grow, frozen(sorted(parts), np.int32), self._next)
            standing = {face: {**self._standing.get(face, {}), cut.number: parts[face]} for face in cut.faces.tolist()}
            opened = self._opened(standing)
        self._next += 1
        self._cuts[cut.number] = cut
        self._update(standing, opened)
        return cut

    def lift(self, cut: Cut) -> None:
        """Give back what a cut took, as far as no other cut takes it."""
        if not isinstance(cut, Cut) or self._cuts.get(cut.number) is not cut:
            raise QueryError(
                f"{cut!r} is not in force on this mesh: it was lifted before or made on another; see `.cuts`"
            )
        standing = {
            face: {number: part for number, part in self._standing[face].items() if number != cut.number}
            for face in cut.faces.tolist()
        }
        with _geometry_errors():
            opened = self._opened(standing)
        del self._cuts[cut.number]
        self._update(standing, opened)

    def _parts(self, shape: shapely.Geometry, low: float, high: float) -> dict[int, shapely.Geometry]:
        """Return by base face which part of a footprint is in the way there."""
        faces = self._faces_near(shape.bounds)
        shapes = face_shapes(self._base, faces)
        parts = {}
        for face, face_shape in zip(faces.tolist(), shapes):
            part = blocked_part(self._base, face, face_shape, shape, low, high)
            if part is not None:
                parts[face] = part
        return parts

    def _faces_near(self, bounds: tuple[float, float, float, float]) -> Array:
        mesh = self._base.arrays
        shape = mesh.grid_shape.astype(np.int64)
        first, last = (
            np.floor((np.array(corner) - mesh.grid_origin) / mesh.grid_size[0]) for corner in (bounds[:2], bounds[2:])
        )
        if (last < 0).any() or (first >= shape).any():
            return np.zeros(0, np.int64)
        (left, bottom), (right, top) = (np.clip(corner, 0, shape - 1).astype(np.int64) for corner in (first, last))
        rows = [
            mesh.bucket_face[mesh.bucket_start[row * shape[0] + left] : mesh.bucket_start[row * shape[0] + right + 1]]
            for row in range(bottom, top + 1)
        ]
        return np.unique(np.concatenate(rows)).astype(np.int64)

    def _opened(self, standing: _Standing) -> dict[int, Remainder]:
        """Return what is left of faces under what stands on them; faces on which nothing stands are left out."""
        blocked = {face: shapely.union_all(list(parts.values())) for face, parts in standing.items() if parts}
        return remainders(self._base, blocked) if blocked else {}

    def _update(self, standing: _Standing, opened: dict[int, Remainder]) -> None:
        """Bring everything in line with what stands on the changed faces."""
        growing, changed = self._growing, sorted(standing)
        for face in changed:
            self._standing.pop(face, None)
            self._cut_open.pop(face, None)
            if standing[face]:
                self._standing[face] = standing[face]
        self._cut_open.update(opened)
        if growing.is_wasteful or not self._cuts:
            changed = sorted({*changed, *self._cut_open})
            for face in self._with_neighbours(changed):
                growing.restore_face(face)
            growing.forget()
        for face in changed:
            if face in self._cut_open:
                growing.replace_face(face, self._cut_open[face].corner_xyz, self._cut_open[face].start)
            else:
                growing.restore_face(face)
        owners, links = self._relink(changed)
        self._mark_walls(changed, owners, links)

    def _with_neighbours(self, faces: Iterable[int]) -> list[int]:
        mesh = self._base.arrays
        found = set(faces)
        for face in list(found):
            first = int(mesh.link_start[face])
            found.update(mesh.link_face[first : first + int(mesh.link_count[face])].tolist())
        return sorted(found)

    def _relink(self, changed: list[int]) -> tuple[list[int], list[int]]:
        """Write the links of faces and their neighbours anew; return the face each new link leaves, and its row."""
        growing = self._growing
        among = set(changed)
        owners: list[int] = []
        links: list[int] = []
        for face in self._with_neighbours(changed):
            if self._cut_open.keys().isdisjoint(self._with_neighbours([face])):
                growing.restore_links(face)
                continue
            pieces, rows = growing.write_links(links_of_pieces(growing, self._cut_open, face, among))
            owners += pieces
            links += rows
        return owners, links

    def _mark_walls(self, changed: list[int], owners: list[int], links: list[int]) -> None:
        """Find anew which portal ends touch walls: of new links, and of old ones that end near changed faces."""
        growing = self._growing
        wall, inherited = growing.parts["link_wall"], growing.inherited
        sharing = sorted(set(self._about(changed)[0].tolist()) - set(changed))
        about, leaving = self._about(sharing)
        near_cut = set(leaving[growing.parts["face_cut"].room[about] > 0].tolist())
        new = set(links)
        box = self._box(changed) if sharing else np.zeros((2, 2))
        for face in sharing:
            leaves, rows = growing.links_near(face, box)
            wall.room[rows] = inherited.room[rows]
            if face in near_cut:
                old = [k for k, row in enumerate(rows.tolist()) if row not in new]
                owners = owners + leaves[old].tolist()
                links = links + rows[old].tolist()
        mark_walls(growing.view, wall.room, np.array(owners, np.int64), np.array(links, np.int64))

    def _box(self, faces: list[int]) -> Floats:
        """Return the corners (2, 2) of the box around base faces, with a margin."""
        corners = np.concatenate([self._base.face_xyz(face)[:, :2] for face in faces])
        return np.stack([corners.min(axis=0) - MARGIN, corners.max(axis=0) + MARGIN])

    def _about(self, faces: list[int]) -> tuple[Array, Array]:
        """Return the base faces about both ends of all links of some, and for each the face those links leave."""
        base = self._base.arrays
        count = base.link_count[faces].astype(np.int64)
        leaving = np.repeat(np.array(faces, np.int64), count)
        within = np.arange(len(leaving)) - np.repeat(np.cumsum(count) - count, count)
        links = np.repeat(base.link_start[faces].astype(np.int64), count) + within
        about, left = faces_about_links(base, leaving, links)
        return about, left


@contextmanager
def _geometry_errors() -> Iterator[None]:
    """Give a failure of the geometry library a name of our own."""
    try:
        yield
    except shapely.errors.GEOSException as error:
        raise QueryError(
            f"what is left of the floor cannot be computed ({error}); nothing was changed: move the outline a little "
            "or give it fewer corners"
        ) from error


def _checked_outline(values: Any) -> Floats:
    outline = simple_outline(values)
    if np.abs(outline).max() > LIMIT:
        worst = outline[np.abs(outline).max(axis=1).argmax()]
        raise InputError(f"outline has a corner at {worst.tolist()}; coordinates may be at most {LIMIT:g} m")
    shape = shapely.Polygon(outline)
    if not shape.is_valid:
        raise InputError(
            f"outline does not bound one area: {shapely.is_valid_reason(shape)}; list its corners in order"
        )
    if shape.area == 0.0:
        raise InputError("outline has no area; give at least three corners that are not in one line")
    return outline
