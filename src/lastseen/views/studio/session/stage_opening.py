"""Open a stage by name: a sample, a level, a scenario or a recording."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from ....errors import InputError
from ....level.level import Level
from ....simulation.recording.recording import is_feed, level_of
from ..answers.speech import with_rules
from ..protocol.messages import Open
from .feed_run import FeedRun
from .folder import RECORDINGS, SCENARIOS, Folder
from .stage import YOU, Stage, stage_of_level, stage_of_recording, stage_of_setting


def request_for(name: str, difficulty: str | None = None) -> Open:
    """Return what to open for a name given on the command line, judged by its extension."""
    ending = Path(name).suffix.lower()
    if ending in RECORDINGS:
        return Open(recording=name)
    return Open(scenario=name) if ending in SCENARIOS else Open(level=name, difficulty=difficulty)


def opened(
    folder: Folder,
    request: Open,
    before: Stage | None = None,
    when_read: Callable[[str, Level], None] = lambda _title, _level: None,
) -> Stage | FeedRun:
    """Return the stage a request names, or the feed of a recording.

    `when_read` is called with the title and the level of a stage as soon as they are read.

    Raise LastSeenError if it names nothing or several things, or what it names cannot be read.
    """
    given = [name for name in (request.level, request.scenario, request.recording) if name is not None]
    if len(given) > 1:
        raise InputError("name one level, scenario or recording to open, not several")
    if request.recording is not None:
        recording = folder.recording(request.recording)
        if is_feed(recording):
            return FeedRun.read(recording, request.recording)
        drawn = level_of(recording)
        if drawn is not None:
            when_read(drawn.name or request.recording, drawn)
        return stage_of_recording(recording, drawn, request.recording, folder.root)
    if request.scenario is not None:
        setting = folder.scenario(request.scenario)
        when_read(setting.scenario.name or request.scenario, setting.level)
        return stage_of_setting(setting, request.scenario, before)
    difficulty = request.difficulty or (before.difficulty if before is not None else "normal")
    opponent = request.opponent or (before.opponent if before is not None else YOU)
    name = request.level
    if name is None and before is not None and before.kind == "level":
        stage, rules = (
            stage_of_level(before.setting.level, before.source, difficulty, before, opponent),
            before.setting.scenario.rules,
        )
        return stage if rules == stage.setting.scenario.rules else with_rules(stage, folder, rules)
    if name is None:
        raise InputError("name a level, scenario or recording to open")
    level = folder.level(name)
    when_read(level.name or name, level)
    return stage_of_level(level, name, difficulty, before, opponent)
