"""The project holds to its own rules; each guard is shown to fail on a bad sample."""

from __future__ import annotations

import inspect
import json
import os
import re
import subprocess
import sys
import tomllib
from typing import Any

import msgspec
import pytest

import guards
import lastseen
import snippets
from guards import ROOT, SOURCE
from lastseen.kernels.arrays import agent_arrays
from lastseen.kernels.flood import heat_flood
from lastseen.reasoning.chase.predictors import PREDICTORS
from lastseen.vocabulary import events
from lastseen.vocabulary.words import AgentMode, FloodStop

FOLDERS = sorted(path.parent.name for path in SOURCE.glob("*/__init__.py"))
EXAMPLES = sorted((ROOT / "examples").glob("[0-9]*.py"))
PAGES = [path for path in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))) if path.is_file()]
HEAVY = {"numba", "matplotlib", "shapely", "trimesh", "PIL", "rich", "msgspec", "scipy", "starlette", "uvicorn"}


def in_source(check, **options):
    """Run a check on every source file; return all complaints."""
    return [
        fault
        for path in guards.source_files()
        for fault in check(path.read_text(encoding="utf-8"), guards.module_name(path), **options)
    ]


def published_code() -> list[tuple[str, str]]:
    """Return the Python that examples and pages show, each with its name."""
    shown = [(path.name, path.read_text(encoding="utf-8")) for path in EXAMPLES]
    for page in PAGES:
        found = snippets.blocks(page.read_text(encoding="utf-8"))
        shown += [(f"{page.name}:{block.line}", block.text) for block in found if block.language == "python"]
    return shown


def read_modules(code: str) -> set[str]:
    """Return the top-level modules a fresh interpreter has loaded after `code`."""
    program = f"{code}\nimport json, sys\nprint(json.dumps(sorted(sys.modules)), file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, env=os.environ)
    return {name.split(".")[0] for name in json.loads(done.stderr.splitlines()[-1])}


def test_imports_point_backwards():
    faults = []
    for path in guards.source_files():
        text = path.read_text(encoding="utf-8")
        faults += guards.forward_imports(text, guards.module_name(path), path.name == "__init__.py")
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize(
    "text",
    [
        "from ..layers.layer import Layer",
        "def build():\n    from ..layers import layer",
        "import lastseen.views.cli",
        "from .. import views",
        "if TYPE_CHECKING:\n    from lastseen.layers.stack import LayerStack",
    ],
)
def test_an_import_that_points_forwards_is_caught(text):
    assert guards.forward_imports(text, "lastseen.cells.build")


def test_imports_of_earlier_stages_are_allowed():
    text = "import numpy\nfrom ..errors import InputError\nfrom .layout import CellLayout\nfrom ..navmesh import query"
    assert guards.forward_imports(text, "lastseen.cells.build") == []
    assert guards.forward_imports("", "lastseen.novelty.build") == [
        "lastseen.novelty.build has no place in the pipeline"
    ]


MACHINERY = {"__init__", "first_use", "frugal", "jit", "kernel_cache", "signatures", "store"}
"""Modules among the kernels that deal with the compiler."""


def test_kernels_wear_one_decorator_and_never_raise():
    paths = [path for path in (SOURCE / "kernels").rglob("*.py") if path.stem not in MACHINERY]
    faults = [
        fault
        for path in paths
        for fault in guards.kernel_faults(path.read_text(encoding="utf-8"), guards.module_name(path))
    ]
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize(
    "text",
    [
        "def count(values):\n    return len(values)",
        "@jit\n@other\ndef count(values):\n    return 0",
        "@inner\n@jit\ndef count(values):\n    return 0",
        "@njit(fastmath=True)\ndef count(values):\n    return 0",
        "@jit\ndef count(values):\n    raise ValueError",
        "@jit\ndef count(values):\n    assert values",
        "@jit\ndef count(values):\n    for i in prange(3):\n        pass",
        "import numba",
        "from ..errors import InputError",
        "from ..level.level import Level",
    ],
)
def test_a_kernel_out_of_line_is_caught(text):
    assert guards.kernel_faults(text, "lastseen.kernels.sample")


def test_numba_comes_in_through_one_door():
    faults = in_source(guards.stray_imports, package="numba")
    assert {fault.split(":")[0].rpartition(".")[2] for fault in faults} == MACHINERY - {"__init__", "first_use"}


