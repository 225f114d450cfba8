"""What the project promises about its own text, as functions that return complaints (none: all is well)."""

from __future__ import annotations

import ast
import io
import re
import subprocess
import tokenize
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path

from msgspec import inspect

import lastseen
from lastseen.vocabulary import event_base, events, words

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src" / "lastseen"
PACKAGE = "lastseen"

ORDER = (
    ("errors", "conventions", "vocabulary"),
    ("arrayfile", "checks", "estimates", "extensions", "files", "rng", "shipped", "textfile", "textforms"),
    ("kernels",),
    ("compilation",),
    ("level",),
    ("navmesh",),
    ("cells",),
    ("layers",),
    ("reasoning",),
    ("agents",),
    ("simulation",),
    ("views",),
    (
        *("chase", "crews", "experiments", "figures", "locations", "placement", "rules", "search", "senses"),
        *("studio", "tactical", "trees", "__main__"),
    ),
)
"""The pipeline: a module imports its own rank and those before it."""

LONGEST_FILE = 450
VAGUE_NAMES = {"utils", "util", "core", "common", "manager", "misc", "helpers"}


def _whole(words: str) -> tuple[str, ...]:
    """Join words written in halves, so that this file passes its own test."""
    return tuple(word.replace("|", "").replace("_", " ") for word in words.split())


MACHINE_PATHS = _whole("/wo|rk/ /ro|ot/ /ho|me/ /Us|ers/ C:|\\")
REGISTRIES = _whole("py|pi.org pythonho|sted --index-|url arti|factory /sim|ple/")
WORKPLACE = _whole(
    "cla|ude anth|ropic open|ai chat|gpt copi|lot language_mo|del sub|agent system_pro|mpt this_sess|ion"
)
UNOWNED = _whole("TO|DO FIX|ME XX|X")

RETIRED = {
    "anew": "again",
    "at hand": "available",
    "beside": "next to",
    "for nothing": "unused",
    "in vain": "without result",
    "mend(?:s|ed|ing)?": "fix",
    "somebody": "agent",
    "(?:tell|tells|telling|told) of": "report",
    "whoever": "agent",
    "whom": "agent",
}
"""Words that prose avoids, as patterns, and what to write instead; docs/glossary.md explains them."""
_RETIRED = re.compile(rf"\b(?:{'|'.join(RETIRED)})\b", re.IGNORECASE)


def source_files(root: Path = SOURCE) -> list[Path]:
    return sorted(root.rglob("*.py"))


