"""Work that is not saved: kept by its folder, the newest of each, few enough, never through links."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lastseen.errors import InputError
from lastseen.views.studio.editing import drafts as module
from lastseen.views.studio.editing.drafts import Drafts, drafts_folder
from studio.server import PATIENCE, TOKEN, serving

ONE, TWO, THREE = ("0" * 31 + digit for digit in "123")


def body(name: str = ONE, at: float = 1.0, kind: str = "rules", data: Any = "words", **more: Any) -> bytes:
    return json.dumps({"id": name, "kind": kind, "name": "watch", "at": at, "data": data, **more}).encode()


@pytest.fixture
def drafts(tmp_path: Path) -> Drafts:
    return Drafts(tmp_path / "project", tmp_path / "kept")


def ids(drafts: Drafts, kind: str = "rules") -> list[str]:
    return [draft.id for draft in drafts.all(kind)]


def test_each_draft_is_there_until_it_is_dropped_the_newest_first(drafts: Drafts, tmp_path: Path) -> None:
    assert ids(drafts) == []
    assert drafts.keep(body(ONE, at=5.0, data={"files": [1, "é"]}))
    assert drafts.keep(body(TWO, at=6.0))
    assert drafts.keep(body(THREE, at=7.0, kind="level"))
    assert (ids(drafts), ids(drafts, "level")) == ([TWO, ONE], [THREE])
    assert json.loads(bytes(drafts.read(ONE).data)) == {"files": [1, "é"]}
    # Another folder sees none of them; the same one finds them by any way to it.
    assert ids(Drafts(tmp_path / "other", tmp_path / "kept")) == []
    assert ids(Drafts(tmp_path / "other" / ".." / "project", tmp_path / "kept")) == [TWO, ONE]
    drafts.drop(TWO)
    drafts.drop(TWO)
    assert ids(drafts) == [ONE]
    with pytest.raises(InputError, match="saved or discarded"):
        drafts.read(TWO)


def test_what_comes_late_does_not_replace_what_is_newer(drafts: Drafts) -> None:
    assert drafts.keep(body(at=5.0, data="new"))
    assert not drafts.keep(body(at=4.0, data="old"))
    assert bytes(drafts.read(ONE).data) == b'"new"'
    assert drafts.keep(body(at=5.0, data="newer"))
    assert bytes(drafts.read(ONE).data) == b'"newer"'


def test_of_too_many_the_oldest_go(drafts: Drafts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_KEPT", 2)
    for age, name in ((30, ONE), (20, TWO)):
        drafts.keep(body(name))
        (file,) = (tmp_path / "kept").glob(f"*{name}*")
        os.utime(file, (1e9 - age, 1e9 - age))
    drafts.keep(body(THREE))
    assert set(ids(drafts)) == {TWO, THREE}
    monkeypatch.setattr(module, "MOST_KEPT_BYTES", 10)
    drafts.keep(body(THREE, at=2.0))
    assert ids(drafts) == [THREE]  # the newest stays, however large


@pytest.mark.parametrize(
    "data",
    [
        b"", b"[]", b"{}", body(kind="else"), body(name="../" + ONE), body(name=ONE[1:]), body(at=-1.0), body(more=1),
        body(title="x" * 201), body()[:-1],
    ],
)  # fmt: skip
def test_what_is_no_draft_is_refused(drafts: Drafts, tmp_path: Path, data: bytes) -> None:
    with pytest.raises(InputError):
        drafts.keep(data)
    assert not list(tmp_path.rglob("*.draft"))


@pytest.mark.parametrize("name", ["", "..", "x", ONE + "\n", "\0" * 32, "F" * 32])
def test_ids_lead_nowhere_else(drafts: Drafts, name: str) -> None:
    for act in (drafts.read, drafts.drop):
        with pytest.raises(InputError, match="not a draft id"):
            act(name)


def test_links_and_folders_in_the_place_of_drafts_are_left_alone(drafts: Drafts, tmp_path: Path) -> None:
    drafts.keep(body())
    (file,) = (tmp_path / "kept").iterdir()
    other = tmp_path / "mine.txt"
    other.write_bytes(file.read_bytes())
    file.unlink()
    file.symlink_to(other)
    assert ids(drafts) == []
    before = other.read_bytes()
    assert drafts.keep(body(data="else"))
    assert other.read_bytes() == before
    assert not file.is_symlink()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)
@given(damage=st.binary(max_size=300))
def test_damaged_drafts_stay_within_our_errors(drafts: Drafts, tmp_path: Path, damage: bytes) -> None:
    drafts.keep(body())
    (file,) = (tmp_path / "kept").iterdir()
    file.write_bytes(damage)
    assert set(ids(drafts)) <= {ONE}
    with pytest.raises(InputError):
        drafts.read(ONE)


def test_drafts_are_kept_in_the_cache_of_the_user(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert drafts_folder() == tmp_path / "lastseen" / "drafts"


def test_pages_keep_find_and_drop_drafts_with_the_token(tmp_path: Path) -> None:
    root = tmp_path / "project"
    root.mkdir()
    with (
        serving(root) as served,
        httpx.Client(base_url=f"http://{served.host}/api", timeout=PATIENCE, verify=False) as client,
    ):
        known = {"token": TOKEN}
        assert client.get("/drafts", params={"kind": "rules"}).status_code == 401
        assert client.post("/draft", params=known, content=body()).json() == {"type": "kept", "newest": True}
        listed = client.get("/drafts", params={**known, "kind": "rules"}).json()
        assert listed["home"] == Drafts(root).home
        assert [(one["id"], one["name"], one["at"]) for one in listed["drafts"]] == [(ONE, "watch", 1.0)]
        assert client.get("/draft", params={**known, "id": ONE}).json()["data"] == "words"
        assert client.post("/draft", params=known, content=b"x").status_code == 400
        assert client.post("/draft/drop", params={**known, "id": ONE}).status_code == 200
        assert client.get("/draft", params={**known, "id": ONE}).status_code == 400
    assert sorted(one.name for one in tmp_path.iterdir()) == ["drafts", "project"]
