"""Every argument of senses and knowledge, nasty values: an answer or an error of our own tree, nothing else."""

from __future__ import annotations

import pytest

from lastseen.agents.bodies.bodies import bodies
from lastseen.agents.knowledge.knowledge import Knowledge, Sharing, share, sharing
from lastseen.agents.senses.attention.anomalies import ChangedObjects, MissingColleague, MissingRule
from lastseen.agents.senses.attention.reaction import ReactionQueue, ReactionTime, reaction
from lastseen.agents.senses.attention.stimuli import StimulusBoard
from lastseen.agents.senses.hearing.area_hearing import AreaGraph, AreaHearing, Choke
from lastseen.agents.senses.hearing.hearing import Ears, Fairness, PathHearing, RadiusHearing
from lastseen.agents.senses.hearing.sounds import MovementNoise, Sound, SoundKind, sound
from lastseen.agents.senses.vision.look import RayBudget, look_at_points
from lastseen.agents.senses.vision.shapes import Narrowing, Outline, Sector
from lastseen.agents.senses.vision.sightings import VisionMemory
from lastseen.agents.senses.vision.vision import (
    CoffinVision,
    NarrowingVision,
    TimedShape,
    VisionZone,
    ZoneVision,
    vision,
)
from lastseen.errors import InputError
from specimens.nasty_values import check_argument
from specimens.perception import OPEN, pair

TABLE = pair(5.0)
SECTOR = Sector(1.0, 9.0)


def look(**arguments):
    right = {"observers": [0], "targets": [1], "memory": VisionMemory(1, 1), "seconds": 0.1}
    return vision("coffin").look(TABLE, OPEN, **{**right, **arguments})


def listen(**arguments):
    return RadiusHearing().listen(**{"sounds": [sound("door", (1, 1))], "bodies": TABLE, "listeners": [0], **arguments})


def post(**arguments):
    return StimulusBoard().post(**{"kind": "door", "xyz": (1, 1), "now": 0.0, "priority": 1.0, **arguments})


def knowledge(**arguments):
    return Knowledge(TABLE, **{"observers": [0], "targets": [1], **arguments})


def step_queue(**arguments):
    return ReactionQueue(1, 1).step(**{"perceived": [[True]], "delay": 0.1, "now": 0.0, **arguments})


def step_missing(**arguments):
    right = {"in_earshot": [[True, True]] * 2, "silent": [False, True], "seconds": 1.0, "now": 0.0}
    return MissingColleague(2).step(**{**right, **arguments})


def bad_look(table):
    return vision("coffin").look(table, OPEN, [0], [1], VisionMemory(1, 1), 0.1)


