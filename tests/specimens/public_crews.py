"""Right arguments, and objects to ask, for public names of crews, tokens, ranks and hints."""

from __future__ import annotations

from public_names import public

METHODS = {
    "Hints": ("expire", "of", "replace", "send", "withdraw"),
    "Ranking": ("note", "ranks", "scores"),
    "RoleDesk": ("acknowledge", "bid", "holder", "release", "request", "settle"),
    "RoleWords": ("agent", "crew", "include", "member", "place", "score", "value"),
    "TokenPool": ("grant", "holds", "refusal", "release", "request", "retain"),
    "TokenSettings": ("size",),
    "TreeStack": ("push",),
}


def right_arguments() -> dict[str, object]:
    """A right value for every argument, by `function.argument`."""
    tree = public.Tree(public.Condition(has_slept))
    pools = ("grant", "holds", "refusal", "release", "request", "retain")
    return {
        "Crews.trees": {"sleep": public.parse_trees("root: {roles: [{role: {name: sleeper}}]}")},
        "Hints.of.branch": "sleep",
        "Hints.replace.hints": {"sleep": "positive"},
        "Hints.replace.source": "crew",
        "Hints.send.branch": "sleep",
        "Hints.send.type": "positive",
        "Hints.withdraw.source": "crew",
        **{f"Ranking.{name}.agents": [0] for name in ("ranks", "scores")},
        **{f"Ranking.{name}.metres": [1.0] for name in ("ranks", "scores")},
        "Ranking.note.agent": 0,
        "Ranking.note.event": "damage",
        **{f"RoleDesk.{name}.agent": 0 for name in ("acknowledge", "bid", "release", "request")},
        **{f"RoleDesk.{name}.role": "flanker" for name in ("acknowledge", "bid", "holder", "request")},
        "RoleDesk.bid.cost": 1.0,
        "RoleWords.include.other": public.RoleWords(),
        "TokenPool.action": "attack",
        **{f"TokenPool.{name}.agent": 0 for name in pools},
        "TokenPool.retain.agents": [0],
        "TokenSettings.size.characters": 3,
        "TreeStack.base": tree,
        "TreeStack.push.tree": public.Tree(public.Condition(has_slept)),
        "assign.scores": [[1.0]],
        "leaves_with.words": public.shipped_words(),
    }


def has_slept(mind: object) -> bool:
    return mind is None


def makers() -> dict[str, object]:
    """What makes an object of each kind anew, to call a method of."""
    return {
        "Hints": lambda: public.Hints(["sleep"]),
        "Ranking": public.Ranking,
        "RoleDesk": public.RoleDesk,
        "RoleWords": public.RoleWords,
        "TokenPool": lambda: public.TokenPool("attack"),
        "TokenSettings": public.TokenSettings,
        "TreeStack": lambda: public.TreeStack(public.Tree(public.Condition(has_slept))),
    }
