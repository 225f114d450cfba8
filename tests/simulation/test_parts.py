"""Each part of a world has one writer: systems change other parts only by the messages listed for them."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lastseen
from lastseen.agents.behaviour.tree import Tree
from lastseen.agents.senses.hearing.sounds import sound
from lastseen.level.sight.sight import Sight
from lastseen.simulation import game_loop
from lastseen.simulation.game_loop import step
from lastseen.simulation.scenario.reader import parse_scenario, shipped_scenario
from lastseen.simulation.systems import MESSAGES, SYSTEMS, WRITERS
from lastseen.simulation.world.setup import make_world
from lastseen.simulation.world.world import World

SOURCE = Path(lastseen.__file__).parent
FIXED = {"level", "level_states", "cells", "names", "cast", "reasoning", "scenario", "step"}
"""Fields nothing writes during a run; what they keep for later answers is no concern of others."""
LOOP = {"time", "tick", "events", "earlier", "trace"}
"""Fields the loop writes."""
OWN_MODULES = {
    "script": ("simulation.systems.script", "simulation.systems.triggers"),
    "sense": ("simulation.systems.sense",),
    "remember": tuple(f"simulation.systems.{name}" for name in ("remember", "investigations", "outcomes", "tell")),
    "crews": ("agents.crews",),
    "think": (
        "simulation.systems.think",
        "agents.brains.mind",
        "simulation.world.puppet",
        "simulation.world.tree_changes",
    ),
    "coordinate": ("simulation.systems.coordinate",),
    "act": (
        "simulation.systems.act",
        "simulation.systems.alarms",
        *(f"simulation.world.{name}" for name in ("combat", "objects", "possession", "powers", "territory", "traps")),
    ),
    "speak": ("simulation.systems.speak",),
    "move": ("simulation.systems.act",),
    "referee": ("simulation.systems.referee", "simulation.world.world"),
}
"""Where the code of each system is. A puppet's orders and edited trees come from outside."""
BEFORE_A_RUN = ("simulation.world.setup", "simulation.experiments")
CHANGES = {"append", "clear", "extend", "insert", "pop", "popitem", "setdefault", "add", "discard"}
ELSEWHERE = (
    "brains.surroundings",
    "brains.mind",
    "world.world",
    "cells",
    "level",
    "navmesh",
    "rules.language",
    "rules.engine",
)
"""Modules whose objects parts refer to and do not hold: minds, places and rules."""


def leaves_of(thing: Any, known: set[int]) -> Iterator[bytes]:
    """Yield everything an object holds, as bytes, each object once."""
    if thing is None or isinstance(thing, int | float | str | bytes | bool | np.generic):
        yield repr(thing).encode()
        return
    if id(thing) in known or callable(thing):
        return
    known.add(id(thing))
    if isinstance(thing, np.ndarray):
        yield thing.tobytes()
    elif isinstance(thing, np.random.Generator):
        yield repr(thing.bit_generator.state).encode()
    elif isinstance(thing, Tree):
        yield bytes(thing.status_bytes)
    elif isinstance(thing, Sight):
        yield from leaves_of(thing.arrays, known)
    elif any(f".{name}." in f"{type(thing).__module__}." for name in ELSEWHERE):
        return
    elif isinstance(thing, dict):
        for key, value in thing.items():
            yield repr(key).encode()
            yield from leaves_of(value, known)
    elif isinstance(thing, set | frozenset):
        yield repr(sorted(map(repr, thing))).encode()
    elif isinstance(thing, list | tuple):
        yield str(len(thing)).encode()
        for one in thing:
            yield from leaves_of(one, known)
    else:
        yield from leaves_of(getattr(thing, "__dict__", {}), known)


def digests_of(world: World) -> dict[str, bytes]:
    """Return a digest of every field of a world but those of the loop."""
    found = {}
    for name in (one.name for one in fields(world) if one.name not in LOOP | FIXED):
        folded = hashlib.blake2b(digest_size=16)
        held = [mind.blackboard for mind in world.minds] if name == "minds" else getattr(world, name)
        for piece in leaves_of(held, set()):
            folded.update(piece)
        found[name] = folded.digest()
    return found


def watched(system: Any, faults: set[str], seen: set[str], last: dict[str, Any]) -> Any:
    """Return a system that notes the parts it writes, and those it may not; all systems of a run share `last`."""

    def run(world: World) -> None:
        parts = {one.name: getattr(world, one.name) for one in fields(world)}
        before = last.get("digests") or digests_of(world)
        system(world)
        name = system.__name__
        last["digests"] = digests_of(world)
        for part, digest in last["digests"].items():
            if digest != before[part]:
                seen.add(f"{name}: {part}")
                senders = {one for systems in MESSAGES.get(part, {}).values() for one in systems}
                if name != WRITERS[part] and name not in senders:
                    faults.add(f"{name} writes {part}, which {WRITERS[part]} owns")
        kept = {one for one, thing in parts.items() if is_dataclass(thing) and getattr(world, one) is not thing}
        faults.update(f"{name} replaces {part}" for part in kept)

    run.__name__ = system.__name__
    return run


def run_watched(monkeypatch: pytest.MonkeyPatch, world: World, steps: int, extra: Any = None) -> tuple[set, set]:
    faults: set[str] = set()
    seen: set[str] = set()
    systems = [*SYSTEMS, extra] if extra is not None else SYSTEMS
    last: dict[str, Any] = {}
    monkeypatch.setattr(game_loop, "SYSTEMS", [watched(system, faults, seen, last) for system in systems])
    for _ in range(steps):
        if world.ending is None:
            step(world)
    return faults, seen


