"""The map under every picture of a level: its storeys side by side in one view, and the floor of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from PIL import Image

from ....conventions import Array, Floats
from ....errors import InputError
from ....level.level import Level, TriangleSoup
from ....navmesh.navmesh import NavMesh
from .canvas import Canvas
from .page import KeyEntry, Panel, compose
from .palette import FLOOR, WALKABLE
from .storeys import Storeys, storeys_of_level, storeys_of_mesh
from .surface import draw_ground, draw_mesh, draw_walls_round_mesh, face_numbers, surface_bounds
from .viewport import choose_view


class LevelMap:
    """The storeys to draw and the view they share.

    Parameters
    ----------
    level : the level as drawn; None draws walls along the edge of the walkable ground.
    mesh : the walkable ground; None draws the level alone.
    scale : pixels per metre; None fits a large screen.
    storey : show only this storey.
    largest : most pixels along a side of all panels; None: as given by `scale`.
    within : corners (2, 2) of the area to show, in metres; None shows everything.
    """

    def __init__(
        self,
        level: Level | None,
        mesh: NavMesh | None = None,
        *,
        scale: float | None = None,
        storey: int | None = None,
        largest: int | None = None,
        within: Floats | None = None,
    ):
        # Triangles seen from above would hide the lower storeys; the mesh alone shows the walkable floor.
        hides = mesh is not None and level is not None and isinstance(level.surface, TriangleSoup)
        self.level, self.mesh = None if hides else level, mesh
        if mesh is not None:
            self.storeys = storeys_of_mesh(mesh, None if level is None else level.surface)
        else:
            assert level is not None
            self.storeys = storeys_of_level(level)
        self.numbers = _chosen(self.storeys, storey)
        low, high = self.bounds if within is None else within
        panels, is_down = len(self.numbers), level is not None and level.is_drawn_down
        self.view, self.across = choose_view(low, high, panels=panels, scale=scale, y_down=is_down)
        if largest is not None:
            wide, tall = self.view.size[0] * self.across, self.view.size[1] * -(-panels // self.across)
            self.view = replace(self.view, scale=self.view.scale * min(1.0, largest / wide, largest / tall))

    @property
    def bounds(self) -> Floats:
        """Corners (2, 2) of the rectangle that holds level and mesh, in metres."""
        parts = [] if self.mesh is None else [self.mesh.bounds_xyz[:, :2]]
        parts += [] if self.level is None else [surface_bounds(self.level)]
        return np.stack([np.min([one[0] for one in parts], axis=0), np.max([one[1] for one in parts], axis=0)])

    def canvas(self, storey: int, *, finest: int = 3) -> tuple[Canvas, Array]:
        """Return a canvas with walls and floor of a storey, and the face at each pixel (see `face_numbers`)."""
        canvas = Canvas(self.view, finest=finest)
        if self.level is not None:
            draw_ground(canvas, self.level, self.storeys, storey, WALKABLE if self.mesh is None else FLOOR)
        if self.mesh is None:
            return canvas, np.zeros((0, 0), np.int32)
        if self.level is None:
            draw_walls_round_mesh(canvas, self.mesh, storey)
        faces = face_numbers(canvas, self.mesh, storey)
        draw_mesh(canvas, self.mesh, faces)
        return canvas, faces

    def here(self, xyz: Floats, storey: int) -> bool:
        """Return whether a position is on a storey."""
        return self.storeys.at(float(xyz[2])) == storey

    def title(self, storey: int) -> str:
        """Return the title of the panel of a storey; empty if there is only one."""
        return self.storeys.title(storey) if len(self.storeys) > 1 else ""

    def sheet(
        self,
        panels: Sequence[Panel],
        *,
        title: str,
        subtitle: str,
        legend: Image.Image | None = None,
        key: Sequence[KeyEntry] = (),
    ) -> Image.Image:
        """Return the whole picture with one panel for each storey shown."""
        return compose(panels, self.across, self.view, title=title, subtitle=subtitle, legend=legend, key=key)


def _chosen(storeys: Storeys, storey: int | None) -> list[int]:
    """Return the storeys to show: all, or the one requested."""
    if storey is None:
        return list(range(len(storeys)))
    if not 0 <= storey < len(storeys):
        raise InputError(
            f"there is no storey {storey}; this level has storeys 0 to {len(storeys) - 1}, 0 at the bottom"
        )
    return [storey]
