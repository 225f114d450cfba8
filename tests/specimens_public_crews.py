"""Right arguments, and objects to ask, for public names of crews, tokens, ranks and hints."""

from __future__ import annotations

import lastseen

METHODS = {
    "Hints": ("expire", "of", "replace", "send", "stack", "withdraw"),
    "Ranking": ("note", "ranks", "scores"),
    "RoleDesk": ("acknowledge", "bid", "holder", "release", "request", "settle"),
    "RoleWords": ("agent", "crew", "include", "member", "place", "score", "value"),
    "TokenPool": ("grant", "holds", "refusal", "release", "request", "retain"),
    "TokenSettings": ("size",),
    "TreeStack": ("push",),
}


def right_arguments() -> dict[str, object]:
    """A right value for every argument, by `function.argument`."""
    tree = lastseen.Tree(lastseen.Condition(has_slept))
    pools = ("grant", "holds", "refusal", "release", "request", "retain")
    return {
        "Crews.trees": {"sleep": lastseen.parse_trees("root: {roles: [{role: {name: sleeper}}]}")},
        "Hints.of.branch": "sleep",
        "Hints.replace.hints": {"sleep": "positive"},
        "Hints.replace.source": "crew",
        "Hints.send.branch": "sleep",
        "Hints.send.type": "positive",
        "Hints.stack.branch": "sleep",
        "Hints.withdraw.source": "crew",
        **{f"Ranking.{name}.agents": [0] for name in ("ranks", "scores")},
        **{f"Ranking.{name}.metres": [1.0] for name in ("ranks", "scores")},
        "Ranking.note.agent": 0,
        "Ranking.note.event": "damage",
        **{f"RoleDesk.{name}.agent": 0 for name in ("acknowledge", "bid", "release", "request")},
        **{f"RoleDesk.{name}.role": "flanker" for name in ("acknowledge", "bid", "holder", "request")},
        "RoleDesk.bid.cost": 1.0,
        "RoleWords.include.other": lastseen.RoleWords(),
        "TokenPool.action": "attack",
        **{f"TokenPool.{name}.agent": 0 for name in pools},
        "TokenPool.retain.agents": [0],
        "TokenSettings.size.characters": 3,
        "TreeStack.base": tree,
        "TreeStack.push.tree": lastseen.Tree(lastseen.Condition(has_slept)),
        "assign.scores": [[1.0]],
        "leaves_with.words": lastseen.ready_words(),
    }


def has_slept(mind: object) -> bool:
    return mind is None


def makers() -> dict[str, object]:
    """What makes an object of each kind anew, to call a method of."""
    return {
        "Hints": lambda: lastseen.Hints(["sleep"]),
        "Ranking": lastseen.Ranking,
        "RoleDesk": lastseen.RoleDesk,
        "RoleWords": lastseen.RoleWords,
        "TokenPool": lambda: lastseen.TokenPool("attack"),
        "TokenSettings": lastseen.TokenSettings,
        "TreeStack": lambda: lastseen.TreeStack(lastseen.Tree(lastseen.Condition(has_slept))),
    }
