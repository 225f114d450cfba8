"""The tree editor in a real browser: change nodes and parameters, undo, save, and apply to the running game."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from lastseen import extensions
from lastseen.agents.behaviour.registry import Registry
from lastseen.simulation.replay.account import account_of
from lastseen.vocabulary.events import TreeChanged
from studio.server import serving

SCENARIO = """
level: corridor
seconds: 60
ends: []
agents:
  - {name: Ames, brain: mine.yaml, at: [6, 4], heading: 0.0}
  - {name: Bell, brain: mine.yaml, at: [4, 4]}
  - {name: you, brain: hider, at: [14, 4]}
"""
TREE = """\
# My guard.
trees:
  mine:
    selector:
      # only near
      - sequence: [sees_intruder, {pursue: {gait: run}}]   # at once
      - cooldown: {seconds: 5, child: alarm}
      - stand_still
  calm:
    look_round: {seconds: 2}
"""
SUGGESTED = "node => [...node.list.options].map((one) => one.value)"
READY = "lastseenTest.trees?.isReady && lastseenTest.trees.faults?.length === 0"


@pytest.fixture
def served(tmp_path):
    (tmp_path / "night.yaml").write_text(SCENARIO)
    (tmp_path / "mine.yaml").write_text(TREE)
    with serving(tmp_path, "night.yaml") as found:
        yield found


@pytest.fixture
def one(served, window):
    one = window(served)
    one.key("/")
    one.until(READY)
    return one


def labels(one) -> list[str]:
    return one.ask("lastseenTest.trees.labels")


def choose(one, label: str) -> None:
    """Click the first node with a label."""
    number = labels(one).index(label)
    one.page.locator(f"#tree-editor .bt[data-node='{number}']").click()
    one.until(f"document.querySelector('#tree-editor .bt.chosen')?.dataset.node === '{number}'")


def pick(one, words: str) -> None:
    """Choose the first entry that the palette finds."""
    one.page.locator("dialog.ask input[type=search]").fill(words)
    one.key("Enter")
    one.until("!document.querySelector('dialog[open]')")


def put(one, field: str, text: str) -> None:
    place = one.page.locator(f"[data-key='{field}']")
    place.fill(text)
    place.press("Tab")


def test_the_tree_of_the_selected_agent_is_edited_from_its_graph(served, window):
    one = window(served)
    one.page.locator(".person", has_text="you").first.click()
    one.page.get_by_role("button", name="Graph").first.click()
    one.page.locator("#graph").get_by_role("button", name="Edit").click()
    one.until(f"{READY} && lastseenTest.mode === 'trees'")
    assert one.ask("lastseenTest.trees.name") == "hider"
    assert one.ask("lastseenTest.trees.file") == "hider copy.yaml", "shipped trees are opened as copies"
    assert one.page.locator("#graph").count() == 0
    assert one.page.locator("#tree-editor .bt").count() == len(labels(one))


def test_nodes_are_added_before_after_and_inside_by_keyboard_and_undone(one):
    one.key("ArrowRight")
    one.until("lastseenTest.trees.chosen.join() === 'mine,0'")
    one.key("a")
    pick(one, "look round")
    one.until("lastseenTest.trees.chosen.join() === 'mine,1' && lastseenTest.trees.labels.includes('look_round')")
    one.key("Shift+A")
    pick(one, "wait")
    one.until("lastseenTest.trees.chosen.join() === 'mine,1' && lastseenTest.trees.labels.includes('wait')")
    fault = one.page.locator("[data-field='parameter.seconds'] .wrong")
    fault.filter(has_text="needs 'seconds'").wait_for()
    one.key("Enter")
    assert one.ask("document.activeElement.dataset.key") == "parameter.seconds"
    one.page.keyboard.type("2.5")
    one.page.keyboard.press("Tab")
    one.until(f"{READY} && lastseenTest.trees.labels.includes('wait (2.5)')")
    assert fault.count() == 0
    one.page.locator("#tree-editor svg").focus()
    one.key("ArrowUp")
    one.key("i")
    pick(one, "calm")
    one.until("lastseenTest.trees.chosen.join() === 'mine,0,2'")
    assert one.ask("lastseenTest.trees.value.trees.mine.selector[0].sequence[2]") == {"subtree": "calm"}
    assert one.ask("lastseenTest.trees.undo") == ["add node", "add node", "change seconds", "add node"]
    for _ in range(4):
        one.key("Control+z")
    one.until("!lastseenTest.trees.isDirty")
    one.key("Control+Shift+z")
    one.until("lastseenTest.trees.labels.includes('look_round') && lastseenTest.trees.isDirty")


def test_a_node_is_dragged_before_after_and_into_others(one):
    def drag(label: str, target: str, share: float, fits: bool = True) -> None:
        places = [
            one.page.locator(f"#tree-editor .bt[data-node='{labels(one).index(name)}'] rect")
            for name in (label, target)
        ]
        start, end = (place.bounding_box() for place in places)
        one.page.mouse.move(start["x"] + 30, start["y"] + start["height"] / 2)
        one.page.mouse.down()
        one.page.mouse.move(end["x"] + 40, end["y"] + share * end["height"], steps=5)
        one.until(f"Boolean(document.querySelector('#tree-editor .drop').getAttribute('d')) === {str(fits).lower()}")
        one.page.mouse.up()

    before = labels(one)
    assert before[-1] == "stand_still"
    drag("stand_still", "cooldown (5)", 0.1)
    one.until("lastseenTest.trees.labels.indexOf('stand_still') === 4")
    drag("stand_still", "sequence", 0.5)
    one.until("lastseenTest.trees.chosen.join() === 'mine,0,2'")
    drag("cooldown (5)", "sees_intruder", 0.9)
    one.until("lastseenTest.trees.value.trees.mine.selector.length === 1")
    moved = one.ask("lastseenTest.trees.value.trees.mine.selector[0].sequence[1]")
    assert moved == {"cooldown": {"seconds": 5, "child": "alarm"}}
    drag("sequence", "alarm", 0.5, fits=False)
    assert one.ask("lastseenTest.trees.undo.length") == 3, "a node cannot be moved into itself"
    one.page.locator("#tree-editor svg").focus()
    for _ in range(3):
        one.key("Control+z")
    one.until(f"lastseenTest.trees.labels.join() === {before!r}.join() && !lastseenTest.trees.isDirty")


def test_nodes_are_moved_wrapped_unwrapped_duplicated_and_removed_by_keys_and_by_named_buttons(one):
    value = "lastseenTest.trees.value.trees.mine.selector"
    choose(one, "stand_still")
    one.key("Alt+ArrowUp")
    one.until(f"{value}[1] === 'stand_still'")
    one.page.get_by_role("button", name="Into above").click()
    one.until(f"{value}[0].sequence?.[2] === 'stand_still'")
    one.page.locator("#tree-editor svg").focus()
    one.key("Alt+ArrowLeft")
    one.until(f"{value}[1] === 'stand_still'")
    one.key("w")
    pick(one, "invert")
    one.until(f"{value}[1].invert?.[0] === 'stand_still'")
    one.page.get_by_role("button", name="Unwrap").click()
    one.until(f"{value}[1] === 'stand_still'")
    one.page.get_by_role("button", name="Duplicate").click()
    one.until(f"{value}[2] === 'stand_still'")
    one.page.get_by_role("button", name="Remove", exact=True).click()
    one.until(f"{value}.length === 3")
    one.page.locator("#tree-editor svg").focus()
    one.key("Delete")
    one.until(f"{value}.length === 2")
    one.key("ArrowLeft")
    one.key("Delete")
    one.hears("The root cannot be removed")


def test_parameters_have_typed_fields_with_suggestions_and_all_faults_at_once(one):
    choose(one, "pursue (run)")
    gait = one.page.locator("[data-key='parameter.gait']")
    assert gait.evaluate("node => node.tagName") == "SELECT"
    gait.select_option("sneak")
    one.until("lastseenTest.trees.labels.includes('pursue (sneak)')")
    put(one, "parameter.reach", "far")
    choose(one, "cooldown (5)")
    known = one.page.locator("[data-key='parameter.seconds']").evaluate(SUGGESTED)
    assert {"$target", "$chased", "$patrol"} <= set(known)
    put(one, "parameter.seconds", "often")
    one.until("lastseenTest.trees.faults?.length === 2")
    assert one.ask("lastseenTest.trees.faults.map(({ parameter }) => parameter)") == ["reach", "seconds"]
    one.page.locator("[data-field='parameter.seconds'] .wrong").wait_for()
    assert one.page.locator("#tree-editor .bt.faulty").count() == 2
    one.page.locator(".faults button", has_text="reach").click()
    one.page.locator("[data-field='parameter.reach'] .wrong", has_text="far").wait_for()
    one.page.locator("#tree-editor svg").focus()
    one.key("a")
    pick(one, "choose place")
    query = one.page.locator("[data-key='parameter.query']")
    assert "escape" in query.evaluate(SUGGESTED)
    put(one, "parameter.query", "escpe")
    one.page.locator("[data-field='parameter.query'] .wrong", has_text="did you mean 'escape'").wait_for()


def test_text_being_typed_is_kept_when_faults_arrive(one):
    choose(one, "cooldown (5)")
    one.page.locator("[data-key='parameter.seconds']").fill("often")
    one.page.locator("[data-key='name']").click()
    one.page.keyboard.type("ala")
    one.until("lastseenTest.trees.faults?.length === 1")
    one.page.locator("[data-field='parameter.seconds'] .wrong").wait_for()
    one.page.keyboard.type("rm")
    assert one.page.locator("[data-key='name']").input_value() == "alarm"
    assert one.ask("lastseenTest.trees.undo") == ["change seconds"]
    one.page.keyboard.press("Tab")
    one.until("lastseenTest.trees.labels.includes('alarm [cooldown] (often)')")
    assert one.ask("lastseenTest.trees.undo") == ["change seconds", "change name"]


def test_saving_keeps_comments_and_a_file_changed_elsewhere(one, served):
    choose(one, "pursue (run)")
    one.page.locator("[data-key='parameter.gait']").select_option("sneak")
    one.page.locator("#tree-editor svg").focus()
    one.key("Control+s")
    one.until("!lastseenTest.trees.isDirty")
    assert (served.folder / "mine.yaml").read_text() == TREE.replace("gait: run", "gait: sneak")
    (served.folder / "mine.yaml").write_text(TREE)
    one.page.locator("[data-key='parameter.gait']").select_option("walk")
    one.page.locator("button.save").click()
    one.page.locator("dialog", has_text="has changed since you opened it").wait_for()
    one.page.get_by_role("button", name="Save as …").last.click()
    one.page.locator("dialog input").fill("other")
    one.key("Enter")
    one.until("lastseenTest.trees.file === 'other.yaml' && lastseenTest.trees.digest")
    assert (served.folder / "mine.yaml").read_text() == TREE
    assert "gait: walk" in (served.folder / "other.yaml").read_text()


def test_an_applied_tree_runs_in_the_running_game_and_is_told(one, served):
    game = served.studio.director.game
    one.page.locator(".play").click()
    one.until("lastseenTest.status.tick > 5")
    one.page.locator("#tree-editor svg").focus()
    choose(one, "stand_still")
    one.page.locator("[data-key='kind']").select_option("crouch")
    one.until(READY)
    one.page.get_by_role("button", name="Apply").click()
    one.hears("Applied: Ames, Bell start again")
    one.until("lastseenTest.events.some(({ kind }) => kind === 'tree changed') && lastseenTest.status.running")
    one.page.locator(".play").click()
    one.until("!lastseenTest.status.running")
    (event,) = (event for event in game.recording.events() if isinstance(event, TreeChanged))
    assert event.agents == (0, 1)
    tree = account_of(game.recording, "Ames", game.shown * game.recording.about.step).tree
    assert tree[-1].text == "└─ crouch"
    assert tree[0].status == "running"
    assert one.ask("lastseenTest.story").count("The user edited the tree mine.yaml: Ames, Bell started again.") == 1
    assert one.ask("lastseenTest.trees.isDirty"), "applied trees need not be saved"


def test_a_tree_with_faults_is_not_applied_and_the_game_goes_on(one, served):
    choose(one, "cooldown (5)")
    put(one, "parameter.seconds", "often")
    one.until("lastseenTest.trees.faults?.length === 1")
    one.page.get_by_role("button", name="Apply").click()
    one.hears("Not applied: fix the faults first")
    one.page.locator(".play").click()
    one.until("lastseenTest.status.tick > 10")
    assert not [event for event in served.studio.director.game.recording.events() if isinstance(event, TreeChanged)]


def test_breakpoints_survive_an_edit_where_their_node_still_exists(one, served):
    one.key("1")
    one.page.locator(".person", has_text="Ames").first.click()
    one.page.get_by_role("button", name="Graph").first.click()
    lines = one.ask("[...document.querySelectorAll('#graph .bt')].map((one) => one.textContent)")
    node = next(number for number, line in enumerate(lines) if "stand_still" in line)
    for _ in range(2):
        one.key("ArrowRight")
    one.page.locator(f"#graph .bt[data-node='{node}']").click()
    one.page.get_by_role("button", name="Break here").click()
    one.until(f"lastseenTest.breakpoints.join() === '0,{node}'")
    one.page.locator("#graph").get_by_role("button", name="Edit").click()
    one.until("lastseenTest.mode === 'trees'")
    choose(one, "sequence")
    one.key("Delete")
    one.until(f"{READY} && lastseenTest.trees.isDirty")
    one.key("Control+Enter")
    one.until(f"lastseenTest.breakpoints.join() === '0,{node - 3}'")
    one.page.locator(".play").click()
    one.hears("Ames entered stand_still")


def test_unsaved_work_is_restored_from_its_draft(one, served, window):
    choose(one, "stand_still")
    one.key("d")
    one.until("Object.keys(localStorage).some((key) => key.includes('draft.tree'))")
    one.page.close(run_before_unload=False)
    again = window(served)
    again.key("/")
    again.page.get_by_role("button", name="Restore").click()
    again.until("lastseenTest.trees?.value.trees?.mine.selector.length === 4 && lastseenTest.trees.isDirty")


def test_crew_trees_are_opened_and_saved_but_not_applied(one, served):
    one.page.get_by_role("button", name="Open …").click()
    one.page.locator("dialog .choice", has_text="tree of crews").filter(has_text="chase").first.click()
    one.until(f"{READY} && lastseenTest.trees.name === 'chase'")
    assert one.ask("lastseenTest.trees.users") == "crews"
    assert one.page.get_by_role("button", name="Apply").is_disabled()
    one.page.locator("#tree-editor svg").focus()
    one.key("w")
    one.page.locator("dialog [data-kind='roles']").wait_for()
    one.key("Escape")
    one.page.get_by_role("button", name="Save", exact=True).click()
    one.until("lastseenTest.trees.digest")
    assert (served.folder / "chase copy.yaml").exists()


def test_trees_of_a_file_are_added_shown_and_removed(one):
    one.page.locator("[data-key='tree']").select_option("calm")
    one.until("lastseenTest.trees.labels.join() === 'look_round (2)'")
    one.page.get_by_role("button", name="Add tree …").click()
    one.page.locator("dialog input").fill("rest")
    one.key("Enter")
    one.until("lastseenTest.trees.tree === 'rest' && Object.keys(lastseenTest.trees.value.trees).length === 3")
    one.page.get_by_role("button", name="Remove tree").click()
    one.until("Object.keys(lastseenTest.trees.value.trees).join() === 'mine,calm'")


@pytest.fixture
def own_leaves(monkeypatch) -> Iterator[None]:
    """Leaves of the user's program, as `--leaves` names them."""
    mine = Registry()

    @mine.action
    def wave(mind, times: int = 3):
        """Wave to the camera."""
        return True

    monkeypatch.setattr("studio.server.WAVE", mine, raising=False)
    with extensions.own_used("leaves", "studio.server:WAVE"):
        yield


