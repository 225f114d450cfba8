"""Packs of compiled rules: the same answers as the files, never trusted blindly."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lastseen import arrayfile
from lastseen.agents.rules.engine import pack as packing
from lastseen.agents.rules.engine.compile import compile_handler
from lastseen.agents.rules.engine.engine import Engine
from lastseen.agents.rules.engine.explanation import explain
from lastseen.agents.rules.engine.pack import KIND, PACK_NAME, VERSION, RulePack, open_rules, read_pack
from lastseen.agents.rules.engine.pack_parts import PackMeta
from lastseen.agents.rules.files.read import read_rules
from lastseen.errors import RuleError

RULES = """\
variables:
  kind: {enum: [A, B, C]}
  health: float
  gang: str
handlers:
  barks:
    order: priority
    policy: shuffle repeat
    cooldown: 4
    rules:
      - {name: low, when: [kind == A, health < 0.5], say: [ow.1, "Not good."]}
      - {name: gang, when: [gang == crows, health >= 0.2], say: Crows!, priority: 3, cooldown: 0}
      - {name: any, when: kind != C, do: [{play: nod, times: 2}]}
  reactions:
    rules:
      - {name: flee, when: health < 0.1, do: flee}
  empty: {}
lines:
  ow.1: {en: Ow, de: Au}
