"""Pictures of a moment: everybody where they are, in colour and shape of their state, with what they know."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lastseen.agents.brains.surroundings import STATES
from lastseen.conventions import Array
from lastseen.simulation.recording.recording import Recording
from lastseen.views.figures.drawing.canvas import Canvas
from lastseen.views.figures.drawing.page import png_bytes
from lastseen.views.figures.drawing.palette import DOOR, GUARD, LAST_SEEN, PLAYER, WALKABLE, mixed
from lastseen.views.figures.drawing.text import LabelPlacer
from lastseen.views.figures.drawing.viewport import Viewport
from lastseen.views.figures.moment import replay_labels
from lastseen.views.figures.moment.agent_signs import (
    CREW_COLOURS,
    colour_of,
    draw_arc,
    draw_person,
    sign_of,
)
from lastseen.views.figures.moment.replay_figure import ReplayMap, caption_of, draw_moment
from lastseen.views.figures.moment.replay_key import Contents
from lastseen.views.scene.moment import Bubble, Moment, Person
from lastseen.views.scene.recorded_scene import RecordedScene
from lastseen.views.scene.timings import TIMINGS, fading
from pictures import decoded, has_colours_of, share_of
from specimens.recordings import LOST, SHARED, recorded

TOGETHER = """
level: hall
step: 0.1
seconds: 1
rules: none
combat: true
crews: {fight: fight}
sharing: broadcast
ends: []
agents:
  - {name: Ames, at: [6, 8], patrol: ""}
  - {name: Bell, at: [6, 10], patrol: ""}
  - {name: Vera, brain: puppet, at: [10, 9], health: 5000}
