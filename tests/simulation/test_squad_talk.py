"""Squad dialogue in fights (chapter 2): status, losses, the last one, nowhere to go, and regions that are shunned."""

from __future__ import annotations

import math

import numpy as np
import pytest

from lastseen.agents.knowledge.losses import Danger, Losses, Plight
from lastseen.errors import ScenarioError
from lastseen.simulation.game_loop import step
from lastseen.simulation.recording.recording import Recording
from lastseen.simulation.recording.world_columns import record
from lastseen.simulation.replay.account import account_of
from lastseen.simulation.scenario.reader import parse_scenario, scenario_text
from lastseen.views.cli.run.why import as_lines
from lastseen.views.prose.sentences import Sentences
from specimens.worlds import Play

OPENERS = ("ASK_STATUS", "MAN_DOWN", "LAST_ONE", "ORDER_MOVE", "ORDER_ADVANCE")
TOPICS = {"ASK_STATUS": "status", "ORDER_MOVE": "nowhere", "ORDER_ADVANCE": "refuse"}


class Fight(Play):
    """The shipped fight, with what was so when each line was said."""

    def __init__(self) -> None:
        super().__init__(scenario_text("pinned_down").replace("\nseconds", "\nstep: 0.1\nseconds", 1))
        self.up: dict[int, list[bool]] = {}
        self.health: dict[int, list[float]] = {}

    def note(self, world) -> None:
        self.up[world.tick] = [mode == 0 for mode in world.bodies.mode.tolist()]
        self.health[world.tick] = world.combat.health.tolist()

    def said(self, trigger: str) -> list:
        return [one for one in self.of_kind("said") if one.facts.get("bark.trigger") == trigger]

    def answers(self, topic: str) -> list:
        return [one for one in self.said("ANSWER") if one.facts.get("ask.topic") == topic]

    def fallen(self, tick: int) -> set[int]:
        return {one.agent for one in self.of_kind("fell") if one.tick < tick and one.agent < 4}


@pytest.fixture(scope="module")
def fight() -> Fight:
    play = Fight()
    play.run(200.0, play.note)
    return play


def test_every_line_of_the_chapter_is_said_in_the_shipped_fight(fight: Fight) -> None:
    assert {trigger for trigger in OPENERS if fight.said(trigger)} == set(OPENERS)
    rules = {one.rule for topic in TOPICS.values() for one in fight.answers(topic)}
    assert {"status, fine", "status, hurt", "nowhere, no cover"} <= rules
    assert any(rule.startswith("refuse, ") for rule in rules)


def test_2_5_1_a_comrade_asks_and_the_one_that_was_hit_answers_by_its_health(fight: Fight) -> None:
    for opener in fight.said("ASK_STATUS"):
        named = [name for name in fight.world.names if name in opener.line]
        hit = [one.other for one in fight.of_kind("hit") if -30 <= one.tick - opener.tick < 0]
        assert opener.agent not in [fight.world.names.index(name) for name in named]
        assert {fight.world.names.index(name) for name in named} <= set(hit)
    for answer in fight.answers("status"):
        assert answer.agent != answer.other
        share = fight.health[answer.tick][answer.agent] / 100.0
        assert (answer.rule == "status, hurt") == (share < 0.5), answer


def test_2_5_4_losses_are_counted_by_those_that_live(fight: Fight) -> None:
    counted = [one for one in fight.said("MAN_DOWN") if "squad.losses" in one.facts]
    assert counted
    for one in counted:
        assert one.facts["squad.losses"] == len(fight.fallen(one.tick)), one
        assert ("two" in one.line.lower()) == (one.facts["squad.losses"] == 2)
    for one in fight.of_kind("said"):
        assert one.agent < 0 or fight.up[one.tick][one.agent], one
    counts = [one.count for one in fight.of_kind("casualty")]
    assert counts == list(range(1, len(counts) + 1))
    assert [one.left for one in fight.of_kind("casualty")] == [4 - count for count in counts]


def test_2_5_5_the_last_one_calls_for_help_and_no_one_comes(fight: Fight) -> None:
    (call,) = fight.said("LAST_ONE")
    assert fight.fallen(call.tick) == {0, 1, 2, 3} - {call.agent}
    assert not fight.of_kind("appears")


