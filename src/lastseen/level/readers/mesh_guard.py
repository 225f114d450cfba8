"""Check that a mesh file is safe to pass to trimesh: it must not announce more than it holds.

A few hundred bytes can announce a billion vertices, or place one mesh in a million scene nodes.
These checks run before anything is allocated.
"""

from __future__ import annotations

import re
from typing import Any

import msgspec

__all__ = ["Unsound", "check_promises"]

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
