"""Rules of speech and reaction: files, databases, matching, speakers and why a rule fired."""

from __future__ import annotations

from .agents.rules.engine.check import check_rules
from .agents.rules.engine.compile import compile_handler
from .agents.rules.engine.engine import Engine, Fired
from .agents.rules.engine.explanation import explain
from .agents.rules.engine.greedy import Greedy
from .agents.rules.engine.pack import RulePack, open_rules
from .agents.rules.engine.recorded_rules import RecordedRule, Recorder
from .agents.rules.files.read import parse_rules, read_rules
from .agents.rules.files.revision import revise_rules
from .agents.rules.files.rule_edits import move_rule, replace_rule
from .agents.rules.language.bindings import Attribute, Bindings, Constant, Entry, Method, Recollection, Record
from .agents.rules.language.faults import RuleFileError
from .agents.rules.language.lines import spoken
from .agents.rules.language.rule import Database, Handler, Rule
from .agents.rules.production.production import Bins, Production
from .agents.rules.production.syntax import parse_production
from .agents.rules.shipped_rules import SHIPPED_RULES, shipped_rules, shipped_rules_folder
from .agents.rules.speech.speakers import Speaker, Speakers
from .agents.rules.speech.speech import Speech
from .agents.rules.speech.twin_board import TwinBoard
from .agents.rules.speech.utterance import Bark, SpeechSettings, Utterance
from .textfile import TextFileError

__all__ = [
    "SHIPPED_RULES",
    "Attribute",
    "Bark",
    "Bindings",
    "Bins",
    "Constant",
    "Database",
    "Engine",
    "Entry",
    "Fired",
    "Greedy",
    "Handler",
    "Method",
    "Production",
    "Recollection",
    "Record",
    "RecordedRule",
    "Recorder",
    "Rule",
    "RuleFileError",
    "RulePack",
    "Speaker",
    "Speakers",
    "Speech",
    "SpeechSettings",
    "TextFileError",
    "TwinBoard",
    "Utterance",
    "check_rules",
    "compile_handler",
    "explain",
    "move_rule",
    "open_rules",
    "parse_production",
    "parse_rules",
    "read_rules",
    "replace_rule",
    "revise_rules",
    "shipped_rules",
    "shipped_rules_folder",
    "spoken",
]
