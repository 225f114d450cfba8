"""XML files of BehaviorTree.CPP are imported, or rejected with the line and the reason."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastseen.agents.behaviour.files.btcpp import NODES, REFUSED, read_btcpp
from lastseen.agents.behaviour.files.build import build_tree
from lastseen.agents.behaviour.files.definition import TreeFileError
from lastseen.agents.behaviour.files.read import parse_trees, read_trees
from lastseen.agents.behaviour.files.write import as_yaml
from lastseen.agents.behaviour.nodes import KINDS
from lastseen.agents.behaviour.registry import Registry
from lastseen.errors import BehaviourError
from specimens.behaviour import Mind, ticked


def leaves() -> Registry:
    registry = Registry()

    @registry.action
    def move_base(mind, goal: str, speed: float = 1.0):
        mind.log.append((goal, speed))
        return True

    @registry.condition
    def is_door_open(mind, wide: bool = True):
        return wide

    return registry


CROSSING = """\
<?xml version="1.0" encoding="UTF-8"?>
<root BTCPP_format="4" main_tree_to_execute="Cross">
  <!-- the door may be open -->
  <BehaviorTree ID="Cross">
    <Sequence name="cross">
      <SetBlackboard value="1;2" output_key="there"/>
      <Fallback>
        <Inverter><Condition ID="IsDoorOpen" wide="false"/></Inverter>
        <RetryUntilSuccessful num_attempts="5"><AlwaysFailure/></RetryUntilSuccessful>
      </Fallback>
      <Timeout msec="1500"><SubTree ID="Walk" target="{there}" how="2.5"/></Timeout>
      <Delay delay_msec="100"><MoveBase goal="{there}" _description="go"/></Delay>
      <Parallel success_count="1" failure_count="2"><IsDoorOpen/><AlwaysFailure/></Parallel>
      <ParallelAll max_failures="1"><IsDoorOpen/></ParallelAll>
      <Switch2 variable="{there}" case_1="3" case_2="1;2"><AlwaysFailure/><IsDoorOpen/><AlwaysFailure/></Switch2>
      <RunOnce then_skip="false"><Sleep msec="0"/></RunOnce>
    </Sequence>
  </BehaviorTree>
  <BehaviorTree ID="Walk">
    <ReactiveSequence><IsDoorOpen/><MoveBase goal="{target}" speed="{how}"/></ReactiveSequence>
  </BehaviorTree>
  <TreeNodesModel><Action ID="MoveBase"><input_port name="goal"/></Action></TreeNodesModel>
