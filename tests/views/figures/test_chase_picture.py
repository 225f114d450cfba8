"""Pixels of chase pictures: what is where, in which colour."""

import io
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from lastseen.cells.build import build_layout
from lastseen.level.features import HidingPlace
from lastseen.level.samples import sample
from lastseen.navmesh.body import Body
from lastseen.navmesh.build import build_navmesh
from lastseen.reasoning.chase.baselines import DeadReckoning
from lastseen.reasoning.chase.flood.chase import Chase
from lastseen.reasoning.chase.flood.chase_settings import ChaseSettings
from lastseen.reasoning.chase.loss import Loss
from lastseen.views.figures.drawing import palette
from lastseen.views.figures.drawing.canvas import Canvas
from lastseen.views.figures.drawing.palette import scale_colours
from lastseen.views.figures.drawing.symbols import symbol_size
from lastseen.views.figures.drawing.viewport import Viewport
from lastseen.views.figures.moment.chase_figure import (
    MOST_FRAMES,
    ChaseMap,
    ChaseScene,
    chase_key,
    draw_chase,
    draw_chase_gif,
    shown_steps,
)

LOSS = Loss((3.5, 5.5, 0.0), (1, 0))
SCALE = 30.0


@pytest.fixture(scope="module")
def rooms():
    level = sample("rooms")
    return level, build_layout(build_navmesh(level, Body(radius=0.0)))


@pytest.fixture(scope="module")
def scene(rooms):
    level, layout = rooms
    return ChaseScene(layout, Chase(layout).predict(LOSS), LOSS.seen_at, LOSS.heading, level=level)


def panel_of(scene):
    chart = ChaseMap(scene, scale=SCALE)
    return np.asarray(chart.panels(scene)[0].image).astype(int), chart.view


def patch(pixels, view, xyz, reach=0.3):
    """The pixels within `reach` metres of a place."""
    x, y = view.pixels(np.array([xyz]))[0]
    size = reach * view.scale
    return pixels[round(y - size) : round(y + size), round(x - size) : round(x + size)].reshape(-1, 3)


def away_from_signs(scene, cells):
    places = scene.layout.arrays.cell_xyz[cells].astype(float)
    signs = np.array([scene.seen_at, scene.prediction.destination])
    apart = np.linalg.norm(places[:, None, :2] - signs[None, :, :2], axis=-1).min(axis=1)
    return np.flatnonzero(apart > 2.6)


def test_warm_cells_have_the_colour_of_their_heat(scene):
    pixels, view = panel_of(scene)
    flood, colours = scene.prediction, scale_colours("flood").astype(int)
    chosen = away_from_signs(scene, flood.warm)
    assert len(chosen) > 20
    hits = 0
    for row in chosen:
        middle = np.median(patch(pixels, view, scene.layout.arrays.cell_xyz[flood.warm[row]], 0.2), axis=0)
        hits += np.abs(middle - colours[round(flood.values[row] / 20 * 255)]).max() <= 3
    assert hits >= 0.9 * len(chosen)  # cover and doors stand on some


def test_the_barrier_is_hatched_in_no_colour_of_the_scale(scene):
    pixels, view = panel_of(scene)
    chosen = away_from_signs(scene, scene.prediction.barrier)
    assert len(chosen)
    colours = scale_colours("flood").astype(int)
    for cell in scene.prediction.barrier[chosen]:
        found = patch(pixels, view, scene.layout.arrays.cell_xyz[cell])
        light = (np.abs(found - palette.WALKABLE).max(axis=1) < 12).mean()
        dark = (found.mean(axis=1) < 190).mean()
        assert 0.2 < light < 0.9
        assert dark > 0.08
        strong = found[found.min(axis=1) < 200]
        assert (np.ptp(strong, axis=1) < 60).all()  # grey; the scale is colourful where it is not pale
    assert np.ptp(colours[64:], axis=1).min() > 60


def test_untouched_floor_stays_light(scene):
    early = Chase(scene.layout).start(LOSS)
    early.advance(1)
    first = early.result()
    pixels, view = panel_of(replace(scene, prediction=first, flag=False))
    cold = [cell for cell in range(len(scene.layout)) if cell not in {*first.warm.tolist(), *first.barrier.tolist()}]
    far = [cell for cell in cold if np.hypot(*(scene.layout.arrays.cell_xyz[cell][:2] - scene.seen_at[:2])) > 5]
    light = [np.median(patch(pixels, view, scene.layout.arrays.cell_xyz[cell]), axis=0).min() > 235 for cell in far]
    assert np.mean(light) > 0.9


