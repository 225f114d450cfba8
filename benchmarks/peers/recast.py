"""Recast and Detour, called in this process: bake, nearest polygon, raycast, path."""

from __future__ import annotations

import ctypes
import functools
import math
import shutil
import subprocess
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).resolve().parent
SOURCE = HERE / "recast_peer.cpp"
LIBRARY = HERE.parents[1] / ".cache" / "peers" / "recast_peer.so"
PACKAGE = "librecast-dev"
HEADER = Path("/usr/include/recastnavigation/Recast.h")


@dataclass(frozen=True)
class RecastSettings:
    """What Recast's own demo offers, with its defaults. Metres and degrees unless said otherwise."""

    voxel: float = 0.3
    voxel_height: float = 0.2
    height: float = 2.0
    radius: float = 0.6
    climb: float = 0.9
    slope_degrees: float = 45.0
    region_min: float = 8.0  # edge of a square, voxels
    region_merge: float = 20.0  # edge of a square, voxels
    edge_length: float = 12.0
    edge_error: float = 1.3  # voxels
    detail_distance: float = 6.0  # voxels
    detail_error: float = 1.0  # voxel heights
    corners: int = 6
    watershed: bool = True
    keep_spans: bool = False


class _Settings(ctypes.Structure):
    """The same fields in the same order as a C struct."""

    _fields_ = [(f.name, ctypes.c_float if f.type == "float" else ctypes.c_int) for f in fields(RecastSettings)]


def install() -> str:
    """Fetch the package where apt-get can, compile the peer; return why not, or an empty string."""
    if not HEADER.exists():
        if shutil.which("apt-get") is None:
            return f"{PACKAGE} is not installed and there is no apt-get"
        for command in (["update"], ["install", "-y", "--no-install-recommends", PACKAGE]):
            done = subprocess.run(["apt-get", *command], capture_output=True, text=True, check=False)
            if done.returncode and command[0] == "install":
                return f"apt-get install {PACKAGE} failed: {(done.stderr.strip().splitlines() or ['?'])[-1]}"
    compiler = shutil.which("g++") or shutil.which("c++")
    if compiler is None:
        return "there is no C++ compiler (install g++)"
    LIBRARY.parent.mkdir(parents=True, exist_ok=True)
    building = LIBRARY.with_suffix(".building")
    done = subprocess.run(
        [compiler, "-O2", "-fPIC", "-shared", "-o", str(building), str(SOURCE), "-lRecast", "-lDetour"],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        return f"compiling {SOURCE.name} failed: {(done.stderr.strip().splitlines() or ['?'])[0]}"
    building.replace(LIBRARY)
    return ""


def why_not() -> str:
    """Return an empty string where the peer can be used, else the reason."""
    if not LIBRARY.exists():
        return "Recast is not here: run `make bench-peers`"
    if LIBRARY.stat().st_mtime < SOURCE.stat().st_mtime:
        return "the Recast peer is older than its source: run `make bench-peers`"
    try:
        _library()
    except OSError as error:
        return f"the Recast peer does not load ({error}): run `make bench-peers`"
    return ""


@functools.cache
def _library() -> Any:
    library = ctypes.CDLL(str(LIBRARY))
    library.peer_bake.restype = ctypes.c_void_p
    for name in ("peer_open_area", "peer_walkable_area"):
        getattr(library, name).restype = ctypes.c_double
    return library


def _floats(points: Any) -> np.ndarray:
    return np.ascontiguousarray(points, dtype=np.float32)


def _at(array: np.ndarray) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)


