"""Names and texts that look like HTML, wherever one can come from: shown as they are, never run."""

from __future__ import annotations

import json

import numpy as np
import pytest

from lastseen.level.samples import sample
from lastseen.level.write import to_geojson
from lastseen.simulation.world.puppet import PlayerInput
from lastseen.views.studio.session.folder import Folder
from lastseen.views.studio.session.game import Game
from lastseen.views.studio.session.stage_opening import opened, request_for
from lastseen.vocabulary.events import Said
from studio.browser import DRAWN
from studio.server import serving

HOSTILE = '"><img src=x onerror="window.ran=1"><svg/onload=window.ran=1>{}\u202e'
FILE = "<img src=x onerror=ran=1>"


def hostile(*words: object) -> str:
    return HOSTILE.format(" ".join(map(str, words)))


def seen(words: str) -> str:
    """Return words as they are shown: none of them can turn writing round."""
    return words.replace("\u202e", "")


def hostile_level() -> bytes:
    """The warehouse, with every name in it one that would run if it were read as HTML."""
    level = json.loads(to_geojson(sample("warehouse")))
    level["lastseen"]["name"] = hostile("level")
    for number, feature in enumerate(level["features"]):
        told = feature["properties"]
        if told["kind"] == "patrol":
            told["name"] = hostile("patrol", told["name"])
            continue
        if "name" in told and told["kind"] != "tiles":
            told["name"] = hostile(told["kind"], number)
        if told.get("patrol"):
            told["patrol"] = hostile("patrol", told["patrol"])
    return json.dumps(level).encode()


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    folder = tmp_path_factory.mktemp("names")
    (folder / f"{FILE}.geojson").write_bytes(hostile_level())
    scenario = {"level": f"{FILE}.geojson", "seconds": 5.0, "name": hostile("scenario")}
    (folder / f"{FILE}.json").write_text(json.dumps(scenario))
    game = Game(opened(Folder(folder), request_for(f"{FILE}.geojson", "hard")))
    for _ in range(20):
        game.advance(PlayerInput((0.0, 1.0), "run"))
    (folder / f"{FILE}.rec").write_bytes(game.file())
    with serving(folder, f"{FILE}.geojson", "hard") as found:
        yield found


@pytest.fixture
def one(served, tab):
    found = tab(served)
    found.key("1")
    yield found
    assert harmless(found)


def harmless(one) -> bool:
    """Return whether nothing was executed and the page has no elements but its own."""
    count = one.ask("document.querySelectorAll('img, svg[onload], [onerror], iframe, object').length")
    one.page.evaluate(DRAWN)
    assert not one.ask("document.documentElement.outerHTML.includes('\\u202e') || document.title.includes('\\u202e')")
    return one.ask("window.ran === undefined") and count == 0


def text(one, selector: str) -> str:
    return one.ask(f"document.querySelector('{selector}').textContent")


def test_titles_and_menus(one):
    assert one.ask("document.title") == f"{seen(hostile('level'))} · lastseen"
    menus = text(one, 'select[aria-label="Level or scenario"]')
    for ending in (".geojson", ".json", ".rec"):
        assert FILE + ending in menus


def test_people_reasons_and_story(served, one):
    with served.page() as page:
        page.say("restart")
        page.until("hello")
        page.say("input", move=[0, 1], gait="run")
        page.say("step", ticks=118)
        page.say("input")
        page.say("place", agent=page.hello["player"], at=[41.5, 2.5, 0])
        page.say("step", ticks=150)
        page.settle()
        names = [seen(agent["name"]) for agent in page.hello["agents"]]
    assert all("<img" in name for name in names)
    one.until("lastseenTest.status.ticks > 250 && lastseenTest.story.length > 3")
    assert names[0] in text(one, "#side .people")
    assert "<img" in text(one, "#side .body")
    one.page.locator(".person").first.click()
    one.until("document.querySelector('.why .tree')")
    assert names[0] in text(one, ".why")
    assert "you" in text(one, ".why table")  # the target it knows, as it is called on the map
    assert "<img" in one.page.get_by_role("button", name="Copy command line").get_attribute("title")
    assert harmless(one)


def test_names_cannot_turn_writing_round_on_the_map(one):
    drawn = one.page.evaluate("""async () => {
      const { Labels } = (await import("/page.js")).modules["map/labels.js"];
      const [words, drawn] = [new Labels(), []];
      const ink = new OffscreenCanvas(600, 600).getContext("2d");
      ink.fillText = (text) => drawn.push(text);
      words.begin(600, 600);
      words.label(ink, "a\\u202eb", 200, 200);
      words.bubble(ink, "c\\u2066d", 400, 400);
      return drawn;
    }""")
    assert drawn == ["ab", "cd"]


def test_what_is_said_and_what_happened_on_the_time_line(served, one):
    director = served.studio.director
    event = Said(director.game.shown, 0, line=hostile("line"), at=(10.0, 10.0, 0.0))
    director.send_events(director.told([event]), director.game.shown)
    one.until("lastseenTest.events.some((event) => event.kind === 'said')")
    box = one.page.locator("canvas.lanes").bounding_box()
    shown = one.ask("lastseenTest.status")
    share = shown["tick"] / (900 * np.ceil((shown["ticks"] + 1) / 900))
    one.page.mouse.move(box["x"] + 74 + share * (box["width"] - 82), box["y"] + 8)
    one.until("document.querySelector('.tip').textContent.includes('<img')")
    assert harmless(one)


@pytest.mark.long
def test_cells_teams_and_what_if(one):
    one.page.locator('[data-overlay="layer cleaned"]').click()
    one.until("document.querySelector('.team')")
    assert "<img" in text(one, ".team")
    one.key("3")
    one.until("document.querySelector('.result button')")
    assert f"'{FILE}.geojson'" in one.ask("document.querySelector('.result button').title")
    one.page.locator('[data-overlay="layer cleaned"]').click()


def test_errors_and_notices(served, one):
    with served.page() as page:
        error = page.ask("open", "error", level=hostile("missing"))
    assert "<img" in error["message"]
    served.studio.director.complain(None, "refused", error["message"])
    one.until("document.querySelector('#notices')?.textContent.includes('<img')")
    served.studio.director.say({"type": "note", "text": hostile("note")})
    served.studio.director.say({"type": "busy", "text": hostile("busy"), "tick": 0})
    one.until("document.querySelector('#busy').textContent.includes('<img')")
    assert harmless(one)


@pytest.mark.long
@pytest.mark.parametrize("kind", ["scenario", "recording"])
def test_scenarios_and_recordings(served, one, kind):
    ending = {"scenario": ".json", "recording": ".rec"}[kind]
    with served.page() as page:
        page.say("open", **{kind: FILE + ending})
        title = page.until("hello")["title"]
    assert "<img" in title
    one.until("document.title.includes('<img') && lastseenTest.status.ticks > 0")
    assert one.ask("document.title") == f"{seen(title)} · lastseen"
    with served.page() as page:
        page.say("open", level=f"{FILE}.geojson", difficulty="hard")
        page.until("hello")


@pytest.mark.long
def test_how_it_ended(served, one):
    """The player walks into a guard: the story of it names everybody."""
    with served.page() as page:
        page.say("restart")
        page.until("hello")
        page.say("place", agent=page.hello["player"], at=[11.5, 15.5, 0.0])
        page.say("step", ticks=90)
        assert page.settle()["ended"]["reason"] == "caught"
    one.until("!document.querySelector('#ending').hidden")
    assert "<img" in text(one, "#ending")
    assert harmless(one)
