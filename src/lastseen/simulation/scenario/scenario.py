"""The scenario: a level, agents, scripted events, a seed."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from ...agents.combat import AttackKind, CombatRules

__all__ = ["ENDS", "AgentSpec", "Incident", "Place", "PlayerView", "Scenario"]

ENDS = ("caught", "escaped", "beaten", "found", "all calm", "time over")
"""Reasons an episode may end for by its own rules; "brain failed" and "stopped" come from outside them."""

Place = Annotated[tuple[float, ...], msgspec.Meta(min_length=2, max_length=3)]
Budget = Annotated[int, msgspec.Meta(ge=1)]
Share = Annotated[float, msgspec.Meta(ge=0.0, le=1.0)]
Seconds = Annotated[float, msgspec.Meta(ge=0.0, le=86_400.0)]


class AgentSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Somebody in the scenario.

    Attributes
    ----------
    name : of the agent; unique.
    brain : a ready brain ("guard", "civilian", "runner", "puppet" …) or a tree file beside the scenario.
    at : where it starts, in metres; left out: at the spawn of this name in the level.
    heading : radians counter-clockwise from +x; left out: as its spawn, else 0.
    patrol : name of a patrol of the level; left out: as its spawn.
    team : whose side it is on; left out: as its brain.
    vision : name of a model; left out: as the scenario.
    sensitivity : how well it hears; 1 is ordinary, 0 deaf.
    camouflage : 0 … 1, how like its surroundings it looks.
    reaction : how long it takes to notice and act, a name of `REACTIONS`; left out: as the scenario.
    speed, turn_speed : metres per second at a walk (it runs and sneaks in proportion), radians per second; left out:
        as its spawn, else as everybody.
    view_angle, view_distance : radians and metres; 60° and 12 m are the models as they are, other values stretch their
        shapes. Left out: as its spawn.
    attack : how it is armed in a fight; left out: guards, brawlers and puppets melee, others not at all.
    health : with which it begins a fight; at 0 it goes down.
    settings : start values of the brain's blackboard, by key.
    """

    name: str
    brain: str = "guard"
    at: Place | None = None
    heading: float | None = None
    patrol: str | None = None
    team: str | None = None
    vision: str | None = None
    sensitivity: Annotated[float, msgspec.Meta(ge=0.0, le=100.0)] = 1.0
    camouflage: Share = 0.0
    reaction: str | None = None
    speed: Annotated[float, msgspec.Meta(gt=0.0, le=20.0)] | None = None
    turn_speed: Annotated[float, msgspec.Meta(gt=0.0, le=100.0)] | None = None
    view_angle: Annotated[float, msgspec.Meta(gt=0.0, le=6.2832)] | None = None
    view_distance: Annotated[float, msgspec.Meta(gt=0.0, le=1000.0)] | None = None
    attack: AttackKind | None = None
    health: Annotated[float, msgspec.Meta(gt=0.0, le=1e6)] = 100.0
    settings: dict[str, float | str | bool] = {}


