"""Pages of the site that are not files in docs/: the README, tutorials, the API reference, the gallery.

mkdocs loads this file as a hook (see mkdocs.yml); mkdocstrings loads `ProseDocstrings` from it. Everything is read
from the sources when the site is built, so that a new example or public name appears by itself.
"""

from __future__ import annotations

import ast
import posixpath
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from griffe import Class, Extension, Function, Object, Parameter, ParameterKind, Parameters
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "src" / "lastseen"
EXAMPLES = sorted((ROOT / "examples").glob("[0-9]*.py"))
PROJECT = {"README.md": "index.md"} | {
    f"{name}.md": f"{name.lower()}.md" for name in ("ARCHITECTURE", "CONTRIBUTING", "CHANGELOG")
}
"""Pages at the root of the repository, and where the site has them."""

_FENCED = re.compile(r"^( *)```.*?^\1```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"""(?<=\]\()[^)\s]+|(?<=\ssrc=")[^"]+|(?<=\shref=")[^"]+""")
_CODE_NAME = re.compile(r"(?<![\[`\w])`([A-Z]\w+|[a-z]+_\w+)`(?![\]`\w])")
_ITEM = re.compile(r"^(\*{0,2}\w+(?:, \*{0,2}\w+)*) : (.*)$")


# Public names.


@cache
def namespaces() -> dict[str, tuple[str, ...]]:
    """Return the public names of `lastseen` and of each of its namespaces, sorted; none of them is imported."""
    top = _exported(PACKAGE / "__init__.pyi")
    spaces = [name for name in top if (PACKAGE / name).is_dir() or (PACKAGE / f"{name}.py").is_file()]
    found = {"lastseen": tuple(name for name in top if name not in spaces)}
    for space in spaces:
        stub = PACKAGE / space / "__init__.pyi"
        found[f"lastseen.{space}"] = tuple(_exported(stub if stub.is_file() else PACKAGE / f"{space}.py"))
    return found


def _exported(path: Path) -> list[str]:
    """Return what `__all__` of a module lists, or what a stub imports under its own name."""
    names: list[str] = []
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if path.suffix == ".pyi" and isinstance(node, ast.ImportFrom):
            names += [one.asname for one in node.names if one.asname]
        elif isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            names += ast.literal_eval(node.value)
    return sorted(names, key=str.casefold)


@cache
def homes() -> dict[str, str]:
    """Return the namespace that documents each public name: the most special one that has it."""
    return {name: space for space, names in namespaces().items() for name in names}


def linked_names(text: str) -> str:
    """Turn a public name that prose shows as code into a link to its entry in the reference.

    Names of one small word are left alone: `run` or `preset` may as well be an argument.
    """

    def link(found: re.Match[str]) -> str:
        name = found[1]
        return f"[`{name}`][{homes()[name]}.{name}]" if name in homes() else found[0]

    return _outside_code(text, lambda prose: _CODE_NAME.sub(link, prose))


def _outside_code(text: str, change: Callable[[str], str]) -> str:
    pieces, end = [], 0
    for block in _FENCED.finditer(text):
        pieces += [change(text[end : block.start()]), block[0]]
        end = block.end()
    return "".join([*pieces, change(text[end:])])


# Pages.


def pages() -> dict[str, str]:
    """Return the text of every page that is not a file in docs/, by its path in the site."""
    made = {place: (ROOT / name).read_text(encoding="utf-8") for name, place in PROJECT.items()}
    made |= {f"tutorials/{path.stem}.md": tutorial(path.read_text(encoding="utf-8"), path) for path in EXAMPLES}
    made["tutorials/index.md"] = _tutorials()
    made |= {f"api/{_short(space)}.md": reference(space) for space in namespaces()}
    made["gallery.md"] = _gallery()
    return made


def tutorial(code: str, path: Path) -> str:
    """Return an example as a page: what it shows, its code, and what it prints."""
    code, _, printed = code.partition("\n# Expected output:\n")
    docstring = ast.get_docstring(ast.parse(code)) or ""
    code = code.split('"""', 2)[2].strip()
    output = "\n".join(line.removeprefix("#").removeprefix(" ") for line in printed.splitlines())
    return (
        f"# {_title(path)}\n\n{docstring}\n\n```python\n{code}\n```\n\n"
        f"`python examples/{path.name}` prints:\n\n```text\n{output.strip()}\n```\n"
    )


def _title(path: Path) -> str:
    number, _, words = path.stem.partition("_")
    return f"{int(number)}. {words.replace('_', ' ').capitalize()}"


