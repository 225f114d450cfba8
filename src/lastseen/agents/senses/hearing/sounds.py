"""Sounds: what can be heard, how far it carries and what it tells."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from ....checks import finite_number, frozen, point_xyz, shown, whole_number
from ....conventions import Floats
from ....errors import InputError, did_you_mean
from ....kernels.arrays.agent_arrays import ACTIVE, BodyArrays
from ..arguments import numbers_of, one_of
from ..vision.sightings import agent_ids

NOBODY = -1


@dataclass(frozen=True)
class SoundKind:
    """What sounds of one kind have in common.

    Attributes
    ----------
    radius : metres at which an ordinary listener still hears it.
    priority : 0 … 10, how much it matters; see `reasoning.chase.pursuit.PRIORITIES`.
    lifetime : seconds for which it can be heard.
    nature : "hostile": whoever hears it expects an enemy; "distraction": does not know.
    gives_away : it is made by somebody moving or acting there, so it tells where its maker is.
    among_friends : heard by the maker's own team too; what friends do all day is not.
    fair : where far listeners the player does not see hear it half as well (chapter 28).
    """

    radius: float
    priority: float
    lifetime: float = 0.0
    nature: Literal["hostile", "distraction"] = "distraction"
    gives_away: bool = False
    among_friends: bool = False
    fair: bool = True

    def __post_init__(self) -> None:
        finite_number(self.radius, "radius of a sound", unit="m", low=0.0, high=1e4)
        finite_number(self.priority, "priority of a sound", low=0.0, high=1e6)
        finite_number(self.lifetime, "lifetime of a sound", unit="s", low=0.0, high=1e6)
        one_of(self.nature, ("hostile", "distraction"), "nature of a sound")


SOUNDS = {
    "breathing": SoundKind(1.2, 1.0, gives_away=True, fair=False),
    "footstep": SoundKind(12.0, 1.0, gives_away=True),
    "voice": SoundKind(10.0, 1.0, gives_away=True),
    "door": SoundKind(8.0, 1.0),
    "bottle": SoundKind(14.0, 2.0, 1.0),
    "shout": SoundKind(25.0, 2.0, nature="hostile", gives_away=True, among_friends=True),
    "body fall": SoundKind(6.0, 2.0, among_friends=True),
    "gunshot": SoundKind(40.0, 3.0, nature="hostile", gives_away=True, among_friends=True, fair=False),
    "explosion": SoundKind(60.0, 3.0, nature="hostile", among_friends=True, fair=False),
    "alarm": SoundKind(80.0, 3.0, 20.0, nature="hostile", among_friends=True, fair=False),
}
"""Kinds by name. The radii are ours: no source gives any. A footstep's is that of a run; see `MovementNoise`."""


@dataclass(frozen=True, eq=False)
class Sound:
    """Something that can be heard.

    `kind` is a name, `xyz` where it is made, `made_by` the row of its maker in the table of bodies (-1: nobody);
    the others are as in `SoundKind`, `created` in seconds.
    """

    kind: str
    xyz: Floats
    radius: float
    priority: float
    created: float = 0.0
    lifetime: float = 0.0
    made_by: int = NOBODY
    nature: Literal["hostile", "distraction"] = "distraction"
    gives_away: bool = False
    among_friends: bool = False
    fair: bool = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "xyz", frozen(point_xyz(self.xyz, "xyz of a sound")))
        if not isinstance(self.kind, str):
            raise InputError(f"kind of a sound is {shown(self.kind)}; give a name")
        finite_number(self.radius, "radius of a sound", unit="m", low=0.0, high=1e4)
        finite_number(self.priority, "priority of a sound", low=0.0, high=1e6)
        finite_number(self.created, "created", unit="s")
        finite_number(self.lifetime, "lifetime of a sound", unit="s", low=0.0, high=1e6)
        whole_number(self.made_by, "made_by", low=NOBODY)
        one_of(self.nature, ("hostile", "distraction"), "nature of a sound")

    def lasts(self, now: float) -> bool:
        """Can it still be heard?"""
        return self.created <= now <= self.created + self.lifetime


def sound(kind: str, xyz: Any, *, created: float = 0.0, made_by: int = NOBODY, radius: float | None = None) -> Sound:
    """Make a sound of a kind in `SOUNDS`; `radius` in metres where it is louder or softer than usual."""
    if not isinstance(kind, str) or kind not in SOUNDS:
        raise InputError(
            f"no sound is named {shown(kind)}{did_you_mean(kind, SOUNDS)}; give one of {', '.join(SOUNDS)}"
        )
    usual = SOUNDS[kind]
    return Sound(
        kind,
        xyz,
        usual.radius if radius is None else radius,
        usual.priority,
        created,
        usual.lifetime,
        made_by,
        usual.nature,
        usual.gives_away,
        usual.among_friends,
        usual.fair,
    )


@dataclass(frozen=True)
class MovementNoise:
    """How loud bodies are by their movement: the radius grows with speed, and who stands still only breathes.

    Attributes
    ----------
    full_speed : metres a second at which footsteps carry as far as `SOUNDS["footstep"]` says.
    softer : share of the radius by stance (standing, crouched, in cover, lying), beyond their lower speed.
    still : metres a second below which one only breathes.

    Notes
    -----
    Chapter 33: far away one may move fast, near one must be slow. There crouching as such is no protection against
    the infected; give `softer=(1, 1, 1, 1)` for such listeners.
    """

    full_speed: float = 4.0
    softer: tuple[float, float, float, float] = (1.0, 0.6, 0.6, 0.4)
    still: float = 0.05

    def __post_init__(self) -> None:
        finite_number(self.full_speed, "full_speed", unit="m/s", low=0.0, high=100.0, open_low=True)
        finite_number(self.still, "still", unit="m/s", low=0.0, high=100.0)
        object.__setattr__(self, "softer", numbers_of(self.softer, 4, "softer", low=0.0, high=10.0))

    def radii(self, bodies: BodyArrays) -> Floats:
        """How far is everybody heard? (n,) float64 metres; 0 for those who do not move and breathe any more."""
        speed = np.hypot(bodies.velocity_xy[:, 0], bodies.velocity_xy[:, 1])
        steps = SOUNDS["footstep"].radius * speed / self.full_speed * np.asarray(self.softer)[bodies.stance]
        least = SOUNDS["breathing"].radius
        radius = np.where(speed > self.still, np.maximum(steps, least), least)
        return np.where(bodies.mode <= ACTIVE, radius, 0.0)

    def sounds(self, bodies: BodyArrays, who: Any, now: float) -> list[Sound]:
        """What do these bodies (rows) let others hear in this step?"""
        numbers = agent_ids(who, "who", len(bodies.xyz))
        breath = SOUNDS["breathing"].radius
        return [
            sound("footstep" if radius > breath else "breathing", place, created=now, made_by=body, radius=radius)
            for body, radius, place in zip(numbers.tolist(), self.radii(bodies)[numbers].tolist(), bodies.xyz[numbers])
            if radius > 0.0
        ]
