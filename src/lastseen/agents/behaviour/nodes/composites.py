"""Sequences and selectors: tick children one after another, from the running one or from the first at every tick."""

from __future__ import annotations

from typing import Any, ClassVar

from ..node import Composite, Node
from ..resting import Branches
from ..status import FAILURE, IDLE, SUCCESS, Status


class _Ordered(Composite):
    """A node that ticks children in order while they return `passes`, and resumes at the running child."""

    passes: ClassVar[Status] = SUCCESS
    """The status with which a child lets the next one run."""

    def enter(self, context: Any) -> None:  # noqa: ARG002
        """Begin with the first child."""
        self._at = 0

    def tick(self, context: Any) -> Status:
        """Resume where the last tick stopped."""
        children, passes = self.children, self.passes
        for at in range(self._at, len(children)):
            status = children[at].run(context)
            if status is not passes:
                self._at = at
                return status
        return passes


class Sequence(_Ordered):
    """Ticks children in order until one does not succeed; resumes with the one that was running.

    | a child returns | the sequence                                           |
    |-----------------|--------------------------------------------------------|
    | SUCCESS         | ticks the next in the same tick; SUCCESS after the last |
    | RUNNING         | RUNNING; the next tick resumes with this child         |
    | FAILURE         | FAILURE; the next run begins with the first child      |

    Earlier children are not ticked again while a later one runs: see `ReactiveSequence`.
    """

    kind = "sequence"
    passes = SUCCESS
    _is_pure = True


class Selector(_Ordered):
    """Ticks children in order until one does not fail; resumes with the one that was running.

    | a child returns | the selector                                           |
    |-----------------|--------------------------------------------------------|
    | SUCCESS         | SUCCESS; the next run begins with the first child      |
    | RUNNING         | RUNNING; the next tick resumes with this child         |
    | FAILURE         | ticks the next in the same tick; FAILURE after the last |

    Children of higher rank are not ticked again while a lower one runs: see `ReactiveSelector`.
    """

    kind = "selector"
    passes = FAILURE
    _is_pure = True


class SequenceWithMemory(Composite):
    """Ticks children in order; those that succeeded are not ticked again until all have.

    | a child returns | the sequence                                             |
    |-----------------|----------------------------------------------------------|
    | SUCCESS         | ticks the next in the same tick; SUCCESS after the last, then it begins with the first |
    | RUNNING         | RUNNING; the next tick resumes with this child           |
    | FAILURE         | FAILURE; the next run begins with this child             |

    An interrupted sequence also resumes with the child it had reached; `Tree.reset` starts over.
    """

    kind = "sequence_with_memory"

    _at = 0

    def forget(self) -> None:
        """Begin with the first child."""
        self._at = 0

    def tick(self, context: Any) -> Status:
        """Resume with the first child that has not succeeded yet."""
        children = self.children
        for at in range(self._at, len(children)):
            status = children[at].run(context)
            if status is not SUCCESS:
                self._at = at
                return status
        self._at = 0
        return SUCCESS


class _Reactive(Composite):
    """A node that begins with its first child at every tick, and interrupts the running child if another takes over."""

    passes: ClassVar[Status] = FAILURE
    """The status with which a child lets the next one run."""
    _branches: Branches | None = None
    _running: Node | None = None

    def enter(self, context: Any) -> None:  # noqa: ARG002
        """Begin with no child running."""
        self._running = None
        if self._branches is not None and self.status is IDLE:
            self._branches.forget()

    def tick(self, context: Any) -> Status:
        """Begin with the first child."""
        branches, passes, children = self._branches, self.passes, self.children
        if branches is None:
            branches = self._branches = Branches(children, passes, self._seen, self._statuses, self._shared)
        at, status = -1, passes
        if branches.may_rest:
            at, status = branches.run(context)
        else:  # Without keeping track of what wakes them, a tick takes four fifths of the time.
            for child in children:
                at += 1
                status = child.run(context)
                if status is not passes:
                    break
        if status is not passes and self._running is not children[at]:
            if self._running is not None:
                self._running.interrupt(context)
            self._running = children[at]
        return status


class ReactiveSequence(_Reactive):
    """Ticks all children from the first at every tick until one does not succeed.

    | a child returns | the sequence                                                                     |
    |-----------------|----------------------------------------------------------------------------------|
    | SUCCESS         | ticks the next in the same tick; SUCCESS after the last                          |
    | RUNNING         | RUNNING; a later child that was running is interrupted; the next tick starts over |
    | FAILURE         | FAILURE; a later child that was running is interrupted                           |

    Meant for conditions followed by one action. An interrupted child is exited after the tick of the child that
    stopped it, so an exit should release only what its own node acquired.
    """

    kind = "reactive_sequence"
    passes = SUCCESS
    _is_pure = True


class ReactiveSelector(_Reactive):
    """Ticks all children from the first at every tick until one does not fail.

    | a child returns | the selector                                                                     |
    |-----------------|----------------------------------------------------------------------------------|
    | SUCCESS         | SUCCESS; a later child that was running is interrupted                           |
    | RUNNING         | RUNNING; a later child that was running is interrupted; the next tick starts over |
    | FAILURE         | ticks the next in the same tick; FAILURE after the last                          |

    The usual root of a guard: a branch of higher rank takes over as soon as it can. An interrupted child is exited
    after the tick of the child that took over, so an exit should release only what its own node acquired.
    """

    kind = "reactive_selector"
    passes = FAILURE
    _is_pure = True