def tracked_files() -> list[Path]:
    """Text files under version control (or, in an unpacked archive, all that lies in the known folders)."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode == 0 and listed.stdout:
        paths = [ROOT / name for name in listed.stdout.split("\0") if name]
    else:
        folders = ("src", "tests", "benchmarks", "examples", "docs")
        paths = [*ROOT.glob("*.*"), *(path for folder in folders for path in (ROOT / folder).rglob("*.*"))]
    binary = {".png", ".gif", ".npz", ".pyc", ".glb"}
    return sorted(path for path in paths if path.is_file() and path.suffix not in binary)


@dataclass(frozen=True)
class Outline:
    """What guards ask of a module, read once for all of them.

    Attributes
    ----------
    imports : (line, dots before the name, module or None, names taken from it or None) of every import.
    defined : names the module itself gives a meaning to.
    exported : its `__all__` where it is written out.
    """

    imports: tuple[tuple[int, int, str | None, tuple[str, ...] | None], ...]
    defined: frozenset[str]
    exported: list[str] | None


@cache
def outline(text: str) -> Outline:
    """Read the text of a module."""
    tree = ast.parse(text)
    return Outline(tuple(_imports(tree)), frozenset(_defined(tree)), _exported(tree))


def _imports(tree: ast.AST) -> Iterator[tuple[int, int, str | None, tuple[str, ...] | None]]:
    for node in _statements(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, 0, alias.name, None) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.lineno, node.level, node.module, tuple(alias.name for alias in node.names)


def _statements(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield all statements, those inside others too, without looking through their expressions."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.stmt | ast.excepthandler | ast.match_case):
            yield node
            yield from _statements(node)


def _defined(tree: ast.Module) -> Iterator[str]:
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Import | ast.ImportFrom):
            yield from (alias.asname or alias.name.split(".")[0] for alias in node.names)
        else:
            yield from (name.id for name in ast.walk(node) if isinstance(name, ast.Name))


def _exported(tree: ast.Module) -> list[str] | None:
    for node in tree.body:
        if isinstance(node, ast.Assign) and [ast.unparse(target) for target in node.targets] == ["__all__"]:
            return list(ast.literal_eval(node.value)) if isinstance(node.value, ast.List | ast.Tuple) else None
    return None


def imports(text: str, module: str, is_package: bool) -> Iterator[tuple[int, str]]:
    """Yield (line, absolute module) for every import, those inside functions too."""
    home = module.split(".") if is_package else module.split(".")[:-1]
    for line, level, name, taken in outline(text).imports:
        base = home[: len(home) - level + 1] if level else []
        stem = ".".join([*base, *([name] if name else [])])
        yield line, stem
        yield from ((line, f"{stem}.{one}") for one in taken or ())


def rank(module: str) -> int | None:
    """Return the place of a module of ours in the pipeline; None for the package itself and strangers."""
    parts = module.split(".")
    if parts[0] != PACKAGE or len(parts) < 2:
        return None
    return next((place for place, names in enumerate(ORDER) if parts[1] in names), None)


def module_name(path: Path, root: Path = SOURCE) -> str:
    parts = [PACKAGE, *path.relative_to(root).with_suffix("").parts]
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def forward_imports(text: str, module: str, is_package: bool = False) -> list[str]:
    """Imports that point forwards in the pipeline."""
    own = rank(module)
    if own is None:
        return [] if module == PACKAGE else [f"{module} has no place in the pipeline"]
    return [
        f"{module}:{line} imports {target}, which comes later"
        for line, target in imports(text, module, is_package)
        if (rank(target) or 0) > own
    ]


def internal_modules(page: str) -> list[str]:
    """Modules a page names in its text, outside of code, although they are no public namespace."""
    prose = re.sub(r"^```.*?^```", "", page, flags=re.MULTILINE | re.DOTALL)
    stages = "|".join(folder.name for folder in SOURCE.iterdir() if folder.is_dir())
    return re.findall(rf"\blastseen\.(?:{stages})\.[a-z_.]*[a-z_]", prose)


def crowded_folders(paths: Iterable[Path], most: int = 25) -> list[str]:
    """Folders with more files than a reader takes in at a glance."""
    counts = Counter(path.parent for path in paths)
    return [f"{folder}: {count} files; split it" for folder, count in sorted(counts.items()) if count > most]


def lonely_modules(texts: dict[str, str], packages: Iterable[str] = (), least: int = 40) -> list[str]:
    """Short modules that only one other module imports; `texts` are all sources by module name."""
    users = defaultdict[str, set[str]](set)
    for module, text in texts.items():
        for _, target in imports(text, module, module in packages):
            users[target].add(module)
    return [
        f"{module} has {text.count(chr(10))} lines and only {next(iter(users[module]))} imports it; merge them"
        for module, text in sorted(texts.items())
        if text.count("\n") < least and len(users[module]) == 1 and module not in packages
    ]


def kernel_faults(text: str, module: str) -> list[str]:
    """What a kernel file may not do: other decorators, other imports, raising, inexact arithmetic."""
    tree = ast.parse(text)
    allowed = {"__future__", "typing", "math", "numpy"}
    faults = []
    for line, target in imports(text, module, is_package=False):
        ours = target.startswith((f"{PACKAGE}.kernels", f"{PACKAGE}.conventions"))
        if not ours and target.split(".")[0] not in allowed and target != PACKAGE:
            faults.append(f"{module}:{line} imports {target}")
    for function in [node for node in tree.body if isinstance(node, ast.FunctionDef)]:
        if [ast.unparse(mark) for mark in function.decorator_list] not in (["jit"], ["inner"]):
            faults.append(f"{module}:{function.lineno} {function.name} must wear @jit or @inner and nothing else")
        raising = [node for node in ast.walk(function) if isinstance(node, ast.Raise | ast.Try | ast.Assert)]
        faults += [f"{module}:{node.lineno} {function.name} raises" for node in raising]
    words = {node.arg for node in ast.walk(tree) if isinstance(node, ast.keyword)}
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    faults += [f"{module} uses {word}" for word in sorted((words | names) & {"fastmath", "guvectorize", "prange"})]
    return faults


def stray_imports(text: str, module: str, package: str) -> list[str]:
    """Imports of a third-party package that has one home only."""
    return [
        f"{module}:{line} imports {target}"
        for line, target in imports(text, module, is_package=False)
        if f"{target}.".startswith(f"{package}.")
    ]


def repeated_words(text: str, where: str) -> list[str]:
    """Return lists of three or more words of one enum of the vocabulary, in Python or JavaScript."""
    declared = [*vars(words).values(), *vars(event_base).values()]
    enums = [kind for kind in declared if isinstance(kind, type) and issubclass(kind, StrEnum) and len(kind)]
    faults = []
    for found in re.finditer(r"[(\[{]([^()\[\]{}]*)[)\]}]", text):
        listed = re.sub(r"(#|//)[^\n]*", "", found[1])
        quoted = re.findall(r"""["'`]([\w ]+)["'`]""", listed)
        rest = re.sub(r"""["'`][\w ]+["'`]|[\s,]""", "", listed)
        repeated = [kind.__name__ for kind in enums if not rest and len(set(quoted) & set(kind)) >= 3]
        faults += [f"{where}: lists words of {name}: {found[0][:60]}" for name in repeated]
    return faults


def own_bakes(text: str, module: str) -> list[str]:
    """Return modules that turn a level into cells themselves instead of calling `CellLayout.from_level`."""
    meshes = re.search(r"\b(build_navmesh\b|NavMesh\.from_level\()", text)
    cells = re.search(r"\b(build_layout\b|from_navmesh\()", text)
    return [f"{module}: makes cells from a level; use CellLayout.from_level"] if meshes and cells else []


def unused_names(texts: Mapping[str, str]) -> list[str]:
    """Return functions and classes of modules that no other line of all sources names."""
    said = Counter(word for text in texts.values() for word in re.findall(r"\w+", text))
    definition = ast.FunctionDef | ast.ClassDef
    return [
        f"{module}:{node.lineno} {node.name} is neither public nor used; delete it"
        for module, text in sorted(texts.items())
        for node in ast.parse(text).body
        if isinstance(node, definition) and not node.decorator_list and said[node.name] == 1
    ]


def own_folders(text: str, module: str) -> list[str]:
    """Return modules that find shipped files by their own path; the compiler's modules import nothing that could."""
    if module.startswith(("lastseen.kernels.", "lastseen.compilation.")):
        return []
    found = re.search(r"Path\((\w+\.)*__file__", text)
    return [f"{module}: finds files by its own path; use shipped.package_folder or Shipped"] if found else []


def spelled_again(text: str, module: str, words: Collection[str]) -> list[str]:
    """Return strings of a module that are one of some words, with spaces or hyphens."""
    known = {word.replace(" ", "-") for word in words}
    hyphened = text.replace(" ", "-")
    if not any(word in hyphened for word in known):
        return []
    return [
        f"{module}:{node.lineno} spells {node.value!r} again"
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.replace(" ", "-") in known
    ]


def own_timings(text: str, name: str) -> list[str]:
    """Report Python or JavaScript that decides itself how long something is shown."""
    named = r"\b(const )?_?[A-Z][A-Z_, ]* = [\d., ]+;? *(//|#|\n\"\"\")"
    declared = re.findall(rf"^{named}[^\n]*\b[Ss]econds (?:for|after|before|in|until) which.*$", text, re.MULTILINE)
    asked = re.findall(r"(?<!function )\blately\([^,()]+, (?!timings\(\)\.|shown\b)[^,]+", text)
    asked += re.findall(r"\._since\([^,()]+, (?!TIMINGS\.)[^,]+,", text)
    return [f"{name}: keeps a timing of its own; use views/scene/timings.py"] if declared or asked else []


def private_imports(text: str, name: str) -> list[str]:
    """Return imports of lastseen that name something that is not public."""
    faults = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            hidden = [one.name for one in node.names if one.name.startswith("lastseen.")]
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "lastseen":
            hidden = [f"{node.module}.{one.name}" for one in node.names if not _is_public(node.module, one.name)]
        else:
            continue
        faults += [f"{name}: {one} is not public" for one in hidden]
    return faults


def _is_public(module: str, name: str) -> bool:
    space = module.removeprefix("lastseen").lstrip(".")
    if space and space not in lastseen.__all__:
        return False
    return name in (getattr(lastseen, space) if space else lastseen).__all__


def export_faults(text: str, module: str) -> list[str]:
    """Is `__all__` only where names are published, sorted and true?"""
    defined, exported = outline(text).defined, outline(text).exported
    if exported is None:
        return []
    if not _publishes(module):
        return [f"{module} has __all__; internal modules mark what is theirs with an underscore instead"]
    faults = [f"{module}.__all__ names {name}, which is not there" for name in exported if name not in defined]
    if exported != sorted(set(exported), key=_sort_key):
        faults.append(f"{module}.__all__ is not sorted: constants, classes, functions, each by name")
    return faults


def _publishes(module: str) -> bool:
    """Return whether a module offers names to others: those next to the stages, packages, and two lists."""
    path = SOURCE.parent / Path(*module.split("."))
    lists = ("lastseen.vocabulary.events", "lastseen.agents.brains.leaves")
    return module.count(".") == 1 or path.is_dir() or module.startswith(lists)


def borrowed_names(text: str, module: str, is_package: bool) -> list[str]:
    """Names with an underscore taken from another module of ours; mypy finds those it only imported itself."""
    return [
        f"{module}:{line} takes {target}, which is private"
        for line, target in imports(text, module, is_package)
        if re.search(r"\._[a-z]\w*$", target) and target.startswith(PACKAGE + ".")
    ]


def _sort_key(name: str) -> tuple[int, str]:
    return (0 if name.isupper() else 1 if name[:1].isupper() else 2), name


def skips(text: str, where: str) -> list[str]:
    """Tests that are skipped or expected to fail; only the fixture of real data may skip."""
    banned = {"skip", "skipif", "xfail", "importorskip", "skipIf", "skipUnless", "expectedFailure"}
    if not any(word in text for word in banned):
        return []
    return [
        f"{where}:{node.lineno} uses {node.attr}"
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Attribute)
        and node.attr in banned
        and ast.unparse(node).startswith(("pytest", "unittest"))
    ]


