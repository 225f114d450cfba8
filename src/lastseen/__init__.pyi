from . import (
    cells as cells,
    chase as chase,
    crews as crews,
    errors as errors,
    experiments as experiments,
    figures as figures,
    layers as layers,
    level as level,
    locations as locations,
    navmesh as navmesh,
    placement as placement,
    rules as rules,
    search as search,
    senses as senses,
    simulation as simulation,
    studio as studio,
    tactical as tactical,
    trees as trees,
)
from .cells.layout import CellLayout as CellLayout
from .cells.live import LiveLayout as LiveLayout
from .cells.query import cell_at as cell_at
from .compilation.preparation import kernels_on_demand as kernels_on_demand
from .compilation.progress import CompileProgress as CompileProgress
from .compilation.warmup import WarmupReport as WarmupReport, warmup as warmup
from .errors import InputError as InputError, LastSeenError as LastSeenError
from .layers.layer import Layer as Layer
from .level.level import Level as Level
from .level.samples import sample as sample
from .level.sight.query import sees as sees
from .level.sight.sight import Sight as Sight
from .navmesh.body import Body as Body
from .navmesh.cut import CutMesh as CutMesh
from .navmesh.navmesh import NavMesh as NavMesh
from .navmesh.query import find_path as find_path
from .reasoning.chase.flood.chase import Chase as Chase
from .reasoning.chase.loss import Loss as Loss, View as View
from .reasoning.chase.prediction import Prediction as Prediction
from .reasoning.chase.flood.chase_settings import ChaseSettings as ChaseSettings
from .reasoning.locations.picker import Picker as Picker
from .reasoning.locations.query import Query as Query
from .reasoning.placement.place.place import place_guards as place_guards
from .reasoning.placement.verify.verify import verify as verify
from .reasoning.search.map.search_map import SearchMap as SearchMap
from .simulation.recording.world_columns import record as record
from .simulation.experiments.chase.experiment import evaluate_chase as evaluate_chase
from .simulation.recording.recording import Recording as Recording
from .simulation.game_loop import run as run, step as step
from .simulation.scenario.reader import parse_scenario as parse_scenario, read_scenario as read_scenario
from .simulation.scenario.scenario import Scenario as Scenario
from .simulation.world.setup import make_world as make_world
from .simulation.world.world import World as World

__version__: str
