"""Leaves that use objects, tick by tick, in a world of a few numbers."""

from __future__ import annotations

import math
from typing import Any

import pytest

from lastseen.agents.behaviour.status import FAILURE, RUNNING, SUCCESS
from lastseen.agents.bodies.orders import SPEEDS
from lastseen.agents.brains.leaves.objects import (
    DoTasks,
    Ring,
    SetRight,
    UseObject,
    is_alarmed,
    seek_thief,
    should_ring,
)
from lastseen.agents.brains.objects import Objects, SmartObject, Task, Use
from lastseen.errors import QueryError
from lastseen.kernels.arrays.agent_arrays import ARRIVED, NO_WAY, WALKING
from lastseen.vocabulary.words import ObjectKind
from specimens.worlds import acts_of, mind_in

LATHE = SmartObject("lathe", ObjectKind.WORKBENCH, (7.0, 3.0, 0.0), ((6.0, 3.0, 0.0),), "turn", 8.0)
JAR = SmartObject("jar", ObjectKind.ITEM, (2.0, 4.0, 0.0), ((2.0, 3.5, 0.0),), "take", 0.8)
LAMP = SmartObject("lamp", ObjectKind.SWITCH, (3.0, 3.0, 0.0), ((3.0, 2.5, 0.0),), "switch", 0.5)
BELL = SmartObject("bell", ObjectKind.ALARM, (12.0, 3.0, 0.0), ((11.0, 3.0, 0.0),), "ring", 1.5, draws=10.0)
GONG = SmartObject("gong", ObjectKind.ALARM, (3.0, 12.0, 0.0), ((3.0, 11.0, 0.0),), "ring", 1.5, draws=10.0)
HERE = (2.0, 3.0, 0.0)


def objects(*things: SmartObject) -> Objects:
    count = len(things)
    return Objects(
        things=things, places=[thing.xyz for thing in things], carrier=[-1] * count, is_on=[True] * count,
        owner=[""] * count, rung=[-99.0] * count,
    )  # fmt: skip


def agent(*things: SmartObject, at: Any = HERE, intruder: Any = (30.0, 30.0, 0.0)) -> Any:
    """Return the mind of the first guard; B is another guard and C an intruder."""
    mind = mind_in([at, (20.0, 20.0, 0.0), intruder], 0, objects=objects(*things))
    mind.blackboard.update(task_at=0, task_left=-1.0)
    return mind


def go_to(mind: Any, place: Any, ways: int = WALKING, seconds: float = 1.0) -> None:
    """Let time pass in which the agent walks."""
    mind.world.snapshot.places[mind.number] = place
    mind.world.snapshot.ways[mind.number] = ways
    mind.world.time += seconds
    mind.world.tick += 1
    mind.world.orders.forget_acts()


def goal(mind: Any) -> Any:
    """Return where the agent was ordered to walk, None if it stands."""
    orders, number = mind.world.orders.arrays, mind.number
    return tuple(orders.goal_xyz[number].tolist()) if orders.going[number] else None


def test_an_object_is_walked_up_to_faced_and_used_until_it_is_done() -> None:
    mind, use = agent(JAR, LATHE), UseObject(object="lathe", gait="run")
    use.enter(mind)
    assert (use.tick(mind), use.reason) == (RUNNING, "goes to lathe, 4 m away")
    assert goal(mind) == (6.0, 3.0, 0.0)
    assert mind.world.orders.arrays.speed[0] == SPEEDS["run"]
    assert acts_of(mind) == []
    go_to(mind, (5.6, 3.2, 0.0))
    assert (use.tick(mind), use.reason) == (RUNNING, "turn at lathe")
    assert goal(mind) is None
    assert mind.world.orders.arrays.face[0] == pytest.approx(math.atan2(-0.2, 1.4))
    assert acts_of(mind) == [("use", 1, None, None)]
    mind.world.objects.uses[0] = Use(1, 1.0, 9.0)
    go_to(mind, (5.4, 3.2, 0.0))
    assert (use.tick(mind), use.reason) == (RUNNING, "turn at lathe, 7 s to go"), "having begun it does not walk again"
    go_to(mind, (5.4, 3.2, 0.0), seconds=7.0)
    mind.world.objects.done[0] = 1, 9.0
    assert (use.tick(mind), use.reason) == (SUCCESS, "turn at lathe: done")
    assert use.tick(mind) is RUNNING, "what was done before counts no longer"
    use.exit(mind, SUCCESS)
    assert mind.world.objects.claims == {}


