"""Rules in a real browser: changed with completion, saved with comments, kept over a reload, found behind a bark."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from playwright.sync_api import Page

from lastseen.agents.rules.read import read_rules
from lastseen.agents.rules.ready import ready_rules_folder
from lastseen.views.cli.main import cli
from studio_browser import Window
from studio_server import serving

HOSTILE = "<img src=x onerror=document.title='bad'>"
OWN = f"""\
# Of the night watch.
variables:
  bark.trigger: {{enum: [NOTICE, SEE, LOSE, CHATTER, SEARCH, GIVE_UP, RETURN, HEAR]}}
  npc.colleagues_near: int
  npc.state: {{enum: [patrol, suspicious, engage, chase, search, return]}}
handlers:
  guard.barks:
    order: priority
    rules:
      # said in company
      - name: "in company {HOSTILE}"
        when: [bark.trigger == CHATTER, npc.colleagues_near >= 9]
        say: Fine night.
      - name: "alone {HOSTILE}"   # mostly
        when: [bark.trigger == CHATTER, npc.state == patrol]
        say: "All quiet {HOSTILE}"
        cooldown: 1.0
        about: "One line,\\nand another."
      - name: lost
        when: bark.trigger == LOSE
        say: [Gone., Where to]
"""
LOSE = "guard.barks.lose"


class Desk:
    """A hand that writes rules."""

    def __init__(self, window: Window, page: Page | None = None):
        self.window, self.page = window, page or window.page

    @property
    def rules(self) -> Any:
        return self.window.ask("lastseenTest.rules", self.page)

    @property
    def rule(self) -> Any:
        return self.window.ask("lastseenTest.rules.chosen.rule", self.page)

    def ask_active(self) -> Any:
        return self.window.ask("document.activeElement.dataset.field", self.page)

    def line(self, name: str, number: int) -> Any:
        rules = self.rules["files"]["barks.yaml"]["handlers"]["guard.barks"]["rules"]
        return next(rule["say"][number] for rule in rules if rule["name"] == name)

    def take_up(self) -> None:
        self.window.until("lastseenTest.agents.length > 0", page=self.page)
        self.key("5")
        self.say("Take it up")
        self.window.until("lastseenTest.rules.isReady", page=self.page)

    def names(self, file: str = "barks.yaml", handler: str = "guard.barks") -> list[str]:
        return [rule["name"] for rule in self.rules["files"][file]["handlers"][handler]["rules"]]

    def choose(self, name: str) -> None:
        self.page.locator(".rule-row", has=self.page.locator(".rule-title", has_text=name)).first.click()
        self.window.until(f"lastseenTest.rules.chosen?.rule.name.includes({json.dumps(name)})", page=self.page)

    def field(self, name: str) -> Any:
        return self.page.locator(f'.rules-view [data-field="{name}"]:is(input, select)')

    def type(self, name: str, text: str, *keys: str) -> None:
        self.window.until(f"document.querySelector('.rules-view input[data-field=\"{name}\"]')", page=self.page)
        self.field(name).fill(text)
        for key in keys or ("Tab",):
            self.field(name).press(key)

    def key(self, *names: str) -> None:
        for name in names:
            self.page.keyboard.press(name)

    def say(self, label: str) -> None:
        self.page.locator("dialog.ask button", has_text=label).click()

    def faults(self) -> Any:
        self.window.until("lastseenTest.rules.faults !== null")
        return self.rules["faults"]


def begin(window, served) -> Desk:
    one = window(served)
    one.key("5")
    one.until("lastseenTest.rules.isReady && lastseenTest.rules.faults !== null")
    return Desk(one)


@pytest.fixture
def ready(tmp_path):
    with serving(tmp_path, "rooms") as served:
        yield served


@pytest.fixture
def own(tmp_path):
    (tmp_path / "watch").mkdir()
    (tmp_path / "watch" / "barks.yaml").write_text(OWN)
    scenario = "level: warehouse\nrules: watch\nseconds: 600\nagents: [{name: Ames}, {name: Bell}]\n"
    (tmp_path / "night.yaml").write_text(scenario)
    with serving(tmp_path, "night.yaml") as served:
        yield served


def test_ready_rules_are_changed_as_a_copy_and_saved_with_their_comments(ready, window):
    desk = begin(window, ready)
    assert (desk.rules["name"], desk.rules["isCopy"], desk.rules["faults"]) == ("guards", True, [])
    desk.page.locator(f'.handler-name[data-handler="{LOSE}"]').click()
    desk.choose("lost at a door, in reach")
    before = desk.rule
    calm = ["not level.body_found", "not memory.missed_somebody"]
    assert before["when"] == ["bark.trigger == LOSE", "place.kind == door", "target.distance < 4", *calm]

    # A variable, an enum's names and an operator are completed; the other conditions stay.
    desk.field("when.new").fill("npc.al")
    options = desk.page.locator(".completion .option")
    assert [one.get_attribute("data-value") for one in options.all()][:2] == ["npc.alertness", "npc.alone"]
    assert "0 calm" in options.first.inner_text()
    desk.field("when.new").press("ArrowDown")
    desk.field("when.new").press("Enter")
    desk.window.until("lastseenTest.rules.chosen.rule.when[5] === 'npc.alertness > 0'")
    desk.window.until("document.activeElement.dataset.field === 'when.5.value'")
    desk.page.keyboard.type("0.25")
    desk.key("Tab")
    desk.type("when.1.value", "sta", "ArrowDown", "Enter")
    desk.window.until("lastseenTest.rules.chosen.rule.when[1] === 'place.kind == stairs'")
    desk.field("when.5.operator").select_option(">=")
    desk.type("say.new", "He took the {na", "ArrowDown", "Enter")
    desk.window.until("lastseenTest.rules.chosen.rule.say.length === 3")
    assert desk.rule["say"][-1] == "He took the {name}"
    assert desk.faults() == []
    changed = desk.rule
    assert changed["when"][5] == "npc.alertness >= 0.25"

    # Every change is taken back, one by one, and made again.
    desk.page.locator(".rule-list").focus()
    for _ in range(len(desk.rules["undo"])):
        desk.key("Control+z")
    assert desk.rule == before
    assert not desk.rules["isDirty"]
    for _ in range(desk.rules["redo"]):
        desk.key("Control+Shift+Z")
    assert desk.rule == changed
    desk.key("Alt+ArrowDown", "Alt+ArrowDown")
    assert desk.names("lose.yaml", LOSE)[2] == before["name"]

    desk.key("Control+s")
    assert desk.page.locator("dialog.ask input").input_value() == "guards copy"
    desk.say("Save")
    desk.window.until("!lastseenTest.rules.isDirty && !lastseenTest.rules.isCopy")
    folder, samples = Path(ready.folder) / "guards copy", ready_rules_folder("guards")
    read = read_rules(folder).handlers[LOSE].rules
    assert [rule.name for rule in read] == desk.names("lose.yaml", LOSE)
    assert [str(one) for one in read[2].conditions][1::4] == ["place.kind == stairs", "npc.alertness >= 0.25"]
    assert CliRunner().invoke(cli, ["rules", "check", str(folder)]).exit_code == 0
    for file in samples.glob("*.yaml"):
        mine, old = (folder / file.name).read_text(), file.read_text()
        assert (mine == old) == (file.name != "lose.yaml")
        assert [line for line in mine.splitlines() if line.lstrip().startswith("#")] == [
            line for line in old.splitlines() if line.lstrip().startswith("#")
        ]
    # Going back beyond what was saved, and saving that, gives the old text again.
    desk.page.locator(".rule-list").focus()
    while desk.rules["undo"]:
        desk.key("Control+z")
    desk.key("Control+s")
    desk.window.until("!lastseenTest.rules.isDirty")
    assert read_rules(folder).handlers[LOSE].rules[0].name == before["name"]
    assert (folder / "lose.yaml").read_text() == (samples / "lose.yaml").read_text()


def test_a_fault_is_shown_at_its_field_until_it_is_mended(own, window):
    desk = begin(window, own)
    desk.choose("lost")
    desk.type("when.0.variable", "bark.triger")
    (fault,) = desk.faults()
    assert (fault["rule"], fault["field"]) == ("lost", ["when"])
    told = desk.page.locator('.rule-form [data-section="when"] .field-fault')
    told.wait_for()
    assert "did you mean 'bark.trigger'" in told.inner_text()
    # What is half typed while the page draws anew is neither lost nor forgotten when the field is left.
    desk.field("about").fill("half ty")
    desk.window.module("studio.js", "it.tell('hello', it.studio.hello)")
    desk.page.locator(".rule-search").click()
    desk.window.until("lastseenTest.rules.chosen.rule.about === 'half ty'")
    assert desk.page.locator(".rule-row.error").count() == 1
    desk.choose("alone")
    desk.window.until("!document.querySelector('.rule-form .field-fault')")
    # A text of several lines is not made one line by looking at it.
    desk.page.locator(".rule-form textarea").click()
    desk.page.locator(".rule-search").click()
    assert desk.rule["about"] == "One line,\nand another."
    desk.page.locator(".faults .fault").click()
    desk.window.until("lastseenTest.rules.chosen.rule.name === 'lost'")
    desk.page.locator(".play-rules").click()
    desk.window.until("document.querySelector('.notice.wrong')?.textContent.includes('Mend the faults')")
    desk.type("when.0.variable", "bark.trigger")
    assert desk.faults() == []
    desk.type("when.0.value", "LOOSE")
    assert "never 'LOOSE'" in desk.faults()[0]["what"]
    desk.key("Control+z")
    assert desk.faults() == []
    assert desk.page.locator(".rule-row.error").count() == 0


def test_rules_are_searched_ordered_copied_and_deleted(own, window):
    desk = begin(window, own)
    names = desk.names()
    desk.page.locator(".rule-search").fill("WHERE lose")
    desk.window.until("document.querySelectorAll('.rule-row').length === 1")
    assert desk.page.locator(".rule-title").inner_text() == "lost"
    desk.page.locator(".rule-search").fill("")
    desk.window.until("document.querySelectorAll('.rule-row').length === 3")
    rows = desk.page.locator(".rule-row")
    rows.nth(2).drag_to(rows.nth(0), target_position={"x": 40, "y": 3})
    desk.window.until("lastseenTest.rules.undo.length === 1")
    assert desk.names() == [names[2], names[0], names[1]]
    desk.key("Control+z")
    assert desk.names() == names
    desk.choose("lost")
    desk.key("Control+c", "Control+v")
    desk.window.until("document.querySelectorAll('.rule-row').length === 4")
    assert desk.names() == [*names, "lost 2"]
    desk.key("ArrowUp", "Shift+ArrowUp", "Delete")
    assert desk.names() == [names[0], "lost 2"]
    desk.key("Control+z", "Insert")
    desk.window.until("document.activeElement.dataset.field === 'name'")
    desk.page.keyboard.type("found")
    desk.key("Tab")
    desk.window.until("lastseenTest.rules.chosen.rule.name === 'found'")
    assert "found" in desk.names()
    assert "does nothing" in [fault["kind"] for fault in desk.faults()]
    desk.type("say.new", "There!")
    desk.window.until("lastseenTest.rules.chosen.rule.say && document.activeElement.dataset.field === 'say.new'")
    desk.field("priority").fill("3")
    desk.key("Tab")
    desk.field("tier").select_option("2")
    desk.type("remember.new", "npc.colleagues_near")
    desk.window.until("lastseenTest.rules.chosen.rule.remember")
    desk.window.until("lastseenTest.rules.chosen.rule.tier === 2")
    assert desk.rule == {
        "name": "found",
        "say": "There!",
        "priority": 3,
        "tier": 2,
        "remember": {"npc.colleagues_near": True},
    }
    assert "is a number" in desk.faults()[0]["what"]
    desk.type("remember.npc.colleagues_near.value", "2")
    desk.type("remember.npc.colleagues_near.seconds", "30")
    desk.window.until("lastseenTest.rules.chosen.rule.remember['npc.colleagues_near'].seconds === 30")
    desk.key("Escape", "t")
    desk.window.until("document.querySelectorAll('.sorted tbody tr').length === 5")
    assert desk.page.locator(".sorted tbody tr").first.inner_text().split("\t")[1] == "found"
    desk.key("Control+s")
    desk.window.until("!lastseenTest.rules.isDirty")
    text = (own.folder / "watch" / "barks.yaml").read_text()
    assert "# said in company" in text
    assert "cooldown: 1.0" in text
    (found,) = [rule for rule in read_rules(own.folder / "watch").handlers["guard.barks"].rules if rule.name == "found"]
    assert (found.remember[0].value, found.remember[0].seconds) == (2, 30.0)


def test_a_text_gets_languages_and_a_rule_another_handler(own, window):
    more = own.folder / "watch" / "more.yaml"
    more.write_text("handlers:\n  guard.answers:\n    rules:\n      # first\n      - name: aye\n        say: Aye.\n")
    desk = begin(window, own)
    desk.choose("lost")
    desk.page.locator(".actions button", has_text="translate").first.click()
    desk.window.until("lastseenTest.rules.chosen.rule.say[0] === 'barks.lost.1'")
    desk.type("line barks.lost.1.more", "de")
    desk.type("line barks.lost.1.de", "Weg, {nobody}.")
    assert any("{nobody}" in fault["what"] for fault in desk.faults())
    desk.type("line barks.lost.1.de", "Weg.")
    assert desk.faults() == []
    desk.page.locator("[data-tab=lines]").click()
    assert desk.page.locator("[data-line] code").inner_text() == "barks.lost.1"
    desk.key("Control+s")
    desk.window.until("!lastseenTest.rules.isDirty")
    assert read_rules(own.folder / "watch").lines == {"barks.lost.1": {"en": "Gone.", "de": "Weg."}}

    # The comment above a rule goes with it to another file, and comes back.
    place = own.folder / "watch" / "barks.yaml"
    before = place.read_text(), more.read_text()
    desk.page.locator("[data-tab=rules]").click()
    desk.choose("in company")
    desk.field("handler").select_option("guard.answers")
    desk.window.until("lastseenTest.rules.chosen.handler === 'guard.answers'")
    desk.key("Control+s")
    desk.window.until("!lastseenTest.rules.isDirty")
    assert f'# said in company\n      - name: "in company {HOSTILE}"\n' in more.read_text()
    assert "# said in company" not in place.read_text()
    desk.page.locator(".rule-list").focus()
    desk.key("Control+z", "Control+s")
    desk.window.until("!lastseenTest.rules.isDirty && lastseenTest.rules.redo > 0")
    assert (place.read_text(), more.read_text()) == before


def test_unsaved_rules_survive_a_reload_and_the_changes_of_others(own, window):
    desk = begin(window, own)
    desk.choose("lost")
    desk.type("say.new", "Not saved yet.")
    desk.window.until("lastseenTest.rules.isDirty")
    changed = desk.rules["files"]
    desk.page.reload()
    desk.window.until("lastseenTest.agents.length > 0")
    desk.key("5")
    desk.say("Take it up")
    desk.window.until("lastseenTest.rules.isReady")
    assert desk.rules["isDirty"]
    assert desk.rules["files"] == changed
    place = own.folder / "watch" / "barks.yaml"
    place.write_text(OWN.replace("Fine night.", "Cold night."))
    desk.key("Control+s")
    desk.page.locator("dialog.ask").wait_for()
    assert "was changed since you opened it" in desk.page.locator("dialog.ask").inner_text()
    desk.say("Cancel")
    assert "Cold night." in place.read_text()
    assert desk.rules["isDirty"]
    desk.key("Control+s")
    desk.say("Replace")
    desk.window.until("!lastseenTest.rules.isDirty")
    assert place.read_text() == OWN.replace("[Gone., Where to]", "[Gone., Where to, Not saved yet.]")
    desk.page.reload()
    desk.window.until("lastseenTest.agents.length > 0")
    desk.key("5")
    desk.window.until("lastseenTest.rules.isReady && lastseenTest.rules.name === 'watch'")
    assert not desk.rules["isDirty"]


KEPT = (
    "Object.keys(localStorage).some((one) => one.startsWith('lastseen.draft.rules') && localStorage[one].includes({}))"
)


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
        third.say("Take it up")
        third.window.until("lastseenTest.rules.isReady")
        files = third.rules["files"]["barks.yaml"]["handlers"]["guard.barks"]["rules"]
        assert files[2]["say"] == ["Gone. HALFTYPED", "Where to", "A new one."]
        assert files[0]["say"] == "Fine night."
        third.page.locator(".rule-list").focus()
        third.key("Control+o")
        third.say("Keep as unsaved work")
        third.page.locator("dialog.ask .choice", has_text="watch").first.wait_for()
        assert third.page.locator("dialog.ask .choice", has_text="ago").count() == 2
        third.say("Cancel")


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
    assert CliRunner().invoke(cli, given).output.startswith(f"guard.barks: {f'alone {HOSTILE}'!r} fires\n")

    panel.locator('[data-act="open rule"]').click()
    one.until("lastseenTest.mode === 'rules' && lastseenTest.rules.chosen")
    desk = Desk(one)
    assert desk.rule["name"] == f"alone {HOSTILE}"
    # The same is listed in the panel; what somebody would say now is asked of the game.
    assert one.page.locator(".barks .sentence[aria-pressed=true]").count() == 1
    one.page.locator("[aria-label='What happened']").select_option("LOSE")
    one.page.locator(".ask-row button").click()
    one.page.locator(".answer .verdict", has_text="“lost” fires").wait_for()
    one.page.locator(".asking .more summary").click()
    one.page.locator(".asking .more .miss").first.wait_for()
    reasons = one.page.locator(".answer .miss").all_inner_texts()
    assert any("bark.trigger == CHATTER: bark.trigger is LOSE" in text for text in reasons)
    # Its facts are tried with the rules as they are in the editor.
    one.page.locator("button", has_text="Try these facts in editor").click()
    one.page.locator(".try-result .verdict", has_text="“lost” fires").wait_for()
    desk.type("fact bark.trigger", "CHATTER", "ArrowDown", "Enter")
    one.page.locator(".try-result .verdict", has_text="“alone").wait_for()
    assert one.ask("document.title") != "bad"


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
