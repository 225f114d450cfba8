"""Where to hide? Criteria that drop places or score them, curves, and the reason for every candidate."""

from lastseen import CellLayout, Level, Picker, Query, Sight
from lastseen.locations import Curve, Distance, PathClearance, Pick, Seen

level = Level.sample("warehouse")
cells = CellLayout.from_level(level)
picker = Picker(cells, level=level, sight=Sight.from_level(level))
here, places = (9.5, 8.5), {"threats": [(14.5, 8.5), (9.5, 13.5)]}

hide = Query(
    [
        Distance("asker", how="walking", at_most=20, curve=Curve(linear=(20, 0), low=0.2)),
        Seen("threats", at_most=0),
        Distance("threats", curve=Curve(linear=(3, 5))),
        PathClearance("threats", curve=Curve(smoothstep=(1, 5))),
    ],
    pick=Pick(count=3, spacing=4.0),
)
choice = picker.pick(hide, here, places=places)
for (x, y, _), score in zip(choice.xyz.tolist(), choice.scores.tolist()):
    print(f"({x:.1f}, {y:.1f}) scores {score:.2f}")
print(choice.why())

run = picker.start(hide, here, places=places)
while not run.advance(work=2000):
    print("next frame")
print(f"the same place: {run.result()[0].cell == choice.cell}")

# Expected output:
# (8.7, 7.7) scores 0.90
# (5.8, 4.8) scores 0.74
# (8.7, 1.8) scores 0.67
# cell 748 scores 0.904, number 1 of 219
#   walking distance to asker          1.95 m -> 0.922
#   seen by threats                    0
#   distance to threats                5.81 m -> 1.000
#   nearest the path comes to threats  4.67 m -> 0.980
# ...
# the same place: True
