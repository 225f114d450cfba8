"""The costs of steps in a real browser: the strip under the timeline, and the panel."""

from __future__ import annotations

import pytest

from studio.server import serving

TIGHT = """
level: hall
budget: 0.001
seconds: 20
agents:
  - {name: Ames, at: [6, 4], patrol: round}
  - {name: Vera, brain: runner, at: [28, 4]}
"""


@pytest.fixture
def tight(tmp_path):
    (tmp_path / "tight.yaml").write_text(TIGHT)
    with serving(tmp_path, "tight.yaml") as served:
        yield served


def test_every_step_over_budget_is_marked_and_listed(tight, window):
    one = window(tight)
    with tight.page() as page:
        page.say("step", ticks=60)
        page.settle()
    one.until("lastseenTest.costs.totals.length === 61")
    assert one.ask("lastseenTest.costs.budget") == 0.001
    assert one.ask("lastseenTest.costs.totals.every((total) => total > 0.001)")
    box = one.page.locator(".lanes").bounding_box()
    one.page.mouse.move(box["x"] + 76, box["y"] + box["height"] - 4)
    one.until("document.querySelector('.tip').textContent.includes('over budget')")
    one.page.mouse.click(box["x"] + 76, box["y"] + box["height"] - 4)
    one.page.locator(".costs tr[data-name='think']").wait_for()
    assert one.page.locator(".costs tr[data-name='Ames']").count() == 1
    assert "61 steps over budget" in one.page.locator(".costs").inner_text()
    one.page.locator(".costs button[data-tick='7']").click()
    one.until("lastseenTest.status.tick === 7")
    one.page.locator(".costs", has_text="at 0:00.2").wait_for()


def test_a_feed_has_no_costs_and_a_level_has(rooms, window):
    one = window(rooms)
    one.until("lastseenTest.costs.totals.length > 0")
    assert not one.page.locator("[data-panel='costs']").is_hidden()
    one.page.locator("[data-panel='costs']").click()
    one.page.locator(".costs", has_text="of 33.3 ms").wait_for()
