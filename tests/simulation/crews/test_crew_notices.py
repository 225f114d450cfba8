"""Notices in scenarios: members and their crew let each other know, whoever has a role."""

from __future__ import annotations

from pathlib import Path

from lastseen.simulation.game_loop import run
from lastseen.simulation.scenario.reader import parse_scenario
from lastseen.simulation.world.setup import make_world

SCENARIO = """
level: hall
seconds: 2
step: 0.1
rules: none
ends: []
crews: {meet: meet.yaml}
agents:
  - {name: Ames, at: [6, 8], brain: told.yaml}
  - {name: Bell, at: [6, 10], brain: told.yaml}
  - {name: Cole, at: [9, 9], brain: told.yaml}
script: [{at: 0.2, do: request, agents: [Ames, Bell], objective: meet, seconds: 60}]
"""
# One of two has a role; both are told, and only who has none answers.
MEET = """
root:
  reactive_sequence:
    - notify: {key: hello}
    - reactive_selector:
        - guard: [was_notified: {key: answered}, role: {name: answered, most: 1, directions: {gait: run}}]
        - role: {name: asked, most: 1, directions: {gait: run}}
"""
TOLD = """
root:
  reactive_selector:
    - guard: [has_direction: {key: gait}, wait: {seconds: 99}]
    - guard: [noticed_by_crew: {key: hello}, sequence: [notify: {key: answered}, take_stand, wait: {seconds: 99}]]
    - wait: {seconds: 0.1}
"""


def test_a_member_without_a_role_hears_its_crew_and_is_heard(tmp_path: Path) -> None:
    (tmp_path / "meet.yaml").write_text(MEET)
    (tmp_path / "told.yaml").write_text(TOLD)
    world = make_world(parse_scenario(SCENARIO, folder=tmp_path))
    run(world)
    assert [given and given.role for given in world.teamwork.directions] == ["answered", None, None]
    assert world.teamwork.crew_numbers == {0: 0, 1: 0}
    assert set(world.teamwork.notices[0]) == {"hello", "answered"}
