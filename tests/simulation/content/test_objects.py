"""Smart objects: slots, durations and effects; alarms, tasks, thefts, keys, switches and barriers."""

from __future__ import annotations

import math

import numpy as np
import pytest

from lastseen.agents.bodies.orders import Act
from lastseen.errors import ScenarioError
from lastseen.kernels.arrays.agent_arrays import BODY
from lastseen.simulation.recording.recording import Recording
from lastseen.simulation.recording.world_columns import about_of, record
from lastseen.simulation.replay.account import account_of
from lastseen.simulation.scenario.reader import parse_scenario, scenario_text, shipped_scenario
from lastseen.simulation.world.puppet import PlayerInput, apply_input
from lastseen.simulation.world.setup import make_world
from lastseen.views.figures.moment.replay_figure import ReplayMap
from lastseen.views.figures.moment.replay_key import Contents, replay_key
from lastseen.views.prose.story import story_of
from lastseen.views.scene.recorded_scene import RecordedScene
from specimens.worlds import Play

HALL = """
level: hall
seconds: 120
ends: []
reaction: at once
objects: [OBJECTS]
agents: [AGENTS]
"""
WORKER = "{name: NAME, brain: civilian, patrol: '', at: PLACE, tasks: TASKS}"


def hall(objects: str, agents: str, more: str = "") -> Play:
    return Play(HALL.replace("OBJECTS", objects).replace("AGENTS", agents) + more)


def worker(name: str, place: str, tasks: str) -> str:
    return WORKER.replace("NAME", name).replace("PLACE", place).replace("TASKS", tasks)


def steps(play: Play, *wanted: str) -> list[tuple[str, str, str, float]]:
    """Return agent, step, object and time of all uses, or of these steps."""
    return [
        (play.world.names[one.agent], one.step, one.object, one.tick * play.world.step)
        for one in play.of_kind("object")
        if not wanted or one.step in wanted
    ]


# Uses


def test_a_use_lasts_as_long_as_the_object_says_and_shows_its_animation():
    play = hall(
        "{name: lathe, kind: workbench, place: [6, 9], seconds: 2.5, animation: turn}",
        worker("Wren", "[5, 9]", "[lathe]"),
    )
    play.run(6)
    begins, done = play.of_kind("object")[:2]
    assert (begins.step, done.step) == ("begins", "done")
    assert (done.tick - begins.tick) * play.world.step == pytest.approx(2.5, abs=play.world.step)
    assert (begins.animation, begins.object, begins.thing) == ("turn", "lathe", "workbench")


def test_each_slot_takes_one_user_and_the_next_waits_for_it():
    one = "{name: bench, kind: workbench, place: [6, 9], seconds: 3}"
    pair = f"{worker('Wren', '[5, 9]', '[bench]')}, {worker('Finch', '[5, 11]', '[bench]')}"
    alone = steps(hall(one, pair).run(5), "begins", "done")
    assert [(name, step) for name, step, _, _ in alone[:3]] == [
        ("Wren", "begins"),
        ("Wren", "done"),
        ("Finch", "begins"),
    ]
    both = hall(one.replace("}", ", slots: [[6, 8], [6, 10]]}"), pair).run(2.5)
    assert {name for name, *_ in steps(both, "begins")} == {"Wren", "Finch"}
    assert not steps(both, "done")


def test_an_object_is_used_by_its_teams_and_with_its_key_only():
    objects = """{name: desk, kind: workbench, place: [5, 9], users: [guards]},
        {name: chest, kind: locker, place: [6, 11], key: pin}, {name: pin, kind: item, held_by: HOLDER}"""
    agents = f"{worker('Wren', '[5, 10]', '[chest]')}, {{name: Ames, at: [28, 16], patrol: ''}}"
    assert {one[2] for one in steps(hall(objects.replace("HOLDER", "Wren"), agents).run(8), "done")} == {"chest"}
    refused = hall(objects.replace("HOLDER", "Ames"), agents).run(8)
    assert not steps(refused)
    assert "has no pin; no task can be done now" in refused.world.trees[0].as_text(live=True)
    for brain, done in (("puppet", []), ("puppet, team: guards", ["begins"])):
        play = hall(objects.replace("HOLDER", "you"), f"{{name: you, brain: {brain}, at: [5, 9]}}")
        apply_input(play.world, 0, PlayerInput(use=True))
        assert [one[1] for one in steps(play.run(0.2))] == done


