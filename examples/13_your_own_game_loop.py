"""Guards in your own game loop: the level is an array, the player is yours, and each piece is used on its own."""

import math

import numpy as np

from lastseen import Chase, Level, LiveLayout, SearchMap, View, find_path
from lastseen.level import Door
from lastseen.navmesh import nearest
from lastseen.senses import Knowledge, VisionMemory, bodies, vision

floor = np.zeros((15, 24), bool)  # [row, column] in metres, True where one can walk
floor[1:14, 1:23] = True
floor[4:11, 5:19] = False  # a block in the middle
floor[5:10, 6:18] = True  # with a room inside,
floor[7, 9:15] = False  # half divided by a wall,
floor[10, 10:12] = floor[7, 18] = True  # and two ways in
DOOR = Door([(18, 7), (19, 7), (19, 8), (18, 8)], name="east door")
LEVEL = Level.from_array(floor, doors=[DOOR])
STOPS = [(2.5, 2.5), (20.5, 2.5), (20.5, 12.5), (2.5, 12.5)]
WALK, RUN, SPRINT = 1.5, 4.0, 5.0  # m/s; you sprint


class Guard:
    """A guard that patrols, sees, chases, loses, searches and gives up; all it knows is in `game`."""

    def __init__(self, game, row):
        self.game, self.row, self.body = game, row, row + 1
        self.state, self.stop, self.until = "patrol", row, 0.0
        self.go(STOPS[row % 4])

    def go(self, goal):
        self.path, self.walked = find_path(self.game.place.mesh, self.game.people.xyz[self.body], goal), 0.0

    def become(self, state, text):
        self.state = state
        self.game.story.append(f"{self.game.now:5.1f} s  {text}")

    def think(self, sees):
        game, arrived = self.game, self.walked >= self.path.length
        if sees:
            if self.state != "chase":
                self.become("chase", "the guard sees you")
            self.go(game.people.xyz[0])
        elif self.state == "chase" and game.known.age(game.now)[self.row, 0] > 0.5:  # lost: where did you go?
            flood = game.chase.predict(game.known.loss(self.row, 0, game.now, view=View()))
            self.become("run", "it loses you and runs to ({:.0f}, {:.0f})".format(*flood.destination))
            self.go(flood.destination)
            game.search.seed(game.known.arrays.xyz[self.row, 0], reset=True)
        elif self.state == "run" and arrived:
            self.become("search", "you are not there: it searches")
            self.until = game.now + 10.0
        elif self.state == "search" and game.now > self.until:
            self.become("patrol", "it gives up")
            self.go(STOPS[self.stop % 4])
        elif self.state == "search" and arrived and (goal := game.search.destination(game.people.xyz[self.body])):
            self.go(goal.xyz)
        elif self.state == "patrol" and arrived:
            self.stop += 1
            self.go(STOPS[self.stop % 4])

    def walk(self, seconds):
        self.walked += seconds * (WALK if self.state == "patrol" else RUN)
        self.game.move(self.body, self.path.at(self.walked), seconds)


class Game:
    """Your game: call `step` once per frame."""

    def __init__(self, guards=1):
        self.place = LiveLayout.from_level(LEVEL)  # its navmesh, cells and sight; doors close for all three at once
        starts = [STOPS[row % 4] for row in range(guards)]
        self.people = bodies([(10.5, 12.5), *starts], team=[1] + guards * [0])  # row 0 is the player
        self.eyes, self.memory = vision("zones"), VisionMemory(guards, 1)
        self.known = Knowledge(self.people, observers=np.arange(1, guards + 1), targets=[0])
        self.chase, self.search = Chase(self.place, "belief"), SearchMap(self.place)
        self.now, self.story = 0.0, []
        self.guards = [Guard(self, row) for row in range(guards)]

    def move(self, body, xyz, seconds):
        step = np.asarray(xyz) - self.people.xyz[body]
        self.people.xyz[body], self.people.velocity_xy[body] = xyz, step[:2] / seconds
        if step.any():
            self.people.heading[body] = math.atan2(step[1], step[0])  # the head turns with the body

    def set_door(self, closed):
        """Shut or open the door, unless a body stands in it; guards then find their paths again."""
        in_the_way = np.abs(self.people.xyz[:, :2] - (18.5, 7.5)).max(axis=1) < 0.5 + self.place.mesh.body.radius
        if closed != bool(self.place.shut_doors) and not in_the_way.any():
            self.place.set_door("east door", closed=closed)
            for guard in self.guards:
                guard.go(guard.path.points_xyz[-1])

    def step(self, x, y, seconds):
        known, self.now = self.known, self.now + seconds
        wanted = self.people.xyz[0] + (x * SPRINT * seconds, y * SPRINT * seconds, 0.0)
        self.move(0, nearest(self.place.mesh, wanted).xyz, seconds)  # slides along walls
        seen = self.eyes.look(self.people, self.place.sight, known.observers, known.targets, self.memory, seconds)
        known.remember(seen, self.people, self.now)
        self.suspicion = seen.awareness  # [guard, target], 0 to 1
        searchers = [guard.body for guard in self.guards if guard.state in ("run", "search")]
        if searchers:
            self.search.advance(seconds)
            self.search.clean_view(self.people.xyz[searchers], self.people.heading[searchers])
        for guard, sees in zip(self.guards, seen.visible & seen.noticed):
            guard.think(sees[0])
            guard.walk(seconds)


# Your input: until which second which keys are held.
KEYS = [(18.8, 0, 0), (19.6, 0, -1), (20.8, 1, 0), (21.05, 0, -1), (21.9, 1, 0), (22.65, 0, -1), (25.9, -1, 0)]
KEYS += [(28.1, 0, 1), (29.4, 1, 0), (30.4, 0, -1), (31.4, -1, 0), (45.0, 0, 0)]

if __name__ == "__main__":
    game = Game()
    for until, x, y in KEYS:  # your loop, 60 times a second
        while game.now < until:
            game.set_door(closed=game.now >= 21.9)  # you shut the door behind you
            game.step(x, y, 1 / 60)
    print(*game.story, sep="\n")

# Expected output:
#  18.7 s  the guard sees you
#  19.7 s  it loses you and runs to (13, 10)
#  21.2 s  the guard sees you
#  22.4 s  it loses you and runs to (21, 5)
#  26.5 s  you are not there: it searches
#  36.5 s  it gives up
