"""Layers over the cells that agents read: what each means, a condition and scores on the agent's own place."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from ....cells.query import nearest_cells
from ...behaviour.files.definition import TreeFile
from ..mind import Mind
from .brain_leaf import LEAVES, Answer, condition

_NEAR = 2.0
"""Metres from an agent within which a cell stands for its position."""


class LayerMeaning(NamedTuple):
    """What a layer says of a cell: in words, its unit, and the value of cells it says nothing of."""

    meaning: str
    unit: str = ""
    nothing: float = 0.0


LAYERS: dict[str, LayerMeaning] = {
    "exposure": LayerMeaning("guards that would see an agent there", "guards"),
    "danger": LayerMeaning("how aware guards become of an agent that stands there for a second, 0 … 1"),
    "noise": LayerMeaning("metres that sound travels from there to the nearest ear", "m", math.inf),
    "hiding": LayerMeaning("how well the target would be hidden there, 0 … 1"),
    "walk": LayerMeaning("metres the target has to walk there", "m", math.inf),
    "guards": LayerMeaning("metres the nearest guard has to walk there", "m", math.inf),
    "proximity": LayerMeaning("1 at the target, 0 from 20 m to walk"),
    "light": LayerMeaning("brightness, 0 … 1"),
    "clearance": LayerMeaning("metres to the nearest wall", "m"),
    "way out": LayerMeaning("metres to walk from there to an exit", "m", math.inf),
    "height": LayerMeaning("height of the floor", "m"),
}
"""Layers that a world keeps for its agents as soon as a query, a tree or the scenario names them."""


def layer_value(mind: Mind, layer: str) -> float:
    """Return the value of a layer where the agent is; that of no cell off the floor."""
    kept = mind.world.layers.named[layer]
    cell = int(nearest_cells(mind.world.cells, np.array([mind.xyz]), _NEAR)[0])
    return float(kept.values[cell]) if cell >= 0 else float(kept.fill)


@condition()
def layer_here(mind: Mind, layer: str, at_least: float = -math.inf, at_most: float = math.inf) -> Answer:
    """Return whether the value of a layer where the agent is lies within limits, both inclusive."""
    value = layer_value(mind, layer)
    return at_least <= value <= at_most, f"{layer} is {value:.2f} here"


def _score(layer: str) -> Callable[[Mind], float]:
    return lambda mind: layer_value(mind, layer)


for _name in LAYERS:
    LEAVES.score(_score(_name), name=_name)


def layers_in(file: TreeFile) -> Iterator[tuple[str, str, int]]:
    """Yield each layer that `layer_here` or the score of a node names in a file of trees, with its file and line."""
    for node, source in file.nodes():
        layer = node.parameters.get("layer") if node.kind == "layer_here" else None
        score = node.parameters.get("score")
        if isinstance(layer, str):
            yield layer, source, node.line
        elif node.kind == "scored" and score in LAYERS:
            yield score, source, node.line
