"""Arbitrary messages over a real socket: the studio answers with an error message and continues."""

from __future__ import annotations

import contextlib
import json
import math
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import inspect
from websockets.exceptions import ConnectionClosed

from lastseen.errors import InputError
from lastseen.views.studio.panels.registry import asking_panels
from lastseen.views.studio.protocol.messages import Message
from lastseen.views.studio.protocol.schema import MOST_BYTES, parse_message, socket_in
from lastseen.views.studio.session.message_handlers import HANDLERS
from studio.server import PATIENCE, serving, until

# Sockets that stay open ping with numbers of `random` while another thread draws an example.
pytestmark = pytest.mark.filterwarnings("ignore:Do not use the `random` module inside strategies")

WORDS = (
    *("run", "rooms", "corridor", "search", "cleaned", "article", "belief", "hard", "LOSE", "guards", "none", "you"),
    *("../rooms", "uploaded/x", "nul", "\0", "\ud7ff", "<img src=x>", "x" * 200),
)
"""Words of all kinds of messages, valid ones and others."""
EDGES = (0, 1, 2, 5, 30, 2**31 - 1)
STEPS = st.sampled_from([1, 2, 9])
"""Few: a step costs time."""


TREES = (
    {"trees": {"a": "stand_still"}},
    {"root": {"sequence": [{"be": {"state": "chase"}}, {"go_to": {"goal": "$goal"}}]}},
    {"trees": {"a": {"subtree": "a"}}},
    {},
)
"""Files of trees, valid ones and others."""
rubbish_table = st.dictionaries(
    st.sampled_from(["trees", "root", "keys", "main", "", "__proto__"]),
    st.recursive(st.none() | st.integers() | st.text(max_size=5), lambda inner: st.lists(inner, max_size=3)),
    max_size=3,
)


def nodes() -> st.SearchStrategy[Any]:
    """Return nodes of trees, most of them wrong."""
    words = st.sampled_from(["sequence", "guard", "stand_still", "subtree", "go_to", "choose_place", "predict", "x"])
    given = st.one_of(words, st.none(), st.integers(), st.sampled_from([0.5, -1e308, True, "$goal", "$", ""]))
    keys = st.sampled_from(["child", "children", "name", "query", "predictor", "tree", "ports", "gait", ""])

    def parents(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
        body = st.one_of(given, st.lists(inner, max_size=3), st.dictionaries(keys, inner | given, max_size=3))
        return st.dictionaries(words, body, min_size=1, max_size=1)

    return st.dictionaries(st.sampled_from(["a", "b"]), st.recursive(words, parents, max_leaves=8), max_size=2)


def strategy(kind: inspect.Type, field: str = "") -> st.SearchStrategy:
    """Return values of a type as messages have it: all valid for the decoder, many hostile to the handler."""
    match kind:
        case inspect.NoneType():
            return st.none()
        case inspect.BoolType():
            return st.booleans()
        case inspect.IntType(ge=low, le=high):
            if field == "ticks":
                return STEPS
            low, high = -(2**63) if low is None else low, 2**63 - 1 if high is None else high
            return st.one_of(st.sampled_from([one for one in EDGES if low <= one <= high]), st.integers(low, high))
        case inspect.FloatType(ge=low, le=high):
            floats = st.floats(low, high, allow_nan=False, allow_infinity=False)
            inside = [one for one in (-1.0, -0.0, 0.0, 5e-324, 1.0, 4.0, 8.0, 1e6) if low <= one <= high]
            return st.one_of(st.sampled_from(inside), floats)
        case inspect.StrType(max_length=most):
            return st.one_of(st.sampled_from(WORDS), st.text(st.characters(codec="utf-8"), min_size=1, max_size=most))
        case inspect.LiteralType(values=values):
            return st.sampled_from(values)
        case inspect.TupleType(item_types=kinds):
            return st.tuples(*map(strategy, kinds))
        case inspect.VarTupleType(item_type=one, min_length=least, max_length=most):
            return st.lists(strategy(one), min_size=least or 0, max_size=min(most or 4, 4))
        case inspect.UnionType(types=kinds):
            return st.one_of(*(strategy(one, field) for one in kinds))
        case inspect.DictType():
            return st.one_of(st.sampled_from(TREES), st.fixed_dictionaries({"trees": nodes()}), rubbish_table)
        case inspect.StructType():
            return plain(kind)
    raise AssertionError(f"messages have a new kind of field: {kind}")


def plain(kind: inspect.StructType) -> st.SearchStrategy[dict[str, Any]]:
    """Return messages of a type, with all their fields or with those they need."""
    given = {one.encode_name: strategy(one.type, one.encode_name) for one in kind.fields}
    needed = {name: given[name] for name, one in zip(given, kind.fields) if one.required}
    optional = {name: value for name, value in given.items() if name not in needed}
    tag = {} if kind.tag is None else {kind.tag_field: st.just(kind.tag)}
    return st.fixed_dictionaries(tag | needed, optional=optional)


KINDS: dict[type, inspect.StructType] = {kind: inspect.type_info(kind) for kind in socket_in()}
sound = st.sampled_from(list(KINDS.values())).flatmap(plain)
numbers = st.one_of(st.integers(), st.floats(allow_nan=False), st.sampled_from([1e308, 2**64, 10**400, -1]))
rubbish = st.recursive(
    st.one_of(st.none(), st.booleans(), numbers, st.sampled_from(WORDS), st.text(max_size=20)),
    lambda inner: st.one_of(st.lists(inner, max_size=5), st.dictionaries(st.text(max_size=9), inner, max_size=4)),
    max_leaves=12,
)


@st.composite
def broken(draw: st.DrawFn) -> str:
    """Return a message one thing is wrong with: a field, its value, or its text."""
    message = draw(sound)
    how = draw(st.sampled_from(["value", "field", "type", "cut", "text"]))
    if how == "value":
        message[draw(st.sampled_from(sorted(message)))] = draw(rubbish)
    elif how == "field":
        message[draw(st.sampled_from(["__proto__", "constructor", "", "tick", "name"]))] = draw(rubbish)
    elif how == "type":
        message["type"] = draw(st.sampled_from(["hello", "", "INPUT", "constructor", None, 3, []]))
    text = json.dumps(message)
    if how == "cut":
        return text[: draw(st.integers(0, len(text)))]
    odd = ["NaN", '{"type":"input","move":[NaN,0]}', "[" * 5000, '{"type":"seek","tick":1e999}', ""]
    return draw(st.sampled_from(odd)) if how == "text" else text


rough = st.one_of(sound.map(json.dumps), sound.map(json.dumps), broken())


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("studio")) as found:
        yield found


