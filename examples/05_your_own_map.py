"""A level may be drawn in characters; all its faults are reported at once, each with advice."""

from pathlib import Path

from lastseen import Level, NavMesh, find_path
from lastseen.errors import LevelError

Path("vault.txt").write_text("""\
name: Vault
==
##########
#P...#..E#
#....#...#
#.##...#.#
#......#h#
##########
""")
level = Level.read("vault.txt")
(exit_,), (player,) = level.markers, level.spawns
path = find_path(NavMesh.from_level(level), player.xyz, exit_.xyz)
print(level.name, "can be left after", round(path.length, 1), "m")

Path("broken.txt").write_text("name: Broken\n==\n#####\n#P.?#\n#.!.#\n#####\n")
try:
    Level.read("broken.txt")
except LevelError as error:
    print(error)

# Expected output:
# Vault can be left after 8.0 m
# broken.txt:
#   line 4, column 4 at (3.5, 1.5, 0): symbol '?' is unknown; declare it, as in 'legend: ? = floor'
#   line 5, column 3 at (2.5, 2.5, 0): symbol '!' is unknown; declare it, as in 'legend: ! = floor'
