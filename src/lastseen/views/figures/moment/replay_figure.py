"""Pictures of a recording: the level, the agents, and what they see and believe; one moment or an animation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from PIL import Image

from ....conventions import Array, Bools, Floats
from ....errors import InputError
from ....level.level import Level
from ...scene.moment import FloodLook, Ghost, Moment, Noise, Person
from ...scene.recorded_scene import RecordedScene
from ..drawing.canvas import Canvas, packed
from ..drawing.cell_raster import cell_numbers
from ..drawing.gif import Progress, drawn_frames, gif_bytes, shared_palette
from ..drawing.level_map import LevelMap
from ..drawing.overlay import draw_features
from ..drawing.page import Panel, compose_bare, png_bytes
from ..drawing.palette import (
    DOOR,
    EXIT,
    GUARD,
    LAST_SEEN,
    PLAYER,
    QUIET_INK,
    VIEW,
    WALKABLE,
    mixed,
    scale_colours,
)
from ..drawing.route_lines import stretches
from ..drawing.storeys import Storeys
from ..drawing.symbols import draw_creature, draw_door, draw_platform, draw_thing, draw_trap
from .agent_signs import CREW_COLOURS, colour_of, draw_crews, draw_person, person_size
from .flood_signs import draw_barred, draw_closed, draw_flag, draw_front, draw_ghost
from .replay_key import Contents, legends, replay_key
from .replay_labels import write_labels

_OUTER, _INNER, _SOFT, _EDGE = 0.25, 0.22, 3.0, 0.9
"""Opacity of a view, additional opacity of its inner part, pixels over which its edge fades out, and its outline."""
_FEW = 4.0
"""Most agents on a storey for which views are drawn at full strength."""
_MOST_INFLUENCE = 127


def draw_moment(
    scene: RecordedScene, tick: int, *, scale: float | None = None, storey: int | None = None, bare: bool = False
) -> bytes:
    """Return a PNG of one step, with storeys side by side.

    Parameters
    ----------
    scale : pixels per metre; None fits a large screen.
    storey : show only this storey.
    bare : leave out title, scale, legends and key.
    """
    moment = scene.moment(tick)
    chart = ReplayMap(scene, scale=scale, storey=storey, bare=bare)
    return png_bytes(chart.sheet(moment, Contents.of([moment])), f"{scene.name} at {moment.seconds:.2f} s")


class ReplayMap:
    """The level of a recording, drawn once; everything that moves is drawn on top for each moment.

    Parameters
    ----------
    largest : most pixels along a side of all panels; None: as given by `scale`.
    finest : enlargement while drawing; lower is faster and rougher.
    bare : leave out title, scale, legends and key.
    """

    def __init__(
        self,
        scene: RecordedScene,
        *,
        scale: float | None = None,
        storey: int | None = None,
        largest: int | None = None,
        finest: int = 3,
        bare: bool = False,
    ):
        self._scene, self._bare = scene, bare
        # Doors, platforms and traps are drawn in their current state, agents and paths for each moment.
        self._level = replace(scene.level, spawns=(), patrols=(), paths=(), doors=(), platforms=(), traps=())
        self._map = LevelMap(self._level, scene.layout.mesh, scale=scale, storey=storey, largest=largest)
        self.view = self._map.view
        self._grounds = [_Ground(self._map, scene, self._level, number, finest) for number in self._map.numbers]

    def sheet(self, moment: Moment, contents: Contents) -> Image.Image:
        """Return the picture of a moment; its key covers `contents`, so that it stays the same in an animation."""
        panels = [self._panel(moment, ground, storey) for ground, storey in zip(self._grounds, self._map.numbers)]
        caption = caption_of(moment, self._scene.recording.seconds)
        if self._bare:
            return compose_bare(panels, self._map.across, caption)
        return self._map.sheet(
            panels,
            title=self._scene.name,
            subtitle=caption,
            legend=legends(contents),
            key=replay_key(contents, self._scene.level),
        )

    def _panel(self, moment: Moment, ground: _Ground, storey: int) -> Panel:
        canvas = ground.canvas.copy()
        for piece, is_present in zip(self._scene.level.platforms, moment.platforms):
            if piece.storey == storey:
                draw_platform(canvas, piece, is_present)
        if moment.search is not None:
            ground.paint_search(canvas, moment.search)
        if moment.flood is not None:
            before = canvas.copy()
            ground.paint_flood(canvas, moment.flood)
            canvas.fade(before, moment.flood.strength)
        storeys = self._map.storeys

        def here(xyz: Floats) -> bool:
            return self._map.here(xyz, storey)

        for door, shut in zip(self._scene.level.doors, moment.door_shut.tolist()):
            if storey in storeys.through(door.z, door.height):
                draw_door(canvas, replace(door, open=not shut))
        for trap, is_set in moment.traps:
            if storeys.at(trap.xyz[2]) == storey:
                draw_trap(canvas, trap, is_set)
        agents = [person for person in moment.people if here(person.xyz)]
        for person in agents:
            _draw_view(canvas, person, min(1.0, _FEW / max(1, len(agents))))
        for thing in filter(lambda thing: here(thing.xyz), moment.things):
            draw_thing(canvas, thing)
        for creature in () if moment.creatures is None else filter(here, moment.creatures.astype(np.float64)):
            draw_creature(canvas, creature)
        for person in moment.people:
            _draw_path(canvas, person, storeys, storey)
        draw_crews(canvas, moment, here)
        for noise in filter(lambda noise: here(noise.xyz), moment.noises):
            _draw_noise(canvas, noise)
        for ghost in filter(lambda ghost: here(ghost.xyz), moment.ghosts):
            _draw_belief(canvas, ghost)
        if moment.flood is not None and (flag := moment.flood.flag) is not None and here(flag):
            before = canvas.copy()
            draw_flag(canvas, flag)
            canvas.fade(before, moment.flood.strength)
        for person in agents:
            draw_person(canvas, person)
        image = canvas.finished()
        write_labels(image, canvas, moment, self._level, storeys, storey)
        return Panel(image, self._map.title(storey))


def caption_of(moment: Moment, seconds: float) -> str:
    """Return the line below the title: the time, and what each agent is doing."""
    time = f"{moment.seconds:.1f} s of {seconds:.1f} s"
    if len(moment.people) <= 5:
        return " · ".join([time, *(f"{person.name}: {_doing(person)}" for person in moment.people)])
    doing = [_doing(person) for person in moment.people]
    return " · ".join([time, *(f"{doing.count(what)} {what}" for what in dict.fromkeys(sorted(doing)))])


def _doing(person: Person) -> str:
    if person.mode in ("hidden", "down"):
        return person.mode
    if person.doing:
        return person.doing
    return "present" if person.state == "patrol" and person.team == "intruders" else person.state


class _Ground:
    """One storey without agents: its canvas, and the cell of each pixel that may be coloured."""

    def __init__(self, chart: LevelMap, scene: RecordedScene, level: Level, storey: int, finest: int):
        self.canvas, faces = chart.canvas(storey, finest=finest)
        bare = self.canvas.pixels().copy()
        draw_features(self.canvas, level, chart.storeys, storey, (), tint=False)
        self._count = len(scene.layout)
        self._cells = cell_numbers(self.canvas, scene.layout, faces)
        # Things on the floor stay visible; the last entry of every table below is for pixels without a cell.
        self._cells[(bare != self.canvas.pixels()).any(axis=2)] = -1

    def _mask(self, cells: Array) -> Bools:
        chosen = np.zeros(self._count + 1, np.bool_)
        chosen[cells] = True
        mask: Bools = chosen[self._cells]
        return mask

    def paint_search(self, canvas: Canvas, values: Array) -> None:
        """Paint the influence of a search: stronger where more is left."""
        share = np.clip(values.astype(np.float64) / _MOST_INFLUENCE, 0.0, 1.0)
        self._lay(canvas, np.flatnonzero(values), share[values != 0], "search")

    def paint_flood(self, canvas: Canvas, flood: FloodLook) -> None:
        """Paint the heat of a chase flood, its front, its barrier and its closed cells."""
        self._lay(canvas, flood.warm, np.clip(flood.values / flood.hot, 0.0, 1.0), "flood")
        if len(flood.front):
            draw_front(canvas, self._mask(flood.front))
        if len(flood.barrier):
            draw_barred(canvas, self._mask(flood.barrier))
        if len(flood.closed):
            draw_closed(canvas, self._mask(flood.closed))

    def _lay(self, canvas: Canvas, cells: Array, share: Floats, scale: str) -> None:
        colours = np.zeros(self._count + 1, np.uint32)
        colours[cells] = packed(scale_colours(scale)[np.round(share * 255.0).astype(np.intp)])
        canvas.lay(colours[self._cells])


def _draw_view(canvas: Canvas, person: Person, strength: float) -> None:
    """Draw what an agent sees, paler if there are many, so that the floor stays visible below."""
    if person.seen is None:
        return
    outer, inner, area = person.seen.outer, person.seen.inner, person.seen.area
    canvas.wash(outer, area, VIEW, strength * _OUTER, _SOFT, edge_opacity=_EDGE)
    if inner:
        canvas.wash(inner, area, VIEW, strength * _INNER, _SOFT)


def _draw_path(canvas: Canvas, person: Person, storeys: Storeys, storey: int) -> None:
    """Draw the path ahead of an agent, dotted, with a ring at its goal."""
    if not len(person.path):
        return
    colour = colour_of(person)
    for stretch, _ in stretches(person.path, storeys, storey):
        canvas.dashes(stretch, WALKABLE, 2.8, dash=3.0, gap=4.0)
        canvas.dashes(stretch, colour, 1.5, dash=3.0, gap=4.0)
    if storeys.at(float(person.path[-1][2])) == storey:
        canvas.disc(person.path[-1], 0.6 * person_size(canvas) + 1.0, None, WALKABLE, 2.6)
        canvas.disc(person.path[-1], 0.6 * person_size(canvas), None, colour, 1.5)


def _draw_noise(canvas: Canvas, noise: Noise) -> None:
    """Draw rings that widen and fade."""
    for ring in (0.35, 0.7, 1.05):
        radius = 4.0 + 16.0 * (ring * 0.6 + 0.5 * noise.age)
        grey = round(QUIET_INK[0] + (225 - QUIET_INK[0]) * min(1.0, noise.age * ring + 0.3 * ring))
        canvas.disc(noise.xyz, radius, None, (grey, grey, grey), 1.3)


def _draw_belief(canvas: Canvas, ghost: Ghost) -> None:
    """Draw where an agent was last seen, paler with age; lines link a shared belief to its believers."""
    colour = mixed(WALKABLE, LAST_SEEN, ghost.strength)
    if len(ghost.believers) > 1:
        for place in ghost.from_xyz:
            canvas.dashes(np.stack([place[:2], ghost.xyz[:2]]), colour, 1.1, dash=2.0, gap=3.5)
    direction: Floats | None = ghost.direction_xy if np.hypot(*ghost.direction_xy) > 0.1 else None
    draw_ghost(canvas, ghost.xyz, direction, colour)


FRAME_RATE = 10.0
"""Frames per second of the animation."""
MOST_FRAMES = 400
"""Most frames; longer stretches skip more steps."""

_LARGEST = 1000
_END_MS = 2000
_SAMPLES = 25


class Reel:
    """Steps to show and milliseconds for each; `thinned` explains in words if steps are skipped."""

    def __init__(self, ticks: Sequence[int], milliseconds: int, thinned: str = ""):
        self.ticks = tuple(ticks)
        self.milliseconds = milliseconds
        self.thinned = thinned


def reel_of(scene: RecordedScene, start: float, end: float, speed: float = 1.0) -> Reel:
    """Choose the steps from `start` to `end`, in seconds, shown at `speed` times real time."""
    recording = scene.recording
    if not end > start:
        raise InputError(f"from {start:g} s to {end:g} s is empty; the end must be after the start")
    if not 0.01 <= speed <= 100.0:
        raise InputError(f"speed is {speed:g}; give 0.01 to 100, where 1 is real time")
    first, last = recording.tick_at(start), recording.tick_at(end)
    seconds = (last - first + 1) * recording.about.step
    wanted = max(2, round(seconds / speed * FRAME_RATE))
    # No step is shown twice, and there are never more frames than a viewer can handle.
    count = min(wanted, MOST_FRAMES, last - first + 1)
    ticks = np.unique(np.linspace(first, last, count).round().astype(int)).tolist()
    shown = max(20, round(seconds / speed / len(ticks) * 100.0) * 10)
    thinned = ""
    if wanted > MOST_FRAMES:
        thinned = (
            f"{seconds:.0f} s would be {wanted} frames; shows {len(ticks)}, one every {seconds / len(ticks):.2f} s "
            "(choose a shorter stretch or a higher speed for a smoother animation)"
        )
    return Reel(ticks, shown, thinned)


def draw_replay_gif(
    scene: RecordedScene,
    reel: Reel,
    *,
    scale: float | None = None,
    storey: int | None = None,
    bare: bool = False,
    progress: Progress | None = None,
) -> bytes:
    """Return an animated GIF of limited size; the bytes are deterministic. `bare` leaves out all but the map."""
    largest = None if scale else _LARGEST
    chart = ReplayMap(scene, scale=scale, storey=storey, largest=largest, finest=2, bare=bare)
    contents = Contents.of(scene.moment(tick) for tick in reel.ticks)

    def draw(number: int) -> Image.Image:
        return chart.sheet(scene.moment(reel.ticks[number]), contents)

    count = len(reel.ticks)
    samples = [draw(number) for number in np.unique(np.linspace(0, count - 1, _SAMPLES).round().astype(int)).tolist()]
    size = max(sheet.width for sheet in samples), max(sheet.height for sheet in samples)
    states = np.array([GUARD, PLAYER, VIEW, DOOR, EXIT, *CREW_COLOURS], np.uint8)
    palette = shared_palette(samples, np.concatenate([scale_colours("flood", 40), scale_colours("search", 40), states]))
    durations = [*([reel.milliseconds] * (count - 1)), _END_MS]
    return gif_bytes(drawn_frames(draw, count, size, progress), palette, durations)
