"""Rule files: their contents, and all faults of a file at once."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastseen.agents.rules.files.read import parse_rules, read_rules
from lastseen.agents.rules.language.faults import RuleFileError
from lastseen.agents.rules.language.lines import placeholders, spoken
from lastseen.agents.rules.language.rule import Database, FollowUp, Memory, RuleCondition, VariableSpec
from lastseen.errors import LastSeenError, RuleError

SAMPLE = """\
variables:
  npc.health: float
  bark.trigger: {enum: [NOTICE, LOSE, CHASE, ANSWER], about: what happened}
  place.kind: str
  npc.saw_door: bool
handlers:
  guard.barks:
    order: priority
    policy: shuffle repeat
    cooldown: 8
    rules:
      - name: lost at a door
        when:
          - bark.trigger == LOSE
          - place.kind == door
          - npc.health < 0.5
        say: ["He went through the door!", "The door, quick!"]
        priority: 2
        tier: 1
        remember: {npc.saw_door: {value: true, seconds: 30}}
        then: {handler: guard.answers, who: nearest, after: 1.2, facts: {bark.trigger: ANSWER}}
      - name: lost
        when: bark.trigger == LOSE and random.d6 > 2
        say: lost.1
  guard.answers:
    rules:
      - {name: yes, do: [{play: nod}]}
lines:
  lost.1: {en: "Where did {name} go?", de: "Wohin ist {name}?"}
"""


def faults(text: str, form: str = "yaml") -> list[str]:
    with pytest.raises(RuleFileError) as caught:
        parse_rules(text, form)
    return [str(fault) for fault in caught.value.faults]


def test_a_file_says_what_it_says() -> None:
    found = parse_rules(SAMPLE)
    door, lost = found.handlers["guard.barks"].rules
    assert door.conditions == (
        RuleCondition("bark.trigger", "==", "LOSE"),
        RuleCondition("place.kind", "==", "door"),
        RuleCondition("npc.health", "<", 0.5),
    )
    assert (door.priority, door.tier, door.line) == (2, 1, 12)
    assert door.remember == (Memory("npc.saw_door", True, 30.0),)
    assert door.then == FollowUp("guard.answers", "nearest", 1.2, {"bark.trigger": "ANSWER"})
    assert lost.conditions == (RuleCondition("bark.trigger", "==", "LOSE"), RuleCondition("random.d6", ">", 2))
    assert lost.actions == ("lost.1",)
    assert found.variables["random.d6"] == VariableSpec("random.d6", "int"), "dice need no declaration"
    assert found.handlers["guard.answers"].rules[0].actions == ({"play": "nod"},)
    assert (found.handlers["guard.barks"].order, found.handlers["guard.barks"].cooldown) == ("priority", 8.0)


def test_yaml_json_and_toml_say_the_same() -> None:
    text = """
