"""Triangle meshes of every format come out the same, z up; damaged ones say what is wrong."""

from __future__ import annotations

import base64
import io
import json
import struct
from pathlib import Path

import numpy as np
import pytest

from lastseen.errors import InputError, LevelError
from lastseen.level.level import Level, TriangleSoup
from lastseen.level.readers import mesh_file

CORNERS = np.array([[0, 0, 0], [4, 0, 0], [4, 3, 1], [0, 3, 1]], dtype="<f4")
FACES = np.array([[0, 1, 2], [0, 2, 3]], dtype="<u4")


def gltf_tree(uri: str | None) -> dict:
    buffer = {"byteLength": 72} | ({"uri": uri} if uri else {})
    return {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3"},
            {"bufferView": 1, "componentType": 5125, "count": 6, "type": "SCALAR"},
        ],
        "bufferViews": [
            {"buffer": 0, "byteOffset": 0, "byteLength": 48},
            {"buffer": 0, "byteOffset": 48, "byteLength": 24},
        ],
        "buffers": [buffer],
    }


def gltf(tree: dict | None = None) -> bytes:
    payload = base64.b64encode(CORNERS.tobytes() + FACES.tobytes()).decode()
    return json.dumps(tree or gltf_tree(f"data:application/octet-stream;base64,{payload}")).encode()


def glb(tree: dict | None = None) -> bytes:
    text = json.dumps(tree or gltf_tree(None)).encode()
    text += b" " * (-len(text) % 4)
    binary = CORNERS.tobytes() + FACES.tobytes()
    chunks = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(binary), b"BIN\0") + binary
    return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks


def obj() -> bytes:
    lines = [f"v {x} {y} {z}" for x, y, z in CORNERS.tolist()] + ["f 1 2 3 4"]
    return "\n".join(lines).encode()


def ply(binary: bool = False) -> bytes:
    form = "binary_little_endian" if binary else "ascii"
    head = f"ply\nformat {form} 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n"
    head += "element face 2\nproperty list uchar int vertex_indices\nend_header\n"
    if binary:
        faces = b"".join(struct.pack("<B3i", 3, *face) for face in FACES.tolist())
        return head.encode() + CORNERS.tobytes() + faces
    rows = [" ".join(map(str, row)) for row in CORNERS.tolist()]
    rows += ["3 " + " ".join(map(str, face)) for face in FACES.tolist()]
    return (head + "\n".join(rows) + "\n").encode()


def off() -> bytes:
    rows = [" ".join(map(str, row)) for row in CORNERS.tolist()]
    rows += ["3 " + " ".join(map(str, face)) for face in FACES.tolist()]
    return ("OFF\n4 2 0\n" + "\n".join(rows) + "\n").encode()


def stl(binary: bool = False) -> bytes:
    if binary:
        body = b"".join(struct.pack("<12fH", 0, 0, 1, *CORNERS[face].ravel(), 0) for face in FACES)
        return b"made for a test".ljust(80) + struct.pack("<I", 2) + body
    loops = "".join(
        "facet normal 0 0 1\nouter loop\n"
        + "".join("vertex {} {} {}\n".format(*CORNERS[corner].tolist()) for corner in face)
        + "endloop\nendfacet\n"
        for face in FACES.tolist()
    )
    return f"solid sheet\n{loops}endsolid sheet\n".encode()


FORMATS = {
    "obj": obj(),
    "glb": glb(),
    "gltf": gltf(),
    "ply": ply(),
    "ply binary": ply(binary=True),
    "off": off(),
    "stl": stl(),
    "stl binary": stl(binary=True),
}


def corners(level: Level) -> np.ndarray:
    assert isinstance(level.surface, TriangleSoup)
    return level.surface.vertices_xyz[level.surface.triangles]


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_gives_the_same_triangles_whatever_it_is_called(name: str) -> None:
    assert mesh_file.sniff(FORMATS[name], "")
    level = mesh_file.read(FORMATS[name], "folder/sheet.bin", up="z")
    np.testing.assert_array_equal(corners(level), CORNERS[FACES])
    assert level.name == "sheet"


