"""ReactiveSequence: do something only as long as what comes before it still holds."""

from __future__ import annotations

from ..status import SUCCESS
from ..turns import Reactive

__all__ = ["ReactiveSequence"]


class ReactiveSequence(Reactive):
    """Ticks all children from the first at every tick until one does not succeed.

    | a child returns | the sequence                                                                     |
    |-----------------|----------------------------------------------------------------------------------|
    | SUCCESS         | ticks the next in the same tick; SUCCESS after the last                          |
    | RUNNING         | RUNNING; a later child that was running is interrupted; the next tick begins anew |
    | FAILURE         | FAILURE; a later child that was running is interrupted                           |

    Meant for conditions followed by one action. An interrupted child is exited after the tick of the one that stopped
    it: an exit should give back only what its own node took.
    """

    kind = "reactive_sequence"
    passes = SUCCESS
    _is_plain = True
