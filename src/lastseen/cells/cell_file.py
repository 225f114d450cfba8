"""Cell files: a layout with its navmesh, and the level it was baked from if that is not too large.

A file is versioned and checked against a digest.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass

import msgspec
import numpy as np

from .. import arrayfile
from ..checks import file_path, frozen
from ..conventions import Array
from ..errors import CellFileError, InputError
from ..kernels.arrays.level_arrays import CellArrays, MeshArrays
from ..level.level import Level, TriangleSoup
from ..navmesh.body import Body
from ..navmesh.navmesh import NavMesh
from .access import access_table
from .file_check import unsound_part
from .layout import CellLayout

KIND = "cell layout"
VERSION = 1

_LEVEL = "level.geojson"
_DERIVED = ("dense", "hash_cell", "disabled", "blocked")
_STORED = tuple(name for name in CellArrays._fields if name not in _DERIVED)


class _About(msgspec.Struct, forbid_unknown_fields=True):
    """Metadata of a cell file."""

    name: str
    radius: float
    height: float
    climb: float
    slope: float
    shadowed: int
    note: str = ""


@dataclass(frozen=True)
class StoredLayout:
    """Contents of a cell file: the layout, further arrays by name, and a note on them."""

    layout: CellLayout
    extra: dict[str, Array]
    note: str


@dataclass(frozen=True)
class Baked:
    """The cells of a file, their level if the file holds it, and arrays with one number per cell."""

    layout: CellLayout
    level: Level | None
    layers: dict[str, Array]


def save_baked(layout: CellLayout, level: Level, path: str | os.PathLike[str]) -> None:
    """Write the cells with their level; triangle meshes are left out because they are large and the faces show them."""
    from ..level.write import to_geojson

    extra: dict[str, Array] = {}
    if not isinstance(level.surface, TriangleSoup):
        extra[_LEVEL] = np.frombuffer(to_geojson(level), dtype=np.uint8)
    save_layout(layout, path, extra=extra)


def load_baked(path: str) -> Baked:
    """Read a cell file and everything stored in it."""
    from ..level.readers import geojson

    stored = load_stored(path)
    text = stored.extra.get(_LEVEL)
    level = None if text is None else geojson.read(text.astype(np.uint8).tobytes(), path)
    layers = {name: array for name, array in stored.extra.items() if array.shape == (len(stored.layout),)}
    return Baked(stored.layout, level, layers)


def save_layout(
    layout: CellLayout,
    path: str | os.PathLike[str],
    *,
    extra: Mapping[str, Array] | None = None,
    note: str = "",
) -> None:
    """Write a layout, its navmesh and any further arrays (such as layers) to one file, atomically.

    Parameters
    ----------
    extra : arrays of numbers by name, stored unchanged.
    note : text stored with them, to describe what they are.

    Raises
    ------
    InputError
        The path cannot be written, or an extra array is not numeric.
    """
    mesh, body = layout.mesh, layout.mesh.body
    about = _About(mesh.name, body.radius, body.height, body.climb, body.slope, layout.shadowed, note)
    arrays: dict[str, Array] = {f"mesh.{name}": array for name, array in mesh.arrays._asdict().items()}
    arrays["mesh.face_storey"] = mesh.face_storey
    arrays["mesh.face_component"] = mesh.face_component
    arrays.update({f"cells.{name}": getattr(layout.arrays, name) for name in _STORED})
    arrays["cells.cell_face"] = layout.cell_face
    arrays["cells.face_cells"] = layout.face_cells
    arrays.update({f"extra.{name}": array for name, array in (extra or {}).items()})
    try:
        arrayfile.write(path, KIND, VERSION, arrays, about)
    except TypeError as error:
        raise InputError(str(error)) from None


def load_layout(path: str | os.PathLike[str]) -> CellLayout:
    """Read the layout written by `save_layout`.

    Raises
    ------
    CellFileError
        Missing, truncated, damaged, not a cell file or from a newer version.
    """
    return load_stored(path).layout


def load_stored(path: str | os.PathLike[str]) -> StoredLayout:
    """Read everything a cell file holds; see `load_layout`."""
    source = file_path(path)
    file = arrayfile.read(source, KIND, VERSION, _About)
    fault = unsound_part(file.arrays)
    if fault:
        raise CellFileError(f"{source}: the file is damaged: {fault}; bake the level again or get a new copy")
    extra = {name.removeprefix("extra."): array for name, array in file.arrays.items() if name.startswith("extra.")}
    return StoredLayout(_layout(source, file.arrays, file.meta), extra, file.meta.note)


def _layout(source: str, arrays: Mapping[str, Array], about: _About) -> CellLayout:
    try:
        body = Body(about.radius, about.height, about.climb, about.slope)
    except InputError as error:
        raise CellFileError(f"{source}: the file is damaged: {error}; bake the level again") from None
    mesh = NavMesh(
        arrays=MeshArrays(**{name: arrays[f"mesh.{name}"] for name in MeshArrays._fields}),
        face_storey=arrays["mesh.face_storey"],
        face_component=arrays["mesh.face_component"],
        body=body,
        name=about.name,
    )
    stored = {name: arrays[f"cells.{name}"] for name in _STORED}
    # Building the access table is faster than reading it, and a table built here cannot be corrupt.
    dense, hash_cell = access_table(stored["shape"], stored["cell_grid"])
    cells = CellArrays(
        **stored,
        dense=dense,
        hash_cell=hash_cell,
        disabled=frozen(np.zeros((len(stored["cell_grid"]) + 7) // 8, np.uint8)),
        blocked=frozen(np.zeros((len(stored["link_cell"]) + 7) // 8, np.uint8)),
    )
    return CellLayout(mesh, cells, arrays["cells.cell_face"], arrays["cells.face_cells"], about.shadowed)
