"""Whole records of knowledge, on random tables, are those of the rules as they are written down."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from lastseen.agents.bodies.bodies import bodies
from lastseen.agents.knowledge.knowledge import Knowledge
from lastseen.kernels.arrays.agent_arrays import ACTIVE, BODY, NOTHING, SIGHT, SOUND, TOLD, BodyArrays
from lastseen.kernels.senses.knowledge import remember_sights, share_newest

WATCHERS, TARGETS = 5, 3


def random_knowledge(seed: int) -> tuple[Knowledge, BodyArrays, np.random.Generator]:
    """Return knowledge that was gained at whole seconds up to 8, some of it at the same one, some by nobody."""
    random = np.random.default_rng(seed)
    count = WATCHERS + TARGETS
    table = bodies(
        random.uniform(-6.0, 6.0, (count, 3)),
        random.uniform(-3.0, 3.0, count),
        gaze=random.uniform(-3.0, 3.0, count),
        velocity_xy=random.choice([0.0, -1.5, 2.0], (count, 2)),
        team=random.integers(0, 2, count),
    )
    table.mode[:] = random.choice([ACTIVE, ACTIVE, ACTIVE, BODY], count)
    knowledge = Knowledge(table, range(WATCHERS), range(WATCHERS, count))
    know = knowledge.arrays
    shape = (WATCHERS, TARGETS)
    know.source[:] = random.choice([NOTHING, SIGHT, SIGHT, SOUND], shape)
    know.time[:] = np.where(know.source == NOTHING, -np.inf, random.integers(3, 9, shape))
    know.perceived[:] = know.time - random.integers(0, 2, shape)
    know.xyz[:], know.from_xyz[:] = random.uniform(-9.0, 9.0, (2, *shape, 3))
    know.direction_xy[:] = random.uniform(-1.0, 1.0, (*shape, 2))
    know.speed[:], know.certainty[:], know.from_gaze[:] = random.uniform(0.1, 1.0, (3, *shape))
    know.identified[:] = random.integers(0, 2, shape)
    return knowledge, table, random


def records(know: Any) -> dict[tuple[int, int], dict[str, Any]]:
    """Return the record of each watcher and target by the names of its fields."""
    return {
        (i, j): {name: np.array(getattr(know, name)[i, j], np.float64) for name in know._fields}
        for i in range(WATCHERS)
        for j in range(TARGETS)
    }


def require_equal(know: Any, expected: dict[tuple[int, int], dict[str, Any]]) -> None:
    for pair, found in records(know).items():
        for name, value in found.items():
            assert value == pytest.approx(np.array(expected[pair][name], float), abs=1e-6), (pair, name)


@pytest.mark.parametrize("seed", range(12))
def test_what_is_seen_or_followed_for_a_while_is_written_and_the_rest_fades(seed: int) -> None:
    knowledge, table, random = random_knowledge(seed)
    know, now = knowledge.arrays, 9.0
    grace, halving, faded = (0.0, 2.5, 3.0, 8.0)[seed % 4], (4.0, 0.0)[seed % 3 == 0], (7.0, -math.inf)[seed % 2]
    seen, identified = random.integers(0, 2, (2, WATCHERS, TARGETS)).astype(np.bool_)
    certainty = random.uniform(0.0, 1.0, (WATCHERS, TARGETS)).astype(np.float32)
    expected = records(know)
    for (i, j), record in expected.items():
        target = WATCHERS + j
        place, velocity = table.xyz[target], table.velocity_xy[target]
        until, before = record["perceived"] + grace, float(record["time"])
        if seen[i, j]:
            record |= {"perceived": now, "time": now, "source": SIGHT, "certainty": certainty[i, j]}
            record |= {"identified": max(record["identified"], identified[i, j])}
            record |= {"from_xyz": table.xyz[i], "from_gaze": table.gaze[i], "xyz": place}
        elif grace > 0.0 and record["source"] == SIGHT and before < until:
            share = min(1.0, (until - before) / (now - before))
            record |= {"xyz": record["xyz"] + share * (place - record["xyz"]), "time": min(now, until)}
        else:
            if halving > 0.0 and record["source"] != NOTHING:
                record["certainty"] = record["certainty"] * 0.5 ** ((now - max(before, faded)) / halving)
            continue
        record["speed"] = math.hypot(*velocity)
        record["direction_xy"] = velocity / record["speed"] if record["speed"] else np.zeros(2)
    remember_sights(
        know, table, knowledge.observers, knowledge.targets, seen, identified, certainty, now, grace, halving, faded
    )
    require_equal(know, expected)


@pytest.mark.parametrize("reach", [math.inf, 4.0, 9.0])
@pytest.mark.parametrize("seed", range(8))
def test_the_newest_record_of_the_team_within_reach_is_taken_over(seed: int, reach: float) -> None:
    knowledge, table, _ = random_knowledge(seed)
    know = knowledge.arrays
    before, expected, told = records(know), records(know), 0
    for (i, j), record in expected.items():
        near = [
            k
            for k in range(WATCHERS)
            if table.mode[k] == ACTIVE and table.team[k] == table.team[i] and before[k, j]["source"] != NOTHING
            if math.dist(table.xyz[i], table.xyz[k]) <= reach
        ]
        newest = max(near, key=lambda k: (before[k, j]["time"], -k), default=i)
        if table.mode[i] == ACTIVE and before[newest, j]["time"] > record["time"]:
            told += 1
            taken = ("xyz", "direction_xy", "speed", "time", "certainty")
            record |= {name: before[newest, j][name] for name in taken}
            record |= {"source": TOLD, "from_xyz": table.xyz[i], "from_gaze": table.gaze[i]}
            record["identified"] = max(record["identified"], before[newest, j]["identified"])
    assert share_newest(know, table, knowledge.observers, reach) == told
    require_equal(know, expected)


def test_the_tables_above_hold_every_case() -> None:
    shared = []
    for seed in range(8):
        knowledge, table, _ = random_knowledge(seed)
        shared.append(share_newest(knowledge.arrays, table, knowledge.observers, math.inf))
    assert max(shared) >= 3
