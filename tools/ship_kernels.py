"""Compile all kernels for a processor baseline and store them where the wheel takes them from.

`make wheel` runs it before it builds. Shipped code is tied to the versions of numba, llvmlite and Python, to the
platform and to the text of the kernels; `about.json` says which, with a digest of every file.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from lastseen.kernels.store import BASELINES, shipped_folder


def main() -> None:
    """Fill the package's folder of compiled kernels, or (with a folder given) describe the kernels compiled there."""
    if len(sys.argv) > 1:
        _collect(Path(sys.argv[1]))
        return
    machine = platform.machine()
    if machine not in BASELINES:
        raise SystemExit(f"no baseline for {machine}; add one to BASELINES in kernels/store.py")
    cpu, _ = BASELINES[machine]
    shutil.rmtree(shipped_folder(), ignore_errors=True)
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {
            "NUMBA_CACHE_DIR": folder,
            "NUMBA_CPU_NAME": cpu,
            "NUMBA_CPU_FEATURES": "",
        }
        subprocess.run([sys.executable, "-m", "lastseen", "warmup"], env=environment, check=True)
        subprocess.run([sys.executable, "-m", "tools.ship_kernels", folder], env=environment, check=True)


def _collect(folder: Path) -> None:
    """Copy the code of the kernels that Python calls; those that only kernels call are contained in theirs."""
    import llvmlite
    import numba
    from numba.core.registry import cpu_target

    from lastseen.compilation.manifest import manifest
    from lastseen.kernels.signatures import argument_types, kernel_named

    codegen = cpu_target.target_context.codegen()
    given, names = manifest(), set[tuple[str, str]]()
    for entry in given.kernels:
        if not entry.purposes:
            continue
        kernel = kernel_named(entry.kernel)
        cache = kernel._cache
        key = cache._index_key(argument_types(given.arguments(entry)), codegen)
        digest = Path(cache.cache_path).name
        names |= {(digest, cache._cache_file._index_name), (digest, cache._cache_file._load_index()[key])}
    files = {}
    for digest, name in sorted(names):
        data = (folder / digest / name).read_bytes()
        place = shipped_folder() / digest / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)
        files[f"{digest}/{name}"] = hashlib.blake2b(data, digest_size=16).hexdigest()
    about = {
        "numba": numba.__version__,
        "llvmlite": llvmlite.__version__,
        "python": sys.implementation.cache_tag,
        "target": list(codegen.magic_tuple()),
        "needs": list(BASELINES[platform.machine()][1]),
        "files": files,
    }
    (shipped_folder() / "about.json").write_text(json.dumps(about, indent=1))
    size = sum(path.stat().st_size for path in shipped_folder().rglob("*") if path.is_file())
    print(f"{len(files)} files, {size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
