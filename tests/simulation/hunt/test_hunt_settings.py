"""Settings of predictors and searches in scenarios: for all, by team, by agent and in trees."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from lastseen import CellLayout, Level, Loss
from lastseen.agents.brains.shipped_brains import brain_text
from lastseen.errors import InputError, ScenarioError
from lastseen.reasoning.chase.chase_spec import chase_spec
from lastseen.reasoning.chase.predictors import PREDICTORS
from lastseen.reasoning.search.search_spec import search_spec
from lastseen.simulation.game_loop import step
from lastseen.simulation.scenario.reader import parse_scenario
from lastseen.simulation.world.setup import make_world
from specimens.worlds import Play

CORRIDOR = """
level: corridor
seconds: 60
step: 0.1
ends: []
{more}
agents:
  - {{name: Ames, at: [6, 4], heading: 0.0, patrol: ""{own}}}
  - {{name: you, brain: puppet, at: [14, 4]}}
script:
  - {{at: 1.5, do: remove, agent: you}}
"""


def text_of(more: str = "", own: str = "") -> str:
    return CORRIDOR.format(more=more, own=f", {own}" if own else "")


def flood_of(more: str = "", own: str = "") -> tuple[str, int | None]:
    """The predictor of the first flood, and its steps."""
    play = Play(text_of(more, own)).run(4.0)
    return play.of_kind("flood")[0].predictor, play.of_kind("flood")[0].steps


def test_a_predictor_is_that_of_the_agent_else_of_its_team_else_of_the_scenario() -> None:
    assert flood_of() == flood_of("chase: belief")
    assert flood_of("chase: article:max_steps=3") == ("article:max_steps=3", 3)
    assert flood_of("chase: {guards: article:max_steps=4}") == ("article:max_steps=4", 4)
    assert flood_of("chase: {civilians: article}")[0] == "belief"
    assert flood_of("chase: {guards: article}", "chase: article:max_steps=2") == ("article:max_steps=2", 2)


@pytest.mark.parametrize("name", PREDICTORS)
def test_every_predictor_serves_a_guard(name: str) -> None:
    play = Play(text_of(f"chase: {name}").replace("do: remove, agent: you", "do: place, agent: you, place: [3, 4]"))
    play.run(4.5)
    assert play.of_kind("flood")[0].predictor == name
    assert "chase" in play.states["Ames"]


def test_worth_draws_the_prediction_to_an_exit() -> None:
    level = Level.sample("rooms")
    cells, loss = CellLayout.from_level(level), Loss((9.5, 5.5), (1, 0))
    plain, drawn = (chase_spec(text).made(cells, level).predict(loss) for text in ("article", "article:exit_worth=9"))
    goal = np.array(next(marker.xyz for marker in level.markers if marker.kind == "exit"))
    assert math.dist(drawn.destination, goal) < math.dist(plain.destination, goal) - 0.5


@pytest.mark.parametrize(
    ("more", "own", "told"),
    [
        ("chase: bellief", "", "line 6 (chase): no predictor 'bellief' (did you mean 'belief'?)"),
        ("chase: article:max_step=3", "", "line 6 (chase): predictor 'article:max_step=3': no setting 'max_step' (did"),
        ("chase: article:max_steps", "", "'max_steps' in predictor 'article:max_steps' is no setting"),
        ("chase: article:max_steps=0", "", "max_steps is 0; give a whole number"),
        ("chase: article:lead=3", "", "lead makes no difference where barrier is 'momentum'"),
        ("chase: article:exit_worth=-1", "", "exit_worth is -1"),
        ("chase: article:intervall=1", "", "no setting 'intervall' (did you mean 'interval'?)"),
        ("chase: article:interval=0", "", "interval is 0"),
        ("chase: article:most_resets=1.5", "", "most_resets is 1.5; give a whole number"),
        ("chase: dead reckoning:interval=1", "", "interval makes no difference where nothing floods"),
        ("chase: dead reckoning:hot=1", "", "only presets of the chase have settings"),
        ("chase: last position:exit_worth=1", "", "exit_worth weighs warm cells, which only floods have"),
        ("chase: my_module:Mine", "", "line 6 (chase): the predictor 'my_module:Mine' is not in use"),
        ("chase: {gaurds: article}", "", "line 6 (chase.gaurds): no team 'gaurds' (did you mean 'guards'?)"),
        ("chase: {guards: artcle}", "", "line 6 (chase.guards): no predictor 'artcle' (did you mean 'article'?)"),
        ("chase: {intruders: hard}", "", "line 6 (chase.intruders): the brain 'puppet' predicts nothing; remove it"),
        ("", "brain: roamer, chase: hard", "line 8 (agents['Ames'].chase): the brain 'roamer' predicts nothing"),
        ("", "chase: artcle", "line 8 (agents['Ames'].chase): no predictor 'artcle' (did you mean 'article'?)"),
        ("search: influense", "", "line 6 (search): no search 'influense' (did you mean 'influence'?)"),
        ("search: influence:sped=2", "", "line 6 (search): search 'influence:sped=2': no setting 'sped' (did"),
        ("search: influence:speed=-2", "", "speed is -2"),
        ("search: influence:pool=3", "", "no setting 'pool'"),
        ("search: coordinator:speed=3", "", "no setting 'speed'"),
        ("search: influence:near=9:far=3", "", "do not rise"),
        ("", "search: gain:speed=3", "line 8 (agents['Ames'].search): search 'gain:speed=3': speed is"),
        ("search: both", "search: influence:far=9", "all search by 'both'"),
        ("", "search: influence:far=x", "far"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_at_load_with_line_and_suggestion(more: str, own: str, told: str) -> None:
    with pytest.raises(ScenarioError) as error:
        parse_scenario(text_of(more, own))
    assert told in str(error.value)


def test_settings_of_a_search_are_in_force() -> None:
    world = make_world(parse_scenario(text_of("search: both:speed=2:aggressive_limit=1:influence=3:far=9")))
    hunt = world.hunt
    assert hunt.search.settings.speed == 2.0
    assert hunt.coordinator is not None
    assert (hunt.coordinator.settings.aggressive_limit, hunt.coordinator.settings.weights.influence) == (1, 3)
    assert hunt.coordinator.settings.recycle == "oldest"
    assert [one.far for one in hunt.scoring] == [9, 9]


def test_one_agent_chooses_its_places_in_its_own_way() -> None:
    world = make_world(parse_scenario(text_of("search: influence:far=8", "search: influence:far=20:too_far=30")))
    assert [(one.far, one.too_far) for one in world.hunt.scoring] == [(20, 30), (8, 60.0)]
    with pytest.raises(InputError, match="shared by all searchers"):
        search_spec("influence").scoring_of("influence:fade=0.1")


@pytest.mark.parametrize(
    ("predictor", "fault"),
    [
        ("hard", ""),
        ("article:max_steps=2", ""),
        ("hrad", "did you mean 'hard'?"),
        ("hard:hott=1", "did you mean 'hot'?"),
    ],
)
def test_a_tree_names_a_predictor_and_a_wrong_one_fails_at_load(tmp_path: Path, predictor: str, fault: str) -> None:
    lines = brain_text("guard").replace("- predict\n", f'- predict: {{predictor: "{predictor}"}}\n')
    (tmp_path / "own.yaml").write_text(lines)
    text = text_of("", "brain: own.yaml")
    if fault:
        number = 1 + next(n for n, line in enumerate(lines.splitlines()) if "predictor" in line)
        with pytest.raises(ScenarioError) as error:
            parse_scenario(text, folder=tmp_path)
        assert fault in str(error.value)
        assert f"own.yaml:{number}" in str(error.value)
        return
    world, found = make_world(parse_scenario(text, folder=tmp_path)), []
    assert predictor in world.reasoning.predictors, "made before the first step"
    while world.time < 4.0:
        step(world)
        found += [event.predictor for event in world.events if event.kind == "flood"]
    assert found[0] == predictor
