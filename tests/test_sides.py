"""Left is left: sides are named as on the map, whichever way y runs, and new words for sides are noticed."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest

from guards import SOURCE
from lastseen.conventions import left_turn
from lastseen.level.level import Floor, Floors, Level
from specimens.worlds import Play

OPENING = """\
#####.#####
#####.#####
#####.#####
...........
...........
"""
"""On the page the opening is above the corridor: on the left of a walker to the right."""


def tiles() -> Level:
    return Level.from_text(OPENING, kind="text")


def drawn_up() -> Level:
    """The same coordinates as a plan with y up: on the picture the opening is below the corridor."""
    outline = [(0, 3), (5, 3), (5, 0), (6, 0), (6, 3), (11, 3), (11, 5), (0, 5)]
    floor = np.array([(x, y, 0.0) for x, y in outline], np.float64)
    return Level(Floors((Floor(floor),)), name="up")


def drawn_down() -> Level:
    return Level(drawn_up().surface, name="down", y_down=True)


@pytest.mark.parametrize(
    ("level", "from_left", "from_right"),
    [(tiles, "left", "right"), (drawn_down, "left", "right"), (drawn_up, "right", "left")],
)
def test_an_agent_that_walks_past_an_opening_names_the_side_it_is_on(level, from_left, from_right, tmp_path):
    path = tmp_path / "level.geojson"
    level().write(path)
    scenario = f"level: {path}\nseconds: 5\nsearch: coordinator\nagents:\n  - {{name: Ames, at: [0.5, 4]}}\n"
    for begin, way, side in ((0.5, 1.0, from_left), (10.5, -1.0, from_right)):
        detector = Play(scenario).world.hunt.gaps
        places = [(begin + way * 0.1 * step, 4.0) for step in range(95)]
        found = [gap for at in places for gap in detector.look([at], 0.0 if way > 0.0 else math.pi)]
        assert [gap.side for gap in found] == [side]
        # Walking to +x the opening, at lower y, is 90° clockwise of ahead in numbers, on every level.
        assert math.sin(found[0].heading) == pytest.approx(-1.0)


def test_a_searcher_says_on_which_side_it_looks_into_an_opening():
    """In the game: every opening named in a reason is on that side of its walker in the picture."""
    text = """
level: warehouse
seconds: 60
step: 0.1
search: coordinator
search_seconds: 30
sharing: broadcast
agents:
  - {name: Ames, at: [10, 16]}
  - {name: Bell, at: [12, 14]}
  - {name: you, brain: puppet, at: [22, 16]}
script:
  - {at: 1.5, do: remove, agent: you}
