"""Guards placed for the open level while the game continues: results, errors and cancelling."""

from __future__ import annotations

import json
import urllib.request

import numpy as np
import pytest

from lastseen.errors import InputError
from lastseen.level.level import Level
from lastseen.level.samples import sample
from lastseen.navmesh.body import Body
from lastseen.navmesh.build import build_navmesh
from lastseen.navmesh.query import faces_at, find_path
from lastseen.reasoning.placement.files.route_files import guards_text, write_guards
from lastseen.reasoning.placement.guard_ground import settled_line
from lastseen.reasoning.placement.guard_routes import GuardRoute, Placement, guard_kind
from lastseen.reasoning.placement.place.place import place_guards
from lastseen.reasoning.placement.verify.path_check import PathCheck
from lastseen.views.studio.answers.guard_placement import joined
from lastseen.views.studio.protocol.messages import Join
from lastseen.views.studio.protocol.schema import parse_message
from studio.server import serving

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
    expected = place_guards(
        sample("hall"), PATH, 2, kinds=["walking", "camera"], seed=5, check=PathCheck(sample("hall"), PATH)
    )
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


def test_places_are_joined_by_shortest_paths_and_moved_onto_the_floor():
    level = sample("warehouse")
    mesh = build_navmesh(level, Body())
    here, there = (2.5, 2.5, 0.0), (42.5, 27.5, 0.0)
    alone = joined(mesh, Join(end=here))
    assert (alone.points, alone.moved) == ([here], 0.0)
    found = joined(mesh, Join(start=here, end=there))
    expected = find_path(mesh, here, there)
    assert len(found.points) > 2
    np.testing.assert_allclose(found.points, expected.points_xyz[1:])
    line, _ = settled_line(build_navmesh(level, Body(radius=0.0)), [here, *found.points])
    assert len(line) == len(found.points) + 1
    off = joined(mesh, Join(start=here, end=(2.5, -3.0, 0.0)))
    assert faces_at(mesh, np.array(off.points))[-1] >= 0
    assert off.moved == pytest.approx(off.points[-1][1] + 3.0)


def test_places_on_separate_pieces_are_refused():
    mesh = build_navmesh(Level.from_text("#######\n#..#..#\n#..#..#\n#######\n"), Body(radius=0.0))
    with pytest.raises(InputError, match=r"no path leads from \(1\.5, 1\.5\) to \(5\.5, 1\.5\).*same piece"):
        joined(mesh, Join(start=(1.5, 1.5, 0.0), end=(5.5, 1.5, 0.0)))


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


def test_guards_of_a_file_in_the_folder_are_shown_and_sneaked_past(page):
    served, one = page
    root = served.studio.folder.root
    first = GuardRoute(guard_kind("walking"), [(5.5, 9.5), (15.5, 9.5)], name="Ann")
    write_guards(Placement((first,), notes=("of another level",)), root / "mine.geojson")
    one.say("guards", file="mine.geojson")
    plan = fetched(served, one.until("exported", kind="guards"))
    assert [(guard["name"], guard["kind"]) for guard in plan["guards"]] == [("Ann", "walking")]
    assert plan["notes"] == []
    one.say("sneak", runs=2)
    assert "draw it first" in one.until("error", about="sneak")["message"]
    one.say("sneak", runs=2, path=PATH)
    found = fetched(served, one.until("exported", kind="ways"))
    assert found["success"]["of"] == 2


def test_a_file_that_does_not_fit_is_refused_in_words(page):
    served, one = page
    root = served.studio.folder.root
    write_guards(Placement((GuardRoute(guard_kind("standing"), [(500.0, 9.5)]),)), root / "far.geojson")
    write_guards(Placement((GuardRoute(guard_kind("standing"), [(5.5, 9.5)]),) * 13), root / "many.geojson")
    for name, words in (
        ("far.geojson", "far.geojson: guard 1 (standing), at (500, 9.5), is off the floor"),
        ("many.geojson", "many.geojson has 13 guards; the studio shows 12"),
        ("none.geojson", "cannot be read"),
    ):
        one.say("guards", file=name)
        refused = one.until("error", about="guards")["message"]
        assert words in refused
        assert str(root) not in refused
        one.until("cancelled", kind="guards")
    one.say("guards", file="../far.geojson")
    assert "not in the open folder" in one.until("error", about="guards")["message"]
    one.say("guards", guards=2)
    assert "draw it first" in one.until("error", about="guards")["message"]


def test_placed_guards_are_played_against(tmp_path):
    with serving(tmp_path, "hall") as served, served.page() as one:
        one.say("open", guards=True)
        assert "place them first" in one.until("error", about="open")["message"]
        one.say("guards", path=PATH, guards=2, seed=5)
        one.until("exported", kind="guards")
        one.say("open", guards=True, level="hall")
        assert "not several" in one.until("error", about="open")["message"]
        one.say("open", guards=True)
        one.until("hello")
        stage = served.studio.director.game.stage
        placed = place_guards(sample("hall"), PATH, 2, seed=5, check=PathCheck(sample("hall"), PATH)).routes
        guards = [spec for spec in stage.setting.agents if spec.brain == "guard"]
        assert [spec.name for spec in guards] == ["guard 1", "guard 2"]
        np.testing.assert_allclose([spec.at for spec in guards], [route.pose_at(0.0)[:3] for route in placed])


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
