"""The systems of a step, in order: each reads the current generation and writes its own parts of the world."""

from __future__ import annotations

from .act import act, move
from .coordinate import coordinate
from .referee import referee
from .remember import remember
from .script import script
from .sense import sense
from .speak import speak
from .think import crews, think

__all__ = ["MESSAGES", "SYSTEMS", "WRITERS"]

SYSTEMS = (script, sense, remember, crews, think, coordinate, act, speak, move, referee)
"""The systems of a step, in the order in which they run."""

WRITERS = {
    "script": "script",
    "senses": "sense",
    "layers": "sense",
    "attention": "remember",
    "knowledge": "remember",
    "teamwork": "crews",
    "minds": "think",
    "trees": "think",
    "orders": "think",
    "state": "think",
    "snapshot": "think",
    "hunt": "coordinate",
    "acts": "act",
    "relations": "act",
    "territory": "act",
    "traps": "act",
    "combat": "act",
    "doors": "act",
    "sight": "act",
    "talk": "speak",
    "bodies": "move",
    "crowd": "move",
    "motion": "move",
    "episode": "referee",
}
"""The system that writes each part of a world. The other fields, such as level and cast, are constant, except time,
events, earlier and trace, which `step` writes."""

MESSAGES = {
    "senses": {"sounds.append": ("script", "think", "act")},
    "attention": {
        "changed.change": ("script", "act"),
        "stimuli.claim": ("think",),
        "stimuli.post": ("think",),
        "stimuli.remove": ("crews", "think"),
        "forget_target": ("act",),
        "black_out": ("act",),
    },
    "knowledge": {"touch": ("crews", "act"), "forget_target": ("act",)},
    "teamwork": {
        "requests.ask": ("script", "think"),
        "requests.renew": ("think",),
        "requests.withdraw": ("script",),
        "notify": ("think",),
        "desk_of": ("think",),
    },
    "hunt": {
        "perceive": ("remember", "crews"),
        "alert": ("remember", "crews", "think"),
        "choose": ("think",),
        "head_for": ("think",),
        "leave": ("think",),
        "look_in": ("think",),
        "approach": ("think",),
        "end_approach": ("think",),
        "search.use_spot": ("act",),
    },
    "acts": {"outside.append": ()},
    "minds": {"blackboard": ("script",)},
    "orders": {"halt": ("act",)},
    "state": {"be": ("act",)},
    "doors": {"set_door": ("script",)},
    "relations": {"change": ("script",)},
    "sight": {"set_door": ("script",)},
    "bodies": {"set_mode": ("script", "act"), "put": ("script", "act")},
    "crowd": {"forget_path": ("script", "act")},
    "talk": {"award": ("referee",)},
    "episode": {"end": ("crews", "think", "act")},
}
"""By part, the calls by which other systems change it: each posts a message or appends to an inbox; only the writer
assigns. Acts from outside arrive between steps. `World.happened` and the texts of observed trees are inboxes of `step`,
open to all."""