def test_what_was_done_at_another_object_or_earlier_is_not_this_use() -> None:
    for number, when in ((0, 9.0), (1, 0.5)):
        mind, use = agent(JAR, LATHE, at=(6.0, 3.0, 0.0)), UseObject(object="lathe")
        mind.world.time = 1.0
        mind.world.objects.done[0] = number, when
        use.enter(mind)
        assert [use.tick(mind), use.tick(mind)] == [RUNNING, RUNNING]


def test_there_may_be_no_way_or_no_right_to_an_object_and_none_of_that_name() -> None:
    mind, use = agent(LATHE), UseObject(object="lathe")
    use.enter(mind)
    use.tick(mind)
    go_to(mind, (3.0, 3.0, 0.0), NO_WAY)
    assert (use.tick(mind), use.reason) == (FAILURE, "no way to lathe")
    mind = agent(LATHE)
    use.enter(mind)
    use.tick(mind)
    go_to(mind, (5.0, 3.0, 0.0), ARRIVED)
    assert use.tick(mind) is FAILURE, "as near as there is floor is not near enough"
    mind.world.objects.carrier[0] = 1
    assert (use.tick(mind), use.reason) == (FAILURE, "lathe is gone")
    with pytest.raises(QueryError, match=r"no object .lath.*did you mean .lathe.*there are lathe"):
        UseObject(object="lath").tick(mind)


def test_one_waits_near_an_object_in_use_and_not_for_ever() -> None:
    mind, use = agent(LATHE), UseObject(object="lathe")
    mind.world.objects.claims[1] = 0, 0
    use.enter(mind)
    assert (use.tick(mind), use.reason) == (RUNNING, "waits: lathe is in use")
    assert goal(mind) == LATHE.xyz
    go_to(mind, (5.1, 3.0, 0.0), seconds=19.0)
    assert use.tick(mind) is RUNNING
    assert goal(mind) is None
    go_to(mind, (5.1, 3.0, 0.0), seconds=1.5)
    assert (use.tick(mind), use.reason) == (FAILURE, "lathe was in use for 20 s")
    assert use.tick(mind) is RUNNING, "patience begins again"
    mind.world.objects.claims.clear()
    assert use.tick(mind) is RUNNING
    assert mind.world.objects.claims == {0: (0, 0)}


def test_tasks_are_done_in_turn_and_one_that_cannot_be_is_passed_over() -> None:
    mind, tasks = agent(LATHE, JAR, LAMP), DoTasks()
    mind.world.objects.tasks[0] = Task("jar", 1.5), Task("lathe"), Task("lamp")
    mind.world.objects.carrier[0] = 1  # somebody took the lathe
    tasks.enter(mind)
    assert (tasks.tick(mind), acts_of(mind)) == (RUNNING, [("use", 1, None, 1.5)])
    assert tasks.reason == "task 1 of 3: take at jar"
    mind.world.objects.done[0] = 1, 0.5
    assert tasks.tick(mind) is RUNNING
    assert mind.blackboard["task_at"] == 1
    assert tasks.tick(mind) is RUNNING
    assert (tasks.reason, mind.blackboard["task_at"]) == ("task 2 of 3: lathe is gone", 2)
    assert tasks.tick(mind) is RUNNING
    assert tasks.reason.startswith("task 3 of 3: goes to lamp")
    mind.world.objects.done[0] = 2, 0.5
    mind.blackboard["task_at"] = 3
    assert (tasks.tick(mind), tasks.reason) == (SUCCESS, "its tasks are done")


