"""The page and its server: it says when that is gone, comes back with it, and asks it what would be."""

from __future__ import annotations

import shlex

import pytest
from click.testing import CliRunner
from test_server_process import started

from lastseen.views.cli.app.main import cli
from studio.server import PATIENCE, serving

REMINDED = "performance.getEntriesByType('resource').filter((one) => one.name.includes('/api/drafts')).length === 2"
"""The page has asked for drafts of levels and of rules, which it does a moment after it is ready."""


def test_the_page_says_that_the_server_is_gone_and_comes_back(tmp_path, window, monkeypatch):
    monkeypatch.delenv("LASTSEEN_STUDIO_TOKEN", raising=False)
    process, host, token = started(tmp_path, "--port", "0")
    try:
        one = window(f"http://{host}/?token={token}")
        one.until(REMINDED)
        one.excused = f"ws://{host}/ws"  # the browser itself logs that there is no answer
    finally:
        process.kill()
        process.communicate(timeout=PATIENCE)
    one.until("!document.querySelector('#banner').hidden")
    assert "Connection lost" in one.page.locator("#banner").inner_text()
    again, same, _ = started(tmp_path, "--port", host.rpartition(":")[2])
    try:
        assert same == host
        one.until("document.querySelector('#banner').hidden")
        one.key(".")
        one.until("lastseenTest.status.ticks === 2")
    finally:
        again.terminate()
        again.communicate(timeout=PATIENCE)


@pytest.fixture
def rooms(tmp_path):
    with serving(tmp_path, "rooms") as served:
        yield served


def test_what_if_shows_two_presets_and_their_command_runs(rooms, window):
    one = window(rooms)
    one.key("3")
    one.until("document.querySelectorAll('.result').length === 1")
    one.keep()
    one.page.get_by_label("Second preset").select_option("hard")
    one.until("document.querySelectorAll('.result').length === 2")
    assert one.changed() > 10_000
    command = one.page.get_by_role("button", name="Copy command line").first.get_attribute("title")
    result = CliRunner().invoke(cli, shlex.split(command)[1:])
    assert result.exit_code == 0, result.output