def _tutorials() -> str:
    lines = [
        "# Tutorials",
        "",
        "Each example shows one idea and runs as it is.",
    ]
    for path in EXAMPLES:
        docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
        lines += ["", f"**[{_title(path)}]({path.stem}.md)**  \n{docstring}"]
    return "\n".join(lines)


def _short(space: str) -> str:
    return "index" if space == "lastseen" else space.rpartition(".")[2]


def reference(space: str) -> str:
    """Return the page of one namespace; names at the top level are described with their subject."""
    own = [name for name in namespaces()[space] if homes()[name] == space]
    if space != "lastseen":
        return f"# {space}\n\n::: {space}\n    options: {{members: {own}}}\n"
    subjects = [f"- [`{one}`]({_short(one)}.md): {_summary(one)}" for one in namespaces() if one != space]
    others = [f"[`{name}`][{homes()[name]}.{name}]" for name in namespaces()[space] if name not in own]
    lines = ["# lastseen", "", "::: lastseen", "    options: {members: false}", "", "## By subject", "", *subjects]
    lines += [
        "",
        "## At the top level",
        "",
        "Each is described with its subject:",
    ]
    lines += [", ".join(others) + ".", ""]
    for name in own:
        lines += [f"::: lastseen.{name}", "    options: {show_root_heading: true, show_root_toc_entry: true}", ""]
    return "\n".join(lines)


def _summary(space: str) -> str:
    name = space.rpartition(".")[2]
    path = PACKAGE / name / "__init__.py" if (PACKAGE / name).is_dir() else PACKAGE / f"{name}.py"
    return (ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or "").partition("\n")[0]


def _gallery() -> str:
    """Return a page with every picture, described as on the page that shows it."""
    lines = ["# Pictures", "", "`make pictures` draws all of them from the sample levels."]
    shown: dict[str, tuple[str, str]] = {}
    for page in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))):
        for words, target in re.findall(
            r"!\[([^\]]*)\]\((?:docs/)?(pictures/[^)]+)\)", page.read_text(encoding="utf-8")
        ):
            shown.setdefault(target, (words, PROJECT.get(page.name, page.name)))
    for path in sorted((ROOT / "docs" / "pictures").iterdir()):
        words, page = shown.get(f"pictures/{path.name}", (path.stem, "index.md"))
        lines += ["", f"[![{words}](pictures/{path.name})]({page})", "", f"*{words}.*"]
    return "\n".join(lines)


# Links.


def _in_site(path: str) -> str | None:
    """Return where the site has a file or folder of the repository; None where it is a folder the site lacks."""
    if path in PROJECT:
        return PROJECT[path]
    if path == "examples":
        return "tutorials/index.md"
    if re.fullmatch(r"examples/\d\w*\.py", path):
        return f"tutorials/{Path(path).stem}.md"
    if path.startswith("docs/"):
        return path.removeprefix("docs/")
    return None if (ROOT / path).is_dir() else f"files/{path}"


def _in_repository(page: str) -> str:
    """Return the path in the repository that links of a page are relative to."""
    return next((name for name, place in PROJECT.items() if place == page), f"docs/{page}")


def linked_to_site(text: str, page: str, need: Callable[[str, str], None]) -> str:
    """Turn links that hold in the repository into links that hold in the site.

    `need` is called with the path of each file the site must copy, and where to.
    """

    def link(found: re.Match[str]) -> str:
        url = urlsplit(found[0])
        if url.scheme or not url.path:
            return found[0]
        path = posixpath.normpath(posixpath.join(posixpath.dirname(_in_repository(page)), unquote(url.path)))
        if not (ROOT / path).exists():
            return found[0]
        place = _in_site(path)
        if place is None:
            raise PluginError(f"{page} links to the folder {path}, which the site does not have; link to a file")
        if place.startswith("files/"):
            need(path, place)
        return url._replace(path=posixpath.relpath(place, posixpath.dirname(page) or ".")).geturl()

    return _outside_code(text, lambda prose: _LINK.sub(link, prose))


def dead_links(site: Path) -> Iterator[str]:
    """Yield each link of a built page that leads nowhere, and each file a page would fetch from elsewhere."""
    texts = {path.resolve(): path.read_text(encoding="utf-8") for path in sorted(site.rglob("*.html"))}
    anchors = {path: set(re.findall(r'\sid="([^"]+)"', text)) for path, text in texts.items()}
    for path, text in texts.items():
        for tag, attribute, address in re.findall(r'<(\w+)\b[^>]*?\s(href|src)="([^"]*)"', text):
            url = urlsplit(address.replace("&amp;", "&"))
            folder = site if url.path.startswith("/") else path.parent  # the page for errors is served anywhere
            target = (folder / unquote(url.path).lstrip("/")).resolve() if url.path else path
            if url.scheme or url.netloc:
                if tag != "a" and url.scheme != "data":
                    yield f"{path.relative_to(site)} fetches {address}"
            elif target.is_dir() or not target.exists():
                yield f"{path.relative_to(site)}: {attribute} {address} leads nowhere"
            elif url.fragment and target in anchors and unquote(url.fragment) not in anchors[target] | {"__skip"}:
                yield f"{path.relative_to(site)}: {address} names no place on that page"


