"""What type checkers see: the names `lastseen` loads on first use."""

from .agents.behaviour.build import build_tree as build_tree
from .agents.behaviour.definition import TreeFile as TreeFile, TreeFileError as TreeFileError
from .agents.behaviour.hints import Hints as Hints
from .agents.behaviour.leaf import Action as Action, Condition as Condition, Leaf as Leaf
from .agents.behaviour.read import parse_trees as parse_trees, read_trees as read_trees
from .agents.behaviour.registry import Registry as Registry
from .agents.behaviour.status import Status as Status
from .agents.behaviour.tree import Tree as Tree
from .agents.behaviour.tree_stack import TreeStack as TreeStack
from .agents.bodies import bodies as bodies
from .agents.brains.leaves.registry import brain_leaves as brain_leaves
from .agents.brains.ready import brain_text as brain_text, ready_brain as ready_brain
from .agents.combat import CombatRules as CombatRules
from .agents.crews.assignment import assign as assign
from .agents.crews.crews import Crews as Crews
from .agents.crews.leaves import leaves_with as leaves_with
from .agents.crews.ranks import RankSettings as RankSettings, Ranking as Ranking
from .agents.crews.ready_words import ready_words as ready_words
from .agents.crews.tokens import TokenPool as TokenPool, TokenSettings as TokenSettings
from .agents.crews.words import RoleWords as RoleWords
from .agents.knowledge.knowledge import Knowledge as Knowledge
from .agents.knowledge.sharing import Sharing as Sharing, share as share, sharing as sharing
from .agents.perception.area_hearing import AreaGraph as AreaGraph, AreaHearing as AreaHearing, Choke as Choke
from .agents.perception.changed_objects import ChangedObjects as ChangedObjects
from .agents.perception.coffin_vision import CoffinVision as CoffinVision
from .agents.perception.hearing import PathHearing as PathHearing, RadiusHearing as RadiusHearing
from .agents.perception.hearing_case import Ears as Ears, Heard as Heard
from .agents.perception.look import RayBudget as RayBudget, look_at_points as look_at_points
from .agents.perception.missing_colleague import MissingColleague as MissingColleague
from .agents.perception.narrowing_vision import NarrowingVision as NarrowingVision
from .agents.perception.reaction import (
    ReactionQueue as ReactionQueue,
    ReactionTime as ReactionTime,
    reaction as reaction,
)
from .agents.perception.sightings import Sightings as Sightings, VisionMemory as VisionMemory
from .agents.perception.sounds import MovementNoise as MovementNoise, Sound as Sound, sound as sound
from .agents.perception.stimuli import StimulusBoard as StimulusBoard
from .agents.perception.vision import vision as vision
from .agents.perception.zone_vision import ZoneVision as ZoneVision
from .agents.role_desk import RoleDesk as RoleDesk, RoleKind as RoleKind
from .agents.rules.bindings import Bindings as Bindings
from .agents.rules.bins import Bins as Bins
from .agents.rules.check import check_rules as check_rules
from .agents.rules.company import Speaker as Speaker, Speakers as Speakers
from .agents.rules.compile import compile_handler as compile_handler
from .agents.rules.engine import Engine as Engine, Fired as Fired
from .agents.rules.faults import RuleFileError as RuleFileError
from .agents.rules.greedy import Greedy as Greedy
from .agents.rules.lines import spoken as spoken
from .agents.rules.pack import RulePack as RulePack, open_rules as open_rules
from .agents.rules.production import Production as Production
from .agents.rules.production_text import parse_production as parse_production
from .agents.rules.read import parse_rules as parse_rules, read_rules as read_rules
from .agents.rules.ready import ready_rules as ready_rules
from .agents.rules.recorded import RecordedRule as RecordedRule, Recorder as Recorder
from .agents.rules.rule import Database as Database, Handler as Handler, Rule as Rule
from .agents.rules.sources import (
    Attribute as Attribute,
    Constant as Constant,
    Entry as Entry,
    Method as Method,
    Recollection as Recollection,
    Record as Record,
)
from .agents.rules.speech import Speech as Speech
from .agents.rules.twinning import TwinBoard as TwinBoard
from .agents.rules.utterance import Bark as Bark, SpeechSettings as SpeechSettings, Utterance as Utterance
from .agents.rules.why import explain as explain
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
from .cells.standing import (
    standing_cells as standing_cells,
)
from .compilation.warmup import CompileProgress as CompileProgress, WarmupReport as WarmupReport, warmup as warmup
from .errors import (
    BakeError as BakeError,
    BehaviourError as BehaviourError,
    CellFileError as CellFileError,
    Fault as Fault,
    InputError as InputError,
    LastSeenError as LastSeenError,
    LevelError as LevelError,
    QueryError as QueryError,
    RecordingError as RecordingError,
    RuleError as RuleError,
    ScenarioError as ScenarioError,
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
from .level.sight.query import (
    Hits as Hits,
    first_hit as first_hit,
    sees as sees,
    sees_any as sees_any,
    sees_each as sees_each,
    visible_area as visible_area,
    visible_areas as visible_areas,
)
from .level.sight.sight import Sight as Sight
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
from .reasoning.locations.choice import Choice as Choice, Choices as Choices
from .reasoning.locations.criteria import (
    Angle as Angle,
    Cover as Cover,
    Crowd as Crowd,
    Distance as Distance,
    Height as Height,
    InZone as InZone,
    LayerValue as LayerValue,
    Seen as Seen,
    Way as Way,
)
from .reasoning.locations.curve import Curve as Curve
from .reasoning.locations.picker import Picker as Picker
from .reasoning.locations.places import Place as Place, places_of as places_of
from .reasoning.locations.query import Pick as Pick, Query as Query
from .reasoning.locations.query_file import (
    parse_query as parse_query,
    read_query as read_query,
    ready_queries as ready_queries,
    ready_query as ready_query,
)
from .reasoning.placement.detection import (
    Danger as Danger,
    GuardViews as GuardViews,
    Sighting as Sighting,
)
from .reasoning.placement.graph import (
    SightGraph as SightGraph,
    sight_graph as sight_graph,
)
from .reasoning.placement.ground import (
    GuardGround as GuardGround,
)
from .reasoning.placement.improve import (
    improve_guards as improve_guards,
)
from .reasoning.placement.partition import (
    Partition as Partition,
    partition as partition,
    radius_range as radius_range,
)
from .reasoning.placement.passable import (
    Passability as Passability,
    PathCheck as PathCheck,
    passable as passable,
)
from .reasoning.placement.patrols import (
    PatrolRoute as PatrolRoute,
    patrol_placement as patrol_placement,
)
from .reasoning.placement.place import (
    GuardPlanner as GuardPlanner,
    place_guards as place_guards,
)
from .reasoning.placement.route_files import (
    read_guards as read_guards,
    read_path as read_path,
    write_guards as write_guards,
    write_path as write_path,
)
from .reasoning.placement.routes import (
    Coverage as Coverage,
    GuardKind as GuardKind,
    GuardRoute as GuardRoute,
    Placement as Placement,
    guard_kind as guard_kind,
)
from .reasoning.placement.settings import (
    PlacementSettings as PlacementSettings,
)
from .reasoning.placement.similarity import (
    area_between as area_between,
    cluster as cluster,
    distances as distances,
    frechet as frechet,
    hausdorff as hausdorff,
)
from .reasoning.placement.sneaking import (
    SneakGround as SneakGround,
)
from .reasoning.placement.verification import (
    Rate as Rate,
    Solution as Solution,
    Verification as Verification,
)
from .reasoning.placement.verify import (
    verify as verify,
)
from .reasoning.placement.verify_settings import (
    VerifySettings as VerifySettings,
)
from .reasoning.search.coordinator import SearchCoordinator as SearchCoordinator
from .reasoning.search.destination import Destination as Destination, Scoring as Scoring
from .reasoning.search.gaps import GapDetector as GapDetector
from .reasoning.search.graph import search_graph as search_graph
from .reasoning.search.influence import SearchMap as SearchMap
from .reasoning.search.modes import CoordinatorSettings as CoordinatorSettings
from .reasoning.search.settings import SearchSettings as SearchSettings
from .reasoning.search.spot_sources import cover_points as cover_points
from .reasoning.tactical.area import area_within as area_within
from .reasoning.tactical.chokepoints import find_chokepoints as find_chokepoints
from .reasoning.tactical.combat_line import combat_line as combat_line
from .reasoning.tactical.detours import detours as detours
from .reasoning.tactical.exits import exits_of as exits_of
from .reasoning.tactical.exposure import (
    cells_seen as cells_seen,
    cover_against as cover_against,
    cover_towards as cover_towards,
)
from .reasoning.tactical.flank import flank_routes as flank_routes
from .reasoning.tactical.posts import posts_watching as posts_watching
from .reasoning.tactical.slots import slots_around as slots_around
from .reasoning.tactical.unreachable import UnreachableAreas as UnreachableAreas
from .reasoning.tactical.ways import CheapestWays as CheapestWays
from .simulation.account import Account as Account, account_of as account_of
from .simulation.columns import record as record
from .simulation.puppet import PlayerInput as PlayerInput, apply_input as apply_input
from .simulation.recording.recording import Frame as Frame, Recording as Recording
from .simulation.run import Outcome as Outcome, outcome as outcome, run as run, step as step
from .simulation.scenario.read import (
    Setting as Setting,
    parse_scenario as parse_scenario,
    read_scenario as read_scenario,
    setting_of as setting_of,
)
from .simulation.scenario.scenario import AgentSpec as AgentSpec, Incident as Incident, Scenario as Scenario
from .simulation.setup import make_world as make_world
from .simulation.sweeps.run import run_sweep as run_sweep
from .simulation.sweeps.summary import summarise_sweep as summarise_sweep
from .simulation.sweeps.sweep import read_sweep as read_sweep
from .simulation.world import World as World
from .textfile import TextFileError as TextFileError

__version__: str
__all__: list[str]
