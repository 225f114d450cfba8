"""One flood, step by step: within frames of a game, or at the pace of a runner."""

from __future__ import annotations

import math

import numpy as np

from ...checks import finite_number, whole_number
from ...conventions import Array
from ...errors import InputError
from ...kernels.heat_flood import BARRIER, CLOSED, RUNNING, START, STEPS, TOUCHED_COUNT, advance, seed
from ...kernels.heat_result import collect, destination
from .batch import MOST_BUDGET, Reports, places_of, run_cases
from .beliefs import holds_exits
from .cases import Cases
from .layouts import MeshedLayout
from .prediction import FELL_BACK, REASONS, Flood
from .workspace import Workspaces

__all__ = ["FloodRun"]


class FloodRun:
    """A flood that has been seeded and runs as far as it is told; however it is cut up, its end is the same.

    >>> run = chase.start(Loss((9.5, 5.5), (1, 0)))
    >>> while not run.advance(steps=8): ...   # once a frame
    >>> run.result().destination
    """

    def __init__(self, layout: MeshedLayout, spaces: Workspaces, cases: Cases, worth: Array):
        self._layout = layout
        self._spaces = spaces
        self._cases = cases
        self._worth = worth
        self._space = spaces.lend()
        self._reports = Reports.empty(1)
        self._result: Flood | None = None
        if cases.beliefs is None:
            x, y, z = cases.headings[0].tolist()
            seed(spaces.layout.arrays, self._space.flood, cases.rules, 0, int(cases.starts[0]), x, y, z)
        else:
            self.advance(0)

    @property
    def done(self) -> bool:
        """Has the flood ended?"""
        return bool(self._reports.reason[0] != RUNNING)

    @property
    def steps(self) -> int:
        """Propagation steps made so far."""
        return self._result.steps if self._result is not None else int(self._space.flood.count[STEPS])

    def advance(self, steps: int = 1) -> bool:
        """Make up to so many propagation steps; return whether the flood has ended."""
        steps = min(whole_number(steps, "steps"), MOST_BUDGET)
        if self.done:
            return True
        if self._cases.beliefs is None:
            work, reports = self._space.flood, self._reports
            reports.reason[0] = advance(self._spaces.layout.arrays, work, self._cases.rules, 0, steps)
        else:
            run_cases(
                self._spaces.layout, self._space, self._cases, self._worth, self._reports, (0, 1), steps, keep=True
            )
        return self.done

    def advance_to(self, seconds: float, *, speed: float | None = None, interval: float | None = None) -> bool:
        """Flood at the runner's pace: make the steps due `seconds` after the start; return whether the flood has ended.

        A step is due every `interval` seconds, by default the time a runner of `speed` m/s (default: the loss's)
        needs to cross a cell. Destinations asked for meanwhile change abruptly: good only where that reads well.
        """
        finite_number(seconds, "seconds", unit="s", low=0.0, high=1e6)
        if interval is None:
            pace = float(self._cases.losses.speed[0]) if speed is None else speed
            finite_number(pace, "speed", unit="m/s", low=0.0, high=1e3, open_low=True)
            interval = float(self._layout.arrays.size_xyz[0]) / pace
        elif speed is not None:
            raise InputError("give speed or interval, not both")
        finite_number(interval, "interval", unit="s", low=0.0, high=1e6, open_low=True)
        # A step is due at its very moment, whatever the rounding of the quotient.
        due = math.floor(min(seconds / interval * (1.0 + 1e-12), MOST_BUDGET))
        return self.advance(max(due - self.steps, 0))

    def result(self) -> Flood:
        """What has the flood left so far? After its end, the answer; work arrays are given back then."""
        if self._result is not None:
            return self._result
        flood = self._look()
        if self.done:
            self._result = flood
            self._space.clean()
            self._spaces.take_back(self._space)
        return flood

    def _look(self) -> Flood:
        work, rules, reports = self._space.flood, self._cases.rules, self._reports
        room = int(work.count[TOUCHED_COUNT])
        cell, value, step = np.empty(room, np.int32), np.empty(room, np.int8), np.empty(room, np.int16)
        found = collect(work, rules, 0, cell, value, step)
        cell, value, step = cell[:found], value[:found], step[:found]
        if self._cases.beliefs is None or not self.done:
            reports.numbers[0, 0] = destination(
                self._spaces.layout.arrays, work, rules, 0, self._worth, reports.mean, reports.numbers[0, 4:8]
            )
            reports.numbers[0, 7:9] = 0, -1
        mean = reports.mean[0].copy()
        places, cells = places_of(self._layout, reports)
        place = places[0]
        warm, cold, steps = value > 0, (value == 0) & (step >= 0), int(work.count[STEPS])
        believes = self._cases.settings[0].barrier == "belief" and reports.fell_back[0] == 0
        exits = self._cases.beliefs is not None and bool(holds_exits(self._cases.beliefs, self._cases.starts)[0])
        flood = Flood(
            destination=place,
            cell=int(cells[0]),
            reason=REASONS[int(reports.reason[0])],
            warm=cell[warm],
            values=value[warm],
            heated_in=step[warm],
            barrier=cell[value == BARRIER],
            closed=cell[value == CLOSED],
            steps=steps,
            heated=work.per_step[1 : steps + 1].copy(),
            start=int(work.count[START]),
            mean=mean,
            in_warm=bool(reports.numbers[0, 0] >= 0),
            has_barrier=(bool(self._cases.headings[0].any()) and not believes) or exits,
            cell_count=len(work.state),
            fell_back=FELL_BACK[int(reports.fell_back[0])],
            moved=int(reports.numbers[0, 7]),
            cold=cell[cold],
            cold_in=step[cold],
        )
        for array in (
            place,
            flood.warm,
            flood.values,
            flood.heated_in,
            flood.barrier,
            flood.closed,
            flood.heated,
            flood.cold,
            flood.cold_in,
            mean,
        ):
            array.setflags(write=False)
        return flood
