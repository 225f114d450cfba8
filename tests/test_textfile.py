"""Safe reading of YAML, JSON and TOML: values, lines, and faults that say where they stand."""

import contextlib
import json
import tomllib
from typing import Annotated, Literal

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lastseen.errors import InputError
from lastseen.textfile import Document, TextFileError, convert, parse, read
from lastseen.textforms import MOST_DEPTH

YAML = """\
name: guard   # a comment
terms:
  - kind: far
    weight: 2.5
  - {kind: near, from: [1, 2]}
text: |
  two
  lines
on: no
time: 12:30
"""
JSON = """{
\t"name": "guard",
\t"terms": [
\t\t{"kind": "far",
\t\t "weight": 2.5},
\t\t{"kind": "near", "from": [1, 2]}
\t],
\t"text": "two\\nlines\\n", "on": "no", "time": "12:30"
}"""
TOML = """\
name = "guard"
text = \"\"\"
two
lines
\"\"\"   # [not] = a header
on = 'no'
time = "12:30"

[[terms]]
kind = "far"
weight = 2.5
[[terms]]
kind = "near"
from = [
  1,
  2,
]
"""
VALUE = {
    "name": "guard",
    "terms": [{"kind": "far", "weight": 2.5}, {"kind": "near", "from": [1, 2]}],
    "text": "two\nlines\n",
    "on": "no",
    "time": "12:30",
}


@pytest.mark.parametrize(
    ("form", "text", "lines"),
    [("yaml", YAML, (1, 4, 5, 9)), ("json", JSON, (2, 5, 6, 8)), ("toml", TOML, (1, 11, 14, 6))],
)
def test_the_three_forms_say_the_same_and_know_their_lines(form, text, lines):
    document = parse(text, form)
    assert document.value == VALUE
    paths = (("name",), ("terms", 0, "weight"), ("terms", 1, "from", 1), ("on",))
    assert tuple(document.line(path) for path in paths) == lines
    assert document.line(("terms", 0, "weight", "deeper")) == lines[1]


@pytest.mark.parametrize(
    ("form", "text", "line", "words"),
    [
        ("yaml", "", 1, "empty"),
        ("yaml", "a: 1\nb: [1, 2", 2, "invalid YAML"),
        ("yaml", "a:\n  - \"one\n  - \"two\"\nb: 1", 2, "a quote opens here and closes in line 3"),
        ("yaml", "a: 'long,\n  but closed'\nb: \"one\nc: 1\nd: 2", 3, "a quote opens here and is never closed"),
        ("yaml", "a: 'long,\n  but closed'\nb: [1, 2\nc: 1", 4, "check its indentation"),
        ("yaml", "a: 1\na: 2", 2, "duplicate key 'a'"),
        ("yaml", "a: 1\nb: !!python/object/apply:os.system [x]", 2, "is not supported"),
        ("yaml", "a: &x {b: 1}\nc:\n  <<: *x", 3, "merge keys"),
        ("yaml", "a: 1\n---\nb: 2", 2, "second document"),
        ("yaml", "a: &x [1, *x]", 1, "before &x ends"),
        ("yaml", "a: *x", 1, "x"),
        ("yaml", "a: 1\nb: .inf", 2, "not finite"),
        ("yaml", "a: 1\nb: 1e999", 2, "too large for a float"),
        ("yaml", "a: " + "9" * 5000, 1, "too many digits"),
        ("yaml", "[a]: 1", 1, "a key must be plain text"),
        ("yaml", "[" * (MOST_DEPTH + 5), 1, "deep"),
        ("json", "", 1, "Expecting value"),
        ("json", '{"a": 1,\n "a": 2}', 2, "duplicate key 'a'"),
        ("json", '{"a": 1,\n b}', 2, "Expecting property name"),
        ("json", '{"a": 1\n "b": 2}', 2, "Expecting ',' delimiter"),
        ("json", '[1,\n2] 3', 2, "Extra data"),
        ("json", '{"a"\n1}', 2, "Expecting ':' delimiter"),
        ("json", '["a\n"]', 1, "control character"),
        ("json", '["\\ud800"]', 1, "surrogates"),
        ("json", "[\nNaN]", 2, "not finite"),
        ("json", "[" * 100_000, 1, "deep"),
        ("toml", "a = 1\nb = ", 2, "invalid TOML"),
        ("toml", "a = 1\na = 2", 2, "invalid TOML"),
        ("toml", "a = 1\nb = 2026-01-01", 2, "date"),
        ("toml", "a = 1\n[b]\nc = [\n inf]", 3, "not finite"),
        ("toml", "a = " + "[" * 100_000, 1, "cannot be read"),
    ],
)  # fmt: skip
def test_faults_name_their_line(form, text, line, words):
    with pytest.raises(TextFileError) as caught:
        parse(text, form, source="file.x")
    assert caught.value.line == line, caught.value
    assert str(caught.value).startswith(f"file.x:{line}: ")
    assert words in str(caught.value)


def test_a_billion_laughs_are_refused_before_they_are_laughed():
    text = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n" + "".join(
        f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 12)
    )
    with pytest.raises(TextFileError, match="more than 200000 values"):
        parse(text, "yaml")