def test_2_5_6_an_advance_is_ordered_by_a_comrade_and_refused(fight: Fight) -> None:
    refusals = [(one.tick, one.agent) for one in fight.of_kind("refuses")]
    for order in fight.said("ORDER_ADVANCE"):
        assert any(0 < order.tick - tick <= 30 and agent != order.agent for tick, agent in refusals)
    for answer in fight.answers("refuse"):
        assert answer.agent in [agent for tick, agent in refusals if tick < answer.tick]


def test_2_5_7_nowhere_to_go_is_said_under_fire_without_cover(fight: Fight) -> None:
    cornered = [(one.tick, one.agent) for one in fight.of_kind("nowhere to go")]
    for answer in fight.answers("nowhere"):
        assert any(0 < answer.tick - tick <= 60 and agent == answer.agent for tick, agent in cornered)
    for tick, agent in cornered:
        assert any(0 <= tick - hit.tick <= 10 and hit.other == agent for hit in fight.of_kind("hit"))


def test_2_5_8_exchanges_have_two_or_three_lines(fight: Fight) -> None:
    for topic in TOPICS.values():
        assert all(one.turn in (2, 3) for one in fight.answers(topic))


def test_36_5_9_the_best_ranked_open_fire_and_the_others_run_to_cover_for_three_seconds(fight: Fight) -> None:
    roles = [one for one in fight.of_kind("role") if one.role == "open fire"]
    assert {one.agent for one in roles} == {0, 1}
    over = [one.tick for one in fight.of_kind("role") if one.before == "open fire"]
    assert over
    assert min(over) * 0.1 >= 3.0


ALONE = """
level: hall
seconds: 20
combat: COMBAT
sharing: broadcast
ends: []
agents:
  - {name: Ames, at: [10, 9], patrol: "", health: 1000}
  - {name: you, brain: puppet, at: [14.5, 9], heading: 3.14, attack: ranged, health: 5000}
"""


def danger(play: Play, seconds: float = 4.0) -> Danger:
    """Let Ames remember a region around `you`."""
    now = play.world.time
    found = Danger((14.5, 9.0, 0.0), 2.0, now, now + seconds, 1, "fell")
    play.world.losses.shun(0, found)
    return found


def test_2_5_3_one_on_its_own_asks_nobody() -> None:
    play = Play(ALONE.replace("COMBAT", "true")).run(1.0)
    play.world.losses.announce(Plight(play.world.time, "ASK_STATUS", 0, ()), 0.0)
    play.run(2.0)
    assert not [one for one in play.of_kind("said") if one.facts.get("bark.trigger") in OPENERS]


def test_2_5_6_a_region_is_not_entered_before_it_expires() -> None:
    play = Play(ALONE.replace("COMBAT", "true"))
    found, away = danger(play), []

    def note(world) -> None:
        away.append((world.time, math.dist(world.bodies.xyz[0], found.xyz)))

    play.run(10.0, note)
    during = [metres for time, metres in away if time < found.until]
    assert min(during) >= found.radius
    assert during[-1] < 5.0
    assert min(metres for time, metres in away if time > found.until) < found.radius
    (refusal,) = play.of_kind("refuses")
    assert (refusal.agent, refusal.other, refusal.blow) == (0, 1, "fell")


def test_without_danger_or_when_in_it_already_nothing_is_refused() -> None:
    free = Play(ALONE.replace("COMBAT", "true")).run(3.0)
    assert not free.of_kind("refuses")
    inside = Play(ALONE.replace("COMBAT", "true").replace("[10, 9]", "[13.2, 9]"))
    danger(inside)
    assert not inside.run(3.0).of_kind("refuses")
    assert inside.of_kind("attack")


def test_why_explains_a_refusal(tmp_path) -> None:
    play = Play(ALONE.replace("COMBAT", "true"))
    danger(play, 8.0)
    record(play.world, tmp_path / "run.lastseen")
    recording = Recording.read(tmp_path / "run.lastseen")
    words = "\n".join(as_lines(account_of(recording, "Ames", 3.5), Sentences.of_recording(recording)))
    assert "shun_danger" in words
    assert "refuses to go where you went down" in words
    assert "s more" in words


