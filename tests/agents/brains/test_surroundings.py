"""Small answers of the parts of the surroundings. Worked by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from lastseen.agents.brains.acts import Possession
from lastseen.agents.brains.surroundings import (
    Acts,
    Attention,
    Scene,
    SceneStep,
    Teamwork,
    Territory,
)
from lastseen.vocabulary.words import SceneAct, SceneResumption, Trespass


def test_a_power_is_used_by_those_that_have_it_once_it_has_rested() -> None:
    acts = Acts(hidden_in=np.full(3, -1), powers=((), ("blink", "decoy"), ("decoy",)))
    assert [acts.can_use(agent, "decoy", 0.0) for agent in range(3)] == [False, True, True]
    assert [acts.can_use(agent, "blink", 0.0) for agent in range(3)] == [False, True, False]
    acts.rested["decoy", 2] = 7.5
    assert [acts.can_use(agent, "decoy", 7.4) for agent in range(3)] == [False, True, False]
    assert acts.can_use(2, "decoy", 7.5)
    assert not Acts(hidden_in=np.full(3, -1)).can_use(1, "blink", 0.0)


def test_the_possessed_and_the_dazed_are_suspended_and_the_body_is_the_hosts() -> None:
    acts = Acts(hidden_in=np.full(6, -1))
    assert acts.suspended == []
    acts.possessed[4] = Possession(host=1, until=9.0)
    assert acts.suspended == [1]
    assert [acts.body_of(agent) for agent in range(5)] == [0, 1, 2, 3, 1]
    acts.dazed[5] = 3.0
    assert acts.suspended == [1, 5]
    acts.possessed.clear()
    assert acts.suspended == [5]


def _scene(resume: SceneResumption) -> Scene:
    blocks = (0, 0, 1, 1, 1, 2)
    steps = tuple(SceneStep(0, SceneAct.TALK, -1, "", "", None, 1.0, block) for block in blocks)
    return Scene("play", (3, 5), steps, False, resume)


@pytest.mark.parametrize(("turn", "start"), [(1, 0), (2, 0), (3, 2), (5, 2), (6, 5)])
def test_a_scene_goes_on_from_the_first_step_of_its_block_or_from_the_start(turn: int, start: int) -> None:
    assert _scene(SceneResumption.BLOCK).start_of(turn) == start
    assert _scene(SceneResumption.START).start_of(turn) == 0


def test_guards_want_those_to_leave_that_they_warned_or_escort() -> None:
    steps = [Trespass.FREE, Trespass.WARNED, Trespass.ESCORTED, Trespass.WANTED]
    none = [-1.0] * 4
    territory = Territory(
        restricted=(), safe=(), steps=steps, since=none, inside=none, keeper=[-1] * 4, sheltered=none,
        patience=4.0, escort=8.0, forgives=6.0,
    )  # fmt: skip
    assert [territory.is_warned(column) for column in range(4)] == [False, True, True, False]


def test_notices_directions_and_desks_are_kept_by_crew_agent_and_team() -> None:
    teamwork = Teamwork()
    assert teamwork.direction_of(2) is None
    teamwork.directions = [None, "left", "right"]  # type: ignore[list-item]
    assert teamwork.direction_of(2) == "right"
    teamwork.notify(1, "seen", (2.0, 3.0), 4.5)
    teamwork.notify(0, "seen", "other", 5.0)
    teamwork.notify(1, "lost", None, 6.0)
    assert teamwork.notices == {1: {"seen": ((2.0, 3.0), 4.5), "lost": (None, 6.0)}, 0: {"seen": ("other", 5.0)}}
    assert teamwork.desk_of(1) is teamwork.desk_of(1)
    assert teamwork.desk_of(1) is not teamwork.desk_of(0)


def test_a_watcher_can_be_made_to_act_on_a_target_or_to_see_nothing() -> None:
    attention = Attention(acted_on=np.full((2, 3), -math.inf), seen=[1, 2])
    attention.act_on(1, 2, 7.25)
    assert attention.acted_on.tolist() == [[-math.inf] * 3, [-math.inf, -math.inf, 7.25]]
    attention.black_out(0)
    assert attention.seen == [-1, 2]
