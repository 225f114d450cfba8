"""`lastseen replay RECORDING`: show a run again as a picture, an animation, a page or a story, or compare two runs."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..app.options import file, json_option, number, picture_options
from ..app.outputs import check_picture, echo_json

if TYPE_CHECKING:
    from ....simulation.recording.recording import Recording
    from ....simulation.replay.comparison import Comparison
    from ...prose.comparison import ToldComparison
    from ...prose.story import Sentence
    from ...scene.recorded_scene import RecordedScene
    from ..app.console import Stages


@click.command("replay", short_help="Show a run again: picture, animation, page or story.")
@click.argument("recording", metavar="RECORDING")
@click.option("--text", is_flag=True, help="Print what happened as sentences.  [unless a picture is written]")
@file("--png", about="Write a picture of one moment.")
@number("--at", unit="S", about="Moment the picture shows, in seconds from the start.  [the end]")
@file("--gif", about="Write an animation.")
@file("--html", about="Write a page that opens from disk and replays everything.")
@number("--from", "start", unit="S", about="Start of animation, page and story, in seconds.  [the start]")
@number("--to", "end", unit="S", about="End of animation, page and story, in seconds.  [the end]")
@number("--speed", unit="X", about="Speed factor of the animation.  [1]")
@click.option("--against", metavar="RECORDING", help="Report where this run and another one diverge.")
@picture_options
@click.option("--bare", is_flag=True, default=None, help="Leave out title, scale, legends and key of pictures.")
@json_option
def command(recording: str, text: bool, as_json: bool, **given: Any) -> None:
    """Show RECORDING (written by lastseen run -o) again.

    A recording whose run did not end is shown as far as it goes.

    \b
    Examples:
      lastseen replay run.rec
      lastseen replay run.rec --png lost.png --at 12.5
      lastseen replay run.rec --gif run.gif --from 10 --to 25 --speed 2 --bare
      lastseen replay run.rec --html run.html
      lastseen replay run.rec --against other.rec
    """
    from ....simulation.recording.recording import Recording, require_simulated
    from ..app.console import Stages

    outputs = _outputs(given | {"text": text or None}, recording)
    found = require_simulated(Recording.read(recording))
    if found.fault:
        click.echo(f"note: {recording}: {found.fault}", err=True)
    if given["against"] is not None:
        print_difference(found, given["against"], as_json=as_json)
        return
    start, end = _span(found, given)
    notes: list[str] = []
    has_story = as_json or text or not outputs
    with Stages(quiet=as_json) as stages:
        from ...prose.story import story_of

        story = story_of(found, first=found.tick_at(start), last=found.tick_at(end)) if has_story else ()
        if outputs:
            notes += _draw(found, outputs, (start, end), given, stages)
    if as_json:
        echo_json(_as_object(found, story, outputs, notes))
        return
    for sentence in story:
        click.echo(f"{sentence.seconds:7.1f} s  {sentence.text}")
    for note in notes:
        click.echo(f"note: {note}", err=True)
    for path in outputs.values():
        click.echo(f"wrote {path}")


def _outputs(given: dict[str, Any], recording: str) -> dict[str, Path]:
    """Return the pictures to write, by kind; raise for options that would have no effect."""
    _require_alone(given)
    kinds = [kind for kind in ("png", "gif", "html") if given[kind] is not None]
    outputs = {kind: check_picture(given[kind], recording, kind=kind) for kind in kinds}
    for one, other in itertools.combinations(kinds, 2):
        if outputs[one].absolute() == outputs[other].absolute():
            raise click.UsageError(f"--{one} and --{other} name the same file; give two different files")
    if given["at"] is not None and "png" not in outputs:
        raise click.UsageError("--at needs a picture to show the moment; give --png FILE too")
    if given["speed"] is not None and "gif" not in outputs:
        raise click.UsageError("--speed needs an animation; give --gif FILE too")
    for name in ("scale", "storey", "bare"):
        if given[name] is not None and not {"png", "gif"} & set(outputs):
            raise click.UsageError(f"--{name} needs a picture to apply to; give --png or --gif FILE")
    return outputs


def _require_alone(given: dict[str, Any]) -> None:
    """Raise for options about a single run given together with a comparison."""
    names = {"start": "--from", "end": "--to"}
    for name, value in given.items():
        if given["against"] is not None and name != "against" and value is not None:
            option = names.get(name, f"--{name}")
            raise click.UsageError(f"--against compares two whole runs and takes --json only; leave out {option}")


def _span(recording: Recording, given: dict[str, Any]) -> tuple[float, float]:
    """Return where animation and story start and end; raise for times outside the recording."""
    from ....errors import InputError

    longest = recording.seconds
    for name, option in (("at", "--at"), ("start", "--from"), ("end", "--to")):
        seconds = given[name]
        if seconds is not None and not 0.0 <= seconds <= longest:
            raise InputError(f"{option} is {seconds:g} s; {recording.source} spans 0 to {longest:.2f} s")
    start = 0.0 if given["start"] is None else given["start"]
    end = longest if given["end"] is None else given["end"]
    if start > end:
        raise InputError(f"--from {start:g} s is after --to {end:g} s; give an end after the start")
    return start, end


def _draw(
    recording: Recording, outputs: dict[str, Path], span: tuple[float, float], given: dict[str, Any], stages: Stages
) -> list[str]:
    """Draw and write the pictures; return notes about them."""
    from ....files import atomic_write
    from ...scene.recorded_scene import RecordedScene

    stages.watch_compiler()
    notes: list[str] = []
    if "html" in outputs:
        _write_page(recording, outputs["html"], span, stages)
    if not {"png", "gif"} & set(outputs):
        return notes
    scene: RecordedScene = stages.run("bake", RecordedScene, recording)
    look = {"scale": given["scale"], "storey": given["storey"], "bare": bool(given["bare"])}
    if "png" in outputs:
        from ...figures.moment.replay_figure import draw_moment

        seconds = recording.seconds if given["at"] is None else given["at"]
        picture = stages.run("picture", draw_moment, scene, recording.tick_at(seconds), **look)
        stages.run("write", atomic_write, outputs["png"], picture)
    if "gif" in outputs:
        from ...figures.moment.replay_figure import draw_replay_gif, reel_of

        reel = reel_of(scene, *span, 1.0 if given["speed"] is None else given["speed"])
        if reel.thinned:
            notes.append(reel.thinned)
        picture = stages.run("animation", draw_replay_gif, scene, reel, **look, progress=stages.progress)
        stages.run("write", atomic_write, outputs["gif"], picture)
    return notes


def _write_page(recording: Recording, path: Path, span: tuple[float, float], stages: Stages) -> None:
    from ....files import atomic_write
    from ....simulation.recording.recording import RememberedRecording, level_of
    from ...studio.answers.replay_page import replay_page
    from ...studio.session.stage import stage_of_recording

    source = recording.source
    known = RememberedRecording.read(source)
    stage = stages.run("bake", stage_of_recording, known, level_of(known), source, Path(source).parent)
    first, last = (recording.tick_at(seconds) for seconds in span)
    page = stages.run("page", replay_page, stage, first, last, progress=stages.progress)
    stages.run("write", atomic_write, path, page)


def _as_object(
    recording: Recording, story: tuple[Sentence, ...], outputs: dict[str, Path], notes: list[str]
) -> dict[str, Any]:
    """Return a replay as plain values."""
    import msgspec

    return {
        "recording": recording.source,
        "seconds": recording.seconds,
        "agents": list(recording.about.agents),
        "end": msgspec.to_builtins(recording.end),
        "fault": recording.fault,
        "story": msgspec.to_builtins(story),
        "wrote": {kind: str(path) for kind, path in outputs.items()},
        "notes": notes,
    }


_MOST_EVENTS = 5
"""Events of each run that are printed."""


def print_difference(one: Recording, against: str, *, as_json: bool) -> None:
    """Print where a recording and the one in the file `against` diverge."""
    from ....simulation.recording.recording import Recording, require_simulated
    from ....simulation.replay.comparison import compare
    from ...prose.comparison import told_comparison

    other = require_simulated(Recording.read(against))
    if other.fault:
        click.echo(f"note: {against}: {other.fault}", err=True)
    found = told_comparison(compare(one, other), one, other)
    if as_json:
        echo_json(asdict(found))
        return
    for line in _lines(found):
        click.echo(line)


def _lines(found: ToldComparison) -> Iterator[str]:
    names = _names(found)
    if found.is_same:
        yield f"the same run: {found.steps[0]} steps, {found.steps[0] * found.step:.1f} s"
        return
    yield f"A  {names[0]}: {_length(found, 0)}"
    yield f"B  {names[1]}: {_length(found, 1)}"
    for one in found.settings:
        yield f"{one.what}: " + ("different" if one.one == one.other else f"A {one.one} / B {one.other}")
    if found.cannot:
        yield f"cannot be compared step by step: {found.cannot}"
        return
    yield from _first(found)
    for apart in found.apart:
        if apart.metres > 0.0 or apart.same_state < 1.0:
            yield (
                f"{apart.agent}: up to {apart.metres:.1f} m apart, at {apart.tick * found.step:.1f} s; "
                f"in the same state for {100.0 * apart.same_state:.0f} % of {found.compared * found.step:.1f} s"
            )
    yield f"events: {found.only_count[0]} only in A, {found.only_count[1]} only in B"
    for side, events in zip("AB", found.only):
        for event in events[:_MOST_EVENTS]:
            yield f"{event.tick * found.step:7.1f} s  only in {side}: {event.text}"


def _first(found: Comparison) -> Iterator[str]:
    if found.tick is None:
        yield f"no visible difference in the {found.compared} steps they share"
    else:
        yield f"first difference: step {found.tick}, {found.tick * found.step:.2f} s"
        for one in found.first:
            agent = f"{one.agent}, " if one.agent else ""
            yield f"  {agent}{one.what}: A {one.one} / B {one.other}"
    if found.digest_tick is not None and found.digest_tick != found.tick:
        yield f"digests differ from step {found.digest_tick} on"


def _length(found: Comparison, side: int) -> str:
    ended = f", {found.ends[side]}" if found.ends[side] else ", did not end"
    return f"{found.steps[side]} steps{ended}"


def _names(found: Comparison) -> tuple[str, str]:
    """Return short names of both, with their folders if the names are equal."""
    one, other = (Path(source).name for source in found.sources)
    return (one, other) if one != other else found.sources
