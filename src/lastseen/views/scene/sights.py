"""What guards see: the outlines of their vision models, cut off by walls, doors, weather and smoke."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from ...agents.bodies.bodies import STANCES
from ...agents.senses.vision.shapes import Narrowing, Outline, Sector, Shape
from ...agents.senses.vision.vision import VISIONS, CoffinVision, NarrowingVision, VisionModel, ZoneVision, stretched
from ...conventions import Array, Floats
from ...kernels.arrays.agent_arrays import ACTIVE
from ...level.sight.query import visible_areas
from ...level.sight.sight import Sight
from ...simulation.scenario.reader import Setting
from ...simulation.world.survey import clouds_of, follow_columns, weather_of
from ...simulation.world.traits import view_of
from ...simulation.world.weather import Weather

_STEPS = 24
_EYES = np.array([stance.eye for stance in STANCES])


@dataclass(frozen=True, eq=False)
class ViewShape:
    """The outlines of a model in the frame of the head, (n, 2) metres: x ahead, y counter-clockwise of it.

    Attributes
    ----------
    inner : where an agent is recognised at once; outer : where anything is noticed at all, including the inner.
    far : greatest distance of an outline in metres.
    """

    inner: tuple[Floats, ...]
    outer: tuple[Floats, ...]
    far: float

    def turned(self, xy: Floats, gaze: float) -> tuple[tuple[Floats, ...], tuple[Floats, ...]]:
        """Return inner and outer outlines in metres, for a head at `xy` that looks in direction `gaze`."""
        turn = np.array([[math.cos(gaze), math.sin(gaze)], [-math.sin(gaze), math.cos(gaze)]])
        inner, outer = (tuple(xy + outline @ turn for outline in part) for part in (self.inner, self.outer))
        return inner, outer


@dataclass(frozen=True, eq=False)
class SeenArea:
    """What an agent sees: `area` (k, 2) is what walls, doors, weather and smoke leave free, cut by the outlines."""

    area: Floats
    inner: tuple[Floats, ...]
    outer: tuple[Floats, ...]


class Sights:
    """What the watchers of a setting see; it has its own sight, because doors may have been in another state."""

    def __init__(self, setting: Setting, watchers: Iterable[int]):
        self._sight = Sight.from_level(setting.level)
        self._zones = setting.level.zones
        self._shapes = view_shapes(setting, watchers)

    def areas(self, columns: Mapping[str, Array]) -> dict[int, Floats]:
        """Return what walls, doors, weather and smoke leave free, (k, 2) metres by watcher, up to the range of each."""
        watchers = [
            number for number, shape in self._shapes.items() if columns["mode"][number] == ACTIVE and shape.far > 0.0
        ]
        if not watchers:
            return {}
        follow_columns(self._sight, columns)
        eyes = np.asarray(columns["xyz"][watchers], np.float64).copy()
        eyes[:, 2] += _EYES[np.minimum(columns["stance"][watchers], len(_EYES) - 1)]
        gaze = np.asarray(columns["gaze"][watchers], np.float64)
        areas = visible_areas(self._sight, eyes, gaze, 2.0 * np.pi, [self._shapes[number].far for number in watchers])
        weather, clouds = weather_of(self._zones, columns), clouds_of(columns)
        if not weather.is_clear or clouds is not None:
            feet = np.asarray(columns["xyz"][watchers], np.float64)
            areas = [_dimmed(*one, weather, clouds) for one in zip(areas, feet, eyes[:, 2].tolist())]
        return {number: area for number, area in zip(watchers, areas) if len(area) >= 3}

    def seen(self, columns: Mapping[str, Array]) -> dict[int, SeenArea]:
        """Return what each watcher sees, by its number."""
        places, gazes = (columns[name].astype(np.float64) for name in ("xyz", "gaze"))
        return {
            number: SeenArea(area, *self._shapes[number].turned(places[number, :2], float(gazes[number])))
            for number, area in self.areas(columns).items()
        }


_ARC, _ASIDE = math.radians(2.0), 1e-6
"""Radians between two looks that meet weather or smoke, and to either side of a corner."""


def _dimmed(area: Floats, feet: Floats, eye: float, weather: Weather, clouds: Floats | None) -> Floats:
    """Return what weather and smoke leave of a visible area (k, 2) around an agent; `eye` is the height of its eye."""
    if len(area) < 3:
        return area
    corners = np.vstack([area, *weather.corners]) - feet[:2]
    at = np.arctan2(corners[:, 1], corners[:, 0])
    turns = np.unique(np.concatenate([at - _ASIDE, at + _ASIDE, np.arange(-math.pi, math.pi, _ARC)]))
    ahead = np.column_stack([np.cos(turns), np.sin(turns)])
    metres = _rim(area - feet[:2], ahead)
    ends = feet + np.column_stack([ahead * metres[:, None], np.zeros(len(turns))])
    metres = np.minimum(metres, weather.ends(feet, ends))
    if clouds is not None:
        metres = np.minimum(metres, _smoke_free(clouds - (*feet[:2], eye, 0.0), ahead))
    return np.asarray(feet[:2] + ahead * metres[:, None]) if metres.any() else area[:0]


def _rim(area: Floats, ahead: Floats) -> Floats:
    """Return how far an area (k, 2) around the origin reaches in directions (n, 2), in metres."""
    edges = np.roll(area, -1, axis=0) - area
    across = ahead[:, :1] * edges[:, 1] - ahead[:, 1:] * edges[:, 0]
    across[across == 0.0] = np.nan
    metres = (area[:, 0] * edges[:, 1] - area[:, 1] * edges[:, 0]) / across
    share = (area[:, 0] * ahead[:, 1:] - area[:, 1] * ahead[:, :1]) / across
    met = np.where((share >= 0.0) & (share <= 1.0) & (metres >= 0.0), metres, np.inf).min(axis=1)
    return np.where(np.isfinite(met), met, 0.0)


def _smoke_free(clouds: Floats, ahead: Floats) -> Floats:
    """Return how many metres directions (n, 2) from the origin lead on before they meet a cloud (k, 4)."""
    along = ahead @ clouds[:, :2].T
    depth = clouds[:, 3] ** 2 - clouds[:, 2] ** 2 - ((clouds[:, :2] ** 2).sum(axis=1) - along**2)
    near = along - np.sqrt(np.maximum(depth, 0.0))
    meets = (depth > 0.0) & (along + np.sqrt(np.maximum(depth, 0.0)) > 0.0)
    found: Floats = np.where(meets, np.maximum(near, 0.0), np.inf).min(axis=1)
    return found


def view_shapes(setting: Setting, watchers: Iterable[int]) -> dict[int, ViewShape]:
    """Return the view of each watcher by number: from the scenario, else from its spawn, else from its model."""
    found = {}
    for number in watchers:
        spec = setting.agents[number]
        model = VISIONS.get(spec.vision or setting.scenario.vision)
        if model is not None:
            found[number] = view_shape(stretched(model, *view_of(setting, spec)))
    return found


def view_shape(model: VisionModel) -> ViewShape:
    """Return the outlines of a shipped vision model; those of other models are empty."""
    if isinstance(model, ZoneVision):
        shapes: list[Shape] = [zone.shape for zone in model.zones]
        sure = [zone.shape for zone in model.zones if zone.certainty >= model.identified_at]
    elif isinstance(model, CoffinVision):
        shapes = [timed.shape for timed in model.shapes]
        sure = shapes[:1]
    elif isinstance(model, NarrowingVision):
        shapes, sure = [model.shape], []
    else:
        shapes = sure = []
    outlines = tuple(_outline(shape) for shape in shapes)
    far = max((float(np.hypot(*outline.T).max()) for outline in outlines), default=0.0)
    return ViewShape(tuple(_outline(shape) for shape in sure), outlines, far)


def _outline(shape: Shape) -> Floats:
    if isinstance(shape, Sector):
        angle = np.linspace(-shape.half_angle, shape.half_angle, 2 * _STEPS)
        rim = np.column_stack([np.cos(angle), np.sin(angle)]) * shape.far
        return np.vstack([rim, rim[::-1] * (shape.near / shape.far)])
    if isinstance(shape, Outline):
        return _mirrored(np.array(shape.knots))
    assert isinstance(shape, Narrowing)
    # The angle hardly changes nearby and falls with distance, so the spacing of points grows with it.
    metres = np.geomspace(max(0.05, shape.constant / shape.most / 2.0), shape.far, _STEPS)
    angle = np.array([shape.half_angle(far) for far in metres.tolist()])
    side = np.column_stack([metres * np.cos(angle), metres * np.sin(angle)])
    cap = np.linspace(angle[-1], -angle[-1], 8)[1:-1]
    rim = np.column_stack([np.cos(cap), np.sin(cap)]) * shape.far
    return np.vstack([[[0.0, 0.0]], side, rim, side[::-1] * (1.0, -1.0)])


def _mirrored(side: Floats) -> Floats:
    return np.vstack([side, side[::-1] * (1.0, -1.0)])