CALLS = {
    "bodies": (
        lambda **a: bodies(**{"xyz": [(1, 1), (2, 2)], **a}),
        ("xyz", "heading", "stance", "light", "camouflage", "radius", "team", "velocity_xy"),
    ),
    "look at": (bad_look, ("table",)),
    "look": (look, ("observers", "targets", "seconds", "alert", "rays", "clouds", "memory")),
    "points": (
        lambda **a: look_at_points(TABLE, OPEN, [0], **{"points": [(1, 1, 1)], "shape": SECTOR, **a}),
        ("points", "shape", "clouds"),
    ),
    "points of": (lambda table: look_at_points(table, OPEN, [0], [(1, 1, 1)], SECTOR), ("table",)),
    "listen": (listen, ("sounds", "bodies", "listeners", "ears")),
    "ears": (Ears, ("sensitivity", "offscreen", "clouds")),
    "fairness": (Fairness, ("factor", "plausible")),
    "radius": (RadiusHearing, ("aside", "muffle", "fairness")),
    "path": (PathHearing, ("layout",)),
    "choke": (lambda **a: Choke(**{"one": 0, "other": 1, "xyz": (0, 0), **a}), ("one", "other", "xyz")),
    "route": (
        lambda **a: AreaGraph(()).route(
            **{"source": (0, 0), "source_area": 0, "listener": (1, 1), "listener_area": 0, **a}
        ),
        ("source", "listener"),
    ),
    "sound": (
        lambda **a: sound(**{"kind": "door", "xyz": (1, 1), **a}),
        ("kind", "xyz", "created", "made_by", "radius"),
    ),
    "Sound": (
        lambda **a: Sound(**{"kind": "x", "xyz": (1, 1), "radius": 1.0, "priority": 1.0, **a}),
        ("kind", "xyz", "radius", "priority", "created", "lifetime", "made_by", "nature"),
    ),
    "kind": (
        lambda **a: SoundKind(**{"radius": 1.0, "priority": 1.0, **a}),
        ("radius", "priority", "lifetime", "nature"),
    ),
    "noise": (MovementNoise, ("full_speed", "softer", "still")),
    "sector": (lambda **a: Sector(**{"half_angle": 1.0, "far": 1.0, **a}), ("half_angle", "far", "near")),
    "outline": (Outline, ("knots",)),
    "narrowing": (Narrowing, ("constant", "least", "most", "far")),
    "zone": (lambda **a: VisionZone(**{"shape": SECTOR, "certainty": 0.5, **a}), ("certainty", "shape")),
    "zones": (
        ZoneVision,
        ("zones", "movement", "moving_at", "camouflage", "investigate_at", "identified_at", "dwell", "dwell_by"),
    ),
    "timed": (lambda **a: TimedShape(**{"shape": SECTOR, "fast": 1.0, "slow": 2.0, **a}), ("fast", "slow", "shape")),
    "coffin": (
        CoffinVision,
        ("shapes", "needed", "least_light", "dark_factor", "alert_factors", "investigate_at", "empties"),
    ),
    "timer": (NarrowingVision, ("shape", "combat", "usual", "never", "investigate_at", "surplus")),
    "budget": (RayBudget, ("rays",)),
    "vision": (vision, ("name",)),
    "memory": (lambda **a: VisionMemory(**{"observers": 1, "targets": 1, **a}), ("observers", "targets")),
    "times": (ReactionTime, ("simple", "go_no_go", "complex", "auditory", "weak", "spread", "lapse_chance", "lapse")),
    "delay": (reaction("varied").delay, ("kind", "sense", "strength", "aim", "chance")),
    "reaction": (reaction, ("name",)),
    "queue": (lambda **a: ReactionQueue(**{"observers": 1, "targets": 1, **a}), ("observers", "targets", "keeps")),
    "step queue": (step_queue, ("perceived", "delay", "now")),
    "post": (post, ("kind", "xyz", "now", "priority", "heading", "nature", "radius", "lifetime", "most_claims")),
    "offers": (lambda **a: StimulusBoard().offers(**{"agents": [1], "xyz": [(0, 0)], **a}), ("agents", "xyz")),
    "changed": (lambda **a: ChangedObjects(**{"xyz": [(0, 0)], "states": [0], **a}), ("xyz", "states", "lifetime")),
    "change": (
        lambda **a: ChangedObjects([(0, 0)], [0]).change(**{"number": 0, "state": 1, "now": 0.0, **a}),
        ("number", "state", "now"),
    ),
    "notice": (
        lambda **a: ChangedObjects([(0, 0)], [0]).notice(**{"visible": [[True]], "now": 0.0, **a}),
        ("visible", "now"),
    ),
    "rule": (MissingRule, ("before", "after", "cooldown")),
    "missing": (MissingColleague, ("count",)),
    "step missing": (step_missing, ("in_earshot", "silent", "seconds", "now")),
    "knowledge": (knowledge, ("observers", "targets", "grace")),
    "loss": (lambda **a: knowledge().loss(**{"observer": 0, "target": 0, "now": 0.0, **a}), ("observer", "target")),
    "sharing": (lambda **a: Sharing(**{"name": "x", "reach": 1.0, **a}), ("reach",)),
    "policy": (sharing, ("name",)),
    "share": (lambda **a: share(knowledge(), TABLE, **a), ("policy",)),
}


@pytest.mark.parametrize("call", CALLS)
def test_a_bad_argument_is_answered_or_named(call):
    function, names = CALLS[call]
    for name in names:
        check_argument(f"{call}: {name}", lambda value, name=name: function(**{name: value}))


@pytest.mark.parametrize(
    "make",
    [
        lambda: RadiusHearing(fairness=3),
        lambda: PathHearing(None, fairness=3),
        lambda: AreaHearing(AreaGraph(()), lambda xyz: xyz, fairness=3),
        lambda: AreaHearing("x", lambda xyz: xyz),
        lambda: VisionZone("x", 0.5),
        lambda: TimedShape("x", 1.0, 2.0),
        lambda: bad_look("x"),
        lambda: listen(bodies="x"),
    ],
)
def test_things_of_another_kind_are_refused_where_they_are_given(make):
    with pytest.raises(InputError, match=r"is 3|is 'x'"):
        make()
