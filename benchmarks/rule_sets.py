"""Databases of rules as large as the source's: about 6,000 rules, a hundred to a handler."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from lastseen.rng import generator

GROUPS = {"npc speech": 4609, "npc animation": 373, "player speech": 596, "player animation": 204, "other": 246}
"""Rules by kind, as the source counts them."""
TO_A_HANDLER = 100
TRIGGERS = [f"TRIGGER_{number}" for number in range(24)]
GANGS = ["crows", "rooks", "herons", "wrens", "owls"]


def variables() -> dict[str, Any]:
    """Numbers, truth values, enumerations and text, under dotted paths."""
    found: dict[str, Any] = {"bark.trigger": {"enum": TRIGGERS}, "npc.gang": "str"}
    found |= {f"npc.number_{number}": "float" for number in range(10)}
    found |= {f"world.count_{number}": "int" for number in range(6)}
    found |= {f"npc.flag_{number}": "bool" for number in range(6)}
    return found


def conditions(random: np.random.Generator, count: int) -> list[str]:
    """Return a trigger and some more conditions, each on another variable."""
    said = [f"bark.trigger == {TRIGGERS[random.integers(len(TRIGGERS))]}"]
    paths = [path for path in variables() if path != "bark.trigger"]
    for path in random.choice(paths, count, replace=False).tolist():
        if path == "npc.gang":
            said.append(f"npc.gang == {GANGS[random.integers(len(GANGS))]}")
        elif ".flag_" in path:
            said.append(f"{path} == {'true' if random.random() < 0.5 else 'false'}")
        elif ".count_" in path:
            said.append(f"{path} {random.choice(['>=', '<', '=='])} {random.integers(1, 9)}")
        else:
            said.append(f"{path} {random.choice(['>=', '<'])} {random.integers(1, 20) / 20}")
    return said


def handler(random: np.random.Generator, name: str, count: int) -> dict[str, Any]:
    """Return a handler of so many rules as it stands in a file."""
    rules = [
        {
            "name": f"{name} {number}",
            "when": conditions(random, int(random.integers(1, 5))),
            "say": [f"Line {line} of rule {number} of {name}." for line in range(int(random.integers(1, 4)))],
            "priority": int(random.integers(0, 5)),
        }
        for number in range(count)
    ]
    return {"order": "priority", "policy": "shuffle repeat", "rules": rules}


def write_database(folder: Path, seed: int = 1) -> None:
    """Write the files of a database with the source's distribution."""
    random = generator(seed, "bench rules")
    (folder / "variables.json").write_text(json.dumps({"variables": variables()}), encoding="utf-8")
    for group, total in GROUPS.items():
        handlers: dict[str, Any] = {}
        while total:
            count = min(TO_A_HANDLER, total)
            name = f"{group} {len(handlers)}".replace(" ", ".")
            handlers[name] = handler(random, name, count)
            total -= count
        path = folder / f"{group.replace(' ', '_')}.json"
        path.write_text(json.dumps({"handlers": handlers}, indent=1), encoding="utf-8")