[variables]
"npc.health" = "float"
[[handlers.barks.rules]]
name = "hurt"
when = ["npc.health < 0.5"]
say = ["Ow."]
"""
    plain = {
        "variables": {"npc.health": "float"},
        "handlers": {"barks": {"rules": [{"name": "hurt", "when": ["npc.health < 0.5"], "say": ["Ow."]}]}},
    }
    toml, from_json = parse_rules(text, "toml"), parse_rules(json.dumps(plain), "json")
    assert toml.variables == from_json.variables
    (one,), (other,) = toml.handlers["barks"].rules, from_json.handlers["barks"].rules
    assert (one.name, one.conditions, one.actions) == (other.name, other.conditions, other.actions)
    assert one.line == 4


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ("== LOSE\n", "== LOOSE\n", 14, "did you mean 'LOSE'"),
        ("npc.health < 0.5", "npc.helth < 0.5", 16, "did you mean 'npc.health'"),
        ("npc.health < 0.5", "npc.health =< 0.5", 16, "not a condition"),
        ("npc.health < 0.5", "npc.health < 1e999", 16, "finite"),
        ("tier: 1", "tier: 7", 19, "at most 3"),
        ("priority: 2", "prioritty: 2", 18, "unknown key 'prioritty'"),
        ("policy: shuffle repeat", "policy: shufle repeat", 9, "did you mean 'shuffle repeat'"),
        ("order: priority", "order: random", 8, "allowed: conditions, original, priority"),
        ("kind: str", "kind: text", 4, "allowed: bool, float, int, str"),
        ("say: lost.1", "say: lost.2", 24, "no line 'lost.2' (did you mean 'lost.1'?)"),
        ("Wohin ist {name}?", "Wohin ist {nam}?", 29, "use the same in both"),
        ("Wohin ist {name}?", "Wohin ist {?", 29, "lone '{'"),
        ("handler: guard.answers", "handler: guard.answer", 21, "did you mean 'guard.answers'"),
        ("{bark.trigger: ANSWER}", "{bark.trigger: ANSER}", 21, "did you mean 'ANSWER'"),
        ("{value: true, seconds: 30}", "{value: 3, seconds: 30}", 20, "true or false"),
        ("name: lost\n", "name: lost at a door\n", 22, "already used, in line 12"),
        ("  place.kind: str", "  npc.health: str", 4, "duplicate key 'npc.health'"),
    ],
)
def test_a_fault_names_line_and_what_is_allowed(old: str, new: str, line: int, words: str) -> None:
    assert old in SAMPLE
    found = faults(SAMPLE.replace(old, new, 1))
    assert any(fault.startswith(f"rules:{line}: ") and words in fault for fault in found), found


@pytest.mark.parametrize(
    "when",
    ['["s == door and b"]', '["s == door and not b"]', '["s == it\'s and b"]', "s == it's and b", '["s == x AND b"]'],
)
def test_a_second_condition_behind_and_is_refused(when: str) -> None:
    head = "variables: {s: str, b: bool}\nhandlers:\n  h:\n    rules:\n"
    (fault,) = faults(f"{head}    - name: r\n      when: {when}\n      say: x\n")
    assert fault.startswith("rules:6: rule 'r' of h: ")
    assert "conditions as a list" in fault


def test_text_with_and_stands_in_quotes() -> None:
    rules = parse_rules("variables: {s: str}\nhandlers: {h: {rules: [{name: r, when: [\"s == 'salt and pepper'\"]}]}}")
    assert rules.handlers["h"].rules[0].conditions == (RuleCondition("s", "==", "salt and pepper"),)


def test_all_faults_come_at_once() -> None:
    broken = SAMPLE.replace("npc.health <", "npc.helth <").replace("random.d6 >", "place.kind >").replace("yes,", "3,")
    assert [fault.split(": ")[0] for fault in faults(broken)] == ["rules:16", "rules:23", "rules:27"]


def test_all_faults_of_a_rule_come_at_once() -> None:
    broken = SAMPLE.replace("npc.health <", "npc.helth <").replace("priority: 2", "prioritty: 2")
    broken = broken.replace("tier: 1", "tier: 7").replace("after: 1.2", "after: soon")
    assert [fault.split(": ")[0] for fault in faults(broken)] == [f"rules:{line}" for line in (16, 18, 19, 21)]


def test_a_variable_declared_wrongly_is_reported_once() -> None:
    assert len(faults(SAMPLE.replace("place.kind: str", "place.kind: text"))) == 1


def test_files_of_a_folder_are_one_database(tmp_path: Path) -> None:
    (tmp_path / "more").mkdir()
    (tmp_path / "variables.yaml").write_text("variables: {npc.health: float}\n", encoding="utf-8")
    (tmp_path / "more" / "barks.json").write_text(
        '{"handlers": {"barks": {"rules": [{"name": "hurt", "when": ["npc.health < 1"]}]}}}', encoding="utf-8"
    )
    (tmp_path / ".hidden.yaml").write_text("nonsense", encoding="utf-8")
    (tmp_path / "rules.schema.json").write_text("{}", encoding="utf-8")
    found = read_rules(tmp_path)
    assert list(found.handlers) == ["barks"]
    assert found.handlers["barks"].rules[0].source == str(tmp_path / "more" / "barks.json")


def test_a_file_is_read_once_however_it_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("variables: {npc.health: float}\n", encoding="utf-8")
    ways = (tmp_path, f"{tmp_path}/a.yaml", f"{tmp_path}/./a.yaml", f"{tmp_path}/../{tmp_path.name}/a.yaml")
    assert list(read_rules(*ways).variables) == ["npc.health"]


def test_a_name_in_two_files_is_reported_with_both(tmp_path: Path) -> None:
    for name in ("one.yaml", "two.yaml"):
        (tmp_path / name).write_text("variables:\n  npc.health: float\n", encoding="utf-8")
    with pytest.raises(RuleFileError, match=r"two\.yaml:2: .*npc\.health.*already exists, at .*one\.yaml:2"):
        read_rules(tmp_path)


@pytest.mark.parametrize("name", ["absent", "absent.yaml", "."])
def test_what_is_not_there_is_said(name: str, tmp_path: Path) -> None:
    with pytest.raises(RuleFileError):
        read_rules(tmp_path / name)


def test_follow_ups_that_go_round_are_refused() -> None:
    text = """
