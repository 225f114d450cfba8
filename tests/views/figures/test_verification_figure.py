"""Pictures of a verification: the same bytes every time, and what they show."""

import io
import math
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from lastseen.level.samples import sample
from lastseen.reasoning.placement.files.level_guards import patrol_placement
from lastseen.reasoning.placement.guard_routes import GuardRoute
from lastseen.reasoning.placement.placement_settings import VerifySettings
from lastseen.reasoning.placement.verify.sneak_ground import SneakGround
from lastseen.reasoning.placement.verify.verify import verify
from lastseen.views.figures.charts import draw_danger
from lastseen.views.figures.drawing.palette import scale_colours
from lastseen.views.figures.level.verification_figure import (
    VerificationScene,
    draw_verification,
    draw_verification_gif,
    verification_words,
)
from oracles.space_time import tile_level
from specimens.space_time import CORRIDOR, pacer

SEEN_HERE = (190, 34, 40)
SETTINGS = VerifySettings(seconds=20.0, speed=1.0, runs=3, trees=3, nodes=80)


def pixels(png: bytes) -> np.ndarray:
    with Image.open(io.BytesIO(png)) as image:
        return np.asarray(image.convert("RGB"))


def count(png: bytes, colour) -> int:
    return int((pixels(png) == colour).all(axis=2).sum())


@pytest.fixture(scope="module")
def corridor():
    return SneakGround(tile_level(CORRIDOR), cell=1.0)


@pytest.fixture(scope="module")
def through(corridor):
    return VerificationScene(
        verify(corridor, [pacer()], path=[(0.5, 0.5), (12.5, 0.5)], settings=SETTINGS), [pacer()], "corridor"
    )


@pytest.fixture(scope="module")
def stopped(corridor):
    stare = GuardRoute(replace(pacer().kind, speed=0.0), [(8.5, 3.5)], heading=-math.pi / 2)
    return VerificationScene(verify(corridor, [stare], (0.5, 0.5), (12.5, 0.5), settings=SETTINGS), [stare])


def test_the_same_verification_gives_the_same_bytes(through):
    assert draw_verification(through, scale=12.0) == draw_verification(through, scale=12.0)
    assert draw_danger(through.verification) == draw_danger(through.verification)


def test_heat_is_drawn_where_ways_were_found_and_sightings_where_none_were(through, stopped):
    found, none = draw_verification(through, scale=20.0), draw_verification(stopped, scale=20.0)
    everywhere = tuple(scale_colours("heat")[-1].tolist())  # the corridor, which every way passes
    assert count(found, everywhere) > 500
    assert count(none, everywhere) == 0
    assert count(none, SEEN_HERE) > 2 * count(found, SEEN_HERE)
    assert count(draw_danger(stopped.verification), SEEN_HERE) > 0
    assert count(draw_danger(through.verification), SEEN_HERE) == 0


def test_words_under_the_title(through, stopped):
    assert verification_words(through.verification).startswith("3 of 3 runs found a way (44% to 100%)")
    assert verification_words(stopped.verification).startswith("0 of 3 runs found a way (0% to 56%)")


def test_a_film_moves_until_the_last_is_through(through):
    film = draw_verification_gif(through, scale=6.0)
    latest = max(each.seconds for each in through.verification.solutions)
    with Image.open(io.BytesIO(film)) as image:
        assert image.n_frames == math.ceil(latest * 10.0 - 1e-9) + 1
    assert film == draw_verification_gif(through, scale=6.0)


def test_a_film_without_players_shows_the_guards(stopped):
    with Image.open(io.BytesIO(draw_verification_gif(stopped, scale=6.0))) as image:
        assert image.n_frames == 201


def test_storeys_stand_side_by_side():
    level = sample("house")
    ground = SneakGround(level)
    found = verify(ground, patrol_placement(level), path=level.paths[0], settings=replace(SETTINGS, runs=1))
    both = pixels(draw_verification(VerificationScene(found, patrol_placement(level).routes), scale=30.0))
    one = pixels(draw_verification(VerificationScene(found, patrol_placement(level).routes), scale=30.0, storey=1))
    assert both.shape[0] * both.shape[1] > one.shape[0] * one.shape[1]
