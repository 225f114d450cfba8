"""Shipped scenarios, to run, copy and change."""

from __future__ import annotations

from ...shipped import Shipped
from .read import Setting, parse_scenario

__all__ = ["about_scenario", "ready_scenario", "ready_scenarios", "scenario_text"]

_FILES = Shipped("ready scenario", "lastseen.simulation", "scenarios")


def ready_scenarios() -> tuple[str, ...]:
    """Return the names of the shipped scenarios."""
    return _FILES.names


def scenario_text(name: str) -> str:
    """Return the file of a shipped scenario, to copy and change."""
    return _FILES.text(name)


def about_scenario(name: str) -> str:
    """Return a one-sentence description of a shipped scenario: the first line of its file."""
    return scenario_text(name).partition("\n")[0].removeprefix("#").strip()


def ready_scenario(name: str) -> Setting:
    """Return the setting of a shipped scenario."""
    return parse_scenario(scenario_text(name), source=f"{name}.yaml")
