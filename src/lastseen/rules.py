"""Rules of speech and reaction: files, databases, matching, speakers and why a rule fired."""

from __future__ import annotations

from .agents.rules.bindings import Bindings
from .agents.rules.bins import Bins
from .agents.rules.check import check_rules
from .agents.rules.company import Speaker, Speakers
from .agents.rules.compile import compile_handler
from .agents.rules.engine import Engine, Fired
from .agents.rules.faults import RuleFileError
from .agents.rules.greedy import Greedy
from .agents.rules.lines import spoken
from .agents.rules.pack import RulePack, open_rules
from .agents.rules.production import Production
from .agents.rules.production_text import parse_production
from .agents.rules.read import parse_rules, read_rules
from .agents.rules.ready import READY_RULES, ready_rules
from .agents.rules.recorded import RecordedRule, Recorder
from .agents.rules.revise import revise_rules
from .agents.rules.rule import Database, Handler, Rule
from .agents.rules.sources import Attribute, Constant, Entry, Method, Recollection, Record
from .agents.rules.speech import Speech
from .agents.rules.twinning import TwinBoard
from .agents.rules.utterance import Bark, SpeechSettings, Utterance
from .agents.rules.why import explain
from .agents.rules.write import move_rule, replace_rule
from .textfile import TextFileError

__all__ = [
    "READY_RULES",
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
    "ready_rules",
    "replace_rule",
    "revise_rules",
    "spoken",
]
