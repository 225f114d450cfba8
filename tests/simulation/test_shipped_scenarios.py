"""Scenarios that come with lastseen: each tells the story its first line promises."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from lastseen.agents.rules.shipped_rules import shipped_rules
from lastseen.errors import InputError
from lastseen.simulation.scenario.reader import about_scenario, scenario_text, shipped_scenario, shipped_scenarios
from lastseen.views.cli.app.main import cli
from lastseen.views.prose.sentences import Sentences
from lastseen.vocabulary.events import Event
from oracles.truths import TRUE_IF, Truth
from specimens.worlds import Play

PROMISES = {
    "night_shift": {"state": "player: run → flee", "sees": "sees player"},
    "two_floors": {"said": "FLEE", "investigates": "Bell looks into a shout", "caught": "Bell caught player"},
    "distraction": {"investigates": "looks into a bottle", "found": "finds an open door", "door": "door 1 shut"},
    "hide_and_seek": {
        "hid": "player hid",
        "heard": "a gunshot is heard",
        "found hiding": "found player in hiding place 1",
    },
    "man_down": {
        "found": "finds a body",
        "said": "FIND_BODY",
        "search begins": "begins a search",
        "gives up": "gives up",
    },
    "cordon": {"crew": "(search) is formed", "role": "as hold", "said": "ORDER_SEARCH", "search over": "over"},
    "closed_off": {"crew": "(search) is formed", "role": "hold: chokepoint, 1.0 m wide", "alarm": "raised the alarm"},
    "one_door": {
        "role": "hold: entrance 1 of 1",
        "opened": "Ames opened curtain",
        "found hiding": "Ames found player in curtain",
    },
    "found_lying": {"crew": "(body) is formed", "role": "orders", "said": "DEBRIEF", "state": "suspicious → return"},
    "interrupted_talk": {"shrugs off": "a bottle", "talk": "go on talking", "said": "TALK_RESUME", "role": "cover"},
    "in_pairs": {"role": "investigate", "said": "ANNOUNCE", "missing": "Bell misses Ames", "crew": "(missing)"},
    "no_answer": {"missing": "Ames misses Bell", "said": "RADIO", "role": "look", "search begins": "begins a search"},
    "brawl": {
        "role": "ranged: a place to shoot from",
        "crew": "(fight) is formed",
        "said": "ORDER_ATTACK",
        "hit": "Vera",
    },
    "pinned_down": {
        "role": "open fire",
        "nowhere to go": "under fire, has nowhere to go",
        "refuses": "will not go where",
        "casualty": "3 down, 1 left",
        "said": "LAST_ONE",
    },
    "far_target": {"role": "flank: ", "said": "TAUNT", "attack": "aims at Vera", "fell": "Vera went down"},
    "far_target_lost": {
        "trap": "Ames goes down in a trap",
        "unreachable": "Ames did not get through",
        "role": "Cole: hold",
        "said": "ORDER_HOLD",
    },
    "ambush": {"role": "as lie in wait", "sprung": "springs on player", "crew": "(fight) is formed"},
    "cut_off": {"role": "as cut off", "crew": "(fight) is formed", "caught": "caught player"},
    "headed_off": {
        "role": "as cut off",
        "crew": "(chase) is formed",
        "flood": "runs to",
        "caught": "caught player",
    },
    "shadow": {"picks place": "thief picks", "state": "thief: run → flee"},
    "lured": {"trap": "Ames goes down in a trap", "found": "Bell finds a body", "picks place": "player picks"},
    "handover": {
        "talk": "Ames and Bell take up the scene handover",
        "scene act": "Ames gives Bell the key",
        "role": "Bell: investigate",
        "said": "Then you were asleep at noon!",
    },
    "warm_trail": {"flood": "the flood goes on", "threw": "Bell threw a charge", "hit": "Vera", "lost": "Vera"},
    "stop_her": {"said": "stop her!", "caught": "Bell caught Vera"},
    "trapper": {
        "set trap": "Vera sets a trap",
        "hid": "Vera hid",
        "trap": "Ames goes down in a trap of Vera",
        "found": "Bell finds a body",
    },
    "trespass": {
        "trespass": "Bell attacks Vera for staying in control room",
        "state": "Leo: run → return",
        "caught": "caught Vera",
    },
    "truce": {
        "attack": "Rook strikes at Vera",
        "attitude": "smugglers and thieves are hostile from now on: Vera attacked Rook",
        "state": "Ames: chase → return",
    },
    "drawbridge": {
        "script": "remove platform drawbridge, because player entered inner bank",
        "flood": "the flood filled every cell it could reach",
        "caught": "caught player",
    },
    "bell": {
        "object": "Ames rings bell",
        "state": "Wren: patrol → flee",
        "investigates": "Bell looks into an alarm",
    },
    "workday": {
        "object": "Wren breaks off its use of lathe",
        "state": "Wren: return → patrol",
        "sees": "Wren sees Rook",
    },
    "theft": {"found": "Ames notices that jewel is gone", "said": "THEFT", "search begins": "Ames begins a search"},
    "store_key": {"door": "store opened", "object": "Rook takes jewel"},
    "lights_out": {
        "found": "Ames notices that the light is off",
        "object": "Ames switches the light in court on",
        "caught": "Ames caught Rook",
    },
    "wall_of_light": {
        "object": "Rook turns wall of light, which now serves intruders",
        "trap": "Ames goes down in wall of light",
    },
    "witch": {"picks place": "Breanna picks", "appears": "Breanna appears", "flood": "Breanna runs to"},
    "vines": {"picks place": "as vine says", "appears": "vine 1 appears", "hit": "hit Vera"},
    "vanished": {
        "left decoy": "Vera leaves a decoy",
        "blinked": "Vera blinks to",
        "decoy gone": "the decoy of Vera vanishes: Ames came up to it",
        "flood": "15 m away after a gunshot",
        "searches": "Ames looks at (30.0, 26.0)",
    },
    "stopped_clock": {
        "sees": "Ames sees Vera",
        "time stops": "Vera stops time",
        "lost": "Ames lost Vera",
        "flood": "Ames runs to",
    },
    "body_thief": {
        "possesses": "Rook takes control of Ames",
        "releases": "Rook comes out of Ames: it let go",
        "end": "Rook escaped",
    },
    "beekeeper": {
        "swarm": "bees: the swarm attacks Ames",
        "picks place": "Ames picks (1.8, 3.8), as shun says",
        "state": "Ames: engage → flee",
        "lost": "Ames lost Vera",
    },
    "now_and_then": {
        "state": "Emily: run → flee",
        "travelled": "Emily travels to the state past",
        "lost": "Ames lost Emily",
        "flood": "Ames runs to",
        "end": "Emily escaped",
    },
    "radio_call": {"crew": "is formed: Ames, Bell, Cole", "talk": "Ames, Bell and Cole", "said": "TALK"},
    "tripwire": {
        "script": "light court to 1.0, because script.tripped began to hold",
        "heard": "an alarm is heard",
        "sees": "sees player",
        "caught": "caught player",
    },
    "gang_fight": {"did": "Rob: haymaker", "hit": "Vera", "fell": "Vera went down"},
    "loudspeakers": {"said": "ALARM", "search over": "over"},
    "unseen": {"did": "“ghost”"},
    "dust_storm": {"script": "weather clear", "sees": "Ames sees player", "caught": "Ames caught player"},
}


RUNS = {
    "night_shift": ("caught", 147, "4a6e6484"),
    "two_floors": ("caught", 87, "74b2b179"),
    "distraction": ("time over", 600, "5034f679"),
    "hide_and_seek": ("found", 104, "3b74182c"),
    "man_down": ("all calm", 443, "1e190c0f"),
    "cordon": ("time over", 500, "dc35e1df"),
    "closed_off": ("caught", 266, "098c91f9"),
    "one_door": ("found", 109, "6c278c72"),
    "found_lying": ("all calm", 364, "9c118b0e"),
    "interrupted_talk": ("time over", 600, "a87ca656"),
    "in_pairs": ("time over", 650, "eb4d35bb"),
    "no_answer": ("time over", 600, "10868cb5"),
    "pinned_down": ("time over", 700, "18171532"),
    "brawl": ("beaten", 358, "a14dbb7f"),
    "far_target": ("beaten", 273, "4c5882ba"),
    "far_target_lost": ("time over", 350, "09a60125"),
    "ambush": ("caught", 222, "368d7bc3"),
    "cut_off": ("caught", 196, "2305c74d"),
    "headed_off": ("caught", 116, "38ec475b"),
    "shadow": ("time over", 600, "1524620b"),
    "lured": ("caught", 62, "83532c35"),
    "handover": ("time over", 600, "21a2e977"),
    "warm_trail": ("escaped", 229, "6be3b9a7"),
    "stop_her": ("caught", 18, "6ff3430d"),
    "trapper": ("time over", 200, "cad7023b"),
    "trespass": ("caught", 116, "f4746a0c"),
    "truce": ("time over", 300, "e4586398"),
    "drawbridge": ("caught", 226, "88a97916"),
    "bell": ("caught", 197, "6fb24964"),
    "workday": ("time over", 600, "9f354172"),
    "theft": ("time over", 700, "9c312883"),
    "store_key": ("caught", 312, "8ece3dc5"),
    "lights_out": ("time over", 600, "283402d6"),
    "wall_of_light": ("time over", 400, "0cd78e3c"),
    "witch": ("time over", 300, "0602ec55"),
    "vines": ("beaten", 57, "02e31ffd"),
    "vanished": ("escaped", 207, "32bcaca9"),
    "stopped_clock": ("time over", 160, "fd469e3b"),
    "body_thief": ("escaped", 124, "ccc898cb"),
    "beekeeper": ("escaped", 74, "6ad74ca7"),
    "now_and_then": ("escaped", 118, "56c85153"),
    "radio_call": ("time over", 500, "aafcfdb6"),
    "tripwire": ("caught", 85, "5ee88002"),
    "gang_fight": ("beaten", 147, "261f29f7"),
    "loudspeakers": ("all calm", 184, "24703f70"),
    "unseen": ("escaped", 118, "9c60d325"),
    "dust_storm": ("caught", 111, "51e78f16"),
}
"""How each run below ends, after how many steps, and the start of the digest of all its states.

