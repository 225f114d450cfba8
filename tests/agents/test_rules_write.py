"""Rules written to text: single edits keep every other byte, and written rules are read back unchanged."""

from __future__ import annotations

import contextlib
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastseen.agents.rules.files.convert import rules_text
from lastseen.agents.rules.files.read import parse_rules
from lastseen.agents.rules.files.rule_edits import move_rule, replace_rule, rule_as_plain
from lastseen.agents.rules.files.yaml_edit import set_value
from lastseen.agents.rules.language.rule import FollowUp, Memory, Rule, RuleCondition
from lastseen.errors import LastSeenError, RuleError
from lastseen.textfile import parse

TEXT = """\
# Barks of the night watch.
variables:
  npc.health: float   # 0 … 1
handlers:
  barks:
    order: original
    rules:
      # the worst first
      - name: hurt   # said rarely
        when: [npc.health < 0.5]
        say:
          - "Ow."    # short
          - Not good.

      - name: fine
        when: [npc.health > 0.9]   # nearly unhurt
        say: ['All quiet.']
      # and whatever else
      - {name: other, say: Hm}
lines:
  a.1: {en: Hello}
"""


def names(text: str) -> list[str]:
    return [rule.name for rule in parse_rules(text).handlers["barks"].rules]


def test_one_changed_key_changes_its_bytes_only() -> None:
    rule = parse(TEXT, "yaml").value["handlers"]["barks"]["rules"][1]
    new = replace_rule(TEXT, "barks", "fine", rule | {"when": ["npc.health > 0.8"]})
    assert new == TEXT.replace("npc.health > 0.9", "npc.health > 0.8")
    rule = parse(TEXT, "yaml").value["handlers"]["barks"]["rules"][0]
    new = replace_rule(TEXT, "barks", "hurt", rule | {"say": ["Ow.", "Bad."]})
    assert new == TEXT.replace("Not good.", "Bad.")


def test_keys_come_and_go() -> None:
    rule = parse(TEXT, "yaml").value["handlers"]["barks"]["rules"][1]
    more = replace_rule(TEXT, "barks", "fine", rule | {"priority": 3, "then": {"handler": "barks", "after": 2}})
    assert more == TEXT.replace(
        "['All quiet.']\n", "['All quiet.']\n        priority: 3\n        then: {handler: barks, after: 2}\n"
    )
    assert replace_rule(more, "barks", "fine", rule) == TEXT
    without = {key: value for key, value in rule.items() if key != "when"}
    assert replace_rule(TEXT, "barks", "fine", without) == TEXT.replace(
        "        when: [npc.health > 0.9]   # nearly unhurt\n", ""
    )


def test_rules_are_moved() -> None:
    moved = move_rule(TEXT, "barks", "hurt", 1)
    assert names(moved) == ["fine", "hurt", "other"]
    assert sorted(moved.splitlines()) == sorted(TEXT.splitlines()), "every line is still there"
    assert moved.index("the worst first") > moved.index("nearly unhurt")
    assert move_rule(moved, "barks", "hurt", 0) == TEXT


def test_other_parts_are_edited_by_their_path() -> None:
    new = set_value(TEXT, ("variables", "npc.armed"), "bool")
    assert new == TEXT.replace("# 0 … 1\n", "# 0 … 1\n  npc.armed: bool\n")
    new = set_value(TEXT, ("handlers", "more"), {"order": "priority", "rules": [{"name": "a", "say": "b"}]})
    assert new == TEXT.replace(
        "say: Hm}\n", "say: Hm}\n  more:\n    order: priority\n    rules:\n      - name: a\n        say: b\n"
    )


def test_what_is_not_there_is_said() -> None:
    with pytest.raises(RuleError, match="did you mean 'hurt'"):
        replace_rule(TEXT, "barks", "hurtt", {"name": "x"})
    with pytest.raises(RuleError, match="did you mean 'barks'"):
        move_rule(TEXT, "bark", "hurt", 0)


def test_what_stands_behind_an_alias_is_left_to_its_author() -> None:
    text = "handlers:\n  h:\n    rules:\n      - {name: a, say: &s [x]}\n      - {name: b, say: *s}\n"
    with pytest.raises(RuleError, match="by hand"):
        replace_rule(text, "h", "a", {"name": "a", "say": ["y"]})


