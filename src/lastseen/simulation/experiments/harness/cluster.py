"""Distribution of tasks over many machines by dask.distributed, and the connection to its scheduler."""

from __future__ import annotations

import importlib
import logging
import socket
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any
from uuid import uuid4

from .... import __version__
from ....errors import InputError, LastSeenError
from .processes import TRIES, Chunks, Outcomes, results_of, run_chunk
from .results import extra_missing

LOCAL = "local"
"""Stands for an address: a scheduler and workers on this machine, for these tasks only."""
_CONNECT = 5.0
_NO_WORKERS = 60.0
"""Seconds without any worker after which a run is aborted."""
_LOOK = 0.5
_AHEAD = 2
"""Chunks queued per worker thread."""


def run_on_cluster(
    make: Callable[[Any], Callable[[Any], Any]],
    plan: Any,
    tasks: Sequence[Any],
    address: str,
    jobs: int,
    given_up: Callable[[Any, str], Any],
) -> Iterator[list[tuple[Any, Any]]]:
    """Run tasks on the workers of a scheduler; yield them with their results as these arrive, each once.

    Raises
    ------
    InputError
        The scheduler does not answer, there are no workers, or they have another version.
    """
    try:
        distributed: Any = importlib.import_module("distributed")
    except ImportError as error:
        raise extra_missing("distributed", error) from None
    with quiet():
        if address == LOCAL:
            with (
                distributed.LocalCluster(
                    n_workers=jobs, threads_per_worker=1, dashboard_address=None, silence_logs=50
                ) as cluster,
                distributed.Client(cluster, set_as_default=False) as client,
            ):
                yield from _Cluster(distributed, client, (make, plan), address, given_up).run(tasks)
            return
        with connected(distributed, address) as client:
            yield from _Cluster(distributed, client, (make, plan), address, given_up).run(tasks)


class _Cluster:
    """The tasks of one plan on one scheduler."""

    def __init__(self, distributed: Any, client: Any, made: Any, address: str, given_up: Callable[[Any, str], Any]):
        self._distributed, self._client, self._address, self._given_up = distributed, client, address, given_up
        self._name = f"lastseen-{uuid4().hex}"
        # The plan is a task rather than scattered data, so that the scheduler recreates it if its worker is lost.
        self._made = client.submit(_same, made, key=f"{self._name}-plan")
        self._out: dict[Any, list[int]] = {}
        self._count, self._alone_since = 0, 0.0

    def run(self, tasks: Sequence[Any]) -> Iterator[list[tuple[Any, Any]]]:
        """Distribute tasks and yield their results until all are done."""
        try:
            yield from self._run(tasks, Chunks(len(tasks)))
        except (OSError, self._distributed.CancelledError):
            raise self._gone() from None

    def _run(self, tasks: Sequence[Any], chunks: Chunks) -> Iterator[list[tuple[Any, Any]]]:
        while chunks or self._out:
            threads = self._threads()
            while chunks and len(self._out) < max(1, _AHEAD * threads):
                self._submit(tasks, chunks.take(threads))
            try:
                with self._client.as_current():
                    done, _ = self._distributed.wait(list(self._out), timeout=_LOOK, return_when="FIRST_COMPLETED")
            except (TimeoutError, self._distributed.TimeoutError):
                continue
            for future in done:
                yield from filter(None, [self._settled(future, tasks, chunks)])

    def _submit(self, tasks: Sequence[Any], chunk: list[int]) -> None:
        self._count += 1
        key, given = f"{self._name}-{self._count}", [tasks[number] for number in chunk]
        self._out[self._client.submit(_do, self._made, self._name, given, __version__, key=key, pure=False)] = chunk

    def _settled(self, future: Any, tasks: Sequence[Any], chunks: Chunks) -> list[tuple[Any, Any]]:
        """Return the results of a finished chunk, or queue it again."""
        if future.status == "finished":
            try:
                found: Outcomes = future.result(timeout=_CONNECT)
            except (TimeoutError, self._distributed.TimeoutError, OSError):
                return []  # Its worker was lost with the answer; the scheduler runs it again.
            chunk = self._out.pop(future)
            chunks.answered(len(chunk), found[1])
            return results_of([tasks[number] for number in chunk], found)
        chunk = self._out.pop(future)
        if future.status != "error":
            if self._client.status != "running":
                raise self._gone()
            return self._lost(chunk, tasks, chunks, "the scheduler dropped it")
        error = future.exception(timeout=_CONNECT)
        if isinstance(error, self._distributed.KilledWorker):
            return self._lost(chunk, tasks, chunks, "workers were lost while they did it")
        if isinstance(error, LastSeenError):
            raise error
        raise InputError(
            f"workers at {self._address!r} cannot run the tasks ({type(error).__name__}: {str(error)[:120]}); "
            f"install lastseen {__version__} on them"
        )

    def _lost(self, chunk: list[int], tasks: Sequence[Any], chunks: Chunks, why: str) -> list[tuple[Any, Any]]:
        gone = chunks.lost([chunk])
        return [(tasks[number], self._given_up(tasks[number], f"ended {TRIES} times: {why}")) for number in gone]

    def _threads(self) -> int:
        """Return the number of worker threads; raise if there have been none for long."""
        if self._client.status not in ("running", "connecting"):
            raise self._gone()
        threads = sum(self._client.nthreads().values()) if self._client.status == "running" else 0
        now = time.monotonic()
        if threads:
            self._alone_since = 0.0
        elif not self._alone_since:
            self._alone_since = now
        elif now - self._alone_since > _NO_WORKERS:
            if self._client.status != "running":
                raise self._gone()
            raise InputError(
                f"the scheduler at {self._address!r} has had no workers for {_NO_WORKERS:g} s; start some with "
                f"`dask worker {self._address}`; finished tasks are kept"
            )
        return threads

    def _gone(self) -> InputError:
        return InputError(
            f"the scheduler at {self._address!r} no longer answers; finished tasks are kept: start it and run the same "
            "command to resume"
        )