# Events of mkdocs.


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Write out the stars of the navigation."""
    made = list(pages())
    for entry in config.nav:
        for title, value in entry.items():
            listed = [value] if isinstance(value, str) else value
            if any(isinstance(one, str) and one.endswith("/*") for one in listed):
                entry[title] = _starless(listed, made)
    return config


def _starless(listed: list[str], made: list[str]) -> list[str]:
    """Write out the stars of one list, its index first; pages listed by name stay where they are."""
    found: list[str] = []
    for one in listed:
        pages_of = [page for page in made if page.startswith(one[:-1])] if one.endswith("/*") else [one]
        found += [page for page in pages_of if page not in listed or page == one]
    return sorted(found, key=lambda page: not page.endswith("/index.md"))


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that are made."""
    for place, text in pages().items():
        files.append(File.generated(config, place, content=text))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Make links hold in the site, and names link to the reference."""

    def need(path: str, place: str) -> None:
        if files.get_file_from_path(place) is None:
            files.append(File.generated(config, place, abs_src_path=str(ROOT / path)))

    uri = page.file.src_uri
    page.meta["hide"] = ["navigation"] if uri in ("index.md", "gallery.md") else ["toc"] * uri.startswith("tutorials/")
    written = uri in PROJECT.values() or page.file.generated_by is None
    return linked_names(linked_to_site(markdown, uri, need) if written else markdown)


def on_post_build(config: MkDocsConfig) -> None:
    """Fail where a link of the finished site is dead."""
    if faults := list(dead_links(Path(config.site_dir).resolve())):
        raise PluginError("\n".join(faults))


# Docstrings.


class ProseDocstrings(Extension):
    """Read our sections: `name : text` is a name and its description; the type is in the annotation."""

    def on_instance(self, *, obj: Object, **_: Any) -> None:
        """Rewrite the docstring of an object before it is parsed."""
        if obj.docstring is not None and not obj.is_alias:
            obj.docstring.value = prose_sections(obj.docstring.value)

    def on_class_members(self, *, node: ast.ClassDef, cls: Class, **_: Any) -> None:
        """Name the members of an enumeration, and show how a struct is constructed."""
        bases = [str(base).rpartition(".")[2] for base in cls.bases]
        if cls.docstring is not None and any(base.endswith(("Enum", "Flag")) for base in bases):
            names = [f"`{name}`" for name, member in cls.members.items() if member.is_attribute and name.isupper()]
            cls.docstring.value += f"\n\nMembers: {', '.join(names)}."
        elif bases == ["Struct"]:
            _add_constructor(cls, any(one.arg == "kw_only" for one in node.keywords))


def _add_constructor(cls: Class, kw_only: bool) -> None:
    """Add the `__init__` that msgspec makes of the fields; griffe knows only that of dataclasses."""
    kind = ParameterKind.keyword_only if kw_only else ParameterKind.positional_or_keyword
    fields = [
        Parameter(name, annotation=member.annotation, kind=kind, default=member.value)
        for name, member in cls.members.items()
        if member.is_attribute and member.annotation and "ClassVar" not in str(member.annotation)
    ]
    itself = Parameter("self", kind=ParameterKind.positional_or_keyword)
    cls.set_member("__init__", Function("__init__", parameters=Parameters(itself, *fields), parent=cls))


def prose_sections(docstring: str) -> str:
    """Return a docstring as the numpy style wants it: descriptions on lines of their own."""
    lines, section = docstring.splitlines(), ""
    written: list[str] = []
    for number, line in enumerate(lines):
        if number + 1 < len(lines) and re.fullmatch(r"-{3,}", lines[number + 1]):
            section = line
        elif section in ("Attributes", "Parameters") and (item := _ITEM.match(line)):
            written += [item[1], f"    {item[2]}"]
            continue
        elif section == "Returns" and line and not re.fullmatch("-+", line):
            written += [":"] * written[-1].startswith("---") + [f"    {line}"]
            continue
        written.append(line)
    return linked_names("\n".join(written))
