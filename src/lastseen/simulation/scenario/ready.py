"""Shipped scenarios, to run, copy and change."""

from __future__ import annotations

from importlib import resources

from ...errors import InputError, did_you_mean
from .read import Setting, parse_scenario

__all__ = ["about_scenario", "ready_scenario", "ready_scenarios", "scenario_text"]

_FILES = resources.files("lastseen.simulation") / "scenarios"


def ready_scenarios() -> tuple[str, ...]:
    """Return the names of the shipped scenarios."""
    return tuple(sorted(file.name.removesuffix(".yaml") for file in _FILES.iterdir() if file.name.endswith(".yaml")))


def scenario_text(name: str) -> str:
    """Return the file of a shipped scenario, to copy and change."""
    names = ready_scenarios()
    if name not in names:
        raise InputError(f"no ready scenario {name!r}{did_you_mean(name, names)}; there are {', '.join(names)}")
    return (_FILES / f"{name}.yaml").read_text(encoding="utf-8")


def about_scenario(name: str) -> str:
    """Return a one-sentence description of a shipped scenario: the first line of its file."""
    return scenario_text(name).partition("\n")[0].removeprefix("#").strip()


def ready_scenario(name: str) -> Setting:
    """Return the setting of a shipped scenario."""
    return parse_scenario(scenario_text(name), source=f"{name}.yaml")
