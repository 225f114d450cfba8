"""The shared words with their labels for people, as the greeting carries them."""

from __future__ import annotations

from ....vocabulary.words import (
    GUARD_STATES,
    AgentMode,
    AgentState,
    Blow,
    EndReason,
    FloodStop,
    MarkerKind,
    SpawnKind,
    SpotState,
    ZoneKind,
)
from ..session.folder import FILE_RULES
from .greeting import Vocabulary

_ENDS = {
    EndReason.CAUGHT: "Caught.",
    EndReason.ESCAPED: "You escaped.",
    EndReason.BEATEN: "Beaten.",
    EndReason.TIME_OVER: "Time is up.",
}
"""Titles of the card at the end of a game; other reasons are told by their own sentence."""
_FLOOD_STOPS = {
    FloodStop.TOO_MANY: "stopped: the area is too wide for a guess",
    FloodStop.MAX_STEPS: "reached the step limit",
    FloodStop.NO_CELLS: "filled the whole area",
    FloodStop.RUNNING: "still running",
}
VOCABULARY = Vocabulary(
    states=AgentState.texts(),
    guard_states=GUARD_STATES,
    modes=AgentMode.texts(),
    blows=Blow.texts(),
    spot_states=SpotState.texts(),
    ends={reason.value: title for reason, title in _ENDS.items()},
    flood_stops={reason.value: words for reason, words in _FLOOD_STOPS.items()},
    markers=tuple(kind for kind in MarkerKind if kind is not MarkerKind.MARKER),
    zones=ZoneKind.texts(),
    spawns=SpawnKind.texts(),
    files=FILE_RULES,
)
