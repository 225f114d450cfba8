"""What type checkers see: the names `lastseen` loads on first use."""

from .cells.layout import CellLayout as CellLayout
from .cells.live import LiveLayout as LiveLayout
from .cells.query import (
    cell_at as cell_at,
    cells_at as cells_at,
    cells_in_box as cells_in_box,
    cells_of_face as cells_of_face,
    cells_within as cells_within,
    cells_within_many as cells_within_many,
    nearest_cell as nearest_cell,
    nearest_cells as nearest_cells,
    neighbours as neighbours,
    position as position,
    positions as positions,
)
from .errors import (
    BakeError as BakeError,
    CellFileError as CellFileError,
    Fault as Fault,
    InputError as InputError,
    LastSeenError as LastSeenError,
    LevelError as LevelError,
    QueryError as QueryError,
)
from .layers.best import Near as Near, best_cells as best_cells
from .layers.combine import (
    invert as invert,
    maximum as maximum,
    minimum as minimum,
    normalise as normalise,
    product as product,
    weighted_sum as weighted_sum,
)
from .layers.layer import Layer as Layer
from .layers.spread import Falloff as Falloff, Spread as Spread
from .layers.stack import LayerStack as LayerStack
from .layers.traverse import Limit as Limit, cells_where as cells_where, next_cell as next_cell
from .level.level import Level as Level
from .navmesh.agent import Agent as Agent
from .navmesh.cut import CutMesh as CutMesh
from .navmesh.navmesh import NavMesh as NavMesh
from .navmesh.query import (
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
from .navmesh.voxels.settings import VoxelSettings as VoxelSettings
from .reasoning.chase.breadcrumbs import Breadcrumbs as Breadcrumbs
from .reasoning.chase.chase import Chase as Chase
from .reasoning.chase.dead_reckoning import DeadReckoning as DeadReckoning
from .reasoning.chase.loss import Loss as Loss, View as View
from .reasoning.chase.losses import Losses as Losses
from .reasoning.chase.particles import ParticleFilter as ParticleFilter
from .reasoning.chase.places import LastPosition as LastPosition
from .reasoning.chase.prediction import Flood as Flood, Prediction as Prediction, Predictor as Predictor
from .reasoning.chase.pursuit import Pursuit as Pursuit, Stimulus as Stimulus
from .reasoning.chase.settings import ChaseSettings as ChaseSettings
from .reasoning.chase.tactical import tactical_worth as tactical_worth

__version__: str
__all__: list[str]
