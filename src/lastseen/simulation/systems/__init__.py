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

__all__ = ["MESSAGES", "STANDSTILL", "SYSTEMS", "WRITERS"]

SYSTEMS = (script, sense, remember, crews, think, coordinate, act, speak, move, referee)
"""The systems of a step, in the order in which they run."""
STANDSTILL = (script, sense, think, act, speak, move, referee)
"""Those of a step in which time stands still for all agents but one. They do what that agent does, and no more."""

WRITERS = {
    "script": "script",
    "cells": "script",
    "senses": "sense",
    "layers": "sense",
    "attention": "remember",
    "knowledge": "remember",
    "losses": "remember",
    "teamwork": "crews",
    "minds": "think",
    "trees": "think",
    "edits": "think",
    "orders": "think",
    "state": "think",
    "snapshot": "think",
    "hunt": "coordinate",
    "acts": "act",
    "relations": "act",
    "territory": "act",
    "traps": "act",
    "objects": "act",
    "swarms": "act",
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
    "script": {"lighting.switch": ("act",)},
    "senses": {"sounds.append": ("script", "think", "act")},
    "attention": {
        "changed.change": ("script", "act"),
        "changed.move": ("script",),
        "stimuli.claim": ("think",),
        "stimuli.post": ("think",),
        "stimuli.remove": ("crews", "think"),
        "out.append": ("act",),
        "act_on": ("crews",),
        "black_out": ("act",),
    },
    "knowledge": {"move": ("script",), "touch": ("crews", "act")},
    "teamwork": {
        "requests.ask": ("script", "think"),
        "requests.renew": ("think",),
        "requests.withdraw": ("script", "remember"),
        "notify": ("think",),
        "desk_of": ("think",),
    },
    "hunt": {
        "perceive": ("remember", "crews"),
        "alert": ("remember", "crews", "think"),
        "choose": ("think",),
        "head_for": ("think",),
        "leave": ("think",),
        "release": ("remember",),
        "look_in": ("think",),
        "approach": ("think",),
        "end_approach": ("think",),
        "search.use_spot": ("act",),
    },
    "acts": {"outside.append": ()},
    "objects": {
        "claim": ("think",),
        "release": ("think",),
        "hand_over": ("crews",),
        "ride": ("script",),
        "lay": ("script",),
    },
    "cells": {"close_door": ("act",), "open_door": ("act",)},
    "minds": {"blackboard": ("script",)},
    "edits": {"update": ()},
    "orders": {"halt": ("act",)},
    "state": {"be": ("act",)},
    "doors": {"set_door": ("script",)},
    "relations": {"change": ("script",)},
    "sight": {"set_door": ("script",), "set_platforms": ("script",)},
    "bodies": {"set_mode": ("script", "act"), "put": ("script", "act")},
    "crowd": {"forget_path": ("script", "act"), "replan": ("script", "act")},
    "talk": {"award": ("referee",)},
    "episode": {"end": ("crews", "think", "act")},
}
"""By part, the calls by which other systems change it: each posts a message or appends to an inbox; only the writer
assigns. Acts from outside arrive between steps. `World.happened` and the texts of observed trees are inboxes of `step`,
open to all."""
