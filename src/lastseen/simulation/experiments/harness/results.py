"""Results of a sweep: a folder of Parquet files that grows only by complete files.

`sweep.parquet` has no rows; its metadata describe the sweep, so that the folder holds Parquet files only and pandas,
polars and DuckDB read it as one table. Each `part-….parquet` holds finished tasks; it is written under a temporary name
outside the folder and renamed, so a reader, or a sweep resumed after a kill, sees complete parts only. Only one process
writes at a time.
"""

from __future__ import annotations

import glob
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from ....checks import file_path
from ....errors import InputError
from ....textfile import digest_of
from .experiment import Answer, Experiment, Task
from .parameters import Parameter, Value, text_of_value

MANIFEST = "sweep.parquet"
TOOK = "took_seconds"
FORM = 2
_KEY = "lastseen.sweep"
_LOCK, _PREFIX, _SUFFIX, _TEMPORARY = ".lock", "part-", ".parquet", ".writing-"
_SQL = {"number": "DOUBLE", "whole": "BIGINT", "yes": "BOOLEAN"}


class Manifest(msgspec.Struct, frozen=True):
    """Description of a folder of results."""

    form: int
    lastseen: str
    evaluate: str
    name: str
    about: str
    tasks: int
    swept: list[str]


def extra_missing(package: str, error: ImportError) -> InputError:
    """Return the error for a missing package that only sweeps need."""
    return InputError(
        f"sweeps need the package {package!r}, which is missing ({error}); install it: pip install 'lastseen[sweep]'"
    )


def _connected() -> Any:
    try:
        import duckdb
    except ImportError as error:
        raise extra_missing("duckdb", error) from None
    return duckdb.connect(config={"threads": 1})


@contextmanager
def open_results(folder: str | os.PathLike[str], manifest: Manifest, experiment: Experiment) -> Iterator[Results]:
    """Open a folder for writing, creating it if necessary; while it is open, no other process may write to it.

    Its contents do not change before `Results.begin`, so a sweep refused until then leaves it untouched.

    Raises
    ------
    InputError
        The folder holds results of another sweep or version, is in use, or cannot be written.
    """
    path = Path(file_path(folder, "folder"))
    _require_same(path, manifest)
    try:
        path.mkdir(exist_ok=True)
        lock = (path / _LOCK).open("a+b")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise InputError(
            f"cannot store results in {str(folder)!r}: {reason}; name a folder whose parent exists"
        ) from None
    with lock:
        if not _locked(lock):
            raise InputError(f"another sweep is writing to {str(folder)!r}; wait for it, or name another folder")
        _require_same(path, manifest)
        yield Results(path, experiment)


def _locked(file: Any) -> bool:
    """Lock a folder; the lock ends with the process, however that ends."""
    try:
        if os.name == "nt":
            import msvcrt

            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _require_same(path: Path, manifest: Manifest) -> None:
    if not (path / MANIFEST).exists():
        if others := [one.name for one in path.glob("[!._]*")]:
            what = f"{str(path)!r} contains {min(others)!r} but no {MANIFEST}"
            raise InputError(f"{what}; name a new or empty folder, so that all of it can be read as one table")
        return
    there = read_manifest(path)
    if there.evaluate != manifest.evaluate:
        raise InputError(
            f"{str(path)!r} holds results of {there.evaluate}, not {manifest.evaluate}; name another folder"
        )
    if there.lastseen != manifest.lastseen:
        raise InputError(
            f"{str(path)!r} holds results of lastseen {there.lastseen}, whose numbers may differ from those of "
            f"{manifest.lastseen}; name another folder"
        )


def read_manifest(folder: str | os.PathLike[str]) -> Manifest:
    """Return the description of a folder of results."""
    path = Path(file_path(folder, "folder")) / MANIFEST
    wrong = f"{str(folder)!r} is not a folder of sweep results: "
    if not path.is_file():
        raise InputError(f"{wrong}it has no {MANIFEST}; give one that `lastseen sweep FILE -o DIR` wrote")
    try:
        pairs = _connected().execute(f"SELECT key, value FROM parquet_kv_metadata({_literal(path)})").fetchall()
        found = msgspec.json.decode(dict(pairs)[_KEY.encode()], type=Manifest)
    except KeyError:
        raise InputError(f"{wrong}{MANIFEST} was not written by lastseen") from None
    except InputError:
        raise
    except Exception as error:
        raise InputError(f"{wrong}{MANIFEST}: {str(error).splitlines()[0]}") from None
    if found.form != FORM:
        raise InputError(
            f"{str(folder)!r}: {MANIFEST} has another version (form {found.form}); run the sweep again in a new folder"
        )
    return found


