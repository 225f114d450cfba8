"""`lastseen bake LEVEL -o FILE`: bake a level into a file of walkable cells."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ..app.options import bake_options, json_option, output_option

if TYPE_CHECKING:
    from ....cells.layout import CellLayout
    from ..app.console import Stages


@click.command("bake", short_help="Bake a level into cells.")
@click.argument("level", metavar="LEVEL")
@output_option("Cell file to write.")
@bake_options
@json_option
def command(level: str, output: str, kind: str, up: str, flip: bool, as_json: bool, **given: Any) -> None:
    """Bake LEVEL (a file or the name of a sample) into cells.

    Cells are for a body that keeps its radius away from walls, and as wide as a tile on tile maps. With --radius 0,
    the cells of a tile map are exactly its passable tiles.

    \b
    Examples:
      lastseen bake warehouse -o warehouse.cells
      lastseen bake dungeon.obj -o dungeon.cells --radius 0.4 --slope 50
      lastseen bake arena.map -o arena.cells --radius 0 --json
    """
    import hashlib

    from ....cells.cell_file import save_baked
    from ..app.bake_request import BakeRequest
    from ..app.console import Stages
    from ..app.inputs import read_source
    from ..app.outputs import check_output, echo_json

    path = check_output(output, level)
    request = BakeRequest(**given)
    with Stages(quiet=as_json) as stages:
        drawn = stages.run("read", read_source, level, kind=kind, up=up, flip=flip)
        layout = request.bake(drawn, stages, level)
        stages.run("write", save_baked, layout, drawn, path)
    found = describe_layout(layout)
    if as_json:
        report = {
            "level": drawn.name or level,
            "output": output,
            "bytes": path.stat().st_size,
            "digest": hashlib.blake2b(path.read_bytes(), digest_size=16).hexdigest(),
            **found,
            **stages.timing(),
            "parameters": request.as_object(layout),
        }
        echo_json(report)
        return
    click.echo(_summary(found, stages))
    click.echo(
        f"wrote {output} ({path.stat().st_size / 1e6:.2f} MB); see it: lastseen show {output} -o {path.stem}.png"
    )


def describe_layout(layout: CellLayout) -> dict[str, Any]:
    """Return statistics of a layout: cells, faces, floors, components, walkable area and memory by part."""
    import numpy as np

    mesh = layout.mesh
    memory = {part: int(size) for part, size in layout.memory().items()}
    return {
        "cells": len(layout),
        "faces": mesh.face_count,
        "floors": len(np.unique(mesh.face_storey)),
        "components": len(np.unique(mesh.face_component)),
        "walkable_m2": round(float(mesh.face_area.sum()), 3),
        "memory": memory,
        "memory_total": sum(memory.values()),
    }


def _summary(found: dict[str, Any], stages: Stages) -> str:
    seconds, compilation = stages.seconds, stages.compilation
    rows = [
        ("cells", f"{found['cells']:,}"),
        ("faces", f"{found['faces']:,}"),
        ("floors", f"{found['floors']:,}"),
        ("components", f"{found['components']:,}"),
        ("walkable", f"{found['walkable_m2']:,.0f} m²"),
        ("memory", f"{found['memory_total'] / 1e6:.2f} MB"),
        ("time", f"{sum(seconds.values()):.2f} s ({', '.join(f'{k} {v:.2f}' for k, v in seconds.items())})"),
    ]
    if compilation.done:
        rows.append(("compiled", f"{compilation.done} kernels in {compilation.seconds:.2f} s (first use only)"))
    return "\n".join(f"{name:<11} {value}" for name, value in rows)
