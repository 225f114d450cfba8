"""Objects: use them, do a list of tasks with them, ring an alarm, and put right what an intruder changed."""

from __future__ import annotations

from ....checks import shown
from ....errors import QueryError, did_you_mean
from ....vocabulary.words import ObjectKind
from ...behaviour.status import FAILURE, RUNNING, SUCCESS, Status
from ...bodies.orders import Gait
from ...senses.hearing.sounds import SOUNDS
from ..facts import OBJECTS
from ..mind import Mind
from ..objects import Objects
from .brain_leaf import Answer, MovingLeaf, action, condition, leaf
from .investigation import start_search

_AT_SLOT = 0.5
"""Metres from a slot within which an agent stands in it."""
_QUEUE = 2.0
"""Metres from an object at which agents wait for a free slot."""
_REST = 5.0
"""Seconds after which agents try again if none of their tasks could be done."""
_PATIENCE = 20.0
"""Seconds for which agents wait for a free slot."""


class ObjectUser(MovingLeaf):
    """A leaf that takes the agent to objects and lets it use them; leaving it gives up the slot."""

    gait: Gait = "walk"

    def enter(self, mind: Mind) -> None:  # noqa: ARG002
        """Begin with the way there."""
        self._ordered = self._waited = -1.0

    def exit(self, mind: Mind, status: Status) -> None:
        """Let others use the slot."""
        if mind.world.objects is not None:
            mind.world.objects.release(mind.number)
        super().exit(mind, status)

    def use(self, mind: Mind, number: int, seconds: float | None = None) -> Status:
        """Walk to a free slot and use the object.

        | the agent                                        | status  |
        |--------------------------------------------------|---------|
        | is on its way, waits for a slot or uses it       | RUNNING |
        | has used it                                      | SUCCESS |
        | may not, has no key, or there is no way or slot  | FAILURE |
        """
        objects = _objects(mind)
        thing, done = objects.things[number], objects.done.get(mind.number)
        if done is not None and done[0] == number and done[1] >= self._ordered >= 0.0:
            return self._end(SUCCESS, f"{thing.animation} at {thing.name}: done")
        obstacle = objects.obstacle(number, mind.number, _team(mind))
        if obstacle:
            return self._end(FAILURE, obstacle)
        slot = objects.claim(number, mind.number, mind.xyz)
        if slot < 0:
            return self._wait(mind, number)
        place = objects.slots(number)[slot]
        away = mind.distance_to(place)
        if self._ordered < 0.0 and away > _AT_SLOT:
            mind.go(place, self.gait)
            self.reason = f"goes to {thing.name}, {away:.0f} m away"
            if mind.is_stopped or mind.has_arrived:
                return self._end(FAILURE, f"no way to {thing.name}")
            return RUNNING
        mind.stand()
        if mind.distance_to(thing.xyz) > 0.1:
            mind.turn(mind.heading_to(thing.xyz))
        if self._ordered < 0.0:
            self._ordered = mind.time
        mind.act("use", number, seconds=seconds)
        now = objects.uses.get(mind.number)
        left = "" if now is None else f", {max(0.0, now.until - mind.time):.0f} s to go"
        self.reason = f"{thing.animation} at {thing.name}{left}"
        return RUNNING

    def _wait(self, mind: Mind, number: int) -> Status:
        """Come near and wait for a slot."""
        objects = _objects(mind)
        name, place = objects.things[number].name, objects.places[number]
        self._waited = mind.time if self._waited < 0.0 else self._waited
        if mind.time - self._waited > _PATIENCE:
            return self._end(FAILURE, f"{name} was in use for {_PATIENCE:.0f} s")
        if mind.distance_to(place) > _QUEUE:
            mind.go(place, self.gait)
        else:
            mind.stand()
        self.reason = f"waits: {name} is in use"
        return RUNNING

    def _end(self, status: Status, reason: str) -> Status:
        self._ordered = self._waited = -1.0
        self.reason = reason
        return status


def _objects(mind: Mind) -> Objects:
    assert mind.world.objects is not None
    return mind.world.objects


def _team(mind: Mind) -> str:
    return mind.world.relations.teams[mind.world.bodies.team[mind.number]]


