"""Signs of agents and crews: state by colour and shape, awareness as an arc, ties and badges of crews."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from PIL import ImageDraw

from ....conventions import Floats
from ....vocabulary.words import AgentState
from ...scene.moment import Moment, Person, Post
from ..drawing.canvas import Canvas
from ..drawing.palette import GUARD, PLAYER, QUIET_INK, WALKABLE, Colour
from ..drawing.text import LabelPlacer, font, text_width

STATE_COLOURS: dict[str, Colour] = {
    "patrol": GUARD,
    "suspicious": (222, 168, 12),
    "engage": (204, 38, 44),
    "chase": (232, 112, 22),
    "search": (122, 66, 176),
    "return": (18, 150, 128),
    "flee": PLAYER,
    "run": PLAYER,
    "hidden": PLAYER,
    "down": (96, 70, 60),
}
"""Colour of each state; shapes are in `draw_person`."""

_TURNING = (AgentState.CHASE, AgentState.RUN, AgentState.FLEE, AgentState.HIDDEN, AgentState.DOWN)
"""Signs that show the heading by themselves, or have none; all others get a nose."""

CIVILIAN: Colour = (128, 104, 78)
_TRACK: Colour = (206, 206, 202)

Shape = Sequence[tuple[float, float]]


def person_size(canvas: Canvas) -> float:
    """Return the radius of an agent's sign in finished pixels: a little above life-size, within limits."""
    return float(np.clip(0.36 * canvas.view.scale, 5.0, 9.0))


def sign_of(person: Person) -> str:
    """Return the sign of an agent: its state, except for bodies, hidden agents, idle players and civilians."""
    if person.mode in ("hidden", "down"):
        return person.mode
    if person.state == "patrol" and person.team != "guards":
        return "civilian" if person.team == "civilians" else "player"
    return person.state


def colour_of(person: Person) -> Colour:
    """Return the colour an agent is drawn in."""
    if person.team == "civilians":
        return CIVILIAN
    sign = sign_of(person)
    return PLAYER if sign == "player" else STATE_COLOURS[sign]


def draw_person(canvas: Canvas, person: Person) -> None:
    """Draw an agent: shape and colour by state, a nose in its heading, and an arc that shows its awareness."""
    sign, colour = sign_of(person), colour_of(person)
    turn = person.heading if canvas.view.y_down else -person.heading
    if sign not in _TURNING:
        _nose(canvas, person.xyz, turn, colour)
    _DRAW[sign](canvas, person.xyz, turn, colour)
    if person.awareness > 0.02:
        draw_arc(canvas, person.xyz, person.awareness, colour)


def draw_arc(canvas: Canvas, xyz: Floats, share: float, colour: Colour) -> None:
    """Draw an arc around a sign, clockwise from the top, over a fraction `share`; the rest is a faint track."""
    radius = 1.55 * person_size(canvas) + 2.5
    canvas.disc(xyz, radius + 1.0, None, _TRACK, 1.0)
    angle = np.linspace(0.0, 2.0 * math.pi * share, max(3, math.ceil(48 * share)))
    up = -1.0 if canvas.view.y_down else 1.0
    metres = (radius + 0.4) / canvas.view.scale
    points = np.column_stack([np.sin(angle), up * np.cos(angle)]) * metres + np.asarray(xyz)[:2]
    canvas.line(points, colour, 3.0)


def _nose(canvas: Canvas, xyz: Floats, turn: float, colour: Colour) -> None:
    _mark(canvas, xyz, [(2.15, 0.0), (0.7, 0.8), (0.7, -0.8)], turn, colour, 0.0)


def _mark(canvas: Canvas, xyz: Floats, shape: Shape, turn: float, colour: Colour, rim: float = 1.3) -> None:
    """Fill a rotated shape given in sign radii, with a light rim of `rim` pixels."""
    reach, cosine, sine = person_size(canvas), math.cos(turn), math.sin(turn)
    turned = [((x * cosine - y * sine) * reach, (x * sine + y * cosine) * reach) for x, y in shape]
    if rim > 0.0:
        grown = [
            (x + rim * x / max(math.hypot(x, y), 1e-9), y + rim * y / max(math.hypot(x, y), 1e-9)) for x, y in turned
        ]
        canvas.marks(grown, xyz, WALKABLE)
    canvas.marks(turned, xyz, colour)


