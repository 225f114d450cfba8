"""What all models share: shapes and rays of all pairs, smoke, budgets, bad input."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastseen.agents.bodies.bodies import bodies, bodies_of
from lastseen.agents.senses.vision.look import RayBudget, look_at_points
from lastseen.agents.senses.vision.shapes import Narrowing, Outline, Sector
from lastseen.agents.senses.vision.sightings import REASONS, VisionMemory
from lastseen.agents.senses.vision.vision import VISIONS, VisionZone, ZoneVision, vision
from lastseen.errors import InputError
from lastseen.kernels.senses import vision_shapes
from oracles.perception import in_shape, sees_chest
from specimens.perception import OPEN, block, hall, look, pair, sight_of

PILLARS = sight_of(hall(obstacles=[block(x, y, x + 1.5, y + 1.5) for x in range(4, 56, 7) for y in range(3, 36, 6)]))
SHAPES = (
    Outline(((1.0, 0.5), (8.0, 4.0), (20.0, 1.0))),
    Sector(math.radians(70.0), 12.0, near=1.0),
    Narrowing(constant=3.0, least=0.2, most=2.5, far=25.0),
)


def crowd(seed: int, count: int = 30):
    random = np.random.default_rng(seed)
    place = np.column_stack([random.uniform(0, 60, count), random.uniform(0, 40, count), random.uniform(0, 1, count)])
    return bodies(
        place,
        random.uniform(-4.0, 4.0, count),
        team=np.arange(count) >= count // 2,
        stance=random.integers(0, 4, count),
        light=random.uniform(0, 1, count),
        velocity_xy=random.uniform(-1, 1, (count, 2)),
    )


def halves(table):
    count = len(table.xyz)
    return np.arange(count // 2), np.arange(count // 2, count)


@given(st.integers(0, 10_000))
def test_all_pairs_agree_with_angles_and_single_rays(seed):
    table = bodies_of(crowd(seed))
    observers, targets = halves(table)
    model = ZoneVision(zones=tuple(VisionZone(shape, 0.9 - 0.2 * k) for k, shape in enumerate(SHAPES)))
    found = model.look(table, PILLARS, observers, targets, VisionMemory(15, 15), 0.1)
    for i, observer in enumerate(observers):
        for j, target in enumerate(targets):
            held = [k for k, shape in enumerate(SHAPES) if in_shape(shape, table, observer, target)]
            assert found.shape[i, j] == (held[0] if held else -1)
            is_clear = bool(held) and sees_chest(table, PILLARS, observer, target)
            assert found.visible[i, j] == is_clear
            assert (found.why(i, j) == "seen") == is_clear
            assert (found.why(i, j) == "occluded") == (bool(held) and not is_clear)
    assert found.metres[3, 4] == pytest.approx(np.linalg.norm(table.xyz[3] - table.xyz[19]))


@pytest.mark.parametrize("name", VISIONS)
def test_looking_is_the_same_twice_and_changes_nothing_but_its_memory(name):
    table = crowd(7)
    before = [column.copy() for column in table]
    observers, targets = halves(table)
    results = []
    for _ in range(2):
        memory = VisionMemory(15, 15)
        found = [VISIONS[name].look(table, PILLARS, observers, targets, memory, 0.3) for _ in range(4)][-1]
        results.append([getattr(found, column).tobytes() for column in ("shape", "visible", "certainty", "band")])
    assert results[0] == results[1]
    assert all(np.array_equal(one, other, equal_nan=True) for one, other in zip(before, table))
    assert not found.certainty.flags.writeable


@pytest.mark.parametrize("name", VISIONS)
def test_certainty_stays_between_0_and_1_and_only_the_visible_are_identified(name):
    table = crowd(11)
    observers, targets = halves(table)
    memory = VisionMemory(15, 15)
    for _ in range(30):
        found = VISIONS[name].look(table, PILLARS, observers, targets, memory, 0.1)
        for values in (found.certainty, found.awareness):
            assert (values >= 0.0).all()
            assert (values <= 1.0).all()
    assert found.identified.any()
    assert not (found.identified & ~found.visible).any()
    assert not (found.visible & ~found.in_shape).any()
    assert (found.noticed >= found.identified).all()


@given(st.integers(0, 1000), st.integers(8, 40))
def test_a_budget_is_kept_and_every_pair_gets_its_turn(seed, rays):
    table = bodies_of(crowd(seed))
    observers, targets = halves(table)
    model = vision("coffin")
    whole = model.look(table, PILLARS, observers, targets, VisionMemory(15, 15), 0.1)
    memory = VisionMemory(15, 15)
    pairs = int(whole.in_shape.sum())
    turns = -(-pairs * 8 // (rays - 7))
    answered = np.zeros_like(whole.visible)
    for _ in range(turns):
        found = model.look(table, PILLARS, observers, targets, memory, 0.1, rays=RayBudget(rays))
        assert found.rays <= rays
        late = found.reason == REASONS.index("deferred")
        answered |= ~late
    assert answered.all()
    dark = whole.reason == REASONS.index("dark")
    assert ((found.visible == whole.visible) | dark).all()


def test_pairs_put_off_keep_their_last_answer():
    table = bodies([(10, 20), (15, 20), (15, 20.5)], 0.0, team=[0, 1, 1])
    memory = VisionMemory(1, 2)
    model = vision("narrowing")
    wall = sight_of(hall(obstacles=[block(12, 10, 12.5, 30)]))
    first = look(model, table, OPEN, memory, rays=RayBudget(1))
    assert (first.why(0, 0), first.why(0, 1)) == ("seen", "deferred")
    second = look(model, table, OPEN, memory, rays=RayBudget(1))
    assert (second.why(0, 0), second.why(0, 1)) == ("deferred", "seen")
    assert second.visible.all()
    third = look(model, table, wall, memory, rays=RayBudget(1))
    assert (third.why(0, 0), third.why(0, 1)) == ("occluded", "deferred")
    assert third.visible.tolist() == [[False, True]]


def test_who_leaves_the_view_is_not_answered_by_an_old_ray():
    memory = VisionMemory(1, 1)
    assert look(vision("zones"), pair(5.0), memory=memory).visible[0, 0]
    assert not look(vision("zones"), pair(5.0, 180.0), memory=memory).visible[0, 0]
    assert memory.visible[0, 0] == 0


def test_33_5_12_nobody_sees_into_out_of_or_through_smoke():
    middle = (*pair(2.5).xyz[1, :2], 1.0, 1.5)
    for cloud in (middle, (10.0, 20.0, 1.0, 1.5), (15.0, 20.0, 1.0, 1.5)):
        for model in VISIONS.values():
            assert look(model, pair(5.0), clouds=[cloud]).why(0, 0) == "smoke"
    assert look(vision("zones"), pair(5.0), clouds=[(12.5, 23.0, 1.0, 1.5)]).why(0, 0) == "seen"


def test_reasons_are_those_of_the_kernels():
    numbers = vision_shapes
    assert REASONS[numbers.SEEN] == "seen"
    assert REASONS[numbers.OUTSIDE] == "outside view"
    assert REASONS[numbers.DEFERRED] == "deferred"
    assert REASONS[numbers.BLENDED] == "camouflaged"
    assert REASONS[numbers.BLENDED + 1 :] == ("neutral",)  # given by the attitudes of teams


def test_points_are_seen_as_bodies_are():
    table = pair(5.0)
    points = [(15, 20, 1), (15, 24, 1), (5, 20, 1), (40, 20, 1)]
    wall = sight_of(hall(obstacles=[block(12, 18, 12.5, 21)]))
    front = Sector(math.radians(60.0), 20.0)
    assert look_at_points(table, OPEN, [0], points, front).tolist() == [[True, True, False, False]]
    assert look_at_points(table, wall, [0], points, front).tolist() == [[False, True, False, False]]
    cloud = [(13, 20, 1, 0.5)]
    assert look_at_points(table, OPEN, [0], points, front, clouds=cloud).tolist() == [[False, True, False, False]]


def test_an_empty_look_is_empty():
    table = pair(5.0)
    found = vision("zones").look(table, OPEN, [], [1], VisionMemory(0, 1), 0.1, rays=RayBudget(5))
    assert found.visible.shape == (0, 1)
    found = vision("zones").look(table, OPEN, [0], [], VisionMemory(1, 0), 0.1, rays=RayBudget(5))
    assert found.visible.shape == (1, 0)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"observers": [2]}, "names body 2"),
        ({"targets": [-1]}, "names body -1"),
        ({"observers": [0.5]}, "whole numbers"),
        ({"observers": [[0], [1, 2]]}, "whole numbers"),
        ({"memory": VisionMemory(2, 2)}, "memory is for"),
        ({"seconds": float("nan")}, "seconds"),
        ({"alert": 3}, "alert"),
        ({"alert": "high"}, "alert"),
        ({"rays": 5}, "RayBudget"),
        ({"clouds": [(1, 2, 3)]}, "clouds"),
    ],
)
def test_bad_input_is_named(wrong, words):
    arguments = {"observers": [0], "targets": [1], "memory": VisionMemory(1, 1), "seconds": 0.1, **wrong}
    with pytest.raises(InputError, match=words):
        vision("zones").look(pair(5.0), OPEN, **arguments)


@pytest.mark.parametrize(("column", "row"), [("xyz", (np.nan, 1.0, 0.0)), ("heading", np.inf)])
def test_a_body_that_is_nowhere_is_named_instead_of_unseen(column, row):
    table = pair(5.0)
    getattr(table, column)[1] = row
    with pytest.raises(InputError, match=rf"bodies\.{column}\[1\] is .*; write finite numbers"):
        look(vision("coffin"), table)


def test_a_budget_must_be_enough_for_one_pair():
    with pytest.raises(InputError, match="8 that one pair may need"):
        look(vision("coffin"), pair(5.0), rays=RayBudget(7))
    with pytest.raises(InputError, match="did you mean 'coffin'"):
        vision("coffing")
