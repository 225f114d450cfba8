"""How long things stay visible: one table for pictures, animations and the page, which gets it in `hello`."""

from __future__ import annotations

import msgspec


class Timings(msgspec.Struct, frozen=True, kw_only=True):
    """Seconds of game time.

    Attributes
    ----------
    speech, speech_fade : duration of a spoken line, and of the fade at its end.
    sound : duration of a sound, whose rings widen and fade all the time.
    hit, blink : duration of the result of an attack, and of the trail of a blink.
    decoy, hold : duration for which a decoy, or a standstill or possession, is looked for in earlier events.
    flood, flood_grows, flood_fade : duration of the flood of a chase, of its growth, and of the fade at its end.
    flag_drops : time from the end of a flood's growth until its flag stands.
    belief_fresh, belief : ages at which a belief appears and disappears.
    belief_fade : time in which a belief would fade out; `belief_least` (0 … 1) of it stays visible.
    """

    speech: float = 3.0
    speech_fade: float = 0.75
    sound: float = 1.1
    hit: float = 0.45
    blink: float = 0.8
    decoy: float = 10.0
    hold: float = 60.0
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
    """Return the opacity, 1 … 0, of something shown for `shown` seconds that fades out in the last `fade` of them."""
    return min(1.0, max(0.0, (shown - age) / fade))
