"""The faces of a navmesh and the links between cells, as a page draws them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...cells.layout import AnyLayout, CellLayout
from .greeting import base64

__all__ = ["ground_answer"]


def ground_answer(layout: CellLayout, live: AnyLayout) -> dict[str, Any]:
    """Return faces and links as plain values, without links that are blocked now."""
    mesh = layout.mesh
    corners = mesh.arrays.vertex_xyz[mesh.arrays.face_vertex]
    cells = live.arrays
    count = cells.link_start[1:].astype(np.int64) - cells.link_start[:-1].astype(np.int64)
    start = np.repeat(np.arange(len(layout)), count)
    end = cells.link_cell.astype(np.int64)
    barred = np.unpackbits(cells.blocked, bitorder="little", count=len(end)).astype(bool)
    disabled = np.unpackbits(cells.disabled, bitorder="little", count=len(layout)).astype(bool)
    # Links go both ways; one line is enough.
    shown = (start < end) & ~barred & ~disabled[start] & ~disabled[end]
    return {
        "type": "mesh",
        "faces": {
            "count": mesh.face_count,
            "corners": base64(mesh.arrays.face_count, "<u2"),
            "storey": base64(np.clip(mesh.face_storey, 0, 255), "|u1"),
            "xyz": base64(corners, "<f4"),
        },
        "links": {"count": int(shown.sum()), "cells": base64(np.stack([start[shown], end[shown]], axis=1), "<u4")},
    }
