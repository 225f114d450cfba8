"""A picture of a verified level: guards and what they see, unseen paths, their density, and sightings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from PIL import Image

from ....conventions import Floats
from ....level.features import Marker, Spawn
from ....level.level import Level, TriangleSoup
from ....reasoning.placement.guard_routes import GuardRoute
from ....reasoning.placement.verify.verify import Verification
from ..drawing.canvas import Canvas
from ..drawing.cell_raster import cell_numbers
from ..drawing.heat import Heat, draw_legend, heat_colours
from ..drawing.overlay import draw_features, key_entry
from ..drawing.page import KeyEntry, Panel, compose, png_bytes
from ..drawing.palette import FLOOR, PLAYER, WALKABLE, Colour
from ..drawing.route_lines import stretches
from ..drawing.storeys import storeys_of_mesh
from ..drawing.surface import draw_ground, draw_mesh, draw_walls_round_mesh, face_numbers, surface_bounds
from ..drawing.symbols import draw_marker, draw_path, draw_spawn, symbol_size
from ..drawing.viewport import choose_view
from .level_figure import chosen_storeys, rows_run_down
from .placement_figure import GUARD_COLOURS, draw_guard_route, guard_view

MOST_WAYS = 40
"""Most solutions drawn as lines; the heat includes all of them."""
_EXACT: Colour = (24, 74, 160)
_CAUGHT: Colour = (190, 34, 40)
_WEDGE = np.array([[-0.7, 0.0], [0.7, -0.42], [0.7, 0.42]])


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
        ground = scene.verification.ground
        drawn = ground.level
        self.name = scene.title or drawn.name or "level"
        bare = None if isinstance(drawn.surface, TriangleSoup) else _without_people(drawn)
        self.storeys = storeys_of_mesh(ground.mesh, drawn.surface)
        self.numbers = chosen_storeys(self.storeys, storey)
        bounds = ground.mesh.bounds_xyz[:, :2]
        if bare is not None:
            wide = surface_bounds(bare)
            bounds = np.stack([np.minimum(bounds[0], wide[0]), np.maximum(bounds[1], wide[1])])
        view, self.across = choose_view(
            bounds[0], bounds[1], panels=len(self.numbers), scale=scale, y_down=rows_run_down(drawn)
        )
        if largest is not None and max(view.size) > largest:
            view = replace(view, scale=view.scale * largest / max(view.size))
        self.view = view
        self.bases = [self._base(Canvas(view, finest=finest), bare, number) for number in self.numbers]

    def _base(self, canvas: Canvas, level: Level | None, storey: int) -> Canvas:
        found = self.scene.verification
        mesh = found.ground.mesh
        if level is None:
            draw_walls_round_mesh(canvas, mesh, storey)
        else:
            draw_ground(canvas, level, self.storeys, storey, FLOOR)
        faces = face_numbers(canvas, mesh, storey)
        draw_mesh(canvas, mesh, faces)
        if found.heat.any():
            cells = cell_numbers(canvas, found.ground.layout, faces)
            colours = heat_colours(Heat(np.append(found.heat, [0.0, 1.0]), "solutions"))
            canvas.paint(colours[np.maximum(cells, 0)], (cells >= 0) & (found.heat[cells] > 0.0))
        if level is not None:
            draw_features(canvas, level, self.storeys, storey, ())
        return canvas

    def still(self, canvas: Canvas, storey: int) -> None:
        """Draw guards at time 0, paths, sightings, start and goal."""
        found = self.scene.verification
        self.draw_views(canvas, storey, 0.0)
        for number, route in enumerate(self.scene.routes):
            draw_guard_route(canvas, route, _colour(number), self.storeys, storey)
        for each in found.solutions[:MOST_WAYS]:
            self._line(canvas, each.path[:, :3], PLAYER, 1.2, storey)
        if found.exact is not None and found.exact.found:
            self._line(canvas, found.exact.path[:, :3], _EXACT, 2.6, storey)
        for one in found.caught:
            if one is not None and self.storeys.at(one.xyz[2]) == storey:
                _cross(canvas, np.array(one.xyz))
        self.draw_ends(canvas, storey)

    def draw_views(self, canvas: Canvas, storey: int, seconds: float) -> None:
        """Tint what each guard of a storey sees at a given time."""
        for number, route in enumerate(self.scene.routes):
            pose = route.pose_at(seconds)
            if self.storeys.at(float(pose[2])) != storey:
                continue
            outline = guard_view(self.scene.verification.ground.sight, route, pose)
            if len(outline) > 2:
                canvas.wash([outline], outline, _colour(number), 0.3, 1.5)

    def draw_ends(self, canvas: Canvas, storey: int) -> None:
        """Draw the intended path, the start and the goal."""
        found = self.scene.verification
        if found.intended is not None:
            for stretch, ends in stretches(found.intended, self.storeys, storey):
                draw_path(canvas, stretch, ends=ends)
        for place, draw in ((found.start, _start), (found.goal, _goal)):
            if self.storeys.at(float(place[2])) == storey:
                draw(canvas, place)

    def sheet(self, draw: Callable[[Canvas, int], None], subtitle: str, *, moving: bool = False) -> Image.Image:
        """Return the sheet with `draw(canvas, storey)` applied on top of each storey; `moving` selects the key."""
        panels = []
        for base, number in zip(self.bases, self.numbers):
            canvas = base.copy()
            draw(canvas, number)
            panels.append(Panel(canvas.finished(), self.storeys.title(number) if len(self.storeys) > 1 else ""))
        found = self.scene.verification
        heat = Heat(np.array([0.0, 1.0]), "share of solutions that pass") if found.heat.any() else None
        legend = None if heat is None else draw_legend(heat)
        key = _key(self.scene, moving)
        return compose(panels, self.across, self.view, title=self.name, subtitle=subtitle, legend=legend, key=key)

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


def _without_people(level: Level) -> Level:
    return replace(level, spawns=(), patrols=(), paths=(), markers=())


def _colour(number: int) -> Colour:
    return GUARD_COLOURS[number % len(GUARD_COLOURS)]


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
    entries: list[tuple[bool, str, Callable[[Canvas], None]]] = [
        (guards and not moving, "guard's route", lambda c: c.line(both, colour, 1.8)),
        (guards, "what it sees now" if moving else "what it sees at the start", lambda c: _wedge(c, colour)),
        (moving and found.solvable is True, "player", lambda c: c.disc(here[:2], 5.0, PLAYER, WALKABLE, 1.2)),
        (bool(found.solutions) and not moving, "unseen path", lambda c: c.line(both, PLAYER, 1.2)),
        (exact and not moving, "earliest path", lambda c: c.line(both, _EXACT, 2.6)),
        (any(found.caught) and not moving, "first seen here", lambda c: _cross(c, here)),
        (found.intended is not None, "intended path", lambda c: draw_path(c, both)),
        (True, "start", lambda c: _start(c, here)),
        (True, "goal", lambda c: _goal(c, here)),
    ]
    return [key_entry(words, draw) for there, words, draw in entries if there]


def _wedge(canvas: Canvas, colour: Colour) -> None:
    canvas.wash([_WEDGE], _WEDGE, colour, 0.3, 1.5)
