"""Do the crews of a scenario fit its agents: is every objective asked for, every role possible, every word read?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ...agents.behaviour.build import build_tree
from ...agents.behaviour.definition import NodeSpec, TreeFile, TreeFileError
from ...agents.behaviour.hints import HINT_TYPES
from ...agents.behaviour.read import read_trees
from ...agents.behaviour.registry import Registry
from ...agents.brains.leaves.directed import obeyed_keys
from ...agents.brains.ready import BRAINS
from ...agents.crews.leaves import crew_tree, requested_by, roles_of
from ...agents.crews.nodes.role import Role
from ...agents.crews.ready import ready_crew_trees, ready_crews
from ...errors import did_you_mean
from .faults import Faults
from .named_files import NamedFiles
from .scenario import AgentSpec, Incident

__all__ = ["CrewCheck"]


class CrewCheck:
    """Asks whether crews can work as a scenario has them; tells `faults` why not."""

    def __init__(self, faults: Faults, files: NamedFiles, leaves: Registry, crew_leaves: Registry | None = None):
        self.faults, self.files, self.leaves, self.crew_leaves = faults, files, leaves, crew_leaves

    def trees(
        self,
        given: bool | dict[str, str],
        agents: Mapping[int, AgentSpec],
        brains: Mapping[str, TreeFile],
        script: Mapping[int, Incident],
    ) -> dict[str, TreeFile]:
        """Return the trees of crews by objective; of all ready ones, those that anybody asks for."""
        if given is False:
            return {}
        trees = dict(ready_crew_trees()) if given is True else self._named(given)
        asked = self._asked(brains, script, set(trees) if isinstance(given, bool) else {*trees, *given})
        used = _led_to(asked, trees)
        if given is not True:
            for objective in trees:
                if objective not in used:
                    advice = f"no brain and no script asks for it; they ask for {', '.join(sorted(asked)) or 'nothing'}"
                    self.faults.add(("crews", objective), f"nobody asks for {objective!r}", advice)
        circle = _circle(trees)
        if circle:
            words = f"crews ask for one another in a circle: {' → '.join(circle)}"
            self.faults.add(("crews",), words, "let one of these trees not `request` the next")
        obeyed, branches = self._obeyed(brains)
        for objective, file in trees.items():
            if objective in used:
                own = given is not True and given[objective] not in ready_crews()
                self._roles(objective, file, obeyed, agents if own else {})
                self._hints(objective, file, branches)
        return {objective: trees[objective] for objective in trees if objective in used}

    def _named(self, given: dict[str, str]) -> dict[str, TreeFile]:
        """Return the trees a table names; those that cannot be had are told of."""
        found = {}
        for objective, name in given.items():
            path = ("crews", objective)
            try:
                if name in ready_crews():
                    found[objective] = ready_crew_trees()[name]
                elif not self.files.allows(path, name):
                    continue
                elif self.files.exists(name):
                    found[objective] = read_trees(self.files.place(name))
                    crew_tree(found[objective], self.crew_leaves)
                else:
                    self.faults.unknown(path, "ready crew or tree file", name, ready_crews())
            except TreeFileError as error:
                self.faults.add(path, str(error), "mend the tree: see docs/crews.md")
        return found

    def _asked(self, brains: Mapping[str, TreeFile], script: Mapping[int, Incident], known: set[str]) -> set[str]:
        """Return the objectives anybody asks for; tell of those a scenario's own brains and script get wrong."""
        asked = set()
        for name, file in brains.items():
            for objective, line in requested_by(file):
                asked.add(objective)
                if objective not in known and name not in BRAINS and objective not in ready_crews():
                    what = f"{file.source}:{line}: asks for {objective!r}"
                    self.faults.add(("crews",), what, f"there are trees for {', '.join(sorted(known)) or 'nothing'}")
        for number, incident in script.items():
            if incident.objective:
                asked.add(incident.objective)
                if incident.objective not in known:
                    self.faults.unknown(("script", number, "objective"), "crew", incident.objective, sorted(known))
        return asked

    def _obeyed(self, brains: Mapping[str, TreeFile]) -> tuple[set[str], set[str]]:
        """Return the keys of directions that any brain reads, and the branches for which any takes hints."""
        found, branches = set[str](), set[str]()
        for file in brains.values():
            try:
                tree = build_tree(file, self.leaves)
            except TreeFileError:
                continue  # told of where brains are checked
            found |= obeyed_keys(tree)
            branches |= tree.hints.branches
        return found, branches

    def _hints(self, objective: str, file: TreeFile, branches: set[str]) -> None:
        """Tell of hints that no brain takes: for a branch none has, or of no type there is."""
        lines, path = dict(_role_lines(file)), ("crews", objective)
        for role in self._roles_in(file):
            hints = role.directions.get("hints")
            if hints is None:
                continue
            where = f"{file.source}:{lines.get(role.label, 0)}: role {role.label!r}"
            if hints.word is not None or not isinstance(hints.written, Mapping):
                self.faults.add(path, f"{where}: hints is no table", "give branches and what is hinted of each")
                continue
            for branch, type_ in hints.written.items():
                if branch not in branches:
                    what = f"{where} hints at {branch!r}{did_you_mean(branch, branches)}, a branch no brain has"
                    self.faults.add(path, what, f"branches are {', '.join(sorted(branches)) or 'none'}")
                if type_ not in HINT_TYPES:
                    what = f"{where} hints {type_!r}{did_you_mean(type_, HINT_TYPES)} at {branch!r}"
                    self.faults.add(path, what, f"give {', '.join(HINT_TYPES)}")

    def _roles_in(self, file: TreeFile) -> tuple[Role, ...]:
        try:
            return roles_of(crew_tree(file, self.crew_leaves))
        except TreeFileError:
            return ()  # told of where it was read

    def _roles(self, objective: str, file: TreeFile, obeyed: set[str], agents: Mapping[int, AgentSpec]) -> None:
        """Tell of directions nobody reads, and of roles nobody among `agents` can take."""
        lines = dict(_role_lines(file))
        for role in self._roles_in(file):
            where = f"{file.source}:{lines.get(role.label, 0)}: role {role.label!r}"
            for key in role.directions:
                if key not in obeyed:
                    what = f"{where} writes {key!r}, which no brain of this scenario reads"
                    known = ", ".join(sorted(obeyed)) or "nothing"
                    self.faults.add(("crews", objective), what, f"brains read {known}; see `take_stand`")
            if agents and role.needs and not _can_be_taken(role, agents):
                what = f"{where} can be taken by nobody in this scenario"
                advice = "change its 'may', or give an agent what it asks for"
                self.faults.add(("crews", objective), what, advice)
            elif agents and role.needs > len(agents):
                what = f"{where} needs {role.needs} members; there are {len(agents)} agents"
                self.faults.add(("crews", objective), what, "lower its 'least', or add agents")


