"""Routes: paths whose cost is more than their length."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ...conventions import Array, Bools, Floats, Ids

__all__ = ["ROUTE_REASONS", "Route", "Routes"]

ROUTE_REASONS = ("reached", "no_way", "too_dear", "start_off_mesh", "goal_off_mesh")
"""Results of a search for a route; `Routes.reason` holds indices into this.

too_dear: every path costs more than allowed.
"""


@dataclass(frozen=True, eq=False)
class Route:
    """A path from place to place.

    Attributes
    ----------
    points_xyz : (p, 3) float64: start, bends, goal; straight lines between them are walkable. Empty without a path.
    cells : (c,) int32, the cells of the search, from start to goal.
    cost : metres plus what the field adds along the cells; infinite without a path.
    length : metres walked along the points, on the floor; infinite without a path.
    reached : whether there is a path.
    reason : one of `ROUTE_REASONS`.
    """

    points_xyz: Floats
    cells: Ids
    cost: float
    length: float
    reached: bool
    reason: str


@dataclass(frozen=True, eq=False)
class Routes:
    """`Route` for n pairs, as arrays; `routes[i]` gives one of them.

    `reason` (n,) uint8, `cost` and `length` (n,) metres; points of pair `i` are
    `points_xyz[point_start[i]:point_start[i + 1]]`, its cells likewise; `touched` (n,) cells the search visited.
    """

    reason: Array
    cost: Floats
    length: Floats
    point_start: Array
    points_xyz: Floats
    cell_start: Array
    cells: Ids
    touched: Array

    def __len__(self) -> int:
        return len(self.reason)

    @property
    def reached(self) -> Bools:
        """(n,) bool: whether there is a path."""
        return self.reason == 0

    def __getitem__(self, index: int) -> Route:
        index = range(len(self))[index]
        reason = ROUTE_REASONS[int(self.reason[index])]
        return Route(
            self.points_xyz[self.point_start[index] : self.point_start[index + 1]],
            self.cells[self.cell_start[index] : self.cell_start[index + 1]],
            float(self.cost[index]),
            float(self.length[index]),
            reason == "reached",
            reason,
        )

    def __iter__(self) -> Iterator[Route]:
        return (self[index] for index in range(len(self)))
