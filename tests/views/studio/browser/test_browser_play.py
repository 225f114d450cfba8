"""The first minute of a new player in a real browser, and a run that is continued from its middle."""

from __future__ import annotations

import re

import pytest

from studio.server import serving

BEND = """name: Bend
legend: A = guard "Ames" heading=left speed=1.4 turn_speed=120 view_angle=70 view_distance=22

== ground z=0
######################
#....................#
#..P............A....#
#....................#
##.###################
##.###################
##.###################
##..................##
###################.##
#E..................##
######################
"""
BELOW = """name: Below
legend: A = guard "Ames" heading=up view_distance=22

== ground z=0
####################
#..................#
#..................#
#..................#
#..................#
#........P.........#
#..................#
#..................#
#..................#
#..................#
#..................#
#..................#
#..................#
#..................#
#........A.........#
####################
"""
YOU = "lastseenTest.agents.at(-1)"
# What the label on the first flood points at, picture by picture: how much redder than blue it is. Pictures in which
# somebody's sign lies over that do not count: how many there are depends on where the player stopped.
LABELLED = """async () => {
  const map = document.querySelector("#map");
  const ratio = map.width / map.clientWidth;
  const ink = new OffscreenCanvas(5, 5).getContext("2d", { willReadFrequently: true });
  const found = [];
  for (let [picture, covered] = [0, 0]; picture < 45 && covered < 600; picture++) {
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    const label = lastseenTest.bubbles.find(({ key }) => key.startsWith("tour heat"));
    if (!label) continue;
    if (lastseenTest.agents.some(({ pixel: [px, py] }) => Math.hypot(px - label.to[0], py - label.to[1]) < 22)) {
      [picture, covered] = [picture - 1, covered + 1];
      continue;
    }
    const [x, y] = label.to.map((value) => Math.round(value * ratio));
    ink.drawImage(map, 2 - x, 2 - y);
    const { data } = ink.getImageData(0, 0, 5, 5);
    const redder = Array.from({ length: 25 }, (_, at) => data[4 * at] - data[4 * at + 2]);
    found.push(redder.sort((one, other) => one - other)[12]);
  }
  return found;
}"""
# Is the guard ever under the card that speaks of it, in a second?
COVERED = """async () => {
  const box = document.querySelector("#tour");
  const map = document.querySelector("#map").getBoundingClientRect();
  let [pictures, covered] = [0, 0];
  const end = performance.now() + 1000;
  while (performance.now() < end && !box.hidden) {
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    const { left, right, top, bottom } = box.getBoundingClientRect();
    const [x, y] = lastseenTest.agents.find(({ name }) => name === "Ames").pixel;
    const [px, py] = [map.left + x, map.top + y];
    pictures++;
    if (px > left - 12 && px < right + 12 && py > top - 12 && py < bottom + 12) covered++;
  }
  return [pictures, covered];
}"""


@pytest.fixture
def bend(tmp_path):
    (tmp_path / "bend.txt").write_text(BEND)
    with serving(tmp_path, "bend.txt") as served:
        yield served


def happened(kind: str) -> str:
    return f"lastseenTest.events.some((one) => one.kind === '{kind}')"


def go(window, x: float, y: float) -> None:
    """Run to a place: the mouse is held on it."""
    box = window.page.locator("#map").bounding_box()
    px, py = window.ask(f"lastseenTest.project({x}, {y})")
    window.page.mouse.move(box["x"] + px, box["y"] + py)
    window.page.mouse.down()
    window.until(f"Math.hypot({YOU}.x - {x}, {YOU}.y - {y}) < 0.8 || lastseenTest.status.ended")
    window.page.mouse.up()


def test_a_newcomers_minute(bend, window):
    one = window(bend, tour=True, color_scheme="light")
    one.key("v")  # views are coloured too
    one.key("l")  # a name beside a sign would lie over the heat
    one.until("!document.querySelector('#tour').hidden")
    assert not one.ask("lastseenTest.status.running")
    one.page.keyboard.down("KeyD")
    one.until(f"{YOU}.x > 4 && lastseenTest.status.running")
    one.until(happened("sees"))
    one.page.keyboard.up("KeyD")
    one.page.keyboard.down("Shift")
    go(one, 2.5, 2.5)
    go(one, 2.5, 7.5)
    one.until(happened("lost"))
    one.until("lastseenTest.overlays.includes('flood')")
    one.until("document.querySelector('#tour').dataset.moment === 'loss'")
    labelled = one.page.evaluate(LABELLED)
    assert len(labelled) > 5
    assert min(labelled) > 15, labelled  # wherever it points, the heat has come already
    one.page.get_by_label("Speed").select_option("2")  # the lesson is over: no need to wait for its slow motion
    go(one, 19.5, 7.5)
    one.until("lastseenTest.overlays.includes('search') || lastseenTest.status.ended")
    assert one.ask("lastseenTest.overlays.includes('search')")
    go(one, 19.5, 9.4)
    go(one, 1.5, 9.5)
    one.page.keyboard.up("Shift")
    ended = one.until("lastseenTest.status.ended")
    assert ended["reason"] in ("escaped", "caught")
    one.until("!document.querySelector('#ending').hidden")
    # A loss of less than a second is no part of the story, and a loaded machine steers late.
    one.until("lastseenTest.story.some((one) => one.includes('saw you'))")
    words = one.page.locator("#ending").inner_text()
    assert re.search(r"seen (once|\d times)\b.*\blost (once|\d times)", words)
    assert one.page.locator("#ending .story").count() == 0, "the story is in its panel"
    one.key("2")
    one.until("lastseenTest.mode === 'watch' && document.querySelector('#ending').hidden")
    one.key("1")
    one.key("r")
    one.until(
        "lastseenTest.status.ticks === 1 && !lastseenTest.status.ended && document.querySelector('#ending').hidden"
    )


