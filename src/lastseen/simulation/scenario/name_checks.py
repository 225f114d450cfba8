"""Checks that all names of a scenario are known: levels, brains, agents, doors, sounds, models."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from ...agents.behaviour.files.build import build_tree
from ...agents.behaviour.files.definition import TreeFile, TreeFileError
from ...agents.behaviour.files.read import read_trees
from ...agents.behaviour.registry import Registry
from ...agents.brains.leaves.layers import LAYERS, layers_in
from ...agents.brains.leaves.places import is_file, queries_in, query_faults
from ...agents.brains.leaves.registry import BLACKBOARD
from ...agents.brains.relations import ATTITUDES, TEAMS
from ...agents.brains.shipped_brains import BRAINS, PLACE_QUERIES, PUPPET, place_query, shipped_brain
from ...agents.rules.engine.pack import RulePack, open_rules
from ...agents.rules.shipped_rules import SHIPPED_RULES, shipped_rules
from ...agents.senses.attention.reaction import REACTIONS
from ...agents.senses.hearing.sounds import SOUNDS
from ...agents.senses.vision.vision import VISIONS
from ...errors import InputError, LevelError, RuleError, did_you_mean
from ...level.features import Patrol, PatrolStop, Trap
from ...level.level import Level
from ...level.read import read_level
from ...level.samples import SAMPLES, sample
from ...reasoning.chase.chase_spec import chase_spec
from ...reasoning.locations.criteria import LayerValue
from ...reasoning.locations.query import Query, read_query
from ...reasoning.placement.files.level_guards import guarded_level
from ...reasoning.search.search_spec import SearchSpec, search_spec
from ...textforms import Path
from ..world.speech_setup import checked_speech
from ..world.weather import WEATHERS
from .faults import Faults, NamedFiles
from .object_checks import ObjectCheck, object_place
from .scenario import AgentSpec, Incident, LayerSpec, Scenario, sides_of, team_of


class NameCheck:
    """Check every name; add unknown ones to `faults`.

    Agents and incidents are given by their number in the file; unreadable ones are missing.
    """

    def __init__(self, faults: Faults, files: NamedFiles, leaves: Registry):
        self.faults, self.files, self.leaves = faults, files, leaves

    def level(self, name: str) -> Level | None:
        """Return the level with this name, or None if it is unavailable."""
        if name in SAMPLES:
            return sample(name)
        if not self.files.allows(("level",), name):
            return None
        if not self.files.exists(name):
            hint = did_you_mean(name, SAMPLES)
            self.faults.add(("level",), f"no level {name!r}{hint}", f"name a file, or a sample: {', '.join(SAMPLES)}")
            return None
        try:
            return read_level(self.files.place(name))
        except LevelError as error:
            self.faults.add(("level",), f"the level cannot be read: {error}", "fix it: lastseen level check")
            return None

    def guards(self, name: str, level: Level) -> Level | None:
        """Return the level with the guards of a file, or None if they are unavailable or do not fit."""
        if not self.files.allows(("guards",), name):
            return None
        try:
            return guarded_level(level, self.files.place(name))
        except InputError as error:
            what, _, advice = str(error).rpartition("; ")
            self.faults.add(("guards",), what or advice, advice if what else "give a file of lastseen guards place")
            return None

    def patrols(self, scenario: Scenario, level: Level) -> Level:
        """Return the level with the patrols of the scenario besides its own."""
        known = {patrol.name for patrol in level.patrols}
        for name in scenario.patrols:
            if not name or name in known:
                what = "the name of a patrol is empty" if not name else f"the level has a patrol {name!r} already"
                self.faults.add(("patrols", name), what, "choose another name")
        at = {one.name: place for one in scenario.objects if (place := object_place(one, level)) is not None}
        for name, points in scenario.patrols.items():
            for number, point in enumerate(points):
                if isinstance(point, str) and point not in at:
                    self.faults.unknown(("patrols", name, number), "object", point, at)
        made = [
            Patrol(tuple(_stop(point, at) for point in points if not isinstance(point, str) or point in at), name)
            for name, points in scenario.patrols.items()
        ]
        return replace(level, patrols=(*level.patrols, *made)) if scenario.patrols else level

    def traps(self, scenario: Scenario, level: Level) -> Level:
        """Return the level with the traps of the scenario besides its own; check places, teams and sounds of all."""
        teams, markers = ("", *sides_of(scenario)), {marker.name: marker.xyz for marker in level.markers if marker.name}
        for trap in level.traps:
            for field, names in (("team", teams), ("sound", SOUNDS)):
                if (given := getattr(trap, field)) not in names:
                    what = f"trap of the level with the {field}"
                    self.faults.unknown(("level",), what, given, names)
        made = []
        for number, spec in enumerate(scenario.traps):
            path = ("traps", number)
            if bool(spec.marker) == (spec.place is not None):
                self.faults.add(path, "a trap is at one place", "give either `place: [x, y]` or `marker: NAME`")
            if spec.seconds is not None and spec.effect != "snare":
                what = f"a trap with the effect {spec.effect} has no 'seconds'"
                self.faults.add((*path, "seconds"), what, "remove it, or choose the effect snare")
            for field, known in (("marker", ("", *markers)), ("team", teams), ("sound", SOUNDS)):
                if (given := getattr(spec, field)) not in known:
                    self.faults.unknown((*path, field), field, given, list(filter(None, known)))
            place: Sequence[float] = markers.get(spec.marker, (0.0, 0.0)) if spec.place is None else spec.place
            x, y, z = (*place, 0.0)[:3]
            seconds = Trap.seconds if spec.seconds is None else spec.seconds
            made.append(Trap((x, y, z), spec.marker, spec.team, spec.radius, spec.effect, seconds, spec.sound))
        return replace(level, traps=(*level.traps, *made)) if made else level

    def spawned(self, level: Level) -> dict[int, AgentSpec]:
        """Return all agents that the level spawns."""
        found = dict(enumerate(spawned_agents(level)))
        if not found:
            self.faults.add(("agents",), "the level spawns no agents", "list agents in the scenario")
        return found

    def agents(self, agents: Mapping[int, AgentSpec], level: Level | None, teams: Collection[str]) -> None:
        """Check names, teams, places and models of agents, and their places only if the level is known."""
        met: set[str] = set()
        for number, spec in agents.items():
            path = ("agents", number)
            if not spec.name or spec.name in met:
                what = f"there already is an agent {spec.name!r}" if spec.name else "its name is empty"
                self.faults.add((*path, "name"), what, "give each a unique name")
            met.add(spec.name)
            if level is not None:
                self._on_level(number, spec, level)
            if spec.summoned_by and spec.summoned_by not in [one.name for one in agents.values() if one is not spec]:
                others = [one.name for one in agents.values() if one is not spec]
                self.faults.unknown((*path, "summoned_by"), "other agent", spec.summoned_by, others)
            elif spec.name in _summoners(spec, agents.values()):
                what = f"{spec.name!r} waits to be summoned by an agent that waits for it"
                self.faults.add((*path, "summoned_by"), what, "leave it out for one of them")
            for field, known in (("team", teams), ("reaction", REACTIONS), ("vision", VISIONS)):
                given = getattr(spec, field)
                if given is not None and given not in known:
                    self.faults.unknown((*path, field), field, given, known)

    def teams(self, scenario: Scenario, script: Mapping[int, Incident]) -> None:
        """Check that attitudes and their changes name two different teams."""
        known = sides_of(scenario)
        for name, spec in scenario.teams.items():
            if name in TEAMS and spec.side not in (None, name):
                self.faults.add(("teams", name, "side"), f"{name} are always on the side {name}", "leave it out")
            elif spec.side is not None and spec.side not in TEAMS:
                self.faults.unknown(("teams", name, "side"), "side", spec.side, TEAMS)
            for other, attitude in spec.attitudes.items():
                self._other_team(("teams", name, "attitudes", other), name, other, known)
                if attitude not in ATTITUDES:
                    self.faults.unknown(("teams", name, "attitudes", other), "attitude", attitude, ATTITUDES)
        for number, incident in script.items():
            if incident.team and incident.team not in known:
                self.faults.unknown(("script", number, "team"), "team", incident.team, known)
            if incident.toward:
                self._other_team(("script", number, "toward"), incident.team, incident.toward, known)
            if incident.do == "attitude" and incident.value not in (None, *ATTITUDES):
                self.faults.unknown(("script", number, "value"), "attitude", str(incident.value), ATTITUDES)

    def _other_team(self, path: tuple[str | int, ...], team: str, other: str, known: Collection[str]) -> None:
        if other not in known:
            self.faults.unknown(path, "team", other, known)
        elif other == team:
            self.faults.add(path, f"{team} cannot have an attitude to themselves", "name another team")

    def _on_level(self, number: int, spec: AgentSpec, level: Level) -> None:
        path = ("agents", number)
        spawns = [spawn.name or spawn.who for spawn in level.spawns]
        if spec.at is None and (*path, "at") not in self.faults.ill and spec.name not in spawns:
            advice = f"give `at: [x, y]`, or name a spawn: {', '.join(spawns)}"
            self.faults.add(path, f"{spec.name!r} has no place", advice)
        patrols = [patrol.name for patrol in level.patrols]
        if spec.patrol and spec.patrol not in patrols:
            self.faults.unknown((*path, "patrol"), "patrol", spec.patrol, patrols)

    def brains(self, agents: Mapping[int, AgentSpec]) -> dict[str, TreeFile]:
        """Return the trees of all brains, by the name used by agents; check the keys of their settings."""
        found: dict[str, TreeFile] = {}
        for number, spec in agents.items():
            path = ("agents", number, "brain")
            if spec.brain == PUPPET or spec.brain in found:
                continue
            try:
                if spec.brain in BRAINS:
                    found[spec.brain] = shipped_brain(spec.brain)
                elif not self.files.allows(path, spec.brain):
                    continue
                elif self.files.exists(spec.brain):
                    found[spec.brain] = read_trees(self.files.place(spec.brain))
                    build_tree(found[spec.brain], self.leaves)
                else:
                    self.faults.unknown(path, "brain or tree file", spec.brain, (*BRAINS, PUPPET))
            except TreeFileError as error:
                self.faults.add(path, str(error), "fix the tree: lastseen tree check")
        for number, spec in agents.items():
            known = {*BLACKBOARD, *(found[spec.brain].keys if spec.brain in found else ())}
            for key in spec.settings:
                if key not in known and spec.brain in found:
                    self.faults.unknown(("agents", number, "settings", key), "key", key, sorted(known))
        return found

    def keys(
        self, script: Mapping[int, Incident], agents: Mapping[int, AgentSpec], brains: Mapping[str, TreeFile]
    ) -> None:
        """Check that rows of a script set keys that the brain of their agent has."""
        brain_of = {spec.name: spec.brain for spec in agents.values()}
        for number, row in script.items():
            brain = brain_of.get(row.agent, "") if row.do == "set" and row.key else ""
            path = ("script", number, "key")
            if brain == PUPPET:
                self.faults.add(path, f"{row.agent!r} is a puppet, which has no keys", "set a fact, or remove the row")
            elif brain in brains and row.key not in (known := {*BLACKBOARD, *brains[brain].keys}):
                self.faults.unknown(path, "key", row.key, sorted(known))

    def queries(
        self,
        agents: Mapping[int, AgentSpec],
        brains: Mapping[str, TreeFile],
        level: Level | None,
        layers: dict[str, LayerSpec],
    ) -> dict[str, Query]:
        """Return the files of place queries that brains name; check what queries and trees name.

        Layers they name are added to `layers`, which are those of the scenario.
        """
        found: dict[str, Query] = {}
        known = {**LAYERS, **layers}
        self._sums(layers)
        users = {spec.brain: number for number, spec in reversed(tuple(agents.items()))}
        for brain, tree in brains.items():
            path = ("agents", users[brain], "brain")
            for name, source, line in queries_in(tree):
                where = f"{source}:{line}: choose_place"
                try:
                    if not is_file(name):
                        if name not in PLACE_QUERIES:
                            continue  # the leaf says so, with the line of the tree
                        query = place_query(name)
                    elif not self.files.allows(path, name):
                        continue
                    else:
                        query = found[name] = read_query(self.files.place(name))
                except InputError as error:
                    self.faults.add(path, f"{where}: {error}", "fix the query: lastseen locate --schema")
                    continue
                for fault in () if level is None else query_faults(query, level, known):
                    what, _, advice = fault.rpartition("; ")
                    self.faults.add(path, f"{where}: {name}: {what}", advice)
                for one in query.criteria:
                    if isinstance(one, LayerValue):
                        layers.setdefault(one.layer, LayerSpec())
            for name, source, line in layers_in(tree):
                layers.setdefault(name, LayerSpec())
                if name not in known:
                    hint, there = did_you_mean(name, known), ", ".join(known)
                    self.faults.add(path, f"{source}:{line}: no layer {name!r}{hint}", f"there are {there}")
        return found

    def _sums(self, layers: dict[str, LayerSpec]) -> None:
        """Check the layers of the scenario, and add those that sums are made of."""
        for name, spec in list(layers.items()):
            if not spec.sum and name not in LAYERS:
                self.faults.unknown(("layers", name), "layer", name, LAYERS)
            elif spec.sum and name in LAYERS:
                self.faults.add(("layers", name), f"{name!r} is a layer already", "give the sum another name")
            for part in spec.sum:
                if part not in LAYERS:
                    self.faults.unknown(("layers", name, "sum", part), "layer", part, LAYERS)
                layers.setdefault(part, LayerSpec())

    def surroundings(
        self,
        scenario: Scenario,
        level: Level | None,
        agents: Mapping[int, AgentSpec],
        brains: Mapping[str, TreeFile],
    ) -> None:
        """Check traps, objects, lit zones and the player's agent, and that there is territory to guard."""
        zones = [zone.name for zone in level.zones] if level is not None else []
        objects = ObjectCheck(self.faults, scenario, level, agents)
        objects.check()
        objects.trees(brains)
        if scenario.territory and level is not None and not {"restricted", "safe"} & {one.kind for one in level.zones}:
            advice = "draw zones of the kind restricted or safe, or leave it out"
            self.faults.add(("territory",), "the level has no restricted or safe zone", advice)
        self._swarms(scenario, level)
        for name in scenario.lights if level is not None else ():
            if name not in zones:
                self.faults.unknown(("lights", name), "zone", name, zones)
        if scenario.player is not None:
            sides = sides_of(scenario)
            known = [spec.name for spec in agents.values() if sides.get(team_of(spec)) == "intruders"]
            if scenario.player.agent not in known:
                self.faults.unknown(("player", "agent"), "intruder", scenario.player.agent, known)

    def _swarms(self, scenario: Scenario, level: Level | None) -> None:
        """Check the names of swarms, their places and the teams they leave alone."""
        met: set[str] = set()
        markers = [] if level is None else [marker.name for marker in level.markers if marker.name]
        for number, spec in enumerate(scenario.swarms):
            path = ("swarms", number)
            if not spec.name or spec.name in met:
                what = f"there already is a swarm {spec.name!r}" if spec.name else "its name is empty"
                self.faults.add((*path, "name"), what, "give each a unique name")
            met.add(spec.name)
            if bool(spec.marker) == (spec.place is not None) and (*path, "place") not in self.faults.ill:
                self.faults.add(path, "a nest is at one place", "give either `place: [x, y]` or `marker: NAME`")
            if spec.marker and level is not None and spec.marker not in markers:
                self.faults.unknown((*path, "marker"), "marker", spec.marker, markers)
            if spec.team and spec.team not in sides_of(scenario):
                self.faults.unknown((*path, "team"), "team", spec.team, sides_of(scenario))

    def rules(self, scenario: Scenario) -> RulePack | None:
        """Return the rules named by a scenario, or None if it has none or they are unavailable."""
        if scenario.rules == "none":
            return None
        try:
            if scenario.rules in SHIPPED_RULES:
                found = shipped_rules(scenario.rules)
            elif not self.files.allows(("rules",), scenario.rules):
                return None
            elif self.files.exists(scenario.rules):
                found = open_rules(self.files.place(scenario.rules))
            else:
                known = (*SHIPPED_RULES, "none")
                self.faults.unknown(("rules",), "shipped rules, file or folder of rules", scenario.rules, known)
                return None
            checked_speech(found.database())
        except RuleError as error:
            self.faults.add(("rules",), f"the rules cannot be used: {error}", "fix them: lastseen rules check")
            return None
        return found

    def groups(self, agents: Mapping[int, AgentSpec], rules: RulePack | None) -> None:
        """Check that there are rules for the groups of agents."""
        known = {name.partition(".")[0] for name in rules.database().handlers} if rules is not None else set()
        for number, spec in agents.items():
            for group in spec.rules:
                if group not in known:
                    self.faults.unknown(("agents", number, "rules"), "group of rules", group, sorted(known))

    def models(self, scenario: Scenario, agents: Mapping[int, AgentSpec]) -> None:
        """Check the names of models and presets, and the settings of predictors and searches."""
        for field, known in (("vision", VISIONS), ("reaction", REACTIONS), ("weather", WEATHERS)):
            if (value := getattr(scenario, field)) not in known:
                self.faults.unknown((field,), field, value, known)
        own: dict[Path, str] = {
            ("agents", number, "chase"): spec.chase for number, spec in agents.items() if spec.chase is not None
        }
        teams = {} if isinstance(scenario.chase, str) else scenario.chase
        given: dict[Path, str] = {("chase", team): text for team, text in teams.items()}
        for team in teams:
            if team not in sides_of(scenario):
                self.faults.unknown(("chase", team), "team", team, sides_of(scenario))
        if isinstance(scenario.chase, str):
            given["chase",] = scenario.chase
        for path, text in (given | own).items():
            self._read(path, chase_spec, text)
        for path in given | own:
            self._idle_predictor(path, agents)
        search = self._read(("search",), search_spec, scenario.search)
        for number, spec in agents.items():
            if spec.search is not None and isinstance(search, SearchSpec):
                self._read(("agents", number, "search"), search.scoring_of, spec.search)

    def _idle_predictor(self, path: Path, agents: Mapping[int, AgentSpec]) -> None:
        """Refuse a predictor of one agent or one team if no tree of theirs ever asks it."""
        if path[0] == "agents":
            users = [spec for number, spec in agents.items() if number == path[1]]
        else:
            users = [spec for spec in agents.values() if path[1:] == (team_of(spec),)]
        brains = list(dict.fromkeys(spec.brain for spec in users))
        if brains and all(brain == PUPPET or (brain in BRAINS and not _predicts(brain)) for brain in brains):
            what = f"the brain {' and '.join(map(repr, brains))} predicts nothing"
            self.faults.add(path, what, "remove it, or choose a brain with `predict`, such as guard")

    def _read(self, path: Path, reads: Callable[[str], object], text: str) -> object | None:
        """Return what a text means, or None if it is wrong."""
        try:
            return reads(text)
        except InputError as error:
            what, _, advice = str(error).rpartition("; ")
            self.faults.add(path, what or advice, advice)
            return None