@pytest.mark.parametrize("name", FORMATS)
def test_auto_takes_game_formats_as_y_up(name: str) -> None:
    level = mesh_file.read(FORMATS[name], "sheet")
    turned = CORNERS[:, [0, 2, 1]] * [1, -1, 1]
    expected = turned if name in ("obj", "glb", "gltf") else CORNERS
    np.testing.assert_array_equal(corners(level), expected[FACES])
    np.testing.assert_array_equal(corners(mesh_file.read(FORMATS[name], "sheet", up="y")), turned[FACES])


def test_turning_keeps_handedness_and_leaves_no_negative_zero() -> None:
    level = mesh_file.read(b"v 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3", "axes.obj")
    assert isinstance(level.surface, TriangleSoup)
    assert np.linalg.det(level.surface.vertices_xyz) == 1
    assert not np.signbit(level.surface.vertices_xyz[level.surface.vertices_xyz == 0]).any()


def test_up_must_be_known() -> None:
    with pytest.raises(InputError, match="one of auto, y, z"):
        mesh_file.read(obj(), "x.obj", up="x")


def test_obj_of_every_dialect() -> None:
    text = b"""# a comment
mtllib ../../nowhere.mtl
o caf\xe9
v 9 9 9
v 0 0 0 1.0
v 4 0 0 0.5 0.5 0.5
vt 0 0
vn 0 0 1
v 4 3 0\r
v 0 3 0
usemtl gold
s off
f 2/1/1 3//1 4/1 5 \\
f -4 -3 -2
l 1 2
"""
    with pytest.raises(LevelError, match="line 13"):
        mesh_file.read(text, "x.obj")
    level = mesh_file.read(text.replace(b"5 \\\n", b"\\\n 5\n"), "x.obj", up="z")
    assert isinstance(level.surface, TriangleSoup)
    assert level.surface.vertices_xyz.tolist() == [[0, 0, 0], [4, 0, 0], [4, 3, 0], [0, 3, 0]]
    assert level.surface.triangles.tolist() == [[0, 1, 2], [0, 2, 3], [0, 1, 2]]


def test_all_bad_lines_of_an_obj_are_named() -> None:
    text = b"v 0 0 0\nv 1 x 0\nv 1 0\nv 0 1 0\nf 1 2\nf 1 2 9\nf 0 1 2\nf 1 2 -7\nf 1 2 a\nf 1 2 3\n"
    with pytest.raises(LevelError) as error:
        mesh_file.read(text, "x.obj")
    assert [fault.where for fault in error.value.faults] == [f"line {n}" for n in (2, 3, 5, 7, 8, 9, 6)]
    with pytest.raises(LevelError, match="line 5: a face uses vertex 9"):
        mesh_file.read(b"v 0 0 0\nv 1 \\\n0 \\\r\n 0\nf 1 2 9\n", "x.obj")
    flood = b"v 0 0 0\n" + b"f 1 2 3\n" * 500
    with pytest.raises(LevelError, match="480 more faults"):
        mesh_file.read(flood, "x.obj")


