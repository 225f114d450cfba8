"""A navmesh says where a body of radius r can walk, and finds paths for it."""

from lastseen import Body, Level, NavMesh, find_path
from lastseen.navmesh import raycast, reachable

level = Level.sample("rooms")
mesh = NavMesh.from_level(level, Body(radius=0.3))
player, guard = (spawn.xyz for spawn in sorted(level.spawns, key=lambda spawn: spawn.who == "guard"))

ray = raycast(mesh, guard, player)
print("straight ahead there is a", ray.outcome, "after", round(ray.fraction * 100), "% of the way")

path = find_path(mesh, guard, player)
print("by the door it is", round(path.length, 1), "m:", path.reason)

wide = NavMesh.from_level(level, Body(radius=0.6))
print("a body too wide for the door:", reachable(wide, guard, player))
print("it would stop:", find_path(wide, guard, player).reason)

# Expected output:
# straight ahead there is a wall after 12 % of the way
# by the door it is 18.9 m: reached
# a body too wide for the door: False
# it would stop: no_path
