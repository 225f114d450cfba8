"""Pick places with a query, as the options of `lastseen locate` request."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import numpy as np
from msgspec.structs import replace

from ....cells.cell_file import Baked
from ....cells.layout import CellLayout
from ....cells.live import LiveLayout
from ....cells.query import nearest_cell
from ....conventions import Floats
from ....errors import InputError
from ....files import atomic_write
from ....layers.layer import Layer
from ....level.sight.sight import Sight
from ....reasoning.locations.choice import Choice
from ....reasoning.locations.criteria import Cover, Seen
from ....reasoning.locations.picker import Picker
from ....reasoning.locations.query import Query, read_query, shipped_queries, shipped_query
from ....reasoning.locations.query_places import MissingPoints, Place
from ....rng import generator
from ....textfile import FORMS
from ...figures.level.location_figure import LocationScene, draw_location
from ..app.console import Stages
from ..app.inputs import load_or_bake, parse_direction, parse_place, source_name
from ..app.outputs import check_picture, echo_json, require_picture


@dataclass(frozen=True, eq=False)
class Located:
    """The picked places, the asker, the named points, and the cell to explain (-1: none)."""

    choice: Choice
    asker: Place | None
    places: dict[str, Place]
    asked: int


def locate(level: str, given: dict[str, Any]) -> None:
    """Run `lastseen locate`."""
    png = given["png"]
    require_picture(given, "--png FILE", is_drawn=png is not None)
    output = None if png is None else check_picture(png, level, given["query"])
    query = _read_query(given["query"], given["count"])
    with Stages(quiet=given["as_json"]) as stages:
        baked = load_or_bake(level, given["kind"], given["up"], given["cell"], given["radius"], stages)
        stages.prepare("locate")
        found: Located = stages.run("locate", _locate, baked, query, given)
        if output is not None:
            scene = LocationScene(baked.layout, found.choice, found.asker, found.places, baked.level)
            title = baked.layout.mesh.name or source_name(level)
            size = {"scale": given["scale"], "storey": given["storey"]}
            picture = stages.run("picture", draw_location, scene, **size, title=title)
            stages.run("write", atomic_write, output, picture)
    if given["as_json"]:
        echo_json(_as_object(found, level, given["query"]) | stages.timing())
        return
    click.echo(_as_text(found))
    if png is not None:
        click.echo(f"wrote {png}")


def _read_query(given: str, count: int | None) -> Query:
    """Return the query in a file, or the shipped query of that name."""
    if not Path(given).suffix and not Path(given).exists():
        query = shipped_query(given)
    elif Path(given).suffix.lower() not in FORMS and given not in shipped_queries():
        raise InputError(
            f"--query {given!r} is not a query file; give a {', '.join(FORMS)} file or the name of a shipped query"
        )
    else:
        query = read_query(given)
    if count is None:
        return query
    return query.but(pick=replace(query.pick, count=count))


def _locate(baked: Baked, query: Query, given: dict[str, Any]) -> Located:
    """Pick places as the options specify."""
    layout, seed = baked.layout, given["seed"]
    if seed < 0:
        raise InputError(f"--seed is {seed}; give a whole number, 0 or more")
    asker = None if given["asker"] is None else _place(layout, [(given["asker"], given["heading"])], "--from")
    if asker is None and given["heading"] is not None:
        raise InputError("--heading needs the asker's position; give --from x,y too")
    places = _places(layout, given["places"])
    layers = [Layer.of(layout, name, values) for name, values in baked.layers.items()]
    picker = Picker(_unlocked(baked), level=baked.level, sight=_sight(baked, query), layers=layers)
    try:
        choice = picker.pick(query, asker, places=places, random=generator(seed, "locate"))
    except MissingPoints as error:
        option = "--from X,Y" if error.name in ("asker", "askers") else f"--place {error.name}=X,Y"
        raise InputError(f"{error.what}; give {option}") from None
    asked = -1
    if given["asked"] is not None:
        asked = nearest_cell(layout, parse_place(layout, given["asked"], "--why"))
    return Located(choice, asker, places, asked)


def _unlocked(baked: Baked) -> LiveLayout:
    """Return the cells that can be walked to: locked doors block the way, other doors are opened."""
    return LiveLayout(baked.layout) if baked.level is None else LiveLayout.at_start(baked.layout, baked.level)


def _sight(baked: Baked, query: Query) -> Sight | None:
    looks = any(isinstance(one, Cover) or (isinstance(one, Seen) and one.line == "sight") for one in query.criteria)
    if not looks:
        return None
    if baked.level is None:
        raise InputError(
            "the query asks what is seen, but the cell file does not hold its level; "
            "give the level itself, or set line: walking in the query"
        )
    return Sight.from_level(baked.level)


def _places(layout: CellLayout, given: tuple[str, ...]) -> dict[str, Place]:
    """Return the points of `NAME=X,Y[,Z][@DX,DY]`, grouped by name."""
    named: dict[str, list[tuple[str, str | None]]] = {}
    for one in given:
        name, equals, rest = one.partition("=")
        if not equals or not name.strip():
            raise InputError(f"--place {one!r} has no name; give NAME=X,Y, such as threats=12.5,8.5")
        place, at, heading = rest.partition("@")
        named.setdefault(name.strip(), []).append((place, heading if at else None))
    return {name: _place(layout, points, f"--place {name}") for name, points in named.items()}


def _place(layout: CellLayout, given: list[tuple[str, str | None]], option: str) -> Place:
    points: list[Floats] = [parse_place(layout, point, option) for point, _ in given]
    facing = [_facing(heading, option) for _, heading in given]
    return Place(np.array(points), heading=np.array(facing))


def _facing(given: str | None, option: str) -> float:
    """Return radians counter-clockwise from +x, NaN if nothing is given."""
    if given is None:
        return math.nan
    direction = parse_direction(given, option)
    if not direction[:2].any():
        raise InputError(f"{option} faces {given!r}, which is not a direction; give dx,dy such as 1,0, or leave it out")
    return math.atan2(float(direction[1]), float(direction[0]))


_REASONS = {
    "fewer": "no other place fits",
    "no_candidates": "no cell is a candidate: is the asker on the floor, and the distance wide enough?",
    "all_dropped": "the limits of the query drop every candidate",
    "no_score": "no candidate scores above 0 (or the query's minimum)",
    "taken": "the good places are too close to others",
}


def _as_text(found: Located) -> str:
    """Return the places, why the first was picked, and why the place asked about was or was not."""
    choice = found.choice
    lines = []
    for (x, y, z), score in zip(choice.xyz.tolist(), choice.scores.tolist()):
        lines.append(f"go to ({x:.2f}, {y:.2f}, {z:.2f}), score {score:.3f}")
    if choice.reason in _REASONS:
        lines.append(_REASONS[choice.reason])
    lines.append(f"{len(choice.candidates):,} candidates within the limits, {len(choice.dropped):,} were dropped")
    lines.append(choice.why())
    if found.asked >= 0:
        lines.append(choice.why(found.asked))
    return "\n".join(lines)


def _as_object(found: Located, level: str, query: str) -> dict[str, Any]:
    """Return everything that was picked, and why, as plain values."""
    choice = found.choice
    return {
        "level": level,
        "query": query,
        "reason": choice.reason,
        "candidates": len(choice.candidates),
        "dropped": _dropped(choice),
        "places": [
            {
                "cell": int(cell),
                "xyz": [round(number, 4) for number in xyz],
                "score": round(score, 6),
                "criteria": _criteria(choice, int(cell)),
            }
            for cell, xyz, score in zip(choice.cells.tolist(), choice.xyz.tolist(), choice.scores.tolist())
        ],
        "why": choice.why(found.asked) if found.asked >= 0 else None,
    }


def _dropped(choice: Choice) -> dict[str, int]:
    counts: dict[str, int] = {}
    for number, one in enumerate(choice.query.criteria):
        if one.has_limit:
            counts[one.title] = counts.get(one.title, 0) + int((choice.dropped_by == number).sum())
    return counts


def _criteria(choice: Choice, cell: int) -> list[dict[str, Any]]:
    at = int((choice.candidates == cell).argmax())
    return [
        {
            "name": one.title,
            "value": _finite(float(choice.values[number, at])),
            "unit": one.unit,
            "rating": _finite(float(choice.ratings[number, at])),
            "weight": one.weight,
        }
        for number, one in enumerate(choice.query.criteria)
    ]


def _finite(value: float) -> float | None:
    return round(value, 6) if math.isfinite(value) else None
