"""A level is what the designer drew: a walkable surface and everything placed on it."""

from lastseen import Level

level = Level.sample("rooms")  # or Level.read("my_level.txt"), .map, .geojson, .tmj, .obj, .glb, .mesh

(floor,) = level.surface.floors
print(level.name, "has", int(floor.passable.sum()), "passable tiles")
for door in level.doors:
    state = "open" if door.open else "locked" if door.locked else "closed"
    print("a door at", door.outline_xy.mean(axis=0).tolist(), "is", state)
for spawn in level.spawns:
    print(spawn.who, "starts at", spawn.xyz)

level.write("rooms.geojson")
print("written and read back, it is equal:", Level.read("rooms.geojson") == level)

# Expected output:
# Two rooms has 160 passable tiles
# a door at [11.5, 5.5] is closed
# guard starts at (20.5, 6.5, 0.0)
# player starts at (2.5, 2.5, 0.0)
# written and read back, it is equal: True