def test_nothing_is_pickled():
    assert [
        fault for package in ("pickle", "dill", "joblib") for fault in in_source(guards.stray_imports, package=package)
    ] == []
    assert guards.stray_imports("def save():\n    import pickle", "lastseen.x", "pickle")


def test_folders_hold_at_most_25_files():
    paths = [
        path
        for home in (SOURCE, ROOT / "tests")
        for path in home.rglob("*")
        if path.is_file() and path.suffix != ".pyc"
    ]
    assert not (faults := guards.crowded_folders(paths)), "\n".join(faults)
    assert guards.crowded_folders(SOURCE / "a" / f"{number}.py" for number in range(26))


def test_no_short_module_has_one_neighbour():
    texts = {guards.module_name(path): path.read_text(encoding="utf-8") for path in guards.source_files()}
    packages = {guards.module_name(path) for path in SOURCE.rglob("__init__.py")}
    assert not (faults := guards.lonely_modules(texts, packages)), "\n".join(faults)
    assert guards.lonely_modules({"lastseen.a.b": "x = 1\n", "lastseen.a.c": "from .b import x\n"})


def test_every_name_is_public_or_used():
    texts = {guards.module_name(path): path.read_text(encoding="utf-8") for path in guards.source_files()}
    texts |= {str(path): path.read_text(encoding="utf-8") for path in SOURCE.rglob("*.pyi")}
    faults = [fault for fault in guards.unused_names(texts) if "walkable_voxels" not in fault]  # benchmarks need it
    assert not faults, "\n".join(faults)
    assert guards.unused_names({"lastseen.a": "def lonely(): ...", "lastseen.b": "class One: ...\nONE = One()"})


def test_words_are_listed_in_the_vocabulary_only():
    paths = [*guards.source_files(), *SOURCE.rglob("*.js")]
    faults = [fault for path in paths for fault in guards.repeated_words(path.read_text(encoding="utf-8"), path.name)]
    assert not faults, "\n".join(faults)
    assert guards.repeated_words('SHOWN = ["patrol", "chase", "search"];', "legend.js")
    assert guards.repeated_words('SHOWN = [`patrol`, "chase", "search", "more"]; // states', "legend.js")


def test_numbers_of_modes_have_one_home():
    modes = (agent_arrays.ACTIVE, agent_arrays.HIDDEN, agent_arrays.BODY, agent_arrays.GONE)
    assert modes == tuple(mode.number for mode in AgentMode)
    stops = (heat_flood.RUNNING, heat_flood.NO_CELLS, heat_flood.TOO_MANY, heat_flood.MAX_STEPS)
    assert stops == tuple(stop.number for stop in FloodStop)
    bare = [path.name for path in SOURCE.rglob("*.js") if re.search(r"\.(mode|state) [!=]== \d", path.read_text())]
    assert bare == []


def test_messages_of_the_studio_are_structs():
    bare = [
        path.name
        for path in (SOURCE / "views" / "studio").rglob("*.py")
        if re.search(r'\{\s*"type":', path.read_text())
    ]
    assert bare == []


NOT_ONLY_PREDICTORS = {"belief", "corridors", "easy", "hard", "inclusive", "normal", "true place"}
"""Names of predictors that are also words for something else: a barrier, a difficulty, a column."""


def test_predictors_are_named_in_one_place():
    homes = ("lastseen.reasoning.chase.", "lastseen.views.figures.", "lastseen.chase:")  # these use the classes
    faults = in_source(guards.stray_imports, package="lastseen.reasoning.chase.baselines")
    assert faults
    strays = [fault for fault in faults if not fault.startswith(homes)]
    assert not strays, "\n".join(strays)
    spelled = set(PREDICTORS) - NOT_ONLY_PREDICTORS
    strays = in_source(guards.spelled_again, words=spelled)
    assert not (strays := [fault for fault in strays if not fault.startswith(homes)]), "\n".join(strays)
    assert guards.spelled_again('if name == "dead-reckoning": pass', "lastseen.x", spelled)


def test_shipped_files_are_found_in_one_place():
    faults = in_source(guards.stray_imports, package="importlib.resources")
    assert {fault.split(":")[0] for fault in faults} == {"lastseen.shipped"}
    assert not (faults := in_source(guards.own_folders)), "\n".join(faults)
    assert guards.own_folders("HERE = Path(__file__).parent", "lastseen.x")
    assert guards.own_folders("HERE = Path(home.__file__).parent", "lastseen.x")
    assert not guards.own_folders("lazy_loader.attach_stub(__name__, __file__)", "lastseen.x")


