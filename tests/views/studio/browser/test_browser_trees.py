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


def depth_of(node) -> int:
    return (len(node.text) - len(label(node))) // 3


def test_the_running_branch_comes_first_and_failed_branches_are_collapsed(one, run):
    explain(one, 360)
    account = account_of(run[1], run[1].about.agents[0], 12.0)
    assert account.state == "search"
    shown = one.ask("[...document.querySelectorAll('.tree > div > .children > *')].map((one) => one.tagName)")
    assert shown == ["DIV", *["DETAILS"] * (len(shown) - 1)]
    assert one.ask(LINES)[1] == "search [guard]"
    below_root = [node for node in account.tree if node.text[:2] in ("├─", "└─") and node.status == "failure"]
    assert len(below_root) > 10
    folds = one.ask(f"{FOLD}.map((one) => [one.querySelector('.text').textContent, one.title, one.parentElement.open])")
    top = [(name, title, is_open) for name, title, is_open in folds if name in {label(node) for node in below_root}]
    assert top == [(label(node), f"failure: {node.reason}", False) for node in below_root]
    assert "nobody fights here" in one.page.locator(".tree summary", has_text="fight [guard]").inner_text()


def test_a_button_that_is_pressed_while_answers_come_is_clicked(one):
    explain(one, 360)
    one.page.evaluate("() => (window.oldTree = document.querySelector('.tree'))")
    one.page.get_by_role("button", name="Graph", exact=True).hover()
    one.page.mouse.down()
    for tick in (361, 362, 363):
        one.key(".")
        one.until(f"lastseenTest.tick === {tick} && lastseenTest.status.tick === {tick}")
    assert one.ask("document.querySelector('.tree') === oldTree")
    one.page.mouse.up()
    one.page.locator("#graph").wait_for()
    one.until("document.querySelector('.tree') !== oldTree")  # it catches up
    one.key("Escape")


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


def test_a_branch_opened_just_before_a_redraw_stays_open(one):
    explain(one, 360)
    press = "document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '.', bubbles: true }))"
    one.page.locator(".tree summary", has_text="fight [guard]").evaluate(f"(one) => {{ one.click(); {press}; }}")
    one.until("lastseenTest.tick === 361")
    fold = one.page.locator(".tree details", has=one.page.get_by_text("fight [guard]", exact=True))
    assert fold.evaluate("(one) => one.open")
    assert one.ask("[...document.querySelectorAll('.tree details')].filter((one) => one.open).length") == 1


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


BOXES = "[...document.querySelectorAll('#graph .bt')]"
DRAWN = f"{BOXES}.map((one) => [Number(one.dataset.node), one.dataset.status])"


def draw(one) -> None:
    one.page.get_by_role("button", name="Graph").first.click()
    one.page.locator("#graph .bt").first.wait_for()


def box_of(one, number: int) -> dict[str, float]:
    box = one.page.locator(f"#graph .bt[data-node='{number}'] rect").bounding_box()
    assert box is not None
    return box


def test_the_graph_has_the_nodes_of_the_tree_and_its_branches(one, run):
    explain(one, 360)
    draw(one)
    account = account_of(run[1], run[1].about.agents[0], 12.0)
    assert one.ask(DRAWN) == [[number, node.status] for number, node in enumerate(account.tree)]
    assert one.ask("document.querySelectorAll('#graph path').length") == len(account.tree) - 1
    depths = [depth_of(node) for node in account.tree]
    lefts = one.ask(f"{BOXES}.map((one) => one.transform.baseVal[0].matrix.e)")
    assert [round(left / max(lefts) * max(depths)) for left in lefts] == depths
    places = one.ask(
        f"{BOXES}.map(({{ transform }}) => transform.baseVal[0].matrix).map(({{ e, f }}) => `${{e}} ${{f}}`)"
    )
    assert len(set(places)) == len(places)
    assert one.ask(f"{BOXES}[1].querySelector('.parent').textContent") == label(account.tree[1])
    one.key("Escape")
    one.until("document.querySelector('#graph') === null")
    assert one.ask("lastseenTest.selected.kind") == "agent"


