"""Place guards around an intended path, as the options of `lastseen guards place` request."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click

from ....checks import finite_number, seed_of, whole_number
from ....errors import InputError
from ....files import atomic_write
from ....level.features import IntendedPath
from ....level.gram_scene import write_gram
from ....level.level import Level
from ....level.write import write_level
from ....reasoning.placement.files.level_guards import with_guards
from ....reasoning.placement.files.route_files import read_paths, write_guards
from ....reasoning.placement.guard_ground import body_radius
from ....reasoning.placement.guard_routes import GuardKind, GuardRoute, Placement
from ....reasoning.placement.place.place import GuardPlanner
from ....reasoning.placement.placement_settings import PlacementSettings, VerifySettings
from ....reasoning.placement.verify.path_check import PathChecks
from ...figures.level.placement_figure import PlacementScene, draw_placement
from ..app.bake_request import BakeRequest
from ..app.console import Stages
from ..app.inputs import is_sample, read_source, refuse_cell_file, source_name
from ..app.outputs import check_output, check_picture, echo_json, require_picture
from .kind_option import kinds_of

Progress = Callable[[str, float], None]

_SETTINGS = (
    "packing", "path_cost", "guard_cost", "guard_term", "drop_off", "least", "most", "candidates", "spare_path",
    "coarseness", "grammar", "rewrites", "routes",
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class GuardRequest:
    """Everything needed to place guards; `player`, if any, must get through `within` metres of the path."""

    level: Level
    paths: tuple[IntendedPath, ...]
    guards: int
    kinds: tuple[GuardKind, ...]
    settings: PlacementSettings
    seed: int
    within: float
    player: VerifySettings | None

    @property
    def path(self) -> IntendedPath:
        """The only intended path."""
        if len(self.paths) > 1:
            raise InputError(f"there are {len(self.paths)} intended paths; choose one with --path FILE.geojson")
        return self.paths[0]

    def planner(self, progress: Progress) -> GuardPlanner:
        """Return a planner for the level."""
        return GuardPlanner(
            self.level, self.paths, kinds=self.kinds, settings=self.settings, seed=self.seed, progress=progress
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
        check = PathChecks(self.level, self.paths, width=self.within, settings=self.player)
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
    kinds = tuple(kind for words in given["kinds"] or ("walking",) for kind in kinds_of(words, given))
    if given["guards"] is None and not given["kinds"]:
        raise InputError("--guards is missing; give the number of guards, or the kind of each with --kind")
    guards = len(kinds) if given["guards"] is None else whole_number(given["guards"], "--guards", low=1)
    seed = seed_of(given["seed"])
    if given["speed"] is not None and not any(kind.walks for kind in kinds):
        raise InputError("--speed needs walking guards; add --kind walking or leave it out")
    chosen = {name: given[name] for name in _SETTINGS if given[name] is not None}
    settings = PlacementSettings(raw=given["raw"], together=given["together"], **chosen)
    refuse_cell_file(level)
    BakeRequest(radius=given["radius"])  # report a bad radius before reading the level
    drawn = read_source(level, kind=given["level_kind"], up=given["up"])
    settings = replace(settings, body=body_radius(drawn) if given["radius"] is None else given["radius"])
    paths = _own_paths(drawn, level) if given["path"] is None else read_paths(given["path"])
    return GuardRequest(drawn, paths, guards, kinds, settings, seed, *_player(given))


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


def _own_paths(level: Level, given: str) -> tuple[IntendedPath, ...]:
    if level.paths:
        return level.paths
    raise InputError(f"{given} has no intended path; draw one and give it with --path FILE.geojson (a LineString)")


def place(level: str, given: dict[str, Any]) -> None:
    """Run `lastseen guards place`."""
    inputs = [level, *([given["path"]] if given["path"] is not None else [])]
    output, png = given["output"], given["png"]
    if output is None and given["into"] is None:
        raise click.UsageError("nothing to write; give -o FILE for the guards, or --into FILE for a level with them")
    target = None if output is None else check_output(output, *inputs)
    into = None if given["into"] is None else _check_into(given["into"], output)
    require_picture(given, "--png FILE", is_drawn=png is not None)
    picture = None if png is None else check_picture(png, *inputs)
    named = [path.absolute() for path in (target, into, picture) if path is not None]
    if len(set(named)) < len(named):
        raise click.UsageError("-o, --into and --png name the same file; give different files")
    with Stages(quiet=given["as_json"]) as stages:
        request: GuardRequest = stages.run("read", read_request, level, given)
        stages.prepare("placement")
        planner: GuardPlanner = stages.run("pack", request.planner, stages.progress)
        placement, passes = stages.run("place", request.place, planner, stages.progress)
        drawn = b"" if picture is None else stages.run("picture", _draw, planner, placement, level, given)
        if target is not None:
            stages.run("write", write_guards, placement, target)
        if into is not None:
            stages.run("write", _write_into, into, request, placement, level, output)
        if picture is not None:
            atomic_write(picture, drawn)
    if given["as_json"]:
        echo_json(_as_object(planner, placement, level, output, passes))
        return
    click.echo(_as_text(planner, placement, level, passes))
    for name in (output, given["into"], png):
        if name is not None:
            click.echo(f"wrote {name}")
    if into is not None:
        click.echo(f"next: lastseen play {given['into']}")


def _check_into(into: str, output: str | None) -> Path:
    """Return where a level or a scenario with the guards is written; the level itself may be replaced by that."""
    path = check_output(into)
    if path.suffix.lower() in (".geojson", ".json"):
        return path
    if path.suffix.lower() not in (".yaml", ".yml"):
        raise InputError(f"--into {into}: give a level to write, .geojson, a GRAM scene, .json, or a scenario, .yaml")
    if output is None:
        raise InputError(f"--into {into}: a scenario names the file with the guards; give -o FILE as well")
    if path.exists():
        raise InputError(f"--into {into}: the scenario exists already; add guards: {output} to it, or name another")
    return path


def _write_into(path: Path, request: GuardRequest, placement: Placement, level: str, output: str | None) -> None:
    if path.suffix.lower() in (".geojson", ".json"):
        write = write_level if path.suffix.lower() == ".geojson" else write_gram
        write(with_guards(request.level, placement), path)
        return
    source = level if is_sample(level) else _relative(level, path)
    text = f"level: {json.dumps(source)}\nguards: {json.dumps(_relative(str(output), path))}\n"
    atomic_write(path, text.encode())


def _relative(file: str, scenario: Path) -> str:
    """Return a file's name as a scenario next to it would write it."""
    return Path(os.path.relpath(file, scenario.parent)).as_posix()


def _draw(planner: GuardPlanner, placement: Placement, level: str, given: dict[str, Any]) -> bytes:
    ground = planner.ground
    scene = PlacementScene(ground.level, placement, ground.paths, ground.sight, planner.graph)
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


def _as_object(
    planner: GuardPlanner, placement: Placement, level: str, output: str | None, passes: str
) -> dict[str, Any]:
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