def test_the_work_that_a_fright_interrupts_is_done_later_and_no_longer_than_what_was_left():
    play = Play(scenario_text("workday")).run(57)
    at_lathe = [one for one in steps(play) if one[2] == "lathe"]
    assert [one[1] for one in at_lathe] == ["begins", "breaks off", "begins", "done"]
    times = [one[3] for one in at_lathe]
    worked = (times[1] - times[0]) + (times[3] - times[2])
    assert worked == pytest.approx(20.0, abs=0.2)
    assert play.states["Wren"] == ["patrol", "suspicious", "flee", "return", "patrol"]
    assert play.world.objects.carries(0, "apron")


def test_stops_of_patrols_use_objects_and_the_patrol_goes_on():
    objects = "{name: log book, kind: workbench, place: [12, 9], seconds: 1}"
    play = hall(
        objects, "{name: Ames, at: [8, 9], patrol: beat}", "patrols: {beat: [[8, 9], log book, [14, 9]]}\n"
    ).run(14)
    done = steps(play, "done")
    assert done[0][:3] == ("Ames", "done", "log book")
    assert len(done) >= 2


def test_a_trigger_waits_for_a_use_that_is_done():
    objects = "{name: lever, kind: workbench, place: [6, 9], seconds: 1}"
    row = "script: [{do: sound, kind: bottle, place: [9, 9], when: {event: uses, object: lever, agent: Wren}}]\n"
    play = hall(objects, worker("Wren", "[5, 9]", "[lever]"), row).run(4)
    (fired,) = play.of_kind("script")
    done = play.of_kind("object")[1]
    assert (fired.tick, fired.trigger, fired.detail) == (done.tick + 1, "uses", "lever")


# Alarms


def test_the_guard_runs_to_the_bell_rings_it_and_others_come_or_hide():
    play = Play(scenario_text("bell")).run(9)
    name, _, _, rung = steps(play, "done")[0]
    assert name == "Ames"
    heard = [one for one in play.of_kind("investigates") if one.stimulus == "alarm"]
    assert play.world.names[heard[0].agent] == "Bell"
    assert heard[0].tick * play.world.step > rung
    assert "flee" in play.states["Wren"]
    assert play.of_kind("alarm")[0].at == pytest.approx((8.4, 20.5, 0.0))


@pytest.mark.parametrize(
    ("bell", "intruder", "rings"),
    [("[8, 9]", "[18, 9]", True), ("[8, 9]", "[9.5, 9]", False), ("[28, 15]", "[18, 9]", False)],
)
def test_a_guard_rings_unless_the_bell_is_far_or_the_intruder_near(bell, intruder, rings):
    agents = f"{{name: Ames, at: [7, 9], heading: 0, patrol: ''}}, {{name: you, brain: puppet, at: {intruder}}}"
    play = hall(f"{{name: bell, kind: alarm, place: {bell}}}", agents).run(4)
    assert bool(steps(play, "done")) is rings
    assert play.of_kind("sees")


def test_one_guard_rings_and_the_other_engages():
    agents = """{name: Ames, at: [7, 9], heading: 0, patrol: ''}, {name: Bell, at: [7, 10], heading: 0, patrol: ''},
        {name: you, brain: puppet, at: [18, 9]}"""
    play = hall("{name: bell, kind: alarm, place: [6, 9]}", agents).run(1.5)
    assert {name for name, *_ in steps(play)} == {"Ames"}
    assert play.world.bodies.xyz[1, 0] > 9.0


# Thefts


def test_a_theft_is_noticed_once_by_a_guard_that_comes_by_much_later():
    play = Play(scenario_text("theft")).run(70)
    taken = [one for one in play.of_kind("object") if one.step == "done"]
    (found,) = play.of_kind("found")
    assert (found.thing, found.name, play.world.names[found.agent]) == ("theft", "jewel", "Ames")
    assert (found.tick - taken[0].tick) * play.world.step > 25.0
    assert play.of_kind("search begins")[0].agent == found.agent
    assert play.states["Ames"][-2:] == ["suspicious", "search"]


