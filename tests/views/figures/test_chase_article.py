"""The figures of the article are drawn, and show what they claim."""

from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from lastseen.cells.query import cell_at
from lastseen.reasoning.chase.baselines import DeadReckoning
from lastseen.reasoning.chase.flood.chase import Chase
from lastseen.reasoning.chase.flood.chase_settings import ChaseSettings
from lastseen.reasoning.chase.loss import Loss
from lastseen.views.cli.app.main import cli
from lastseen.views.figures.research.article import FIGURES, MAPS, specimen
from pictures import decoded, look_alike

DOCS = Path(__file__).resolve().parents[3] / "docs"


@pytest.mark.parametrize("name", FIGURES)
def test_the_documentation_shows_the_figure_as_it_is_drawn_now(name):
    kept = DOCS / "pictures" / f"{name}.png"
    assert kept.stat().st_size < 60_000
    now = decoded(FIGURES[name]())
    assert 400 <= now.shape[1] <= 1600
    assert 300 <= now.shape[0] <= 1200
    assert look_alike(decoded(kept.read_bytes()), now), "draw it again: make pictures"
    assert f"](pictures/{name}.png)" in (DOCS / "chase-figures.md").read_text(encoding="utf-8")


def test_no_picture_of_the_documentation_is_drawn_by_hand():
    # Tested in tests/views: the first two in figures/test_readme_picture.py, the third in test_pygame_guard.py.
    drawn = {"last-seen", "warehouse", "game-loop", *FIGURES}
    screenshots = {"live-view"}  # of the page, whose content tests/views/studio/browser/test_browser_feed.py holds
    drawn |= screenshots
    assert {path.stem for path in (DOCS / "pictures").iterdir()} == drawn


def test_a_picture_of_another_thing_does_not_look_alike():
    dead_end, corner = (decoded(FIGURES[name]()) for name in list(FIGURES)[:2])
    assert look_alike(corner, corner)
    assert not look_alike(dead_end, corner)
    moved = np.roll(corner, 8, axis=1)
    assert not look_alike(moved, corner)


def test_the_command_draws_them_all(tmp_path):
    folder = tmp_path / "pictures"
    result = CliRunner().invoke(cli, ["chase", "--figures", str(folder)])
    assert result.exit_code == 0, result.output
    assert sorted(path.stem for path in folder.iterdir()) == sorted(FIGURES)
    first = next(iter(FIGURES))
    assert (folder / f"{first}.png").read_bytes() == FIGURES[first]()
    assert {name.split("-")[1] for name in FIGURES} == set("1234567")


def test_figures_need_a_folder(tmp_path):
    file = tmp_path / "file"
    file.write_text("")
    for place in (file, tmp_path / "no" / "such"):
        result = CliRunner().invoke(cli, ["chase", "--figures", str(place)])
        assert result.exit_code == 2
        assert "cannot write figures to" in result.stderr


@pytest.mark.parametrize("name", MAPS)
def test_cells_of_a_specimen_are_its_tiles(name):
    made = specimen(name)
    assert len(made.layout) == sum(letter not in "# \n" for letter in MAPS[name])
    assert cell_at(made.layout, made.seen_at) >= 0


def flood(name, heading, **settings):
    made = specimen(name)
    return Chase(made.layout, settings=ChaseSettings(**settings)).predict(seen_at=made.seen_at, heading=heading)


def test_figures_1_and_4_the_wall_and_round_the_corner():
    made = specimen("corner")
    straight = DeadReckoning(made.layout).predict(Loss(made.seen_at, (1, 0)))
    assert straight.reason == "wall"
    assert straight.destination[1] == pytest.approx(1.5)
    assert flood("corner", (1, 0)).destination[1] > 3.0


def test_figure_2_seeds_three_cells_behind():
    made = specimen("open")
    run = Chase(made.layout, settings=ChaseSettings(hot=9)).start(Loss(made.seen_at, (1, -1)))
    behind = made.layout.arrays.cell_xyz[run.result().barrier, :2] - made.seen_at[:2]
    assert sorted(map(tuple, behind.tolist())) == [(-1.0, 0.0), (-1.0, 1.0), (0.0, 1.0)]


def test_figure_5_between_two_ways_and_in_the_long_one():
    assert flood("two ways", (0, -1)).destination[0] == pytest.approx(specimen("two ways").seen_at[0])
    assert flood("short and long", (0, -1)).destination[0] > specimen("short and long").seen_at[0] + 5.0


def test_figure_6_stops_in_the_hall_and_not_in_the_corridor():
    hall, corridor = (flood(name, (1, 0), max_heated=6) for name in ("hall", "corridor"))
    assert (hall.reason, corridor.reason) == ("too_many", "max_steps")
    assert hall.steps < corridor.steps == 30


def test_figure_7_hides_the_exit_and_opens_it():
    made = specimen("exit behind")
    way_out = cell_at(made.layout, made.seen_at + np.array([5.0, 0.0, 0.0]))
    hidden, opened = (flood("exit behind", (-0.2, -1.0), exits=exits) for exits in ("hidden", "opened"))
    assert way_out in hidden.barrier
    assert way_out in opened.warm


def test_figure_3_goes_round_walls_and_cools_behind_the_front():
    made = specimen("walls")
    run = Chase(made.layout, settings=ChaseSettings(hot=9)).start(Loss(made.seen_at, (1, -1)))
    run.advance(7)
    flood = run.result()
    values = dict(zip(flood.warm.tolist(), flood.values.tolist()))
    assert values[cell_at(made.layout, made.seen_at)] == 9 - 7
    round_the_wall = cell_at(made.layout, (10.5, 4.5))
    assert values[round_the_wall] == 9
    assert set(flood.heated_in[flood.values == 9].tolist()) == {7}
    assert cell_at(made.layout, (0.5, 5.5)) in flood.barrier
