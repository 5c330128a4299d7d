# SPDX-License-Identifier: BSD-3-Clause
"""--strict: a warning and a result that is not known are refused, by doctor, probe, verify and run."""

import json
import zipfile

from checked_program import CalledTest, CheckedProgram
from started_python import StartedPython
from support.environment import RELEASE
from support.simulated_sdk import simulated_sdk

WARNING = "cudnn-checked: refused: --strict, and there is a warning\n"
NOT_KNOWN = "cudnn-checked: refused: --strict, and the result is not known\n"
OVERRIDE = "  override: CUDNN_CHECKED=warn\n"


class Doctor(CalledTest):
    def strict(self, *words, **environment):
        """The answer with --strict, where the one without is the same but for the status."""
        status, out, err = self.called(*words, **environment)
        self.assertEqual(err, "")
        strictly = self.called(*words, "--strict", **environment)
        self.assertEqual(strictly[1], out)
        return status, strictly[0], strictly[2]

    def test_a_warning(self):
        sdk = self.sdk(cudnn="9.19.0")
        older = self.sdk("older", cudnn="9.14.0")
        for words in (["doctor", "sdk"], ["doctor", "sdk", "--json"]):
            self.assertEqual(self.strict(*words, LD_PRELOAD=older.library()), (0, 1, WARNING))
        self.assertEqual(self.strict("doctor", "sdk"), (0, 0, ""))
        sdk.take_from(older, "heuristic")
        self.assertEqual(self.strict("doctor", "sdk", LD_PRELOAD=older.library()), (1, 1, ""))

    def test_a_note_is_no_warning(self):
        # There is no driver.
        self.sdk(cudnn="9.19.0")
        self.assertEqual(self.strict("doctor", CUDNN_ROOT="sdk")[1:], (0, ""))

    def test_no_cudnn(self):
        (self.scratch / "empty").mkdir()
        words = "cudnn-checked: error: doctor: empty: no cuDNN in it\n"
        self.assertEqual(self.called("doctor", "empty"), (3, "", words))
        self.assertEqual(self.called("doctor", "empty", "--strict"), (1, "", words + NOT_KNOWN))
        tree = json.loads(self.called("doctor", "empty", "--strict", "--json")[1])
        self.assertEqual((tree["error"], tree["status"]), ("doctor: empty: no cuDNN in it", 1))
        self.assertEqual(self.called("doctor", "absent", "--strict"),
                         (2, "", "cudnn-checked: error: doctor: absent: no such directory\n"))

    def test_whose_option_it_is(self):
        for command in ("fleet", "explain", "inspect", "diff", "bundle"):
            self.assertEqual(self.called(command, "--strict", "a"),
                             (2, "", "cudnn-checked: error: unknown option --strict\n"))


class Probe(CalledTest):
    def setUp(self):
        super().setUp()
        self.prefix = simulated_sdk(cudnn="9.14.0", gpus="sm_75").prefix

    def test_nothing_was_computed(self):
        self.assertEqual(self.called("probe", self.prefix)[0], 3)
        status, out, err = self.called("probe", self.prefix, "--strict")
        self.assertEqual((status, err), (1, NOT_KNOWN))
        self.assertIn("\ncudnn-checked: unknown: cuDNN 9.14.0", out)
        # What is required is enough.
        self.assertEqual(self.called("probe", self.prefix, "--strict", "--require", "loaded")[::2], (0, ""))

    def test_a_warning(self):
        sdk = simulated_sdk(cudnn="9.14.0", gpus="sm_75")
        here = {"LD_LIBRARY_PATH": sdk.driver_directory, "SIMULATED_GPUS": "sm_75"}
        self.assertEqual(self.called("probe", self.prefix, "--strict", **here)[::2], (0, ""))


