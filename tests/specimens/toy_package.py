"""Packages installed into a temporary folder: the one that docs/extensions.md shows, and others."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

from guards import ROOT

PAGE = (ROOT / "docs" / "extensions.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, flags=re.MULTILINE | re.DOTALL)


def install(folder: Path, name: str, code: str, offers: dict[str, dict[str, str]]) -> None:
    """Write an installed package: a module, and what pip records about it."""
    (folder / f"{name}.py").write_text(code)
    noted = folder / f"{name}-1.0.dist-info"
    noted.mkdir()
    (noted / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    lines = [f"[{group}]\n" + "".join(f"{key} = {at}\n" for key, at in some.items()) for group, some in offers.items()]
    (noted / "entry_points.txt").write_text("\n".join(lines))


def about_toybox() -> dict[str, Any]:
    about: dict[str, Any] = tomllib.loads(blocks("toml")[0])["project"]
    return about


def install_toybox(folder: Path) -> None:
    """Install the package of the page, with the script of its panel."""
    about = about_toybox()
    install(folder, about["name"], "\n".join(blocks("python")), about["entry-points"])
    (folder / "odometer.js").write_text(blocks("js")[0])
