"""Pursuits up to the first loss, which are the same for every predictor: runners, guards, and when sight is lost."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields

import numpy as np

from ....agents.brains.acts import BLINK_REACH
from ....cells.layout import CellLayout
from ....checks import finite_number, shown
from ....conventions import Array, Bools, Floats, Ids
from ....errors import InputError, QueryError, did_you_mean
from ....kernels.flood.pursuit import (
    LOST,
    NEVER_LOST,
    PURSUE,
    UNDER_WAY,
    Guards,
    PursuitRules,
    SightRay,
    pursue_all,
)
from ....navmesh.query import heights_at, raycasts
from ....rng import generator
from .runners import MODELS, RunnerPaths, rays_from, run_on


@dataclass(frozen=True, kw_only=True)
class PursuitSettings:
    """Settings of pursuits, in metres, seconds and radians.

    Attributes
    ----------
    guard_speed : speed of guards, m/s.
    runner_speeds : speeds of runners, as multiples of the guard's; every model runs at each of them.
    gap : minimum and maximum distance between guard and runner when an episode begins.
    view_distance, view_angle : view of a running guard; sight needs a straight walkable line.
    near : distance within which a guard notices the runner in any direction.
    keep : distance that a guard keeps from a runner in sight; runners are never caught, a chase ends by giving up.
    delay : time unseen after which the runner is lost and the predictor asked.
    look_seconds, look_distance : duration and range of looking all around at the end of a path.
    patience : time within which the first loss must occur; otherwise the episode is drawn again.
    alive : time after the first loss at which a chase that was not given up counts as alive.
    overtime : further time, to see how a chase still under way ends.
    corner : distance from the end of a path within which a place with the runner in view counts as a missed corner.
    powers : what runners do after `used_after` seconds in sight; every model does so at each speed. "none":
        nothing; "blink": be at once up to 8 m away, hidden from the guard if possible, and run on; "decoy": leave one,
        which the guard sees instead for 5 s, or until it comes up to it.
    used_after : time in sight after which runners use their power; those lost earlier are drawn again.
    step : duration of a step.
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
    powers: tuple[str, ...] = ("none",)
    used_after: float = 1.0
    step: float = 0.1

    def __post_init__(self) -> None:
        for power in self.powers:
            if power not in POWERS:
                hint = did_you_mean(power, POWERS)
                raise InputError(f"powers has {shown(power)}{hint}; give some of {', '.join(POWERS)}")
        for field in fields(self):
            if field.name == "powers":
                continue
            given = getattr(self, field.name)
            for value in given if isinstance(given, tuple) else (given,):
                unit = _UNITS.get(field.name, "s" if field.name in _SECONDS else "m")
                finite_number(value, field.name, unit=unit, low=0.0, high=1e4, open_low=field.name not in _MAY_BE_ZERO)

    @property
    def steps(self) -> int:
        """Maximum number of steps of an episode."""
        return self.in_steps(self.patience + self.alive + self.overtime) + 1

    def in_steps(self, seconds: float) -> int:
        """Return a duration as a number of steps."""
        return round(seconds / self.step)


POWERS = ("none", "blink", "decoy")
"""Powers of runners in pursuits."""
_DECOY_SECONDS = 5.0
_SECONDS = ("delay", "look_seconds", "patience", "alive", "overtime", "used_after", "step")
_UNITS = {"guard_speed": "m/s", "runner_speeds": "times the guard's", "view_angle": "rad"}
_MAY_BE_ZERO = ("near", "keep", "delay", "look_seconds", "overtime", "corner")


_ROUNDS = 24
"""Attempts to draw an episode with a loss; in open places, where one wanderer in six is lost, about 1 % fail."""
_FEWEST_CELLS = 20


class PursuitGround:
    """The largest connected part of a layout, on which pursuits take place."""

    def __init__(self, layout: CellLayout):
        component = layout.mesh.face_component[layout.cell_face.astype(np.int64)]
        numbers, counts = np.unique(component, return_counts=True)
        if len(numbers) == 0 or counts.max() < _FEWEST_CELLS:
            raise QueryError(
                f"the largest walkable part has {int(counts.max(initial=0))} cells; pursuits need at least "
                f"{_FEWEST_CELLS}: give a larger level, or smaller cells"
            )
        self.layout = layout
        self.cells = np.flatnonzero(component == numbers[counts.argmax()])
        self.floor_xyz: Floats = layout.arrays.cell_xyz[self.cells].astype(np.float64)
        low, high = self.floor_xyz[:, 2].min(), self.floor_xyz[:, 2].max()
        self.is_flat = bool(high - low < 0.05)

    def put_on_floor(self, points: Floats) -> Floats:
        """Return points with the height of the floor below or above them, if there is one."""
        if self.is_flat:
            return points
        flat = points.reshape(-1, 3).copy()
        height = heights_at(self.layout.mesh, flat, below=1.5, above=1.5)
        flat[:, 2] = np.where(np.isnan(height), flat[:, 2], height)
        return flat.reshape(points.shape)


