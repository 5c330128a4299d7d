# SPDX-License-Identifier: BSD-3-Clause
"""Damaged reports of the probe, as the find module's own function takes them; ./dev fuzz gives it more."""

import json
import re

from support.reports import check_damaged_reports, sound_report, take_reports
from support.scratch import ScratchTest


class DamagedReports(ScratchTest):
    def messages(self, *reports):
        """Of each (bytes) the first two lines of the refusal, or "taken"."""
        answers = take_reports(reports, self.scratch)
        texts = []
        for number, taken in enumerate(answers):
            lines = (self.scratch / f"{number}.json.txt").read_text().split("\n")
            if taken is None:
                self.assertRegex(lines[1], "^cudnn_checked: refused: the report of the probe cannot be used: ")
                said = re.match(r"  report:  (.*)   /\S+$", lines[2])[1]
                texts.append(lines[1].split(": ", 3)[3] + ": " + said)
            else:
                texts.append("taken")
        return texts

    def test_a_hundred(self):
        """Seeded: the same each time."""
        taken = check_damaged_reports(20261122, 100, self.scratch)
        self.assertGreater(taken, 10)
        self.assertLess(taken, 60)

    def test_each_value_has_a_form(self):
        canary = self.scratch / "canary"
        code = f'1]==])\nfile(TOUCH {canary})\nset(y [==[y'
        cases = {
            ("schema",): "an index", ("program",): "a line of text", ("verdict",): "a verdict",
            ("level",): "a level", ("cudnn", "header", "version"): "a version",
            ("cudnn", "library", "version"): "a version", ("cudnn", "library", "cudart"): "a version",
            ("cuda", "toolkit"): "a version", ("cuda", "runtime"): "a version",
            ("cuda", "driver"): "a version", ("triple", "architectures", 0): "an architecture",
            ("cudnn", "files", 1, "role"): "a name", ("cudnn", "files", 1, "build_id"): "a build id",
            ("components",): "a list", ("needs", 1): "a name", ("devices", 1, "index"): "an index",
            ("devices", 1, "architecture"): "an architecture", ("devices",): "a list",
            ("convolutions", 1, "device"): "an index", ("convolutions", 1, "status"): "a name",
            ("convolutions", 1, "relative_error"): "a number",
            ("convolutions", 1, "tolerance"): "a number", ("findings", 0, "name"): "a name",
            ("findings", 0, "severity"): "a severity", ("findings", 0, "summary"): "a line of text",
            ("operations",): "a list", ("operations", 1, "operation"): "a line of text",
            ("operations", 1, "element_error"): "a number", ("operations", 1, "tolerance"): "a number",
            ("kernel", "runs", 0, "element_error"): "a number",
        }
        reports, expected = [], []
        for path, form in cases.items():
            for value in [code, {"a": code}, "$<1:x>;\\"]:
                if form == "a line of text" and value == "$<1:x>;\\":
                    continue
                tree = sound_report()
                parent = tree
                for key in path[:-1]:
                    parent = parent[key]
                parent[path[-1]] = value
                reports.append(json.dumps(tree).encode())
                name = ".".join(str(key) for key in path)
                expected.append(f"{name} is not {form}: ")
        for text, start in zip(self.messages(*reports), expected):
            self.assertEqual(text[:len(start)], start)
        self.assertFalse(canary.exists())

    def test_files_that_are_no_reports(self):
        text = json.dumps(sound_report())
        without_end = text[:-1] + ', "cudnn": {}}'
        cases = {
            text.encode("utf-8-sig"): "taken",
            json.dumps(sound_report(), indent=2).replace("\n", "\r\n").encode(): "taken",
            b"": "empty",
            b"\0": "not text",
            b"{}": "not JSON with a schema",
            b"[1]": "not JSON with a schema",
            text.encode()[:-1]: "not JSON with a schema",
            ("/* \" */" + text).encode(): "not JSON with a schema",
            text.replace("GPU-0", "GPU\0").encode(): "not text",
            text.replace("GPU-0", "\\u0000").encode(): "not JSON with a schema",
            text.replace("GPU-0", "\x01").encode(): "not text",
            text.encode().replace(b"GPU-0", b"\xff\xfe"): "not text",
            text.encode("utf-16"): "not text",
            without_end.encode(): "an object with two members of one name",
            text.replace('"skipped": []', '"skipped": ' + "[" * 17 + "]" * 17).encode():
                "not JSON of at most 16 levels",
            (text + " " * 2**20).encode():
                f"{len(text) + 2**20} bytes, and no report has more than 1048576",
        }
        for data, said, message in zip(cases, cases.values(), self.messages(*cases)):
            with self.subTest(data=data[:30], said=said):
                self.assertEqual(message, said if said == "taken" else "it is not a report: " + said)