class Incident(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Something the script makes happen: `do` says what, at so many seconds.

    Attributes
    ----------
    at : seconds from the start.
    do : "sound" (of `kind` at `place`), "open door", "close door" (`door`; with an
        `agent`: by its hand, so that guards wonder), "fell" (`agent` lies down, a body to be
        found), "remove" (`agent` leaves the world), "place" (`agent` is put to `place`), "alarm" (at `place`), "set"
        (`key` of `agent`'s blackboard to `value`), "smoke" (at `place`, `radius` metres, for `seconds`: nobody sees
        through it or hears in it), "light" (zones named `zone` are lit by `value`, 0 … 1), "request" (`agents` ask for
        the `objective` about the `target`, an agent, or at `place`, with a `priority`, for `seconds`: they become a
        crew; those of their team within `draws` metres are drawn in by radio, until there are as many as it
        `wants`), "end request" (`agents` ask no longer: for the `objective`, or for any).
    """

    at: Seconds
    do: Literal[
        "sound",
        "open door",
        "close door",
        "fell",
        "remove",
        "place",
        "alarm",
        "set",
        "smoke",
        "light",
        "request",
        "end request",
    ]
    place: Place | None = None
    kind: str = ""
    agent: str = ""
    door: str = ""
    key: str = ""
    value: float | str | bool | None = None
    zone: str = ""
    radius: Annotated[float, msgspec.Meta(gt=0.0, le=100.0)] = 3.0
    seconds: Seconds = 10.0
    agents: tuple[str, ...] = ()
    objective: str = ""
    target: str = ""
    priority: Annotated[float, msgspec.Meta(ge=-1e6, le=1e6)] = 1.0
    draws: Annotated[float, msgspec.Meta(ge=0.0, le=1e6)] = 0.0
    wants: Annotated[int, msgspec.Meta(ge=2, le=10)] = 10


class PlayerView(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Whose eyes the player sees by: guards out of this view, and far enough, hear some sounds worse.

    Attributes
    ----------
    agent : name of an intruder.
    angle, distance : radians the view opens by, and metres; walls hide.
    factor : 0 … 1 of the radius at which those out of view hear such sounds; 1: no fairness.
    beyond : metres a sound must come for that to hold.
    """

    agent: str
    angle: Annotated[float, msgspec.Meta(gt=0.0, le=6.2832)] = 1.75
    distance: Annotated[float, msgspec.Meta(gt=0.0, le=30.0)] = 30.0
    factor: Share = 0.5
    beyond: Annotated[float, msgspec.Meta(ge=0.0, le=1000.0)] = 12.0


class Scenario(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """All that decides a run.

    Attributes
    ----------
    level : a sample's name, or a level file, seen from the scenario file's folder.
    agents : who takes part; left out: everybody the level spawns, guards with guards' brains.
    script : what happens by itself.
    seconds : after which the episode is over.
    step : seconds of a step of the simulation.
    seed : of everything random.
    ends : reasons that end the episode before its time.
    radius, cell : metres; of bodies and of cells.
    vision, hearing, chase : names of models and presets for everybody who does not choose.
    light : 0 … 1, of places whose zone says nothing; zones of the kind "dark" have 0.2, "lit" 1.
    lights : light of zones by their names.
    player : whose eyes the player sees by; left out: everybody hears alike.
    fading : seconds in which knowledge becomes half as sure; 0: it stays as sure.
    sharing : who lets whom know: "private": nobody; "broadcast": the whole team at once; "on contact": those who meet.
    grace : what is known after the loss of sight: "frozen": the place of the last perception; "followed": the true
        place for 2.5 s more. Left out: "followed" with a coordinator, else "frozen".
    reaction : how long everybody takes from seeing and hearing to acting: a name of `REACTIONS`; "at once": no time.
    search : "influence", "careful", "bleeding": presets of the map of influence; "coordinator": a search in two phases
        over spots; "both": that one, over influence.
    search_seconds : how long a search goes on.
    rays : most rays cast in a step to find who sees whom; who finds none left keeps its last answer and is the first
        in the next step. Left out: as many as it takes; so with the next two.
    search_cells : most cells the wave of influence takes in a step; the rest comes later.
    search_lines : most straight lines drawn in a step to find what searchers look at; they take turns.
    crews : true: agents do things together by the trees that come with lastseen; a table of objectives: by these
        trees, each a ready one's name or a tree file beside the scenario. Left out: everybody acts alone.
    combat : whether people fight instead of being caught, or by which rules they do; see `CombatRules`.
    rules : what people say: a ready database ("guards"), a file or folder of rules beside the scenario, or "none".
    language : of lines that have several, as "en" or "pt-BR".
    facts : values of variables of the rules, by path, for everybody.
    """

    level: str
    agents: tuple[AgentSpec, ...] = ()
    script: tuple[Incident, ...] = ()
    seconds: Annotated[float, msgspec.Meta(gt=0.0, le=86_400.0)] = 120.0
    step: Annotated[float, msgspec.Meta(gt=0.0, le=1.0)] = 1.0 / 30.0
    seed: Annotated[int, msgspec.Meta(ge=0)] = 0
    ends: tuple[Literal["caught", "escaped", "beaten", "found", "all calm"], ...] = ("caught", "escaped", "beaten")
    radius: Annotated[float, msgspec.Meta(gt=0.0, le=5.0)] = 0.3
    cell: Annotated[float, msgspec.Meta(ge=0.1, le=10.0)] = 1.0
    vision: str = "zones"
    hearing: Literal["path", "radius", "area"] = "path"
    light: Share = 1.0
    lights: dict[str, Share] = {}
    player: PlayerView | None = None
    fading: Seconds = 30.0
    sharing: Literal["private", "broadcast", "on contact"] = "on contact"
    grace: Literal["frozen", "followed"] | None = None
    reaction: str = "varied"
    chase: str = "belief"
    search: str = "influence"
    search_seconds: Seconds = 40.0
    rays: Budget | None = None
    search_cells: Budget | None = None
    search_lines: Budget | None = None
    crews: bool | dict[str, str] = False
    combat: bool | CombatRules = False
    rules: str = "guards"
    language: str = "en"
    facts: dict[str, bool | int | float | str] = {}
    name: str = ""
