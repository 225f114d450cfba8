"""Worker process that compiles kernels of the manifest: it reads their numbers and answers with a line each."""

from __future__ import annotations

import gc
import json
import os
import signal
import sys


def main() -> None:
    """Serve until the input ends. The last argument is the niceness added to that of the parent."""
    # An interrupt reaches all processes of a terminal; the parent ends its workers.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    from ..kernels.first_use import first_use

    if hasattr(os, "nice"):
        os.nice(int(sys.argv[-1]))
    with first_use.silenced():
        _serve()


def _serve() -> None:
    from ..kernels.signatures import argument_types, compile_kernel, kernel_named
    from .manifest import manifest

    gc.freeze()
    given = manifest()
    for line in sys.stdin:
        entry = given.kernels[int(line)]
        answer: dict[str, float | str] = {}
        try:
            answer["seconds"] = compile_kernel(kernel_named(entry.kernel), argument_types(given.arguments(entry)))
        except Exception as error:
            answer["error"] = f"{type(error).__name__}: {error}"
        answer["megabytes"] = _megabytes()
        try:
            print(json.dumps(answer), flush=True)
        except OSError:  # the parent has ended
            os._exit(1)


def _megabytes() -> float:
    """Return the peak memory of this process in MB, or 0 if the system does not report it."""
    try:
        import resource
    except ImportError:
        return 0.0
    unit = 1024 * 1024 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit
