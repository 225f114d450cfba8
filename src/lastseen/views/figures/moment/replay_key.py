"""The key of a picture of a moment, limited to the signs it uses."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import lru_cache, partial

import numpy as np
from PIL import Image

from ....level.features import Door, Trap
from ....level.level import Level
from ...scene.moment import Moment, Person, Post, Thing
from ..drawing.canvas import Canvas
from ..drawing.heat import Heat, draw_legend
from ..drawing.overlay import key_entry, key_of
from ..drawing.page import KeyEntry
from ..drawing.palette import GUARD, PAGE, VIEW
from ..drawing.symbols import draw_thing
from ..drawing.viewport import Viewport
from .agent_signs import draw_crews, draw_person, sign_of
from .flood_signs import draw_barred, draw_closed, draw_flag, draw_ghost

_WORDS = {
    "patrol": "patrols",
    "suspicious": "suspicious",
    "engage": "engages",
    "chase": "chases",
    "search": "searches",
    "return": "returns",
    "flee": "flees",
    "run": "on its way",
    "hidden": "hidden",
    "down": "down",
    "player": "player",
    "civilian": "civilian",
}
_CHANGES = {"alarm": "rings", "switch": "off", "item": "moved", "barrier": "turned"}
"""What a changed object is, by kind."""
_BOX = np.array([[-0.7, -0.5], [0.7, -0.5], [0.7, 0.5], [-0.7, 0.5]])


@dataclass(frozen=True)
class Contents:
    """Everything shown in pictures of some moments.

    `signs` are pairs of sign and team, `things` kinds of objects, each with whether it changed.
    """

    signs: tuple[tuple[str, str], ...]
    views: bool = False
    aware: bool = False
    ghosts: bool = False
    paths: bool = False
    search: bool = False
    hot: float = 0.0
    barrier: bool = False
    closed: bool = False
    crews: bool = False
    traps: tuple[Trap, ...] = ()
    things: tuple[tuple[str, bool], ...] = ()

    @classmethod
    def of(cls, moments: Iterable[Moment]) -> Contents:
        """Return the contents of these moments."""
        found = cls(())
        signs: set[tuple[str, str]] = set()
        for moment in moments:
            people, flood = moment.people, moment.flood
            signs |= {(sign_of(person), person.team) for person in people}
            found = replace(
                found,
                views=found.views or any(person.seen is not None for person in people),
                aware=found.aware or any(person.awareness > 0.02 for person in people),
                ghosts=found.ghosts or bool(moment.ghosts),
                paths=found.paths or any(len(person.path) for person in people),
                search=found.search or moment.search is not None,
                hot=max(found.hot, 0.0 if flood is None else flood.hot),
                barrier=found.barrier or (flood is not None and len(flood.barrier) > 0),
                closed=found.closed or (flood is not None and len(flood.closed) > 0),
                crews=found.crews or bool(moment.posts),
                traps=found.traps or tuple(trap for trap, _ in moment.traps),
                things=tuple(sorted({*found.things, *((one.kind, one.is_changed) for one in moment.things)})),
            )
        order = list(_WORDS)
        return replace(found, signs=tuple(sorted(signs, key=lambda sign: (order.index(sign[0]), sign[1]))))


def legends(contents: Contents) -> Image.Image | None:
    """Return the colour scales used, side by side, or None."""
    scales = []
    if contents.search:
        scales.append(Heat(np.array([0.0, 1.0]), "search influence", "share", scale="search"))
    if contents.hot > 0.0:
        scales.append(Heat(np.array([0.0, contents.hot]), "chase flood", "steps until cold", scale="flood"))
    if not scales:
        return None
    images = [draw_legend(scale, 180) for scale in scales]
    sheet = Image.new("RGB", (sum(image.width for image in images) + 16 * (len(images) - 1), images[0].height), PAGE)
    left = 0
    for image in images:
        sheet.paste(image, (left, 0))
        left += image.width + 16
    return sheet


@lru_cache(maxsize=8)
def _signs(contents: Contents) -> tuple[KeyEntry, ...]:
    key = [_person(sign, team) for sign, team in contents.signs]

    def add(present: bool, words: str, draw: Callable[[Canvas], None]) -> None:
        if present:
            key.append(key_entry(words, draw))

    if contents.aware:
        key.append(KeyEntry(_sign(_someone("patrol", "guards", 0.6)), "awareness"))
    add(contents.views, "view, best in the middle", _view)
    add(contents.paths, "path and goal", _path_sign)
    if contents.crews:
        key.append(KeyEntry(_drawn(lambda canvas: draw_crews(canvas, _crew(), lambda _: True)), "crew, leader, places"))
    if contents.ghosts:
        ghost = _drawn(lambda canvas: draw_ghost(canvas, np.array([-0.7, 0.0, 0.0]), np.array([1.0, 0.0])))
        key.append(KeyEntry(ghost, "last seen, by observer and age"))
    if contents.hot > 0.0:
        key.append(KeyEntry(_drawn(lambda canvas: draw_flag(canvas, np.array([-0.3, -0.65, 0.0]))), "run to"))
    for kind, is_changed in contents.things:
        thing = Thing(kind, kind, np.zeros(3), is_changed)
        words = f"{kind}, {_CHANGES[kind]}" if is_changed else kind
        key.append(KeyEntry(_drawn(partial(draw_thing, thing=thing), 1.1), words))
    add(contents.barrier, "barrier: no turning back", lambda canvas: draw_barred(canvas, canvas.mask([_BOX])))
    add(contents.closed, "closed: it would have been seen", lambda canvas: draw_closed(canvas, canvas.mask([_BOX])))
    return tuple(key)


def replay_key(contents: Contents, level: Level) -> list[KeyEntry]:
    """Return the key: agents by state, what they see and believe, and the things in the level."""
    doors = [
        Door(door.outline_xy, open=is_open, locked=door.locked) for door in level.doors for is_open in (True, False)
    ]
    shut = tuple(door for door in doors if not (door.open and door.locked))
    place = replace(level, spawns=(), patrols=(), paths=(), doors=shut, traps=contents.traps)
    return [*_signs(contents), *key_of(place)]


def _someone(sign: str, team: str, awareness: float = 0.0) -> Person:
    state = sign if sign not in ("player", "civilian", "hidden", "down") else "patrol"
    mode = sign if sign in ("hidden", "down") else "active"
    empty = np.zeros((0, 3))
    return Person("", team, state, mode, np.zeros(3), 0.0, 0.0, awareness, empty, None)


def _crew() -> Moment:
    """Return a leader and another member of its crew with the place it should take."""
    places = (np.array([0.3, -0.8, 0.0]), np.array([1.1, -0.1, 0.0]))
    people = tuple(replace(_someone("patrol", "guards"), xyz=place) for place in places)
    posts = (Post(0, 1, 0, "", True, None, -1), Post(1, 1, 0, "", False, people[1].xyz, -1))
    return Moment(0, 0.0, people, (), None, None, (), (), np.zeros(0, np.bool_), posts)


def _person(sign: str, team: str) -> KeyEntry:
    words = f"civilian {_WORDS[sign]}" if team == "civilians" and sign != "civilian" else _WORDS[sign]
    return KeyEntry(_sign(_someone(sign, team)), words)


def _sign(person: Person) -> Image.Image:
    return _drawn(lambda canvas: draw_person(canvas, person), 1.1)


def _drawn(draw: Callable[[Canvas], None], half: float = 1.6) -> Image.Image:
    """Return a sign on a canvas small enough for it to fit a line of text."""
    canvas = Canvas(Viewport((-half, -0.95), (half, 0.95), 12.5))
    draw(canvas)
    return canvas.finished()


def _view(canvas: Canvas) -> None:
    canvas.wash([_BOX], _BOX, VIEW, 0.25, 2.0, edge_opacity=0.9)
    canvas.wash([0.55 * _BOX], _BOX, VIEW, 0.22, 2.0)


def _path_sign(canvas: Canvas) -> None:
    canvas.dashes(np.array([[-0.8, 0.0], [0.4, 0.0]]), GUARD, 1.5, dash=3.0, gap=4.0)
    canvas.disc(np.array([0.55, 0.0]), 4.0, None, GUARD, 1.5)
