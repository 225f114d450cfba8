"""Relations: teams and their attitudes to each other, which may change during a run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from ...conventions import Array, Bools, Ids
from ...kernels.senses.vision_shapes import FRIEND
from ...vocabulary.words import Attitude
from ..senses.vision.sightings import REASONS

TEAMS = ("guards", "intruders", "civilians")
"""Teams that every world has, and the sides a team of a scenario may take: guards and civilians watch intruders."""

ATTITUDES = Attitude.texts()
_HOSTILE, _NEUTRAL = Attitude.HOSTILE.number, Attitude.NEUTRAL.number
_REASONS = np.array([0, REASONS.index("neutral"), FRIEND], np.uint8)
"""Why a target is not perceived, by attitude."""


@dataclass(eq=False)
class Relations:
    """The teams of a world and their attitudes. Written by `act`.

    Attributes
    ----------
    teams : names, by number; the first are `TEAMS`.
    team : (n,) uint8, the team of each agent.
    watchers, targets : numbers of the agents that watch, and of those they may be hostile to.
    attitude : (t, t) uint8, the attitude of the team in a row to that in a column, as an index into `ATTITUDES`.
    stated : pairs of teams whose attitude the scenario states; one that is neutral ends with the first attack.
    overrides : by agent, the attitude of others to it for now: neutrals become hostile to it, or enemies neutral.
    pairs : (watchers, targets) uint8, the attitude of each watcher to each target.
    is_mixed : whether any of these pairs is not hostile.
    """

    teams: tuple[str, ...]
    team: Array
    watchers: Ids
    targets: Ids
    attitude: Array
    stated: frozenset[tuple[int, int]] = frozenset()
    overrides: dict[int, Attitude] = field(default_factory=dict)
    pairs: Array = field(init=False)
    is_mixed: bool = field(init=False)

    def __post_init__(self) -> None:
        self._update()

    def _update(self) -> None:
        self.pairs = self.attitude[np.ix_(self.team[self.watchers], self.team[self.targets])]
        for column, agent in enumerate(self.targets.tolist()):
            if agent in self.overrides:
                changed = _NEUTRAL if self.overrides[agent] is Attitude.HOSTILE else _HOSTILE
                self.pairs[self.pairs[:, column] == changed, column] = self.overrides[agent].number
        self.is_mixed = bool((self.pairs != _HOSTILE).any())

    @property
    def hostile(self) -> Bools:
        """(watchers, targets) bool, which watchers are hostile to which targets."""
        return np.asarray(self.pairs == _HOSTILE)

    @property
    def reasons(self) -> Array:
        """(watchers, targets) uint8, why a target is not perceived as an enemy, as an index into `REASONS`."""
        return _REASONS[self.pairs]

    def between(self, one: int, other: int) -> Attitude:
        """Return the attitude of an agent's team to that of another agent."""
        found = Attitude(ATTITUDES[self.attitude[self.team[one], self.team[other]]])
        given = self.overrides.get(other)
        return found if given is None or found is Attitude.ALLIED else given

    def is_hostile(self, one: int, other: int) -> bool:
        """Return whether an agent's team is hostile to that of another agent."""
        return self.between(one, other) is Attitude.HOSTILE

    def has_enemies(self, agent: int) -> bool:
        """Return whether the team of any watcher is hostile to an agent's team."""
        return bool((self.attitude[self.team[self.watchers], self.team[agent]] == _HOSTILE).any())

    def override(self, agent: int, attitude: Attitude | None) -> None:
        """Let others be hostile or neutral to one agent for now, whatever its team; None: as to its team."""
        if self.overrides.get(agent) is not attitude:
            self.overrides.pop(agent, None)
            if attitude is not None:
                self.overrides[agent] = attitude
            self._update()

    def is_provoked(self, victim: int, attacker: int) -> bool:
        """Return whether an attack makes the victim's team hostile: it was neutral, and the scenario says so."""
        pair = int(self.team[victim]), int(self.team[attacker])
        return pair in self.stated and self.attitude[pair] == _NEUTRAL

    def change(self, one: int, other: int, attitude: str) -> bool:
        """Set the attitude of two teams, both ways; return whether it differs from before."""
        number = ATTITUDES.index(attitude)
        if self.attitude[one, other] == number and self.attitude[other, one] == number:
            return False
        self.attitude[one, other] = self.attitude[other, one] = number
        self._update()
        return True


def attitude_table(sides: list[str], stated: Mapping[tuple[int, int], str]) -> Array:
    """Return the attitudes of teams with these sides to each other, (t, t) uint8.

    A stated attitude holds both ways unless the other team states its own. Otherwise members of a team are allied,
    intruders and others hostile to each other, and all others neutral.
    """
    table = np.full((len(sides), len(sides)), _NEUTRAL, np.uint8)
    for one, side in enumerate(sides):
        for other, its in enumerate(sides):
            given = stated.get((one, other), stated.get((other, one)))
            if given is not None:
                table[one, other] = ATTITUDES.index(given)
            elif one == other:
                table[one, other] = Attitude.ALLIED.number
            elif (side == "intruders") != (its == "intruders"):
                table[one, other] = _HOSTILE
    return table
