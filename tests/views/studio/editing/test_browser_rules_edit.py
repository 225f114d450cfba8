"""Rules changed in a real browser: with completion, faults at their fields, search, order; saved with comments."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from lastseen.agents.rules.files.read import read_rules
from lastseen.agents.rules.language.rule import LineSettings
from lastseen.agents.rules.shipped_rules import shipped_rules_folder
from lastseen.views.cli.app.main import cli
from studio.browser import DRAWN
from studio.rules import HOSTILE, begin, serving_watch
from studio.server import serving

LOSE = "guard.barks.lose"
# Each field is left as it is filled, without a picture of the page between them.
CHANGE = """(() => {
  for (const [name, value] of Object.entries(VALUES)) {
    const field = document.querySelector(`.rule-form [data-field="${name}"]:is(input, select)`);
    field.value = value;
    field.dispatchEvent(new Event("change", { bubbles: true }));
  }
})()"""
TYPE = """(() => {
  const field = document.querySelector('.rule-form [data-field="FIELD"]:is(input, select)');
  field.focus();
  field.value = "TEXT";
  field.dispatchEvent(new Event("input", { bubbles: true }));
  field.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowDown", bubbles: true }));
})()"""
PASTE = """(() => {
  const clipboardData = new DataTransfer();
  clipboardData.setData("text/plain", "- name: from elsewhere");
  document.dispatchEvent(new ClipboardEvent("paste", { clipboardData }));
})()"""


@pytest.fixture
def ready(tmp_path):
    with serving(tmp_path, "rooms") as served:
        yield served


@pytest.fixture
def own(tmp_path):
    with serving_watch(tmp_path) as served:
        yield served


def test_rules_are_edited_on_a_phone(ready, window):
    desk = begin(window, ready)
    desk.page.set_viewport_size({"width": 390, "height": 844})
    desk.page.locator(".rule-row").first.click()
    desk.page.locator(".rule-form .rule-name").wait_for()
    wide = "(one) => [one.clientWidth, one.scrollWidth]"
    for part in (".rule-side", ".rule-form", ".rules-both"):
        width, needed = desk.page.locator(part).evaluate(wide)
        assert width > 320, part
        assert needed <= width, part
    boxes = [desk.page.locator(part).bounding_box() for part in (".rule-side", ".rule-form")]
    assert boxes[1]["y"] >= boxes[0]["y"] + boxes[0]["height"] - 1.0
    for tab in ("Try", "Variables", "Lines", "Sorted"):
        desk.page.locator(".rules-tabs button", has_text=tab).click()
        view = desk.page.locator(".rules-body > :first-child")
        view.wait_for()
        assert view.evaluate("(one) => one.getBoundingClientRect().right <= innerWidth")


def test_shipped_rules_are_changed_as_a_copy_and_saved_with_their_comments(ready, window):
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
    folder, samples = Path(ready.folder) / "guards copy", shipped_rules_folder("guards")
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


def test_what_is_typed_survives_a_press_on_another_row(ready, window):
    desk = begin(window, ready)
    desk.page.locator(f'.handler-name[data-handler="{LOSE}"]').click()
    desk.choose("lost at a door, in reach")
    before = desk.rule

    # The press leaves the field, which takes what was typed, and the row goes before the form is drawn again.
    desk.field("when.1.value").fill("stairs")
    desk.page.locator('[data-field="when.2"] button').click()
    desk.window.until("lastseenTest.rules.chosen.rule.when.length === 4")
    assert desk.rule["when"] == ["bark.trigger == LOSE", "place.kind == stairs", *before["when"][3:]]

    desk.field("say.0.text").fill("Gone.")
    desk.page.locator('.rule-form [data-field="say.1"] button').last.click()
    desk.window.until("lastseenTest.rules.undo.length === 4")
    assert desk.rule["say"] == ["Gone."]

    conditions = {"when.0.operator": "!=", "when.0.value": "SEE", "when.1.value": "door"}
    lines = {"say.new": "Where?", "say.0.text": "Lost."}
    desk.window.ask(CHANGE.replace("VALUES", json.dumps(conditions | lines)))
    assert desk.rule["when"][:2] == ["bark.trigger != SEE", "place.kind == door"]
    assert desk.rule["say"] == ["Lost.", "Where?"]


def test_a_selection_survives_redrawing_and_equal_changes_are_no_steps(own, window):
    desk = begin(window, own)
    desk.choose("lost")
    desk.window.until("document.querySelector('.rule-form [data-field=\"say.0.text\"]')")
    desk.field("say.0.text").select_text()
    desk.window.ask(CHANGE.replace("VALUES", json.dumps({"about": "new note"})))
    desk.page.evaluate(DRAWN)
    desk.page.keyboard.type("Vanished.")
    desk.key("Tab")
    desk.window.until("lastseenTest.rules.undo.length === 2")
    assert desk.rule["say"] == ["Vanished.", "Where to"]

    desk.window.ask(CHANGE.replace("VALUES", json.dumps({"say.0.text": "Vanished. "})))
    desk.window.ask(CHANGE.replace("VALUES", json.dumps({"about": "another"})))
    desk.window.until("lastseenTest.rules.undo.length === 3")


def test_typing_goes_on_while_the_form_is_drawn_again(own, window):
    desk = begin(window, own)
    desk.choose("lost")

    def change_and_type(line, field, text):
        """Change a line and type into another field before the form is drawn again, then let it be drawn."""
        desk.window.until("document.querySelector('.rule-form [data-field=\"say.0.text\"]')")
        change = CHANGE.replace("VALUES", json.dumps({"say.0.text": line}))
        desk.window.ask(f"[{change}, {TYPE.replace('FIELD', field).replace('TEXT', text)}]")
        desk.page.evaluate(DRAWN)

    # The completions stay open.
    change_and_type("Gone.", "when.new", "bark.tr")
    assert desk.page.locator(".completion .option[aria-selected=true]").count() == 1
    desk.field("when.new").press("Enter")
    desk.window.until("lastseenTest.rules.chosen.rule.when.length === 2")
    # Enter takes what was typed before.
    change_and_type("Lost.", "about", "half ty")
    desk.field("about").press("Enter")
    desk.window.until("lastseenTest.rules.chosen.rule.about === 'half ty'")
    assert desk.rule["say"][0] == "Lost."
    # A field that is drawn again twice commits nothing by being replaced.
    change_and_type("Gone.", "say.new", "He took the {na")
    desk.window.ask(CHANGE.replace("VALUES", json.dumps({"about": "a note"})))
    desk.page.evaluate(DRAWN)
    assert desk.rule["say"] == ["Gone.", "Where to"]
    desk.field("say.new").press("Enter")
    desk.window.until("lastseenTest.rules.chosen.rule.say.length === 3")
    assert desk.rule["say"][2] == "He took the {name}"


def test_a_fault_is_shown_at_its_field_until_it_is_mended(own, window):
    desk = begin(window, own)
    desk.choose("lost")
    desk.type("when.0.variable", "bark.triger")
    (fault,) = desk.faults()
    assert (fault["rule"], fault["field"]) == ("lost", ["when"])
    told = desk.page.locator('.rule-form [data-section="when"] .field-fault')
    told.wait_for()
    assert "did you mean 'bark.trigger'" in told.inner_text()
    # Half-typed text survives a redraw of the page, and is committed when the field is left.
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
    desk.window.hears("Fix the errors")
    desk.type("when.0.variable", "bark.trigger")
    assert desk.faults() == []
    desk.type("when.0.value", "LOOSE")
    assert "never 'LOOSE'" in desk.faults()[0]["what"]
    desk.key("Control+z")
    assert desk.faults() == []
    desk.window.until("!document.querySelector('.rule-row.error')")
    # What is no rule is not pasted, in words.
    desk.page.locator(".rule-list").focus()
    desk.window.ask(PASTE)
    desk.window.hears("Only rules copied in this editor")

    # To a file that cannot be read nothing can be added, and that is said before a name is asked for.
    (own.folder / "broken.yaml").write_text("handlers: {guard.barks: {rules: [\n")
    desk.key("Control+o")
    desk.say("Keep as draft")
    desk.page.locator("dialog.ask .choice", has_text="broken.yaml").click()
    desk.window.until("lastseenTest.rules.name === 'broken.yaml' && lastseenTest.rules.faults !== null")
    assert [fault["file"] for fault in desk.faults()] == ["broken.yaml"]
    for times, label in enumerate(("Add handler", "Add rule"), 1):
        desk.page.locator(".list-bar button", has_text=label).click()
        desk.window.hears("Cannot add to broken.yaml", times=times)
        assert desk.page.locator("dialog.ask").count() == 0


def test_faults_of_a_line_are_shown_at_their_fields(own, window):
    barks = own.folder / "watch" / "barks.yaml"
    more = 'lines:\n  old.one: {en: "Old.", de: "Alt [a|b.", weight: 2}\n  unsaid: {en: Never.}\n'
    barks.write_text(barks.read_text().replace("[Gone., Where to]", "[Gone., old.one]") + more)
    desk = begin(window, own)
    desk.page.locator(".faults .fault", has_text="in unpaired or nested brackets").click()
    desk.window.until("lastseenTest.rules.chosen.rule.name === 'lost'")
    at = ".rule-form label:has([data-field='line old.one.{}']) .field-fault"
    desk.page.locator(at.format("de"), has_text="in unpaired").wait_for()
    assert desk.page.evaluate("document.activeElement.dataset.field") == "line old.one.de"
    assert desk.page.locator(".rule-row.error").count() == 1
    desk.type("line old.one.weight", "99")
    desk.page.locator(at.format("weight"), has_text="at most 20").wait_for()
    assert desk.page.locator(".rule-form .field-fault").count() == 2
    # The Lines view shows them at the same fields.
    desk.page.locator("[data-tab=lines]").click()
    desk.page.locator("label:has([data-field='lines old.one.weight']) .field-fault").wait_for()
    desk.page.locator("[data-tab=rules]").click()
    desk.type("line old.one.weight", "9")
    desk.type("line old.one.de", "Alt.")
    assert all("unsaid" in fault["what"] for fault in desk.faults())
    desk.window.until("!document.querySelector('.rule-row.error, .rule-form .field-fault')")
    # A line that no rule says is found among the lines.
    desk.page.locator(".faults .fault", has_text="'unsaid' is never said").click()
    desk.page.locator("[data-line=unsaid]").wait_for()
    assert desk.page.locator("[data-line]").count() == 1


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


@pytest.mark.long
def test_a_text_gets_languages_and_a_rule_another_handler(own, window):
    more = own.folder / "watch" / "more.yaml"
    more.write_text(
        "handlers:\n  guard.answers:\n    rules:\n      # first\n      - name: aye\n        say: aye.aye.1\n"
        "lines:\n  aye.aye.1: {en: Aye., de: Ja.}\n"
    )
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
    assert desk.page.locator("[data-line] code").all_inner_texts() == ["barks.lost.1", "aye.aye.1"]
    desk.key("Control+s")
    desk.window.until("!lastseenTest.rules.isDirty")
    assert read_rules(own.folder / "watch").lines["barks.lost.1"] == {"en": "Gone.", "de": "Weg."}

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


def test_a_slash_goes_to_the_search_and_enter_takes_a_single_completion(own, window):
    desk = begin(window, own)
    search = "document.activeElement.classList.contains('rule-search')"
    desk.page.locator(".rule-list").focus()
    desk.key("/")
    desk.window.until(search)
    assert desk.page.locator(".rule-search").input_value() == ""
    for tab in ("sorted", "variables", "lines", "map"):
        desk.page.locator(f"[data-tab={tab}]").click()
        desk.key("/")
        wanted = "document.activeElement.getAttribute('aria-label') === 'Search lines'" if tab == "lines" else search
        desk.window.until(wanted)
    desk.page.locator("[data-tab=rules]").click()
    desk.choose("lost")
    desk.page.locator(".rule-head button").click()
    desk.key("/")
    desk.window.until(f"lastseenTest.rules.tab === 'rules' && {search}")

    # One completion is taken without choosing it; of several, none is; what is typed in full stays.
    desk.choose("alone")
    desk.type("when.1.value", "sear", "Enter")
    desk.window.until("lastseenTest.rules.chosen.rule.when[1] === 'npc.state == search'")
    desk.type("when.1.value", "e", "Enter")
    desk.window.until("lastseenTest.rules.chosen.rule.when[1] === 'npc.state == e'")
    desk.type("when.1.value", "chase", "Enter")
    desk.window.until("lastseenTest.rules.chosen.rule.when[1] === 'npc.state == chase'")
    desk.type("say.new", "Quiet, {pl", "Enter")
    desk.window.until("lastseenTest.rules.chosen.rule.say.at(-1) === 'Quiet, {place}'")


def test_lines_get_settings_and_ids_when_they_are_saved(own, window):
    barks = own.folder / "watch" / "barks.yaml"
    barks.write_text(
        barks.read_text() + 'lines:\n  # by hand\n  old.one: {en: Old., tags: {"a b": x}, weight: 2}\n  old.two: Two.\n'
    )
    desk = begin(window, own)
    desk.choose("lost")
    for id, key in (("old.one", "Enter"), ("old.two", "Tab")):
        desk.type("say.new", id, key)
        desk.window.until(f"lastseenTest.rules.chosen.rule.say.at(-1) === '{id}'")
        desk.page.evaluate(DRAWN)
    # Tags in a form the field cannot show are left as they are.
    assert desk.field("line old.one.tags").is_disabled()
    assert desk.field("line old.one.weight").input_value() == "2"
    desk.type("line old.one.weight", "5")
    desk.window.until("lastseenTest.rules.files['barks.yaml'].lines['old.one'].weight === 5")
    desk.page.locator("[data-open='old.two']").click()
    desk.type("line old.two.tags", "voice: a, b, mood: calm")
    desk.window.until("lastseenTest.rules.files['barks.yaml'].lines['old.two'].tags?.mood === 'calm'")
    desk.type("line old.two.cooldown", "4.5")
    desk.window.until("lastseenTest.rules.files['barks.yaml'].lines['old.two'].cooldown === 4.5")
    desk.type("line old.two.about", "whispered")
    desk.window.until("lastseenTest.rules.files['barks.yaml'].lines['old.two'].about === 'whispered'")
    desk.type("line old.two.de", "Zwei.") if desk.field("line old.two.de").count() else desk.type(
        "line old.two.more", "de"
    )
    desk.key("Control+s")
    desk.window.until("!lastseenTest.rules.isDirty")
    assert desk.rule["say"] == ["barks.lost.1", "barks.lost.2", "old.one", "old.two"]
    read, text = read_rules(own.folder / "watch"), barks.read_text()
    assert read.lines["barks.lost.1"] == {"en": "Gone."}
    assert read.lines["old.two"] == {"en": "Two.", "de": "Two."}
    assert read.line_settings["old.two"] == LineSettings({"voice": "a, b", "mood": "calm"}, 1, 4.5, "whispered")
    assert read.line_settings["old.one"] == LineSettings({"a b": "x"}, 5)
    assert {action for rule in read.handlers["guard.barks"].rules for action in rule.actions} == read.lines.keys()
    assert "# by hand" in text
    assert "# said in company" in text
    # The same ids as on the command line, which finds nothing left to do.
    done = CliRunner().invoke(cli, ["rules", "ids", str(own.folder / "watch")])
    assert "every line has an id" in done.output
    desk.page.locator("[data-tab=lines]").click()
    desk.key("/")
    desk.page.keyboard.type("calm")
    desk.window.until("document.querySelectorAll('[data-line]').length === 1")
    # Undone, they are plain texts again, and get the same ids once more.
    desk.page.locator("[data-tab=rules]").click()
    desk.page.locator(".rule-list").focus()
    desk.key("Control+z")
    desk.window.until("lastseenTest.rules.isDirty && lastseenTest.rules.chosen.rule.say[0] === 'Gone.'")
    desk.key("Control+s")
    desk.window.until("!lastseenTest.rules.isDirty")
    assert read_rules(own.folder / "watch").lines == read.lines
