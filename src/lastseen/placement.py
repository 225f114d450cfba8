"""Place guards for an intended path, verify that players get through, improve what does not work."""

from __future__ import annotations

from .reasoning.placement.detection import Danger, GuardViews, Sighting
from .reasoning.placement.graph import SightGraph, sight_graph
from .reasoning.placement.ground import GuardGround
from .reasoning.placement.improve import improve_guards
from .reasoning.placement.partition import Partition, partition, radius_range
from .reasoning.placement.passable import Passability, PathCheck, passable
from .reasoning.placement.patrols import PatrolRoute, patrol_placement
from .reasoning.placement.place import GuardPlanner, place_guards
from .reasoning.placement.route_files import read_guards, read_path, write_guards, write_path
from .reasoning.placement.routes import Coverage, GuardKind, GuardRoute, Placement, guard_kind
from .reasoning.placement.settings import PlacementSettings
from .reasoning.placement.similarity import area_between, cluster, distances, frechet, hausdorff
from .reasoning.placement.sneaking import SneakGround
from .reasoning.placement.targets import Targets
from .reasoning.placement.verification import Rate, Solution, Verification
from .reasoning.placement.verify import verify
from .reasoning.placement.verify_settings import VerifySettings

__all__ = [
    "Coverage",
    "Danger",
    "GuardGround",
    "GuardKind",
    "GuardPlanner",
    "GuardRoute",
    "GuardViews",
    "Partition",
    "Passability",
    "PathCheck",
    "PatrolRoute",
    "Placement",
    "PlacementSettings",
    "Rate",
    "SightGraph",
    "Sighting",
    "SneakGround",
    "Solution",
    "Targets",
    "Verification",
    "VerifySettings",
    "area_between",
    "cluster",
    "distances",
    "frechet",
    "guard_kind",
    "hausdorff",
    "improve_guards",
    "partition",
    "passable",
    "patrol_placement",
    "place_guards",
    "radius_range",
    "read_guards",
    "read_path",
    "sight_graph",
    "verify",
    "write_guards",
    "write_path",
]
