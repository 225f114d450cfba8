"""A run that is recorded while it happens, with its inputs: any step can be shown again and continued from."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from copy import copy
from dataclasses import dataclass, field
from typing import Literal

import msgspec
import numpy as np

from ....agents.behaviour.files.definition import TreeFile
from ....agents.behaviour.files.read import parse_trees
from ....agents.bodies.bodies import put
from ....cells.live import LiveLayout
from ....conventions import Array, Floats
from ....errors import InputError, LastSeenError, RecordingError
from ....kernels.search.search_wave import VALUE
from ....navmesh.query import nearest_many
from ....simulation.game_loop import outcome, step
from ....simulation.recording.live_recording import GrowingRecording
from ....simulation.recording.recording import Recording
from ....simulation.recording.world_columns import about_of, columns_of, gather_reasons, step_of
from ....simulation.replay.account import tree_text
from ....simulation.world.puppet import PlayerInput, apply_input
from ....simulation.world.tree_changes import replace_tree
from ....simulation.world.world import World
from ....vocabulary.events import AnyEvent, InputChanged, Placed, TreeChanged
from ...scene.paths import Paths
from .search_progress import SearchProgress, searchers
from .stage import Stage

LAYERS = ("search", "cleaned")
"""The influence of the search, and which agent cleared it; see `SearchProgress`."""
MOST_RECORDED = 192 * 1024 * 1024
"""Maximum bytes of a recording in memory; then the run has to start again."""
_ON_FLOOR = 1.0
_ROOM = 256
"""Minimum number of nodes recorded of each tree; twice those of the largest, so that edited trees have room."""
Columns = dict[str, Array]


@dataclass
class InputLog:
    """Changes of the player's input by step, and before each step the agents moved by hand and the trees replaced."""

    changes: dict[int, PlayerInput] = field(default_factory=dict)
    moved: dict[int, list[Placed]] = field(default_factory=dict)
    trees: dict[int, list[TreeChanged]] = field(default_factory=dict)
    last: PlayerInput = field(default_factory=PlayerInput)

    def note(self, tick: int, agent: int, wanted: PlayerInput) -> list[AnyEvent]:
        """Note the player's input in a step; return the events to record."""
        if wanted == self.last:
            return []
        self.changes[tick] = self.last = wanted
        return [InputChanged(tick, agent, **msgspec.structs.asdict(wanted))]

    def move(self, moved: Placed) -> None:
        """Note that an agent is moved by hand."""
        self.moved.setdefault(moved.tick, []).append(moved)

    def note_trees(self, events: Iterable[AnyEvent]) -> None:
        """Note the trees that were replaced in a step."""
        for event in events:
            if isinstance(event, TreeChanged):
                self.trees.setdefault(event.tick, []).append(event)

    @classmethod
    def of(cls, events: Iterable[AnyEvent]) -> InputLog:
        """Return the inputs in recorded events."""
        log = cls()
        try:
            for event in events:
                if isinstance(event, InputChanged):
                    wanted = {name: getattr(event, name) for name in PlayerInput.__struct_fields__}
                    log.changes[event.tick] = PlayerInput(**wanted)
                elif isinstance(event, Placed) and event.at is not None:
                    log.move(event)
                log.note_trees([event])
        except LastSeenError as error:
            raise RecordingError(f"the inputs of this recording cannot be read: {error}") from None
        return log


