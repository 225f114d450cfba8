"""ReactiveSequence and ReactiveSelector: restart from the first child at every tick, skipping repeated results.

Most of an agent's tree is guards whose condition fails tick after tick. A leaf may name the facts without which it
always gives the same answer and has no effect (`Node.woken_by`); the context says which hold now (`context.facts`).
A child *rests* if everything reached in its last run is of that kind and none of those facts held then or holds now:
it and all below it stay as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from ..node import ALWAYS, Composite, Node, Pulse
from ..status import FAILURE, IDLE, RUNNING, SUCCESS, Status


class Turns:
    """The children of one node in their present order.

    Parameters
    ----------
    branches : children of one node in a tree, whose tables are given as `seen`, `statuses` and `pulse`.
    passes : the status with which a child lets the next one run.
    """

    __slots__ = (
        *("_branches", "_can_rest", "_facts", "_is_row", "_passes", "_pulse", "_reached", "_resting", "_rests"),
        *("_seen", "_spans", "_statuses"),
    )

    def __init__(self, branches: Sequence[Node], passes: Status, seen: bytearray, statuses: bytearray, pulse: Pulse):
        self._branches, self._passes = tuple(branches), passes
        self._can_rest = tuple(branch.can_rest() for branch in branches)
        self._spans = [(branch.index, branch.last.index + 1) for branch in branches]
        self._is_row = all(one[1] == other[0] for one, other in zip(self._spans, self._spans[1:]))
        self._seen, self._statuses, self._pulse = seen, statuses, pulse
        self.forget()

    def forget(self) -> None:
        """Let no branch rest: the statuses of the last run no longer stand."""
        self._rests = [ALWAYS] * len(self._branches) if any(self._can_rest) else []
        """Facts that wake each branch."""
        self._reached = -1
        """The last branch of the last run: those after it are idle."""
        self._facts, self._resting = ALWAYS, 0
        """How many leading branches rest under which facts; 0: not known."""

    def run(self, context: Any) -> tuple[int, Status]:
        """Run branches until one does not pass; return its place (their number if all pass) and its status."""
        branches, passes = self._branches, self._passes
        at, count, facts, known = 0, len(branches), -1, None
        while at < count:
            if self._rests:
                known = self._pulse.facts
                facts = getattr(context, "facts", -1) | ALWAYS if known is None else known
                at = self._pass_over(at, facts)
                if at == count:
                    return at, passes
            branch = branches[at]
            is_new = branch.status is not RUNNING
            if known is None or not is_new or branch._answered is not None:
                status = branch.run(context)
            else:  # it rests: see `Tail`
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
        """Mark resting branches as reached with the statuses they have; return the first that does not rest."""
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
        if self._is_row:
            start, stop = spans[first][0], spans[end - 1][1]
            self._seen[start:stop] = self._statuses[start:stop]
        else:
            for start, stop in spans[first:end]:
                self._seen[start:stop] = self._statuses[start:stop]
        return end


class Reactive(Composite):
    """A node that begins with its first child at every tick; the child that was running is interrupted by another."""

    passes: ClassVar[Status] = FAILURE
    """The status with which a child lets the next one run."""
    _turns: Turns | None = None
    _running: Node | None = None

    def enter(self, context: Any) -> None:  # noqa: ARG002
        """Nothing runs yet."""
        self._running = None
        if self._turns is not None and self.status is IDLE:
            self._turns.forget()

    def tick(self, context: Any) -> Status:
        """Begin with the first child."""
        if self._turns is None:
            self._turns = Turns(self.children, self.passes, self._seen, self._statuses, self._pulse)
        at, status = self._turns.run(context)
        if status is not self.passes and self._running is not self.children[at]:
            if self._running is not None:
                self._running.interrupt(context)
            self._running = self.children[at]
        return status


class ReactiveSequence(Reactive):
    """Ticks all children from the first at every tick until one does not succeed.

    | a child returns | the sequence                                                                     |
    |-----------------|----------------------------------------------------------------------------------|
    | SUCCESS         | ticks the next in the same tick; SUCCESS after the last                          |
    | RUNNING         | RUNNING; a later child that was running is interrupted; the next tick starts over |
    | FAILURE         | FAILURE; a later child that was running is interrupted                           |

    Meant for conditions followed by one action. An interrupted child is exited after the tick of the one that stopped
    it: an exit should give back only what its own node took.
    """

    kind = "reactive_sequence"
    passes = SUCCESS
    _is_plain = True


class ReactiveSelector(Reactive):
    """Ticks all children from the first at every tick until one does not fail.

    | a child returns | the selector                                                                     |
    |-----------------|----------------------------------------------------------------------------------|
    | SUCCESS         | SUCCESS; a later child that was running is interrupted                           |
    | RUNNING         | RUNNING; a later child that was running is interrupted; the next tick starts over |
    | FAILURE         | ticks the next in the same tick; FAILURE after the last                          |

    The usual root of a guard: what outranks takes over as soon as it can. An interrupted child is exited after the tick
    of the one that took over: an exit should give back only what its own node took.
    """

    kind = "reactive_selector"
    passes = FAILURE
    _is_plain = True
