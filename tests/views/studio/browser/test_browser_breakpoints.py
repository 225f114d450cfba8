"""Breakpoints on nodes of trees in a real browser: the game pauses when a node is entered."""

from __future__ import annotations

import pytest

from lastseen.simulation.replay.account import account_of
from studio.server import serving

LOST = """
level: corridor
seconds: 30
ends: []
agents:
  - {name: Ames, at: [6, 4], heading: 0.0}
  - {name: you, brain: hider, at: [14, 4]}
script:
  - {at: 1.5, do: remove, agent: you}
"""
STATUSES = ("running", "success")


@pytest.fixture
def lost(tmp_path):
    (tmp_path / "lost.yaml").write_text(LOST)
    with serving(tmp_path, "lost.yaml") as served:
        yield served


def node_named(served, words: str) -> int:
    lines = served.studio.director.game.recording.about.trees[0].splitlines()
    return next(number for number, line in enumerate(lines) if words in line)


def statuses(served, node: int) -> list[bool]:
    """Return by step whether a node ran or succeeded, by the accounts of the recording."""
    recording = served.studio.director.game.recording
    steps = (account_of(recording, "Ames", tick * recording.about.step) for tick in range(len(recording)))
    return [account.tree[node].status in STATUSES for account in steps]


def graph_of_ames(one) -> None:
    one.page.locator(".person", has_text="Ames").first.click()
    one.page.get_by_role("button", name="Graph").first.click()
    one.page.locator("#graph .bt").first.wait_for()


def test_the_game_pauses_when_the_node_is_entered_and_again_after_a_restart(lost, window):
    one, node = window(lost), node_named(lost, "chase [guard]")
    graph_of_ames(one)
    one.page.locator(f"#graph .bt[data-node='{node}']").dispatch_event("pointerdown", {"pointerId": 1})
    one.page.locator("#graph svg").dispatch_event("pointerup", {"pointerId": 1})
    one.page.get_by_role("button", name="Break here").click()
    one.until(f"lastseenTest.breakpoints.join() === '0,{node}'")
    one.page.locator(f"#graph .bt.breaks[data-node='{node}']").wait_for()
    one.page.locator(".play").click()
    one.until("lastseenTest.status.tick > 30 && !lastseenTest.status.running")
    tick = one.ask("lastseenTest.status.tick")
    works = statuses(lost, node)
    assert works[tick]
    assert not any(works[:tick])
    one.page.locator(f"#graph .bt.chosen[data-node='{node}']").wait_for()
    one.hears("Ames entered chase [guard]")
    one.key("Escape")
    one.key("r")
    one.until("lastseenTest.status.ticks === 1")
    one.page.locator(".play").click()
    one.until(f"lastseenTest.status.tick === {tick} && !lastseenTest.status.running")


def test_a_removed_breakpoint_does_not_pause_and_steps_stop_at_one(lost):
    with lost.page() as page:
        node = node_named(lost, "chase [guard]")
        page.say("breakpoints", agent=0, nodes=[node])
        page.say("step", ticks=300)
        hit = page.until("breakpoint")
        assert (hit["agent"], hit["node"]) == (0, node)
        assert lost.studio.director.game.shown == hit["tick"] < 299
        page.say("breakpoints", agent=0, nodes=[])
        page.say("step", ticks=100)
        page.settle()
        assert lost.studio.director.game.shown == hit["tick"] + 100


@pytest.mark.parametrize(("agent", "node"), [(0, 9999), (7, 0)])
def test_nodes_that_do_not_exist_are_refused(lost, agent, node):
    with lost.page() as page:
        page.say("breakpoints", agent=agent, nodes=[node])
        assert f"agent {agent} has no node {node}" in page.until("error")["message"]
