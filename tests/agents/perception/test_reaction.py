"""Reaction time (chapter 5); tests named after its acceptance checks."""

from __future__ import annotations

import numpy as np
import pytest

from lastseen.agents.senses.attention.reaction import REACTIONS, ReactionQueue, ReactionTime, reaction
from lastseen.errors import InputError
from lastseen.rng import generator

USUAL = reaction("usual")
PEOPLE = [times for name, times in REACTIONS.items() if name != "at once"]


def test_5_5_1_simple_reactions_to_sights():
    assert USUAL.delay() == pytest.approx(0.2)
    assert reaction("Kosinski").delay() == pytest.approx(0.19)
    assert reaction("Laming").delay() == pytest.approx(0.22)


def test_5_5_2_sounds_are_reacted_to_sooner():
    assert USUAL.delay("simple", "auditory") == pytest.approx(0.16)
    for times in PEOPLE:
        for kind in ("simple", "go/no-go", "complex"):
            assert times.delay(kind, "auditory") < times.delay(kind, "visual")


def test_5_5_3_telling_friend_from_foe_takes_longer():
    assert USUAL.delay("go/no-go") == pytest.approx(0.38)
    assert reaction("rounded").delay("go/no-go") == pytest.approx(0.4)
    assert all(times.delay("go/no-go") > times.delay() for times in PEOPLE)


def test_5_5_4_weaker_stimuli_are_never_reacted_to_sooner():
    delays = USUAL.delay(strength=np.linspace(1.0, 0.0, 11))
    assert (np.diff(delays) >= 0.0).all()
    assert delays[-1] > delays[0]


def test_5_5_5_aiming_is_added():
    assert USUAL.delay(aim=0.5) == pytest.approx(0.7)


def test_5_5_6_lapses_raise_mean_and_variance():
    draws = generator(1, "reaction").random((20_000, 2))
    steady, lapsing = reaction("varied").delay(chance=draws), reaction("inattentive").delay(chance=draws)
    assert lapsing.mean() > steady.mean()
    assert lapsing.var() > steady.var()
    assert (lapsing > steady).mean() == pytest.approx(0.1, abs=0.01)
    assert steady.min() >= 0.2
    assert steady.mean() == pytest.approx(0.24, abs=0.002)
    again = reaction("varied").delay(chance=generator(1, "reaction").random((20_000, 2)))
    assert steady.tobytes() == again.tobytes()


def test_5_5_7_choosing_the_best_of_several_takes_longest():
    for sense in ("visual", "auditory"):
        assert USUAL.delay("complex", sense) > USUAL.delay("go/no-go", sense)


def test_5_5_8_nothing_hostile_before_the_delay_has_passed():
    queue = ReactionQueue(1, 1)
    delay = USUAL.delay("go/no-go")
    acts = [tick / 100.0 for tick in range(60) if queue.step([[True]], delay, tick / 100.0)[0, 0]]
    assert acts[0] == pytest.approx(0.38)
    assert len(acts) == 22


def test_each_pair_waits_for_itself_and_a_loss_begins_anew_after_a_while():
    queue = ReactionQueue(2, 2, keeps=0.5)
    delay = [[0.2, 0.4], [0.0, 0.2]]
    assert queue.step([[1, 1], [1, 0]], delay, 0.0).tolist() == [[False, False], [True, False]]
    assert queue.step([[1, 1], [1, 1]], delay, 0.2).tolist() == [[True, False], [True, False]]
    assert queue.step([[0, 1], [1, 1]], delay, 0.4).tolist() == [[False, True], [True, True]]
    assert queue.step([[1, 0], [0, 0]], delay, 0.6)[0, 0], "it is still ready"
    assert not queue.step([[0, 1], [1, 1]], delay, 1.2)[0, 1], "that was too long ago"


def test_one_stays_ready_for_exactly_as_long_as_is_said():
    for gone, ready in ((1.0, True), (1.0625, False)):
        queue = ReactionQueue(1, 1, keeps=1.0)
        queue.step([[True]], 0.5, 0.0)
        assert queue.step([[True]], 0.5, 0.5)[0, 0]
        assert queue.step([[True]], 0.5, 0.5 + gone)[0, 0] == ready


def test_delays_may_be_drawn_for_each_reaction_that_begins():
    queue, asked = ReactionQueue(2, 2, keeps=0.5), []

    def delay(rows, columns):
        asked.append((rows.tolist(), columns.tolist()))
        return 0.1 * len(asked) * np.ones(len(rows))

    seen = [[True, False], [False, True]]
    assert not queue.step(seen, delay, 0.0).any()
    assert queue.step(seen, delay, 0.1).tolist() == seen
    assert not queue.step(seen, delay, 1.0).any(), "a new one, and it takes longer"
    assert queue.step(seen, delay, 1.2).tolist() == seen
    assert asked == [([0, 1], [0, 1])] * 2


def test_somebody_may_need_no_time_at_all():
    assert REACTIONS["at once"].delay("complex", strength=0.0) == 0.0


def test_bad_input_is_named():
    for make, words in (
        (lambda: USUAL.delay("simpel"), "did you mean 'simple'"),
        (lambda: USUAL.delay("simple", "smell"), "sense"),
        (lambda: USUAL.delay(chance=[1.0, 0.5, 0.5]), "two numbers"),
        (lambda: USUAL.delay(strength="weak"), "strength"),
        (lambda: USUAL.delay(strength=float("nan")), "strength is nan; give numbers 0 … 1"),
        (lambda: USUAL.delay(chance=(-5.0, 0.5)), "chance is"),
        (lambda: USUAL.delay(chance=(0.5, 2.0)), "chance is"),
        (lambda: USUAL.delay(chance=(float("nan"), 0.0)), "chance is"),
        (lambda: USUAL.delay(aim=float("inf")), "aim is inf"),
        (lambda: USUAL.delay(aim=-1.0), "aim is -1"),
        (lambda: USUAL.delay(strength=[0.1, 0.2], aim=[0.1] * 3), "do not go together"),
        (lambda: USUAL.delay(strength=[0.1, 0.2], chance=[[0.1, 0.2]] * 3), "do not go together"),
        (lambda: ReactionTime(simple=0.1), "simple"),
        (lambda: ReactionTime(lapse_chance=2.0), "lapse_chance"),
        (lambda: reaction("none"), "no reaction time"),
        (lambda: ReactionQueue(1, 1).step([True], 0.1, 0.0), "perceived"),
    ):
        with pytest.raises(InputError, match=words):
            make()
