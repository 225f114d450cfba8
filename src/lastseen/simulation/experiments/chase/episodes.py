"""Pursuits up to the first loss: who runs where, and when the guard loses sight. The same for every predictor."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields

import numpy as np

from ....cells.layout import CellLayout
from ....checks import finite_number
from ....conventions import Array, Bools, Floats, Ids
from ....errors import QueryError
from ....kernels.flood.pursuit import LOST, PURSUE, UNDER_WAY, Guards, PursuitRules, SightRay, pursue_all
from ....navmesh.query import heights_at
from ....rng import generator
from .runners import MODELS, Ways, run_on


@dataclass(frozen=True, kw_only=True)
class PursuitSettings:
    """Metres, seconds, radians.

    Attributes
    ----------
    guard_speed : metres a second.
    runner_speeds : of runners, as multiples of the guard's; every model runs at each of them.
    gap : least and greatest metres between guard and runner when an episode begins.
    view_distance, view_angle : what a running guard sees; sight needs a straight walkable line.
    near : within this a guard notices the runner wherever it looks.
    keep : a guard that sees the runner comes no nearer; nobody is caught, so a chase ends by giving up only.
    delay : unseen so long, the runner is lost and the predictor asked.
    look_seconds, look_distance : how long, how far and all round a guard looks at the end of its way.
    patience : the first loss comes within this time, or the episode is drawn anew.
    alive : after the first loss; a chase not given up by then is alive.
    overtime : after that, to see how a chase under way ends.
    corner : a place so near the end of the way from which the runner would have been seen makes a corner missed.
    step : length of one step of time.
    """

    guard_speed: float = 4.0
    runner_speeds: tuple[float, ...] = (1.0, 1.25)
    gap: tuple[float, float] = (4.0, 12.0)
    view_distance: float = 20.0
    view_angle: float = math.radians(120.0)
    near: float = 1.5
    keep: float = 1.5
    delay: float = 0.5
    look_seconds: float = 2.0
    look_distance: float = 15.0
    patience: float = 30.0
    alive: float = 40.0
    overtime: float = 20.0
    corner: float = 3.0
    step: float = 0.1

    def __post_init__(self) -> None:
        for field in fields(self):
            given = getattr(self, field.name)
            for value in given if isinstance(given, tuple) else (given,):
                unit = _UNITS.get(field.name, "s" if field.name in _SECONDS else "m")
                finite_number(value, field.name, unit=unit, low=0.0, high=1e4, open_low=field.name not in _MAY_BE_ZERO)

    @property
    def steps(self) -> int:
        """How many steps of time an episode has at most."""
        return self.in_steps(self.patience + self.alive + self.overtime) + 1

    def in_steps(self, seconds: float) -> int:
        """Return a time in whole steps."""
        return round(seconds / self.step)


_SECONDS = ("delay", "look_seconds", "patience", "alive", "overtime", "step")
_UNITS = {"guard_speed": "m/s", "runner_speeds": "times the guard's", "view_angle": "rad"}
_MAY_BE_ZERO = ("near", "keep", "delay", "look_seconds", "overtime", "corner")


_ROUNDS = 24
"""In open places one wanderer in six is lost: so many rounds leave about one in a hundred out."""
_FEWEST_CELLS = 20


class Ground:
    """The part of a layout pursuits take place on: its largest component."""

    def __init__(self, layout: CellLayout):
        component = layout.mesh.face_component[layout.cell_face.astype(np.int64)]
        numbers, counts = np.unique(component, return_counts=True)
        if len(numbers) == 0 or counts.max() < _FEWEST_CELLS:
            raise QueryError(
                f"the largest walkable part has {int(counts.max(initial=0))} cells; pursuits need at least "
                f"{_FEWEST_CELLS}: take a larger level, or smaller cells"
            )
        self.layout = layout
        self.cells = np.flatnonzero(component == numbers[counts.argmax()])
        self.floor_xyz: Floats = layout.arrays.cell_xyz[self.cells].astype(np.float64)
        low, high = self.floor_xyz[:, 2].min(), self.floor_xyz[:, 2].max()
        self.is_flat = bool(high - low < 0.05)

    def put_on_floor(self, points: Floats) -> Floats:
        """Return points with the height of the floor under or over them, where there is one."""
        if self.is_flat:
            return points
        flat = points.reshape(-1, 3).copy()
        height = heights_at(self.layout.mesh, flat, below=1.5, above=1.5)
        flat[:, 2] = np.where(np.isnan(height), flat[:, 2], height)
        return flat.reshape(points.shape)


@dataclass(frozen=True, eq=False)
class Episodes:
    """n pursuits at the moment of their first loss, and where the runners are at every step.

    Attributes
    ----------
    number : (n,) which episode of the level; model and speed of the runner follow from it.
    model : (n,) index into `MODELS`.
    speed : (n,) metres a second, of the runner.
    tracks : (n, t, 3) where the runner is at each step.
    guards : state of the guards, one per episode, all just lost.
    """

    number: Ids
    model: Ids
    speed: Floats
    tracks: Floats
    guards: Guards

    def __len__(self) -> int:
        return len(self.number)


def rules_of(settings: PursuitSettings) -> PursuitRules:
    """Return settings as kernels take them."""
    return PursuitRules(
        stride=settings.guard_speed * settings.step,
        view_distance=settings.view_distance,
        view_cosine=float(np.cos(settings.view_angle / 2.0)),
        near=settings.near,
        look_distance=settings.look_distance,
        keep=settings.keep,
        delay=settings.in_steps(settings.delay),
        look=settings.in_steps(settings.look_seconds),
        patience=settings.in_steps(settings.patience),
        alive=settings.in_steps(settings.alive),
        below=1.5,
        above=1.5,
    )


def new_guards(tracks: Floats, starts: Floats) -> Guards:
    """Return guards at their starts (n, 3), each facing the runner of its own track and seeing it from the start on."""
    count = len(tracks)
    towards = tracks[:, 0, :2] - starts[:, :2]
    length = np.maximum(np.hypot(towards[:, 0], towards[:, 1]), 1e-9)
    return Guards(
        episode=np.arange(count, dtype=np.int32),
        step=np.zeros(count, np.int32),
        mode=np.full(count, PURSUE, np.int8),
        status=np.full(count, UNDER_WAY, np.int8),
        xyz=np.array(starts, np.float64),
        facing=towards / length[:, None],
        seen_step=np.full(count, -1, np.int32),
        seen_xyz=np.ascontiguousarray(tracks[:, 0]).copy(),
        looked=np.zeros(count, np.int32),
        way_at=np.zeros(count, np.int64),
        way_end=np.zeros(count, np.int64),
        losses=np.zeros(count, np.int32),
        first_loss=np.full(count, -1, np.int32),
        found=np.full(count, -1, np.int32),
        metres=np.zeros(count),
    )


def new_ray() -> SightRay:
    """Return room for one question to the mesh."""
    return SightRay(
        np.zeros((2, 1, 3)),
        np.zeros(1, np.int32),
        np.zeros(1, np.uint8),
        np.zeros((1, 3)),
        np.zeros(1),
        np.zeros((1, 2)),
    )


def draw_episodes(ground: Ground, numbers: Array, settings: PursuitSettings, seed: int, name: str) -> Episodes:
    """Draw the episodes of these numbers; one in which the runner is not lost is drawn anew, a few times at most."""
    numbers = np.asarray(numbers, np.int32)
    kinds = len(MODELS) * len(settings.runner_speeds)
    model = (numbers % len(MODELS)).astype(np.int32)
    speed = np.array(settings.runner_speeds)[numbers % kinds // len(MODELS)] * settings.guard_speed
    missing = np.arange(len(numbers))
    parts: list[tuple[Array, Floats, Guards]] = []
    for attempt in range(_ROUNDS):
        if len(missing) == 0:
            break
        flight = _Flight(ground, model[missing], speed[missing], settings, seed, f"{name} {numbers[0]} {attempt}")
        everyone = np.arange(len(missing))
        tracks = flight.tracks(everyone, settings.in_steps(settings.patience) + 1)
        guards = new_guards(tracks, flight.starts)
        pursue_all(ground.layout.mesh.arrays, tracks, np.zeros((0, 3)), rules_of(settings), guards, new_ray())
        lost: Bools = (guards.status == LOST) & (guards.seen_step >= 0)
        # Only runners that were lost run on: in open places most never are.
        rest = flight.tracks(everyone[lost], settings.steps)
        parts.append((missing[lost], rest, Guards(*(array[lost] for array in guards))))
        missing = missing[~lost]
    rows = np.concatenate([part[0] for part in parts])
    order = np.argsort(rows, kind="stable")
    guards = Guards(*(np.concatenate([getattr(part[2], field) for part in parts])[order] for field in Guards._fields))
    guards.episode[:] = np.arange(len(rows))
    rows = rows[order]
    tracks = np.concatenate([part[1] for part in parts])[order]
    return Episodes(numbers[rows], model[rows], speed[rows], tracks, guards)


class _Flight:
    """Runners of one round, each with its guard a gap behind on the same way."""

    def __init__(self, ground: Ground, model: Ids, speed: Floats, settings: PursuitSettings, seed: int, name: str):
        self._ground, self._model, self._stride = ground, model, speed * settings.step
        self._draw = generator(seed, f"chase evaluation {name}")
        self._gap = self._draw.uniform(*settings.gap, len(model))
        self.starts: Floats = ground.floor_xyz[self._draw.integers(0, len(ground.floor_xyz), len(model))]
        self._ways = Ways(self.starts)

    def tracks(self, rows: Array, steps: int) -> Floats:
        """(k, steps, 3): where runners are at each step; asked again for more steps, they run on."""
        found = np.empty((len(rows), steps, 3))
        for number, name in enumerate(MODELS):
            some = np.flatnonzero(self._model[rows] == number)
            if len(some) == 0:
                continue
            which = rows[some]
            metres = self._gap[which, None] + self._stride[which, None] * np.arange(steps)
            mesh, floor = self._ground.layout.mesh, self._ground.floor_xyz
            run_on(name, mesh, floor, self._ways, which, self._gap, float(metres.max()), self._draw)
            found[some] = self._ground.put_on_floor(self._ways.sample(metres, which))
        return found