def test_an_alias_is_a_value_of_its_own():
    value = parse("a: &x [1, {b: 2}]\nc: *x", "yaml").value
    assert value["c"] == value["a"]
    assert value["c"] is not value["a"]


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("missing.yaml", None, "cannot be read"),
        ("query.txt", b"a: 1", "unknown file extension; use .yaml"),
        ("bytes.json", b'{"a":\n"\xff"}', "bytes.json:2: byte 7 is not UTF-8"),
        ("large.yaml", b"#" * 100, "larger than 50 bytes"),
    ],
)
def test_files_that_cannot_be_read_say_why(tmp_path, name, data, words):
    if data is not None:
        (tmp_path / name).write_bytes(data)
    with pytest.raises(TextFileError, match=words):
        read(tmp_path / name, most_bytes=50)


def test_a_file_with_a_byte_order_mark_is_read(tmp_path):
    (tmp_path / "a.toml").write_bytes(b"\xef\xbb\xbfa = 1\r\nb = 2\r\n")
    document = read(tmp_path / "a.toml")
    assert document.value == {"a": 1, "b": 2}
    assert document.line(("b",)) == 2


def test_an_unknown_form_is_refused():
    with pytest.raises(InputError, match="did you mean 'yaml'"):
        parse("a: 1", "yml")


class _Far(msgspec.Struct, tag="far", tag_field="kind", forbid_unknown_fields=True):
    weight: Annotated[float, msgspec.Meta(ge=0)] = 1.0


class _Near(msgspec.Struct, tag="near", tag_field="kind", forbid_unknown_fields=True, rename={"start": "from"}):
    start: tuple[float, float]
    how: Literal["straight", "walking"] = "straight"


class _Query(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    terms: list[_Far | _Near] = []


def test_a_document_becomes_structs():
    document = parse("name: a\nterms: [{kind: far, weight: 2}, {kind: near, from: [1, 2.5]}]", "yaml")
    assert convert(document, _Query) == _Query("a", [_Far(2.0), _Near((1.0, 2.5))])
    assert convert(document, _Far, ("terms", 0)) == _Far(2.0)


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("name: 3", 1, "name: expected text, got a whole number"),
        ("terms: []", 1, "the key 'name' is missing"),
        ("name: a\nterm: []", 2, "unknown key 'term' (did you mean 'terms'?); allowed: name, terms"),
        ("name: a\nterms:\n- kind: fare", 3, "unknown value 'fare' (did you mean 'far'?); allowed: far, near"),
        ("name: a\nterms:\n- kind: far\n  weigth: 2", 4, "(did you mean 'weight'?); allowed: kind, weight"),
        ("name: a\nterms:\n- kind: far\n  weight: -2", 4, "terms[1].weight: expected a number, at least 0"),
        ("name: a\nterms:\n- kind: near\n  from: [1, x]", 4, "terms[1].from[2]: expected a number, got text"),
        ("name: a\nterms:\n- kind: near\n  from: [1, 2]\n  how: walk", 5, "allowed: straight, walking"),
        ("name: a\nterms:\n- kind: near", 3, "the key 'from' is missing"),
        ("name: a\nterms: 3", 2, "terms: expected a list"),
    ],
)
def test_values_that_do_not_fit_name_line_key_and_what_is_allowed(text, line, words):
    with pytest.raises(TextFileError) as caught:
        convert(parse(text, "yaml", source="a.yaml"), _Query)
    assert caught.value.line == line
    assert words in str(caught.value)


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=("Cs",)), max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("abé.\n\t\" ", max_size=3), inner, max_size=3),
    max_leaves=10,
)  # fmt: skip


@given(PLAIN, st.sampled_from([None, 1, "\t"]))
def test_json_is_read_as_the_standard_library_reads_it(value, indent):
    text = json.dumps(value, indent=indent)
    document = parse(text, "json")
    assert document.value == json.loads(text) == value
    assert all(1 <= line <= text.count("\n") + 1 for line in document.lines.values())


def _outcome(text: str, form: str) -> Document | TextFileError:
    try:
        document = parse(text, form)
        with contextlib.suppress(TextFileError):
            convert(document, _Query)
    except TextFileError as error:
        return error
    return document


@given(
    st.text(st.sampled_from("ab:- \n[]{},\"'&*!#|>.0e\\\t=<"), max_size=60), st.sampled_from(["yaml", "json", "toml"])
)
@settings(max_examples=300)
def test_no_text_leaves_the_error_tree(text, form):
    found = _outcome(text, form)
    if isinstance(found, TextFileError):
        assert 1 <= found.line <= text.count("\n") + 1
    elif form == "toml":
        assert found.value == tomllib.loads(text)


@given(st.sampled_from([("yaml", YAML), ("json", JSON), ("toml", TOML)]), st.data())
@settings(max_examples=150)
def test_damaged_documents_stay_within_the_error_tree(sample, data):
    form, text = sample
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 10)))
    damaged = text[:start] + data.draw(st.text(max_size=4)) + text[end:]
    found = _outcome(damaged, form)
    assert found.line >= 1 if isinstance(found, TextFileError) else found.line() >= 1
