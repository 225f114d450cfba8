"""Lines of speech: ids, settings, variants, tables for translators, and the checks that find misread ones."""

from __future__ import annotations

import csv
import io
import json
import shutil
import subprocess
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest
from babel.messages.pofile import read_po as babel_read
from hypothesis import given, settings
from hypothesis import strategies as st

from lastseen.agents.rules.engine.check import check_rules
from lastseen.agents.rules.engine.compile import compile_handler
from lastseen.agents.rules.engine.engine import Engine
from lastseen.agents.rules.engine.line_checks import coverage
from lastseen.agents.rules.engine.pack import open_rules
from lastseen.agents.rules.files.line_ids import give_ids
from lastseen.agents.rules.files.line_tables import import_lines, lines_csv, read_csv
from lastseen.agents.rules.files.po_text import lines_po, read_po
from lastseen.agents.rules.files.read import parse_rules, read_documents, read_rules
from lastseen.agents.rules.files.yaml_text import groups_text
from lastseen.agents.rules.language.faults import RuleFileError
from lastseen.agents.rules.language.lines import line_faults, placeholders, spoken
from lastseen.agents.rules.language.rule import Database, LineSettings
from lastseen.agents.rules.shipped_rules import shipped_rules
from lastseen.agents.rules.speech.game_checks import GameOffer, game_faults
from lastseen.agents.rules.speech.speakers import Speaker, Speakers
from lastseen.agents.rules.speech.speech import Speech
from lastseen.agents.rules.speech.utterance import Bark
from lastseen.errors import RuleError

RULES = """\
# Of the watch.
variables: {bark.trigger: {enum: [SEE, LOSE]}, ask.name: str}
handlers:
  guard.barks:
    policy: shuffle repeat
    cooldown: 9
    rules:
      - name: Seen, at last!   # said loudly
        when: bark.trigger == SEE
        say: ["Stop, {name}!", See you., see.old]
      - name: lost
        when: bark.trigger == LOSE
        say: Gone.
      - {name: shrug, when: bark.trigger == LOSE, do: [shrug]}
lines:
  # Kept from the first game.
  see.old: {en: "There!", de: "Da!", tags: {voice: see_01, mood: angry}, weight: 3, cooldown: 0, about: shouted}
"""


def said(text: str, times: int, **facts: str) -> list[object]:
    guard = Engine(compile_handler(parse_rules(text), "guard.barks"))
    found = [guard.evaluate(facts, now=20.0 * now) for now in range(times)]
    return [None if one is None else one.action for one in found]


def test_a_line_has_tags_weight_cooldown_and_note(tmp_path) -> None:
    database = parse_rules(RULES)
    wanted = LineSettings({"voice": "see_01", "mood": "angry"}, 3, 0.0, "shouted")
    assert database.line_settings == {"see.old": wanted}
    assert database.lines == {"see.old": {"en": "There!", "de": "Da!"}}
    (tmp_path / "barks.yaml").write_text(RULES)
    for _ in range(2):  # compiled, then from the pack
        pack = open_rules(tmp_path)
        assert pack.line_settings == database.line_settings
        (with_own, *_) = pack.compiled("guard.barks").lists
        assert (with_own.weights, with_own.cooldowns) == ((1, 1, 3), (None, None, 0.0))


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ("weight: 0", "weight"),
        ("weight: 21", "weight"),
        ("weight: 1.5", "weight"),
        ("cooldown: -1", "cooldown"),
        ("tags: [loud]", "tags"),
        ("tags: {mood: 3}", r"tags\.mood: expected text"),
        ("about: 3", "about"),
        ("de: 3", "text"),
        ('de: ""', "its text in de is empty"),
        ("wieght: 3", r"'wieght' is not a language code \(did you mean 'weight'\?\)"),
    ],
)
def test_wrong_settings_are_refused_with_their_line(setting: str, words: str) -> None:
    with pytest.raises(RuleFileError, match=words) as found:
        parse_rules(f"lines:\n  x.y:\n    en: Hm.\n    {setting}\n")
    assert {fault.line for fault in found.value.faults} <= {2, 3, 4}


