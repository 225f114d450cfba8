"""Run one flood step by step, across frames or at a runner's pace, and write it into a layer."""

from __future__ import annotations

import math

import numpy as np

from ....cells.meshed_layout import MeshedLayout, on_floor, start_cells
from ....checks import finite_number, instance_of, read_only, whole_number
from ....conventions import Array, Floats, Ids
from ....errors import InputError, QueryError
from ....kernels.flood.heat_flood import BARRIER, CLOSED, RUNNING, STEPS
from ....kernels.flood.heat_look import SAID_CELL, SAID_COLUMNS, SAID_REASON, flood_once, look_at_flood
from ....layers.layer import Layer, require_layer
from ..loss import Loss
from ..prediction import FELL_BACK, REASONS, Flood
from .batch import MOST_BUDGET, Reports, run_cases
from .cases import Cases, SettingsArrays, bars_guard_side
from .workspace import Workspace, Workspaces


class FloodRun:
    """A seeded flood that the caller advances; how it is divided into calls does not affect its result.

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
        """Whether the flood has ended."""
        return self._reason != RUNNING

    @property
    def steps(self) -> int:
        """Number of propagation steps made so far."""
        return self._result.steps if self._result is not None else int(self._space.flood.count[STEPS])

    def advance(self, steps: int = 1) -> bool:
        """Make up to `steps` propagation steps; return whether the flood has ended."""
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

        A step is due every `interval` seconds, by default the time a runner of `speed` m/s (default: that of the loss)
        needs to cross a cell. Intermediate destinations change abruptly.
        """
        finite_number(seconds, "seconds", unit="s", low=0.0, high=1e6)
        if interval is None:
            pace = self._speed if speed is None else speed
            finite_number(pace, "speed", unit="m/s", low=0.0, high=1e3, open_low=True)
            interval = float(self._spaces.layout.arrays.size_xyz[0]) / pace
        elif speed is not None:
            raise InputError("give speed or interval, not both")
        finite_number(interval, "interval", unit="s", low=0.0, high=1e6, open_low=True)
        # The factor keeps rounding of the quotient from delaying a step that is due exactly now.
        due = math.floor(min(seconds / interval * (1.0 + 1e-12), MOST_BUDGET))
        return self.advance(max(due - self.steps, 0))

    def result(self) -> Flood:
        """Return the state of the flood; after its end this is the result, and its work arrays are returned."""
        if self._result is not None:
            return self._result
        flood = self._look()
        if self.done:
            self._result = flood
            self._spaces.take_back(self._space)
        return flood

    def _look(self) -> Flood:
        cases, reports, space, layout = self._cases, self._reports, self._space, self._spaces.layout
        spots, said = np.empty((2, 3)), np.empty(SAID_COLUMNS, np.int64)
        spots[1] = reports.mean[0]
        look_at_flood(
            tuple(layout.arrays),
            tuple(layout.mesh.arrays),
            tuple(space.flood),
            tuple(cases.rules),
            tuple(space.look),
            self._worth,
            self.done,
            reports.numbers,
            spots,
            said,
        )
        said[SAID_REASON] = self._reason
        _place(layout, spots, said)
        moved = int(reports.numbers[0, 7]) if self.done else 0
        fell_back = int(reports.fell_back[0])
        believes = cases.settings[0].barrier == "belief" and fell_back == 0
        bars = bool(cases.headings.any()) and not believes
        if not bars and cases.beliefs is not None:
            bars = bool(bars_guard_side(cases.beliefs, cases.starts)[0])
        return _flood(layout, space, spots, said, bars, FELL_BACK[fell_back], moved)


def flood_at_once(spaces: Workspaces, settings: SettingsArrays, loss: Loss, worth: Array) -> Flood:
    """Run a flood to its end and return its result, as a `FloodRun` would."""
    layout = spaces.layout
    if settings.needs_beliefs:
        return FloodRun(spaces, settings.case(layout, loss), loss.speed, worth, MOST_BUDGET).result()
    spots, said, space = np.empty((2, 3)), np.empty(SAID_COLUMNS, np.int64), spaces.lend()
    place, heading, rules = loss.seen_at.reshape(1, 3), settings.heading(loss), settings.rules
    arrays, mesh, work, room = tuple(layout.arrays), tuple(layout.mesh.arrays), tuple(space.flood), tuple(space.look)
    flood_once(arrays, mesh, work, rules, room, worth, place, heading, -1, spots, said)
    if said[SAID_REASON] < 0:
        start = int(start_cells(layout, place, settings.radius, "seen_at")[0])
        flood_once(arrays, mesh, work, rules, room, worth, place, heading, start, spots, said)
    _place(layout, spots, said)
    flood = _flood(layout, space, spots, said, any(heading[0].tolist()), FELL_BACK[0], 0)
    spaces.take_back(space)
    return flood


def _place(layout: MeshedLayout, spots: Floats, said: Array) -> None:
    """Put the destination on the floor if the kernel did not, because that takes more than one face."""
    if said[SAID_CELL] < 0:
        cells, inside = np.array([-2 - said[SAID_CELL]], np.int32), np.ones(1, np.bool_)
        spots[:1], (said[SAID_CELL],) = on_floor(layout, spots[1:], cells, inside)


def _flood(
    layout: MeshedLayout, space: Workspace, spots: Floats, said: Array, has_barrier: bool, fell_back: str, moved: int
) -> Flood:
    """Return the kernel results of a flood, whose cells are in `space`, as a `Flood`."""
    reason, steps, start, found, inside, warm, cold, barrier, closed = said.tolist()
    cells, values, step = space.look
    cell, heated_in = read_only(cells[:closed].copy()), read_only(step[:cold].copy())
    read_only(spots)
    return Flood(
        destination=spots[0],
        cell=found,
        reason=REASONS[reason],
        warm=cell[:warm],
        values=read_only(values[:warm].copy()),
        heated_in=heated_in[:warm],
        barrier=cell[cold:barrier],
        closed=cell[barrier:],
        steps=steps,
        heated=read_only(space.flood.per_step[1 : steps + 1].copy()),
        start=start,
        mean=spots[1],
        in_warm=inside == 1,
        has_barrier=has_barrier,
        layout=layout,
        fell_back=fell_back,
        moved=moved,
        cold=cell[warm:cold],
        cold_in=heated_in[warm:],
    )


def paint(layer: Layer, flood: Flood) -> Ids:
    """Write a flood into an int8 layer; return the cells written, so that `layer.clear(cells)` undoes it.

    Only the cells of the flood are written: warm cells get their remaining heat, barrier cells -1, closed cells -2.
    """
    require_layer(layer)
    instance_of(flood, Flood, "flood", "give the result of Chase.predict")
    if layer.dtype != np.int8 or layer.low > CLOSED or layer.high < 127:
        raise QueryError(
            f"layer {layer.name!r} holds {layer.dtype} from {layer.low:g} to {layer.high:g}; a flood needs int8 with "
            f"{CLOSED} … 127"
        )
    count = len(flood.layout.arrays.cell_xyz)
    if count != len(layer.values):
        raise QueryError(
            f"layer {layer.name!r} has {len(layer.values)} cells but the flooded layout has {count}; give a layer of "
            "that layout"
        )
    cells = np.concatenate([flood.warm, flood.barrier, flood.closed])
    layer.values[flood.warm] = flood.values
    layer.values[flood.barrier] = BARRIER
    layer.values[flood.closed] = CLOSED
    return cells
