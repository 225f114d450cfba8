"""`lastseen why RECORDING --agent A --at T`: explain what an agent did."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ..app.options import json_option
from ..app.outputs import echo_json

if TYPE_CHECKING:
    from ....simulation.replay.account import Account
    from ....vocabulary.events import AnyEvent
    from ...prose.sentences import Sentences

_SIGNS = {"idle": " ", "running": "▶", "success": "✓", "failure": "✗"}


@click.command("why", short_help="Explain why an agent did what it did.")
@click.argument("recording", metavar="RECORDING")
@click.option("--agent", metavar="NAME", required=True, help="Agent to explain.")
@click.option(
    "--at", "seconds", type=float, metavar="S", help="Moment to explain, in seconds from the start.  [the end]"
)
@click.option("--all", "whole", is_flag=True, help="Print the whole tree, not only the nodes that were reached.")
@json_option
def command(recording: str, agent: str, seconds: float | None, whole: bool, as_json: bool) -> None:
    """Explain what an agent was doing at a moment of RECORDING: its state, its tree with reasons, what it knew and saw,
    and why it went where it went.

    \b
    Examples:
      lastseen why run.rec --agent Ames --at 12.5
    """
    from ....errors import InputError
    from ....simulation.recording.recording import Recording, require_simulated
    from ....simulation.replay.account import account_of
    from ...prose.account import account_object
    from ...prose.sentences import Sentences

    found = require_simulated(Recording.read(recording))
    if found.fault:
        click.echo(f"note: {recording}: {found.fault}", err=True)
    if seconds is not None and not 0.0 <= seconds <= found.seconds:
        raise InputError(f"--at is {seconds:g} s; {recording} spans 0 to {found.seconds:.2f} s")
    account, of = account_of(found, agent, found.seconds if seconds is None else seconds), Sentences.of_recording(found)
    if as_json:
        echo_json(account_object(account, of))
    else:
        click.echo("\n".join(as_lines(account, of, whole=whole)))


def as_lines(account: Account, of: Sentences, *, whole: bool = False) -> list[str]:
    """Return an account as lines of text."""
    from ...prose.account import held_words

    x, y, z = account.xyz
    lines = [
        f"{account.agent} at {account.seconds:.2f} s: {account.state}, {account.mode}, at ({x:.1f}, {y:.1f}, {z:.1f})"
    ]
    if account.mode in ("down", "gone"):
        return [*lines, *_out(account, of), *_recent(account, of)]
    if held := held_words(account):
        lines.append(f"does nothing by itself: {held}")
    if account.goal is not None:
        lines.append(
            f"goes to ({account.goal[0]:.1f}, {account.goal[1]:.1f}): {account.way}, {account.left:.1f} m left"
        )
    lines += _fight(account)
    lines += _crew(account)
    lines += ["", "knows"]
    for known in account.known:
        where = "nothing" if known.xyz is None else f"({known.xyz[0]:.1f}, {known.xyz[1]:.1f}), {known.age:.1f} s ago"
        lines.append(f"  {known.target}: {where} ({known.source}); now {known.sight}, {known.awareness:.0%} aware")
    if not account.known:
        lines.append("  knows of no target")
    if account.decision is not None:
        seconds = account.decision.tick * account.step
        lines += ["", f"chose where to go at {seconds:.1f} s", f"  {of(account.decision)}", *_terms(account)]
    lines += _decided_by_rules(account)
    lines += ["", "tree"]
    for node in account.tree:
        if whole or node.status != "idle":
            lines.append(f"  {_SIGNS[node.status]} {node.text}" + (f"  · {node.reason}" if node.reason else ""))
    if not account.tree:
        lines.append("  none: controlled from outside")
    return [*lines, *_recent(account, of)]


def _out(account: Account, of: Sentences) -> list[str]:
    """Return why and since when an agent is down or gone; it knows, decides and does nothing."""
    is_down, event = account.mode == "down", account.out
    state = "lies on the floor, to be found" if is_down else "is no longer in the world"
    if event is None:
        return [f"{state}; nothing recorded says why"]
    return [f"{state}, since {event.tick * account.step:.1f} s: {of(event)}"]


def _recent(account: Account, of: Sentences) -> list[str]:
    found = [f"  {event.tick * account.step:6.1f} s  {_words(event, of)}" for event in account.before]
    return ["", "recent events", *(found or ["  nothing"])]


def _fight(account: Account) -> list[str]:
    """Return the agent's state in a fight."""
    fight = account.fight
    if fight is None:
        return []
    attack = f", {fight.attack} at {fight.foe}, lands in {fight.due:.1f} s" if fight.attack else ""
    rest = f", can attack again in {fight.rest:.1f} s" if fight.rest > 0.0 and not attack else ""
    return [f"health {fight.health:g}{attack}{rest}"]


