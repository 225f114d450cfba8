"""A process that compiles kernels of the manifest: reads their numbers from its input, answers with a line each."""

from __future__ import annotations

import gc
import json
import os
import signal
import sys


def main() -> None:
    """Serve until the input ends. The last argument is how much nicer than its parent the process should be."""
    # An interrupt goes to all processes of a terminal; the parent ends its workers.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    from ..kernels.signatures import argument_types, compile_kernel, kernel_named
    from .manifest import manifest

    if hasattr(os, "nice"):
        os.nice(int(sys.argv[-1]))
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
    """Return the largest memory this process has had; 0 where the system does not say."""
    try:
        import resource
    except ImportError:
        return 0.0
    unit = 1024 * 1024 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit
