"""`lastseen rules …` in this process."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from lastseen.agents.rules.engine.compile import compile_handler
from lastseen.agents.rules.files.file_format import rule_schema
from lastseen.agents.rules.files.read import read_rules
from lastseen.agents.rules.language.faults import handlers_named
from lastseen.agents.rules.shipped_rules import shipped_rules
from lastseen.agents.rules.speech.speakers import Speaker, Speakers
from lastseen.agents.rules.speech.speech import Speech
from lastseen.agents.rules.speech.utterance import Bark
from lastseen.views.cli.app.main import cli
from oracles.schema import accepts

RULES = """\
variables:
  trigger: {enum: [NOTICE, LOSE]}
  health: float
  armed: bool
handlers:
  barks:
    order: priority
    rules:
      - {name: any, when: [trigger == LOSE], say: [Where?, Hm.]}
      - {name: hurt, when: [trigger == LOSE, health < 0.5], say: Ow., priority: 2, remember: {armed: {value: false}}}
  gang:
    rules:
      - {name: own, when: armed, say: [Where?, Hm.], then: {handler: barks, facts: {trigger: LOSE}}}
"""
DICE = """\
variables: {npc.health: float}
handlers: {h: {rules: [{name: a, when: [random.d6 > 3, random.unit < 0.5, npc.health < 1], say: x}]}}
"""


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("rules").mkdir()
    Path("rules/barks.yaml").write_text(RULES, encoding="utf-8")
    Path("dice.yaml").write_text(DICE, encoding="utf-8")

    def runner(*arguments):
        return CliRunner().invoke(cli, ["rules", *(str(argument) for argument in arguments)])

    return runner


def test_sound_rules_are_said_to_be_sound(run):
    result = run("check", "rules")
    counted = "rules: no faults (3 rules)\n3 lines: 0 with an id, en 3 (100 %)\n"
    assert (result.exit_code, result.output) == (0, counted)
    Path("one.yaml").write_text("handlers: {h: {rules: [{name: a, say: x}]}}", encoding="utf-8")
    assert run("check", "one.yaml").output.startswith("one.yaml: no faults (1 rule)\n1 line: ")


def test_faults_are_printed_with_line_and_rule(run):
    Path("rules/barks.yaml").write_text(RULES.replace("health < 0.5", "helth < 0.5").replace("armed,", "armd,"))
    result = run("check", "rules")
    assert result.exit_code == 2
    lines = result.output.splitlines()
    assert lines[0].startswith(
        "rules/barks.yaml:10: rule 'hurt' of barks: no variable 'helth' (did you mean 'health'?)"
    )
    assert lines[1].startswith("rules/barks.yaml:13: rule 'own' of gang: no variable 'armd' (did you mean 'armed'?)")
    report = json.loads(run("check", "rules", "--json").output)
    assert (report["errors"], [fault["rule"] for fault in report["faults"]]) == (2, ["hurt", "own"])


def test_warnings_pass_unless_they_may_not(run):
    Path("rules/barks.yaml").write_text(RULES.replace("health < 0.5", "health < 0.5, health > 0.7"))
    result = run("check", "rules")
    assert result.exit_code == 0
    assert result.output.startswith("warning: rules/barks.yaml:10: rule 'hurt' of barks: can never fire: health < 0.5")
    assert run("check", "rules", "--strict").exit_code == 2
    assert "orders contradict" in run("check", "rules", "--combine", "barks+gang").output


def test_rules_are_shown_in_the_order_they_are_tried(run):
    lines = run("sorted", "rules").output.splitlines()
    assert lines[0] == "barks: 2 rules, 2 lists of actions"
    assert [line.split("(")[0].split()[-1] for line in lines[1:]] == ["hurt", "any"]
    both = json.loads(run("sorted", "rules", "--handler", "gang+barks", "--json").output)
    assert both["handler"] == "gang + barks"
    assert [rule["name"] for rule in both["rules"]] == ["own", "any", "hurt"]
    lists = {rule["name"]: rule["list"] for rule in both["rules"]}
    assert lists["any"] == lists["own"] != lists["hurt"]
    assert "shares its actions with own" in run("sorted", "rules", "--handler", "gang+barks").output


def test_why_names_the_rule_and_what_failed(run):
    result = run("why", "rules", "--facts", "trigger=LOSE", "--facts", "health=0.7")
    assert result.output.splitlines() == [
        "barks: 'any' fires",
        "  ✗ hurt: health < 0.5: health is 0.7",
        "  ▶ any: fires",
        "near misses:",
        "  hurt: health < 0.5: health is 0.7",
    ]
    Path("facts.json").write_text('{"trigger": "LOSE", "health": 0.2}')
    found = json.loads(run("why", "rules", "--facts", "facts.json", "--json").output)
    assert found["fired"] == "hurt"
    assert [rule["holds"] for rule in found["rules"]] == [True, True]
    Path("nested.yaml").write_text("npc: {health: 0.5}\nrandom: {d6: 6, unit: 0.0}\n")
    assert run("why", "dice.yaml", "--facts", "nested.yaml").output.startswith("h: 'a' fires\n")


@pytest.mark.parametrize(("trigger", "near"), [("LOSE", 0), ("HEAR", 1), ("CHATTER", 1), ("FIND_BODY", 0)])
def test_why_asks_as_a_game_does_all_handlers_that_begin_so(run, trigger, near):
    rules, facts = shipped_rules("guards").database(), {"npc.colleagues_near": near, "npc.alone": not near}
    facts |= {"npc.voice": "dry", "sound.type": "footstep", "target.distance": 3.0, "place.kind": "door"}
    company = Speakers({"A": Speaker(facts=facts), "B": Speaker((2, 0))})
    said = Speech(rules, company).bark(Bark("A", {"bark.trigger": trigger}), now=0.0)
    words = {path: str(value).lower() if isinstance(value, bool) else value for path, value in said.facts.items()}
    known = [f"--facts={path}={word}" for path, word in words.items() if word is not None]
    assert said.asked == "guard.barks" != said.handler
    assert json.loads(run("why", "guards", "--handler", said.asked, *known, "--json").output)["fired"] == said.rule
    count = len(handlers_named("guard.barks", rules))
    told = run("why", "guards", "--handler", said.asked, *known).output
    assert told.startswith(f"guard.barks ({count} handlers): ")
    sorted_rules = json.loads(run("sorted", "guards", "--handler", said.asked, "--json").output)["rules"]
    assert [rule["name"] for rule in sorted_rules] == [
        rule.name for rule in compile_handler(rules, *handlers_named("guard.barks", rules)).rules
    ]


def test_rules_are_not_converted_over_themselves(run):
    result = run("convert", "rules", "-o", "rules/barks.yaml")
    assert result.exit_code == 2
    assert "is an input" in result.output
    assert Path("rules/barks.yaml").read_text(encoding="utf-8") == RULES
    Path("rules/more").mkdir()
    for name in ("rules/all.json", "rules/more/all.toml", "rules/../rules/all.yaml"):
        result = run("convert", "dice.yaml", "rules", "-o", name)
        assert result.exit_code == 2
        assert "would then hold all rules twice; write it to another folder" in result.output
    assert [path.name for path in Path("rules").rglob("*.*")] == ["barks.yaml"]


def test_bench_tells_three_times(run):
    report = json.loads(run("bench", "rules", "--rounds", "1", "--json").output)
    assert report["rules"] == 2
    assert min(report["compile_ms"], report["one_us"], report["thousand_ms"]) > 0.0
    assert report["reads"] > report["reads_cached"] > 0
    assert "1000 speakers" in run("bench", "rules", "--rounds", "1").output


def test_bench_counts_how_often_variables_are_read_with_and_without_a_cache(run):
    rules = ", ".join(f"{{name: r{number}, when: health < {number}, say: Ow}}" for number in (-3, -2, -1))
    Path("many.yaml").write_text(f"variables: {{health: float}}\nhandlers: {{barks: {{rules: [{rules}]}}}}\n")
    report = json.loads(run("bench", "many.yaml", "--rounds", "1", "--json").output)
    assert report["reads_cached"] == 1.0 < report["reads"] <= 3.0
    assert "variables read once" in run("bench", "many.yaml", "--rounds", "1").output


def test_rules_are_converted_and_fit_the_schema(run):
    assert run("convert", "rules", "-o", "all.toml").exit_code == 0
    assert run("convert", "all.toml", "-o", "all.json").exit_code == 0
    plain = json.loads(Path("all.json").read_text(encoding="utf-8"))
    assert run("schema", "rules", "-o", "rules.schema.json").exit_code == 0
    own = json.loads(Path("rules.schema.json").read_text(encoding="utf-8"))
    for schema in (own, json.loads(run("schema").output), rule_schema(read_rules("all.json"))):
        assert accepts(schema, plain)
        assert not accepts(schema, {"handlers": {"a": {"rules": [{"when": []}]}}}), "a rule needs a name"
        assert not accepts(schema, {"handlers": {"a": {"rules": [{"name": "a", "when": ["x =< 3"]}]}}})
    wrong = {"handlers": {"a": {"rules": [{"name": "a", "then": {"handler": "nobody"}}]}}}
    assert accepts(rule_schema(), wrong)
    assert not accepts(own, wrong)


OWN = """\
variables: {bark.trigger: {enum: [SEE]}, npc.hunger: float}
handlers:
  guard.barks:
    rules:
      - {name: seen, when: [bark.trigger == SEE, npc.hunger < 0.5], say: "Stop, {hero}!"}
"""


def test_check_refuses_what_run_refuses_and_knows_scenarios_and_games(run):
    Path("own.yaml").write_text(OWN)
    Path("night.yaml").write_text("level: rooms\nrules: own.yaml\nfacts: {npc.hunger: 0.3}\nseconds: 1\n")
    refused = run("check", "own.yaml")
    assert refused.exit_code == 2
    assert "own.yaml:5: rule 'seen' of guard.barks: no variable fills {hero}" in refused.output
    assert (
        "warning: own.yaml:5: rule 'seen' of guard.barks: never fires in this game: nothing provides" in refused.output
    )
    played = CliRunner().invoke(cli, ["run", "night.yaml"])
    assert played.exit_code == 2
    assert "no variable fills {hero}" in played.output
    Path("game.yaml").write_text(
        "variables: {bark.trigger: {enum: [SEE]}, npc.hunger: float}\nplaceholders: {hero: npc.hunger}\n"
    )
    assert run("check", "own.yaml", "--game", "game.yaml").output.startswith("own.yaml: no faults (1 rule)\n")
    assert run("check", "own.yaml", "--game", "none").exit_code == 0
    Path("own.yaml").write_text(OWN.replace("{hero}", "you"))
    assert "nothing provides npc.hunger" in run("check", "own.yaml").output
    assert run("check", "own.yaml", "--scenario", "night.yaml").output.startswith("own.yaml: no faults (1 rule)\n")
    assert CliRunner().invoke(cli, ["run", "night.yaml", "--quiet"]).exit_code == 0
    # Other faults change nothing about what the scenario provides, or whether it exists.
    Path("own.yaml").write_text(OWN)
    other = run("check", "own.yaml", "--scenario", "night.yaml")
    assert other.output.count("no variable fills {hero}") == 1
    assert "nothing provides" not in other.output
    Path("own.yaml").write_text(OWN.replace("bark.trigger ==", "bark.triger =="))
    broken = run("check", "own.yaml", "--scenario", "night.yaml").output
    assert "no variable 'bark.triger'" in broken
    assert "the rules cannot be used" not in broken
    absent = run("check", "own.yaml", "--scenario", "nihgt")
    assert "there is no scenario 'nihgt'" in absent.output
    Path("own.yaml").write_text(OWN.replace("{hero}", "you"))
    Path("night.yaml").write_text("level: rooms\nfacts: {npc.hungr: 0.3}\n")
    unfit = run("check", "own.yaml", "--scenario", "night.yaml")
    assert unfit.exit_code == 2
    assert "did you mean 'npc.hunger'" in unfit.output
    report = json.loads(run("check", "own.yaml", "--json").output)
    assert report["lines"] == {"count": 1, "ids": 0, "languages": {"en": 1}}


MIXED = """\
variables: {bark.trigger: {enum: [SEE, FOO]}, ask.name: str, npc.tired: bool}
handlers:
  guard.barks:
    rules:
      - {name: empty, when: bark.trigger == SEE, say: ""}
      - {name: misspelt, when: bark.trigger == SEE, sya: gone}
      - {name: wrong, when: [bark.trigger = SEE], say: "{nmae}!"}
      - {name: number, when: npc.tired, say: 12}
      - {name: own, when: bark.trigger == FOO, say: gone}
  guard.other:
    rules:
      - {name: never, when: [bark.trigger == SEE, bark.trigger == FOO], say: Hm.}
