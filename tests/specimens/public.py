"""Right arguments, and objects to ask, for public names of agents, search, locations and simulation."""

from __future__ import annotations

import numpy as np

from public_names import public
from specimens import public_crews as crews
from specimens import rules

VISIONS = ("CoffinVision", "NarrowingVision", "ZoneVision")
HEARINGS = ("AreaHearing", "PathHearing", "RadiusHearing")
CRITERIA = ("Angle", "Cover", "Crowd", "Distance", "Height", "InZone", "LayerValue", "Lead", "Seen", "PathClearance")
SCENARIO = """
level: corridor
seconds: 1
agents:
  - {name: Ames, at: [4, 4]}
  - {name: you, brain: puppet, at: [12, 4]}
"""

PLAIN = (
    *("Account", "Choice", "Choices", "Destination", "Frame", "Heard", "Hits", "Leaf", "Outcome", "Recording"),
    *("Setting", "Sight", "Sightings", "Status", "TreeFile", "World"),
    *rules.PLAIN,
)
"""Classes that others make, or that are there to be derived from."""

METHODS = {
    **dict.fromkeys(VISIONS, ("look",)),
    **dict.fromkeys(HEARINGS, ("listen",)),
    "AreaGraph": ("distance", "route", "way"),
    "ChangedObjects": ("change", "fresh", "notice"),
    "Choice": ("why",),
    "Curve": ("rate",),
    "GapDetector": ("look",),
    "Knowledge": ("age", "approach_due", "astray", "forget", "hear", "loss", "remember", "touch"),
    "MissingColleague": ("step",),
    "MovementNoise": ("sounds",),
    "PathHearing": ("distances", "listen"),
    "Picker": ("pick", "pick_many", "start"),
    "ReactionQueue": ("step",),
    "ReactionTime": ("base", "delay"),
    "Recording": ("column", "frame", "read", "tick_at"),
    "Registry": ("action", "build", "condition", "include", "leaf", "score", "type"),
    "SearchCoordinator": (
        *("found", "join", "leave", "lose_sight", "order", "perceive", "request", "searched", "stop", "update"),
    ),
    "SearchMap": (
        *("add_spot", "advance", "clean", "clean_cube", "clean_view", "destination", "destinations", "seed"),
        "use_spot",
    ),
    "Sight": ("from_level", "set_door", "set_doors"),
    "StimulusBoard": ("claim", "claimed_by", "expire", "get", "offers", "post", "post_sound", "release", "remove"),
    "Tree": ("find", "path"),
    "VisionMemory": ("forget",),
    **crews.METHODS,
    **rules.METHODS,
}


def sees_you(mind: object) -> bool:
    return mind is None


def right_arguments(level, layout, here, there) -> dict[str, object]:
    """A right value for every argument, by its name; where two functions differ, by `function.argument`."""
    sight, table = public.Sight.from_level(level), public.bodies([here, there], team=[0, 1])
    spread = {"AreaHearing.area_of": lambda points: np.zeros(len(points), np.int64), "AreaHearing.graph": _graph()}
    return {
        **crews.right_arguments(),
        **rules.right_arguments(),
        **spread,
        **{f"{name}.cells": layout for name in ("Picker", "SearchCoordinator", "SearchMap", "cover_points")},
        **{f"{name}.sight": sight.arrays for name in (*(f"{one}.look" for one in VISIONS), "look_at_points")},
        **{f"{name}.curve": public.Curve(at_least=1.0) for name in CRITERIA},
        **{f"Registry.{name}.function": sees_you for name in ("action", "condition", "score")},
        **{f"StimulusBoard.{name}.agent": 0 for name in ("claim", "release")},
        **{f"SearchCoordinator.{name}.searchers_xyz": [here] for name in ("join", "lose_sight", "perceive", "update")},
        **{f"SearchMap.{name}.xyz": [here] for name in ("clean_cube", "clean_view", "destinations")},
        "Action.function": sees_you,
        "folder": "results",
        "sweep": None,
        "AreaGraph.way.goal": 0,
        "AreaGraph.way.start": 0,
        "ChangedObjects.xyz": [here],
        "Condition.function": sees_you,
        "Curve.at_least": 1.0,
        "GapDetector.look.xyz": [here],
        "Incident.at": 0.0,
        "InZone.zone": "hall",
        "Knowledge.forget.older": 1.0,
        "Knowledge.touch.target": 0,
        "LayerValue.layer": "danger",
        "Picker.pick.query": public.Query(),
        "Recording.column.name": "xyz",
        "Registry.build.leaf": "sees_you",
        "Registry.type.name": "place",
        "Scenario.level": "corridor",
        "SearchMap.use_spot.name": "wardrobe",
        "Sharing.name": "loud",
        "Sharing.reach": 5.0,
        "StimulusBoard.offers.xyz": [here],
        "Tree.find.name": "sees_you",
        "account_of.agent": "Ames",
        "apply_input.agent": 1,
        "brain_text.name": "guard",
        "cover_points.level": level,
        "parse_query.text": "criteria: []",
        "parse_scenario.text": SCENARIO,
        "parse_trees.text": "trees: {guard: sees_you}",
        "places_of.level": level,
        "reaction.name": "usual",
        "shipped_brain.name": "guard",
        "shipped_query.name": "hide",
        "search_graph.cells": layout,
        "sharing.name": "private",
        "sound.kind": "door",
        "vision.name": "zones",
        "agents": [0],
        "angle": 1.0,
        "askers": [here],
        "bodies": table,
        "by": [here],
        "chokes": (),
        "closed": True,
        "count": 1,
        "created": 0.0,
        "delay": 0.1,
        "distance": 5.0,
        "do": "alarm",
        "Trigger.event": "sees",
        "ears_xyz": [here],
        "eye": here,
        "eyes": [here],
        "file": public.parse_trees("trees: {guard: sees_you}"),
        "brain": "guard",
        "replace_tree.file": public.parse_trees("trees: {guard: wait}"),
        "given": _Leaf,
        "heading": 0.0,
        "heard": public.RadiusHearing().listen([], table, [0]),
        "in_earshot": [[False]],
        "knowledge": public.Knowledge(table, [0], [1]),
        "last_xyz": here,
        "listener": here,
        "listener_area": 0,
        "listeners": [0],
        "memory": public.VisionMemory(1, 1),
        "node": None,
        "now": 0.0,
        "number": 0,
        "observer": 0,
        "observers": [0],
        "of": [here],
        "one": 0,
        "other": 0,
        "Registry.include.other": public.Registry(),
        "past": [here],
        "over": [here],
        "perceived": [[True]],
        "places": [here],
        "policy": public.sharing("private"),
        "priority": 1.0,
        "query": public.Query(),
        "rays": 10,
        "recording": None,
        "registry": _registry(),
        "root": None,
        "scenario": public.Scenario("corridor"),
        "searcher": 0,
        "searcher_xyz": here,
        "searchers": [0],
        "seconds": 0.1,
        "setting": public.parse_scenario(SCENARIO),
        "shape": public.vision("zones").zones[1].shape,
        "sight": sight,
        "sightings": None,
        "silent": [False],
        "sound": public.sound("door", here),
        "sounds": [public.sound("door", here)],
        "source": here,
        "source_area": 0,
        "spots": [0],
        "state": 1,
        "states": [0],
        "stimulus": "hostile",
        "target": 0,
        "target_xyz": there,
        "targets": [1],
        "tick": 0,
        "time": 0.0,
        "to": [here],
        "type_": float,
        "visible": [[True]],
        "wanted": public.PlayerInput(),
        "who": [0],
        "world": None,
    }


