"""Read triangle meshes: .obj, .glb, .gltf, .ply, .stl and .off, y-up or z-up.

OBJ is read by `wavefront`; the others by trimesh, used only as a reader and imported on demand. Nothing outside the
given bytes is ever opened: materials and textures are ignored, buffers in other files are rejected.
"""

from __future__ import annotations

import io
import re
import warnings
from pathlib import PurePath
from typing import Any

import numpy as np

from ...conventions import Floats, Ids
from ...errors import Fault, InputError, LevelError, did_you_mean
from ..level import Level, TriangleSoup
from .mesh_guard import Unsound, check_promises
from .wavefront import looks_like_obj, read_obj

__all__ = ["FILE_TYPES", "UPS", "read", "sniff"]

FILE_TYPES = ("obj", "glb", "gltf", "ply", "stl", "off")
UPS = ("auto", "y", "z")

Y_UP = frozenset({"obj", "glb", "gltf"})
"""Formats "auto" takes as y-up: glTF by its specification, OBJ as game tools do. The rest is z-up, as in CAD."""

_DAMAGED = "it is damaged, truncated or not of the type its name suggests"


def sniff(data: bytes, suffix: str) -> bool:
    """Return whether the bytes look like one of the mesh formats."""
    del suffix
    return _file_type(data, "") is not None


def read(data: bytes, source: str, *, up: str = "auto", flip: bool = False) -> Level:
    """Return the triangles of a mesh file as a level, z up; unused vertices are dropped.

    A y-up file is rotated by a quarter turn about x, which keeps it right-handed: (x, y, z) becomes (x, -z, y).
    `flip` reverses the winding of every triangle.
    """
    if up not in UPS:
        raise InputError(f"up is {up!r}; it must be one of {', '.join(UPS)}{did_you_mean(str(up), UPS)}")
    path = PurePath(source)
    file_type = _file_type(data, path.suffix.lower())
    if file_type is None:
        advice = "use one of these formats: " + ", ".join(FILE_TYPES)
        raise LevelError(source, [Fault("it is not a triangle mesh", advice)])
    if file_type == "obj":
        vertices, triangles, faults = read_obj(data)
        if faults:
            raise LevelError(source, faults)
    else:
        vertices, triangles = _by_trimesh(data, file_type, source)
    if len(triangles) == 0:
        raise LevelError(source, [Fault("the mesh has no faces", "export faces as well as points and lines")])
    vertices, triangles = _used_only(vertices, triangles)
    if up == "y" or (up == "auto" and file_type in Y_UP):
        vertices = np.column_stack([vertices[:, 0], -vertices[:, 2], vertices[:, 1]])
    if flip:
        triangles = triangles[:, ::-1]
    # Adding zero turns -0.0 into 0.0, so that equal positions have equal bits.
    return Level(TriangleSoup(vertices + 0.0, triangles), name=path.stem, source=source)


def _file_type(data: bytes, suffix: str) -> str | None:
    """Return the mesh format of the bytes, by content; the suffix decides only if the content is inconclusive."""
    head = data[:512].lstrip(b"\xef\xbb\xbf \t\r\n")
    if data.startswith(b"glTF"):
        return "glb"
    if re.match(rb"ply\s", head):
        return "ply"
    if re.match(rb"(ST)?C?N?4?n?OFF\b", head):
        return "off"
    if len(data) >= 84 and len(data) == 84 + 50 * int.from_bytes(data[80:84], "little"):
        return "stl"
    if head.startswith(b"solid") and b"facet" in data[:4096]:
        return "stl"
    if head.startswith(b"{") and b'"asset"' in data and re.search(rb'"(accessors|meshes|bufferViews)"', data):
        return "gltf"
    if looks_like_obj(data):
        return "obj"
    # A damaged mesh is still reported as the format its name claims.
    return suffix[1:] if suffix[1:] in FILE_TYPES else None


class _Nothing:
    """A resolver for trimesh that refuses to fetch any file."""

    def get(self, key: str) -> bytes:
        raise Unsound(f"it refers to another file ({key[:80]!r})")

    __getitem__ = get

    def keys(self) -> list[str]:
        return []


def _by_trimesh(data: bytes, file_type: str, source: str) -> tuple[Floats, Ids]:
    advice = f"export it again as a whole .{file_type}, or as .obj"
    try:
        check_promises(data, file_type)
        import trimesh

        options: dict[str, Any] = {"process": False}
        if file_type in ("glb", "gltf", "ply"):
            options["skip_materials"] = True
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            mesh = trimesh.load_mesh(io.BytesIO(data), file_type=file_type, resolver=_Nothing(), **options)
            vertices = np.asarray(mesh.vertices, dtype=np.float64).reshape(-1, 3)
            triangles = np.asarray(mesh.faces, dtype=np.int64).reshape(-1, 3)
        if triangles.size and not 0 <= triangles.min() <= triangles.max() < len(vertices):
            raise Unsound(f"faces refer to vertices beyond the {len(vertices):,} in the file")
    # On damaged files trimesh raises whatever its parsers run into; such messages describe its internals, not the file.
    except Exception as error:
        reason = str(error)[:300] if isinstance(error, Unsound) else _DAMAGED
        raise LevelError(source, [Fault(f"the .{file_type} cannot be read: {reason}", advice)]) from None
    return vertices, triangles.astype(np.int32)


def _used_only(vertices: Floats, triangles: Ids) -> tuple[Floats, Ids]:
    """Return the mesh without unused vertices, keeping their order."""
    used = np.zeros(len(vertices), dtype=np.bool_)
    used[triangles.ravel()] = True
    number = np.cumsum(used) - 1
    return vertices[used], number[triangles].astype(np.int32)
