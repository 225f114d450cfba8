"""Check that a cell file holds a mesh and a layout that kernels can traverse without leaving their arrays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain

import numpy as np

from ..conventions import Array, index_dtype

Arrays = Mapping[str, Array]

_MESH = {
    "vertex_xyz": ("<f8", ("V", 3)),
    "face_start": ("<u4", ("F",)),
    "face_count": ("<u4", ("F",)),
    "face_vertex": ("<u4", ("C",)),
    "face_plane": ("<f8", ("F", 3)),
    "face_parent": ("<i4", ("F",)),
    "face_cut": ("|u1", ("F",)),
    "child_start": ("<u4", ("F",)),
    "child_count": ("<u4", ("F",)),
    "link_start": ("<u4", ("F",)),
    "link_count": ("<u4", ("F",)),
    "link_face": ("<u4", ("L",)),
    "link_edge": ("<u4", ("L",)),
    "link_portal": ("<f8", ("L", 2, 3)),
    "link_wall": ("|u1", ("L",)),
    "grid_origin": ("<f8", (2,)),
    "grid_size": ("<f8", (1,)),
    "grid_shape": ("<u4", (2,)),
    "bucket_start": ("<u4", ("B",)),
    "bucket_face": ("<u4", ("E",)),
    "face_storey": ("<i4", ("F",)),
    "face_component": ("<i4", ("F",)),
}
_CELLS = {
    "origin_xyz": ("<f8", (3,)),
    "size_xyz": ("<f8", (3,)),
    "shape": ("<u4", (3,)),
    "cell_grid": ("<u2", ("N", 3)),
    "cell_xyz": ("<f4", ("N", 3)),
    "link_start": ("<u4", ("N + 1",)),
    "link_cell": ("id N", ("K",)),
    "link_length": ("<f4", ("K",)),
    "cell_face": ("id F", ("N",)),
    "face_cells": ("<u4", ("F + 1",)),
}
_FURTHEST = 1e8  # metres
_NARROWEST = 1e-9  # metres: far below the distance at which assembly welds corners
_MOST_STOREYS = 1 << 20


def unsound_part(arrays: Arrays) -> str:
    """Return the first fault of the arrays of a cell file, or an empty string.

    Checks names, dtypes and shapes, that ids are in range, that runs are contiguous and that numbers are finite;
    in time linear in the file size.
    """
    wanted = [f"mesh.{name}" for name in _MESH] + [f"cells.{name}" for name in _CELLS]
    missing = [name for name in wanted if name not in arrays]
    if missing:
        return f"it has no array {missing[0]!r}"
    mesh = {name: arrays[f"mesh.{name}"] for name in _MESH}
    cells = {name: arrays[f"cells.{name}"] for name in _CELLS}
    # Lazy: later checks may use indices that earlier ones found in range.
    return _misshapen(mesh, cells) or next(
        chain(_mesh_faults(mesh), _shape_faults(mesh), _cell_faults(cells, mesh)), ""
    )


def _misshapen(mesh: Arrays, cells: Arrays) -> str:
    """Compare every dtype and shape with the tables above; letters stand for lengths, the same everywhere."""
    length: dict[str, int] = {}
    for table, arrays in ((_MESH, mesh), (_CELLS, cells)):
        for name, (dtype, shape) in table.items():
            array = arrays[name]
            if array.ndim != len(shape):
                return f"array {name!r} has {array.ndim} dimensions instead of {len(shape)}"
            for extent, wanted in zip(array.shape, shape):
                if isinstance(wanted, str) and not wanted.endswith("+ 1"):
                    wanted = length.setdefault(wanted, extent)
                elif isinstance(wanted, str):
                    wanted = length[wanted[0]] + 1
                if extent != wanted:
                    return f"array {name!r} has shape {array.shape}, inconsistent with the others"
            if dtype.startswith("id "):
                dtype = np.dtype(index_dtype(length[dtype[3]])).newbyteorder("<").str
            if array.dtype.newbyteorder("<").str != dtype:
                return f"array {name!r} has type {array.dtype} instead of {dtype}"
    if not length["N"] or not length["F"]:
        return "it has no cells"
    return ""


def _mesh_faults(mesh: Arrays) -> Iterator[str]:
    faces = len(mesh["face_start"])
    if (mesh["face_count"] < 3).any():
        yield "a face has fewer than three corners"
    if not _are_runs(mesh["face_start"], mesh["face_count"], len(mesh["face_vertex"])):
        yield "the corners of its faces are not contiguous"
    if not _are_runs(mesh["link_start"], mesh["link_count"], len(mesh["link_face"])):
        yield "the links of its faces are not contiguous"
    if not _are_below(mesh["face_vertex"], len(mesh["vertex_xyz"])):
        yield "a face refers to a missing vertex"
    if not _are_below(mesh["link_face"], faces):
        yield "a link leads to a missing face"
    if (mesh["link_edge"] >= np.repeat(mesh["face_count"], mesh["link_count"])).any():
        yield "a link lies on a missing edge"
    if mesh["face_cut"].any() or mesh["child_count"].any():
        yield "its mesh has cuts"
    if not np.array_equal(mesh["face_parent"], np.arange(faces)):
        yield "a face is part of another"
    for name, limit in (("face_storey", _MOST_STOREYS), ("face_component", faces)):
        if mesh[name].min() < 0 or not _are_below(mesh[name], limit):
            yield f"{name} is out of range"
    buckets = int(mesh["grid_shape"][0]) * int(mesh["grid_shape"][1])
    if not buckets or buckets + 1 != len(mesh["bucket_start"]):
        yield "the locator grid does not fit its shape"
    if not _are_starts(mesh["bucket_start"], len(mesh["bucket_face"])):
        yield "the buckets of the locator grid are not contiguous"
    if not _are_below(mesh["bucket_face"], faces):
        yield "the locator grid refers to a missing face"


def _shape_faults(mesh: Arrays) -> Iterator[str]:
    for name in ("vertex_xyz", "link_portal", "grid_origin", "grid_size"):
        if not _are_near(mesh[name]):
            yield f"{name} is not finite or exceeds {_FURTHEST:g} m"
    if not np.isfinite(mesh["face_plane"]).all():
        yield "face_plane is not finite"
    if not (mesh["grid_size"] > 0.0).all():
        yield "the locator grid has no size"
    portal = mesh["link_portal"][:, :, :2]
    if not _are_apart(portal[:, 0], portal[:, 1]):
        yield "a portal has no width"
    corner = mesh["vertex_xyz"][mesh["face_vertex"], :2]
    following = np.arange(1, len(corner) + 1)
    following[mesh["face_start"].astype(np.int64) + mesh["face_count"] - 1] = mesh["face_start"]
    if not _are_apart(corner[following], corner):
        yield "a face has an edge of no length"


def _cell_faults(cells: Arrays, mesh: Arrays) -> Iterator[str]:
    faces, count = len(mesh["face_start"]), len(cells["cell_grid"])
    if not (_are_near(cells["origin_xyz"]) and _are_near(cells["size_xyz"]) and (cells["size_xyz"] > 0.0).all()):
        yield "the grid of its cells is not finite or has no size"
    if (cells["shape"] < 1).any() or (cells["shape"] > 0xFFFF).any():
        yield "the extent of the grid is out of range"
    if (cells["cell_grid"] >= cells["shape"]).any():
        yield "a cell lies outside the grid"
    if not _are_near(cells["cell_xyz"]):
        yield "the position of a cell is not finite or too far from the origin"
    if not _are_starts(cells["link_start"], len(cells["link_cell"])):
        yield "the links of its cells are not contiguous"
    if not _are_below(cells["link_cell"], count):
        yield "a link leads to a missing cell"
    if not (np.isfinite(cells["link_length"]).all() and (cells["link_length"] >= 0.0).all()):
        yield "the length of a link is negative or not finite"
    if not _are_starts(cells["face_cells"], count):
        yield "the cells of its faces are not contiguous"
    if not np.array_equal(cells["cell_face"], np.repeat(np.arange(faces), np.diff(cells["face_cells"]))):
        yield "its cells are not grouped by face"


def _are_below(ids: Array, limit: int) -> bool:
    return not len(ids) or int(ids.max()) < limit


def _are_near(values: Array) -> bool:
    return not values.size or bool(np.isfinite(values).all() and np.abs(values).max() <= _FURTHEST)


def _are_apart(one: Array, other: Array) -> bool:
    """Return whether pairs of points (n, 2) are far enough apart to divide by their squared distance."""
    between = other - one
    return bool(((between * between).sum(axis=1) > _NARROWEST * _NARROWEST).all())


def _are_starts(start: Array, end: int) -> bool:
    """Return whether a table of starts runs from 0 to `end` without falling."""
    return int(start[0]) == 0 and int(start[-1]) == end and bool((start[1:] >= start[:-1]).all())


def _are_runs(start: Array, count: Array, items: int) -> bool:
    """Return whether runs are contiguous from 0 and cover all items."""
    ends = np.cumsum(count, dtype=np.uint64)
    return int(start[0]) == 0 and int(ends[-1]) == items and np.array_equal(start[1:], ends[:-1])
