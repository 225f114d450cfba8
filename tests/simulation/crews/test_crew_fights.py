"""Crews in fights: slots and clear lines, far targets with both endings, ambushes, chases; and what goes wrong."""

from __future__ import annotations

import math
from importlib import resources
from pathlib import Path

import numpy as np
import pytest

from lastseen.agents.crews.combat.attack_turns import TURNS
from lastseen.errors import ScenarioError
from lastseen.simulation.game_loop import step
from lastseen.simulation.scenario.reader import parse_scenario, scenario_text
from lastseen.simulation.world.setup import make_world
from lastseen.simulation.world.world import World
from lastseen.views.prose.sentences import Sentences
from specimens.worlds import Play

QUICK = "rules: none\nstep: 0.05\n"


def play(name: str, more: str = "", *, old: str = "", new: str = "") -> Play:
    """Return a shipped scenario, quick and silent, with something changed."""
    text = scenario_text(name) + QUICK + more
    assert old in text
    return Play(text.replace(old, new) if old else text)


def roles(world: World) -> dict[str, str]:
    return {world.names[at]: given.role for at, given in enumerate(world.teamwork.directions) if given is not None}


def test_blades_stand_round_the_target_at_slots_of_their_own_and_guns_farther_off() -> None:
    apart, ranged, own = [], [], []

    def look(world: World) -> None:
        given = [(at, one) for at, one in enumerate(world.teamwork.directions) if one is not None and world.time > 4.0]
        slots = [one.slot for _, one in given if one.role == "melee"]
        own.append(len(slots) == len(set(slots)))
        feet = [world.bodies.xyz[at] for at, one in given if one.role == "melee"]
        apart.extend(float(np.linalg.norm(a - b)) for i, a in enumerate(feet) for b in feet[:i])
        ranged.extend(
            math.dist(one.values["stand"], world.bodies.xyz[-1].tolist()) for _, one in given if one.role == "ranged"
        )

    fight = play("brawl").run(15.0, look)
    assert all(own)
    assert np.median(apart) > 1.0
    assert len(ranged) > 50
    assert min(ranged) > 3.0
    assert {event.role for event in fight.of_kind("role")} >= {"melee", "ranged"}


def test_no_more_attack_at_once_than_there_are_tokens_though_alone_they_would() -> None:
    most = {"true": 0, "false": 0}
    for crews in most:

        def look(world: World, crews: str = crews) -> None:
            assert world.combat is not None
            blades = [at for at in world.combat.blows if world.combat.attack[at] == "melee" and at < 6]
            most[crews] = max(most[crews], len(blades))

        text = scenario_text("brawl").replace("crews: true", f"crews: {crews}") + QUICK
        Play(text.replace("brain: brawler", "brain: puppet")).run(8.0, look)
    assert most["true"] <= TURNS["melee"].size(6)
    assert most["false"] > most["true"]


def test_shooters_have_fewer_colleagues_in_their_lines_and_guards_run_into_each_other_less() -> None:
    on, off = (play("brawl", old="crews: true", new=f"crews: {crews}").run(20.0) for crews in ("true", "false"))
    for kind in ("line crossed", "contact"):
        assert len(on.of_kind(kind)) < len(off.of_kind(kind)), kind


def test_a_far_target_is_flanked_while_the_others_shoot_and_then_all_fight() -> None:
    far = play("far_target")
    far.run(3.0)
    before = roles(far.world)
    assert sorted(before.values()) == ["flank", "flank", "shoot across", "shoot across"]
    flankers = [name for name, role in before.items() if role == "flank"]
    assert flankers == ["Ames", "Cole"], "those with blades have to come near"
    while "flank" in roles(far.world).values() and far.world.time < 20.0:
        far.run(0.05)
    vera = far.world.bodies.xyz[-1]
    reached = min(float(np.linalg.norm(far.world.bodies.xyz[at] - vera)) for at in (0, 2))
    assert reached < 4.0
    assert set(roles(far.world).values()) == {"melee", "ranged"}
    assert far.of_kind("attack")
    assert not far.of_kind("unreachable")


@pytest.mark.parametrize("ending", ["killed", "late"])
def test_a_flanker_killed_or_too_late_gives_the_area_up_and_only_guns_fight(ending: str) -> None:
    if ending == "killed":
        far = play("far_target_lost")
    else:
        text = scenario_text("far_target").replace("{name: Cole,", "{speed: 0.2, name: Cole,")
        far = Play(text.replace("{name: Ames,", "{speed: 0.2, name: Ames,") + QUICK)
    while not far.of_kind("unreachable") and far.world.time < 30.0:
        far.run(0.5)
    (given_up,) = far.of_kind("unreachable")
    words = "Ames did not get through" if ending == "killed" else "no one got there in time"
    assert words in Sentences.of_world(far.world)(given_up)
    assert (far.world.time < 8.0) == (ending == "killed")
    far.run(4.0)
    assert set(roles(far.world).values()) == {"shoot across", "hold"}
    cole = far.world.bodies.xyz[2].copy()
    shots = len(far.of_kind("attack"))
    far.run(4.0)
    assert np.linalg.norm(far.world.bodies.xyz[2] - cole) < 0.5, "who has a blade stays where it is"
    assert len(far.of_kind("attack")) > shots


def test_where_there_is_no_way_at_all_the_area_is_given_up_at_once(tmp_path: Path) -> None:
    text = (scenario_text("far_target") + QUICK).replace("level: yard", "level: yard.txt")
    level = (resources.files("lastseen.level.samples") / "yard.txt").read_text(encoding="utf-8")
    rows = level.splitlines()
    for number, row in enumerate(rows):
        if "wwww" in row:
            rows[number] = "##" + row[2:27] + "#######"
    (tmp_path / "yard.txt").write_text("\n".join(rows) + "\n", encoding="utf-8")
    world = make_world(parse_scenario(text, folder=tmp_path))
    kinds = []
    while world.time < 2.0:
        step(world)
        kinds += [event.kind for event in world.events]
    assert "unreachable" in kinds
    assert set(roles(world).values()) == {"shoot across", "hold"}


