"""Rules changed in the page: opened with their texts, checked at their keys, saved with comments and nowhere else."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx
import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lastseen.agents.rules.files.read import read_rules, rule_files
from lastseen.agents.rules.shipped_rules import shipped_rules_folder
from lastseen.errors import InputError, LastSeenError, ScenarioError
from lastseen.views.cli.app.main import cli
from lastseen.views.studio.editing.level_files import Changed
from lastseen.views.studio.editing.rule_checks import check_answer, sorted_answer, why_answer
from lastseen.views.studio.editing.rule_files import open_rule_files, rule_menu, save_rules
from lastseen.views.studio.protocol.news import encoded
from lastseen.views.studio.protocol.replies import AskRules, RuleFileText, RuleValues, SaveRules
from lastseen.views.studio.session.folder import Folder
from studio.server import PATIENCE, TOKEN, serving

TEXT = """\
# Of the night watch.
variables:
  bark.trigger: {enum: [NOTICE, LOSE]}
  npc.health: float
  npc.name: str
handlers:
  guard.barks:
    rules:
      # rarely
      - name: hurt   # badly
        when: [bark.trigger == LOSE, npc.health < 0.50]
        say: [Ow., "Ouch, {me}."]
        cooldown: 2.0
      - name: lost
        when: bark.trigger == LOSE
        say: lost.one
lines:
  lost.one: {en: Gone., de: Weg.}
