"""Sweeps on dask.distributed: a real scheduler, real workers, and what happens when they are killed."""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections import Counter
from contextlib import suppress

import distributed
import pytest
from test_sweep_runs import TESTS, started, table

from lastseen.errors import InputError
from lastseen.simulation.experiments.harness import cluster
from lastseen.simulation.experiments.harness.results import Results
from lastseen.simulation.experiments.harness.sweep import read_sweep
from lastseen.simulation.experiments.harness.sweep_run import run_sweep
from specimens.sweeps import HURRY, NOTES, TRIAL, TRIALS, sweep_text, wait_for


class Machines:
    """A scheduler and workers, each a process of its own; those that live serve the next test too."""

    def __init__(self, folder):
        self._file, self.notes = folder / "scheduler.json", folder / "notes"
        self.notes.mkdir()
        self._environment = os.environ | {"PYTHONPATH": str(TESTS), NOTES: str(self.notes)}
        self.scheduler, self.workers = None, []

    def ready(self, workers):
        """Have a scheduler and so many workers, and nothing noted."""
        if self.scheduler is None or self.scheduler.poll() is not None:
            self.end()
            self._begin()
        self.workers = [worker for worker in self.workers if worker.poll() is None]
        while len(self.workers) < workers:
            self._add_worker()
        for note in self.notes.iterdir():
            note.unlink()

    def _begin(self):
        self._file.unlink(missing_ok=True)
        quiet = ["--no-dashboard", "--scheduler-file", str(self._file)]
        self.scheduler = self._start("scheduler", "--host", "127.0.0.1", "--port", "0", *quiet)
        wait_for(self._file.exists)
        self.address = json.loads(self._file.read_text(encoding="utf-8"))["address"]

    def _start(self, *command):
        return subprocess.Popen(
            [sys.executable, "-m", "dask", *command],
            env=self._environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def _add_worker(self):
        """Start a worker without a nurse: killed, it stays so."""
        options = ("--nthreads", "1", "--no-nanny", "--no-dashboard", "--death-timeout", "60")
        self.workers.append(self._start("worker", self.address, *options))

    def end(self):
        for process in (*self.workers, self.scheduler):
            if process is not None:
                process.kill()
                process.wait()
        self.scheduler, self.workers = None, []

    def busiest(self):
        """Return a worker that has begun three tasks or more; None: there is none."""
        count = Counter(process for *_, process in self.runs())
        return next((worker for worker in self.workers if count[str(worker.pid)] >= 3), None)

    def runs(self):
        """Return which process ran which task: (a, seed, process)."""
        return [tuple(path.name.split("-")[:3]) for path in self.notes.iterdir()]


@pytest.fixture(scope="module")
def machines(tmp_path_factory):
    """Machines whose workers note the tasks they run."""
    found = Machines(tmp_path_factory.mktemp("machines"))
    yield found
    found.end()


def write(tmp_path, *args, **kwargs):
    path = tmp_path / "sweep.toml"
    path.write_text(sweep_text(*args, **kwargs), encoding="utf-8")
    return read_sweep(path, experiments=TRIALS)


def test_a_scheduler_without_workers_is_told_after_a_while(machines, tmp_path, monkeypatch):
    monkeypatch.setattr(cluster, "_NO_WORKERS", 0.3)
    sweep = write(tmp_path, "a = [1, 2]", seeds=1)
    machines.ready(0)
    said = rf"the scheduler at '{machines.address}' has had no workers .* `dask worker {machines.address}`"
    with pytest.raises(InputError, match=said):
        run_sweep(sweep, tmp_path / "out", cluster=machines.address)


def test_a_worker_killed_in_the_middle_loses_nothing_and_nothing_counts_twice(machines, tmp_path, monkeypatch):
    sweep = write(tmp_path, "a = { low = 1, high = 10, steps = 10 }", 'pause = 0.2\nmode = "fails"', seeds=2)
    machines.ready(2)
    running = started(tmp_path, tmp_path / "out", jobs=1, cluster=machines.address)
    # One that has done some, and is doing another; the other may not have come up yet.
    wait_for(lambda: machines.busiest() is not None)
    victim = machines.busiest()
    victim.send_signal(signal.SIGKILL)
    victim.wait()
    printed, complaints = running.communicate(timeout=300)
    assert running.returncode == 0, complaints
    ran = machines.runs()
    assert len({process for *_, process in ran}) == 2
    counted = Counter((row["a"], row["seed"]) for row in Results(tmp_path / "out", TRIAL).rows())
    # A task that works leaves two rows, one that fails its error.
    assert counted == {(float(a), seed): 2 - seed for a in range(1, 11) for seed in (0, 1)}
    monkeypatch.setenv(HURRY, "1")
    alone = run_sweep(sweep, tmp_path / "alone")
    assert alone.failed == 10
    assert printed.strip() == alone.digest
    assert table(tmp_path / "out") == table(tmp_path / "alone")


def test_a_scheduler_lost_in_the_middle_is_told_and_results_are_kept(machines, tmp_path):
    sweep = write(tmp_path, "a = { low = 1, high = 60, steps = 60 }", "pause = 0.2", seeds=1)
    machines.ready(1)
    running = started(tmp_path, tmp_path / "out", jobs=1, cluster=machines.address)
    wait_for(lambda: len(machines.runs()) >= 4)
    machines.scheduler.send_signal(signal.SIGKILL)
    _, complaints = running.communicate(timeout=300)
    assert running.returncode == 2
    assert complaints.startswith(f"error: the scheduler at '{machines.address}' no longer answers")
    assert complaints.count("\n") == 1, complaints
    kept = len(Results(tmp_path / "out", TRIAL).done())
    assert 0 < kept < 60
    assert set(Results(tmp_path / "out", TRIAL).done()) <= {task.key for task in sweep.tasks}


def test_a_scheduler_that_is_not_there_is_told_and_nothing_is_lost(tmp_path):
    sweep = write(tmp_path, "a = [1, 2]", seeds=1)
    run_sweep(sweep, tmp_path / "out")
    write(tmp_path, "a = [1, 2, 3]", seeds=1)
    running = started(tmp_path, tmp_path / "out", jobs=1, cluster="tcp://127.0.0.1:9")
    _, complaints = running.communicate(timeout=300)
    assert running.returncode == 2
    assert complaints.startswith("error: no scheduler answers at 'tcp://127.0.0.1:9' (")
    assert complaints.count("\n") == 1, complaints
    assert len(Results(tmp_path / "out", TRIAL).done()) == 2


@pytest.mark.parametrize("address", ["garbage", "http://foo:bar", "tcp://127.0.0.1", "tcp://127.0.0.1:x", "inproc://x"])
def test_what_is_no_address_is_told_at_once(address, monkeypatch):
    # Nothing is tried: a client would try for long.
    monkeypatch.setattr(distributed, "Client", None)
    with pytest.raises(InputError, match=r"no scheduler answers at '.*start one with `dask scheduler`"):
        cluster.connected(distributed, address).__enter__()


def greet(server, word):
    line, _ = server.accept()
    with line:
        if word is None:
            return
        line.sendall(word)
        with suppress(ConnectionResetError):
            line.recv(1)  # Until the other side hangs up.


@pytest.fixture
def listening(monkeypatch):
    """Have something listen that says one word to whoever comes; return a function that gives its port."""
    greeting = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def begin(word):
            if word == b"":  # nothing is going to come
                monkeypatch.setattr(cluster, "_SOCKET_TIMEOUT", 0.2)
            greeting.append(threading.Thread(target=greet, args=(server, word), daemon=True))
            greeting[-1].start()
            return server.getsockname()[1]

        yield begin
        for one in greeting:
            one.join()


@pytest.mark.parametrize(
    ("word", "why"),
    [
        (b"", r"the connection is open, but no greeting came within 0\.2 s: .* a proxy or a firewall"),
        (b"SSH-2.0-OpenSSH_9.2\r\n", "another service listens there"),
        (None, "the connection was closed without a greeting"),
    ],
)
def test_another_server_is_not_taken_for_a_scheduler(listening, word, why):
    with pytest.raises(InputError, match=rf"no scheduler answers at .*\({why}"):
        cluster.connected(distributed, f"tcp://127.0.0.1:{listening(word)}").__enter__()


def test_only_a_line_of_tcp_is_waited_on_for_a_greeting(listening, monkeypatch):
    asked = []
    monkeypatch.setattr(cluster, "_greeted", asked.append)
    port = listening(b"")
    # Whoever speaks TLS waits for the other side to begin.
    cluster._knock(f"tls://127.0.0.1:{port}")
    assert not asked
    for address in (f"tcp://127.0.0.1:{port}", f"127.0.0.1:{port}"):
        cluster._knock(address)
    assert len(asked) == 2


@pytest.mark.long
def test_a_cluster_of_its_own_gives_the_same(tmp_path):
    sweep = write(tmp_path)
    running = started(tmp_path, tmp_path / "out", jobs=2, cluster="local")
    printed, complaints = running.communicate(timeout=300)
    assert running.returncode == 0, complaints
    assert printed.strip() == run_sweep(sweep, tmp_path / "alone").digest
