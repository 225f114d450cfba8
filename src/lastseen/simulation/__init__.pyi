from .replay.account import Account as Account, account_of as account_of
from .recording.world_columns import record as record
from .replay.comparison import Comparison as Comparison, compare as compare
from .world.puppet import PlayerInput as PlayerInput, apply_input as apply_input
from .recording.recording import Frame as Frame, Recording as Recording
from .game_loop import Outcome as Outcome, outcome as outcome, run as run, step as step
from .scenario.reader import (
    Setting as Setting,
    parse_scenario as parse_scenario,
    read_scenario as read_scenario,
    setting_of as setting_of,
)
from .scenario.reader import (
    shipped_scenario as shipped_scenario,
    shipped_scenarios as shipped_scenarios,
    scenario_text as scenario_text,
)
from .scenario.scenario import AgentSpec as AgentSpec, Incident as Incident, Scenario as Scenario, Trigger as Trigger
from .costs import costs_of as costs_of
from .world.setup import make_world as make_world
from .world.tree_changes import replace_tree as replace_tree
from .world.world import World as World
from .systems import SYSTEMS as SYSTEMS
