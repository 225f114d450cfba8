"""The arrays of a mesh with spare room at the end: faces and links come and go, the base stays in place."""

from __future__ import annotations

import numpy as np

from ..conventions import Array
from ..kernels.arrays.level_arrays import MeshArrays
from ..kernels.mesh.cut_links import ChildArrays
from .remainder import Children

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

RESERVE = 65536
"""Fewest spare rows of each array. Rows that were never written take address space but no memory, and a game that needs
no more never waits for an array to be copied."""


def ranges(start: Array, count: Array) -> Array:
    """Return the numbers `start[i] … start[i] + count[i] - 1` of all `i`, concatenated."""
    ends = np.cumsum(count)
    return np.arange(ends[-1] if len(ends) else 0) + np.repeat(start - ends + count, count)


class Rows:
    """An allocator of rows after those of the base, in blocks of a power of two, reused once they are released.

    Storage never needs compaction: it is as large as the most blocks of each size in use at once.
    """

    def __init__(self, base: int) -> None:
        self.base = self.size = base
        self._free: dict[int, list[int]] = {}

    def take(self, counts: Array) -> Array:
        """Reserve `counts` rows, block by block, and return the first row of each block."""
        firsts = []
        for count in counts.tolist():
            power = (count - 1).bit_length()
            if count == 0:
                firsts.append(0)
            elif free := self._free.get(power):
                firsts.append(free.pop())
            else:
                firsts.append(self.size)
                self.size += 1 << power
        return np.array(firsts, np.int64)

    def release(self, firsts: Array, counts: Array) -> None:
        """Release blocks that `take` returned; rows of the base are ignored."""
        free = self._free
        for first, count in zip(firsts.tolist(), counts.tolist()):
            if count and first >= self.base:
                free.setdefault((count - 1).bit_length(), []).append(first)

    def clear(self) -> None:
        """Release all blocks."""
        self.size = self.base
        self._free = {}


