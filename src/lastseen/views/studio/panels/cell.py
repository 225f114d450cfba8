"""The panel Cell: the place of a cell, its neighbours, and its values in the recorded layers."""

from __future__ import annotations

import numpy as np

from ....cells.query import neighbours
from ....errors import InputError
from ..protocol.messages import Message, Number
from ..protocol.news import Place, Sent
from ..session.game import LAYERS, Game


class Cell(Message, frozen=True, tag="cell"):
    """Ask for the values of a cell."""

    cell: Number


class CellValues(Sent, frozen=True, tag="cell"):
    """The values of a cell at a step."""

    cell: int
    tick: int
    at: Place
    face: int
    neighbours: list[int]
    layers: dict[str, int]


def cell_answer(game: Game, cell: int) -> CellValues:
    """Return the values of a cell at the step shown."""
    require_cell(game, cell)
    layout, (_, layers) = game.stage.layout, game.now()
    return CellValues(
        cell=cell,
        tick=game.shown,
        at=layout.arrays.cell_xyz[cell].astype(np.float64).tolist(),
        face=int(layout.cell_face[cell]),
        neighbours=neighbours(game.cells, cell)[0].tolist(),
        layers={name: int(values[cell]) for name, values in zip(LAYERS, layers)},
    )


def require_cell(game: Game, cell: int) -> None:
    """Raise for a cell that does not exist."""
    if cell >= len(game.stage.layout):
        raise InputError(f"there is no cell {cell}; cells are 0 to {len(game.stage.layout) - 1}")
