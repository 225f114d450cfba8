"""The first steps of a game, taken ahead: what they need is compiled before anybody waits for it in the game."""

from __future__ import annotations

from ...simulation.puppet import PlayerInput
from .game import Game
from .lens import Lens
from .stage import Stage

__all__ = ["take_first_steps"]

STEPS = 15
"""Half a second: guards walk, look and listen, the player walks; nobody has noticed anybody yet."""


def take_first_steps(stage: Stage) -> None:
    """Play the first steps of a game that is thrown away, with all that a page shows of them."""
    game = Game(stage)
    lens = Lens(game)
    for _ in range(STEPS if stage.recording is None else 0):
        if not game.has_ended():
            game.advance(PlayerInput((1.0, 0.5)))
    lens.moment(views=True, ways=True)
