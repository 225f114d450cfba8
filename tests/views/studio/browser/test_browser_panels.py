"""Panels of other packages: shown in a real browser, served only with the token, and no other file with them."""

from __future__ import annotations

import json
import sys
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import Request, urlopen

import pytest

from lastseen.views.studio.server.security import HEADERS
from specimens.toy_package import install, install_toybox
from studio.server import PATIENCE, TOKEN, serving

SEEN = "document.querySelectorAll('#side .odometer li').length"


@pytest.fixture
def site(tmp_path, monkeypatch):
    """A folder that Python looks for packages in."""
    folder = tmp_path / "site"
    folder.mkdir()
    monkeypatch.syspath_prepend(str(folder))
    yield folder
    for module in folder.glob("*.py"):
        sys.modules.pop(module.stem, None)


@pytest.fixture
def served(site, tmp_path):
    install_toybox(site)
    folder = tmp_path / "levels"
    folder.mkdir()
    with serving(folder) as found:
        yield found


def get(served, path: str, *, token: str | None = TOKEN, **headers: str) -> tuple[int, dict[str, str], str]:
    query = "" if token is None else f"?token={quote(token)}"
    request = Request(f"http://{served.host}{path}{query}", headers=headers)
    try:
        with urlopen(request, timeout=PATIENCE) as answer:
            return answer.status, dict(answer.headers), answer.read().decode()
    except HTTPError as error:
        return error.code, dict(error.headers), error.read().decode()


def test_a_panel_of_another_package_appears_in_the_page(served, window):
    one = window(served)
    one.until("document.querySelector('[data-panel=odometer]') !== null")
    one.page.click("[data-panel=odometer]")
    one.until(f"{SEEN} === lastseenTest.agents.length")
    assert one.ask("document.querySelector('#side h1').textContent") == "Odometer"
    before = one.ask("document.querySelector('#side .odometer').textContent")
    one.page.evaluate("() => document.querySelector('#map').focus()")
    with served.page() as page:
        page.say("step", ticks=60)
    one.until(f"document.querySelector('#side .odometer').textContent !== {json.dumps(before)}")
    one.key("Escape")
    one.until("document.querySelector('#side h1').textContent === 'Story'")


def test_a_script_that_fails_leaves_the_page_as_it_is(site, tmp_path, window):
    install(site, "sad", "class Sad:\n    script = 'sad.js'\n", {"lastseen.panels": {"sad": "sad:Sad"}})
    (site / "sad.js").write_text("export const panel = null;\nthrow new Error('out of toys');\n")
    with serving(tmp_path) as served:
        one = window(served)
        one.hears("Cannot load the panel sad: out of toys")
        assert one.ask("document.querySelector('#side h1').textContent") == "Story"


def test_an_answer_that_fails_is_reported_and_the_game_goes_on(site, tmp_path):
    code = (
        "import msgspec\n"
        "class Ask(msgspec.Struct, tag='sad', tag_field='type'): pass\n"
        "class Reply(msgspec.Struct, tag='sad reply', tag_field='type'): pass\n"
        "class Sad:\n"
        "    script, question, reply = 'sad.js', Ask, Reply\n"
        "    answer = staticmethod(lambda game, question: 1 / 0)\n"
    )
    install(site, "sad", code, {"lastseen.panels": {"sad": "sad:Sad"}})
    with serving(tmp_path) as served, served.page() as page:
        told = page.ask("sad", "error")
        assert (told["code"], told["about"]) == ("failed", "sad")
        assert "panel 'sad' failed: ZeroDivisionError" in told["message"]
        page.say("step", ticks=2)
        assert page.until("status", tick=2)["ticks"] == 3


def test_a_script_is_served_like_our_own(served):
    status, headers, text = get(served, "/panels/odometer.js")
    assert status == 200
    assert 'id: "odometer"' in text
    assert headers["content-type"] == "text/javascript; charset=utf-8"
    assert {name: headers[name.lower()] for name in HEADERS} == HEADERS
    assert get(served, "/panels/odometer.js", token=None)[0] == 401
    assert get(served, "/panels/odometer.js", token="another")[0] == 401
    assert get(served, "/panels/odometer.js", Host="elsewhere.example")[0] == 403
    assert get(served, "/panels/odometer.js", Origin="http://elsewhere.example")[0] == 403


@pytest.mark.parametrize(
    "path",
    [
        *("/panels/toybox.js", "/panels/other.js", "/panels/cell.js", "/panels/toybox.py", "/panels/odometer"),
        *("/panels/../toybox.py", "/panels/%2e%2e%2ftoybox.js", "/panels/..%2Fodometer.js", "/panels/odometer%00.js"),
    ],
)
def test_nothing_else_of_a_package_is_served(served, site, path):
    (site / "other.js").write_text("// not declared")
    assert get(served, path)[0] == 404


@pytest.mark.parametrize("script", ["../outside.js", "link.js", "folder.js", "absent.js", "OUTSIDE"])
def test_a_script_outside_the_folder_of_its_package_is_not_served(site, tmp_path, script):
    outside = tmp_path / "outside.js"
    outside.write_text("// secret")
    (site / "link.js").symlink_to(outside)
    (site / "folder.js").mkdir()
    named = str(outside) if script == "OUTSIDE" else script
    install(site, "sly", f"class Sly:\n    script = {named!r}\n", {"lastseen.panels": {"sly": "sly:Sly"}})
    with serving(tmp_path) as served:
        assert get(served, "/panels/sly.js")[0] == 404