lines:
  gone: {en: Gone.}
  spare: {en: Spare.}
"""


def test_check_reports_everything_at_once(run):
    Path("mixed.yaml").write_text(MIXED)
    found = run("check", "mixed.yaml")
    assert found.exit_code == 2
    lines = found.output.splitlines()
    expected = [
        ("mixed.yaml:6: rule 'misspelt' of guard.barks: unknown key 'sya' (did you mean 'say'?)", ""),
        ("mixed.yaml:7: rule 'wrong' of guard.barks: 'bark.trigger = SEE' is not a condition", ""),
        ("mixed.yaml:7: rule 'wrong' of guard.barks: no variable fills {nmae} (did you mean 'name'?)", ""),
        ("mixed.yaml:5: rule 'empty' of guard.barks: says an empty text", "warning: "),
        ("mixed.yaml:8: rule 'number' of guard.barks: says 12, which is no text", "warning: "),
        ("mixed.yaml:12: rule 'never' of guard.other: can never fire", "warning: "),
    ]
    assert all(line.startswith(f"{mark}{words}") for line, (words, mark) in zip(lines, expected, strict=True))
    # Nothing is said that may only follow from what was left out: lines without a rule, facts that nothing provides.
    Path("mixed.yaml").write_text(MIXED.replace("sya:", "say:").replace("= SEE]", "== SEE]").replace("nmae", "name"))
    rest = run("check", "mixed.yaml")
    assert rest.exit_code == 0
    assert "'spare' is never said" in rest.output
    assert "never fires in this game: nothing provides npc.tired" in rest.output
    assert "bark.trigger is never 'FOO' unless your own trees or code say so" in rest.output


def test_an_empty_translation_is_one_fault_and_unfilled_words_are_told(run):
    Path("own.yaml").write_text(
        OWN.replace("npc.hunger < 0.5", "bark.trigger == SEE").replace('"Stop, {hero}!"', "stop")
        + "lines:\n  stop: {en: Stop!, de: ''}\n"
    )
    found = run("check", "own.yaml").output
    assert "its text in de is empty" in found
    assert "says an empty text" not in found
    Path("own.yaml").write_text(OWN)
    Path("game.yaml").write_text("variables: {bark.trigger: {enum: [SEE]}, npc.hunger: float}\n")
    assert "; there are none" not in run("check", "own.yaml", "--game", "game.yaml").output
    assert "; no placeholder can be filled here" in run("check", "own.yaml", "--game", "game.yaml").output


def test_a_placeholder_that_is_no_word_is_a_fault_with_its_line(run):
    Path("own.yaml").write_text(
        "handlers:\n  guard.barks:\n    rules:\n"
        "      - {name: a, say: ['Where is {target.name}?', '{']}\n"
        "      - {name: b, say: '{nmae}'}\n"
    )
    found = run("check", "own.yaml")
    assert found.exit_code == 2
    first, second, third = found.output.splitlines()
    assert first.startswith("own.yaml:4: rule 'a' of guard.barks: {target.name} in 'Where is {target.name}?' is not a")
    assert second.startswith("own.yaml:4: rule 'a' of guard.barks: '{' has a lone '{'; write {name}, or {{")
    assert third.startswith("own.yaml:5: rule 'b' of guard.barks: no variable fills {nmae} (did you mean 'name'?)")
    assert "no placeholder can be filled here; under `variables` you may declare {name} with ask.name" in third


def test_an_undeclared_variable_is_one_fault_whether_the_game_provides_it_or_not(run):
    Path("own.yaml").write_text(
        "handlers: {guard.barks: {rules: [{name: a, when: npc.helth < 1, say: 12},\n"
        "{name: b, when: npc.health < 1, say: b}]}}"
    )
    first, second, warning = run("check", "own.yaml").output.splitlines()
    assert "rule 'a' of guard.barks: no variable 'npc.helth'" in first
    assert "rule 'b' of guard.barks: no variable 'npc.health'" in second
    assert "says 12" in warning


def test_a_file_that_cannot_be_read_hides_no_faults_of_others_and_causes_none(run):
    Path("both").mkdir()
    Path("both/variables.yaml").write_text("variables: {bark.trigger: str\n")
    Path("both/rules.yaml").write_text(
        "handlers:\n  guard.barks:\n    rules:\n"
        "      - {name: a, when: bark.trigger == SEE, say: ['{name}', '{nmae}', 12], then: {handler: guard.more}}\n"
    )
    found = run("check", "both")
    assert found.exit_code == 2
    rules, variables, warning = found.output.splitlines()
    assert "no variable fills {nmae} (did you mean 'name'?)" in rules
    assert variables.startswith("both/variables.yaml:1: invalid YAML")
    assert warning.startswith("warning: both/rules.yaml:4: rule 'a' of guard.barks: says 12")


def test_lines_get_ids_and_go_to_translators_and_back(run):
    Path("own.yaml").write_text(OWN.replace("{hero}", "you"))
    assert run("ids", "own.yaml").output == "wrote own.yaml: 1 line got an id\n"
    assert run("ids", "own.yaml").output == "own.yaml: every line has an id\n"
    assert run("export", "own.yaml", "-o", "de.po", "--language", "de").output == "wrote de.po: 1 lines\n"
    po = Path("de.po").read_text()
    Path("de.po").write_text(
        po.replace('msgstr ""\n\n', "").rstrip().removesuffix('msgstr ""') + 'msgstr "Halt, du!"\n'
    )
    assert run("import", "de.po", "own.yaml").output == "de.po: 1 lines read, 1 changed\n"
    assert read_rules("own.yaml").lines == {"barks.seen.1": {"en": "Stop, you!", "de": "Halt, du!"}}
    assert run("export", "own.yaml", "-o", "lines.csv").exit_code == 0
    table = Path("lines.csv").read_bytes().decode()
    Path("lines.csv").write_bytes(table.replace("Halt, du!", "Bleib stehen, du!").encode())
    assert run("import", "lines.csv", "own.yaml").output == "lines.csv: 1 lines read, 1 changed\n"
    before = Path("own.yaml").read_text()
    Path("lines.csv").write_bytes(table.replace("barks.seen.1", "barks.sen.1").encode())
    wrong = run("import", "lines.csv", "own.yaml")
    assert wrong.exit_code == 2
    assert "lines.csv:2: no line 'barks.sen.1' (did you mean 'barks.seen.1'?)" in wrong.output
    assert Path("own.yaml").read_text() == before


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("ids", "guards"), "'guards' are shipped rules"),
        (("export", "rules", "-o", "lines.txt"), "tables of lines are .csv and .po"),
        (("export", "rules", "-o", "lines.po"), "give it: --language de"),
        (
            ("export", "rules", "-o", "lines.csv"),
            "have no id, such as 'Where?'; give every line one: lastseen rules ids",
        ),
        (("export", "dice.yaml", "-o", "lines.csv", "--language", "German"), "has no id"),
        (("import", "absent.csv", "rules"), "absent.csv: cannot be read"),
        (("import", "dice.yaml", "rules"), "tables of lines are .csv and .po"),
        (("check", "rules", "dice.yaml", "--scenario", "night"), "a scenario has one, so give that"),
        (("check", "rules", "--scenario", "nihgt"), "there is no scenario 'nihgt'"),
        (("check", "rules", "--game", "absent.yaml"), "cannot be read"),
        (("check", "rules", "--game", "none", "--scenario", "x"), "so give one"),
        (("check", "absent"), "there is no file or folder 'absent'"),
        (("sorted", "rules", "--handler", "bark"), "did you mean 'barks'"),
        (("why", "rules", "--facts", "helth=1"), "did you mean 'health'"),
        (("why", "rules", "--facts", "trigger=LOOSE"), "one of NOTICE, LOSE"),
        (("why", "rules", "--facts", "health=high"), "is a number"),
        (("why", "dice.yaml", "--facts", "random.d6=9"), "a die with 6 sides shows 1 … 6"),
        (("why", "dice.yaml", "--facts", "random.unit=1"), "from 0 to below 1"),
        (("why", "rules", "--facts", "absent.json"), "cannot be read"),
        (("convert", "rules", "-o", "all.txt"), "use .yaml, .toml or .json"),
        (("chek", "rules"), "did you mean 'check'"),
    ],
)
def test_bad_arguments_get_words_and_exit_code_2(run, arguments, words):
    result = run(*arguments)
    assert result.exit_code == 2
    assert words in result.output
    assert "Traceback" not in result.output
