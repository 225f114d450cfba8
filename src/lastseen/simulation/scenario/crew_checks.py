"""Checks of a scenario's crews: every objective is requested, every role can be filled, every notice is read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from itertools import pairwise

from ...agents.behaviour.files.build import build_tree
from ...agents.behaviour.files.definition import TreeFile, TreeFileError
from ...agents.behaviour.files.read import read_trees
from ...agents.behaviour.registry import Registry
from ...agents.behaviour.tree import Tree
from ...agents.brains.leaves.registry import brain_leaves
from ...agents.brains.leaves.teamwork import obeyed_keys
from ...agents.brains.shipped_brains import BRAINS, PUPPET
from ...agents.crews.crew_trees import crew_leaves, crew_tree, requested_by, roles_of, shipped_crew_trees, shipped_crews
from ...agents.crews.roles.role import Role
from ...agents.crews.roles.vocabulary import Candidate, RoleWords
from ...agents.rules.engine.pack import RulePack
from ...errors import InputError, did_you_mean
from ...extensions import own_names
from ...level.level import Level
from ...reasoning.chase.chase_spec import chase_spec
from ...textforms import Path
from .crew_members import (
    candidates_of,
    crews_of,
    find_cycle,
    hopeless_requests,
    idle_requests,
    led_to,
    members_of,
    steps_of_members,
    steps_of_trees,
)
from .crew_roles import (
    Mention,
    can_take,
    known_names,
    mentions,
    notices_given,
    notices_read,
    off_the_level,
    unfillable,
    waiting,
    without_room,
)
from .faults import Faults, NamedFiles
from .scenario import AgentSpec, Incident, Scenario

SCENES = "talk"
"""Objective whose tree plays scenes."""


class CrewCheck:
    """Check whether crews can work in a scenario; add problems to `faults`."""

    def __init__(self, faults: Faults, files: NamedFiles, leaves: Registry, crew_leaves: Registry | None = None):
        self.faults, self.files, self.leaves, self.crew_leaves = faults, files, leaves, crew_leaves
        self.built: dict[str, Tree] = {}
        """Trees of crews by objective, if they can be built."""
        self.minds: dict[str, Tree] = {}
        """Trees of brains by name, if they can be built."""

    def trees(
        self,
        scenario: Scenario,
        agents: Mapping[int, AgentSpec],
        brains: Mapping[str, TreeFile],
        script: Mapping[int, Incident],
        level: Level | None = None,
        rules: RulePack | None = None,
    ) -> dict[str, TreeFile]:
        """Return the trees of crews by objective; of all shipped ones, only those that are requested."""
        given = scenario.crews
        if given is False:
            self._add(idle_requests(script))
            return {}
        trees = dict(shipped_crew_trees()) if given is True else self._named(given)
        trees |= dict.fromkeys(scenario.scenes, shipped_crew_trees()[SCENES])
        asked = self._asked(brains, script, set(trees) if isinstance(given, bool) else {*trees, *given})
        used = led_to(asked, trees)
        if given is not True:
            for objective in trees:
                if objective not in used and objective not in scenario.scenes:
                    advice = f"no brain or script requests it; they request {', '.join(sorted(asked)) or 'nothing'}"
                    self.faults.add(("crews", objective), f"objective {objective!r} is never requested", advice)
        found = {objective: trees[objective] for objective in trees if objective in used}
        own = {name for name in found if given is not True and given.get(name, SCENES) not in shipped_crews()}
        self._build(found, brains)
        candidates = candidates_of(scenario, agents)
        members = members_of(found, candidates, brains, script)
        self._cycles(trees, members, candidates, brains)
        unsure = self._unsure(agents, script)
        if unsure is not None:
            sure = {number: one for number, one in script.items() if one.objective not in unsure}
            self._add(hopeless_requests(found, candidates, brains, sure))
        for objective in [name for name in self.built if unsure is not None and name not in unsure]:
            having = [candidates[number] for number in sorted(members[objective])]
            self._directions(objective, found[objective], having)
            if objective in own:
                crews = crews_of(members[objective], candidates)
                self._of_roles(objective, found[objective], unfillable(self.built[objective], crews))
        for objective, tree in self.built.items():
            all_there = self._mentions(objective, found[objective], level, rules if objective in own else None)
            self._of_roles(objective, found[objective], waiting(tree))
            if objective in own and level is not None:
                self._of_roles(objective, found[objective], off_the_level(tree, level))
                self._of_roles(objective, found[objective], without_room(tree, level) if all_there else ())
        is_shipped = self.leaves is brain_leaves() and not own_names("leaves")
        if self.crew_leaves is None and is_shipped:  # Custom leaves may also read and write notices.
            self._notices(found, own, members, candidates, brains)
        return found

    def _add(self, found: Iterable[tuple[Path, str, str]]) -> None:
        for path, what, advice in found:
            self.faults.add(path, what, advice)

    def _unsure(self, agents: Mapping[int, AgentSpec], script: Mapping[int, Incident]) -> set[str] | None:
        """Return objectives whose members a script misnames; None if some agents are unreadable."""
        names = {spec.name for spec in agents.values()}
        if not set(self.faults.agent_names) <= names:
            return None
        return {incident.objective for incident in script.values() if not set(incident.agents) <= names}

    def _build(self, trees: Mapping[str, TreeFile], brains: Mapping[str, TreeFile]) -> None:
        """Build the trees that can be built; the others are reported where they are read."""
        for objective, file in trees.items():
            try:
                self.built[objective] = crew_tree(file, self.crew_leaves)
            except TreeFileError:
                continue
        for name, file in brains.items():
            try:
                self.minds[name] = build_tree(file, self.leaves)
            except TreeFileError:
                continue

    def _named(self, given: dict[str, str]) -> dict[str, TreeFile]:
        """Return the trees named by a table; report those that are unavailable."""
        found = {}
        for objective, name in given.items():
            path = ("crews", objective)
            try:
                if name in shipped_crews():
                    found[objective] = shipped_crew_trees()[name]
                elif not self.files.allows(path, name):
                    continue
                elif self.files.exists(name):
                    found[objective] = read_trees(self.files.place(name))
                    crew_tree(found[objective], self.crew_leaves)
                else:
                    self.faults.unknown(path, "shipped crew or tree file", name, shipped_crews())
            except TreeFileError as error:
                self.faults.add(path, str(error), "fix the tree: see docs/crews.md")
        return found

    def _asked(self, brains: Mapping[str, TreeFile], script: Mapping[int, Incident], known: set[str]) -> set[str]:
        """Return the requested objectives; report unknown ones in a scenario's own brains and script."""
        asked = set()
        for name, file in brains.items():
            for objective, line in requested_by(file):
                asked.add(objective)
                if objective not in known and name not in BRAINS and objective not in shipped_crews():
                    what = f"{file.source}:{line}: requests {objective!r}"
                    self.faults.add(("crews",), what, f"there are trees for {', '.join(sorted(known)) or 'nothing'}")
        for number, incident in script.items():
            if incident.objective:
                asked.add(incident.objective)
                if incident.objective not in known:
                    self.faults.unknown(("script", number, "objective"), "crew", incident.objective, sorted(known))
            awaited = incident.when.objective if incident.when is not None else ""
            if awaited and awaited not in known:
                self.faults.unknown(("script", number, "when", "objective"), "crew", awaited, sorted(known))
        return asked

    def _cycles(
        self,
        trees: Mapping[str, TreeFile],
        members: Mapping[str, Set[int]],
        candidates: Mapping[int, Candidate],
        brains: Mapping[str, TreeFile],
    ) -> None:
        """Report crews that lead to one another in a cycle."""
        roles = {objective: roles_of(tree) for objective, tree in self.built.items()}
        having = {
            objective: {candidates[number].brain for number in numbers} & set(brains)
            for objective, numbers in members.items()
        }
        steps = steps_of_members(steps_of_trees(trees), roles, having, brains)
        cycle = find_cycle(steps)
        if cycle:
            how = "; ".join(f"{other!r} at {steps[name][other]}" for name, other in pairwise(cycle))
            words = f"crews request one another in a cycle: {' → '.join(cycle)} ({how})"
            self.faults.add(("crews",), words, "remove the `request` from one of these trees")

    def _directions(self, objective: str, file: TreeFile, members: Sequence[Candidate]) -> None:
        """Report directions that no potential holder of a role reads, and hints at missing branches."""
        for role in roles_of(self.built[objective]):
            able = [one for one in members if can_take(role, one)]
            minds = [self.minds[one.brain] for one in able if one.brain in self.minds]
            if not able or any(one.brain not in self.minds and one.brain != PUPPET for one in able):
                continue  # The role cannot be filled, or a faulty brain is reported elsewhere.
            where = f"{file.source}:{role.file_line}: role {role.label!r}"
            obeyed = {key for mind in minds for key in obeyed_keys(mind)}
            for key in role.directions:
                if key not in obeyed and key != "hints":
                    what = f"{where} gives the direction {key!r}, which none of its possible members reads"
                    known = ", ".join(sorted(obeyed)) or "nothing"
                    self.faults.add(("crews", objective), what, f"their brains read {known}; see `take_stand`")
            self._hints(objective, where, role, {branch for mind in minds for branch in mind.hints.branches})

    def _hints(self, objective: str, where: str, role: Role, branches: Set[str]) -> None:
        given = role.directions.get("hints")
        for branch in () if given is None else given.written:
            if branch not in branches:
                what = (
                    f"{where} hints at {branch!r}{did_you_mean(branch, branches)}, a branch its possible members lack"
                )
                self.faults.add(("crews", objective), what, f"branches are {', '.join(sorted(branches)) or 'none'}")

    def _of_roles(self, objective: str, file: TreeFile, found: Iterable[tuple[Role, str, str]]) -> None:
        for role, what, advice in found:
            where = f"{file.source}:{role.file_line}: role {role.label!r}"
            self.faults.add(("crews", objective), f"{where} {what}", advice)

    def _mentions(self, objective: str, file: TreeFile, level: Level | None, rules: RulePack | None) -> bool:
        """Report names of missing things; return whether all exist."""
        roles = roles_of(self.built[objective])
        known = known_names(level, rules, sorted({role.label for role in roles}))
        words = _words_of(crew_leaves() if self.crew_leaves is None else self.crew_leaves)
        missing = [
            one
            for one in dict.fromkeys(mentions(file, roles, words))
            if one.what in known and one.name not in known[one.what] and not _is_spec(one)
        ]
        for one in missing:
            names = known[one.what]
            what = f"{file.source}:{one.line}: {one.by}: no {one.what} {one.name!r}{did_you_mean(one.name, names)}"
            self.faults.add(("crews", objective), what, f"there are {', '.join(names) or 'none'}")
        return not missing

    def _notices(
        self,
        trees: Mapping[str, TreeFile],
        own: Set[str],
        members: Mapping[str, Set[int]],
        candidates: Mapping[int, Candidate],
        brains: Mapping[str, TreeFile],
    ) -> None:
        """Report notices that are posted but never read, or read but never posted."""
        for objective in sorted(own & set(self.built)):
            file, roles = trees[objective], roles_of(self.built[objective])
            minds = {candidates[number].brain for number in members[objective]} & set(brains)
            given, read = notices_given(file), notices_read(file, roles)
            theirs = {key for brain in minds for key in notices_given(brains[brain])}
            asked = {key for brain in minds for key in notices_read(brains[brain])}
            for key, line in given.items():
                if key not in read and key not in asked:
                    what = f"{file.source}:{line}: posts the notice {key!r}, which neither this tree nor a member reads"
                    self.faults.add(("crews", objective), what, "read it with `was_notified` or `noticed_by_crew`")
            for key, line in read.items():
                if key not in given and key not in theirs:
                    what = f"{file.source}:{line}: reads the notice {key!r}, which is never posted"
                    hint = did_you_mean(key, {*given, *theirs})
                    self.faults.add(("crews", objective), what + hint, "post it with `notify`")


def _words_of(leaves: Registry) -> RoleWords:
    """Return the words that roles may use."""
    kind = leaves.leaves.get("role")
    return getattr(kind.make, "words", RoleWords()) if kind is not None else RoleWords()


def _is_spec(one: Mention) -> bool:
    """Return whether a predictor is written with settings that it has."""
    try:
        return one.what == "predictor" and not chase_spec(one.name).kind.is_omniscient
    except InputError:
        return False
