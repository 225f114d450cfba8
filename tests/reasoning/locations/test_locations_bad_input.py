"""Any input to a picker gives a result or an error of `lastseen.errors`."""

import contextlib
import math

import numpy as np
import pytest

from lastseen.errors import LastSeenError
from lastseen.level.sight.sight import Sight
from lastseen.reasoning.locations.criteria import (
    Angle,
    Cover,
    Crowd,
    Distance,
    Height,
    InZone,
    LayerValue,
    PathClearance,
    Seen,
)
from lastseen.reasoning.locations.curve import Curve
from lastseen.reasoning.locations.picker import Picker
from lastseen.reasoning.locations.query import Pick, Query
from lastseen.reasoning.locations.query_places import Place
from specimens.locations import hall, hall_level

ODD = [
    None, True, -1, 0, 10**400, 1.5, math.nan, math.inf, "", "asker", b"x", (), [], {}, object(), (1,), (1, 2, 3, 4),
    ("a", "b"), (math.nan, 1), [[1, 2], [3]], np.zeros(0), np.zeros((0, 3)), np.zeros((2, 2, 2)), np.array("x"),
    np.array([1 + 2j, 3]), np.array([[1, 2]], "m8[s]"), {"a": 1}, lambda: 0, Curve(inverse=1), Pick(),
]  # fmt: skip
CURVE = Curve(inverse=1)


@pytest.fixture(scope="module")
def picker():
    return Picker(hall(), level=hall_level(), sight=Sight.from_level(hall_level()))


@pytest.mark.parametrize("odd", ODD, ids=lambda value: f"{type(value).__name__}")
def test_odd_arguments_are_answered_or_refused(picker, odd):
    query = Query([Distance("asker", curve=CURVE)])
    chance = query.but(pick=Pick("weighted"))
    calls = [
        lambda: picker.pick(odd, (1.5, 1.5)),
        lambda: picker.pick(query, odd),
        lambda: picker.pick_many(query, odd),
        lambda: picker.pick(query, (1.5, 1.5), places=odd),
        lambda: picker.pick(query, (1.5, 1.5), places={"threats": odd}),
        lambda: picker.pick(query, (1.5, 1.5), places={odd: (1, 1)} if isinstance(odd, str | int | None) else {}),
        lambda: picker.pick(query, (1.5, 1.5), candidates=odd),
        lambda: picker.pick(chance, (1.5, 1.5), random=odd),
        lambda: picker.start(query, (1.5, 1.5)).advance(odd),
        lambda: picker.pick(query, (1.5, 1.5)).why(odd),
        lambda: picker.pick_many(query, [(1.5, 1.5)] * 2)[odd] if odd is not ODD[4] else None,
        lambda: Picker(odd),
        lambda: Picker(hall(), level=odd),
        lambda: Picker(hall(), sight=odd),
        lambda: Picker(hall(), layers=odd),
        lambda: Place(odd),
        lambda: Place((1, 1), heading=odd),
        lambda: Place((1, 1), asker=odd),
        lambda: CURVE.rate(odd),
        *(lambda kind=kind: kind(odd, curve=CURVE)
          for kind in (Distance, PathClearance, Seen, Cover, Angle, Height, Crowd)),
        *(lambda kind=kind: kind(odd, at_most=1) for kind in (LayerValue, InZone)),
        *(lambda name=name: Distance("asker", **{"at_most": 1, name: odd})
          for name in ("at_least", "at_most", "curve", "weight", "name", "how", "across")),
        *(lambda name=name: Seen("asker", **{"at_most": 1, name: odd}) for name in ("line", "eye", "at", "within")),
        *(lambda name=name: Curve(**{name: odd}) for name in ("linear", "smoothstep", "inverse", "at_least", "points")),
        *(lambda name=name: Curve(at_most=1, **{name: odd}) for name in ("low", "high")),
        *(lambda name=name: Pick(**{name: odd})
          for name in ("rule", "count", "spacing", "apart", "least", "share", "sharpness")),
        *(lambda name=name: Query(**{name: odd}) for name in ("criteria", "combine", "pick", "about")),
    ]  # fmt: skip
    for call in calls:
        with contextlib.suppress(LastSeenError):
            call()


def test_choices_can_be_walked_through(picker):
    choices = picker.pick_many(Query([Distance("asker", curve=CURVE)]), [(1.5, 1.5), (4.5, 4.5)])
    assert [choice.cell for choice in choices] == choices.cell.tolist()
    assert choices[-1].cell == choices.cell[1]
    with pytest.raises(IndexError):
        choices[2]
