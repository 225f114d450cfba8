"""Other packages add to lastseen without touching it: the one that docs/extensions.md shows, and broken ones."""

import re
import sys

import pytest
from click.testing import CliRunner

import lastseen as ls
from lastseen import extensions
from lastseen.agents.brains.leaves.registry import _brain_leaves, brain_leaves
from lastseen.errors import InputError
from lastseen.views.cli.app.main import cli
from lastseen.views.studio.panels.registry import added_panels
from lastseen.views.studio.protocol.schema import socket_in
from specimens.toy_package import about_toybox, install, install_toybox


@pytest.fixture
def site(tmp_path, monkeypatch):
    """An empty folder that Python looks for packages in; what was found in it is forgotten afterwards."""
    folder = tmp_path / "site"
    folder.mkdir()
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.chdir(tmp_path)
    _brain_leaves.cache_clear()
    yield folder
    _brain_leaves.cache_clear()
    for module in folder.glob("*.py"):
        sys.modules.pop(module.stem, None)


@pytest.fixture
def toybox(site):
    install_toybox(site)


def run(*arguments: str) -> str:
    result = CliRunner().invoke(cli, arguments)
    assert result.exit_code == 0, result.output
    return result.output


def refused(*arguments: str) -> str:
    result = CliRunner().invoke(cli, arguments)
    assert result.exit_code == 2, result.output
    assert isinstance(result.exception, SystemExit)
    return result.output


def test_the_page_shows_a_toy_of_every_group():
    assert set(about_toybox()["entry-points"]) == {f"lastseen.{group}" for group in extensions.GROUPS}


def test_without_packages_nothing_is_added(site):
    assert [extensions.extension_names(group) for group in extensions.GROUPS] == [()] * len(extensions.GROUPS)
    with pytest.raises(InputError, match="no predictor 'head start'"):
        ls.chase.predictor_kind("head start")
    assert "no command 'hello'" in refused("hello", "Ames")


def test_a_command_is_listed_and_runs(toybox):
    assert re.search(r"^  hello +Greet\.$", run("--help"), flags=re.MULTILINE)
    assert run("hello", "Ames") == "hello, Ames\n"


def test_a_reader_reads_its_files_and_no_others(toybox, tmp_path):
    (tmp_path / "long.strip").write_text("strip 12")
    level = ls.Level.read(tmp_path / "long.strip")
    assert len(ls.CellLayout.from_navmesh(ls.NavMesh.from_level(level, ls.Body(radius=0.0)))) == 12
    assert ls.Level.from_text("strip 5", kind="strip").surface.floors
    (tmp_path / "map.txt").write_text("#####\n#...#\n#####\n")
    assert ls.Level.read(tmp_path / "map.txt").surface.floors
    (tmp_path / "bad.strip").write_text("strip twelve")
    assert "no length after 'strip'" in refused("level", "check", "bad.strip")


def test_a_predictor_works_in_code_on_the_command_line_and_in_worlds(toybox):
    assert list(ls.chase.PREDICTORS)[-1] == "head start"
    asked = ("--seen", "3.5,3.5", "--heading", "1,0", "--predictor", "head-start", "--json")
    assert '"reason": "head_start"' in run("chase", "rooms", *asked)
    world = ls.make_world(ls.parse_scenario("level: rooms\nchase: head start\nagents: [{name: Ames}]\n"))
    assert world.reasoning.predictors["head start"][1].predict(ls.Loss((3.5, 3.5), (1, 0))).reason == "head_start"


def test_an_experiment_is_evaluated(toybox):
    assert "sixes" in run("evaluate", "dice", "rooms", "--dice", "4", "--seeds", "2", "--jobs", "1")


def test_a_leaf_may_be_named_in_trees(toybox, tmp_path):
    (tmp_path / "late.yaml").write_text("trees:\n  late:\n    sequence:\n      - is_late: {after: 5}\n")
    assert "is_late" in run("tree", "show", "late.yaml")


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("import no_such_module", "ModuleNotFoundError: No module named 'no_such_module'"),
        ("raise RuntimeError('out of toys')", "RuntimeError: out of toys"),
        ("", "AttributeError"),
    ],
)
def test_a_package_that_cannot_be_loaded_is_named(site, code, words):
    install(site, "sad", code, {f"lastseen.{group}": {"sadness": "sad:THING"} for group in extensions.GROUPS})
    assert re.search(r"^  sadness +\(cannot be loaded\)$", run("--help"), flags=re.MULTILINE)
    for arguments in (
        ("sadness", "--any"),
        ("chase", "rooms", "--seen", "3.5,3.5", "--predictor", "sadness"),
        ("tree", "show", "guard"),
        ("evaluate", "sadness", "rooms"),
    ):
        said = refused(*arguments)
        assert "'sadness' of package sad (lastseen." in said
        assert words in said
    with pytest.raises(InputError, match="package sad"):
        ls.Level.from_text("strip 5", kind="sadness")
    with pytest.raises(InputError, match="package sad"):
        added_panels()


def test_things_of_the_wrong_kind_are_refused(site):
    offers = {f"lastseen.{group}": {"odd": "odd:THING"} for group in extensions.GROUPS}
    install(site, "odd", "THING = 7", offers)
    assert "'odd' (lastseen.commands) is a int; name a click command" in refused("odd")
    with pytest.raises(InputError, match="give PredictorKind"):
        ls.chase.predictor_kind("odd")
    with pytest.raises(InputError, match="lacks read, sniff, suffixes"):
        ls.Level.from_text("strip 5", kind="odd")
    with pytest.raises(InputError, match=r"lastseen\.leaves 'odd'"):
        brain_leaves()
    assert "experiment 'odd'" in refused("evaluate", "odd", "rooms")
    with pytest.raises(InputError, match=r"panel 'odd'.*has no script"):
        added_panels()


ASK = """
from msgspec import Struct
class Ask(Struct, tag={tag!r}, tag_field={field!r}): pass
class THING: script, question, reply, answer = 'a.js', Ask, Ask, print
"""


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("class THING: script = 'thing.py'", "has no script"),
        ("class THING: script, question = 'thing.js', int", "needs question, reply and answer"),
        ("class THING: script, answer = 'thing.js', print", "needs question, reply and answer"),
        (ASK.format(tag="odd", field="kind"), "tag_field='type'"),
        (ASK.format(tag="seek", field="type"), "a question tagged 'seek'; tag it 'odd'"),
    ],
)
def test_panels_that_do_not_fit_are_refused(site, code, words):
    install(site, "odd", code, {"lastseen.panels": {"odd": "odd:THING"}})
    with pytest.raises(InputError, match=re.escape(words)):
        added_panels()


def test_a_panel_cannot_replace_a_message_of_the_studio(site):
    install(site, "odd", ASK.format(tag="seek", field="type"), {"lastseen.panels": {"seek": "odd:THING"}})
    with pytest.raises(InputError, match="panel 'seek' has a message tagged 'seek', which exists already"):
        socket_in()


def test_two_packages_with_one_name_are_both_named(site):
    for name in ("one", "two"):
        install(site, name, "", {"lastseen.predictors": {"same": f"{name}:SAME"}})
    with pytest.raises(InputError, match=r"'same' of package (one and package two|two and package one)"):
        ls.chase.predictor_kind("same")


def test_shipped_names_win(site):
    install(site, "greedy", "raise SystemExit", {"lastseen.commands": {"run": "greedy:run"}})
    assert "Run SCENARIO" in run("run", "--help")
    assert run("--help").count("\n  run ") == 1
