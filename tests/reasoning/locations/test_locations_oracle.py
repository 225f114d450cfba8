"""Location queries against plain Python, and properties of all of them."""

import math

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lastseen.cells.query import nearest_cell
from lastseen.level.sight.query import sees
from lastseen.level.sight.sight import Sight
from lastseen.reasoning.locations.criteria import Angle, Crowd, Distance, Height, InZone, Lead, PathClearance, Seen
from lastseen.reasoning.locations.curve import Curve
from lastseen.reasoning.locations.picker import Picker
from lastseen.reasoning.locations.query import Pick, Query, parse_query
from lastseen.reasoning.locations.query_places import Place
from oracles import locations as oracle
from specimens.locations import COLUMNS, ROWS, hall, hall_level

SIGHT = Sight.from_level(hall_level())
EYES, CHEST = np.array([0.0, 0.0, 1.6]), np.array([0.0, 0.0, 1.0])
NUMBERS = st.floats(-50, 50, allow_nan=False).map(lambda number: round(number, 3))
SPOTS = st.tuples(st.integers(0, COLUMNS - 1), st.integers(0, ROWS - 1)).map(lambda at: (at[0] + 0.5, at[1] + 0.5))
HERE = st.sampled_from([(1.5, 1.5), (4.5, 8.5), (9.5, 2.5), (12.5, 9.5)])


@pytest.fixture(scope="module")
def picker():
    return Picker(hall(), level=hall_level(), sight=SIGHT)


@st.composite
def curves(draw):
    ends = st.tuples(NUMBERS, NUMBERS).filter(lambda pair: pair[0] != pair[1])
    shape = draw(st.sampled_from(["linear", "smoothstep", "inverse", "at_least", "at_most", "points"]))
    if shape in ("linear", "smoothstep"):
        value = draw(ends)
    elif shape == "points":
        xs = sorted(draw(st.sets(NUMBERS, min_size=2, max_size=5)))
        value = tuple((x, draw(st.floats(0, 1).map(lambda y: round(y, 3)))) for x in xs)
    else:
        value = draw(NUMBERS) if shape != "inverse" else draw(st.floats(0.5, 50))
    return Curve(**{shape: value}, low=draw(st.sampled_from([0.0, 0.25])), high=draw(st.sampled_from([1.0, 0.5])))


@st.composite
def criteria(draw):
    where = draw(st.sampled_from(["asker", "askers", "threats"]))
    given = {"curve": draw(st.none() | curves()), "weight": draw(st.sampled_from([0.5, 1.0, 2.0]))}
    if given["curve"] is None:
        given["at_least"] = draw(st.sampled_from([0.0, 1.0, 3.0]))
    elif draw(st.booleans()):
        given["at_most"] = draw(st.sampled_from([0.5, 6.0, 30.0]))
    kind = draw(st.sampled_from(["straight", "walking", "way", "seen", "angle", "height", "crowd", "zone"]))
    if kind == "straight":
        return Distance(where, across=draw(st.sampled_from(["nearest", "farthest", "mean"])), **given)
    if kind == "walking":
        return Distance(where, how="walking", **given)
    if kind == "way":
        return PathClearance("threats", **given)
    if kind == "seen":
        return Seen(where, line=draw(st.sampled_from(["sight", "walking"])), **given)
    if kind == "zone":
        return InZone("dock", **given)
    made = {"angle": Angle, "height": Height, "crowd": Crowd}[kind]
    return made(where, **given)


QUERIES = st.builds(
    Query,
    st.lists(criteria(), max_size=4),
    combine=st.sampled_from(["product", "mean"]),
    pick=st.builds(
        Pick, count=st.integers(1, 4), spacing=st.sampled_from([0.0, 2.5]), apart=st.sampled_from([0.0, 2.0])
    ),
)


@given(curves(), st.lists(NUMBERS | st.sampled_from([math.inf, -math.inf, math.nan]), max_size=20))
def test_curves_equal_plain_python(curve, values):
    assert curve.rate(values) == pytest.approx([oracle.rate(curve, value) for value in values], abs=1e-12)


@given(HERE, st.lists(SPOTS, min_size=1, max_size=3), st.floats(-4, 4))
@settings(max_examples=15)
def test_measures_equal_plain_python(picker, asker, threats, heading):
    far = Curve(linear=(0, 100))
    query = Query(
        [
            Distance("threats", curve=far),
            Distance("threats", how="walking", curve=far),
            PathClearance("threats", curve=far),
            Seen("threats", curve=far),
            Angle("threats", curve=far),
            Crowd("threats", within=4.0, curve=far),
            Lead("threats", pace=1.5, curve=far),
        ]
    )
    choice = picker.pick(query, asker, places={"threats": Place(threats, heading=heading)})
    layout, points = picker.layout, np.array([(*xy, 0.0) for xy in threats])
    metres = [
        oracle.walks(layout, nearest_cell(layout, one))[0] for one in points if nearest_cell(layout, one, 2.0) >= 0
    ]
    walk, before = oracle.walks(layout, nearest_cell(layout, (*asker, 0.0)))
    gap = {cell: min(math.dist(layout.arrays.cell_xyz[cell].tolist(), one) for one in points) for cell in walk}
    past = {}
    for cell in sorted(walk, key=walk.get):
        past[cell] = min(gap[cell], max((past[one] for one in before[cell]), default=math.inf))
    for row, cell in enumerate(choice.candidates.tolist()):
        xyz = layout.arrays.cell_xyz[cell].astype(float)
        away = [math.dist(xyz, one) for one in points]
        seen = sees(SIGHT, points + EYES, xyz + CHEST).mean()
        turns = [math.atan2(xyz[1] - one[1], xyz[0] - one[0]) - heading for one in points]
        off = [
            abs(math.degrees(math.remainder(turn, math.tau))) if gone > 0 else 0.0 for turn, gone in zip(turns, away)
        ]
        expected = [
            min(away),
            min(one.get(cell, math.inf) for one in metres),
            past[cell],
            seen,
            min(off),
            sum(gone <= 4.0 for gone in away),
            min(one.get(cell, math.inf) for one in metres) - 1.5 * walk[cell],
        ]
        if 0.0 in away:  # no direction is defined at the point itself; ours is ahead or behind
            expected[4] = choice.values[4, row]
        assert choice.values[:, row] == pytest.approx(expected, abs=1e-5)


def _keeps(one, value):
    return (one.at_least is None or value >= one.at_least) and (one.at_most is None or value <= one.at_most)


@given(QUERIES, HERE, st.lists(SPOTS, max_size=3))
@settings(max_examples=60)
def test_scores_and_picks_follow_from_the_measures(picker, query, asker, threats):
    place = Place(np.array(threats).reshape(-1, 2), heading=1.0)
    choice = picker.pick(query, asker, places={"threats": place})
    for row in range(len(choice.candidates)):
        values = choice.values[:, row]
        ratings = [None if one.curve is None else oracle.rate(one.curve, value)
                   for one, value in zip(query.criteria, values)]  # fmt: skip
        assert choice.candidate_scores[row] == pytest.approx(oracle.score(query, ratings), abs=1e-9)
        for one, value in zip(query.criteria, values):
            assert _keeps(one, value)
    xyz = picker.layout.arrays.cell_xyz[choice.candidates].astype(float).tolist()
    best = oracle.choose(xyz, choice.candidate_scores.tolist(), query.pick.count, query.pick.spacing)
    assert choice.cells.tolist() == choice.candidates[best].tolist()
    for cell, by, value in zip(choice.dropped, choice.dropped_by, choice.dropped_value):
        one = query.criteria[by]
        assert not _keeps(one, value)
        assert cell not in choice.candidates


@given(QUERIES, st.lists(HERE, max_size=4), st.lists(SPOTS, max_size=2), st.integers(1, 400))
@settings(max_examples=40)
def test_pieces_and_batches_give_what_one_call_gives(picker, query, askers, threats, work):
    places = {"threats": Place(np.array(threats).reshape(-1, 2), heading=1.0)}
    askers = np.array(askers).reshape(-1, 2)
    many = picker.pick_many(query, askers, places=places)
    run = picker.start(query, askers, places=places)
    while not run.advance(work):
        assert (run.result().cells == -1).all()
    piecemeal = run.result()
    for name in ("cells", "scores", "reason", "candidates", "candidate_scores", "values", "ratings", "dropped"):
        assert np.array_equal(getattr(many, name), getattr(piecemeal, name), equal_nan=True)
    knows_others = any(getattr(one, "points", None) == "askers" for one in query.criteria)
    if query.pick.apart == 0.0 and not knows_others:
        for number, asker in enumerate(askers):
            alone = picker.pick(query, asker, places=places)
            assert alone.cells.tolist() == many[number].cells.tolist()
            assert alone.reason == many[number].reason
            assert np.array_equal(alone.values, many[number].values, equal_nan=True)


@given(QUERIES)
def test_queries_survive_being_written_and_read(query):
    assert parse_query(msgspec.json.encode(query).decode(), "json") == query


@given(st.lists(HERE, min_size=2, max_size=4), st.sampled_from(["weighted", "top"]), st.integers(0, 99))
def test_places_picked_by_chance_keep_apart_and_follow_the_seed(picker, askers, rule, seed):
    query = Query(
        [Distance("asker", at_most=7, curve=Curve(linear=(8, 0)))], pick=Pick(rule, count=2, spacing=1.5, apart=2.5)
    )
    numbers = np.random.default_rng(seed).random((len(askers), 2))
    found = picker.pick_many(query, askers, random=numbers)
    again = picker.pick_many(query, askers, random=np.random.default_rng(seed))
    assert np.array_equal(found.cells, again.cells)
    for one in range(len(askers)):
        for other in range(one):
            gaps = np.linalg.norm(found.xyz[one][:, None] - found.xyz[other][None], axis=2)
            assert not (gaps < 2.5 - 1e-5).any()
        if not np.isnan(found.xyz[one]).any():
            assert np.linalg.norm(found.xyz[one, 0] - found.xyz[one, 1]) >= 1.5 - 1e-5


@given(st.lists(criteria(), min_size=1, max_size=3), HERE, HERE, st.integers(1, 200))
@settings(max_examples=30)
def test_runs_that_take_turns_do_not_disturb_one_another(picker, parts, one, other, work):
    query, places = Query(parts), {"threats": Place((4.5, 4.5), heading=1.0)}
    runs = [picker.start(query, [asker, (2.5, 2.5)], places=places) for asker in (one, other)]
    while not (runs[0].advance(work) & runs[1].advance(work)):
        pass
    for run, asker in zip(runs, (one, other)):
        alone = picker.pick_many(query, [asker, (2.5, 2.5)], places=places)
        assert np.array_equal(run.result().values, alone.values, equal_nan=True)
        assert np.array_equal(run.result().cells, alone.cells)


@given(HERE, SPOTS, st.sampled_from([0.0, 2.0, 5.0, 9.5]))
def test_a_limit_on_the_walk_does_not_change_the_ways_within_it(picker, asker, threat, limit):
    way = PathClearance("threats", curve=Curve(inverse=3))
    every = picker.pick(Query([way]), asker, places={"threats": threat})
    walk = Distance("asker", how="walking", at_most=limit)
    near = picker.pick(Query([way, walk]), asker, places={"threats": threat})
    assert len(near.candidates) > 0
    assert np.array_equal(near.values[0], every.values[0, np.isin(every.candidates, near.candidates)])
