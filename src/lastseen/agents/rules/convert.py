"""Conversion of rule files between formats, without comments."""

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
    """Write the contents of rule files and folders to one .yaml, .toml or .json file, atomically.

    Raises
    ------
    RuleFileError
        The rules have faults.
    RuleError
        The file extension is unknown, the format cannot represent these rules, or the output would lie in one of the
        input folders, which would then hold every rule twice.
    """
    name = file_path(output)
    form = FORMS.get(Path(name).suffix.lower())
    if form is None:
        raise RuleError(f"{name} has an unknown file extension; use .yaml, .toml or .json")
    paths = list(paths)
    for folder in (Path(file_path(path)) for path in paths):
        if folder.is_dir() and Path(name).resolve().is_relative_to(folder.resolve()):
            what = f"{name} lies in the input folder {folder}, which would then hold all rules twice"
            raise RuleError(f"{what}; write it to another folder")
    documents = read_documents(*paths)[1]
    atomic_write(name, rules_text(together(documents), form).encode())


def together(documents: Iterable[Document]) -> dict[str, Any]:
    """Merge the contents of valid rule files into one document; no name may occur twice."""
    found: dict[str, Any] = {}
    for document in documents:
        for group in GROUPS:
            if group in document.value:
                found.setdefault(group, {}).update(document.value[group])
    return {group: found[group] for group in GROUPS if group in found}


def rules_text(plain: Mapping[str, Any], form: str) -> str:
    """Return a rule file's contents as text in the given format, verified by parsing it back.

    In TOML, null keys of rules and variables are left out.

    Raises
    ------
    RuleError
        The format cannot represent it, or it is too large for one file.
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
        raise RuleError(f"these rules cannot be written as {form.upper()} without loss; choose another format")
    return text


def _yaml_text(plain: Mapping[str, Any]) -> str:
    """Return YAML with one line per key of a rule."""
    pieces = []
    for group, held in plain.items():
        if not held:
            pieces.append(f"{group}: {{}}")
        elif group != "handlers":
            pieces.append(f"{group}:\n  {block_text(held, 2)}")
        else:
            pieces.append("handlers:")
            # Writing the key with an empty value quotes it where necessary.
            pieces += [
                f"  {flow_text({name: 0})[1:-1].removesuffix(' 0')}\n    {block_text(handler, 4, 3)}"
                for name, handler in held.items()
            ]
    return "\n".join(pieces or ["{}"]) + "\n"


def _json_text(plain: Mapping[str, Any]) -> str:
    return json.dumps(plain, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


_WRITERS = {"yaml": _yaml_text, "toml": toml_text, "json": _json_text}