def test_all_faults_of_a_line_come_at_once() -> None:
    text = """\
lines:
  x.y:
    en: "Hm {name}."
    de: ""
    fr: "Hm {nom}."
    it: 3
    wieght: 3
    weight: 21
    cooldown: -1
    tags: [loud]
"""
    with pytest.raises(RuleFileError) as found:
        parse_rules(text)
    assert [fault.line for fault in found.value.faults] == [4, 5, 6, 7, 8, 9, 10]
    assert all(fault.what.startswith("line 'x.y': ") and fault.kind == "line" for fault in found.value.faults)


def test_heavy_lines_come_more_often_and_never_twice_in_a_row() -> None:
    text = RULES.replace("cooldown: 9", "cooldown: 0")
    found = said(text, 3000, **{"bark.trigger": "SEE"})
    count = Counter(found)
    # Of five in a round three are heavy, but no more than every other line can be the same one.
    assert 0.42 < count["see.old"] / len(found) <= 0.5
    assert not [one for one, two in pairwise(found) if one == two]
    even = said(
        text.replace("weight: 3", "weight: 2").replace('"Stop, {name}!",', "A., B., C.,"),
        3000,
        **{"bark.trigger": "SEE"},
    )
    shares = Counter(even)
    assert 1.75 < shares["see.old"] / shares["A."] <= 2.0
    once = text.replace("shuffle repeat", "shuffle once")
    firsts = [said(once.replace("Of the", f"{seed}"), 4, **{"bark.trigger": "SEE"}) for seed in range(3)]
    assert all(sorted(map(str, one[:3])) == ["See you.", "Stop, {name}!", "see.old"] for one in firsts)


def test_a_line_rests_for_its_own_time() -> None:
    text = """\
variables: {x: bool}
handlers: {h: {cooldown: 100, rules: [{name: a, when: x, say: [b.one, b.two]}]}}
lines: {b.one: {en: One., cooldown: 5}, b.two: {en: Two.}}
"""
    guard = Engine(compile_handler(parse_rules(text), "h"))
    found = [guard.evaluate({"x": True}, now=now) for now in (0.0, 1.0, 2.0, 5.5, 6.0, 101.5)]
    assert [one and one.action for one in found] == ["b.one", "b.two", None, "b.one", None, "b.two"]


def test_variants_are_picked_and_documented_forms_stay_as_they_are() -> None:
    text = "[Halt|Stop|Hey {name}], [you|]!"
    assert spoken(text, {}, {"name": "Ada"}) == "Halt, you!"
    assert spoken(text, {}, {"name": "Ada"}, pick=lambda count: count - 1) == "Hey Ada, !"
    assert placeholders(text) == ("name",)
    for plain in ("[sighs]", "either|or", "a [b] | c", "{{x}} [y]"):
        assert spoken(plain, {}) == plain.replace("{{", "{").replace("}}", "}")
    for torn in ("[a|b", "a|b]", "[a|[b|c]]", "[[a|b]|c]", "[a|b] c|d]"):
        with pytest.raises(RuleError, match="unpaired or nested brackets"):
            placeholders(torn)
    ((language, what),) = line_faults({"en": "[{name}|You]!", "de": "[Du|Sie]!"})
    assert (language, what.endswith("use the same in both")) == ("de", True)


def test_speech_picks_variants_by_its_seed_and_gives_tags_to_the_game() -> None:
    text = """\
variables: {bark.trigger: {enum: [SEE]}}
handlers: {guard.barks: {rules: [{name: a, when: bark.trigger == SEE, say: a.b}]}}
lines: {a.b: {en: "[A|B|C|D]!", tags: {voice: v1}}}
"""

    def heard(seed: int) -> list[str]:
        speech = Speech(parse_rules(text), Speakers({"Ada": Speaker()}), seed=seed)
        told = [speech.bark(Bark("Ada", {"bark.trigger": "SEE"}), now=100.0 * number) for number in range(30)]
        assert all(one is not None and one.tags == {"voice": "v1"} for one in told)
        return [one.text for one in told if one is not None]

    assert heard(1) == heard(1) != heard(2)
    assert set(heard(1)) == {"A!", "B!", "C!", "D!"}


# Ids


