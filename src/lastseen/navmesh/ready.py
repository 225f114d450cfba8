"""Ready-made meshes: convex faces somebody else made become a navmesh as they are."""

from __future__ import annotations

from ..level.level import ConvexFaces
from .agent import Agent
from .assemble import assemble
from .navmesh import NavMesh

__all__ = ["build_from_faces"]


def build_from_faces(surface: ConvexFaces, agent: Agent, *, name: str = "") -> NavMesh:
    """Make a navmesh of ready faces. The agent's radius is taken as already paid for: faces are not inset."""
    return assemble(surface.vertices_xyz, surface.face_start, surface.corners, agent=agent, name=name)
