"""Roles one asks for: one holder each, first come or the ideal candidate only (34.5)."""

from __future__ import annotations

import math

import pytest

from lastseen.agents.behaviour.files.build import build_tree
from lastseen.agents.behaviour.files.read import parse_trees
from lastseen.agents.behaviour.status import FAILURE, SUCCESS
from lastseen.agents.brains.leaves.registry import brain_leaves
from lastseen.agents.brains.leaves.teamwork import GetsRole
from lastseen.agents.held_roles import RoleDesk, RoleKind
from lastseen.errors import BehaviourError, InputError
from specimens.crews import Hall


def test_34_5_10_a_held_role_is_refused_and_given_after_release():
    desk = RoleDesk()
    assert desk.request(1, "opportunistic shooter", 0.0)
    assert not desk.request(2, "opportunistic shooter", 0.0)
    assert desk.acknowledge(1, "opportunistic shooter")
    desk.release(2)
    assert not desk.request(2, "opportunistic shooter", 5.0)
    desk.release(1, "opportunistic shooter")
    assert desk.request(2, "opportunistic shooter", 5.0)


def test_34_5_10_one_who_is_not_ideal_is_refused_even_if_the_role_is_free():
    desk = RoleDesk()
    desk.bid(1, "flanker", 30.0)
    desk.bid(2, "flanker", 20.0)
    desk.bid(3, "flanker", math.inf)
    desk.settle(0.0)
    assert [desk.request(agent, "flanker", 0.0) for agent in (1, 3, 2)] == [False, False, True]
    assert desk.holder("flanker") == 2


def test_nobody_is_ideal_where_nobody_can():
    desk = RoleDesk()
    desk.bid(1, "flanker", math.inf)
    desk.settle(0.0)
    assert not desk.request(1, "flanker", 0.0)


def test_a_role_that_is_not_acknowledged_is_free_again():
    desk = RoleDesk({"shooter": RoleKind(seconds=0.5)})
    assert desk.request(1, "shooter", 0.0)
    desk.settle(0.5)
    assert desk.holder("shooter") == 1
    desk.settle(0.6)
    assert desk.holder("shooter") == -1
    assert not desk.acknowledge(1, "shooter")


def test_the_role_of_one_who_died_is_free():
    desk = RoleDesk({"shooter": RoleKind()})
    desk.request(1, "shooter", 0.0)
    desk.acknowledge(1, "shooter")
    desk.settle(9.0, alive={1, 2})
    assert desk.holder("shooter") == 1
    desk.settle(9.1, alive={2})
    assert desk.request(2, "shooter", 9.1)


def test_who_has_a_role_has_it_when_it_asks_again():
    desk = RoleDesk()
    assert desk.request(1, "opportunistic shooter", 0.0)
    assert desk.request(1, "opportunistic shooter", 0.0)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: RoleDesk().request(1, "flnker", 0.0), "did you mean 'flanker'"),
        (lambda: RoleDesk().bid(1, "flanker", math.nan), "not a number"),
        (lambda: RoleKind("lottery"), "first come"),
        (lambda: RoleDesk({"a": "first come"}), "RoleKind"),
    ],
)
def test_what_makes_no_sense_is_refused(call, words):
    with pytest.raises(InputError, match=words):
        call()


ALONE = "root: {roles: [{role: {name: any}}]}"


def test_members_trees_ask_for_a_role_that_one_of_them_has():
    hall = Hall(ALONE, [(4.0, 6.0), (9.0, 6.0), (7.0, 6.0)])
    hall.world.snapshot.places = [tuple(place) for place in hall.world.bodies.xyz.tolist()]
    leaves = [GetsRole(role="flanker") for _ in range(3)]

    def tick(who):
        hall.world.time += 0.1
        return [leaves[at].tick(hall.world.minds[at]) for at in who]

    assert tick([0, 1, 2]) == [FAILURE] * 3, "first they bid"
    assert tick([0, 1, 2]) == [FAILURE, SUCCESS, FAILURE], "the nearest to (10, 6) is ideal"
    assert [leaf.reason for leaf in leaves] == ["nobody is flanker yet", "is flanker", "g1 is flanker"]
    assert tick([2, 0, 1]) == [FAILURE, FAILURE, SUCCESS]
    assert leaves[0].reason == "g1 is flanker"
    # It asks no more, and gives it back in the tick after.
    tick([0, 2])
    assert tick([0, 2]) == [FAILURE, SUCCESS]


def test_first_come_and_roles_of_ones_own():
    hall = Hall(ALONE, [(4.0, 6.0), (9.0, 6.0)], knows=False)
    shooters = [GetsRole(role="opportunistic shooter") for _ in range(2)]
    assert [leaf.tick(mind) for leaf, mind in zip(shooters, hall.world.minds, strict=False)] == [SUCCESS, FAILURE]
    own = [GetsRole(role="scout", mode="first come") for _ in range(2)]
    assert [leaf.tick(mind) for leaf, mind in zip(own, hall.world.minds, strict=False)] == [SUCCESS, FAILURE]
    # Nobody is ideal for what nobody can do.
    flank = [GetsRole(role="flanker") for _ in range(2)]
    for _ in range(3):
        hall.world.time += 0.1
        assert [leaf.tick(mind) for leaf, mind in zip(flank, hall.world.minds, strict=False)] == [FAILURE, FAILURE]


@pytest.mark.parametrize(
    ("role", "words"),
    [("flankr", "did you mean 'flanker'"), ("scout, mode: best", "give 'first come' or 'ideal only'")],
)
def test_a_role_that_is_not_there_is_told_when_the_tree_is_read(role, words):
    with pytest.raises(BehaviourError, match=words):
        build_tree(parse_trees(f"root: {{gets_role: {{role: {role}}}}}"), brain_leaves())
