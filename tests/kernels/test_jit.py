"""The cache of compiled kernels notices edits of helpers in other files, and only where they matter."""

from __future__ import annotations

from pathlib import Path

from lastseen.kernels.jit import text_digest


def _kernels(folder: Path, helper: str) -> list[str]:
    folder.mkdir()
    (folder / "jit.py").write_text("")
    (folder / "helper.py").write_text(f"from .jit import jit\n{helper}\n")
    (folder / "between.py").write_text("from .helper import one\n")
    (folder / "user.py").write_text("from .between import (\n    one,\n)\n")
    (folder / "stranger.py").write_text("from .jit import jit\n")
    return [text_digest(folder / f"{name}.py") for name in ("helper", "user", "stranger")]


def test_an_edit_changes_the_digest_of_all_that_use_it_and_of_nothing_else(tmp_path: Path) -> None:
    before, after = _kernels(tmp_path / "before", "one = 1"), _kernels(tmp_path / "after", "one = 2")
    assert [old == new for old, new in zip(before, after)] == [False, False, True]


def test_the_same_text_has_the_same_digest_wherever_it_stands(tmp_path: Path) -> None:
    assert _kernels(tmp_path / "here", "one = 1") == _kernels(tmp_path / "there", "one = 1")


def test_files_that_import_one_another_have_a_digest(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("from .b import b\n")
    (tmp_path / "b.py").write_text("from .a import a\n")
    assert text_digest(tmp_path / "a.py") == text_digest(tmp_path / "b.py")
