"""Turn the options of `lastseen chase` into settings, a predictor and a loss, and reject contradictions."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Any

from ....cells.cell_file import Baked
from ....cells.layout import CellLayout
from ....cells.live import LiveLayout
from ....checks import finite_number
from ....errors import InputError, QueryError, did_you_mean
from ....layers.layer import Layer
from ....layers.tactical_worth import tactical_points, tactical_worth
from ....reasoning.chase.flood.chase import Chase
from ....reasoning.chase.flood.chase_settings import PRESETS, ChaseSettings, preset
from ....reasoning.chase.loss import Loss, View
from ....reasoning.chase.prediction import Flood, Prediction
from ....reasoning.chase.predictors import PREDICTORS, fair_predictors, predictor_kind
from ..app.positions import parse_direction, parse_place

_WEIGHTS = {"cover": 0.5, "hiding": 2.0, "exits": 3.0}
"""Default weight of each kind, added to the 1 that every cell counts."""

_ARGUMENTS = {
    "cover": ("cover", "cover_worth"),
    "hiding": ("hiding_places", "hiding_worth"),
    "exits": ("exits", "exit_worth"),
}


def parse_worth(given: str) -> dict[str, float]:
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
        weights[kind] = finite_number(number, f"--worth {kind}", low=0.0, high=1e6) if equals else _WEIGHTS[kind]
    return weights


def worth_layer(baked: Baked, weights: dict[str, float], *, all_kinds: bool, path: str) -> Layer:
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


def answer(baked: Baked, given: dict[str, Any], path: str, *, watch: bool) -> Answer:
    """Return the requested prediction; `watch` adds a snapshot of every step to be shown."""
    layout = _with_doors(baked, given["shut_door"], path)
    try:
        found = _answer(baked, layout, given, path, watch=watch)
    except (InputError, QueryError) as error:
        name, _, rest = str(error).partition(" ")
        if name not in _OPTION_OF:
            raise
        raise type(error)(f"{_OPTION_OF[name]} {rest}") from error
    return replace(found, shut=_shut(baked, layout))


def _answer(baked: Baked, layout: CellLayout | LiveLayout, given: dict[str, Any], path: str, *, watch: bool) -> Answer:
    predictor = _predictor(given)
    settings = _settings(given)
    loss = _loss(baked.layout, given)
    unused = _unused(given, predictor, settings)
    if predictor != "flood":
        kind = predictor_kind(_others()[predictor])
        return Answer(kind.make(layout).predict(loss), loss, predictor, "", settings, unused=unused)
    weights, layer, unweighted = _worth(given), None, None
    if weights:
        layer = worth_layer(baked, weights, all_kinds=given["worth"].strip() == "all", path=path)
        unweighted = Chase(layout, settings=settings).predict(loss)
    chase = Chase(layout, settings=settings, worth=layer)
    flood = chase.predict(loss)
    looks = _looks(chase, loss, flood) if watch else ()
    return Answer(flood, loss, predictor, given["preset"] or "article", settings, looks, weights, unused, unweighted)


def _with_doors(baked: Baked, doors: tuple[str, ...], path: str) -> CellLayout | LiveLayout:
    """Return the cells without the links through shut doors."""
    if not doors:
        return baked.layout
    if baked.level is None:
        raise InputError(f"--shut-door {doors[0]!r}: {path} does not hold its level, so its doors are not known")
    live, names = LiveLayout(baked.layout), {door.name for door in baked.level.doors}
    for door in doors:
        is_number = door.isdecimal() and door not in names
        live.close_door(baked.level, int(door) if is_number else door)
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
    if predictor == "particle-filter":
        known -= {"guard", "speed", "seconds"}
    elif predictor == "flood" and settings.barrier in ("belief", "both"):
        known.clear()
    elif predictor == "flood" and (settings.exits == "opened" or settings.about_turns == "barred"):
        known.discard("guard")
    return tuple(f"--{name.replace('_', '-')}" for name in sorted(known) if given[name] is not None)


def _worth(given: dict[str, Any]) -> dict[str, float]:
    return {} if given["worth"] is None else parse_worth(given["worth"])


def _others() -> dict[str, str]:
    """Return the predictors other than the presets of the flood, as they are typed and as they are called."""
    return {name.replace(" ", "-"): name for name in PREDICTORS if name not in PRESETS}


def _predictor(given: dict[str, Any]) -> str:
    name: str = given["predictor"].replace(" ", "-").replace("_", "-")
    others, fair = _others(), fair_predictors()
    usable = ("flood", *(typed for typed, known in others.items() if known in fair))
    if name in others and name not in usable:
        raise InputError(
            f"--predictor {name} needs to know where the target really went, which a single loss does not tell; "
            f"`lastseen evaluate chase` measures it. Use one of {', '.join(usable)}"
        )
    if name not in usable:
        raise InputError(f"no predictor {name!r}{did_you_mean(name, usable)}; there are {', '.join(usable)}")
    floods = [option for option in _FLOOD_OPTIONS if given.get(option) is not None]
    if name != "flood" and floods:
        words = ", ".join(f"--{option.replace('_', '-')}" for option in floods)
        raise InputError(f"{words}: only --predictor flood uses it, but --predictor is {name}; leave one of them out")
    return name


def _settings(given: dict[str, Any]) -> ChaseSettings:
    settings = preset(given["preset"] or "article")
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
    from ...figures.moment.chase_gif import shown_steps

    run, looks = chase.start(loss), []
    for step in shown_steps(end.steps)[:-1]:
        run.advance(step - run.steps)
        looks.append(run.result())
    return (*looks, end)
