"""SubTree: a tree used as a node of another."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..node import Decorator, Node
from ..ports import Input
from ..status import Status


class SubTree(Decorator):
    """Runs a tree with keys of its own.

    | the tree returns | subtree  |
    |------------------|----------|
    | any status       | the same |

    `ports` names, for keys of the ports inside, the key outside (`Input(key="noise")`) or a value. Other keys inside
    are its own: two uses of one tree do not disturb each other. With `share` they are those of the tree around it.
    Keys the agent brings along mean the same inside and outside.
    """

    kind = "subtree"
    _is_plain = True

    def __init__(
        self,
        child: Node,
        *,
        tree: str = "",
        ports: Mapping[str, Any] | None = None,
        share: bool = False,
        name: str = "",
    ):
        super().__init__(child, name=name or tree)
        self.tree = tree or name
        self.mapping = {
            inside: value if isinstance(value, Input) else Input(value, type=type(value))
            for inside, value in (ports or {}).items()
        }
        self.share = share

    def details(self) -> str:
        """Return the ports."""
        return ", ".join(f"{inside}: {outside}" for inside, outside in self.mapping.items())

    def tick(self, context: Any) -> Status:
        """Tick the tree."""
        return self.child.run(context)
