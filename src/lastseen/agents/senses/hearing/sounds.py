"""Sounds: how far they carry, and what listeners learn from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from ....checks import expect, finite_number, frozen, point_xyz, points_xyz, read_only, shown, whole_number
from ....conventions import Floats
from ....errors import InputError
from ....kernels.arrays.agent_arrays import ACTIVE, BodyArrays
from ....reasoning.chase.pursuit import PRIORITIES
from ..arguments import named, numbers_of, one_of
from ..vision.sightings import agent_ids

NOBODY = -1


def _check(given: SoundKind | Sound) -> None:
    finite_number(given.radius, "radius of a sound", unit="m", low=0.0, high=1e4)
    finite_number(given.priority, "priority of a sound", low=0.0, high=1e6)
    finite_number(given.lifetime, "lifetime of a sound", unit="s", low=0.0, high=1e6)
    one_of(given.nature, ("hostile", "distraction"), "nature of a sound")


@dataclass(frozen=True)
class SoundKind:
    """Common properties of the sounds of one kind.

    Attributes
    ----------
    radius : distance in metres at which an ordinary listener can just hear it.
    priority : importance; those of `SOUNDS` are in `reasoning.chase.pursuit.PRIORITIES`.
    lifetime : seconds for which it can be heard.
    nature : "hostile" if listeners expect an enemy behind it, otherwise "distraction".
    gives_away : whether it reveals the position of its maker, because it comes from an agent's movement or action.
    among_friends : whether the maker's own team reacts to it, too; everyday sounds of friends are ignored.
    fair : whether distant listeners that the player does not see hear it half as well (chapter 28).
    """

    radius: float
    priority: float
    lifetime: float = 0.0
    nature: Literal["hostile", "distraction"] = "distraction"
    gives_away: bool = False
    among_friends: bool = False
    fair: bool = True

    def __post_init__(self) -> None:
        _check(self)


SOUNDS = {
    "breathing": SoundKind(1.2, PRIORITIES["breathing"], gives_away=True, fair=False),
    "footstep": SoundKind(12.0, PRIORITIES["footstep"], gives_away=True),
    "voice": SoundKind(10.0, PRIORITIES["voice"], gives_away=True),
    "door": SoundKind(8.0, PRIORITIES["door"]),
    "bottle": SoundKind(14.0, PRIORITIES["bottle"], 1.0),
    "shout": SoundKind(25.0, PRIORITIES["shout"], nature="hostile", gives_away=True, among_friends=True),
    "body fall": SoundKind(6.0, PRIORITIES["body fall"], among_friends=True),
    "gunshot": SoundKind(
        40.0, PRIORITIES["gunshot"], nature="hostile", gives_away=True, among_friends=True, fair=False
    ),
    "explosion": SoundKind(60.0, PRIORITIES["explosion"], nature="hostile", among_friends=True, fair=False),
    "alarm": SoundKind(80.0, PRIORITIES["alarm"], 20.0, nature="hostile", among_friends=True, fair=False),
}
"""Kinds by name. The radii are ours: no source gives any. That of footsteps is for running; see `MovementNoise`."""


@dataclass(frozen=True, eq=False)
class Sound:
    """A sound.

    `kind` is its name, `xyz` its position, `created` its time in seconds, and `made_by` the row of its maker in the
    table of bodies (-1: none); `known_to` is the row of an agent that knows what it is and does not listen, such as the
    victim of a trap (-1: none); for the others, see `SoundKind`.
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
    known_to: int = NOBODY

    def __post_init__(self) -> None:
        object.__setattr__(self, "xyz", frozen(point_xyz(self.xyz, "xyz of a sound")))
        if not isinstance(self.kind, str):
            raise InputError(f"kind of a sound is {shown(self.kind)}; give a name")
        finite_number(self.created, "created", unit="s")
        whole_number(self.made_by, "made_by", low=NOBODY)
        whole_number(self.known_to, "known_to", low=NOBODY)
        _check(self)

    def lasts(self, now: float) -> bool:
        """Return whether the sound can still be heard."""
        return self.created <= now <= self.created + self.lifetime