class GrowingMesh:
    """A mesh whose faces can be replaced by children stored after those of the base, and whose links can be rewritten.

    `inherited` holds the wall bits each link has regardless of changes to other faces.
    """

    def __init__(self, base: MeshArrays) -> None:
        self.base = base
        self.faces, self.corners, self.links, self.stretches = (
            Rows(len(rows)) for rows in (base.face_start, base.face_vertex, base.link_face, ())
        )
        self._vertices = len(base.vertex_xyz) - len(base.face_vertex)
        self.room = {name: _with_room(getattr(base, name)) for name in (*VERTEX, *FACE, *CORNER, *LINK)}
        self.inherited = _with_room(base.link_wall)
        none, faces = np.zeros(0, np.int32), len(base.face_start)
        self.children = ChildArrays(
            across=_with_room(none),
            wall=_with_room(none.astype(np.uint8)),
            held_start=np.zeros(faces, np.int64),
            held_count=np.zeros(faces, np.int64),
            stretch=_with_room(np.zeros((0, 3), np.int32)),
            span=_with_room(np.zeros((0, 2))),
        )
        self._view: MeshArrays | None = None

    @property
    def view(self) -> MeshArrays:
        """The current mesh, as kernels take it."""
        if self._view is None:
            views = {name: self.room[name][:size] for name, size in self._sizes().items()}
            for view in views.values():
                view.setflags(write=False)
            self._view = self.base._replace(**views)
        return self._view

    def forget(self) -> None:
        """Release everything stored after the base; no face may be cut."""
        for rows in (self.faces, self.corners, self.links, self.stretches):
            rows.clear()
        self._view = None

    def make_whole(self, faces: Array) -> None:
        """Remove the children of base faces and everything stored about them."""
        room, known = self.room, self.children
        cut = faces[room["face_cut"][faces] > 0]
        first, count = room["child_start"][cut].astype(np.int64), room["child_count"][cut].astype(np.int64)
        own = ranges(first, count)
        self._drop_links(own)
        # The corners of all children of a face are contiguous.
        filled = count > 0
        begin = np.cumsum(count[filled]) - count[filled]
        corners = room["face_count"][own].astype(np.int64)
        self.corners.release(
            room["face_start"][first[filled]], np.add.reduceat(corners, begin) if len(begin) else begin
        )
        self.faces.release(first, count)
        self.stretches.release(known.held_start[cut], known.held_count[cut])
        for name in ("face_cut", "child_start", "child_count"):
            room[name][faces] = 0
        known.held_count[faces] = 0
        self._view = None

    def replace_faces(self, faces: Array, children: Children) -> None:
        """Replace uncut base faces by their children."""
        corners = children.start[children.kids]
        counts = np.diff(children.kids), np.diff(corners), np.diff(children.held)
        first, corner, held = (rows.take(own) for rows, own in zip((self.faces, self.corners, self.stretches), counts))
        self._make_room()
        room, known = self.room, self.children
        to = ranges(first, counts[0])
        room["face_start"][to] = children.start[:-1] + np.repeat(corner - corners[:-1], counts[0])
        room["face_count"][to] = np.diff(children.start)
        room["face_parent"][to] = np.repeat(faces, counts[0])
        room["face_plane"][to] = np.repeat(self.base.face_plane[faces], counts[0], axis=0)
        for name in ("face_cut", "child_start", "child_count", "link_start", "link_count"):
            room[name][to] = 0
        to = ranges(corner, counts[1])
        room["face_vertex"][to] = self._vertices + to
        room["vertex_xyz"][self._vertices + to] = children.corner_xyz
        known.across[to - self.corners.base] = children.across
        known.wall[to - self.corners.base] = children.wall
        to = ranges(held, counts[2])
        known.stretch[to], known.span[to] = children.stretch, children.span
        known.held_start[faces], known.held_count[faces] = held, counts[2]
        self._drop_links(faces)
        room["face_cut"][faces] = 1
        room["child_start"][faces], room["child_count"][faces] = first, counts[0]
        room["link_start"][faces] = room["link_count"][faces] = 0
        self._view = None

    def write_links(self, pieces: Array, rows: Array) -> Array:
        """Replace the links of faces by `rows` of `links_of_pieces`; return the row of each link, sorted by face."""
        room = self.room
        self._drop_links(pieces)
        pieces = np.sort(pieces)
        rows = rows[np.lexsort((rows[:, 3], rows[:, 2], rows[:, 1], rows[:, 0]))]
        count = np.diff(np.searchsorted(rows[:, 0], np.append(pieces, np.inf)))
        start = self.links.take(count)
        self._make_room()
        room["link_start"][pieces], room["link_count"][pieces] = start, count
        to = ranges(start, count)
        room["link_face"][to], room["link_edge"][to] = rows[:, 3], rows[:, 1]
        room["link_portal"][to] = rows[:, 5:].reshape(-1, 2, 3)
        room["link_wall"][to] = self.inherited[to] = rows[:, 4]
        self._view = None
        return to

    def restore_links(self, faces: Array) -> None:
        """Restore the original links of base faces."""
        self._drop_links(faces)
        for name in ("link_start", "link_count"):
            self.room[name][faces] = getattr(self.base, name)[faces]
        self._view = None

    def links_of(self, faces: Array) -> tuple[Array, Array, Array]:
        """Return the links of all pieces of base faces: their rows, the piece and the base face each leaves."""
        room = self.room
        cut = room["face_cut"][faces] > 0
        first = np.where(cut, room["child_start"][faces], faces).astype(np.int64)
        pieces_each = np.where(cut, room["child_count"][faces], 1).astype(np.int64)
        pieces = ranges(first, pieces_each)
        count = room["link_count"][pieces].astype(np.int64)
        rows = ranges(room["link_start"][pieces].astype(np.int64), count)
        leaves = np.repeat(pieces, count)
        return rows, leaves, room["face_parent"][leaves].astype(np.int64)

    def _drop_links(self, pieces: Array) -> None:
        self.links.release(self.room["link_start"][pieces], self.room["link_count"][pieces])

    def _sizes(self) -> dict[str, int]:
        """Return the number of rows of each array that are or were in use."""
        return {
            **dict.fromkeys(VERTEX, self._vertices + self.corners.size),
            **dict.fromkeys(FACE, self.faces.size),
            **dict.fromkeys(CORNER, self.corners.size),
            **dict.fromkeys(LINK, self.links.size),
        }

    def _make_room(self) -> None:
        """Enlarge arrays that are too short for the reserved rows."""
        behind = self.corners.size - self.corners.base
        for name, size in self._sizes().items():
            self.room[name] = _longer(self.room[name], size)
        self.inherited = _longer(self.inherited, self.links.size)
        known = self.children
        self.children = known._replace(
            across=_longer(known.across, behind),
            wall=_longer(known.wall, behind),
            stretch=_longer(known.stretch, self.stretches.size),
            span=_longer(known.span, self.stretches.size),
        )


def _with_room(base: Array) -> Array:
    room = np.zeros((2 * len(base) + RESERVE, *base.shape[1:]), base.dtype)
    room[: len(base)] = base
    return room


def _longer(room: Array, size: int) -> Array:
    if size <= len(room):
        return room
    longer = np.zeros((max(2 * len(room), size), *room.shape[1:]), room.dtype)
    longer[: len(room)] = room
    return longer