def test_every_field_of_a_world_has_one_writer_or_none():
    names = {one.name for one in fields(World)}
    assert names == set(WRITERS) | FIXED | LOOP
    assert set(WRITERS.values()) == {system.__name__ for system in SYSTEMS}
    assert set(MESSAGES) <= set(WRITERS)
    for part, messages in MESSAGES.items():
        assert all(WRITERS[part] not in systems for systems in messages.values())


@pytest.mark.parametrize(("name", "first", "steps"), [("night_shift", 60, 20), ("brawl", 80, 12), ("man_down", 0, 20)])
def test_a_system_writes_its_own_parts_only(monkeypatch, name, first, steps):
    world = make_world(shipped_scenario(name))
    for _ in range(first):
        step(world)
    faults, seen = run_watched(monkeypatch, world, steps)
    assert not faults, faults
    assert {"sense: senses", "move: bodies"} <= seen
    assert name != "brawl" or {"remember: attention", "think: orders", "crews: teamwork", "act: combat"} <= seen


def test_a_system_that_writes_a_part_of_another_is_caught(monkeypatch):
    def meddle(world: World) -> None:
        world.attention.seen[0] = 7
        world.hunt.bound[0] = (1.0, 2.0, 3.0)
        world.senses.sounds.append(sound("door", (0.0, 0.0, 0.0)))

    world = make_world(parse_scenario("level: hall\nagents:\n  - {name: Ann, brain: guard, at: [5, 5]}"))
    faults, _ = run_watched(monkeypatch, world, 1, meddle)
    assert {fault.split(",")[0] for fault in faults} == {
        f"meddle writes {part}" for part in ("attention", "hunt", "senses")
    }


def writes_in(text: str) -> Iterator[tuple[str, str, int]]:
    """Yield part, what is written in it, and the line, for each assignment to a part of a `world` and change of a list
    or table in it; `x = world.part` makes x another name of the part within its function."""
    tree = ast.parse(text)
    for function in (one for one in ast.walk(tree) if isinstance(one, ast.FunctionDef)):
        names: dict[str, str] = {}
        for node in ast.walk(function):
            if isinstance(node, ast.Assign):
                pairs = [(node.targets[0], node.value)]
                if isinstance(node.targets[0], ast.Tuple) and isinstance(node.value, ast.Tuple):
                    pairs = list(zip(node.targets[0].elts, node.value.elts))
                names |= {
                    target.id: value.attr
                    for target, value in pairs
                    if isinstance(target, ast.Name) and isinstance(value, ast.Attribute) and _is_world(value.value)
                }
        for node in ast.walk(function):
            for target in _written(node):
                found = _part_of(target, names)
                if found is not None:
                    yield *found, node.lineno


def _is_world(node: ast.expr) -> bool:
    name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
    return name in ("world", "_world", "mind")


def _written(node: ast.AST) -> Iterator[ast.expr]:
    if isinstance(node, ast.Assign | ast.Delete):
        for target in node.targets:
            yield from target.elts if isinstance(target, ast.Tuple | ast.List) else [target]
    elif isinstance(node, ast.AugAssign | ast.AnnAssign):
        yield node.target
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in CHANGES:
        yield node.func


def _part_of(node: ast.expr, names: dict[str, str]) -> tuple[str, str] | None:
    """Return the part a chain of attributes begins at, and the rest of it."""
    rest: list[str] = []
    at: ast.expr = node
    while isinstance(at, ast.Attribute | ast.Subscript | ast.Call):
        if isinstance(at, ast.Attribute):
            if at.attr in WRITERS and _is_world(at.value):
                return at.attr, ".".join(reversed(rest))
            rest.append(at.attr)
        at = at.func if isinstance(at, ast.Call) else at.value
    if isinstance(at, ast.Name) and at is not node and names.get(at.id) in WRITERS:
        return names[at.id], ".".join(reversed(rest))
    return None


def strangers_in(text: str, module: str) -> list[str]:
    """Return the writes to parts in a module that is not their writer's."""
    faults = []
    for part, what, line in writes_in(text):
        own = (*OWN_MODULES[WRITERS[part]], *BEFORE_A_RUN)
        if not module.startswith(own) and what not in MESSAGES.get(part, {}):
            faults.append(f"{module}:{line}: writes {part}.{what}, which {WRITERS[part]} owns")
    return faults


def test_code_assigns_to_its_own_parts_only():
    faults = []
    for path in sorted(one for stage in ("agents", "simulation", "views") for one in (SOURCE / stage).rglob("*.py")):
        module = ".".join(path.relative_to(SOURCE).with_suffix("").parts)
        faults += strangers_in(path.read_text(encoding="utf-8"), module)
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize(
    "line",
    [
        "world.attention.seen = []",
        "world.bodies.mode[agent] = 3",
        "mind.world.hunt.approacher = 1",
        "mind.attention.calls[0] = 1",
        "world.attention.heard_by.clear()",
        "attention = world.attention\n    attention.seen[0] = 1",
        "a, doors = world.combat, world.doors\n    doors.shut[0] = True",
    ],
)
def test_an_assignment_to_a_part_of_another_is_caught(line):
    assert strangers_in(f"def speak(world, mind, agent):\n    {line}\n", "simulation.systems.speak")
    assert not strangers_in("def speak(world):\n    world.senses.sounds.append(1)\n", "simulation.systems.speak")