def _same(made: Any) -> Any:
    return made


_runners: dict[str, Callable[[Any], Any]] = {}
_one_at_a_time = threading.Lock()


def _do(made: Any, name: str, chunk: Sequence[Any], version: str) -> Outcomes:
    """Run a chunk on a worker, one at a time per process, as kernels may share memory between calls."""
    if version != __version__:
        raise InputError(f"a worker has lastseen {__version__}, the tasks {version}; install the same on both")
    with _one_at_a_time:
        if name not in _runners:
            _runners.clear()
            _runners[name] = made[0](made[1])
        return run_chunk(_runners[name], chunk)


_SOCKET_TIMEOUT = 20.0
_CLOSE = 2.0
_WORD, _LONGEST = 8, 1 << 20
"""Bytes of a message's length prefix, and the longest greeting accepted."""
_TALKATIVE = ("distributed", "tornado", "asyncio")


@contextmanager
def quiet() -> Iterator[None]:
    """Silence the libraries' logs about lost connections, which are reported in one line instead."""
    names = [name for name in logging.root.manager.loggerDict if name.partition(".")[0] in _TALKATIVE]
    before = {name: logging.getLogger(name).level for name in {*names, *_TALKATIVE}}
    try:
        for name in before:
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
        yield
    finally:
        for name, level in before.items():
            logging.getLogger(name).setLevel(level)


@contextmanager
def connected(distributed: Any, address: str) -> Iterator[Any]:
    """Yield a client of the scheduler at an address; close it at the end, whether or not the scheduler answers.

    Raises
    ------
    InputError
        The address is invalid, nothing answers there, or it is not a scheduler.
    """
    _knock(address)
    # Created in two steps, as a client that fails to connect must still be marked as closed.
    client = distributed.Client.__new__(distributed.Client)
    try:
        client.__init__(address, timeout=_SOCKET_TIMEOUT, set_as_default=False)
    except (OSError, TimeoutError, ValueError, ImportError) as error:
        client.status = "closed"
        raise _absent(address, str(error)) from None
    try:
        yield client
    finally:
        with suppress(OSError, TimeoutError, distributed.TimeoutError):
            client.close(timeout=_CLOSE)


def _knock(address: str) -> None:
    """Reject an invalid address, or one where no scheduler listens, before a client tries for long."""
    addressing: Any = importlib.import_module("distributed.comm.addressing")
    try:
        host, port = addressing.get_address_host_port(address)
        with socket.create_connection((host, int(port)), _SOCKET_TIMEOUT) as line:
            if addressing.parse_address(address)[0] == "tcp":
                _greeted(line)
    except (ValueError, OSError, OverflowError) as error:
        raise _absent(address, str(error)) from None


def _greeted(line: socket.socket) -> None:
    """Wait for a scheduler's greeting, which it sends at once, preceded by its length in bytes.

    A client would wait for ever if another server stays silent.
    """
    said, ended = b"", "the connection was closed without a greeting"
    try:
        while len(said) < _WORD and (more := line.recv(_WORD - len(said))):
            said += more
    except TimeoutError:
        ended = f"the connection is open, but no greeting came within {_SOCKET_TIMEOUT:g} s"
    if not said:
        raise ValueError(f"{ended}: another server, a proxy or a firewall")
    if len(said) < _WORD or not 0 < int.from_bytes(said, "little") < _LONGEST:
        raise ValueError("another service listens there")


def _absent(address: str, why: str) -> InputError:
    reason = " ".join(why.split())[:100]
    return InputError(
        f"no scheduler answers at {address!r} ({reason}); start one with `dask scheduler` and give the "
        "address it prints, such as tcp://host:8786"
    )
