"""Valid arguments, and objects to call methods of, for the public names of rules."""

from __future__ import annotations

from lastseen.agents.rules.production.syntax import ProductionRule
from public_names import public

TEXT = """
variables: {trigger: {enum: [SEE, LOSE]}, health: float}
handlers:
  guard.barks:
    rules:
      - {name: hurt, when: [trigger == SEE, health < 0.5], say: Help!}
      - {name: sees, when: trigger == SEE, say: see.1}
lines: {see.1: {en: There!, de: Da!}}
"""
PRODUCTION = "resources: [gold]\nunits: {mine: [{name: dig, inputs: [map 1 gold], outputs: [unit 1 gold]}]}\n"

PLAIN = ("Database", "Fired", "Handler", "Rule", "RulePack", "Speaker", "TwinBoard", "Utterance")
"""Classes that other calls create, that accept any value, or that warn."""

METHODS = {
    "Bindings": ("bind", "facts", "set"),
    "Bins": ("resource", "unit"),
    "Engine": ("encode_many", "evaluate", "match_many"),
    "Greedy": ("update",),
    "Production": ("add", "advance", "remove", "run"),
    "RecordedRule": ("closeness", "score"),
    "Recorder": ("did", "watch"),
    "Speech": ("advance", "bark", "bark_many"),
    "TwinBoard": ("began", "may"),
}


def right_arguments() -> dict[str, object]:
    """Return a valid value for every argument, by `function.argument`."""
    database = public.parse_rules(TEXT)
    handler = public.compile_handler(database, "guard.barks")
    knowledge = public.Knowledge(public.bodies([(0, 0), (1, 0)], team=[0, 1]), [0], [1])
    facts = {"trigger": "SEE", "health": 1.0}
    return {
        "Attribute.name": "health",
        "Bark.speaker": "Ames",
        "Bindings.variables": database,
        "Bindings.bind.path": "health",
        "Bindings.bind.source": public.Constant(1.0),
        "Bindings.facts.given": facts,
        "Bindings.set.path": "health",
        "Bindings.set.value": 1.0,
        "Bins.resources": ["gold"],
        "Bins.resource.name": "gold",
        "Bins.unit.name": "mine 1",
        "Bins.unit.kind": "mine",
        "Constant.value": 1.0,
        "Engine.handler": handler,
        "Engine.encode_many.facts": [facts],
        "Engine.evaluate.facts": facts,
        "Engine.match_many.facts": [[0.0, 1.0]],
        "Greedy.handler": handler,
        "Greedy.update.facts": facts,
        "Method.name": "is_alone",
        "Production.bins": public.Bins(["gold"], tiles=1),
        "Production.rules": public.parse_production(PRODUCTION)[1],
        "Production.add.unit": public.Bins(["gold"], tiles=1).unit("mine 2", "mine", [0]),
        "Production.advance.days": 1.0,
        "Production.remove.name": "mine 1",
        "Production.run.unit": public.Bins(["gold"], tiles=1).unit("mine 2", "mine", [0]),
        "Production.run.rule": ProductionRule("rest"),
        "Recollection.knowledge": knowledge,
        "Record.field": "age",
        "RecordedRule.name": "swerve",
        "RecordedRule.state": {"health": 1.0},
        "RecordedRule.closeness.facts": facts,
        "RecordedRule.score.facts": facts,
        "Recorder.tolerance": {"health": 0.1},
        "Recorder.did.action": "swerve",
        "Recorder.did.name": "swerve",
        "Recorder.watch.facts": facts,
        "Speakers.everybody": {"Ames": public.Speaker()},
        "Speech.rules": database,
        "Speech.company": public.Speakers({"Ames": public.Speaker()}),
        "Speech.bark.bark": public.Bark("Ames", {"trigger": "SEE"}),
        "Speech.bark_many.barks": [public.Bark("Ames", {"trigger": "SEE"})],
        "TwinBoard.began.action": "There!",
        "TwinBoard.may.action": "There!",
        "check_rules.database": database,
        "compile_handler.database": database,
        "explain.handler": handler,
        "explain.facts": facts,
        "parse_production.text": PRODUCTION,
        "parse_rules.text": TEXT,
        "shipped_rules.name": "guards",
        "spoken.action": "see.1",
        "spoken.lines": database.lines,
    }


def makers(right: dict[str, object]) -> dict[str, object]:
    """Return functions that create a new object of a class, to call a method of."""
    return {
        "Bindings": lambda: public.Bindings(right["Bindings.variables"]),
        "Bins": lambda: public.Bins(["gold"], tiles=1),
        "Engine": lambda: public.Engine(right["Engine.handler"]),
        "Greedy": lambda: public.Greedy(right["Greedy.handler"]),
        "Production": _production,
        "RecordedRule": lambda: public.RecordedRule("swerve", {"health": 1.0}),
        "Recorder": _recorder,
        "Speech": lambda: public.Speech(right["Speech.rules"], right["Speech.company"]),
        "TwinBoard": public.TwinBoard,
    }


def _production() -> public.Production:
    bins = public.Bins(["gold"], tiles=1)
    production = public.Production(bins, public.parse_production(PRODUCTION)[1])
    production.add(bins.unit("mine 1", "mine", [0]))
    return production


def _recorder() -> public.Recorder:
    recorder = public.Recorder({"health": 0.1})
    recorder.watch({"health": 1.0}, 0.0)
    return recorder
