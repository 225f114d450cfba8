"""JSON Schema of tree files for one registry, with which editors complete names and mark faults."""

from __future__ import annotations

from typing import Any

from ..nodes import KINDS
from ..parameters import Parameter, parameters_of
from ..registry import Registry
from .build import kind_parameters
from .read import KEY_NAME

_KEY = {"type": "string", "pattern": rf"^\$({KEY_NAME.pattern})$", "description": "a key of the blackboard"}
_NODE = {"$ref": "#/$defs/node"}
_NODES = {"type": "array", "items": _NODE}


def tree_schema(registry: Registry) -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of files that use the leaves of a registry."""
    definitions: dict[str, Any] = {}
    bodies: dict[str, Any] = {}
    for name, kind in (KINDS | registry.composites).items():
        parameters = kind_parameters(name) if name in KINDS else parameters_of(kind, name, skip_first=False)
        body = _body(parameters, definitions, kind.least, kind.most)
        if name == "scored":
            body["properties"]["score"] = {"anyOf": [{"type": "number"}, _KEY, {"enum": sorted(registry.scores)}]}
        bodies[name] = _forms(body, parameters, definitions, has_children=kind.most != 0, name=name)
        bodies[name]["description"] = (kind.__doc__ or "").strip().splitlines()[0]
    for name, leaf in registry.leaves.items():
        body = _body(leaf.parameters, definitions, 0, 0)
        bodies[name] = _forms(body, leaf.parameters, definitions, has_children=False, name=name)
        bodies[name]["description"] = leaf.summary
    alone = [name for name in KINDS if KINDS[name].most == 0 and not _required(kind_parameters(name))]
    alone += [name for name, leaf in registry.leaves.items() if not _required(leaf.parameters)]
    definitions["node"] = {
        "anyOf": [
            {"enum": sorted(alone)},
            {
                "type": "object",
                "properties": bodies,
                "additionalProperties": False,
                "minProperties": 1,
                "maxProperties": 1,
            },
        ]
    }
    types = {"enum": sorted(registry.types)}
    declared = {"type": "object", "properties": {"type": types, "start": True}, "additionalProperties": False}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Behaviour trees of lastseen",
        "type": "object",
        "properties": {
            "main": {"type": "string"},
            "keys": {"type": "object", "additionalProperties": {"anyOf": [types, declared]}},
            "trees": {"type": "object", "additionalProperties": _NODE, "minProperties": 1},
            "root": _NODE,
        },
        "oneOf": [{"required": ["trees"]}, {"required": ["root"]}],
        "additionalProperties": False,
        "$defs": definitions,
    }


def _required(parameters: tuple[Parameter, ...]) -> list[str]:
    return [parameter.name for parameter in parameters if parameter.required]


def _body(parameters: Any, definitions: dict[str, Any], least: int, most: int | None) -> dict[str, Any]:
    """Return the long form of a node: its parameters, name and children."""
    properties: dict[str, Any] = {"name": {"type": "string"}}
    properties |= {parameter.name: _value(parameter, definitions) for parameter in parameters}
    body: dict[str, Any] = {"type": "object", "properties": properties, "additionalProperties": False}
    required = _required(tuple(parameters))
    if most != 0:
        properties["children"] = _NODES | {"minItems": least} | ({} if most is None else {"maxItems": most})
        if most == 1 or least <= 1:
            properties["child"] = _NODE
            body["oneOf"] = [{"required": ["child"]}, {"required": ["children"]}]
        else:
            required.append("children")
    if required:
        body["required"] = required
    return body


def _forms(
    body: dict[str, Any], parameters: Any, definitions: dict[str, Any], *, has_children: bool, name: str
) -> dict[str, Any]:
    """Return all forms of the value under the name of a node."""
    if name == "subtree":
        del body["properties"]["children"], body["properties"]["child"], body["oneOf"]
        body["properties"]["ports"] = {}  # any values
        return {"anyOf": [{"type": "string"}, body | {"required": ["tree"]}]}
    needs = set(_required(tuple(parameters)))
    if has_children:
        children = body["properties"]["children"]
        return {"anyOf": [body] if needs else [body, children, {"$ref": "#/$defs/node"}]}
    short = [_value(parameters[0], definitions)] if parameters and needs <= {parameters[0].name} else []
    return {"anyOf": [body, *short] if needs else [body, {"type": "null"}, *short]}


def _value(parameter: Parameter, definitions: dict[str, Any]) -> dict[str, Any]:
    import msgspec

    if parameter.port == "output":
        return dict(_KEY)
    if parameter.type is Any:
        return {}
    try:
        (schema,), more = msgspec.json.schema_components([parameter.type], ref_template="#/$defs/{name}")
    except TypeError:  # A class of the program: its values can only come from a key.
        return dict(_KEY)
    definitions |= more
    return {"anyOf": [schema, _KEY]} if parameter.port == "input" else schema
