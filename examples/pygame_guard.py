"""Example 13 as a game: arrows move you, E opens and shuts the door, Esc ends. Needs `pip install lastseen[games]`.

Given the name of a picture, it plays the keys of example 13 by itself and draws the chase after the second loss. While
`lastseen play --feed` runs, the studio shows what the guard does and why.
"""

import importlib
import math
import sys

import numpy as np
import pygame

import lastseen as ls
from lastseen.level import visible_area

own = importlib.import_module("13_your_own_game_loop")  # the game itself: Game, Guard, KEYS
SCALE, FPS, EYE = 40, 60, np.array([0.0, 0.0, 1.6])  # pixels of a metre, frames of a second, height of eyes
DARK, FLOOR, TEXT, PLAYER, HEAT, WOOD = "#16191f", "#313743", "#d9dde5", "#62d88c", "#8b6be0", "#b17a4b"
STATES = {"patrol": "#5ca6e2", "chase": "#eb5454", "run": "#f0823e", "search": "#f2c14e"}


def pixels(points):
    return [(x * SCALE, y * SCALE) for x, y, *_ in np.asarray(points).tolist()]


def draw(screen, font, game):
    """Draw the level, what guards believe and see, and everybody in it."""
    screen.fill(DARK)
    is_hunting = any(guard.state in ("run", "search") for guard in game.guards)
    heat = game.search.value01 if is_hunting else np.zeros(len(game.place))  # where you may be, as far as they know
    for (x, y, _), value in zip(game.place.arrays.cell_xyz, heat):
        tile = pygame.Rect(int(x) * SCALE, int(y) * SCALE, SCALE, SCALE).inflate(-1, -1)
        pygame.draw.rect(screen, pygame.Color(FLOOR).lerp(HEAT, 0.55 * float(value)), tile)
    for door, closed in zip(own.LEVEL.doors, game.place.sight.closed):
        pygame.draw.polygon(screen, WOOD, pixels(door.outline_xy), 0 if closed else 3)
    for guard in game.guards:
        xyz, heading = game.people.xyz[guard.body], float(game.people.heading[guard.body])
        colour = pygame.Color(STATES[guard.state])
        for degrees, metres in ((100, 15.0), (60, 12.0)):  # half sure in the wide cone, sure in the narrow one
            area = visible_area(game.place.sight, xyz + EYE, heading, math.radians(degrees), metres)
            sheet = pygame.Surface(screen.get_size(), pygame.SRCALPHA)
            pygame.draw.polygon(sheet, (colour.r, colour.g, colour.b, 50), pixels(area))
            screen.blit(sheet, (0, 0))
        ahead = [guard.path.at(metres) for metres in np.arange(guard.walked, guard.path.length, 0.4)]
        for dot in pixels(ahead):
            pygame.draw.aacircle(screen, colour, dot, 3)
        pygame.draw.aacircle(screen, colour, pixels([guard.path.points_xyz[-1]])[0], 9, 2)
        draw_body(screen, font, colour, xyz, heading, guard.state)
    draw_body(screen, font, PLAYER, game.people.xyz[0], float(game.people.heading[0]), "you")
    line = game.story[-1] if game.story else "Sneak past the guard. Arrows: move, E: door, Esc: end"
    screen.blit(font.render(line.strip(), True, TEXT), (14, screen.get_height() - 38))


def draw_body(screen, font, colour, xyz, heading, name):
    (x, y), corners = pixels([xyz])[0], ((0.0, 20), (1.0, 12), (-1.0, 12))
    arrow = [(x + far * math.cos(heading + turn), y + far * math.sin(heading + turn)) for turn, far in corners]
    pygame.draw.polygon(screen, colour, arrow)
    pygame.draw.aacircle(screen, DARK, (x, y), 13)
    pygame.draw.aacircle(screen, colour, (x, y), 11)
    label = font.render(name, True, colour)
    screen.blit(label, label.get_rect(midbottom=(x, y - 18)))


def report(feed, game, before):
    """Show this frame in a studio; `before` are the states of the guards in the frame before."""
    for guard, state in zip(game.guards, before):
        name, xyz, path = f"guard {guard.row + 1}", game.people.xyz[guard.body], guard.path
        heading, view = float(game.people.heading[guard.body]), (12.0, math.radians(60))
        why = game.story[-1][9:] if game.story else "nothing has happened yet"  # without the time
        feed.agent(name, xyz, heading=heading, state=guard.state, why=why, view=view)
        feed.line(f"path of {name}", [path.at(metres) for metres in np.linspace(guard.walked, path.length, 12)])
        feed.number(f"suspicion of {name}", float(game.suspicion[guard.row, 0]))
        if (state, guard.state) == ("chase", "run"):
            feed.event("loses sight of you", agent=name, text="runs to its guess")
            feed.point(f"guess of {name}", path.points_xyz[-1], text="where you may have gone")
        elif guard.state in ("chase", "patrol"):
            feed.remove(f"guess of {name}")
    feed.door("east door", closed=bool(game.place.shut_doors))
    feed.agent("you", game.people.xyz[0], heading=float(game.people.heading[0]), state="sneak")
    feed.frame(game.now)


def play(picture=""):
    """Run the game; with a picture, by itself and without waiting."""
    game = own.Game()  # before the window: the first time on a machine, kernels are compiled here
    pygame.init()
    rows, columns = own.floor.shape
    screen, font = pygame.display.set_mode((columns * SCALE, rows * SCALE + 10)), pygame.font.Font(None, 26)
    pygame.display.set_caption("lastseen: guards in your own game loop")
    clock, running = pygame.time.Clock(), True
    feed = ls.studio.connect("pygame guard", level=own.LEVEL, required=False)  # does nothing without a studio
    while running:
        for event in pygame.event.get():
            if event.type == pygame.QUIT or (event.type == pygame.KEYDOWN and event.key == pygame.K_ESCAPE):
                running = False
            if event.type == pygame.KEYDOWN and event.key == pygame.K_e:
                game.set_door(closed=not game.place.shut_doors)
        pressed = pygame.key.get_pressed()
        x = pressed[pygame.K_RIGHT] - pressed[pygame.K_LEFT]
        y = pressed[pygame.K_DOWN] - pressed[pygame.K_UP]
        if picture:
            x, y = next((x, y) for until, x, y in own.KEYS if game.now < until)
            game.set_door(closed=game.now >= 21.9)
            running = running and game.now < 24.4
        before = [guard.state for guard in game.guards]
        game.step(x, y, 1 / FPS)
        report(feed, game, before)
        if not picture or not running:
            draw(screen, font, game)
            pygame.display.flip()
        if not picture:
            clock.tick(FPS)
    feed.close()
    if picture:
        pygame.image.save(screen, picture)
    pygame.quit()


if __name__ == "__main__":
    play(*sys.argv[1:2])