def foreign_words(text: str, where: str) -> list[str]:
    """Paths of one machine, addresses of registries, words of the workplace, promises nobody owns."""
    faults = [f"{where} contains {word!r}" for word in (*MACHINE_PATHS, *REGISTRIES) if word in text]
    folded = text.casefold()  # most texts hold none of the words: no need to look for whole ones
    workplace = [word for word in WORKPLACE if word in folded and re.search(rf"\b{word}\b", text, re.IGNORECASE)]
    faults += [f"{where} contains {word!r}" for word in workplace]
    unowned = [word for word in UNOWNED if word in text and re.search(rf"\b{word}\b(?! \(#)", text)]
    faults += [f"{where} has a {word} without an issue" for word in unowned]
    return faults


def lock_faults(text: str, where: str) -> list[str]:
    """Every requirement pinned to one version with hashes, and no address anywhere."""
    faults = [f"{where} contains an address" for word in ("://", "--index", "--find-links") if word in text]
    entries = re.split(r"\n(?=\S)", text.strip())
    for entry in entries:
        head = entry.splitlines()[0]
        if head.startswith("#"):
            continue
        if not re.match(r"[A-Za-z0-9._-]+(\[[a-z,]+\])?==\S+", head):
            faults.append(f"{where}: {head!r} is not pinned")
        if not re.search(r"--hash=sha256:[0-9a-f]{64}", entry):
            faults.append(f"{where}: {head!r} has no hash")
    return faults


