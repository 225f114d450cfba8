"""Cells are a finite set of positions to reason about: where agents can stand, and how they walk between them."""

from lastseen import CellLayout, Level, NavMesh, cell_at
from lastseen.cells import cells_within, neighbours, position

mesh = NavMesh.from_level(Level.sample("house"))
layout = CellLayout.from_navmesh(mesh, cell=1.0, height=2.0)
print(len(layout), "cells stand on", mesh.face_count, "faces")

living_room, bedroom = cell_at(layout, (2.0, 4.0, 0.0)), cell_at(layout, (2.0, 4.0, 3.0))
for cell in (living_room, bedroom):
    x, y, z = position(layout, cell).tolist()
    around, metres = neighbours(layout, cell)
    print(f"feet at ({x:.2f}, {y:.2f}, {z:.2f}), {len(around)} neighbours, the nearest {metres.min():.2f} m away")

print("within 2 m, measured in space:", len(cells_within(layout, (2.0, 4.0, 0.0), 2.0)), "cells")

# Expected output:
# 254 cells stand on 185 faces
# feet at (2.05, 3.80, 0.00), 8 neighbours, the nearest 0.85 m away
# feet at (2.05, 3.80, 3.00), 7 neighbours, the nearest 1.00 m away
# within 2 m, measured in space: 9 cells
