"""Behaviour trees: nodes, leaves, files, and the brains that come with lastseen."""

from __future__ import annotations

from .agents.behaviour.files.build import build_tree
from .agents.behaviour.files.definition import TreeFile, TreeFileError
from .agents.behaviour.files.read import parse_trees, read_trees
from .agents.behaviour.hints import Hints
from .agents.behaviour.leaf import Action, Condition, Leaf
from .agents.behaviour.nodes.composites import ReactiveSelector, ReactiveSequence
from .agents.behaviour.ports import Output
from .agents.behaviour.registry import Registry
from .agents.behaviour.status import FAILURE, RUNNING, SUCCESS, Status
from .agents.behaviour.tree import Tree
from .agents.behaviour.tree_stack import TreeStack
from .agents.brains.leaves.registry import brain_leaves
from .agents.brains.shipped_brains import BRAINS, brain_text, shipped_brain

__all__ = [
    "BRAINS",
    "FAILURE",
    "RUNNING",
    "SUCCESS",
    "Action",
    "Condition",
    "Hints",
    "Leaf",
    "Output",
    "ReactiveSelector",
    "ReactiveSequence",
    "Registry",
    "Status",
    "Tree",
    "TreeFile",
    "TreeFileError",
    "TreeStack",
    "brain_leaves",
    "brain_text",
    "build_tree",
    "parse_trees",
    "read_trees",
    "shipped_brain",
]