def sound(kind: str, xyz: Any, *, created: float = 0.0, made_by: int = NOBODY, radius: float | None = None) -> Sound:
    """Return a sound of a kind in `SOUNDS`, with a `radius` in metres of its own if it is louder or softer."""
    usual = named(kind, SOUNDS, "sound")
    reach = usual.radius if radius is None else radius
    flags = usual.nature, usual.gives_away, usual.among_friends, usual.fair
    return Sound(kind, xyz, reach, usual.priority, created, usual.lifetime, made_by, *flags)


def places_of(sounds: Sequence[Sound]) -> Floats:
    """Return the positions of sounds, (s, 3) metres."""
    return np.concatenate([sound.xyz for sound in sounds]).reshape(-1, 3) if sounds else np.empty((0, 3))


@dataclass(frozen=True)
class MovementNoise:
    """The noise of moving bodies: its radius grows with speed, and a body that stands still only breathes.

    Attributes
    ----------
    full_speed : speed in m/s at which footsteps have the radius in `SOUNDS["footstep"]`.
    softer : factor on the radius by stance (standing, crouched, in cover, lying), in addition to the lower speed.
    still : speed in m/s below which a body only breathes.

    Notes
    -----
    Chapter 33: players may move fast far away but must be slow nearby. Crouching itself does not protect against the
    infected there; give `softer=(1, 1, 1, 1)` for such listeners.
    """

    full_speed: float = 4.0
    softer: tuple[float, float, float, float] = (1.0, 0.6, 0.6, 0.4)
    still: float = 0.05

    def __post_init__(self) -> None:
        finite_number(self.full_speed, "full_speed", unit="m/s", low=0.0, high=100.0, open_low=True)
        finite_number(self.still, "still", unit="m/s", low=0.0, high=100.0)
        object.__setattr__(self, "softer", numbers_of(self.softer, 4, "softer", low=0.0, high=10.0))

    def radii(self, bodies: BodyArrays) -> Floats:
        """Return the radius of each body's noise, (n,) float64 metres; 0 for bodies that no longer breathe."""
        speed = np.hypot(bodies.velocity_xy[:, 0], bodies.velocity_xy[:, 1])
        steps = SOUNDS["footstep"].radius * speed / self.full_speed * np.asarray(self.softer)[bodies.stance]
        least = SOUNDS["breathing"].radius
        radius = np.where(speed > self.still, np.maximum(steps, least), least)
        return np.where(bodies.mode <= ACTIVE, radius, 0.0)

    def sounds(self, bodies: BodyArrays, who: Any, now: float) -> list[Sound]:
        """Return the sounds that the bodies in rows `who` make in this step."""
        numbers = agent_ids(who, "who", len(expect(bodies, BodyArrays, "bodies").xyz))
        now, breath = finite_number(now, "created", unit="s"), SOUNDS["breathing"].radius
        radii = self.radii(bodies)[numbers]
        numbers, radii = numbers[radii > 0.0], radii[radii > 0.0]
        places = read_only(points_xyz(bodies.xyz[numbers], "xyz of a sound"))
        return [
            _movement("footstep" if radius > breath else "breathing", place, now, body, radius)
            for body, radius, place in zip(numbers.tolist(), radii.tolist(), places)
        ]


_MOVEMENT = {name: {"kind": name, **vars(SOUNDS[name])} for name in ("footstep", "breathing")}


def _movement(kind: str, xyz: Floats, created: float, made_by: int, radius: float) -> Sound:
    """Return a sound as `sound` does, without its checks, which take most of the time of moving bodies' sounds."""
    made = object.__new__(Sound)
    vars(made).update(_MOVEMENT[kind], xyz=xyz, created=created, made_by=made_by, radius=radius)
    return made