def test_every_line_gets_an_id_that_stays(tmp_path) -> None:
    file = tmp_path / "barks.yaml"
    file.write_text(RULES)
    (tmp_path / "more.json").write_text('{"handlers": {"guard.answers": {"rules": [{"name": "2nd", "say": "Gone."}]}}}')
    before = read_rules(tmp_path)
    assert give_ids(str(tmp_path)) == {str(file): 3, str(tmp_path / "more.json"): 0}
    after, text = read_rules(tmp_path), file.read_text()
    assert after.handlers["guard.barks"].rules[0].actions == (
        "barks.seen_at_last.1", "barks.seen_at_last.2", "see.old",
    )  # fmt: skip
    assert after.lines["barks.seen_at_last.1"] == {"en": "Stop, {name}!"}
    assert after.handlers["guard.answers"].rules[0].actions == ("barks.lost.1",), "the same text has the same id"
    assert after.handlers["guard.barks"].rules[2].actions == ("shrug",), "what is done is no line"
    assert after.line_settings == before.line_settings
    for comment in ("# Of the watch.", "# said loudly", "# Kept from the first game."):
        assert comment in text
    assert give_ids(str(tmp_path)) == {}
    file.write_text(
        text.replace("Stop, {name}!", "Halt, {name}!").replace("say: barks.lost.1", "say: [barks.lost.1, Lost.]")
    )
    give_ids(str(tmp_path), language="en")
    assert read_rules(tmp_path).lines["barks.seen_at_last.1"] == {"en": "Halt, {name}!"}
    assert read_rules(tmp_path).lines["barks.lost.2"] == {"en": "Lost."}


@pytest.mark.parametrize("ending", ["", "lines: {}\n"])
def test_ids_are_written_as_blocks_where_there_were_no_lines(tmp_path, ending) -> None:
    file = tmp_path / "barks.yaml"
    rules = [f"      - name: number {one}\n        say: [Hm {one}., Well {one}.]  # said\n" for one in range(20)]
    file.write_text("# Of the watch.\nhandlers:\n  guard.barks:\n    rules:\n" + "".join(rules) + ending)
    give_ids(str(file))
    text = file.read_text()
    assert text.count("# said") == 20
    assert text.startswith("# Of the watch.\n")
    assert "\nlines:\n  barks.number_0.1: {en: Hm 0.}\n  barks.number_0.2: {en: Well 0.}\n" in text
    assert max(map(len, text.splitlines())) <= 110


def test_ids_are_written_into_a_file_in_one_line(tmp_path) -> None:
    file = tmp_path / "barks.yaml"
    file.write_text("{handlers: {h: {rules: [{name: a, say: Hm.}]}}}\n")
    assert give_ids(str(file)) == {str(file): 1}
    assert read_rules(file).lines == {"h.a.1": {"en": "Hm."}}


def test_ids_are_refused_where_they_cannot_be_written(tmp_path) -> None:
    (tmp_path / "a.yaml").write_text("handlers: {h: {rules: [{name: a, say: Hm.}]}}\n")
    (tmp_path / "b.toml").write_text('[[handlers.g.rules]]\nname = "b"\nsay = "Ho."\n')
    before = (tmp_path / "a.yaml").read_bytes()
    with pytest.raises(RuleError, match=r"b\.toml: TOML cannot be changed in place"):
        give_ids(str(tmp_path))
    assert (tmp_path / "a.yaml").read_bytes() == before
    with pytest.raises(RuleError, match="'English' is not a language code"):
        give_ids(str(tmp_path / "a.yaml"), language="English")


# Tables

TEXT = st.text(
    st.one_of(st.characters(exclude_categories=("Cs", "Cc")), st.sampled_from('\n\t\r"\\,;')), min_size=1, max_size=30
).filter(lambda text: text.strip() and text == text.replace("\0", "") and not set("[]{}") & set(text))
LINES = st.dictionaries(
    st.from_regex(r"[a-z]{1,5}\.[a-z0-9_]{1,8}", fullmatch=True),
    st.fixed_dictionaries(
        {"en": TEXT},
        optional={
            "de": TEXT,
            "id": TEXT,
            "pt-BR": TEXT,
            "tags": st.dictionaries(st.sampled_from(["voice", "mood"]), TEXT, min_size=1),
            "weight": st.integers(2, 20),
            "cooldown": st.floats(0.0, 1e6),
            "about": TEXT,
        },
    ),
    min_size=1,
    max_size=6,
)


