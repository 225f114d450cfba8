"""The scenario: a level, agents with the defaults of their side, scripted events, a seed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal, get_args

import msgspec

from ...agents.bodies.combat import AttackKind, CombatRules
from ...agents.bodies.orders import Power
from ...agents.brains.relations import TEAMS
from ...agents.brains.shipped_brains import BRAINS, PUPPET
from ...reasoning.chase.flood.chase_settings import PREFERRED
from ...vocabulary.words import EndReason
from .object_specs import ObjectSpec, Place, PowerRules, Seconds, SwarmSpec, TaskSpec, TrapSpec
from .scene_specs import SceneSpec

if TYPE_CHECKING:
    End = str
else:
    End = Literal[EndReason.texts()[: EndReason.TIME_OVER.number]]
Budget = Annotated[int, msgspec.Meta(ge=1)]
Share = Annotated[float, msgspec.Meta(ge=0.0, le=1.0)]
Hold = Annotated[float, msgspec.Meta(ge=0.0, le=10.0)]


class AgentSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """An agent in the scenario.

    Attributes
    ----------
    name : of the agent; unique.
    brain : a shipped brain ("guard", "civilian", "runner", "puppet" …) or a tree file relative to the scenario.
    at : start position in metres; default: the spawn of this name in the level.
    heading : radians counter-clockwise from +x; default: that of its spawn, else 0.
    patrol : name of a patrol of the level; default: that of its spawn.
    team : its side; default: that of its brain.
    vision : name of a model; default: that of the scenario.
    chase : its predictor; default: that of its team.
    search : how it chooses its places in a search, as in `influence:far=20`; default: as the scenario says.
    sensitivity : of its hearing; 1 is normal, 0 deaf.
    camouflage : 0 … 1, how well it blends into its surroundings.
    reaction : time to notice and act, a name of `REACTIONS`; default: that of the scenario.
    sighting_hold : seconds, see `Scenario`; default: that of its team.
    speed, turn_speed : walking speed in m/s (running and sneaking scale with it), radians per second; default: those of
        its spawn, else the general ones.
    view_angle, view_distance : radians and metres; the models are made for 60° and 12 m, other values stretch their
        shapes. Default: those of its spawn.
    attack : its weapon in a fight; default: melee for guards, brawlers and puppets, none for others.
    health : at the beginning of a fight; at 0 it goes down.
    rules : groups whose rules it follows before those of its side: `[rowdy]` means the handlers `rowdy.barks` and
        `rowdy.moves`.
    powers : "blink" (to a place in sight within 8 m), "decoy" (which watchers see instead, for 5 s), "trap" (set where
        it stands), "time_stop" (time stands still for all others), "possess" (take control of an agent of another
        team), "travel" (to the same place in the other of the `level_states`); default: all for puppets, those that
        their trees use for tricksters, trappers, deceivers, timekeepers, body thieves and travellers, none for others.
    tasks : what it does all day (`do_tasks` in its tree): objects to use, by name, or with settings of their own.
    gender : "female" or "male", which lines about it may depend on (`target.gender`); default: unknown.
    settings : initial values of the brain's blackboard, by key.
    summoned_by : name of the agent that summons it; it is outside the world until then.
    """

    name: str
    brain: str = "guard"
    at: Place | None = None
    heading: float | None = None
    patrol: str | None = None
    team: str | None = None
    vision: str | None = None
    chase: str | None = None
    search: str | None = None
    sensitivity: Annotated[float, msgspec.Meta(ge=0.0, le=100.0)] = 1.0
    camouflage: Share = 0.0
    reaction: str | None = None
    sighting_hold: Hold | None = None
    speed: Annotated[float, msgspec.Meta(gt=0.0, le=20.0)] | None = None
    turn_speed: Annotated[float, msgspec.Meta(gt=0.0, le=100.0)] | None = None
    view_angle: Annotated[float, msgspec.Meta(gt=0.0, le=6.2832)] | None = None
    view_distance: Annotated[float, msgspec.Meta(gt=0.0, le=1000.0)] | None = None
    attack: AttackKind | None = None
    health: Annotated[float, msgspec.Meta(gt=0.0, le=1e6)] = 100.0
    rules: tuple[str, ...] = ()
    powers: tuple[Power, ...] | None = None
    tasks: tuple[str | TaskSpec, ...] = ()
    gender: Literal["female", "male"] | None = None
    settings: dict[str, float | str | bool] = {}
    summoned_by: str = ""


class TeamSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A team of the scenario.

    Attributes
    ----------
    side : how its agents take part: "guards" (default) and "civilians" watch others, "intruders" are watched.
    attitudes : "hostile", "neutral" or "allied" to other teams, by name; each holds both ways unless the other team
        has its own. Those left out follow from the sides: intruders and others are hostile, all else is neutral.
    sighting_hold : seconds, see `Scenario`; default: that of the scenario.
    """

    side: str | None = None
    attitudes: dict[str, str] = {}
    sighting_hold: Hold | None = None


