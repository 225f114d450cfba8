"""What may be asked of a navmesh, of one position or of many at once.

Every function takes a `NavMesh` or a `CutMesh` first. Faces in answers are base faces: cuts never change their ids.
"""

from __future__ import annotations

from .locate import face_at, faces_at, height_at, heights_at, nearest, nearest_many
from .path import find_path, find_paths, reachable, reachable_many
from .straight_lines import raycast, raycasts

__all__ = [
    "face_at",
    "faces_at",
    "find_path",
    "find_paths",
    "height_at",
    "heights_at",
    "nearest",
    "nearest_many",
    "raycast",
    "raycasts",
    "reachable",
    "reachable_many",
]