def test_levels_become_cells_in_one_place():
    # Verification has finer cells of its own on a mesh that it needs anyway; checks name the calls in messages.
    homes = {"lastseen.cells.from_level", "lastseen.checks", "lastseen.reasoning.placement.verify.sneak_ground"}
    faults = [fault for fault in in_source(guards.own_bakes) if fault.split(":")[0] not in homes]
    assert not faults, "\n".join(faults)
    assert guards.own_bakes("build_layout(build_navmesh(level))", "lastseen.x")
    assert guards.own_bakes("CellLayout.from_navmesh(NavMesh.from_level(level))", "lastseen.x")
    assert not guards.own_bakes("CellLayout.from_level(level)", "lastseen.x")


def test_timings_are_kept_in_one_place():
    views = SOURCE / "views"
    files = [path for kind in ("py", "js") for path in views.rglob(f"*.{kind}")]
    faults = [fault for path in files for fault in guards.own_timings(path.read_text(encoding="utf-8"), path.name)]
    assert len(files) > 200
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize(
    "text",
    [
        "const SAID = 3; // seconds for which speech is shown\n",
        '_FORGOTTEN, _FRESH = 90.0, 0.25\n"""Seconds after which a belief is no longer shown."""\n',
        'for (const event of lately(tick, 1.1, ["heard"])) draw(event);\n',
        'self._since(tick, 2.5, "said")\n',
    ],
)
def test_a_second_timing_is_caught(text):
    assert guards.own_timings(text, "sample")


def test_published_names_are_listed_truly_and_only_where_they_are_published():
    assert not (faults := in_source(guards.export_faults)), "\n".join(faults)


def test_modules_take_no_private_names_from_one_another():
    faults = []
    for path in guards.source_files():
        text = path.read_text(encoding="utf-8")
        faults += guards.borrowed_names(text, guards.module_name(path), path.name == "__init__.py")
    assert not faults, "\n".join(faults)


def test_a_borrowed_name_is_caught():
    for text in ("from ..cells.layout import _bits", "def f():\n    from ..cells.layout import _hidden"):
        assert guards.borrowed_names(text, "lastseen.layers.layer", False)
    text = "from ..cells.layout import CellLayout\nfrom ..cells import layout\nfrom numpy import _array"
    assert guards.borrowed_names(text, "lastseen.layers.layer", False) == []


@pytest.mark.parametrize(
    "text",
    [
        "__all__ = ['missing']",
        "__all__ = ['b', 'a']\ndef a(): ...\ndef b(): ...",
        "__all__ = ['a', 'B']\ndef a(): ...\nclass B: ...",
    ],
)
def test_a_false_export_is_caught(text):
    assert guards.export_faults(text, "lastseen.sample")


def test_an_export_list_of_an_internal_module_is_caught():
    assert guards.export_faults("__all__ = ['a']\ndef a(): ...", "lastseen.cells.sample")


def test_public_names_load_from_their_homes():
    spaces = [name for name in lastseen.__all__ if inspect.ismodule(getattr(lastseen, name))]
    assert len(lastseen.__all__) - len(spaces) <= 40
    for space in (lastseen, *(getattr(lastseen, name) for name in spaces)):
        for name in set(space.__all__) - set(spaces):
            assert getattr(getattr(space, name), "__name__", name) == name
        with pytest.raises(AttributeError, match="nothing"):
            space.nothing  # noqa: B018


def test_no_submodule_hides_a_public_name():
    for name in lastseen.__all__:
        folder = SOURCE / name
        if folder.is_dir():
            assert not {path.stem for path in folder.iterdir()} & set(getattr(lastseen, name).__all__)


def test_documents_and_examples_import_public_names_only():
    faults = [fault for name, text in published_code() for fault in guards.private_imports(text, name)]
    assert not faults, "\n".join(faults)
    assert guards.private_imports("from lastseen.kernels.arrays.bits import bit", "page")
    assert guards.private_imports("from lastseen.chase import np", "page")
    assert guards.private_imports("import lastseen.navmesh.query", "page")
    assert guards.private_imports("import lastseen as ls\nfrom lastseen.chase import Chase", "page") == []


