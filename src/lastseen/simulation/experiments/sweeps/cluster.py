"""Distribution of tasks over many machines by dask.distributed, and the connection to its scheduler."""

from __future__ import annotations

import importlib
import logging
import socket
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any
from uuid import uuid4

from .... import __version__
from ....errors import InputError, LastSeenError
from .results import extra_missing
from .task import Answer, Chunks, Plan, Runner, Task

__all__ = ["LOCAL", "connected", "quiet", "run_on_cluster"]

LOCAL = "local"
"""Stands for an address: a scheduler and workers on this machine, for this sweep only."""
_CONNECT = 5.0
_NO_WORKERS = 60.0
"""Seconds without any worker after which a sweep is aborted."""
_LOOK = 0.5
_AHEAD = 2
"""Chunks queued per worker thread."""


def run_on_cluster(plan: Plan, tasks: Sequence[Task], address: str, jobs: int) -> Iterator[list[Answer]]:
    """Run tasks on the workers of a scheduler; yield answers as they arrive, each once.

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
                yield from _Cluster(distributed, client, plan, address).run(Chunks(tasks))
            return
        with connected(distributed, address) as client:
            yield from _Cluster(distributed, client, plan, address).run(Chunks(tasks))


class _Cluster:
    """One sweep on one scheduler."""

    def __init__(self, distributed: Any, client: Any, plan: Plan, address: str):
        self._distributed, self._client, self._address = distributed, client, address
        self._name = f"lastseen-{uuid4().hex}"
        # The plan is a task rather than scattered data, so that the scheduler recreates it if its worker is lost.
        self._plan = client.submit(_same, plan, key=f"{self._name}-plan")
        self._out: dict[Any, list[Task]] = {}
        self._count, self._alone_since = 0, 0.0

    def run(self, chunks: Chunks) -> Iterator[list[Answer]]:
        """Distribute chunks and yield answers until all tasks are done."""
        try:
            yield from self._run(chunks)
        except (OSError, self._distributed.CancelledError):
            raise self._gone() from None

    def _run(self, chunks: Chunks) -> Iterator[list[Answer]]:
        while chunks or self._out:
            threads = self._threads()
            while chunks and len(self._out) < max(1, _AHEAD * threads):
                self._submit(chunks.take(threads))
            try:
                with self._client.as_current():
                    done, _ = self._distributed.wait(list(self._out), timeout=_LOOK, return_when="FIRST_COMPLETED")
            except (TimeoutError, self._distributed.TimeoutError):
                continue
            for future in done:
                yield from self._settled(future, chunks)

    def _submit(self, chunk: list[Task]) -> None:
        self._count += 1
        key = f"{self._name}-{self._count}"
        self._out[self._client.submit(_do, self._plan, self._name, chunk, __version__, key=key, pure=False)] = chunk

    def _settled(self, future: Any, chunks: Chunks) -> Iterator[list[Answer]]:
        """Yield the answers of a finished chunk, or queue it again."""
        if future.status == "finished":
            try:
                answers: list[Answer] = [Answer(*answer) for answer in future.result(timeout=_CONNECT)]
            except (TimeoutError, self._distributed.TimeoutError, OSError):
                return  # Its worker was lost with the answer; the scheduler runs it again.
            del self._out[future]
            chunks.answered(answers)
            yield answers
            return
        chunk = self._out.pop(future)
        if future.status != "error":
            if self._client.status != "running":
                raise self._gone()
            yield from filter(None, [chunks.lost(chunk, "the scheduler dropped it")])
            return
        error = future.exception(timeout=_CONNECT)
        if isinstance(error, self._distributed.KilledWorker):
            yield from filter(None, [chunks.lost(chunk, "workers were lost while they did it")])
        elif isinstance(error, LastSeenError):
            raise error
        else:
            raise InputError(
                f"workers at {self._address!r} cannot run the tasks ({type(error).__name__}: {str(error)[:120]}); "
                f"install lastseen {__version__} on them"
            )

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


def _same(plan: Plan) -> Plan:
    return plan


_runners: dict[str, Runner] = {}
_one_at_a_time = threading.Lock()


def _do(plan: Plan, sweep: str, chunk: Sequence[Task], version: str) -> list[tuple[Any, ...]]:
    """Run a chunk on a worker, one at a time per process, as kernels may share memory between calls."""
    if version != __version__:
        raise InputError(f"a worker has lastseen {__version__}, the sweep {version}; install the same on both")
    with _one_at_a_time:
        if sweep not in _runners:
            _runners.clear()
            _runners[sweep] = Runner(plan)
        return [tuple(_runners[sweep](Task(*task))) for task in chunk]


_SOCKET_TIMEOUT = 5.0
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