"""


@pytest.fixture
def own(tmp_path) -> Path:
    (tmp_path / "watch").mkdir()
    (tmp_path / "watch" / "barks.yaml").write_text(TEXT)
    (tmp_path / "night.yaml").write_text("level: rooms\nrules: watch\nfacts: {npc.health: 0.5}\n")
    return tmp_path


def opened(folder: Path, name: str = "watch") -> Any:
    return json.loads(encoded(open_rule_files(Folder(folder), name)))


def sent(file: dict[str, Any], **more: Any) -> RuleFileText:
    rules = {name: list(range(len(one["rules"]))) for name, one in file["value"].get("handlers", {}).items()}
    given = {"name": file["name"], "text": file["text"], "digest": file["digest"], "value": file["value"]}
    return RuleFileText(**{**given, "origins": rules, **more})


def asked(value: Any, *handlers: str, facts: Any = ()) -> AskRules:
    return AskRules([RuleValues("barks.yaml", value)], list(handlers), dict(facts))


# Opening


def test_shipped_rules_and_own_ones_are_listed_and_scenarios_are_not(own):
    (own / "alone.json").write_text('{"handlers": {}}')
    (own / "elsewhere").mkdir()
    (own / "elsewhere" / "tree.yaml").write_text("root: {}\n")
    (own / "link").symlink_to(own / "watch")
    assert [one.name for one in rule_menu(Folder(own))] == ["guards", "alone.json", "watch"]


def test_shipped_rules_are_opened_as_a_copy_and_own_ones_as_themselves(own):
    (own / "guards copy").mkdir()
    copy, mine = opened(own, "guards"), opened(own)
    count = len(rule_files(shipped_rules_folder("guards")))
    assert (copy["target"], copy["is_copy"], len(copy["files"])) == ("guards copy 2", True, count)
    assert {one["digest"] for one in copy["files"]} == {""}
    assert (mine["target"], mine["is_copy"]) == ("watch", False)
    assert mine["files"][0]["text"] == TEXT
    assert mine["files"][0]["value"]["handlers"]["guard.barks"]["rules"][1]["say"] == "lost.one"


def test_a_file_that_cannot_be_read_is_named_and_the_others_are_opened(own):
    (own / "watch" / "broken.yaml").write_text("handlers: [\n")
    (own / "watch" / "latin.yaml").write_bytes(b"lines: {a.b: \xe9}")
    errors = {one["name"]: (one["error"], one["value"] is None) for one in opened(own)["files"]}
    assert errors["barks.yaml"] == ("", False)
    assert errors["broken.yaml"][0].startswith("line ")
    assert errors["latin.yaml"] == ("is not UTF-8; save it as UTF-8", True)


def test_new_rules_know_what_can_be_asked_in_a_game(own):
    new = opened(own, "")
    assert (new["target"], new["single"]) == ("rules.yaml", True)
    value = new["files"][0]["value"]
    assert value["variables"].keys() == open_rule_files(Folder(own), "guards").files[-1].value["variables"].keys()
    assert check_answer(AskRules([RuleValues("rules.yaml", value)])).faults == []


@pytest.mark.parametrize("name", ["..", "../x", "/etc", "watch/../..", ".hidden", "nowhere", "night", "x\0y", "out"])
def test_no_name_leads_out_of_the_folder(own, name):
    outside = own.parent / f"{own.name} outside"
    outside.mkdir()
    (outside / "secret.yaml").write_text(TEXT)
    (own / "out").symlink_to(outside)
    (own / ".hidden").mkdir()
    with pytest.raises(LastSeenError):
        open_rule_files(Folder(own), name)


def test_a_link_inside_rules_does_not_lead_out_either(own):
    secret = own.parent / f"{own.name} secret.yaml"
    secret.write_text(TEXT)
    (own / "watch" / "more.yaml").symlink_to(secret)
    with pytest.raises(InputError, match=r"more\.yaml.*leads out"):
        open_rule_files(Folder(own), "watch")
    with pytest.raises(ScenarioError, match=r"more\.yaml"):
        Folder(own).scenario("night.yaml")
    (own / "watch" / "more.yaml").unlink()
    assert Folder(own).scenario("night.yaml").scenario.rules == "watch"
    (own / "night.yaml").write_text(f"level: rooms\nrules: ../{secret.name}\n")
    with pytest.raises(ScenarioError, match="not in the folder that is open"):
        Folder(own).scenario("night.yaml")


# Checking


def faults(value: Any) -> list[tuple[Any, str]]:
    """Return the faults of rules in a game whose scenario sets npc.health."""
    return [(one.path, one.what) for one in check_answer(asked(value, facts={"npc.health": 0.5})).faults]


def test_faults_are_told_at_their_keys(own):
    value = opened(own)["files"][0]["value"]
    assert faults(value) == []
    first, second = value["handlers"]["guard.barks"]["rules"]
    first["when"][1] = "npc.helth < 0.5"
    second.update(when="bark.trigger = LOSE", policy="at random", name="hurt")
    first["remember"] = {"npc.health": {"value": "ill"}}
    found = {tuple(path): what for path, what in faults(value)}
    rule = ("handlers", "guard.barks", "rules", 0)
    assert "did you mean 'npc.health'" in found[(*rule, "when", 1)]
    assert "is a number" in found[(*rule, "remember", "npc.health")]
    assert "policy" in found[("handlers", "guard.barks", "rules", 1, "policy")]


def test_warnings_speak_of_no_lines_of_a_text_that_is_not_there(own):
    value = opened(own)["files"][0]["value"]
    rules = value["handlers"]["guard.barks"]["rules"]
    rules.append({"name": "never", "when": ["bark.trigger == LOSE", "npc.health < 0.2"], "say": "Oh, {nobody}."})
    value["lines"]["lost.two"] = {"en": "Where?", "de": "Wo?"}
    found = faults(value)
    assert (["handlers", "guard.barks", "rules", 2], "is never reached") in [(list(p), w[:16]) for p, w in found]
    assert (["lines", "lost.two"], "line 'lost.two' is never said; use it in a rule or remove it") in [
        (list(path), what) for path, what in found
    ]
    assert any("no variable fills {nobody}" in what for _, what in found)
    assert not [what for _, what in found if "yaml:" in what]
    rules[1]["name"] = "hurt"
    (double,) = [what for _, what in faults(value) if "its name" in what]
    assert double == "its name is already used; rename one"


def test_rules_are_sorted_and_tried_as_the_command_line_does(own):
    value = opened(own)["files"][0]["value"]
    handler = value["handlers"]["guard.barks"]
    handler.update(order="priority")
    handler["rules"][1]["priority"] = 3
    rows = sorted_answer(asked(value, "guard.barks")).rules
    assert [(one.name, one.number, one.priority) for one in rows] == [("lost", 1, 3), ("hurt", 0, 0)]
    told = why_answer(asked(value, "guard.barks", facts={"bark.trigger": "LOSE", "npc.health": 0.9}))
    assert told.fired == "lost"
    assert told.rules[1].reason == "npc.health < 0.5: npc.health is 0.9"
    handler["rules"][0]["when"] = "x"
    assert "Fix the faults first. rule 'hurt': no variable 'x'" in why_answer(asked(value)).message


# Saving


def test_a_copy_of_shipped_rules_is_a_folder_with_every_byte_but_what_was_changed(own):
    copy = opened(own, "guards")
    files = [RuleFileText(one["name"], one["text"]) for one in copy["files"]]
    place = next(at for at, one in enumerate(copy["files"]) if one["name"] == "lose.yaml")
    lose = copy["files"][place]
    rules = lose["value"]["handlers"]["guard.barks.lose"]["rules"]
    rules[0]["say"].append("A line: of mine # indeed")
    rules.insert(0, rules.pop())
    origins = [len(rules) - 1, *range(len(rules) - 1)]
    files[place] = sent(lose, origins={"guard.barks.lose": origins})
    saved = save_rules(Folder(own), SaveRules(copy["target"], files, is_new=True))
    assert saved.name == "guards copy"
    before, after = shipped_rules_folder("guards"), own / "guards copy"
    for file in before.glob("*.yaml"):
        assert (file.read_bytes() == (after / file.name).read_bytes()) == (file.name != "lose.yaml")
    text = (after / "lose.yaml").read_text()
    assert text.splitlines()[0] == (before / "lose.yaml").read_text().splitlines()[0]
    read = read_rules(after).handlers["guard.barks.lose"]
    assert [rule.name for rule in read.rules] == [rule["name"] for rule in rules]
    assert read.rules[1].actions[-1] == "A line: of mine # indeed"
    result = CliRunner().invoke(cli, ["rules", "check", str(after)])
    assert result.exit_code == 0, result.output
    assert not list(own.glob(".lastseen-*"))


def test_own_rules_keep_comments_and_the_changes_of_others(own):
    (file,) = opened(own)["files"]
    file["value"]["handlers"]["guard.barks"]["rules"][0]["tier"] = 2
    file["value"]["handlers"]["guard.barks"]["rules"][0]["cooldown"] = 2  # as JSON has it
    saved = save_rules(Folder(own), SaveRules("watch", [sent(file)]))
    text = (own / "watch" / "barks.yaml").read_text()
    assert text == TEXT.replace("cooldown: 2.0\n", "cooldown: 2.0\n        tier: 2\n")
    assert saved.files[0].text == text
    with pytest.raises(Changed, match="has changed since") as refused:
        save_rules(Folder(own), SaveRules("watch", [sent(file)]))
    assert (refused.value.file, refused.value.digest) == ("barks.yaml", saved.files[0].digest)
    save_rules(Folder(own), SaveRules("watch", [sent(file, digest=refused.value.digest)]))
    (own / "watch" / "barks.yaml").rename(own / "watch" / "other.yaml")
    with pytest.raises(Changed, match="is gone") as gone:
        save_rules(Folder(own), SaveRules("watch", [sent(file)]))
    save_rules(Folder(own), SaveRules("watch", [sent(file, digest=gone.value.digest)]))
    assert (own / "watch" / "barks.yaml").read_text() == text


def two_files(own: Path) -> tuple[Any, Any]:
    more = "handlers:\n  guard.answers:\n    rules:\n    # of course\n    - name: aye\n      say: 'Aye.'   # short\n"
    (own / "watch" / "more.yaml").write_text(more)
    barks, answers = opened(own)["files"]
    return barks, answers


def test_a_rule_goes_to_another_file_with_its_comments_and_back(own):
    barks, answers = two_files(own)
    before = {name: (own / "watch" / name).read_text() for name in ("barks.yaml", "more.yaml")}
    rules = barks["value"]["handlers"]["guard.barks"]["rules"]
    count = len(rules)
    rules.append(answers["value"]["handlers"]["guard.answers"]["rules"].pop())
    origins = {"guard.barks": [*range(count), ("more.yaml", "guard.answers", 0)]}
    files = [sent(barks, origins=origins), sent(answers, origins={"guard.answers": []})]
    save_rules(Folder(own), SaveRules("watch", files))
    texts = [(own / "watch" / name).read_text() for name in before]
    assert "      # of course\n      - name: aye\n        say: 'Aye.'   # short\n" in texts[0]
    assert "of course" not in texts[1]
    barks, answers = opened(own)["files"]
    moved = barks["value"]["handlers"]["guard.barks"]["rules"].pop()
    answers["value"]["handlers"]["guard.answers"]["rules"] = [moved]
    back = {"guard.answers": [("barks.yaml", "guard.barks", count)]}
    save_rules(Folder(own), SaveRules("watch", [sent(barks), sent(answers, origins=back)]))
    assert (own / "watch" / "barks.yaml").read_text() == before["barks.yaml"]
    assert (own / "watch" / "more.yaml").read_text().replace(" ", "") == before["more.yaml"].replace(" ", "")


def test_several_files_are_saved_all_or_none(own):
    barks, answers = two_files(own)
    before = {file.name: file.read_bytes() for file in (own / "watch").iterdir()}
    for file in (barks, answers):
        for handler in file["value"]["handlers"].values():
            handler["rules"][0]["say"] = "Other words."
    (own / "watch" / "blocked").write_text("a file, no folder")
    new = RuleFileText("blocked/new.yaml", "handlers: {}\n", "")
    with pytest.raises(InputError, match="nothing was saved"):
        save_rules(Folder(own), SaveRules("watch", [sent(barks), sent(answers), new]))
    (own / "watch" / "blocked").unlink()
    assert {file.name: file.read_bytes() for file in (own / "watch").iterdir()} == before
    save_rules(Folder(own), SaveRules("watch", [sent(barks), sent(answers)]))
    assert all("Other words." in (own / "watch" / name).read_text() for name in before)


def test_json_is_written_anew_and_toml_is_not_changed(own):
    (own / "one.json").write_text(json.dumps(opened(own)["files"][0]["value"]))
    (file,) = opened(own, "one.json")["files"]
    file["value"]["handlers"]["guard.barks"]["rules"][0]["name"] = "very hurt"
    save_rules(Folder(own), SaveRules("one.json", [sent(file)]))
    assert json.loads((own / "one.json").read_text()) == file["value"]
    assert '"cooldown": 2.0' in (own / "one.json").read_text()
    (own / "two.toml").write_text('variables = {a = "int"}\n')
    (toml,) = opened(own, "two.toml")["files"]
    with pytest.raises(InputError, match="only YAML and JSON"):
        save_rules(Folder(own), SaveRules("two.toml", [sent(toml)]))
    assert (own / "two.toml").read_text() == 'variables = {a = "int"}\n'


def test_whose_comments_a_json_file_cannot_hold_is_told(tmp_path):
    both = tmp_path / "both"
    both.mkdir()
    rules = "handlers:\n  h:\n    rules:\n"
    for name, note in (("plain", ""), ("above", "      # why\n"), ("quoted", "")):
        rules += f"{note}      - name: {name}\n        say: 'No. # 1'\n"
    (both / "a.yaml").write_text(f"{rules}      - name: beside\n        say: It's him.  # softly\n")
    (both / "b.json").write_text('{"handlers": {"j": {"rules": []}}}')
    first, second = opened(tmp_path, "both")["files"]
    second["value"]["handlers"]["j"]["rules"] = first["value"]["handlers"]["h"]["rules"]
    first["value"]["handlers"]["h"]["rules"] = []
    moved = {"j": [("a.yaml", "h", number) for number in range(4)]}
    files = [sent(first, origins={"h": []}), sent(second, origins=moved)]
    assert save_rules(Folder(tmp_path), SaveRules("both", files)).bare == ["above", "beside"]


@pytest.mark.parametrize("target", ["../x", "/tmp/x", "a/b", "", ".x", "guards", "watch", "con", "a\0b", "x" * 101])
def test_a_new_folder_has_a_plain_name_that_is_free(own, target):
    before = sorted(own.rglob("*"))
    with pytest.raises(InputError):
        save_rules(Folder(own), SaveRules(target, [RuleFileText("a.yaml", TEXT)], is_new=True))
    assert sorted(own.rglob("*")) == before


@pytest.mark.parametrize("name", ["../x.yaml", "/tmp/x.yaml", "a.txt", "", ".x.yaml", "a/../../b.yaml", "barks.yaml/x"])
@pytest.mark.parametrize("is_new", [True, False])
def test_a_file_of_rules_stands_inside_them(own, name, is_new):
    before = sorted(own.parent.rglob("*"))
    with pytest.raises(LastSeenError):
        save_rules(Folder(own), SaveRules("fresh" if is_new else "watch", [RuleFileText(name, TEXT)], is_new=is_new))
    assert sorted(own.parent.rglob("*")) == before


def test_a_new_file_replaces_no_other_unasked(own):
    new = SaveRules("night.yaml", [RuleFileText("rules.yaml", TEXT)], is_new=True, single=True)
    with pytest.raises(Changed, match="already exists"):
        save_rules(Folder(own), new)
    save_rules(Folder(own), SaveRules("mine.yaml", [RuleFileText("rules.yaml", TEXT)], is_new=True, single=True))
    assert read_rules(own / "mine.yaml").handlers.keys() == {"guard.barks"}


# Over the wire


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    folder = tmp_path_factory.mktemp("ruled")
    (folder / "watch").mkdir()
    (folder / "watch" / "barks.yaml").write_text(TEXT)
    with serving(folder, "warehouse") as found:
        yield found


def ask(served, way: str, data: Any = None, *, token: str = TOKEN, **query: str) -> httpx.Response:
    address, params = f"http://{served.host}/api/rules{way}", {"token": token, **query}
    if data is None:
        return httpx.get(address, params=params, timeout=PATIENCE, verify=False)
    body = data if isinstance(data, bytes) else json.dumps(data).encode()
    return httpx.post(address, params=params, content=body, timeout=PATIENCE, verify=False)


def test_requests_need_the_token_and_the_origin(served):
    for way, data in (("", None), ("/menu", None), ("/check", {}), ("/sorted", {}), ("/why", {}), ("/save", {})):
        assert ask(served, way, data, token="wrong").status_code == 401
    address = f"http://{served.host}/api/rules/menu"
    elsewhere = httpx.get(
        address, params={"token": TOKEN}, headers={"Origin": "http://evil.example"}, timeout=PATIENCE, verify=False
    )
    assert elsewhere.status_code == 403


def test_rules_are_opened_checked_and_saved_over_requests(served):
    menu = ask(served, "/menu").json()["rules"]
    assert {"guards", "watch"} <= {one["name"] for one in menu}
    found = ask(served, "", name="watch").json()
    (file,) = found["files"]
    values = [{"name": file["name"], "value": file["value"]}]
    assert ask(served, "/check", {"files": values, "facts": {"npc.health": 0.5}}).json()["faults"] == []
    unknown = json.loads(json.dumps(values).replace("npc.health", "npc.mettle"))
    (unmet,) = ask(served, "/check", {"files": unknown}).json()["faults"]
    assert (unmet["severity"], unmet["kind"]) == ("warning", "not provided")
    assert len(ask(served, "/sorted", {"files": values, "handlers": ["guard.barks"]}).json()["rules"]) == 2
    told = ask(served, "/why", {"files": values, "handlers": ["guard.barks"], "facts": {"bark.trigger": "LOSE"}})
    assert told.json()["fired"] == "lost"
    body = {"target": "watch", "files": [{"name": file["name"], "text": file["text"], "digest": "0"}]}
    assert ask(served, "/save", body).json()["type"] == "changed"
    body["files"][0]["digest"] = file["digest"]
    assert ask(served, "/save", body).json()["type"] == "saved rules"
    assert (served.folder / "watch" / "barks.yaml").read_text() == TEXT
    refused = ask(served, "", name="../..")
    assert (refused.status_code, refused.json()["code"]) == (400, "refused")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=12,
)
PARTS = st.sampled_from(["variables", "handlers", "lines", "rules", "name", "when", "say", "then", "a.b"])
VALUES = st.recursive(JSON, lambda inner: st.dictionaries(PARTS, inner, max_size=3), max_leaves=12)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(way=st.sampled_from(["/check", "/sorted", "/why", "/save"]), value=VALUES, other=JSON)
def test_whatever_is_sent_is_answered(served, way, value, other):
    files = [{"name": "a.yaml", "value": value, **({"text": TEXT} if way == "/save" else {})}]
    body = {"files": files, "target": other} if way == "/save" else {"files": files, "handlers": other}
    before = {file: file.read_bytes() for file in served.folder.rglob("*") if file.is_file()}
    found = ask(served, way, body)
    assert found.status_code in (200, 400)
    assert "type" in found.json()
    if way == "/save":
        assert {file: file.read_bytes() for file in served.folder.rglob("*") if file.is_file()} == before
    assert ask(served, way, b"[" * 100_000).status_code == 400


# In the running game


def test_somebody_is_asked_what_it_would_say_and_nothing_changes(served):
    with served.page() as page:
        told = page.ask("voices", "voices")
        assert told["rules"] == "guards"
        assert "LOSE" in told["triggers"]
        assert told["is_live"]
        guard = told["speakers"][0]
        page.say("step", ticks=30)
        digest = page.settle()["digest"]
        found = page.ask("evaluate", "evaluation", agent=guard, trigger="LOSE")
        assert found["facts"]["bark.trigger"] == "LOSE"
        assert found["facts"]["npc.name"] == page.hello["agents"][guard]["name"]
        states = {one["state"] for one in found["rules"]}
        assert "fires" in states
        assert "fails" in states
        (fires,) = [one for one in found["rules"] if one["state"] == "fires"]
        assert (fires["name"], fires["reason"]) == (found["fired"], "fires")
        assert fires["handler"].startswith("guard.barks.")
        page.say("step", ticks=1)
        after = page.settle()
        page.say("restart")
        page.say("step", ticks=31)
        assert page.settle()["digest"] == after["digest"] != digest
        for wrong in ({"agent": 99, "trigger": "LOSE"}, {"agent": guard, "trigger": "LOOSE"}):
            assert page.ask("evaluate", "error", **wrong)["about"] == "evaluate"
        page.say("seek", tick=3)
        assert "past" in page.ask("evaluate", "error", agent=guard, trigger="LOSE")["message"]


def test_a_game_is_played_with_other_rules_and_keeps_them(served):
    with served.page() as page:
        page.say("rules", name="watch")
        page.until("hello")
        assert page.ask("voices", "voices")["rules"] == "watch"
        page.say("open", difficulty="hard")
        assert page.until("hello")["difficulty"] == "hard"
        found = page.ask("voices", "voices")
        assert found["rules"] == "watch"
        told = page.ask("evaluate", "evaluation", agent=found["speakers"][0], trigger="LOSE")
        assert [one["name"] for one in told["rules"]] == ["hurt", "lost"]
        assert told["fired"] == "lost"
        for wrong in ("nowhere", "../..", "/etc"):
            assert page.ask("rules", "error", name=wrong)["about"] == "rules"
        assert page.ask("voices", "voices")["rules"] == "watch"
        page.say("rules", name="guards")
        page.until("hello")
        assert page.ask("voices", "voices")["rules"] == "guards"
