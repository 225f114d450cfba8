"""Revision of rule files: unchanged parts keep their bytes, and rules keep their comments when they move."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lastseen.agents.rules.files.read import parse_rules
from lastseen.agents.rules.files.revision import revise_rules
from lastseen.agents.rules.files.yaml_edit import set_value
from lastseen.agents.rules.shipped_rules import shipped_rules_folder
from lastseen.errors import RuleError
from lastseen.textfile import parse

TEXT = """\
# Barks of the night watch.
variables:
  npc.health: float   # 0 … 1
handlers:
  barks:
    order: original
    rules:
      # one: the worst first
      - name: one   # said rarely
        when: [npc.health < 0.50]
        say: Ouch.
      # two
      - name: two
        cooldown: 1.0   # a second
        say: ["Hm.", 'Well.']

      # three
      - name: three
        say: Fine.
  # nobody says anything here yet
  silence: {rules: []}
"""


def plain(text: str = TEXT) -> Any:
    return parse(text, "yaml").value


def test_the_same_values_give_the_same_bytes_and_numbers_keep_their_form():
    value = plain()
    value["handlers"]["barks"]["rules"][1]["cooldown"] = 1  # as a page sends it
    assert revise_rules(TEXT, value, {"barks": [0, 1, 2], "silence": []}) == TEXT


def test_rules_move_with_their_comments_and_only_changed_ones_are_written():
    value = plain()
    rules = value["handlers"]["barks"]["rules"]
    new = {"name": "four", "when": ["npc.health > 0.9"], "say": "Splendid!"}
    value["handlers"]["barks"]["rules"] = [rules[2], new, {**rules[0], "priority": 2}, rules[1]]
    text = revise_rules(TEXT, value, {"barks": [2, None, 0, 1]})
    assert plain(text) == value
    assert text.index("# three") < text.index("name: three") < text.index("name: four") < text.index("# one: the")
    assert "name: one   # said rarely\n        when: [npc.health < 0.50]\n" in text
    assert "cooldown: 1.0   # a second\n        say: [\"Hm.\", 'Well.']" in text
    assert text.startswith(TEXT[: TEXT.index("      # one")])
    assert "# nobody says anything here yet" in text


def test_rules_are_taken_out_and_put_where_there_were_none():
    value = plain()
    rules = value["handlers"]["barks"]["rules"]
    value["handlers"]["silence"]["rules"] = [rules[0]]
    value["handlers"]["barks"]["rules"] = [rules[2]]
    value["lines"] = {"a.b": {"en": "Who?", "de": "Wer?"}}
    text = revise_rules(TEXT, value, {"barks": [2], "silence": [None]})
    assert plain(text) == value
    assert text.count("# three\n      - name: three") == 1
    assert "\nlines:\n  a.b: {en:" in text
    assert list(parse_rules(text).handlers) == ["barks", "silence"]


AWAY = """\
handlers:
  one:
    rules:
      # keep me: a is for the boss
      - name: a   # trailing a
        when: b   # why b
        say: [x, "y"]  # lines
      # of z
      - name: z
        say: 'q'
  two:
    # about two
    rules:
        - name: c
          say: c
  three: {rules: []}
"""
BOSS = """\
        # keep me: a is for the boss
        - name: a   # trailing a
          when: b   # why b
          say: [x, "y"]  # lines
