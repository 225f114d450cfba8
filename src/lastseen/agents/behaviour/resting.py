"""Resting: skip parts of a tree whose next run would repeat the last one.

Most of an agent's tree is guards whose condition fails tick after tick. A leaf may name the facts without which it
always returns the same status and has no effect (`Node.woken_by`); `context.facts` holds those that are true now. A
branch *rests* if everything reached in its last run is of that kind and none of those facts held then or holds now: it
and all nodes below it keep their statuses.

`Branches` skips resting children of one reactive node. `LeafShortcut` skips a whole tree but its running leaf.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from .hints import Hints
from .node import ALWAYS, LASTING, Node, TickState
from .status import RUNNING, Status


class Branches:
    """The children of one reactive node in their current order.

    Parameters
    ----------
    branches : children of one node in a tree, whose tables are given as `seen`, `statuses` and `shared`.
    passes : the status with which a child lets the next one run.
    """

    __slots__ = (
        *("_branches", "_can_rest", "_facts", "_is_contiguous", "_passes", "_reached", "_resting", "_rests"),
        *("_seen", "_shared", "_spans", "_statuses", "may_rest"),
    )

    def __init__(
        self, branches: Sequence[Node], passes: Status, seen: bytearray, statuses: bytearray, shared: TickState
    ):
        self._branches, self._passes = tuple(branches), passes
        self._can_rest = tuple(branch.can_rest() for branch in branches)
        self.may_rest = any(self._can_rest)
        self._spans = [(branch.index, branch.last.index + 1) for branch in branches]
        self._is_contiguous = all(one[1] == other[0] for one, other in zip(self._spans, self._spans[1:]))
        self._seen, self._statuses, self._shared = seen, statuses, shared
        self.forget()

    def forget(self) -> None:
        """Let no branch rest, because the statuses of the last run are no longer valid."""
        self._rests = [ALWAYS] * len(self._branches) if self.may_rest else []
        """Facts that wake each branch."""
        self._reached = -1
        """Index of the last branch reached in the last run; later ones are idle."""
        self._facts, self._resting = ALWAYS, 0
        """Number of leading branches that rest under these facts; 0 if not determined."""

    def run(self, context: Any) -> tuple[int, Status]:
        """Run branches until one does not pass; return its index (their number if all pass) and its status."""
        branches, passes = self._branches, self._passes
        at, count, facts, known = 0, len(branches), -1, None
        while at < count:
            if self._rests:
                known = self._shared.facts
                facts = getattr(context, "facts", -1) | ALWAYS if known is None else known
                at = self._pass_over(at, facts)
                if at == count:
                    return at, passes
            branch = branches[at]
            is_new = branch.status is not RUNNING
            if known is None or not is_new or branch._result is not None:
                status = branch.run(context)
            else:  # It rests: see LeafShortcut.
                status = branch.repeat()
            if status is not passes:
                if at < self._reached or (self._can_rest[at] and self._rests[at] != ALWAYS):
                    self._leave(at)
                self._reached = at
                return at, status
            if self._can_rest[at]:
                self._note(at, branch.rest() if is_new else ALWAYS, facts)
            at += 1
        self._reached = count - 1
        return at, passes

    def _note(self, at: int, wakes: int, facts: int) -> None:
        """Store the facts that wake a branch that was just run."""
        wakes = ALWAYS if wakes & facts else wakes
        if wakes != self._rests[at]:
            self._rests[at] = wakes
            self._resting = 0

    def _leave(self, at: int) -> None:
        """Wake this branch and those after it, which are no longer reached."""
        if self._rests:
            for later in range(at, max(at, self._reached) + 1):
                self._rests[later] = ALWAYS
            self._resting = 0

    def _pass_over(self, first: int, facts: int) -> int:
        """Mark resting branches as reached with their current statuses; return the first that does not rest."""
        if first == 0 and self._resting and facts == self._facts:
            end = self._resting
        else:
            end, rests = first, self._rests
            while end < len(rests) and not rests[end] & facts:
                end += 1
            if first == 0:
                self._facts, self._resting = facts, end
        if end == first:
            return end
        spans = self._spans
        if self._is_contiguous:
            start, stop = spans[first][0], spans[end - 1][1]
            self._seen[start:stop] = self._statuses[start:stop]
        else:
            for start, stop in spans[first:end]:
                self._seen[start:stop] = self._statuses[start:stop]
        return end


class LeafShortcut:
    """Ticks only the running leaf of a tree while no fact wakes anything else.

    An agent on its patrol does one thing for many ticks: every condition on the path to its running leaf rests, and
    each node above the leaf continues with the same child. When the leaf ends, the tree is run from its root with the
    leaf's result.

    Parameters
    ----------
    root, hints, shared : those of the tree.
    """

    __slots__ = (
        *("_changes", "_has_looked", "_held", "_hints", "_is_ready"),
        *("_leaf", "_rests", "_root", "_shared", "_wakes"),
    )

    def __init__(self, root: Node, hints: Hints, shared: TickState):
        self._root, self._hints, self._shared = root, hints, shared
        self._leaf: Node | None = None
        self._wakes = self._held = self._changes = 0
        self._has_looked = self._is_ready = self._rests = False

    def run(self, context: Any) -> bool:
        """Run the leaf if nothing else has to run; return whether it is still running. If not, run the tree."""
        shared, leaf, hints = self._shared, self._leaf, self._hints
        if shared.changed:  # in the last tick or since
            shared.changed = self._has_looked = self._is_ready = self._rests = False
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
        leaf._result, shared.facts = status, facts
        return False

    def look(self, seen: bytearray) -> None:
        """Find the leaf after a run of the tree that reached these nodes."""
        if self._shared.changed:
            return
        # Whatever rests now must also have rested in that run.
        self._is_ready = self._rests
        if not self._has_looked:
            self._has_looked, self._changes = True, self._hints.changes
            self._leaf, self._wakes = _next_leaf(self._root, seen)


def _next_leaf(node: Node, seen: bytearray) -> tuple[Node | None, int]:
    """Return the leaf that the next tick leads to (None if undetermined) and the facts that wake anything else."""
    wakes = 0
    while node.children:
        if not node._is_pure and not node._follows_hints:
            return None, 0
        running = []
        for child in node.children:
            if seen[child.index]:
                if child.status is RUNNING:
                    running.append(child)
                else:
                    wakes |= child.rest()
                if wakes & ALWAYS:
                    return None, 0
        if len(running) != 1:
            return None, 0
        node = running[0]
    return (node if node.status is RUNNING and node._has_default_run else None), wakes