@leaf
class UseObject(ObjectUser):
    """Walk to an object and use it; the statuses are in the table of `ObjectUser.use`."""

    kind = "use"

    def __init__(self, *, object: str, gait: Gait = "walk", name: str = ""):
        self.object, self.gait, self.name = object, gait, name

    def details(self) -> str:
        """Return the object."""
        return self.object

    def tick(self, mind: Mind) -> Status:
        """Go on, or use it."""
        objects = mind.world.objects
        number = -1 if objects is None else objects.number(self.object)
        if number < 0:
            names = [] if objects is None else [thing.name for thing in objects.things]
            hint = did_you_mean(self.object, names)
            raise QueryError(f"there is no object {shown(self.object)}{hint}; there are {', '.join(names) or 'none'}")
        return self.use(mind, number)


@leaf
class DoTasks(ObjectUser):
    """Do the agent's tasks one after another: use an object, and perhaps put it down elsewhere.

    | the tasks                    | status                                                              |
    |------------------------------|---------------------------------------------------------------------|
    | continue                     | RUNNING; after an interruption with what was left of the same task  |
    | one cannot be done           | RUNNING; passes over it, with a reason                              |
    | are done, without `all_day`  | SUCCESS                                                             |
    | could all not be done        | with `all_day` RUNNING: tries again after a while; else SUCCESS     |
    | do not exist                 | FAILURE                                                             |
    """

    kind = "do_tasks"
    reads = {"task_at": int, "task_left": float}  # noqa: RUF012
    writes = {"task_at": int, "task_left": float}  # noqa: RUF012

    def __init__(self, *, all_day: bool = False, gait: Gait = "walk", name: str = ""):
        self.all_day, self.gait, self.name = all_day, gait, name

    def enter(self, mind: Mind) -> None:
        """Go on where the agent was interrupted."""
        super().enter(mind)
        self._failed, self._rests_until, self._why, self._put_down = 0, -1.0, "", -1

    def exit(self, mind: Mind, status: Status) -> None:
        """Note what is left of the task."""
        use = None if mind.world.objects is None else mind.world.objects.uses.get(mind.number)
        if use is not None:
            mind.blackboard["task_left"] = max(0.1, use.until - mind.time)
        super().exit(mind, status)

    def tick(self, mind: Mind) -> Status:
        """Do the current task."""
        board, objects = mind.blackboard, mind.world.objects
        tasks = () if objects is None else objects.tasks.get(mind.number, ())
        if objects is None or not tasks:
            self.reason = "has no tasks"
            return FAILURE
        if mind.time < self._rests_until:
            mind.stand()
            self.reason = self._why
            return RUNNING
        at = board["task_at"]
        if at >= len(tasks):
            self.reason = "its tasks are done"
            return SUCCESS
        task, number = tasks[at], objects.number(tasks[at].use)
        if objects.things[number].kind is ObjectKind.ITEM and objects.carrier[number] == mind.number:
            status = SUCCESS if task.to is None else self._put(mind, number, task.to)
        elif task.to is not None and (self._put_down == number or objects.places[number] == task.to):
            status, self._put_down = SUCCESS, -1
        else:
            left = board["task_left"]
            status = self.use(mind, number, left if left >= 0.0 else task.seconds)
            if status is SUCCESS and task.to is not None:
                status = RUNNING
        self.reason = f"task {at + 1} of {len(tasks)}: {self.reason}"
        if status is RUNNING:
            return RUNNING
        self._failed = self._failed + 1 if status is FAILURE else 0
        self._end(status, self.reason)
        objects.release(mind.number)
        board["task_left"] = -1.0
        board["task_at"] = (at + 1) % len(tasks) if self.all_day else at + 1
        if self.all_day and self._failed >= len(tasks):
            self._failed, self._rests_until = 0, mind.time + _REST
            self._why = self.reason = f"{self.reason}; no task can be done now"
        return RUNNING

    def _put(self, mind: Mind, number: int, place: tuple[float, float, float]) -> Status:
        """Carry an item to a place and put it down."""
        name = _objects(mind).things[number].name
        away = mind.distance_to(place)
        mind.go(place, self.gait)
        self.reason = f"carries {name}, {away:.0f} m to go"
        if away > _AT_SLOT and not mind.has_arrived:
            return self._end(FAILURE, f"no way to put {name} down") if mind.is_stopped else RUNNING
        mind.stand()
        mind.act("put down", number, place)
        self._put_down = number  # perhaps not exactly there: it is laid where it belongs, or as near as there is floor
        return RUNNING


