"""How a fight begins: some shoot, the others run to where they cannot be shot at."""

from __future__ import annotations

import numpy as np

from lastseen.agents.bodies.bodies import STANCES
from lastseen.agents.crews.combat.fights import covered, opens_fight
from lastseen.level.sight.query import sees
from lastseen.simulation.game_loop import step
from lastseen.simulation.scenario.reader import parse_scenario
from lastseen.simulation.world.setup import make_world
from specimens.crews import crew_of

OPENING = """
trees:
  fight:
    selector:
      - guard:
          - invert: [{lasted: {seconds: 3}}]
          - roles:
              - role:
                  name: open fire
                  least: 0
                  may: [opens_fight]
                  directions: {stand: here, face: target, attack: true}
              - role:
                  name: take cover
                  least: 0
                  may: [{not: opens_fight}]
                  prefer: {near_place: 3.0, stays: 1.0}
                  places: {covered: {walk: 12}}
                  directions: {stand: place, face: target, gait: run, attack: false}
      - roles: [{role: {name: fight, least: 0, directions: {attack: token}}}]
"""
SCENE = """
level: hall
step: 0.1
seconds: 6
rules: none
combat: true
crews: {fight: opening.yaml}
sharing: broadcast
ends: []
agents:
  - {name: Ames, at: [5, 9], patrol: "", attack: ranged}
  - {name: Bell, at: [6, 9.5], patrol: "", attack: ranged}
  - {name: Cole, at: [4, 8.5], patrol: "", attack: ranged}
  - {name: Dane, at: [3, 9], patrol: "", attack: ranged}
  - {name: Vera, brain: puppet, at: [12, 9], health: 5000}
"""


def test_the_nearest_who_see_the_target_open_and_only_for_a_while() -> None:
    hall, mind = crew_of([(2.0, 6.0), (9.0, 6.0), (6.0, 6.0)], ("ranged",) * 3)
    first = [opens_fight(mind, member, shooters=2)[0] for member in range(3)]
    assert first == [False, True, True]
    hall.world.bodies.xyz[0] = (10.5, 6.0, 0.0)
    mind.begin()
    assert [opens_fight(mind, member, shooters=2)[0] for member in range(3)] == first, (
        "ranks are those of the beginning"
    )
    assert opens_fight(mind, 7)[1] == "came later"
    hall.world.time += 3.0
    assert [opens_fight(mind, member) for member in range(3)] == [(False, "the opening is over")] * 3


def test_some_shoot_and_others_run_to_where_the_target_does_not_see_them(tmp_path) -> None:
    (tmp_path / "opening.yaml").write_text(OPENING, encoding="utf-8")
    world = make_world(parse_scenario(SCENE, folder=tmp_path))
    seen = []
    while world.time < 5.5:
        step(world)
        roles = [None if one is None else one.role for one in world.teamwork.directions[:4]]
        seen.append((world.time, roles))
        for given in world.teamwork.directions[:4]:
            if given is not None and given.role == "take cover":
                x, y, z = given.values["stand"]
                eye = world.bodies.xyz[4] + np.array([0.0, 0.0, STANCES[0].eye])
                assert not sees(world.sight, eye, (x, y, z + STANCES[0].chest))
    during = [sorted(roles) for _, roles in seen if "take cover" in roles and None not in roles]
    assert during
    assert all(roles == ["open fire"] * 2 + ["take cover"] * 2 for roles in during)
    assert set(seen[-1][1]) == {"fight"}


def test_where_nothing_hides_there_is_no_cover() -> None:
    _, mind = crew_of([(2.0, 6.0), (9.0, 6.0)])
    assert len(covered(mind)) == 0
