"""Reactions: watchers become aware of what they see and hear after a reaction time."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ...agents.senses.attention.reaction import ReactionQueue, ReactionTime, SoundQueue, reaction
from ...agents.senses.hearing.hearing import Heard
from ...agents.senses.vision.sightings import BANDS, Sightings
from ...checks import read_only
from ...conventions import Array, Bools, Floats
from ...rng import generator

_IDENTIFIED = BANDS.index("identified")


class Reacting:
    """The reactions of all watchers, each with its own times; each delay is drawn when its reaction begins.

    Hearing a sound and noticing a target are simple reactions; telling friend from foe takes longer (go/no-go). Weak
    stimuli, faint or uncertain, take longer still.

    Parameters
    ----------
    names : of each watcher's times, in `REACTIONS`.
    targets, things : number of targets, and of objects that may change.

    Attributes
    ----------
    noticing, identifying : (watchers, targets); things : (watchers, doors and agents), changed objects.
    """

    def __init__(self, names: list[str], targets: int, things: int, seed: int):
        self._kinds: list[ReactionTime] = [reaction(name) for name in dict.fromkeys(names)]
        self._kind = np.array([list(dict.fromkeys(names)).index(name) for name in names], np.int64)
        self._chance = generator(seed, "reactions")
        self.noticing = ReactionQueue(len(names), targets)
        self.identifying = ReactionQueue(len(names), targets)
        self.things = ReactionQueue(len(names), things)
        self.sounds = SoundQueue(len(names))
        self._told = generator(seed, "reactions to news")

    def see(self, sightings: Sightings, now: float) -> Sightings:
        """Return the sightings that watchers are aware of by now."""
        visible, band = sightings.visible, sightings.band

        def simple(rows: Array, columns: Array) -> Floats:
            return self._delay("simple", "visual", rows, sightings.certainty[rows, columns])

        def go(rows: Array, columns: Array) -> Floats:
            return self._delay("go/no-go", "visual", rows, sightings.certainty[rows, columns])

        known = self.identifying.step(visible & (band == _IDENTIFIED), go, now)
        noticed = self.noticing.step(visible & (band > 0), simple, now) | known
        if (noticed == visible).all() and (known == (visible & (band == _IDENTIFIED))).all():
            return sightings
        band = np.where(noticed, np.where(known, band, np.minimum(band, _IDENTIFIED - 1)), 0).astype(np.uint8)
        return replace(sightings, visible=read_only(noticed), band=read_only(band))

    def hear(self, heard: Heard, now: float) -> Heard:
        """Return the sounds that watchers are aware of by now."""
        return self.sounds.step(heard, lambda rows, loudness: self._delay("simple", "auditory", rows, loudness), now)

    def find(self, visible: Bools, now: float) -> Bools:
        """Return which changed objects watchers are aware of by now, (watchers, things) bool."""
        if not np.count_nonzero(visible):
            return visible
        return self.things.step(visible, lambda rows, _: self._delay("simple", "visual", rows, np.ones(len(rows))), now)

    def to_news(self, rows: Array) -> Floats:
        """Return the seconds (k,) that watchers (k,) take to understand what they are told."""
        return self._delay("simple", "auditory", rows, np.ones(len(rows)), self._told)

    def _delay(
        self, kind: Any, sense: Any, rows: Array, strength: Array, chances: np.random.Generator | None = None
    ) -> Floats:
        """Return the delays (k,) in seconds of reactions of watchers (k,) that begin now."""
        chance = (chances or self._chance).random((len(rows), 2))
        strength = np.clip(strength, 0.0, 1.0)
        if len(self._kinds) == 1:
            return self._kinds[0].delay(kind, sense, strength=strength, chance=chance)
        seconds = np.empty(len(rows))
        for number, times in enumerate(self._kinds):
            own = self._kind[rows] == number
            seconds[own] = times.delay(kind, sense, strength=strength[own], chance=chance[own])
        return seconds
