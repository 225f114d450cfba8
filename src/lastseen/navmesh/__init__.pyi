from .body import Body as Body
from .assembly import assemble as assemble
from .build import build_navmesh as build_navmesh
from .cut import CutMesh as CutMesh
from .navmesh import NavMesh as NavMesh
from .query import (
    face_at as face_at,
    faces_at as faces_at,
    find_path as find_path,
    find_paths as find_paths,
    height_at as height_at,
    heights_at as heights_at,
    nearest as nearest,
    nearest_many as nearest_many,
    raycast as raycast,
    raycasts as raycasts,
    reachable as reachable,
    reachable_many as reachable_many,
)
from .voxels.voxel_settings import VoxelSettings as VoxelSettings
