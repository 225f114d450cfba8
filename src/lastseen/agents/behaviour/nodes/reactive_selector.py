"""ReactiveSelector: do the most important thing that can be done now."""

from __future__ import annotations

from ..status import FAILURE
from ..turns import Reactive

__all__ = ["ReactiveSelector"]


class ReactiveSelector(Reactive):
    """Ticks all children from the first at every tick until one does not fail.

    | a child returns | the selector                                                                     |
    |-----------------|----------------------------------------------------------------------------------|
    | SUCCESS         | SUCCESS; a later child that was running is interrupted                           |
    | RUNNING         | RUNNING; a later child that was running is interrupted; the next tick begins anew |
    | FAILURE         | ticks the next in the same tick; FAILURE after the last                          |

    The usual root of a guard: what outranks takes over as soon as it can. An interrupted child is exited after the tick
    of the one that took over: an exit should give back only what its own node took.
    """

    kind = "reactive_selector"
    passes = FAILURE
    _is_plain = True
