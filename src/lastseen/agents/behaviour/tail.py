"""Tail: the one leaf at work while everything else in a tree rests.

An agent on its patrol does one thing for many ticks: everything asked on the way down to its running leaf rests (see
`turns`), and each node above the leaf continues with the same child. Such a tick is the tick of the leaf alone. When
the leaf ends, the tree is run from its root with the leaf's answer.
"""

from __future__ import annotations

import math
from typing import Any

from .hints import Hints
from .node import ALWAYS, LASTING, Node, Pulse
from .status import RUNNING


class Tail:
    """Finds the leaf and runs it while no fact wakes anything else.

    Parameters
    ----------
    root, hints, pulse : of the tree.
    """

    __slots__ = (
        *("_changes", "_has_looked", "_held", "_hints", "_is_ready"),
        *("_leaf", "_pulse", "_rests", "_root", "_wakes"),
    )

    def __init__(self, root: Node, hints: Hints, pulse: Pulse):
        self._root, self._hints, self._pulse = root, hints, pulse
        self._leaf: Node | None = None
        self._wakes = self._held = self._changes = 0
        self._has_looked = self._is_ready = self._rests = False

    def run(self, context: Any) -> bool:
        """Run the leaf if nothing else has to run; return whether it goes on. Otherwise the tree has to be run."""
        pulse, leaf, hints = self._pulse, self._leaf, self._hints
        if pulse.changed:  # in the last tick or since
            pulse.changed = self._has_looked = self._is_ready = self._rests = False
            self._leaf = None
            return False
        if leaf is None:
            return False
        facts = getattr(context, "facts", -1) | ALWAYS
        held, before = self._wakes & facts, self._held
        self._held = held
        self._rests = (
            (held & LASTING == held if facts > 0 else not held)
            and hints.changes == self._changes
            and hints.next_end == math.inf
        )
        if not self._rests or not self._is_ready or held != before:
            return False
        status = leaf.run(context)
        if status is RUNNING:
            return True
        leaf._answered, pulse.facts = status, facts
        return False

    def look(self, seen: bytearray) -> None:
        """Find the leaf after a run of the tree that reached these nodes."""
        if self._pulse.changed:
            return
        # What rests now must have rested then.
        self._is_ready = self._rests
        if not self._has_looked:
            self._has_looked, self._changes = True, self._hints.changes
            self._leaf, self._wakes = _find(self._root, seen)


def _find(node: Node, seen: bytearray) -> tuple[Node | None, int]:
    """Return the leaf the next tick leads to (None: it may lead elsewhere) and the facts that wake anything else."""
    wakes = 0
    while node.children:
        if not node._is_plain and not node._follows_hints:
            return None, 0
        reached = [child for child in node.children if seen[child.index]]
        running = [child for child in reached if child.status is RUNNING]
        for child in reached:
            wakes |= 0 if child.status is RUNNING else child.rest()
        if len(running) != 1 or wakes & ALWAYS:
            return None, 0
        node = running[0]
    return (node if node.status is RUNNING and node._is_run_as_usual else None), wakes