def test_one_that_is_interrupted_goes_on_with_what_was_left() -> None:
    mind, tasks = agent(LATHE, at=(6.0, 3.0, 0.0)), DoTasks(all_day=True)
    mind.world.objects.tasks[0] = (Task("lathe", 5.0),)
    mind.world.time = 10.0
    tasks.enter(mind)
    tasks.tick(mind)
    mind.world.objects.uses[0] = Use(0, 8.0, 13.0)
    tasks.exit(mind, FAILURE)
    assert mind.blackboard["task_left"] == 3.0
    assert mind.world.objects.claims == {}
    del mind.world.objects.uses[0]
    mind.world.orders.forget_acts()
    tasks.enter(mind)
    tasks.tick(mind)
    assert acts_of(mind) == [("use", 0, None, 3.0)]
    mind.world.objects.done[0] = 0, 11.0
    tasks.tick(mind)
    assert (mind.blackboard["task_at"], mind.blackboard["task_left"]) == (0, -1.0), "all day: from the first again"


def test_if_no_task_can_be_done_one_rests_and_tries_again() -> None:
    mind, tasks = agent(LATHE, JAR), DoTasks(all_day=True)
    mind.world.objects.tasks[0] = Task("lathe"), Task("jar")
    mind.world.objects.carrier[:] = 1, 1
    tasks.enter(mind)
    tasks.tick(mind)
    assert "no task can be done now" not in tasks.reason
    tasks.tick(mind)
    assert tasks.reason == "task 2 of 2: jar is gone; no task can be done now"
    mind.world.objects.carrier[:] = -1, -1
    go_to(mind, HERE, seconds=4.9)
    assert tasks.tick(mind) is RUNNING
    assert (goal(mind), tasks.reason) == (None, "task 2 of 2: jar is gone; no task can be done now")
    go_to(mind, HERE, seconds=0.1)
    tasks.tick(mind)
    assert goal(mind) == LATHE.slots[0]


def test_without_tasks_there_is_nothing_to_do() -> None:
    for mind in (agent(LATHE), mind_in([HERE], 0)):
        tasks = DoTasks()
        tasks.enter(mind)
        assert (tasks.tick(mind), tasks.reason) == (FAILURE, "has no tasks")


def test_an_item_is_taken_carried_and_put_down() -> None:
    mind, tasks = agent(JAR), DoTasks()
    there = (9.0, 9.0, 0.0)
    mind.world.objects.tasks[0] = (Task("jar", to=there),)
    tasks.enter(mind)
    tasks.tick(mind)
    mind.world.objects.carrier[0], mind.world.objects.done[0] = 0, (0, 0.8)
    go_to(mind, HERE)
    assert tasks.tick(mind) is RUNNING
    assert (goal(mind), tasks.reason) == (there, "task 1 of 1: carries jar, 9 m to go")
    go_to(mind, (8.0, 9.0, 0.0))
    assert tasks.tick(mind) is RUNNING
    assert acts_of(mind) == []
    go_to(mind, (8.6, 9.0, 0.0))
    tasks.tick(mind)
    assert acts_of(mind) == [("put down", 0, there, None)]
    mind.world.objects.carrier[0] = -1
    mind.world.objects.lay(0, (8.8, 9.0, 0.0))
    tasks.tick(mind)
    assert mind.blackboard["task_at"] == 1
    lying = agent(JAR)
    lying.world.objects.tasks[0] = (Task("jar", to=there),)
    lying.world.objects.lay(0, there)
    tasks.enter(lying)
    tasks.tick(lying)
    assert lying.blackboard["task_at"] == 1, "it is there already"


def test_what_cannot_be_brought_to_its_place_is_passed_over() -> None:
    mind, tasks = agent(JAR), DoTasks()
    mind.world.objects.tasks[0] = (Task("jar", to=(9.0, 9.0, 0.0)),)
    mind.world.objects.carrier[0] = 0
    tasks.enter(mind)
    tasks.tick(mind)
    go_to(mind, HERE, NO_WAY)
    tasks.tick(mind)
    assert (mind.blackboard["task_at"], tasks.reason) == (1, "task 1 of 1: no way to put jar down")


def knows(mind: Any, place: Any, when: float) -> Any:
    """Let the guard know of the intruder."""
    mind.attention.known[0] = 0
    mind.world.knowledge.arrays.xyz[0, 0], mind.world.knowledge.arrays.time[0, 0] = place, when
    return mind


