"""Combat: attacks and blows, and agents that go down."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np

from ...agents.bodies.bodies import set_mode
from ...agents.bodies.combat import Combat, CombatRules, PendingAttack, clear_shot, friend_in_line
from ...agents.bodies.orders import Act
from ...agents.brains.relations import TEAMS
from ...agents.senses.hearing.sounds import sound
from ...conventions import Array
from ...kernels.arrays.agent_arrays import ACTIVE, BODY, GONE, BodyArrays
from ...kernels.sight.sight_line import is_clear
from ...rng import generator
from ...vocabulary.events import Attacks, AttitudeChanged, BlowKind, Fell, Hit, LineCrossed, Miss, Missed, Threw
from ...vocabulary.words import AgentState, Attitude, EndReason
from ..scenario.reader import Setting
from ..scenario.scenario import arms_of
from .powers import with_decoys
from .world import World

_LEVEL = 1.2
"""Maximum difference in height, in metres, of a strike."""
_HELD = 0.4
"""Seconds after which an agent that held a shot tries again."""
_NEWS = 1.0
"""Seconds for which a colleague that stays in the line of fire is not reported again."""


def make_combat(setting: Setting, side: Array, seed: int) -> Combat | None:
    """Return the weapons and health of all agents; None if the scenario has no combat."""
    given = setting.scenario.combat
    if not given:
        return None
    health = np.array([spec.health for spec in setting.agents], np.float64)
    return Combat(
        rules=CombatRules() if given is True else given,
        attack=tuple(arms_of(spec, TEAMS[int(side[number])]) for number, spec in enumerate(setting.agents)),
        health=health,
        most_health=health.copy(),
        ready=np.full(len(health), -math.inf),
        draw=generator(seed, "fighting"),
    )


def bodies_in_sight(world: World) -> BodyArrays:
    """Return bodies as watchers see them: without those of beaten targets, and with decoys."""
    bodies = with_decoys(world, world.bodies)
    if world.combat is None or not world.combat.beaten:
        return bodies
    mode = bodies.mode.copy()
    mode[sorted(world.combat.beaten)] = GONE
    return bodies._replace(mode=mode)


def begin_attack(world: World, agent: int, order: Act) -> None:
    """Begin to strike or to aim, if the agent may and can."""
    combat = world.combat
    if combat is None or agent in combat.blows or world.time < combat.ready[agent]:
        return
    kind: Literal["strike", "shoot"] = "strike" if order.kind == "strike" else "shoot"
    arms = "melee" if kind == "strike" else "ranged"
    if combat.attack[agent] != arms or not 0 <= order.number < len(world.names) or order.number == agent:
        return
    if not can_hit(world, agent, order.number, kind) or _holds(world, combat, agent, order.number, kind):
        return
    rules = combat.rules
    due = world.time + (rules.strike_seconds if kind == "strike" else rules.shot_seconds)
    combat.blows[agent] = PendingAttack(kind, order.number, due)
    combat.ready[agent] = due + (rules.strike_rest if kind == "strike" else rules.shot_rest)
    world.happened(Attacks(world.tick, agent, at=world.place_of(agent), other=order.number, blow=kind))


def hurl(world: World, agent: int, order: Act) -> None:
    """Throw a charge, if the agent may and can."""
    combat, place = world.combat, order.xyz
    if combat is None or place is None or combat.attack[agent] != "ranged" or agent in combat.blows:
        return
    rules = combat.rules
    if world.time < combat.ready[agent] or math.dist(world.place_of(agent), place) > rules.range:
        return
    combat.charges.append((world.time + rules.blast_seconds, agent, place))
    combat.ready[agent] = world.time + rules.blast_rest
    world.happened(Threw(world.tick, agent, at=place, thing="charge"))


def _set_off(world: World, combat: Combat) -> None:
    """Let the charges go off that are due: they hurt everyone near that no wall protects."""
    due = [one for one in combat.charges if one[0] <= world.time + 1e-9]
    combat.charges = [one for one in combat.charges if one not in due]
    for _, agent, place in due:
        world.senses.sounds.append(sound("explosion", place, created=world.time, made_by=agent))
        near = np.linalg.norm(world.bodies.xyz - place, axis=1) <= combat.rules.blast_radius
        x, y, z = place
        for other in np.flatnonzero(near & (world.bodies.mode == ACTIVE)).tolist():
            ox, oy, oz = world.place_of(other)
            if is_clear(world.sight.arrays, x, y, z + 0.5, ox, oy, oz + 0.5):
                _hit(world, combat, agent, other, "blast", combat.rules.blast_damage)


def can_hit(world: World, agent: int, other: int, kind: Literal["strike", "shoot"]) -> bool:
    """Return whether both are active, the other is within reach or range, and no wall is between them."""
    combat, bodies = world.combat, world.bodies
    if combat is None or bodies.mode[agent] != ACTIVE or bodies.mode[other] != ACTIVE:
        return False
    (x, y, z), (ox, oy, oz) = world.place_of(agent), world.place_of(other)
    if kind == "strike" and (math.hypot(ox - x, oy - y) > combat.rules.reach or abs(oz - z) > _LEVEL):
        return False
    if kind == "shoot" and math.dist((x, y, z), (ox, oy, oz)) > combat.rules.range:
        return False
    return clear_shot(world.sight.arrays, bodies, agent, other)


def _holds(world: World, combat: Combat, agent: int, other: int, kind: str) -> bool:
    """Return whether a shot is held because a colleague is in its line, and report the colleague."""
    friend = friend_in_line(world.bodies, agent, other) if kind == "shoot" else -1
    if friend < 0:
        return False
    last = combat.crossed.get((agent, friend), -math.inf)
    combat.crossed[agent, friend] = world.time
    held = not combat.rules.friendly_fire
    if world.time - last > _NEWS:
        at = world.place_of(friend)
        world.happened(LineCrossed(world.tick, agent, at=at, other=friend, target=other, held=held))
    if held:
        combat.ready[agent] = world.time + _HELD
        combat.ended[agent] = (world.time, "held")
    return held


def resolve_blows(world: World) -> None:
    """Resolve the blows that are due; all are judged before any takes effect, so that their order does not matter."""
    combat = world.combat
    if combat is None:
        return
    if combat.charges:
        _set_off(world, combat)
    for agent in [one for one in combat.blows if world.bodies.mode[one] != ACTIVE]:
        del combat.blows[agent]  # A beaten agent does not strike.
    due = sorted((blow.due, agent) for agent, blow in combat.blows.items() if blow.due <= world.time + 1e-9)
    judged = []
    for _, agent in due:
        blow = combat.blows.pop(agent)
        judged.append((agent, blow, _judge(world, combat, agent, blow)))
    for agent, blow, outcome in judged:
        if isinstance(outcome, int):
            damage = combat.rules.strike_damage if blow.kind == "strike" else combat.rules.shot_damage
            _hit(world, combat, agent, outcome, blow.kind, damage)
        elif outcome is not None:
            _miss(world, combat, agent, blow, outcome)


def _judge(world: World, combat: Combat, agent: int, blow: PendingAttack) -> int | Miss | None:
    """Return the agent that a blow hits, or why it misses; None if the shot is held."""
    if not can_hit(world, agent, blow.target, blow.kind):
        return Miss.OUT_OF_REACH if blow.kind == "strike" else Miss.OUT_OF_SIGHT
    if blow.kind == "strike":
        return blow.target
    if _holds(world, combat, agent, blow.target, blow.kind):
        return None
    world.senses.sounds.append(sound("gunshot", world.bodies.xyz[agent], created=world.time, made_by=agent))
    friend = friend_in_line(world.bodies, agent, blow.target)
    hit = friend if friend >= 0 else blow.target
    return hit if combat.draw.random() < _chance(world, combat, agent, hit) else Miss.WENT_WIDE


def _chance(world: World, combat: Combat, agent: int, other: int) -> float:
    rules = combat.rules
    share = min(1.0, math.dist(world.place_of(agent), world.place_of(other)) / rules.range)
    return rules.near_chance + (rules.far_chance - rules.near_chance) * share


def _miss(world: World, combat: Combat, agent: int, blow: PendingAttack, why: Miss) -> None:
    combat.ended[agent] = (world.time, "missed")
    at = world.place_of(agent)
    world.happened(Missed(world.tick, agent, at=at, other=blow.target, blow=blow.kind, reason=why))


def _hit(world: World, combat: Combat, agent: int, other: int, blow: BlowKind, damage: float) -> None:
    combat.health[other] = max(0.0, combat.health[other] - damage)
    combat.ended[agent], combat.hurt[other] = (world.time, "hit"), (world.time, agent)
    left = float(combat.health[other])
    at, most = world.place_of(other), float(combat.most_health[other])
    world.happened(Hit(world.tick, agent, at, other, blow=blow, damage=damage, health=left, most=most))
    if world.relations.is_provoked(other, agent):
        set_attitude(world, int(world.bodies.team[other]), int(world.bodies.team[agent]), "hostile", (other, agent))
    row = int(world.cast.watcher_row[other])
    if row >= 0 and agent in world.cast.targets:
        world.knowledge.touch(row, world.cast.targets.tolist().index(agent), world.bodies, world.time)
    if left <= 0.0 and world.bodies.mode[other] == ACTIVE:
        _fall(world, combat, other, agent)


def _fall(world: World, combat: Combat, agent: int, by: int) -> None:
    """Make a beaten agent go down; the last intruder that does ends the hunt."""
    combat.blows.pop(agent, None)
    world.happened(Fell(world.tick, agent, at=world.place_of(agent), other=by))
    world.senses.sounds.append(sound("body fall", world.bodies.xyz[agent], created=world.time, made_by=agent))
    go_down(world, agent)
    if agent not in world.cast.targets:
        return
    if world.cast.side[agent] != TEAMS.index("intruders"):
        return  # Its colleagues may find its body.
    combat.beaten.add(agent)
    intruders = world.cast.side == TEAMS.index("intruders")
    if "beaten" in world.scenario.ends and (world.bodies.mode[intruders] != ACTIVE).all():
        world.end(EndReason.BEATEN, by, other=agent)


def go_down(world: World, agent: int) -> None:
    """Make an agent lie on the floor, a body that can be found; no one hunts it any more."""
    set_mode(world.bodies, agent, BODY)
    world.minds[agent].be(AgentState.DOWN)
    world.orders.halt(agent)
    row = int(world.cast.watcher_row[agent])
    if row >= 0:
        world.attention.black_out(row)
    if agent in world.cast.targets:
        world.attention.out.append(world.cast.targets.tolist().index(agent))


def set_attitude(world: World, team: int, other: int, attitude: str, attack: tuple[int, int] = (-1, -1)) -> None:
    """Change the attitude of two teams to each other, perhaps because of an attack: its victim and attacker."""
    if world.relations.change(team, other, attitude):
        names, (victim, by) = world.relations.teams, attack
        at = world.place_of(victim) if victim >= 0 else None
        change = AttitudeChanged(
            world.tick, victim, at, by, team=names[team], toward=names[other], attitude=Attitude(attitude)
        )
        world.happened(change)
