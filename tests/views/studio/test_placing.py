"""Guards placed for the level that is open, beside the game: what a page is told, refused, and may call off."""

from __future__ import annotations

import json
import urllib.request

import numpy as np
import pytest

from lastseen.errors import InputError
from lastseen.level.samples import sample
from lastseen.reasoning.placement.place import place_guards
from lastseen.reasoning.placement.route_files import guards_text
from lastseen.views.studio.messages import parse_message
from studio_server import serving

PATH = [[2.5, 4.0, 0.0], [22.0, 4.0, 0.0]]


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("placing"), "hall") as served, served.page() as one:
        yield served, one


def fetched(served, told: dict) -> dict:
    with urllib.request.urlopen(f"http://{served.host}/api/download?ticket={told['ticket']}") as answer:
        return json.load(answer)


def test_guards_are_those_of_the_library_and_ways_are_never_in_their_views(page):
    served, one = page
    one.say("sneak", runs=4)
    assert "place them first" in one.until("error", about="sneak")["message"]
    one.say("guards", path=PATH, guards=2, kinds=["walking", "camera"], seed=5)
    plan = fetched(served, one.until("exported", kind="guards"))
    expected = place_guards(sample("hall"), PATH, 2, kinds=["walking", "camera"], seed=5)
    assert plan["geojson"] == guards_text(expected)
    assert [guard["kind"] for guard in plan["guards"]] == ["walking", "camera"]
    for guard, route in zip(plan["guards"], expected.routes):
        np.testing.assert_allclose(guard["poses"][8], route.pose_at(8 * plan["every"]), atol=1e-3)
        assert len(guard["poses"]) == len(guard["views"]) == round(plan["seconds"] / plan["every"]) + 1
    one.say("sneak", runs=4, seed=1)
    found = fetched(served, one.until("exported", kind="ways"))
    assert found["success"]["of"] == 4
    assert found["success"]["hits"] == len(found["ways"]) > 0
    assert found["seconds"] >= max(way["path"][-1][3] for way in found["ways"])
    for way in found["ways"]:
        np.testing.assert_allclose(way["path"][0][:2], PATH[0][:2], atol=0.3)
        np.testing.assert_allclose(way["path"][-1][:2], PATH[-1][:2], atol=0.3)


def test_a_path_off_the_floor_is_refused_in_words_and_the_page_may_ask_again(page):
    _, one = page
    one.say("guards", path=[[-50.0, 4.0, 0.0], [22.0, 4.0, 0.0]])
    refused = one.until("error", about="guards")
    assert refused["code"] == "refused"
    assert "floor" in refused["message"]
    one.until("cancelled", kind="guards")
    one.say("guards", path=PATH, kinds=["dragon"])
    assert "dragon" in one.until("error", about="guards")["message"]
    one.until("cancelled", kind="guards")


def test_it_can_be_called_off(page):
    _, one = page
    one.say("guards", path=PATH, guards=12)
    one.say("cancel")
    one.until("cancelled", kind="guards")


def test_guards_of_another_level_are_forgotten(page):
    _, one = page
    one.say("guards", path=PATH, guards=1)
    one.until("exported", kind="guards")
    one.say("restart")
    one.until("hello")
    one.say("sneak")
    assert "place them first" in one.until("error", about="sneak")["message"]


@pytest.mark.parametrize(
    "more", ['"path": [[0, 0, 0]]', '"path": [[0,0,0],[1,1,0]], "guards": 0', '"path": [[0,0,0],[1,1,0]], "guards": 13']
)
def test_impossible_counts_are_refused(more):
    with pytest.raises(InputError):
        parse_message(f'{{"type": "guards", {more}}}')
