"""Trees in files: one notation in YAML and JSON, checked against a registry, written back unchanged."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastseen.agents.behaviour.files.build import build_tree
from lastseen.agents.behaviour.files.definition import NodeSpec, TreeFile, TreeFileError, TreeSpec
from lastseen.agents.behaviour.files.read import parse_trees, read_trees
from lastseen.agents.behaviour.files.schema import tree_schema
from lastseen.agents.behaviour.files.write import as_json, as_plain, as_yaml, write_trees
from lastseen.agents.behaviour.leaf import Leaf
from lastseen.agents.behaviour.ports import Input, Output
from lastseen.agents.behaviour.registry import Registry, snake_case
from lastseen.agents.behaviour.status import RUNNING, SUCCESS
from lastseen.errors import BehaviourError, LastSeenError
from oracles.schema import accepts
from specimens.behaviour import Mind, ticked


class Place:
    """A type of the program's own."""


def leaves() -> Registry:
    registry = Registry(keys={"light": float, "target": Place})
    registry.type("place", Place)

    @registry.condition
    def is_dark(mind, below: float = 0.3):
        """Test whether it is darker than a limit."""
        return mind.blackboard["light"] < below

    @registry.action(writes={"noise": str})
    def listen(mind, loud: int = 1):
        mind.blackboard["noise"] = f"noise {loud}"
        return True

    @registry.action
    def go_to(mind, place: str, gait: Literal["walk", "run"] = "walk"):
        mind.log.append(f"{gait} to {place}")
        return SUCCESS

    @registry.action
    def shoot(mind, target: Place, shots: int = 1):
        return SUCCESS

    @registry.action
    def pick(mind, out: Output[str]):
        out.write(mind, "there")
        return True

    @registry.leaf
    class Stand(Leaf):
        """Stand still."""

        def __init__(self, stance: str = "easy", seconds: Input[float] = Input(0.0)):  # noqa: B008
            self.stance, self.seconds = stance, seconds

        def tick(self, context):
            context.log.append(f"{self.stance} {self.seconds.read(context)}")
            return RUNNING

    @registry.score
    def fear(mind):
        return 2.0

    return registry


GUARD = """\
keys:
  rounds: {type: int, start: 0}
  pause: {start: 1.5}
trees:
  guard:
    selector:
      - sequence:
          name: fight
          children:
            - is_dark
            - shoot: {target: $target, shots: 2}
      - invert: listen
      - cooldown: {seconds: 5, child: {go_to: {place: $noise, gait: run}}}
      - guard: [is_dark, listen]
      - subtree: {tree: look, ports: {where: $noise}}
      - stand: {stance: $$firm, seconds: $pause}
  look:
    sequence:
      - pick: $goal
      - go_to: $goal
      - go_to: {place: $where}
      - always_failure
"""


def test_a_node_that_no_file_holds_has_no_line():
    assert (NodeSpec("Sequence").line, TreeSpec("mine", NodeSpec("Sequence")).line) == (0, 0)


def test_a_file_becomes_a_tree_that_runs():
    tree = build_tree(parse_trees(GUARD), leaves())
    mind = Mind(blackboard=tree.blackboard() | {"light": 1.0})
    assert ticked(tree, 2, mind) == "SR"
    assert mind.log == ["run to noise 1", "walk to there", "walk to noise 1", "$firm 1.5"]
    assert tree.keys["rounds"] is int


def test_one_tree_needs_no_name():
    assert build_tree(parse_trees("root: {sequence: [listen, wait: 2]}"), leaves()).as_text(live=False) == (
        "sequence\n├─ listen\n└─ wait (seconds: 2.0)"
    )