TEXTS = st.text(st.characters(codec="utf-8"), max_size=12)
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**6), 10**6)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXTS
    | st.sampled_from(["no", "0x1", "1e5", "- a", "a: b", "#", "~", " x", "x ", "a\nb", "null", "12:30"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)


@given(st.sampled_from(["hurt", "fine", "other"]), VALUES, st.sampled_from(["say", "do", "name", "x y"]))
def test_any_value_is_written_so_that_it_is_read_again(name: str, value: Any, key: str) -> None:
    place = names(TEXT).index(name)
    rule = parse(TEXT, "yaml").value["handlers"]["barks"]["rules"][place]
    new = set_value(TEXT, ("handlers", "barks", "rules", place), rule | {key: value})
    assert parse(new, "yaml").value["handlers"]["barks"]["rules"][place] == rule | {key: value}
    for comment in ("# Barks", "# 0 … 1", "# the worst first", "# and whatever else"):
        assert comment in new


PATHS = st.sampled_from([(), ("variables",), ("handlers", "barks", "rules"), ("handlers", "barks", "rules", 0, "say")])


@given(st.data())
def test_an_edit_of_any_text_says_what_was_wanted_or_changes_nothing(data: st.DataObject) -> None:
    text = TEXT
    for _ in range(data.draw(st.integers(0, 3))):
        low = data.draw(st.integers(0, len(text)))
        cut = data.draw(st.integers(0, 20))
        text = text[:low] + data.draw(st.sampled_from(["", "\n", "- ", "|\n", "# ", "'"])) + text[low + cut :]
    path = data.draw(PATHS)
    with contextlib.suppress(LastSeenError):
        new = set_value(text, path, data.draw(VALUES))
        assert parse(new, "yaml") is not None


CONSTANTS = st.sampled_from(["a", "true", "it's", "two words", "x-1", "3", "Ä"]) | st.floats(-5, 5) | st.booleans()
RULES = st.builds(
    Rule,
    TEXTS.filter(bool),
    st.lists(st.builds(RuleCondition, st.just("v"), st.sampled_from(["==", "<"]), CONSTANTS), max_size=2).map(tuple),
    st.lists(TEXTS.filter(lambda text: "{" not in text and "}" not in text), max_size=2).map(tuple),
    st.none() | st.just("shuffle once"),
    st.integers(-3, 3),
    st.none() | st.floats(0, 9),
    st.integers(0, 3),
    st.sampled_from([(), (Memory("v", True, 2.0),)]),
    st.none() | st.just(FollowUp("h2", facts={"v": True})),
)


@given(st.lists(RULES, max_size=3, unique_by=lambda rule: rule.name))
def test_rules_are_written_and_read_unchanged(rules: list[Rule]) -> None:
    kinds = {bool: "bool", float: "float", str: "str"}
    fixed = [
        msgspec.structs.replace(
            rule,
            conditions=tuple(
                RuleCondition(kinds[type(one.constant)], one.operator if kinds[type(one.constant)] == "float" else "==",
                          one.constant) for one in rule.conditions),
        )
        for rule in rules
    ]  # fmt: skip
    plain = {
        "variables": {name: name for name in kinds.values()} | {"v": {"type": "bool", "about": "x: y"}},
        "handlers": {"h 1": {"rules": [rule_as_plain(rule) for rule in fixed]}, "h2": {}},
    }
    again = parse_rules(rules_text(plain, "yaml")).handlers["h 1"].rules
    assert [msgspec.structs.replace(rule, source="", line=0) for rule in again] == fixed


@pytest.mark.parametrize(
    ("new", "words"),
    [
        ({"name": "fine"}, "'barks' already has a rule 'fine'"),
        ({"nam": "x"}, "unknown key 'nam'"),
        ({"say": "x"}, "name"),
        ({"name": "x", "policy": "shufle"}, "policy"),
    ],
)
def test_a_rule_that_is_none_or_has_the_name_of_another_is_not_written(new: dict[str, Any], words: str) -> None:
    with pytest.raises(RuleError, match=words):
        replace_rule(TEXT, "barks", "hurt", new)
