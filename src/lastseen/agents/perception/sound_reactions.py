"""Reactions to sounds: what was heard comes to mind a moment later, also if it is over by then."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

import numpy as np

from ...checks import finite_number, read_only, shown, thing_of
from ...conventions import Array, Bools, Floats
from ...errors import InputError
from .arguments import count_of, time_of
from .hearing_case import Heard
from .sounds import Sound

__all__ = ["SoundQueue"]

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