def test_a_file_on_disk_is_read_by_its_ending(tmp_path):
    for name in ("guard.yaml", "guard.yml", "guard.json"):
        path = tmp_path / name
        write_trees(parse_trees(GUARD), path)
        assert as_plain(read_trees(path)) == as_plain(parse_trees(GUARD))
    with pytest.raises(BehaviourError, match=r"use \.yaml or \.json"):
        write_trees(parse_trees(GUARD), tmp_path / "guard.txt")
    with pytest.raises(TreeFileError, match=r"none\.yaml: cannot be read"):
        read_trees(tmp_path / "none.yaml")
    with pytest.raises(LastSeenError):
        read_trees(3)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("- invert: listen", "- invert: lissen", r"text:12: .*lissen: no node 'lissen' \(did you mean 'listen'\?\)"),
        ("- invert: listen", "- invertt: [listen]", r"text:12: .*'invertt' is not a node with children.*'invert'"),
        ("- invert: listen", "- invert: [listen, listen]", "text:12: .*invert has 2 children; it takes 1"),
        ("- is_dark", "- is_dark: {blow: 1}", r"text:10: .*no parameter 'blow' \(did you mean 'below'\?\)"),
        ("- is_dark", "- is_dark: {below: dark}", "text:10: .*'below' of is_dark is 'dark': expected a number"),
        ("- is_dark", "- is_dark: [listen]", "text:10: .*'is_dark' is a leaf and cannot have children"),
        ("- is_dark", "- is_dark: {below: .inf}", "text:10: .*(finite|plain)"),
        ("gait: run", "gait: hop", "text:13: .*'gait' of go_to is 'hop'; give 'walk' or 'run'"),
        ("place: $noise, ", "", "text:13: .*go_to needs 'place'"),
        ("target: $target", "target: 3", "text:11: .*Place can only be given as \\$key"),
        ("target: $target", "target: $light", "text:11: .*reads key 'light' as Place, but the agent writes float"),
        ("- pick: $goal", "- pick: goal", "text:19: .*give the key to write to, as"),
        ("- go_to: $goal", "- go_to: $gaol", "text:20: .*reads key '.*/gaol', which is never written.*goal"),
        ("stance: $$firm", "stance: $pause", "text:16: .*'stance' of stand is key 'pause'; write a literal value"),
        ("tree: look", "tree: lok", r"text:15: .*no tree 'lok' \(did you mean 'look'\?\)"),
        ("{where: $noise}", "{were: $noise}", "text:15: .*port 'were' is not used in look"),
        ("{where: $noise}", "7", "text:15: .*ports is 7"),
        ("- always_failure", "- subtree: guard", "the subtrees form a cycle: guard → look → guard"),
        ("type: int, start: 0", "type: int, start: zero", "text:2: .*'rounds' of keys is 'zero'"),
        (
            "type: int, start: 0",
            "type: itn",
            r"text:2: key 'rounds' has the unknown type 'itn' \(did you mean 'int'\?\)",
        ),
        ("seconds: 5", "seconds: -5", "text:13: .*cooldown has -5.0 seconds"),
        ("seconds: 5", "after: end", "text:13: .*cooldown needs 'seconds'"),
        ("$noise, gait", "$no ise, gait", "text:13: '\\$no ise' is not a key"),
        ("keys:", "kyes:", r"text:2: unknown key 'kyes' \(did you mean 'keys'\?\)"),
        ("  guard:\n", "  guard:\n    wait: 1\n", "text:6: a node is one word"),
        ("name: fight", "name: 7", "text:8: name is 7; give text"),
        ("children:\n", "child: listen\n          children:\n", "'child' and 'children'"),
        ("{type: int, start: 0}", "7", "text:2: key rounds has no type"),
        ("trees:", "main: gard\ntrees:", r"main is 'gard' \(did you mean 'guard'\?\)"),
        ("trees:", "root: listen\ntrees:", "give either 'trees'"),
        ("- invert: listen", "- subtree: {tree: look, children: [listen]}", "a subtree cannot have children"),
        ("keys:\n  rounds: {type: int, start: 0}\n  pause: {start: 1.5}\n", "keys: 3\n", "'keys' holds names"),
        ("rounds:", "ro unds:", "'ro unds' is not a key"),
        (
            "- guard: [is_dark, listen]",
            "- scored: {score: faer, child: listen}",
            r"no score 'faer' \(did you mean 'fear'",
        ),
        ("- guard: [is_dark, listen]", "- always_success: 3", "takes no parameters, but is given 3"),
    ],
)
def test_faults_are_found_with_line_name_and_a_close_name(old, new, words):
    assert old in GUARD
    with pytest.raises(TreeFileError, match=words):
        build_tree(parse_trees(GUARD.replace(old, new, 1)), leaves())


