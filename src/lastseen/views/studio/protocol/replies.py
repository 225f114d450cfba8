"""HTTP: the bodies of requests, the studio's answers, and the JSON files that pages download and read."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from ....agents.rules.files.revision import Elsewhere
from ....reasoning.placement.guard_routes import Coverage
from ...prose.story import Sentence
from .greeting import Hello, LevelDrawing
from .news import Crews, MenuEntry, MeshDrawing, Part, Place, RuleVerdict, Sent, Solid


class Uploaded(Sent, frozen=True, tag="uploaded"):
    """An uploaded file, and the name to open it by."""

    kind: str
    name: str


class Changed(Sent, frozen=True, tag="changed", omit_defaults=True):
    """A file differs from the one the page knows: nothing was written. Not a mistake of the page: it asks the user."""

    message: str
    digest: str
    file: str = ""


class Drafts(Sent, frozen=True, tag="drafts"):
    """Drafts of the open folder, the newest first; `home` identifies the folder."""

    home: str
    drafts: list[Draft]


class DraftData(Sent, frozen=True, tag="draft"):
    """One draft with its content."""

    id: str
    kind: str
    name: str
    at: float
    title: str
    data: msgspec.Raw


class Kept(Sent, frozen=True, tag="kept"):
    """A draft was received; `newest`: it is the newest version."""

    newest: bool


class Dropped(Sent, frozen=True, tag="dropped"):
    """A draft was deleted."""


class Drawing(Sent, frozen=True, tag="drawing"):
    """A level as GeoJSON, and the file it can be saved to; empty `digest`: a new file.

    `backdrop`: the floor of a mesh; the GeoJSON and the file hold only what is placed on it.
    """

    name: str
    title: str
    file: str
    digest: str
    note: str
    level: msgspec.Raw
    backdrop: LevelDrawing | None = None


class LevelFault(Part, frozen=True, omit_defaults=True):
    """A fault of a drawing; `group` and `number` name the object: doors, 2 is the third door; features: of all."""

    severity: str
    where: str
    at: list[float] | None
    what: str
    advice: str
    group: str = ""
    number: int = -1


class Checked(Sent, frozen=True, tag="checked"):
    """The faults of a drawing, errors first."""

    faults: list[LevelFault]


class SavedLevel(Sent, frozen=True, tag="saved level"):
    """A saved level, the number of its faults, and the levels that can be opened now."""

    name: str
    digest: str
    errors: int
    warnings: int
    levels: tuple[MenuEntry, ...]


class RuleMenu(Sent, frozen=True, tag="rule menu"):
    """The rules that can be opened."""

    rules: list[MenuEntry]


class OpenedFile(Part, frozen=True):
    """A file of rules: its text and its values, or why there are none."""

    name: str
    form: str
    digest: str
    text: str
    value: dict[str, Any] | None
    error: str


class OpenedRules(Sent, frozen=True, tag="rules"):
    """Rules as the page edits them; `target` is the name to save them under."""

    name: str
    title: str
    target: str
    is_copy: bool
    single: bool
    files: list[OpenedFile]


class RuleFault(Part, frozen=True):
    """A fault of rules; `path` leads to the value in the file."""

    severity: str
    kind: str
    what: str
    file: str
    handler: str
    rule: str
    path: tuple[str | int, ...] | None


class CheckedRules(Sent, frozen=True, tag="checked rules"):
    """The faults of rules, errors first, and the number of rules."""

    rules: int
    faults: list[RuleFault]


class RuleRow(Part, frozen=True, kw_only=True):
    """A rule in the order rules are tried; `shares`: others that share its list."""

    file: str
    handler: str
    number: int
    name: str
    priority: float | None
    tier: int | None
    when: list[str]
    actions: int
    policy: str
    shares: list[str]


class SortedRules(Sent, frozen=True, tag="sorted rules"):
    """The rules of some handlers in the order they are tried."""

    handlers: str
    lists: int
    rules: list[RuleRow]


class RuleOutcome(RuleVerdict, frozen=True, kw_only=True):
    """Why a rule of a file fires or not."""

    file: str
    number: int


class WhyRules(Sent, frozen=True, tag="why rules"):
    """The rule that fires for some facts, and why others do not."""

    fired: str | None
    rules: list[RuleOutcome]


class FaultyRules(Sent, frozen=True, tag="faulty rules"):
    """The rules cannot be sorted or tried."""

    message: str


class SavedFile(Part, frozen=True):
    """A saved file of rules."""

    name: str
    text: str
    digest: str


class SavedRules(Sent, frozen=True, tag="saved rules"):
    """Saved rules; `bare` are rules that lost their comments. `rules`: what can be opened now."""

    name: str
    files: list[SavedFile]
    bare: list[str]
    rules: tuple[MenuEntry, ...] = ()


class GuardMotion(Part, frozen=True):
    """A guard's round, and at even intervals its pose and the outline it sees."""

    name: str
    kind: str
    round: list[Place]
    poses: list[tuple[float, float, float, float]]
    views: list[list[float]]


class PlacedGuards(Part, frozen=True, kw_only=True):
    """The file `guards`: guards placed or loaded, and how they move."""

    geojson: str
    notes: tuple[str, ...]
    coverage: Coverage | None
    every: float
    seconds: float
    guards: list[GuardMotion]


class SneakPath(Part, frozen=True):
    """A path past the guards: x, y, z, seconds of its points, and its group of similar paths."""

    path: list[list[float]]
    group: int


Share = dict[str, float | int | None]
"""A share with its interval: hits, of, share, low, high."""


class SneakPaths(Part, frozen=True, kw_only=True):
    """The file `ways`: the paths found past the guards, and how the guards move meanwhile.

    `facts` are names and texts: the time limit, whether the level is solvable, the path check, the exact search.
    """

    facts: list[tuple[str, str]]
    success: Share
    close: Share
    notes: tuple[str, ...]
    ways: list[SneakPath]
    every: float
    seconds: float
    guards: list[GuardMotion]


class ReplayHead(Part, frozen=True, kw_only=True):
    """The head of a replay; `parts` gives offset and bytes of each part after it."""

    hello: Hello
    stride: int
    events: list[dict[str, Any]]
    story: list[Sentence]
    crews: list[tuple[int, Crews]]
    accounts: list[list[dict[str, Any]]]
    mesh: MeshDrawing
    solid: Solid
    every: int
    seen: int
    ticks: int
    parts: dict[str, tuple[int, int]]


class SpawnPlace(Part, frozen=True):
    """Where the level spawns an agent: its name, place in metres, heading in radians, and kind."""

    name: str
    at: list[float]
    heading: float
    who: str


class ScenarioChoices(Part, frozen=True):
    """Names that fields of a scenario may have.

    Attributes
    ----------
    actions, triggers, object_kinds : by what a row does, the event of a trigger and the kind of an object, the fields
        it has.
    brain_sides, team_sides : by brain and by team, the side it is on.
    spawns : agents that the level spawns.
    """

    brains: list[str]
    brain_sides: dict[str, str]
    team_sides: dict[str, str]
    patrols: list[str]
    zones: list[str]
    doors: list[str]
    platforms: list[str]
    positions: list[str]
    sounds: list[str]
    states: list[str]
    teams: list[str]
    objectives: list[str]
    facts: list[str]
    objects: list[str]
    object_kinds: dict[str, list[str]]
    actions: dict[str, list[str]]
    triggers: dict[str, list[str]]
    spawns: list[SpawnPlace]


class OpenedScenario(Sent, frozen=True, tag="scenario"):
    """A scenario to edit: the file it is saved as, its text and values; an empty digest: the file is new."""

    name: str
    file: str
    digest: str
    text: str
    value: dict[str, Any]
    choices: ScenarioChoices


class ScenarioFault(Part, frozen=True):
    """A fault of the value at a path, which is `where` in words."""

    what: str
    advice: str
    path: list[str | int]
    where: str


class CheckedScenario(Sent, frozen=True, tag="checked scenario"):
    """The faults of a scenario."""

    faults: list[ScenarioFault]
    choices: ScenarioChoices


class SavedScenario(Sent, frozen=True, tag="saved scenario"):
    """A scenario that was written, and all that can be opened."""

    name: str
    digest: str
    text: str
    scenarios: tuple[MenuEntry, ...]


Short = Annotated[str, msgspec.Meta(max_length=200)]


class Draft(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A draft of a page: its subject (`kind`, `name`), time (`at`, milliseconds since 1970) and the page's title."""

    id: str
    kind: Literal["rules", "level", "scenario", "tree"]
    name: Short
    at: Annotated[float, msgspec.Meta(ge=0.0, le=1e15)]
    title: Short = ""


class KeepDraft(Draft, frozen=True):
    """A draft with its content."""

    data: msgspec.Raw = msgspec.field(default_factory=lambda: msgspec.Raw(b"null"))


class ScenarioValues(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A scenario as edited in the page: the file it belongs to, and its values."""

    name: Short
    value: dict[str, Any]


class SaveScenario(ScenarioValues, frozen=True):
    """A scenario to write: `text` as opened, and the digest of the file that may be replaced; empty: none may."""

    text: str = ""
    digest: Short = ""


class RuleValues(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The content of a file, as plain values."""

    name: str
    value: dict[str, Any]


class AskRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Rules as edited in the page, the handlers in question, and facts to try them with."""

    files: list[RuleValues]
    handlers: list[str] = []
    facts: dict[str, bool | int | float | str | None] = {}


class RuleFileText(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file as the page opened it, and its new content.

    Attributes
    ----------
    text : as opened; `digest`: of the file that may be replaced, empty: the file should not exist.
    value : new values; if left out, the text stays unchanged.
    origins : by handler, the place of each rule in the text, or elsewhere; None: it is new.
    """

    name: str
    text: str
    digest: str = ""
    value: dict[str, Any] | None = None
    origins: dict[str, list[int | Elsewhere | None]] = {}


class SaveRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Files to write as rules of that name; `is_new`: as a folder or file that does not exist yet."""

    target: str
    files: list[RuleFileText]
    is_new: bool = False
    single: bool = False
