"""The two-storey house: polygons with real wall thickness, stairs, a ramp and a gallery over the hall.

Seen from above, y up; the yard lies in front (south), 0.6 m below the ground floor::

    10 +--------+---------+--------+        +--------+---------+--------+
       |        |         | study  |        |       landing             |
       | living |  stairs |        |   8.5  +-- ---+==+------+--- -----+
       |  room  |    ^    +--- ----+        |      |  hall |g|          |
       |             |    | kitchen|        | west |  open |a|  east    |
       |        |                  |        | bed- |  to   |l   bedroom |
     0 +--------+---   ---+--------+        | room |  below|l|          |
                  | ramp |                  +------+-------+-+----------+
                 -+------+-
                 |  yard  |                      upper storey, z = 3
                  --------
    x: 0        5        9.5      14
"""

from __future__ import annotations

import math

import numpy as np

from ...conventions import Floats
from ..features import Door, HidingPlace, IntendedPath, Marker, Obstacle, Patrol, PatrolStop, Spawn, Zone
from ..level import Floor, Floors, Level

WIDTH, DEPTH = 14.0, 10.0
YARD, GROUND, UPPER = -0.6, 0.0, 3.0
GROUND_CLEAR, UPPER_CLEAR = 2.8, 2.6
OUTER, INNER, RAIL = 0.25, 0.15, 0.1
LANDING = 8.5
STAIRS_LEFT, STAIRS_RIGHT, STAIRS_FOOT = 5.075, 6.275, 4.5
GALLERY_LEFT = 8.3

Span = tuple[float, float]
Point = tuple[float, float, float]


def house() -> Level:
    """Return the house, its furniture, two guards and an intended path."""
    return Level(
        surface=Floors(_floors()),
        name="House with a balcony",
        obstacles=tuple(_walls() + _rails()),
        cover=_furniture(),
        doors=_doors(),
        hiding_places=(
            HidingPlace((0.8, 9.2, GROUND), "curtain", heading=-math.pi / 2),
            HidingPlace((5.6, 9.2, GROUND), "under the stairs", heading=0.0),
            HidingPlace((0.8, 0.8, UPPER), "wardrobe", heading=math.pi / 2),
            HidingPlace((13.2, 1.0, UPPER), "bed", heading=math.pi, capacity=2),
        ),
        spawns=_spawns(),
        patrols=_patrols(),
        zones=(
            Zone(_box((0.0, WIDTH), (0.0, DEPTH)), UPPER, UPPER_CLEAR, "upstairs", "restricted"),
            Zone(_box((4.0, 10.0), (-6.0, -3.0)), YARD, 2.0, "yard", "safe"),
        ),
        paths=(IntendedPath(np.array(_PATH_IN), "to the safe"),),
        markers=(
            Marker((1.2, 4.5, UPPER), "goal", "safe"),
            Marker((9.0, -5.0, YARD), "exit", "gate"),
        ),
        source="house",
    )


_PATH_IN: tuple[Point, ...] = (
    (7.0, -5.0, YARD),
    (7.0, -3.0, YARD),
    (7.0, 0.0, GROUND),
    (7.0, 3.5, GROUND),
    (5.7, 4.0, GROUND),
    (5.7, STAIRS_FOOT, GROUND),
    (5.7, LANDING, UPPER),
    (5.5, 9.2, UPPER),
    (2.5, 9.2, UPPER),
    (2.5, 7.5, UPPER),
    (1.2, 4.5, UPPER),
)


def _floors() -> tuple[Floor, ...]:
    stairs = ((STAIRS_LEFT, STAIRS_RIGHT), (STAIRS_FOOT, LANDING))
    hall = ((STAIRS_LEFT, GALLERY_LEFT), (OUTER, LANDING))
    whole = ((0.0, WIDTH), (0.0, DEPTH))
    return (
        Floor(_level(*whole, GROUND), (_hole(*stairs, GROUND),), "ground floor", 0),
        Floor(_level((4.0, 10.0), (-6.0, -3.0), YARD), name="yard", storey=0),
        Floor(_sloping((6.0, 8.0), (-3.0, 0.0), YARD, GROUND), name="ramp", storey=0, kind="ramp"),
        Floor(_sloping(*stairs, GROUND, UPPER), name="stairs", storey=0, kind="stairs"),
        Floor(_level(*whole, UPPER), (_hole(*hall, UPPER),), "upper floor", 1),
    )


def _walls() -> list[Obstacle]:
    ground = [
        *_outer_walls(door=(6.4, 7.6)),
        *_wall_along_y(5.0, (OUTER, DEPTH - OUTER), gaps=[(2.0, 3.0)]),
        *_wall_along_y(9.5, (OUTER, DEPTH - OUTER), gaps=[(1.5, 2.5), (7.0, 8.0)]),
        *_wall_along_x(5.0, (9.5 + INNER / 2, WIDTH - OUTER), gaps=[(12.0, 13.0)]),
    ]
    upper = [
        *_outer_walls(door=None),
        *_wall_along_y(5.0, (OUTER, LANDING), gaps=[]),
        *_wall_along_y(9.5, (OUTER, LANDING), gaps=[(3.0, 4.0)]),
        *_wall_along_x(LANDING, (OUTER, 5.0 - INNER / 2), gaps=[(2.0, 3.0)]),
        *_wall_along_x(LANDING, (9.5 + INNER / 2, WIDTH - OUTER), gaps=[(11.0, 12.0)]),
    ]
    walls = [Obstacle(outline, GROUND, GROUND_CLEAR, "wall") for outline in ground]
    return walls + [Obstacle(outline, UPPER, UPPER_CLEAR, "wall") for outline in upper]


