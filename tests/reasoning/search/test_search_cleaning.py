"""How the influence layer is cleaned and returns, where searchers go, and the search map of chapter 34."""

from __future__ import annotations

import math

import numpy as np
import pytest

from lastseen.cells.build import build_layout
from lastseen.cells.live import LiveLayout
from lastseen.cells.query import cell_at, position, positions
from lastseen.errors import InputError, QueryError
from lastseen.layers.spread import Spread
from lastseen.level.samples import sample
from lastseen.reasoning.search.map import destination
from lastseen.reasoning.search.map.destination import Scoring
from lastseen.reasoning.search.map.search_map import SearchMap
from lastseen.reasoning.search.search_settings import SearchSettings, preset
from oracles import search as search_oracle
from specimens.cells import rooms_with_thin_wall, two_storeys
from specimens.chase import cell_of, cells_of, spot
from specimens.search import CORRIDOR, HALL, PILLARS, filled, level_cells, step_until


def test_a_cleaned_area_stays_low_while_watched_and_comes_back_to_the_threshold_and_no_further():
    layout = cells_of(CORRIDOR)
    search = filled(layout, SearchSettings(threshold=0.2, regeneration=0.05))
    watched = [cell_of(layout, column, 0) for column in range(11, 20)]
    for _ in range(100):
        search.advance(0.1)
        search.clean_view([(10.5, 0.5)], 0.0, distance=9.0)
        assert search.value01[watched].max() == 0.0
    rising = []
    for _ in range(100):
        search.advance(0.1)
        rising.append(float(search.value01[watched[3]]))
    assert rising == sorted(rising)
    assert rising[19] == pytest.approx(0.1, abs=1.5 / 127), "0.05 a second for 2 s"
    assert rising[-1] == pytest.approx(25 / 127)
    assert search.regenerating == 0
    untouched = [cell for cell in range(len(layout)) if cell not in watched and cell != cell_of(layout, 10, 0)]
    assert (search.value01[untouched] == 1.0).all()


@pytest.mark.parametrize("threshold", [0.1, 0.2, 0.3, 13 / 127, 0.5, 1.0])
def test_what_comes_back_never_exceeds_the_threshold_and_falls_short_by_less_than_one_step(threshold):
    search = filled(cells_of(CORRIDOR), SearchSettings(threshold=threshold, regeneration=1.0))
    search.clean(range(5))
    search.advance(3.0)
    back = (search.value01[:5] * 127.0).round().astype(int)
    assert (back <= threshold * 127.0 + 1e-9).all()
    assert (back > threshold * 127.0 - 1.0).all()


def test_cleaned_cells_may_never_come_back():
    search = filled(cells_of(CORRIDOR), SearchSettings(returns="never"))
    assert search.clean(range(5)) == 5
    step_until(search, 30.0)
    assert search.value01[:6].tolist() == [0, 0, 0, 0, 0, 1]


def test_a_later_perception_spreads_over_what_was_cleaned():
    layout = cells_of(CORRIDOR)
    search = filled(layout)
    search.advance(5.0)
    search.clean(range(10, 30))
    search.seed([0])
    search.advance(20.0)
    assert (search.value01 == 1.0).all()


def test_the_view_cleans_what_a_slow_test_of_every_cell_says():
    for layout in (cells_of(PILLARS), level_cells("house"), rooms_with_thin_wall()):
        random = np.random.default_rng(3)
        for cell in random.integers(0, len(layout), 12):
            heading, xyz = random.uniform(-4, 4), position(layout, int(cell))
            search = filled(layout)
            search.clean_view([xyz], heading, angle=1.2, distance=6.0)
            cleaned = np.flatnonzero(search.value01 == 0.0).tolist()
            assert cleaned == search_oracle.seen_cells(layout, xyz, heading, 1.2, 6.0, 2.0)