def _dot(canvas: Canvas, xyz: Floats, turn: float, colour: Colour) -> None:  # noqa: ARG001
    canvas.disc(xyz, person_size(canvas) + 1.2, colour, WALKABLE, 1.2)


def _hollow(canvas: Canvas, xyz: Floats, turn: float, colour: Colour) -> None:
    _dot(canvas, xyz, turn, colour)
    canvas.disc(xyz, 0.42 * person_size(canvas), WALKABLE)


def _ring(canvas: Canvas, xyz: Floats, turn: float, colour: Colour) -> None:  # noqa: ARG001
    reach = person_size(canvas)
    canvas.disc(xyz, reach + 1.4, WALKABLE)
    canvas.disc(xyz, reach + 0.4, WALKABLE, colour, 0.42 * reach)


def _diamond(canvas: Canvas, xyz: Floats, turn: float, colour: Colour) -> None:  # noqa: ARG001
    _mark(canvas, xyz, [(0.0, -1.4), (1.4, 0.0), (0.0, 1.4), (-1.4, 0.0)], 0.0, colour)


def _arrow(canvas: Canvas, xyz: Floats, turn: float, colour: Colour) -> None:
    _mark(canvas, xyz, [(1.75, 0.0), (-1.15, 1.2), (-0.55, 0.0), (-1.15, -1.2)], turn, colour)


def _eye(canvas: Canvas, xyz: Floats, turn: float, colour: Colour) -> None:  # noqa: ARG001
    angle = np.linspace(0.0, math.pi, 12)[1:-1]
    lid = [(1.5 * math.cos(a), -0.95 * math.sin(a)) for a in angle.tolist()]
    _mark(canvas, xyz, [(1.6, 0.0), *lid, (-1.6, 0.0), *((x, -y) for x, y in reversed(lid))], 0.0, colour)
    reach = person_size(canvas)
    canvas.disc(xyz, 0.62 * reach, WALKABLE)
    canvas.disc(xyz, 0.32 * reach, colour)


def _triangle(canvas: Canvas, xyz: Floats, turn: float, colour: Colour) -> None:
    _mark(canvas, xyz, [(1.6, 0.0), (-0.95, 1.15), (-0.95, -1.15)], turn, colour)


def _chevrons(canvas: Canvas, xyz: Floats, turn: float, colour: Colour) -> None:
    wing = [(1.7, 0.0), (0.2, 1.25), (-0.5, 1.25), (0.75, 0.0), (-0.5, -1.25), (0.2, -1.25)]
    whole = [(1.9, 0.0), (0.3, 1.5), (-1.9, 1.5), (-1.1, 0.0), (-1.9, -1.5), (0.3, -1.5)]
    _mark(canvas, xyz, whole, turn, WALKABLE, 0.0)
    for back in (0.0, 1.25):
        _mark(canvas, xyz, [(x - back, y) for x, y in wing], turn, colour, 0.0)


def _hidden(canvas: Canvas, xyz: Floats, turn: float, colour: Colour) -> None:  # noqa: ARG001
    reach = person_size(canvas)
    canvas.disc(xyz, reach + 1.2, WALKABLE, colour, 1.4)
    _mark(canvas, xyz, [(-1.0, -0.22), (1.0, -0.22), (1.0, 0.22), (-1.0, 0.22)], 0.0, colour, 0.0)


def _cross(canvas: Canvas, xyz: Floats, turn: float, colour: Colour) -> None:  # noqa: ARG001
    bar = [(-1.3, -0.3), (1.3, -0.3), (1.3, 0.3), (-1.3, 0.3)]
    for angle in (math.pi / 4, -math.pi / 4):
        _mark(canvas, xyz, bar, angle, WALKABLE, 1.3)
    for angle in (math.pi / 4, -math.pi / 4):
        _mark(canvas, xyz, bar, angle, colour, 0.0)


def _square(canvas: Canvas, xyz: Floats, turn: float, colour: Colour) -> None:  # noqa: ARG001
    _mark(canvas, xyz, [(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)], 0.0, colour)


_DRAW: dict[str, Callable[[Canvas, Floats, float, Colour], None]] = {
    "patrol": _dot,
    "suspicious": _ring,
    "engage": _diamond,
    "chase": _arrow,
    "search": _eye,
    "return": _hollow,
    "flee": _chevrons,
    "run": _triangle,
    "hidden": _hidden,
    "down": _cross,
    "player": _hollow,
    "civilian": _square,
}


