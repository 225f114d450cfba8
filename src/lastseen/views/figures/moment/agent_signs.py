"""Signs of agents and crews: state by shape, awareness as an arc, ties and badges of crews."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from PIL import ImageDraw

from ....conventions import Floats
from ...scene.moment import Moment, Person, Post
from ...scene.signs import sign_name
from ..drawing.canvas import Canvas
from ..drawing.palette import GUARD, PLAYER, QUIET_INK, WALKABLE, Colour
from ..drawing.symbols import draw_agent
from ..drawing.text import LabelPlacer, font, text_width

_TRACK: Colour = (206, 206, 202)


def person_size(canvas: Canvas) -> float:
    """Return the radius of an agent's sign in finished pixels: a little above life-size, within limits."""
    return float(np.clip(0.36 * canvas.view.scale, 5.0, 9.0))


def sign_of(person: Person) -> str:
    """Return the name of an agent's sign."""
    return sign_name(person.state, person.mode, person.team)


def colour_of(person: Person) -> Colour:
    """Return the colour an agent is drawn in: players and others that guards hunt differ from the rest."""
    return PLAYER if person.team == "intruders" else GUARD


def draw_person(canvas: Canvas, person: Person) -> None:
    """Draw an agent: shape by state, colour by side, and an arc that shows its awareness."""
    turn = person.heading if canvas.view.y_down else -person.heading
    draw_agent(canvas, sign_of(person), person.xyz, colour_of(person), person_size(canvas), turn)
    if person.awareness > 0.02:
        draw_arc(canvas, person.xyz, person.awareness, colour_of(person))


def draw_arc(canvas: Canvas, xyz: Floats, share: float, colour: Colour) -> None:
    """Draw an arc around a sign, clockwise from the top, over a fraction `share`; the rest is a faint track."""
    radius = 1.55 * person_size(canvas) + 2.5
    canvas.disc(xyz, radius + 1.0, None, _TRACK, 1.0)
    angle = np.linspace(0.0, 2.0 * math.pi * share, max(3, math.ceil(48 * share)))
    up = -1.0 if canvas.view.y_down else 1.0
    metres = (radius + 0.4) / canvas.view.scale
    points = np.column_stack([np.sin(angle), up * np.cos(angle)]) * metres + np.asarray(xyz)[:2]
    canvas.line(points, colour, 3.0)


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
