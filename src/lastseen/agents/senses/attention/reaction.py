"""Reaction times: the delay between perceiving and acting, and the queues of sightings and sounds that wait for it."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from ....checks import finite_number, instance_of, read_only, real_array, shown
from ....conventions import Array, Bools, Floats
from ....errors import InputError
from ..arguments import count_of, named, one_of, time_of, truths_of
from ..hearing.hearing import Heard
from ..hearing.sounds import Sound

Kind = Literal["simple", "go/no-go", "complex"]
Sense = Literal["visual", "auditory"]


@dataclass(frozen=True)
class ReactionTime:
    """Seconds from stimulus to action for an agent that is ready, expects it and has aimed; delays are added.

    Attributes
    ----------
    simple, go_no_go, complex : visual reactions if only enemies can appear, if friends can, too, and if the best of
        several options must be found.
    auditory : simple reaction to a sound; the other kinds are quicker than visual ones by the same difference.
    weak : additional seconds for the weakest stimulus, in proportion to weakness.
    spread : mean of the random seconds added to every reaction; it never becomes quicker than without.
    lapse_chance, lapse : probability of a lapse of attention, and the seconds it adds at most.

    Notes
    -----
    Chapter 5. Base values are means of Laming (1968) and Kosinski (2013). The values of `complex`, `weak`, `spread` and
    lapses are ours: the source only says that they are longer, and added.
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
        """Return the seconds of a reaction without any delays."""
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
        """Return the seconds a reaction takes, in the shape of the arguments.

        Parameters
        ----------
        strength : 0 … 1, strength of the stimulus; weaker ones take longer.
        aim : seconds still needed to aim or move.
        chance : (…, 2) random numbers 0 … 1 for spread and lapses; None: neither.
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
            # The same number decides whether attention lapses, and for how long.
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
    """Return the elementwise sum."""
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
"""Reaction times by name; "at once" is for agents that react without delay."""


def reaction(name: str) -> ReactionTime:
    """Return the reaction time with this name in `REACTIONS`."""
    return named(name, REACTIONS, "reaction time")


class ReactionQueue:
    """Decides when n observers may act on the m targets they perceive.

    Parameters
    ----------
    keeps : seconds for which an observer stays ready after losing the target, 0 … 3600; then a new delay begins.

    Attributes
    ----------
    due : (n, m) float64, seconds at which the reaction happens; infinite if none is pending.
    """

    def __init__(self, observers: int, targets: int, *, keeps: float = 1.0):
        size = count_of(observers, "observers"), count_of(targets, "targets")
        self.due: Floats = np.full(size, np.inf)
        self._last: Floats = np.full(size, -np.inf)
        self.keeps = finite_number(keeps, "keeps", unit="s", low=0.0, high=3600.0)

    def step(self, perceived: Any, delay: Any, now: float) -> Bools:
        """Record which observers perceive which targets, (n, m) bool; return which may act now, (n, m) bool.

        The delay counts from the step in which a perception begins; later ones do not change it.

        Parameters
        ----------
        delay : seconds, one number or (n, m); or a function from the rows (k,) and columns (k,) of reactions that begin
            to their seconds (k,), so that each is drawn separately.
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
        # Sums of steps may fall slightly short of the delay.
        return seen & (self.due <= now + 1e-9)


_STEPS = ("footstep", "breathing")


class SoundQueue:
    """Decides when n listeners may act on the sounds they hear.

    Repeated sounds of one agent (steps, shots), or a lasting sound, are one event: the delay counts from when it was
    first heard, and a listener that attends to it reacts to what follows without delay.

    Parameters
    ----------
    keeps : seconds of silence after which an event begins again, with a new delay, 0 … 3600.

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
        """(n,) bool, whether a listener has heard something it has not reacted to yet."""
        return np.asarray(self._fresh.any(axis=0))

    def step(self, heard: Heard, delay: Callable[[Array, Array], Any], now: float) -> Heard:
        """Record what is heard; return what may be acted on now.

        Parameters
        ----------
        delay : function from the listeners (k,) and loudness 0 … 1 (k,) of reactions that begin to their seconds (k,).
        """
        heard, now = instance_of(heard, Heard, "heard", "give the result of `listen`"), time_of(now)
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
            # An agent that breathes and steps at once is heard twice; the later sound counts.
            hears = heard.heard[number]
            self._fresh[row] |= hears
            self._last[row, hears] = now
            self._how[row, hears, 0], self._how[row, hears, 1] = (
                heard.metres[number, hears],
                heard.loudness[number, hears],
            )
            self._how[row, hears, 2:] = heard.direction_xy[number, hears]
        begins = self._fresh & np.isinf(self._due)
        if begins.any():
            rows, listeners = np.nonzero(begins)
            self._due[rows, listeners] = now + np.asarray(delay(listeners, self._how[rows, listeners, 1]), np.float64)

    def _row(self, sound: Sound) -> int:
        """Return the row of a sound's event, adding one if needed; the latest sound of an event is kept."""
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
        """End events that have not been heard for a while and to which no reaction is pending."""
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