class Program(CheckedProgram):
    sdk_options = {"cudnn": "9.14.0", "gpus": "sm_86"}
    main = '#include <cudnn.h>\n#include <cstdio>\nint main() { std::printf("main runs on %zu\\n", cudnnGetVersion()); }\n'
    newer = {"SIMULATED_GPUS": "sm_130"}
    told = "this GPU, sm_130, is newer than cuDNN 9.14.0 knows\n"

    def test_verify(self):
        status, out, err = self.checked("verify", self.app_path, **self.newer)
        self.assertEqual((status, out.splitlines(True)[0], err), (0, "cudnn-checked: warning: " + self.told, ""))
        self.assertEqual(self.checked("verify", "--strict", self.app_path, **self.newer), (1, out, WARNING))
        self.assertEqual(self.checked("verify", "--strict", self.app_path)[::2], (0, ""))

    def test_verify_several(self):
        tool = self.compile("tool", "int main() {}")
        self.assertEqual(self.checked("verify", self.app_path, tool)[0], 3)
        status, out, err = self.checked("verify", "--strict", "--json", self.app_path, tool)
        tree = json.loads(out)
        self.assertEqual((status, err), (1, NOT_KNOWN))
        self.assertEqual((tree["status"], [one["status"] for one in tree["files"]]), (1, [0, 1]))
        self.assertEqual([one["report"]["verdict"] for one in tree["files"]], ["ok", "unknown"])

    def test_run(self):
        self.assertEqual(self.checked("run", "--strict", "--", self.app_path), (0, "main runs on 91400\n", ""))
        status, out, err = self.checked("run", "--strict", "--", self.app_path, **self.newer)
        self.assertEqual((status, out), (78, ""))
        self.assertTrue(err.startswith("cudnn-checked: refused: " + self.told), err)
        self.assertTrue(err.endswith("]\n" + OVERRIDE + WARNING), err)
        status, out, err = self.checked("run", "--strict", "--", self.app_path, **self.newer, CUDNN_CHECKED="warn")
        self.assertEqual((status, out), (0, "main runs on 91400\n"))
        self.assertTrue(err.startswith("cudnn_checked: warning: " + self.told), err)
        self.assertEqual(self.checked("run", "--strict", "--", self.app_path, **self.newer, CUDNN_CHECKED="off"),
                         (0, "main runs on 91400\n", ""))

    def test_run_what_is_not_known(self):
        tool = self.compile("tool", "int main() {}")
        status, out, err = self.checked("run", "--strict", "--", tool)
        self.assertEqual((status, out), (78, ""))
        self.assertTrue(err.startswith("cudnn-checked: refused: nothing is known of a cuDNN of tool, so none was checked\n"), err)
        self.assertTrue(err.endswith("]\n" + OVERRIDE + NOT_KNOWN), err)
        status, out, err = self.checked("run", "--strict", "--json", "--", tool)
        self.assertEqual((status, json.loads(out)["verdict"]), (78, "unknown"))
        self.assertEqual(self.checked("run", "--strict", "--", tool, CUDNN_CHECKED="warn")[:2], (0, ""))

    def test_run_a_script(self):
        script = self.scratch / "script"
        script.write_text("#!/bin/sh\necho started\n")
        script.chmod(0o755)
        why = ("<scratch>/script: not an ELF file; for a script, check the program that runs it; "
               "nothing was checked")
        said = f"cudnn-checked: refused: {why}\n" + OVERRIDE + NOT_KNOWN
        self.assertEqual(self.checked("run", "--strict", script), (78, "", said))
        status, out, err = self.checked("run", "--strict", "--json", script)
        self.assertEqual((status, err), (78, said))
        self.assertEqual(json.loads(out), {"schema": 1, "package": RELEASE, "error": self.relative(why), "status": 78})
        self.assertEqual(self.checked("run", "--strict", script, CUDNN_CHECKED="warn")[:2], (0, "started\n"))


class GuardThatWarns(CheckedProgram):
    options = ["-DCuDNNChecked_GUARD=WARN"]

    def test_the_build_is_no_answer_to_strict(self):
        older = self.other_sdk(cudnn="9.13.1", cuda="13.0").library_directory
        self.assertEqual(self.checked("run", "--", self.app_path, libraries=[older])[:2], (0, "main runs on 91301\n"))
        status, out, err = self.checked("run", "--strict", "--", self.app_path, libraries=[older])
        self.assertEqual((status, out), (78, ""))
        self.assertTrue(err.endswith("[cudnn-older]\n" + OVERRIDE), err)


class Python(StartedPython):
    def test_what_is_refused(self):
        self.assertEqual(self.app("--strict", "--python", "torch"), self.started)
        with zipfile.ZipFile(self.root / "app.zip", "w") as file:
            file.writestr("zipped.py", "")
        why = "zipped is in the archive '<root>/app.zip': what it would load was not looked at"
        self.assertEqual(self.app("--strict", "--python", "zipped", PYTHONPATH=self.root / "app.zip"),
                         (78, "", f"cudnn-checked: refused: {why}\n{OVERRIDE}{NOT_KNOWN}"))
        status, out, _ = self.app("--strict", "--json", "--python", "zipped", PYTHONPATH=self.root / "app.zip")
        self.assertEqual((status, json.loads(out)["error"].replace(str(self.root), "<root>")), (78, why))
        self.second_package()
        self.break_torch()
        status, out, err = self.app("--strict")
        self.assertEqual((status, out), (78, ""))
        self.assertTrue(err.startswith("cudnn-checked: refused: torch 2.7.1: a library of cuDNN is damaged"), err)
        self.assertTrue(err.endswith("]\n" + OVERRIDE + WARNING), err)
        self.assertEqual(self.app("--strict", CUDNN_CHECKED="warn")[:2], self.started[:2])
