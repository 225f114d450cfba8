"""Checks of objects: each is at one place, has what its kind needs, and all it names exists; so do the tasks."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from ...agents.behaviour.files.definition import TreeFile
from ...agents.brains.shipped_brains import PUPPET
from ...errors import did_you_mean
from ...level.level import Level
from ...textforms import Path
from .faults import Faults
from .object_specs import ObjectSpec, Place, TaskSpec
from .scenario import AgentSpec, Scenario, sides_of, team_of

_NEEDS = {"switch": ("zone",), "barrier": ("zone", "team")}
_NO_TASKS = "choose civilian, thief or a tree with `do_tasks`, or name the objects as stops of its patrol"
OBJECT_FIELDS = {
    "alarm": ("draws",),
    "workbench": (),
    "locker": ("holds",),
    "switch": ("zone",),
    "item": ("held_by", "opens"),
    "barrier": ("zone", "team"),
}
"""Fields that objects of a kind have besides those that all have."""


def object_place(spec: ObjectSpec, level: Level | None) -> Place | None:
    """Return where an object is at first; None if it is carried, in a locker or nowhere."""
    if spec.marker and level is not None:
        return next((marker.xyz for marker in level.markers if marker.name == spec.marker), None)
    return spec.place


class ObjectCheck:
    """Check the objects of a scenario and the tasks of its agents; add what is wrong to `faults`."""

    def __init__(self, faults: Faults, scenario: Scenario, level: Level | None, agents: Mapping[int, AgentSpec]):
        self.faults, self.scenario, self.level, self.agents = faults, scenario, level, agents
        self.names = [spec.name for spec in scenario.objects]
        self.items = [spec.name for spec in scenario.objects if spec.kind == "item"]

    def check(self) -> None:
        """Check all objects and tasks, and the objects that stops of patrols name."""
        stored = [spec.holds for spec in self.scenario.objects if spec.holds]
        for number, spec in enumerate(self.scenario.objects):
            path: Path = ("objects", number)
            if not spec.name or spec.name in self.names[:number]:
                what = f"there already is an object {spec.name!r}" if spec.name else "its name is empty"
                self.faults.add((*path, "name"), what, "give each a unique name")
            self._place(path, spec, spec.name in stored)
            if spec.holds and spec.holds in [one.holds for one in self.scenario.objects[:number]]:
                self.faults.add((*path, "holds"), f"another locker holds {spec.holds!r} already", "name another item")
            self._fields(path, spec)
            self._known(path, spec)
        for number, agent in self.agents.items():
            for at, task in enumerate(agent.tasks):
                self._task(("agents", number, "tasks", at), task, agent)
        for patrol in () if self.level is None else self.level.patrols:
            for stop in patrol.stops:
                if stop.action == "use" and stop.object not in self.names and patrol.name not in self.scenario.patrols:
                    what = f"patrol {patrol.name!r} uses"
                    self.faults.unknown(("objects",), f"object for which {what}", stop.object, self.names)
                for number, agent in self.agents.items() if stop.action == "use" and stop.object in self.names else ():
                    if agent.patrol == patrol.name:
                        self._users(("agents", number, "patrol"), stop.object, agent)

    def _place(self, path: Path, spec: ObjectSpec, is_stored: bool) -> None:
        places = [bool(spec.marker), spec.place is not None, bool(spec.held_by), is_stored]
        if sum(places) != 1 and (*path, "place") not in self.faults.ill:
            advice = "give one of `place: [x, y]`, `marker: NAME` and `held_by: AGENT`, or let a locker hold it"
            self.faults.add(path, "an object is at one place", advice)

    def _fields(self, path: Path, spec: ObjectSpec) -> None:
        kind = f"{'an' if spec.kind[0] in 'aeiou' else 'a'} {spec.kind}"
        for field in _NEEDS.get(spec.kind, ()):
            if not getattr(spec, field) and (*path, field) not in self.faults.ill:
                self.faults.add((*path, field), f"{kind} needs {field!r}", f"add `{field}: …`")
        for field in ("draws", "held_by", "holds", "opens", "team", "zone"):
            if getattr(spec, field) and field not in OBJECT_FIELDS[spec.kind]:
                kinds = " or ".join(one for one, takes in OBJECT_FIELDS.items() if field in takes)
                self.faults.add((*path, field), f"{kind} has no {field!r}", f"remove it, or choose the kind {kinds}")

    def _known(self, path: Path, spec: ObjectSpec) -> None:
        agents = [agent.name for agent in self.agents.values()]
        level, teams = self.level, list(sides_of(self.scenario))
        rows: list[tuple[str, str, Iterable[str], Collection[str]]] = [
            ("held_by", "agent", [spec.held_by], agents),
            ("key", "item", [spec.key], self.items),
            ("holds", "item", [spec.holds], self.items),
            ("team", "team", [spec.team], teams),
            ("users", "team", spec.users, teams),
        ]
        if level is not None:
            locked = [door.name for door in level.doors if door.locked and door.name]
            rows += [
                ("marker", "marker", [spec.marker], [marker.name for marker in level.markers]),
                ("zone", "zone", [spec.zone], [zone.name for zone in level.zones]),
                ("opens", "locked door", spec.opens, locked),
            ]
        for field, what, given, known in rows:
            for name in given:
                if name and name not in known:
                    self.faults.unknown((*path, field), what, name, known)

    def _task(self, path: Path, task: str | TaskSpec, agent: AgentSpec) -> None:
        spec = TaskSpec(task) if isinstance(task, str) else task
        where = path if isinstance(task, str) else (*path, "use")
        if spec.use not in self.names:
            self.faults.unknown(where, "object", spec.use, self.names)
        elif spec.to is not None and spec.use not in self.items:
            self.faults.add((*path, "to"), f"{spec.use!r} cannot be carried", "name an item, or remove `to`")
        else:
            self._users(where, spec.use, agent)
        markers = [] if self.level is None else [marker.name for marker in self.level.markers]
        if isinstance(spec.to, str) and self.level is not None and spec.to not in markers:
            self.faults.unknown((*path, "to"), "marker", spec.to, markers)

    def _users(self, path: Path, name: str, agent: AgentSpec) -> None:
        """Check that an agent belongs to a team that may use an object."""
        users, team = self.scenario.objects[self.names.index(name)].users, team_of(agent)
        if users and team not in users:
            what = f"{agent.name!r} of the team {team!r} may not use {name!r}"
            self.faults.add(path, what, f"its users are {', '.join(users)}; add {team!r}, or name another object")

    def trees(self, brains: Mapping[str, TreeFile]) -> None:
        """Check the objects that leaves `use` of trees name, and that brains of agents with tasks do them."""
        for number, agent in self.agents.items():
            does = agent.brain in brains and any(node.kind == "do_tasks" for node, _ in brains[agent.brain].nodes())
            if agent.tasks and not does and (agent.brain in brains or agent.brain == PUPPET):
                self.faults.add(("agents", number, "tasks"), f"the brain {agent.brain!r} does no tasks", _NO_TASKS)
        users = {spec.brain: number for number, spec in reversed(tuple(self.agents.items()))}
        for brain, file in brains.items():
            for node, source in file.nodes():
                name = node.parameters.get("object")
                if node.kind == "use" and isinstance(name, str) and name not in self.names:
                    what, there = f"{source}:{node.line}: no object {name!r}", ", ".join(self.names) or "none"
                    hint = did_you_mean(name, self.names)
                    self.faults.add(("agents", users[brain], "brain"), f"{what}{hint}", f"there are {there}")
