"""Place guards for an intended path, verify that players get through, improve what does not work."""

from __future__ import annotations

from .reasoning.placement.detection import Danger, GuardViews, Sighting
from .reasoning.placement.files.level_guards import PatrolRoute, patrol_placement, with_guards
from .reasoning.placement.files.route_files import read_guards, read_path, read_paths, write_guards, write_path
from .reasoning.placement.guard_ground import GuardGround
from .reasoning.placement.guard_routes import Coverage, GuardKind, GuardRoute, Placement, guard_kind
from .reasoning.placement.improve.improve import improve_guards
from .reasoning.placement.improve.targets import Targets
from .reasoning.placement.place.partition import Partition, partition, radius_range
from .reasoning.placement.place.place import GuardPlanner, place_guards
from .reasoning.placement.place.sight_graph import SightGraph, sight_graph
from .reasoning.placement.placement_settings import PlacementSettings, VerifySettings
from .reasoning.placement.verify.items import ItemFinding
from .reasoning.placement.verify.path_check import Passability, PathCheck, PathChecks, passable
from .reasoning.placement.verify.rates import Rate
from .reasoning.placement.verify.similarity import area_between, cluster, distances, frechet, hausdorff
from .reasoning.placement.verify.sneak_ground import SneakGround
from .reasoning.placement.verify.takedowns import Takedown, TakedownPlan
from .reasoning.placement.verify.verify import Solution, Verification, verify

__all__ = [
    "Coverage",
    "Danger",
    "GuardGround",
    "GuardKind",
    "GuardPlanner",
    "GuardRoute",
    "GuardViews",
    "ItemFinding",
    "Partition",
    "Passability",
    "PathCheck",
    "PathChecks",
    "PatrolRoute",
    "Placement",
    "PlacementSettings",
    "Rate",
    "SightGraph",
    "Sighting",
    "SneakGround",
    "Solution",
    "Takedown",
    "TakedownPlan",
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
    "read_paths",
    "sight_graph",
    "verify",
    "with_guards",
    "write_guards",
    "write_path",
]