variables:
  trigger: {enum: [ASK, ANSWER]}
handlers:
  talk:
    rules:
      - {name: ask, when: [trigger == ASK], then: {handler: talk, facts: {trigger: ANSWER}}}
      - {name: answer, when: [trigger == ANSWER], then: {handler: talk, facts: {trigger: ASK}}}
"""
    (fault,) = faults(text)
    assert "'ask' → 'answer' → 'ask'" in fault
    assert parse_rules(text.replace(", then: {handler: talk, facts: {trigger: ASK}}", "")).handlers["talk"].rules


def test_lines_are_spoken_in_a_language_with_names() -> None:
    lines = parse_rules(SAMPLE).lines
    assert spoken("lost.1", lines, {"name": "Ada"}) == "Where did Ada go?"
    assert spoken("lost.1", lines, {"name": "Ada"}, language="de-AT") == "Wohin ist Ada?"
    assert spoken("lost.1", lines, {"name": "Ada"}, language="fr") == "Where did Ada go?"
    assert spoken("Just {{this}}.", lines) == "Just {this}."
    with pytest.raises(RuleError, match="did you mean 'nam'"):
        spoken("lost.1", lines, {"nam": "Ada"})
    assert placeholders("{a} and {b} and {a}") == ("a", "b")


@given(st.data())
def test_damaged_files_stay_within_rule_error(data: st.DataObject) -> None:
    text = SAMPLE
    for _ in range(data.draw(st.integers(1, 4))):
        low = data.draw(st.integers(0, len(text)))
        high = min(len(text), low + data.draw(st.integers(0, 30)))
        middle = data.draw(
            st.sampled_from(["", ":", "- ", "{", "]", "\n", "'", "null", "[]", "*a", "&a ", "0x", "1e400"])
        )
        text = text[:low] + middle + text[high:]
    with contextlib.suppress(RuleError):
        assert isinstance(parse_rules(text), Database)


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
RULE_KEYS = ("when", "say", "do", "remember", "then", "priority", "cooldown")
RULES = st.lists(
    PLAIN | st.fixed_dictionaries({"name": st.text(max_size=4)}, optional=dict.fromkeys(RULE_KEYS, PLAIN)), max_size=3
)
SHAPED = st.fixed_dictionaries(
    {},
    optional={
        "variables": PLAIN | st.dictionaries(st.sampled_from(["a", "b.c"]), PLAIN | st.just("int"), max_size=2),
        "handlers": PLAIN | st.fixed_dictionaries({"h": PLAIN | st.fixed_dictionaries({"rules": RULES})}),
        "lines": PLAIN,
    },
)


@given(SHAPED)
def test_any_values_stay_within_our_errors(value: object) -> None:
    with contextlib.suppress(LastSeenError):
        assert isinstance(parse_rules(json.dumps(value), "json"), Database)


def test_dice_are_checked_where_they_are_declared_or_asked_for() -> None:
    text = """
    variables: {random.mood: {enum: [A, B]}, random.unit: int, random.d4: str, random.d6: int}
    handlers:
      h:
        rules:
          - {name: a, when: random.foo > 2, say: x}
          - {name: b, when: random.d8 > 2 and random.d6 > 2 and random.mood == A, say: x}
          - {name: c, when: random.unti < 0.5, say: x}
    """
    with pytest.raises(RuleFileError) as found:
        parse_rules(text)
    faults = [(fault.rule, fault.line, fault.what) for fault in found.value.faults]
    assert [(rule, line) for rule, line, _ in faults] == [("", 2), ("", 2), ("", 2), ("a", 6), ("c", 8)]
    assert "no variable 'random.mood'" in faults[0][2]
    assert "random.unit is a random number, not int" in faults[1][2]
    assert "did you mean 'random.unit'" in faults[4][2]
