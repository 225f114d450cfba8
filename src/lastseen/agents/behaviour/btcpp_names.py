"""What nodes and ports of BehaviorTree.CPP are called here, and which are refused, with the reason."""

from __future__ import annotations

__all__ = ["IGNORED", "NODES", "REFUSED", "SWITCHES"]

Ports = dict[str, tuple[str, str | None]]
"""Our name of a port, and "ms" where it is a time in milliseconds."""

NODES: dict[str, tuple[str, Ports]] = {
    "Sequence": ("sequence", {}),
    "AsyncSequence": ("sequence", {}),
    "ReactiveSequence": ("reactive_sequence", {}),
    "SequenceWithMemory": ("sequence_with_memory", {}),
    "Fallback": ("selector", {}),
    "AsyncFallback": ("selector", {}),
    "ReactiveFallback": ("reactive_selector", {}),
    "Parallel": ("parallel", {"success_count": ("successes", None), "failure_count": ("failures", None)}),
    "ParallelAll": ("parallel_all", {"max_failures": ("failures", None)}),
    "IfThenElse": ("if_then_else", {}),
    "WhileDoElse": ("while_do_else", {}),
    "Inverter": ("invert", {}),
    "ForceSuccess": ("force_success", {}),
    "ForceFailure": ("force_failure", {}),
    "KeepRunningUntilFailure": ("until_failure", {}),
    "RetryUntilSuccessful": ("retry", {"num_attempts": ("attempts", None)}),
    "Repeat": ("repeat", {"num_cycles": ("times", None)}),
    "RunOnce": ("run_once", {}),
    "Timeout": ("time_limit", {"msec": ("seconds", "ms")}),
    "Delay": ("delay", {"delay_msec": ("seconds", "ms")}),
    "Sleep": ("wait", {"msec": ("seconds", "ms")}),
    "SetBlackboard": ("set_key", {"output_key": ("key", None), "value": ("value", None)}),
    "AlwaysSuccess": ("always_success", {}),
    "AlwaysFailure": ("always_failure", {}),
}

SWITCHES = ("Switch2", "Switch3", "Switch4", "Switch5", "Switch6")

_SCRIPT = "scripts are not imported; write a leaf that does the same"
_SKIP = "no node is skipped here; put a condition before it"
REFUSED = {
    "Script": _SCRIPT,
    "ScriptCondition": _SCRIPT,
    "Precondition": _SCRIPT,
    "SkipUnlessUpdated": _SKIP,
    "WaitValueUpdate": _SKIP,
    "EntryUpdated": _SKIP,
    "UnsetBlackboard": "keys are not removed here; write a leaf that sets it to nothing",
    "ManualSelector": "a person cannot choose while a tree is ticked",
    "SubTreePlus": "it belongs to version 3; write SubTree with _autoremap",
    "SequenceStar": "it belongs to version 3; write SequenceWithMemory",
    "LoopInt": "queues are not imported; write a leaf that takes the next value",
    "LoopBool": "queues are not imported; write a leaf that takes the next value",
    "LoopDouble": "queues are not imported; write a leaf that takes the next value",
    "LoopString": "queues are not imported; write a leaf that takes the next value",
    "ConsumeQueue": "queues are not imported; write a leaf that takes the next value",
    "TestNode": "it is for tests of that library",
}

IGNORED = ("_description", "_uid", "_fullpath")
"""Notes of editors."""
