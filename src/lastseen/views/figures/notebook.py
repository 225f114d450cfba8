"""Pictures of levels, layouts, layers, floods and recordings for notebooks."""

from __future__ import annotations

import base64
import html
from functools import singledispatch
from typing import Any

import numpy as np

from ...cells.layout import CellLayout
from ...cells.live import LiveLayout
from ...errors import InputError
from ...layers.layer import Layer
from ...level.level import Level
from ...reasoning.chase.prediction import Flood
from ...simulation.recording.recording import Recording
from ..prose.story import story_of
from ..scene.recorded_scene import RecordedScene
from .drawing.heat import Heat
from .level.layout_figure import Shown, draw_layout
from .level.level_figure import draw_level
from .moment.chase_figure import ChaseScene, draw_chase
from .moment.replay_figure import draw_moment

_SENTENCES = 40
"""Sentences of a story before the rest is counted only."""


@singledispatch
def picture_of(thing: Any) -> bytes:
    """Return a PNG of an object."""
    raise InputError(f"there is no picture of a {type(thing).__name__}; give a level, layout, layer or flood")


@picture_of.register
def _(level: Level) -> bytes:
    return draw_level(level)


@picture_of.register
def _(layout: CellLayout) -> bytes:
    return draw_layout(layout, shown=Shown(cells=True))


@picture_of.register
def _(layer: Layer) -> bytes:
    values = layer.values.astype(np.float64)
    return draw_layout(_frozen(layer.layout), heat=Heat(values, layer.name, layer.unit), title=layer.name)


@picture_of.register
def _(flood: Flood) -> bytes:
    layout, hot = _frozen(flood.layout), int(flood.values.max(initial=1))
    start = layout.arrays.cell_xyz[flood.start].astype(np.float64)
    return draw_chase(ChaseScene(layout, flood, start, np.zeros(3), hot=hot))


def _frozen(layout: Any) -> CellLayout:
    """Return the cells without cuts, which pictures show."""
    return layout.layout if isinstance(layout, LiveLayout) else layout


def page_of(recording: Recording) -> str:
    """Return the last moment of a recording, its story and how it ended."""
    about, end = recording.about, recording.end
    facts = {
        "scenario": about.scenario or recording.source,
        "agents": ", ".join(about.agents),
        "length": f"{recording.seconds:.1f} s in {len(recording):,} steps",
        "ended": end.reason if end is not None else recording.fault,
    }
    rows = "".join(f"<tr><th>{name}</th><td>{html.escape(str(words))}</td></tr>" for name, words in facts.items())
    if not len(recording):
        return f"<table>{rows}</table>"
    picture = base64.b64encode(draw_moment(RecordedScene(recording), len(recording) - 1)).decode()
    story = story_of(recording)
    said = [f"{one.seconds:.1f} s {html.escape(one.text)}" for one in story[:_SENTENCES]]
    said += [f"… and {len(story) - _SENTENCES} more"] * (len(story) > _SENTENCES)
    listed = "".join(f"<li>{line}</li>" for line in said)
    image = f'<img alt="the last moment" style="max-width:100%" src="data:image/png;base64,{picture}">'
    return f"<table>{rows}</table>{image}<details><summary>Story</summary><ul>{listed}</ul></details>"
