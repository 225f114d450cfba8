"""The cost field: the extra cost per metre of walking, anywhere in a level."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...cells.layout import AnyLayout
from ...checks import finite_number, frozen, points_xyz, read_only
from ...conventions import Array, Floats, Ids
from ...errors import InputError
from ...kernels.walk.cost_field import BAR_COLUMNS, SHAPE_COLUMNS, shape_costs
from ...layers.layer import Layer, cell_ids, require_cells, require_layer
from ..input_checks import one_or_each

MOST_COST = 1e6
"""Maximum extra cost per metre."""


@dataclass(frozen=True, eq=False)
class CostField:
    """Costs of cells and of shapes over the plan; fields are added with `+`.

    Attributes
    ----------
    cells : (n,) int32, cells with a cost of their own; costs of repeated cells add up.
    costs : (n,) float64, extra cost per metre there, 0 … 1e6.
    shapes : (k, 11) float64, lines and areas over the plan, as `lastseen.kernels.walk.cost_field` reads them.
    bars : (b, 6) float64: x0, y0, x1, y1, lowest and highest z of lines that cannot be crossed.

    Notes
    -----
    A link between cells costs its metres times one plus the mean of its two cells' costs: the walk plus the field
    integrated along it. Shapes are evaluated only where a search arrives.
    """

    cells: Ids
    costs: Floats
    shapes: Floats
    bars: Floats

    @classmethod
    def of_layer(cls, layer: Layer, scale: float = 1.0) -> CostField:
        """Return `scale` times a layer's values, none negative, as a field: exposure, danger, deaths."""
        values = require_layer(layer).values
        factor = finite_number(scale, "scale", low=0.0, high=MOST_COST)
        cells = np.flatnonzero(values).astype(np.int32)
        return cls.of_cells(layer.layout, cells, values[cells].astype(np.float64) * factor)

    @classmethod
    def of_cells(cls, layout: AnyLayout, cells: Any, costs: Any) -> CostField:
        """Return a field of cells (ids or a mask) and the extra cost per metre there, one or one for each."""
        require_cells(layout)
        ids = cell_ids(layout, cells)
        given = one_or_each(costs, len(ids), "costs", f"numbers from 0 to {MOST_COST:g}", low=0.0, high=MOST_COST)
        return cls(frozen(ids), read_only(given), _none(SHAPE_COLUMNS), _none(BAR_COLUMNS))

    @classmethod
    def of_shapes(cls, shapes: Array) -> CostField:
        """Return a field of shapes (k, 11), made by `CombatLine`, `DoubleTrapezoid` and `Avenue`."""
        return cls(_NO_CELLS, _NO_COSTS, frozen(shapes, np.float64), _none(BAR_COLUMNS))

    @classmethod
    def barred(cls, one_xyz: Any, other_xyz: Any, height: float = 2.0) -> CostField:
        """Return a field without costs that cannot be crossed between two places (b, 3), such as doors taken as closed.

        It also blocks the way up to `height` metres below and above the two ends.
        """
        ones, others = points_xyz(one_xyz, "one_xyz"), points_xyz(other_xyz, "other_xyz")
        if len(ones) != len(others):
            raise InputError(f"there are {len(ones)} first and {len(others)} second ends; give equally many")
        up = finite_number(height, "height", unit="m", low=0.0)
        low, high = np.minimum(ones[:, 2], others[:, 2]) - up, np.maximum(ones[:, 2], others[:, 2]) + up
        bars = np.column_stack([ones[:, :2], others[:, :2], low, high]).reshape(-1, BAR_COLUMNS)
        return cls(_NO_CELLS, _NO_COSTS, _none(SHAPE_COLUMNS), read_only(bars))

    def __add__(self, other: CostField) -> CostField:
        if not isinstance(other, CostField):
            return NotImplemented
        return CostField(
            *(
                read_only(np.concatenate([mine, its]))
                for mine, its in zip(
                    (self.cells, self.costs, self.shapes, self.bars),
                    (other.cells, other.costs, other.shapes, other.bars),
                )
            )
        )

    def shape_values(self, points: Any) -> Floats:
        """Return the extra cost per metre that shapes add at each of `points` (n, 3), (n,) float64, without cell
        costs."""
        places = points_xyz(points)
        out = np.empty(len(places))
        shape_costs(self.shapes, places, out)
        return read_only(out)


def _none(columns: int) -> Floats:
    return read_only(np.zeros((0, columns)))


_NO_CELLS: Ids = read_only(np.zeros(0, np.int32))
_NO_COSTS: Floats = read_only(np.zeros(0))

NO_COST = CostField(_NO_CELLS, _NO_COSTS, _none(SHAPE_COLUMNS), _none(BAR_COLUMNS))
"""A field in which only metres count."""
