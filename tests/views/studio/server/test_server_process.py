"""`lastseen play` as a process: its address, its port, how it stops."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
import sys

import httpx
import pytest
from click.testing import CliRunner
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from lastseen.errors import InputError
from lastseen.views.cli.app.main import cli
from lastseen.views.studio.server import serve
from studio.server import PATIENCE

READY = 400.0
"""Seconds a machine may take that has to compile first."""
PATIENT = {"max_size": None, "open_timeout": READY}
ADDRESS = re.compile(r"http://(\S+?)/\?token=(\S+)")


def started(folder, *options: str) -> tuple[subprocess.Popen, str, str]:
    """Start the command; return it, its host and its token once it has said them."""
    words = [sys.executable, "-u", "-m", "lastseen", "play", "rooms", "--no-open", *options]
    process = subprocess.Popen(words, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    lines = []
    for line in process.stdout:
        lines.append(line)
        if found := ADDRESS.search(line):
            return process, found[1], found[2]
    raise AssertionError(f"no address came: {lines} {process.stderr.read()}")


def waited(process: subprocess.Popen) -> tuple[int, str, str]:
    out, err = process.communicate(timeout=PATIENCE)
    return process.returncode, out, err


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_serves_until_it_is_told_to_stop(tmp_path, number):
    process, host, token = started(tmp_path, "--port", "0")
    for _ in range(100):
        try:
            assert httpx.get(f"http://{host}/", timeout=PATIENCE, verify=False).status_code == 200
            break
        except httpx.ConnectError:
            continue
    process.send_signal(number)
    code, out, err = waited(process)
    assert code == 0
    assert not err or err.startswith("compiling ")
    assert out.endswith("stopped\n")
    assert len(token) >= 22
    assert list(tmp_path.iterdir()) == []


def code_at_end(page: ClientConnection) -> int:
    """Listen until the socket is closed; return the code of it."""
    try:
        while True:
            page.recv(timeout=PATIENCE)
    except ConnectionClosed as closed:
        return closed.rcvd.code


def test_it_stops_at_once_while_pages_watch(tmp_path):
    """One of them never reads; pages learn why they are disconnected."""
    process, host, token = started(tmp_path, "--port", "0")
    address = f"ws://{host}/ws?token={token}"
    with connect(address, **PATIENT) as page, connect(address, **PATIENT, close_timeout=0.1):
        while '"type":"hello"' not in str(page.recv(timeout=READY)):
            pass
        page.send('{"type":"overlays","views":true,"ways":true}')
        page.send('{"type":"run","running":true,"speed":8}')
        frames = 0
        while frames < 20:
            frames += isinstance(page.recv(timeout=PATIENCE), bytes)
        process.send_signal(signal.SIGINT)
        assert code_at_end(page) == 1012  # the page says that the server is gone, and tries again
        code, out, err = waited(process)
    assert code == 0
    assert out.endswith("stopped\n")
    assert not err or err.startswith("compiling ")


def test_a_taken_port_gives_way_to_a_free_one():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with serve.bind("127.0.0.1", port) as found:
            assert found.getsockname()[1] not in (0, port)


@pytest.mark.parametrize("host", ["no host", "192.0.2.1"])
def test_a_host_that_is_not_ours_is_refused_in_words(host):
    with pytest.raises(InputError, match=r"--host|cannot serve"):
        serve.bind(host, 0)


@pytest.mark.parametrize(
    ("host", "own", "here", "elsewhere"),
    [
        ("127.0.0.1", "192.168.0.7", "127.0.0.1", "127.0.0.1"),
        ("box.lan", "192.168.0.7", "box.lan", "box.lan"),
        ("::1", None, "[::1]", "[::1]"),
        ("0.0.0.0", "192.168.0.7", "127.0.0.1", "192.168.0.7"),
        ("0.0.0.0", None, "127.0.0.1", "ADDRESS-OF-THIS-MACHINE"),
        ("::", "2001:db8::7", "[::1]", "[2001:db8::7]"),
    ],
)
def test_a_host_is_named_as_here_and_elsewhere_it_can_be_reached(monkeypatch, host, own, here, elsewhere):
    monkeypatch.setattr(serve, "_own_address", lambda family: own)
    assert serve.names_of(host) == (here, elsewhere)


def test_the_own_address_is_one(monkeypatch):
    found = serve._own_address(socket.AF_INET)
    assert found is None or found.count(".") == 3


def test_what_is_said_before_serving(monkeypatch, tmp_path):
    """The warning of an open host; a page is opened only where there is a display."""
    from lastseen.views.studio.session.folder import Folder
    from lastseen.views.studio.session.stage_opening import opened, request_for

    said, opening = [], []
    monkeypatch.setattr(serve, "_run", lambda server, listening: listening.close())
    monkeypatch.setattr(serve.threading, "Timer", lambda *a: opening.append(a) or serve.threading.Thread())
    monkeypatch.setenv("DISPLAY", "")
    monkeypatch.setenv("WAYLAND_DISPLAY", "")
    folder = Folder(tmp_path)
    stage = opened(folder, request_for("rooms"))
    serve.serve(lambda _: stage, folder, host="0.0.0.0", port=0, open_page=True, say=said.append)
    assert any("warning" in line for line in said)
    assert not any("//0.0.0.0" in line for line in said)
    assert any(line.startswith("from other machines: http://") for line in said)
    if sys.platform.startswith("linux"):
        assert opening == []
        monkeypatch.setenv("DISPLAY", ":0")
        serve.serve(lambda _: stage, folder, host="127.0.0.1", port=0, open_page=True, say=said.append)
        assert len(opening) == 1


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["warehose"], "did you mean 'warehouse'"),
        (["missing.yaml"], "no file 'missing.yaml'"),
        (["missing.rec"], "no file 'missing.rec'"),
        (["rooms", "--difficulty", "hart"], "did you mean 'hard'"),
        (["rooms", "--port", "99999"], "99999"),
    ],
)
def test_what_cannot_be_played_is_said(tmp_path, monkeypatch, words, complaint):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(serve, "_run", lambda server, listening: pytest.fail("served"))
    result = CliRunner().invoke(cli, ["play", *words, "--no-open"])
    assert result.exit_code == 2
    assert complaint in result.output
    assert "Traceback" not in result.output
    assert list(tmp_path.iterdir()) == []
