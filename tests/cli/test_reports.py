# SPDX-License-Identifier: BSD-3-Clause
"""diff: what two reports do not have in common; what the tests of fleet use as well."""

import json
import os
import pathlib

from checked_program import CheckedProgram, call
from support import ScratchTest
from support.environment import RELEASE


def report(verdict="ok", cudnn="9.14.0", driver="580.65.06", gpus=("sm_90",) * 8, findings=()):
    """A report of schema 1, as verify writes it, with what the two commands read."""
    return {
        "schema": 1, "package": RELEASE, "program": "app", "verdict": verdict, "level": "ran",
        "triple": {"cudnn": cudnn, "cuda": "13.0", "architectures": ["sm_90"]},
        "cudnn": {"library": {"version": cudnn},
                  "files": [{"name": f"libcudnn_{role}.so.9", "role": role, "path": f"/opt/{role}",
                             "version": cudnn, "chosen_by": "ld.so.cache"}
                            for role in ["shim", "graph"]]},
        "cuda": {"toolkit": "13.0", "runtime": "", "driver": "", "kernel_module": driver},
        "devices": [{"index": index, "uuid": f"GPU-{os.urandom(16).hex()}", "name": "NVIDIA H100",
                     "architecture": gpu} for index, gpu in enumerate(gpus)],
        "convolutions": [{"api": api, "type": "fp32", "status": "ok", "relative_error": 1e-7,
                          "milliseconds": 0.5} for api in ["legacy", "graph"]],
        "findings": [{"name": name, "severity": severity, "summary": f"{name} is found"}
                     for name, severity in findings], "escape": None}


OLD = {"verdict": "refused", "driver": "470.57.02",
       "findings": [("driver-too-old", "error"), ("arch-jit-only", "note")]}


class ReportsTest(ScratchTest):
    def put(self, name, **what):
        self.write(name, json.dumps(report(**what)))
        return name

    def called(self, *arguments, **environment):
        return call(*arguments, home=self.scratch, **environment)


