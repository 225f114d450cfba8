"""Production over bins: the acceptance checks of chapter 8."""

from __future__ import annotations

from typing import Any

import pytest

from lastseen.agents.rules.production.production import Bins, Production, Unit
from lastseen.agents.rules.production.syntax import Call, class_name, parse_action, parse_check, parse_production
from lastseen.errors import RuleError

TEXT = """
resources: [gold, leather, shoes, meat, workers, fire-hazard, stone]
units:
  mine:
    - {name: work, inputs: [map 5 gold], outputs: [unit 5 gold], failedInputs: [_ note text empty]}
  cobbler:
    - {name: fetch, checks: [unit workers > 0, unit leather < 2], inputs: [player 8 leather], outputs: [unit 8 leather]}
    - {name: work, inputs: [unit 2 leather], outputs: [unit 3 shoes]}
  ranch:
    - name: work
      outputs: [unit 6 meat, unit 6 leather]
      success: [_ a-spawn-worker kind farmer action ranch days 7]
    - name: deliver
      every: 5
      checks: [unit workers > 0]
      inputs: [unit 20 leather]
      outputs: [player 20 leather]
  house:
    - name: fire hazard
      every: 7
      checks: [map fire-hazard < 1 max]
      outputs: [map 0.04 fire-hazard]
      failedChecks: [_ note text burns]
  brigade:
    - {name: put out, every: 7, checks: [unit workers > 0, _ is-awake], success: [map -1 fire-hazard]}
  mason:
    - {name: both, inputs: [unit 1 stone, player 1 gold], outputs: [player 1 shoes]}
"""


class Town:
    def __init__(self, tiles: int = 0, **more: Any):
        resources, rules = parse_production(TEXT)
        self.notes: list[str] = []
        self.bins = Bins(resources, tiles=tiles, **more)
        functions = {
            "note": lambda bins, unit, text: self.notes.append(text),
            "ASpawnWorker": lambda bins, unit, **values: self.notes.append(f"{unit.name} {values}"),
            "is-awake": lambda bins, unit: True,
        }
        self.production = Production(self.bins, rules, functions)

    def add(self, kind: str, tiles: tuple[int, ...] = (), **amounts: float) -> Unit:
        unit = self.bins.unit(kind, kind, tiles, amounts)
        self.production.add(unit)
        return unit

    def held(self, unit: Unit | None, resource: str) -> float:
        return float((self.bins.player if unit is None else unit.amounts)[self.bins.resource(resource)])

    def run(self, unit: Unit, name: str) -> str:
        _, rules = parse_production(TEXT)
        return self.production.run(unit, next(rule for rule in rules[unit.kind] if rule.name == name))


def test_8_1_a_mine_takes_what_is_there_and_no_half_portions() -> None:
    town = Town(tiles=3)
    town.bins.map[:, 0] = [4, 4, 4]
    mine = town.add("mine", (0, 1, 2))
    outcomes = [made.outcome for made in town.production.advance(3)]
    assert outcomes == ["success", "success", "failed inputs"]
    assert town.held(mine, "gold") == 10
    assert town.bins.map[:, 0].tolist() == [0, 0, 2]
    assert town.notes == ["empty"]


def test_8_2_a_cobbler_fetches_works_and_fetches_again() -> None:
    town = Town()
    cobbler = town.add("cobbler", workers=1)
    town.bins.player[town.bins.resource("leather")] = 20
    assert town.run(cobbler, "fetch") == "success"
    assert (town.held(cobbler, "leather"), town.held(None, "leather")) == (8, 12)
    assert town.run(cobbler, "fetch") == "failed checks"
    assert [town.run(cobbler, "work") for _ in range(5)] == ["success"] * 4 + ["failed inputs"]
    assert (town.held(cobbler, "shoes"), town.held(cobbler, "leather")) == (12, 0)
    assert town.run(cobbler, "fetch") == "success"


def test_8_3_a_ranch_delivers_once_it_has_enough() -> None:
    town = Town()
    ranch = town.add("ranch", workers=1)
    for _ in range(3):
        town.run(ranch, "work")
    assert town.run(ranch, "deliver") == "failed inputs"
    assert town.held(ranch, "leather") == 18
    town.run(ranch, "work")
    assert town.run(ranch, "deliver") == "success"
    assert (town.held(ranch, "leather"), town.held(None, "leather")) == (4, 20)
    assert town.notes[0] == "ranch {'kind': 'farmer', 'action': 'ranch', 'days': 7}"


def test_8_4_a_house_burns_after_25_firings_in_175_days() -> None:
    town = Town(tiles=1)
    town.add("house", (0,))
    made = town.production.advance(175)
    assert [one.outcome for one in made] == ["success"] * 25
    assert town.bins.map[0, town.bins.resource("fire-hazard")] >= 1.0
    assert [one.outcome for one in town.production.advance(7)] == ["failed checks"]
    assert town.notes == ["burns"]