def invariant_faults(text: str, root: Path = ROOT) -> list[str]:
    """Every point of a section called Invariants ends with (`tests/…::test_name`), and that test exists."""
    faults = []
    for section in re.split(r"\n(?=#+ )", text):
        title, _, body = section.partition("\n")
        if "invariant" not in title.lower():
            continue
        points = re.findall(r"^(?:[-*]|\d+\.) .*(?:\n(?![-*] |\d+\. |\n|#).*)*", body, re.MULTILINE)
        faults += [] if points else [f"{title}: no invariants listed"]
        for point in points:
            short = " ".join(point.split())[:60]
            named = _named_tests(point)
            if not named or not re.search(r"`\)\.?\s*$", point):
                faults.append(f"{short!r} does not end with the test that holds it")
            faults += _absent_tests(named, short, root)
    return faults


def source_faults(text: str, root: Path = ROOT) -> list[str]:
    """Every row of items names tests that exist, or says "not yet"; the numbers on top are those of the rows."""
    faults, counted = [], {}
    for section in re.split(r"\n(?=## )", text)[1:]:
        title, _, body = section.partition("\n")
        states = Counter[str]()
        for row in re.findall(r"^\| \d.*$", body, re.MULTILINE):
            _, item, _, shown = row.strip("| ").split(" | ")
            named, is_missing = _named_tests(shown), "not yet: " in shown
            faults += _absent_tests(named, item, root)
            faults += [] if named or is_missing else [f"{item!r} names no test and does not say what is missing"]
            states["in part" if named and is_missing else "shown" if named else "not yet"] += 1
        counted[title.removeprefix("## ")] = states
    counted["all"] = sum(counted.values(), Counter())
    numbers = dict(re.findall(r"^\| \[?([^|\]]+?)(?:\]\(#[\w-]+\))? \| ([\d |]+) \|$", text, re.MULTILINE))
    for name, states in counted.items():
        right = " | ".join(str(n) for n in (states.total(), states["shown"], states["in part"], states["not yet"]))
        faults += [] if numbers.get(name) == right else [f"{name}: says {numbers.get(name)}, its rows {right}"]
    return faults