class Diff(ReportsTest):
    def test_none(self):
        self.assertEqual(self.called("diff", self.put("a.json"), self.put("b.json")),
                         (0, "cudnn-checked: ok: no difference\n", ""))

    def test_a_mark_of_utf_8(self):
        """Editors and shells of Windows begin a file with it."""
        whole = json.dumps(report()).encode()
        (self.scratch / "a.json").write_bytes(b"\xef\xbb\xbf" + whole)
        self.put("b.json")
        self.assertEqual(self.called("diff", "a.json", "b.json"), (0, "cudnn-checked: ok: no difference\n", ""))
        (self.scratch / "a.json").write_bytes(b"\xef\xbb\xbf" + whole[:700])
        self.assertEqual(self.called("diff", "a.json", "b.json"),
                         (2, "", "cudnn-checked: error: diff: a.json: it ends in the middle\n"))

    def test_some(self):
        self.put("there.json")
        self.put("here.json", cudnn="9.13.1", gpus=["sm_90"] * 7 + ["sm_86"], **OLD)
        self.assertEqual(self.called("diff", "there.json", "here.json"), (1, """\
                                         there.json   here.json
  verdict:                               ok           refused
  triple cudnn:                          9.14.0       9.13.1
  cudnn library version:                 9.14.0       9.13.1
  cudnn files shim and 1 more version:   9.14.0       9.13.1
  cuda kernel_module:                    580.65.06    470.57.02
  devices 7 architecture:                sm_90        sm_86
  findings driver-too-old:               -            driver-too-old is found
  findings arch-jit-only:                -            arch-jit-only is found
""", ""))
        status, out, _ = self.called("diff", "--json", "here.json", "there.json")
        tree = json.loads(out)
        self.assertEqual((status, tree["a"], tree["b"], len(tree["differences"])),
                         (1, "here.json", "there.json", 9))
        self.assertEqual(tree["differences"][0], {"key": "verdict", "a": "refused", "b": "ok"})

    def doctor(self, name, *releases):
        """A report of doctor on a machine with these, the first of which a program gets."""
        installs = []
        for release in releases:
            folder = f"/opt/{release}"
            installs.append({"directory": folder, "found_by": ["ld.so.cache"], "release": release, "files": [
                {"role": role, "path": f"{folder}/{role}.so", "version": release, "build_id": f"{role}{release}"}
                for role in ("shim", "graph", "ops")]})
        tree = {"schema": 1, "package": RELEASE, "verdict": "ok", "cudnn": installs,
                "by_default": {"files": installs[0]["files"]}}
        (self.scratch / name).write_text(json.dumps(tree))

    def test_of_doctor(self):
        """A cuDNN is known by its directory; one that is new, and files that differ in the same way, are one line."""
        self.doctor("a.json", "9.19.0")
        self.doctor("b.json", "9.14.0", "9.19.0")
        self.assertEqual(self.called("diff", "a.json", "b.json")[:2], (1, """\
                                              a.json        b.json
  by_default files shim and 2 more path:      /opt/9.19.0   /opt/9.14.0
  by_default files shim and 2 more version:   9.19.0        9.14.0
  cudnn /opt/9.14.0:                          -             9.14.0
"""))
        self.doctor("a.json", "9.19.0", "9.14.0")
        self.doctor("b.json", "9.19.0")
        self.assertEqual(self.called("diff", "a.json", "b.json")[:2], (1, """\
                       a.json   b.json
  cudnn /opt/9.14.0:   9.14.0   -
"""))
        keys = [one["key"] for one in json.loads(self.called("--json", "diff", "a.json", "b.json")[1])["differences"]]
        self.assertEqual(keys, ["cudnn /opt/9.14.0"])

    def test_a_replaced_cudnn(self):
        """All that changed is listed where both sides have a cuDNN in the directory, and every finding."""
        self.doctor("a.json", "9.19.0")
        tree = json.loads((self.scratch / "a.json").read_text())
        tree["by_default"] = {}
        tree["cudnn"][0]["header"] = {"version": "9.19.0"}
        tree["findings"] = [{"name": "two-cudnns", "summary": text} for text in ("first", "second")]
        (self.scratch / "a.json").write_text(json.dumps(tree))
        del tree["cudnn"][0]["header"], tree["findings"], tree["cudnn"][0]["files"]
        tree["cudnn"][0]["release"] = ""
        (self.scratch / "b.json").write_text(json.dumps(tree))
        self.assertEqual(self.called("diff", "a.json", "b.json")[:2], (1, """\
                                                     a.json        b.json
  cudnn /opt/9.19.0 release:                         9.19.0        -
  cudnn /opt/9.19.0 files shim role:                 shim          -
  cudnn /opt/9.19.0 files shim and 2 more path:      /opt/9.19.0   -
  cudnn /opt/9.19.0 files shim and 2 more version:   9.19.0        -
  cudnn /opt/9.19.0 files graph role:                graph         -
  cudnn /opt/9.19.0 files ops role:                  ops           -
  cudnn /opt/9.19.0 header version:                  9.19.0        -
  findings two-cudnns:                               first         -
  findings two-cudnns (2):                           second        -
"""))

    def test_a_build_id_alone(self):
        self.doctor("a.json", "9.19.0")
        tree = json.loads((self.scratch / "a.json").read_text())
        tree["by_default"]["files"][1]["build_id"] = "other"
        (self.scratch / "b.json").write_text(json.dumps(tree))
        self.assertEqual(self.called("diff", "a.json", "b.json")[:2], (1, """\
                                     a.json        b.json
  by_default files graph build_id:   graph9.19.0   other
"""))

    def test_two_findings_of_one_name(self):
        self.put("a.json", findings=[("arch-not-built", "error")])
        self.put("b.json", findings=[("arch-not-built", "error")] * 2)
        self.assertEqual(self.called("diff", "a.json", "b.json")[:2], (1, """\
                                 a.json   b.json
  findings arch-not-built (2):   -        arch-not-built is found
"""))

    def test_a_report_of_many_elements(self):
        """Each of 50,000 is looked up, not compared with all others; called() waits for a minute."""
        many = 50000
        for name, cudnn in (("a.json", []), ("b.json", [{"directory": f"/d{i}", "release": "9.19.0"} for i in range(many)])):
            (self.scratch / name).write_text(json.dumps({"schema": 1, "cudnn": cudnn, "triple": {}}))
        status, out, _ = self.called("diff", "a.json", "b.json")
        self.assertEqual((status, len(out.splitlines()), out.splitlines()[-1].split()),
                         (1, 1 + many, ["cudnn", f"/d{many - 1}:", "-", "9.19.0"]))
        findings = [{"name": "two-cudnns", "summary": "s"}] * many
        (self.scratch / "b.json").write_text(json.dumps({"schema": 1, "cudnn": [], "triple": {}, "findings": findings}))
        status, out, _ = self.called("diff", "a.json", "b.json")
        self.assertEqual((status, out.splitlines()[-1].split()), (1, ["findings", "two-cudnns", f"({many}):", "-", "s"]))

    def test_a_report_of_too_many_values(self):
        """A comma in a string is none."""
        text = ",[{" * 100000 + '\\\\\\",'
        for count, words in ((199995, None), (200000, "more than 200000 values")):
            (self.scratch / "a.json").write_text(f'{{"schema": 1, "text": "{text}", "list": [{"1," * (count - 1)}1]}}')
            for command in ("diff", "fleet"):
                with self.subTest(count=count, command=command):
                    arguments = ["a.json", "a.json"] if command == "diff" else ["a.json"]
                    status, out, err = self.called(command, *arguments)
                    if words is None:
                        self.assertEqual((status, out), (0, "cudnn-checked: ok: no difference\n") if command == "diff" else
                                         (2, out), err)
                        self.assertNotIn("values", out)
                    elif command == "diff":
                        self.assertEqual((status, err), (2, f"cudnn-checked: error: diff: a.json: {words}\n"))
                    else:
                        self.assertIn(words, out)

    def test_what_is_no_report(self):
        self.put("a.json")
        (self.scratch / "text").write_text("text")
        (self.scratch / "list.json").write_text("[]")
        (self.scratch / "schema.json").write_text('{"schema": 2}')
        os.mkfifo(self.scratch / "fifo")
        for name, words in [("absent", "no such file"), ("text", "not JSON: not a JSON value at byte 0"),
                            ("list.json", "not a report of schema 1"), ("fifo", "a FIFO"),
                            ("schema.json", "not a report of schema 1"), (".", "a directory")]:
            self.assertEqual(self.called("diff", "a.json", name), (
                2, "", f"cudnn-checked: error: diff: {name}: {words}\n"))
        (self.scratch / "a sweep.json").write_text('{"schema": 1, "program": "sweep"}')
        for arguments, typed in ((["a sweep.json", "b.json"], "b.json --against 'a sweep.json'"),
                                 (["a.json", "a sweep.json"], "'a sweep.json' --against a.json")):
            self.assertEqual(self.called("diff", *arguments), (
                2, "", "cudnn-checked: error: diff: a sweep.json is the report of a sweep; type: cudnn-checked sweep "
                       f"{typed}\n"))
        for arguments in [[], ["a.json"]]:
            self.assertEqual(self.called("diff", *arguments), (
                2, "", "cudnn-checked: error: diff: which two reports? cudnn-checked diff A.json B.json\n"))


    def test_reports_of_other_kinds(self):
        """Each as its command prints it; two of one kind are compared."""
        program = self.scratch / "app"
        program.write_bytes(pathlib.Path("/bin/sh").read_bytes())
        kinds = {}
        for name, of, words in [("doctor", "doctor", ["doctor"]), ("verify", "a program or the probe", ["verify", "app"]),
                                ("files", "verify of several files", ["verify", "app", "app"]),
                                ("failed", "a command that failed", ["verify", "absent"]),
                                ("explain", "another command", ["explain", "shim"])]:
            (self.scratch / f"{name}.json").write_text(call(*words, "--json", home=self.scratch)[1])
            kinds[f"{name}.json"] = of
        for a, of_a in kinds.items():
            for b, of_b in kinds.items():
                with self.subTest(a=a, b=b):
                    self.assertEqual(self.called("diff", a, b), (0, "cudnn-checked: ok: no difference\n", "") if a == b else (
                        2, "", f"cudnn-checked: error: diff: {a} is a report of {of_a}, {b} of {of_b}; "
                        "diff compares two of one kind\n"))


class RealReports(CheckedProgram):
    def test_of_verify(self):
        paths = []
        older = self.other_sdk(cudnn="9.13.1", cuda="13.0").library_directory
        for name, libraries in [("a", []), ("b", [older])]:
            path = self.scratch / f"{name}.json"
            path.write_text(self.checked("verify", "--json", self.app_path, libraries=libraries)[1])
            paths.append(path)
        status, out, _ = self.checked("diff", *paths)
        self.assertEqual(status, 1)
        self.assertRegex(out, r"(?m)^  triple cudnn: +9\.14\.0 +9\.13\.1$")