def test_documents_name_no_internal_modules():
    faults = [
        f"{path.name}: {found}"
        for path in sorted((guards.ROOT / "docs").glob("*.md"))
        for found in guards.internal_modules(path.read_text(encoding="utf-8"))
    ]
    assert not faults, "\n".join(faults)
    assert guards.internal_modules("see `lastseen.agents.brains.facts`") == ["lastseen.agents.brains.facts"]
    assert guards.internal_modules("see `lastseen.chase.Chase` and `lastseen.commands`") == []


def test_import_is_light():
    loaded = read_modules("import lastseen")
    assert "lastseen" in loaded
    assert not loaded & (HEAVY | {"numpy", "click"})


def test_help_does_not_load_the_engine():
    loaded = read_modules(
        "import sys\nsys.argv = ['lastseen', '--help']\nfrom lastseen.__main__ import main\n"
        "try:\n    main()\nexcept SystemExit as end:\n    assert not end.code"
    )
    assert "click" in loaded
    assert not loaded & (HEAVY - {"rich"})


def test_files_are_short_and_named_for_what_they_hold():
    for path in guards.source_files():
        lines = path.read_text(encoding="utf-8").count("\n")
        assert lines <= guards.LONGEST_FILE, f"{path} has {lines} lines"
        assert not {path.stem, path.parent.name} & guards.VAGUE_NAMES, path


def test_no_test_is_skipped_for_ever():
    faults = []
    for path in sorted((ROOT / "tests").rglob("*.py")):
        if path.name != "conftest.py":
            faults += guards.skips(path.read_text(encoding="utf-8"), path.name)
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("text", ["@pytest.mark.skip\ndef test(): ...", "pytest.skip('later')", "pytest.mark.xfail"])
def test_a_skip_is_caught(text):
    assert guards.skips(text, "sample")


def test_warnings_are_errors_in_tests():
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert settings["tool"]["pytest"]["ini_options"]["filterwarnings"] == ["error"]


def test_the_version_has_one_home():
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert settings["project"]["dynamic"] == ["version"]
    assert settings["tool"]["hatch"]["version"]["path"] == "src/lastseen/__init__.py"
    sources = {path.name: path.read_text(encoding="utf-8") for path in guards.source_files()}
    asked = re.compile(r"importlib\.metadata import .*version|metadata\.version")
    assert [name for name, text in sources.items() if asked.search(text)] == []


ONCE = {
    "get_context(": "harness/processes.py",
    "LocalCluster(": "harness/cluster.py",
    "mean_of": "harness/summary.py",
    "read_parquet(": "harness/results.py",
}
"""Ways to start processes and clusters, to estimate and to store results, each with its only home."""


def test_experiments_share_one_harness():
    home = guards.SOURCE / "simulation" / "experiments"
    texts = {path.relative_to(home).as_posix(): path.read_text(encoding="utf-8") for path in home.rglob("*.py")}
    for word, only in ONCE.items():
        assert [name for name, text in texts.items() if word in text] == [only], word
    declared = {
        name for name, text in texts.items() if re.search(r"^[A-Z]+ = (Experiment|trials_experiment)\(", text, re.M)
    }
    folders = {path.name for path in home.iterdir() if (path / "__init__.py").exists()} - {"harness"}
    assert declared == {f"{folder}/experiment.py" for folder in folders}


def test_no_machine_path_registry_or_foreign_word_in_any_file():
    faults = []
    for path in guards.tracked_files():
        faults += guards.foreign_words(path.read_text(encoding="utf-8"), str(path.relative_to(ROOT)))
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("word", [*guards.MACHINE_PATHS, *guards.REGISTRIES, *guards.WORKPLACE, *guards.UNOWNED])
def test_a_foreign_word_is_caught(word):
    assert guards.foreign_words(f"see {word} there", "sample")


def test_prose_avoids_retired_words():
    readers = {
        ".md": guards.markdown_prose,
        ".py": guards.python_prose,
        ".js": guards.script_prose,
        ".yaml": guards.yaml_prose,
    }
    pages = [*PAGES, *(ROOT / f"{name}.md" for name in ("ARCHITECTURE", "CONTRIBUTING", "CHANGELOG"))]
    sources = guards.source_files()
    scripts = sorted((SOURCE / "views").rglob("*.js"))
    faults = []
    for path in (*pages, *sources, *scripts, *EXAMPLES, *sorted(SOURCE.rglob("*.yaml"))):
        text, where = path.read_text(encoding="utf-8"), str(path.relative_to(ROOT))
        if guards.may_be_retired(text):
            faults += guards.retired_words(readers[path.suffix](text), where)
            if path in sources:
                faults += guards.retired_words(guards.python_messages(text), where)
    assert not faults, "\n".join(faults)