@pytest.mark.parametrize(
    ("guard", "exit", "title"),
    [
        (True, False, "Stay unseen as long as you can."),
        (False, True, "Explore the level."),
        (True, True, "Reach the exit"),
    ],
)
def test_the_tour_adapts_to_the_level(tmp_path, window, guard, exit, title):
    text = BEND if guard else BEND.replace("A....#", ".....#").replace(BEND.splitlines()[1], "")
    (tmp_path / "level.txt").write_text(text if exit else text.replace("#E", "#."))
    with serving(tmp_path, "level.txt") as served:
        one = window(served, tour=True)
        one.until("!document.querySelector('#tour').hidden")
        words = one.page.locator("#tour").inner_text()
    assert words.startswith(title)
    assert ("no guards here" in words) == (not guard)
    assert ("Q: throw" in words) == guard
    assert "E: use" not in words, "the level has neither doors nor lockers"


def test_a_success_clears_what_went_wrong(bend, window):
    one = window(bend)

    def shown_after(*acts: str) -> list[str]:
        """What is shown right after: notices go away by themselves, soon for a slow machine."""
        read = "[...document.querySelectorAll('#notices .notice')].map((it) => it.textContent)"
        return one.module("studio.js", f"({', '.join(acts)}, {read})")

    fail = "it.say('{}', 'wrong')".format
    assert shown_after(fail("It failed."), fail("Still not.")) == ["It failed.", "Still not."]
    again = [fail(f"Failed again, {number}.") for number in (1, 2, 3, 3)]
    assert shown_after(*again) == [f"Failed again, {number}." for number in (1, 2, 3)], "few, and none twice"
    assert shown_after("it.say('Saved.')") == ["Saved."]
    assert shown_after("it.say('Saved again.')") == ["Saved again."]
    other_mode = "it.change('mode', 'watch')"
    assert shown_after(other_mode) == [], "it was said of another mode"
    assert shown_after(fail("It failed."), other_mode) == ["It failed."]


def test_the_story_says_how_to_start_the_clock_until_it_runs(bend, window):
    one = window(bend)
    story = "document.querySelector('#side .story')?.textContent"
    one.until(f"{story} === 'Nothing has happened yet. Move with W A S D: that starts the clock.'")
    one.key(".")
    one.until(f"{story} === 'Nothing has happened yet.'")


@pytest.fixture
def below(tmp_path):
    (tmp_path / "below.txt").write_text(BELOW)
    with serving(tmp_path, "below.txt", "normal") as served:
        yield served


def test_the_card_never_lies_over_the_guard_it_speaks_of(below, window):
    one = window(below, tour=True)
    one.until("!document.querySelector('#tour').hidden")
    one.page.keyboard.press("KeyD")
    one.until("document.querySelector('#tour').dataset.moment === 'arc' && !document.querySelector('#tour').hidden")
    pictures, covered = one.page.evaluate(COVERED)
    assert pictures > 3
    assert covered == 0


def test_scrub_and_resume_give_the_same_digest(bend, window):
    one = window(bend)
    one.page.keyboard.down("KeyD")
    one.until("lastseenTest.newestTick > 20")
    one.page.keyboard.up("KeyD")
    after = one.ask("lastseenTest.newestTick")
    one.until(f"lastseenTest.newestTick > {after + 30}")
    one.pause()
    whole = one.ask("lastseenTest.status")
    for _ in range(6):
        tick = one.ask("lastseenTest.status.tick")
        one.key(",")
        one.until(f"lastseenTest.status.tick === {tick - 1} && Math.round(lastseenTest.tick) === {tick - 1}")
    one.key("Enter")
    one.until(f"lastseenTest.status.ticks === {whole['ticks'] - 6}")
    assert one.ask("lastseenTest.status.digest") != whole["digest"]
    for more in range(6):
        one.key(".")
        one.until(f"lastseenTest.status.ticks === {whole['ticks'] - 5 + more}")
    assert one.ask("lastseenTest.status.digest") == whole["digest"]


def test_choose_an_opponent_to_watch_and_play_again(tmp_path, window):
    with serving(tmp_path, "warehouse") as served:
        one = window(served)
        who = one.page.get_by_label("Intruder", exact=True)
        assert who.locator("option").all_inner_texts() == [
            "you play",
            "watch ghost",
            "watch outrunner",
            "watch deceiver",
        ]
        who.select_option("outrunner")
        one.until("lastseenTest.status.mode === 'watch'")
        game = served.studio.director.game
        assert game.stage.opponent == "outrunner"
        assert game.mode == "watch"
        assert game.stage.player is None
        # The choice stays when the difficulty changes.
        one.page.get_by_label("Difficulty").select_option("hard")
        one.until("document.querySelector('[aria-label=Difficulty]').value === 'hard'")
        assert who.input_value() == "outrunner"
        who.select_option("you")
        one.until("lastseenTest.status.mode === 'play'")
        assert served.studio.director.game.mode == "play"
