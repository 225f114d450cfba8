"""Query files: the three forms, the schema, and faults with their place and a suggestion."""

import json

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lastseen.errors import InputError
from lastseen.reasoning.locations.criteria import Distance, Seen
from lastseen.reasoning.locations.curve import Curve
from lastseen.reasoning.locations.query import (
    Pick,
    Query,
    parse_query,
    query_schema,
    read_query,
    shipped_queries,
    shipped_query,
)
from lastseen.textfile import TextFileError

YAML = """\
about: hide
criteria:
  - {measure: distance, to: asker, at_most: 20, curve: {linear: [20, 0]}}
  - {measure: seen, by: [[3, 4], [5, 6, 1]], at_most: 0}
combine: mean
pick: {count: 2, spacing: 3}
"""
TOML = """\
about = "hide"
combine = "mean"
pick = {count = 2, spacing = 3}
[[criteria]]
measure = "distance"
to = "asker"
at_most = 20
curve = {linear = [20, 0]}
[[criteria]]
measure = "seen"
by = [[3, 4, 0], [5, 6, 1]]
at_most = 0
"""
QUERY = Query(
    [Distance("asker", at_most=20, curve=Curve(linear=(20, 0))), Seen(((3, 4, 0), (5, 6, 1)), at_most=0)],
    combine="mean",
    pick=Pick(count=2, spacing=3),
    about="hide",
)


def test_three_forms_hold_the_same_query(tmp_path):
    toml = tmp_path / "query.toml"
    toml.write_text(TOML)
    assert read_query(toml) == parse_query(msgspec.json.encode(QUERY).decode(), "json") == QUERY
    # Points of two numbers lie on the ground floor; a list of both kinds is refused.
    assert parse_query(YAML.replace("[5, 6, 1]", "[5, 6]")).criteria[1].by == ((3, 4, 0), (5, 6, 0))
    with pytest.raises(TextFileError, match="query:4: "):
        parse_query(YAML)


@pytest.mark.parametrize("name", shipped_queries())
def test_shipped_queries_say_what_they_are_for_and_survive_writing(name):
    query = shipped_query(name)
    assert query.about
    assert parse_query(msgspec.json.encode(query).decode(), "json") == query


def test_an_unknown_shipped_query_is_refused():
    for name in ("panik", 3, "../panic"):
        with pytest.raises(InputError, match="no shipped query"):
            shipped_query(name)


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ("measure: distance", "measure: distanc", 3, "did you mean 'distance'?"),
        ("to: asker", "too: asker", 3, "did you mean 'to'?"),
        ("to: asker, ", "", 3, "the key 'to' is missing"),
        ("at_most: 20", "at_most: far", 3, "criteria[1].at_most: expected a number"),
        ("linear:", "liner:", 3, "did you mean 'linear'?"),
        ("[20, 0]", "[20, 20]", 3, "two different numbers"),
        ("[20, 0]", "[20]", 3, "criteria[1].curve.linear"),
        (", at_most: 0}", "}", 4, "neither drops nor scores"),
        ("by: [[3, 4], [5, 6, 1]]", "by: []", 4, ""),
        ("combine: mean", "combine: meen", 5, "did you mean 'mean'?"),
        ("count: 2", "count: 0", 6, "pick.count: expected a whole number, at least 1"),
        ("count: 2", "rule: bets", 6, "did you mean 'best'?"),
        ("about:", "abuot:", 1, "did you mean 'about'?"),
    ],
)
def test_faults_name_line_and_what_was_meant(old, new, line, words):
    text = YAML.replace("[[3, 4], [5, 6, 1]]", "threats") if "by:" not in old else YAML
    text = text.replace(old, new)
    if new == "by: []":
        assert parse_query(text).criteria[1].by == ()
        return
    with pytest.raises(TextFileError) as caught:
        parse_query(text, source="hide.yaml")
    assert str(caught.value).startswith(f"hide.yaml:{line}: "), caught.value
    assert words in str(caught.value)


def test_the_schema_explains_keys_in_one_line_each():
    parts = query_schema()["$defs"]
    assert parts["Curve"]["properties"]["linear"]["description"].startswith("(none, full): 0 at the first number")
    assert parts["Seen"]["properties"]["eye"]["description"].startswith("metres above the floor")
    assert parts["Seen"]["properties"]["weight"]["description"].startswith("0 … 1000")
    assert all("\n\n" not in part["description"] for part in parts.values())


def test_the_schema_names_every_measure_and_key():
    schema = json.dumps(query_schema())
    for word in (
        "distance",
        "path_clearance",
        "lead",
        "seen",
        "cover",
        "angle",
        "height",
        "crowd",
        "layer",
        "zone",
        "smoothstep",
        "spacing",
    ):
        assert f'"{word}"' in schema


@given(st.data())
@settings(max_examples=75)
def test_damaged_query_files_stay_within_the_error_tree(data):
    text = YAML.replace("[[3, 4], [5, 6, 1]]", "threats")
    start = data.draw(st.integers(0, len(text)))
    new = data.draw(
        st.sampled_from(["", "-1", "null", "1e999", "[]", "{}", ": ", "\n", "true", "asker", "9" * 400, '"'])
    )
    damaged = text[:start] + new + text[start + data.draw(st.integers(0, 6)) :]
    try:
        query = parse_query(damaged)
    except InputError:
        return
    assert isinstance(query, Query)


def test_all_faults_of_a_file_are_told_at_once():
    text = """criteria:
  - measure: distence
    to: asker
    at_most: 3
  - measure: seen
    by: guards
    at_most: "x"
  - {measure: distance, to: asker, at_most: 20}
pick: {rule: bset}
"""
    with pytest.raises(InputError) as caught:
        parse_query(text, source="bad.yaml")
    lines = str(caught.value).splitlines()
    assert [line.split(": ")[0] for line in lines] == ["bad.yaml:2", "bad.yaml:7", "bad.yaml:9"]
    assert "did you mean 'distance'" in lines[0]
    with pytest.raises(InputError) as caught:
        parse_query(text.replace("distence", "distance").replace('"x"', "1"), source="bad.yaml")
    assert len(str(caught.value).splitlines()) == 1