def is_well(served) -> bool:
    """Return whether a new page gets a game that continues."""
    with served.page() as page:
        page.say("open", level="rooms")
        page.until("hello", title="Two rooms")
        page.say("step", ticks=2)
        return page.until("status", tick=2)["ticks"] == 3


def is_cut(page) -> bool:
    """Return whether the studio closes this connection, sooner or later."""
    with pytest.raises(ConnectionClosed):
        page.until("nothing that is ever said")
    return True


@given(sound)
@settings(max_examples=75)
def test_every_sound_message_is_read(message):
    assert type(parse_message(json.dumps(message))).__struct_config__.tag == message["type"]


@given(broken())
@settings(max_examples=75)
def test_every_text_is_a_message_or_an_error_in_words(text):
    try:
        message = parse_message(text)
    except InputError:
        return
    for value in (getattr(message, name) for name in message.__struct_fields__):
        assert not isinstance(value, float) or math.isfinite(value)


@pytest.fixture(scope="module")
def reached(served) -> Iterator[Counter[type]]:
    """The number of handled messages by type."""
    director, counted = served.studio.director, Counter[type]()
    obey = director.handle

    def counting(client: int, message: Message) -> None:
        counted[type(message)] += 1
        obey(client, message)

    director.handle = counting
    yield counted
    del director.handle


def require_unbroken(served, capfd, texts: list[str]) -> None:
    with served.page() as page:
        for text in texts:
            page.socket.send(text)
        page.settle()
        assert not [one for one in page.heard if one["type"] == "error" and one["code"] == "failed"]
        assert all(one["message"] for one in page.heard if one["type"] == "error")
    assert "Traceback" not in capfd.readouterr().err


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_nothing_a_handler_may_be_told_breaks_the_studio(served, reached, capfd, kind):
    before = reached[kind]

    @given(plain(KINDS[kind]), st.booleans())
    @settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
    def told(message: dict[str, Any], in_the_past: bool) -> None:
        past = ['{"type":"step","ticks":3}', '{"type":"seek","tick":1}'] if in_the_past else []
        require_unbroken(served, capfd, [*past, json.dumps(message)])

    told()
    assert reached[kind] - before >= 1 + bool(KINDS[kind].fields)
    assert set(KINDS) == {*HANDLERS, *(panel.question for panel in asking_panels())}


# The server runs in a thread of this process and may use `random` while messages are made up.
@pytest.mark.filterwarnings("ignore:Do not use the `random` module")
@given(st.lists(rough, min_size=4, max_size=12))
@settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
def test_no_row_of_messages_breaks_the_studio(served, reached, capfd, texts):
    def is_read(text: str) -> bool:
        with contextlib.suppress(InputError):
            return parse_message(text) is not None
        return False

    before = reached.total()
    require_unbroken(served, capfd, texts)
    assert reached.total() - before >= sum(map(is_read, texts))  # and two of ours


@given(st.binary(max_size=200))
@settings(max_examples=10)
def test_bytes_are_refused_in_words(served, data):
    with served.page() as page:
        page.socket.send(data)
        assert page.until("error")["code"] == "unreadable"


def test_long_messages_are_refused_and_endless_ones_end_the_connection(served):
    with served.page() as page:
        page.socket.send(json.dumps({"type": "save", "name": "x" * MOST_BYTES}))
        assert "bytes" in page.until("error")["message"]
    with served.page() as page:
        with contextlib.suppress(ConnectionClosed):
            page.socket.send("x" * (4 << 20))
        assert is_cut(page)
    assert is_well(served)


def test_a_flood_of_messages_is_told_off_and_then_cut(served):
    with served.page() as page:
        with contextlib.suppress(ConnectionClosed):
            for _ in range(20_000):
                page.socket.send('{"type":"input"}')
        page.until("error", code="rate")
        assert is_cut(page)
    assert is_well(served)


def test_pages_that_come_and_go_leave_nothing_behind(served):
    for _ in range(20):
        with served.connect():
            pass
    assert is_well(served)
    with served.page() as page:
        page.settle()
        until(lambda: len(served.studio.hub.clients) == 1)


def test_a_page_that_never_reads_holds_nobody_up(served):
    with served.connect(max_queue=1, close_timeout=0.2) as silent, served.page() as fast:
        fast.say("open", level="rooms")
        fast.until("hello", tick=0)
        fast.say("run", running=True, speed=8)
        ticks = [fast.until("frame")["tick"] for _ in range(30)]
        assert ticks == sorted(set(ticks))
        fast.say("step", ticks=100)
        assert fast.until("status", running=False)["tick"] >= 100
        while '"hello"' not in silent.recv(timeout=PATIENCE)[:4000]:
            pass  # a busy studio says so first