def test_the_cube_cleans_around_a_searcher_but_not_through_walls():
    text = """
        .....
        ..#..
        ..#..
        ..#..
    """
    layout = cells_of(text)
    search = filled(layout)
    search.clean_cube([(1.5, 3.5)], half=1.0)
    assert np.flatnonzero(search.value01 == 0).tolist() == sorted(
        cell_of(layout, column, row) for column in (0, 1) for row in (2, 3)
    )
    open_ = filled(layout, SearchSettings(cube_needs_line=False))
    open_.clean_cube([(1.5, 3.5)], half=2.0)
    assert open_.value01[cell_of(layout, 3, 3)] == 0.0


def test_a_floor_above_is_not_cleaned_from_below():
    layout = build_layout(two_storeys())
    search = filled(layout)
    search.clean_view([(6.5, 2.0, 0.0)], 0.0, angle=2.0, distance=5.0)
    heights = positions(layout, np.flatnonzero(search.value01 == 0.0))[:, 2]
    assert len(heights) > 5
    assert heights.max() == 0.0


def test_a_wardrobe_is_not_cleaned_by_looking_and_is_visited_in_the_end():
    text = """
        ............
        ...........W
        ............
    """
    layout = cells_of(text)
    search = SearchMap(layout, spots={"wardrobe": spot(text, "W")})
    search.seed([cell_of(layout, 6, 1)])
    search.advance(10.0)
    here, visited, goals = np.array([0.5, 1.5, 0.0]), False, 0
    while not visited and goals < 40:
        goal = search.destination(here, scoring=Scoring(too_near=0.0, near=0.0))
        goals += 1
        heading = math.atan2(goal.xyz[1] - here[1], goal.xyz[0] - here[0])
        here = goal.xyz
        search.clean_cube([here])
        search.clean_view([here], heading)
        search.advance(0.5)
        if goal.cell == search.spots["wardrobe"]:
            assert search.value01[goal.cell] == 1.0, "nobody cleaned it by looking"
            visited = search.use_spot("wardrobe")
    assert visited
    assert search.value01[search.spots["wardrobe"]] == 0.0
    step_until(search, 60.0)
    assert search.value01[search.spots["wardrobe"]] == pytest.approx(12 / 127), (
        "as near 0.1 as may be without exceeding it"
    )


def test_two_spots_in_one_cell_must_both_be_used():
    layout = cells_of(CORRIDOR)
    search = filled(layout, spots={"left": (3.3, 0.5), "right": (3.7, 0.5)})
    assert not search.use_spot("left")
    assert search.value01[3] == 1.0
    assert search.use_spot("right")
    assert search.value01[3] == 0.0


def test_two_searchers_split_up():
    layout = cells_of(HALL)
    search = filled(layout)
    first, second = search.destinations([(20.5, 20.5), (20.5, 20.5)])
    assert np.linalg.norm(first.xyz - second.xyz) >= Scoring().spread
    together = search.destinations([(20.5, 20.5), (20.5, 20.5)], scoring=Scoring(spread=0.0))
    assert together[0].cell == together[1].cell, "without the spread term both want the same"


def test_the_layer_is_clean_after_the_end():
    layout = cells_of(PILLARS)
    search = SearchMap(layout, spots={"chest": (3.5, 0.5)})
    fresh = SearchMap(layout, spots={"chest": (3.5, 0.5)})
    search.seed([5])
    step_until(search, 3.0)
    search.clean_view([(0.5, 0.5)], 0.3)
    search.clear()
    assert not search.layer.values.any()
    assert search.seconds == 0.0
    assert len(search.reached) == len(search.active) == search.regenerating == 0
    for one in (search, fresh):
        one.seed([40])
        step_until(one, 1.0)
    assert (search.layer.values == fresh.layer.values).all()
    assert search.layer.values.any()