</root>
"""


def test_a_tree_of_the_library_runs():
    tree = build_tree(parse_trees(CROSSING, "xml"), leaves())
    mind = Mind(blackboard=tree.blackboard())
    assert ticked(tree, 3, mind, step=0.2) == "RSR"
    assert mind.log[:2] == [("1;2", 2.5), ("1;2", 1.0)]
    assert tree.as_text(live=False).splitlines()[:4] == [
        "cross [sequence]",
        "├─ set_key (key: $there, value: 1;2)",
        "├─ selector",
        "│  ├─ invert",
    ]
    assert "time_limit (seconds: 1.5)" in tree.as_text()


def test_types_of_ports_are_checked_across_subtrees():
    with pytest.raises(TreeFileError, match=r"text:20: .*reads key '.*how' as float, but the agent writes str"):
        build_tree(parse_trees(CROSSING.replace("2.5", "fast"), "xml"), leaves())


def test_what_was_imported_can_be_written_as_yaml_and_read_again():
    first = build_tree(parse_trees(CROSSING, "xml"), leaves())
    text = as_yaml(parse_trees(CROSSING, "xml"))
    assert build_tree(parse_trees(text), leaves()).as_text() == first.as_text()
    assert "attempts: 5\n" in text
    assert "ports: {target: $there, how: 2.5}" in text


def test_ports_left_out_take_the_defaults_of_the_model():
    text = """<root><TreeNodesModel><SubTree ID="Walk"><input_port name="to" default="home"/></SubTree></TreeNodesModel>
    <BehaviorTree ID="A"><SubTree ID="Walk"/></BehaviorTree>
    <BehaviorTree ID="Walk"><MoveBase goal="{to}"/></BehaviorTree></root>"""
    tree = build_tree(parse_trees(text, "xml"), leaves())
    mind = Mind(blackboard=tree.blackboard())
    tree.tick(mind)
    assert mind.log == [("home", 1.0)]


def test_remapping_by_name_shares_the_keys():
    text = """<root BTCPP_format="4">
    <BehaviorTree ID="A"><Sequence><SetBlackboard value="x" output_key="goal"/><SubTree ID="W" _autoremap="true"/>
    </Sequence></BehaviorTree><BehaviorTree ID="W"><MoveBase goal="{=}"/></BehaviorTree></root>"""
    mind = Mind()
    assert ticked(build_tree(parse_trees(text, "xml"), leaves()), 1, mind) == "S"
    assert mind.log == [("x", 1.0)]


def body(inside: str) -> str:
    return f'<root BTCPP_format="4"><BehaviorTree ID="A">\n{inside}\n</BehaviorTree></root>'


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (body('<Precondition if="a==1"/>'), "text:2: <Precondition> cannot be imported: write its condition"),
        (body("<RunOnce><AlwaysSuccess/></RunOnce>"), "then_skip"),
        (body('<Timeout msec="soon"><AlwaysSuccess/></Timeout>'), "msec is soon; give a whole number of milliseconds"),
        (
            body('<Switch2 variable="{a}" case_2="1"><AlwaysSuccess/></Switch2>'),
            "text:2: <Switch2> has no case_1; it needs variable and case_1 to case_2: add them",
        ),
        (
            body('<Delay delay_ms="1"><AlwaysSuccess/></Delay>'),
            r"text:2: <Delay> has no port 'delay_ms' \(did you mean 'delay_msec'\?\); its ports are delay_msec",
        ),
        (body('<Sequence size="1"/>'), "<Sequence> has no port 'size'; it has none"),
        (body("<ManualSelector/>"), "cannot be imported: .*; write Fallback"),
        (
            body('<Sequence><AlwaysSuccess _skipif="a"/></Sequence>'),
            r"_skipif of <AlwaysSuccess> cannot be imported \(did you mean '_skipIf'\?\); only .*_post are: write",
        ),
        ("<root>\n<BehaviourTree/></root>", r"text:2: .*\(did you mean 'BehaviorTree'\?\); <root> contains .*: put"),
        (body('<Action name="x"/>'), "<Action> has no ID; name its node"),
        (body('<MoveBase goal="{a b}"/>'), "is not a key"),
        (body("<AlwaysSuccess/><AlwaysSuccess/>"), "tree A has 2 roots"),
        (body("hello"), "text:2: text 'hello' between elements"),
        ("<root BTCPP_format='3'><BehaviorTree ID='A'><AlwaysSuccess/></BehaviorTree></root>", "only version 4"),
        ("<tree/>", "begin with <root>"),
        ("<root/>", "no <BehaviorTree>; add"),
        ("<root><include path='b.xml'/></root>", "<include> cannot be followed: a text has no folder"),
        ("<root>", "text:1: malformed XML"),
        ("", "malformed XML"),
        (
            "<root><BehaviorTree ID='A'><X/></BehaviorTree><BehaviorTree ID='A'><X/></BehaviorTree></root>",
            "give each a unique one",
        ),
        (
            "<root><BehaviorTree ID='A'><X/></BehaviorTree><BehaviorTree ID='B'><X/></BehaviorTree></root>",
            "is ambiguous",
        ),
        (
            "<root main_tree_to_execute='C'><BehaviorTree ID='A'><X/></BehaviorTree></root>",
            "main_tree_to_execute is 'C', which is no tree.*; name one of A",
        ),
        ("<!DOCTYPE root [<!ENTITY a 'b'>]><root>&a;</root>", "document type or entity"),
        ("<a>" * 150 + "</a>" * 150, "too many elements"),
        ("<root>" + "<a/>" * 20_001 + "</root>", "too many elements"),
        ("<root \ud800='1'/>", "incomplete character"),
    ],
)
def test_what_cannot_be_imported_is_said_with_its_line(text, words):
    with pytest.raises(TreeFileError, match=words):
        parse_trees(text, "xml")


def test_every_name_leads_to_a_kind_with_those_parameters():
    from lastseen.agents.behaviour.files.build import kind_parameters

    for kind, ports in NODES.values():
        known = {parameter.name for parameter in kind_parameters(kind)}
        assert kind in KINDS
        assert {ours for ours, _ in ports.values()} <= known
    assert not set(NODES) & set(REFUSED)


def test_a_laugh_of_a_billion_is_cut_short(tmp_path):
    path = tmp_path / "laugh.xml"
    entities = "".join(f'<!ENTITY a{at} "{f"&a{at - 1};" * 10}">' for at in range(1, 10))
    path.write_text(f'<!DOCTYPE root [<!ENTITY a0 "ha">{entities}]><root>&a9;</root>')
    with pytest.raises(TreeFileError, match="document type"):
        read_trees(path)


def test_files_that_cannot_be_read_are_said_to_be(tmp_path):
    with pytest.raises(TreeFileError, match=r"none\.xml: cannot be read"):
        read_btcpp(tmp_path / "none.xml")
    path = tmp_path / "bytes.xml"
    path.write_bytes(b"\xff\xfe<root/>")
    with pytest.raises(TreeFileError, match="cannot be read"):
        read_btcpp(path)
    path.write_bytes(b" " * (1 << 21))
    with pytest.raises(TreeFileError, match="larger than"):
        read_btcpp(path)
    with pytest.raises(TreeFileError, match="cannot be read"):
        read_btcpp("a\0b.xml")


@given(st.data())
def test_damaged_xml_stays_within_the_error_tree(data):
    text = CROSSING
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(text)))
        end = min(len(text), start + data.draw(st.integers(0, 12)))
        text = text[:start] + data.draw(st.text('<>/="{}&; aIDSwitch23_\x00é', max_size=4)) + text[end:]
    try:
        build_tree(parse_trees(text, "xml"), leaves())
    except BehaviourError:
        return


def test_a_model_may_say_what_its_ports_are_for():
    told = CROSSING.replace('<input_port name="goal"/>', '<input_port name="goal">where to go &amp; why</input_port>')
    assert as_yaml(parse_trees(told, "xml")) == as_yaml(parse_trees(CROSSING, "xml"))
    with pytest.raises(TreeFileError, match="text:4: text 'lost' between elements"):
        parse_trees(CROSSING.replace('<BehaviorTree ID="Cross">', '<BehaviorTree ID="Cross">lost'), "xml")


@pytest.mark.parametrize(("node", "statuses"), [("Timeout msec", "RRRF"), ("Delay delay_msec", "RRRR")])
def test_times_may_be_keys_that_hold_seconds(node, statuses):
    registry = Registry({"t": float}).include(leaves())
    inside = f'<{node}="{{t}}"><Sleep msec="9000"/></{node.split()[0]}>'
    tree = build_tree(parse_trees(body(inside), "xml"), registry)
    assert ticked(tree, 4, Mind(blackboard={"t": 0.5}), step=0.2) == statuses
    assert "seconds: $t" in tree.as_text()


def test_milliseconds_under_a_key_that_is_a_time_are_refused():
    inside = '<Sequence><SetBlackboard value="1500" output_key="t"/><Sleep msec="{t}"/></Sequence>'
    with pytest.raises(TreeFileError, match=r"text:2: <SetBlackboard> writes 1500 milliseconds to 't'"):
        parse_trees(body(inside), "xml")


def built(inside: str, registry: Registry | None = None):
    return build_tree(parse_trees(body(inside), "xml"), registry or leaves())


def test_scripts_assign_constants_and_keys():
    mind = Mind(blackboard={"old": 7})
    tree = built(
        """<Script code="a := 1; b:='two' ;c = -2.5;d:=true; e := old; f := 0x1F;"/>""", Registry({"old": int})
    )
    assert ticked(tree, 1, mind) == "S"
    assert mind.blackboard == {"old": 7, "a": 1, "b": "two", "c": -2.5, "d": True, "e": 7, "f": 31}


@pytest.mark.parametrize(
    ("code", "holds"),
    [
        ("n == 3", True),
        ("n != 3", False),
        ("n &lt; 3 || n &gt;= 3", True),
        ("on &amp;&amp; n &lt;= 2", False),
        ("!on || word == 'go'", True),
        ("!(on &amp;&amp; n &gt; 2)", False),
        ("m == n", False),
        ("true", True),
    ],
)
def test_conditions_are_those_of_the_script(code, holds):
    mind = Mind(blackboard={"n": 3, "m": 4, "on": True, "word": "go"})
    outside = Registry({"n": int, "m": int, "on": bool, "word": str})
    assert ticked(built(f'<ScriptCondition code="{code}"/>', outside), 1, mind) == ("S" if holds else "F")


@pytest.mark.parametrize(
    ("parent", "attribute", "when_true", "when_false"),
    [
        ("Sequence", "_skipIf", "S", "F"),
        ("Fallback", "_skipIf", "F", "F"),
        ("Sequence", "_successIf", "S", "F"),
        ("Fallback", "_failureIf", "F", "F"),
        ("Sequence", "_while", "F", "S"),
        ("ReactiveFallback", "_while", "F", "F"),
    ],
)
def test_conditions_before_a_node_decide_whether_it_runs(parent, attribute, when_true, when_false):
    tree = built(f'<{parent}><AlwaysFailure {attribute}="on"/></{parent}>', Registry({"on": bool}))
    for on, status in ((True, when_true), (False, when_false)):
        assert ticked(tree, 1, Mind(blackboard={"on": on})) == status


def test_only_while_is_asked_again_as_the_node_runs():
    for attribute, statuses in (("_failureIf", "RR"), ("_while", "RR")):
        inside = f'<Sequence><Sleep msec="9000" {attribute}="on"/></Sequence>'
        tree, mind = built(inside, Registry({"on": bool})), Mind(blackboard={"on": attribute == "_while"})
        assert ticked(tree, 2, mind) == statuses
        mind.blackboard["on"] = not mind.blackboard["on"]
        assert ticked(tree, 1, mind) == ("S" if attribute == "_while" else "R")


def test_the_first_condition_that_holds_decides():
    inside = '<Sequence><AlwaysSuccess _skipIf="true" _failureIf="true"/></Sequence>'
    assert ticked(built(inside), 1) == "F"


@pytest.mark.parametrize(
    ("node", "attributes", "status", "written"),
    [
        ("AlwaysSuccess", """_onSuccess="a:=1" _onFailure="b:=1" _post="c:=1" """, "S", {"a": 1, "c": 1}),
        ("AlwaysFailure", """_onSuccess="a:=1" _onFailure="b:=1" _post="c:=1" """, "F", {"b": 1, "c": 1}),
        ("AlwaysSuccess", """_onFailure="b:=1" _failureIf="true" """, "F", {"b": 1}),
        ("AlwaysSuccess", """_onSuccess="a:=1" _skipIf="true" """, "S", {}),
    ],
)
def test_assignments_after_a_node_follow_its_result(node, attributes, status, written):
    mind = Mind()
    assert ticked(built(f"<Sequence><{node} {attributes}/></Sequence>"), 1, mind) == status
    assert mind.blackboard == written


@pytest.mark.parametrize(
    ("inside", "words"),
    [
        ('<Script code="a := b + 1"/>', r"text:2: <Script>: '\+' follows the value of 'a'; only keys and constants"),
        ('<Script code="a += 1"/>', "'a' is not followed by := and a value"),
        ('<Script code="1 := 2"/>', "'1' is not a key"),
        ('<Script code=""/>', "<Script>: it is empty"),
        ('<Script code="a := "/>', "a value is missing"),
        ('<Script code="a := #"/>', "'#' is no part of a simple script"),
        ('<ScriptCondition code="(a == 1"/>', "a parenthesis is not closed"),
        ('<ScriptCondition code="a == 1 b"/>', "'b' follows a whole condition"),
        (f'<ScriptCondition code="{"!" * 60}a"/>', "more than 50 deep"),
        ('<AlwaysSuccess _skipIf="a"/>', "_skipIf of <AlwaysSuccess> at the root of a tree: nodes are skipped in"),
        ('<Inverter><AlwaysSuccess _while="a"/></Inverter>', "_while of <AlwaysSuccess> under <invert>"),
        ('<AlwaysSuccess _onHalted="a := 1"/>', "_onHalted of <AlwaysSuccess> cannot be imported"),
    ],
)
def test_scripts_that_are_not_simple_are_said_with_their_line(inside, words):
    with pytest.raises(TreeFileError, match=words):
        parse_trees(body(inside), "xml")


def test_comparing_what_cannot_be_compared_stops_the_tree():
    tree = built('<ScriptCondition code="word &lt; 3"/>', Registry({"word": str}))
    with pytest.raises(BehaviourError, match="'go' and 3 cannot be compared by <"):
        tree.tick(Mind(blackboard={"word": "go"}))


def test_simple_scripts_survive_as_yaml():
    inside = """<Sequence><Script code="a:=1; b:='x'"/><AlwaysSuccess _skipIf="a &lt; 2"/></Sequence>"""
    text = as_yaml(parse_trees(body(inside), "xml"))
    assert build_tree(parse_trees(text), leaves()).as_text() == built(inside).as_text()


def test_included_files_are_read_once_from_their_folders(tmp_path):
    (tmp_path / "more").mkdir()
    main, walk, deep = tmp_path / "main.xml", tmp_path / "more" / "walk.xml", tmp_path / "more" / "deep.xml"
    main.write_text(
        '<root BTCPP_format="4" main_tree_to_execute="A"><include path="more/walk.xml"/><include path="more/walk.xml"/>'
        '<BehaviorTree ID="A"><SubTree ID="Walk"/></BehaviorTree></root>'
    )
    walk.write_text(
        '<root BTCPP_format="4"><include path="deep.xml"/><include path="../main.xml"/>\n'
        '<BehaviorTree ID="Walk"><SubTree ID="Deep" to="home"/></BehaviorTree></root>'
    )
    deep.write_text('<root BTCPP_format="4">\n\n<BehaviorTree ID="Deep"><MoveBase goal="{to}"/></BehaviorTree></root>')
    tree = build_tree(read_trees(main), leaves())
    mind = Mind(blackboard=tree.blackboard())
    assert ticked(tree, 1, mind) == "S"
    assert mind.log == [("home", 1.0)]
    deep.write_text(deep.read_text().replace("goal", "gaol"))
    with pytest.raises(TreeFileError, match=r"deep\.xml:3: .*no parameter 'gaol'"):
        build_tree(read_trees(main), leaves())
    deep.write_text(deep.read_text().replace('<BehaviorTree ID="Deep">', '<BehaviorTree ID="Deep"><ConsumeQueue/>'))
    with pytest.raises(TreeFileError, match=r"deep\.xml:3: tree Deep has 2 roots"):
        read_trees(main)
    deep.unlink()
    with pytest.raises(TreeFileError, match=r"walk\.xml:1: <include> of 'deep\.xml' fails: .*cannot be read"):
        read_trees(main)
    main.write_text(
        '<root BTCPP_format="4"><include ros_pkg="x" path="y.xml"/><BehaviorTree ID="A"><X/></BehaviorTree></root>'
    )
    with pytest.raises(TreeFileError, match=r"main\.xml:1: <include> cannot be followed: give the path of a file"):
        read_trees(main)


def test_ports_that_nothing_uses_are_warnings():
    text = """<root><BehaviorTree ID="A">
    <SubTree ID="Walk" to="home" spare="1"/></BehaviorTree>
    <BehaviorTree ID="Walk"><MoveBase goal="{to}"/></BehaviorTree></root>"""
    tree = build_tree(parse_trees(text, "xml"), leaves())
    assert [str(warning) for warning in tree.warnings] == ["text:2: Walk: port 'spare' is not used in Walk"]
    assert ticked(tree, 1, Mind(blackboard=tree.blackboard())) == "S"