def test_meshes_without_faces() -> None:
    for data in (b"v 0 0 0\nv 1 0 0\n", ply().replace(b"face 2", b"face 0").rsplit(b"3 0", 2)[0]):
        with pytest.raises(LevelError, match=r"no faces|cannot be read"):
            mesh_file.read(data, "x")


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (ply().replace(b"vertex 4", b"vertex 400000000000"), "announces 400,000,000,002 elements"),
        (ply().replace(b"end_header\n", b""), "end_header"),
        (ply().replace(b"3 0 2 3", b"3 0 2 9"), "beyond the 4"),
        (off().replace(b"4 2 0", b"999999999 2 0"), "announces"),
        (stl(binary=True)[:-7], "triangle mesh"),
        (glb()[:40], "truncated"),
        (glb()[:-8], "it is damaged, truncated or not of the type its name suggests"),
        (b"OFF\n\xff\xfe\x80" * 99, "it is damaged, truncated or not of the type its name suggests"),
        # Trimesh decodes it only where a package that guesses encodings is installed.
        (b"solid x\nfacet \xff\xfe\x80\n" * 99, "damaged, truncated or not of the type|the mesh has no faces"),
        (glb(gltf_tree(None) | {"nodes": [{"mesh": 0, "matrix": [1, 0]}]}), "matrix of scene node 0 has 2 numbers"),
        (glb(gltf_tree(None) | {"nodes": [{"mesh": 7}]}), "scene node 0 refers to mesh 7; the file has 1"),
        (glb(gltf_tree(None) | {"scenes": [{"nodes": [99]}]}), r"scene 0 refers to nodes \[99\]"),
        (glb(gltf_tree("../secret.bin")), "another file"),
        (gltf(gltf_tree("http://example.org/x.bin")), "another file"),
        (glb(gltf_tree(None) | {"extensionsRequired": ["KHR_draco_mesh_compression"]}), "KHR_draco"),
        (glb(gltf_tree(None) | {"nodes": [{"mesh": 0, "children": [0]}, {"children": [0]}]}), "tree"),
    ],
)
def test_damaged_and_hostile_meshes(data: bytes, what: str) -> None:
    with pytest.raises(LevelError, match=what):
        mesh_file.read(data, "x")


def test_a_few_bytes_cannot_ask_for_much_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    tree = gltf_tree(None)
    tree["accessors"].append({"componentType": 5126, "count": 10**12, "type": "MAT4"})
    with pytest.raises(LevelError, match="announce more"):
        mesh_file.read(glb(tree), "x")
    tree = gltf_tree(None)
    tree["nodes"] = [{"mesh": 0}] * 400
    monkeypatch.setattr(mesh_file, "MAX_CORNERS_PLACED", 2_000)
    with pytest.raises(LevelError, match="places 2,400 corners"):
        mesh_file.read(glb(tree), "x")


def test_nothing_outside_the_bytes_is_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    mesh_file.read(FORMATS["glb"], "warm")

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a file was opened")

    textured = gltf_tree(None)
    textured["images"] = [{"uri": "picture.png"}]
    textured["textures"] = [{"source": 0}]
    textured["materials"] = [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}]
    textured["meshes"][0]["primitives"][0]["material"] = 0
    monkeypatch.setattr("builtins.open", refuse)
    monkeypatch.setattr(io, "open", refuse)
    for data in (
        b"mtllib /etc/passwd\n" + obj(),
        glb(textured),
        ply().replace(b"element v", b"comment TextureFile a.png\nelement v", 1),
    ):
        assert len(corners(mesh_file.read(data, "x"))) == 2


def test_a_placed_mesh_is_where_its_node_puts_it() -> None:
    tree = gltf_tree(None)
    tree["nodes"] = [{"mesh": 0, "translation": [10, 0, 0]}, {"mesh": 0}]
    tree["scenes"] = [{"nodes": [0, 1]}]
    level = mesh_file.read(glb(tree), "x", up="z")
    assert len(corners(level)) == 4
    assert isinstance(level.surface, TriangleSoup)
    assert level.surface.vertices_xyz[:, 0].max() == 14


@pytest.mark.data
def test_the_recast_meshes(data: Path) -> None:
    level = mesh_file.read((data / "recast" / "dungeon.obj").read_bytes(), "dungeon.obj")
    assert isinstance(level.surface, TriangleSoup)
    assert level.surface.triangles.shape == (10133, 3)
    assert level.surface.vertices_xyz.shape == (5101, 3)
