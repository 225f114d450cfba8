"""`python -m benchmarks.peers`: fetch and compile what benchmarks compare with; say in a word what cannot be had."""

from __future__ import annotations

import importlib.util
import subprocess
import sys

from . import recast


def install_scipy() -> str:
    if importlib.util.find_spec("scipy") is not None:
        return ""
    done = subprocess.run(
        [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "scipy"],
        capture_output=True,
        text=True,
        check=False,
    )
    return f"pip install scipy failed: {(done.stderr.strip().splitlines() or ['?'])[-1]}" if done.returncode else ""


def main() -> int:
    for name, install in (("Recast", recast.install), ("scipy", install_scipy)):
        problem = install()
        print(f"{name}: {problem or 'ready'}", flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