"""
    play, seen = Play(text), []
    hunt, is_down = play.world.hunt, play.world.level.is_drawn_down
    assert is_down
    notice, at = hunt.gaps.look, []

    def look(xyz, heading, moving):
        found = notice(xyz, heading, moving)
        at.extend((gap, np.array(xyz[gap.searcher]), float(heading[gap.searcher])) for gap in found)
        return found

    hunt.gaps.look = look
    play.run(40.0)
    for gap, xyz, heading in at:
        ahead, to = (math.cos(heading), math.sin(heading)), gap.xyz[:2] - xyz[:2]
        # As drawn: y of the picture grows downwards, so a positive cross product is a turn to the right.
        cross = ahead[0] * to[1] - ahead[1] * to[0]
        seen.append(gap.side)
        assert gap.side == ("right" if cross > 0.0 else "left")
    assert set(seen) == {"left", "right"}


def test_turns_to_the_left():
    assert left_turn(is_drawn_down=False) == 1.0
    assert left_turn(is_drawn_down=True) == -1.0
    assert tiles().is_drawn_down
    assert not drawn_up().is_drawn_down


def test_the_patrol_called_clockwise_runs_clockwise_on_the_map():
    level = Level.read(SOURCE / "level" / "samples" / "loop.txt")
    (patrol,) = [one for one in level.patrols if one.name == "clockwise"]
    corners = np.array([stop.xyz[:2] for stop in patrol.stops if stop.seconds == 0.0])
    after = np.roll(corners, -1, axis=0)
    area = float((corners[:, 0] * after[:, 1] - after[:, 0] * corners[:, 1]).sum()) / 2.0
    # Positive is counter-clockwise in numbers, so clockwise where y runs down the page.
    assert area * left_turn(level.is_drawn_down) < 0.0


WORDS = re.compile(
    r"(?:counter-?)?\bclockwise\b|[\"'](?:left|right)[\"']"
    r"|\b(?:on|to|at|from) (?:the|its|your|my|their|his) (?:left|right)\b"
    r"|\bleft (?:and|or|before|to) right\b|\bright (?:and|or|before|to) left\b"
    r"|\b(?:go|goes|look|looks|turns?|faces?|eyes) (?:left|right)\b(?! (?:back|away|at))"
    r"|\b(?:left|right) (?:side|hand|end)\b|\b(?:links|rechts)\b",
    re.IGNORECASE,
)
"""Words for sides; `left` in the sense of what remains is not one."""

FOLDERS = ("reasoning", "agents", "simulation", "vocabulary", "views/prose", "views/scene", "views/studio/static/edit")
NOISE = re.compile(r"counter-clockwise from \+x|side=\"right\"|textAlign = \"left\"|\blinks\b", re.IGNORECASE)
"""The standard phrase for headings, and words of code."""
USES = {
    "turns of numbers, from +x towards +y": {
        "agents/senses/vision/look.py": 1,
        "agents/senses/vision/shapes.py": 1,
        "reasoning/placement/guard_routes.py": 1,
        "reasoning/search/sight.py": 1,
        "reasoning/tactical/chords.py": 2,
        "reasoning/tactical/flank.py": 2,
        "reasoning/tactical/slots.py": 2,
        "views/scene/sights.py": 1,
        "views/studio/static/edit/editor.js": 1,
    },
    "sides of an agent, through `left_turn`": {"reasoning/search/gaps.py": 10},
    "sides of the page or the screen": {
        "agents/behaviour/files/btcpp_scripts.py": 1,
        "agents/brains/place_kinds.py": 1,
        "agents/crews/shipped/ambush.py": 1,
        "agents/rules/files/yaml_edit.py": 2,
        "views/scene/signs.py": 1,
        "views/studio/static/edit/fields.js": 1,
        "views/studio/static/edit/palette.js": 1,
    },
    "questions that claim no side": {"agents/rules/samples/guards/lose.yaml": 3},
    "what remains": {
        "reasoning/search/map/destination.py": 1,
        "simulation/recording/world_columns.py": 1,
        "simulation/replay/account.py": 2,
        "vocabulary/event_base.py": 2,
    },
}


def uses_of(text: str) -> int:
    return len(WORDS.findall(text))


def sided_files() -> dict[str, int]:
    """Return how often each file of the later stages names a side."""
    found = {}
    for path in sorted(file for folder in FOLDERS for file in (SOURCE / folder).rglob("*")):
        if path.suffix in (".py", ".js", ".yaml"):
            text = path.read_text(encoding="utf-8")
            if count := uses_of(text if path.suffix == ".yaml" else NOISE.sub("", text)):
                found[path.relative_to(SOURCE).as_posix()] = count
    return found


def test_every_word_for_a_side_follows_the_convention():
    found = sided_files()
    listed = {name: count for files in USES.values() for name, count in files.items()}
    told = "check new words for sides against lastseen/conventions.py, then list them in USES"
    assert found == listed, told


@pytest.mark.parametrize(
    "text",
    [
        'self.reason = f"an opening on the left"',
        'side = "right"',
        "turns counter-clockwise",
        "You look left, I look right.",
        'de: "Augen rechts, alle."',
        "metres to the left",
    ],
)
def test_a_word_for_a_side_is_found(text):
    assert uses_of(text)


@pytest.mark.parametrize("text", ["nothing is left", "who left its post", "the right distance", "time is left"])
def test_what_remains_is_no_side(text):
    assert not uses_of(text)