class _Leaf(public.Leaf):
    def tick(self, context):
        return public.Status.SUCCESS


def _graph():
    return public.AreaGraph((public.Choke(0, 1, (1.0, 1.0)),))


def _registry():
    registry = public.Registry()
    registry.condition(sees_you)
    return registry


def owner_of(kind: str, right, folder):
    """An object of a kind, made anew, to call a method of; None: another table knows it."""
    layout, here = right["layout"], right["point"]
    makers = {
        "AreaGraph": _graph,
        "AreaHearing": lambda: public.AreaHearing(right["AreaHearing.graph"], right["AreaHearing.area_of"]),
        "ChangedObjects": lambda: public.ChangedObjects([here], [0]),
        "Choice": lambda: public.Picker(layout).pick(public.Query(), here),
        "CoffinVision": public.CoffinVision,
        "Curve": lambda: public.Curve(at_least=1.0),
        "GapDetector": lambda: public.GapDetector(right["mesh"], 1),
        "Knowledge": lambda: public.Knowledge(right["bodies"], [0], [1]),
        "MissingColleague": lambda: public.MissingColleague(1),
        "MovementNoise": public.MovementNoise,
        "NarrowingVision": public.NarrowingVision,
        "PathHearing": lambda: public.PathHearing(layout),
        "Picker": lambda: public.Picker(layout),
        "RadiusHearing": public.RadiusHearing,
        "ReactionQueue": lambda: public.ReactionQueue(1, 1),
        "ReactionTime": public.ReactionTime,
        "Recording": lambda: recording_in(folder),
        "Registry": _registry,
        "SearchCoordinator": lambda: _searching(layout, here),
        "SearchMap": lambda: public.SearchMap(layout, spots={"wardrobe": here}),
        "Sight": lambda: public.Sight.from_level(right["level"]),
        "StimulusBoard": _board,
        "Tree": lambda: public.Tree(public.Condition(sees_you)),
        "VisionMemory": lambda: public.VisionMemory(1, 1),
        "ZoneVision": public.ZoneVision,
        **crews.makers(),
        **rules.makers(right),
    }
    return makers[kind]() if kind in makers else None


def made_anew(argument: str, right, folder):
    """Right arguments that a call changes or that cost more than a moment, by their name."""
    if argument == "world":
        return public.make_world(right["setting"], cells=right["layout"])
    if argument == "recording":
        return recording_in(folder)
    if argument == "sweep":
        return sweep_in(folder)
    if argument == "root":
        return public.Condition(sees_you)
    if argument == "sightings":
        sight, table = right["sight"].arrays, right["bodies"]
        return public.vision("zones").look(table, sight, [0], [1], public.VisionMemory(1, 1), 0.1)
    return right[argument]


def recording_in(folder):
    """A run of one second, recorded."""
    path = folder / "run.rec"
    if not path.exists():
        public.record(public.make_world(public.parse_scenario(SCENARIO)), path)
    return public.Recording.read(path)


def sweep_in(folder):
    """A sweep of two tasks that place a guard."""
    path = folder / "sweep.yaml"
    fixed = "{path: [[2.5, 1.5], [29.5, 1.5]], view_distance: 6.0, runs: 0, cell: 1.0, candidates: 1}"
    path.write_text(f"evaluate: placement\nlevels: [hall]\nseeds: [0, 1]\nfixed: {fixed}\n", encoding="utf-8")
    return public.read_sweep(path)


def _searching(layout, here):
    coordinator = public.SearchCoordinator(layout)
    coordinator.lose_sight([0], [here], here, 0.0)
    return coordinator


def _board():
    board = public.StimulusBoard()
    board.post("door", (1.0, 1.0), now=0.0, priority=1.0)
    return board
