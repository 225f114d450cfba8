"""Closing a door cuts mesh and cells at once: paths, distances and spreading go around it until it opens."""

from lastseen import CellLayout, Level, LiveLayout, find_path
from lastseen.cells import nearest_cell
from lastseen.layers import Spread

level = Level.sample("loop")
live = LiveLayout(CellLayout.from_level(level))
walk = Spread(live)
outside, inside = (7.5, 12.5), (15.5, 6.5)


def look(when: str) -> None:
    way = find_path(live.mesh, outside, inside)
    reached = walk.distances([nearest_cell(live, outside)])
    metres = dict(zip(reached.cells.tolist(), reached.metres.tolist())).get(nearest_cell(live, inside))
    cells = "no way" if metres is None else f"{metres:.0f} m"
    print(f"{when}: path {way.length:.0f} m ({way.reason}), along cells {cells}")


look("all open")
live.close_doors(level)  # the doors that were drawn closed; one path is left
look("doors closed")
crate = live.cut([(18, 10), (19, 10), (19, 11), (18, 11)], z_low=0.0, z_high=2.0)
look("a crate in it")
live.lift(crate)
look("crate gone")
for number in range(len(level.doors)):
    live.open_door(level, number)
look("all open again")

# Expected output:
# all open: path 12 m (reached), along cells 13 m
# doors closed: path 18 m (reached), along cells 18 m
# a crate in it: path 27 m (no_path), along cells no way
# crate gone: path 18 m (reached), along cells 18 m
# all open again: path 12 m (reached), along cells 13 m
