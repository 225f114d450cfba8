"""Tag wheels that hold compiled kernels (`make wheel`) for the Python and platform these were compiled for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompiledKernels(BuildHookInterface):  # type: ignore[type-arg]
    """Without compiled kernels the wheel is pure Python and serves every platform."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Have hatchling infer the tag where there are compiled kernels; an editable install never ships any."""
        folder = Path(self.root) / "src" / "lastseen" / "kernels" / "compiled"
        if version != "editable" and folder.is_dir():
            build_data["pure_python"] = False
            build_data["infer_tag"] = True
            build_data["force_include"][str(folder)] = "lastseen/kernels/compiled"