@pytest.mark.parametrize("watched", ["hold", SearchSettings().watched])
def test_34_11_bleeding_over_four_neighbours(watched):
    layout = cells_of("\n".join(["." * 11] * 5 + [".####.#####"] + ["." * 11] * 5))
    search = SearchMap(layout, preset("bleeding").but(speed=1.0, watched=watched))
    middle = cell_of(layout, 5, 2)
    search.seed([middle])
    counts = [len(search.active)]
    for _ in range(2):
        search.advance(1.0)
        counts.append(len(search.active))
    assert counts == [1, 5, 13], "walls never become active: they are no cells"
    visible = [cell_of(layout, 5, 2), cell_of(layout, 4, 2)]
    search.clean(visible)
    assert set(visible).isdisjoint(search.active.tolist())
    for _ in range(30):
        search.advance(0.1)
        search.clean(visible)
        assert set(visible).isdisjoint(search.active.tolist()), "nothing bleeds into what is watched"
    step_until(search, 1.3)
    assert set(visible) <= set(search.active.tolist()), "it comes back from its neighbours"
    search.seed([middle], reset=True)
    assert search.active.tolist() == [middle], "a re-sighting resets to one cell"


def test_a_watched_doorway_holds_the_wave_back():
    for settings, slips in ((SearchSettings(watched="hold"), False), (SearchSettings(), True)):
        layout = cells_of(CORRIDOR)
        search = SearchMap(layout, settings)
        search.seed([0])
        for _ in range(40):
            search.clean([20, 21])
            search.advance(0.2)
        assert bool(search.value01[22:].any()) is slips
        step_until(search, 6.0)
        assert search.value01[39] == 1.0, "once nobody looks, it goes on"


def test_doors_stop_the_wave_and_let_it_through_when_they_open():
    level = sample("rooms")
    live = LiveLayout(level_cells("rooms"))
    live.close_door(level, 0)
    search = SearchMap(live)
    search.seed([(5.5, 5.5)])
    search.advance(30.0)
    west = cell_at(live, (5.5, 3.5)), cell_at(live, (18.5, 3.5))
    assert search.value01[west[0]] == 1.0
    assert search.value01[west[1]] == 0.0
    live.open_door(level, 0)
    search.advance(1.0)
    assert search.value01[west[1]] == 0.0, "at the pace of a runner"
    search.advance(30.0)
    assert search.value01[west[1]] == 1.0
    before = search.value01.copy()
    for closed, beyond in ((True, False), (False, True)):
        (live.close_door if closed else live.open_door)(level, 0)
        search.clean_view([(9.5, 5.5)], 0.0, distance=6.0)
        east = (before > search.value01) & (live.arrays.cell_xyz[:, 0] > 12.0)
        assert bool(east.any()) is beyond, "one does not look through a closed door"
    live.close_door(level, 0)
    search.advance(1.0)
    goal = search.destination((5.5, 5.5))
    assert goal.xyz[0] < 11.0, "what lies behind a closed door is no destination"


def test_a_destination_is_the_best_product_of_its_terms():
    layout = cells_of(PILLARS)
    search = SearchMap(layout)
    random = np.random.default_rng(5)
    chosen = random.choice(len(layout), 30, replace=False)
    search.seed(chosen, random.uniform(0.1, 1.0, 30))
    scoring = Scoring(near=3.0, far=5.0, too_far=9.0, spread=4.0, kept=4)
    here, others = np.array([0.5, 0.5, 0.0]), np.array([[6.5, 3.5, 0.0], [9.5, 7.5, 0.0]])
    goal = search.destination(here, others, scoring=scoring)
    metres = dict(zip(*(part.tolist() for part in _walks(layout, here))))
    scored = []
    for cell in search.active.tolist():
        away = metres[cell]
        near = min((away - 1.0) / 2.0, 1.0, (9.0 - away) / 4.0)
        apart = min(np.linalg.norm(others - position(layout, cell), axis=1).min() / 4.0, 1.0)
        terms = float(search.value01[cell]), 0.05 + 0.95 * max(near, 0.0), 0.05 + 0.95 * apart
        scored.append((-math.prod(terms), cell, terms))
    scored.sort()
    assert goal.candidates == 30
    assert goal.best.tolist() == [cell for _, cell, _ in scored[:4]]
    assert goal.terms.ravel() == pytest.approx([term for _, _, terms in scored[:4] for term in terms], rel=1e-6)
    assert goal.score == pytest.approx(-scored[0][0], rel=1e-6)
    assert "influence" in goal.explain()


