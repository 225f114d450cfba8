"""The same rules in one file of another form: everything files hold but comments."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from ...checks import file_path
from ...errors import RuleError
from ...files import atomic_write
from ...textfile import FORMS, Document, TextFileError, parse
from .read import MOST_BYTES, read_documents
from .toml_text import toml_text, without_nothing
from .yaml_text import block_text, flow_text

__all__ = ["convert_rules", "rules_text", "together"]

GROUPS = ("variables", "handlers", "lines")


def convert_rules(paths: Iterable[str | os.PathLike[str]], output: str | os.PathLike[str]) -> None:
    """Write what rule files and folders hold to one .yaml, .toml or .json file, whole or not at all.

    Raises
    ------
    RuleFileError
        Anything is wrong with the rules.
    RuleError
        The ending of the name tells no form, the form cannot hold these rules, or the file would stand in a folder it
        is made of, which would then hold everything twice.
    """
    name = file_path(output)
    form = FORMS.get(Path(name).suffix.lower())
    if form is None:
        raise RuleError(f"{name} has no ending that says how to write; name it .yaml, .toml or .json")
    paths = list(paths)
    for folder in (Path(file_path(path)) for path in paths):
        if folder.is_dir() and Path(name).resolve().is_relative_to(folder.resolve()):
            what = f"{name} would stand in {folder}, which it is made of: all rules would be there twice"
            raise RuleError(f"{what}; write it to another folder")
    documents = read_documents(*paths)[1]
    atomic_write(name, rules_text(together(documents), form).encode())


def together(documents: Iterable[Document]) -> dict[str, Any]:
    """Return what sound rule files hold as if it stood in one; no two hold the same name."""
    found: dict[str, Any] = {}
    for document in documents:
        for group in GROUPS:
            if group in document.value:
                found.setdefault(group, {}).update(document.value[group])
    return {group: found[group] for group in GROUPS if group in found}


def rules_text(plain: Mapping[str, Any], form: str) -> str:
    """Return what a rule file holds as text of a form; it is read again to be sure that it says the same.

    In TOML, keys of rules and variables that hold nothing (null) are left out.

    Raises
    ------
    RuleError
        The form cannot hold it, or it is too much for one file.
    """
    if form == "toml":
        plain = without_nothing(plain)
    text = _WRITERS[form](plain)
    if len(text.encode()) > MOST_BYTES:
        raise RuleError(f"these rules are more than {MOST_BYTES} bytes as {form.upper()}; convert fewer files at once")
    try:
        same = parse(text, form).value == plain
    except TextFileError as error:
        raise RuleError(f"these rules cannot be written as {form.upper()}: {error.what}") from None
    if not same:
        raise RuleError(f"these rules cannot be written as {form.upper()} without loss; choose another form")
    return text


def _yaml_text(plain: Mapping[str, Any]) -> str:
    """Return YAML with one key of a rule a line."""
    pieces = []
    for group, held in plain.items():
        if not held:
            pieces.append(f"{group}: {{}}")
        elif group != "handlers":
            pieces.append(f"{group}:\n  {block_text(held, 2)}")
        else:
            pieces.append("handlers:")
            # The key is quoted where it must be by writing it with an empty value.
            pieces += [
                f"  {flow_text({name: 0})[1:-1].removesuffix(' 0')}\n    {block_text(handler, 4, 3)}"
                for name, handler in held.items()
            ]
    return "\n".join(pieces or ["{}"]) + "\n"


def _json_text(plain: Mapping[str, Any]) -> str:
    return json.dumps(plain, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


_WRITERS = {"yaml": _yaml_text, "toml": toml_text, "json": _json_text}
