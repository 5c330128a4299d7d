# SPDX-License-Identifier: BSD-3-Clause
"""The schema of docs/schema, and as much of JSON Schema 2020-12 as it uses."""

import functools
import json
import re

from support.environment import REPOSITORY

PATH = REPOSITORY / "docs" / "schema" / "cudnn-checked.schema.json"
TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}
ANNOTATIONS = {"$schema", "$id", "$defs", "title", "description"}

# What each command may print with --json, beside "error".
COMMANDS = {
    "verify": ["report", "verify_files"],
    "run": ["report"],
    "bundle": ["bundle"],
    "pkg-config": ["pkg_config"],
    "guard-object": ["guard_object"],
    "inspect": ["inspect_program", "inspect_library", "inspect_directory"],
    "explain": ["explain_list", "explain_finding", "explain_word", "explain_text", "explain_file", "explain_program"],
    "diff": ["diff"],
    "fleet": ["fleet"],
    "doctor": ["doctor"],
    "probe": ["report"],
    "sweep": ["sweep", "sweep_comparison"],
    "help": ["help", "help_command"],
}
# And where there is none.
WITHOUT_COMMAND = ["help", "version", "path", "generated"]


@functools.lru_cache(maxsize=None)
def schema():
    return json.loads(PATH.read_text(encoding="utf-8"))


def _has_type(value, name):
    if name in ("integer", "number"):
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        return is_number and (name == "number" or value == int(value))
    return isinstance(value, TYPES[name])


def _of_object(value, rule, where):
    members = rule.get("properties", {})
    for key in rule.get("required", []):
        if key not in value:
            yield f"{where}: {key} is missing"
    for key, member in value.items():
        if key in members:
            yield from violations(member, members[key], f"{where}.{key}")
        elif rule.get("additionalProperties") is False:
            yield f"{where}: {key} is not in the schema"


def _of_keywords(value, rule, where):
    """Of what says everything in one keyword."""
    # In Python True is 1.
    if "const" in rule and (value != rule["const"] or isinstance(value, bool)):
        yield f"{where}: {value!r} is not {rule['const']!r}"
    if "enum" in rule and (value not in rule["enum"] or isinstance(value, bool)):
        yield f"{where}: {value!r} is not one of {rule['enum']}"
    if "pattern" in rule and isinstance(value, str) and not re.search(rule["pattern"], value):
        yield f"{where}: {value!r} has not the form {rule['pattern']}"
    if "minimum" in rule and _has_type(value, "number") and value < rule["minimum"]:
        yield f"{where}: {value} is less than {rule['minimum']}"
    if "anyOf" in rule:
        tried = [list(violations(value, one, where)) for one in rule["anyOf"]]
        if all(tried):
            # The one that fits best.
            yield from min(tried, key=len)


def violations(value, rule, where="$"):
    """What of `value` is not as `rule` says, in sentences."""
    known = ANNOTATIONS | {"type", "properties", "required", "additionalProperties", "items", "enum",
                           "const", "pattern", "minimum", "anyOf", "$ref"}
    assert set(rule) <= known, f"{set(rule) - known}: the validator of the tests does not know that"
    if "$ref" in rule:
        yield from violations(value, schema()["$defs"][rule["$ref"].rpartition("/")[2]], where)
    names = rule.get("type", [])
    names = [names] if isinstance(names, str) else names
    if names and not any(_has_type(value, name) for name in names):
        yield f"{where}: {value!r} is not of type {' or '.join(names)}"
        return
    yield from _of_keywords(value, rule, where)
    if isinstance(value, dict):
        yield from _of_object(value, rule, where)
    if isinstance(value, list) and "items" in rule:
        for number, item in enumerate(value):
            yield from violations(item, rule["items"], f"{where}[{number}]")


def check_json(tree, *names):
    """Raises AssertionError unless it is one of these definitions of the schema."""
    tried = {name: list(violations(tree, {"$ref": f"#/$defs/{name}"})) for name in names}
    if all(tried.values()):
        name = min(tried, key=lambda one: len(tried[one]))
        raise AssertionError(f"{name} of {PATH.relative_to(REPOSITORY)}: " + "; ".join(tried[name][:8]))


def check_output(arguments, status, out):
    """What cudnn-checked printed on standard output, where it was asked for JSON."""
    words = [str(one) for one in arguments]
    own = words[:words.index("--")] if "--" in words else words
    command = next((word for word in own if not word.startswith("-")), "")
    # Once it is started, standard output is the program's.
    if "--json" not in own or not out or (command == "run" and not out.startswith("{")):
        return
    tree = json.loads(out)
    is_help = "--help" in own or "-h" in own
    names = COMMANDS["help"] if is_help else COMMANDS.get(command, WITHOUT_COMMAND)
    check_json(tree, *(["error"] if "error" in tree else names))
    if "error" in tree:
        assert tree["status"] == status, f"{tree['status']} is not the status {status}"
