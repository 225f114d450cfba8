"""A run that is recorded while it happens: any step of it can be shown again, and gone on from."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy

import msgspec
import numpy as np

from ...agents.events import Event
from ...cells.live import LiveLayout
from ...conventions import Array, Floats
from ...errors import InputError, RecordingError
from ...kernels.search_wave import VALUE
from ...navmesh.locate import nearest_many
from ...simulation.columns import about_of, columns_of, gather_reasons, step_of
from ...simulation.game_loop import outcome, step
from ...simulation.puppet import PlayerInput, apply_input
from ...simulation.recording.growing import GrowingRecording
from ...simulation.recording.recording import Recording
from ...simulation.world import World
from .inputs import INPUT, InputLog, Moved
from .routes import Routes
from .searching import Searching, searchers
from .stage import Stage

__all__ = ["LAYERS", "MOST_RECORDED", "Game"]

LAYERS = ("search", "cleaned")
"""The influence of the search, and who cleaned it; see `Searching`."""
MOST_RECORDED = 192 * 1024 * 1024
"""Bytes of a recording in memory; then the run has to begin again."""
_ON_FLOOR = 1.0
Columns = dict[str, Array]


class Game:
    """One run of a stage, from its first step on.

    `shown` is the step a page sees; `world` has made step `len(recording) - 1`. An opened recording has no world until
    one goes on with it, and no `searching`, who cleaned what, until that is asked for.
    """

    def __init__(self, stage: Stage):
        self.stage = stage
        self.inputs = InputLog()
        self.shown = 0
        self.world: World | None = None
        self.recording: Recording
        self.routes = Routes(stage)
        self.searching: Searching | None = None
        self._moved: list[Moved] = []
        if stage.recording is not None:
            self.recording = stage.recording
            self.inputs = InputLog.of(self.recording.events())
        else:
            self._begin()
            self.advance(PlayerInput())

    def _begin(self) -> GrowingRecording:
        """Make the world and its recording anew."""
        self.world = self.stage.world()
        self.searching = Searching(self.stage)
        gather_reasons(self.world)
        about = about_of(self.world, seed=self.stage.seed)
        notes = {**about.notes, "player": self.stage.player, "difficulty": self.stage.difficulty}
        self.recording = GrowingRecording(msgspec.structs.replace(about, notes=notes))
        return self.recording

    @property
    def cells(self) -> LiveLayout:
        """The cells as they are now; of a recording, as they were when it began."""
        return self.routes.cells if self.world is None else self.world.cells

    @property
    def mode(self) -> str:
        """Is it played, or watched?"""
        return "watch" if self.stage.player is None or self.world is None else "play"

    @property
    def ticks(self) -> int:
        """How many steps are recorded."""
        return len(self.recording)

    def is_at_end(self) -> bool:
        """Is the last step shown?"""
        return self.shown == self.ticks - 1

    def has_ended(self) -> bool:
        """Can nothing follow the last step?"""
        return self.world is None or self.world.ending is not None

    @property
    def is_full(self) -> bool:
        """Is the recording as long as it may be?"""
        return isinstance(self.recording, GrowingRecording) and self.recording.size > MOST_RECORDED

    def advance(self, wanted: PlayerInput) -> list[Event]:
        """Make the next step and show it; return what happened."""
        assert self.world is not None
        return self._step(self.world, wanted)

    def _step(self, world: World, wanted: PlayerInput) -> list[Event]:
        noted = [moved.as_event() for moved in self._moved]
        self._moved = []
        if self.stage.player is not None:
            noted += self.inputs.note(world.tick, self.stage.player, wanted)
            apply_input(world, self.stage.player, wanted)
        self._make_step(world)
        columns, layers, events, texts = step_of(world)
        assert isinstance(self.recording, GrowingRecording)
        self.recording.add(columns, layers, [*noted, *events], texts)
        self.shown = self.ticks - 1
        if world.ending is not None:
            end = outcome(world)
            self.recording.finish(end.reason, end.digest, end.text)
        return [*(event for event in noted if event.kind != INPUT), *events]

    def _make_step(self, world: World) -> None:
        """Make a step, and note who cleaned what in it."""
        bodies, layer = world.bodies, world.hunt.search.layer.values
        before, xyz, gaze, mode = layer.copy(), bodies.xyz.copy(), bodies.gaze.copy(), bodies.mode.copy()
        step(world)
        assert self.searching is not None
        who = searchers(world.state, mode)
        self.searching.note(self.ticks, before, layer, who, xyz[who], gaze[who], world.cells.mesh)
        self.searching.note_spots(self.ticks, world)

    def read_search(self) -> None:
        """Find who searched where in an opened recording; of a run that is made it is known."""
        if self.searching is None:
            searching = Searching(self.stage)
            searching.read(self.recording, self.routes.mesh)
            self.searching = searching

    def ways(self, columns: Columns) -> dict[int, Floats]:
        """Return the ways of everybody who goes somewhere at the step shown, whose columns these are."""
        return self.routes.of(columns, self.world if self.is_at_end() else None)

    def now(self) -> tuple[Columns, list[Array]]:
        """Return the columns and layers of the step shown."""
        if self.is_at_end() and self.world is not None:
            columns = {one.name: now for one, now in zip(self.recording.about.columns, columns_of(self.world))}
            layer = self.world.hunt.search.layer.values
        else:
            frame = self.recording.frame(self.shown)
            columns, layer = frame.columns, frame.layers["search"]
        known = self.searching
        cleaned = np.zeros(len(layer), np.int8) if known is None else known.cleaned(self.shown)
        return columns, [np.asarray(layer & VALUE, np.int8), cleaned]

    def seek(self, tick: int) -> None:
        """Show another step; beyond the last, the last."""
        self.shown = min(tick, self.ticks - 1)

    def resume(self, progress: Callable[[int], bool]) -> None:
        """Repeat the run up to the step shown, from its inputs; what came after is forgotten.

        `progress` is told of each step and says whether to go on; if not, nothing has changed.

        Raises
        ------
        RecordingError
            The run cannot be repeated to the bit: it was recorded by another version, or on another machine. What was
            recorded can still be watched, but nothing can follow it.
        """
        if self.is_at_end() and self.world is not None:
            return
        try:
            again = self.repeater()(progress)
        except RecordingError:
            self.give_up_world()
            raise
        if again is not None:
            self.adopt(again)

    def repeater(self) -> Callable[[Callable[[int], bool]], Game | None]:
        """Return what makes another game, in any thread, that repeats this one up to the step shown; see `resume`."""
        until, log = self.shown, self.inputs
        expected = int(self.recording.frame(until).columns["digest"].reshape(-1)[0])
        again = copy(self)
        again.inputs, again._moved = InputLog(), []

        def repeat(progress: Callable[[int], bool]) -> Game | None:
            again._begin()
            assert again.world is not None
            wanted = PlayerInput()
            for tick in range(until + 1):
                for moved in log.moved.get(tick, ()):
                    again._put(again.world, moved)
                wanted = log.wanted(tick, wanted)
                if not progress(tick):
                    return None
                if again.world.ending is not None:
                    break
                again._step(again.world, wanted)
            if int(np.frombuffer(again.world.digest.digest()[:8], "<u8")[0]) != expected or again.ticks != until + 1:
                raise RecordingError(f"step {until} came out otherwise when the run was repeated; begin again instead")
            return again

        return repeat

    def adopt(self, again: Game) -> None:
        """Go on as another game of the same stage did."""
        self.world, self.recording, self.searching = again.world, again.recording, again.searching
        self.inputs, self._moved, self.shown = again.inputs, again._moved, again.shown

    def give_up_world(self) -> None:
        """Let nothing follow what is recorded."""
        self.world = None

    def place(self, agent: int, at: tuple[float, float, float]) -> None:
        """Put somebody elsewhere, from the next step on.

        Raises
        ------
        InputError
            There is no such agent, the place is off the floor, or nothing can follow the step shown.
        """
        place = self.require_place(agent, at)
        if self.world is None or self.has_ended() or not self.is_at_end():
            raise InputError("nobody can be moved here: go on from this step first, or begin again")
        self._put(self.world, Moved(self.world.tick, agent, place))

    def require_place(self, agent: int, at: tuple[float, float, float]) -> tuple[float, float, float]:
        """Return the place on the floor where an agent would stand, or raise as `place` does."""
        names = self.recording.about.agents
        if not 0 <= agent < len(names):
            raise InputError(f"there is no agent {agent}; they are 0 to {len(names) - 1}")
        found = nearest_many(self.stage.layout.mesh, np.array([at]), _ON_FLOOR)
        if not found.found[0]:
            raise InputError(f"({at[0]:.1f}, {at[1]:.1f}, {at[2]:.1f}) is no floor to stand on; choose a place on it")
        x, y, z = found.xyz[0].tolist()
        return x, y, z

    def _put(self, world: World, moved: Moved) -> None:
        if not 0 <= moved.agent < len(world.names):
            raise RecordingError(f"the recording moves agent {moved.agent}, who is not there")
        world.bodies.xyz[moved.agent] = moved.at
        world.crowd.routes.count[moved.agent] = 0
        self.inputs.move(moved)
        self._moved.append(moved)

    def events(self, first: int = 0) -> list[Event]:
        """What happened since a step? What the player wanted is left out."""
        return [event for event in self.recording.events(first) if event.kind != INPUT]

    def digest(self) -> str:
        """Return the digest of the run up to the step shown, as recorded: 16 hexadecimal digits."""
        if self.is_at_end() and self.world is not None:
            return str(self.world.digest.hexdigest()[:16])
        value = self.recording.frame(self.shown).columns["digest"].reshape(-1)[0]
        return bytes(np.asarray(value, "<u8").tobytes()).hex()

    def file(self) -> bytes:
        """Return the run so far as the bytes of a recording file."""
        if not isinstance(self.recording, GrowingRecording) or self.world is None:
            raise InputError("this recording is a file already; go on from one of its steps to make another")
        end = outcome(self.world)
        return self.recording.to_bytes(end.reason, end.digest, end.text)
