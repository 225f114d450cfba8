"""Behaviour trees in a real browser: in the Why panel, and as a graph."""

from __future__ import annotations

import pytest

from lastseen import Recording
from lastseen.simulation.replay.account import account_of
from specimens.recordings import LOST
from studio.server import write_replay

LINES = "[...document.querySelectorAll('.tree .node')].map((one) => one.querySelector('.text').textContent)"
FOLD = "[...document.querySelectorAll('.tree details > summary')]"


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A replay of a guard that chases and searches, and the recording it was made from."""
    folder = tmp_path_factory.mktemp("browser_trees")
    address = write_replay(folder, LOST)
    return address, Recording.read(folder / "run.rec")


@pytest.fixture
def one(run, tab):
    """The replay with the panel of the guard."""
    return tab(run[0])


def seek(one, tick: int) -> None:
    """Show a step, counted in seconds from the start."""
    one.page.locator(".lanes").focus()
    one.key("Home")
    one.until("lastseenTest.tick === 0")
    for step in range(30, tick + 1, 30):
        one.key("Shift+ArrowRight")
        one.until(f"lastseenTest.tick === {step} && lastseenTest.status.tick === {step}")


def explain(one, tick: int) -> None:
    """Show why the guard does what it does at a step."""
    seek(one, tick)
    one.page.locator(".person").first.click()
    one.page.locator(".tree").wait_for()


def label(node) -> str:
    return node.text.lstrip("│├└─ ")


def test_the_running_branch_comes_first_and_failed_branches_are_collapsed(one, run):
    explain(one, 360)
    account = account_of(run[1], run[1].about.agents[0], 12.0)
    assert account.state == "search"
    shown = one.ask("[...document.querySelectorAll('.tree > div > .children > *')].map((one) => one.tagName)")
    assert shown == ["DIV", *["DETAILS"] * (len(shown) - 1)]
    assert one.ask(LINES)[1] == "search [guard]"
    below_root = [node for node in account.tree if node.text[:2] in ("├─", "└─") and node.status == "failure"]
    assert len(below_root) == 10
    folds = one.ask(f"{FOLD}.map((one) => [one.querySelector('.text').textContent, one.title, one.parentElement.open])")
    top = [(name, title, is_open) for name, title, is_open in folds if name in {label(node) for node in below_root}]
    assert top == [(label(node), f"failure: {node.reason}", False) for node in below_root]
    assert "nobody fights here" in one.page.locator(".tree summary", has_text="fight [guard]").inner_text()


def test_a_failed_branch_stays_open_over_time(one):
    explain(one, 360)
    fold = one.page.locator(".tree details", has=one.page.get_by_text("fight [guard]", exact=True))
    leaf = fold.locator(".children .node", has_text="has_foe")
    assert not leaf.is_visible()
    fold.locator("> summary").click()
    leaf.wait_for()
    assert "nobody fights here" in leaf.inner_text()
    one.page.evaluate("() => (window.oldTree = document.querySelector('.tree'))")
    one.page.locator(".tree summary", has_text="fight [guard]").focus()
    one.page.keyboard.press(".")
    one.until("document.querySelector('.tree') && document.querySelector('.tree') !== oldTree")
    assert leaf.is_visible()
    assert "fight" in one.ask("document.activeElement.textContent")


def test_reasons_are_wrapped_not_cut(one):
    explain(one, 360)
    tree = "document.querySelector('.tree')"
    assert one.ask(f"{tree}.scrollWidth <= {tree}.clientWidth")
    assert one.ask(f"[...{tree}.querySelectorAll('.node')].every((one) => one.scrollWidth <= one.clientWidth)")
    long = one.page.locator(".tree summary", has_text="has no direction of a crew").first
    assert long.evaluate("(one) => one.getBoundingClientRect().height") > 24
    reason = long.locator(".reason")
    assert reason.evaluate("(one) => getComputedStyle(one).textOverflow") == "clip"


def test_the_whole_tree_is_shown_in_its_order(one, run):
    explain(one, 360)
    one.page.get_by_role("button", name="Whole tree").click()
    account = account_of(run[1], run[1].about.agents[0], 12.0)
    assert one.ask(LINES) == [label(node) for node in account.tree]
    assert one.ask(f"{FOLD}.length") == 0
    one.page.get_by_role("button", name="Reached nodes only").click()
    assert len(one.ask(LINES)) == sum(node.status != "idle" for node in account.tree)
