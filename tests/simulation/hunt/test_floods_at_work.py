"""Guards that flood over time, follow the warm cells of a flood, or attack an area of them."""

from __future__ import annotations

import math
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from lastseen.agents.brains.shipped_brains import brain_text
from lastseen.reasoning.chase.flood.chase import Chase
from lastseen.reasoning.chase.loss import Loss
from lastseen.simulation.world.puppet import PlayerInput, apply_input
from lastseen.views.prose.sentences import Sentences
from specimens.chase import cells_of
from specimens.worlds import Play

LOST = """
level: corridor
seconds: 60
step: 0.05
ends: []
{more}
agents:
  - {{name: Ames, at: [4, 4], heading: 0.0, patrol: "", {own}}}
  - {{name: you, brain: puppet, at: [9, 3.5]}}
script:
  - {{at: 1.5, do: remove, agent: you}}
"""


def play_of(own: str, more: str = "", *, tree: str = "", folder: Path | None = None) -> Play:
    """A guard that has just lost a target that ran east, with a tree of its own if one is given."""
    if folder is not None:
        (folder / "own.yaml").write_text(tree)
        own = f"brain: own.yaml, {own}"
    play = Play(LOST.format(more=more, own=own), folder=folder or Path())
    return play.run(1.5, lambda world: apply_input(world, 1, PlayerInput(move=(1, 0), gait="run")))


@pytest.mark.parametrize("interval", ["0.2", "pace"])
def test_a_guard_floods_over_time_and_its_destination_moves_with_the_flood(interval: str) -> None:
    play = play_of(f'chase: "article:interval={interval}"').run(12.0)
    at_once = play_of("chase: article").run(12.0)
    floods = play.of_kind("flood")
    steps = [event.steps for event in floods]
    assert steps == sorted(steps)
    assert len(floods) > 4
    assert [event.reason for event in floods[:-1]] == ["running"] * (len(floods) - 1)
    last, whole = floods[-1], at_once.of_kind("flood")[0]
    assert (last.at, last.reason, last.steps) == (whole.at, whole.reason, whole.steps)
    if interval == "0.2":
        assert last.tick - floods[0].tick == pytest.approx((0.2 * (last.steps + 1) - 0.8) / 0.05, abs=1.0)
    assert any("the flood goes on" in Sentences.of_world(play.world)(event) for event in floods)
    assert play.states["Ames"][-1] == "search"


def test_a_flood_over_time_turns_a_guard_more_often() -> None:
    def turned(chase: str) -> float:
        """Return the sum of all changes of heading while the guard runs, in radians."""
        play, total = play_of(f'chase: "{chase}"'), []

        def note(world) -> None:
            if world.state_of(0) == "chase" and world.orders.arrays.going[0]:
                total.append(float(world.bodies.heading[0]))

        play.run(6.0, note)
        return float(np.abs(np.angle(np.exp(1j * np.diff(total)))).sum())

    assert turned("article:interval=0.3") > turned("article") + 0.3


def test_the_way_of_a_flood_leads_from_cell_to_cell_and_step_by_step() -> None:
    layout = cells_of("#########\n#.......#\n#.#####.#\n#.#...#.#\n#.###.#.#\n#.....#.#\n#########")
    flood = Chase(layout).predict(Loss((1.5, 5.5), (0, -1)))
    step = dict(zip(flood.cold.tolist(), flood.cold_in.tolist())) | dict(
        zip(flood.warm.tolist(), flood.heated_in.tolist())
    )
    way = flood.way().tolist()
    assert way[0] == flood.start
    assert way[-1] == flood.cell
    assert [step[cell] for cell in way] == list(range(len(way)))
    arrays = layout.arrays
    for one, other in pairwise(way):
        assert other in arrays.link_cell[int(arrays.link_start[one]) : int(arrays.link_start[one + 1])]


def test_a_guard_follows_the_warm_cells_past_where_the_target_was_seen(tmp_path: Path) -> None:
    tree = brain_text("guard")
    before, chase, after = tree.partition("- update_prediction")
    tree = before + chase + after.replace("[{go_to: {gait: run}}]", "follow_warm_cells", 1)
    assert "follow_warm_cells" in tree
    play = play_of("chase: hard", tree=tree, folder=tmp_path)
    places: list[tuple[float, ...]] = []
    play.run(9.0, lambda world: places.append(tuple(world.bodies.xyz[0].tolist())))
    flood = play.of_kind("flood")[0]
    cells = play.world.cells.arrays.cell_xyz
    prediction = play.world.minds[0].blackboard["chase"].pursuit.prediction
    for cell in prediction.way()[3:-1:3].tolist():
        assert min(math.dist(cells[cell].tolist(), place) for place in places) < 1.5
    assert min(math.dist(flood.at, place) for place in places) < 1.0
    assert play.states["Ames"][-1] in ("chase", "search")


@pytest.mark.parametrize(("arms", "throws"), [("ranged", True), ("melee", False)])
def test_a_guard_with_a_gun_throws_a_charge_where_most_heat_is(tmp_path: Path, arms: str, throws: bool) -> None:
    lose = f"{24 * ' '}- bark: {{trigger: LOSE}}\n"
    tree = brain_text("guard").replace(lose, f"{lose}{24 * ' '}- force_success: attack_warm_area\n")
    combat = "combat: {blast_damage: 30, shot_seconds: 0.05, shot_rest: 0, near_chance: 0, far_chance: 0}"
    play = play_of(f"attack: {arms}", combat, tree=tree, folder=tmp_path).run(1.2)
    thrown = play.of_kind("threw")
    assert len(thrown) == throws
    if not throws:
        return
    flood = play.of_kind("flood")[0]
    warm = play.world.cells.arrays.cell_xyz[list(flood.warm)].astype(float)
    heat = [sum(v for v, far in zip(flood.values, np.linalg.norm(warm - one, axis=1)) if far <= 3.0) for one in warm]
    hit = int(np.linalg.norm(warm - np.array(thrown[0].at), axis=1).argmin())
    assert heat[hit] >= 0.5 * max(heat)
    assert Sentences.of_world(play.world)(thrown[0]) == "Ames threw a charge"
    play.world.bodies.mode[1] = 0
    play.world.bodies.xyz[1] = thrown[0].at
    play.run(1.5)
    hits = [event for event in play.of_kind("hit") if event.blow == "blast"]
    assert [(event.other, event.damage) for event in hits] == [(1, 30.0)]
