"""Rules and the game in a real browser: a bark leads to its rule, and changed rules are played."""

from __future__ import annotations

import shlex

import pytest
from click.testing import CliRunner

from lastseen.views.cli.app.main import cli
from studio.rules import HOSTILE, OWN, Desk, begin, serving_watch

# Two handlers that are asked as one, guard.barks.
TWO = OWN.replace("guard.barks:", "guard.barks.night:")
TWO += "  guard.barks.more: {rules: [{name: there, when: bark.trigger == SEE, say: There!}]}\n"


@pytest.fixture
def own(tmp_path):
    with serving_watch(tmp_path, TWO) as served:
        yield served


def test_a_bark_leads_to_its_rule_its_facts_and_its_near_misses(own, window):
    one = window(own)
    one.page.evaluate("() => document.querySelector('#map').focus()")
    for _ in range(3):
        one.key("]")
    one.key("Space")
    one.until("lastseenTest.bubbles.some(({ key }) => /^said/.test(key))")
    one.pause()
    bubble = one.until("lastseenTest.bubbles.find(({ key }) => /^said/.test(key))")
    box = one.page.locator("#map").bounding_box()
    one.page.mouse.click(box["x"] + bubble["x"] + 20, box["y"] + bubble["y"] + 12)
    one.until("lastseenTest.selected?.kind === 'bark'")
    panel = one.page.locator("#side .body .bark-why")
    assert panel.locator(".bark-text").inner_text() == f"All quiet {HOSTILE}"
    assert panel.locator(".bark-rule strong").inner_text() == f"alone {HOSTILE}"
    assert "barks.yaml:" in panel.locator(".bark-rule small").inner_text()
    facts = dict(row.inner_text().split("\t") for row in panel.locator(".bark-facts tr").all())
    assert (facts["bark.trigger"], facts["npc.state"]) == ("CHATTER", "patrol")
    miss = panel.locator(".miss").first.inner_text()
    assert f"in company {HOSTILE}" in miss
    assert "npc.colleagues_near >= 9: npc.colleagues_near is" in miss

    # The command it offers asks the same question: the same rules, all handlers that were asked, the same facts.
    one.until("document.querySelector('#side .bark-why [title*=\"rules why \\'watch\\'\"]')")
    command = panel.locator("button", has_text="Copy command line").get_attribute("title")
    words = shlex.split(command)
    assert words[:6] == ["lastseen", "rules", "why", "watch", "--handler", "guard.barks"]
    given = [str(own.folder / word) if word == "watch" else word for word in words[1:]]
    assert CliRunner().invoke(cli, given).output.startswith(f"guard.barks (2 handlers): {f'alone {HOSTILE}'!r} fires\n")

    panel.locator('[data-act="open rule"]').click()
    one.until("lastseenTest.mode === 'rules' && lastseenTest.rules.chosen")
    desk = Desk(one)
    assert desk.rule["name"] == f"alone {HOSTILE}"
    # The panel lists the same; the game answers what an agent would say now.
    assert one.page.locator(".barks .sentence[aria-pressed=true]").count() == 1
    one.page.locator("[aria-label='Trigger']").select_option("LOSE")
    one.page.locator(".ask-row button").click()
    one.page.locator(".answer .verdict", has_text="“lost” fires").wait_for()
    one.page.locator(".asking .more summary").click()
    one.page.locator(".asking .more .miss").first.wait_for()
    reasons = one.page.locator(".answer .miss").all_inner_texts()
    assert any("bark.trigger == CHATTER: bark.trigger is LOSE" in text for text in reasons)
    # Its facts are tried with the rules as they are in the editor.
    one.page.locator("button", has_text="Try these facts in the editor").click()
    one.page.locator(".try-result .verdict", has_text="“lost” fires").wait_for()
    desk.type("fact bark.trigger", "CHATTER", "ArrowDown", "Enter")
    one.page.locator(".try-result .verdict", has_text="“alone").wait_for()
    # Those of the bark, too: of all handlers that were asked, with a word on what the game never looked at.
    one.page.locator(".rules-panel .bark-why button", has_text="Try in editor").click()
    one.page.locator(".try-result .verdict", has_text="the facts the game read").wait_for()
    assert one.page.locator(".trying .group-menu").input_value() == "guard.barks"
    assert one.ask("document.title") != "bad"


@pytest.mark.long
def test_a_game_is_played_with_rules_that_were_just_changed(own, window):
    desk = begin(window, own)
    desk.choose("alone")
    desk.type("say.0.text", "Nothing stirs.")
    desk.key("Control+Enter")
    desk.window.until("lastseenTest.mode !== 'rules' && lastseenTest.agents.length > 0")
    assert "Nothing stirs." in (own.folder / "watch" / "barks.yaml").read_text()
    for _ in range(3):
        desk.key("]")
    desk.key("Space")
    desk.window.until("lastseenTest.events.some(({ kind }) => kind === 'said')")
    desk.window.pause()
    desk.key("5")
    desk.page.locator(".barks .sentence", has_text="Nothing stirs.").first.click()
    desk.page.locator(".rules-panel .bark-text", has_text="Nothing stirs.").wait_for()
