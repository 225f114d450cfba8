"""One call closes a door for everything: paths, cells, sight and sound go around it until it opens."""

from lastseen import Level, LiveLayout, find_path, sees
from lastseen.cells import nearest_cell
from lastseen.layers import Spread
from lastseen.senses import PathHearing, bodies, sound

level = Level.sample("loop")
live = LiveLayout.from_level(level)  # cells, mesh and sight under the same doors, which start as drawn
walk, ears = Spread(live), PathHearing(live)
outside, inside = (7.5, 12.5), (15.5, 6.5)


def look(when: str) -> None:
    way = find_path(live.mesh, outside, inside)
    reached = walk.distances([nearest_cell(live, outside)])
    metres = dict(zip(reached.cells.tolist(), reached.metres.tolist())).get(nearest_cell(live, inside))
    cells = "no way" if metres is None else f"{metres:.0f} m"
    heard = ears.listen([sound("bottle", inside)], bodies([outside]), [0]).heard[0, 0]
    seen = sees(live.sight, (8.5, 7.5, 1.6), (12.5, 7.5, 1.6))[0]
    print(f"{when}: path {way.length:.0f} m ({way.reason}), along cells {cells}, heard {heard}, seen {seen}")


look("as drawn")
live.set_door("door 2", closed=False)
live.set_door("door 3", closed=False)
look("all open")
for door in level.doors:
    live.set_door(door.name, closed=True)
look("all closed")
live.set_door("door 1", closed=False)
crate = live.cut([(18, 10), (19, 10), (19, 11), (18, 11)], z_low=0.0, z_high=2.0)  # blocks walking only
look("a crate behind the open one")
live.lift(crate)
look("crate gone")

# Expected output:
# as drawn: path 18 m (reached), along cells 18 m, heard False, seen False
# all open: path 12 m (reached), along cells 13 m, heard True, seen True
# all closed: path 27 m (no_path), along cells no way, heard False, seen False
# a crate behind the open one: path 27 m (no_path), along cells no way, heard False, seen False
# crate gone: path 18 m (reached), along cells 18 m, heard False, seen False