def test_a_member_removed_in_mid_role_leaves_it_and_the_others_go_on() -> None:
    script = "script:\n  - {at: 4, do: remove, agent: Ames}\n"
    fight = play("brawl", script).run(8.0)
    left = [event for event in fight.of_kind("crew") if event.change == "left"]
    assert [(event.agent, event.crew, event.reason) for event in left] == [(0, 0, "lost")]
    assert "Ames" not in roles(fight.world)
    assert "melee" in roles(fight.world).values()
    assert fight.world.teamwork.directions[0] is None


def test_a_target_that_is_gone_ends_the_crew_and_everybody_goes_home() -> None:
    script = "script:\n  - {at: 4, do: remove, agent: Vera}\n"
    fight = play("brawl", script).run(25.0)
    assert fight.outcome.reason in ("time over", "stopped")
    assert any(event.change == "ended" for event in fight.of_kind("crew"))
    assert not any(role in ("melee", "ranged", "flank") for role in roles(fight.world).values())


def test_with_guns_or_blades_alone_the_other_role_has_nobody() -> None:
    text = scenario_text("brawl") + QUICK
    blades = Play(text.replace(", attack: ranged", "")).run(5.0)
    assert set(roles(blades.world).values()) <= {"melee", "wait", "come"}
    guns = Play(text.replace('patrol: ""}', 'patrol: "", attack: ranged}')).run(5.0)
    assert set(roles(guns.world).values()) <= {"ranged", "wait", "come"}


def test_an_ambush_waits_at_its_spots_whatever_it_sees_and_springs_when_the_volume_is_entered() -> None:
    ambush = play("ambush").run(12.0)
    assert set(roles(ambush.world).values()) == {"lie in wait"}
    spots = np.array([marker.xyz for marker in ambush.world.level.markers if marker.kind == "ambush"])
    feet = ambush.world.bodies.xyz[:4]
    away = np.linalg.norm(feet[:, None] - spots[None], axis=2)
    assert away.min(axis=1).max() < 1.0
    assert len(set(away.argmin(axis=1).tolist())) == 4, "each has a spot of its own"
    assert not ambush.of_kind("caught")
    ambush.run(40.0)
    (sprung,) = ambush.of_kind("sprung")
    assert sprung.members == (0, 1, 2, 3)
    ended = [(event.objective, event.reason) for event in ambush.of_kind("crew") if event.change == "ended"]
    assert ("ambush", "too few") in ended
    assert ambush.outcome.reason == "caught"


def test_an_ambush_can_be_stopped_by_the_script() -> None:
    stop = "  - {at: 4, do: end request, agents: [Ames, Bell, Cole, Dane], objective: ambush}\n"
    text = scenario_text("ambush").rstrip() + "\n" + stop + QUICK
    ambush = Play(text).run(6.0)
    assert [event.change for event in ambush.of_kind("crew")] == ["formed", "ended"]
    assert roles(ambush.world) == {}
    ambush.run(20.0)
    assert not ambush.of_kind("sprung")


def test_an_ambush_of_which_one_is_hit_springs_too() -> None:
    script = "  - {at: 5, do: fell, agent: Dane}\n"
    ambush = Play(scenario_text("ambush").rstrip() + "\n" + script + QUICK).run(7.0)
    assert len(ambush.of_kind("sprung")) == 1


def test_a_scripted_ambush_needs_agents_and_a_target_that_are_there() -> None:
    text = (
        scenario_text("ambush")
        .replace("target: player", "target: plaier")
        .replace("objective: ambush", "objective: ambsh")
    )
    with pytest.raises(ScenarioError) as caught:
        parse_scenario(text)
    assert "did you mean 'player'" in str(caught.value)
    assert "did you mean 'ambush'" in str(caught.value)


@pytest.mark.parametrize(("name", "objective"), [("cut_off", "fight"), ("headed_off", "chase")])
def test_who_is_lost_is_followed_by_some_for_seconds_while_others_are_at_other_ways_out_before_it(
    name: str, objective: str
) -> None:
    chase = Play(scenario_text(name) + "rules: none\n")
    world, held, longest, left, reached = chase.world, 0.0, 0.0, dict[int, np.ndarray](), set[int]()

    def look(world: World) -> None:
        nonlocal held, longest
        given = {at: one for at, one in enumerate(world.teamwork.directions) if one is not None}
        cut = {at: one.values["stand"] for at, one in given.items() if one.role == "cut off"}
        followed = any(one.role in ("follow", "press") for one in given.values())
        assert world.teamwork.crews is not None
        crews = {world.teamwork.crews.standing[one.crew].objective for one in given.values()}
        together = followed and len(cut) >= 2 and crews == {objective} and math.dist(*list(cut.values())[:2]) > 3.0
        held = held + world.step if together else 0.0
        longest = max(longest, held)
        runner = world.bodies.xyz[-1]
        for at, stand in cut.items():
            feet = world.bodies.xyz[at]
            left.setdefault(at, feet.copy())
            ran = float(np.linalg.norm(feet - left[at]))
            if math.dist(feet, stand) < 1.0 and ran > 3.0 and math.dist(runner, stand) > 3.0:
                reached.add(at)

    chase.run(8.0, look)
    assert world.ending is None
    assert longest >= 3.0
    assert reached, "nobody was at a way out before the runner"
