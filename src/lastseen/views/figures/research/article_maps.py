"""Small levels for the figures of the article: text maps whose cells are their tiles."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from ....cells.layout import CellLayout
from ....conventions import Floats
from ....level.level import Level, TileFloor, Tiles
from ....navmesh.body import Body

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
