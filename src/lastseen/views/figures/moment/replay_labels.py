"""Text on a picture of a moment: names, speech, sounds and the age of beliefs, without overlaps."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from PIL import Image, ImageDraw

from ....conventions import Floats
from ....level.level import Level
from ...scene.moment import Bubble, Moment
from ..drawing.canvas import Canvas
from ..drawing.overlay import place_names
from ..drawing.palette import INK, LAST_SEEN, PAGE, QUIET_INK, WALKABLE, Colour, mixed
from ..drawing.storeys import Storeys
from ..drawing.text import LabelPlacer, font, printable, text_width
from .agent_signs import crew_colour, person_size, post_words, write_badges
from .flood_signs import sign_size

_SIZE = 13
_RIM: Colour = (150, 152, 156)
_ROOMY = 12.0
"""Pixels per metre from which on names of places are written too."""


def write_labels(
    image: Image.Image, canvas: Canvas, moment: Moment, level: Level, storeys: Storeys, storey: int
) -> None:
    """Write all text of one storey onto its finished picture, most important first."""
    draw = ImageDraw.Draw(image)
    placer = LabelPlacer(draw, *image.size)
    reach = person_size(canvas)

    def at(xyz: Floats) -> tuple[float, float] | None:
        if storeys.at(float(xyz[2])) != storey:
            return None
        x, y = canvas.view.pixels(np.asarray(xyz)[None])[0].tolist()
        return x, y

    places = [at(person.xyz) for person in moment.people]
    for place in places:
        if place is not None:
            placer.keep_free(*place, 1.9 * reach)
    for ghost in moment.ghosts:
        if (here := at(ghost.xyz)) is not None:
            placer.keep_free(*here, sign_size(canvas))
    write_badges(draw, placer, moment, at, reach)
    _write_bubbles(image, placer, moment.bubbles, places, reach)
    _write_names(placer, moment, places, reach)
    for ghost in moment.ghosts:
        if (here := at(ghost.xyz)) is not None:
            words = f"{' + '.join(ghost.believers)} · {ghost.age:.0f} s"
            placer.place(*here, words, size=12, colour=LAST_SEEN, gap=sign_size(canvas) + 4)
    for noise in moment.noises:
        if (here := at(noise.xyz)) is not None:
            placer.place(*here, noise.kind, size=12, colour=QUIET_INK, gap=16.0)
    for thing in moment.things if canvas.view.scale >= _ROOMY else ():
        if (here := at(thing.xyz)) is not None:
            placer.place(*here, thing.name, size=12, colour=QUIET_INK, gap=2.0 * reach)
    if canvas.view.scale >= _ROOMY:
        place_names(placer, canvas, level, storeys, storey)


def _write_names(
    placer: LabelPlacer, moment: Moment, places: Sequence[tuple[float, float] | None], reach: float
) -> None:
    """Write names; those of crew members with their role, in the colour of the crew."""
    posts = {post.person: post for post in moment.posts}
    for number, (person, place) in enumerate(zip(moment.people, places)):
        if place is not None:
            post = posts.get(number)
            words, colour = person.name + post_words(post), INK if post is None else crew_colour(post)
            placer.place(*place, words, size=_SIZE, colour=colour, gap=1.9 * reach + 3)


def _write_bubbles(
    image: Image.Image,
    placer: LabelPlacer,
    bubbles: Sequence[Bubble],
    places: Sequence[tuple[float, float] | None],
    reach: float,
) -> None:
    """Draw speech in bubbles, newest first; skip a bubble if there is no free space near its speaker."""
    for bubble in sorted(bubbles, key=lambda one: (one.age, one.person)):
        place = places[bubble.person]
        words = printable(bubble.words, 44)
        if place is None or not words:
            continue
        wide, tall = text_width(words, _SIZE) + 16.0, _SIZE + 12.0
        for left, top in _spots(*place, wide, tall, 2.6 * reach + 6.0):
            if placer.take((left, top, left + wide, top + tall)):
                _draw_bubble(image, place, (left, top, left + wide, top + tall), words, bubble.strength)
                break


def _spots(x: float, y: float, wide: float, tall: float, gap: float) -> list[tuple[float, float]]:
    """Return where a bubble may go, best first: above its speaker, to the side, below, then further away."""
    spots = []
    for away in (gap, 2.2 * gap, 3.8 * gap):
        rises = [
            (0.25, -1.0),
            (-0.25, -1.0),
            (0.9, -0.7),
            (-0.9, -0.7),
            (0.9, 0.7),
            (-0.9, 0.7),
            (0.25, 1.0),
            (-0.25, 1.0),
        ]
        for across, down in rises:
            middle_x = x + across * (wide / 2.0 + away / 2.0)
            middle_y = y + down * (away + tall / 2.0)
            spots.append((middle_x - wide / 2.0, middle_y - tall / 2.0))
    return spots


def _draw_bubble(
    image: Image.Image,
    speaker: tuple[float, float],
    box: tuple[float, float, float, float],
    words: str,
    strength: float,
) -> None:
    """Draw one bubble with a tail to its speaker."""
    fade = 1.0 - strength
    ink, rim = mixed(INK, PAGE, 0.75 * fade), mixed(_RIM, PAGE, 0.7 * fade)
    draw = ImageDraw.Draw(image)
    left, top, right, bottom = box
    middle = ((left + right) / 2.0, (top + bottom) / 2.0)
    dx, dy = speaker[0] - middle[0], speaker[1] - middle[1]
    length = max(math.hypot(dx, dy), 1.0)
    tip = (speaker[0] - 14.0 * dx / length, speaker[1] - 14.0 * dy / length)
    foot = (min(max(speaker[0], left + 14), right - 14), bottom - 2 if dy > 0 else top + 2)
    draw.polygon([(foot[0] - 5, foot[1]), (foot[0] + 5, foot[1]), tip], fill=WALKABLE, outline=rim)
    draw.rounded_rectangle(box, radius=7, fill=WALKABLE, outline=rim)
    draw.polygon([(foot[0] - 4, foot[1]), (foot[0] + 4, foot[1]), tip], fill=WALKABLE)
    draw.text((left + 8, top + 4), words, font=font(_SIZE), fill=ink)
