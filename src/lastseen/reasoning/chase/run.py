"""One flood, step by step: within frames of a game, or at the pace of a runner."""

from __future__ import annotations

import itertools
import math

import numpy as np

from ...checks import finite_number, read_only, whole_number
from ...conventions import Array
from ...errors import InputError
from ...kernels.heat_flood import RUNNING, START, STEPS
from ...kernels.heat_look import look_at_flood
from .batch import MOST_BUDGET, Reports, run_cases
from .beliefs import holds_exits
from .cases import Cases
from .prediction import FELL_BACK, REASONS, Flood
from .workspace import Workspaces

__all__ = ["FloodRun"]


class FloodRun:
    """A flood that has been seeded and runs as far as it is told; however it is cut up, its end is the same.

    >>> run = chase.start(Loss((9.5, 5.5), (1, 0)))
    >>> while not run.advance(steps=8): ...   # once a frame
    >>> run.result().destination
    """

    def __init__(self, spaces: Workspaces, cases: Cases, speed: float, worth: Array, steps: int = 0):
        self._spaces = spaces
        self._cases = cases
        self._speed = speed
        self._worth = worth
        self._space = spaces.lend()
        self._reports = Reports.empty(1)
        self._result: Flood | None = None
        self._run(steps)

    @property
    def done(self) -> bool:
        """Has the flood ended?"""
        return self._reason != RUNNING

    @property
    def steps(self) -> int:
        """Propagation steps made so far."""
        return self._result.steps if self._result is not None else int(self._space.flood.count[STEPS])

    def advance(self, steps: int = 1) -> bool:
        """Make up to so many propagation steps; return whether the flood has ended."""
        steps = min(whole_number(steps, "steps"), MOST_BUDGET)
        if not self.done:
            self._run(steps)
        return self.done

    def _run(self, steps: int) -> None:
        layout, reports = self._spaces.layout, self._reports
        run_cases(layout, self._space, self._cases, self._worth, reports, (0, 1), steps, keep=True)
        self._reason = int(reports.reason[0])

    def advance_to(self, seconds: float, *, speed: float | None = None, interval: float | None = None) -> bool:
        """Flood at the runner's pace: make the steps due `seconds` after the start; return whether the flood has ended.

        A step is due every `interval` seconds, by default the time a runner of `speed` m/s (default: the loss's)
        needs to cross a cell. Destinations asked for meanwhile change abruptly: good only where that reads well.
        """
        finite_number(seconds, "seconds", unit="s", low=0.0, high=1e6)
        if interval is None:
            pace = self._speed if speed is None else speed
            finite_number(pace, "speed", unit="m/s", low=0.0, high=1e3, open_low=True)
            interval = float(self._spaces.layout.arrays.size_xyz[0]) / pace
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
            self._spaces.take_back(self._space)
        return flood

    def _look(self) -> Flood:
        cases, reports, layout = self._cases, self._reports, self._spaces.layout
        work, room = self._space.flood, self._space.look
        found, placed = np.empty(1, np.int32), np.empty((1, 3))
        look_at_flood(
            layout.arrays,
            layout.mesh.arrays,
            work,
            cases.rules,
            self._worth,
            self.done,
            reports.mean,
            reports.numbers,
            room,
            found,
            placed,
        )
        warm, cold, barrier, closed = itertools.accumulate(room.count.tolist())
        cell, value, step = (read_only(one[:closed].copy()) for one in room[:3])
        counts, steps, fell_back = reports.numbers[0].tolist(), int(work.count[STEPS]), int(reports.fell_back[0])
        believes = cases.settings[0].barrier == "belief" and fell_back == 0
        exits = cases.beliefs is not None and bool(holds_exits(cases.beliefs, cases.starts)[0])
        return Flood(
            destination=read_only(placed[0]),
            cell=int(found[0]),
            reason=REASONS[self._reason],
            warm=cell[:warm],
            values=value[:warm],
            heated_in=step[:warm],
            barrier=cell[cold:barrier],
            closed=cell[barrier:],
            steps=steps,
            heated=read_only(work.per_step[1 : steps + 1].copy()),
            start=int(work.count[START]),
            mean=read_only(reports.mean[0].copy()),
            in_warm=counts[0] >= 0,
            has_barrier=(any(cases.headings[0].tolist()) and not believes) or exits,
            cell_count=len(work.state),
            fell_back=FELL_BACK[fell_back],
            moved=counts[7],
            cold=cell[warm:cold],
            cold_in=step[warm:cold],
        )