def _crew(account: Account) -> list[str]:
    """Return the agent's role in a crew, and why it has it."""
    duty = account.duty
    if duty is None:
        return ["", f"in no crew, although it asks for {account.asks_in_vain}"] if account.asks_in_vain else []
    others = ", ".join(name for name in duty.members if name != account.agent)
    place = "" if duty.place is None else f" at ({duty.place[0]:.1f}, {duty.place[1]:.1f})"
    since = "" if duty.since is None else f" since {duty.since:.1f} s"
    role = f"  is {duty.role}{place}{since}" if duty.role else "  has no role"
    about = f" {duty.target}" if duty.target else ""
    leads = "leads" if duty.leader == account.agent else f"led by {duty.leader}"
    crew = f"crew {duty.crew} ({duty.objective}{about})"
    is_member = account.agent in duty.members
    return [
        "",
        f"{crew} with {others}; {leads}" if is_member else f"waits for room in {crew}: {others}; {leads}",
        role,
        *([f"  told: {duty.told}"] if duty.told else []),
        *([f"  because {duty.reason}"] if duty.reason else []),
        *([f"  asks for {duty.asks}"] if duty.asks else []),
        *(f"  {_SIGNS[node.status]} {node.text}" + (f"  · {node.reason}" if node.reason else "") for node in duty.tree),
    ]


def _words(event: AnyEvent, of: Sentences) -> str:
    return f"“{of(event)}”" if event.kind == "said" else of(event)


def _decided_by_rules(account: Account) -> list[str]:
    """Return the last line and deed that a rule decided: the rule, its facts, and the rules that nearly fired."""
    from ....agents.rules.speech.utterance import miss_words

    lines = []
    said, did = account.said, account.did
    for event, words in ((said, said and f"said “{said.line}”"), (did, did and f"did {did.action}")):
        if event is None or not event.rule:
            continue
        facts = ", ".join(f"{path} is {_value(value)}" for path, value in event.facts.items())
        lines += [
            "",
            f"{words} at {event.tick * account.step:.1f} s",
            f"  rule {event.rule!r} of {event.handler}  [{event.source}]",
            *([f"  because {facts}"] if facts else []),
            *(f"  not {miss.rule!r}: {miss_words(miss)}" for miss in event.near),
        ]
    return lines


def _value(value: Any) -> str:
    if isinstance(value, bool) or value is None:
        return "unknown" if value is None else str(value).lower()
    return f"{value:g}" if isinstance(value, float) else str(value)


def _terms(account: Account) -> list[str]:
    """Return the numbers behind a decision."""
    from ....vocabulary.events import Predicted, Searches
    from ...prose.sentences import place_text

    made = account.decision
    if isinstance(made, Searches) and made.cells:
        return [
            f"  cell {cell}: {score:.3f} = influence {terms[0]:.2f} × distance {terms[1]:.2f} × spread {terms[2]:.2f}"
            for cell, score, terms in zip(made.cells, made.scores, made.terms)
        ]
    if isinstance(made, Searches) and made.spot >= 0:
        names = ("predicted place", "searcher", "true place", "influence")
        sums = " + ".join(f"{name} {term:.2f}" for name, term in zip(names, made.spot_terms))
        return [f"  spot {made.spot}: {made.score:.3f} = {sums}"]
    if isinstance(made, Predicted):
        steps = "" if made.steps is None else f", {made.steps} steps, {len(made.warm)} warm cells"
        begun = f"{made.stimulus} heard" if made.stimulus else "last seen"
        return [f"  {made.predictor}: {begun} at {place_text(made.seen_at)}, {made.reason}{steps}"]
    return [f"  {line}" for line in account.decided.splitlines()]