def test_a_long_registry_is_named_and_not_listed():
    many = Registry()
    for number in range(40):
        many.condition(lambda mind: True, name=f"leaf_{number}")
    with pytest.raises(BehaviourError, match=r"'my_leaf'.*; see `lastseen tree list`; .* --leaves MODULE:NAME$"):
        build_tree(parse_trees("root: my_leaf"), many)


def test_all_faults_are_told_at_once():
    text = (
        GUARD.replace("- is_dark", "- is_drak")
        .replace("invert: listen", "invert: lissen")
        .replace("seconds: 5", "secs: 5")
    )
    with pytest.raises(TreeFileError) as caught:
        build_tree(parse_trees(text), leaves())
    assert [fault.line for fault in caught.value.faults] == [10, 12, 13]
    assert str(caught.value).startswith("text: 3 faults:\n  text:10: selector/fight/is_drak: no node 'is_drak'")


@pytest.mark.parametrize(
    "text", ["", "3", "[]", "root:", "trees: {}", "trees: []", "root: 3", "root: {a: 1, b: 2}", "a: b"]
)
def test_what_is_no_tree_file_is_refused(text):
    with pytest.raises(TreeFileError):
        parse_trees(text)


def test_trees_that_blow_up_are_refused_before_they_fill_the_memory():
    doubling = "".join(f"  t{at}: {{sequence: [{{subtree: t{at + 1}}}, {{subtree: t{at + 1}}}]}}\n" for at in range(60))
    file = parse_trees(f"trees:\n{doubling}  t60: always_success\n")
    with pytest.raises(TreeFileError, match="more than 10000 nodes or 100 levels"):
        build_tree(file, Registry())
    chain = {f"t{at}": _nested(15, {"subtree": f"t{at + 1}"}) for at in range(60)}
    file = parse_trees(json.dumps({"trees": chain | {"t60": "always_success"}}), "json")
    with pytest.raises(TreeFileError, match="100 levels"):
        build_tree(file, Registry())
    with pytest.raises(TreeFileError, match="too many nodes"):
        parse_trees(json.dumps({"root": {"sequence": ["always_success"] * 10_001}}), "json")
    deep = "{invert: " * 150 + "always_success" + "}" * 150
    with pytest.raises(TreeFileError):
        parse_trees(f"root: {deep}")


@pytest.mark.parametrize(
    "root",
    [
        {"invert": "listen"},
        {"invert": {"name": "deaf", "child": "listen"}},
        {"invert": [{"sequence": ["listen"]}]},
        {"sequence": ["listen"]},
        {"sequence": {"name": "one", "children": ["listen"]}},
    ],
)
def test_only_nodes_with_one_child_are_written_without_a_list(root):
    assert as_plain(parse_trees(json.dumps({"trees": {"a": root}})))["trees"] == {"a": root}


def _nested(levels, inmost):
    for _ in range(levels):
        inmost = {"invert": [inmost]}
    return inmost


def test_leaves_nobody_registered_may_be_looked_at():
    tree = build_tree(parse_trees(GUARD), Registry(), unknown_leaves=True)
    assert "shoot (target: $target, shots: 2)" in tree.as_text(live=False)
    scored = parse_trees("root: {utility_selector: [{scored: {score: hunger, child: {eat: bread}}}]}")
    tree = build_tree(scored, Registry(), unknown_leaves=True)
    assert tree.tick(Mind()) is SUCCESS
    assert tree.find("eat").details() == "value: bread"


