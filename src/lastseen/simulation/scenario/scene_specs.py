"""Scenes of a scenario: what agents play together, step by step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import msgspec

from ...vocabulary.words import SceneAct, SceneBreak, SceneResumption
from .object_specs import Place

if TYPE_CHECKING:
    Doing = str
    Resumption = str
else:
    Doing = Literal[SceneAct.texts()]
    Resumption = Literal[SceneResumption.texts()]


class StepSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A step of a scene.

    Attributes
    ----------
    who : the role that speaks or acts.
    do : "talk", "argue" (with `to`), "give" (`item` to `to`: it walks up to it) or "inspect" (`item`).
    say : its words.
    to : the role it turns to.
    place, marker : where it goes first: a place in metres, or a marker of the level by name.
    seconds : its duration, once the actor is there.
    """

    who: str
    do: Doing = SceneAct.TALK.value
    say: str = ""
    to: str = ""
    item: str = ""
    place: Place | None = None
    marker: str = ""
    seconds: Annotated[float, msgspec.Meta(gt=0.0, le=600.0)] = 3.0


class SceneSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A scene that agents play together and players can interrupt.

    Attributes
    ----------
    roles : names of the roles, in the order of the `agents` of the row of the script that requests the scene.
    blocks : its steps, in blocks; a scene that resumes starts its block again.
    ignores_first : whether the first minor noise is only remarked on; else one goes to look at once.
    breaks_off : what interrupts it until it is over: "noise" (a minor one; one agent goes to look), "alarm" (an agent
        of the scene is no longer calm), "intruder" (one is in sight), or a condition on a fact, such as
        `script.curfew` or `script.alarms >= 2`. A noise that is not listed is ignored.
    ends : what ends it, in the same words.
    resume : "block": at the start of the block it was in; "start": from the start; "never".
    """

    roles: Annotated[tuple[str, ...], msgspec.Meta(min_length=2, max_length=10)]
    blocks: Annotated[
        tuple[Annotated[tuple[StepSpec, ...], msgspec.Meta(min_length=1)], ...], msgspec.Meta(min_length=1)
    ]
    ignores_first: bool = True
    breaks_off: tuple[str, ...] = (SceneBreak.NOISE.value, SceneBreak.ALARM.value)
    ends: tuple[str, ...] = (SceneBreak.INTRUDER.value,)
    resume: Resumption = SceneResumption.BLOCK.value