@pytest.mark.parametrize(("count", "leaves_out"), [(7, 0), (60, None), (1500, 600)])
def test_cells_too_far_away_to_win_are_left_out_without_changing_the_best(count, leaves_out, monkeypatch):
    layout = cells_of(HALL)
    random = np.random.default_rng(count)
    search = SearchMap(layout)
    search.seed(random.choice(len(layout), count, replace=False), random.uniform(0.1, 1.0, count))
    feet = [(3.5, 3.5), (30.5, 20.5), (37.5, 38.5)]
    near = search.destinations(feet, [(4.5, 6.5)])
    monkeypatch.setattr(destination, "_NEAR", ())
    every = search.destinations(feet, [(4.5, 6.5)])
    assert [_ranked(one) for one in near] == [_ranked(one) for one in every]
    assert {one.candidates for one in every} == {count}
    if leaves_out is not None:
        assert (count - near[0].candidates >= leaves_out) if leaves_out else near[0].candidates == count


def _ranked(found):
    return found.best.tolist(), found.scores.tolist(), found.terms.tolist(), found.metres.tolist(), found.reason


def _walks(layout, here):
    reached = Spread(layout).distances([cell_at(layout, here)])
    return reached.cells, reached.metres


def test_without_influence_there_is_no_destination_and_a_reason():
    text = """
        ...#...
        ...#...
    """
    layout = cells_of(text)
    search = SearchMap(layout)
    goal = search.destination((0.5, 0.5))
    assert (goal.cell, goal.reason, bool(goal), goal.score) == (-1, "no_influence", False, 0.0)
    assert "influence" in goal.explain()
    search.seed([(5.5, 0.5)])
    goal = search.destination((0.5, 0.5))
    assert (goal.cell, goal.reason) == (-1, "no_path")
    assert search.destination((0.5, 0.5), scoring=Scoring(measure="straight")).cell == cell_of(layout, 5, 0)


def test_cells_at_zero_are_never_destinations():
    search = filled(cells_of(CORRIDOR))
    search.clean(np.arange(1, 40))
    assert search.destination((30.5, 0.5)).cell == 0


def test_bad_arguments_say_what_is_allowed():
    layout = cells_of(CORRIDOR)
    search = SearchMap(layout, spots={"wardrobe": (3.5, 0.5)})
    for call, words in (
        (lambda: search.seed([0], 1.5), "from 0 to 1"),
        (lambda: search.seed([99]), "no cell 99"),
        (lambda: search.advance(-1.0), "seconds"),
        (lambda: search.advance(0.1, budget=0), "budget"),
        (lambda: search.clean_view([(0.5, 0.5)], [0.0, 1.0]), "heading"),
        (lambda: search.clean_view([(0.5, 0.5)], 0.0, angle=3.2), "angle"),
        (lambda: SearchSettings(returns="bleeds"), "did you mean 'bleed'"),
        (lambda: SearchSettings(speed=math.nan), "speed"),
        (lambda: preset("influense"), "did you mean 'influence'"),
        (lambda: SearchSettings().but(treshold=0.1), "did you mean 'threshold'"),
        (lambda: Scoring(near=30.0), "rise"),
        (lambda: SearchMap(layout, 3), "preset"),
        (lambda: search.add_spot("wardrobe", (4.5, 0.5)), "already"),
    ):
        with pytest.raises(InputError, match=words):
            call()
    with pytest.raises(QueryError, match="did you mean 'wardrobe'"):
        search.use_spot("wardrobes")
    with pytest.raises(QueryError, match="off the mesh"):
        search.seed([(3.5, 50.0)])
