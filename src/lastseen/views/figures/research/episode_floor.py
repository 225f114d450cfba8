"""The floor under the picture of an episode, and the dots of its key."""

from __future__ import annotations

import numpy as np
from PIL import Image, ImageDraw

from ....cells.layout import CellLayout
from ....conventions import Floats
from ..drawing.canvas import Canvas
from ..drawing.palette import PAGE, QUIET_INK, Colour
from ..drawing.surface import draw_mesh, draw_walls_round_mesh, face_numbers
from ..drawing.viewport import View


def floor_canvas(view: View, layout: CellLayout, xyz: Floats) -> Canvas:
    """Return a canvas with walls and floor of the storey of the cell nearest to a position."""
    nearest = int(np.linalg.norm(layout.arrays.cell_xyz.astype(np.float64) - xyz, axis=1).argmin())
    storey = int(layout.mesh.face_storey[int(layout.cell_face[nearest])])
    canvas = Canvas(view)
    draw_walls_round_mesh(canvas, layout.mesh, storey)
    draw_mesh(canvas, layout.mesh, face_numbers(canvas, layout.mesh, storey))
    return canvas


def dot(colour: Colour, *, filled: bool = True) -> Image.Image:
    """Return the sign of a key entry: a dot, or a ring."""
    sign = Image.new("RGB", (18, 18), PAGE)
    fill, outline = (colour, QUIET_INK) if filled else (PAGE, colour)
    ImageDraw.Draw(sign).ellipse((3, 3, 14, 14), fill=fill, outline=outline, width=1 + (not filled))
    return sign