@condition(OBJECTS)
def should_ring(mind: Mind, within: float = 6.0, danger: float = 4.0) -> Answer:
    """Return whether the agent should run to an alarm: it learned of an intruder in the last `within` seconds.

    There is one nearby that is not ringing and that no other agent runs to, and no intruder within `danger` metres.
    """
    world, objects = mind.world, mind.world.objects
    number = -1 if objects is None else _alarm_near(mind, objects)
    if objects is None or number < 0:
        return False, "there is no alarm to ring"
    name, column = objects.things[number].name, mind.attention.known[mind.require_watcher()]
    if column < 0:
        return False, "knows of no intruder"
    x, y, z = world.knowledge.arrays.xyz[mind.row, column].tolist()
    age, away = mind.time - float(world.knowledge.arrays.time[mind.row, column]), mind.distance_to((x, y, z))
    if mind.number in objects.uses or (mind.number in objects.claims and away > danger):
        return True, f"runs to {name}"
    if age > within or away <= danger:
        return False, f"{world.target_name(column)} is {away:.0f} m away, known {age:.0f} s ago"
    return True, f"{name} is {mind.distance_to(objects.places[number]):.0f} m away and silent"


def _alarm_near(mind: Mind, objects: Objects) -> int:
    """Return the alarm that the agent runs to or, else, the nearest it could; -1 if there is none."""
    ringing = objects.ringing(mind.time)
    others = {thing for agent, (thing, _) in objects.claims.items() if agent != mind.number}
    found = [
        (mind.distance_to(thing.xyz), number)
        for number, thing in enumerate(objects.things)
        if thing.kind is ObjectKind.ALARM and number not in ringing and number not in others
    ]
    own = objects.claims.get(mind.number, (-1, -1))[0]
    if any(number == own for _, number in found):
        return own
    near = [(away, number) for away, number in found if away <= objects.things[number].draws]
    return next((number for _, number in sorted(near) if not objects.obstacle(number, mind.number, _team(mind))), -1)


@leaf
class Ring(ObjectUser):
    """Run to the nearest silent alarm and ring it; FAILURE if there is none."""

    kind = "ring"
    gait = "run"

    def enter(self, mind: Mind) -> None:
        """Choose the alarm."""
        super().enter(mind)
        self._alarm = -1 if mind.world.objects is None else _alarm_near(mind, mind.world.objects)

    def tick(self, mind: Mind) -> Status:
        """Run on, or ring."""
        if self._alarm < 0:
            self.reason = "there is no alarm to ring"
            return FAILURE
        return self.use(mind, self._alarm)


@condition(OBJECTS)
def is_alarmed(mind: Mind) -> Answer:
    """Return whether an alarm rings within earshot."""
    objects, reach = mind.world.objects, SOUNDS["alarm"].radius
    for number in () if objects is None else objects.ringing(mind.time):
        thing = objects.things[number]  # type: ignore[union-attr]
        if mind.distance_to(thing.xyz) <= reach:
            return True, f"{thing.name} rings"
    return False, "no alarm rings"


@leaf
class SetRight(ObjectUser):
    """Switch on the light that the agent was called to because it is off.

    SUCCESS then, and for other calls; FAILURE if it cannot.
    """

    kind = "set_right"
    reads = {"call_kind": str, "call_about": int}  # noqa: RUF012

    def tick(self, mind: Mind) -> Status:
        """Walk to the switch, or use it."""
        objects, number = mind.world.objects, mind.blackboard["call_about"]
        if objects is None or mind.blackboard["call_kind"] != "dark zone" or objects.is_on[number]:
            return SUCCESS
        return self.use(mind, number)


@action(reads={"call_kind": str, "goal": tuple})
def seek_thief(mind: Mind) -> tuple[Status, str]:
    """Begin a search where something was stolen, if that is what the agent was called to. Always SUCCESS."""
    if mind.blackboard["call_kind"] != "theft":
        return SUCCESS, "nothing was stolen"
    start_search(mind)
    return SUCCESS, "searches for the thief"
