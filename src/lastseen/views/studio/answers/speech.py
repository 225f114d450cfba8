"""Speech in the running game: the rules agents speak by, what an agent would say now, and why one stays silent."""

from __future__ import annotations

import os
import re
from copy import copy
from dataclasses import replace
from pathlib import Path

import msgspec

from ....agents.rules.engine.explanation import Consideration
from ....agents.rules.engine.pack import RulePack, open_rules
from ....agents.rules.language.rule import checked_condition
from ....agents.rules.shipped_rules import SHIPPED_RULES, shipped_rules
from ....agents.rules.speech.speech import Speech
from ....errors import InputError, RuleError, did_you_mean
from ....simulation.scenario.reader import Setting
from ....simulation.scenario.script_checks import fact_conditions, fact_specs
from ....simulation.world.speech_setup import checked_speech
from ....simulation.world.world import World
from ..editing.rule_checks import TRIGGER, near_verdicts
from ..editing.rule_files import rule_home
from ..protocol.messages import Evaluate
from ..protocol.news import Evaluation, RuleVerdict, SilentAgent, SpeechState, UnreadFact
from ..session.folder import UPLOADED, Folder
from ..session.game import Game
from ..session.stage import Stage

_SPEAKING = re.compile(r"\b(\d+) is speaking")


def voices_answer(game: Game, folder: Folder) -> SpeechState:
    """Return the rules agents speak by, their triggers, and why agents with a trigger said nothing."""
    rules, world = game.stage.setting.rules, game.world
    spec = rules.variables.get(TRIGGER) if rules is not None else None
    speech = None if world is None or world.talk is None else world.talk.speech
    silent = {} if speech is None or not game.is_at_end() else speech.silent
    return SpeechState(
        rules=rules_name(game.stage, folder),
        triggers=[] if spec is None else list(spec.names),
        speakers=[] if world is None or speech is None else world.cast.watchers.tolist(),
        facts=dict(game.stage.setting.scenario.facts if world is None else world.script.facts),
        is_live=speech is not None and game.is_at_end(),
        silent=[SilentAgent(agent, _named(why, game)) for agent, why in silent.items() if isinstance(agent, int)],
        complaints=[] if speech is None else [UnreadFact(path, what) for path, what in speech.complaints.items()],
    )


def _named(why: str, game: Game) -> str:
    """Return a reason with agents' names in place of their numbers."""
    names = game.recording.about.agents
    return _SPEAKING.sub(
        lambda found: f"{names[int(found[1])] if int(found[1]) < len(names) else 'another agent'} is speaking", why
    )


def evaluation_answer(game: Game, asked: Evaluate) -> Evaluation:
    """Return what an agent would say now for a trigger, and for every rule why it does not fire.

    Raise InputError if no agent speaks here, the step shown is not the last, or there is no such speaker or trigger.
    """
    world, speech = _speaking(game)
    assert world.talk is not None
    agent, trigger = asked.agent, asked.trigger
    if agent not in world.cast.watchers.tolist():
        raise InputError(f"agent {agent} does not speak; agents that do are {world.cast.watchers.tolist()}")
    spec = speech.database.variables.get(TRIGGER)
    if spec is not None and trigger not in spec.names:
        hint = did_you_mean(trigger, spec.names)
        raise InputError(f"no trigger {trigger!r}{hint}; there are {', '.join(spec.names)}")
    found = speech.consider(world.talk.voices.bark(agent, trigger), now=world.time)
    explanation = found.explanation
    return Evaluation(
        agent=agent,
        trigger=trigger,
        tick=game.shown,
        handlers=found.handler,
        refused=_named(found.refused, game),
        fired=explanation.fired.rule.name if explanation is not None and explanation.fired is not None else None,
        facts={path: round(value, 3) if isinstance(value, float) else value for path, value in found.facts.items()},
        rules=[] if explanation is None else _rows(found, speech, game),
    )


def _rows(found: Consideration, speech: Speech, game: Game) -> list[RuleVerdict]:
    assert found.explanation is not None
    near = {one.number: place for place, one in enumerate(near_verdicts(found.explanation))}
    homes = {
        (rule.source, rule.line, rule.name): handler.name
        for handler in speech.database.handlers.values()
        for rule in handler.rules
    }
    rows = []
    for verdict in found.explanation.verdicts:
        rule = verdict.rule
        rows.append(
            RuleVerdict(
                name=rule.name,
                handler=homes.get((rule.source, rule.line, rule.name), found.handler),
                state=found.state(verdict),
                reason=_named(found.reason(verdict), game),
                near=near.get(verdict.number),
            )
        )
    return rows


def _speaking(game: Game) -> tuple[World, Speech]:
    if game.world is None:
        raise InputError("a recording is open; continue from one of its steps first")
    if not game.is_at_end():
        raise InputError("a past step is shown; go to the last step (End), or continue from here")
    if game.world.talk is None:
        raise InputError("the scenario has no rules for speech")
    return game.world, game.world.talk.speech


def _rules_base(stage: Stage, folder: Folder) -> Path:
    """Return the folder that a stage's rules are relative to."""
    is_own = stage.kind == "scenario" and not stage.source.startswith(UPLOADED)
    return (folder.root / stage.source).parent if is_own else folder.root


def rules_name(stage: Stage, folder: Folder) -> str | None:
    """Return the name under which a stage's rules can be opened; None: there are none, or not in this folder."""
    name = stage.setting.scenario.rules
    if stage.setting.rules is None or name in SHIPPED_RULES:
        return None if stage.setting.rules is None else name
    place = Path(os.path.normpath(_rules_base(stage, folder) / name))
    return place.relative_to(folder.root).as_posix() if place.is_relative_to(folder.root) else None


def with_rules(stage: Stage, folder: Folder, name: str) -> Stage:
    """Return the same stage with other rules for speech.

    Raise LastSeenError if there are no such rules, they are faulty, or they do not fit the facts of the scenario.
    """
    home = rule_home(folder, name)
    place = home.root if home.kind != "file" else next(iter(home.files.values()))
    rules = shipped_rules(name) if home.kind == "shipped" else open_rules(place)
    checked_speech(rules.database())
    named = name if home.kind == "shipped" else Path(os.path.relpath(place, _rules_base(stage, folder))).as_posix()
    _require_facts(stage.setting, rules)
    spoken = copy(stage.setting)
    spoken.scenario, spoken.rules = msgspec.structs.replace(spoken.scenario, rules=named), rules
    return replace(stage, setting=spoken, kind="level" if stage.kind == "level" else "scenario", recording=None)


def _require_facts(setting: Setting, rules: RulePack) -> None:
    specs = fact_specs(setting.scenario, rules)
    for condition in fact_conditions(setting.scenario):
        try:
            checked_condition(condition, specs)
        except RuleError as error:
            raise InputError(f"the scenario sets {condition.variable}: {error}") from None