def _carried(to: str, agent: str = "brain: thief") -> Play:
    task = f"{{use: vase, to: {to}}}" if to else "vase"
    carrier = f"{{name: Rook, {agent}, patrol: '', at: [5, 3], tasks: [{task}], camouflage: 1}}"
    objects = "{name: vase, kind: item, place: [5, 4]}"
    guard = "{name: Ames, at: [20, 9], heading: 0, patrol: beat}"
    return hall(objects, f"{carrier}, {guard}", "patrols: {beat: [[24, 9], [9, 9], [7, 5]]}\n")


def test_an_object_that_was_moved_is_noticed_and_one_put_back_is_not():
    moved = _carried("[2.5, 3]").run(40)
    assert [one.name for one in moved.of_kind("found")] == ["vase"]
    assert steps(moved, "put")[0][2] == "vase"
    back = _carried("[5.2, 4]").run(40)
    assert steps(back, "put")
    assert not back.of_kind("found")
    assert back.world.objects.places[0] == (5.0, 4.0, 0.0)


def test_what_other_sides_take_is_in_order():
    play = _carried("", "brain: civilian").run(40)
    assert steps(play, "done")
    assert not play.of_kind("found")


def test_a_carrier_that_falls_drops_what_it_carries():
    play = hall(
        "{name: vase, kind: item, held_by: you}",
        "{name: you, brain: puppet, at: [9, 9]}",
        "script: [{do: fell, agent: you, at: 1}]\n",
    ).run(2)
    assert play.world.objects.carrier == [-1]
    assert play.world.objects.places[0] == pytest.approx(tuple(play.world.bodies.xyz[0].tolist()))


# Keys


STORE = """
level: warehouse
seconds: 60
objects: [{name: brass key, kind: item, opens: [store], held_by: HOLDER}, {name: jewel, kind: item, place: [39, 3]}]
agents: [{name: Rook, brain: thief, at: [34, 3.5], tasks: [jewel]}, {name: Ames, at: [5, 24], patrol: ''}]
"""


def test_a_locked_door_opens_for_the_holder_of_its_key_only():
    opened = Play(STORE.replace("HOLDER", "Rook")).run(10)
    assert [one.name for one in opened.of_kind("door")] == ["store"]
    assert opened.world.objects.carries(0, "jewel")
    shut = Play(STORE.replace("HOLDER", "Ames")).run(10)
    assert not shut.of_kind("door")
    assert not steps(shut)
    assert shut.world.bodies.xyz[0, 0] < 36.5


def test_the_thief_takes_the_key_first():
    play = Play(scenario_text("store_key")).run(20)
    told = [(one.kind, getattr(one, "object", "") or one.name) for one in play.events if one.kind in ("object", "door")]
    assert told == [
        *[("object", "brass key")] * 2,
        ("door", "store"),
        *[("object", "jewel")] * 2,
    ]


def test_a_guard_with_the_key_locks_the_door_again_behind_him():
    text = """
level: warehouse
seconds: 60
objects: [{name: brass key, kind: item, opens: [store], held_by: Ames}]
patrols: {rounds: [[41.5, 2.5], [34, 3.5]]}
agents: [{name: Ames, at: [34, 3.5], patrol: rounds}]
"""
    play = Play(text).run(5)
    assert [one.shut for one in play.of_kind("door")] == [False, True]
    assert play.world.bodies.xyz[0, 0] > 37.0
    door = [one.name for one in play.world.level.doors].index("store")
    assert play.world.cells.shut_doors == (door,)
    play.run(12)
    assert [one.shut for one in play.of_kind("door")][:4] == [False, True, False, True]


# Switches and barriers


def test_a_switch_darkens_its_zone_and_the_guard_that_notices_switches_it_on():
    play = Play(scenario_text("lights_out"))
    there = np.array([[16.0, 18.0, 0.0]])
    lights = []
    play.run(60, each=lambda world: lights.append(float(world.script.lighting.at(there)[0])))
    assert [light for at, light in enumerate(lights) if at == 0 or light != lights[at - 1]] == [1.0, 0.2, 1.0]
    (found,) = play.of_kind("found")
    assert (found.thing, found.name) == ("dark zone", "switch")
    assert [name for name, *_ in steps(play, "done")] == ["Rook", "Ames"]


YARD = """
level: yard
seconds: 20
ends: []
objects: [{name: wall, kind: barrier, zone: court, team: TEAM, place: [7.2, 20.5]}]
agents: [{name: Ames, at: [12, 14.5], patrol: in}, {name: you, brain: puppet, at: [20, 14.5]}]
patrols: {in: [[12, 18], [12, 14.5]]}
"""


