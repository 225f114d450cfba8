"""What is kept with a role begins with it; what is kept of a guess or of ways is kept for what was asked."""

from __future__ import annotations

import numpy as np

from lastseen.agents.crews.combat import fights
from lastseen.agents.crews.combat.fights import far_target
from lastseen.agents.crews.shipped.destinations import guess
from specimens.crews import Hall, crew_of

STAYS = """
root:
  reactive_selector:
    - guard:
        - {was_notified: {key: go, within: 0.001}}
        - roles: [{role: {name: roams, least: 0}}]
    - roles: [{role: {name: holds, least: 0, directions: {stand: here}}}]
"""
ROUND = "root: {roles: [{role: {name: flank, least: 0, directions: {stand: way_round}}}]}"


def test_who_is_told_to_stay_stays_where_it_was_when_it_was_told() -> None:
    hall = Hall(STAYS, [(4, 6), (5, 6)])
    hall.ask([0, 1])
    hall.update()
    stands = []
    for step in range(5):
        if step == 3:  # it gets another role for a moment, and stays somewhere else afterwards
            (mind,) = hall.crews._minds.values()
            mind.notify("go")
        hall.world.bodies.xyz[0, 0] += 0.5
        hall.update()
        given = hall.world.teamwork.directions[0]
        assert given is not None
        stands.append(given.values["stand"][0] if given.role == "holds" else None)
    assert stands == [4.0, 4.0, 4.0, None, 6.5]


def test_a_way_round_is_found_once_for_a_role(monkeypatch) -> None:
    hall = Hall(ROUND, [(4, 6), (5, 6)])
    found = []
    monkeypatch.setattr(fights, "_flank", lambda mind, member, target, *options: found.append(member) or [target])
    hall.ask([0, 1])
    hall.update(3)
    assert found == [0, 1]


def test_the_line_of_combat_is_of_those_who_do_not_go_round(monkeypatch) -> None:
    tree = """
root:
  roles:
    - role: {name: flank, most: 2, may: [{not: is_leader}], prefer: {wanted: 5.0}, directions: {stand: way_round}}
    - role: {name: front, least: 0}
"""
    hall = Hall(tree, [(4, 6), (5, 6), (6, 6)])
    lines = []
    known = fights.combat_line
    monkeypatch.setattr(
        fights,
        "combat_line",
        lambda target, others, *shots: lines.append(others[:, 0].tolist()) or known(target, others, *shots),
    )
    hall.ask([0, 1, 2])
    hall.update()
    assert lines == [[4.0], [4.0]], "in the very thought in which two begin to go round"


def test_each_predictor_makes_its_own_guess_of_a_loss() -> None:
    _, mind = crew_of([(4, 6), (5, 6)])
    known = mind.world.reasoning.predictors

    class Fixed:
        def __init__(self, x: float):
            self.x = x

        def predict(self, loss):
            return type("Found", (), {"destination": np.array([self.x, 1.0, 0.0])})

    spec, _ = next(iter(known.values()))
    known["left"], known["right"] = (spec, Fixed(1.0)), (spec, Fixed(9.0))
    assert [float(guess(mind, name).xyz[0, 0]) for name in ("left", "right", "left")] == [1.0, 9.0, 1.0]
    known["left"] = spec, Fixed(2.0)
    assert float(guess(mind, "left").xyz[0, 0]) == 1.0, "asked once for each loss"


def test_whether_it_is_far_is_asked_again_once_the_target_has_moved(monkeypatch) -> None:
    from lastseen.agents.crews.combat import fights

    hall, mind = crew_of([(1, 1), (2, 1)])
    asked = []
    known = fights.detours
    monkeypatch.setattr(
        fights,
        "detours",
        lambda ways, starts, ends, **more: asked.append(ends[0].tolist()) or known(ways, starts, ends, **more),
    )
    for x in (10.0, 10.5, 14.0):
        hall.world.bodies.xyz[hall.target, 0] = x
        hall.see()
        mind.begin()
        far_target(mind)
    assert [at[0] for at in asked] == [10.0, 14.0], "half a metre is not worth a search"