class Results:
    """The rows of a folder.

    Attributes
    ----------
    columns : name and SQL type of every column: task, level, seed, parameters, measures, error, took_seconds.
    """

    def __init__(self, folder: str | os.PathLike[str], experiment: Experiment):
        self.folder, self._experiment = Path(folder), experiment
        whole = self.folder.resolve()
        self._temporary = whole.parent / f".{whole.name}{_TEMPORARY}"
        self.columns = _columns(experiment)
        self._database = _connected()

    def begin(self, manifest: Manifest) -> None:
        """Write the description of the sweep, and remove incomplete files."""
        for left in self._temporary.parent.glob(f"{glob.escape(self._temporary.name)}*"):
            left.unlink(missing_ok=True)
        about = _literal(msgspec.json.encode(manifest).decode())
        self._copy([], self.folder / MANIFEST, f"FORMAT parquet, KV_METADATA {{{_quoted(_KEY)}: {about}}}")

    def parts(self) -> list[Path]:
        """Return the existing parts."""
        return sorted(self.folder.glob(f"{_PREFIX}*{_SUFFIX}"))

    def done(self) -> dict[str, str]:
        """Return the error, empty if none, of every finished task, by key."""
        return {str(row["task"]): str(row["error"] or "") for row in self.rows(("task", "error"))}

    def rows(self, columns: Iterable[str] | None = None) -> list[dict[str, Any]]:
        """Return all rows, or some of their columns, in an order independent of how the tasks were run."""
        names = list(self.columns if columns is None else columns)
        order = ["task", self._experiment.subject] if self._experiment.subject else ["task"]
        found: list[dict[str, Any]] = []
        chosen, sorting = (", ".join(map(_quoted, each)) for each in (names, order))
        for part in self.parts():
            try:
                query = f"SELECT {chosen} FROM read_parquet({_literal(part)}) ORDER BY {sorting}"
                found += [dict(zip(names, row)) for row in self._database.execute(query).fetchall()]
            except Exception as error:
                reason = str(error).splitlines()[0]
                raise InputError(
                    f"{part} cannot be read: {reason}; move it away and run the sweep again to redo its tasks"
                ) from None
        if "task" in names:
            found.sort(key=lambda row: row["task"])
        return found

    def add(self, tasks: Mapping[str, Task], answers: Iterable[Answer]) -> Path:
        """Write finished tasks as a new part, atomically."""
        rows = [row for answer in answers for row in rows_of(self._experiment, tasks[answer.key], answer)]
        keys = sorted({str(row["task"]) for row in rows})
        return self._copy(rows, self.folder / f"{_PREFIX}{digest_of(''.join(keys).encode())[:16]}{_SUFFIX}")

    def without_failed(self) -> None:
        """Remove the rows of failed tasks from all parts, so that they count as missing."""
        for part in self.parts():
            query = f"SELECT * FROM read_parquet({_literal(part)})"
            names = [column[0] for column in self._database.execute(query).description]
            rows = [dict(zip(names, row)) for row in self._database.fetchall()]
            sound = [row for row in rows if not row["error"]]
            if not sound:
                part.unlink()
            elif len(sound) < len(rows):
                self._copy(sound, part)

    def _copy(self, rows: list[dict[str, Any]], target: Path, options: str = "FORMAT parquet") -> Path:
        """Write rows through a file of JSON lines, DuckDB's shortest input path without further packages."""
        lines, finished = (Path(f"{self._temporary}{target.stem}{suffix}") for suffix in (".json", _SUFFIX))
        columns = ", ".join(f"{_literal(name)}: '{kind}'" for name, kind in self.columns.items())
        query = (
            f"COPY (SELECT * FROM read_json({_literal(lines)}, format='newline_delimited', columns={{{columns}}})) "
            f"TO {_literal(finished)} ({options})"
        )
        try:
            lines.write_text("".join(json.dumps(row, allow_nan=False) + "\n" for row in rows), encoding="utf-8")
            self._database.execute(query)
            with finished.open("rb") as file:
                os.fsync(file.fileno())
            finished.replace(target)
        except OSError as error:
            raise InputError(f"cannot write {str(target)!r}: {error.strerror or error}; free some space") from None
        finally:
            lines.unlink(missing_ok=True)
            finished.unlink(missing_ok=True)
        return target


def _columns(experiment: Experiment) -> dict[str, str]:
    return {
        "task": "VARCHAR",
        "level": "VARCHAR",
        "seed": "BIGINT",
        **{name: _SQL.get(one.kind, "VARCHAR") for name, one in experiment.parameters.items()},
        **experiment.columns,
        "error": "VARCHAR",
        TOOK: "DOUBLE",
    }


def rows_of(experiment: Experiment, task: Task, answer: Answer) -> Iterator[dict[str, Any]]:
    """Yield the rows of a finished task, with every column."""
    head: dict[str, Any] = {"task": task.key, "level": task.level, "seed": task.seed}
    head |= {name: _stored(parameter, task.values[name]) for name, parameter in experiment.parameters.items()}
    tail = {"error": answer.error, TOOK: round(answer.seconds, 6)}
    for row in answer.rows or [{}]:
        yield dict.fromkeys(_columns(experiment)) | head | row | tail


def _stored(parameter: Parameter, value: Value) -> Any:
    """Return a value as stored in its column; lists become text."""
    return text_of_value(value) if parameter.kind not in _SQL and value is not None else value


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _literal(text: object) -> str:
    return "'" + str(text).replace("'", "''") + "'"


def digest_of_rows(rows: Iterable[Mapping[str, Any]]) -> str:
    """Return one digest of all results, independent of the order in which tasks were run, and where."""
    lines = (json.dumps({name: value for name, value in row.items() if name != TOOK}, sort_keys=True) for row in rows)
    return digest_of("\n".join(sorted(lines)).encode())[:32]
