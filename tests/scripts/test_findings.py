# SPDX-License-Identifier: BSD-3-Clause
"""The table of findings against what names them: the code, CMake and the documentation."""

import re
import unittest

from support import REPOSITORY
from support.findings import findings

NAME = "[a-z]+(?:-[a-z]+)+"
PLACES = {"core": "tool/core", "guard": "tool/guard", "cli": "tool/cli", "sweep": "tool/laboratory",
          "configure": "tool/configure", "prove": "tool/prove"}
# Of an entry of docs/findings.md.
PARTS = ["What it means:", "How it is seen:", "What to do:", "Which verb:"]
# How CMake names a finding: at the end of a line that it writes itself.  "[a-z]" of a pattern is none.
CMAKE = rf" \[({NAME})\]"


def sources(folder, *endings):
    return [path.read_text(encoding="utf-8") for path in sorted((REPOSITORY / folder).rglob("*"))
            if path.suffix in endings]


def named_in_cmake(text):
    code = re.sub(r"(?m)^\s*#.*$", "", text)
    return set(re.findall(CMAKE, code))


def entries():
    """[(name, text of its entry)] of docs/findings.md, in its order."""
    text = (REPOSITORY / "docs/findings.md").read_text(encoding="utf-8")
    parts = re.split(r"(?m)^## (.*)$", text)[1:]
    return [(name, body.strip()) for heading, body in zip(parts[::2], parts[1::2])
            for name in re.findall(rf"`({NAME})`", heading)]


class Findings(unittest.TestCase):
    def test_a_name_is_its_identifier(self):
        for row in findings():
            self.assertEqual(row.name, row.identifier.replace("_", "-"))

    def test_each_row_is_raised_where_it_says(self):
        named = {place: set(re.findall(r"\bfinding_id::(\w+)", "".join(sources(folder, ".cpp"))))
                 for place, folder in PLACES.items()}
        named["cmake"] = {name.replace("-", "_")
                          for name in named_in_cmake("".join(sources("cmake", ".cmake")))}
        found = {row.identifier: set() for row in findings()}
        for place, identifiers in named.items():
            for identifier in identifiers:
                found[identifier].add(place)
        self.assertEqual({row.identifier: set(row.raised_by) for row in findings()}, found)

    def test_code_names_none_in_quotes(self):
        for folder in PLACES.values():
            for text in sources(folder, ".cpp"):
                quoted = set(re.findall(rf'"({NAME})"', re.sub(r"//.*", "", text)))
                self.assertEqual(quoted & {row.name for row in findings()}, set())

    def test_the_way_of_cmake_is_seen(self):
        text = 'f(a-b) "${x}; [e-f]" MATCHES "(_[a-z])*[a-z]"\n # [g-h]'
        self.assertEqual(named_in_cmake(text), {"e-f"})

    def test_the_document_has_the_rows_in_their_order(self):
        self.assertEqual([name for name, _ in entries()], [row.name for row in findings()])

    def test_the_document_begins_with_the_severity(self):
        first = {name: re.match(r"(\w*)\.", body)[1].lower() for name, body in entries()}
        self.assertEqual(first, {row.name: row.severity for row in findings()})

    def test_each_entry_has_one_shape(self):
        """Severity, what it means, how it is seen, what to do, which verb: each begins a paragraph, in that order."""
        for name, body in entries():
            with self.subTest(name):
                paragraphs = body.split("\n\n")
                self.assertEqual([label for text in paragraphs for label in re.findall(r"\A(?:What|How|Which) [a-z ]+:", text)],
                                 PARTS)
                self.assertTrue(paragraphs[1].startswith(PARTS[0]))
                self.assertTrue(paragraphs[-1].startswith(PARTS[-1]))
                for part in PARTS:
                    self.assertRegex(body, rf"(?m)^{part}\s+\S")

    def test_the_verbs_are_those_of_the_table(self):
        """Those that the head of the document explains."""
        text = (REPOSITORY / "docs/findings.md").read_text(encoding="utf-8")
        head = text.split("\n## ")[0].split("| verb | |\n|---|---|\n")[1]
        known = {verb for row in re.findall(r"(?m)^\| ([a-z_`, ]+) \|", head) for verb in row.split(", ")}
        for name, body in entries():
            said = body.rsplit(PARTS[-1], 1)[1].split(";")[0].strip().rstrip(".").replace("`verify --pid`", "`verify`")
            self.assertLessEqual(set(said.split(", ")), known, name)

    def test_the_document_says_why_with_the_sentence_of_the_table(self):
        for name, body in entries():
            why = next(row.why for row in findings() if row.name == name)
            self.assertIn(f"Why it matters: {why}", " ".join(body.split()), name)
