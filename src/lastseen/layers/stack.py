"""The stack: all layers of one layout, by name, and vertical traversal of one cell through all of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ..cells.layout import AnyLayout
from ..checks import shown
from ..conventions import Array
from ..errors import InputError, QueryError, did_you_mean
from .layer import Layer, cell_ids, require_cells, require_declarations, require_layer, require_same_cells


class LayerStack:
    """Named layers of one layout, in the order they were added.

    >>> stack = LayerStack(layout)
    >>> danger = stack.add("danger", "int8", "how likely an agent is to be shot here", low=0, high=100)
    >>> stack.column(17)
    {'danger': 0}
    """

    def __init__(self, layout: AnyLayout):
        require_cells(layout)
        self.layout = layout
        self._layers: dict[str, Layer] = {}

    def add(self, name: str, dtype: npt.DTypeLike = "int8", meaning: str = "", **declared: Any) -> Layer:
        """Create a layer, put it on top and return it; `declared` as for `Layer` (fill, unit, low, high)."""
        require_declarations(declared)
        self._require_new(name)
        layer = Layer(self.layout, name, dtype, meaning, **declared)
        self._layers[name] = layer
        return layer

    def add_block(
        self, meanings: Mapping[str, str], dtype: npt.DTypeLike = "int8", **declared: Any
    ) -> tuple[Layer, ...]:
        """Create layers of one dtype in one block of memory, from `{name: meaning}`; `declared` applies to each."""
        require_declarations(declared)
        if not isinstance(meanings, Mapping):
            raise InputError(f"meanings is {shown(meanings)}; give {{name: meaning}}, one for each layer")
        for name in meanings:
            self._require_new(name)
        made = [Layer(self.layout, name, dtype, meaning, **declared) for name, meaning in meanings.items()]
        if made:
            block = np.stack([layer.values for layer in made])
            for layer, row in zip(made, block):
                layer.values = row
        self._layers.update({layer.name: layer for layer in made})
        return tuple(made)

    def put(self, layer: Layer) -> Layer:
        """Put a layer made elsewhere (such as a combination) on top, replacing any of the same name; return it."""
        require_same_cells(self.layout, require_layer(layer).layout, layer.name)
        self._layers[layer.name] = layer
        return layer

    def remove(self, name: str) -> Layer:
        """Remove a layer from the stack and return it."""
        layer = self[name]
        del self._layers[name]
        return layer

    def __getitem__(self, name: str) -> Layer:
        if name not in self:
            have = ", ".join(map(repr, self._layers)) or "none yet"
            raise QueryError(f"no layer {shown(name)}{did_you_mean(name, self._layers)}; layers: {have}")
        return self._layers[name]

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name in self._layers

    def __iter__(self) -> Iterator[Layer]:
        return iter(self._layers.values())

    def __len__(self) -> int:
        return len(self._layers)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the layers, bottom first."""
        return tuple(self._layers)

    def column(self, cell: int) -> dict[str, Any]:
        """Return the value of one cell in every layer, as plain numbers."""
        if not isinstance(cell, int | np.integer) or isinstance(cell, bool):
            raise InputError(f"cell is {shown(cell)}; give one cell id, or use columns for several")
        at = int(cell_ids(self.layout, cell)[0])
        return {name: layer.values[at].item() for name, layer in self._layers.items()}

    def columns(self, cells: Any, names: Sequence[str] | None = None) -> dict[str, Array]:
        """Return the values of some cells by layer (or only those in `names`), as arrays with one entry per cell."""
        at = cell_ids(self.layout, cells)
        chosen = self.names if names is None else names
        if isinstance(chosen, str) or not isinstance(chosen, Iterable):
            raise InputError(f"names is {shown(names)}; give a list of layer names")
        return {name: self[name].values[at] for name in chosen}

    def clear(self) -> None:
        """Reset every layer to its fill."""
        for layer in self:
            layer.clear()

    def memory(self) -> dict[str, int]:
        """Return the bytes used by each layer."""
        return {name: layer.values.nbytes for name, layer in self._layers.items()}

    def _require_new(self, name: str) -> None:
        if name in self:
            raise InputError(f"a layer {name!r} already exists; remove it first or choose another name")
