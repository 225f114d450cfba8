"""The crews of a moment: roles, places, turns to attack, and requests of agents."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ....agents.bodies.combat import CombatRules
from ....conventions import Array
from ....simulation.recording.crew_columns import ASKS, REASON, ROLE, crew_texts
from ..session.game import Game
from .greeting import CrewNotes, FightNotes
from .news import Crews, CrewState, Duties

Texts = Mapping[tuple[int, int], str]
_TURNS = (None, False, True)


def crew_notes(game: Game) -> CrewNotes | None:
    """Return the static data of crews: objectives, and the lines of the tree of each; None: the run has no crews."""
    notes = game.recording.about.notes.get("crews")
    if not isinstance(notes, dict) or not notes.get("objectives"):
        return None
    return CrewNotes(notes["objectives"], [text.splitlines() for text in notes["trees"]])


def fight_notes(game: Game) -> FightNotes | None:
    """Return the static data of fights: full health of agents, and durations of attacks; None: there are no fights."""
    scenario = game.stage.setting.scenario
    if not any(column.name == "foe" for column in game.recording.about.columns) or not scenario.combat:
        return None
    rules = CombatRules() if scenario.combat is True else scenario.combat
    return FightNotes(
        health=[spec.health for spec in game.stage.setting.agents],
        reach=rules.reach,
        seconds=[0.0, rules.strike_seconds, rules.shot_seconds],
        rest=[0.0, rules.strike_rest, rules.shot_rest],
    )


def crews_now(game: Game) -> Crews:
    """Return the crews of the step shown, the duties of their members, and requests of agents."""
    if game.is_at_end() and game.world is not None:
        texts: Texts = {(row, slot): words for row, slot, words in crew_texts(game.world)}
        columns, _ = game.now()
    else:
        frame = game.recording.frame(game.shown)
        columns, texts = frame.columns, frame.texts
    objectives = game.recording.about.notes["crews"]["objectives"]
    return Crews(
        crews=[
            _crew(row, seat, columns, objectives)
            for seat, row in enumerate(columns["crew_seats"].tolist())
            if row[0] >= 0
        ],
        duties=[_duty(agent, columns, texts) for agent in np.flatnonzero(columns["crew"] >= 0).tolist()],
        asks=[(agent, words) for agent in range(len(columns["crew"])) if (words := texts.get((agent, ASKS), ""))],
    )


class CrewNews:
    """Sends the crews of one game to pages, only when they change."""

    def __init__(self, game: Game):
        self._game, self._has = game, crew_notes(game) is not None
        self._told: Crews | None = None

    def message(self, *, to_all: bool) -> Crews | None:
        """Return the message: for all pages only changes, for one page everything; None: nothing."""
        if not self._has:
            return None
        now = crews_now(self._game)
        if to_all and now == self._told:
            return None
        self._told = now if to_all else self._told
        return now


def _crew(row: list[int], seat: int, columns: Mapping[str, Array], objectives: list[str]) -> CrewState:
    number, objective, leader, target = row
    members = np.flatnonzero(columns["crew"] == number).tolist()
    return CrewState(number, seat, objectives[objective], leader, target, members)


def _duty(agent: int, columns: Mapping[str, Array], texts: Texts) -> Duties:
    stand = np.asarray(columns["stand"][agent], np.float64)
    return Duties(
        agent=agent,
        crew=int(columns["crew"][agent]),
        role=texts.get((agent, ROLE), ""),
        reason=texts.get((agent, REASON), ""),
        stand=None if np.isnan(stand).any() else np.round(stand, 2).tolist(),
        slot=int(columns["slot"][agent]),
        attack=_TURNS[int(columns["turn"][agent])],
    )
