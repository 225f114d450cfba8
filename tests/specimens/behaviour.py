"""Leaves that count their entries, ticks and exits, and their context."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from lastseen.agents.behaviour.leaf import Leaf
from lastseen.agents.behaviour.status import FAILURE, IDLE, RUNNING, SUCCESS, Status

LETTERS = {"S": SUCCESS, "F": FAILURE, "R": RUNNING}
WORDS = {status: letter for letter, status in LETTERS.items()} | {IDLE: "."}


@dataclass
class Mind:
    """The minimal context of a tree."""

    time: float = 0.0
    blackboard: dict[str, Any] = field(default_factory=dict)
    log: list[str] = field(default_factory=list)


class Counting(Leaf):
    """Returns the statuses of a script by letter, repeating the last, and counts entries, ticks and exits.

    `!` raises.
    """

    def __init__(self, script: str = "S", *, name: str = ""):
        self.script, self.name = script, name or script
        self.entries = self.ticks = 0
        self.exits: list[Status] = []

    @property
    def counts(self) -> tuple[int, int, int]:
        return self.entries, self.ticks, len(self.exits)

    def enter(self, context: Mind) -> None:
        self.entries += 1
        context.log.append(f"+{self.name}")

    def tick(self, context: Mind) -> Status:
        letter = self.script[min(self.ticks, len(self.script) - 1)]
        self.ticks += 1
        context.log.append(self.name)
        if letter == "!":
            raise RuntimeError("out of order")
        self.reason = f"said {letter}"
        return LETTERS[letter]

    def exit(self, context: Mind, status: Status) -> None:
        self.exits.append(status)
        context.log.append(f"-{self.name}")


def ticked(tree: Any, times: int, mind: Mind | None = None, step: float = 0.0) -> str:
    """Tick a tree and return its statuses as letters; `step` seconds pass after each tick."""
    mind = mind or Mind()
    answers = ""
    for _ in range(times):
        answers += WORDS[tree.tick(mind)]
        mind.time += step
    return answers