CREW_COLOURS: tuple[Colour, ...] = ((0, 104, 138), (160, 34, 112), (84, 104, 8), (122, 74, 22), (58, 58, 158))
"""Colours of crews by their seat; the number on the badge distinguishes crews that share one."""

_BADGE, _SIZE = 8.0, 11
_HALF = 5.5
"""Pixels: radius of a badge, size of its number, and half the width of the brackets around a place."""

At = Callable[[Floats], tuple[float, float] | None]


def crew_colour(post: Post) -> Colour:
    """Return the colour of a crew; agents waiting for room in one get a quiet colour."""
    return CREW_COLOURS[post.seat % len(CREW_COLOURS)] if post.seat >= 0 else QUIET_INK


def post_words(post: Post | None) -> str:
    """Return the suffix to a member's name: its role, and its place within the role, from 1."""
    if post is None:
        return ""
    place = f" {post.slot + 1}" if post.slot >= 0 else ""
    return f" · {post.role or 'no role'}{place}"


def draw_crews(canvas: Canvas, moment: Moment, is_here: Callable[[Floats], bool]) -> None:
    """Draw, below the agents, ties between members, the places they should take, and a badge next to each leader."""
    leaders = {post.crew: moment.people[post.person].xyz for post in moment.posts if post.leads}
    for post in moment.posts:
        xyz, colour, leader = moment.people[post.person].xyz, crew_colour(post), leaders.get(post.crew)
        if not is_here(xyz):
            continue
        if leader is not None and not post.leads and is_here(leader):
            draw_tied(canvas, leader, xyz, colour)
        if post.stand is not None and is_here(post.stand):
            canvas.dashes(np.stack([xyz[:2], post.stand[:2]]), colour, 1.1, dash=2.0, gap=3.0)
            _draw_place(canvas, post.stand, colour)
    for post in moment.posts:
        if post.leads and is_here(moment.people[post.person].xyz):
            _draw_badge(canvas, moment.people[post.person].xyz, crew_colour(post))


def draw_tied(canvas: Canvas, leader: Floats, member: Floats, colour: Colour) -> None:
    """Draw the tie between two members of a crew."""
    canvas.line(np.stack([np.asarray(leader)[:2], np.asarray(member)[:2]]), WALKABLE, 2.6)
    canvas.line(np.stack([np.asarray(leader)[:2], np.asarray(member)[:2]]), colour, 1.2)


def write_badges(draw: ImageDraw.ImageDraw, placer: LabelPlacer, moment: Moment, at: At, reach: float) -> None:
    """Write the numbers onto the badges before any other text, and reserve their space."""
    for post in moment.posts:
        place = at(moment.people[post.person].xyz) if post.leads else None
        if place is None:
            continue
        x, y = place[0] + _offset(reach)[0], place[1] + _offset(reach)[1]
        number = str(post.crew)
        draw.text((x - text_width(number, _SIZE) / 2.0, y - 0.62 * _SIZE), number, font=font(_SIZE), fill=WALKABLE)
        placer.keep_free(x, y, _BADGE + 1.0)


def _offset(reach: float) -> tuple[float, float]:
    """Return the offset of a badge from the centre of its leader's sign, in finished pixels: up and to the left."""
    away = 1.3 * reach + _BADGE
    return -away, -0.8 * away


def _draw_badge(canvas: Canvas, xyz: Floats, colour: Colour) -> None:
    left, up = _offset(person_size(canvas))
    for size, fill in ((_BADGE + 1.4, WALKABLE), (_BADGE, colour)):
        turns = [math.pi / 3.0 * corner for corner in range(6)]
        canvas.marks([(left + size * math.cos(turn), up + size * math.sin(turn)) for turn in turns], xyz, fill)


def _draw_place(canvas: Canvas, xyz: Floats, colour: Colour) -> None:
    """Draw four corner brackets around a place."""
    thick, arm = 1.6, 0.7 * _HALF
    for across in (-1.0, 1.0):
        for down in (-1.0, 1.0):
            x, y = across * _HALF, down * _HALF
            canvas.marks([(x, y), (x - across * arm, y), (x - across * arm, y - down * thick), (x, y - down * thick)],
                         xyz, colour)  # fmt: skip
            canvas.marks([(x, y), (x, y - down * arm), (x - across * thick, y - down * arm), (x - across * thick, y)],
                         xyz, colour)  # fmt: skip