def test_ghost_and_flag_stand_where_they_should(scene):
    pixels, view = panel_of(scene)
    assert (np.abs(patch(pixels, view, scene.seen_at) - palette.LAST_SEEN).max(axis=1) < 8).mean() > 0.5
    foot = patch(pixels, view, scene.prediction.destination, 0.1)
    assert (np.abs(foot - palette.DESTINATION).max(axis=1) < 8).mean() > 0.9
    ahead = patch(pixels, view, scene.seen_at + np.array([1.0, 0.0, 0.0]), 0.25)
    behind = patch(pixels, view, scene.seen_at - np.array([1.0, 0.0, 0.0]), 0.25)
    assert (np.abs(ahead - palette.LAST_SEEN).max(axis=1) < 8).any()
    assert not (np.abs(behind - palette.LAST_SEEN).max(axis=1) < 8).any()


def test_without_a_heading_there_is_no_arrow(scene):
    pixels, view = panel_of(replace(scene, heading=np.zeros(3)))
    ahead = patch(pixels, view, scene.seen_at + np.array([1.0, 0.0, 0.0]), 0.25)
    assert not (np.abs(ahead - palette.LAST_SEEN).max(axis=1) < 8).any()


def test_the_guard_looks_where_it_looked_and_is_in_the_key(scene):
    at, up = np.array([1.5, 2.5, 0.0]), np.array([0.0, -1.0, 0.0])

    def guard_in(pixels, view, place):
        return (np.abs(patch(pixels, view, place, 0.12) - palette.GUARD).max(axis=1) < 8).any()

    looking, round_about = (replace(scene, guard_at=at, guard_looks=looks) for looks in (up, None))
    pixels, view = panel_of(looking)
    reach = 1.7 * symbol_size(Canvas(view)) / view.scale
    assert guard_in(pixels, view, at)
    assert guard_in(pixels, view, at + reach * up)
    assert not guard_in(pixels, view, at + reach * np.array([1.0, 0.0, 0.0]))
    pixels, view = panel_of(round_about)
    assert guard_in(pixels, view, at)
    assert not guard_in(pixels, view, at + reach * up)
    assert "guard, and where it looked" in [entry.words for entry in chase_key(looking)]
    assert "guard" in [entry.words for entry in chase_key(round_about)]
    assert not [entry for entry in chase_key(scene) if "guard" in entry.words]


def test_labels_keep_off_signs_and_outer_walls(rooms, scene):
    # usually a name stands at the right of its sign: here that is over the guard, and over the outer wall
    named = tuple(HidingPlace((x, 2.5, 0.0), name) for x, name in ((3.5, "dumpster"), (22.5, "closet")))
    guard = np.array([5.5, 2.5, 0.0])
    pixels, view = panel_of(replace(scene, level=replace(rooms[0], hiding_places=named), guard_at=guard))
    assert (np.abs(patch(pixels, view, guard, 0.15) - palette.GUARD).max(axis=1) < 8).mean() > 0.95
    for y in np.arange(0.5, 10.0):
        assert (np.abs(patch(pixels, view, (23.5, y, 0.0), 0.45) - palette.WALL).max(axis=1) < 8).all()
    for x in (2.0, 21.0):
        letters = np.abs(patch(pixels, view, (x, 2.5, 0.0), 0.5) - palette.INK).max(axis=1) < 8
        assert letters.sum() > 5


def test_another_guess_is_a_cross_and_no_flag(rooms, scene):
    level, layout = rooms
    guess = DeadReckoning(layout).predict(LOSS)
    pixels, view = panel_of(replace(scene, rivals={"dead reckoning": guess}))
    assert (np.abs(patch(pixels, view, guess.destination, 0.3) - palette.RIVAL).max(axis=1) < 8).mean() > 0.1
    alone = ChaseScene(layout, guess, LOSS.seen_at, LOSS.heading, level=level)
    with Image.open(io.BytesIO(draw_chase(alone, scale=SCALE))) as image:
        assert image.format == "PNG"


