"""Send the story of a run to pages as it continues: only new or changed sentences."""

from __future__ import annotations

from time import monotonic
from typing import Any

import msgspec

from ...simulation.replay.story import story_of
from ...simulation.world.place_names import PlaceNames
from .clients import Hub
from .game import Game

__all__ = ["Telling"]

_EVERY = 1.0
"""Seconds between two checks for news."""


class Telling:
    """Tells the story of one run."""

    def __init__(self, game: Game):
        self._game = game
        self._places = PlaceNames(game.stage.setting.level)
        self._told: list[dict[str, Any]] = []
        self._looked = 0.0

    def go_on(self, hub: Hub) -> None:
        """Send what is new, unless that was done a moment ago."""
        if monotonic() - self._looked >= _EVERY:
            self.finish(hub)

    def finish(self, hub: Hub) -> None:
        """Send what is new."""
        before = self._told
        self._tell_on()
        same = next((n for n, (one, other) in enumerate(zip(before, self._told)) if one != other), None)
        first = min(len(before), len(self._told)) if same is None else same
        if first < len(self._told) or first < len(before):
            hub.say(_text(first, self._told[first:]))

    def whole(self, hub: Hub, to: tuple[int, ...] | None = None) -> None:
        """Send everything from the beginning."""
        self._tell_on()
        hub.say(_text(0, self._told), to)

    def _tell_on(self) -> None:
        self._looked = monotonic()
        self._told = [
            {"tick": one.tick, "seconds": round(one.seconds, 3), "agent": one.agent, "text": one.text}
            for one in story_of(self._game.recording, places=self._places)
        ]


def _text(first: int, sentences: list[dict[str, Any]]) -> str:
    return msgspec.json.encode({"type": "story", "from": first, "sentences": sentences}).decode()