@pytest.mark.parametrize(("team", "victim"), [("guards", "you"), ("intruders", "Ames")])
def test_a_barrier_fells_enemies_of_the_team_it_serves(team, victim):
    play = Play(YARD.replace("TEAM", team))
    play.run(5, each=lambda world: apply_input(world, 1, PlayerInput(move=(0, 1))))
    (sprung,) = play.of_kind("trap")
    assert (play.world.names[sprung.agent], sprung.trap) == (victim, "wall")
    assert play.world.bodies.mode[sprung.agent] == BODY


def test_a_barrier_serves_the_side_that_turned_it_last():
    play = Play(scenario_text("wall_of_light")).run(20)
    turned = next(one for one in play.of_kind("object") if one.step == "done")
    (sprung,) = play.of_kind("trap")
    assert (turned.detail, play.world.names[sprung.agent]) == ("intruders", "Ames")
    assert turned.tick < sprung.tick
    assert play.world.objects.states(play.world.time) == [1]


# A player


def test_a_player_takes_an_item_unless_it_moves_and_puts_it_down():
    play = hall("{name: vase, kind: item, place: [6, 9], seconds: 1}", "{name: you, brain: puppet, at: [6, 9.5]}")

    def go(seconds: float, wanted: PlayerInput) -> None:
        apply_input(play.world, 0, wanted)
        play.run(play.world.step)
        play.run(seconds, each=lambda world: apply_input(world, 0, PlayerInput(move=wanted.move)))

    go(0.5, PlayerInput(use=True))
    go(0.2, PlayerInput(move=(1, 0)))
    assert [one[1] for one in steps(play)] == ["begins", "breaks off"]
    go(1.2, PlayerInput(use=True))
    assert play.world.objects.carrier == [0]
    go(2.0, PlayerInput(move=(1, 0)))
    go(0.2, PlayerInput(use=True))
    assert steps(play)[-1][1] == "put"
    assert play.world.objects.places[0][0] > 8.0


# Recordings and pictures


def test_a_recording_has_objects_and_their_users_and_explains_them(tmp_path):
    setting = shipped_scenario("workday")
    record(make_world(setting), tmp_path / "run.rec")
    recording = Recording.read(tmp_path / "run.rec")
    assert [note["name"] for note in recording.about.notes["objects"]] == ["locker", "apron", "lathe"]
    frame = recording.frame(recording.tick_at(12.0)).columns
    assert frame["uses"].tolist() == [2, -1]
    assert frame["object_state"].tolist() == [0, 2, 0]
    account = account_of(recording, "Wren", 12.0)
    reasons = [line.reason for line in account.tree if line.status == "running" and line.reason]
    assert reasons[-1] == "task 2 of 2: work at lathe, 18 s to go"
    told = [one.text for one in story_of(recording)]
    assert [one for one in told if "lathe" in one] == [
        "Wren broke off its use of lathe at (3.0, 2.8).",
        "Wren did what was left at lathe.",
    ]
    scene = RecordedScene(recording)
    moment = scene.moment(recording.tick_at(12.0))
    assert [(one.name, one.kind, one.is_changed) for one in moment.things] == [
        ("locker", "locker", False),
        ("lathe", "workbench", False),
    ]
    assert [person.doing for person in moment.people] == ["work", ""]
    words = [entry.words for entry in replay_key(Contents.of([moment]), scene.level)]
    assert {"locker", "workbench"} <= set(words)
    chart = ReplayMap(scene, scale=8.0)
    bare = type(moment)(**{**moment.__dict__, "things": ()})
    assert chart.sheet(moment, Contents.of([moment])).tobytes() != chart.sheet(bare, Contents.of([moment])).tobytes()


def test_pictures_show_paths_through_locked_doors_that_were_opened(tmp_path):
    record(
        make_world(parse_scenario(scenario_text("store_key").replace("seconds: 60", "seconds: 22"))),
        tmp_path / "run.rec",
    )
    scene = RecordedScene(Recording.read(tmp_path / "run.rec"))
    rook = next(one for one in scene.moment(scene.recording.tick_at(20.0)).people if one.name == "Rook")
    assert rook.path[-1] == pytest.approx([42.5, 27.5, 0.0], abs=0.1)


