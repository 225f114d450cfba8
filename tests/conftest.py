"""Shared by all tests: where real data lies, one cache of compiled kernels per text of the kernels."""

from __future__ import annotations

import gc
import os
import signal
import tempfile
from pathlib import Path

import pytest
from hypothesis import Phase, settings
from hypothesis.internal.conjecture import providers

settings.register_profile("lastseen", max_examples=20, deadline=None, derandomize=True)
settings.register_profile("mutants", settings.get_profile("lastseen"), phases=(Phase.explicit, Phase.generate))
settings.load_profile(os.environ.get("TESTS_PROFILE", "lastseen"))

# Examples would also be drawn from the constants of all modules loaded so far, which depend on the tests run before.
providers._get_local_constants = lambda: providers._local_constants

# A shell starts what runs in the background (`make test &`) deaf to Ctrl-C, and so would be every command that the
# tests start and interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Games of tests must find neither a studio of this user nor one of another process of tests.
os.environ["XDG_RUNTIME_DIR"] = tempfile.mkdtemp(prefix="lastseen-running-")


def pytest_collection_finish() -> None:
    """Spare the garbage collector all that lives until the end: some million objects."""
    gc.collect()
    gc.freeze()


DATA = Path(__file__).resolve().parents[2] / "shared" / "data"


@pytest.fixture(scope="session")
def data() -> Path:
    """Folder of real maps and meshes; tests that use it are marked `data`."""
    if not DATA.is_dir():
        pytest.skip("the real maps are not here: put them at ../shared/data to run this test")
    return DATA
