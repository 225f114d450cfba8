"""What rules for speech read from a speaker and its world, worked by hand."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from lastseen.agents.brains.bark_variables import VARIABLES, Chronicle, Lore, Occasion
from lastseen.agents.knowledge.knowledge import SOURCES
from lastseen.kernels.arrays.agent_arrays import ACTIVE

HERE, THERE, HEARD = (1.0, 2.0, 0.0), (4.0, 6.0, 0.0), (9.0, 2.0, 0.0)


def world(**changed: Any) -> SimpleNamespace:
    """Return a world of a speaker (0), its colleagues and an intruder (4) that it believes to be `THERE`."""
    knowledge = SimpleNamespace(
        xyz=np.array([[THERE]]),
        source=np.array([[SOURCES.index("sound")]]),
        speed=np.array([[0.0]]),
        time=np.array([[17.0]]),
    )
    bodies = SimpleNamespace(
        xyz=np.array([HERE, (1.0, 17.0, 0.0), (1.0, 17.1, 0.0), THERE, THERE]),
        team=np.array([0, 0, 0, 0, 1]),
        mode=np.array([ACTIVE, ACTIVE, ACTIVE, ACTIVE + 1, ACTIVE]),
    )
    return SimpleNamespace(
        **{
            "attention": SimpleNamespace(known=[0], acted_on=np.array([[12.0]])),
            "cast": SimpleNamespace(targets=np.array([4])),
            "knowledge": SimpleNamespace(arrays=knowledge),
            "bodies": bodies,
            "names": list("ABCDE"),
        }
        | changed
    )


def occasion(given: dict[str, Any] | None = None, around: Any = None, light: float = 1.0, **mind: Any) -> Occasion:
    around = around or world()
    speaker = SimpleNamespace(
        **{
            "world": around,
            "attention": around.attention,
            "senses": SimpleNamespace(sightings=None),
            "number": 0,
            "row": 0,
            "xyz": HERE,
            "time": 20.0,
            "state": "patrol",
            "name": "A",
            "direction": None,
            "blackboard": {"noticed_at": (3.0, 3.0, 0.0), "goal": HEARD},
            "distance_to": lambda place: math.dist(HERE, place),
        }
        | mind
    )
    lore = Lore(Chronicle(), None, str, lambda place: light, math.dist, ())
    return Occasion(speaker, lore, given or {})


def read(path: str, *arguments: Any, **changed: Any) -> Any:
    return VARIABLES[path]({"occasion": occasion(*arguments, **changed)})


@pytest.mark.parametrize(
    ("trigger", "place"),
    [
        ("NOTICE", (3.0, 3.0, 0.0)),
        ("HEAR", HEARD),
        ("SEARCH", HEARD),
        ("SEE", THERE),
        ("ANSWER", THERE),
        ("IDLE", HERE),
    ],
)
def test_the_place_spoken_about_is_that_of_what_gives_the_reason(trigger: str, place: tuple[float, ...]) -> None:
    assert occasion({"bark.trigger": trigger}).place == place
    nothing_known = world(attention=SimpleNamespace(known=[-1], acted_on=np.array([[-math.inf]])))
    assert occasion({"bark.trigger": trigger}, nothing_known, blackboard={}).place == HERE


def test_colleagues_count_within_fifteen_metres_and_while_they_can_act() -> None:
    assert read("npc.colleagues_near") == 1, "the one at 15 m, neither the one beyond nor the one that is down"
    assert not read("npc.alone")


@pytest.mark.parametrize(("away", "found"), [(0.0, 3), (1.5, 3), (1.6, -1)])
def test_a_fallen_colleague_lies_within_a_metre_and_a_half_of_the_place(away: float, found: int) -> None:
    around = world()
    around.bodies.xyz[3] = THERE[0] + away, THERE[1], 0.0
    asked = occasion({"bark.trigger": "FIND_BODY"}, around, blackboard={"goal": THERE})
    assert asked.fallen_colleague == found
    assert VARIABLES["ask.name"]({"occasion": asked}) == ("D" if found == 3 else "")
    assert read("ask.name", {"bark.trigger": "HEAR"}, around, blackboard={"goal": THERE}) == ""


def test_variables_of_the_target_are_those_believed_and_unknown_without_one() -> None:
    known = {
        "target.known": True,
        "target.seconds_since_seen": 8.0,
        "target.age": 3.0,
        "target.distance": 5.0,
        "target.source": "heard",
        "target.times_lost": 0,
        "npc.has_seen": True,
    }
    assert {path: read(path) for path in known} == known
    nobody = world(attention=SimpleNamespace(known=[-1], acted_on=np.array([[-math.inf]])))
    unknown = dict.fromkeys(known) | {"target.known": False, "target.times_lost": 0, "npc.has_seen": False}
    assert {path: read(path, None, nobody) for path in known} == unknown


@pytest.mark.parametrize(
    ("speed", "word"), [(0.0, "still"), (0.29, "still"), (0.3, "walking"), (2.5, "walking"), (2.6, "running")]
)
def test_speeds_have_words(speed: float, word: str) -> None:
    around = world()
    around.knowledge.arrays.speed[0, 0] = speed
    assert read("target.speed", None, around) == word


def test_light_alertness_sounds_and_the_state_spoken_about() -> None:
    assert [read("place.light", light=light) for light in (0.34, 0.35)] == ["dark", "lit"]
    assert [read("npc.alertness", {"npc.state": state}) for state in ("patrol", "suspicious", "engage")] == [0, 0.4, 1]
    aware = SimpleNamespace(sightings=SimpleNamespace(awareness=np.array([[0.2, 0.6]]), targets=[4, 5]))
    assert read("npc.alertness", {"npc.state": "return"}, senses=aware) == 0.6
    heard = {"call_kind": "gunshot", "goal": HEARD}
    assert read("sound.distance", {"bark.trigger": "HEAR"}, blackboard=heard) == 8.0
    assert read("sound.distance", {"bark.trigger": "SEE"}, blackboard=heard) is None
    asked = occasion({"npc.state": "search"})
    asked.lore.chronicle.before[0], asked.lore.chronicle.since[0] = 5.0, 18.0
    assert VARIABLES["npc.seconds_in_state"]({"occasion": asked}) == 15.0, "the search is over"
    asked.lore.chronicle.alarm, asked.lore.chronicle.now = -40.0, 20.0
    assert VARIABLES["level.alarm"]({"level": asked.lore.chronicle})
    asked.lore.chronicle.alarm = -40.1
    assert not VARIABLES["level.alarm"]({"level": asked.lore.chronicle})