def turned(vertices_xyz: Any, triangles: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return a z-up soup as Recast wants it: (x, z, y) float32 and triangles wound the other way."""
    vertices = _floats(np.asarray(vertices_xyz)[:, [0, 2, 1]])
    return vertices, np.ascontiguousarray(np.asarray(triangles)[:, [0, 2, 1]], dtype=np.int32)


class RecastMesh:
    """A mesh Recast baked, with its Detour queries. Positions are (n, 3), z up, metres."""

    def __init__(self, vertices: np.ndarray, triangles: np.ndarray, settings: RecastSettings) -> None:
        """Bake a soup that `turned` prepared."""
        self._library = _library()
        given = _Settings(**{name: getattr(settings, name) for name, *_ in _Settings._fields_})
        handle = self._library.peer_bake(
            _at(vertices), len(vertices), _at(triangles), len(triangles), ctypes.byref(given)
        )
        if not handle:
            raise RuntimeError(f"Recast could not bake this soup with {settings}")
        self._handle = ctypes.c_void_p(handle)

    def __del__(self) -> None:
        if getattr(self, "_handle", None):
            self._library.peer_free(self._handle)

    @property
    def open_area(self) -> float:
        """Area in m² of walkable voxels before erosion."""
        return self._library.peer_open_area(self._handle)

    @property
    def walkable_area(self) -> float:
        """Area in m² of walkable voxels after erosion."""
        return self._library.peer_walkable_area(self._handle)

    @property
    def polygon_count(self) -> int:
        return self._library.peer_polygon_count(self._handle)

    def polygons(self) -> list[np.ndarray]:
        """Return the corners (n, 3) of every polygon."""
        counts, _, corners = self._polygon_arrays()
        return [corner[:count] for corner, count in zip(corners, counts)]

    def polygon_regions(self) -> np.ndarray:
        """Return the region of every polygon."""
        return self._polygon_arrays()[1]

    def polygon_area(self) -> float:
        """Return the area in m² of all polygons seen from above."""
        return sum(abs(_area(corners)) for corners in self.polygons())

    def _polygon_arrays(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        count = self.polygon_count
        counts, regions = np.zeros(count, np.int32), np.zeros(count, np.int32)
        corners = np.zeros((count, self._library.peer_corners(self._handle), 3), np.float32)
        self._library.peer_polygons(self._handle, _at(counts), _at(regions), _at(corners))
        return counts, regions, corners

    def spans(self) -> np.ndarray:
        """Return open spans (n, 6): column, row, floor, free height, walkable, region (with `keep_spans`)."""
        rows = np.zeros((self._library.peer_span_count(self._handle), 6), np.int32)
        self._library.peer_spans(self._handle, _at(rows))
        return rows

    def nearest(self, points: Any, half_extents: Any = (2.0, 2.0, 4.0)) -> tuple[np.ndarray, np.ndarray]:
        """Return the nearest polygon's reference (0: none) as uint32, and the nearest point as float32 (n, 3)."""
        points, half = _floats(points), _floats(half_extents)
        references, nearest = np.zeros(len(points), np.uint32), np.zeros_like(points)
        self._library.peer_nearest(self._handle, len(points), _at(points), _at(half), _at(references), _at(nearest))
        return references, nearest

    def raycast(self, references: np.ndarray, starts: Any, ends: Any) -> np.ndarray:
        """Return how far each ray gets, 0 … 1 of its length; at least 1 where nothing is hit, -1 on failure."""
        starts, ends = _floats(starts), _floats(ends)
        t = np.empty(len(starts), np.float32)
        self._library.peer_raycast(self._handle, len(starts), _at(references), _at(starts), _at(ends), _at(t))
        return t

    def locate_and_raycast(self, starts: Any, ends: Any, half_extents: Any = (0.5, 0.5, 1.0)) -> np.ndarray:
        """Return as `raycast` does, finding each start polygon first."""
        starts, ends, half = _floats(starts), _floats(ends), _floats(half_extents)
        t = np.empty(len(starts), np.float32)
        self._library.peer_locate_and_raycast(self._handle, len(starts), _at(starts), _at(ends), _at(half), _at(t))
        return t

    def path_lengths(
        self, start_references: np.ndarray, end_references: np.ndarray, starts: Any, ends: Any
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return path lengths in metres (-1: none) and which paths stop short of the goal."""
        starts, ends = _floats(starts), _floats(ends)
        lengths, partial = np.empty(len(starts), np.float32), np.zeros(len(starts), np.uint8)
        self._library.peer_path_length(
            self._handle,
            len(starts),
            *map(_at, (start_references, end_references, starts, ends, lengths, partial)),
        )
        return lengths, partial.astype(bool)


def _area(corners: np.ndarray) -> float:
    x, y = corners[:, 0].astype(float), corners[:, 1].astype(float)
    return float(np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y)) / 2.0


def bake(vertices_xyz: Any, triangles: Any, settings: RecastSettings | None = None) -> RecastMesh:
    """Bake a z-up triangle soup with Recast."""
    return RecastMesh(*turned(vertices_xyz, triangles), settings or RecastSettings())


def settings_like(agent: Any, **others: Any) -> RecastSettings:
    """Return Recast's settings for one of our agents."""
    return RecastSettings(
        height=agent.height,
        radius=agent.radius,
        climb=agent.climb,
        slope_degrees=math.degrees(agent.slope),
        **others,
    )