@dataclass(frozen=True, eq=False)
class Episodes:
    """n pursuits at their first loss.

    Attributes
    ----------
    number : (n,) number of the episode, which determines model and speed of the runner.
    model : (n,) index into `MODELS`.
    speed : (n,) speed of the runner, m/s.
    tracks : (n, t, 3) position of the runner at each step; of its decoy while there is one.
    guards : state of the guards, one per episode, which have just lost their runners.
    power : (n,) index into `POWERS`.
    left : (n,) step at which the runner left a decoy; -1: it did not.
    runners : (n, t, 3) true position of the runner at each step.
    """

    number: Ids
    model: Ids
    speed: Floats
    tracks: Floats
    guards: Guards
    power: Ids
    left: Ids
    runners: Floats

    def __len__(self) -> int:
        return len(self.number)


def rules_of(settings: PursuitSettings) -> PursuitRules:
    """Return settings in the form kernels need."""
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
    """Return guards at their starts (n, 3), each facing its runner."""
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
    """Return work arrays for one ray."""
    return SightRay(
        np.zeros((2, 1, 3)),
        np.zeros(1, np.int32),
        np.zeros(1, np.uint8),
        np.zeros((1, 3)),
        np.zeros(1),
        np.zeros((1, 2)),
    )


def draw_episodes(ground: PursuitGround, numbers: Array, settings: PursuitSettings, seed: int, name: str) -> Episodes:
    """Draw episodes by number; those in which the runner is never lost are drawn again, at most `_ROUNDS` times."""
    numbers = np.asarray(numbers, np.int32)
    kinds = len(MODELS) * len(settings.runner_speeds)
    model = (numbers % len(MODELS)).astype(np.int32)
    speed = np.array(settings.runner_speeds)[numbers % kinds // len(MODELS)] * settings.guard_speed
    power = np.array([POWERS.index(one) for one in settings.powers], np.int32)[numbers // kinds % len(settings.powers)]
    missing = np.arange(len(numbers))
    parts: list[tuple[Array, Floats, Floats, Ids, Guards]] = []
    for attempt in range(_ROUNDS):
        if len(missing) == 0:
            break
        flight = _Flight(ground, model[missing], speed[missing], settings, seed, f"{name} {numbers[0]} {attempt}")
        every_row = np.arange(len(missing))
        tracks = flight.tracks(every_row, settings.in_steps(settings.patience) + 1)
        guards = new_guards(tracks, flight.starts)
        if power[missing].any():
            tracks = _use_powers(ground, flight, power[missing], tracks, guards, settings)
        pursue_all(ground.layout.mesh.arrays, tracks, np.zeros((0, 3)), rules_of(settings), guards, new_ray())
        lost: Bools = (guards.status == LOST) & (guards.seen_step >= 0)
        # Only runners that were lost run on; in open places most are not.
        rest = flight.tracks(every_row[lost], settings.steps)
        left = flight.left[lost]
        seen = flight.with_decoys(rest, every_row[lost]) if (left >= 0).any() else rest
        parts.append((missing[lost], seen, rest, left, Guards(*(array[lost] for array in guards))))
        missing = missing[~lost]
    rows, tracks, runners, left = (np.concatenate([part[at] for part in parts]) for at in range(4))
    order = np.argsort(rows, kind="stable")
    guards = Guards(*(np.concatenate([getattr(part[4], field) for part in parts])[order] for field in Guards._fields))
    guards.episode[:] = np.arange(len(rows))
    rows = rows[order]
    return Episodes(
        numbers[rows], model[rows], speed[rows], tracks[order], guards, power[rows], left[order], runners[order]
    )


def _use_powers(
    ground: PursuitGround, flight: _Flight, power: Ids, tracks: Floats, guards: Guards, settings: PursuitSettings
) -> Floats:
    """Let runners use their powers while guards pursue them; return what the guards see of them.

    Guards that lose their runner before that end there, as those that never lose it.
    """
    use = settings.in_steps(settings.used_after)
    none = power == 0
    guards.status[none] = NEVER_LOST  # their turn comes later
    first = rules_of(settings)._replace(patience=use)
    pursue_all(ground.layout.mesh.arrays, tracks, np.zeros((0, 3)), first, guards, new_ray())
    in_time: Bools = none | ((guards.status == NEVER_LOST) & (guards.seen_step == use))
    guards.status[:] = np.where(in_time, UNDER_WAY, NEVER_LOST)
    blinks = np.flatnonzero(in_time & (power == POWERS.index("blink")))
    if len(blinks):
        flight.blink(blinks, use, tracks[blinks, use], guards.xyz[blinks])
        tracks = tracks.copy()
        tracks[blinks] = flight.tracks(blinks, tracks.shape[1])
    decoys = np.flatnonzero(in_time & (power == POWERS.index("decoy")))
    away = np.linalg.norm(tracks[decoys, use] - guards.xyz[decoys], axis=1) - settings.keep
    flight.left[decoys] = use
    stride = settings.guard_speed * settings.step
    flight.gone[decoys] = use + np.clip(np.ceil(away / stride), 1, settings.in_steps(_DECOY_SECONDS))
    return flight.with_decoys(tracks, np.arange(len(tracks)))


class _Flight:
    """Runners of one round of draws, each with its guard a gap behind on the same path."""

    def __init__(
        self, ground: PursuitGround, model: Ids, speed: Floats, settings: PursuitSettings, seed: int, name: str
    ):
        self._ground, self._model, self._stride = ground, model, speed * settings.step
        self._draw = generator(seed, f"chase evaluation {name}")
        self._gap = self._draw.uniform(*settings.gap, len(model))
        self.starts: Floats = ground.floor_xyz[self._draw.integers(0, len(ground.floor_xyz), len(model))]
        self._paths = RunnerPaths(self.starts)
        self.left, self.gone = np.full(len(model), -1, np.int32), np.full(len(model), -1, np.int32)
        self._blinked = np.full(len(model), -1, np.int64)
        self._after: RunnerPaths | None = None

    def blink(self, rows: Array, step: int, here: Floats, guards: Floats) -> None:
        """Let runners be elsewhere from a step on: where guards at (k, 3) do not see them, else far from them."""
        mesh = self._ground.layout.mesh
        ends, room, _ = rays_from(mesh, here, np.zeros((len(rows), 2)), self._draw, BLINK_REACH)
        length = np.maximum(np.linalg.norm(ends - here[:, None], axis=2), 1e-9)
        spots = here[:, None] + (ends - here[:, None]) * (np.maximum(room, 0.0) / length)[:, :, None]
        watchers = np.repeat(guards, spots.shape[1], axis=0)
        watched = raycasts(mesh, watchers, spots.reshape(-1, 3)).reached.reshape(room.shape)
        away = np.linalg.norm(spots - guards[:, None], axis=2)
        best = (away - 100.0 * watched).argmax(axis=1)
        starts = self.starts.copy()
        starts[rows] = spots[np.arange(len(rows)), best]
        self._after = RunnerPaths(starts)
        self._blinked[rows] = step

    def with_decoys(self, tracks: Floats, rows: Array) -> Floats:
        """Return tracks (k, t, 3) of some rows as guards see them: decoys where runners left them."""
        seen = tracks.copy()
        for at, row in enumerate(rows.tolist()):
            if self.left[row] >= 0:
                seen[at, self.left[row] : self.gone[row]] = tracks[at, self.left[row]]
        return seen

    def tracks(self, rows: Array, steps: int) -> Floats:
        """Return positions of runners at each step, (k, steps, 3); for more steps than before, they run on."""
        found = np.empty((len(rows), steps, 3))
        for number, name in enumerate(MODELS):
            some = np.flatnonzero(self._model[rows] == number)
            if len(some) == 0:
                continue
            which = rows[some]
            metres = self._gap[which, None] + self._stride[which, None] * np.arange(steps)
            mesh, floor = self._ground.layout.mesh, self._ground.floor_xyz
            run_on(name, mesh, floor, self._paths, which, self._gap, float(metres.max()), self._draw)
            found[some] = self._ground.put_on_floor(self._paths.sample(metres, which))
            jumped = some[self._blinked[which] >= 0]
            if len(jumped) and self._after is not None:
                which = rows[jumped]
                metres = self._stride[which, None] * (np.arange(steps) - self._blinked[which, None])
                run_on(name, mesh, floor, self._after, which, self._gap, float(metres.max()), self._draw)
                after = self._ground.put_on_floor(self._after.sample(metres, which))
                found[jumped] = np.where(metres[:, :, None] >= 0.0, after, found[jumped])
        return found
