"""Write the manifest of kernels: run the rehearsals and note which kernels they call, with which types, for how long.

`make kernels` runs it after a kernel or its argument types have changed. It compiles everything twice over (minutes).
"""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from lastseen.compilation import manifest as manifest_module
from lastseen.compilation.preparation import kernels_on_demand

_FILE = Path(manifest_module.__file__).with_name("manifest.json")


def main() -> None:
    """Record, or do one part of it in a process of its own (`compile FILE` or `call PURPOSE FILE`)."""
    if sys.argv[1:2] == ["compile"]:
        _write(_compile_all(), sys.argv[2])
    elif sys.argv[1:2] == ["call"]:
        _write(_called_for(sys.argv[2]), sys.argv[3])
    else:
        _record()


def _record() -> None:
    from tools.rehearsals import REHEARSALS

    with tempfile.TemporaryDirectory() as folder:
        os.environ["NUMBA_CACHE_DIR"] = str(Path(folder) / "kernels")
        print("compiling all kernels ...", flush=True)
        compiled = _part("compile", folder=folder)
        called = {}
        for purpose in REHEARSALS:
            print(f"calling kernels for {purpose} ...", flush=True)
            called[purpose] = _part("call", purpose, folder=folder)
    kernels, types = _merged(compiled, called)
    lines = ",\n".join(json.dumps(one) for one in kernels)
    table = ",\n".join(json.dumps(one) for one in types)
    purposes = json.dumps({name: title for name, (title, _) in REHEARSALS.items()}, indent=1)
    _FILE.write_text(f'{{"purposes": {purposes},\n"types": [\n{table}\n],\n"kernels": [\n{lines}\n]}}\n')
    print(f"{len(kernels)} kernels, {sum(one['seconds'] for one in kernels):.0f} s of compiling: {_FILE.name}")


def _part(*words: str, folder: str) -> Any:
    file = Path(folder) / "part.json"
    subprocess.run([sys.executable, "-m", "tools.record_kernels", *words, str(file)], check=True)
    return json.loads(file.read_text())


def _write(found: Any, file: str) -> None:
    Path(file).write_text(json.dumps(found))


def _compile_all() -> list[dict[str, Any]]:
    """Run every rehearsal without kept code; return what was compiled, callees first."""
    from numba.core import event

    from lastseen.kernels.jit import recorded_calls
    from tools.rehearsals import REHEARSALS

    gc.disable()  # the compiler makes millions of objects that live on
    listener = _Timing(event.Listener)
    # What objects prepare stands in the manifest already: only calls count.
    with kernels_on_demand(), recorded_calls() as calls, event.install_listener("numba:compile", listener.listener):
        for _, rehearsals in REHEARSALS.values():
            for rehearse in rehearsals:
                rehearse()
    callees: dict[str, set[str]] = {}
    for caller, callee in calls:
        if caller is not None:
            callees.setdefault(_key(*caller), set()).add(_key(*callee))
    return [
        {"key": key, "seconds": seconds, "callees": sorted(callees.get(key, ()))}
        for key, seconds in listener.seconds.items()
    ]


class _Timing:
    """Measures the seconds of compiling each kernel, without those of its callees."""

    def __init__(self, base: type):
        self.seconds: dict[str, float] = {}
        stack: list[list[float]] = []
        seconds = self.seconds

        class Listener(base):  # type: ignore[misc, valid-type]
            def on_start(self, _: Any) -> None:
                stack.append([time.process_time(), 0.0])

            def on_end(self, event: Any) -> None:
                start, inner = stack.pop()
                total = time.process_time() - start
                if stack:
                    stack[-1][1] += total
                kernel = event.data["dispatcher"]
                if kernel.py_func.__module__.startswith("lastseen.kernels."):
                    seconds[_key(kernel, event.data["args"])] = total - inner

        self.listener = Listener()


def _called_for(purpose: str) -> list[str]:
    """Run the rehearsals of a purpose with kept code; return the kernels that Python called."""
    import importlib
    import pkgutil

    import lastseen.kernels
    from tools.rehearsals import REHEARSALS

    with kernels_on_demand():
        for rehearse in REHEARSALS[purpose][1]:
            rehearse()
    found = []
    for info in pkgutil.walk_packages(lastseen.kernels.__path__, "lastseen.kernels."):
        module = importlib.import_module(info.name)
        for kernel in vars(module).values():
            if hasattr(kernel, "overloads") and kernel.py_func.__module__ == module.__name__:
                found += [_key(kernel, types) for types in kernel.overloads]
    return sorted(found)


def _key(kernel: Any, types: Any) -> str:
    from lastseen.kernels.jit import name_among_kernels
    from lastseen.kernels.signatures import described

    texts = [described(one) for one in types]
    name = name_among_kernels(kernel.py_func)
    if None in texts:
        raise SystemExit(f"{name} is called with {[str(one) for one in types]}: a type kernels should not meet")
    return json.dumps([name, texts])


def _merged(compiled: list[dict[str, Any]], called: dict[str, list[str]]) -> tuple[list[dict[str, Any]], list[Any]]:
    """Return the entries of the manifest and its table of types."""
    number = {one["key"]: at for at, one in enumerate(compiled)}
    purposes: dict[str, list[str]] = {}
    for purpose, keys in called.items():
        for key in keys:
            purposes.setdefault(key, []).append(purpose)
    types: dict[str, int] = {}
    kernels = []
    for one in compiled:
        name, texts = json.loads(one["key"])
        entry = {
            "kernel": name,
            "types": [types.setdefault(json.dumps(text), len(types)) for text in texts],
            "seconds": round(one["seconds"], 2),
            "callees": sorted(number[callee] for callee in one["callees"] if callee in number),
            "purposes": purposes.get(one["key"], []),
        }
        kernels.append(entry)
    return kernels, [json.loads(text) for text in types]


if __name__ == "__main__":
    main()
