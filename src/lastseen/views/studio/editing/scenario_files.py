"""Scenarios edited in the page: opened as values, checked while they change, saved atomically with their comments."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Any

from ....agents.brains.relations import TEAMS
from ....agents.brains.shipped_brains import BRAINS, PUPPET
from ....agents.brains.surroundings import STATES
from ....agents.crews.crew_trees import shipped_crews
from ....agents.rules.files.revision import as_written
from ....agents.rules.files.yaml_edit import set_value
from ....agents.senses.hearing.sounds import SOUNDS
from ....errors import BakeError, InputError, LastSeenError
from ....files import atomic_write
from ....level.level import Level
from ....level.samples import SAMPLES, sample
from ....simulation.scenario.name_checks import spawned_agents
from ....simulation.scenario.object_checks import OBJECT_FIELDS
from ....simulation.scenario.reader import Setting, scenario_faults, scenario_text, shipped_scenarios
from ....simulation.scenario.script_checks import NEEDS, TRIGGERS
from ....simulation.world.floor_checks import check_places
from ....textfile import FORMS, TextFileError, parse
from ..protocol.replies import (
    CheckedScenario,
    OpenedScenario,
    SavedScenario,
    SaveScenario,
    ScenarioChoices,
    ScenarioFault,
    ScenarioValues,
    SpawnPlace,
)
from ..session.folder import UPLOADED, Folder, free_name, require_name
from .level_files import MOST_FAULTS, content_of, data_digest, require_unchanged

MOST_SCENARIO_BYTES = 1 << 20
"""Maximum size of a scenario in bytes."""
_NEW = "level: new\n"
_ENDINGS = (".yaml", ".yml", ".json")


def open_scenario(folder: Folder, name: str, level: str) -> OpenedScenario:
    """Return a scenario of the folder or a shipped one, or without a name a new one in a level.

    `digest` is empty if saving creates a new file: shipped scenarios, uploads and TOML files are opened as copies.

    Raise LastSeenError if it does not exist or cannot be parsed.
    """
    if not name:
        return _new(folder, level)
    is_shipped = name in shipped_scenarios()
    data = scenario_text(name).encode() if is_shipped else folder.readable(name).read_bytes()
    form = "yaml" if is_shipped else FORMS.get(Path(name).suffix.lower(), "")
    try:
        value = parse(data.decode(), form, source=name).value
    except UnicodeDecodeError:
        raise InputError(f"{name!r} is not text in UTF-8") from None
    if not isinstance(value, dict):
        raise InputError(f"{name!r} is not a scenario: it has no keys")
    is_own = not is_shipped and not name.startswith(UPLOADED) and Path(name).suffix.lower() in _ENDINGS
    file = name if is_own else free_name(folder, f"{Path(name).stem[:80]} copy", ".yaml")
    # A copy of TOML is YAML without its comments; its values are the same.
    text = data.decode() if form == "yaml" or is_own else set_value(_NEW, (), value)
    digest = data_digest(data) if is_own else ""
    return OpenedScenario(name, file, digest, text, value, _choices(folder, name, value))


def _new(folder: Folder, level: str) -> OpenedScenario:
    place = folder.level(level)
    agents = [{"name": spec.name, "brain": spec.brain} for spec in spawned_agents(place)]
    value: dict[str, Any] = {"level": level, "agents": agents} if agents else {"level": level}
    text = set_value(_NEW, (), value)
    file = free_name(folder, f"{Path(level).stem[:80]} scenario", ".yaml")
    return OpenedScenario("", file, "", text, value, _choices(folder, file, value))


def check_scenario(folder: Folder, asked: ScenarioValues) -> CheckedScenario:
    """Return the faults of a scenario with their paths, and the names its fields may have."""
    home = folder.path(asked.name).parent
    faults = [
        ScenarioFault(fault.what, fault.advice, list(getattr(fault.where, "path", ())), str(fault.where))
        for fault in scenario_faults(asked.value, folder=home, within=folder.root, check=_check_places)
    ]
    return CheckedScenario(faults[:MOST_FAULTS], _choices(folder, asked.name, asked.value))


def _check_places(setting: Setting) -> None:
    with contextlib.suppress(BakeError):  # The level has no floor for such bodies: running it says so.
        check_places(setting)


def save_scenario(folder: Folder, asked: SaveScenario) -> SavedScenario:
    """Write a scenario into the folder; one that cannot be run yet can be saved too. See `save_text`."""
    name = asked.name if asked.name.lower().endswith(_ENDINGS) else f"{asked.name}.yaml"
    text = written_text(name, asked.text, asked.value, _NEW)
    digest = save_text(folder, name, text, asked.digest, MOST_SCENARIO_BYTES)
    return SavedScenario(name, digest, text, folder.menus().scenarios)


def save_text(folder: Folder, name: str, text: str, before: str, most: int) -> str:
    """Write a text file into the folder, in place of the one with the digest `before`; return its digest.

    Raise `Changed`, and write nothing, if the file differs from the one the page knows; LastSeenError if its name is
    invalid or leads out of the folder, or the text has more than `most` bytes.
    """
    require_name(name)
    place = folder.path(name)
    if (folder.root / name).is_symlink():
        raise InputError(f"{name!r} is a link to another file; choose another name")
    data = text.encode()
    if len(data) > most:
        raise InputError(f"{name!r} would be larger than {most:,} bytes")
    require_unchanged(name, before, data_digest(content_of(place, name)))
    atomic_write(place, data)
    return data_digest(data)


def written_text(name: str, begun: str, value: dict[str, Any], new: str) -> str:
    """Return a YAML text with other values, or `new` with them if there is none; as JSON if the name says so.

    Raise InputError if the text cannot be changed without changing other values.
    """
    try:
        if name.lower().endswith(".json"):
            return json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
        begun = begun if begun and not begun.lstrip().startswith("{") else new
        return set_value(begun, (), as_written(parse(begun, "yaml", source=name).value, value), source=name)
    except (TextFileError, UnicodeEncodeError, RecursionError, ValueError) as error:
        raise InputError(f"{name!r} cannot be written: {error}") from None


def _choices(folder: Folder, name: str, value: dict[str, Any]) -> ScenarioChoices:
    """Return the names that fields of a scenario may have, as far as its level can be read."""
    level = _level(folder, name, value.get("level"))
    spawns = [] if level is None else level.spawns

    def own(key: str) -> list[str]:
        given = value.get(key)
        return list(given) if isinstance(given, dict) else []

    return ScenarioChoices(
        brains=[*BRAINS, PUPPET],
        brain_sides=dict(BRAINS) | {PUPPET: "intruders"},
        team_sides={name: name for name in TEAMS} | _sides(value.get("teams")),
        patrols=[*own("patrols"), *([] if level is None else [one.name for one in level.patrols if one.name])],
        zones=[] if level is None else _names(level.zones),
        doors=[] if level is None else _names(level.doors),
        platforms=[] if level is None else _names(level.platforms),
        positions=[] if level is None else list(dict.fromkeys(one.at for one in level.platforms if one.at)),
        sounds=list(SOUNDS),
        states=list(STATES),
        teams=list(dict.fromkeys([*TEAMS, *own("teams")])),
        objectives=list(shipped_crews()),
        facts=own("facts"),
        objects=_listed(value.get("objects")),
        object_kinds={kind: list(takes) for kind, takes in OBJECT_FIELDS.items()},
        actions={do: list(needs) for do, needs in NEEDS.items()},
        triggers={event: [*needs, *takes] for event, (needs, takes) in TRIGGERS.items()},
        spawns=[SpawnPlace(one.name or one.who, list(one.xyz), one.heading, one.who) for one in spawns],
    )


def _sides(given: Any) -> dict[str, str]:
    """Return the side of each team as written, by default guards."""
    rows = given.items() if isinstance(given, dict) else ()
    sides = {name: row.get("side") if isinstance(row, dict) else None for name, row in rows if name not in TEAMS}
    return {name: side if side in TEAMS else TEAMS[0] for name, side in sides.items()}


def _listed(given: Any) -> list[str]:
    """Return the names of rows in a list as written."""
    rows = [one.get("name") for one in given if isinstance(one, dict)] if isinstance(given, list) else []
    return [name for name in rows if isinstance(name, str) and name]


def _names(parts: Any) -> list[str]:
    return list(dict.fromkeys(part.name for part in parts if part.name))


def _level(folder: Folder, name: str, given: Any) -> Level | None:
    """Return the level a scenario names, or None if it cannot be read."""
    if not isinstance(given, str) or not given:
        return None
    if given in SAMPLES:
        return sample(given)
    try:
        return folder.level((Path(name).parent / given).as_posix())
    except (LastSeenError, ValueError):
        return None