"""
FACTS: list[dict[str, Any]] = [
    {},
    {"kind": "A", "health": 0.05},
    {"kind": "A", "health": 0.3, "gang": "crows"},
    {"kind": "B", "gang": "rooks", "health": 2.0},
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "rules.yaml").write_text(RULES, encoding="utf-8")
    return tmp_path


def answers(handler: Any) -> list[Any]:
    found = [Engine(handler).evaluate(facts) for facts in FACTS]
    return [None if one is None else (one.rule, one.number, one.action) for one in found]


def test_a_pack_answers_as_the_files(folder: Path) -> None:
    database, first = read_rules(folder), open_rules(folder)
    again = read_pack(folder / PACK_NAME)
    for pack in (first, again, open_rules(folder)):
        assert pack.handlers == ("barks", "reactions", "empty")
        assert pack.lines == database.lines
        assert pack.variables == database.variables
        assert pack.sources == (str(folder / "rules.yaml"),)
        for names in (("barks",), ("reactions",), ("empty",), ("reactions", "barks")):
            assert answers(pack.compiled(*names)) == answers(compile_handler(database, *names))
    assert [rule.name for rule in again.database().handlers["barks"].rules] == ["low", "gang", "any"]
    assert explain(again.compiled("barks"), FACTS[2]).fired is not None


def test_rules_are_decoded_when_they_are_looked_at(folder: Path) -> None:
    rules = open_rules(folder).compiled("barks").rules
    assert (rules[-1].name, rules[0].name, len(rules)) == ("any", "gang", 3)
    assert [rule.name for rule in rules[1:]] == ["low", "any"]
    assert rules[0].cooldown == 0.0
    assert rules[1].cooldown == 4.0
    with pytest.raises(IndexError):
        rules[3]


def test_a_changed_added_or_removed_file_makes_the_pack_anew(folder: Path) -> None:
    open_rules(folder)
    text = RULES.replace("name: flee", "name: run")
    (folder / "rules.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(RuleError, match="made from other rules"):
        read_pack(folder / PACK_NAME, [str(folder / "rules.yaml")])
    assert open_rules(folder).compiled("reactions").rules[0].name == "run"
    (folder / "more.yaml").write_text("handlers: {more: {rules: [{name: a}]}}", encoding="utf-8")
    assert "more" in open_rules(folder).handlers
    (folder / "more.yaml").unlink()
    assert "more" not in open_rules(folder).handlers


def test_a_pack_is_good_from_elsewhere(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    open_rules(folder)
    before = (folder / PACK_NAME).read_bytes()
    monkeypatch.chdir(folder)
    assert open_rules(".").compiled("reactions").rules[0].source == "rules.yaml"
    assert (folder / PACK_NAME).read_bytes() == before


def test_without_a_cache_nothing_is_written(folder: Path) -> None:
    assert open_rules(folder, cache=False).handlers
    assert not (folder / PACK_NAME).exists()


def test_unknown_handlers_are_suggested(folder: Path) -> None:
    with pytest.raises(RuleError, match="did you mean 'barks'"):
        open_rules(folder).compiled("bark")


def use(pack: RulePack) -> None:
    """Use every part of a pack."""
    assert pack.lines is not None
    for name in pack.handlers:
        handler = pack.compiled(name)
        engine = Engine(handler)
        found = engine.match_many(engine.encode_many(FACTS))
        assert ((found >= -1) & (found < max(1, len(handler)))).all()
        for facts in FACTS:
            engine.evaluate(facts)
            explain(handler, facts)
    pack.database()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_a_damaged_pack_is_refused_and_made_again(folder: Path, data: st.DataObject) -> None:
    open_rules(folder)
    path = folder / PACK_NAME
    whole = path.read_bytes()
    if data.draw(st.booleans()):
        damaged = whole[: data.draw(st.integers(0, len(whole) - 1))]
    else:
        place = data.draw(st.integers(0, len(whole) - 1))
        damaged = whole[:place] + bytes([whole[place] ^ data.draw(st.integers(1, 255))]) + whole[place + 1 :]
    path.write_bytes(damaged)
    with pytest.raises(RuleError, match="delete it"):
        read_pack(path)
    use(open_rules(folder))
    # A file that does not begin like a pack belongs to another program and is left alone.
    ours = arrayfile.MAGIC.startswith(damaged[: len(arrayfile.MAGIC)])
    assert path.read_bytes() == (whole if ours else damaged)
    path.write_bytes(whole)


@pytest.mark.parametrize("there", [True, False], ids=["to a file", "to nothing"])
def test_a_pack_is_never_written_through_a_link(folder: Path, tmp_path_factory: Any, there: bool) -> None:
    other = tmp_path_factory.mktemp("elsewhere") / "notes.txt"
    if there:
        other.write_text("mine")
    (folder / PACK_NAME).symlink_to(other)
    use(open_rules(folder))
    assert (folder / PACK_NAME).is_symlink()
    assert (other.read_text() == "mine") if there else not other.exists()


def test_a_file_of_somebody_else_in_the_place_of_a_pack_stays(folder: Path) -> None:
    (folder / PACK_NAME).write_bytes(b"my own notes")
    use(open_rules(folder))
    assert (folder / PACK_NAME).read_bytes() == b"my own notes"
    (folder / PACK_NAME).unlink()
    os.mkfifo(folder / PACK_NAME)  # reading it would wait for ever
    use(open_rules(folder))


@pytest.mark.parametrize("wrong", ["swapped", "the same", "no number"])
def test_constants_of_a_pack_must_ascend(folder: Path, wrong: str) -> None:
    rules = "variables: {n: float}\nhandlers: {h: {rules: [{name: a, when: [n > 1, n < 2]}]}}\n"
    (folder / "rules.yaml").write_text(rules)
    open_rules(folder)
    path = folder / PACK_NAME
    file = arrayfile.read(path, KIND, VERSION, PackMeta)
    cuts = {"swapped": [2.0, 1.0], "the same": [1.0, 1.0], "no number": [1.0, np.nan]}[wrong]
    arrays = {**file.arrays, "cuts": np.array(cuts)}
    path.write_bytes(arrayfile.encode(KIND, VERSION, arrays, file.meta))
    with pytest.raises(RuleError, match="constants do not ascend"):
        read_pack(path)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(st.data())
def test_a_pack_with_wrong_numbers_under_a_right_digest_is_refused_or_harmless(
    folder: Path, data: st.DataObject
) -> None:
    path = folder / PACK_NAME
    path.unlink(missing_ok=True)
    open_rules(folder)
    file = arrayfile.read(path, KIND, VERSION, PackMeta)
    arrays = {name: array.copy() for name, array in file.arrays.items()}
    name = data.draw(st.sampled_from(sorted(arrays)))
    flat = arrays[name].reshape(-1)
    act = data.draw(st.sampled_from(["number", "cut", "type", "gone"]))
    if act == "number" and len(flat):
        place = data.draw(st.integers(0, len(flat) - 1))
        byte = data.draw(st.integers(0, flat.itemsize - 1))
        flat.view(np.uint8)[place * flat.itemsize + byte] ^= data.draw(st.integers(1, 255))
    elif act == "cut":
        arrays[name] = arrays[name][: data.draw(st.integers(0, len(arrays[name])))]
    elif act == "type":
        arrays[name] = arrays[name].astype(np.int16)
    elif act == "gone":
        del arrays[name]
    path.write_bytes(arrayfile.encode(KIND, VERSION, arrays, file.meta))
    with contextlib.suppress(RuleError):
        use(read_pack(path))


@pytest.mark.parametrize("text", [b"", b"lastseen", b"PK\3\4 something else altogether, and long enough for a start"])
def test_what_is_no_pack_is_refused(text: bytes, tmp_path: Path) -> None:
    (tmp_path / "x.pack").write_bytes(text)
    with pytest.raises(RuleError, match="delete it"):
        read_pack(tmp_path / "x.pack")
    with pytest.raises(RuleError, match="cannot be read"):
        read_pack(tmp_path / "absent.pack")


def test_a_file_saved_while_it_is_read_is_read_again_the_next_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "barks.yaml"
    file.write_text(RULES)
    compiling = packing.compile_handler

    def saved_meanwhile(*given: Any) -> Any:
        file.write_text(RULES.replace("Not good.", "Saved meanwhile."))
        return compiling(*given)

    monkeypatch.setattr(packing, "compile_handler", saved_meanwhile)
    open_rules(tmp_path)
    monkeypatch.undo()
    actions = [rule.actions for rule in open_rules(tmp_path).compiled("barks").rules]
    assert ("ow.1", "Saved meanwhile.") in actions
