"""Frames hold what was recorded; layers sent as changes add up to the layers, whatever a page missed."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from lastseen.views.studio.protocol.frames import pack_frame, packed
from lastseen.views.studio.server.clients import Client
from studio.server import decoded

AGENTS, WATCHERS, TARGETS, DOORS = 3, 2, 1, 5
COLUMNS = {
    "xyz": np.arange(9.0).reshape(3, 3),
    "heading": np.array([0.1, 0.2, 0.3]),
    "gaze": np.array([1.0, 2.0, 3.0]),
    "velocity": np.array([[3.0, 4.0], [0.0, 0.0], [0.0, -1.0]]),
    "goal": np.full((3, 3), 7.0),
    "state": np.array([1, 2, 3], np.uint8),
    "mode": np.array([0, 1, 3], np.uint8),
    "stance": np.array([0, 1, 0], np.uint8),
    "going": np.array([1, 0, 1], np.uint8),
    "awareness": np.array([[0.25], [1.0]]),
    "visible": np.array([[0], [1]], np.uint8),
    "known_xyz": np.array([[[9.0, 9.0, 9.0]], [[1.0, 2.0, 0.5]]]),
    "known_direction": np.array([[[1.0, 0.0]], [[0.0, 1.0]]]),
    "known_time": np.array([[0.0], [2.0]]),
    "known_source": np.array([[0], [1]], np.uint8),
    "doors": np.array([1, 0, 0, 1, 1], np.uint8),
}


def moment(layers, **more):
    return pack_frame(COLUMNS, [np.array(layer, np.int8) for layer in layers], tick=60, now=5.0, **more)


def test_a_frame_by_hand():
    one = moment([[0, 3, 0]], views={1: np.ones((4, 2))}, ways={2: np.full((3, 3), 8.0)})
    frame = decoded(packed(one, None, [0], views=True, ways=True))
    assert (frame["tick"], frame["full"]) == (60, True)
    np.testing.assert_allclose(frame["numbers"][0], [0, 1, 2, 0.1, 1.0, 5.0, 7, 7, 7], rtol=1e-6)
    assert frame["marks"].tolist() == [[1, 0, 0, 1], [2, 1, 1, 0], [3, 3, 0, 1]]
    assert frame["visible"].tolist() == [[0], [1]]
    assert frame["known"].tolist() == [[[0, 0, 0, 0, 0, -1]], [[1, 2, 0.5, 0, 1, 3]]]
    assert frame["doors"].tolist() == [1, 0, 0, 1, 1]
    assert [part.tolist() for part in frame["layers"][0]] == [[1], [3]]
    assert frame["views"][1].tolist() == [[1, 1]] * 4
    assert frame["ways"][2].tolist() == [[8, 8, 8]] * 3


def test_fights_follow_the_doors():
    fights = {
        "health": np.array([100.0, 40.0, 0.0]),
        "rest": np.array([0.0, 1.5, 0.0]),
        "due": np.array([0.25, 0.0, 0.0]),
        "foe": np.array([2, -1, -1], np.int16),
        "attack": np.array([1, 0, 0], np.uint8),
    }
    one = pack_frame(COLUMNS | fights, [np.array([0, 3], np.int8)], tick=60, now=5.0)
    frame = decoded(packed(one, None, [0], views=False))
    assert frame["fights"].tolist() == [(100, 0, 0.25, 2, 1, 0), (40, 1.5, 0, -1, 0, 0), (0, 0, 0, -1, 0, 0)]
    assert [part.tolist() for part in frame["layers"][0]] == [[1], [3]]
    assert decoded(packed(moment([[0, 3]]), None, [0], views=False))["fights"] is None


def test_objects_follow_the_fights():
    places = {"object_xyz": np.array([[1.5, 2.0, 0.0], [4.0, 5.0, 3.0]]), "object_state": np.array([0, 2], np.uint8)}
    one = pack_frame(COLUMNS | places, [np.array([0, 3], np.int8)], tick=60, now=5.0)
    frame = decoded(packed(one, None, [0], views=False))
    assert frame["objects"].tolist() == [(1.5, 2, 0, 0, 0, 0, 0), (4, 5, 3, 2, 0, 0, 0)]
    assert frame["layers"][0][1].tolist() == [3]
    assert decoded(packed(moment([[0, 3]]), None, [0], views=False))["objects"] is None


def test_pages_without_views_and_ways_get_none():
    one = moment([[1]], views={1: np.ones((3, 2))}, ways={1: np.ones((2, 3))})
    frame = decoded(packed(one, None, [], views=False))
    assert frame["views"] == frame["ways"] == {}


def test_layers_that_another_run_lacks_are_left_out():
    client, sent = Client(), list[bytes]()

    async def keep(frame: bytes) -> None:
        sent.append(frame)

    async def converse() -> None:
        client.greet("hello", 0)
        client.layers = (0, 5)  # what the page wanted of the run before
        client.show(moment([[1, 0, 2]], whole=True))
        sending = asyncio.create_task(client.send_on(keep, keep))
        for _ in range(4):
            await asyncio.sleep(0)
        sending.cancel()

    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, converse()).result()
    assert list(decoded(sent[-1])["layers"]) == [0]


layers = st.lists(st.lists(st.integers(-2, 2), min_size=6, max_size=6), min_size=1, max_size=12)


@given(layers, st.data())
def test_a_page_that_misses_frames_still_has_the_layer_in_the_end(steps, data):
    held = np.zeros(6, np.int8)
    client = Client()
    sent: list[bytes] = []
    whole = [data.draw(st.booleans()) for _ in steps]
    drains = [data.draw(st.booleans()) for _ in steps]

    async def keep(frame: bytes) -> None:
        sent.append(frame)

    async def drain() -> None:
        sending = asyncio.create_task(client.send_on(keep, keep))
        for _ in range(4):
            await asyncio.sleep(0)
        sending.cancel()

    async def converse() -> None:
        client.greet("hello", 0)
        for number, step in enumerate(steps):
            client.show(moment([step], whole=whole[number]))
            if number == len(steps) - 1 or drains[number]:
                await drain()

    # In a thread of its own: the browser of other tests keeps a loop running in this one.
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, converse()).result()
    for frame in (decoded(one) for one in sent if isinstance(one, bytes)):
        if frame["full"]:
            held[:] = 0
        for cells, values in frame["layers"].values():
            held[cells] = values
    assert held.tolist() == steps[-1]


def test_frames_of_what_was_open_before_are_dropped():
    client = Client()
    client.greet("hello", 5)
    client.show(moment([[1]], age=4))
    assert client._slot is None
    client.show(moment([[1]], age=5))
    assert client._slot is not None


def test_a_page_that_takes_no_texts_is_let_go():
    client = Client()
    for _ in range(2_001):
        client.say("word")
    assert client.is_lost