"""

SCALE = 24.0
TOP, LEFT = 80, 24
"""Pixels above and beside the map on a sheet of one storey."""

Look = Callable[[int], np.ndarray]


@pytest.fixture(scope="module")
def lost(tmp_path_factory: pytest.TempPathFactory) -> RecordedScene:
    return RecordedScene(Recording.read(recorded(LOST, tmp_path_factory.mktemp("film") / "lost.rec")))


@pytest.fixture(scope="module")
def look(lost: RecordedScene) -> Look:
    """Return the map of a step of the lost recording as pixels, without the sheet round it."""
    chart = ReplayMap(lost, scale=SCALE)
    wide, tall = chart.view.size

    def at(tick: int) -> np.ndarray:
        moment = lost.moment(tick)
        sheet = decoded(png_bytes(chart.sheet(moment, Contents.of([moment])), ""))
        left = LEFT + (sheet.shape[1] - 2 * LEFT - wide) // 2
        return sheet[TOP : TOP + tall, left : left + wide]

    at.view = chart.view  # type: ignore[attr-defined]
    return at


def about(pixels: np.ndarray, view: Viewport, xyz: Array, reach: int = 9) -> np.ndarray:
    x, y = view.pixels(np.asarray(xyz, np.float64)[None])[0].round().astype(int).tolist()
    return pixels[max(y - reach, 0) : y + reach + 1, max(x - reach, 0) : x + reach + 1]


def when(film: RecordedScene, state: str) -> list[int]:
    """Steps in which Ames is up to something."""
    return np.flatnonzero(film.recording.column("state")[:, 0] == STATES.index(state)).tolist()


@pytest.mark.parametrize("state", ["suspicious", "engage", "chase", "search"])
def test_an_agent_is_where_it_is_in_its_colour(lost: RecordedScene, look: Look, state: str) -> None:
    tick = when(lost, state)[len(when(lost, state)) // 2]
    here = about(look(tick), look.view, lost.recording.frame(tick).columns["xyz"][0])  # type: ignore[attr-defined]
    assert share_of(here, GUARD, 12) > 0.08
    assert share_of(here, PLAYER, 12) < 0.02


def someone(state: str, **more: object) -> Person:
    nothing = np.zeros((0, 3))
    person = Person("", "guards", state, "active", np.zeros(3), 0.0, 0.0, 0.0, nothing, None)
    return replace(person, **more)  # type: ignore[arg-type]


def test_every_state_has_a_shape_of_its_own() -> None:
    shapes = {}
    for state in STATES:
        canvas = Canvas(Viewport((-1.0, -1.0), (1.0, 1.0), 24.0))
        person = someone(state, mode=state if state in ("hidden", "down") else "active")
        draw_person(canvas, person)
        pixels = np.asarray(canvas.finished())
        shapes[state] = np.abs(pixels.astype(int) - GUARD).max(axis=2) < 40
        assert shapes[state].sum() > 30, state
    for one in STATES:
        for other in STATES:
            if one < other:
                both, either = shapes[one] & shapes[other], shapes[one] | shapes[other]
                assert both.sum() < 0.9 * either.sum(), (one, other)


def test_players_and_civilians_who_do_nothing_are_no_guards() -> None:
    assert sign_of(someone("patrol")) == "patrol"
    assert sign_of(someone("patrol", team="intruders")) == "player"
    assert sign_of(someone("patrol", team="civilians")) == "civilian"
    assert sign_of(someone("flee", mode="hidden")) == "hidden"
    colours = [colour_of(someone("patrol", team=team)) for team in ("guards", "intruders", "civilians")]
    assert colours == [GUARD, PLAYER, GUARD]


def test_awareness_fills_an_arc_clockwise_from_the_top() -> None:
    for y_down in (False, True):
        canvas = Canvas(Viewport((-1.5, -1.5), (1.5, 1.5), 20.0, y_down))
        draw_arc(canvas, np.zeros(3), 0.25, GUARD)
        pixels = np.asarray(canvas.finished())
        upper_right, rest = pixels[:30, 30:], [pixels[:30, :27], pixels[33:, :30], pixels[33:, 30:]]
        assert share_of(upper_right, GUARD, 30) > 0.01
        assert all(share_of(part, GUARD, 30) == 0.0 for part in rest)


def test_search_and_flood_are_shown_while_they_last_and_no_longer(lost: RecordedScene, look: Look) -> None:
    flood = next(event.tick for event in lost.recording.events() if event.kind == "flood")
    step = lost.recording.about.step
    warm = look(flood + round(1.5 / step))
    assert has_colours_of(warm, "flood", 5)
    assert not has_colours_of(look(flood - 5), "flood", 3)
    assert has_colours_of(look(flood + round((TIMINGS.flood - TIMINGS.flood_fade - 0.1) / step)), "flood", 5)
    assert not has_colours_of(look(flood + round((TIMINGS.flood - 0.2) / step)), "flood", 5)
    assert lost.moment(flood + round((TIMINGS.flood + 0.1) / step)).flood is None
    searching = when(lost, "search")
    assert has_colours_of(look(searching[len(searching) // 3]), "search", 3)
    assert not has_colours_of(look(5), "search", 3)


def test_what_is_left_to_search_is_not_shown_while_nobody_searches(lost: RecordedScene) -> None:
    holds = [tick for tick in range(len(lost.recording)) if lost.recording.frame(tick).layers["search"].any()]
    searching = set(when(lost, "search"))
    assert set(holds) & searching
    assert set(holds) - searching
    assert all((lost.moment(tick).search is not None) == (tick in searching) for tick in holds[::20])


def test_a_flood_grows_before_its_flag_stands(lost: RecordedScene) -> None:
    event = next(event for event in lost.recording.events() if event.kind == "flood")
    grown = [lost.moment(event.tick + tick).flood for tick in (0, 10, 20, 40)]
    sizes = [len(one.warm) for one in grown if one is not None]
    assert len(sizes) == 4
    assert sizes == sorted(sizes)
    assert sizes[0] < sizes[-1]
    assert [one.flag is None for one in grown if one is not None] == [True, True, True, False]
    assert [len(one.front) > 0 for one in grown if one is not None] == [True, True, True, False]
    assert grown[-1] is not None
    left = dict(zip(grown[-1].warm.tolist(), grown[-1].values.tolist()))
    assert left == dict(zip(event.warm, event.values))


def test_what_is_believed_is_a_ghost_with_the_age_of_the_belief(lost: RecordedScene, look: Look) -> None:
    tick = when(lost, "search")[-1]
    moment = lost.moment(tick)
    (ghost,) = moment.ghosts
    lost_at = next(event for event in lost.recording.events() if event.kind == "lost")
    assert (ghost.target, ghost.believers) == ("you", ("Ames",))
    assert ghost.xyz == pytest.approx(lost_at.at, abs=0.1)
    assert ghost.age == pytest.approx((tick - lost_at.tick) * lost.recording.about.step, abs=0.2)
    assert ghost.strength == pytest.approx(1.0 - ghost.age / TIMINGS.belief_fade)
    paler = mixed(WALKABLE, LAST_SEEN, ghost.strength)
    assert share_of(about(look(tick), look.view, ghost.xyz), paler, 12) > 0.2  # type: ignore[attr-defined]
    assert not lost.moment(when(lost, "engage")[-1] - 5).ghosts


def test_a_shared_belief_is_one_ghost_of_both(tmp_path: Path) -> None:
    text = SHARED.replace("at: 1.2", "at: 0.8")
    film = RecordedScene(Recording.read(recorded(text, tmp_path / "shared.rec")))
    moment = film.moment(len(film.recording) - 1)
    assert [ghost.believers for ghost in moment.ghosts] == [("Ames", "Bell")]


def test_views_tint_what_lies_ahead_and_stop_at_walls(lost: RecordedScene) -> None:
    person = lost.moment(0).people[0]
    assert person.seen is not None
    low, high = person.seen.area.min(axis=0), person.seen.area.max(axis=0)
    assert low[1] > -0.01  # the corridor's walls, whatever the reach of the eyes
    assert high[1] < 8.01
    ahead = person.xyz[:2] + 3.0 * np.array([math.cos(person.gaze), math.sin(person.gaze)])
    tinted = [_inside(outline, ahead) for outline in person.seen.inner]
    assert any(tinted)
    assert not any(_inside(outline, 2 * person.xyz[:2] - ahead) for outline in person.seen.inner)


def _inside(outline: Array, point: Array) -> bool:
    ahead = np.roll(outline, -1, axis=0)
    crosses = (outline[:, 1] > point[1]) != (ahead[:, 1] > point[1])
    with np.errstate(divide="ignore", invalid="ignore"):
        x = outline[:, 0] + (point[1] - outline[:, 1]) * (ahead - outline)[:, 0] / (ahead - outline)[:, 1]
    return bool((crosses & (point[0] < x)).sum() % 2)


def test_doors_are_drawn_as_they_are_then(tmp_path: Path) -> None:
    text = "level: rooms\nseconds: 1\nname: doors\nagents: [{name: Ames}]\n"
    text += "script: [{at: 0.5, do: open door, door: door 1}]\n"
    film = RecordedScene(Recording.read(recorded(text, tmp_path / "doors.rec")))
    chart, shares = ReplayMap(film, scale=SCALE), []
    middle = np.append(film.level.doors[0].outline_xy.mean(axis=0), 0.0)
    for tick in (3, 25):
        moment = film.moment(tick)
        sheet = decoded(png_bytes(chart.sheet(moment, Contents.of([moment])), ""))
        left = (sheet.shape[1] - chart.view.size[0]) // 2
        shares.append(share_of(about(sheet[TOP:, left:], chart.view, middle, 5), DOOR))
    assert shares[0] > 0.8
    assert shares[1] == 0.0


def test_words_never_cover_one_another(lost: RecordedScene, monkeypatch: pytest.MonkeyPatch) -> None:
    boxes = []
    monkeypatch.setattr(replay_labels, "_draw_bubble", lambda image, speaker, box, *rest: boxes.append(box))
    moment = lost.moment(10)
    crowd = tuple(replace(moment.people[0], xyz=np.array([6.0 + 0.4 * n, 4.0, 0.0])) for n in range(6))
    bubbles = tuple(Bubble(number, "Where did he go?", 0.1 * number) for number in range(6))
    chart = ReplayMap(lost, scale=SCALE)
    chart.sheet(replace(moment, people=crowd, bubbles=bubbles), Contents.of([moment]))
    assert len(boxes) >= 4
    for number, one in enumerate(boxes):
        for other in boxes[:number]:
            assert one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]


def test_members_of_a_crew_are_drawn_with_role_place_and_who_leads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    film = RecordedScene(Recording.read(recorded(TOGETHER, tmp_path / "fight.rec")))
    tick = int(np.flatnonzero((film.recording.column("crew")[:, :2] >= 0).all(axis=1))[0])
    moment, columns = film.moment(tick), film.recording.frame(tick).columns
    assert [moment.people[post.person].name for post in moment.posts] == ["Ames", "Bell"]
    assert [post.leads for post in moment.posts] == [True, False]
    assert {post.role for post in moment.posts} == {"melee"}
    assert [post.slot for post in moment.posts] == columns["slot"][:2].tolist()
    said: list[tuple[str, tuple[int, int, int]]] = []
    place = LabelPlacer.place

    def note(self: LabelPlacer, x: float, y: float, words: str, **more: Any) -> bool:
        said.append((words, more.get("colour", (0, 0, 0))))
        return place(self, x, y, words, **more)

    monkeypatch.setattr(LabelPlacer, "place", note)
    chart, key = ReplayMap(film, scale=12.0), Contents.of([moment])
    with_crews = np.asarray(chart.sheet(moment, key)).astype(int)
    colour = CREW_COLOURS[0]
    for post in moment.posts:
        assert (f"{moment.people[post.person].name} · melee {post.slot + 1}", colour) in said
    alone = np.asarray(chart.sheet(replace(moment, posts=()), key)).astype(int)
    for post in moment.posts:
        assert post.stand is not None
        left = LEFT + (with_crews.shape[1] - 2 * LEFT - chart.view.size[0]) // 2
        x, y = (chart.view.pixels(post.stand[None])[0] + np.array([left, TOP])).round().astype(int).tolist()
        here, bare = (sheet[y - 8 : y + 9, x - 8 : x + 9] for sheet in (with_crews, alone))
        near = (np.abs(here - np.array(colour)).sum(axis=2) < 60).sum()
        assert near > (np.abs(bare - np.array(colour)).sum(axis=2) < 60).sum() + 15, "a place has brackets"
    assert key.crews
    assert not Contents.of([replace(moment, posts=())]).crews


def test_the_caption_names_a_few_and_counts_many(lost: RecordedScene) -> None:
    moment = lost.moment(when(lost, "engage")[0])
    seconds = f"{moment.seconds:.1f} s of {lost.recording.seconds:.1f} s"
    assert caption_of(moment, lost.recording.seconds) == f"{seconds} · Ames: engage · you: present"
    many = replace(moment, people=tuple([moment.people[0]] * 7 + [someone("patrol")]))
    assert caption_of(many, lost.recording.seconds) == f"{seconds} · 7 engage · 1 patrol"


def test_things_fade_at_the_end_of_their_time() -> None:
    ages = [0.0, 2.25, 2.625, 3.0, 4.0]
    assert [fading(age, 3.0, 0.75) for age in ages] == [1.0, 1.0, 0.5, 0.0, 0.0]
    assert Bubble(0, "who is there?", TIMINGS.speech - 0.5 * TIMINGS.speech_fade).strength == pytest.approx(0.5)


def test_the_same_moment_gives_the_same_bytes(lost: RecordedScene) -> None:
    again = RecordedScene(lost.recording)
    tick = when(lost, "chase")[3]
    assert draw_moment(lost, tick, scale=10.0) == draw_moment(again, tick, scale=10.0)


def test_who_has_left_is_not_drawn(lost: RecordedScene) -> None:
    everybody: Moment = lost.moment(0)
    later = lost.moment(len(lost.recording) - 1)
    assert [person.name for person in everybody.people] == ["Ames", "you"]
    assert [person.name for person in later.people] == ["Ames"]