def _predicts(brain: str) -> bool:
    """Return whether a shipped brain, or a crew that its agents may join, asks a predictor."""
    return BRAINS[brain] != "intruders" or any(node.kind == "predict" for node, _ in shipped_brain(brain).nodes())


def _stop(point: Sequence[float] | str, objects: Mapping[str, Sequence[float]]) -> PatrolStop:
    x, y, z = (*(objects[point] if isinstance(point, str) else point), 0.0)[:3]
    return PatrolStop((x, y, z), "use", object=point) if isinstance(point, str) else PatrolStop((x, y, z))


def _summoners(spec: AgentSpec, agents: Collection[AgentSpec]) -> list[str]:
    """Return the agent that summons another, the one that summons that, and so on, each once."""
    by = {one.name: one.summoned_by for one in agents}
    found: list[str] = []
    name = spec.summoned_by
    while name and name not in found:
        found.append(name)
        name = by.get(name, "")
    return found


def spawned_agents(level: Level) -> Iterator[AgentSpec]:
    """Yield all agents that the level spawns: guards, civilians, and runners for everything else."""
    for number, spawn in enumerate(level.spawns):
        brain = spawn.who if spawn.who in ("guard", "civilian") else "runner"
        name = spawn.name or f"{spawn.who} {number + 1}"
        traits = {key: getattr(spawn, key) for key in ("speed", "turn_speed", "view_angle", "view_distance")}
        yield AgentSpec(name, brain, spawn.xyz, spawn.heading, spawn.patrol or None, **traits)