def _rails() -> list[Obstacle]:
    """Return the railings of the landing and the gallery: visible over, but not passable."""
    landing = _box((STAIRS_RIGHT, GALLERY_LEFT), (LANDING, LANDING + RAIL))
    gallery = _box((GALLERY_LEFT, GALLERY_LEFT + RAIL), (OUTER, LANDING + RAIL))
    return [Obstacle(outline, UPPER, 1.0, "railing") for outline in (landing, gallery)]


def _furniture() -> tuple[Obstacle, ...]:
    return (
        Obstacle(_box((1.0, 3.2), (5.0, 5.9)), GROUND, 0.8, "sofa"),
        Obstacle(_box((11.0, 12.6), (2.2, 3.2)), GROUND, 0.9, "kitchen table"),
        Obstacle(_box((12.2, 13.6), (8.8, 9.6)), GROUND, 0.8, "desk"),
        Obstacle(_box((2.6, 4.4), (1.6, 3.6)), UPPER, 0.6, "double bed"),
        Obstacle(_box((11.6, 13.0), (5.0, 7.0)), UPPER, 0.6, "guest bed"),
    )


def _doors() -> tuple[Door, ...]:
    half = INNER / 2
    return (
        Door(_box((6.4, 7.6), (0.0, OUTER)), GROUND, 2.1, "front door", open=False),
        Door(_box((5.0 - half, 5.0 + half), (2.0, 3.0)), GROUND, 2.1, "living room door", open=True),
        Door(_box((9.5 - half, 9.5 + half), (1.5, 2.5)), GROUND, 2.1, "kitchen door", open=True),
        Door(_box((9.5 - half, 9.5 + half), (7.0, 8.0)), GROUND, 2.1, "study door", open=False),
        Door(_box((2.0, 3.0), (LANDING - half, LANDING + half)), UPPER, 2.1, "west bedroom door", open=False),
        Door(_box((11.0, 12.0), (LANDING - half, LANDING + half)), UPPER, 2.1, "east bedroom door", open=False),
        Door(_box((9.5 - half, 9.5 + half), (3.0, 4.0)), UPPER, 2.1, "gallery door", open=True),
    )


def _spawns() -> tuple[Spawn, ...]:
    guard = {"turn_speed": math.radians(120.0), "view_angle": math.radians(70.0), "view_distance": 10.0}
    return (
        Spawn((5.0, -4.5, YARD), "player", "player", heading=math.pi / 2),
        Spawn((7.5, 2.0, GROUND), "guard", "Ames", math.pi / 2, "ground floor", 1.3, **guard),
        Spawn((8.95, 6.0, UPPER), "guard", "Bell", -math.pi / 2, "both floors", 1.2, **guard),
    )


def _patrols() -> tuple[Patrol, ...]:
    below = [(7.5, 2.0), (2.5, 2.5), (2.5, 8.0), (2.5, 2.5), (8.0, 2.0), (12.5, 1.2), (12.5, 7.0), (8.5, 7.5)]
    above = [(8.95, 1.0, UPPER), (8.95, 9.2, UPPER), (5.7, 9.2, UPPER), (6.0, 3.5, GROUND), (5.7, 9.2, UPPER)]
    looking = [PatrolStop(above[0], "turn", heading=math.pi), PatrolStop(above[0], "wait", seconds=4.0)]
    stops = [PatrolStop(point) for point in above]
    return (
        Patrol(tuple(PatrolStop((x, y, GROUND)) for x, y in below), "ground floor"),
        Patrol((stops[0], *looking, *stops[1:]), "both floors"),
    )


def _outer_walls(door: Span | None) -> list[Floats]:
    front = _wall_pieces((0.0, WIDTH), [door] if door else [])
    return [
        *(_box(span, (0.0, OUTER)) for span in front),
        _box((0.0, WIDTH), (DEPTH - OUTER, DEPTH)),
        _box((0.0, OUTER), (OUTER, DEPTH - OUTER)),
        _box((WIDTH - OUTER, WIDTH), (OUTER, DEPTH - OUTER)),
    ]


def _wall_along_y(x: float, span: Span, gaps: list[Span]) -> list[Floats]:
    return [_box((x - INNER / 2, x + INNER / 2), piece) for piece in _wall_pieces(span, gaps)]


def _wall_along_x(y: float, span: Span, gaps: list[Span]) -> list[Floats]:
    return [_box(piece, (y - INNER / 2, y + INNER / 2)) for piece in _wall_pieces(span, gaps)]


def _wall_pieces(span: Span, gaps: list[Span]) -> list[Span]:
    """Return `span` without its gaps, which are sorted and inside it."""
    ends = [span[0], *(end for gap in gaps for end in gap), span[1]]
    return list(zip(ends[::2], ends[1::2]))


def _box(x: Span, y: Span) -> Floats:
    """Return a rectangle, counter-clockwise: (4, 2) float64."""
    return np.array([[x[0], y[0]], [x[1], y[0]], [x[1], y[1]], [x[0], y[1]]])


def _level(x: Span, y: Span, z: float) -> Floats:
    return np.column_stack([_box(x, y), np.full(4, z)])


def _sloping(x: Span, y: Span, z_low: float, z_high: float) -> Floats:
    """Return a rectangle that rises along y."""
    return np.column_stack([_box(x, y), [z_low, z_low, z_high, z_high]])


def _hole(x: Span, y: Span, z: float) -> Floats:
    return _level(x, y, z)[::-1]
