"""Announce a game to pages: what it is, its state, the step shown, its events and its story."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from time import monotonic, perf_counter
from typing import Any

import msgspec

from ....simulation.recording.live_recording import GrowingRecording
from ....simulation.world.place_names import PlaceNames
from ....vocabulary.events import AnyEvent
from ...prose.sentences import Sentences
from ...prose.story import Sentence, story_of
from ..answers.surveyor import LayerSurveys
from ..panels.costs import CostFeed
from ..panels.registry import added_panels
from ..protocol import news
from ..protocol.crew_state import CrewNews
from ..protocol.feed_frames import FeedPacker, feed_greeting, numbers_since
from ..protocol.frames import FramePacker
from ..protocol.greeting import LayerKind
from ..protocol.greeting_builder import greeting_of
from ..protocol.news import Previous
from ..server.clients import Hub
from .feed_run import FeedRun
from .folder import Folder
from .game import Game

_EVERY = 1.0
"""Seconds between two checks for news."""


class StoryFeed:
    """Sends the story of one run as it grows."""

    def __init__(self, game: Game):
        self._game = game
        self._places = None if game.is_feed else PlaceNames(game.stage.setting.level)
        self._sent: list[Sentence] = []
        self._updated = 0.0

    def is_due(self) -> bool:
        """Return whether the last news were not sent a moment ago."""
        return monotonic() - self._updated >= _EVERY

    def finish(self, hub: Hub) -> None:
        """Send what is new."""
        before, now = self._sent, self._update()
        first = next((n for n, (old, new) in enumerate(zip(before, now)) if old != new), min(len(before), len(now)))
        if first < max(len(before), len(now)):
            hub.say(news.Story(first, now[first:]))

    def whole(self, hub: Hub, to: tuple[int, ...] | None = None) -> None:
        """Send everything from the beginning."""
        hub.say(news.Story(0, self._update()), to)

    def _update(self) -> list[Sentence]:
        """Return the story so far."""
        self._updated = monotonic()
        game = self._game
        story = game.story() if isinstance(game, FeedRun) else story_of(game.recording, places=self._places)
        self._sent = [replace(one, seconds=round(one.seconds, 3)) for one in story]
        return self._sent


_BATCH = 200
"""Maximum number of events in one message."""
Pages = tuple[int, ...] | None
"""Numbers of pages; None: all."""


class Announcer:
    """Sends messages to pages and changes nothing; needs `present` first.

    Attributes
    ----------
    game : the game being played or watched; `story`: sends its story; `kinds`: the layers that can be shown.
    previous : the previous run, which can still be saved.
    is_running : whether time passes, at `speed` times real time.
    repeats_to : the step up to which the run is being repeated; None if it is not.
    surveying : computes layers of `kinds` that are not part of the game.
    views, ways, spots : pages that show what guards see, the paths of agents, and search spots.
    """

    def __init__(self, hub: Hub, folder: Folder, later: Callable[[Callable[[], None]], None]):
        self.hub, self.folder = hub, folder
        self.previous = PreviousRun()
        self.surveying = LayerSurveys(self.say, later, self._show_survey)
        self.is_running, self.speed = False, 1.0
        self.repeats_to: int | None = None
        self.views: set[int] = set()
        self.ways: set[int] = set()
        self.spots: set[int] = set()
        self.kinds: tuple[LayerKind, ...] = ()
        self.game: Game
        self.story: StoryFeed
        self._sent_spots: news.Spots | None = None
        self._shown_at = 0.0
        self._age = 0

    def present(self, game: Game, kinds: tuple[LayerKind, ...]) -> None:
        """Switch to another game without notifying pages; a failure leaves everything unchanged."""
        packer: FramePacker | FeedPacker
        if isinstance(game, FeedRun):
            greeting, packer = feed_greeting(game), FeedPacker(game)
        else:
            greeting, packer = greeting_of(game, kinds), FramePacker(game)
        game.now()
        self.game, self._greeting, self._packer, self.story = game, greeting, packer, StoryFeed(game)
        self.kinds, self._crews, self._costs = kinds, CrewNews(game), CostFeed(game)
        self.surveying.begin(game, kinds)
        self._age += 1
        self._sent_spots = None

    def say(self, message: news.Sent, to: Pages = None) -> None:
        """Send a message to some pages, or to all."""
        self.hub.say(message, to)

    def complain(self, client: int | None, code: news.Code, message: str, about: str = "") -> None:
        """Send an error to a page, or to all."""
        self.say(news.Problem(code, self.folder.plain(message), about), None if client is None else (client,))

    def greet(self, to: Pages = None) -> None:
        """Send pages everything from the beginning."""
        parts = (self._state(), self.menus())
        changes = {name: value for part in parts for name, value in msgspec.structs.asdict(part).items()}
        changes["panels"] = tuple(added_panels())
        self.hub.greet(msgspec.structs.replace(self._greeting, **changes), self._age, to)
        self.send_events(self._all_events(), 0, to)
        self.story.whole(self.hub, to)
        if isinstance(self.game, FeedRun):
            self.say(numbers_since(self.game, 0), to)
            self.say(news.FeedState(self.game.is_connected, self.game.dropped), to)
        self._send_costs(self._costs.whole(), to)
        self.status(to)
        self.show(whole=True, to=to)

    def tell_on(self) -> None:
        """Send what is new in the story and about costs, unless that was done a moment ago."""
        if self.story.is_due():
            self.tell_all()

    def tell_all(self) -> None:
        """Send what is new in the story and about costs."""
        self.story.finish(self.hub)
        self._send_costs(self._costs.news())

    def _send_costs(self, spent: news.Spent | None, to: Pages = None) -> None:
        if spent is not None:
            self.say(spent, to)

    def menus(self) -> news.Menus:
        """Return what can be opened, and the previous run."""
        return msgspec.structs.replace(self.folder.menus(), previous=self.previous.description)

    def status(self, to: Pages = None) -> None:
        """Send the current state."""
        self.say(self._state(), to)

    def _state(self) -> news.Status:
        game = self.game
        return news.Status(
            running=self.is_running,
            speed=self.speed,
            tick=game.shown,
            ticks=game.ticks,
            mode=game.mode,
            live=game.is_at_end() and not game.has_ended(),
            digest=game.digest(),
            repeating=self.repeats_to,
            ended=news.ended_of(game.recording) if game.is_at_end() and not game.is_feed else None,
        )

    def show(self, *, whole: bool = False, to: Pages = None) -> None:
        """Send the step shown; `whole`: with all of its layers."""
        self._shown_at = perf_counter()
        more = self.surveying.layers(is_running=self.is_running, whole=whole)
        frame = self._packer.frame(views=bool(self.views), ways=bool(self.ways), age=self._age, whole=whole, more=more)
        self.hub.show(frame, to)
        if self.spots:
            self.send_spots()
        if crews := self._crews.message(to_all=to is None):
            self.say(crews, to)

    def _show_survey(self) -> None:
        """Show survey results; while time passes, the next step does."""
        if not self.is_running:
            self.show()

    def send_spots(self, to: Pages = None) -> None:
        """Send search spots to the pages that show them if they changed, or to `to` in any case."""
        searching = self.game.searching
        spots = () if searching is None else searching.spots(self.game.shown)
        if to is not None or spots != self._sent_spots:
            self._sent_spots = spots
            self.say(news.SpotsShown(spots), to or tuple(self.spots))

    def told(self, events: list[AnyEvent]) -> list[dict[str, Any]]:
        """Return events as pages get them, with a sentence each."""
        of = Sentences.of_recording(self.game.recording)
        return [of.as_object(event) for event in events]

    def _all_events(self) -> list[dict[str, Any]]:
        return self.game.happened if isinstance(self.game, FeedRun) else self.told(self.game.events())

    def send_events(self, events: list[dict[str, Any]], first: int, to: Pages = None) -> None:
        """Send the events from step `first` on."""
        for start in range(0, len(events), _BATCH):
            batch = events[start : start + _BATCH]
            # This batch continues the previous one: only the first may make the page drop events.
            since = first if start == 0 else batch[-1]["tick"] + 1
            self.say(news.Events(since, batch), to)


_SHORTEST = 5.0
"""Minimum seconds of a run worth keeping: one started by mistake does not replace a long one."""


class PreviousRun:
    """The last run that was left unsaved, `game`; it can be saved until another replaces it."""

    def __init__(self) -> None:
        self.game: Game | None = None
        self._saved: tuple[Game, str] | None = None

    def note_saved(self, game: Game) -> None:
        """Note that a run was saved in its current state."""
        if game is self.game:
            self.game = None
        else:
            self._saved = (game, _state_of(game))

    def leave(self, game: Game) -> None:
        """Keep a run that is being replaced, unless it is a file, saved, or hardly started."""
        is_made = isinstance(game.recording, GrowingRecording) and game.world is not None
        is_saved = self._saved == (game, _state_of(game)) if is_made else True
        if not is_saved and game.ticks * game.recording.about.step >= _SHORTEST:
            self.game = game
        self._saved = None

    @property
    def description(self) -> Previous | None:
        """The run as pages list it."""
        if self.game is None:
            return None
        return Previous(self.game.stage.name, self.game.ticks * self.game.recording.about.step)


def _state_of(game: Game) -> str:
    return "" if game.world is None else f"{game.ticks} {game.world.trace.digest.hexdigest()}"