def test_numbers_are_written_into_cells(scene):
    seed = Chase(scene.layout).start(LOSS)
    plain = replace(scene, prediction=seed.result(), flag=False)
    with_numbers, view = panel_of(replace(plain, numbers=True))
    barred = scene.layout.arrays.cell_xyz[plain.prediction.barrier[0]]
    without, _ = panel_of(plain)
    assert (patch(with_numbers, view, barred) != patch(without, view, barred)).any()


def test_the_front_is_brighter_than_what_was_heated_before(scene):
    run = Chase(scene.layout).start(LOSS)
    run.advance(4)
    flood = run.result()
    pixels, view = panel_of(replace(scene, prediction=flood, front=True, flag=False))

    def light(step):
        cells = flood.warm[flood.heated_in == step]
        places = scene.layout.arrays.cell_xyz[cells]
        return np.median([np.median(patch(pixels, view, place, 0.2)) for place in places])

    assert light(4) > 220 > light(3) + 40


def test_a_large_level_is_shown_near_the_flood():
    level = sample("complex")
    layout = build_layout(build_navmesh(level, Body(radius=0.0)))
    xyz = layout.arrays.cell_xyz[9000].astype(float)
    scene = ChaseScene(layout, Chase(layout).predict(seen_at=xyz, heading=(1, 0)), xyz, np.array([1.0, 0.0, 0.0]))
    view = ChaseMap(scene).view
    assert view.scale > 12.0
    low, high = np.array(view.low_xy), np.array(view.high_xy)
    places = layout.arrays.cell_xyz[scene.prediction.warm, :2]
    assert (places > low).all()
    assert (places < high).all()
    assert (high - low).max() < 80.0


def test_two_storeys_have_two_panels_and_one_flag():
    level = sample("house")
    layout = build_layout(build_navmesh(level))
    loss = Loss((6.0, 2.0, 0.0), (0, 1))
    scene = ChaseScene(layout, Chase(layout).predict(loss), loss.seen_at, loss.heading, level=level)
    panels = ChaseMap(scene, scale=SCALE).panels(scene)
    assert len(panels) == 2
    flags = [
        (np.abs(np.asarray(panel.image).astype(int) - palette.DESTINATION).max(axis=2) < 8).sum() for panel in panels
    ]
    assert sorted(count > 40 for count in flags) == [False, True]


def test_frames_are_the_seed_every_step_and_the_destination(scene):
    run = Chase(scene.layout, settings=ChaseSettings(max_steps=7)).start(LOSS)
    looks = [run.result()]
    while not run.advance(1):
        looks.append(run.result())
    end = run.result()
    looks = [*looks[: end.steps], end]
    moving = draw_chase_gif(replace(scene, prediction=end), looks, title="Rooms")
    assert end.steps == 7
    assert len(moving) < 90_000 * (end.steps + 2)
    with Image.open(io.BytesIO(moving)) as image:
        assert image.n_frames == end.steps + 2
        assert max(image.size) < 1200
        front, flag = [], []
        for number in range(image.n_frames):
            image.seek(number)
            pixels = np.asarray(image.convert("RGB")).astype(int)[80:-110]
            front.append((np.abs(pixels - palette.FRONT).max(axis=2) < 18).sum())
            flag.append((np.abs(pixels - palette.DESTINATION).max(axis=2) < 8).sum())
            assert image.info["duration"] >= 100
    assert min(front[1:-1]) > 50
    assert flag[-1] > 40
    assert max(flag[:-1]) == 0


def test_long_floods_are_shown_in_strides():
    assert shown_steps(0) == [0]
    assert shown_steps(30) == list(range(31))
    for steps in (120, 121, 122, 500, 30_000):
        shown = shown_steps(steps)
        assert shown[0] == 0
        assert shown[-1] == steps
        assert len(shown) + 1 <= MOST_FRAMES + 1
        assert (np.diff(shown) > 0).all()


def test_growing_a_mask_widens_it_by_a_square():
    canvas = Canvas(Viewport((0.0, 0.0), (10.0, 8.0), 5.0))
    rows, columns = canvas.hatch().shape
    mask = np.zeros((rows, columns), dtype=bool)
    mask[0, 0] = mask[40, 60] = True
    wide = canvas.grown(mask, 2.0)
    reach = int(2.0 * canvas.factor)
    expected = np.zeros_like(mask)
    expected[: reach + 1, : reach + 1] = True
    expected[40 - reach : 41 + reach, 60 - reach : 61 + reach] = True
    assert (wide == expected).all()
    assert (canvas.grown(mask, 0.0) == mask).all()
