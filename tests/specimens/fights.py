"""A fight of a crew for tests: two with blades and one with a gun against a player, by a tree of the tests' own."""

from __future__ import annotations

from pathlib import Path

__all__ = ["write_fight"]

FIGHT = """
level: hall
name: a fight
seconds: 30
rules: none
sharing: broadcast
combat: true
crews: {fight: ours.yaml, wait: wait.yaml}
agents:
  - {name: Ames, at: [8, 8], heading: 0.0}
  - {name: Bell, at: [7, 10], heading: 0.0}
  - {name: Cole, at: [5, 9], heading: 0.0, attack: ranged}
  - {name: you, brain: puppet, at: [13, 9], health: 70}
script:
  - {at: 0.1, do: request, agents: [Cole], objective: wait, seconds: 0.4}
  - {at: 29.0, do: request, agents: [Bell], objective: wait, seconds: 0.4}
"""
"""Cole asks alone: a crew that waits takes two, and Bell asks only once the fight is long over."""
TREE = """
root:
  roles:
    - role:
        name: press
        least: 1
        may: [has_melee]
        prefer: {wanted: 2.0, near_place: 2.0, stays: 0.5}
        places: {slots: {around: target, radius: 1.5}}
        directions: {stand: place, face: target, gait: run, attack: token}
    - role:
        name: shoot
        least: 0
        directions: {stand: [6, 12], face: target, gait: walk, attack: token}
"""


def write_fight(folder: Path, *, ready: bool = False) -> str:
    """Write the scenario and its trees into a folder; return its name. `ready`: by trees that come with lastseen."""
    text = FIGHT.replace("{fight: ours.yaml, wait: wait.yaml}", "true").split("script:")[0] if ready else FIGHT
    (folder / "fight.yaml").write_text(text)
    (folder / "ours.yaml").write_text(TREE)
    (folder / "wait.yaml").write_text("root: {roles: [{role: {name: wait, least: 2}}]}")
    return "fight.yaml"