def test_worlds_without_objects_hold_and_record_nothing_of_them():
    world = make_world(shipped_scenario("night_shift"))
    assert world.objects is None
    assert world.crowd.reroute is None
    about = about_of(world)
    assert not {"uses", "object_xyz", "object_state"} & {one.name for one in about.columns}
    assert "objects" not in about.notes


def test_two_runs_with_objects_have_the_same_digest_and_objects_count():
    text = scenario_text("store_key")
    first, again = Play(text).run(6).outcome.digest, Play(text).run(6).outcome.digest
    assert first == again
    other = Play(text.replace("place: [39, 3]", "place: [39.5, 3]")).run(0.1).outcome.digest
    assert Play(text).run(0.1).outcome.digest != other


# Faults


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ("{name: a, kind: alrm, place: [6, 9]}", "did you mean 'alarm'"),
        ("{name: a, kind: alarm}", "an object is at one place"),
        ("{name: a, kind: alarm, place: [6, 9], marker: exit 1}", "an object is at one place"),
        ("{name: a, kind: alarm, marker: exit}", "no marker 'exit' (did you mean 'exit 1'?)"),
        ("{name: a, kind: alarm, place: [6, 9]}, {name: a, kind: alarm, place: [6, 9]}", "there already is an object"),
        ("{name: a, kind: switch, place: [6, 9]}", "a switch needs 'zone'"),
        ("{name: a, kind: switch, place: [6, 9], zone: cellar}", "no zone 'cellar'"),
        ("{name: a, kind: barrier, place: [6, 9], zone: hall}", "a barrier needs 'team'"),
        ("{name: a, kind: alarm, place: [6, 9], opens: [gate]}", "an alarm has no 'opens'"),
        ("{name: a, kind: item, place: [6, 9], opens: [gate]}", "no locked door 'gate'"),
        ("{name: a, kind: item, held_by: Wrn}", "no agent 'Wrn' (did you mean 'Wren'?)"),
        ("{name: a, kind: locker, place: [6, 9], holds: apron}", "no item 'apron'"),
        ("{name: a, kind: locker, place: [6, 9], key: a}", "no item 'a'"),
        ("{name: a, kind: alarm, place: [6, 9], users: [gards]}", "no team 'gards' (did you mean 'guards'?)"),
        ("{name: a, kind: alarm, place: [6, 9], seconds: -1}", "seconds"),
        ("{name: '', kind: alarm, place: [6, 9]}", "its name is empty"),
    ],
)
def test_faults_in_objects_are_found_with_their_line(row, words):
    text = HALL.replace("OBJECTS", row).replace("AGENTS", "{name: Wren, brain: civilian, at: [5, 9]}")
    with pytest.raises(ScenarioError) as raised:
        parse_scenario(text)
    assert words in str(raised.value)
    assert "line 6" in str(raised.value)


@pytest.mark.parametrize(
    ("agents", "more", "words"),
    [
        (worker("Wren", "[5, 9]", "[lath]"), "", "no object 'lath' (did you mean 'lathe'?)"),
        (worker("Wren", "[5, 9]", "[{use: lathe, to: [3, 3]}]"), "", "'lathe' cannot be carried"),
        (worker("Wren", "[5, 9]", "[{use: vase, to: exit}]"), "", "no marker 'exit'"),
        (worker("Wren", "[5, 9]", "[]"), "patrols: {round: [[5, 9], lath]}\n", "no object 'lath'"),
        (
            worker("Wren", "[5, 9]", "[]"),
            "script: [{do: alarm, place: [5, 9], when: {event: uses, object: lath}}]\n",
            "no object 'lath'",
        ),
        (
            worker("Wren", "[5, 9]", "[]"),
            "script: [{do: alarm, place: [5, 9], when: {event: uses}}]\n",
            "needs 'object'",
        ),
    ],
)
def test_what_names_objects_is_checked(agents, more, words):
    objects = "{name: lathe, kind: workbench, place: [6, 9]}, {name: vase, kind: item, place: [6, 9]}"
    with pytest.raises(ScenarioError) as raised:
        hall(objects, agents, more)
    assert words in str(raised.value)
    assert "line" in str(raised.value)