WORDS = st.sampled_from(["listen", "is_dark", "stand", "jump", "on", "null", "3", "yes", "a b", "$x"])
VALUES = st.one_of(
    st.booleans(),
    st.integers(-5, 5),
    st.floats(-1e6, 1e6),
    st.text("ab$ :{}#-'\"\n", max_size=6),
    st.sampled_from(["noise", "goal"]).map(lambda key: Input(key=key)),
)
PARAMETERS = st.dictionaries(st.sampled_from(["place", "seconds", "on", "ports"]), VALUES, max_size=2)
SPECS = st.recursive(
    st.builds(NodeSpec, WORDS, st.sampled_from(["", "n", "7"]), PARAMETERS),
    lambda inner: st.builds(
        NodeSpec,
        st.sampled_from(["sequence", "invert", "guard", "cooldown", "utility_selector"]),
        st.sampled_from(["", "n"]),
        PARAMETERS,
        st.lists(inner, max_size=3).map(tuple),
    ),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from(["a", "b", "true"]), SPECS, min_size=1, max_size=2), st.integers(0, 1))
def test_what_is_written_is_read_again_unchanged(roots, main):
    trees = {name: TreeSpec(name, root) for name, root in roots.items()}
    file = TreeFile(trees, list(trees)[main % len(trees)])
    for text, form in ((as_yaml(file), "yaml"), (as_json(file), "json")):
        again = parse_trees(text, form)
        assert again.main == file.main
        assert {name: plain(tree.root) for name, tree in again.trees.items()} == {
            name: plain(root) for name, root in roots.items()
        }


def plain(node):
    parameters = {
        key: ("$", value.key) if isinstance(value, Input) else value for key, value in node.parameters.items()
    }
    return node.kind, node.name, parameters, [plain(child) for child in node.children]


@given(st.data())
def test_damaged_files_stay_within_the_error_tree(data):
    text, form = data.draw(st.sampled_from([(GUARD, "yaml"), (as_json(parse_trees(GUARD)), "json")]))
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(text)))
        end = min(len(text), start + data.draw(st.integers(0, 12)))
        text = text[:start] + data.draw(st.text("ab$:{}[]-,&*!|>#'\"\n \t07.\x00é\ud800", max_size=4)) + text[end:]
    try:
        tree = build_tree(parse_trees(text, form), leaves())
    except BehaviourError:
        return
    assert len(tree) >= 1


def test_the_schema_takes_what_builds():
    schema = json.loads(json.dumps(tree_schema(leaves())))
    assert accepts(schema, as_plain(parse_trees(GUARD)))
    assert (
        schema["$defs"]["node"]["anyOf"][1]["properties"]["is_dark"]["description"]
        == "Test whether it is darker than a limit."
    )


@pytest.mark.parametrize(
    "root",
    [
        "lissen",
        {"lissen": None},
        {"listen": {"lod": 1}},
        {"listen": {"loud": "much"}},
        {"go_to": {"gait": "run"}},
        "go_to",
        {"go_to": {"place": "here", "gait": "hop"}},
        {"shoot": {"target": 3}},
        {"pick": {"out": "goal"}},
        {"sequence": {"children": []}},
        {"sequence": []},
        {"guard": ["listen"]},
        {"invert": ["listen", "listen"]},
        {"cooldown": {"child": "listen"}},
        {"cooldown": {"seconds": "five", "child": "listen"}},
        {"scored": {"score": "faer", "child": "listen"}},
        {"sequence": ["listen"], "invert": "listen"},
        {"subtree": {"ports": {}}},
        7,
    ],
)
def test_the_schema_refuses_what_does_not_build(root):
    schema = tree_schema(leaves())
    assert not accepts(schema, {"root": root})
    with pytest.raises(BehaviourError):
        build_tree(parse_trees(json.dumps({"root": root}), "json"), leaves())