class Game:
    """One run of a stage, from its first step on.

    `shown` is the step a page sees; `world` has made step `len(recording) - 1`. An opened recording has no world until
    it is continued, and no `searching` (which agent cleared what) until that is requested. `is_feed`: the steps come
    from a game elsewhere, see `FeedRun`.
    """

    is_feed = False

    def __init__(self, stage: Stage):
        self.stage = stage
        self.inputs = InputLog()
        self.shown = 0
        self.world: World | None = None
        self.recording: Recording
        self.paths = Paths(stage.layout, stage.setting.level, stage.player)
        self.searching: SearchProgress | None = None
        self._moved: list[Placed] = []
        if stage.recording is not None:
            self.recording = stage.recording
            self.inputs = InputLog.of(self.recording.events())
        else:
            self._begin()
            self.advance(PlayerInput())

    def _begin(self) -> GrowingRecording:
        """Create the world and its recording."""
        self.world = self.stage.world()
        self.searching = SearchProgress(self.stage)
        gather_reasons(self.world, max([_ROOM, *(2 * len(tree) for tree in self.world.trees if tree is not None)]))
        about = about_of(self.world, seed=self.stage.seed)
        notes = {**about.notes, "player": self.stage.player, "difficulty": self.stage.difficulty}
        self.recording = GrowingRecording(msgspec.structs.replace(about, notes=notes))
        return self.recording

    @property
    def cells(self) -> LiveLayout:
        """The cells as they are now; of a recording, as they were at its start."""
        return self.paths.cells if self.world is None else self.world.cells

    @property
    def mode(self) -> Literal["play", "watch"]:
        """ "play" or "watch"."""
        return "watch" if self.stage.player is None or self.world is None else "play"

    @property
    def title(self) -> str:
        """The title of the run."""
        return self.stage.name

    @property
    def ticks(self) -> int:
        """Number of recorded steps."""
        return len(self.recording)

    def is_at_end(self) -> bool:
        """Return whether the last step is shown."""
        return self.shown == self.ticks - 1

    def has_ended(self) -> bool:
        """Return whether nothing can follow the last step."""
        return self.world is None or self.world.ending is not None

    def is_waiting(self) -> bool:
        """Return whether the next step has yet to come from elsewhere."""
        return False

    @property
    def is_full(self) -> bool:
        """Whether the recording has reached its maximum size."""
        return isinstance(self.recording, GrowingRecording) and self.recording.size > MOST_RECORDED

    def advance(self, wanted: PlayerInput) -> list[AnyEvent]:
        """Make the next step and show it; return its events."""
        assert self.world is not None
        return self._step(self.world, wanted)

    def _step(self, world: World, wanted: PlayerInput) -> list[AnyEvent]:
        noted: list[AnyEvent] = [*self._moved]
        self._moved = []
        if self.stage.player is not None:
            noted += self.inputs.note(world.tick, self.stage.player, wanted)
            apply_input(world, self.stage.player, wanted)
        self._make_step(world)
        columns, layers, events, texts = step_of(world)
        self.inputs.note_trees(events)
        assert isinstance(self.recording, GrowingRecording)
        self.recording.add(columns, layers, [*noted, *events], texts)
        self.shown = self.ticks - 1
        if world.ending is not None:
            end = outcome(world)
            self.recording.finish(end.reason, end.digest)
        return [*(event for event in noted if not isinstance(event, InputChanged)), *events]

    def _make_step(self, world: World) -> None:
        """Make a step, and note which agent cleared what."""
        bodies, layer = world.bodies, world.hunt.search.layer.values
        before, xyz, gaze, mode = layer.copy(), bodies.xyz.copy(), bodies.gaze.copy(), bodies.mode.copy()
        step(world)
        assert self.searching is not None
        agents = searchers(world.state, mode)
        self.searching.note(self.ticks, before, layer, agents, xyz[agents], gaze[agents], world.cells.mesh)
        self.searching.note_spots(self.ticks, world)

    def read_search(self) -> None:
        """Find which agent searched where in an opened recording; a live run already knows."""
        if self.searching is None:
            searching = SearchProgress(self.stage)
            searching.read(self.recording, self.paths.mesh)
            self.searching = searching

    def ways(self, columns: Columns) -> dict[int, Floats]:
        """Return the paths of all moving agents at the step shown, from its columns."""
        return self.paths.of(columns, self.world if self.is_at_end() else None)

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

    def repeater(self) -> Callable[[Callable[[int], bool]], Game | None]:
        """Return a function that makes another game, in any thread, repeating this one up to the step shown.

        The function calls `progress` with each step, which returns whether to continue; if not, it returns None. It
        raises RecordingError if the run cannot be repeated to the bit, because another version or machine recorded it.
        """
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
                for change in log.trees.get(tick, ()):
                    file = parse_trees(change.definition, "json", source=change.brain)
                    replace_tree(again.world, again.stage.setting, change.brain, file)
                wanted = log.changes.get(tick, wanted)
                if not progress(tick):
                    return None
                if again.world.ending is not None:
                    break
                again._step(again.world, wanted)
            if (
                int(np.frombuffer(again.world.trace.digest.digest()[:8], "<u8")[0]) != expected
                or again.ticks != until + 1
            ):
                raise RecordingError(
                    f"step {until} came out differently when the run was repeated; start again instead"
                )
            return again

        return repeat

    def adopt(self, again: Game) -> None:
        """Take over the state of another game of the same stage."""
        self.world, self.recording, self.searching = again.world, again.recording, again.searching
        self.inputs, self._moved, self.shown = again.inputs, again._moved, again.shown

    def give_up_world(self) -> None:
        """Prevent the recording from being continued."""
        self.world = None

    def place(self, agent: int, at: tuple[float, float, float]) -> None:
        """Move an agent elsewhere, from the next step on.

        Raise InputError if there is no such agent, the place is off the floor, or nothing can follow the step shown.
        """
        place = self.require_place(agent, at)
        if self.world is None or self.has_ended() or not self.is_at_end():
            raise InputError("agents cannot be moved at this step; continue from it first, or start again")
        self._put(self.world, Placed(self.world.tick, agent, at=place))

    def require_place(self, agent: int, at: tuple[float, float, float]) -> tuple[float, float, float]:
        """Return the place on the floor where an agent would stand, or raise as `place` does."""
        names = self.recording.about.agents
        if not 0 <= agent < len(names):
            raise InputError(f"there is no agent {agent}; agents are 0 to {len(names) - 1}")
        found = nearest_many(self.stage.layout.mesh, np.array([at]), _ON_FLOOR)
        if not found.found[0]:
            raise InputError(f"({at[0]:.1f}, {at[1]:.1f}, {at[2]:.1f}) is off the floor; choose a place on it")
        x, y, z = found.xyz[0].tolist()
        return x, y, z

    def replace_tree(self, brain: str, file: TreeFile) -> tuple[int, ...]:
        """Give the agents with a brain another tree, from the next step on; return their numbers.

        Raise LastSeenError if no agent has it, the tree has faults, or nothing can follow the step shown.
        """
        if self.world is None or self.has_ended() or not self.is_at_end():
            raise InputError("trees cannot be replaced at this step; continue from it first, or start again")
        return replace_tree(self.world, self.stage.setting, brain, file)

    def tree_lines(self, agent: int) -> list[str]:
        """Return the lines of an agent's tree from the next step on; none if it has no tree."""
        edits = () if self.world is None else self.world.edits.values()
        now = [edit.trees[agent].as_text(live=False) for edit in edits if agent in edit.trees]
        text = now[0] if now else tree_text(self.recording, agent, self.recording.events(0, self.shown))
        return text.splitlines()

    def _put(self, world: World, moved: Placed) -> None:
        assert moved.at is not None
        if not 0 <= moved.agent < len(world.names):
            raise RecordingError(f"the recording moves agent {moved.agent}, which does not exist")
        put(world.bodies, moved.agent, moved.at)
        world.crowd.forget_path(moved.agent)
        self.inputs.move(moved)
        self._moved.append(moved)

    def events(self, first: int = 0) -> list[AnyEvent]:
        """Return the events since a step, without the player's input."""
        return [event for event in self.recording.events(first) if not isinstance(event, InputChanged)]

    def digest(self) -> str:
        """Return the digest of the run up to the step shown, as recorded: 16 hexadecimal digits."""
        if self.is_at_end() and self.world is not None:
            return str(self.world.trace.digest.hexdigest()[:16])
        value = self.recording.frame(self.shown).columns["digest"].reshape(-1)[0]
        return bytes(np.asarray(value, "<u8").tobytes()).hex()

    def file(self) -> bytes:
        """Return the run so far as the bytes of a recording file."""
        if not isinstance(self.recording, GrowingRecording) or self.world is None:
            raise InputError("this recording is already a file; continue from one of its steps to make another")
        end = outcome(self.world)
        return self.recording.to_bytes(end.reason, end.digest)