def stored(folder: Path, lines: object) -> Database:
    """Write lines to rule files, half of them YAML, half JSON, and return the database."""
    given = dict(lines)  # type: ignore[call-overload]
    names = list(given)
    say = {"handlers": {"guard.barks": {"rules": [{"name": "all", "say": names}]}}}
    (folder / "a.yaml").write_bytes(groups_text(say | {"lines": {name: given[name] for name in names[::2]}}).encode())
    (folder / "b.json").write_text(json.dumps({"lines": {name: given[name] for name in names[1::2]}}))
    return read_rules(folder)


def same(one: Database, other: Database) -> bool:
    return (one.lines, one.line_settings) == (other.lines, other.line_settings)


def imported(folder: Path, table: str, *, language: str | None = None) -> int:
    database, documents = read_documents(folder)
    if table.lstrip("\ufeff").startswith("line"):
        return import_lines(documents, database, read_csv(table, database), source="t.csv")
    changes, passed = read_po(table, database, language=language)
    assert passed == []
    return import_lines(documents, database, changes, source="t.po")


@settings(max_examples=60, deadline=None)
@given(lines=LINES)
def test_csv_goes_out_and_comes_back_without_loss(tmp_path_factory, lines) -> None:
    folder = tmp_path_factory.mktemp("csv")
    database = stored(folder, lines)
    table = lines_csv(database, "fr")
    assert imported(folder, table) == 0
    assert same(read_rules(folder), database)
    # What only the table still has comes back from it.
    stored(folder, {name: {"en": "?"} for name in lines})
    imported(folder, table)
    assert same(read_rules(folder), database)
    rows = list(csv.DictReader(io.StringIO(table.removeprefix("\ufeff"), newline="")))
    assert [row["line"] for row in rows] == list(database.lines)
    assert [row["en"] for row in rows] == [texts["en"] for texts in database.lines.values()]


@settings(max_examples=60, deadline=None)
@given(lines=LINES)
def test_po_goes_out_and_comes_back_without_loss_and_others_read_it(tmp_path_factory, lines) -> None:
    folder = tmp_path_factory.mktemp("po")
    database = stored(folder, lines)
    tables = {language: lines_po(database, language, source_language="en") for language in ("de", "id", "pt-BR")}
    for table in tables.values():
        assert imported(folder, table) == 0
    bare = {name: {key: one for key, one in line.items() if key not in tables} for name, line in lines.items()}
    stored(folder, bare)
    for table in tables.values():
        imported(folder, table)
    assert same(read_rules(folder), database)
    catalog = babel_read(io.BytesIO(tables["de"].encode()), locale="de", abort_invalid=True)
    told = {message.context: (message.id, message.string) for message in catalog if message.id}
    assert told == {name: (texts["en"], texts.get("de", "")) for name, texts in database.lines.items()}


def test_the_tables_of_the_sample_are_whole_and_valid(tmp_path) -> None:
    shutil.copytree(
        shipped_rules("guards").sources[0].rpartition("/")[0], tmp_path / "guards", ignore=lambda *_: [".rules.pack"]
    )
    database = read_rules(tmp_path / "guards")
    po = lines_po(database, "de")
    assert imported(tmp_path / "guards", po) == imported(tmp_path / "guards", lines_csv(database)) == 0
    assert len([one for one in babel_read(io.BytesIO(po.encode()), abort_invalid=True) if one.id]) == len(
        database.lines
    )
    tool = shutil.which("msgfmt")
    if tool:
        (tmp_path / "de.po").write_bytes(po.encode())
        run = [tool, "--check-format", "--check-domain", "-o", str(tmp_path / "de.mo"), str(tmp_path / "de.po")]
        assert subprocess.run(run, capture_output=True, check=False).returncode == 0


SOME = """\
handlers: {guard.barks: {rules: [{name: a, say: [a.one, a.two]}]}}
lines:
  a.one: {en: "Hello, {name}."}
  a.two: {en: Two.}
"""


