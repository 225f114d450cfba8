"""Two runs side by side in a real browser: the same until they part, then not."""

from __future__ import annotations

import pytest

from specimens.recordings import LOST, SHARED, recorded
from studio.browser import DRAWN
from studio.server import serving

PARTED = 45
# Pixels in which the halves of the map clearly differ, below their titles: numbers of the other run are rounded.
HALVES = """() => {
  const map = document.querySelector("#map");
  const [width, height] = [map.width / 2, map.height];
  const ink = new OffscreenCanvas(map.width, height).getContext("2d", { willReadFrequently: true });
  ink.drawImage(map, 0, 0);
  const part = (at) => ink.getImageData(at, 50, width - 4, height - 50).data;
  const [one, other] = [part(0), part(width)];
  let count = 0;
  for (let at = 0; at < one.length; at += 4) {
    const far = [0, 1, 2].reduce((sum, channel) => sum + Math.abs(one[at + channel] - other[at + channel]), 0);
    if (far > 90) count++;
  }
  return count;
}"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    found = tmp_path_factory.mktemp("browser_compare")
    recorded(LOST, found / "one.rec")
    recorded(LOST.replace("at: 1.5", "at: 2.5"), found / "late.rec")
    recorded(SHARED, found / "house.rec")
    return found


@pytest.fixture(scope="module")
def served(folder):
    with serving(folder, "one.rec") as found:
        yield found


def beside(one, name: str) -> None:
    """Compare with a recording; names find free places of their own in either half, so they are switched off."""
    one.key("l")
    if one.ask("lastseenTest.mode") != "compare":
        one.key("6")
    one.page.get_by_label("Recording to compare with").select_option(name)
    one.page.get_by_role("button", name="Stop comparing").wait_for()


def go(one, tick: int) -> None:
    """Show a step through the page's own link to it, and wait until it is drawn."""
    one.key("Home")
    one.until("lastseenTest.tick === 0")
    one.page.locator(".lanes").focus()
    for _ in range(tick // 30):
        before = one.ask("lastseenTest.status.tick")
        one.key("Shift+ArrowRight")
        one.until(f"lastseenTest.tick === {before + 30}")


def halves(one) -> int:
    one.page.evaluate(DRAWN)
    return int(one.page.evaluate(HALVES))


def rows(one) -> dict[str, list[str]]:
    found = one.ask(
        "[...document.querySelectorAll('.compared tr')].map((row) => [...row.cells].map((cell) => cell.textContent))"
    )
    return {cells[0]: cells[1:] for cells in found[1:]}


def test_the_maps_are_one_until_the_runs_part(served, window):
    one = window(served)
    beside(one, "late.rec")
    go(one, 30)
    assert halves(one) < 40
    assert rows(one)["Ames"][0] == "same position"
    assert one.ask("document.querySelectorAll('.compared .differs').length") == 0
    go(one, 120)
    assert halves(one) > 1_000
    assert rows(one)["Ames"][0].endswith("m apart")
    assert rows(one)["you"][1] == "gone"


def test_the_first_difference_is_a_way_there(served, window):
    one = window(served)
    beside(one, "late.rec")
    words = one.page.locator(".compare .first")
    assert "you, mode gone / active" in words.inner_text()
    words.click()
    one.until(f"lastseenTest.tick === {PARTED}")
    line = one.page.locator(".lanes").screenshot()
    assert "Events only in A" in one.page.locator(".compare").inner_text()
    one.page.get_by_role("button", name="Stop comparing").click()
    one.page.get_by_text("Compare this run with a recording").wait_for()
    one.page.evaluate(DRAWN)
    assert one.page.locator(".lanes").screenshot() != line


def test_a_run_and_itself(served, window):
    one = window(served)
    beside(one, "one.rec")
    one.page.get_by_text("The runs are identical.").wait_for()
    go(one, 210)
    assert halves(one) < 40
    digest = rows(one)["digest"]
    assert digest[1] == digest[2] == one.ask("lastseenTest.status.digest")[:8]


@pytest.mark.long
def test_another_level_is_shown_but_not_compared(served, window):
    one = window(served)
    beside(one, "house.rec")
    one.page.get_by_text("cannot be compared step by step: they were recorded in different levels").wait_for()
    assert halves(one) > 10_000
    assert "apart" not in str(rows(one))


@pytest.mark.long
def test_the_two_can_be_swapped(folder, window):
    with serving(folder, "one.rec") as served:
        one = window(served)
        beside(one, "late.rec")
        longer = one.ask("lastseenTest.status.ticks")
        one.page.get_by_role("button", name="Swap").click()
        one.until(f"lastseenTest.mode === 'compare' && lastseenTest.status.ticks !== {longer}")
        one.page.get_by_role("button", name="Stop comparing").wait_for()
        assert "you, mode active / gone" in one.page.locator(".compare .first").inner_text()
        assert one.ask("document.querySelector('.compare select').value") == "one.rec"


@pytest.mark.long
def test_a_file_from_elsewhere(tmp_path, folder, window):
    with serving(tmp_path, "rooms") as served:
        one = window(served)
        one.key("6")
        with one.page.expect_file_chooser() as chooser:
            one.page.locator(".compare").get_by_role("button", name="Open a file").click()
        chooser.value.set_files(folder / "one.rec")
        one.page.get_by_text("different levels").wait_for()
        assert one.ask("document.querySelector('.compare select').value") == "uploaded/one.rec"


@pytest.mark.long
def test_only_guards_have_a_state_to_compare(served, window):
    one = window(served)
    beside(one, "late.rec")
    go(one, 0)
    one.until("document.querySelectorAll('#side table tr').length > 2")
    rows = one.ask(
        "[...document.querySelectorAll('#side table tr')].map((row) => [...row.cells].map((c) => c.textContent))"
    )
    with served.page() as page:
        agents = {agent["name"]: agent["watcher"] for agent in page.hello["agents"]}
    shown = {row[0]: row[2:] for row in rows if row[0] in agents}
    assert {name: any(states) for name, states in shown.items()} == agents
    assert set(agents.values()) == {True, False}


@pytest.mark.long
def test_waiting_takes_an_empty_list_for_an_answer(served, window):
    one = window(served)
    assert one.until("[]") == []
    with pytest.raises(AssertionError, match="never came true"):
        one.until("0", seconds=0.1)


def test_a_narrow_page_shows_one_map_above_the_other(served, window):
    one = window(served, has_touch=True)
    one.page.set_viewport_size({"width": 390, "height": 844})
    beside(one, "house.rec")  # with three settings that differ
    lines = one.ask("[...document.querySelectorAll('.differences li')].map((line) => line.getBoundingClientRect().x)")
    assert len(lines) > 1
    assert len(set(lines)) == 1
    one.page.get_by_label("Recording to compare with").select_option("late.rec")
    one.page.get_by_text("First difference").wait_for()
    stage = one.page.locator("#map").bounding_box()
    (left, top), (right, bottom) = one.pixels([(0.0, 0.0, 0.0), (34.0, 8.0, 0.0)])
    assert right - left > 0.7 * stage["width"]
    assert bottom < stage["height"] / 2
    name = "document.querySelector('#side').textContent"
    one.page.mouse.click(stage["x"] + (left + right) / 2, stage["y"] + stage["height"] / 2 + (top + bottom) / 2)
    one.until(f"{name}.includes('Cell')")
