"""Pictures of a verified level: guards and what they see, unseen paths, their density, sightings; still or moving."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from PIL import Image

from ....conventions import Floats
from ....level.features import Marker, Spawn
from ....reasoning.placement.guard_routes import GuardRoute
from ....reasoning.placement.verify.verify import Solution, Verification
from ..drawing.canvas import Canvas
from ..drawing.cell_raster import cell_numbers
from ..drawing.gif import Progress, drawn_frames, gif_bytes, shared_palette
from ..drawing.heat import Heat, draw_legend, heat_colours
from ..drawing.level_map import LevelMap
from ..drawing.overlay import draw_features, key_entries
from ..drawing.page import KeyEntry, Panel, png_bytes
from ..drawing.palette import GUARD, PLAYER, WALKABLE, Colour, scale_colours
from ..drawing.route_lines import stretches
from ..drawing.symbols import draw_marker, draw_path, draw_spawn, symbol_size
from .placement_figure import GUARD_COLOURS, WEDGE, draw_guard_route, draw_guard_views, guard_colour

MOST_PATHS = 40
"""Most solutions drawn as lines; the heat includes all of them."""
_EXACT: Colour = (24, 74, 160)
_CAUGHT: Colour = (190, 34, 40)

MOST_FRAMES = 300
MOST_PLAYERS = 12
_RATE = 10.0
_LARGEST = 900
_TAIL = 2.0
"""Seconds of the path drawn behind a player."""
_END_MS = 1500


@dataclass(frozen=True, eq=False)
class VerificationScene:
    """Contents of the picture: a verification, the routes of its guards, and a title."""

    verification: Verification
    routes: Sequence[GuardRoute]
    title: str = ""


def draw_verification(scene: VerificationScene, *, scale: float | None = None, storey: int | None = None) -> bytes:
    """Return a PNG of a verification with guards at time 0, storeys side by side.

    Parameters
    ----------
    scale : pixels per metre; None fits a large screen.
    storey : show only this storey.
    """
    chart = VerificationMap(scene, scale=scale, storey=storey)
    sheet = chart.sheet(chart.still, verification_words(scene.verification))
    return png_bytes(sheet, f"verification of {chart.name}")


class VerificationMap:
    """The level with its heat, drawn once; guards and paths are drawn on top.

    Parameters
    ----------
    largest : most pixels along a side of all panels; None: as given by `scale`.
    finest : enlargement while drawing; lower is faster and rougher.
    """

    def __init__(
        self,
        scene: VerificationScene,
        *,
        scale: float | None = None,
        storey: int | None = None,
        largest: int | None = None,
        finest: int = 3,
    ) -> None:
        self.scene = scene
        ground, drawn = scene.verification.ground, scene.verification.ground.level
        self.name = scene.title or drawn.name or "level"
        bare = replace(drawn, spawns=(), patrols=(), paths=(), markers=())
        self._map = LevelMap(bare, ground.mesh, scale=scale, storey=storey, largest=largest)
        self.storeys = self._map.storeys
        self._bases = [self._base(number, finest) for number in self._map.numbers]

    def _base(self, storey: int, finest: int) -> Canvas:
        found = self.scene.verification
        canvas, faces = self._map.canvas(storey, finest=finest)
        if found.heat.any():
            cells = cell_numbers(canvas, found.ground.layout, faces)
            colours = heat_colours(Heat(np.append(found.heat, [0.0, 1.0]), "solutions"))
            canvas.paint(colours[np.maximum(cells, 0)], (cells >= 0) & (found.heat[cells] > 0.0))
        if self._map.level is not None:
            draw_features(canvas, self._map.level, self.storeys, storey, ())
        return canvas

    def still(self, canvas: Canvas, storey: int) -> None:
        """Draw guards at time 0, paths, sightings, start and goal."""
        found = self.scene.verification
        self.draw_views(canvas, storey, 0.0)
        for number, route in enumerate(self.scene.routes):
            draw_guard_route(canvas, route, guard_colour(number), self.storeys, storey)
        for each in found.solutions[:MOST_PATHS]:
            self._line(canvas, each.path[:, :3], PLAYER, 1.2, storey)
        if found.exact is not None and found.exact.found:
            self._line(canvas, found.exact.path[:, :3], _EXACT, 2.6, storey)
        for one in found.caught:
            if one is not None and self.storeys.at(one.xyz[2]) == storey:
                _cross(canvas, np.array(one.xyz))
        self.draw_ends(canvas, storey)

    def draw_views(self, canvas: Canvas, storey: int, seconds: float) -> None:
        """Tint what each guard of a storey sees at a given time."""
        sight = self.scene.verification.ground.sight
        draw_guard_views(canvas, self.scene.routes, sight, self.storeys, storey, seconds=seconds)

    def draw_ends(self, canvas: Canvas, storey: int) -> None:
        """Draw the intended path, the start and the goal."""
        found = self.scene.verification
        for path in found.paths:
            for stretch, ends in stretches(path, self.storeys, storey):
                draw_path(canvas, stretch, ends=ends)
        for place, draw in ((found.start, _start), (found.goal, _goal)):
            if self.storeys.at(float(place[2])) == storey:
                draw(canvas, place)

    def sheet(self, draw: Callable[[Canvas, int], None], subtitle: str, *, moving: bool = False) -> Image.Image:
        """Return the sheet with `draw(canvas, storey)` applied on top of each storey; `moving` selects the key."""
        panels = []
        for base, number in zip(self._bases, self._map.numbers):
            canvas = base.copy()
            draw(canvas, number)
            panels.append(Panel(canvas.finished(), self._map.title(number)))
        found = self.scene.verification
        heat = Heat(np.array([0.0, 1.0]), "share of solutions that pass") if found.heat.any() else None
        legend = None if heat is None else draw_legend(heat)
        key = _key(self.scene, moving)
        return self._map.sheet(panels, title=self.name, subtitle=subtitle, legend=legend, key=key)

    def _line(self, canvas: Canvas, points: Floats, colour: Colour, width: float, storey: int) -> None:
        for stretch, _ in stretches(points, self.storeys, storey):
            canvas.line(stretch, WALKABLE, width + 1.4)
            canvas.line(stretch, colour, width)


def verification_words(found: Verification) -> str:
    """Return a one-line summary of the result."""
    words = []
    if found.success.of:
        rate = found.success
        words.append(f"{rate.hits} of {rate.of} runs found a way ({rate.low:.0%} to {rate.high:.0%})")
    if found.exact is not None:
        words.append(f"exact: {found.exact.seconds:.4g} s" if found.exact.found else "exact: no path")
    if found.close.of:
        words.append(f"{found.close.share:.0%} close to the path")
    words.append(f"{found.danger.share.mean():.1%} of the floor in view")
    return " · ".join(words)


def _start(canvas: Canvas, place: Floats) -> None:
    x, y, z = place.tolist()
    draw_spawn(canvas, Spawn((x, y, z), who="player"))


def _goal(canvas: Canvas, place: Floats) -> None:
    x, y, z = place.tolist()
    draw_marker(canvas, Marker((x, y, z), "goal"))


def _cross(canvas: Canvas, place: Floats) -> None:
    reach = 0.5 * symbol_size(canvas) / canvas.view.scale
    for up in (-1.0, 1.0):
        arm = np.array([reach, up * reach])
        pair = np.array([place[:2] - arm, place[:2] + arm])
        canvas.line(pair, WALKABLE, 3.2)
        canvas.line(pair, _CAUGHT, 1.8)


def _key(scene: VerificationScene, moving: bool) -> list[KeyEntry]:
    found, colour = scene.verification, GUARD_COLOURS[0]
    both, here = np.array([[-0.8, 0.0, 0.0], [0.8, 0.0, 0.0]]), np.zeros(3)
    guards, exact = bool(scene.routes), found.exact is not None and found.exact.found
    return key_entries(
        (guards and not moving, "guard's route", lambda c: c.line(both, colour, 1.8)),
        (
            guards,
            "what it sees now" if moving else "what it sees at the start",
            lambda c: c.wash([WEDGE], WEDGE, colour, 0.3, 1.5),
        ),
        (moving and found.solvable is True, "player", lambda c: c.disc(here[:2], 5.0, PLAYER, WALKABLE, 1.2)),
        (bool(found.solutions) and not moving, "unseen path", lambda c: c.line(both, PLAYER, 1.2)),
        (exact and not moving, "earliest path", lambda c: c.line(both, _EXACT, 2.6)),
        (any(found.caught) and not moving, "first seen here", lambda c: _cross(c, here)),
        (found.intended is not None, "intended path", lambda c: draw_path(c, both)),
        (True, "start", lambda c: _start(c, here)),
        (True, "goal", lambda c: _goal(c, here)),
    )


def draw_verification_gif(
    scene: VerificationScene, *, scale: float | None = None, storey: int | None = None, progress: Progress | None = None
) -> bytes:
    """Return an animated GIF, ten frames per second up to `MOST_FRAMES`; the bytes are deterministic.

    It ends when the last of the players shown (the first `MOST_PLAYERS` solutions) reaches the goal.
    """
    chart = VerificationMap(scene, scale=scale, storey=storey, largest=None if scale else _LARGEST, finest=2)
    players = shown_players(scene.verification)
    seconds = max((player.seconds for player in players), default=min(20.0, scene.verification.settings.limit))
    count = min(MOST_FRAMES, max(2, math.ceil(seconds * _RATE) + 1))
    moments = np.linspace(0.0, seconds, count)
    milliseconds = max(20, round(seconds / (count - 1) * 100.0) * 10)

    def draw(number: int) -> Image.Image:
        return _frame(chart, players, float(moments[number]))

    samples = [draw(number) for number in (0, count // 2, count - 1)]
    palette = shared_palette(samples, np.concatenate([scale_colours("heat", 64), np.array(GUARD_COLOURS, np.uint8)]))
    frames = drawn_frames(draw, count, samples[0].size, progress)
    return gif_bytes(frames, palette, [*([milliseconds] * (count - 1)), _END_MS])


def shown_players(found: Verification) -> tuple[Solution, ...]:
    """Return the players to show: the first solutions, or the exact one if there are none."""
    if found.solutions or found.exact is None or not found.exact.found:
        return found.solutions[:MOST_PLAYERS]
    return (Solution(-1, found.exact.path),)


def _frame(chart: VerificationMap, players: Sequence[Solution], seconds: float) -> Image.Image:
    storeys, routes = chart.storeys, chart.scene.routes

    def draw(canvas: Canvas, storey: int) -> None:
        chart.draw_views(canvas, storey, seconds)
        chart.draw_ends(canvas, storey)
        reach = symbol_size(canvas)
        for number, route in enumerate(routes):
            pose = route.pose_at(seconds)
            if storeys.at(float(pose[2])) == storey:
                canvas.disc(pose[:2], reach + 1.0, GUARD, WALKABLE, 1.2)
                canvas.disc(pose[:2], 0.62 * reach, guard_colour(number))
        for player in players:
            place = player.at(seconds)
            if storeys.at(float(place[2])) == storey:
                tail = _tail(player, seconds)
                if len(tail) > 1:
                    canvas.line(tail, PLAYER, 1.2)
                canvas.disc(place[:2], 0.8 * reach, PLAYER, WALKABLE, 1.2)

    there = sum(player.seconds <= seconds + 1e-9 for player in players)
    return chart.sheet(draw, f"{seconds:5.1f} s · {there} of {len(players)} players shown are through", moving=True)


def _tail(player: Solution, seconds: float) -> Floats:
    times = player.path[:, 3]
    inner = times[(times > seconds - _TAIL) & (times < seconds)]
    return np.array([player.at(when) for when in (max(0.0, seconds - _TAIL), *inner.tolist(), seconds)])
