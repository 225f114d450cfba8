from .build import build_layout as build_layout
from .layout import CellLayout as CellLayout
from .live import LiveLayout as LiveLayout
from .query import (
    cell_at as cell_at,
    cells_at as cells_at,
    cells_in_box as cells_in_box,
    cells_of_face as cells_of_face,
    cells_within as cells_within,
    cells_within_many as cells_within_many,
    faces_without_cell as faces_without_cell,
    nearest_cell as nearest_cell,
    nearest_cells as nearest_cells,
    neighbours as neighbours,
    position as position,
    positions as positions,
)
from .meshed_layout import standing_cells as standing_cells