def test_docstrings_open_with_statements():
    assert not (faults := in_source(guards.questions)), "\n".join(faults)


def test_a_question_is_caught():
    for text in ('"""Which cells?"""', 'def f():\n    """Fill them; how\n    many?\n\n    More.\n    """'):
        assert guards.questions(text, "sample")
    assert guards.questions('def ask():\n    """Return the question, such as "who?"."""', "sample") == []


@pytest.mark.parametrize(
    "prose",
    [
        guards.markdown_prose("Stimuli are drawn anew."),
        guards.markdown_prose("| crew | tells\nof it |"),
        guards.python_prose('"""Mend a file."""'),
        guards.yaml_prose("# Somebody falls.\nlevel: hall"),
        guards.yaml_prose("- {name: not past somebody, measure: seen}"),
        guards.python_prose('class Crew:\n    size: int\n    """Whoever is in it."""'),
        guards.python_prose("step()  # beside the wall"),
        guards.python_messages("fail(f'{name} is drawn anew')"),
        guards.python_prose("# It was given for\n# nothing.\nstep()"),
        guards.script_prose('const a = "//"; // Somebody waits.'),
        guards.script_prose("/* asked in\n * vain */"),
    ],
)
def test_a_retired_word_is_caught(prose):
    assert len(guards.retired_words(prose, "sample")) == 1
    assert guards.may_be_retired("\n# ".join(prose))


def test_identifiers_and_quoted_words_may_be_retired():
    assert guards.retired_words(guards.markdown_prose("See `whom`.\n```text\nanew\n```\n[a](mend.md)"), "page") == []
    assert guards.retired_words(guards.python_prose('whom = "anew"  # the key "whom", besides `mend()`'), "code") == []
    assert guards.retired_words(guards.script_prose('say("anew"); tell(`beside`);'), "script") == []


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-dev.lock"])
def test_locks_are_pinned_by_hash_and_name_no_address(name):
    faults = guards.lock_faults((ROOT / name).read_text(encoding="utf-8"), name)
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize(
    "text",
    [
        "click==8.1",
        "click>=8 \\\n    --hash=sha256:" + "0" * 64,
        "a @ https" + "://host/a.whl \\\n    --hash=sha256:" + "0" * 64,
    ],
)
def test_a_loose_lock_is_caught(text):
    assert guards.lock_faults(text, "sample")
    assert guards.lock_faults("click==8.1 \\\n    --hash=sha256:" + "0" * 64, "sample") == []


def test_every_invariant_names_the_test_that_holds_it():
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    assert "nvariants" in text
    faults = guards.invariant_faults(text)
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize(
    "points",
    [
        "",
        "- cells are grouped by face",
        "- imports point backwards (`tests/test_guards.py::test_not_there`)",
        "- imports point backwards (`tests/absent.py::test_imports_point_backwards`)",
        "- one (`tests/test_guards.py::test_imports_point_backwards`)\n- two, which names none",
    ],
)
def test_an_invariant_without_a_test_is_caught(points):
    assert guards.invariant_faults(f"# Shape\n\n## Invariants\n{points}\n")


def test_an_invariant_with_its_test_passes():
    point = "- imports point\n  backwards (`tests/test_guards.py::test_imports_point_backwards`)"
    assert guards.invariant_faults(f"## Invariants\n\n{point}\n{point}\n\n## More\n- free\n") == []


def test_every_item_of_the_sources_names_its_test():
    faults = guards.source_faults((ROOT / "docs" / "sources.md").read_text(encoding="utf-8"))
    assert not faults, "\n".join(faults)


