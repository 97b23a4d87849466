# SPDX-License-Identifier: MIT
"""Holds values against the JSON schemas of an OpenAPI document. Strictly: a key that a schema does not name is a fault."""

TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "integer": int, "number": (int, float)}


def faults(document, schema, value, at="answer"):
    """Returns the faults of a value as texts."""
    if "$ref" in schema:
        target = document
        for name in schema["$ref"].removeprefix("#/").split("/"):
            target = target[name]
        return faults(document, target, value, at)
    if "anyOf" in schema:
        tries = [faults(document, one, value, at) for one in schema["anyOf"]]
        return [] if any(not found for found in tries) else [f"{at}: none of {len(tries)} fits: {tries}"]
    found = []
    if "enum" in schema and value not in schema["enum"]:
        found.append(f"{at}: {value!r} is not one of {schema['enum']}")
    names = schema.get("type", [])
    names = [names] if isinstance(names, str) else names
    fits = [name for name in names if isinstance(value, TYPES[name]) and (isinstance(value, bool) == (name == "boolean"))]
    if names and not fits:
        return found + [f"{at}: {value!r} is no {names}"]
    if isinstance(value, dict):
        found += [f"{at}: {name} is missing" for name in schema.get("required", []) if name not in value]
        for name, one in value.items():
            known = schema.get("properties", {}).get(name)
            found += [f"{at}: {name} is not described"] if known is None else faults(document, known, one, f"{at}.{name}")
    if isinstance(value, list):
        for number, one in enumerate(value):
            found += faults(document, schema["items"], one, f"{at}[{number}]")
    return found
