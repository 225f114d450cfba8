"""Puppets go where they are told, slide along walls, use what is near, and repeat to the bit."""

from __future__ import annotations

import numpy as np
import pytest

from lastseen.errors import InputError
from lastseen.simulation.world.puppet import PlayerInput, apply_input
from lastseen.simulation.world.world import World
from specimens.worlds import Play

TEXT = "level: {}\nseconds: 60\nagents:\n  - {{name: you, brain: puppet, at: {}}}\n"


def drive(play: Play, seconds: float, wanted: PlayerInput) -> Play:
    return play.run(seconds, lambda world: apply_input(world, 0, wanted))


@pytest.mark.parametrize(("gait", "speed"), [("sneak", 1.0), ("walk", 1.6), ("run", 4.5)])
def test_a_puppet_walks_at_the_speed_of_its_gait(gait: str, speed: float) -> None:
    play = Play(TEXT.format("hall", "[3, 9]"))
    drive(play, 1.0, PlayerInput((1.0, 0.0), gait))  # type: ignore[arg-type]
    before = play.world.bodies.xyz[0].copy()
    drive(play, 1.0, PlayerInput((5.0, 0.0), gait))  # type: ignore[arg-type]
    assert np.linalg.norm(play.world.bodies.xyz[0] - before) == pytest.approx(speed, rel=0.03)
    assert (play.world.bodies.stance[0] == 1) == (gait == "sneak")


def test_a_puppet_against_a_wall_slides_along_it() -> None:
    play = drive(Play(TEXT.format("hall", "[3, 2]")), 2.0, PlayerInput((1.0, -1.0), "run"))
    x, y, _ = play.world.bodies.xyz[0]
    assert x > 6.0
    assert y < 2.0


def test_a_puppet_without_input_stands() -> None:
    play = drive(Play(TEXT.format("hall", "[3, 9]")), 1.0, PlayerInput())
    assert play.world.bodies.velocity_xy[0].tolist() == [0.0, 0.0]
    drive(play, 0.5, PlayerInput((float("nan"), 1.0)))
    assert play.world.bodies.velocity_xy[0].tolist() == [0.0, 0.0]


def test_a_puppet_hides_and_comes_out_and_opens_doors() -> None:
    play = Play(TEXT.format("rooms", "[1.5, 7.5]"))
    drive(play, 1 / 30, PlayerInput(use=True))
    assert play.world.acts.hidden_in[0] == 0
    drive(play, 0.5, PlayerInput((1.0, 0.0)))
    assert play.world.bodies.velocity_xy[0].tolist() == [0.0, 0.0]
    drive(play, 1 / 30, PlayerInput(use=True))
    assert play.world.acts.hidden_in[0] == -1
    play.world.bodies.xyz[0] = (10.3, 5.5, 0.0)
    shut = bool(play.world.doors.shut[0])
    drive(play, 1 / 30, PlayerInput(use=True))
    assert bool(play.world.doors.shut[0]) != shut


def test_a_thrown_thing_is_heard_where_it_lands() -> None:
    play = Play(TEXT.format("hall", "[3, 9]"))
    drive(play, 1 / 30, PlayerInput(throw=(9.0, 9.0, 0.0)))
    assert play.kinds() == ["threw"]
    drive(play, 1 / 30, PlayerInput(throw=(90.0, 9.0, 0.0)))
    assert play.kinds() == ["threw"]


def test_the_same_inputs_give_the_same_digest() -> None:
    def digest() -> str:
        play = Play("level: warehouse\nagents:\n  - {name: you, brain: puppet, at: [2.5, 2.5]}\n  - {name: Ames}\n")

        def each(world: World) -> None:
            angle = world.tick * 0.05
            apply_input(world, 0, PlayerInput((np.cos(angle), np.sin(angle)), "run"))

        return play.run(8.0, each).outcome.digest

    assert digest() == digest()


@pytest.mark.parametrize(
    "wrong",
    [{"move": "up"}, {"move": (1.0,)}, {"move": (1.0, 10**400)}, {"gait": "rnu"}, {"throw": (1.0, 2.0)}, {"throw": 3}],
)
def test_an_input_that_says_nothing_is_refused_where_it_is_made(wrong: dict[str, object]) -> None:
    with pytest.raises(InputError, match=next(iter(wrong))):
        PlayerInput(**wrong)  # type: ignore[arg-type]
