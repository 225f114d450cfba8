"""Conversion of rules between formats loses nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastseen.agents.rules.files.convert import convert_rules, rules_text
from lastseen.agents.rules.files.read import parse_rules, read_rules
from lastseen.agents.rules.language.faults import RuleFileError
from lastseen.agents.rules.shipped_rules import shipped_rules_folder
from lastseen.errors import RuleError
from lastseen.textfile import parse

WATCH = """\
variables:
  npc.health: float   # 0 … 1
  bark.trigger: {enum: [LOSE, "no"], about: what happened}
  npc.armed: {type: bool}
handlers:
  guard.barks:
    about: Of the night watch.
    order: priority
    policy: shuffle repeat
    cooldown: 8
    rules:
      - name: hurt
        when: npc.health < 0.5 and bark.trigger == LOSE
        say: [lost.1, "Not good."]
        about: |
          Said rarely.
          Never twice.
        priority: 0
        cooldown: 0.0
        remember: {npc.armed: {value: true, seconds: 30}}
        then: {handler: guard.answers, facts: {bark.trigger: LOSE}}
"""
MORE = """\
handlers:
  guard.answers:
    about: light
    rules:
      - {name: wave, do: wave, tier: 2, remember: {npc.armed: false}}
      - {name: walk, do: [{to: door, speed: 1.0, steps: 1, loud: false}, []], policy: sequence once}
  guard.nothing: {rules: []}
lines:
  lost.1: {en: "Where did {name} go?", de: "Wohin ist {name}?"}
  lost.2: Hm.
"""


def exact(value: Any) -> str:
    """Return values so that 1, 1.0 and true differ and the order of keys does not matter."""
    return json.dumps(value, sort_keys=True)


def round_trip(plain: dict[str, Any]) -> dict[str, Any]:
    """Return the values after conversion to YAML, TOML, JSON and YAML again."""
    for form in ("yaml", "toml", "json", "yaml"):
        plain = parse(rules_text(plain, form), form).value
    return plain


def test_files_keep_everything_on_the_way_through_all_forms(tmp_path: Path) -> None:
    (tmp_path / "watch").mkdir()
    (tmp_path / "watch" / "barks.yaml").write_text(WATCH)
    (tmp_path / "watch" / "more.yml").write_text(MORE)
    one, other = (parse(text, "yaml").value for text in (WATCH, MORE))
    whole = one | other | {"handlers": one["handlers"] | other["handlers"]}
    before = tmp_path / "watch"
    for name in ("all.toml", "all.json", "all.yaml"):
        convert_rules([before], tmp_path / name)
        before = tmp_path / name
        assert exact(parse(before.read_text(), before.suffix[1:]).value) == exact(whole), name
    assert list(read_rules(before).handlers) == ["guard.barks", "guard.answers", "guard.nothing"]


def test_shipped_rules_keep_everything() -> None:
    plain = parse((shipped_rules_folder("guards") / "lose.yaml").read_text(encoding="utf-8"), "yaml").value
    assert "about" in exact(plain["handlers"])
    assert exact(round_trip(plain)) == exact(plain)


def test_nothing_under_a_long_name_is_written() -> None:
    plain = {"lines": {"a" * 120: {}}, "handlers": {"b" * 120: {"rules": [{"name": "c", "do": {"d" * 120: []}}]}}}
    assert round_trip(plain) == plain


TEXTS = st.text(st.characters(codec="utf-8"), max_size=9) | st.sampled_from(
    [
        "no",
        "1e5",
        "- a",
        "a: b",
        "#",
        "~",
        " x",
        'q"q',
        "a\nb",
        "\\",
        "\x7f",
        "\r",
        "'''",
        '"""',
        "[a]",
        "a = b",
        "{",
        "a" * 120,
    ]
)
NUMBERS = st.integers(-(10**20), 10**20) | st.floats(allow_nan=False, allow_infinity=False)
DATA = st.recursive(
    st.booleans() | NUMBERS | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)
RULES = st.fixed_dictionaries(
    {"name": TEXTS.filter(bool)},
    optional={
        "when": st.sampled_from(["v", "not v", ["v", "e == no"], []]),
        "do": DATA,
        "policy": st.just("shuffle once"),
        "priority": st.integers(-3, 3),
        "cooldown": st.integers(0, 3) | st.floats(0.0, 1e9),
        "tier": st.integers(0, 3),
        "remember": st.sampled_from([{}, {"v": True}, {"v": {"value": False, "seconds": 2}}]),
        "then": st.just({"handler": "h", "facts": {"v": True}}),
        "about": TEXTS,
    },
)
HANDLERS = st.fixed_dictionaries(
    {},
    optional={
        "rules": st.lists(RULES, max_size=3, unique_by=lambda rule: rule["name"]),
        "order": st.just("conditions"),
        "cooldown": st.floats(0.0, 1e9),
        "about": TEXTS,
    },
)
FILES = st.fixed_dictionaries(
    {},
    optional={
        "variables": st.just({"v": "bool", "e": {"enum": ["no", "1"], "about": "x: y"}, "w.x": {"type": "int"}}),
        "handlers": st.dictionaries(TEXTS, HANDLERS, max_size=2),
        "lines": st.dictionaries(TEXTS, TEXTS | st.dictionaries(TEXTS, TEXTS, max_size=2), max_size=2),
    },
)


@given(FILES)
def test_any_rules_are_the_same_after_yaml_toml_json_and_yaml(plain: dict[str, Any]) -> None:
    assert exact(round_trip(plain)) == exact(plain)


def test_what_is_nothing_is_left_out_of_toml_where_it_means_nothing_and_refused_where_it_is_data() -> None:
    rule = {"name": "a", "say": None, "policy": None, "then": None}
    plain = {"variables": {"v": {"type": "bool", "enum": None}}, "handlers": {"h": {"rules": [rule]}}}
    for form in ("yaml", "json"):
        assert exact(parse(rules_text(plain, form), form).value) == exact(plain)
    told = rules_text(plain, "toml")
    assert parse(told, "toml").value == {
        "variables": {"v": {"type": "bool"}},
        "handlers": {"h": {"rules": [{"name": "a"}]}},
    }
    assert parse_rules(told, "toml").handlers["h"].rules[0].actions == ()
    rule["do"] = ["wave", {"with": None}]
    with pytest.raises(RuleError, match=r"handlers / h / a / do contains null.*\.yaml or \.json"):
        rules_text(plain, "toml")


def test_nothing_is_written_of_rules_with_faults_or_to_a_file_of_no_form(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.yaml", tmp_path / "bad.yaml"
    good.write_text(MORE.replace("remember: {npc.armed: false}", "priority: 1"))
    bad.write_text("handlers: {h: {rules: [{name: a, whem: x}]}, guard.answers: {}}")
    with pytest.raises(RuleFileError) as caught:
        convert_rules([good, bad], tmp_path / "all.toml")
    assert {fault.kind for fault in caught.value.faults} == {"form", "duplicate"}
    with pytest.raises(RuleError, match=r"use \.yaml, \.toml or \.json"):
        convert_rules([good], tmp_path / "all.txt")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bad.yaml", "good.yaml"]


def test_more_than_one_file_can_hold_is_not_written() -> None:
    many = {"lines": {f"l.{number}": "x" * 1000 for number in range(9000)}}
    with pytest.raises(RuleError, match="convert fewer files at once"):
        rules_text(many, "json")
