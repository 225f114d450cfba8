"""Ready-made meshes: convex faces somebody else made become a navmesh as they are."""

from __future__ import annotations

from ..errors import BakeError
from ..level.level import ConvexFaces, Level
from .agent import Agent
from .assembly import assemble
from .navmesh import NavMesh

__all__ = ["build_from_faces"]


def build_from_faces(level: Level, agent: Agent) -> NavMesh:
    """Make a navmesh of ready faces. The agent's radius is taken as already paid for: faces are not inset."""
    faces = level.surface
    assert isinstance(faces, ConvexFaces)
    if level.obstacles or level.cover:
        raise BakeError(
            f"{level.name or 'the level'}: {len(level.obstacles) + len(level.cover)} obstacles stand on a ready-made "
            "mesh, which is taken as it is; leave them out and cut them from the mesh with CutMesh"
        )
    return assemble(faces.vertices_xyz, faces.face_start, faces.corners, agent=agent, name=level.name)
