"""Packages that only benchmarks use, each in a folder of its own: our environment stays as it is locked."""

from __future__ import annotations

import importlib
import shutil
import subprocess
import sys
from importlib import metadata
from pathlib import Path

HOME = Path(__file__).resolve().parents[2] / ".cache" / "peers" / f"python{sys.version_info[0]}.{sys.version_info[1]}"

RULE_ENGINES = {
    "rule-engine": "rule_engine",
    "clipspy": "clips",
    "zen-engine": "zen",
    "durable_rules": "durable",
}
"""Packages by name, and the module each brings."""


def install(package: str, module: str) -> str:
    """Fetch a package from the package index and try it; return why not, or an empty string. `why_not` repeats it."""
    folder, reason = HOME / package, _reason(package)
    if folder.is_dir() and not _failure(folder, module):
        return ""
    shutil.rmtree(folder, ignore_errors=True)
    reason.unlink(missing_ok=True)
    HOME.mkdir(parents=True, exist_ok=True)
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    what = _last_error([*pip, "--target", str(folder), package])
    what = f"pip install {package} failed: {what}" if what else _failure(folder, module)
    if what:
        shutil.rmtree(folder, ignore_errors=True)
        reason.write_text(what, encoding="utf-8")
    return what


def why_not(package: str, module: str) -> str:
    """Return an empty string where a package can be used from now on, else the reason."""
    folder = HOME / package
    if not folder.is_dir():
        reason = _reason(package)
        told = reason.read_text(encoding="utf-8") if reason.is_file() else ""
        return f"{told or f'{package} is not here'}: run `make bench-peers`"
    if str(folder) not in sys.path:
        sys.path.append(str(folder))  # last: what it shares with us is ours
    try:
        importlib.import_module(module)
    except Exception as error:
        return f"{package} cannot be imported ({error}): run `make bench-peers`"
    return ""


def titled(package: str) -> str:
    """Return a package that can be used with its version."""
    return f"{package} {metadata.version(package)}"


def _reason(package: str) -> Path:
    return HOME / f"{package}.failed.txt"


def _failure(folder: Path, module: str) -> str:
    """Return why a module cannot be imported from a folder, tried in a process of its own."""
    text = "import importlib, sys; sys.path.append(sys.argv[1]); importlib.import_module(sys.argv[2])"
    what = _last_error([sys.executable, "-c", text, str(folder), module])
    return f"import {module} failed: {what}" if what else ""


def _last_error(command: list[str]) -> str:
    """Run a command; return the line that says why it failed, or an empty string."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if not done.returncode:
        return ""
    lines = [line.strip() for line in done.stderr.splitlines() if line.strip()]
    return next(
        (line for line in reversed(lines) if "error" in line.lower()), lines[-1] if lines else "no reason given"
    )
