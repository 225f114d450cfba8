"""Reaction times: the delay between perceiving and acting, and the queues of sightings and sounds that wait for it."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from ....checks import finite_number, read_only, real_array, shown, thing_of
from ....conventions import Array, Bools, Floats
from ....errors import InputError, did_you_mean
from ..arguments import count_of, one_of, time_of, truths_of
from ..hearing.hearing_case import Heard
from ..hearing.sounds import Sound

Kind = Literal["simple", "go/no-go", "complex"]
Sense = Literal["visual", "auditory"]


@dataclass(frozen=True)
class ReactionTime:
    """Seconds from stimulus to trigger for somebody who is ready, expects it and has aimed; all else is added.

    Attributes
    ----------
    simple, go_no_go, complex : visual: only an enemy can appear; friend or foe may; the best of several must be found.
    auditory : seconds a simple reaction to a sound takes; other kinds are as much quicker than by sight.
    weak : seconds more for the weakest stimulus, in proportion to how weak it is.
    spread : seconds, mean of what is added by chance to every reaction: it never gets quicker than the others say.
    lapse_chance, lapse : how often attention lapses, and seconds that then adds at most.

    Notes
    -----
    Chapter 5. Base values are means of Laming (1968) and Kosinski (2013); those of "complex", of `weak`, `spread` and
    lapses are ours: the source says only that they are longer, and added.
    """

    simple: float = 0.2
    go_no_go: float = 0.38
    complex: float = 0.6
    auditory: float = 0.16
    weak: float = 0.2
    spread: float = 0.0
    lapse_chance: float = 0.0
    lapse: float = 1.0

    def __post_init__(self) -> None:
        finite_number(self.auditory, "auditory", unit="s", low=0.0, high=60.0)
        finite_number(self.simple, "simple", unit="s", low=self.auditory, high=60.0)
        finite_number(self.go_no_go, "go_no_go", unit="s", low=self.simple, high=60.0)
        finite_number(self.complex, "complex", unit="s", low=self.go_no_go, high=60.0)
        for name in ("weak", "spread", "lapse"):
            finite_number(getattr(self, name), name, unit="s", low=0.0, high=60.0)
        finite_number(self.lapse_chance, "lapse_chance", low=0.0, high=1.0)

    def base(self, kind: Kind = "simple", sense: Sense = "visual") -> float:
        """Seconds of a reaction without anything added."""
        times = {"simple": self.simple, "go/no-go": self.go_no_go, "complex": self.complex}
        one_of(sense, ("visual", "auditory"), "sense")
        return times[one_of(kind, times, "kind")] - (self.simple - self.auditory if sense == "auditory" else 0.0)

    def delay(
        self,
        kind: Kind = "simple",
        sense: Sense = "visual",
        *,
        strength: Any = 1.0,
        aim: Any = 0.0,
        chance: Any = None,
    ) -> Floats:
        """How long does a reaction take? Seconds, in the shape of what is given.

        Parameters
        ----------
        strength : 0 … 1 of the stimulus; weaker: later.
        aim : seconds still needed to aim or move.
        chance : (…, 2) numbers 0 … 1 from a generator of `rng.generator`, for spread and lapses; None: neither.
        """
        weakness = 1.0 - _within(strength, "strength", 1.0)
        seconds = _sum(self.base(kind, sense) + self.weak * weakness, _within(aim, "aim", 3600.0), "strength and aim")
        if chance is None:
            return seconds
        draws = _within(chance, "chance", 1.0)
        if draws.ndim < 1 or draws.shape[-1] != 2:
            raise InputError(f"chance has shape {draws.shape}; give two numbers for each reaction: (…, 2)")
        seconds = _sum(seconds, -self.spread * np.log1p(-np.minimum(draws[..., 0], 1.0 - 1e-12)), "chance")
        if self.lapse_chance > 0.0:
            # The same number says whether attention lapses and for how long.
            share = 1.0 - draws[..., 1] / self.lapse_chance
            seconds = seconds + self.lapse * np.maximum(share, 0.0)
        return seconds


def _within(values: Any, name: str, high: float) -> Floats:
    """Return numbers of any shape from 0 to `high`."""
    given = real_array(values, name, f"numbers 0 … {high:g}")
    if not ((given >= 0.0) & (given <= high)).all():
        raise InputError(f"{name} is {shown(values)}; give numbers 0 … {high:g}")
    return given


def _sum(one: Floats, other: Floats, name: str) -> Floats:
    """Return numbers added, each to its own."""
    try:
        return np.asarray(one + other, np.float64)
    except ValueError:
        raise InputError(f"{name}: shapes {np.shape(one)} and {np.shape(other)} do not go together") from None


REACTIONS = {
    "usual": ReactionTime(),
    "rounded": ReactionTime(go_no_go=0.4),
    "Kosinski": ReactionTime(simple=0.19),
    "Laming": ReactionTime(simple=0.22),
    "varied": ReactionTime(spread=0.04),
    "inattentive": ReactionTime(spread=0.04, lapse_chance=0.1),
    "at once": ReactionTime(simple=0.0, go_no_go=0.0, complex=0.0, auditory=0.0, weak=0.0),
}
"""Reaction times by name; "at once" is for those who need none."""


def reaction(name: str) -> ReactionTime:
    """Return the reaction time of that name in `REACTIONS`."""
    if not isinstance(name, str) or name not in REACTIONS:
        hint = did_you_mean(name, REACTIONS)
        raise InputError(f"no reaction time is named {shown(name)}{hint}; give one of {', '.join(REACTIONS)}")
    return REACTIONS[name]


class ReactionQueue:
    """Who may act on what it perceives? For n observers and m targets, all at once.

    Parameters
    ----------
    keeps : seconds for which somebody stays ready after losing the target; then a new delay begins.

    Attributes
    ----------
    due : (n, m) float64, when the reaction comes; infinite: none is under way.
    """

    def __init__(self, observers: int, targets: int, *, keeps: float = 1.0):
        size = count_of(observers, "observers"), count_of(targets, "targets")
        self.due: Floats = np.full(size, np.inf)
        self._last: Floats = np.full(size, -np.inf)
        self.keeps = finite_number(keeps, "keeps", unit="s", low=0.0, high=3600.0)

    def step(self, perceived: Any, delay: Any, now: float) -> Bools:
        """Take in who perceives whom, (n, m) bool, and how long each would need; return who may act by now, (n, m).

        The delay counts from the step in which a perception begins; later ones do not change it.

        Parameters
        ----------
        delay : seconds, one number or (n, m); or a function that is given the rows (k,) and columns (k,) of reactions
            that begin and returns their seconds (k,), so that each is drawn anew.
        """
        seen, now = truths_of(perceived, "perceived"), time_of(now)
        if seen.shape != self.due.shape:
            raise InputError(f"perceived has shape {seen.shape}; give {self.due.shape}: observers and targets")
        waits = None if callable(delay) else real_array(delay, "delay", "seconds")
        if waits is not None and waits.shape not in ((), seen.shape):
            raise InputError(f"delay has shape {waits.shape}; give one number of seconds, or {seen.shape}")
        self.due[now - self._last > self.keeps] = np.inf
        begins = seen & np.isinf(self.due)
        if waits is not None:
            self.due[begins] = now + np.broadcast_to(waits, seen.shape)[begins]
        elif begins.any():
            rows, columns = np.nonzero(begins)
            self.due[rows, columns] = now + np.asarray(delay(rows, columns), np.float64)
        self._last[seen] = now
        # Sums of steps may fall a hair short of the delay.
        return seen & (self.due <= now + 1e-9)


_STEPS = ("footstep", "breathing")


class SoundQueue:
    """Who may act on what it heard? For n listeners, all sounds at once.

    What somebody does again and again (steps, shots), and a sound that lasts, is one event: the delay counts from where
    it began to be heard, and who attends to it hears what follows at once.

    Parameters
    ----------
    keeps : seconds of silence after which the same begins anew, with a new delay.

    Notes
    -----
    Chapter 5 gives the delays; see `ReactionTime`.
    """

    def __init__(self, listeners: int, *, keeps: float = 1.0):
        self._count = count_of(listeners, "listeners")
        self.keeps = finite_number(keeps, "keeps", unit="s", low=0.0, high=3600.0)
        self._sounds: dict[Hashable, Sound] = {}
        self._due: Floats = np.empty((0, self._count))
        self._last: Floats = np.empty((0, self._count))
        self._fresh: Bools = np.empty((0, self._count), np.bool_)
        self._how: Array = np.empty((0, self._count, 4), np.float32)

    @property
    def waiting(self) -> Bools:
        """Who has heard something and has not come to react to it yet? (n,) bool."""
        return np.asarray(self._fresh.any(axis=0))

    def step(self, heard: Heard, delay: Callable[[Array, Array], Any], now: float) -> Heard:
        """Take in what is heard; return what may be acted on by now.

        Parameters
        ----------
        delay : is given the listeners (k,) and the loudness 0 … 1 (k,) of reactions that begin; returns seconds (k,).
        """
        heard, now = thing_of(heard, Heard, "heard", "give what `listen` returns"), time_of(now)
        if heard.heard.shape[1] != self._count:
            raise InputError(f"{heard.heard.shape[1]} listen; this queue is for {self._count}")
        if not callable(delay):
            raise InputError(f"delay is {shown(delay)}; give a function of listeners and loudness")
        if not self._sounds and not heard.heard.any():
            return _none(heard)
        self._take_in(heard, delay, now)
        due = self._fresh & (self._due <= now + 1e-9)
        rows = np.flatnonzero(due.any(axis=1))
        sounds = list(self._sounds.values())
        how = self._how[rows]
        found = Heard(
            tuple(sounds[row] for row in rows.tolist()),
            heard.listeners,
            read_only(due[rows]),
            read_only(np.where(due[rows], how[..., 0], np.float32(np.inf))),
            read_only(np.where(due[rows], how[..., 1], np.float32(0.0))),
            read_only(how[..., 2:].copy()),
        )
        self._fresh &= ~due
        self._forget(now)
        return found

    def _take_in(self, heard: Heard, delay: Callable[[Array, Array], Any], now: float) -> None:
        audible = np.flatnonzero(heard.heard.any(axis=1))
        at = [self._row(heard.sounds[number]) for number in audible.tolist()]
        for number, row in zip(audible.tolist(), at):
            # One who breathes and steps at once is heard twice: the later one counts, of both.
            who = heard.heard[number]
            self._fresh[row] |= who
            self._last[row, who] = now
            self._how[row, who, 0], self._how[row, who, 1] = heard.metres[number, who], heard.loudness[number, who]
            self._how[row, who, 2:] = heard.direction_xy[number, who]
        begins = self._fresh & np.isinf(self._due)
        if begins.any():
            rows, listeners = np.nonzero(begins)
            self._due[rows, listeners] = now + np.asarray(delay(listeners, self._how[rows, listeners, 1]), np.float64)

    def _row(self, sound: Sound) -> int:
        """Return the row of an event, a new one where it has none yet; the latest sound of it is kept."""
        repeated = sound.made_by >= 0 and sound.lifetime == 0.0
        key: Hashable = ("steps" if sound.kind in _STEPS else sound.kind, sound.made_by) if repeated else sound
        if key not in self._sounds:
            self._due = np.vstack([self._due, np.full(self._count, np.inf)])
            self._last = np.vstack([self._last, np.full(self._count, -np.inf)])
            self._fresh = np.vstack([self._fresh, np.zeros(self._count, np.bool_)])
            self._how = np.vstack([self._how, np.zeros((1, self._count, 4), np.float32)])
        self._sounds[key] = sound
        return list(self._sounds).index(key)

    def _forget(self, now: float) -> None:
        """Let events end that nobody has heard for a while and nobody has yet to react to."""
        over = (now - self._last > self.keeps) & ~self._fresh
        self._due[over] = np.inf
        kept: Bools = np.asarray(np.isfinite(self._due).any(axis=1))
        if not kept.all():
            self._sounds = {key: self._sounds[key] for key, keep in zip(list(self._sounds), kept.tolist()) if keep}
            self._due, self._last, self._fresh = self._due[kept], self._last[kept], self._fresh[kept]
            self._how = self._how[kept]


def _none(heard: Heard) -> Heard:
    empty = np.empty((0, heard.heard.shape[1]))
    columns = empty.astype(np.bool_), empty.astype(np.float32), empty.astype(np.float32)
    direction = np.empty((*empty.shape, 2), np.float32)
    return Heard((), heard.listeners, *map(read_only, (*columns, direction)))
