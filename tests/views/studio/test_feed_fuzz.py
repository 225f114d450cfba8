"""Arbitrary messages of a game: the studio answers with an error message and continues."""

from __future__ import annotations

import contextlib
import json
import zlib
from base64 import b64encode
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import inspect
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

import lastseen as ls
from lastseen.errors import InputError
from lastseen.level.samples import sample
from lastseen.level.write import to_geojson
from lastseen.views.studio.protocol.feeds import MOST_FEED_BYTES, MOST_LEVEL_BYTES, FeedBegins, FeedFrames
from lastseen.views.studio.protocol.schema import FROM_GAMES, parse_feed
from lastseen.views.studio.session.feeds import empty_feed
from studio.server import PATIENCE, TOKEN, Page, Served, preparing, until

pytestmark = pytest.mark.filterwarnings("ignore:Do not use the `random` module inside strategies")

KEY = "0123456789abcdef" * 2
BEGIN = {"type": "begin", "key": KEY, "name": "toy", "step": 0.1}
WORDS = ("Ames", "patrol", "\0", "\ud7ff", "<img src=x>", "__proto__", "constructor", "x" * 100, "‮evil")


def strategy(kind: inspect.Type) -> st.SearchStrategy:
    """Return values of a type as messages have it: all valid for the decoder, many hostile to the studio."""
    match kind:
        case inspect.NoneType():
            return st.none()
        case inspect.BoolType():
            return st.booleans()
        case inspect.IntType(ge=low, le=high):
            return st.integers(low, high)
        case inspect.FloatType(ge=low, le=high, gt=above):
            low = 1e-300 if above is not None else low
            inside = [one for one in (-1e9, -0.0, 0.0, 5e-324, 0.1, 1.0, 6.28, 1e6) if low <= one <= high]
            return st.one_of(st.sampled_from(inside), st.floats(low, high, allow_nan=False))
        case inspect.StrType(pattern=str()):
            return st.just(KEY)
        case inspect.StrType(min_length=least, max_length=most):
            text = st.text(st.characters(codec="utf-8"), min_size=least or 0, max_size=min(most or 9, 20))
            return st.one_of(st.sampled_from(WORDS), text)
        case inspect.TupleType(item_types=kinds):
            return st.tuples(*map(strategy, kinds))
        case inspect.VarTupleType(item_type=one, min_length=least):
            return st.lists(strategy(one), min_size=least or 0, max_size=3)
        case inspect.DictType(key_type=key, value_type=value):
            return st.dictionaries(strategy(key), strategy(value), max_size=3)
        case inspect.UnionType(types=kinds):
            return st.one_of(*map(strategy, kinds))
        case inspect.StructType(fields=fields, tag=tag):
            needed = {one.encode_name: strategy(one.type) for one in fields if one.required}
            more = {one.encode_name: strategy(one.type) for one in fields if not one.required}
            return st.fixed_dictionaries(({"type": st.just(tag)} if tag else {}) | needed, optional=more)
    raise AssertionError(f"messages have a new kind of field: {kind}")


FRAMES = strategy(inspect.type_info(FeedFrames))
ANY = st.one_of(*(strategy(inspect.type_info(kind)) for kind in FROM_GAMES))
rubbish = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.sampled_from(WORDS)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=5), inner, max_size=3)),
    max_leaves=8,
)


@st.composite
def broken(draw: st.DrawFn) -> str:
    """Return a message one thing is wrong with: a field, its value, or its text."""
    message = draw(ANY)
    how = draw(st.sampled_from(["value", "field", "cut", "text"]))
    if how == "value":
        message[draw(st.sampled_from(sorted(message)))] = draw(rubbish)
    elif how == "field":
        message[draw(st.sampled_from(["__proto__", "frame", "type"]))] = draw(rubbish)
    text = json.dumps(message)
    if how == "cut":
        return text[: draw(st.integers(0, len(text)))]
    odd = ["NaN", '{"type":"frames","frames":[{"time":NaN}]}', "[" * 5000, '{"type":"frames","dropped":1e999}', ""]
    return draw(st.sampled_from(odd)) if how == "text" else text


@pytest.fixture(scope="module")
def served(tmp_path_factory) -> Iterator[Served]:
    with preparing(tmp_path_factory.mktemp("studio"), empty_feed) as found:
        until(found.studio.ready.is_set)
        yield found


@contextlib.contextmanager
def game(served: Served, *, token: str = TOKEN, begin: bool = True, **options: Any) -> Iterator[ClientConnection]:
    address = f"ws://{served.host}/feed?token={token.replace(' ', '%20')}"
    with connect(address, compression=None, open_timeout=PATIENCE, **options) as socket:
        if begin:
            socket.send(json.dumps(BEGIN))
            assert json.loads(socket.recv(PATIENCE))["type"] == "feed"
        yield socket


