# SPDX-License-Identifier: BSD-3-Clause
"""docs/schema: sound in itself, and with the same keys as the documents.

That the program keeps to it is tested where it runs: support/schema.py looks at all JSON of the tests.
"""

import json
import re
import unittest

from support.environment import REPOSITORY
from support.reports import sound_report
from support.schema import check_json, schema, violations

try:
    import jsonschema
except ImportError:
    jsonschema = None

WORD = re.compile(r"`([^`]+)`")
# Words in those sentences that are values, not keys.
VALUES = {"--json", "sweep", "verify", "inspect", "unreadable", "doctor DIR", "explain", "off", "sh", "null"}


def rules(rule=None, path="$"):
    """Every rule of the schema with its place."""
    rule = schema() if rule is None else rule
    yield path, rule
    for key in ("properties", "$defs"):
        for name, inner in rule.get(key, {}).items():
            yield from rules(inner, f"{path}.{name}")
    if "items" in rule:
        yield from rules(rule["items"], path + "[]")
    for number, inner in enumerate(rule.get("anyOf", [])):
        yield from rules(inner, f"{path}({number})")


def keys_of_schema():
    return {name for _, rule in rules() for name in rule.get("properties", {})}


def values_of_schema():
    return {value for _, rule in rules() for value in rule.get("enum", [])}


def keys_of_report(rule=None):
    """Those of the report, which docs/report.md describes; the schema alone describes what commands print else."""
    found = set()
    for _, one in rules(schema()["$defs"]["report"] if rule is None else rule):
        found |= set(one.get("properties", {}))
        if "$ref" in one:
            found |= keys_of_report(schema()["$defs"][one["$ref"][8:]])
    return found


def keys_of_document():
    """Names of keys in the tables of docs/report.md."""
    found = set()
    for text in re.findall(r"(?m)^\| (`.*)$", (REPOSITORY / "docs/report.md").read_text(encoding="utf-8")):
        for word in WORD.findall(text.split(" | ")[0]):
            found |= {part for part in re.sub(r"\[\]", "", word).strip(".").split(".") if part}
        members = re.sub(r"\([^()]*\)", "", text.partition(" | ")[2])
        found |= {word for word in WORD.findall(members) if re.fullmatch("[a-z_]+", word)}
    return found - VALUES


class Sound(unittest.TestCase):
    def test_each_object_is_closed_and_each_member_is_described(self):
        for path, rule in rules():
            # A stamp of another release is not ours.
            if rule.get("type") == "object" and "another release" not in rule["description"]:
                self.assertIs(rule.get("additionalProperties"), False, path)
                self.assertLessEqual(set(rule["required"]), set(rule["properties"]), path)
            for name, member in rule.get("properties", {}).items():
                self.assertRegex(member.get("description", ""), r"^\S.*[.:]$", f"{path}.{name}")
            if "$ref" in rule:
                self.assertIn(rule["$ref"][8:], schema()["$defs"], path)

    def test_each_definition_is_used(self):
        used = {rule["$ref"][8:] for _, rule in rules() if "$ref" in rule}
        self.assertEqual(used, set(schema()["$defs"]))

    def test_a_comparison_of_sweeps(self):
        text = (REPOSITORY / "tests/laboratory/sweep_comparison.json").read_text(encoding="utf-8")
        tree = json.loads(text)
        tree["report"] = None  # the unit test puts in something short
        check_json(tree, "sweep_comparison")

    def test_the_report_of_a_sweep(self):
        # What tests/laboratory/sweep_report.cpp compares with what the program writes.
        check_json(json.loads((REPOSITORY / "tests/laboratory/sweep_report.json").read_text(encoding="utf-8")), "sweep")

    def test_what_is_wrong_is_found(self):
        check_json(sound_report(), "report")
        for change, words in [
                (lambda tree: tree.update(more=1), "$: more is not in the schema"),
                (lambda tree: tree.pop("triple"), "$: triple is missing"),
                (lambda tree: tree.update(schema=2), "$.schema: 2 is not 1"),
                (lambda tree: tree.update(schema=True), "$.schema: True is not 1"),
                (lambda tree: tree.update(verdict="fine"), "$.verdict: 'fine' is not one of "),
                (lambda tree: tree["devices"][1].update(index=-1), "$.devices[1].index: -1 is less than 0"),
                (lambda tree: tree["devices"][0].update(index="0"), "$.devices[0].index: '0' is not of type integer"),
                (lambda tree: tree["devices"][0].update(index=True), "$.devices[0].index: True is not of type integer"),
                (lambda tree: tree["findings"][0].update(name="A b"), "$.findings[0].name: 'A b' has not the form "),
                (lambda tree: tree.update(kernel={}), "$.kernel: {} is not of type null")]:
            tree = sound_report()
            change(tree)
            found = list(violations(tree, {"$ref": "#/$defs/report"}))
            self.assertTrue(any(one.startswith(words) for one in found), (words, found))
            with self.assertRaises(AssertionError):
                check_json(tree, "report", "doctor")
            if jsonschema:
                self.assertFalse(jsonschema.Draft202012Validator(schema()).is_valid(tree), words)

    @unittest.skipUnless(jsonschema, "the Python package jsonschema is not installed")
    def test_the_real_validator_takes_it(self):
        jsonschema.Draft202012Validator.check_schema(schema())
        jsonschema.Draft202012Validator(schema()).validate(sound_report())


class Documents(unittest.TestCase):
    def test_each_key_of_the_document_is_in_the_schema(self):
        self.assertEqual(keys_of_document() - keys_of_schema() - values_of_schema(), set())

    def test_each_key_of_the_report_is_in_the_document(self):
        text = (REPOSITORY / "docs/report.md").read_text(encoding="utf-8")
        quoted = " ".join(WORD.findall(text)) + " ".join(re.findall(r"\"(\w+)\":", text))
        self.assertEqual(sorted(keys_of_report() - set(re.findall(r"\w+", quoted))), [])

    def test_it_is_json_that_people_read(self):
        path = REPOSITORY / "docs/schema/cudnn-checked.schema.json"
        text = path.read_text(encoding="utf-8")
        json.loads(text, object_pairs_hook=self.once)
        self.assertNotIn("\t", text)

    def once(self, pairs):
        """No key twice in one object."""
        names = [name for name, _ in pairs]
        self.assertEqual(len(names), len(set(names)), names)
        return dict(pairs)