ITEMS = """
| source | items | shown | in part | not yet |
|---|---|---|---|---|
| [The talk](#the-talk) | 3 | 1 | 1 | 1 |
| all | 3 | 1 | 1 | 1 |

## The talk

| lines | item | place | shown by |
|---|---|---|---|
| 1 | order | - | `tests/test_guards.py::test_imports_point_backwards` |
| 2–3 | rules | - | `tests/test_guards.py::test_imports_point_backwards`<br>not yet: an editor |
| 5 | creatures | - | not yet: swarms |
"""


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("- | not yet: swarms", "- | later", "'creatures' names no test"),
        ("backwards` |", "forwards` |", "test_imports_point_forwards, which is not there"),
        ("guards.py::test_imports_point_backwards` |", "absent.py::test_x` |", "absent.py::test_x, which is not there"),
        ("::test_imports_point_backwards` |", "` |", "'order' names tests/test_guards.py, which is not there"),
        ("talk) | 3 | 1 | 1 | 1 |", "talk) | 3 | 2 | 0 | 1 |", "The talk: says 3 | 2 | 0 | 1, its rows 3 | 1 | 1 | 1"),
        ("| all | 3 | 1 | 1 | 1 |", "| all | 4 | 2 | 1 | 1 |", "all: says 4 | 2 | 1 | 1, its rows 3 | 1 | 1 | 1"),
        ("| 5 | creatures | - | not yet: swarms |\n", "", "The talk: says 3 | 1 | 1 | 1, its rows 2 | 1 | 1 | 0"),
        ("[The talk]", "[A talk]", "The talk: says None"),
    ],
)
def test_a_wrong_item_of_the_sources_is_caught(old, new, fault):
    assert guards.source_faults(ITEMS) == []
    assert fault in "\n".join(guards.source_faults(ITEMS.replace(old, new)))


def test_every_folder_has_its_page():
    pages = {path.stem: path.read_text(encoding="utf-8") for path in (ROOT / "docs").glob("*.md")}
    faults = guards.page_faults(pages, FOLDERS)
    assert not faults, "\n".join(faults)


def test_a_page_out_of_place_is_caught():
    assert guards.page_faults({"cells": ""}, ["cells", "layers"]) == ["docs/layers.md is missing"]
    stray = "docs/more.md is not linked from the page of a folder"
    assert guards.page_faults({"cells": "", "more": "(more.md)"}, ["cells"]) == [stray]
    assert guards.page_faults({"cells": "see [more](more.md)", "more": ""}, ["cells"]) == []


def test_the_readme_leads_to_every_page():
    pages = [path.stem for path in (ROOT / "docs").glob("*.md")]
    assert guards.unlinked_pages((ROOT / "README.md").read_text(encoding="utf-8"), pages) == []
    assert guards.unlinked_pages("see [cells](docs/cells.md)", ["cells", "layers"]) == ["layers"]


def test_every_benchmark_offers_comparisons():
    for path in (ROOT / "benchmarks").glob("bench_*.py"):
        assert "def comparisons() -> " in path.read_text(encoding="utf-8"), path.name


def test_examples_are_a_ladder():
    numbers = [int(path.name.split("_")[0]) for path in EXAMPLES]
    assert numbers == list(range(1, len(EXAMPLES) + 1))
    for path in EXAMPLES:
        most = 130 if path.stem == "13_your_own_game_loop" else 45  # it puts together what the others show
        assert path.read_text(encoding="utf-8").count("\n") <= most, f"{path.name} shows more than one idea"


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_example_prints_what_it_says(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    expected = snippets.expected_output(path.read_text(encoding="utf-8"))
    assert expected, f"{path.name} must end with its output in comments after {snippets.MARK!r}"
    printed = snippets.run_example(path)
    assert snippets.same_output(expected, printed), f"{path.name} printed:\n{printed}"


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_page_runs_and_prints_what_it_shows(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    faults = snippets.run_page(path.read_text(encoding="utf-8"), path.name)
    assert not faults, "\n".join(faults)


def test_events_hold_no_prose_and_are_declared_in_one_place():
    faults = [fault for kind in events.KINDS.values() for fault in guards.free_text_faults(kind)]
    assert not faults, "\n".join(faults)
    faults = in_source(guards.event_faults)
    assert not faults, "\n".join(faults)


def test_a_free_text_in_an_event_is_caught():
    for kind in (str, dict[str, events.Name], list[Any], events.Name | tuple[str, int]):
        struct = msgspec.defstruct("Bad", [("at", events.Place), ("text", kind)])
        assert guards.free_text_faults(struct) == ["Bad.text is free text"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("class Mine(Event, tag='mine'): ...", "declares an event"),
        ("class Mine(events.Event, tag='mine'): ...", "declares an event"),
        ("world.happened(Said(1, 2, line=f'{name} is here'))", "puts a sentence into an event"),
        ("world.happened(events.Said(1, 2, line=name + ' is here'))", "puts a sentence into an event"),
    ],
)
def test_an_event_out_of_place_is_caught(text, words):
    (fault,) = guards.event_faults(f"from ..vocabulary.events import Event, Said\n{text}\n", "lastseen.agents.mine")
    assert words in fault
