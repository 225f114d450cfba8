"""The story of a recording: plain sentences, each with its time."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ...errors import RecordingError
from ...simulation.recording.recording import Recording, level_of
from ...simulation.world.place_names import PlaceNames
from ...vocabulary.events import AnyEvent, Lost, Predicted, Searches, Sees, StateChanged
from .narration import FLICKER, Narrator
from .sentences import Sentences, ending_of


@dataclass(frozen=True)
class Sentence:
    """A sentence, its step and time, and the agent it is about (empty: none)."""

    tick: int
    seconds: float
    agent: str
    text: str


def story_of(
    recording: Recording, *, first: int = 0, last: int | None = None, places: PlaceNames | None = None
) -> tuple[Sentence, ...]:
    """Return the story from step `first` up to and including step `last`.

    `places` holds the names of the level's places if they are known already; otherwise the level is read again.

    Repetitions are merged: thirty footsteps are one sentence, a search is one sentence at its end; doors and spoken
    lines are left out. Every sentence names its agent, so that it can be read alone.

    Raises
    ------
    RecordingError
        It holds no steps, or no positions of agents.
    """
    if not len(recording):
        raise RecordingError(f"{recording.source}: holds no steps; run the scenario again")
    about, until = recording.about, len(recording) - 1 if last is None else last
    places = PlaceNames(level_of(recording)) if places is None else places
    narrator = Narrator(about.step, places, about.agents, recording.column("xyz"))
    for event in _steady(list(recording.events(first, until)), about.step):
        if event.agent < len(about.agents) and 0 <= event.tick < len(recording):
            narrator.take(event)
    narrator.finish(until)
    if recording.end is not None and until >= len(recording) - 1:
        narrator.end(until, recording.end.reason, Sentences(about.agents).ending(ending_of(recording)))
    return tuple(_sentences(narrator.sentences(), about.agents, about.step))


def _sentences(narrated: Iterable[tuple[int, int, str]], names: tuple[str, ...], step: float) -> Iterable[Sentence]:
    """Yield sentences that begin with the name of their agent."""
    for tick, agent, words in narrated:
        text = words if agent < 0 else f"{names[agent]} {words}"
        yield Sentence(tick, tick * step, names[agent] if agent >= 0 else "", text[0].upper() + text[1:])


def _steady(events: list[AnyEvent], step: float) -> Iterable[AnyEvent]:
    """Leave out losses that last only a moment, and the plans made because of them."""
    dropped: set[int] = set()
    lost: dict[tuple[int, int], int] = {}
    for number, event in enumerate(events):
        pair = (event.agent, event.partner)
        if isinstance(event, Lost):
            lost[pair] = number
        elif isinstance(event, Sees) and pair in lost:
            since = lost.pop(pair)
            if (event.tick - events[since].tick) * step < FLICKER:
                dropped |= {since, number}
                dropped |= {
                    between
                    for between in range(since, number)
                    if events[between].agent == event.agent
                    and isinstance(events[between], Predicted | Searches | StateChanged)
                }
    return (event for number, event in enumerate(events) if number not in dropped)