def test_8_5_inputs_are_all_or_nothing() -> None:
    town = Town()
    mason = town.add("mason", stone=3)
    assert town.run(mason, "both") == "failed inputs"
    assert (town.held(mason, "stone"), town.held(None, "gold")) == (3, 0)


def test_8_6_the_map_is_the_sum_of_four_tiles_or_the_most_on_one() -> None:
    town = Town(tiles=9)
    town.bins.map[:4, 0] = 2
    mine = town.add("mine", (0, 1, 2, 3))
    check, most = parse_check("map gold > 5"), parse_check("map gold > 5 max")
    before = town.bins.reads
    assert town.production._holds(mine, check)
    assert town.bins.reads - before == 4
    assert not town.production._holds(mine, most)


def test_8_7_only_rules_that_are_due_are_evaluated() -> None:
    lines = "\n".join(f"  kind {n}: [{{name: r, every: {n + 1}, outputs: [unit 1 gold]}}]" for n in range(1000))
    resources, rules = parse_production(f"resources: [gold]\nunits:\n{lines}")
    bins = Bins(resources)
    production = Production(bins, rules)
    for n in range(1000):
        production.add(bins.unit(f"unit {n}", f"kind {n}"))
    production.advance(499)
    before = production.evaluated
    made = production.advance(1)
    assert production.evaluated - before == len(made) == sum(500 % n == 0 for n in range(1, 1001))


def test_8_8_a_text_is_the_object_it_stands_for() -> None:
    text = parse_action("_ a-change-resource-in-area radius 5 resource fire-hazard amount -1 soft true")
    plain = {"type": "a-change-resource-in-area", "radius": 5, "resource": "fire-hazard", "amount": -1, "soft": True}
    assert (
        text
        == parse_action(plain)
        == Call("a-change-resource-in-area", {k: v for k, v in plain.items() if k != "type"})
    )
    assert class_name("a-spawn-worker") == "ASpawnWorker"


@pytest.mark.parametrize(("spread", "left"), [("first", [3, 0]), ("evenly", [1.5, 1.5])])
def test_what_is_made_for_the_map_lands_on_the_first_tile_or_on_all(spread: Any, left: list[float]) -> None:
    bins = Bins(["gold"], tiles=2, spread=spread)
    bins.add(bins.unit("a", "b", (0, 1)), "map", 0, 3.0)
    assert bins.map[:, 0].tolist() == left
    bins.add(bins.unit("a", "b", (0, 1)), "map", 0, -5.0)
    assert bins.map.sum() == 0.0


def test_units_that_are_gone_run_no_more() -> None:
    town = Town()
    town.add("ranch")
    town.production.remove("ranch")
    assert town.production.advance(20) == []


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("unit workers > 0, unit", "unit workers => 0, unit", "rules:7: rule 'fetch' of cobbler: 'unit workers =>"),
        ("map 5 gold", "map five gold", "rules:5: rule 'work' of mine: 'map five gold' is not an amount"),
        ("map 5 gold", "map 5 golt", "no resource 'golt'"),
        ("unit 3 shoes", "unit -3 shoes", "cannot be negative"),
        ("fire-hazard < 1 max", "fire-hazard < 1 least", "is not a check"),
        ("[map fire-hazard < 1 max]", "[unit fire-hazard < 1 max]", "only the map has tiles"),
        ("every: 7", "every: 0", "rules:20: rule 1 of house: every: expected a number, more than 0"),
        ("_ note text burns", "_ note text", "is not an action"),
        ("failedInputs", "failedInput", "failedInput"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_with_its_place(old: str, new: str, words: str) -> None:
    with pytest.raises(RuleError) as caught:
        parse_production(TEXT.replace(old, new, 1))
    assert words in str(caught.value)


def test_functions_units_and_resources_must_be_there() -> None:
    resources, rules = parse_production(TEXT)
    with pytest.raises(RuleError, match=r"rule 'work' of mine: no function 'note' \(did you mean 'notes'\?\)"):
        Production(Bins(resources), rules, {"notes": print})
    town = Town()
    town.add("mason")
    with pytest.raises(RuleError, match="there already is a unit 'mason'"):
        town.add("mason")
    with pytest.raises(RuleError, match=r"no rules for 'masn' \(did you mean 'mason'\?\)"):
        town.add("masn")
    with pytest.raises(RuleError, match="there are 0, from 0"):
        town.bins.unit("a", "mine", (3,))
    with pytest.raises(RuleError, match="no resource 'golt'"):
        town.bins.unit("a", "mine", (), {"golt": 1})
