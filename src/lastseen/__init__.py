"""lastseen: the stealth-AI toolkit. Everything a guard does next starts from where you were last seen."""

from __future__ import annotations

import importlib
from typing import Any

__version__ = "0.1.0"

_HOME = {
    "Agent": "navmesh.agent",
    "BakeError": "errors",
    "Breadcrumbs": "reasoning.chase.breadcrumbs",
    "CellFileError": "errors",
    "CellLayout": "cells.layout",
    "Chase": "reasoning.chase.chase",
    "ChaseSettings": "reasoning.chase.settings",
    "CutMesh": "navmesh.cut",
    "DeadReckoning": "reasoning.chase.dead_reckoning",
    "Falloff": "layers.spread",
    "Fault": "errors",
    "Flood": "reasoning.chase.prediction",
    "InputError": "errors",
    "LastPosition": "reasoning.chase.places",
    "LastSeenError": "errors",
    "Layer": "layers.layer",
    "LayerStack": "layers.stack",
    "Level": "level.level",
    "LevelError": "errors",
    "Limit": "layers.traverse",
    "LiveLayout": "cells.live",
    "Loss": "reasoning.chase.loss",
    "Losses": "reasoning.chase.losses",
    "NavMesh": "navmesh.navmesh",
    "Near": "layers.best",
    "ParticleFilter": "reasoning.chase.particles",
    "Prediction": "reasoning.chase.prediction",
    "Predictor": "reasoning.chase.prediction",
    "Pursuit": "reasoning.chase.pursuit",
    "QueryError": "errors",
    "Spread": "layers.spread",
    "Stimulus": "reasoning.chase.pursuit",
    "View": "reasoning.chase.loss",
    "VoxelSettings": "navmesh.voxels.settings",
    "best_cells": "layers.best",
    "cell_at": "cells.query",
    "cells_at": "cells.query",
    "cells_in_box": "cells.query",
    "cells_of_face": "cells.query",
    "cells_where": "layers.traverse",
    "cells_within": "cells.query",
    "cells_within_many": "cells.query",
    "face_at": "navmesh.query",
    "faces_at": "navmesh.query",
    "find_path": "navmesh.query",
    "find_paths": "navmesh.query",
    "height_at": "navmesh.query",
    "heights_at": "navmesh.query",
    "invert": "layers.combine",
    "maximum": "layers.combine",
    "minimum": "layers.combine",
    "nearest": "navmesh.query",
    "nearest_cell": "cells.query",
    "nearest_cells": "cells.query",
    "nearest_many": "navmesh.query",
    "neighbours": "cells.query",
    "next_cell": "layers.traverse",
    "normalise": "layers.combine",
    "position": "cells.query",
    "positions": "cells.query",
    "product": "layers.combine",
    "raycast": "navmesh.query",
    "raycasts": "navmesh.query",
    "reachable": "navmesh.query",
    "reachable_many": "navmesh.query",
    "tactical_worth": "reasoning.chase.tactical",
    "weighted_sum": "layers.combine",
}
"""Where each public name lives; loaded on first use, so that importing lastseen stays light."""

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'lastseen' has no attribute {name!r}")
    return getattr(importlib.import_module(f".{_HOME[name]}", __name__), name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
