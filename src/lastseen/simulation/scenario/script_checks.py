"""Checks of the script: rows have what they need, triggers can fire, names exist, facts have their types."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Literal

import msgspec

from ...agents.brains.relations import TEAMS
from ...agents.brains.surroundings import STATES
from ...agents.rules.engine.pack import RulePack
from ...agents.rules.language.resolution import CHANCE
from ...agents.rules.language.rule import RuleCondition, VariableSpec, checked_condition, parse_condition
from ...agents.senses.hearing.sounds import SOUNDS
from ...errors import RuleError, did_you_mean
from ...level.level import Level
from ...textforms import Path
from ...vocabulary.words import SceneBreak
from ..world.weather import WEATHERS
from .faults import Faults
from .scenario import SCRIPT_FACT, AgentSpec, Incident, Scenario, Trigger, sides_of

NEEDS = {
    "sound": ("place", "kind"),
    "alarm": ("place",),
    "open door": ("door",),
    "close door": ("door",),
    "fell": ("agent",),
    "remove": ("agent",),
    "place": ("agent", "place"),
    "travel": ("agent",),
    "set": ("agent", "key", "value"),
    "smoke": ("place",),
    "weather": ("kind",),
    "light": ("zone", "value"),
    "request": ("agents", "objective"),
    "end request": ("agents",),
    "attitude": ("team", "toward", "value"),
    "add platform": ("platform",),
    "move platform": ("platform", "to"),
    "remove platform": ("platform",),
}
"""Fields that a row needs, by what it does; `set` needs a fact and a value if it names a fact."""
_TAKES = {
    "sound": ("agent",),
    "alarm": ("agent",),
    "open door": ("agent",),
    "close door": ("agent",),
    "set": ("fact",),
    "smoke": ("radius", "seconds"),
    "request": ("target", "place", "priority", "seconds", "draws", "wants"),
    "end request": ("objective",),
    "add platform": ("to",),
}
"""Fields that a row may have besides."""
_WHEN = ("do", "at", "when", "after", "repeat")
_DOER = ("agent", "team")
TRIGGERS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "enters": (("zone",), _DOER),
    "leaves": (("zone",), _DOER),
    "sees": ((), (*_DOER, "target")),
    "loses": ((), (*_DOER, "target")),
    "hears": (("sound",), _DOER),
    "finds body": ((), (*_DOER, "target")),
    "springs trap": ((), (*_DOER, "target")),
    "reaches state": (("state",), _DOER),
    "uses": (("object",), _DOER),
    "crew ends": ((), (*_DOER, "objective")),
    "fact holds": (("fact",), ()),
}
"""Fields that a trigger needs, and those it may have besides, by its event."""


def fact_specs(scenario: Scenario, rules: RulePack | None) -> dict[str, VariableSpec]:
    """Return the facts that a script may set or wait for: variables of the rules, and its own."""
    found = {} if rules is None else dict(rules.variables)
    for path, value in scenario.facts.items():
        if path.startswith(SCRIPT_FACT):
            kind: Literal["bool", "str", "float"]
            kind = "bool" if isinstance(value, bool) else "str" if isinstance(value, str) else "float"
            found.setdefault(path, VariableSpec(path, kind))
    return found


def fact_conditions(scenario: Scenario) -> Iterator[RuleCondition]:
    """Yield the values that a scenario gives to facts, and what its triggers compare them with, as conditions."""
    for path, value in scenario.facts.items():
        yield RuleCondition(path, "==", value)
    for row in scenario.script:
        if row.fact and row.value is not None:
            yield RuleCondition(row.fact, "==", row.value)
        if row.when is not None and row.when.fact:
            yield parse_condition(row.when.fact)
    for scene in scenario.scenes.values():
        yield from (parse_condition(one) for one in (*scene.breaks_off, *scene.ends) if one not in SceneBreak.texts())


class ScriptCheck:
    """Check the script of a scenario; add what is wrong to `faults`.

    The scenario, its level and its rules may be None, and agents missing, if they could not be read.
    """

    def __init__(
        self,
        faults: Faults,
        scenario: Scenario | None,
        level: Level | None,
        agents: Mapping[int, AgentSpec],
        rules: RulePack | None,
    ):
        self.teams = TEAMS if scenario is None else tuple(sides_of(scenario))
        self.faults, self.level, self.facts = faults, level, {} if scenario is None else scenario.facts
        self.objects = [] if scenario is None else [one.name for one in scenario.objects]
        self.names = list(dict.fromkeys([*(spec.name for spec in agents.values()), *faults.agent_names]))
        is_known = scenario is not None and (rules is not None or scenario.rules == "none")
        self.specs = fact_specs(scenario, rules) if scenario is not None and is_known else None

    def check(self, script: Mapping[int, Incident]) -> None:
        """Check facts, that rows have the values they need, and that the names they use exist."""
        for fact, value in self.facts.items():
            self._condition(("facts", fact), RuleCondition(fact, "==", value))
        for number, incident in script.items():
            path: Path = ("script", number)
            self._time(path, incident)
            self._needs(path, incident)
            self._names(path, (("agent", incident.agent), ("target", incident.target)))
            self._names((*path, "agents"), enumerate(incident.agents))
            self._features(path, (("door", incident.door), ("zone", incident.zone), ("platform", incident.platform)))
            self._position(path, incident)
            if incident.do == "light" and not _is_share(incident.value) and incident.value is not None:
                what = f"light {incident.value!r} is not a number from 0 to 1"
                self.faults.add((*path, "value"), what, "give 0 (dark) … 1 (bright)")
            kinds, what = (WEATHERS, "weather") if incident.do == "weather" else (SOUNDS, "sound")
            if incident.kind and incident.kind not in kinds:
                self.faults.unknown((*path, "kind"), what, incident.kind, kinds)
            if incident.fact and incident.value is not None:
                self._condition((*path, "fact"), RuleCondition(incident.fact, "==", incident.value))
            if incident.when is not None:
                self._trigger((*path, "when"), incident.when)

    def _time(self, path: Path, incident: Incident) -> None:
        if incident.when is not None or not self.faults.ill.isdisjoint(((*path, "at"), (*path, "when"))):
            return
        if incident.at is None:
            advice = "add `at: SECONDS`, or `when: {event: …}`"
            self.faults.add(path, f"{incident.do!r} has no time", advice)
        for field in ("after", "repeat"):
            if getattr(incident, field):
                self.faults.add((*path, field), f"{field!r} needs a trigger", "add `when: {event: …}`, or remove it")

    def _needs(self, path: Path, incident: Incident) -> None:
        needs = ("value",) if incident.do == "set" and incident.fact else NEEDS[incident.do]
        if incident.do == "set" and not (incident.fact or incident.agent or incident.key):
            needs = ("value",)
            advice = "add `fact: …`, or `agent: …` and `key: …`"
            self.faults.add(path, "'set' needs 'fact', or 'agent' and 'key'", advice)
        for field in needs:
            if getattr(incident, field) in ("", None, ()) and (*path, field) not in self.faults.ill:
                self.faults.add((*path, field), f"{incident.do!r} needs {field!r}", f"add `{field}: …`")
        takes = (*_WHEN, *NEEDS[incident.do], *_TAKES.get(incident.do, ()))
        for other in msgspec.structs.fields(Incident):
            name = other.name
            if name not in (*takes, "fact") and getattr(incident, name) != other.default:
                kinds = ", ".join(one for one in NEEDS if name in (*NEEDS[one], *_TAKES.get(one, ())))
                advice = f"remove it; {name!r} belongs to {kinds}"
                self.faults.add((*path, name), f"{incident.do!r} has no {name!r}", advice)
        if incident.fact and (incident.do != "set" or incident.agent or incident.key):
            what = "a fact is only set" if incident.do != "set" else "a fact belongs to no agent"
            self.faults.add((*path, "fact"), what, "write `{do: set, fact: …, value: …}`")

    def _names(self, path: Path, given: Iterable[tuple[str | int, str]]) -> None:
        """Check names of agents; if there are none, the level or the list of agents could not be read."""
        for field, name in given if self.names else ():
            if name and name not in self.names:
                self.faults.unknown((*path, field), "agent", name, self.names)

    def _features(self, path: Path, given: Iterable[tuple[str, str]]) -> None:
        for field, name in given if self.level is not None else ():
            assert self.level is not None
            known = list(dict.fromkeys(thing.name for thing in getattr(self.level, f"{field}s")))
            if name and name not in known:
                self.faults.unknown((*path, field), field, name, known)

    def _position(self, path: Path, incident: Incident) -> None:
        own = () if self.level is None else self.level.platforms
        known = [piece.at for piece in own if piece.name == incident.platform]
        if incident.to and known and incident.to not in known:
            self.faults.unknown((*path, "to"), f"position of {incident.platform!r}", incident.to, known)

    def _trigger(self, path: Path, trigger: Trigger) -> None:
        needs, takes = TRIGGERS[trigger.event]
        for field in needs:
            if not getattr(trigger, field) and (*path, field) not in self.faults.ill:
                self.faults.add((*path, field), f"{trigger.event!r} needs {field!r}", f"add `{field}: …`")
        for field in trigger.__struct_fields__[1:]:
            if getattr(trigger, field) and field not in (*needs, *takes):
                advice = f"it has {', '.join((*needs, *takes))}"
                self.faults.add((*path, field), f"{trigger.event!r} has no {field!r}", advice)
        self._names(path, (("agent", trigger.agent), ("target", trigger.target)))
        self._features(path, (("zone", trigger.zone),))
        known: Collection[str]
        for field, known in (("team", self.teams), ("sound", SOUNDS), ("state", STATES), ("object", self.objects)):
            name = getattr(trigger, field)
            if name and name not in known:
                self.faults.unknown((*path, field), field, name, known)
        if trigger.fact:
            self.fact((*path, "fact"), trigger.fact)

    def fact(self, path: Path, text: str) -> None:
        """Check a condition on a fact as written."""
        try:
            self._condition(path, parse_condition(text))
        except RuleError as error:
            self._refuse(path, error)

    def _condition(self, path: Path, condition: RuleCondition) -> None:
        """Check that a fact exists and may have a value; unknown if the rules cannot be read."""
        if self.specs is None:
            return
        if condition.variable.startswith(SCRIPT_FACT) and condition.variable not in self.specs:
            own = [one for one in self.specs if one.startswith(SCRIPT_FACT)]
            self.faults.unknown(path, "fact", condition.variable, own or ["none; give it a first value under `facts`"])
            return
        if condition.variable not in self.specs and not condition.variable.startswith(CHANCE):
            what = f"no fact {condition.variable!r}{did_you_mean(condition.variable, self.specs)}"
            own_name = f"{SCRIPT_FACT}{condition.variable.rpartition('.')[2]}"
            advice = f"name a variable of the rules, or give `{own_name}` a first value under `facts`"
            self.faults.add(path, what, advice)
            return
        try:
            checked_condition(condition, self.specs)
        except RuleError as error:
            self._refuse(path, error)

    def _refuse(self, path: Path, error: RuleError) -> None:
        what, _, advice = str(error).rpartition("; ")
        self.faults.add(path, what or advice, advice)


def _is_share(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0.0 <= value <= 1.0
