"""A slow, obvious reader of JSON Schemas: the words ours are written with, and no others."""

from __future__ import annotations

import math
import re
from typing import Any

TYPES = {
    "object": dict,
    "array": list,
    "string": str,
    "boolean": bool,
    "null": type(None),
    "integer": int,
    "number": (int, float),
}
KNOWN = {
    "$ref", "$schema", "$defs", "title", "description", "default", "anyOf", "oneOf", "enum", "type", "pattern",
    "properties", "required", "additionalProperties", "minProperties", "maxProperties", "items", "minItems", "maxItems",
    "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minLength", "maxLength",
}  # fmt: skip


def accepts(schema: Any, value: Any, root: Any = None) -> bool:
    """Return whether a schema takes a plain value."""
    root = schema if root is None else root
    if isinstance(schema, bool):
        return schema
    assert set(schema) <= KNOWN, set(schema) - KNOWN
    if "$ref" in schema:
        return accepts(root["$defs"][schema["$ref"].rsplit("/", 1)[1]], value, root)
    return all(
        (
            "enum" not in schema or value in schema["enum"],
            "anyOf" not in schema or any(accepts(one, value, root) for one in schema["anyOf"]),
            "oneOf" not in schema or sum(accepts(one, value, root) for one in schema["oneOf"]) == 1,
            _type(schema, value),
            not isinstance(value, str) or "pattern" not in schema or re.search(schema["pattern"], value) is not None,
            not isinstance(value, str) or schema.get("minLength", 0) <= len(value) <= schema.get("maxLength", math.inf),
            not isinstance(value, int | float) or _number(schema, value),
            not isinstance(value, dict) or _object(schema, value, root),
            not isinstance(value, list) or _array(schema, value, root),
        )
    )


def _type(schema: Any, value: Any) -> bool:
    if "type" not in schema:
        return True
    if isinstance(value, bool):
        return schema["type"] == "boolean"
    return isinstance(value, TYPES[schema["type"]])


def _number(schema: Any, value: float) -> bool:
    if not schema.get("minimum", value) <= value <= schema.get("maximum", value):
        return False
    return bool(schema.get("exclusiveMinimum", -math.inf) < value < schema.get("exclusiveMaximum", math.inf))


def _object(schema: Any, value: dict[str, Any], root: Any) -> bool:
    properties = schema.get("properties", {})
    if not schema.get("minProperties", 0) <= len(value) <= schema.get("maxProperties", len(value)):
        return False
    if set(schema.get("required", ())) - set(value):
        return False
    return all(
        accepts(properties.get(key, schema.get("additionalProperties", True)), value[key], root) for key in value
    )


def _array(schema: Any, value: list[Any], root: Any) -> bool:
    if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
        return False
    return all(accepts(schema.get("items", True), item, root) for item in value)