They are the same on every machine. A change that moves no agent, such as another structure or other words, changes none
of them; after one that does, say so in the changelog and record them again.
"""


def test_every_shipped_scenario_has_its_promises_and_its_run_recorded() -> None:
    assert set(shipped_scenarios()) == set(PROMISES) == set(RUNS)


@pytest.mark.parametrize("name", PROMISES)
def test_a_shipped_scenario_keeps_its_promises_and_ends_for_a_named_reason(name: str) -> None:
    setting = shipped_scenario(name)
    assert setting.agents
    step = 0.2 if setting.scenario.seconds >= 100.0 else 0.1  # moments count in short ones: fights and chases
    truth = Truth()
    play = Play(scenario_text(name).replace("\nseconds:", f"\nstep: {step}\nseconds:", 1)).run(200.0, truth.check)
    truth.check(play.world)
    assert play.world.step == step
    assert not truth.lies
    outcome = play.outcome
    assert (outcome.reason, outcome.ticks, outcome.digest[:8]) == RUNS[name], "see RUNS before you change it"
    of = Sentences.of_world(play.world)
    for kind, words in PROMISES[name].items():
        told = [f"{of(event)} as {_detail(event)}" for event in play.of_kind(kind)]
        assert any(words in one for one in told), (kind, words)


def test_every_trigger_says_what_holds_when_its_lines_are_said() -> None:
    triggers = shipped_rules("guards").variables["bark.trigger"].names
    assert set(triggers) == set(TRUE_IF)


def _detail(event: Event) -> str:
    """Return the role an agent got, or what a line is about: sentences do not always say it."""
    return getattr(event, "role", "") or getattr(event, "facts", {}).get("bark.trigger", "")


def test_they_are_listed_with_what_happens_and_run_by_name() -> None:
    listed = CliRunner().invoke(cli, ["run", "--list"])
    assert listed.exit_code == 0
    for name in shipped_scenarios():
        assert name in listed.output
        assert about_scenario(name) in listed.output
        assert about_scenario(name).endswith(".")
    run = CliRunner().invoke(cli, ["run", "distraction", "--seconds", "3", "--quiet"])
    assert run.exit_code == 0
    assert "time over after 3.0 s" in run.output


def test_another_name_is_refused_with_the_one_that_was_meant() -> None:
    with pytest.raises(InputError, match="did you mean 'night_shift'"):
        shipped_scenario("night_shfit")
