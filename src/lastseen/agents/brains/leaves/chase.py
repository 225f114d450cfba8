"""The chase after a loss: predict where the target ran, or hold ground until one agent approaches (chapter 34)."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ....errors import BehaviourError, InputError, QueryError
from ....kernels.arrays.agent_arrays import ACTIVE
from ....level.sight.query import sees
from ....reasoning.chase.chase_spec import chase_spec
from ....reasoning.chase.loss import Trail, View
from ....reasoning.chase.prediction import Flood, Prediction
from ....reasoning.chase.pursuit import Pursuit
from ....vocabulary.events import Approaches, Predicted
from ...behaviour.status import FAILURE, RUNNING, SUCCESS, Status
from ...bodies.combat import Combat
from ...bodies.orders import Gait
from ..facts import WAITS
from ..mind import Mind, Place, as_place
from .brain_leaf import GOAL_PLACE, TARGET, Answer, BrainLeaf, MovingLeaf, action, condition, leaf

_MOST_SHOWN = 600
"""Cells of a flood stored with its event, at most."""


_MOVED = 0.5
"""Metres by which a prediction over time must move to be reported."""


@dataclass(eq=False)
class OwnChase:
    """The chase of one agent.

    Attributes
    ----------
    predictor, column : the spec of the predictor as written, and the column of the target.
    learned : seconds at which the agent last learned where the target was.
    began : seconds of the world at its loss, or at the stimulus that restarted it.
    crumbs : the `CrumbTrail` of the target, for a predictor that follows it; None for others.
    track : places of the target by seconds since the loss, for an omniscient predictor; None for fair ones.
    """

    predictor: str
    column: int
    learned: float
    began: float
    crumbs: Any = field(default=None, repr=False)
    track: dict[float, Place] | None = field(default=None, repr=False)
    pursuit: Pursuit = field(init=False, repr=False)

    def trail_until(self, mind: Mind) -> Trail | None:
        """Return the path of the target from the loss until now, if the predictor may know it."""
        if self.track is None:
            return None
        agent, seconds = int(mind.world.cast.targets[self.column]), mind.time - self.began
        if mind.world.bodies.mode[agent] == ACTIVE and seconds > max(self.track):
            self.track[seconds] = mind.world.snapshot.places[agent]
            if self.crumbs is not None:
                self.crumbs.drop(self.track[seconds])
        return Trail(np.array(list(self.track.values())), np.array(list(self.track)))


@leaf
class Predict(BrainLeaf):
    """Ask a predictor where the target ran and write the place to "goal"; FAILURE if the target is unknown.

    `predictor` is written as in scenarios, such as `belief:max_steps=20`; default: that of the agent. Stimuli restart
    the chase, and a flood over time goes on, where `update_prediction` follows.
    """

    kind = "predict"
    reads = TARGET
    writes = {"goal": tuple, "chased": float, "chase": OwnChase}  # noqa: RUF012

    def __init__(self, *, predictor: str = "", name: str = ""):
        self.predictor, self.name = predictor, name

    def check(self) -> None:
        """Reject unknown predictors and settings."""
        super().check()
        if self.predictor:
            try:
                chase_spec(self.predictor)
            except InputError as error:
                raise BehaviourError(str(error)) from None

    def details(self) -> str:
        """Return the name of the predictor."""
        return self.predictor

    def tick(self, mind: Mind) -> Status:
        """Predict once."""
        world, column = mind.world, mind.blackboard["target"]
        spec, predictor = world.reasoning.predictors[self.predictor or world.reasoning.chase[mind.number]]
        loss = world.knowledge.loss(mind.require_watcher(), column, mind.time, view=_view(mind))
        if loss is None:
            self.reason = "knows nothing of it"
            return FAILURE
        learned, before = float(world.knowledge.arrays.time[mind.row, column]), mind.blackboard.get("chase")
        if before is not None and (before.predictor, before.column, before.learned) == (spec.text, column, learned):
            mind.blackboard["goal"] = as_place(before.pursuit.prediction.destination)
            self.reason = "nothing new since its last prediction"
            return SUCCESS
        chase = OwnChase(spec.text, column, learned, mind.time - loss.seconds)
        if spec.kind.is_omniscient:
            chase.track = {0.0: as_place(loss.seen_at)}
            chase.crumbs = spec.crumbs()
        chase.pursuit = spec.pursue(predictor, replace(loss, trail=chase.trail_until(mind)))
        mind.blackboard["chase"] = chase
        mind.blackboard["chased"] = float(mind.attention.acted_on[mind.row, column])
        self.reason = f"{spec.text}: {chase.pursuit.prediction.reason}"
        _follow(mind, chase)
        return SUCCESS


@action(reads={"chase": OwnChase}, writes=GOAL_PLACE)
def update_prediction(mind: Mind) -> tuple[Status, str]:
    """Restart the chase at a strong stimulus, go on with a flood over time, and write a new place to "goal".

    FAILURE if there is a new place and the agent stands already, so that what follows in a reactive sequence begins
    again; otherwise SUCCESS.
    """
    chase: OwnChase = mind.blackboard["chase"]
    why = _restart(mind, chase) or _go_on(mind, chase)
    if chase.crumbs is not None and (crumb := chase.crumbs.follow(mind.xyz)) is not None:
        mind.blackboard["goal"] = as_place(crumb)
    stands = not mind.world.orders.arrays.going[mind.number]
    return FAILURE if why and stands else SUCCESS, why or "nothing new"


def _restart(mind: Mind, chase: OwnChase) -> str:
    """Restart the chase at a strong stimulus and return its kind; empty if there is none."""
    stimulus = mind.attention.stimuli.get(mind.attention.fresh[mind.require_watcher()])
    if stimulus is None or stimulus is chase.pursuit.stimulus or chase.track is not None:
        return ""
    gaze = float(mind.world.bodies.gaze[mind.number])
    view = replace(_view(mind), heading=(math.cos(gaze), math.sin(gaze)))
    try:
        if chase.pursuit.perceive(stimulus, guard_at=mind.xyz, guard_view=view) != "reset":
            return ""
    except QueryError:  # no floor near it
        return ""
    chase.began = mind.time
    _follow(mind, chase)
    return f"a {stimulus.kind}"


def _go_on(mind: Mind, chase: OwnChase) -> str:
    """Go on with a prediction over time; return whether there is a new place, in words."""
    before = chase.pursuit.prediction
    if not chase.pursuit.advance(mind.time - chase.began, trail=chase.trail_until(mind)):
        return ""
    found = chase.pursuit.prediction
    moved = float(np.linalg.norm(found.destination - before.destination))
    if moved < _MOVED and found.reason == before.reason:
        return ""
    _follow(mind, chase)
    return f"the place moved by {moved:.1f} m"


def _view(mind: Mind) -> View:
    """Return what the agent sees; a loss of knowledge fills in which way it looks."""
    cast = mind.world.cast
    return View((1.0, 0.0), cast.view_angle[mind.row], cast.view_distance[mind.row])


def _follow(mind: Mind, chase: OwnChase) -> None:
    """Go where the prediction says, and report it."""
    world, pursuit = mind.world, chase.pursuit
    goal, loss = as_place(pursuit.prediction.destination), pursuit.loss
    mind.blackboard["goal"] = goal
    world.happened(
        Predicted(
            world.tick,
            mind.number,
            at=goal,
            other=int(world.cast.targets[chase.column]),
            predictor=chase.predictor,
            reason=pursuit.prediction.reason,
            metres=mind.distance_to(goal),
            stimulus=pursuit.stimulus.kind if pursuit.stimulus is not None else "",
            seen_at=as_place(loss.seen_at),
            heading=tuple(loss.heading.tolist()),
            **_flood_columns(pursuit.prediction),
        )
    )


_AT_POINT, _APART = 1.2, 3
"""Metres at which a point on the way counts as reached, and cells from one point to the next."""


@leaf
class FollowWarmCells(MovingLeaf):
    """Go the way the heat of the flood went, from where the target was seen to the predicted place.

    | on the way                                  | status  |
    |---------------------------------------------|---------|
    | going on; a new prediction is followed      | RUNNING |
    | at the predicted place                      | SUCCESS |
    | no path, or stuck for long                  | FAILURE |

    Without a flood it goes straight to the predicted place.
    """

    kind = "follow_warm_cells"
    reads = {"chase": OwnChase, **GOAL_PLACE}  # noqa: RUF012

    def __init__(self, *, gait: Gait = "run", name: str = ""):
        self.gait, self.name = gait, name

    def enter(self, mind: Mind) -> None:  # noqa: ARG002
        """Forget the way of another chase."""
        self._of: Prediction | None = None

    def tick(self, mind: Mind) -> Status:
        """Go to the next point of the way."""
        found = mind.blackboard["chase"].pursuit.prediction
        if found is not self._of:
            self._of, self._way = found, _points(found)
            # What lies behind the agent already is left out.
            near = [number for number, place in enumerate(self._way) if mind.distance_to(place) <= _AT_POINT]
            self._way = self._way[near[-1] + 1 :] if near else self._way
        while self._way and mind.distance_to(self._way[0]) <= _AT_POINT:
            self._way.pop(0)
        mind.go(self._way[0] if self._way else mind.blackboard["goal"], self.gait)
        if mind.is_stopped:
            self.reason = "no way on"
            return FAILURE
        self.reason = f"{len(self._way)} points to go"
        return SUCCESS if not self._way and mind.has_arrived else RUNNING


def _points(found: Prediction) -> list[Place]:
    """Return points along the way of a flood, its last cell left out; none for other predictions."""
    if not isinstance(found, Flood):
        return []
    return [as_place(xyz) for xyz in found.layout.arrays.cell_xyz[found.way()[:-1:_APART]].astype(np.float64)]


@leaf
class AttackWarmArea(BrainLeaf):
    """Throw a charge into the warm cells of the flood, where most heat is within its reach; then SUCCESS.

    FAILURE without `combat`, a gun or a flood, while the agent may not attack, and if every place is out of range, out
    of sight or too near to a colleague.
    """

    kind = "attack_warm_area"
    reads = {"chase": OwnChase}  # noqa: RUF012

    def tick(self, mind: Mind) -> Status:
        """Choose the place and throw."""
        combat, found = mind.world.combat, mind.blackboard["chase"].pursuit.prediction
        if combat is None or combat.attack[mind.number] != "ranged" or not isinstance(found, Flood):
            self.reason = "cannot attack an area"
            return FAILURE
        if combat.waits(mind.number, mind.time) > 0.0:
            self.reason = "is not ready"
            return FAILURE
        place, heat = _hottest(mind, combat, found)
        if place is None:
            self.reason = "no warm cell can be hit"
            return FAILURE
        mind.turn(mind.heading_to(place))
        mind.act("hurl", place=place)
        self.reason = f"throws at {heat:.0%} of the heat"
        return SUCCESS


def _hottest(mind: Mind, combat: Combat, found: Flood) -> tuple[Place | None, float]:
    """Return the warm cell around which a charge meets most heat, and its share of all heat; None if there is none."""
    world, rules = mind.world, combat.rules
    cells = found.layout.arrays.cell_xyz[found.warm].astype(np.float64)
    away = np.linalg.norm(cells[:, None] - cells[None], axis=2) <= rules.blast_radius
    heat = away @ found.values.astype(np.float64)
    team, own = world.bodies.team, world.bodies.team[mind.number]
    friends = world.bodies.xyz[(team == own) & (world.bodies.mode == ACTIVE)]
    safe = (np.linalg.norm(cells[:, None] - friends[None], axis=2) > rules.blast_radius + 1.0).all(axis=1)
    x, y, z = mind.xyz
    for row in np.argsort(-heat, kind="stable")[:_MOST_TRIED].tolist():
        in_range = safe[row] and mind.distance_to(as_place(cells[row])) <= rules.range
        if in_range and sees(world.sight, (x, y, z + 1.6), cells[row] + _LOW):
            return as_place(cells[row]), float(heat[row] / found.values.sum())
    return None, 0.0


_LOW = np.array([0.0, 0.0, 0.5])
_MOST_TRIED = 64
"""Warm cells that are tried, hottest first."""


def _flood_columns(guess: Prediction) -> dict[str, Any]:
    """Return the cells of a flood that pictures and `why` need; empty for other predictions."""
    if not isinstance(guess, Flood):
        return {}
    order = np.argsort(guess.heated_in, kind="stable")[:_MOST_SHOWN]
    cells = {name: getattr(guess, name)[order] for name in ("warm", "values", "heated_in")}
    cells |= {name: getattr(guess, name)[:_MOST_SHOWN] for name in ("cold", "cold_in", "barrier", "closed")}
    return {"steps": int(guess.steps)} | {name: tuple(values.tolist()) for name, values in cells.items()}


def _believed(mind: Mind) -> Place:
    """Return where the agent believes its target to be."""
    return as_place(mind.world.knowledge.arrays.xyz[mind.row, mind.blackboard["target"]])


@condition(WAITS, writes=TARGET)
def holds_ground(mind: Mind) -> Answer:
    """Return whether the agent waits for the intruder to come out, and none has gone in since it was last seen.

    Only agents with the setting `approach` wait.
    """
    if not mind.blackboard["approach"]:
        return False, "does not wait"
    column = mind.attention.known[mind.require_watcher()]
    if column < 0:
        return False, "knows of nobody"
    mind.blackboard["target"] = column
    seen = float(mind.attention.acted_on[:, column].max())
    if seen == -math.inf:
        return False, "no agent has identified it"
    if mind.world.hunt.approached >= seen:
        return False, "an agent has been there"
    return True, "waits for it to come out"


@condition(WAITS, writes=TARGET)
def should_approach(mind: Mind, unseen: float = 10.0, moved: float = 5.0) -> Answer:
    """Return whether the agent should go in: the intruder was not perceived for `unseen` seconds, or has `moved`.

    The latter means that it is this many metres from where it is believed to be, a cheat that shortens the wait; 0
    disables it. One agent goes in at a time, and only agents with the setting `approach` do.
    """
    hunt = mind.world.hunt
    waiting = holds_ground(mind)
    if not waiting[0]:
        return waiting
    if hunt.approacher == mind.number and mind.state == "chase":
        return True, "goes in"
    if hunt.approacher >= 0 and mind.world.state_of(hunt.approacher) == "chase":
        return False, f"{mind.world.names[hunt.approacher]} goes in"
    column = mind.blackboard["target"]
    age = mind.time - float(mind.world.knowledge.arrays.time[mind.row, column])
    truth = mind.world.snapshot.places[int(mind.world.cast.targets[column])]
    astray = moved > 0.0 and sum((a - b) ** 2 for a, b in zip(_believed(mind), truth)) > moved * moved
    return age >= unseen or astray, f"unseen for {age:.1f} s"


@leaf
class WatchPlace(MovingLeaf):
    """Stand and watch where the intruder is believed to be; RUNNING."""

    kind = "watch_place"
    reads = TARGET

    def tick(self, mind: Mind) -> Status:
        """Watch the place."""
        heading = mind.heading_to(_believed(mind))
        mind.stand()
        mind.turn(heading)
        return RUNNING


@leaf
class Approach(MovingLeaf):
    """Walk carefully to where the intruder is believed to be; SUCCESS there, or as close as there is a path."""

    kind = "approach"
    reads = TARGET

    def __init__(self, *, pace: float = 0.9, name: str = ""):
        self.pace, self.name = pace, name

    def enter(self, mind: Mind) -> None:
        """Announce the approach to the other agents."""
        mind.world.hunt.approach(mind.number)
        self._place = _believed(mind)
        mind.world.happened(Approaches(mind.world.tick, mind.number, at=self._place))

    def tick(self, mind: Mind) -> Status:
        """Walk on."""
        mind.go(self._place, "walk", pace=self.pace)
        return SUCCESS if mind.has_arrived or mind.is_stopped else RUNNING


@action()
def approached(mind: Mind) -> Status:
    """Report that the place was found empty, so that all agents may search. Always SUCCESS."""
    mind.world.hunt.end_approach(mind.time)
    return SUCCESS