def test_a_wall_ends_a_region() -> None:
    play = Play(ALONE.replace("COMBAT", "true").replace("[10, 9]", "[4, 9]"))
    play.world.losses.shun(0, Danger((7.5, 7.6, 0.0), 2.0, 0.0, 20.0, 1, "fell"))
    play.run(2.0)
    assert play.of_kind("refuses")
    behind = Play(ALONE.replace("COMBAT", "true").replace("[10, 9]", "[4, 9]"))
    behind.world.losses.shun(0, Danger((7.5, 4.6, 0.0), 4.9, 0.0, 20.0, 1, "fell"))
    behind.run(2.0)
    assert not behind.of_kind("refuses")


def test_the_rules_of_combat_say_how_long_and_how_wide() -> None:
    text = """
level: hall
seconds: 5
combat: {danger_seconds: SECONDS, danger_radius: 1.5, shot_damage: 100, near_chance: 1, far_chance: 1}
ends: []
agents:
  - {name: Ames, brain: puppet, team: guards, at: [8, 9], heading: 0}
  - {name: Bell, brain: guard, at: [6, 9], heading: 0, patrol: ""}
  - {name: you, brain: brawler, at: [14, 9], heading: 3.14, attack: ranged}
"""
    for seconds, count in (("3", 1), ("0", 0)):
        play = Play(text.replace("SECONDS", seconds)).run(3.5)
        assert play.of_kind("fell")
        assert [one.count for one in play.of_kind("casualty")][:1] == [1]
        known = [one for dangers in play.world.losses.dangers.values() for one in dangers if one.comrade == 0]
        assert len(known) == count
        assert all((one.radius, one.until - one.since) == (1.5, 3.0) for one in known)
    with pytest.raises(ScenarioError, match=r"line 4.*danger_second.*did you mean.*danger_seconds"):
        parse_scenario(text.replace("danger_seconds: SECONDS", "danger_second: 3"))
    with pytest.raises(ScenarioError, match=r"line 4"):
        parse_scenario(text.replace("SECONDS", "-1"))


def test_losses_join_squads_count_what_is_known_and_forget() -> None:
    losses = Losses()
    squad = losses.join({0, 1})
    squad.fallen.append(1)
    assert losses.join({0, 1}) is squad
    assert losses.count(0) == 0
    losses.learn(0, {1})
    assert (losses.count(0), losses.size(0), losses.is_last(0)) == (1, 2, True)
    joined = losses.join({0, 2, 3})
    assert joined.members == {0, 1, 2, 3}
    assert joined.fallen == [1]
    assert (losses.count(2), losses.is_last(0), losses.size(9)) == (0, False, 0)
    first = Danger((0.0, 0.0, 0.0), 2.0, 0.0, 5.0, 1, "fell")
    losses.shun(0, first)
    losses.shun(0, first._replace(since=1.0, until=9.0, comrade=2, blow="hit"))
    assert losses.dangers[0] == [first._replace(until=9.0)]
    losses.shun(0, first._replace(xyz=(5.0, 0.0, 0.0), until=6.0))
    losses.advance(7.0)
    assert [one.until for one in losses.dangers[0]] == [9.0]
    losses.advance(9.0)
    assert losses.dangers == {}


def test_a_shot_sends_a_guard_to_cover_and_a_blow_does_not() -> None:
    far = ALONE.replace("14.5, 9", "20, 9")
    play = Play(far.replace("COMBAT", "true")).run(0.5)
    world = play.world
    world.combat.hurt[0] = (world.time, 1)
    step(world)
    assert world.events
    picked = [one for one in world.events if one.kind == "picks place"]
    nowhere = [one for one in world.events if one.kind == "nowhere to go"]
    assert len(picked) + len(nowhere) == 1
    if picked:
        before = np.linalg.norm(world.bodies.xyz[0] - picked[0].at)
        play.run(2.5)
        assert np.linalg.norm(world.bodies.xyz[0] - picked[0].at) < 0.5 * before
    other = Play(far.replace("COMBAT", "true").replace("attack: ranged", "attack: melee")).run(0.5)
    other.world.combat.hurt[0] = (other.world.time, 1)
    other.run(0.5)
    assert not other.of_kind("picks place")
