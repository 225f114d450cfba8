"""Mutants are valid Python with one fault each, and killed ones are told apart from survivors."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest
import tools.mutate
from click import UsageError
from click.testing import CliRunner
from tools.mutants import Mutant, mutants_of
from tools.nearest_tests import NearestTests
from tools.reached import functions_of

CODE = '''"""Text with < and 3."""

from typing import cast

Pair = int | str
LIMITS = {"low": 1}


def chosen(values: list[int], most: int = 2, *, sure: bool = True) -> list[int]:
    """Return some of them."""
    found = [max(0, one) for one in values if one < most and sure]
    if not found:
        raise ValueError(f"é: {most + 1}")
    found[0] += 5 // 2 + 0.25
    return found
'''
TOY = "(ONE,) = range(1)\n\n\ndef larger(a, b):\n    return (a if a >= b else b) + 0\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a project of one function; its test cannot tell `+ 0` from `- 0`, and the others prove nothing."""
    for name, text in {
        "src/lastseen/__init__.py": "",
        "src/lastseen/toy.py": TOY,
        "src/lastseen/user.py": "from .toy import larger\n",
        "tests/test_toy.py": "from lastseen.toy import larger\n\n\ndef test_it():\n    assert larger(1, 2) == 2\n",
        "tests/test_user.py": "from lastseen.user import larger\n\n\ndef test_it():\n    assert larger\n",
        "tests/test_broken.py": "from lastseen.toy import larger\n\n\ndef test_it():\n    assert larger is None\n",
        "pyproject.toml": "[tool.pytest.ini_options]\naddopts = '-p no:cacheprovider'\n",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def test_every_mutant_is_valid_and_differs_in_one_place() -> None:
    text = CODE.encode()
    found = mutants_of("code.py", text)
    changed = [one.applied(text) for one in found]
    assert len(set(changed)) == len(changed)
    for mutant, other in zip(found, changed):
        assert ast.dump(ast.parse(other)) != ast.dump(ast.parse(text))
        assert text.splitlines()[: mutant.line - 1] == other.splitlines()[: mutant.line - 1]
        assert text[mutant.start : mutant.end].decode() == mutant.before


def test_each_kind_of_fault_is_made_and_types_and_messages_stay() -> None:
    made = {(one.before, one.after) for one in mutants_of("code.py", CODE.encode())}
    assert made == {
        ("1", "2"),
        ("2", "3"),
        ("True", "False"),
        ("max", "min"),
        ("0", "1"),
        ("one < most and sure", "(one < most or sure)"),
        ("one < most", "(one <= most)"),
        ("one < most", "(one > most)"),
        ("not found", "(not (not found))"),
        ('raise ValueError(f"é: {most + 1}")', "pass"),
        ("found[0] += 5 // 2 + 0.25", "pass"),
        ("5 // 2 + 0.25", "(5 // 2 - 0.25)"),
        ("0.25", "0.5"),
        ("5 // 2", "(5 * 2)"),
        ("5", "6"),
    }


def test_changes_that_compute_the_same_are_left_out() -> None:
    text = b"low = a if a < b else b\nif a >= c:\n    a = c\nif a == b:\n    a = c\nif b and a > c:\n    a = c\n"
    assert [one.after for one in mutants_of("code.py", text)] == [
        "(a > b)",
        "(not (a < b))",
        "(a <= c)",
        "(not (a >= c))",
        "(a != b)",
        *("(b or a > c)", "(not (b and a > c))", "(a < c)"),
    ]


def test_numbers_change_by_what_a_test_can_notice() -> None:
    many = b"many = [3, 30, 0.5, 0.0, -1, -2, -1.0, -2.5]\n"
    text = many + b"room = np.empty((n + 1, 3)), np.zeros(len(many[1])), np.empty(64)\n"
    changes = [one.change for one in mutants_of("code.py", text)]
    assert changes == [
        *("3 → 4", "30 → 60", "0.5 → 1.0", "0.0 → 1.0", "-1 → 0", "-2 → -1", "-1.0 → 1.0", "-2.5 → 2.5"),
        *("n + 1 → (n - 1)", "1 → 0", "3 → 2", "1 → 2"),
    ]


def test_tolerances_become_visible_and_boundaries_stay_where_nothing_can_be() -> None:
    text = (
        b"SAME = 1e-9\n\n\ndef f(a):\n    close = 2 * SAME\n    return a < SAME, a + THIN > 1.0, a <= close, a < 0.5\n"
    )
    changes = {one.change for one in mutants_of("code.py", text, {"THIN"}) if one.line != 5}
    assert changes == {
        *("1e-9 → 0.1", "a < SAME → (a > SAME)", "a + THIN > 1.0 → (a + THIN < 1.0)", "a + THIN → (a - THIN)"),
        *("1.0 → 2.0", "a <= close → (a >= close)", "a < 0.5 → (a <= 0.5)", "a < 0.5 → (a > 0.5)", "0.5 → 1.0"),
    }


def test_a_test_that_takes_too_much_processor_time_kills_and_one_that_waits_does_not(
    project: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tools.mutate, "_STALLED", 600.0)
    runner = tools.mutate.Runner(project, tmp_path_factory.mktemp("copy"), 1.0)
    (project / "tests/test_works.py").write_text("def test_it():\n    while True:\n        pass\n")
    assert runner._pytest(["tests/test_works.py"], False, 1.0)[0] is None
    monkeypatch.setattr(tools.mutate, "_STALLED", 1.0)
    (project / "tests/test_waits.py").write_text("import time\n\n\ndef test_it():\n    time.sleep(3600)\n")
    assert runner._pytest(["tests/test_waits.py"], False, 1.0)[0] == 0


def test_a_kernel_that_numba_would_refuse_does_not_count_as_killed(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / "src/lastseen/kernels").mkdir()
    (project / "src/lastseen/kernels/half.py").write_text("def half(row, n):\n    return row[n * 2]\n")
    (project / "tests/test_half.py").write_text(
        "from lastseen.kernels.half import half\n\n\ndef test_it():\n    assert half([3, 4, 5], 1) == 5\n"
    )
    monkeypatch.setattr(tools.mutate, "ROOT", project)
    result = CliRunner().invoke(tools.mutate.main, ["--path", "src/lastseen/kernels/half.py", "--json"])
    told = json.loads(result.stdout)
    assert (told["mutants"], told["killed"]) == (1, 1), "`n / 2` is no index; `n * 3` is one too large"


def test_what_only_declares_is_left_alone() -> None:
    text = b"if TYPE_CHECKING:\n    import a\n\n\nclass One(Struct, frozen=True):\n    pairs = zip(b, c, strict=True)\n"
    assert not mutants_of("code.py", text)


def test_the_nearest_tests_execute_the_line_else_import_the_module(project: Path) -> None:
    def tests_at(line: int) -> list[str]:
        return NearestTests(project).of(Mutant("src/lastseen/toy.py", line, "", "", 0, 0))[0]

    assert tests_at(5) == ["tests/test_broken.py", "tests/test_toy.py"], "nothing is recorded"
    record = {"tests": [["tests/test_user.py::test_it", 0.1]], "lines": {"src/lastseen/toy.py": {"larger": {"1": [0]}}}}
    folder = project / ".cache/reached/compiled"
    folder.mkdir(parents=True)
    (folder / "one.json").write_text(json.dumps(record))
    assert tests_at(5) == ["tests/test_user.py::test_it"]


def test_a_record_holds_the_lines_that_tests_execute(tmp_path: Path) -> None:
    lines = functions_of(b"A = 1\n\n\nclass One:\n    def two(self):\n        return 3\n")
    assert lines == {5: ("One.two", 0), 6: ("One.two", 1)}


def test_killed_mutants_are_told_apart_from_survivors(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tools.mutate, "ROOT", project)
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(project / "kernels"))
    result = CliRunner().invoke(tools.mutate.main, ["--path", "src/lastseen/toy.py", "--json"])
    assert result.exit_code == 0, result.output
    told = json.loads(result.stdout)
    assert {name: told[name] for name in ("mutants", "killed", "survived", "share")} == {
        "mutants": 4,
        "killed": 3,
        "survived": 1,
        "share": 0.75,
    }, "`range(2)` cannot be imported and does not count"
    [alive] = told["alive"]
    assert (alive["mutant"]["line"], alive["mutant"]["after"]) == (5, "((a if a >= b else b) - 0)")
    assert alive["tests"] == ["tests/test_toy.py"], "a test that fails without a mutant proves nothing"
    assert (project / "src/lastseen/toy.py").read_text() == TOY, "the checkout stays as it is"


def test_survivors_on_the_list_are_still_mutants_and_have_a_reason() -> None:
    gone = []
    for (path, line, change), reason in tools.mutate.reasons(tools.mutate.ROOT).items():
        made = {(one.text, one.change) for one in mutants_of(path, (tools.mutate.ROOT / path).read_bytes())}
        if (line, change) not in made or not reason:
            gone.append(f"{path}: {line}: {change}")
    assert gone == [], "take what has changed off tests/surviving_mutants.toml"


def test_a_draw_depends_on_its_seed_and_wrong_paths_are_named(project: Path) -> None:
    def drawn(seed: int) -> list[str]:
        return [one.after for one in tools.mutate.chosen(project, [Path("src")], seed)]

    assert drawn(4) == drawn(4)
    assert len({tuple(drawn(seed)) for seed in range(9)}) > 1
    for wrong, word in (("src/none.py", "there is no"), ("tests", "not below"), ("src/lastseen/user.py", "nothing to")):
        with pytest.raises(UsageError, match=word):
            tools.mutate.chosen(project, [Path(wrong)], 1)