def close_code(socket: ClientConnection) -> int:
    """Return the code with which the studio closes this connection, sooner or later."""
    while True:
        try:
            socket.recv(PATIENCE)
        except ConnectionClosed as closed:
            return closed.rcvd.code


def is_well(served: Served) -> bool:
    """Return whether another game can connect and is shown."""
    with ls.studio.connect("well", address=served.address) as feed:
        feed.agent("Ames", (1.0, 2.0))
        feed.frame(0.0)
        runs = served.studio.director.feeds._runs
        until(lambda: any(run.name == "well" and run.is_connected and run.ticks for run in runs.values()))
    with served.page() as page:
        page.say("open", feed=next(run.source for run in runs.values() if run.name == "well"))
        return page.until("hello", title="well")["ticks"] == 1


@given(ANY)
@settings(max_examples=75)
def test_every_sound_message_is_read(message):
    assert type(parse_feed(json.dumps(message))).__struct_config__.tag == message["type"]


@given(broken())
@settings(max_examples=75)
def test_every_text_is_a_message_or_an_error_in_words(text):
    with contextlib.suppress(InputError):
        assert parse_feed(text) is not None


@given(st.lists(st.one_of(FRAMES.map(json.dumps), FRAMES.map(json.dumps), broken()), min_size=1, max_size=8))
@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
def test_no_row_of_messages_breaks_the_studio(served, capfd, texts):
    with served.connect(close_timeout=0.2) as own, game(served) as socket:
        page = Page(own)
        page.say("overlays", views=True)
        for text in texts:
            socket.send(text)
        socket.send('{"type":"begin"}')  # whatever was sent before it has been answered
        answers = [json.loads(socket.recv(PATIENCE))]
        while "begin" not in answers[-1]["message"] and "key" not in answers[-1]["message"] and len(answers) < 5:
            answers.append(json.loads(socket.recv(PATIENCE)))
        assert all(answer["type"] == "error" and answer["message"] for answer in answers)
        assert not any("internal error" in answer["message"] for answer in answers)
        page.say("seek", tick=0)
        page.until("status", running=False)
        assert not [one for one in page.heard if one["type"] == "error"]
    assert "Traceback" not in capfd.readouterr().err


@pytest.mark.parametrize(
    ("first", "words"),
    [
        ('{"type":"frames"}', "first message"),
        ("{", "cannot be read"),
        (json.dumps({**BEGIN, "key": "../../etc"}), "key"),
        (json.dumps({**BEGIN, "step": 0.0}), "step"),
        (json.dumps({**BEGIN, "level": "!"}), "cannot be unpacked"),
        (json.dumps({**BEGIN, "level": b64encode(b"raw").decode()}), "cannot be unpacked"),
        (json.dumps({**BEGIN, "level": b64encode(zlib.compress(b'{"type":1}')).decode()}), "toy"),
        (json.dumps({**BEGIN, "level": b64encode(zlib.compress(b" " * (MOST_LEVEL_BYTES + 1))).decode()}), "more than"),
    ],
)
def test_a_wrong_beginning_is_refused_in_words(served, first, words):
    with game(served, begin=False) as socket:
        socket.send(first)
        answer = json.loads(socket.recv(PATIENCE))
        assert answer["type"] == "error"
        assert words in answer["message"]
        assert close_code(socket) == 4400
    assert is_well(served)


def test_a_level_as_games_send_it_is_read(served):
    level = sample("warehouse")
    packed = b64encode(zlib.compress(to_geojson(level))).decode()
    with game(served, begin=False) as socket:
        socket.send(json.dumps({**BEGIN, "key": "f" * 32, "level": packed}))
        assert json.loads(socket.recv(PATIENCE))["type"] == "feed"
        assert served.studio.director.feeds._runs["f" * 32].level == level
    assert isinstance(parse_feed(json.dumps(BEGIN)), FeedBegins)


def test_tokens_and_origins_are_checked(served):
    with game(served, token="wrong", begin=False) as socket:
        assert close_code(socket) == 4401
    with game(served, begin=False, origin="http://evil.example") as socket:
        assert close_code(socket) == 4403


def test_long_messages_are_refused_and_endless_ones_end_the_connection(served):
    with game(served) as socket:
        with contextlib.suppress(ConnectionClosed):  # the studio may close it before all is sent
            socket.send(" " * (MOST_FEED_BYTES + 1))
        assert close_code(socket) == 1009
    assert is_well(served)


def test_a_game_that_only_sends_rubbish_is_cut(served):
    with game(served) as socket:
        with contextlib.suppress(ConnectionClosed):
            for _ in range(2_000):
                socket.send("rubbish")
        assert close_code(socket) == 1008
    assert is_well(served)


def test_games_that_come_and_go_leave_nothing_behind(served):
    for _ in range(12):
        with game(served):
            pass
        with game(served, begin=False):
            pass
    until(lambda: not served.studio.director.feeds._connections)
    assert is_well(served)