@pytest.mark.parametrize(
    ("table", "line", "words"),
    [
        ("", 1, "has no column `line`"),
        ("line,Deutsch\na.one,x\n", 1, "no column 'Deutsch'"),
        ("line,de,de\na.one,x,y\n", 1, "the column 'de' is there twice"),
        ("line,de\na.one,Hallo {name}.\na.too,x\n", 3, "no line 'a.too' (did you mean 'a.two'?)"),
        ("line,de\na.two,x\na.two,y\n", 3, "line 'a.two' is already in line 2"),
        ("line,de\na.two,x,y\n", 2, "has 3 cells, but there are 2 columns"),
        ('line,de\na.two,"x\n\n', 2, "is not CSV"),
        ("line,weight\na.two,many\n", 2, "weight is 'many'; write a whole number from 1 to 20"),
        ("line,weight\na.two,40\n", 2, "weight is '40'"),
        ("line,cooldown\na.two,-3\n", 2, "cooldown is '-3'; write seconds"),
        ("line;de\na.one;Hallo, {nam}.\n", 2, "line 'a.one': de has placeholders {nam}, en has {name}"),
        ('line,de\na.two,"Zwei\nZeilen"\na.one,"Hallo {name"\n', 4, "has a lone '{'"),
    ],
)
def test_a_damaged_csv_is_refused_with_its_line_and_nothing_is_written(tmp_path, table, line, words) -> None:
    refused(tmp_path, table, line, words)


HEAD = 'msgid ""\nmsgstr "Language: de\\n"\n'


@pytest.mark.parametrize(
    ("table", "line", "words"),
    [
        ("hello\n", 1, "is not PO"),
        ('msgctxt "a.two"\nmsgid "Two."\nmsgstr "Zwei."\n', 1, "the header before it names no language"),
        (HEAD + 'msgctxt "a.too"\nmsgid "Two."\nmsgstr "Zwei."\n', 3, "no line 'a.too' (did you mean 'a.two'?)"),
        (HEAD + '\nmsgid "Two."\nmsgstr "Zwei."\n', 4, "has no msgctxt"),
        (HEAD + 'msgctxt "a.two"\nmsgid "Two."\nmsgid_plural "T"\nmsgstr[0] "Zwei."\n', 3, "has plurals"),
        (HEAD + 'msgctxt "a.two"\nmsgid "Two."\nmsgstr "Zwei."\n' * 2, 6, "line 'a.two' is already in line 3"),
        (HEAD + 'msgctxt "a.two"\nmsgid "Two."\nmsgstr "Zwei.\n', 5, "is not PO"),
        (HEAD + 'msgctxt "a.two"\nmsgid "Two."\nmsgstr "Zw\\ei."\n', 5, "unknown escape \\e"),
        (
            HEAD + 'msgctxt "a.one"\nmsgid "Hello, {name}."\nmsgstr "Hallo."\n',
            3,
            "de has placeholders none, en has {name}",
        ),
        (HEAD.replace("de", "German!"), 1, "'German!' is not a language code"),
    ],
)
def test_a_damaged_po_is_refused_with_its_line_and_nothing_is_written(tmp_path, table, line, words) -> None:
    refused(tmp_path, table, line, words)


def refused(folder: Path, table: str, line: int, words: str) -> None:
    (folder / "a.yaml").write_text(SOME)
    database, documents = read_documents(folder)
    is_po = table.startswith(("msg", "hello"))
    read = (lambda: read_po(table, database, source="t")[0]) if is_po else lambda: read_csv(table, database, source="t")
    with pytest.raises(RuleFileError) as found:
        import_lines(documents, database, read(), source="t")
    fault = found.value.faults[0]
    assert (fault.source, fault.line) == ("t", line)
    assert words in fault.what
    assert (folder / "a.yaml").read_text() == SOME


def test_fuzzy_and_outdated_translations_are_passed_over_and_named(tmp_path) -> None:
    database = parse_rules(SOME)
    table = (
        HEAD
        + '\n#, fuzzy\nmsgctxt "a.one"\nmsgid "Hello, {name}."\nmsgstr "Hallo, {name}."\n'
        + '\nmsgctxt "a.two"\nmsgid "The second."\nmsgstr "Das zweite."\n'
        + '\n#~ msgctxt "a.gone"\n#~ msgid "x"\n#~ msgstr "y"\n'
    )
    changes, passed = read_po(table, database)
    assert [one.texts for one in changes.values()] == [{}, {}]
    assert passed == [
        "lines.po:5: line 'a.one' is marked fuzzy",
        "lines.po:9: line 'a.two' its original has changed; export again",
    ]
    assert read_po(table.replace("The second.", "Two."), database, language="nl")[0]["a.two"].texts == {
        "nl": "Das zweite."
    }