def _can_be_taken(role: Role, agents: Mapping[int, AgentSpec]) -> bool:
    def is_fit(spec: AgentSpec) -> bool:
        return role.may.possible(lambda word: word.among is None or word.among(spec))

    return any(map(is_fit, agents.values()))


def _led_to(asked: set[str], trees: Mapping[str, TreeFile]) -> set[str]:
    """Return the objectives that are asked for, or by a crew of one that is."""
    found, waiting = set[str](), [objective for objective in asked if objective in trees]
    while waiting:
        objective = waiting.pop()
        if objective not in found:
            found.add(objective)
            waiting += [other for other, _ in requested_by(trees[objective]) if other in trees]
    return found


def _circle(trees: Mapping[str, TreeFile]) -> tuple[str, ...]:
    """Return objectives whose trees ask for one another in a circle; empty: none do."""
    after = {name: sorted({other for other, _ in requested_by(file) if other in trees}) for name, file in trees.items()}
    done: set[str] = set()

    def walk(name: str, before: tuple[str, ...]) -> tuple[str, ...]:
        if name in before:
            return (*before[before.index(name) :], name)
        if name in done:
            return ()
        for other in after[name]:
            found = walk(other, (*before, name))
            if found:
                return found
        done.add(name)
        return ()

    return next((found for name in sorted(after) if (found := walk(name, ()))), ())


def _role_lines(file: TreeFile) -> Iterator[tuple[str, int]]:
    waiting: list[NodeSpec] = [tree.root for tree in file.trees.values()]
    while waiting:
        node = waiting.pop()
        if node.kind == "role":
            yield node.name or node.kind, node.line
        waiting.extend(node.children)
