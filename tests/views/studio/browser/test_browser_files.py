"""Names of files in a real browser: what is none is said where it is typed, before anything is sent."""

from __future__ import annotations

from lastseen.errors import InputError
from lastseen.views.studio.session.folder import FILE_RULES, require_name
from studio.server import serving

NAMES = [
    *("run", "run.rec", "Gänge 2", "夜.yaml", "a+b-c_d.e", "_x", "x" * 100, "con.rec.txt", "²", "lpt10", "٣.txt"),
    *("", " ", " run", "run ", "run.", ".run", "-x", "a/b", "..", "a\\b", "con", "NUL.txt", "com1", "x" * 101, "a:b"),
    *("a\nb", "a\u202eb", "e\u0301", "<img>", "run\n"),
]


def is_name(name: str) -> bool:
    try:
        require_name(name)
    except InputError:
        return False
    return True


def test_what_is_no_name_is_said_where_it_is_typed(tmp_path, window):
    with serving(tmp_path, "rooms") as served:
        one = window(served)
        assert one.module("files.js", f"{NAMES!r}.map((name) => it.nameFault(name) === '')") == [*map(is_name, NAMES)]
        known = one.module("files.js", "it.endings()")
        assert known == [ending for kind in FILE_RULES.endings.values() for ending in kind]
        large = one.module(
            "files.js", f"[0, 1].map((more) => it.fileFault({{name: 'a.rec', size: {FILE_RULES.most_bytes} + more}}))"
        )
        assert large == ["", "“a.rec” has 16,777,217 bytes; at most 16,777,216 can be uploaded."]

        one.page.locator(".share summary").click()
        one.page.get_by_label("Recording name").fill("a/b")
        one.page.get_by_role("button", name="Save recording").click()
        assert "is not a valid file name" in one.page.locator(".share .wrong").inner_text()
        one.page.get_by_label("Recording name").fill("fine")
        one.page.get_by_role("button", name="Save recording").click()
        one.hears("Saved fine.rec.")

        (tmp_path / "notes.doc").write_bytes(b"no level")
        one.page.locator(".share summary").click()
        with one.page.expect_file_chooser() as chooser:
            one.page.get_by_role("button", name="Open a file").click()
        chooser.value.set_files(tmp_path / "notes.doc")
        one.page.get_by_text("“notes.doc” cannot be opened").wait_for()

        one.key("4")
        one.until("lastseenTest.edit.isReady")
        one.key("Control+Shift+s")
        one.page.locator(".ask input").fill("nul.geojson")
        one.page.locator(".ask button.main").click()
        assert "is not a valid file name" in one.page.locator(".ask .wrong").inner_text()
        one.page.locator(".ask input").fill("mine")
        one.page.locator(".ask button.main").click()
        one.until("lastseenTest.edit.digest")
    assert {file.name for file in tmp_path.iterdir()} == {"fine.rec", "mine.geojson", "notes.doc"}