def test_statuses_change_over_time_and_the_running_node_stays_in_view(one, run):
    explain(one, 30)
    draw(one)
    seen = []
    for tick in (30, 150, 360):
        seek(one, tick)
        account = account_of(run[1], run[1].about.agents[0], tick / 30)
        wanted = [number for number, node in enumerate(account.tree) if node.status == "running"]
        running = f"{DRAWN}.filter(([, status]) => status === 'running').map(([number]) => number)"
        one.until(f"JSON.stringify({running}) === '{wanted}'.replaceAll(' ', '')")
        one.still()
        box, around = box_of(one, wanted[-1]), one.page.locator("#graph svg").bounding_box()
        assert around["x"] <= box["x"] <= box["x"] + box["width"] <= around["x"] + around["width"]
        assert around["y"] <= box["y"] <= box["y"] + box["height"] <= around["y"] + around["height"]
        seen.append(wanted)
    assert len({tuple(numbers) for numbers in seen}) == 3
    one.page.locator("#graph button", has_text="Close").click()
    assert one.page.locator("#graph").count() == 0


def test_a_click_or_an_arrow_shows_the_reason(one, run):
    explain(one, 360)
    draw(one)
    account = account_of(run[1], run[1].about.agents[0], 12.0)
    running = [at for at, node in enumerate(account.tree) if node.status == "running"]
    parent, number = running[-2:]
    assert depth_of(account.tree[parent]) == depth_of(account.tree[number]) - 1
    one.still()
    one.page.locator(f"#graph .bt[data-node='{number}']").click()
    detail = one.page.locator("#graph .detail")
    reason = account.tree[number].reason or "No reason was given."
    assert detail.inner_text().split("\n\n") == [f"{label(account.tree[number])} runs", reason]
    one.key("ArrowLeft")
    assert detail.inner_text().startswith(f"{label(account.tree[parent])} runs")
    assert one.ask("lastseenTest.tick") == 360
    depth = depth_of(account.tree[number])
    for _ in range(depth - 1):
        one.key("ArrowLeft")
    one.key("ArrowRight")
    first = account.tree[1]
    assert detail.inner_text().split("\n\n") == [f"{label(first)} failed", first.reason]
    one.key("Escape")


def test_the_graph_zooms_and_pans(one):
    explain(one, 360)
    draw(one)
    one.page.get_by_role("button", name="Fit").click()
    one.still()
    around = one.page.locator("#graph svg").bounding_box()
    ends = [box_of(one, number) for number in range(one.ask(f"{BOXES}.length"))]
    assert all(around["y"] <= box["y"] and box["y"] + box["height"] <= around["y"] + around["height"] for box in ends)
    root = box_of(one, 0)
    point = root["x"] + root["width"] / 2, root["y"] + root["height"] / 2
    one.page.mouse.move(*point)
    one.page.mouse.wheel(0, -900)
    one.until("document.querySelector('#graph .bt rect').getBoundingClientRect().width > 60")
    nearer = box_of(one, 0)
    # It grows around the pointer, whose place the browser rounds to a pixel.
    off = 1.0 + nearer["width"] / root["width"]
    assert abs(nearer["x"] + nearer["width"] / 2 - point[0]) < off
    assert abs(nearer["y"] + nearer["height"] / 2 - point[1]) < off
    one.page.mouse.down()
    one.page.mouse.move(point[0] + 80, point[1] + 50, steps=4)
    one.page.mouse.up()
    moved = box_of(one, 0)
    assert (round(moved["x"] - nearer["x"]), round(moved["y"] - nearer["y"])) == (80, 50)
    assert "Click a node" in one.page.locator("#graph .detail").inner_text()  # a drag is no click
    one.key("f")
    one.still()
    assert abs(box_of(one, 0)["width"] - root["width"]) < 1.0
    one.key("Escape")