def test_the_leaf_use_names_an_object_of_the_scenario(tmp_path):
    (tmp_path / "clerk.yaml").write_text("trees: {clerk: {sequence: [{use: {object: desk}}, stand_still]}}\n")
    text = HALL.replace("AGENTS", "{name: Wren, brain: clerk.yaml, at: [5, 9]}")
    play = Play(text.replace("OBJECTS", "{name: desk, kind: workbench, place: [6, 9], seconds: 1}"), folder=tmp_path)
    assert [one[1] for one in steps(play.run(3))] == ["begins", "done"]
    with pytest.raises(ScenarioError, match=r"no object 'desk' \(did you mean 'desks'"):
        Play(text.replace("OBJECTS", "{name: desks, kind: workbench, place: [6, 9]}"), folder=tmp_path)


def test_users_off_the_floor_are_refused():
    with pytest.raises(ScenarioError, match="its users would stand off the walkable floor"):
        hall("{name: desk, kind: workbench, place: [-20, -20]}", worker("Wren", "[5, 9]", "[desk]"))


@pytest.mark.parametrize(
    ("slots", "words"),
    [
        ("[[3, 3.5], [13, 2.5]]", r"objects\[1\]\.slots\[2\]\) at \(13.*too far from the object: \d+\.\d m to walk"),
        ("[[3, 3.5], [2, 5]]", ""),
    ],
)
def test_a_slot_in_another_room_is_refused(slots, words):
    text = f"level: rooms\nobjects: [{{name: lathe, kind: workbench, place: [3, 2.8], slots: {slots}}}]\n"
    if not words:
        make_world(parse_scenario(text))
        return
    with pytest.raises(ScenarioError, match=words):
        make_world(parse_scenario(text))


def test_a_slot_that_no_path_leads_to_is_refused():
    text = "level: manor\nobjects: [{name: desk, kind: workbench, place: [2, 2], slots: [[30, 4]]}]\n"
    with pytest.raises(ScenarioError, match="too far from the object: no path leads there"):
        make_world(parse_scenario(text))


def test_a_place_is_where_the_object_lies_in_space():
    play = hall("{name: vase, kind: item, marker: exit 1}", worker("Wren", "[5, 9]", "[vase]"))
    assert math.dist(play.world.objects.places[0], (29.5, 16.5, 0.0)) == 0.0


@pytest.mark.parametrize("end", ["fell", "remove"])
def test_the_slot_of_an_agent_that_falls_or_leaves_on_its_way_is_free_again(end):
    lathe = "{name: lathe, kind: workbench, place: [9, 4], seconds: 2}"
    workers = f"{worker('Wren', '[14, 4]', '[lathe]')}, {worker('Finch', '[16, 4]', '[lathe]')}"
    play = hall(lathe, workers, f"script: [{{at: 1, do: {end}, agent: Wren}}]\n").run(15.0)
    used = [event for event in play.of_kind("object") if event.step == "done"]
    assert [play.world.names[event.agent] for event in used][:1] == ["Finch"]


@pytest.mark.parametrize("to", ["[9.3, 4]", "[31.5, 4]"])
def test_an_item_that_cannot_lie_exactly_there_is_put_down_once(to):
    box = "{name: box, kind: item, place: [9, 4]}"
    thief = f"{{name: Rook, brain: thief, at: [10, 4], tasks: [{{use: box, to: {to}}}]}}"
    play = hall(box, thief).run(40.0)
    assert sum(event.step == "put" for event in play.of_kind("object")) <= 1
    assert play.world.minds[0].blackboard["task_at"] == 1


@pytest.mark.parametrize(
    ("more", "where", "words"),
    [
        ("objects: [{name: box, kind: item, place: [300, 4]}]", r"objects\[1\]\.place", "users would stand off"),
        (
            "objects: [{name: b, kind: alarm, place: [9, 4], slots: [[9, 5], [0, -9]]}]",
            r"objects\[1\]\.slots\[2\]",
            "users",
        ),
        ("traps: [{place: [-20, 4]}]", r"traps\[1\]\.place", "no agent can step into the trap"),
        ("patrols: {tour: [[5, 5], [99, 5]]}", r"patrols\.tour\[2\]", "stop is off the walkable floor"),
        ("script: [{at: 1, do: place, agent: Wren, place: [0, 99]}]", r"script\[1\]\.place", "'Wren' would be placed"),
        ("script: [{at: 1, do: sound, kind: bottle, place: [0, 99]}]", r"script\[1\]\.place", "no one would hear it"),
        ("script: [{at: 1, do: alarm, place: [0, 99]}]", r"script\[1\]\.place", "no one would hear it"),
        ("script: [{at: 1, do: smoke, place: [0, 99]}]", r"script\[1\]\.place", "the smoke would not reach"),
        ("loudspeakers: {tower: [0, 99]}", r"loudspeakers\.tower", "no one would hear it"),
    ],
)
def test_places_off_the_floor_are_refused_with_their_line(more, where, words):
    text = f"level: hall\n\n{more}\nagents: [{{name: Wren, brain: civilian, at: [5, 9]}}]\n"
    with pytest.raises(ScenarioError, match=rf"line 3 \({where}\) at \(.*{words}.*; the nearest is at \("):
        make_world(parse_scenario(text))


