"""The site `make docs` builds: every public name and example has its place, and no link is dead."""

import os
import re
import subprocess
import sys

import pytest
import yaml
from tools import docs_site

from guards import ROOT
from public_names import PUBLIC, SPACES


def test_the_site_builds_without_warnings_and_describes_every_public_name(tmp_path):
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path)]
    quiet = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, env=quiet, check=False)
    assert done.returncode == 0, done.stdout + done.stderr

    pages = {path.stem: path.read_text(encoding="utf-8") for path in (tmp_path / "api").glob("*.html")}
    assert set(pages) == {"index", *SPACES}
    assert [name for name in PUBLIC if "<p>" not in entry(pages, name)] == []
    assert "heat of a cell when it is reached" in entry(pages, "ChaseSettings")
    assert "tier" in entry(pages, "Rule").partition("<p>")[0], "structs show their constructor"
    assert "<code>RUNNING</code>" in entry(pages, "Status")
    assert len(list((tmp_path / "tutorials").glob("[0-9]*.html"))) == len(docs_site.EXAMPLES) >= 12


def entry(pages: dict[str, str], name: str) -> str:
    """Return what the reference says about a name, without its members; empty where it has no entry."""
    space = docs_site.homes()[name]
    page = pages[space.partition(".")[2] or "index"]
    text = page.partition(f' id="{space}.{name}"')[2]
    return re.split('<div class="doc doc-object |<footer', text)[0]


def test_the_reference_has_the_names_that_are_public():
    assert set(docs_site.homes()) == set(PUBLIC)
    assert set(docs_site.namespaces()) == {"lastseen", *(f"lastseen.{space}" for space in SPACES)}


def test_every_guide_is_in_the_navigation():
    text = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    listed = set(re.findall(r"[\w-]+\.md", str(yaml.safe_load(text)["nav"])))
    assert {path.name for path in (ROOT / "docs").glob("*.md")} <= listed


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ('<a href="absent.html">x</a>', "index.html: href absent.html leads nowhere"),
        ('<img src="absent.png">', "index.html: src absent.png leads nowhere"),
        ('<a href="other.html#absent">x</a>', "index.html: other.html#absent names no place on that page"),
        ('<a href="#absent">x</a>', "index.html: #absent names no place on that page"),
        ('<script src="https://example.org/x.js"></script>', "index.html fetches https://example.org/x.js"),
        ('<a href="other.html#here">x</a><a href="/other.html">x</a><a href="https://example.org">x</a>', None),
    ],
)
def test_a_dead_link_is_caught(tmp_path, body, fault):
    (tmp_path / "index.html").write_text(body)
    (tmp_path / "other.html").write_text('<h2 id="here">x</h2>')
    assert list(docs_site.dead_links(tmp_path)) == ([fault] if fault else [])


@pytest.mark.parametrize(
    ("page", "text", "in_site"),
    [
        ("index.md", "[x](docs/cells.md#file)", "[x](cells.md#file)"),
        ("index.md", '<img src="docs/pictures/warehouse.png">', '<img src="pictures/warehouse.png">'),
        ("cells.md", "[x](../README.md), [x](layers.md)", "[x](index.md), [x](layers.md)"),
        ("cells.md", "[x](../ARCHITECTURE.md#invariants)", "[x](architecture.md#invariants)"),
        ("index.md", "[x](examples)", "[x](tutorials/index.md)"),
        ("cells.md", "[x](../examples/03_cells.py)", "[x](tutorials/03_cells.md)"),
        ("cells.md", "[x](absent.md) [x](#here)", "[x](absent.md) [x](#here)"),
        ("index.md", "```\n[x](docs/cells.md)\n```", "```\n[x](docs/cells.md)\n```"),
    ],
)
def test_links_of_the_repository_become_links_of_the_site(page, text, in_site):
    assert docs_site.linked_to_site(text, page, need=None) == in_site


def test_a_file_the_site_lacks_is_copied():
    needed = []
    text = docs_site.linked_to_site("[x](../LICENSE)", "cells.md", lambda *paths: needed.append(paths))
    assert text == "[x](files/LICENSE)"
    assert needed == [("LICENSE", "files/LICENSE")]


def test_names_in_prose_link_to_the_reference():
    assert docs_site.linked_names("A `Chase`; `Nothing`.") == "A [`Chase`][lastseen.chase.Chase]; `Nothing`."
    assert docs_site.linked_names("`find_path` `run`") == "[`find_path`][lastseen.navmesh.find_path] `run`"
    assert docs_site.linked_names("[`Chase`](x.md)\n\n```\n`Chase`\n```") == "[`Chase`](x.md)\n\n```\n`Chase`\n```"


def test_descriptions_get_lines_of_their_own():
    written = "Do.\n\nParameters\n----------\na, b : one\n    two.\n\nReturns\n-------\n(n,) bool, so\nfar."
    read = "Do.\n\nParameters\n----------\na, b\n    one\n    two.\n\nReturns\n-------\n:\n    (n,) bool, so\n    far."
    assert docs_site.prose_sections(written) == read
