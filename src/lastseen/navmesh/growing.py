"""The arrays of a mesh with room at the end: faces and links come and go, the base stays in place."""

from __future__ import annotations

import numpy as np

from ..conventions import Array, Floats
from ..kernels.mesh_arrays import MeshArrays

__all__ = ["GrowingArray", "GrowingMesh", "LinkRow"]

VERTEX = ("vertex_xyz",)
FACE = (
    "face_start",
    "face_count",
    "face_plane",
    "face_parent",
    "face_cut",
    "child_start",
    "child_count",
    "link_start",
    "link_count",
)
CORNER = ("face_vertex",)
LINK = ("link_face", "link_edge", "link_portal", "link_wall")

LinkRow = tuple[int, float, int, Floats, int]
"""Edge, metres along it, face on the other side, portal (2, 3), wall bits."""


class GrowingArray:
    """An array that grows at its end, at constant cost per row."""

    def __init__(self, base: Array) -> None:
        self.room = base.copy()
        self.size = self.base_size = len(base)

    def extend(self, rows: Array) -> int:
        """Append rows; return the index of the first."""
        first, self.size = self.size, self.size + len(rows)
        if self.size > len(self.room):
            larger = np.empty((max(2 * len(self.room), self.size), *self.room.shape[1:]), self.room.dtype)
            larger[:first] = self.room[:first]
            self.room = larger
        self.room[first : self.size] = rows
        return first

    @property
    def view(self) -> Array:
        """The rows in use, read-only."""
        rows = self.room[: self.size]
        rows.setflags(write=False)
        return rows


class GrowingMesh:
    """A mesh whose faces can be replaced by children appended behind the base's, and whose links can be rewritten.

    `inherited` holds for each link the wall bits it has without any cut.
    """

    def __init__(self, base: MeshArrays) -> None:
        self.base = base
        self.base_faces, self.base_links = len(base.face_start), len(base.link_face)
        self.parts = {name: GrowingArray(getattr(base, name)) for name in (*VERTEX, *FACE, *CORNER, *LINK)}
        self.inherited = GrowingArray(base.link_wall)
        self.dead_faces = self.dead_links = 0
        self._view: MeshArrays | None = None

    @property
    def view(self) -> MeshArrays:
        """The mesh as kernels see it now."""
        if self._view is None:
            self._view = self.base._replace(**{name: part.view for name, part in self.parts.items()})
        return self._view

    @property
    def is_wasteful(self) -> bool:
        """Whether most of what was appended is out of use."""
        faces = self.parts["face_start"].size - self.base_faces
        links = self.parts["link_face"].size - self.base_links
        return self.dead_faces * 4 > 3 * faces + 64 or self.dead_links * 4 > 3 * links + 64

    def forget(self) -> None:
        """Drop all that was appended."""
        for part in (*self.parts.values(), self.inherited):
            part.size = part.base_size
        self.dead_faces = self.dead_links = 0
        self._view = None

    def restore_face(self, face: int) -> None:
        """Make a base face whole again."""
        self._bury_children(face)
        for name in ("face_cut", "child_start", "child_count"):
            self.parts[name].room[face] = 0
        self.restore_links(face)

    def replace_face(self, face: int, corner_xyz: Floats, start: Array) -> None:
        """Replace a base face by children: child `i` has corners `corner_xyz[start[i]:start[i + 1]]`."""
        self._bury_children(face)
        self._drop_links(face)
        count = len(start) - 1
        first_vertex = self.parts["vertex_xyz"].extend(corner_xyz)
        first_corner = self.parts["face_vertex"].extend(first_vertex + np.arange(len(corner_xyz)))
        rows = {
            "face_start": first_corner + start[:-1],
            "face_count": np.diff(start),
            "face_plane": np.repeat(self.base.face_plane[face][None, :], count, axis=0),
            "face_parent": np.full(count, face),
        }
        first = self.parts["face_start"].size
        for name in FACE:
            self.parts[name].extend(rows.get(name, np.zeros(count, np.uint32)))
        self.parts["face_cut"].room[face] = 1
        self.parts["child_start"].room[face] = first
        self.parts["child_count"].room[face] = count
        self.parts["link_start"].room[face] = self.parts["link_count"].room[face] = 0
        self._view = None

    def pieces(self, face: int) -> range:
        """Return the faces that stand for a base face: itself, or its children."""
        if not self.parts["face_cut"].room[face]:
            return range(face, face + 1)
        first = int(self.parts["child_start"].room[face])
        return range(first, first + int(self.parts["child_count"].room[face]))

    def links_of(self, piece: int) -> range:
        """Return the rows of a face's links."""
        first = int(self.parts["link_start"].room[piece])
        return range(first, first + int(self.parts["link_count"].room[piece]))

    def write_links(self, links: dict[int, list[LinkRow]]) -> tuple[list[int], range]:
        """Give faces new links; return for each row the face it leaves, and the rows."""
        rows: list[LinkRow] = []
        owners: list[int] = []
        first = self.parts["link_face"].size
        for piece, own in links.items():
            self._drop_links(piece)
            self.parts["link_start"].room[piece] = first + len(rows)
            self.parts["link_count"].room[piece] = len(own)
            rows += sorted(own, key=lambda row: row[:3])
            owners += [piece] * len(own)
        self.parts["link_face"].extend(np.array([row[2] for row in rows], np.uint32))
        self.parts["link_edge"].extend(np.array([row[0] for row in rows], np.uint32))
        self.parts["link_portal"].extend(np.array([row[3] for row in rows]).reshape(len(rows), 2, 3))
        for part in (self.parts["link_wall"], self.inherited):
            part.extend(np.array([row[4] for row in rows], np.uint8))
        self._view = None
        return owners, range(first, first + len(rows))

    def links_near(self, face: int, box: Floats) -> tuple[Array, Array]:
        """Return for all links of a base face's pieces that have an end in a box the piece they leave, and their rows.

        `box` (2, 2): lowest and highest corner.
        """
        pieces = np.array(self.pieces(face), np.int64)
        start, count = (self.parts[name].room[pieces].astype(np.int64) for name in ("link_start", "link_count"))
        leaves = np.repeat(pieces, count)
        rows = np.arange(len(leaves)) + np.repeat(start - np.cumsum(count) + count, count)
        ends = self.parts["link_portal"].room[rows][:, :, :2]
        near = ((ends >= box[0]) & (ends <= box[1])).all(axis=2).any(axis=1)
        return leaves[near], rows[near]

    def restore_links(self, face: int) -> None:
        """Give a base face its own links back."""
        self._drop_links(face)
        self.parts["link_start"].room[face] = self.base.link_start[face]
        self.parts["link_count"].room[face] = self.base.link_count[face]
        self._view = None

    def _drop_links(self, piece: int) -> None:
        if self.parts["link_start"].room[piece] >= self.base_links:
            self.dead_links += int(self.parts["link_count"].room[piece])

    def _bury_children(self, face: int) -> None:
        if self.parts["face_cut"].room[face]:
            pieces = self.pieces(face)
            self.dead_faces += len(pieces)
            for piece in pieces:
                self._drop_links(piece)