def test_a_shot_through_the_air_may_come_from_outside_the_level():
    shot = "script: [{at: 1, do: sound, kind: gunshot, place: [0, 99]}]"
    make_world(parse_scenario(f"level: hall\nhearing: radius\n{shot}\nagents: [{{name: Wren, at: [5, 9]}}]\n"))


@pytest.mark.parametrize("more", ["tasks: [bell]", "tasks: [{use: bell}]", "patrol: tour"])
def test_an_agent_that_may_not_use_an_object_is_not_sent_there(more):
    bell = "{name: bell, kind: alarm, place: [9, 4], users: [guards]}"
    text = HALL.replace("OBJECTS", bell) + "patrols: {tour: [[5, 5], bell]}\n"
    Play(text.replace("AGENTS", "{name: Ames, at: [5, 9], patrol: tour}"))
    with pytest.raises(ScenarioError, match="'Wren' of the team 'civilians' may not use 'bell'; its users are guards"):
        Play(text.replace("AGENTS", f"{{name: Wren, brain: civilian, at: [5, 9], {more}}}"))


def test_a_player_that_blinks_away_breaks_off_its_use():
    player = "{name: Rook, brain: puppet, at: [9, 4]}"
    play = hall("{name: lathe, kind: workbench, place: [9, 4], seconds: 4}", player)
    apply_input(play.world, 0, PlayerInput(use=True))
    play.run(0.5)
    assert 0 in play.world.objects.uses
    apply_input(play.world, 0, PlayerInput(blink=(16.0, 4.0, 0.0)))
    play.run(0.1)
    assert math.dist(play.world.place_of(0), (9, 4, 0)) > 6.0
    play.run(5.0)
    assert [step for _, step, _, _ in steps(play)] == ["begins", "breaks off"]


def test_a_caught_thief_drops_what_it_carries_and_a_worker_brings_it_back():
    vase = "{name: vase, kind: item, place: [20, 9]}"
    guard = "{name: Ames, at: [16, 9], heading: 3.14, patrol: ''}"
    home = worker("Wren", "[24, 4]", "[{use: vase, to: [20, 9]}]")
    thief = "{name: Rook, brain: puppet, at: [20, 9]}"
    play = hall(vase, f"{guard}, {home}, {thief}")
    apply_input(play.world, 2, PlayerInput(use=True))
    play.run(1.0)
    assert play.world.objects.carrier == [2]
    play.world.acts.outside.append((0, Act("catch", 2)))
    play.world.bodies.xyz[0] = play.world.bodies.xyz[2] - (0.9, 0.0, 0.0)
    caught_at = play.world.place_of(2)
    play.run(0.1)
    assert [event.other for event in play.of_kind("caught")] == [2]
    assert play.world.objects.carrier == [-1]
    assert math.dist(play.world.objects.places[0], caught_at) < 0.5  # within its place: nothing is missing
    play.world.objects.lay(0, (14.0, 12.0, 0.0))
    play.run(40.0)
    assert math.dist(play.world.objects.places[0], (20.0, 9.0, 0.0)) < 0.5


@pytest.mark.parametrize("brain", ["guard", "runner", "puppet"])
def test_tasks_that_a_brain_does_not_do_are_refused(brain):
    text = HALL.replace("OBJECTS", "{name: lathe, kind: workbench, place: [9, 4]}")
    agent = f"{{name: Ames, brain: {brain}, at: [5, 9], tasks: [lathe]}}"
    with pytest.raises(ScenarioError, match=rf"line 7 \(agents\['Ames'\].tasks\): the brain '{brain}' does no tasks"):
        parse_scenario(text.replace("AGENTS", agent))
