# SPDX-License-Identifier: BSD-3-Clause
"""usage: make_reports.py

Writes cudnn_checked/reports.py: of each object in docs/schema a typing.TypedDict.  A test compares the file with what this
makes.  Of Python its standard library alone is used.
"""

import json
import pathlib

HERE = pathlib.Path(__file__).resolve().parent
SCHEMA = HERE.parents[1] / "docs/schema/cudnn-checked.schema.json"
REPORTS = HERE / "cudnn_checked/reports.py"
NAMES = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}
HEAD = '''\
# SPDX-License-Identifier: BSD-3-Clause
"""Types of what cudnn-checked prints as JSON.  packaging/python/make_reports.py has made them of
docs/schema/cudnn-checked.schema.json: this is one file of more than 400 lines because nobody edits it.

    from cudnn_checked.reports import Doctor, Report
"""

from __future__ import annotations

from typing import Any, Dict, List, Literal, TypedDict, Union
'''


def class_name(*parts):
    """report, cudnn: ReportCudnn."""
    return "".join(word.title() for part in parts for word in part.split("_"))


def one_of(names):
    """Without repetitions, in their order."""
    names = list(dict.fromkeys(names))
    return names[0] if len(names) == 1 else f"Union[{', '.join(names)}]"


class Types:
    """The text of each type by its name."""

    def __init__(self, schema):
        self.classes, self.aliases = {}, {}
        for name, rule in schema["$defs"].items():
            if "properties" in rule:
                self.add_class(rule, name)
            else:
                # No class: stands behind all of them.
                self.aliases[class_name(name)] = f"{class_name(name)} = {self.name_of(rule, name, 'object')}\n"

    def name_of(self, rule, *parts):
        """The annotation of a rule; an object in it gets the name that these parts make."""
        if "$ref" in rule:
            return class_name(rule["$ref"].rpartition("/")[2])
        if "anyOf" in rule:
            return one_of(self.name_of(one, *parts) for one in rule["anyOf"])
        if "const" in rule or "enum" in rule:
            return f"Literal[{', '.join(json.dumps(value) for value in rule.get('enum', [rule.get('const')]))}]"
        if isinstance(rule["type"], list):
            return one_of(NAMES[name] for name in rule["type"])
        if rule["type"] == "array":
            return f"List[{self.name_of(rule['items'], *parts)}]"
        if rule["type"] == "object":
            return self.add_class(rule, *parts) if "properties" in rule else "Dict[str, Any]"
        return NAMES[rule["type"]]

    def add_class(self, rule, *parts):
        """The members that may be absent are those of a second class: Required and NotRequired are of Python 3.11."""
        name, base = class_name(*parts), "TypedDict"
        required = {key: one for key, one in rule["properties"].items() if key in rule["required"]}
        optional = {key: one for key, one in rule["properties"].items() if key not in required}
        if optional:
            base = f"_Whole{name}"
            self.classes[base] = self.class_text(f"class {base}(TypedDict):", "What is always there.", required, *parts)
        head = f"class {name}({base}{', total=False' if optional else ''}):"
        self.classes[name] = self.class_text(head, rule["description"], optional or required, *parts)
        return name

    def class_text(self, head, description, members, *parts):
        lines = [head, f'    """{description}"""', ""]
        for key, rule in members.items():
            lines += [f"    {key}: {self.name_of(rule, *parts, key)}", f'    """{rule["description"]}"""'] \
                if "description" in rule else [f"    {key}: {self.name_of(rule, *parts, key)}"]
        return "\n".join(lines) + "\n"


def reports():
    """The text of reports.py."""
    types = Types(json.loads(SCHEMA.read_text(encoding="utf-8")))
    return "\n\n".join([HEAD, *types.classes.values()]) + "\n\n" + "".join(types.aliases.values())


if __name__ == "__main__":
    REPORTS.write_text(reports(), encoding="utf-8")
