"""Read triangle meshes (.obj, .glb, .gltf, .ply, .stl, .off), once they are safe to pass to trimesh.

OBJ is read by `wavefront`; the others by trimesh, used only as a reader and imported on demand. Nothing outside the
given bytes is ever opened: materials and textures are ignored, buffers in other files are rejected.

A few hundred bytes can announce a billion vertices, or place one mesh in a million scene nodes.
These checks run before anything is allocated.
"""

from __future__ import annotations

import io
import re
import warnings
from pathlib import PurePath
from typing import Any

import msgspec
import numpy as np

from ...conventions import Floats, Ids
from ...errors import Fault, InputError, LevelError, did_you_mean
from ..level import Level, TriangleSoup
from .wavefront import looks_like_obj, read_obj

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
        vertices, triangles = read_obj(data, source)
    else:
        vertices, triangles = _by_trimesh(data, file_type, source)
    if len(triangles) == 0:
        raise LevelError(source, [Fault("the mesh has no faces", "export faces as well as points and lines")])
    vertices, triangles = _used_only(vertices, triangles)
    if up == "y" or (up == "auto" and file_type in Y_UP):
        vertices = y_up_to_z_up(vertices)
    if flip:
        triangles = triangles[:, ::-1]
    # Adding zero turns -0.0 into 0.0, so that equal positions have equal bits.
    return Level(TriangleSoup(vertices + 0.0, triangles), name=path.stem, source=source)


def y_up_to_z_up(vertices: Floats) -> Floats:
    """Return positions of a y-up mesh turned a quarter about x, which keeps it right-handed: (x, -z, y)."""
    return np.column_stack([vertices[:, 0], -vertices[:, 2], vertices[:, 1]])


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


MAX_CORNERS_PLACED = 20_000_000
"""Most corners a glTF scene may place in total, counting copies."""


class Unsound(ValueError):
    """A mesh file is faulty; the message is meant for its author."""


def check_promises(data: bytes, file_type: str) -> None:
    """Raise `Unsound` if the header of `data` announces more than the file holds."""
    if file_type == "ply":
        _check_ply(data)
    elif file_type == "off":
        _check_off(data)
    elif file_type == "glb":
        length = int.from_bytes(data[12:16], "little")
        if length > len(data) - 20:
            raise Unsound("its JSON part is truncated")
        _check_gltf(data[20 : 20 + length], len(data))
    elif file_type == "gltf":
        _check_gltf(data, len(data))


def _check_ply(data: bytes) -> None:
    header, end, body = data.partition(b"end_header")
    if not end:
        raise Unsound("its header has no end_header line")
    promised = sum(int(count) for count in re.findall(rb"element\s+\S+\s+(\d{1,18})", header))
    if promised > len(body):
        raise Unsound(f"it announces {promised:,} elements in {len(body):,} bytes")


def _check_off(data: bytes) -> None:
    counts = re.search(rb"OFF[^\n]*?\s+(?:#[^\n]*\s+)*(\d{1,18})\s+(\d{1,18})", data)
    promised = int(counts[1]) + int(counts[2]) if counts else 0
    if promised > len(data):
        raise Unsound(f"it announces {promised:,} vertices and faces in {len(data):,} bytes")


def _check_gltf(header: bytes, size: int) -> None:
    try:
        tree = msgspec.json.decode(header.rstrip(b"\0 "), type=_Gltf)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Unsound(f"its JSON part is not glTF: {error}") from None
    if tree.extensions_required:
        names = ", ".join(tree.extensions_required)
        raise Unsound(f"it requires the extensions {names[:200]}; export it without compression")
    without_data = sum(a.count for a in tree.accessors if a.buffer_view is None)
    if max([without_data, *(a.count for a in tree.accessors)]) > size:
        raise Unsound("its accessors announce more than the file holds")
    for buffer in tree.buffers:
        if buffer.uri is not None and not buffer.uri.startswith("data:"):
            raise Unsound(f"its geometry is in another file ({buffer.uri[:80]!r}); export it as .glb")
    _check_nodes(tree)


def _check_nodes(tree: _Gltf) -> None:
    """Check that nodes form trees, refer to existing meshes and do not place too many triangles."""
    for number, node in enumerate(tree.nodes):
        if node.mesh is not None and not 0 <= node.mesh < len(tree.meshes):
            raise Unsound(f"scene node {number} refers to mesh {node.mesh}; the file has {len(tree.meshes)}")
        if node.matrix is not None and len(node.matrix) != 16:
            raise Unsound(f"the matrix of scene node {number} has {len(node.matrix)} numbers; it must have 16")
    for number, scene in enumerate(tree.scenes):
        if any(not 0 <= node < len(tree.nodes) for node in scene.nodes):
            raise Unsound(f"scene {number} refers to nodes {scene.nodes[:8]}; the file has {len(tree.nodes)}")
    children = [child for node in tree.nodes for child in node.children]
    if len(set(children)) != len(children) or any(not 0 <= child < len(tree.nodes) for child in children):
        raise Unsound("its scene nodes do not form a tree")
    placed = 0
    for node in tree.nodes:
        if node.mesh is not None:
            for part in tree.meshes[node.mesh].primitives:
                used = part.indices if part.indices is not None else part.attributes.get("POSITION", -1)
                if isinstance(used, int) and 0 <= used < len(tree.accessors):
                    placed += tree.accessors[used].count
    if placed > MAX_CORNERS_PLACED:
        raise Unsound(f"its scene places {placed:,} corners; at most {MAX_CORNERS_PLACED:,} are allowed")


class _Accessor(msgspec.Struct):
    count: int
    buffer_view: Any = msgspec.field(name="bufferView", default=None)

    def __post_init__(self) -> None:
        if not 0 <= self.count <= 2**40:
            raise ValueError("a count is out of range")


class _Buffer(msgspec.Struct):
    uri: str | None = None


class _Primitive(msgspec.Struct):
    attributes: dict[str, Any]
    indices: int | None = None


class _Mesh(msgspec.Struct):
    primitives: list[_Primitive]


class _Node(msgspec.Struct):
    children: list[int] = []
    mesh: int | None = None
    matrix: list[float] | None = None


class _Scene(msgspec.Struct):
    nodes: list[int] = []


class _Gltf(msgspec.Struct):
    """The part of a glTF header that determines how much memory reading the file takes."""

    accessors: list[_Accessor] = []
    buffers: list[_Buffer] = []
    meshes: list[_Mesh] = []
    nodes: list[_Node] = []
    scenes: list[_Scene] = []
    extensions_required: list[str] = msgspec.field(name="extensionsRequired", default_factory=list)
