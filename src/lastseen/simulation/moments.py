"""What is there to see at a moment of a recording? People, what they see and believe, floods, noises, words."""

from __future__ import annotations

from dataclasses import dataclass

from ..conventions import Array, Bools, Floats, Ids
from .view_shapes import SeenArea

__all__ = ["Bubble", "FloodLook", "Ghost", "Moment", "Noise", "Person", "Post"]


@dataclass(frozen=True, eq=False)
class Person:
    """One agent who is there.

    Attributes
    ----------
    state : what it is up to, one of STATES; team : one of TEAMS; mode : one of MODES.
    xyz : (3,) metres; heading, gaze : radians counter-clockwise from +x.
    awareness : 0 … 1, of the target it is surest of; 0 for one who watches nobody.
    way : (n, 3) metres, the way it has before it; empty: it stands.
    seen : what it sees; None for those who do not watch.
    """

    name: str
    team: str
    state: str
    mode: str
    xyz: Floats
    heading: float
    gaze: float
    awareness: float
    way: Floats
    seen: SeenArea | None


@dataclass(frozen=True, eq=False)
class Ghost:
    """Where guards believe a target was last: `believers` who know the same, `from_xyz` (n, 3) where they stand."""

    target: str
    xyz: Floats
    direction_xy: Floats
    age: float
    believers: tuple[str, ...]
    from_xyz: Floats


@dataclass(frozen=True, eq=False)
class FloodLook:
    """A chase flood, as far as it is shown: it grows for a second, then the flag stands.

    `warm`, `barrier`, `closed` are cells, `values` the heat of the warm ones, `front` those just heated, `hot` the
    highest heat, `flag` (3,) where to run; None while it grows.
    """

    agent: str
    warm: Ids
    values: Array
    front: Ids
    barrier: Ids
    closed: Ids
    hot: float
    flag: Floats | None


@dataclass(frozen=True, eq=False)
class Bubble:
    """Something said: by whom (number in `Moment.people`), what, and how old it is: 0 just now … 1 over."""

    person: int
    words: str
    age: float


@dataclass(frozen=True, eq=False)
class Noise:
    """Something heard: where, what, and how old it is: 0 just now … 1 over."""

    xyz: Floats
    kind: str
    age: float


@dataclass(frozen=True, eq=False)
class Post:
    """What somebody does in a crew.

    Attributes
    ----------
    person : number in `Moment.people`.
    crew, seat : numbers of the crew, and of its seat among those that stand; -1: it only waits for room in one.
    role : empty: it has none. `leads`: does it lead the crew?
    stand : (3,) metres, where it should be; None: it is not told. `slot`: number of that place in its role; -1: none.
    """

    person: int
    crew: int
    seat: int
    role: str
    leads: bool
    stand: Floats | None
    slot: int


@dataclass(frozen=True, eq=False)
class Moment:
    """Everything a picture of one moment shows; `search` (cells,) 0 … 127 or None: nobody searches."""

    tick: int
    seconds: float
    people: tuple[Person, ...]
    ghosts: tuple[Ghost, ...]
    flood: FloodLook | None
    search: Array | None
    bubbles: tuple[Bubble, ...]
    noises: tuple[Noise, ...]
    door_shut: Bools
    posts: tuple[Post, ...] = ()