TriggerKind = Literal[
    "enters", "leaves", "sees", "loses", "hears", "finds body", "springs trap", "reaches state", "uses",
    "crew ends", "fact holds",
]  # fmt: skip


class Trigger(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a row of the script waits for.

    Attributes
    ----------
    event : "enters", "leaves" (the `zone`), "sees", "loses" (the `target`), "hears" (a `sound`, after two seconds
        without one), "finds body" (of the `target`), "springs trap" (set by the `target`, or any),
        "reaches state" (the `state`), "uses" (the `object`, to the end), "crew ends" (for the `objective`),
        "fact holds" (the condition `fact`, such as `script.alarms >= 2`, begins to hold).
    agent, team : the agent that does it, or its team; default: any. For crews, a member.
    """

    event: TriggerKind
    agent: str = ""
    team: str = ""
    target: str = ""
    zone: str = ""
    sound: str = ""
    state: str = ""
    object: str = ""
    objective: str = ""
    fact: str = ""


class Incident(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A row of the script: `do` says what happens, `at` or `when` says at what time.

    Attributes
    ----------
    do : "sound" (of `kind` at `place`), "open door", "close door" (`door`; with an `agent`, that agent does it, so
        that guards wonder), "fell" (`agent` lies down, a body to be found), "remove" (`agent` leaves the world),
        "place" (move `agent` to `place`), "travel" (`agent` goes over to the other of the `level_states`), "alarm" (at
        `place`), "set" (`key` of `agent`'s blackboard, or a global `fact`, to `value`), "smoke" (at `place`, `radius`
        metres, for `seconds`: blocks sight and hearing), "weather" (of `kind`), "light" (of zones named `zone` to
        `value`, 0 … 1), "add platform", "move platform" (`platform`, to the position `to`; with it go the agents that
        stand on it), "remove platform", "request" (`agents` request the `objective` about the `target`, an agent, or
        at `place`, with a `priority`, for `seconds`, and form a crew; members of their team within `draws` metres are
        drawn in by radio, until there are as many as it `wants`), "end request" (`agents` withdraw the `objective`, or
        all requests), "attitude" (of `team` and the team `toward` to each other, to a `value`: "hostile", "neutral" or
        "allied").
    at : seconds from the start; with `when`, the trigger is ignored before.
    when : the trigger; it fires once, or with `repeat` every time, at most once per step.
    after : seconds from the trigger until it happens.
    """

    do: Literal[
        "sound",
        "open door",
        "close door",
        "fell",
        "remove",
        "place",
        "travel",
        "alarm",
        "set",
        "smoke",
        "weather",
        "light",
        "request",
        "end request",
        "attitude",
        "add platform",
        "move platform",
        "remove platform",
    ]
    at: Seconds | None = None
    when: Trigger | None = None
    after: Seconds = 0.0
    repeat: bool = False
    place: Place | None = None
    kind: str = ""
    agent: str = ""
    door: str = ""
    platform: str = ""
    to: str = ""
    key: str = ""
    fact: str = ""
    value: float | str | bool | None = None
    zone: str = ""
    team: str = ""
    toward: str = ""
    radius: Annotated[float, msgspec.Meta(gt=0.0, le=100.0)] = 3.0
    seconds: Seconds = 10.0
    agents: tuple[str, ...] = ()
    objective: str = ""
    target: str = ""
    priority: Annotated[float, msgspec.Meta(ge=-1e6, le=1e6)] = 1.0
    draws: Annotated[float, msgspec.Meta(ge=0.0, le=1e6)] = 0.0
    wants: Annotated[int, msgspec.Meta(ge=2, le=10)] = 10


class LayerSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """How a layer that agents read is kept up to date.

    Attributes
    ----------
    every : seconds between two surveys.
    cells : cells that may be looked at per step; the survey of the moment it began at is finished later. Default:
        unlimited.
    sum : a layer of its own: the sum of others, each times its weight, by name.
    """

    every: Annotated[float, msgspec.Meta(ge=0.0, le=3600.0)] = 0.5
    cells: Budget | None = None
    sum: dict[str, float] = {}


class TerritoryRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """How guards treat agents in restricted and safe zones.

    Attributes
    ----------
    patience : seconds from the warning of a neutral agent in a restricted zone to its escort.
    escort : seconds from there until it is attacked.
    forgives : seconds outside a restricted zone after which it is let go, and outside a safe one for which an enemy is
        still left alone.
    """

    patience: Seconds = 4.0
    escort: Seconds = 6.0
    forgives: Seconds = 3.0


class PlayerView(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The player's view: guards outside it, and far enough away, hear some sounds less well.

    Attributes
    ----------
    agent : name of an intruder.
    angle, distance : field of view in radians, and its range in metres; walls block it.
    factor : 0 … 1, factor on the radius at which guards outside the view hear such sounds; 1: no effect.
    beyond : minimum distance of a sound in metres for that to apply.
    """

    agent: str
    angle: Annotated[float, msgspec.Meta(gt=0.0, le=6.2832)] = 1.75
    distance: Annotated[float, msgspec.Meta(gt=0.0, le=30.0)] = 30.0
    factor: Share = 0.5
    beyond: Annotated[float, msgspec.Meta(ge=0.0, le=1000.0)] = 12.0


class Detail(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Level of detail: agents that matter little at the moment think less often, in turn.

    Attributes
    ----------
    beyond : metres from every target from which on a calm agent counts as far.
    unseen : whether calm agents that no target has a line of sight to count as far too.
    every : steps from one thought of a far agent to the next.
    """

    beyond: Annotated[float, msgspec.Meta(ge=0.0, le=1e6)] = 25.0
    unseen: bool = False
    every: Annotated[int, msgspec.Meta(ge=1, le=60)] = 4


class Scenario(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Everything that determines a run.

    Attributes
    ----------
    level : name of a sample, or a level file, relative to the scenario file.
    agents : default: all agents that the level spawns, with brains to match.
    script : what happens at a given time, or when something else happens.
    teams : teams by name, with their attitudes; guards, intruders and civilians need not be listed.
    guards : guards of `lastseen guards place -o`, relative to the scenario file; they replace those of the level.
    patrols : routes besides those of the level, by name: the places an agent walks to, again and again, and the names
        of objects it uses there.
    seconds : maximum duration of the episode.
    step : duration of a simulation step in seconds.
    seed : of all random numbers.
    ends : reasons that end the episode early.
    radius : of bodies, in metres.
    cell : edge of a cell in metres; default: the tile of a tile map, else 1.
    vision, hearing : names of models for agents without their own.
    chase : predictor of guards, with changed settings as in `belief:max_steps=20`, or a table of them by team.
    light : 0 … 1, default light; zones of the kind "dark" have 0.2, "lit" 1.
    lights : light of zones, by name.
    weather : a name of `WEATHERS`: limits sight and hearing in zones of the kind "outdoors", or everywhere in a level
        without such zones.
    player : the player's view; default: all agents hear alike.
    fading : half-life of the certainty of knowledge in seconds; 0: certainty is constant.
    sharing : of knowledge: "private": none; "broadcast": the whole team at once; "on contact": agents that meet.
    grace : knowledge after the loss of sight: "frozen": the position of the last perception; "followed": the true
        position for 2.5 s more. Default: "followed" with a coordinator, else "frozen".
    reaction : time from perceiving to acting, a name of `REACTIONS`; "at once": no delay.
    sighting_hold : seconds for which a watcher still acts on a target that left its sight, 0 … 10; only then is the
        target lost, and the watcher predicts where it went.
    search : "gain", "influence", "careful", "bleeding": presets of the influence map, the first for going where a look
        shows most; "coordinator": a search in two phases over spots; "both": the coordinator over influence. Settings
        can be changed, as in `influence:speed=2:far=20`.
    search_seconds : duration of a search.
    rays : ray budget of vision per step; pairs over budget keep their last result and come first in the next step.
        Default: unlimited; likewise for the next two.
    search_cells : cells that the influence wave may process per step; the rest follows later.
    search_lines : lines of sight per step for what searchers look at; searchers take turns.
    search_threads : 1 … 64 threads that look for searchers, with the same result; with `search_lines`, one does.
    layers : budgets of layers that agents read, by name, and layers made of others. See `LAYERS`; those that trees and
        queries name are kept without being listed.
    budget : milliseconds that a step may take; steps over budget are marked. Default: the duration of a step.
    detail : how often agents think that are calm and far from all targets, or unseen; default: every step.
    crews : true: agents form crews with the shipped trees; a table of objectives: with these trees, each the name of a
        shipped one or a tree file relative to the scenario. Default: agents act alone.
    scenes : what agents play together step by step, by name; rows of the script request them; see `SceneSpec`.
    traps : places that fell, snare or give away agents of other teams.
    level_states : names of two zones that are the same floor plan in two states, between which agents may travel.
    objects : things that agents use: alarms, workbenches, switches, items, keys, barriers.
    swarms : small creatures around nests that attack agents nearby; see `SwarmSpec`.
    territory : whether restricted and safe zones of the level count, or the rules; see `TerritoryRules`.
    power_rules : how long powers of agents last; see `PowerRules`.
    combat : whether agents fight instead of being caught, or the rules of combat; see `CombatRules`.
    rules : of speech: a shipped database ("guards"), a file or folder of rules relative to the scenario, or "none".
    language : of lines that have several, such as "en" or "pt-BR".
    loudspeakers : places by name of loudspeakers, which speak by the rules `loudspeaker.barks`; default: the level's
        markers of the kind "loudspeaker".
    facts : values of variables of the rules, by path, for all agents; paths that begin with "script." need no rules.
    """

    level: str
    agents: tuple[AgentSpec, ...] = ()
    script: tuple[Incident, ...] = ()
    teams: dict[str, TeamSpec] = {}
    guards: str = ""
    patrols: dict[str, Annotated[tuple[Place | str, ...], msgspec.Meta(min_length=2, max_length=1000)]] = {}
    seconds: Annotated[float, msgspec.Meta(gt=0.0, le=86_400.0)] = 120.0
    step: Annotated[float, msgspec.Meta(gt=0.0, le=1.0)] = 1.0 / 30.0
    seed: Annotated[int, msgspec.Meta(ge=0)] = 0
    ends: tuple[End, ...] = (EndReason.CAUGHT.value, EndReason.ESCAPED.value, EndReason.BEATEN.value)
    radius: Annotated[float, msgspec.Meta(gt=0.0, le=5.0)] = 0.3
    cell: Annotated[float, msgspec.Meta(ge=0.1, le=10.0)] | None = None
    vision: str = "zones"
    hearing: Literal["path", "radius", "area"] = "path"
    light: Share = 1.0
    lights: dict[str, Share] = {}
    weather: str = "clear"
    player: PlayerView | None = None
    fading: Seconds = 30.0
    sharing: Literal["private", "broadcast", "on contact"] = "on contact"
    grace: Literal["frozen", "followed"] | None = None
    reaction: str = "varied"
    sighting_hold: Hold = 0.8
    chase: str | dict[str, str] = PREFERRED
    search: str = "gain"
    search_seconds: Seconds = 40.0
    rays: Budget | None = None
    search_cells: Budget | None = None
    search_lines: Budget | None = None
    search_threads: Annotated[int, msgspec.Meta(ge=1, le=64)] = 1
    layers: dict[str, LayerSpec] = {}
    budget: Annotated[float, msgspec.Meta(gt=0.0, le=1e6)] | None = None
    detail: Detail | None = None
    crews: bool | dict[str, str] = False
    scenes: dict[str, SceneSpec] = {}
    traps: tuple[TrapSpec, ...] = ()
    level_states: Annotated[tuple[str, ...], msgspec.Meta(min_length=2, max_length=2)] | None = None
    objects: tuple[ObjectSpec, ...] = ()
    swarms: tuple[SwarmSpec, ...] = ()
    territory: bool | TerritoryRules = False
    power_rules: PowerRules = PowerRules()
    combat: bool | CombatRules = False
    rules: str = "guards"
    language: str = "en"
    loudspeakers: dict[str, Place] | None = None
    facts: dict[str, bool | int | float | str] = {}
    name: str = ""


def budget_of(scenario: Scenario) -> float:
    """Return the milliseconds that a step may take: those of the scenario, else the duration of a step."""
    return 1000.0 * scenario.step if scenario.budget is None else scenario.budget


SCRIPT_FACT = "script."
"""Beginning of the paths of facts that only the script has to know."""


def fact_paths(scenario: Scenario) -> tuple[str, ...]:
    """Return the paths of all facts that a scenario gives or sets."""
    return tuple(dict.fromkeys([*scenario.facts, *(one.fact for one in scenario.script if one.fact)]))


_ARMED = ("brawler", PUPPET)
"""Brains of intruders that fight by themselves, or whose player may."""


def team_of(spec: AgentSpec) -> str:
    """Return an agent's team: that of the scenario, else that of its brain."""
    return spec.team or ("intruders" if spec.brain == PUPPET else BRAINS.get(spec.brain, "guards"))


_TRICKS: tuple[Power, ...] = ("blink", "decoy", "trap")
_USUAL: dict[str, tuple[Power, ...]] = {
    **dict.fromkeys(("trickster", "trapper", "deceiver"), _TRICKS),
    "timekeeper": ("time_stop",),
    "body_thief": ("possess",),
    "traveller": ("travel",),
    PUPPET: get_args(Power),
}
"""Powers that agents have by default, by brain."""


def powers_of(scenario: Scenario, spec: AgentSpec) -> tuple[str, ...]:
    """Return an agent's powers: by default all for puppets, those their trees use for others."""
    powers = _USUAL.get(spec.brain, ()) if spec.powers is None else spec.powers
    return tuple(one for one in powers if one != "travel" or scenario.level_states is not None)


def chase_of(scenario: Scenario, spec: AgentSpec) -> str:
    """Return the predictor of an agent as written: its own, else that of its team, else the usual one."""
    if spec.chase is not None:
        return spec.chase
    return scenario.chase if isinstance(scenario.chase, str) else scenario.chase.get(team_of(spec), PREFERRED)


def sides_of(scenario: Scenario) -> dict[str, str]:
    """Return the side of every team of a scenario, by name, in the order of their numbers."""
    given = {name: spec.side or (name if name in TEAMS else TEAMS[0]) for name, spec in scenario.teams.items()}
    return {name: name for name in TEAMS} | given


def arms_of(spec: AgentSpec, team: str) -> AttackKind:
    """Return an agent's weapon: by default blades for guards, and for few others."""
    if spec.attack is not None:
        return spec.attack
    return "melee" if team == "guards" or spec.brain in _ARMED else "none"
