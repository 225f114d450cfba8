"""Ways round the line of combat, as a crew's tree asks for them."""

from __future__ import annotations

import numpy as np
import pytest

from lastseen.agents.behaviour.files.read import parse_trees
from lastseen.agents.crews.combat.fights import _way_round as way_round
from lastseen.agents.crews.crew_mind import CrewMind
from lastseen.agents.crews.crew_trees import crew_tree, roles_of
from lastseen.agents.directions import Direction
from lastseen.reasoning.tactical.flank import avenue
from specimens.crews import Hall, crew_of

Spot = tuple[float, float]


def flanker(me: Spot, others: list[Spot]) -> tuple[Hall, CrewMind]:
    """Return a crew of one who flanks (10, 6), and two with guns."""
    hall, mind = crew_of([me, *others], ("melee", "ranged", "ranged"))
    mind.crew.given[0] = Direction(0, "flank", 0.0, "")
    return hall, mind


def walked(hall: Hall, mind: CrewMind, **options: bool) -> np.ndarray:
    """Return where one comes by that goes from bend to bend, each leg in 21 places, (n, 3)."""
    legs, here = [], hall.world.bodies.xyz[0].copy()
    for _ in range(20):
        there = np.array(way_round(mind, 0, None, **options))
        legs.append(np.linspace(here, there, 21))
        here = there
        hall.world.bodies.xyz[0] = there
        mind.begin()
        if np.allclose(there, mind.known.place):
            break
    return np.concatenate(legs)


def test_the_ground_between_both_sides_is_kept_out_of_if_the_tree_says_so() -> None:
    others = [(13.1, 10.9), (17.9, 8.6)]
    inside = []
    for excluded in (False, True):
        hall, mind = flanker((17.1, 9.3), others)
        middle = np.mean([(*spot, 0.0) for spot in others], axis=0)
        ground = avenue(mind.world.cells.mesh, mind.known.place, middle)
        inside.append(int(ground.contains(walked(hall, mind, excluded=excluded)).sum()))
    assert inside[0] >= 9
    assert inside[1] <= 1, "but for where it comes out"


def test_the_line_of_combat_is_that_of_those_who_attacked_lately_if_the_tree_says_so() -> None:
    hall, mind = flanker((19.0, 3.0), [(18.0, 6.0), (10.0, 11.0)])
    assert hall.world.combat is not None

    def asked(**options: bool) -> object:
        mind.blackboard.clear()  # as if it had got the role just now
        return way_round(mind, 0, None, **options)

    nobody = asked(by_attacks=True)
    assert nobody == asked(), "all count the same while nobody has"
    hall.world.combat.ended[2] = (hall.world.time, "held")
    assert asked(by_attacks=True) == nobody, "nor has one who held its shot"
    hall.world.combat.ended[2] = (hall.world.time, "hit")
    assert asked() == nobody
    assert asked(by_attacks=True) != nobody, "the wall of the one who does not shoot is no longer dear"
    hall.world.time += 6.0
    assert asked(by_attacks=True) == nobody, "that is long ago"


@pytest.mark.parametrize(
    ("written", "options"),
    [
        ("way_round", {}),
        ("{way_round: {excluded: true}}", {"excluded": True}),
        ("{way_round: {by_attacks: true}}", {"by_attacks": True}),
    ],
)
def test_a_tree_says_which_way_round(written: str, options: dict[str, bool]) -> None:
    tree = crew_tree(parse_trees(f"root: {{roles: [{{role: {{name: flank, directions: {{stand: {written}}}}}}}]}}"))
    value = roles_of(tree)[0].directions["stand"]
    assert value.parameters == options
    told = [flanker((17.1, 9.3), [(13.1, 10.9), (17.9, 8.6)])[1] for _ in range(2)]
    assert value.of(told[0], 0, None) == way_round(told[1], 0, None, **options)