"""


@pytest.mark.parametrize("to", ["two", "three"])
def test_a_rule_takes_its_comments_and_quotes_to_another_handler_and_back(to):
    value = plain(AWAY)
    handlers = value["handlers"]
    gone = handlers["one"]["rules"].pop(0)
    at = len(handlers[to]["rules"])
    handlers[to]["rules"].append(gone)
    text = revise_rules(AWAY, value, {"one": [1], "two": [0], "three": [], to: [*range(at), ("", "one", 0)]})
    assert plain(text) == value
    assert text.replace(" ", "").count(BOSS.replace(" ", "")) == 1
    assert "    rules:\n      # of z\n      - name: z\n        say: 'q'\n" in text
    if to == "two":
        assert text.count(BOSS) == 1
        assert text.index("name: c") < text.index("# keep me")
        assert text == AWAY.replace(AWAY[AWAY.index("      # keep") : AWAY.index("      # of z")], "").replace(
            "          say: c\n", "          say: c\n" + BOSS
        )
    back = revise_rules(text, plain(AWAY), {"one": [("", to, at), 0], "two": [0], "three": []})
    assert plain(back) == plain(AWAY)
    if to == "two":
        assert back == AWAY


def test_the_last_rule_of_a_handler_goes_to_another_file_changed_with_its_comments():
    other = "handlers:\n  four:\n    rules:\n    # for c\n    - {name: d, say: d}   # d\n"
    value = plain(AWAY)
    value["handlers"]["two"]["rules"].insert(0, {"name": "d", "say": "changed"})
    text = revise_rules(AWAY, value, {"one": [0, 1], "two": [("x.yaml", "four", 0), 0]}, others={"x.yaml": other})
    assert plain(text) == value
    assert "        # for c\n        - {name: d, say: changed}   # d\n        - name: c\n" in text
    left = revise_rules(other, {"handlers": {"four": {"rules": []}}}, {"four": []}, left=[("four", 0)])
    assert plain(left) == {"handlers": {"four": {"rules": []}}}
    assert "# for c" not in left
    # The text it comes from is not given, so it is written again.
    assert plain(revise_rules(AWAY, value, {"one": [0, 1], "two": [("x.yaml", "four", 0), 0]})) == value
    with pytest.raises(RuleError, match="missing place"):
        revise_rules(AWAY, value, {"one": [0, 1], "two": [("", "one", 7), 0]})


def test_a_rule_that_founds_a_handler_takes_its_comments_along():
    other = "handlers:\n  four:\n    rules:\n    # for d\n    - name: d   # the last\n      say: d\n"
    value = plain(AWAY)
    value["handlers"]["fresh"] = {"rules": [{"name": "new", "say": "n"}, {"name": "d", "say": "d"}]}
    origins = {"one": [0, 1], "two": [0], "fresh": [None, ("x.yaml", "four", 0)]}
    text = revise_rules(AWAY, value, origins, others={"x.yaml": other})
    assert plain(text) == value
    assert "# for d\n" in text
    assert "- name: d   # the last\n" in text


def test_parts_that_were_not_there_are_added():
    value = {
        "variables": {"a.b": "int"},
        "handlers": {"h i": {"rules": [{"name": "x", "when": "a.b > 1", "say": "y"}]}},
    }
    text = revise_rules("# mine\nvariables: {a.b: int}", {**value, "lines": {}}, {"h i": [None]})
    assert plain(text) == value
    assert text.startswith("# mine\n")
    assert "      - name: x\n" in text


@pytest.mark.parametrize("places", [[0, 1], [0, 1, 1], [0, 1, 3], [0, 1, -1]])
def test_origins_that_do_not_fit_are_refused(places):
    with pytest.raises(RuleError, match="do not come from this text"):
        revise_rules(TEXT, plain(), {"barks": places})


def test_rules_behind_an_alias_are_not_changed_by_halves():
    text = "handlers:\n  a: &same\n    rules:\n      - {name: x, say: y}\n  b: *same\n"
    value = plain(text)
    value["handlers"]["b"] = {"rules": [{"name": "z", "say": "y"}]}
    with pytest.raises(RuleError, match="by hand"):
        revise_rules(text, value, {"a": [0], "b": [0]})


SAMPLE = (shipped_rules_folder("guards") / "body.yaml").read_text()
HANDLER = "guard.barks.body"
COUNT = len(plain(SAMPLE)["handlers"][HANDLER]["rules"])


@settings(max_examples=25)
@given(st.permutations(range(COUNT)), st.sets(st.integers(0, COUNT - 1), max_size=5), st.data())
def test_any_new_order_says_what_was_wanted(order, gone, data):
    value = plain(SAMPLE)
    old = value["handlers"][HANDLER]["rules"]
    places: list[int | None] = [place for place in order if place not in gone]
    for number in range(data.draw(st.integers(0, 3))):
        places.insert(data.draw(st.integers(0, len(places))), None)
        assert number < 3
    changed = data.draw(st.sets(st.sampled_from([one for one in places if one is not None]), max_size=3))
    rules = [
        {"name": f"new {at}", "say": "é: # no comment"} if place is None
        else {**copy.deepcopy(old[place]), **({"priority": 77} if place in changed else {})}
        for at, place in enumerate(places)
    ]  # fmt: skip
    value["handlers"][HANDLER]["rules"] = rules
    text = revise_rules(SAMPLE, value, {HANDLER: places})
    assert plain(text) == value
    assert text.splitlines()[0] == SAMPLE.splitlines()[0]


def test_the_last_rule_leaves_brackets_beside_the_key_and_no_comment_twice() -> None:
    text = """\
handlers:
  from:
    order: priority
    rules:  # of the night
      # about a
      - name: a
        say: A.  # softly
  to:
    rules:
      - name: b  # first
        say: B.
"""
    new = parse(text, "yaml").value
    (rule,) = new["handlers"]["from"]["rules"]
    new["handlers"]["from"]["rules"] = []
    new["handlers"]["to"]["rules"].append(rule)
    moved = revise_rules(text, new, {"from": [], "to": [0, ("", "from", 0)]})
    assert (
        moved
        == """\
handlers:
  from:
    order: priority
    rules: []  # of the night
  to:
    rules:
      - name: b  # first
        say: B.
      # about a
      - name: a
        say: A.  # softly
"""
    )
    # Deleted rules leave the comments between them.
    new["handlers"]["to"]["rules"] = []
    emptied = revise_rules(moved, new, {"from": [], "to": []})
    assert emptied.endswith("  to:\n    rules: []\n      # about a\n")
    assert set_value(moved, ("handlers", "to", "rules"), []) == emptied
