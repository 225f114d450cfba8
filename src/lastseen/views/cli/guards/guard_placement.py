"""Place guards around an intended path, as the options of `lastseen guards place` request."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import click

from ....checks import finite_number, seed_of, whole_number
from ....errors import InputError
from ....files import atomic_write
from ....level.features import IntendedPath
from ....level.level import Level
from ....reasoning.placement.files.route_files import read_path, write_guards
from ....reasoning.placement.guard_ground import body_radius
from ....reasoning.placement.guard_routes import GuardKind, GuardRoute, Placement, guard_kind
from ....reasoning.placement.place.place import GuardPlanner
from ....reasoning.placement.placement_settings import PlacementSettings, VerifySettings
from ....reasoning.placement.verify.path_check import PathCheck
from ...figures.level.placement_figure import PlacementScene, draw_placement
from ..app.bake_request import BakeRequest
from ..app.console import Stages
from ..app.inputs import read_source, refuse_cell_file, source_name
from ..app.outputs import check_output, check_picture, echo_json, require_picture

Progress = Callable[[str, float], None]

_SETTINGS = (
    "packing", "path_cost", "guard_cost", "guard_term", "drop_off", "least", "most", "candidates", "spare_path",
    "coarseness",
)  # fmt: skip
_ABILITIES = {
    "view": ("view_distance", 1.0, 10_000.0, "m"),
    "angle": ("view_angle", math.pi / 180.0, 360.0, "degrees"),
    "speed": ("speed", 1.0, 50.0, "m/s"),
    "turn": ("turn_speed", math.pi / 180.0, 50_000.0, "degrees/s"),
    "passive": ("passive", 1.0, 10_000.0, "m"),
}
"""By option: the ability it sets, its unit in those of the library, its maximum and its unit in messages."""


@dataclass(frozen=True, eq=False)
class GuardRequest:
    """Everything needed to place guards; `player`, if any, must get through `within` metres of the path."""

    level: Level
    path: IntendedPath
    guards: int
    kinds: tuple[GuardKind, ...]
    settings: PlacementSettings
    seed: int
    within: float
    player: VerifySettings | None

    def planner(self, progress: Progress) -> GuardPlanner:
        """Return a planner for the level."""
        return GuardPlanner(
            self.level, self.path, kinds=self.kinds, settings=self.settings, seed=self.seed, progress=progress
        )

    def place(self, planner: GuardPlanner, progress: Progress) -> tuple[Placement, str]:
        """Return the guards and how the intended path can be walked unseen, "" if that was not requested.

        Raises
        ------
        InputError
            No drawn placement leaves the path passable.
        """
        if self.player is None:
            return planner.place(self.guards, seed=self.seed, progress=progress), ""
        check = PathCheck(self.level, self.path, width=self.within, settings=self.player)
        placement = planner.place(self.guards, seed=self.seed, check=check, progress=progress)
        found = check.ask(placement)
        if not found:
            raise InputError(
                f"none of {planner.draws(self.guards)} draws leaves the intended path passable; in the last, "
                f"{found.why}; raise --path-cost, use fewer guards or a shorter --view, or give --unchecked"
            )
        return placement, found.why


def read_request(level: str, given: dict[str, Any]) -> GuardRequest:
    """Check all options, then read the level and the path."""
    guards, seed = whole_number(given["guards"], "--guards", low=1), seed_of(given["seed"])
    kinds = tuple(_kind(name, given) for name in given["kinds"] or ("walking",))
    if given["speed"] is not None and not any(kind.walks for kind in kinds):
        raise InputError("--speed needs walking guards; add --kind walking or leave it out")
    chosen = {name: given[name] for name in _SETTINGS if given[name] is not None}
    settings = PlacementSettings(raw=given["raw"], together=given["together"], **chosen)
    refuse_cell_file(level)
    BakeRequest(radius=given["radius"])  # report a bad radius before reading the level
    drawn = read_source(level, kind=given["level_kind"], up=given["up"])
    settings = replace(settings, body=body_radius(drawn) if given["radius"] is None else given["radius"])
    path = _only_path(drawn, level) if given["path"] is None else read_path(given["path"])
    return GuardRequest(drawn, path, guards, kinds, settings, seed, *_player(given))


def _player(given: dict[str, Any]) -> tuple[float, VerifySettings | None]:
    """Return how far players may leave the path, and their settings."""
    if not given["checked"]:
        asked = [f"--{name.replace('_', '-')}" for name in ("player_speed", "within") if given[name] is not None]
        if asked:
            raise InputError(f"{' and '.join(asked)}: no effect with --unchecked; leave out one or the other")
        return 0.0, None
    within = 1.0 if given["within"] is None else given["within"]
    within = finite_number(within, "--within", unit="m", low=0.0, high=1e3)
    speed = 2.5 if given["player_speed"] is None else given["player_speed"]
    speed = finite_number(speed, "--player-speed", unit="m/s", low=0.01, high=50.0)
    return within, VerifySettings(speed=speed, contact=given["contact"])


def _kind(name: str, given: dict[str, Any]) -> GuardKind:
    """Return an archetype changed by the options; a speed applies to walking guards only."""
    kind = guard_kind(name)
    changes: dict[str, Any] = {}
    for option, (ability, unit, most, unit_name) in _ABILITIES.items():
        if given[option] is None or (option == "speed" and not kind.walks):
            continue
        number = finite_number(given[option], f"--{option}", unit=unit_name, low=0.0, high=most, open_low=True)
        changes[ability] = min(number * unit, 2.0 * math.pi) if option == "angle" else number * unit
    return replace(kind, **changes)


def _only_path(level: Level, given: str) -> IntendedPath:
    if len(level.paths) == 1:
        return level.paths[0]
    if level.paths:
        raise InputError(f"{given} has {len(level.paths)} intended paths; choose one with --path FILE.geojson")
    raise InputError(f"{given} has no intended path; draw one and give it with --path FILE.geojson (one LineString)")


def place(level: str, given: dict[str, Any]) -> None:
    """Run `lastseen guards place`."""
    inputs = [level, *([given["path"]] if given["path"] is not None else [])]
    output, png = given["output"], given["png"]
    target = check_output(output, *inputs)
    require_picture(given, "--png FILE", is_drawn=png is not None)
    picture = None if png is None else check_picture(png, *inputs)
    if picture is not None and picture.absolute() == target.absolute():
        raise click.UsageError("--png and -o name the same file; give two different files")
    with Stages(quiet=given["as_json"]) as stages:
        request: GuardRequest = stages.run("read", read_request, level, given)
        stages.prepare("placement")
        planner: GuardPlanner = stages.run("pack", request.planner, stages.progress)
        placement, passes = stages.run("place", request.place, planner, stages.progress)
        drawn = b"" if picture is None else stages.run("picture", _draw, planner, placement, level, given)
        stages.run("write", write_guards, placement, target)
        if picture is not None:
            atomic_write(picture, drawn)
    if given["as_json"]:
        echo_json(_as_object(planner, placement, level, output, passes))
        return
    click.echo(_as_text(planner, placement, level, passes))
    for name in (output, png):
        if name is not None:
            click.echo(f"wrote {name}")


def _draw(planner: GuardPlanner, placement: Placement, level: str, given: dict[str, Any]) -> bytes:
    ground = planner.ground
    scene = PlacementScene(ground.level, placement, ground.path, ground.sight, planner.graph)
    title = ground.level.name or source_name(level)
    return draw_placement(scene, scale=given["scale"], storey=given["storey"], title=title)


def _as_text(planner: GuardPlanner, placement: Placement, level: str, passes: str) -> str:
    """Return the guards and what they see; `passes` says how the path can be walked unseen."""
    count = len(placement.routes)
    lines = [
        f"{count} guard{'s' if count > 1 else ''} for {source_name(level)}: {planner.ground.area:.4g} m², "
        f"{len(planner.partition)} places, {len(planner.graph.pairs)} links between them"
    ]
    lines += [f"  {route.name:10} {route.kind.name:9} {_route_text(route)}" for route in placement.routes]
    if placement.coverage is not None:
        seen = placement.coverage
        lines.append(
            f"  they see {seen.ever:.0%} of the floor at some time and {seen.mean:.0%} at any moment; "
            f"and {seen.path:.1%} of the intended path at any moment"
        )
    if passes:
        lines.append(f"  the intended path can be walked unseen: {passes}")
    lines += [f"  note: {note}" for note in placement.notes]
    return "\n".join(lines)


def _route_text(route: GuardRoute) -> str:
    x, y, _ = route.points[0].tolist()
    if not route.stays:
        return f"{route.length:5.1f} m route in {route.period:.1f} s, past ({x:.1f}, {y:.1f})"
    degrees = math.degrees(route.heading) % 360.0
    return f"stays at ({x:.1f}, {y:.1f})" + ("" if route.kind.opening >= 2 * math.pi else f", facing {degrees:.0f}°")


def _as_object(planner: GuardPlanner, placement: Placement, level: str, output: str, passes: str) -> dict[str, Any]:
    """Return the same for JSON, with units in the names."""
    seen = placement.coverage
    return {
        "level": level,
        "output": output,
        "seed": placement.seed,
        "area_m2": planner.ground.area,
        "places": len(planner.partition),
        "ways": len(planner.graph.pairs),
        "radius_m": [planner.partition.smallest, planner.partition.largest],
        "filled": planner.partition.filled,
        "settings": placement.settings.as_object(),
        "guards": [
            {
                "name": route.name,
                "kind": route.kind.name,
                "points_xyz": route.points.tolist(),
                "length_m": route.length,
                "period_s": route.period,
                "phase_s": route.phase,
                "heading_rad": route.heading,
                "view_distance_m": route.kind.view_distance,
                "view_angle_rad": route.kind.view_angle,
            }
            for route in placement.routes
        ],
        "coverage": None if seen is None else {"ever": seen.ever, "mean": seen.mean, "path": seen.path},
        "path_passable": passes or None,
        "notes": list(placement.notes),
    }
