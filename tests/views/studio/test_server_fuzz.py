"""Whatever is thrown at the studio over a real socket, it answers in its own words and goes on."""

from __future__ import annotations

import contextlib
import json
import math

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed

from lastseen.errors import InputError
from lastseen.views.studio.messages import MOST_BYTES, parse_message
from studio_server import serving

TYPES = (
    *(
        "input",
        "run",
        "step",
        "seek",
        "resume",
        "restart",
        "open",
        "overlays",
        "ask",
        "cell",
        "mesh",
        "whatif",
        "place",
    ),
    *("save", "export", "cancel", "compare", "voices", "evaluate", "rules", "hello", "", "constructor"),
)
KEYS = (
    *("move", "gait", "use", "throw", "running", "speed", "ticks", "tick", "level", "scenario", "recording"),
    *(
        "difficulty",
        "views",
        "ways",
        "spots",
        "layers",
        "agent",
        "cell",
        "seen",
        "heading",
        "guard",
        "presets",
        "settings",
        "at",
    ),
    *("name", "kind", "from", "to", "hot", "max_steps", "trigger", "__proto__"),
)
WORDS = (
    "run",
    "walk",
    "rooms",
    "search",
    "article",
    "belief",
    "../rooms",
    "nul",
    "\0",
    "gif",
    "hard",
    "LOSE",
    "guards",
    "x" * 300,
)
numbers = st.one_of(
    st.integers(-5, 50),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from([1e308, -1e308, 2**63, 2**64, 10**400, 5e-324]),
)
values = st.recursive(
    st.one_of(st.none(), st.booleans(), numbers, st.sampled_from(WORDS), st.text(max_size=20)),
    lambda inner: st.one_of(st.lists(inner, max_size=5), st.dictionaries(st.sampled_from(KEYS), inner, max_size=4)),
    max_leaves=12,
)
messages = st.builds(
    lambda kind, more: {"type": kind, **more},
    st.sampled_from(TYPES),
    st.dictionaries(st.sampled_from(KEYS), values, max_size=5),
)
rough = st.one_of(
    messages.map(json.dumps),
    values.map(json.dumps),
    st.text(max_size=100),
    st.sampled_from(
        ["NaN", '{"type":"input","move":[NaN,0]}', "[" * 5000, '{"type":"seek","tick":1e999}', "\ud800"[:0]]
    ),
)


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("studio")) as found:
        yield found


def is_well(served) -> bool:
    """Does a new page get a game that goes on?"""
    with served.page() as page:
        page.say("open", level="rooms")
        page.until("hello", title="Two rooms")
        page.say("step", ticks=2)
        return page.until("status", tick=2)["ticks"] == 3


def is_cut(page) -> bool:
    """Does the studio end this connection, sooner or later?"""
    with pytest.raises(ConnectionClosed):
        page.until("nothing that is ever said")
    return True


@given(rough)
@settings(max_examples=200)
def test_every_text_is_a_message_or_an_error_in_words(text):
    try:
        message = parse_message(text)
    except InputError:
        return
    for value in (getattr(message, name) for name in message.__struct_fields__):
        assert not isinstance(value, float) or math.isfinite(value)


@given(st.lists(rough, min_size=1, max_size=12))
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_message_breaks_the_studio(served, capfd, texts):
    with served.page() as page:
        for text in texts:
            page.socket.send(text)
        page.settle()
        assert not [one for one in page.heard if one["type"] == "error" and one["code"] == "failed"]
        assert all(one["message"] for one in page.heard if one["type"] == "error")
    assert "Traceback" not in capfd.readouterr().err


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
        assert len(served.studio.hub.clients) == 1


def test_a_page_that_never_reads_holds_nobody_up(served):
    with served.connect(max_queue=1, close_timeout=0.2) as silent, served.page() as fast:
        fast.say("open", level="rooms")
        fast.until("hello", tick=0)
        fast.say("run", running=True, speed=8)
        ticks = [fast.until("frame")["tick"] for _ in range(30)]
        assert ticks == sorted(set(ticks))
        fast.say("step", ticks=100)
        assert fast.until("status", running=False)["tick"] >= 100
        assert '"hello"' in silent.recv(timeout=10)[:4000]
