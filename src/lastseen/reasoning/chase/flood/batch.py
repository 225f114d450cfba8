"""Run many floods: in one call on all cores, or a few steps per frame."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from ....cells.meshed_layout import MeshedLayout, on_floor
from ....checks import read_only, whole_number
from ....conventions import Array, Bools, Floats
from ....errors import QueryError
from ....kernels.flood.belief_flood import believe_many
from ....kernels.flood.heat_flood import RUNNING
from ....kernels.flood.heat_result import flood_many
from ..loss import Losses
from ..prediction import REASONS, Floods
from .cases import Cases, bars_guard_side, cases_of, require_one_each
from .chase_settings import ChaseSettings
from .workspace import Workspace, Workspaces

MOST_BUDGET = 2**62
"""A number of steps that is never used up; kernels take no whole numbers beyond 64 bits."""

_CHUNK = 128
"""Minimum number of floods per task: they take a millisecond, the overhead of a task a third of that."""


@dataclass(frozen=True, eq=False)
class Reports:
    """Kernel results of n floods (see `report` in `kernels/flood/heat_result.py`)."""

    reason: Array
    mean: Floats
    numbers: Array
    fell_back: Array

    @classmethod
    def empty(cls, count: int) -> Reports:
        """Return results of `count` floods that have not run yet."""
        return cls(
            np.full(count, RUNNING, np.uint8),
            np.zeros((count, 3)),
            np.zeros((count, 9), np.int32),
            np.zeros(count, np.int32),
        )


def run_cases(
    layout: MeshedLayout,
    space: Workspace,
    cases: Cases,
    worth: Array,
    reports: Reports,
    span: tuple[int, int],
    budget: int = MOST_BUDGET,
    *,
    keep: bool = False,
) -> int:
    """Run a span of cases one after another for at most `budget` steps; return the first that is not done.

    `keep`: leave the work arrays of the first case that ends as they are, for inspection.
    """
    work = (*span, budget, keep, cases.starts, cases.headings, worth, reports.reason, reports.mean, reports.numbers)
    if cases.beliefs is None:
        return flood_many(tuple(layout.arrays), tuple(space.flood), tuple(cases.rules), *work)
    return believe_many(
        layout.arrays,
        layout.mesh.arrays,
        space.flood,
        space.walks,
        space.sight,
        space.rays,
        cases.rules,
        cases.beliefs,
        *work,
        reports.fell_back,
    )


def flood_all(
    spaces: Workspaces,
    losses: Losses,
    settings: ChaseSettings | Sequence[ChaseSettings],
    worth: Array,
    threads: int,
) -> Floods:
    """Run the floods of all losses to their end; `settings`: one for all, or one for each."""

    def flood(first: int, last: int) -> Floods:
        each = settings if isinstance(settings, ChaseSettings) else settings[first:last]
        cases = cases_of(spaces.layout, losses.part(first, last), each)
        reports, space = Reports.empty(len(cases)), spaces.lend()
        run_cases(spaces.layout, space, cases, worth, reports, (0, len(cases)))
        spaces.take_back(space)
        return _summary(spaces.layout, cases, reports)

    require_one_each(settings, losses)
    bounds = _task_bounds(len(losses), threads)
    if len(bounds) == 2:
        return flood(0, len(losses))
    with ThreadPoolExecutor(threads) as pool:
        try:
            return Floods.joined(list(pool.map(flood, bounds[:-1], bounds[1:])))
        except QueryError:
            cases_of(spaces.layout, losses, settings)  # raises with the loss numbered among all of them
            raise


def _task_bounds(count: int, threads: int) -> list[int]:
    """Return where tasks begin and end; they become smaller, so that all threads finish at about the same time."""
    bounds = [0]
    while threads > 1 and count - bounds[-1] > 2 * _CHUNK:
        bounds.append(bounds[-1] + max(2 * (count - bounds[-1]) // (3 * threads), _CHUNK))
    return [*bounds, count]


class FloodQueue:
    """Runs many floods one after another with a budget of steps per frame; made by `Chase.queue`.

    The results are those of `predict_many`, bit for bit. Only one flood runs at a time, so waiting ones cost nothing.
    """

    def __init__(self, spaces: Workspaces, cases: Cases, worth: Array):
        self._layout = spaces.layout
        self._spaces = spaces
        self._cases = cases
        self._worth = worth
        self._space = spaces.lend()
        self._count = len(cases)
        self._reports = Reports.empty(self._count)
        self._next = 0

    @property
    def finished(self) -> int:
        """Number of floods that have ended."""
        return self._next

    @property
    def done(self) -> bool:
        """Whether all floods have ended."""
        return self._next == self._count

    def advance(self, steps: int) -> bool:
        """Spend up to `steps` propagation steps on the floods in turn; return whether all have ended."""
        steps = min(whole_number(steps, "steps"), MOST_BUDGET)
        if not self.done:
            span = (self._next, self._count)
            self._next = run_cases(self._layout, self._space, self._cases, self._worth, self._reports, span, steps)
            if self._next == self._count:
                self._spaces.take_back(self._space)
        return self.done

    def result(self) -> Floods:
        """Return all results; floods that have not ended are "running", with their start as the destination."""
        waiting = np.arange(len(self._cases)) >= self._next
        self._reports.reason[waiting] = RUNNING
        self._reports.numbers[waiting, 0] = -2 - self._cases.starts[waiting]
        self._reports.numbers[waiting, 8] = -1
        return _summary(self._layout, self._cases, self._reports)


def _summary(layout: MeshedLayout, cases: Cases, reports: Reports) -> Floods:
    """Return kernel results with destinations on the floor: in the cell each moved on to, or else at the mean."""
    coded, onward = reports.numbers[:, 0], reports.numbers[:, 8]
    moved, inside = onward >= 0, coded >= 0
    cell = np.where(moved, onward, np.where(inside, coded, -2 - coded))
    places, cells = on_floor(layout, reports.mean, cell, inside & ~moved)
    fell_back = reports.fell_back.copy()
    counts = np.ascontiguousarray(reports.numbers.T)
    has_barrier: Bools = np.any(cases.headings, axis=1)
    if any(one.barrier == "belief" for one in cases.kinds):
        believes = np.array([one.barrier == "belief" for one in cases.settings], np.bool_)
        has_barrier &= ~believes | (fell_back != 0)
    if cases.beliefs is not None:
        has_barrier |= bars_guard_side(cases.beliefs, cases.starts)
    floods = Floods(
        destination=places,
        cell=cells,
        reason=reports.reason.copy(),
        reasons=REASONS,
        start=cases.starts,
        steps=counts[1],
        heated=counts[2],
        last_heated=counts[3],
        warm=counts[4],
        barrier=counts[5],
        closed=counts[6],
        moved=counts[7],
        fell_back=fell_back,
        mean=reports.mean.copy(),
        in_warm=counts[0] >= 0,
        has_barrier=has_barrier,
    )
    for array in vars(floods).values():
        if isinstance(array, np.ndarray):
            read_only(array)
    return floods
