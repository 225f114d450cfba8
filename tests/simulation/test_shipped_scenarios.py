"""Scenarios that come with lastseen: each tells the story its first line promises."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from lastseen.errors import InputError
from lastseen.simulation.scenario.reader import about_scenario, scenario_text, shipped_scenario, shipped_scenarios
from lastseen.views.cli.app.main import cli
from lastseen.views.prose.sentences import Sentences
from lastseen.vocabulary.events import Event
from specimens.worlds import Play

PROMISES = {
    "night_shift": {"state": "player: run → flee", "sees": "sees player"},
    "two_floors": {"said": "FLEE", "investigates": "Bell looks into a shout", "caught": "Bell caught player"},
    "distraction": {"investigates": "looks into a bottle", "found": "finds an open door", "door": "door 1 shut"},
    "hide_and_seek": {"hid": "player hid", "heard": "a gunshot is heard", "opened": "opened"},
    "man_down": {
        "found": "finds a body",
        "said": "FIND_BODY",
        "search begins": "begins a search",
        "gives up": "gives up",
    },
    "cordon": {"crew": "(search) is formed", "role": "as hold", "said": "ORDER_SEARCH", "search over": "over"},
    "closed_off": {"crew": "(search) is formed", "role": "hold: chokepoint, 1.0 m wide", "alarm": "raised the alarm"},
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
    "far_target": {"role": "flank: ", "said": "TAUNT", "attack": "aims at Vera", "fell": "Vera went down"},
    "far_target_lost": {"unreachable": "Cole did not get through", "role": "Ames: hold", "said": "ORDER_HOLD"},
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
    "trespass": {
        "trespass": "Bell attacks Vera for staying in control room",
        "state": "Leo: run → return",
        "caught": "caught Vera",
    },
    "truce": {
        "attack": "Rook strikes at Vera",
        "attitude": "smugglers and thieves are hostile from now on: Vera attacked Rook",
        "state": "Ames: engage → return",
    },
    "witch": {"picks place": "Breanna picks", "appears": "Breanna appears", "flood": "Breanna runs to"},
    "vines": {"picks place": "as vine says", "appears": "vine 1 appears", "hit": "hit Vera"},
    "vanished": {
        "left decoy": "Vera leaves a decoy",
        "blinked": "Vera blinks to",
        "decoy gone": "the decoy of Vera vanishes: Ames came up to it",
        "flood": "15 m away after a gunshot",
        "searches": "Ames looks at (29.8, 25.8)",
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
    "unseen": {"did": '"ghost"'},
    "dust_storm": {"script": "weather clear", "sees": "Ames sees player", "caught": "Ames caught player"},
}


RUNS = {
    "night_shift": ("caught", 157, "30681d59"),
    "two_floors": ("caught", 88, "52b180ac"),
    "distraction": ("time over", 600, "76a10768"),
    "hide_and_seek": ("caught", 126, "0de182d1"),
    "man_down": ("all calm", 443, "638a7409"),
    "cordon": ("time over", 500, "125dcc7c"),
    "closed_off": ("caught", 266, "06d6fbd5"),
    "found_lying": ("all calm", 366, "58cc0b86"),
    "interrupted_talk": ("time over", 600, "a87ca656"),
    "in_pairs": ("time over", 650, "fa5ba8eb"),
    "no_answer": ("time over", 600, "40d34320"),
    "brawl": ("beaten", 400, "c379116c"),
    "far_target": ("beaten", 374, "27cf8cf5"),
    "far_target_lost": ("time over", 350, "efccc72c"),
    "ambush": ("caught", 215, "0789d868"),
    "cut_off": ("caught", 121, "b074eae4"),
    "headed_off": ("caught", 90, "235b49be"),
    "shadow": ("time over", 600, "1524620b"),
    "lured": ("caught", 63, "20c96201"),
    "trespass": ("caught", 116, "53f24925"),
    "truce": ("time over", 300, "e5d7b952"),
    "witch": ("time over", 300, "49ae98c2"),
    "vines": ("beaten", 57, "694378f3"),
    "vanished": ("escaped", 207, "4491b591"),
    "radio_call": ("time over", 500, "aafcfdb6"),
    "tripwire": ("caught", 85, "5ee88002"),
    "gang_fight": ("beaten", 147, "65c9441c"),
    "loudspeakers": ("all calm", 176, "b17fe8cc"),
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
    play = Play(scenario_text(name).replace("\nseconds:", f"\nstep: {step}\nseconds:", 1)).run(200.0)
    assert play.world.step == step
    outcome = play.outcome
    assert (outcome.reason, outcome.ticks, outcome.digest[:8]) == RUNS[name], "see RUNS before you change it"
    of = Sentences.of_world(play.world)
    for kind, words in PROMISES[name].items():
        told = [f"{of(event)} as {_detail(event)}" for event in play.of_kind(kind)]
        assert any(words in one for one in told), (kind, words)


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
