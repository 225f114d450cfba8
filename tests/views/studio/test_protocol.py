"""The page against the protocol: what it sends, handles and reads is in the generated schema, and nothing else is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

import lastseen.views.studio
from lastseen.views.scene.signs import SIGNS
from lastseen.views.studio.protocol import greeting, replies, schema, tree_replies
from lastseen.views.studio.protocol.greeting import Hello, Vocabulary
from lastseen.views.studio.protocol.news import Status
from lastseen.views.studio.server.page_bundle import joined_modules, module
from lastseen.vocabulary.words import AgentMode, AgentState
from studio.server import Traffic

HOME = Path(lastseen.views.studio.__file__).parent
SCRIPTS = {name: text for name, text in joined_modules().items() if name != "panels/all.js"}
SCRIPTS |= {"replay/embedded.js": module("replay/embedded.js"), "replay/run.js": module("replay/run.js")}
CODE = "\n".join(file.read_text() for file in HOME.rglob("*.py") if file.name != "schema.py")
SCHEMA = schema.protocol_schema()
ANSWERED = {
    "openLevel": (replies.Drawing,),
    "checkLevel": (replies.Checked,),
    "saveLevel": (replies.SavedLevel, replies.Changed),
    "uploadLevel": (replies.Uploaded,),
    "openRules": (replies.OpenedRules,),
    "checkRules": (replies.CheckedRules,),
    "sortRules": (replies.SortedRules, replies.FaultyRules),
    "tryRules": (replies.WhyRules, replies.FaultyRules),
    "saveRules": (replies.SavedRules, replies.Changed),
    "openTree": (tree_replies.OpenedTree,),
    "checkTree": (tree_replies.CheckedTree,),
    "saveTree": (tree_replies.SavedTree, replies.Changed),
}
"""The answers of each request of the editors."""


def fields(*kinds: type) -> set[str]:
    """Return the members of messages as JSON has them, from the schema."""
    return {name for kind in kinds for name in SCHEMA["$defs"][kind.__name__]["properties"]}


def tags(kinds: tuple[type[msgspec.Struct], ...]) -> dict[str, type]:
    return {str(kind.__struct_config__.tag): kind for kind in kinds}


NEWS, MESSAGES, ANSWERS = tags(schema.socket_out()), tags(schema.socket_in()), tags(schema.ANSWERS)


def closed(text: str, start: int) -> str:
    """Return the text from an opening bracket to the one that closes it."""
    depth = 0
    for at in range(start, len(text)):
        depth += (text[at] in "([{") - (text[at] in ")]}")
        if depth == 0:
            return text[start : at + 1]
    raise AssertionError(f"never closed: {text[start : start + 80]}")


def members(literal: str) -> set[str]:
    """Return the keys of an object literal or pattern, without those it spreads or computes."""
    inner, parts, depth = literal[1:-1], [""], 0
    for letter in inner:
        depth += (letter in "([{") - (letter in ")]}")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    found = (re.match(r"\s*(\w+)\s*(?=[:=]|$)", part) for part in parts)
    return {one[1] for one in found if one}


def read_by(function: str) -> set[str]:
    """Return the members a function reads of its first parameter: destructured, or by name."""
    start = function.index("(") if "(" in function.split("=>")[0] else -1
    if start >= 0 and function[start + 1 :].lstrip().startswith("{"):
        return members(closed(function, function.index("{", start)))
    name = re.match(r"\(?\s*(\w+)", function[max(start, 0) :])
    if name is None:
        return set()
    taken = (members(one) for one in re.findall(rf"const (\{{[^=]*?\}}) = {name[1]};", function))
    return set(re.findall(rf"(?<![\w.]){name[1]}\??\.(\w+)", function)).union(*taken)


def handlers() -> Iterator[tuple[str, str, str]]:
    """Yield script, type and source of everything that handles a message of the socket."""
    for script, text in SCRIPTS.items():
        for found in re.finditer(r'on\("message ([\w ]+)", (?:async )?', text):
            call = closed(text, text.index("(", found.start()))
            function = call[found.end() - text.index("(", found.start()) : -1]
            if re.fullmatch(r"\w+", function):
                named = re.search(rf"function {function}(?=\()|const {function} = ", text)
                assert named, (script, function)
                function = function_at(text, named.end())
            yield script, found[1], function
            for method in re.findall(r"this\.(#\w+)\(\w+\)", function):
                yield script, found[1], function_at(text, text.index(f"\n  {method}(") + len(method) + 3)
        for kinds in re.findall(r"reads: \[([^\]]*)\]", text):
            for kind in re.findall(r'"([\w ]+)"', kinds):
                yield script, kind, function_at(text, text.index(f"\n  {kind}(") + len(kind) + 3)
    table = SCRIPTS["main.js"]
    table = closed(table, table.index("{", table.index("const TAKE")))
    for found in re.finditer(r"\n  (\w+)(?:: |(?=\())", table):
        yield "main.js", found[1], function_at(table, found.end())


def function_at(text: str, start: int) -> str:
    """Return parameters and body of a function that is written there."""
    end = min(at for at in (text.find("\n  }", start), text.find("\n}", start), text.find(",\n", start)) if at >= 0)
    return text[start:end]


HANDLERS = sorted(set(handlers()))


@pytest.mark.parametrize(("script", "kind", "source"), HANDLERS, ids=[" ".join(one[:2]) for one in HANDLERS])
def test_what_the_page_reads_of_a_message_is_in_it(script, kind, source):
    assert kind in NEWS, f"{script} handles {kind!r}, which the studio does not send"
    assert read_by(source) <= fields(NEWS[kind])


def test_every_message_is_handled_and_sent():
    assert {kind for _, kind, _ in HANDLERS} == set(NEWS)
    unsent = {kind.__name__ for kind in (*schema.socket_out(), *schema.ANSWERS) if f"{kind.__name__}(" not in _made()}
    assert unsent == set()


def _made() -> str:
    return re.sub(r"class \w+\(", "", CODE)


def sent() -> Iterator[tuple[str, str, set[str]]]:
    """Yield script, type and members of each message the page sends."""
    for script, text in SCRIPTS.items():
        for found in re.finditer(r'studio\.send\("(\w+)"(, \{)?', text):
            yield script, found[1], members(closed(text, found.end() - 1)) if found[2] else set()


def test_what_the_page_sends_is_read_and_what_is_read_is_sent():
    wrong = [(script, kind, more) for script, kind, more in sent() if not more <= fields(MESSAGES[kind])]
    assert wrong == []
    assert {kind for _, kind, _ in sent()} == set(MESSAGES)


def test_a_replay_speaks_the_same_protocol():
    text = SCRIPTS["replay/embedded.js"]
    made = re.finditer(r'\{\s*(?:\.\.\.[^{}]*?, )?type: "([\w ]+)"', text)
    for one in made:
        assert members(closed(text, one.start())) <= fields(NEWS[one[1]]), one[1]
    acts = closed(text, text.index("{", text.index("const ACTS")))
    answered = dict(re.findall(r"\n    (\w+)(?:: )?(\([^)]*\))", acts))
    assert set(answered) <= set(MESSAGES)
    for kind, parameters in answered.items():
        if "{" in parameters:
            assert members(parameters[1:-1]) <= fields(MESSAGES[kind]), kind
    head = re.search(r"const (\{[^}]*\}) = head;", SCRIPTS["replay/run.js"])
    assert head
    assert members(head[1]) <= fields(replies.ReplayHead)


@pytest.mark.parametrize(
    ("expression", "kind"),
    [
        (r"studio\.hello\??", Hello),
        (r"(?<![\w.#])hello\??", Hello),
        (r"studio\.status", Status),
        (r"vocabulary(?:\(\))?", Vocabulary),
        (r"(?<!const )rules\(\)", greeting.FileRules),
        (r"hello\??\.level", greeting.LevelDrawing),
        (r"hello\??\.cells", greeting.Cells),
        (r"hello\??\.fights", greeting.FightNotes),
    ],
)
def test_what_the_page_reads_of_what_it_keeps_is_in_the_schema(expression, kind):
    read = set()
    for text in SCRIPTS.values():
        read |= set(re.findall(rf"{expression}\.(\w+)", text))
        for found in re.finditer(rf"const (\{{[^=]*?\}}) = {expression};", text):
            read |= members(found[1])
    assert read
    assert read - {"js"} <= fields(kind)


@pytest.mark.parametrize("asked", ANSWERED)
def test_what_the_editors_read_of_an_answer_is_in_it(asked):
    known = fields(*ANSWERED[asked])
    for script, text in SCRIPTS.items():
        for found in re.finditer(rf"const (\{{[^=]*?\}}|\w+) = [^;\n]*await {asked}\(", text):
            name = found[1]
            read = members(name) if name[0] == "{" else set(re.findall(rf"(?<![\w.]){name}\.(\w+)", text))
            assert read <= known, script


def test_the_page_asks_only_for_types_of_answers_that_exist():
    compared = r'(?:saved|told)\.type [!=]== "([\w ]+)"'
    asked = {kind for text in SCRIPTS.values() for kind in re.findall(compared, text)}
    assert asked
    assert asked <= set(ANSWERS)


def keys_of(script: str, table: str, *path: str) -> set[str]:
    text = SCRIPTS[script]
    start = text.index(f"const {table} = ")
    for name in path:
        start = text.index(f"{name}: ", start)
    return members(closed(text, text.index("{", start)))


def test_the_page_draws_every_state():
    assert set(AgentState) < set(SIGNS.agents) == keys_of("bars/lanes.js", "HEIGHTS")


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        (r'stateName\([^)]*\) [!=]== "([\w ]+)"', AgentState),
        (r'modeName\([^)]*\) [!=]== "([\w ]+)"', AgentMode),
    ],
)
def test_words_the_page_compares_with_exist(pattern, words):
    named = {name for text in SCRIPTS.values() for name in re.findall(pattern, text)}
    assert named
    assert named <= set(words)


def test_the_schema_is_one_that_tools_read():
    def references(value: Any) -> Iterator[str]:
        if isinstance(value, dict):
            yield from (one for one in [value.get("$ref")] if isinstance(one, str))
            for one in value.values():
                yield from references(one)
        elif isinstance(value, list):
            for one in value:
                yield from references(one)

    assert {one.removeprefix("#/$defs/") for one in references(SCHEMA)} <= set(SCHEMA["$defs"])
    assert {name for group in SCHEMA if group != "$defs" for name in SCHEMA[group]} <= set(SCHEMA["$defs"])


@pytest.mark.parametrize(
    "text", ['{"type":"busy"}', '{"type":"note","text":1}', '{"type":"no"}', '{"type":"note","text":"","x":1}']
)
def test_traffic_that_does_not_fit_is_caught(text):
    traffic = Traffic(None)
    traffic.check('{"type":"note","text":"fine"}', schema.News)
    assert traffic.faults == []
    traffic.check(text, schema.News)
    assert len(traffic.faults) == 1
