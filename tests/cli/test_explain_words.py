# SPDX-License-Identifier: BSD-3-Clause
"""explain of a finding and of a word of the glossary."""

import json
import re

from checked_program import CalledTest
from support.environment import REPOSITORY
from support.findings import findings


class Explain(CalledTest):
    def test_a_finding(self):
        text = (0, """\
cudnn-major:

Error.

What it means: The program would load another major release. Why it matters:
Functions and enumerations of another major release are not those that it calls.

How it is seen:

  - guard: the files are of another major release than the stamp.
  - verify: the loader finds a cuDNN, but only of another major release than the
    NEEDED one.
  - verify, doctor, probe: the shim has the name of one major release, and its
    contents are of another: libcudnn.so.8 is a copy of libcudnn.so.9, or a
    link to it. The loader uses the name alone. Missing libraries of the
    release in the name are not reported. A program that is linked with
    NVIDIA's cuDNN 8 does not even start: its symbols have the version
    libcudnn.so.8.

What to do: Install the packages of the right major release, which the fix
names. Both majors can be installed at the same time.

Which verb: guard, verify, doctor, probe.
""", "")
        self.assertEqual(self.called("explain", "cudnn-major"), text)
        self.assertEqual(self.called("explain", "[cudnn-major]"), text)

    def test_all_findings_have_their_entry(self):
        status, out, _ = self.called("explain", "--json")
        self.assertEqual(status, 0)
        listed = json.loads(out)["findings"]
        self.assertEqual([(f["name"], f["severity"], f["why"]) for f in listed],
                         [(row.name, row.severity, row.why) for row in findings()])
        for row in findings():
            _, out, _ = self.called("explain", "--json", row.name)
            tree = json.loads(out)
            self.assertIn(f"matters: {row.why}", tree["text"])
            self.assertNotRegex(tree["text"], r"[`|]|\]\(")

    def test_a_word(self):
        text = (0, """\
set:

The files of cuDNN that one program loads. They may come from several installs.
A set is sound if all its files are of one release. It is whole if none is
missing, and mixed if its files are of several releases.
""", "")
        self.assertEqual(self.called("explain", "set"), text)
        with self.subTest("a file of that name is ./set"):
            self.write("set", "no library")
            self.assertEqual(self.called("explain", "set"), text)
            self.assertNotEqual(self.called("explain", "./set"), text)
        self.assertEqual(self.called("explain", "shimm"), (
            2, "", "cudnn-checked: error: explain: there is no finding or word shimm; did you mean shim?\n"))

    def test_all_words_have_their_entry(self):
        headings = re.findall(r"(?m)^## (.*)$", (REPOSITORY / "docs/glossary.md").read_text(encoding="utf-8"))
        entries = [re.findall("`([^`]+)`", heading) for heading in headings]
        self.assertEqual([" ".join(f"`{word}`" for word in words) for words in entries], headings)
        self.assertIn("run-path", [words[0] for words in entries])
        every = [word.lower() for words in entries for word in words]
        self.assertEqual(sorted(every), sorted(set(every)))
        self.assertEqual(set(every) & {row.name for row in findings()}, set())
        for words in entries:
            for word in words:
                tree = json.loads(self.called("explain", "--json", word)[1])
                self.assertEqual(tree["name"], words[0])
                self.assertRegex(tree["text"], r"\A[^`|]{50,}\.\n\Z")

    def test_the_words_of_the_messages(self):
        """Each word that a result, a message or a heading has as a term, whatever its letters."""
        terms = set()

        def collect(node, key):
            for name, child in node.items() if isinstance(node, dict) else enumerate(node):
                if name == "enum" and key in ("severity", "verdict", "level", "api", "kind"):
                    terms.update(child)
                elif isinstance(child, (dict, list)):
                    collect(child, name if name not in ("properties", "items", "anyOf") and isinstance(name, str) else key)

        collect(json.loads((REPOSITORY / "docs/schema/cudnn-checked.schema.json").read_text(encoding="utf-8")), "")
        core = REPOSITORY / "tool/core/model"
        terms |= set(re.findall(r"(?m)^ROLE\((\w+),", (core / "library_roles.def").read_text(encoding="utf-8")))
        terms |= set(re.findall(r'choice_reason::\w+:\s+return "([a-z.]+(?: [a-z]+)?)";', (core / "found_file.cpp").read_text(encoding="utf-8")))
        terms |= set(re.findall(r'return "(\w+)"', (REPOSITORY / "tool/cli/formats/outcome.cpp").read_text(encoding="utf-8")))
        self.assertTrue({"shim", "graph", "JIT-only", "loaded", "ld.so.cache", "already loaded", "driver", "GPUs"} <= terms, terms)
        # Of the schema alone, and what a dictionary explains.
        plain = {"", "none", "unreadable", "command", "advice", "harmless", "place", "files", "program", "its path", "dlmopen"}
        for word in sorted(terms - plain) + ["sub-library", "Stamp", "GUARD", "RUNPATH", "run path", "Drivers", "fix"]:
            for spelling in (word, word.upper(), word.capitalize()):
                status, _, err = self.called("explain", spelling)
                self.assertEqual((status, err), (0, ""), spelling)

    def test_without_case(self):
        for one, other in [("[CUDNN-MAJOR]", "cudnn-major"), ("Shim", "shim"), ("RPATH", "run-path"),
                           ("run paths", "run-path"), ("LOADED", "level")]:
            self.assertEqual(self.called("explain", one), self.called("explain", other))
        self.assertEqual(self.called("explain", "Drivr"), (
            2, "", "cudnn-checked: error: explain: there is no finding or word Drivr; did you mean driver?\n"))

    def test_the_list(self):
        status, out, err = self.called("explain")
        self.assertEqual((status, err), (0, ""))
        self.assertTrue(out.startswith("cudnn-not-found, error\n"
                                       "  A program that is linked with cuDNN does not start here.\n"), out)
        self.assertEqual(re.findall(r"(?m)^(\S+), \w+$", out), [row.name for row in findings()])
