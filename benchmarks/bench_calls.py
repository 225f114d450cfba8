"""One call at a time, as games ask: what checks, arrays and results cost around the kernel that answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from lastseen.agents.bodies.bodies import bodies
from lastseen.agents.senses.vision.sightings import VisionMemory
from lastseen.agents.senses.vision.vision import ZoneVision
from lastseen.cells.build import build_layout
from lastseen.cells.query import cells_within
from lastseen.kernels.flood.heat_look import SAID_COLUMNS, flood_once
from lastseen.kernels.search.location_choice import BEST, pick_rows
from lastseen.kernels.senses.vision_rays import look_at_bodies
from lastseen.kernels.sight.sight_line import clear_lines
from lastseen.kernels.walk.path_trace import find_ways
from lastseen.kernels.walk.raycast import cast_rays
from lastseen.level.samples import sample
from lastseen.level.sight.query import sees
from lastseen.level.sight.sight import Sight
from lastseen.navmesh.build import build_navmesh
from lastseen.navmesh.query import MOST_NODES, find_path, raycast
from lastseen.reasoning.chase.flood.cases import SettingsArrays
from lastseen.reasoning.chase.flood.chase import Chase
from lastseen.reasoning.chase.flood.workspace import Workspaces
from lastseen.reasoning.chase.loss import Loss
from lastseen.reasoning.locations.criteria import Distance
from lastseen.reasoning.locations.curve import Curve
from lastseen.reasoning.locations.picker import Picker
from lastseen.reasoning.locations.query import Query
from lastseen.rng import generator

from .harness import Comparison

CALLS = 64
_EYE = np.array([0.0, 0.0, 1.6])
QUERY = Query(
    [
        Distance("asker", at_most=10.0, curve=Curve(linear=(10, 0))),
        Distance("threats", curve=Curve(smoothstep=(3, 15))),
    ]
)

Call = Callable[[int], object]


def comparisons() -> Iterator[Comparison | str]:
    level = sample("complex")
    layout = build_layout(build_navmesh(level))
    random = generator(0, "bench calls")
    places = layout.arrays.cell_xyz[random.integers(0, len(layout), CALLS)].astype(np.float64)
    near = [cells_within(layout, place, 8.0) for place in places]
    ends = layout.arrays.cell_xyz[[random.choice(cells) for cells in near]].astype(np.float64)
    turns = random.uniform(0.0, 2.0 * np.pi, CALLS)
    sight = Sight.from_level(level)
    yield _row("Chase.predict", _predict(layout, places, turns), 5.0)
    yield _row("sees", _sees(sight, places + _EYE, ends + _EYE), 4.0)
    yield _row("raycast", _raycast(layout.mesh, places, ends), 4.0)
    yield _row("find_path", _path(layout.mesh, places, ends), 1.6)
    yield _row("Picker.pick", _pick(layout, places, ends), 22.0, "choosing among its candidates")
    yield _row("ZoneVision.look", _look(sight.arrays, places, ends, turns), 5.0)


def _row(name: str, sides: tuple[Call, Call], at_most: float, than: str = "its kernel alone") -> Comparison:
    def repeated(side: Call) -> Call:
        return lambda number: [side((number + k) % CALLS) for k in range(CALLS)]

    ours, kernel = map(repeated, sides)
    return Comparison(f"one call of {name}", ours, kernel, at_most, than, items=CALLS, peer_items=CALLS, rounds=31)


def _tuples(points: np.ndarray) -> list[tuple[float, ...]]:
    return [tuple(point) for point in points.tolist()]


def _predict(layout, places, turns) -> tuple[Call, Call]:  # type: ignore[no-untyped-def]
    chase, seen = Chase(layout), _tuples(places)
    headings = _tuples(np.column_stack([np.cos(turns), np.sin(turns)]))
    losses = [Loss(*case) for case in zip(seen, headings)]
    arrays, space, worth = SettingsArrays(chase.settings), Workspaces(layout).lend(), np.zeros(0, np.float32)
    level = (tuple(layout.arrays), tuple(layout.mesh.arrays))
    given = (*level, tuple(space.flood), arrays.rules, tuple(space.look), worth)
    rows = [(loss.seen_at[None], loss.heading[None], -1) for loss in losses]
    out = (np.empty((2, 3)), np.empty(SAID_COLUMNS, np.int64))
    return (
        lambda k: chase.predict(seen_at=seen[k], heading=headings[k]),
        lambda k: flood_once(*given, *rows[k], *out),
    )


def _sees(sight, eyes, points) -> tuple[Call, Call]:  # type: ignore[no-untyped-def]
    one, other, found = _tuples(eyes), _tuples(points), np.zeros(1, np.bool_)
    return (
        lambda k: sees(sight, one[k], other[k]),
        lambda k: clear_lines(sight.arrays, eyes[k : k + 1], points[k : k + 1], found),
    )


def _raycast(mesh, starts, ends) -> tuple[Call, Call]:  # type: ignore[no-untyped-def]
    one, other, face = _tuples(starts), _tuples(ends), np.full(1, -1, np.int32)
    out = np.empty(1, np.uint8), np.empty((1, 3)), np.empty(1), np.empty((1, 2)), np.empty(1, np.int32)
    low, high = mesh.body.height, mesh.body.climb
    rows = [(starts[k : k + 1], ends[k : k + 1]) for k in range(CALLS)]
    return (
        lambda k: raycast(mesh, one[k], other[k]),
        lambda k: cast_rays(mesh.arrays, *rows[k], face, low, high, False, *out),
    )


def _path(mesh, starts, ends) -> tuple[Call, Call]:  # type: ignore[no-untyped-def]
    one, other, low, high = _tuples(starts), _tuples(ends), mesh.body.height, mesh.body.climb
    rows = [(starts[k : k + 1], ends[k : k + 1]) for k in range(CALLS)]
    return (
        lambda k: find_path(mesh, one[k], other[k]),
        lambda k: find_ways(mesh.arrays, mesh.face_component, *rows[k], low, high, MOST_NODES),
    )


def _pick(layout, askers, threats) -> tuple[Call, Call]:  # type: ignore[no-untyped-def]
    picker, one, other = Picker(layout), _tuples(askers), _tuples(threats)
    picked = [picker.start(QUERY, one[k], places={"threats": other[k]}) for k in range(CALLS)]
    for run in picked:
        run.advance()
    rows = [run._rows for run in picked]
    scores = [run.result()[0].candidate_scores for run in picked]
    out = (
        np.empty(2, np.int64),
        np.empty((1, 1), np.int32),
        np.empty((1, 1, 3)),
        np.empty((1, 1)),
        np.empty(1, np.uint8),
    )
    numbers, disabled = np.zeros((1, 1)), layout.arrays.disabled
    return (
        lambda k: picker.pick(QUERY, one[k], places={"threats": other[k]}),
        lambda k: pick_rows(rows[k], rows[k].asker, disabled, scores[k], 0.0, BEST, 1.0, 0.25, 0.0, 0.0, numbers, *out),
    )


def _look(sight, eyes, targets, turns) -> tuple[Call, Call]:  # type: ignore[no-untyped-def]
    model, memory, one, other = ZoneVision(), VisionMemory(1, 1), np.array([0]), np.array([1])
    tables = [bodies([eyes[k], targets[k]], [turns[k], 0.0], team=[0, 1]) for k in range(CALLS)]
    shapes, points, clouds, calm = model._shapes, model._points, np.zeros((0, 4)), np.zeros(1, np.uint8)
    out = np.empty((1, 1), np.int8), np.empty((1, 1), np.float32), np.empty((1, 1), np.uint8)
    ids, far = (np.array([0], np.int32), np.array([1], np.int32)), float(shapes.far.max())
    return (
        lambda k: model.look(tables[k], sight, one, other, memory, 0.1),
        lambda k: look_at_bodies(
            tables[k], sight, clouds, *ids, calm, shapes, far, points, -1, memory.cursor, memory.visible, *out
        ),
    )
