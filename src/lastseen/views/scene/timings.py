"""How long things stay visible: the only table of timings; pictures and animations read it, pages get it in `hello`."""

from __future__ import annotations

import msgspec


class Timings(msgspec.Struct, frozen=True, kw_only=True):
    """Seconds of game time.

    Attributes
    ----------
    speech, speech_fade : for which words are shown, and the last part of it, over which they fade out.
    sound : for which a sound is shown; its rings widen and fade all the time.
    hit : for which the result of an attack is shown.
    flood, flood_grows, flood_fade : for which the flood of a chase is shown, until it has grown, and at its end.
    flag_drops : after the growth of a flood, until its flag stands.
    belief_fresh, belief : a belief is shown once it is older than the first, until it is older than the second.
    belief_fade : in which a belief would fade out; `belief_least` (0 … 1) of it stays visible.
    """

    speech: float = 3.0
    speech_fade: float = 0.75
    sound: float = 1.1
    hit: float = 0.45
    flood: float = 4.5
    flood_grows: float = 1.2
    flood_fade: float = 0.8
    flag_drops: float = 0.35
    belief_fresh: float = 0.25
    belief: float = 90.0
    belief_fade: float = 60.0
    belief_least: float = 0.35


TIMINGS = Timings()


def fading(age: float, shown: float, fade: float) -> float:
    """Return the strength, 1 … 0, of something shown for so many seconds, the last `fade` of them fading out."""
    return min(1.0, max(0.0, (shown - age) / fade))
