"""Find the rules and facts that commands are given."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ....errors import InputError, did_you_mean

if TYPE_CHECKING:
    from ....agents.rules.engine.compile import CompiledHandler
    from ....agents.rules.language.faults import RuleFault
    from ....agents.rules.language.rule import Database

handler_option = click.option(
    "--handler",
    metavar="NAME[+NAME…]",
    help="Handler (with those whose names begin with it), or handlers to combine into one.  [the first]",
)


def rule_paths(paths: tuple[str, ...]) -> list[str]:
    """Return files and folders; a name that is neither may name shipped rules."""
    from ....agents.rules.shipped_rules import SHIPPED_RULES, shipped_rules_folder

    found = []
    for path in paths:
        if path in SHIPPED_RULES and not Path(path).exists():
            found.append(str(shipped_rules_folder(path)))
        elif "\0" in path or not Path(path).exists():
            known = f"shipped rules are {', '.join(SHIPPED_RULES)}"
            raise InputError(f"there is no file or folder {path!r}{did_you_mean(path, SHIPPED_RULES)}; {known}")
        else:
            found.append(path)
    return found


def rules_of(paths: tuple[str, ...]) -> Database:
    """Return the database of files, folders or shipped rules."""
    from ....agents.rules.files.read import read_rules

    return read_rules(*rule_paths(paths))


def game_faults_of(
    database: Database,
    paths: tuple[str, ...],
    scenario: str | None,
    game: str | None,
    known: Sequence[RuleFault] = (),
) -> list[RuleFault]:
    """Return what a scenario, a game described in a file, or the game of lastseen cannot use of some rules.

    `known` are the errors of the rules themselves. A scenario would only repeat errors of rules, so it does not.
    """
    from ....agents.rules.speech.game_checks import game_faults, read_game
    from ....simulation.world.speech_setup import shipped_game

    if scenario is not None and game is not None:
        raise InputError("--scenario and --game are given; a scenario is played by the game of lastseen, so give one")
    if game is not None:
        return [] if game == "none" else game_faults(database, read_game(game), known=known)
    facts, refused = ([], []) if scenario is None else _scenario_facts(scenario, paths)
    found = game_faults(database, shipped_game(facts), known=known)
    if any(fault.severity == "error" for fault in (*known, *found)):
        refused = [fault for fault in refused if "(rules)" not in fault.what]
    return refused + found


def _scenario_facts(scenario: str, paths: tuple[str, ...]) -> tuple[list[str], list[RuleFault]]:
    """Return the variables that a scenario sets, and why it cannot be played with these rules, if it cannot."""
    from ....agents.rules.language.faults import RuleFault
    from ....errors import ScenarioError
    from ....simulation.scenario.reader import parse_scenario, read_scenario, scenario_text, shipped_scenarios
    from ....simulation.scenario.scenario import fact_paths

    if len(paths) != 1:
        raise InputError(f"{len(paths)} files and folders are given; a scenario has one, so give that")
    if not Path(scenario).exists() and scenario not in shipped_scenarios():
        hint = did_you_mean(scenario, shipped_scenarios())
        raise InputError(f"there is no scenario {scenario!r}{hint}; give a file or one of `lastseen run --list`")
    rules = str(Path(rule_paths(paths)[0]).resolve())
    try:
        if Path(scenario).exists():
            setting = read_scenario(scenario, rules=rules)
        else:
            setting = parse_scenario(scenario_text(scenario), source=scenario, rules=rules)
    except ScenarioError as error:
        refused = [RuleFault(scenario, 0, "", "", str(fault), "scenario") for fault in error.faults]
        return _facts_in(scenario), refused
    return list(fact_paths(setting.scenario)), []


def _facts_in(scenario: str) -> list[str]:
    """Return the variables that a scenario sets, although it refuses some rules."""
    from ....simulation.scenario.reader import scenario_text
    from ....textfile import TextFileError, parse, read

    try:
        value = read(scenario).value if Path(scenario).exists() else parse(scenario_text(scenario), "yaml").value
        facts, script = value.get("facts") or {}, value.get("script") or []
        return [*facts, *(row["fact"] for row in script if isinstance(row.get("fact"), str))]
    except (TextFileError, AttributeError, TypeError):
        return []  # its own faults are reported


def handler_names(given: str | None, database: Database) -> tuple[str, ...]:
    """Return the handlers an option names, including all whose names begin with it, as in a game."""
    from ....agents.rules.language.faults import handlers_named

    if given is None:
        if not database.handlers:
            raise InputError("these rules have no handlers; add one under `handlers`")
        return (next(iter(database.handlers)),)
    names = [name.strip() for name in given.split("+")]
    # Unknown names are kept: the compiler reports them and suggests similar ones.
    return tuple(dict.fromkeys(one for name in names for one in handlers_named(name, database) or [name]))


def compiled_handlers(given: str | None, database: Database) -> tuple[str, CompiledHandler]:
    """Return the combined handlers an option names, and their title."""
    from ....agents.rules.engine.compile import compile_handler

    compiled = compile_handler(database, *handler_names(given, database))
    count = len(compiled.name.split(" + "))
    return (f"{given} ({count} handlers)" if given and count > given.count("+") + 1 else compiled.name), compiled


def read_facts(given: tuple[str, ...], database: Database) -> dict[str, Any]:
    """Return facts from `path=value` words and from fact files.

    Raises
    ------
    InputError
        A variable is unknown or a value does not fit it; similar names are suggested.
    """
    from ....agents.rules.engine.compile import encode
    from ....agents.rules.language.resolution import sides_of
    from ....errors import RuleError
    from ....textfile import read

    facts: dict[str, Any] = {}
    for word in given:
        if "=" in word:
            path, _, text = word.partition("=")
            facts[path.strip()] = _value(text.strip(), database, path.strip())
            continue
        document = read(word)
        if not isinstance(document.value, dict):
            raise InputError(f"{word} contains no facts; write `variable: value` lines")
        facts |= _flat(document.value)
    for path, value in facts.items():
        if path not in database.variables:
            hint = did_you_mean(path, database.variables)
            raise InputError(f"no variable {path!r}{hint}; these rules use {', '.join(database.variables)}")
        try:
            number = encode(value, database.variables[path], {})
        except RuleError as error:
            raise InputError(str(error)) from None
        sides = sides_of(path)
        if sides and value is not None and not (number % 1.0 == 0.0 and 1 <= number <= sides):
            raise InputError(f"{path} is {value}; a die with {sides} sides shows 1 … {sides}")
        if sides == 0 and value is not None and not 0.0 <= number < 1.0:
            raise InputError(f"{path} is {value}; give a number from 0 to below 1")
    return facts


def _flat(given: dict[str, Any], path: str = "") -> dict[str, Any]:
    """Return facts by full path: `npc: {health: 1}` becomes `npc.health: 1`."""
    found: dict[str, Any] = {}
    for key, value in given.items():
        name = f"{path}{key}"
        found |= _flat(value, f"{name}.") if isinstance(value, dict) else {name: value}
    return found


def _value(text: str, database: Database, path: str) -> Any:
    spec = database.variables.get(path)
    if spec is None or spec.type in ("str", "enum"):
        return text
    if text in ("true", "false"):
        return text == "true"
    try:
        return float(text) if spec.type == "float" else int(text)
    except ValueError:
        return text
