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
        (body('<ScriptCondition code="a==1"/>'), "text:2: <ScriptCondition> cannot be imported: scripts"),
        (body('<AlwaysSuccess _skipIf="a"/>'), "text:2: _skipIf of <AlwaysSuccess> needs scripts"),
        (body("<RunOnce><AlwaysSuccess/></RunOnce>"), "then_skip"),
        (body('<Timeout msec="soon"><AlwaysSuccess/></Timeout>'), "msec is soon; give a whole number of milliseconds"),
        (body('<Switch2 variable="{a}"><AlwaysSuccess/></Switch2>'), "needs variable and case_1 to case_2"),
        (body('<Action name="x"/>'), "<Action> has no ID"),
        (body('<MoveBase goal="{a b}"/>'), "is not a key"),
        (body("<AlwaysSuccess/><AlwaysSuccess/>"), "tree A has 2 roots"),
        (body("hello"), "text:2: text 'hello' between elements"),
        ("<root BTCPP_format='3'><BehaviorTree ID='A'><AlwaysSuccess/></BehaviorTree></root>", "only version 4"),
        ("<tree/>", "begin with <root>"),
        ("<root/>", "no <BehaviorTree>"),
        ("<root><include path='b.xml'/></root>", "<include> cannot be imported"),
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
            "main_tree_to_execute is 'C'",
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
