"""Crews and fights in a real browser: drawn in place, explained in the panel, fought by key, and kept in a replay."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from playwright.sync_api import Browser

from lastseen.views.studio.answers.replay_page import replay_page
from lastseen.views.studio.session.folder import Folder
from lastseen.views.studio.session.stage_opening import opened, request_for
from specimens.fights import write_fight
from studio.browser import Window
from studio.server import TOKEN, Page, Served, serving

ALL = "(shown) => { for (const chip of document.querySelectorAll('[data-overlay]')) if ((chip.getAttribute('aria-pressed') === 'true') !== shown.includes(chip.dataset.overlay)) document.querySelector(`[data-overlay='${chip.dataset.overlay}']`).click(); }"  # noqa: E501


class Fight:
    """A fight that stands still: one page without a screen moves it, the browser shows it."""

    def __init__(self, window: Window, page: Page, served: Served):
        self.window, self.page, self.game = window, page, served.studio.director.game
        self.unread = 0.0

    def only(self, *names: str) -> None:
        self.window.page.evaluate(ALL, list(names))

    def seek(self, tick: int) -> None:
        self.page.say("seek", tick=tick)
        self.page.settle()
        self.window.until(f"lastseenTest.status.tick === {tick} && Math.round(lastseenTest.tick) === {tick}")
        # Drawn is what the next picture shows, and the one after it for what moves there.
        self.window.page.evaluate(
            "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 150))))"
        )

    def first(self, test: str) -> int:
        """Return the first step of which something holds; `it` are its columns."""
        ticks = range(self.game.ticks)
        return next(tick for tick in ticks if eval(test, {"it": self.game.recording.frame(tick).columns}))

    def colour(self, expression: str) -> np.ndarray:
        text = self.window.module("colours.js", f"it.{expression}")
        return np.array([int(text[at : at + 2], 16) for at in (1, 3, 5)], float)

    def count(self, middle: list[float], reach: int, colour: np.ndarray) -> int:
        """Return the number of pixels of a colour around one."""
        side = np.arange(-reach, reach + 1)
        pixels = np.array(middle) + np.stack(np.meshgrid(side, side), axis=-1).reshape(-1, 2)
        found = np.array(self.window.colours(pixels), float)
        return int((np.abs(found - colour).max(axis=1) < 24).sum())


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    found = tmp_path_factory.mktemp("browser_crews")
    write_fight(found)
    return found


@pytest.fixture(scope="module")
def fight(folder, browser: Browser) -> Iterator[Fight]:
    """The whole fight: the player stands still and is beaten."""
    with serving(folder, "fight.yaml") as served, served.page() as page:
        for _ in range(4):
            page.say("step", ticks=100)
        assert page.settle()["ended"]["reason"] == "beaten"
        window = Window(browser, f"http://{served.host}/?token={TOKEN.replace(' ', '%20')}", color_scheme="light")
        window.until("lastseenTest.agents.length > 0")
        window.until("document.querySelectorAll('.story li').length > 9")
        fight = Fight(window, page, served)
        fight.unread = window.ask(UNREAD)
        yield fight
        window.context.close()
        assert window.complaints == []
        assert window.strangers == []


UNREAD = (
    "((box) => box.scrollHeight - box.scrollTop - box.clientHeight)(document.querySelector('.story').parentElement)"
)


def test_the_newest_sentence_of_a_long_story_is_in_sight(fight: Fight) -> None:
    assert fight.window.ask("document.querySelector('.story').scrollHeight") > 300
    assert fight.unread < 60.0  # a line of crews may come above it


NAMED = """(() => {
  const words = new it.Labels();
  const ink = new OffscreenCanvas(9, 9).getContext("2d");
  words.begin(400, 300);
  return Array.from({ length: 10 }, (_, at) => {
    words.begin(400, 300);
    words.choices.set("name 0", at - 1);
    return words.label(ink, "Ames · melee", 200, 150, { key: "name 0" });
  });
})()"""
"""Names of people may stand in more places than those with a role, or nowhere; that is remembered when a crew forms."""


def test_wherever_a_name_stood_it_finds_a_place_with_its_role(fight: Fight) -> None:
    assert fight.window.module("map/labels.js", NAMED) == [True] * 10


def test_beaten_is_said_with_a_way_to_begin_again(fight):
    fight.window.until("!document.querySelector('#ending').hidden")
    words = fight.window.page.locator("#ending").inner_text()
    assert words.startswith("Beaten.")
    assert "seen" in words
    assert "Play again" in words
    fight.window.page.locator("#ending .plain").click()


def test_a_badge_is_joined_to_its_members_and_they_to_their_places(fight):
    tick = fight.first("(it['crew'] >= 0).sum() == 3 and it['slot'][0] >= 0") + 1
    fight.seek(tick)
    fight.only("crews")
    fight.window.until("lastseenTest.badges.length === 1 && lastseenTest.overlays.includes('crews')")
    colour = fight.colour("guardColour(0)")
    (badge,) = (one["at"] for one in fight.window.ask("lastseenTest.badges"))
    people = [one["pixel"] for one in fight.window.ask("lastseenTest.agents")]
    place = fight.window.pixels([fight.game.recording.frame(tick).columns["stand"][0]])[0]
    between = (np.array(badge) + people[2]) / 2
    places = {"badge": (badge, 10, 150), "tie": (between, 3, 3), "place": (place, 7, 12)}
    on = {name: fight.count(*given[:2], colour) for name, given in places.items()}
    assert all(on[name] >= least for name, (*_, least) in places.items()), on
    led = fight.count([people[0][0] - 12, people[0][1] - 12], 9, colour)
    fight.window.key("y")
    fight.window.until("!lastseenTest.overlays.includes('crews')")
    assert {name: fight.count(*given[:2], colour) for name, given in places.items()} == dict.fromkeys(places, 0)
    assert led > fight.count([people[0][0] - 12, people[0][1] - 12], 9, colour) + 20, "a crown for who leads"
    fight.window.key("y")


def test_who_asks_alone_has_a_flag_and_words(fight):
    fight.seek(8)
    fight.only("crews")
    (x, y), quiet = fight.window.ask("lastseenTest.agents[2].pixel"), fight.colour("theme.ink.quiet")
    around = ([x, y + 20], 24)
    asking = fight.count(*around, quiet)
    fight.only()
    fight.window.until("!lastseenTest.overlays.includes('crews')")
    assert asking > fight.count(*around, quiet) + 20


def test_the_panel_of_a_member_says_why_it_has_its_role(fight):
    tick = fight.first("(it['crew'] >= 0).sum() == 3 and it['slot'][0] >= 0") + 6
    fight.seek(tick)
    page = fight.window.page
    page.locator(".person", has_text="Ames").click()
    page.locator("[data-duty=role]").wait_for()
    told = {
        name: page.locator(f"[data-duty='{name}'] td").nth(1).inner_text()
        for name in ("role", "why", "told", "requests", "with")
    }
    assert told["role"].startswith("press, since ")
    assert told["why"].startswith("press: slot ")
    assert "gait run" in told["told"]
    assert "fight you" in told["requests"]
    assert told["with"] == "Ames, Bell, Cole; Ames leads"
    assert page.locator(".fight").inner_text().startswith("health\t100 of 100")
    page.locator("[data-duty=crew] button").click()
    page.locator(".members").wait_for()
    assert page.locator("#side h1").inner_text() == "Crew"
    rows = page.locator(".members tr").all_inner_texts()
    assert [row.split("\t")[0] for row in rows] == ["Ames", "Bell", "Cole"]
    page.locator(".tree .node.running", has_text="press").wait_for()
    page.get_by_role("button", name="Graph").click()
    page.locator("#graph .bt.running", has_text="press").wait_for()
    page.get_by_role("button", name="Whole tree").click()
    assert page.locator("#graph .bt").count() == page.locator(".tree .node").count()
    page.keyboard.press("Escape")
    assert page.locator("#graph").count() == 0
    page.locator(".members button", has_text="Cole").click()
    assert page.locator("[data-duty=role]").inner_text().startswith("role\tshoot")


def test_a_badge_or_the_list_chooses_a_crew_that_may_be_gone_later(fight):
    fight.only("crews")
    fight.window.page.locator("#side .back").click()
    ((x, y),) = (one["at"] for one in fight.window.ask("lastseenTest.badges"))
    box = fight.window.page.locator("#map").bounding_box()
    fight.window.page.mouse.click(box["x"] + x, box["y"] + y)
    fight.window.until("lastseenTest.selected?.kind === 'crew'")
    fight.seek(2)
    fight.window.page.get_by_text("does not exist at this moment").wait_for()
    assert not fight.window.page.locator(".people.crews").is_visible()
    fight.seek(fight.game.ticks - 4)
    fight.window.page.locator(".people.crews .crew").click()
    fight.window.until("lastseenTest.selected === null")


def test_health_wind_up_and_lines_of_fire_are_drawn(fight):
    dark, green = fight.colour("theme.ink.ink"), fight.colour("theme.ink.exit")
    fight.only()
    fight.seek(2)
    (x, y) = fight.window.ask("lastseenTest.agents[3].pixel")
    bar = ([x, y - 24], 16)
    whole = fight.count(*bar, green)
    assert whole > 40
    last = fight.game.ticks - 1
    fight.seek(fight.first("it['health'][3] < 40"))
    (x, y) = fight.window.ask("lastseenTest.agents[3].pixel")
    assert 0 < fight.count([x, y - 24], 16, green) < whole
    aimed = fight.first("it['attack'][2] == 2 and it['due'][2] < 0.05")
    fight.seek(aimed)
    one, other = (np.array(fight.window.ask(f"lastseenTest.agents[{number}].pixel")) for number in (2, 3))
    line = one + np.outer([0.3, 0.4], other - one)
    assert all(fight.count(middle, 3, dark) >= 3 for middle in line)
    fight.seek(10)  # no agent has attacked yet
    one, other = (np.array(fight.window.ask(f"lastseenTest.agents[{number}].pixel")) for number in (2, 3))
    assert not any(fight.count(middle, 3, dark) for middle in one + np.outer([0.3, 0.4], other - one))
    struck = fight.first("(it['attack'][:2] == 1).any() and it['due'][:2].max() < 0.1")
    fight.seek(struck)
    who = int(np.flatnonzero(fight.game.recording.frame(struck).columns["attack"][:2] == 1)[0])
    assert fight.count(fight.window.ask(f"lastseenTest.agents[{who}].pixel"), 18, dark) > 90
    fight.seek(last)


@pytest.fixture
def played(folder):
    with serving(folder, "fight.yaml") as served:
        yield served


def test_a_player_strikes_by_key(played, window):
    one = window(played)
    one.page.get_by_label("Speed").select_option("4")
    one.page.locator("#map").focus()
    one.key("b")
    one.until("lastseenTest.status.running")
    one.until("lastseenTest.events.some(({ kind }) => kind === 'role')")
    for _ in range(400):
        if one.ask("lastseenTest.events.some(({ kind, agent }) => kind === 'attack' && agent === 3)"):
            break
        one.key("b")
        one.until(f"lastseenTest.newestTick > {one.ask('lastseenTest.newestTick')} || lastseenTest.status.ended")
    else:
        pytest.fail("the player never attacked")
    one.key("?")
    assert "strike" in one.page.locator("#help").inner_text()


def test_a_replay_shows_crews_and_fights_without_a_server(fight, folder, window):
    name = Folder(folder).save("fight.rec", fight.game.file())
    place = folder / "fight.html"
    place.write_bytes(replay_page(opened(Folder(folder), request_for(name)), 0, None))
    one = window(place.as_uri())
    assert one.ask("lastseenTest.badges.length") == 0
    one.key("End")
    one.until("lastseenTest.badges.length === 1 && lastseenTest.fights[3].health === 0")
    assert one.ask("lastseenTest.tick === lastseenTest.status.ticks - 1")
    one.page.locator(".people.crews .crew").click()
    one.page.locator(".tree .node.running", has_text="press").wait_for()
    one.page.get_by_role("button", name="Graph").click()
    one.page.locator("#graph .bt.running", has_text="press").wait_for()
    assert one.page.locator("#graph h2").inner_text() == "Crew tree of crew 0"
    one.page.locator(".members button", has_text="Bell").click()
    assert one.page.locator("#graph").count() == 0
    one.page.locator("[data-duty=why]", has_text="press: slot").wait_for()
