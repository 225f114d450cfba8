"""Rules: evaluations against a limit and against the same layout in C, loading a pack, and other engines."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from lastseen.agents.rules.engine.compile import CompiledHandler, compile_handler
from lastseen.agents.rules.engine.engine import Engine
from lastseen.agents.rules.engine.pack import open_rules
from lastseen.agents.rules.files.read import parse_rules, read_rules
from lastseen.agents.rules.language.rule import Database
from lastseen.conventions import Array, Floats
from lastseen.rng import generator

from .harness import Comparison
from .peers import packages
from .rule_peers import Peer, makers
from .rule_sets import GANGS, TRIGGERS, handler, variables

SOURCE = Path(__file__).with_name("rules.c")
EVALUATIONS, QUERIES = 1000, 200


def comparisons() -> Iterator[Comparison | str]:
    yield from _hundred_rules()
    yield from _thousand_rules()
    yield from _whole_database()


def database_of(count: int, seed: int = 3) -> Database:
    """A database of one handler with so many rules."""
    random = generator(seed, "bench rules")
    return parse_rules(
        _json({"variables": variables(), "handlers": {"barks": handler(random, "barks", count)}}), "json"
    )


def _json(value: Any) -> str:
    import json

    return json.dumps(value)


def facts_of(count: int, seed: int) -> list[dict[str, Any]]:
    """Facts of so many speakers: every variable has a value."""
    random = generator(seed, "bench facts")
    found = []
    for _ in range(count):
        one: dict[str, Any] = {"bark.trigger": str(random.choice(TRIGGERS)), "npc.gang": str(random.choice(GANGS))}
        for path in variables():
            if ".flag_" in path:
                one[path] = bool(random.integers(2))
            elif ".count_" in path:
                one[path] = int(random.integers(10))
            elif ".number_" in path:
                one[path] = float(random.random())
        found.append(one)
    return found


def _hundred_rules() -> Iterator[Comparison | str]:
    engine = Engine(compile_handler(database_of(100), "barks"))
    sets = [engine.encode_many(facts_of(EVALUATIONS, seed)) for seed in range(4)]

    def ours(number: int) -> object:
        return engine.match_many(sets[number % len(sets)])

    yield Comparison("rules: 1,000 evaluations of 100 rules", ours, None, 0.64e-3)
    peer = _in_c(engine.handler)
    if isinstance(peer, str):
        yield peer
        return
    for each in sets:
        assert (peer(each) == engine.match_many(each)).all()
    yield Comparison(
        "rules: 1,000 evaluations of 100 rules, in C", ours, lambda number: peer(sets[number % len(sets)]), 1.5, "C"
    )


def _in_c(compiled: CompiledHandler) -> Any:
    """Return a function like `match_many` compiled from rules.c, or why there is none."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        return "rules against C: there is no C compiler"
    library = Path(tempfile.mkdtemp(prefix="lastseen-bench-")) / "rules.so"
    command = [compiler, "-O3", "-march=native", "-shared", "-fPIC", "-o", str(library), str(SOURCE), "-lm"]
    subprocess.run(command, check=True, capture_output=True)
    match = ctypes.CDLL(str(library)).match_many
    words = compiled.rows.shape[1]
    allowed = np.full(words, ~np.uint64(0))

    def pointer(array: Array) -> ctypes.c_void_p:
        return ctypes.c_void_p(array.ctypes.data)

    tables = [pointer(each) for each in (compiled.cut_start, compiled.cuts, compiled.row_start, compiled.rows)]

    def run(facts: Floats) -> Array:
        found = np.empty(len(facts), np.int32)
        match(*tables, ctypes.c_long(words), ctypes.c_long(facts.shape[1]), pointer(allowed), pointer(facts),
              ctypes.c_long(len(facts)), pointer(found))  # fmt: skip
        return found

    return run


def _thousand_rules() -> Iterator[Comparison | str]:
    database = database_of(1000)
    engine = Engine(compile_handler(database, "barks"))
    facts = facts_of(QUERIES, 7)

    def ours(_: int) -> object:
        # The resolver is a function of Python, asked for each variable that some rule still needs.
        return [engine.evaluate(lambda path, one=one: one[path]) for one in facts]  # type: ignore[misc]

    yield Comparison("rules: a query of 1,000 with lazy variables", ours, None, 20e-6, items=QUERIES)
    few = database_of(100)  # for half of these facts none of them holds
    for package, make in makers().items():
        reason = packages.why_not(package, packages.RULE_ENGINES[package])
        if reason:
            yield f"rules against other engines: {reason}"
            continue
        _check_answers(make(few, compile_handler(few, "barks")), few, facts, package)
        peer = make(database, engine.handler)
        _check_answers(peer, database, facts, package)
        prepared = [peer.prepare(one) for one in facts]
        yield Comparison(
            f"rules: a query of 1,000 against {package}", ours,
            lambda _, peer=peer, prepared=prepared: [peer.ask(one) for one in prepared],
            1.0, packages.titled(package), items=QUERIES, peer_items=QUERIES, rounds=5,
        )  # fmt: skip


def _check_answers(peer: Peer, database: Database, facts: list[dict[str, Any]], package: str) -> None:
    """Are these the answers we give? An engine that gives others is not timed: the benchmark ends here."""
    engine = Engine(compile_handler(database, "barks"))
    expected = engine.match_many(engine.encode_many(facts)).tolist()
    for one, number in zip(facts, expected):
        answer = peer.ask(peer.prepare(one))
        assert answer == number, f"{package} says rule {answer}, we say {number}, of {one}"


def _whole_database() -> Iterator[Comparison | str]:
    from .rule_sets import write_database

    folder = Path(tempfile.mkdtemp(prefix="lastseen-bench-"))
    write_database(folder)
    database = read_rules(folder)
    assert sum(len(each.rules) for each in database.handlers.values()) == 6028
    open_rules(folder)

    def load(_: int) -> object:
        pack = open_rules(folder)
        return [pack.compiled(name) for name in pack.handlers]

    yield Comparison("rules: load 6,028 from their pack", load, None, 20e-3)

    def compile_all(_: int) -> object:
        return [compile_handler(database, name) for name in database.handlers]

    yield Comparison("rules: compile 6,028", compile_all, None, 0.5, rounds=5)