@given(st.sampled_from(range(12)), st.data())
def test_schema_and_builder_agree_on_random_parts(at, data):
    parts = [
        "listen",
        {"wait": 1},
        {"wait": {"seconds": 2.0}},
        {"wait": "$light"},
        {"invert": "listen"},
        {"retry": {"attempts": 2, "child": "listen"}},
        {"parallel": {"successes": 1, "children": ["listen", "is_dark"]}},
        {"switch": {"on": "$light", "cases": [1], "children": ["listen", "listen"]}},
        {"utility_selector": [{"scored": {"score": "fear", "child": "listen"}}]},
        {"set_key": {"key": "$noise", "value": "x"}},
        {"if_then_else": ["listen", "is_dark", {"name": 3}]},
        {"stand": {"name": "post", "seconds": 1}},
    ]
    value = json.loads(json.dumps({"root": {"sequence": [parts[at]]}}))
    holder, key = data.draw(st.sampled_from(list(_places(value["root"]))))
    holder[key] = data.draw(st.sampled_from([holder[key], 3, "listen", "$light", None, [], {"listen": None}]))
    try:
        build_tree(parse_trees(json.dumps(value), "json"), leaves())
    except BehaviourError:
        return
    assert accepts(tree_schema(leaves()), value)


def _places(value):
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield value, key
        yield from _places(inner)


def test_a_registry_refuses_what_cannot_be_a_leaf():
    registry = leaves()
    with pytest.raises(BehaviourError, match="'listen' is already a leaf"):
        registry.action(lambda mind: True, name="listen")
    with pytest.raises(BehaviourError, match="'sequence' is already a node or reserved word"):
        registry.action(lambda mind: True, name="sequence")
    with pytest.raises(BehaviourError, match="name every parameter"):
        registry.action(lambda mind, **more: True, name="loose")
    with pytest.raises(BehaviourError, match="takes 'children', which is reserved"):
        registry.action(lambda mind, children: True, name="mother")
    with pytest.raises(BehaviourError, match="subclass of Leaf"):
        registry.leaf(Mind)
    with pytest.raises(BehaviourError, match="a score 'fear' already"):
        registry.score(lambda mind: 1.0, name="fear")
    with pytest.raises(BehaviourError, match=r"no leaf 'lissen' \(did you mean 'listen'\?\)"):
        registry.build("lissen")
    with pytest.raises(BehaviourError, match="'loud' of listen is inf"):
        registry.build("listen", loud=float("inf"))
    with pytest.raises(BehaviourError, match="finite numbers"):
        registry.build("is_dark", below=float("nan"))
    assert registry.build("listen", name="ear", loud=3).details() == "loud: 3"


def test_a_type_that_cannot_be_found_is_said_to_be():
    namespace: dict[str, object] = {}
    exec("def lost(mind, place: 'Nowhere'): return True", namespace)
    with pytest.raises(BehaviourError, match="a type of 'lost' cannot be found"):
        Registry().action(namespace["lost"])


def test_a_dataclass_is_a_leaf_with_parameters():
    registry = Registry()

    @registry.leaf
    @dataclass
    class Walk(Leaf):
        pace: float
        gait: str = "walk"

        def tick(self, context):
            context.log.append((self.pace, self.gait))
            return SUCCESS

    mind = Mind()
    build_tree(parse_trees("root: {walk: 3}"), registry).tick(mind)
    assert mind.log == [(3.0, "walk")]
    with pytest.raises(TreeFileError, match="walk needs 'pace'"):
        build_tree(parse_trees("root: walk"), registry)


def test_registries_join():
    joined = Registry().include(leaves())
    assert set(joined.leaves) == set(leaves().leaves)
    with pytest.raises(BehaviourError, match="already"):
        joined.include(leaves())


def test_names_of_classes_become_words():
    assert [snake_case(name) for name in ("GoTo", "Stand", "HTTPGet", "is_dark", "A")] == [
        "go_to",
        "stand",
        "http_get",
        "is_dark",
        "a",
    ]
