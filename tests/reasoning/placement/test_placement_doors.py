"""Doors as worlds have them: locked ones are walls for guards, paths and players; the others open, but block sight."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from lastseen.errors import InputError
from lastseen.level.features import Door
from lastseen.level.level import ConvexFaces, Level
from lastseen.level.sight.query import sees
from lastseen.reasoning.placement.guard_ground import GuardGround, settled_guards, unlocked_mesh
from lastseen.reasoning.placement.guard_routes import GuardRoute, Placement, guard_kind
from lastseen.reasoning.placement.place.place import GuardPlanner
from lastseen.reasoning.placement.placement_settings import PlacementSettings, VerifySettings
from lastseen.reasoning.placement.verify.sneak_ground import SneakGround
from lastseen.reasoning.placement.verify.verify import verify
from oracles.placement import box, hall

STATES = [(is_open, locked) for is_open in (True, False) for locked in (True, False)]
THROUGH = [(2.0, 4.5), (10.0, 4.5)]
FAR = Placement((GuardRoute(guard_kind("standing"), [(11.0, 1.0)], heading=-np.pi / 2),))


def two_rooms(is_open: bool, locked: bool) -> Level:
    door = Door(box(5.8, 4, 6.2, 5), open=is_open, locked=locked)
    return replace(hall(12, 10, (5.8, 0, 6.2, 4), (5.8, 5, 6.2, 10)), doors=(door,))


def ready_made(is_open: bool, locked: bool) -> Level:
    """Return the two rooms and the doorway as three ready-made faces."""
    rings = [box(0, 0, 5.8, 10), box(5.8, 4, 6.2, 5), box(6.2, 0, 12, 10)]
    corners = np.array([(x, y, 0.0) for ring in rings for x, y in ring])
    return replace(two_rooms(is_open, locked), surface=ConvexFaces(corners, np.array([0, 4, 8, 12]), np.arange(12)),
                   obstacles=())  # fmt: skip


@pytest.mark.parametrize(("is_open", "locked"), STATES)
@pytest.mark.parametrize("make", [two_rooms, ready_made])
def test_a_path_leads_through_any_door_that_is_not_locked(make, is_open, locked):
    level = make(is_open, locked)
    if not locked:
        assert len(GuardGround(level, THROUGH, body=0.0).path) == 2
        return
    with pytest.raises(InputError, match=r"separate piece of the level.*unlock a door between them"):
        GuardGround(level, THROUGH, body=0.0)
    one_side = GuardGround(level, [(1, 1), (4, 1)], body=0.0)
    assert one_side.area == pytest.approx(58.0, abs=1e-3)
    assert one_side.left_out == pytest.approx(58.0, abs=1e-3)


@pytest.mark.parametrize(("is_open", "locked"), STATES)
def test_doors_block_sight_unless_they_are_open_and_unlocked(is_open, locked):
    ground = GuardGround(two_rooms(is_open, locked), [(1, 1), (4, 1)])
    eyes = np.array([[2.0, 4.5, 1.6]]), np.array([[10.0, 4.5, 1.6]])
    assert sees(ground.sight, *eyes)[0] == (is_open and not locked)


@pytest.mark.parametrize(("is_open", "locked"), STATES)
def test_guards_walk_through_unlocked_doors_only(is_open, locked):
    level = two_rooms(is_open, locked)
    settings = PlacementSettings(path_cost=0.0, guard_cost=0.0, together=False, least=1.0, most=4.0)
    planner = GuardPlanner(level, [(1, 1), (4, 1)], settings=settings)
    routes = planner.place(12, seed=3).routes
    assert any((route.points[:, 0] > 6.2).any() for route in routes) == (not locked)
    through = Placement((GuardRoute(guard_kind("walking"), THROUGH),))
    if not locked:
        assert settled_guards(unlocked_mesh(level, 0.0), through, "guards.geojson").routes == through.routes
        return
    with pytest.raises(InputError, match=r"guard 1.*walks through a wall or locked door at \(5\.8, 4\.5\)"):
        settled_guards(unlocked_mesh(level, 0.0), through, "guards.geojson")


@pytest.mark.parametrize(("is_open", "locked"), STATES)
def test_players_sneak_through_unlocked_doors_only(is_open, locked):
    ground, settings = SneakGround(two_rooms(is_open, locked)), VerifySettings(seconds=20.0, runs=2)
    if locked:
        with pytest.raises(InputError, match="in 2 pieces"):
            verify(ground, FAR, (2.0, 4.5), (10.0, 4.5), settings=settings)
        return
    found = verify(ground, FAR, (2.0, 4.5), (10.0, 4.5), settings=settings)
    assert found.exact.found
    assert found.success.hits == 2


def test_a_detour_around_a_locked_door_is_found():
    level = replace(two_rooms(False, True), obstacles=two_rooms(False, True).obstacles[:1])
    around = verify(SneakGround(level), FAR, (2.0, 4.5), (10.0, 4.5), settings=VerifySettings(seconds=20.0, runs=1))
    assert all((path[:, 1] > 5.0).any() for path in (around.exact.path, around.solutions[0].path))