@pytest.mark.parametrize(
    ("place", "known", "rings", "why"),
    [
        ((2.0, 9.0, 0.0), 6.0, True, "gong is 9 m away and silent"),
        ((2.0, 9.0, 0.0), 3.9, False, "C is 6 m away, known 6 s ago"),
        ((2.0, 7.0, 0.0), 6.0, False, "C is 4 m away, known 4 s ago"),
    ],
)
def test_one_rings_the_nearest_alarm_if_the_intruder_is_recent_and_not_near(
    place: Any, known: float, rings: bool, why: str
) -> None:
    mind = knows(agent(BELL, GONG), place, known)
    mind.world.time = 10.0
    assert should_ring(mind) == (rings, why)


def test_an_alarm_that_is_far_rings_or_is_somebody_elses_is_not_run_to() -> None:
    mind = knows(agent(BELL, LATHE, GONG), (20.0, 3.0, 0.0), 10.0)
    held, mind.world.time = mind.world.objects, 10.0
    assert should_ring(mind)[1].startswith("gong is 9 m")
    held.rung[2] = -9.9
    assert should_ring(mind) == (True, "bell is 10 m away and silent")
    held.claims[1] = 0, 0
    assert should_ring(mind) == (False, "there is no alarm to ring")
    held.rung[2] = -10.0
    assert should_ring(mind)[1].startswith("gong")
    mind.world.snapshot.places[0] = (2.0, 1.0, 0.0)
    assert not should_ring(mind)[0], "11 m: further than it draws"
    held.claims.clear()
    held.claims[0] = 2, 0
    assert should_ring(mind) == (True, "runs to gong"), "having set out it goes on"
    mind.world.knowledge.arrays.xyz[0, 0] = (2.0, 4.0, 0.0)
    assert not should_ring(mind)[0], "the intruder is near"
    held.uses[0] = Use(2, 9.0, 11.0)
    assert should_ring(mind)[0], "it rings already"
    mind.attention.known[0] = -1
    assert should_ring(mind) == (False, "knows of no intruder")
    assert should_ring(agent(LATHE))[1] == should_ring(mind_in([HERE], 0))[1] == "there is no alarm to ring"


def test_ringing_begins_with_the_alarm_chosen_at_first() -> None:
    mind, ring = agent(GONG, LATHE, BELL), Ring()
    ring.enter(mind)
    assert (ring.tick(mind), ring.reason) == (RUNNING, "goes to gong, 8 m away")
    assert mind.world.orders.arrays.speed[0] == SPEEDS["run"]
    go_to(mind, (9.0, 3.0, 0.0))
    assert ring.tick(mind) is RUNNING
    assert goal(mind) == GONG.slots[0]
    nothing = agent(LATHE)
    ring.enter(nothing)
    assert ring.tick(nothing) is FAILURE
    homeless = mind_in([HERE], 0)
    ring.enter(homeless)
    assert (ring.tick(homeless), ring.reason) == (FAILURE, "there is no alarm to ring")


def test_an_alarm_is_heard_within_its_reach() -> None:
    mind = agent(BELL, GONG)
    assert is_alarmed(mind) == is_alarmed(mind_in([HERE], 0)) == (False, "no alarm rings")
    mind.world.objects.rung[1], mind.world.time = 1.0, 5.0
    assert is_alarmed(mind) == (True, "gong rings")
    mind.world.snapshot.places[0] = (300.0, 3.0, 0.0)
    assert not is_alarmed(mind)[0]


def test_a_light_that_is_off_is_switched_on_if_that_is_the_call() -> None:
    mind, right = agent(LATHE, LAMP), SetRight()
    mind.blackboard.update(call_kind="dark zone", call_about=1)
    right.enter(mind)
    assert right.tick(mind) is SUCCESS
    mind.world.objects.is_on[1] = False
    assert right.tick(mind) is RUNNING
    assert mind.world.objects.claims == {0: (1, 0)}
    mind.blackboard["call_kind"] = "theft"
    assert right.tick(mind) is SUCCESS
    mind.blackboard["call_kind"] = "noise"
    assert seek_thief(mind) == (SUCCESS, "nothing was stolen")
