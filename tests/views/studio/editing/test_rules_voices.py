"""The same stage with other rules: whatever else it has stays."""

from __future__ import annotations

from lastseen.views.studio.answers.speech import with_rules
from lastseen.views.studio.session.folder import Folder
from lastseen.views.studio.session.stage_opening import opened, request_for

CREWS = """
level: rooms
crews: true
rules: none
agents:
  - {name: Ames, at: [6, 4]}
  - {name: Bell, at: [5, 4]}
"""


def test_people_keep_their_crews_when_they_speak_by_other_rules(tmp_path):
    (tmp_path / "night.yaml").write_text(CREWS)
    folder = Folder(tmp_path)
    before = opened(folder, request_for("night.yaml"))
    before.setting.crew_leaves = leaves = before.setting.leaves
    after = with_rules(before, folder, "guards")
    assert after.setting.crew_leaves is leaves
    assert before.setting.crews
    assert after.setting.crews == before.setting.crews
    assert after.setting.scenario.rules == "guards"
    assert after.world().teamwork.crews is not None
