"""Signs of crews: ties from the leader to its members, a numbered badge, and the place each should take."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from PIL import ImageDraw

from ...conventions import Floats
from ...simulation.replay.moments import Moment, Post
from .canvas import Canvas
from .palette import QUIET_INK, WALKABLE, Colour
from .person_signs import person_size
from .text import LabelPlacer, font, text_width

__all__ = ["CREW_COLOURS", "crew_colour", "draw_crews", "draw_tied", "post_words", "write_badges"]

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
