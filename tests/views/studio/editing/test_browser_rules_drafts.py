"""Unsaved rules in a real browser: kept over reloads, in two tabs, on another port, and next to changes by others."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Route

from lastseen.agents.rules.files.read import read_rules
from studio.rules import OWN, Desk, begin, serving_watch
from studio.server import serving

KEPT = (
    "Object.keys(localStorage).some((one) => one.startsWith('lastseen.draft.rules') && localStorage[one].includes({}))"
)
# What the server keeps, as soon as it keeps anything.
DRAFTS = """async () => {
  const token = new URLSearchParams(location.search).get("token");
  const address = `/api/drafts?${new URLSearchParams({ kind: "rules", token })}`;
  for (let left = 50; left; left--) {
    const { drafts } = await (await fetch(address)).json();
    if (drafts.length) return drafts.map(({ name }) => name);
    await new Promise((done) => setTimeout(done, 100));
  }
  return [];
}"""


@pytest.fixture
def own(tmp_path):
    with serving_watch(tmp_path) as served:
        yield served


def test_unsaved_rules_survive_a_reload_and_the_changes_of_others(own, window):
    desk = begin(window, own)
    desk.choose("lost")
    desk.type("say.new", "Not saved yet.")
    desk.window.until("lastseenTest.rules.isDirty")
    changed = desk.rules["files"]
    desk.page.reload()
    desk.window.until("lastseenTest.agents.length > 0")
    desk.key("5")
    desk.say("Restore")
    desk.window.until("lastseenTest.rules.isReady")
    assert desk.rules["isDirty"]
    assert desk.rules["files"] == changed
    place = own.folder / "watch" / "barks.yaml"
    place.write_text(OWN.replace("Fine night.", "Cold night."))
    desk.key("Control+s")
    desk.page.locator("dialog.ask").wait_for()
    assert "has changed since you opened it" in desk.page.locator("dialog.ask").inner_text()
    desk.say("Cancel")
    assert "Cold night." in place.read_text()
    assert desk.rules["isDirty"]
    desk.key("Control+s")
    desk.say("Replace")
    desk.window.until("!lastseenTest.rules.isDirty")
    # Every line of the file got an id; all other bytes are those the other program wrote before.
    said = read_rules(place).handlers["guard.barks"].rules[-1].actions
    assert [read_rules(place).lines[one]["en"] for one in said] == ["Gone.", "Where to", "Not saved yet."]
    others = [line for line in OWN.splitlines() if "say:" not in line]
    assert [line for line in place.read_text().splitlines() if "say:" not in line][: len(others)] == others
    desk.page.reload()
    desk.window.until("lastseenTest.agents.length > 0")
    desk.key("5")
    desk.window.until("lastseenTest.rules.isReady && lastseenTest.rules.name === 'watch'")
    assert not desk.rules["isDirty"]

    # What is written while a save is under way is kept with the server, too, as the draft of what was saved goes.
    desk.choose("lost")
    desk.type("say.new", "Before it.")
    kept(desk, "Before it.")
    held: list[Route] = []
    desk.page.route("**/api/rules/save*", lambda route: held.append(route))
    with desk.page.expect_request("**/api/rules/save*"):
        desk.key("Control+s")
    desk.type("say.0.text", "Meanwhile.")
    kept(desk, "Meanwhile.")
    with desk.page.expect_response("**/api/draft/drop*"):
        held[0].continue_()
    desk.window.until("lastseenTest.rules.isDirty")
    assert "Before it." in place.read_text()
    assert desk.page.evaluate(DRAFTS) == ["watch"]


def kept(desk: Desk, words: str) -> None:
    desk.window.until(KEPT.format(json.dumps(words)), page=desk.page)


def test_typed_text_two_tabs_and_another_port_lose_nothing(own, window):
    desk = begin(window, own)
    asked: list[str] = []
    desk.page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
    # Text in a field that was never left is kept, asked about, and there again.
    desk.choose("lost")
    desk.field("say.0.text").click()
    desk.key("End")
    desk.page.keyboard.type(" HALF")
    kept(desk, "Gone. HALF")
    assert not desk.rules["isDirty"]
    assert desk.rules["undo"] == []
    assert desk.ask_active() == "say.0.text"
    desk.page.keyboard.type("TYPED")
    desk.page.reload()
    assert asked == ["beforeunload"]
    desk.take_up()
    assert desk.line("lost", 0) == "Gone. HALFTYPED"
    desk.choose("lost")
    desk.field("say.new").click()
    desk.page.keyboard.type("A new one.")
    kept(desk, "A new one.")

    # What is open in one tab is neither offered to another nor thrown away by it.
    other = Desk(desk.window, desk.window.open())
    other.window.until("lastseenTest.agents.length > 0", page=other.page)
    other.key("5")
    other.window.until("lastseenTest.rules.isReady", page=other.page)
    assert (other.line("lost", 0), other.page.locator("dialog.ask").count()) == ("Gone.", 0)
    other.choose("in company")
    other.type("say.0.text", "TAB TWO")
    kept(other, "TAB TWO")
    for one in (desk, other):
        one.page.close(run_before_unload=False)

    # Both are offered, also by a studio on another port to another browser.
    with serving(own.folder, "night.yaml") as again:
        assert again.port != own.port
        third = Desk(window(again))
        third.key("5")
        third.page.locator("dialog.ask", has_text="(1 of 2)").wait_for()
        third.say("Not now")
        third.page.locator("dialog.ask", has_text="(2 of 2)").wait_for()
        third.say("Restore")
        third.window.until("lastseenTest.rules.isReady")
        files = third.rules["files"]["barks.yaml"]["handlers"]["guard.barks"]["rules"]
        assert files[2]["say"] == ["Gone. HALFTYPED", "Where to", "A new one."]
        assert files[0]["say"] == "Fine night."
        third.page.locator(".rule-list").focus()
        third.key("Control+o")
        third.say("Keep as draft")
        third.page.locator("dialog.ask .choice", has_text="watch").first.wait_for()
        assert third.page.locator("dialog.ask .choice", has_text="ago").count() == 2
        third.say("Cancel")
