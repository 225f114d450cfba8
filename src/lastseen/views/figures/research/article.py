"""The figures of the article, recreated on small levels: each shows one strength or weakness of the flood.

Laurent Couvidou, "Flooding the Influence Map for Chase in Dishonored 2", Game AI Pro, online edition 2021.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial

import numpy as np
from PIL import Image, ImageDraw

from ....cells.layout import CellLayout
from ....conventions import Floats
from ....level.level import Level, TileFloor, Tiles
from ....navmesh.body import Body
from ....reasoning.chase.baselines import DeadReckoning
from ....reasoning.chase.flood.chase import Chase
from ....reasoning.chase.flood.chase_settings import ChaseSettings
from ....reasoning.chase.loss import Loss
from ..drawing.page import compose, png_bytes
from ..drawing.palette import INK, PAGE
from ..drawing.text import font
from ..drawing.viewport import Viewport
from ..moment.chase_figure import ChaseMap, ChaseScene, chase_key, heat_legend

MAPS: dict[str, str] = {
    "corner": """
        ###############
        #..S..........#
        #.............#
        ###########..##
        ###########..##
        ###########..##
        ###########..##
        ###########..##
        ###########..##
        ###########..##
        ###########..##
        ###############
        """,
    "open": """
        .........
        .........
        .........
        .........
        ....S....
        .........
        .........
        .........
        .........
        """,
    "walls": """
        ...........
        ...........
        ...........
        ......#####
        ......#....
        ...S.......
        ...........
        ######.....
        .....#.....
        .....#.....
        """,
    "two ways": """
        #########################
        #.......................#
        ############.############
        ############.############
        ############S############
        ############.############
        ############.############
        #########################
        """,
    "short and long": """
        ##################################
        ######...........................#
        ##########.#######################
        ##########.#######################
        ##########S#######################
        ##########.#######################
        ##########.#######################
        ##################################
        """,
    "hall": """
        ##################################
        ##########......................##
        ##########......................##
        ##########......................##
        #.S.............................##
        ##########......................##
        ##########......................##
        ##########......................##
        ##################################
        """,
    "corridor": """
        ##################################
        #.S..............................#
        ################################.#
        ################################.#
        #................................#
        #.################################
        #.################################
        #................................#
        ##################################
        """,
    "exit behind": """
        #####..#############
        #####..#############
        #..........#########
        #..........#########
        #..........#########
        #........S..........
        #...................
        #..........#########
        #..........#########
        ####################
        """,
}
"""Text maps of one-metre tiles: `#` is wall, `S` is where the target was last seen, everything else is floor."""


@dataclass(frozen=True, eq=False)
class Specimen:
    """A small level, baked so that its cells are its tiles, and where on it the target was last seen."""

    level: Level
    layout: CellLayout
    seen_at: Floats


@lru_cache
def specimen(name: str) -> Specimen:
    """Return one of `MAPS`."""
    lines = [line.strip() for line in MAPS[name].strip().splitlines()]
    letters = np.array([list(line) for line in lines])
    level = Level(Tiles((TileFloor(letters != "#"),)), name=name)
    row, column = np.argwhere(letters == "S")[0].tolist()
    layout = CellLayout.from_level(level, Body(radius=0.0))
    return Specimen(level, layout, np.array([column + 0.5, row + 0.5, 0.0]))


_GAME, _NINE = ChaseSettings(), ChaseSettings(hot=9)
_EAST, _NORTH, _NORTH_EAST = (1.0, 0.0), (0.0, -1.0), (1.0, -1.0)


_ON_WALL = (206, 209, 213)
_NOTE = 14


@dataclass(frozen=True)
class _Note:
    """Text at a position of the map in metres; `side` is where it lies relative to it: "l"eft, "r"ight or "m"iddle."""

    words: str
    x: float
    y: float
    side: str = "r"
    on_wall: bool = True

    def write(self, image: Image.Image, view: Viewport) -> None:
        """Draw the text on a panel."""
        x, y = view.pixels(np.array([[self.x, self.y, 0.0]]))[0].tolist()
        anchor = {"l": "rm", "r": "lm", "m": "mm"}[self.side]
        ink = _ON_WALL if self.on_wall else INK
        ImageDraw.Draw(image).text((x, y), self.words, font=font(_NOTE), fill=ink, anchor=anchor)


@dataclass(frozen=True)
class _Part:
    """One panel: a flood on a map, stopped after a number of steps if `steps` is given."""

    words: str
    place: str
    heading: tuple[float, float]
    settings: ChaseSettings = _GAME
    steps: int | None = None
    numbers: bool = False
    front: bool = False
    rival: bool = False
    flood: bool = True
    notes: tuple[_Note, ...] = ()

    def scene(self) -> ChaseScene:
        """Run the flood and return its scene."""
        made = specimen(self.place)
        loss = Loss(made.seen_at, self.heading)
        run = Chase(made.layout, settings=self.settings).start(loss)
        run.advance(self.settings.max_steps if self.steps is None else self.steps)
        straight = DeadReckoning(made.layout).predict(loss)
        return ChaseScene(
            made.layout,
            run.result() if self.flood else straight,
            made.seen_at,
            loss.heading,
            level=made.level,
            hot=self.settings.hot,
            rivals={"dead reckoning gives up here": straight} if self.rival else {},
            numbers=self.numbers,
            front=self.front,
            flag=self.flood and self.steps is None,
        )


def _figure(title: str, claim: str, parts: Sequence[_Part], *, scale: float, across: int = 1) -> bytes:
    """Return a PNG of panels at one scale."""
    scenes = [part.scene() for part in parts]
    charts = [ChaseMap(scene, scale=scale) for scene in scenes]
    panels = [chart.panels(scene, part.words)[0] for chart, scene, part in zip(charts, scenes, parts)]
    for chart, panel, part in zip(charts, panels, parts):
        for note in part.notes:
            note.write(panel.image, chart.view)
    size = max(panel.image.width for panel in panels), max(panel.image.height for panel in panels)
    panels = [replace(panel, image=_centred(panel.image, size)) for panel in panels]
    seen = {entry.words: entry for scene in scenes for entry in chase_key(scene)}
    warm = any(scene.flood is not None for scene in scenes)
    sheet = compose(
        panels,
        across,
        charts[0].view,
        title=title,
        subtitle=claim,
        legend=heat_legend(scenes[-1].hot) if warm else None,
        key=list(seen.values()),
    )
    return png_bytes(sheet, title)


def _centred(image: Image.Image, size: tuple[int, int]) -> Image.Image:
    page = Image.new("RGB", size, PAGE)
    page.paste(image, ((size[0] - image.width) // 2, 0))
    return page


_SIDES = (_Note("ahead", 6.5, 2.5, "m", on_wall=False), _Note("behind", 2.0, 6.5, "m", on_wall=False))
_SLIGHTLY_WEST = (-0.2, -1.0)
_FEW = ChaseSettings(max_heated=6)

FIGURES: dict[str, Callable[[], bytes]] = {
    "figure-1-dead-reckoning": partial(
        _figure,
        "Figure 1: dead reckoning gives up early",
        "Straight on until the floor ends: the guard stops at the wall, though there is an obvious way on.",
        [_Part("", "corner", _EAST, rival=True, flood=False, notes=(_Note("an obvious way on", 10.7, 6.5, "l"),))],
        scale=32.0,
    ),
    "figure-2-seeding": partial(
        _figure,
        "Figure 2: seeding, and the first step",
        "The cell where the target was last seen is hot (9); its neighbours behind are barred (-1). Both then spread.",
        [
            _Part("a: seed", "open", _NORTH_EAST, _NINE, steps=0, numbers=True, notes=_SIDES),
            _Part("b: after one step", "open", _NORTH_EAST, _NINE, steps=1, numbers=True),
        ],
        scale=40.0,
        across=2,
    ),
    "figure-3-steps": partial(
        _figure,
        "Figure 3: more steps",
        "Heat flows around walls and cools behind the front; the barrier keeps it from flowing back.",
        [_Part(f"after {steps} steps", "walls", _NORTH_EAST, _NINE, steps=steps, numbers=True) for steps in (2, 4, 7)],
        scale=36.0,
        across=3,
    ),
    "figure-4-topology": partial(
        _figure,
        "Figure 4: the flood follows the level",
        "The same place as in figure 1: the guess lies around the corner, not at the wall.",
        [_Part("", "corner", _EAST, rival=True, notes=(_Note("the guess, past the corner", 10.4, 5.0, "l"),))],
        scale=32.0,
    ),
    "figure-5-likely-ways": partial(
        _figure,
        "Figure 5: the guess tilts towards the likelier way",
        "Two equal routes: the middle, where giving up is reasonable. A dead end and a long corridor: the corridor.",
        [
            _Part("a: two equally plausible routes", "two ways", _NORTH),
            _Part(
                "b: a short dead end versus a long corridor",
                "short and long",
                _NORTH,
                notes=(
                    _Note("dead end: nearly cold", 9.8, 2.6, "l"),
                    _Note("long corridor: still hot", 33.0, 2.6, "l"),
                ),
            ),
        ],
        scale=26.0,
    ),
    "figure-6-width": partial(
        _figure,
        "Figure 6: wide places stop the flood, corridors do not",
        "With at most 6 cells heated in one step; in a hall the target could be anywhere, in a corridor it ran on.",
        [
            _Part(
                "a: stops in the hall",
                "hall",
                _EAST,
                _FEW,
                notes=(_Note("too wide to guess: stop", 13.6, 4.5, on_wall=False),),
            ),
            _Part(
                "b: runs on, 30 steps",
                "corridor",
                _EAST,
                _FEW,
                notes=(_Note("only one way: keep running", 31.6, 2.6, "l"),),
            ),
        ],
        scale=26.0,
    ),
    "figure-7-hidden-exit": partial(
        _figure,
        "Figure 7: the barrier can hide an exit",
        "The exit on the right lies just behind the runner. If opened, only what a guard would reach first is barred.",
        [
            _Part(
                "a: as in the article",
                "exit behind",
                _SLIGHTLY_WEST,
                notes=(_Note("a way out, but barred", 19.6, 7.6, "l"),),
            ),
            _Part(
                'b: with exits "opened"',
                "exit behind",
                _SLIGHTLY_WEST,
                ChaseSettings(exits="opened"),
                notes=(_Note("the same way out, heated", 19.6, 7.6, "l"),),
            ),
        ],
        scale=32.0,
        across=2,
    ),
}
"""Pictures by file name; each function draws one and returns PNG bytes."""
