"""Layers hold one value per cell; combined, they answer: where would I hide from this guard?"""

from lastseen import CellLayout, Level
from lastseen.cells import nearest_cell, position
from lastseen.layers import Falloff, LayerStack, Spread, best_cells, invert, normalise, product

layout = CellLayout.from_level(Level.sample("hall"))
guard, player = nearest_cell(layout, (6.0, 6.0)), nearest_cell(layout, (12.0, 8.0))

stack = LayerStack(layout)
threat = stack.add("threat", "float32", "how soon the guard is here", low=0.0, high=1.0)
near = stack.add("near", "float32", "how soon I am here", low=0.0, high=1.0)

walk = Spread(layout)
walk.influence(threat, [guard], Falloff.power(12.0))
walk.influence(near, [player], Falloff.linear(15.0))

score = product([invert(threat), normalise(near)])
for cell in best_cells(score, 3, spacing=4.0):
    x, y, _ = position(layout, cell)
    print(f"({x:.1f}, {y:.1f}) scores {score.values[cell]:.2f}")

# Expected output:
# (15.8, 9.8) scores 0.68
# (16.8, 5.8) scores 0.61
# (15.8, 13.8) scores 0.49
