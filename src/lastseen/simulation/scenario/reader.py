"""Read scenario files, check that everything they name exists before anything runs, and list the shipped ones."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from ...agents.behaviour.files.definition import TreeFile
from ...agents.behaviour.registry import Registry
from ...agents.brains.leaves.registry import brain_leaves
from ...agents.brains.relations import TEAMS
from ...agents.rules.engine.pack import RulePack
from ...checks import expect, file_path, instance_of
from ...errors import Fault, ScenarioError
from ...level.level import Level
from ...reasoning.locations.query import Query
from ...shipped import Shipped
from ...textfile import Document, TextFileError, parse, read
from .crew_checks import CrewCheck
from .faults import Faults, NamedFiles, read_entries, syntax_fault
from .name_checks import NameCheck
from .scenario import AgentSpec, LayerSpec, Scenario, sides_of
from .scene_checks import check_scenes
from .script_checks import ScriptCheck
from .state_checks import check_level_states


class Setting:
    """A checked scenario, with its level, its agents, their trees and the leaves these may use.

    `rules` are the rules of speech; None: only lines in trees. `crews` are the trees of crews by objective; empty:
    agents act alone. `crew_leaves` are the leaves these may use; None: the shipped ones. `queries` are the files of
    place queries that brains name, `layers` the layers that agents read. `source` names the file; `document` has its
    lines; None: it was made in code.
    """

    def __init__(
        self,
        scenario: Scenario,
        level: Level,
        agents: tuple[AgentSpec, ...],
        brains: dict[str, TreeFile],
        leaves: Registry | None = None,
        source: str = "",
        document: Document | None = None,
        rules: RulePack | None = None,
        crews: dict[str, TreeFile] | None = None,
        crew_leaves: Registry | None = None,
        queries: dict[str, Query] | None = None,
        layers: dict[str, LayerSpec] | None = None,
    ):
        self.scenario = scenario
        self.level = level
        self.agents = agents
        self.brains = brains
        self.leaves = brain_leaves() if leaves is None else leaves
        self.source = source or scenario.name or "scenario"
        self.document = document
        self.rules = rules
        self.crews = crews or {}
        self.crew_leaves = crew_leaves
        self.queries = queries or {}
        self.layers = layers or {}


def read_scenario(
    path: str | os.PathLike[str],
    *,
    leaves: Registry | None = None,
    within: Path | None = None,
    crew_leaves: Registry | None = None,
    rules: str | None = None,
) -> Setting:
    """Return the setting described by a .yaml, .json or .toml file; trees may use `leaves`, by default those of brains.

    Trees of crews may use `crew_leaves` (see `leaves_with`), by default the shipped ones. With the folder `within`, the
    scenario cannot name files outside it, for untrusted files. `rules` replace those that the scenario names.

    Raises
    ------
    ScenarioError
        With every fault: file, line, name, what is allowed.
    """
    try:
        document = read(path)
    except TextFileError as error:
        raise ScenarioError(error.source, [syntax_fault(error)]) from None
    return _checked(document, Path(path).parent, leaves=leaves, within=within, crew_leaves=crew_leaves, rules=rules)


def parse_scenario(
    text: str,
    form: str = "yaml",
    *,
    source: str = "scenario",
    folder: str | Path = ".",
    leaves: Registry | None = None,
    crew_leaves: Registry | None = None,
    rules: str | None = None,
) -> Setting:
    """Return the setting described by a text; file names are relative to `folder`. See `read_scenario`."""
    try:
        document = parse(text, form, source=source)
    except TextFileError as error:
        raise ScenarioError(error.source, [syntax_fault(error)]) from None
    place = Path(file_path(folder, "folder"))
    return _checked(document, place, leaves=leaves, crew_leaves=crew_leaves, rules=rules)


def setting_of(
    scenario: Scenario,
    *,
    folder: str | Path = ".",
    level: Level | None = None,
    leaves: Registry | None = None,
    within: Path | None = None,
    crew_leaves: Registry | None = None,
) -> Setting:
    """Return the setting of a scenario created in code, optionally with another level. See `read_scenario`."""
    scenario = instance_of(scenario, Scenario, "scenario", "give Scenario(level, …), or read one with read_scenario")
    if level is not None:
        level = expect(level, Level, "level")
    try:
        # Structs are validated only when they are decoded, so encode one created in code.
        built = msgspec.to_builtins(scenario)
    except TypeError as error:
        raise ScenarioError("scenario", [Fault(str(error), "give numbers, text and lists")]) from None
    plain = {key: list(value) if isinstance(value, tuple) else value for key, value in built.items()}
    source = scenario.name if isinstance(scenario.name, str) and scenario.name else "scenario"
    place = Path(file_path(folder, "folder"))
    return _checked(Document(source, plain, {}), place, level, leaves, within, crew_leaves)


def scenario_faults(
    value: Any, *, folder: Path, within: Path | None = None, check: Callable[[Setting], object] | None = None
) -> tuple[Fault, ...]:
    """Return the faults of a scenario given as plain values, each with a `PathLabel`; see `read_scenario`.

    `check` is called with a setting without faults, and may raise ScenarioError with more.
    """
    try:
        setting = _checked(Document("scenario", value, {}), folder, within=within)
        if check is not None:
            check(setting)
    except ScenarioError as error:
        return error.faults
    return ()


def _checked(
    document: Document,
    folder: Path,
    level: Level | None = None,
    leaves: Registry | None = None,
    within: Path | None = None,
    crew_leaves: Registry | None = None,
    rules: str | None = None,
) -> Setting:
    if crew_leaves is not None:
        crew_leaves = instance_of(crew_leaves, Registry, "crew_leaves", "give leaves_with(words), or None")
    if leaves is not None:
        leaves = instance_of(leaves, Registry, "leaves", "give a Registry (include brain_leaves() in it), or None")
    faults = Faults(document)
    scenario, agents, script = read_entries(document, faults)
    if rules is not None and scenario is not None:
        scenario = msgspec.structs.replace(scenario, rules=file_path(rules, "rules"))
    files = NamedFiles(faults, folder, None if within is None else Path(file_path(within, "within")))
    check = NameCheck(faults, files, brain_leaves() if leaves is None else leaves)
    place = check.level(scenario.level) if level is None and scenario is not None else level
    if level is None and place is not None and scenario is not None and scenario.guards:
        place = check.guards(scenario.guards, place)
    if place is not None and scenario is not None:
        place = check.traps(scenario, check.patrols(scenario, place))
    if isinstance(document.value, dict) and not document.value.get("agents") and place is not None:
        agents = check.spawned(place)
    check.agents(agents, place, sides_of(scenario) if scenario is not None else TEAMS)
    brains = check.brains(agents)
    layers = dict(scenario.layers) if scenario is not None else {}
    queries = check.queries(agents, brains, place, layers)
    pack = check.rules(scenario) if scenario is not None else None
    if pack is not None or (scenario is not None and scenario.rules == "none"):
        check.groups(agents, pack)
    rows = ScriptCheck(faults, scenario, place, agents, pack)
    rows.check(script)
    crews: dict[str, TreeFile] = {}
    if scenario is not None:
        crew_check = CrewCheck(faults, files, check.leaves, crew_leaves)
        crews = crew_check.trees(scenario, agents, brains, script, place, pack)
        check.models(scenario, agents)
        check.teams(scenario, script)
        check.keys(script, agents, brains)
        check.surroundings(scenario, place, agents, brains)
        check_scenes(faults, scenario, script, place, rows)
        check_level_states(faults, scenario, place, agents, script)
    if faults.found:
        raise ScenarioError(document.source, faults.found)
    assert place is not None
    assert scenario is not None
    specs = tuple(agents.values())
    scenario = msgspec.structs.replace(
        scenario, agents=specs if document.value.get("agents") else (), script=tuple(script.values())
    )
    own = (scenario, place, specs, brains, check.leaves, document.source, document)
    return Setting(*own, pack, crews, crew_leaves, queries, layers)


_FILES = Shipped("shipped scenario", "lastseen.simulation", "scenarios")


def shipped_scenarios() -> tuple[str, ...]:
    """Return the names of the shipped scenarios."""
    return _FILES.names


def scenario_text(name: str) -> str:
    """Return the file of a shipped scenario, to copy and change."""
    return _FILES.text(name)


def about_scenario(name: str) -> str:
    """Return a one-sentence description of a shipped scenario: the first line of its file."""
    return scenario_text(name).partition("\n")[0].removeprefix("#").strip()


def shipped_scenario(name: str) -> Setting:
    """Return the setting of a shipped scenario."""
    return parse_scenario(scenario_text(name), source=f"{name}.yaml")