def _named_tests(text: str) -> list[str]:
    return re.findall(r"`(tests/[^`]+)`", text)


def _absent_tests(named: Iterable[str], where: str, root: Path) -> list[str]:
    return [f"{where!r} names {one}, which is not there" for one in named if not _has_test(one, root)]


def _has_test(named: str, root: Path) -> bool:
    file, _, name = named.partition("::")
    return (root / file).is_file() and name.startswith("test") and name in _functions(root / file)


@cache
def _functions(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {node.name for node in _statements(tree) if isinstance(node, ast.FunctionDef)}


def page_faults(pages: dict[str, str], folders: Iterable[str]) -> list[str]:
    """One page of docs per folder of the source, under the same name; further pages are linked from one of those.

    `pages` is their text by name, without suffix.
    """
    folders = set(folders)
    linked = {name for name in pages if any(f"({name}.md" in pages[page] for page in folders & set(pages))}
    return [f"docs/{name}.md is missing" for name in sorted(folders - set(pages))] + [
        f"docs/{name}.md is not linked from the page of a folder" for name in sorted(set(pages) - folders - linked)
    ]


def unlinked_pages(readme: str, pages: Iterable[str]) -> list[str]:
    """Pages of docs no link in the README leads to."""
    return sorted(name for name in pages if f"(docs/{name}.md" not in readme)


def retired_words(prose: Iterable[str], where: str) -> list[str]:
    """Return the retired words in pieces of prose; code in backticks and quoted words are exempt."""
    faults = []
    for piece in prose:
        plain = re.sub(r"`[^`]*`|\"[^\"\n]*\"", "", piece)
        plain = re.sub(r"\n\s*(?:#|//|\*)?\s*", " ", plain)  # a phrase may be wrapped, in comments too
        for pattern, better in RETIRED.items():
            found = re.findall(rf"\b{pattern}\b", plain, re.IGNORECASE)
            faults += [f"{where} says {word!r}; write {better!r}" for word in found]
    return faults


def may_be_retired(text: str) -> bool:
    """Return whether a file might contain a retired word; to take it apart takes a hundred times longer."""
    return _RETIRED.search(re.sub(r"[\s\"'#/*]+", " ", text)) is not None


def markdown_prose(text: str) -> list[str]:
    """Return a page without its code blocks and link targets."""
    return [re.sub(r"^```.*?^```|\]\([^)]*\)", "", text, flags=re.MULTILINE | re.DOTALL)]


def python_prose(text: str) -> list[str]:
    """Return the docstrings of a module, those of attributes included, and its comments."""
    docs = [
        node.value.value
        for node in _statements(ast.parse(text))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
    ]
    comments = [
        token.string for token in tokenize.generate_tokens(io.StringIO(text).readline) if token.type == tokenize.COMMENT
    ]
    return [*docs, "\n".join(comments)]


def python_messages(text: str) -> list[str]:
    """Return the strings of a module that read like prose: all with a space but docstrings."""
    tree = ast.parse(text)
    docs = {id(node.value) for node in _statements(tree) if isinstance(node, ast.Expr)}
    return [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value and id(node) not in docs
    ]


def questions(text: str, where: str) -> list[str]:
    """Return the docstrings that open with a question instead of a statement."""
    documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
    if not re.search(r"\?\s*(?:[\"']|\n\s*\n)", text):
        return []
    tree = ast.parse(text)
    opened = [
        (node, (ast.get_docstring(node) or "").partition("\n\n")[0])
        for node in (tree, *_statements(tree))
        if isinstance(node, documented)
    ]
    return [f"{where}:{getattr(node, 'lineno', 1)} asks {words!r}" for node, words in opened if words.endswith("?")]


def yaml_prose(text: str) -> list[str]:
    """Return the comments, names, titles and descriptions of a YAML file; what characters say is theirs."""
    said = re.findall(r"(?:^|\s)#\s?(.*)$|\b(?:about|name|title):\s*([^,}\n]+)", text, re.MULTILINE)
    return ["\n".join(comment or named for comment, named in said)]


def script_prose(text: str) -> list[str]:
    """Return the comments of a JavaScript file."""
    strings = r"""'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`"""
    found = re.findall(rf"{strings}|(//[^\n]*|/\*.*?\*/)", text, re.DOTALL)
    return ["\n".join(comment for comment in found if comment)]


def free_text_faults(struct: type) -> list[str]:
    """Fields of an event that may hold anything, or text that is neither a name nor a quote."""
    allowed = {kind.__metadata__[0].description for kind in (events.Name, events.Quote)}  # type: ignore[attr-defined]

    def has_free_text(kind: inspect.Type) -> bool:
        if isinstance(kind, inspect.Metadata):
            return (kind.extra_json_schema or {}).get("description") not in allowed
        if isinstance(kind, inspect.StructType):
            return any(has_free_text(field.type) for field in kind.fields)
        parts = [getattr(kind, name, ()) for name in ("types", "item_types", "item_type", "key_type", "value_type")]
        inner = [one for part in parts for one in (part if isinstance(part, tuple) else (part,))]
        return isinstance(kind, inspect.StrType | inspect.AnyType) or any(map(has_free_text, inner))

    fields = inspect.type_info(struct).fields  # type: ignore[attr-defined]
    return [f"{struct.__name__}.{field.name} is free text" for field in fields if has_free_text(field.type)]


def event_faults(text: str, module: str) -> list[str]:
    """Events declared outside the vocabulary, and sentences put into events."""
    if module.startswith("lastseen.vocabulary.") or not ("vocabulary" in text or "events." in text):
        return []
    names = {"Event", *(kind.__name__ for kind in events.KINDS.values())}
    tree = ast.parse(text)
    found = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and "vocabulary" in (node.module or "")
        for alias in node.names
    } & names
    faults = []
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and any(_names(base, found, names) for base in node.bases):
            faults.append(f"{module}:{node.lineno} declares an event; do that in vocabulary/events.py")
        if isinstance(node, ast.Call) and _names(node.func, found, names):
            given = [*node.args, *(one.value for one in node.keywords)]
            if any(_makes_text(part) for one in given for part in ast.walk(one)):
                faults.append(f"{module}:{node.lineno} puts a sentence into an event; make it in views/prose")
    return faults


def _names(node: ast.expr, imported: set[str], names: set[str]) -> bool:
    """Return whether an expression names an event, by itself or as `events.Said`."""
    if isinstance(node, ast.Attribute):
        return isinstance(node.value, ast.Name) and node.value.id == "events" and node.attr in names
    return isinstance(node, ast.Name) and node.id in imported


def _makes_text(node: ast.AST) -> bool:
    """Return whether an expression puts text together."""
    if isinstance(node, ast.BinOp):
        sides = (node.left, node.right)
        return any(isinstance(side, ast.Constant) and isinstance(side.value, str) for side in sides)
    return isinstance(node, ast.JoinedStr)