def test_leaves_of_the_user_are_in_the_palette(own_leaves, served, window):
    one = window(served)
    one.key("/")
    one.until(READY)
    choose(one, "stand_still")
    one.key("a")
    one.page.locator("dialog input").fill("wave")
    entry = one.page.locator("dialog [data-kind='wave']")
    assert "Wave to the camera." in entry.inner_text()
    assert "times: integer = 3" in entry.inner_text()
    one.key("Enter")
    put(one, "parameter.times", "many")
    one.page.locator("[data-field='parameter.times'] .wrong").wait_for()
    put(one, "parameter.times", "2")
    one.until(f"{READY} && lastseenTest.trees.labels.includes('wave (2)')")


def test_it_works_on_a_phone_in_both_themes(one):
    one.page.set_viewport_size({"width": 390, "height": 844})
    for _ in ("light", "dark"):
        assert one.ask("document.documentElement.scrollWidth") <= 390
        one.page.get_by_role("button", name="Fit").click()
        choose(one, "stand_still")
        one.page.get_by_role("button", name="Duplicate").click()
        one.until("lastseenTest.trees.labels.filter((label) => label === 'stand_still').length === 2")
        one.page.get_by_role("button", name="Undo").click()
        one.until("!lastseenTest.trees.isDirty")
        one.page.locator("[data-key='name']").click()
        one.until("document.activeElement.dataset.key === 'name'")
        one.key("Escape")
        one.until("document.activeElement.matches('#tree-editor svg')")
        one.page.get_by_role("button", name="Light or dark theme").click()
