"""Resting: skip parts of a tree whose next run would repeat the last one.

Most of an agent's tree is guards whose condition fails tick after tick. A leaf may name the facts without which it
always returns the same status and has no effect (`Node.woken_by`); `context.facts` holds those that are true now. A
branch *rests* if everything reached in its last run is of that kind and none of those facts held then or holds now: it
and all nodes below it keep their statuses.

`Branches` skips resting children of one reactive node. `LeafShortcut` skips a whole tree but its running leaf and the
conditions before it that do not rest.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from .hints import Hints
from .leaf import Condition
from .node import ALWAYS, LASTING, Node, TickState
from .status import RUNNING, Status

_NEVER = math.inf


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
    """Ticks only the running leaf of a tree, and the conditions before it that do not rest, while these do not change.

    An agent on its patrol does one thing for many ticks: each node above its running leaf continues with the same
    child, as every condition on the way rests or gives the same result. When the leaf ends or a condition changes, the
    tree is run from its root with the results of this tick.

    Parameters
    ----------
    root, hints, shared : those of the tree.
    """

    __slots__ = (
        *("_asked", "_changes", "_collects", "_facts", "_has_looked", "_held", "_hints", "_idle", "_is_ready"),
        *("_leaf", "_rests", "_root", "_shared", "_wakes"),
    )

    def __init__(self, root: Node, hints: Hints, shared: TickState):
        self._root, self._hints, self._shared = root, hints, shared
        self._leaf: Node | None = None
        self._asked: tuple[Condition, ...] = ()
        """Conditions that do not rest, in the order in which the tree runs them."""
        self._wakes = self._held = self._changes = self._facts = 0
        self._idle = 0
        """Facts under which the leaf alone was ticked and may idle now (see `Node.idles`); 0: it may not."""
        self._has_looked = self._is_ready = self._rests = self._collects = False

    def run(self, context: Any) -> bool:
        """Run the leaf if nothing else has to run; return whether it is still running. If not, run the tree."""
        shared, leaf, hints = self._shared, self._leaf, self._hints
        if self._collects:  # the last tick raised
            self._drop_results()
        if shared.changed:  # in the last tick or since
            shared.changed = self._has_looked = self._is_ready = self._rests = False
            self._leaf, self._idle = None, 0
            return False
        if leaf is None:
            return False
        facts = getattr(context, "facts", -1) | ALWAYS
        is_quiet = hints.changes == self._changes and hints.next_end == _NEVER
        if facts == self._idle and is_quiet and leaf.idles(context):
            return True
        self._idle = 0
        held, before = self._wakes & facts, self._held
        self._held = held
        self._rests = is_quiet and (not held or (facts > 0 and held & LASTING == held))
        if not self._rests or not self._is_ready or held != before:
            return False
        for condition in self._asked:
            status = condition.status
            # A condition that writes may wake others.
            if condition.run(context) is not status or (
                condition.writes and self._wakes & (getattr(context, "facts", -1) | ALWAYS) != held
            ):
                self._keep_results(condition)
                return False
        status = leaf.run(context)
        if status is RUNNING:
            if leaf._can_idle and facts > 0 and not self._asked:
                self._idle = facts
            return True
        leaf._result, shared.facts = status, facts
        return False

    def _keep_results(self, last: Condition) -> None:
        """Let the tree collect the results of the conditions up to the last one instead of running them again."""
        self._collects = True
        for condition in self._asked:
            condition._result = condition.status
            if condition is last:
                return

    def _drop_results(self) -> None:
        """Forget results that the tree did not collect, because it no longer reached these conditions."""
        self._collects = False
        for condition in self._asked:
            condition._result = None

    def look(self, context: Any, seen: bytearray) -> None:
        """Find the leaf after a run of the tree that reached these nodes."""
        if self._collects:
            self._drop_results()
        if self._shared.changed:
            return
        # Whatever rests now must also have rested in that run.
        self._is_ready = self._rests
        if self._has_looked and self._rests:
            return
        facts = getattr(context, "facts", -1) | ALWAYS
        if not self._has_looked or facts != self._facts:
            self._has_looked, self._changes, self._facts = True, self._hints.changes, facts
            asked: list[Condition] = []
            # Lasting facts wake nothing while they last; without known facts everything has to be asked.
            self._leaf, self._wakes = _next_leaf(self._root, seen, facts & ~LASTING if facts > 0 else -1, asked)
            self._asked = tuple(asked)


def _next_leaf(node: Node, seen: bytearray, facts: int, asked: list[Condition]) -> tuple[Node | None, int]:
    """Return the leaf that the next tick leads to (None if undetermined) and the facts that wake anything else.

    Conditions that are awake under the present facts are added to `asked` instead.
    """
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
                    wakes |= _waking(child, seen, facts, asked)
                if wakes & ALWAYS:
                    return None, 0
        if len(running) != 1:
            return None, 0
        node = running[0]
    return (node if node.status is RUNNING and node._has_default_run else None), wakes


def _waking(node: Node, seen: bytearray, facts: int, asked: list[Condition]) -> int:
    """Return the facts that wake a node that has ended, without those of its conditions that are awake now."""
    wakes = node.rest()
    if not wakes & facts:
        return wakes
    if node.__class__ is Condition:
        asked.append(node)
        return 0
    if node._is_pure:
        wakes = 0
        for child in node.children:
            if seen[child.index]:
                wakes |= _waking(child, seen, facts, asked)
    return wakes
