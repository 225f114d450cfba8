"""Read a scenario file and check that everything it names is there, before anything runs."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from ...agents.behaviour.build import build_tree
from ...agents.behaviour.definition import TreeFile, TreeFileError
from ...agents.behaviour.read import read_trees
from ...agents.behaviour.registry import Registry
from ...agents.brains.leaves.registry import BLACKBOARD, brain_leaves
from ...agents.brains.ready import BRAINS, PUPPET, ready_brain
from ...agents.brains.surroundings import TEAMS
from ...agents.perception.reaction import REACTIONS
from ...agents.perception.sounds import SOUNDS
from ...agents.perception.vision import VISIONS
from ...checks import file_path, thing_of
from ...errors import Fault, LevelError, ScenarioError, did_you_mean
from ...level.level import Level
from ...level.read import read_level
from ...level.samples import SAMPLES, sample
from ...reasoning.chase.settings import PRESETS as CHASES
from ...reasoning.search.settings import PRESETS
from ...textfile import Document, TextFileError, convert, parse, read
from .scenario import AgentSpec, Incident, Scenario

__all__ = ["Setting", "parse_scenario", "read_scenario", "setting_of"]

PREDICTORS = (*CHASES, "last position", "dead reckoning")
SEARCHES = (*PRESETS, "coordinator", "both")
_NAMES = {"vision": VISIONS, "chase": PREDICTORS, "search": SEARCHES, "reaction": REACTIONS}
_NEEDS = {
    "sound": ("place", "kind"),
    "alarm": ("place",),
    "open door": ("door",),
    "close door": ("door",),
    "fell": ("agent",),
    "remove": ("agent",),
    "place": ("agent", "place"),
    "set": ("agent", "key", "value"),
}


class Setting:
    """A scenario whose names are all known: with its level, its agents, their trees and the leaves these may use.

    `source` and `lines` say where it is written: the file, and the line of each agent (0: none).
    """

    def __init__(
        self,
        scenario: Scenario,
        level: Level,
        agents: tuple[AgentSpec, ...],
        brains: dict[str, TreeFile],
        leaves: Registry | None = None,
        source: str = "",
        lines: tuple[int, ...] = (),
    ):
        self.scenario = scenario
        self.level = level
        self.agents = agents
        self.brains = brains
        self.leaves = brain_leaves() if leaves is None else leaves
        self.source = source or scenario.name or "scenario"
        self.lines = lines or (0,) * len(agents)


def read_scenario(path: str | os.PathLike[str], *, leaves: Registry | None = None) -> Setting:
    """Return the setting a .yaml, .json or .toml file describes; its trees may use `leaves`, else those of the brains.

    Raises
    ------
    ScenarioError
        With every fault: file, line, name, what is allowed.
    """
    try:
        document = read(path)
        scenario = convert(document, Scenario)
    except TextFileError as error:
        raise _syntax(error) from None
    return _checked(scenario, document, Path(path).parent, leaves=leaves)


def parse_scenario(
    text: str,
    form: str = "yaml",
    *,
    source: str = "scenario",
    folder: str | Path = ".",
    leaves: Registry | None = None,
) -> Setting:
    """Return the setting a text describes; files it names are seen from `folder`. See `read_scenario`."""
    try:
        document = parse(text, form, source=source)
        scenario = convert(document, Scenario)
    except TextFileError as error:
        raise _syntax(error) from None
    return _checked(scenario, document, Path(file_path(folder, "folder")), leaves=leaves)


def setting_of(
    scenario: Scenario, *, folder: str | Path = ".", level: Level | None = None, leaves: Registry | None = None
) -> Setting:
    """Return the setting of a scenario made in code; `level` in place of the one it names. See `read_scenario`."""
    scenario = thing_of(scenario, Scenario, "scenario", "give Scenario(level, …), or read one with read_scenario")
    if level is not None:
        level = thing_of(level, Level, "level", "give a Level, or None")
    try:
        # What is made in code was not checked yet: structs are, when they are read.
        document = Document("scenario", msgspec.to_builtins(scenario), {})
        scenario = convert(document, Scenario)
    except TypeError as error:
        raise ScenarioError("scenario", [Fault(str(error), "give numbers, text and lists")]) from None
    except TextFileError as error:
        raise _syntax(TextFileError(error.source, 0, error.what)) from None
    document = Document(scenario.name or "scenario", {}, {})
    return _checked(scenario, document, Path(file_path(folder, "folder")), level, leaves)


def _syntax(error: TextFileError) -> ScenarioError:
    where = f"line {error.line}" if error.line else ""
    what, _, advice = error.what.rpartition("; ")
    return ScenarioError(error.source, [Fault(what or advice, advice if what else "mend it", where)])


def _checked(
    scenario: Scenario, document: Document, folder: Path, level: Level | None = None, leaves: Registry | None = None
) -> Setting:
    if leaves is not None:
        leaves = thing_of(leaves, Registry, "leaves", "give a Registry (include brain_leaves() in it), or None")
    check = _Check(scenario, document, folder, brain_leaves() if leaves is None else leaves)
    place = check.level() if level is None else level
    agents = check.agents(place) if place is not None else ()
    brains = check.brains(agents)
    if place is not None:
        check.script(place, agents)
    check.names()
    if check.faults:
        raise ScenarioError(document.source, check.faults)
    assert place is not None
    lines = tuple(document.line(("agents", number)) if document.lines else 0 for number in range(len(agents)))
    return Setting(scenario, place, agents, brains, check.leaves, document.source, lines)


class _Check:
    """Collects every fault of a scenario instead of stopping at the first."""

    def __init__(self, scenario: Scenario, document: Document, folder: Path, leaves: Registry):
        self.scenario, self.document, self.folder, self.leaves = scenario, document, folder, leaves
        self.faults: list[Fault] = []

    def fault(self, path: tuple[str | int, ...], what: str, advice: str) -> None:
        line = self.document.line(path) if self.document.lines else 0
        name = "".join(f"[{step + 1}]" if isinstance(step, int) else f".{step}" for step in path).lstrip(".")
        self.faults.append(Fault(what, advice, f"line {line} ({name})" if line else name))

    def unknown(self, path: tuple[str | int, ...], what: str, given: str, known: Any) -> None:
        names = list(known)
        self.fault(path, f"no {what} {given!r}{did_you_mean(given, names)}", f"there are {', '.join(names) or 'none'}")

    def level(self) -> Level | None:
        name = self.scenario.level
        if name in SAMPLES:
            return sample(name)
        path = self.folder / name
        if not path.exists():
            hint = did_you_mean(name, SAMPLES)
            self.fault(("level",), f"no level {name!r}{hint}", f"name a file, or a sample: {', '.join(SAMPLES)}")
            return None
        try:
            return read_level(path)
        except LevelError as error:
            self.fault(("level",), f"the level cannot be read: {error}", "mend it: lastseen level check")
            return None

    def agents(self, level: Level) -> tuple[AgentSpec, ...]:
        given = self.scenario.agents
        if not given:
            given = tuple(_spawned(level))
            if not given:
                self.fault(("agents",), "the level spawns nobody", "list agents in the scenario")
        spawns = {spawn.name or spawn.who: spawn for spawn in level.spawns}
        found: set[str] = set()
        for number, spec in enumerate(given):
            path = ("agents", number)
            if not spec.name or spec.name in found:
                self.fault((*path, "name"), f"there is an agent {spec.name!r} already", "give each a name of its own")
            found.add(spec.name)
            if spec.at is None and spec.name not in spawns:
                self.fault(
                    path, f"{spec.name!r} has no place", f"give `at: [x, y]`, or name a spawn: {', '.join(spawns)}"
                )
            patrols = [patrol.name for patrol in level.patrols]
            if spec.patrol and spec.patrol not in patrols:
                self.unknown((*path, "patrol"), "patrol", spec.patrol, patrols)
            if spec.team is not None and spec.team not in TEAMS:
                self.unknown((*path, "team"), "team", spec.team, TEAMS)
            if spec.vision is not None and spec.vision not in VISIONS:
                self.unknown((*path, "vision"), "vision", spec.vision, VISIONS)
        return given

    def brains(self, agents: tuple[AgentSpec, ...]) -> dict[str, TreeFile]:
        found: dict[str, TreeFile] = {}
        for number, spec in enumerate(agents):
            if spec.brain == PUPPET or spec.brain in found:
                continue
            try:
                if spec.brain in BRAINS:
                    found[spec.brain] = ready_brain(spec.brain)
                elif (self.folder / spec.brain).exists():
                    found[spec.brain] = read_trees(self.folder / spec.brain)
                    build_tree(found[spec.brain], self.leaves)
                else:
                    self.unknown(("agents", number, "brain"), "brain or tree file", spec.brain, (*BRAINS, PUPPET))
            except TreeFileError as error:
                self.fault(("agents", number, "brain"), str(error), "mend the tree: lastseen tree check")
        for number, spec in enumerate(agents):
            known = {*BLACKBOARD, *(found[spec.brain].keys if spec.brain in found else ())}
            for key in spec.settings:
                if key not in known and spec.brain in found:
                    self.unknown(("agents", number, "settings", key), "key", key, sorted(known))
        return found

    def script(self, level: Level, agents: tuple[AgentSpec, ...]) -> None:
        doors, names = [door.name for door in level.doors], [spec.name for spec in agents]
        for number, incident in enumerate(self.scenario.script):
            path = ("script", number)
            for field in _NEEDS[incident.do]:
                if getattr(incident, field) in ("", None):
                    self.fault(path, f"{incident.do!r} needs {field!r}", f"add `{field}: …`")
            self._names_of(incident, path, doors, names)

    def _names_of(self, incident: Incident, path: tuple[str | int, ...], doors: list[str], names: list[str]) -> None:
        if incident.door and incident.door not in doors:
            self.unknown((*path, "door"), "door", incident.door, doors)
        if incident.agent and incident.agent not in names:
            self.unknown((*path, "agent"), "agent", incident.agent, names)
        if incident.kind and incident.kind not in SOUNDS:
            self.unknown((*path, "kind"), "sound", incident.kind, SOUNDS)

    def names(self) -> None:
        for field, known in _NAMES.items():
            if getattr(self.scenario, field) not in known:
                self.unknown((field,), field, getattr(self.scenario, field), known)


def _spawned(level: Level) -> Iterator[AgentSpec]:
    """Everybody the level spawns: guards think as guards, civilians as civilians, whoever else is a runner."""
    for number, spawn in enumerate(level.spawns):
        brain = spawn.who if spawn.who in ("guard", "civilian") else "runner"
        name = spawn.name or f"{spawn.who} {number + 1}"
        traits = {key: getattr(spawn, key) for key in ("speed", "turn_speed", "view_angle", "view_distance")}
        yield AgentSpec(name, brain, spawn.xyz, spawn.heading, spawn.patrol or None, **traits)
