"""Checks of scenes: they are requested, and name roles and markers that exist; and the scenes as agents play them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from ...agents.brains.surroundings import Scene, SceneStep
from ...agents.crews.crew_trees import shipped_crews
from ...level.level import Level
from ...textforms import Path
from ...vocabulary.words import SceneAct, SceneBreak, SceneResumption
from .faults import Faults
from .scenario import Incident, Scenario
from .scene_specs import SceneSpec, StepSpec
from .script_checks import ScriptCheck

_BREAKS = SceneBreak.texts()

_NEEDS = {SceneAct.ARGUE.value: ("to",), SceneAct.GIVE.value: ("to", "item"), SceneAct.INSPECT.value: ("item",)}
"""Fields that a step needs besides `who`, by what its actor does."""


def check_scenes(
    faults: Faults, scenario: Scenario, script: Mapping[int, Incident], level: Level | None, checks: ScriptCheck
) -> None:
    """Check that every scene is requested by enough agents, and that its steps name roles and markers that exist."""
    if scenario.scenes and not scenario.crews:
        faults.add(("scenes",), "scenes are played by crews, which are off", "add `crews: true`")
    for name, spec in scenario.scenes.items():
        path: Path = ("scenes", name)
        if name in shipped_crews():
            faults.add(path, f"{name!r} is an objective of crews already", "choose another name")
        if len(set(spec.roles)) < len(spec.roles) or "" in spec.roles:
            faults.add((*path, "roles"), "two roles have the same name, or one has none", "give each its own name")
        rows = {number: one for number, one in script.items() if one.do == "request" and one.objective == name}
        if not rows:
            advice = f"add `{{at: 1, do: request, agents: […], objective: {name}}}` to the script"
            faults.add(path, f"the scene {name!r} is never requested", advice)
        first = next(iter(rows.values()), None)
        for number, row in rows.items():
            if len(row.agents) != len(spec.roles):
                what = f"the scene {name!r} has {len(spec.roles)} roles, but {len(row.agents)} agents are asked"
                faults.add(("script", number, "agents"), what, f"name one for each of {', '.join(spec.roles)}")
            elif first is not None and row.agents != first.agents:
                advice = "name the same in the same order, or copy the scene"
                faults.add(("script", number, "agents"), f"other agents play the scene {name!r} already", advice)
        for field in ("breaks_off", "ends"):
            for number, what in enumerate(getattr(spec, field)):
                _check_break(faults, (*path, field, number), what, checks)
        for block, steps in enumerate(spec.blocks):
            for number, step in enumerate(steps):
                where: Path = (*path, "blocks", block, number)
                _check_step(faults, where, spec, step, level)
                kind = next((one.kind for one in scenario.objects if one.name == step.item), "item")
                if step.do == SceneAct.GIVE and kind != "item":
                    faults.add((*where, "item"), f"{step.item!r} cannot be given, as it is no item", "name an item")


def _check_break(faults: Faults, path: Path, what: str, checks: ScriptCheck) -> None:
    if what not in _BREAKS and re.fullmatch(r"\w*", what):
        faults.unknown(path, "word or condition on a fact", what, (*_BREAKS, "`script.FACT`"))
    elif what not in _BREAKS:
        checks.fact(path, what)


def _check_step(faults: Faults, path: Path, spec: SceneSpec, step: StepSpec, level: Level | None) -> None:
    for field in ("who", "to"):
        given = getattr(step, field)
        if given not in spec.roles and (given or field == "who"):
            faults.unknown((*path, field), "role", given, spec.roles)
    if step.to == step.who:
        faults.add((*path, "to"), f"{step.who!r} turns to itself", "name another role")
    for field in _NEEDS.get(step.do, ()):
        if not getattr(step, field):
            faults.add(path, f"{step.do!r} needs {field!r}", f"add `{field}: …`")
    if step.marker and step.place is not None:
        faults.add(path, "a step is at one place", "give either `place: [x, y]` or `marker: NAME`")
    markers = [marker.name for marker in level.markers if marker.name] if level is not None else [step.marker]
    if step.marker and step.marker not in markers:
        faults.unknown((*path, "marker"), "marker", step.marker, markers)


def scenes_of(
    scenario: Scenario, names: Sequence[str], level: Level, holds: Callable[[str], Callable[[], bool]]
) -> dict[str, Scene]:
    """Return the scenes of a checked scenario by name, with the agents that play them.

    `holds` makes a function from a condition on a fact, which returns whether it holds.
    """
    markers = {marker.name: marker.xyz for marker in level.markers}
    found = {}
    for name, spec in scenario.scenes.items():
        row = next(one for one in scenario.script if one.do == "request" and one.objective == name)
        steps = [
            SceneStep(
                spec.roles.index(step.who),
                SceneAct(step.do),
                spec.roles.index(step.to) if step.to else -1,
                step.say,
                step.item,
                markers[step.marker] if step.marker else _point(step.place),
                step.seconds,
                block,
            )
            for block, part in enumerate(spec.blocks)
            for step in part
        ]
        cast = tuple(names.index(one) for one in row.agents)
        facts = {one: holds(one) for one in (*spec.breaks_off, *spec.ends) if one not in _BREAKS}
        resume = SceneResumption(spec.resume)
        found[name] = Scene(name, cast, tuple(steps), spec.ignores_first, resume, spec.breaks_off, spec.ends, facts)
    return found


def _point(place: Sequence[float] | None) -> tuple[float, float, float] | None:
    if place is None:
        return None
    x, y, z = (*place, 0.0)[:3]
    return x, y, z
