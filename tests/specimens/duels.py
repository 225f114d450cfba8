"""Puppets who fight in an open hall."""

from __future__ import annotations

from lastseen.agents.bodies.orders import Act
from specimens.worlds import Play

STEP = 1.0 / 30.0


def duel(guards: str, *, you: str = "", combat: str = "true", more: str = "", seconds: float = 60.0) -> Play:
    """Guards who are puppets against one in an open hall; agents are numbered as they are written."""
    people = "\n".join(f"  - {{brain: puppet, team: guards, {guard}}}" for guard in guards.split(";"))
    return Play(f"""
level: hall
seconds: {seconds}
rules: none
combat: {combat}
{more}
agents:
{people}
  - {{name: you, brain: puppet, {you or "at: [12, 9]"}}}
""")


def order(play: Play, kind: str, agent: int = 0, number: int = -1) -> None:
    """Have one attack another in the next step, the last one if no number is given."""
    play.world.acts.outside.append((agent, Act(kind, number if number >= 0 else len(play.world.names) - 1)))  # type: ignore[arg-type]


def ticks(play: Play, kind: str) -> list[int]:
    return [event.tick for event in play.of_kind(kind)]
