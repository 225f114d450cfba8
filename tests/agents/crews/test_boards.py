"""What is written for a group is seen by its members only; what is one's own by nobody else (36.5)."""

from __future__ import annotations

from lastseen.agents.brains.leaves.teamwork import noticed_by_crew
from specimens.worlds import Play

TEXT = """
level: hall
rules: none
agents:
  - {name: A, at: [4, 9], patrol: ""}
  - {name: B, at: [6, 9], patrol: ""}
  - {name: C, at: [8, 9], patrol: ""}
"""


def test_36_5_7_a_group_entry_is_visible_to_members_only_and_a_local_one_to_its_owner() -> None:
    world = Play(TEXT).world
    world.teamwork.crew_numbers = {0: 1, 1: 1, 2: 2}
    world.teamwork.notices[1] = {"repositioning": (True, 0.0)}
    assert [noticed_by_crew(mind, "repositioning")[0] for mind in world.minds] == [True, True, False]
    del world.teamwork.crew_numbers[1]
    assert [noticed_by_crew(mind, "repositioning")[0] for mind in world.minds] == [True, False, False]
    world.minds[0].blackboard["own"] = 1
    assert ["own" in mind.blackboard for mind in world.minds] == [True, False, False]
