"""A guard loses its target: flood the cells ahead of where it was last seen, and run to the middle of the heat."""

from lastseen import CellLayout, Chase, Level, Loss, View
from lastseen.chase import DeadReckoning

cells = CellLayout.from_level(Level.sample("rooms"))
loss = Loss(
    seen_at=(9.5, 5.5),
    heading=(1, 0),
    seconds=0.5,
    guard_at=(4.5, 5.5),
    guard_view=View(heading=(1, 0)),
)

for name, predictor in (
    ("straight on", DeadReckoning(cells)),
    ("the article", Chase(cells)),
    ("belief", Chase(cells, "belief")),
):
    guess = predictor.predict(loss)
    x, y, _ = guess.destination
    print(f"{name}: run to ({x:.1f}, {y:.1f}), {guess.reason}")

flood = Chase(cells).predict(seen_at=(9.5, 5.5), heading=(1, 0))
print(f"{flood.steps} steps heated {flood.heated.tolist()}, barrier of {len(flood.barrier)} cells")

run = Chase(cells).start(loss)
frames = 1
while not run.advance(steps=4):
    frames += 1
print(f"in {frames} frames the same place: {(run.result().destination == flood.destination).all()}")

# Expected output:
# straight on: run to (15.7, 5.5), wall
# the article: run to (15.6, 4.8), no_cells
# belief: run to (15.9, 3.6), no_cells
# 13 steps heated [5, 6, 8, 10, 12, 16, 9, 8, 7, 9, 8, 8, 8], barrier of 49 cells
# in 4 frames the same place: True
