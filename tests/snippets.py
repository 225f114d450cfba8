"""Runs what the examples and the documentation show, and compares what they print.

- An example ends with a comment block after the line `# Expected output:`.
- The ```python blocks of a page share one namespace and run in order; a ```text block right after one is its output.
- A ```console block shows `$ command` lines, each followed by its output (or nothing). A line of output that is or
  holds `...` stands for anything. `lastseen` is run; `make` targets and `python` files must exist.
"""

from __future__ import annotations

import contextlib
import fnmatch
import io
import re
import runpy
import shlex
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
MARK = "# Expected output:"
HARMLESS = {"git", "pip", "cd"}
"""Commands a page may show that are not run."""


@dataclass(frozen=True)
class Block:
    """One fenced block: its language, its text, the line it starts on."""

    language: str
    text: str
    line: int


def blocks(page: str) -> list[Block]:
    """Return the fenced blocks of a page in order; a text block separated by words from the code is no output."""
    found = []
    for match in re.finditer(r"^```(\w*)[^\n]*\n(.*?)^```$", page, re.MULTILINE | re.DOTALL):
        language = match[1]
        before = page[: match.start()].rstrip()
        if language == "text" and before.endswith("```") and found and found[-1].language == "python":
            language = "output"
        found.append(Block(language, match[2], page[: match.start(2)].count("\n")))
    return found


def same_output(shown: str, printed: str) -> bool:
    """Compare line by line; `...` in a shown line stands for anything, a line of its own for any lines."""
    return _same([line.rstrip() for line in shown.strip().splitlines()],
                 [line.rstrip() for line in printed.strip().splitlines()])  # fmt: skip


def _same(shown: list[str], printed: list[str]) -> bool:
    if not shown:
        return not printed
    if shown[0].strip() == "...":
        return any(_same(shown[1:], printed[skip:]) for skip in range(len(printed) + 1))
    pattern = re.sub(r"([\[*?])", r"[\1]", shown[0]).replace("...", "*")
    return bool(printed) and fnmatch.fnmatchcase(printed[0], pattern) and _same(shown[1:], printed[1:])


def expected_output(example: str) -> str | None:
    """Return what an example says it prints, None where it does not say."""
    head, mark, tail = example.partition(MARK)
    if not mark or not head.endswith("\n"):
        return None
    lines = tail.strip("\n").splitlines()
    return "\n".join(line[2:] for line in lines) if all(line.startswith("#") for line in lines) else None


def run_example(path: Path) -> str:
    """Run an example as a script and return what it printed."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        runpy.run_path(str(path), run_name="__main__")
    return printed.getvalue()


def run_page(page: str, name: str) -> list[str]:
    """Run a page's python and console blocks in the current folder; return complaints about what they printed."""
    faults: list[str] = []
    namespace: dict[str, object] = {"__name__": "__page__"}
    printed = io.StringIO()
    for block in blocks(page):
        where = f"{name}:{block.line}"
        if block.language == "python":
            printed = io.StringIO()
            code = compile("\n" * block.line + block.text, name, "exec")
            with contextlib.redirect_stdout(printed):
                exec(code, namespace)
        elif block.language == "output" and not same_output(block.text, printed.getvalue()):
            faults.append(f"{where} shows\n{block.text}\nbut this was printed:\n{printed.getvalue()}")
        elif block.language == "console":
            faults += _run_console(block.text, where)
    return faults


def _run_console(text: str, where: str) -> list[str]:
    faults = []
    for entry in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, shown = entry.partition("\n")
        words = shlex.split(command, comments=True)
        if words[0] == "lastseen":
            status, printed = run_command(words[1:])
            if status != 0:
                faults.append(f"{where}: `{command}` ended with {status}:\n{printed}")
            elif shown.strip() and not same_output(shown, _kept(printed)):
                faults.append(f"{where}: `{command}` shows\n{shown}\nbut this was printed:\n{printed}")
        else:
            faults += [f"{where}: {fault}" for fault in _unknown(words)]
    return faults


def _kept(printed: str) -> str:
    """Return what a command prints on any machine: without the notice of a first use."""
    return "".join(line for line in printed.splitlines(keepends=True) if not line.startswith("compiling kernel"))


def run_command(arguments: list[str]) -> tuple[int, str]:
    """Run `lastseen` in this process; return its exit status and what it printed."""
    from lastseen.__main__ import main

    printed, before = io.StringIO(), sys.argv
    sys.argv = ["lastseen", *arguments]
    try:
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
            main()
    except SystemExit as end:
        return (end.code if isinstance(end.code, int) else 1 if end.code else 0), printed.getvalue()
    finally:
        sys.argv = before
    return 0, printed.getvalue()


def _unknown(words: list[str]) -> list[str]:
    """Say what a command that is not run names and we do not have."""
    if words[0] == "make":
        targets = re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
        return [f"make has no target {word!r}" for word in words[1:] if word not in targets and "=" not in word]
    if words[0] in ("python", "python3"):
        return [f"there is no file {word}" for word in words[1:2] if word[0] != "-" and not (ROOT / word).is_file()]
    return [] if words[0] in HARMLESS else [f"`{' '.join(words)}` is not run by the tests; show `lastseen` or `make`"]
