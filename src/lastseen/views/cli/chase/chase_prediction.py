"""Predict where a lost target ran, as the options of `lastseen chase` request."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import click
import numpy as np

from ....cells.cell_file import Baked
from ....cells.layout import CellLayout
from ....cells.live import LiveLayout
from ....checks import finite_number
from ....conventions import Array
from ....errors import InputError, QueryError, did_you_mean
from ....extensions import is_module_name
from ....files import atomic_write
from ....layers.layer import Layer
from ....layers.tactical_worth import tactical_points, tactical_worth
from ....navmesh.query import heights_at
from ....reasoning.chase.flood.chase import Chase
from ....reasoning.chase.flood.chase_settings import FAITHFUL, PRESETS, ChaseSettings, preset
from ....reasoning.chase.loss import Loss, View
from ....reasoning.chase.prediction import Flood, Prediction
from ....reasoning.chase.predictors import PREDICTORS, fair_predictors, predictor_kind
from ...figures.moment.chase_figure import ChaseScene, draw_chase, draw_chase_gif, shown_steps
from ..app.console import Stages
from ..app.inputs import load_or_bake, parse_direction, parse_place, source_name
from ..app.outputs import check_folder, check_picture, echo_json

_WEIGHTS = {"cover": 0.5, "hiding": 2.0, "exits": 3.0}
"""Default weight of each kind, added to the 1 that every cell counts."""

_ARGUMENTS = {
    "cover": ("cover", "cover_worth"),
    "hiding": ("hiding_places", "hiding_worth"),
    "exits": ("exits", "exit_worth"),
}


def chase(level: str, given: dict[str, Any]) -> None:
    """Run `lastseen chase` for one loss."""
    outputs = _outputs(given, level)
    with Stages(quiet=given["as_json"]) as stages:
        baked = load_or_bake(level, given["kind"], given["up"], given["cell"], given["radius"], stages)
        is_article = given["preset"] in (None, FAITHFUL) and given["predictor"] == "flood"
        with stages.interpreted("chase" if is_article else "belief"):
            found: Answer = stages.run("chase", _answer, baked, given, level, watch="gif" in outputs)
            for name, output in outputs.items():
                picture = stages.run("picture", _draw, name, baked, found, level, given)
                stages.run("write", atomic_write, output, picture)
            notes = _notes(baked.layout, found)
    if given["as_json"]:
        echo_json(_as_object(baked.layout, found, level, notes) | stages.timing())
        return
    click.echo(_as_text(baked.layout, found, notes))
    for name in outputs:
        click.echo(f"wrote {given[name]}")


def _parse_worth(given: str) -> dict[str, float]:
    """Return the weight of each requested kind; "all" means every kind with its default weight."""
    if given.strip() == "all":
        return dict(_WEIGHTS)
    weights: dict[str, float] = {}
    for part in given.split(","):
        kind, equals, number = (word.strip() for word in part.partition("="))
        if kind not in _WEIGHTS:
            hint = did_you_mean(kind, _WEIGHTS)
            raise InputError(
                f"--worth {given!r}: no kind {kind!r}{hint}; choose from {', '.join(_WEIGHTS)}, "
                "with optional weights, such as exits=3,hiding; or give all"
            )
        if kind in weights:
            raise InputError(f"--worth {given!r} names {kind} twice; give each kind once")
        weight = _number(number) if equals else _WEIGHTS[kind]
        weights[kind] = finite_number(weight, f"--worth {kind}", low=0.0, high=1e6)
    return weights


def _number(text: str) -> float | str:
    """Return the number a text stands for, or the text, for the message that it is none."""
    try:
        return float(text)
    except ValueError:
        return text


def _worth_layer(baked: Baked, weights: dict[str, float], *, all_kinds: bool, path: str) -> Layer:
    """Return how much more each cell counts; a kind requested by name but absent from the level is an error."""
    if baked.level is None:
        raise InputError(f"--worth needs the level, but the cell file {path} does not hold it; give the level itself")
    points = tactical_points(baked.level)
    missing = [kind for kind in weights if not len(points[_ARGUMENTS[kind][0]])]
    if missing and (not all_kinds or len(missing) == len(weights)):
        have = [kind for kind, (name, _) in _ARGUMENTS.items() if len(points[name])]
        raise InputError(
            f"--worth: {path} has no {' and no '.join(missing)}; it has {', '.join(have) or 'none of these'}"
        )
    chosen: dict[str, Any] = {}
    for kind, weight in weights.items():
        name, weight_name = _ARGUMENTS[kind]
        chosen |= {name: points[name], weight_name: weight}
    return tactical_worth(baked.layout, **chosen)


_OPTION_OF = {
    "seen_at": "--seen",
    "guard_at": "--guard",
    "hot": "--hot",
    "max_heated": "--max-heated",
    "max_steps": "--max-steps",
    "speed": "--speed",
    "seconds": "--seconds",
}
"""Library arguments that an error may start with, and the options that set them."""

_FLOOD_OPTIONS = ("hot", "max_heated", "max_steps", "behind", "preset", "worth", "gif")


@dataclass(frozen=True, eq=False)
class Answer:
    """A prediction, the question it answers, and on request snapshots of the flood from its seed to its end.

    `worth`: what each kind of place adds; `unweighted`: the prediction of a flood without worth, None if worth is
    unused. `unused`: options that were given but that this predictor ignores; `shut`: doors, by name and number.
    """

    prediction: Prediction
    loss: Loss
    predictor: str
    preset: str
    settings: ChaseSettings
    floods: tuple[Flood, ...] = ()
    worth: dict[str, float] = field(default_factory=dict)
    unused: tuple[str, ...] = ()
    unweighted: Flood | None = None
    shut: tuple[str, ...] = ()


def _answer(baked: Baked, given: dict[str, Any], path: str, *, watch: bool) -> Answer:
    """Return the requested prediction; `watch` adds a snapshot of every step to be shown."""
    layout = _with_doors(baked, given["shut_door"], path)
    try:
        found = _predicted(baked, layout, given, path, watch=watch)
    except (InputError, QueryError) as error:
        name, _, rest = str(error).partition(" ")
        if name not in _OPTION_OF:
            raise
        raise type(error)(f"{_OPTION_OF[name]} {rest}") from error
    return replace(found, shut=_shut(baked, layout))


def _predicted(
    baked: Baked, layout: CellLayout | LiveLayout, given: dict[str, Any], path: str, *, watch: bool
) -> Answer:
    predictor = _predictor(given)
    settings = _settings(given)
    loss = _loss(baked.layout, given)
    unused = _unused(given, predictor, settings)
    if predictor != "flood":
        kind = predictor_kind(_others()[predictor])
        return Answer(kind.made(layout).predict(loss), loss, predictor, "", settings, unused=unused)
    weights = {} if given["worth"] is None else _parse_worth(given["worth"])
    layer, unweighted = None, None
    if weights:
        layer = _worth_layer(baked, weights, all_kinds=given["worth"].strip() == "all", path=path)
        unweighted = Chase(layout, settings=settings).predict(loss)
    chase = Chase(layout, settings=settings, worth=layer)
    flood = chase.predict(loss)
    looks = _looks(chase, loss, flood) if watch else ()
    return Answer(flood, loss, predictor, given["preset"] or FAITHFUL, settings, looks, weights, unused, unweighted)


def _with_doors(baked: Baked, doors: tuple[str, ...], path: str) -> CellLayout | LiveLayout:
    """Return the cells without the links through shut doors."""
    if not doors and (baked.level is None or not baked.level.platforms):
        return baked.layout
    if baked.level is None:
        raise InputError(f"--shut-door {doors[0]!r}: {path} does not hold its level, so its doors are not known")
    live, names = LiveLayout(baked.layout), {door.name for door in baked.level.doors}
    for door in doors:
        is_number = door.isdecimal() and door not in names
        live.close_door(baked.level, int(door) if is_number else door)
    live.place_platforms(baked.level)
    return live


def _shut(baked: Baked, layout: CellLayout | LiveLayout) -> tuple[str, ...]:
    """Return the shut doors by name and number; numbers count from 0, names often from 1."""
    if baked.level is None or not isinstance(layout, LiveLayout):
        return ()
    named = [(number, baked.level.doors[number].name) for number in layout.shut_doors]
    return tuple(f"{name!r} (number {number}, counted from 0)" if name else f"door {number}" for number, name in named)


def _unused(given: dict[str, Any], predictor: str, settings: ChaseSettings) -> tuple[str, ...]:
    """Return the guard options this predictor ignores."""
    known = {"guard", "guard_looks", "speed", "seconds"}
    if predictor != "flood":
        known -= set(predictor_kind(predictor).uses)
    elif settings.barrier in ("belief", "both"):
        known.clear()
    elif settings.exits == "opened" or settings.about_turns == "barred":
        known.discard("guard")
    return tuple(f"--{name.replace('_', '-')}" for name in sorted(known) if given[name] is not None)


def _others() -> dict[str, str]:
    """Return the predictors other than the presets of the flood, as they are typed and as they are called."""
    return {name.replace(" ", "-"): name for name in PREDICTORS if name not in PRESETS}


def _predictor(given: dict[str, Any]) -> str:
    is_own = is_module_name(given["predictor"])
    name: str = given["predictor"] if is_own else given["predictor"].replace(" ", "-").replace("_", "-")
    if is_own:
        predictor_kind(name)  # imports it
    others, fair = _others(), fair_predictors()
    usable = ("flood", *(typed for typed, known in others.items() if known in fair))
    if name in others and name not in usable:
        raise InputError(
            f"--predictor {name} needs to know where the target really went, which a single loss does not show; "
            f"`lastseen evaluate chase` measures it. Use one of {', '.join(usable)}"
        )
    if name not in usable:
        hint = f"{did_you_mean(name, usable)}; there are {', '.join(usable)}, or your own as MODULE:NAME"
        raise InputError(f"no predictor {given['predictor']!r}{hint}")
    floods = [option for option in _FLOOD_OPTIONS if given.get(option) is not None]
    if name != "flood" and floods:
        words = ", ".join(f"--{option.replace('_', '-')}" for option in floods)
        raise InputError(f"{words}: only --predictor flood uses it, but --predictor is {name}; leave one of them out")
    return name


def _settings(given: dict[str, Any]) -> ChaseSettings:
    settings = preset(given["preset"] or FAITHFUL)
    changes = {name: given[name] for name in ("hot", "max_heated", "max_steps") if given[name] is not None}
    if given["behind"] is not None:
        if settings.barrier in ("belief", "none") or settings.cone is not None:
            raise InputError(
                f"--behind {given['behind']} changes the barrier, but preset {given['preset']!r} builds it "
                "differently; leave one of them out"
            )
        changes["behind"] = given["behind"]
    return settings.but(**changes)


def _loss(layout: CellLayout, given: dict[str, Any]) -> Loss:
    if given["guard_looks"] is not None and given["guard"] is None:
        raise InputError("--guard-looks needs the guard's position; give --guard x,y too")
    guard = None if given["guard"] is None else parse_place(layout, given["guard"], "--guard")
    view = None
    if guard is not None:
        looks = parse_direction(given["guard_looks"], "--guard-looks")
        view = View(looks) if looks.any() else View(angle=2.0 * math.pi)
    return Loss(
        parse_place(layout, given["seen"], "--seen"),
        parse_direction(given["heading"], "--heading"),
        speed=Loss.speed if given["speed"] is None else given["speed"],
        seconds=Loss.seconds if given["seconds"] is None else given["seconds"],
        guard_at=guard,
        guard_view=view,
    )


def _looks(chase: Chase, loss: Loss, end: Flood) -> tuple[Flood, ...]:
    run, looks = chase.start(loss), []
    for step in shown_steps(end.steps)[:-1]:
        run.advance(step - run.steps)
        looks.append(run.result())
    return (*looks, end)


_FELL_BACK = {
    "few_steps": "the guard's knowledge left too few cells to flood, so only the article's barrier was used",
    "no_view": "the guard's position and view are unknown, so only the article's barrier was used (give --guard x,y)",
}


def _as_object(layout: CellLayout, found: Answer, level: str, notes: list[str]) -> dict[str, Any]:
    """Return everything about a prediction; a predictor other than the flood has no steps and no cells."""
    prediction, loss = found.prediction, found.loss
    flood = prediction if isinstance(prediction, Flood) else None

    def places(cells: Array) -> list[list[float]]:
        listed: list[list[float]] = layout.arrays.cell_xyz[cells].astype(np.float64).tolist()
        return listed

    warm = [] if flood is None else places(flood.warm)
    values = [] if flood is None else flood.values.tolist()
    return {
        "destination": prediction.destination.tolist(),
        "destination_cell": int(prediction.cell),
        "reason": prediction.reason,
        "steps": 0 if flood is None else flood.steps,
        "heated": [] if flood is None else flood.heated.tolist(),
        "warm": [[*xyz, value] for xyz, value in zip(warm, values)],
        "barrier": [] if flood is None else places(flood.barrier),
        "closed": [] if flood is None else places(flood.closed),
        "has_barrier": flood is not None and flood.has_barrier,
        "fell_back": "" if flood is None else flood.fell_back,
        "notes": notes,
        "level": layout.mesh.name or level,
        "seen": np.asarray(loss.seen_at).tolist(),
        "heading": np.asarray(loss.heading).tolist(),
        "predictor": found.predictor,
        "preset": found.preset,
        "worth": found.worth,
    }


def _as_text(layout: CellLayout, found: Answer, notes: list[str]) -> str:
    """Return a prediction in a few lines."""
    prediction = found.prediction
    x, y, z = prediction.destination.tolist()
    away = float(np.linalg.norm(prediction.destination - found.loss.seen_at))
    rows = [("run to", f"({x:.2f}, {y:.2f}, {z:.2f}), {away:.1f} m from where the target was last seen")]
    if isinstance(prediction, Flood):
        made = f"{prediction.steps} step{'' if prediction.steps == 1 else 's'}"
        rows.append(("stopped", f"{prediction.reason} after {made}: {_why(prediction, found)}"))
        rows.append(("heated", _heated_text(prediction.heated.tolist())))
        cells = f"{len(prediction.warm):,} warm, {len(prediction.barrier):,} barrier"
        if len(prediction.closed):
            cells += f", {len(prediction.closed):,} closed"
        rows.append(("cells", f"{cells}, of {len(layout):,}"))
    else:
        rows.append(("why", f"{prediction.reason} ({found.predictor})"))
    rows += [("note", note) for note in notes]
    return "\n".join(f"{name:<9} {words}" for name, words in rows)


def _why(flood: Flood, found: Answer) -> str:
    if flood.reason == "no_cells":
        return "no cells left to heat"
    if flood.reason == "max_steps":
        return "the maximum"
    last, most = int(flood.heated[-1]), found.settings.max_heated
    if last > most:
        return f"the last one heated {last} cells, more than {most}, too wide to predict"
    return "too many cells in total"


def _heated_text(heated: list[int], most: int = 24) -> str:
    words = " ".join(map(str, heated[:most])) or "nothing"
    return f"{words} …" if len(heated) > most else words


def _reason_to_move(found: Answer) -> str:
    corner = "to see around a corner" if found.settings.corner > 0.0 else ""
    more = "to a cell with a wider view" if found.settings.look_round else ""
    return " or ".join(words for words in (corner, more) if words)


def _without_heading(flood: Flood | None) -> str:
    if flood is None:
        return "the heading is unknown"
    if flood.has_barrier:
        return "the heading is unknown: the barrier holds the cells the guard reaches first"
    extent = "cells closed by the guard bound it" if len(flood.closed) else "the flood spreads in all directions"
    return f"the heading is unknown, so there is no barrier: {extent}"


def _off_floor(layout: CellLayout, found: Answer) -> str:
    """Return a note naming the cell used for a place off the floor, or "" if the place is on it."""
    flood, reach = found.prediction, float(layout.arrays.size_xyz[2])
    seen = found.loss.seen_at[None]
    if not isinstance(flood, Flood) or not np.isnan(heights_at(layout.mesh, seen, below=reach, above=reach)[0]):
        return ""
    x, y, z = layout.arrays.cell_xyz[flood.start].tolist()
    return (
        f"the last seen position is off the floor; the flood starts in the nearest cell, at ({x:.2f}, {y:.2f}, {z:.2f})"
    )


def _notes(layout: CellLayout, found: Answer) -> list[str]:
    notes = [words] if (words := _off_floor(layout, found)) else []
    flood = found.prediction if isinstance(found.prediction, Flood) else None
    turns = found.predictor == "flood" or "heading" in predictor_kind(found.predictor).uses
    if turns and not found.loss.has_heading:
        notes.append(_without_heading(flood))
    elif flood is not None and flood.has_barrier and not np.asarray(found.loss.heading)[:2].any():
        notes.append("the heading points straight up or down, so no cell of a level floor lies behind it")
    elif flood is not None and flood.has_barrier and len(flood.barrier) == 0:
        none = ", as no neighbour of the start lies behind it" if found.settings.exits == "hidden" else ""
        notes.append(f"the barrier holds no cell{none}: the flood may turn back")
    notes += [f"shut: {', '.join(found.shut)}"] if found.shut else []
    if found.unused:
        name = f"preset {found.preset!r}" if found.predictor == "flood" else found.predictor
        notes.append(f"{', '.join(found.unused)} ignored: {name} does not use what the guard knows")
    if flood is not None and flood.fell_back:
        notes.append(_FELL_BACK[flood.fell_back])
    if found.unweighted is not None:
        metres = float(np.linalg.norm(found.prediction.destination - found.unweighted.destination))
        drawn = f"moved the destination {metres:.1f} m" if metres >= 0.05 else "made no difference"
        notes.append(f"the worth of {', '.join(found.worth)} {drawn}")
    if flood is not None and flood.moved:
        notes.append(f"moved {flood.moved} time{'' if flood.moved == 1 else 's'} from the middle of the heat "
                     f"{_reason_to_move(found)}")  # fmt: skip
    return notes


def _outputs(given: dict[str, Any], level: str) -> dict[str, Path]:
    """Return the pictures to write, by kind."""
    outputs = {kind: check_picture(given[kind], level, kind=kind) for kind in ("png", "gif") if given[kind] is not None}
    if len(outputs) == 2 and outputs["png"].absolute() == outputs["gif"].absolute():
        raise click.UsageError("--png and --gif name the same file; give two different files")
    if given["scale"] is not None and "png" not in outputs:
        raise click.UsageError("--scale needs a picture to scale; give --png FILE too")
    if given["storey"] is not None and not outputs:
        raise click.UsageError("--storey needs a picture to show it; give --png or --gif FILE too")
    return outputs


def _draw(name: str, baked: Baked, found: Answer, level: str, given: dict[str, Any]) -> bytes:
    scene = ChaseScene(
        baked.layout,
        found.prediction,
        found.loss.seen_at,
        found.loss.heading,
        level=baked.level,
        hot=found.settings.hot,
        guard_at=found.loss.guard_at,
        guard_looks=None if found.loss.guard_view is None else found.loss.guard_view.heading,
        rivals={} if found.unweighted is None else {"without worth": found.unweighted},
    )
    title = baked.layout.mesh.name or source_name(level)
    if name == "png":
        return draw_chase(scene, scale=given["scale"], storey=given["storey"], title=title)
    return draw_chase_gif(scene, found.floods, storey=given["storey"], title=title)


def draw_figures(folder: str, level: str | None, given: dict[str, Any]) -> None:
    """Run `lastseen chase --figures`: draw the figures of the article."""
    defaults = {"predictor": "flood", "kind": "auto", "up": "auto", "shut_door": ()}
    asked = [name for name, value in given.items() if value is not None and value != defaults.get(name)]
    if level is not None or asked:
        words = ", ".join([*(["LEVEL"] if level else []), *(f"--{name.replace('_', '-')}" for name in asked)])
        raise click.UsageError(f"--figures draws its own levels; leave out {words}")
    path = check_folder(folder, "figures")
    from ...figures.research.article import FIGURES

    path.mkdir(exist_ok=True)
    for name, draw in FIGURES.items():
        atomic_write(path / f"{name}.png", draw())
        click.echo(f"wrote {path / name}.png")
