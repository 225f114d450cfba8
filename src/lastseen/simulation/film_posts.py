"""Who of the people in a picture does what together: crews, roles and places at a moment of a recording."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .crew_columns import ROLE
from .moments import Post
from .recording.recording import Frame

__all__ = ["posts_of"]


def posts_of(frame: Frame, shown: Sequence[int]) -> tuple[Post, ...]:
    """Return the posts of those who are shown (numbers of agents): of members, and of who waits for room in a crew."""
    columns = frame.columns
    if "crew" not in columns:
        return ()
    seats = {int(row[0]): (seat, int(row[2])) for seat, row in enumerate(columns["crew_seats"]) if row[0] >= 0}
    found = []
    for person, agent in enumerate(shown):
        crew, role = int(columns["crew"][agent]), frame.texts.get((agent, ROLE), "")
        if crew < 0 and not role:
            continue
        seat, leader = seats.get(crew, (-1, -1))
        stand = columns["stand"][agent].astype(np.float64)
        place = None if np.isnan(stand).any() else stand
        found.append(Post(person, crew, seat, role, leader == agent, place, int(columns["slot"][agent])))
    return tuple(found)