def test_lines_without_ids_are_not_left_out_of_a_table() -> None:
    with pytest.raises(RuleError, match=r"3 lines have no id, such as 'Stop, {name}!'.*lastseen rules ids"):
        lines_csv(parse_rules(RULES))


# Checks


def warned(text: str) -> list[str]:
    return [fault.what for fault in check_rules(parse_rules(text)) if fault.kind == "misread line"]


@pytest.mark.parametrize(
    ("say", "words"),
    [
        ("12", "says 12, which is no text"),
        ("[Hm., 1.5]", "says 1.5"),
        ("[Hm., true]", "says true"),
        ("[Hm., null]", "says null"),
        ("[Stop, thief!]", "'Stop' and 'thief!' may be one line, split at a comma"),
        ('[Stop there, thief!", "Halt!"]', "'thief!\"' has a lone quotation mark"),
        ("[Halt: who goes there]", "'Halt: who goes there' is read as a key and a value"),
    ],
)
def test_what_yaml_took_for_something_else_gets_a_warning(say: str, words: str) -> None:
    found = warned(f"handlers: {{h: {{rules: [{{name: a, say: {say}}}]}}}}")
    assert any(words in what for what in found), found
    (fault, *_) = [
        one
        for one in check_rules(parse_rules(f"handlers:\n  h:\n    rules:\n      - name: a\n        say: {say}\n"))
        if one.kind == "misread line"
    ]
    assert (fault.severity, fault.line) == ("warning", 4)


@pytest.mark.parametrize("say", ['["Stop, thief!", Halt!]', "[wave, nod]", '[Hm…, "…"]', "['He said \"no\".']"])
def test_sound_lines_get_none(say: str) -> None:
    assert warned(f"handlers: {{h: {{rules: [{{name: a, say: {say}}}]}}}}") == []
    assert warned("handlers: {h: {rules: [{name: a, do: [12, true, {Halt: who}]}]}}") == []


def test_coverage_counts_lines_ids_and_languages() -> None:
    assert str(coverage(parse_rules(RULES))) == "4 lines: 1 with an id, en 4 (100 %), de 1 (25 %)"
    assert str(coverage(parse_rules("lines: {a.b: {de: x}}"))) == "1 line: 1 with an id, de 1 (100 %)"
    many = "lines: {" + ", ".join(f"a.b{number}: {{en: x}}" for number in range(30)) + ", a.c: {en: x, de: y}}"
    (found,) = [one.what for one in check_rules(parse_rules(many)) if one.kind == "missing language"]
    assert found.startswith("30 lines are missing in de, the first is 'a.b0'")


GAME = GameOffer(
    {"bark.trigger": None, **parse_rules("variables: {place.kind: {enum: [door]}, npc.alone: bool}").variables}
)


def unmet(when: str, **more: str) -> list[tuple[str, str]]:
    text = f"""\
variables:
  bark.trigger: {{enum: [SEE]}}
  place.kind: {{enum: [door, attic]}}
  npc.alone: int
  npc.health: float
  memory.x: bool
handlers:
  guard.barks:
    rules:
      - name: a
        when: [{when}]
        say: "{more.get("say", "Hm.")}"
        then: {{handler: guard.more, who: {more.get("who", "nearest")}, facts: {{memory.x: true}}}}
  guard.more: {{rules: [{{name: b, when: memory.x, say: Ho.}}]}}
  other: {{rules: [{{name: c, when: npc.health < 1, say: Hey.}}]}}
"""
    return [(fault.severity, fault.what) for fault in game_faults(parse_rules(text), GAME)]


def test_rules_are_checked_against_what_a_game_provides() -> None:
    assert unmet("bark.trigger == SEE") == unmet("place.kind == door, random.d6 > 3") == []
    ((severity, what),) = unmet("npc.health < 0.5")
    assert severity == "warning"
    assert what.startswith("never fires in this game: nothing provides npc.health")
    assert "place.kind is never 'attic'" in unmet("place.kind == attic")[0][1]
    assert "npc.alone is declared as int, but given as bool" in unmet("npc.alone == 1")[0][1]
    assert unmet("bark.trigger == SEE", say="Oh {name}.") == [
        ("error", "no variable fills {name}; declare ask.name under `variables`, which does")
    ]
    ((severity, what),) = unmet("bark.trigger == SEE", who="ghost")
    assert (severity, what[:15]) == ("error", "no role 'ghost'")
