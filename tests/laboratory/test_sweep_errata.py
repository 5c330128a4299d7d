# SPDX-License-Identifier: BSD-3-Clause
"""cudnn-checked sweep --errata on the simulated SDK: rules for what failed, and nothing lost of a file."""

import json
import re
import subprocess
import unittest

from test_sweep_command import SweepTest

from support.command_line import cudnn_checked_program
from support.environment import clean_environment
from support.processes import wait_for

FAULTS = "engine-wrong:72:fwd:nchw,engine-unwritten:71:fwd"
RULE = """\
    {
      "rule_id": "cudnn-checked: ConvFwd_eng%d, cuDNN 9.19.0, sm_90",
      "operation": "ConvFwd",
      "engine": %d,
      "knob": [],
      "cudnn_version_start": 91900,
      "cudnn_version_end": 91901
    }"""
RULES = RULE % (71, 71) + ",\n" + RULE % (72, 72)
FOREIGN = '{"by": "somebody", "rules": [ {"operation":"ConvFwd_Add", "engine": 5, "why": [1e3]}\t], "version": 1}'


class Errata(SweepTest):
    def written(self, *arguments, **more):
        return self.swept("--operations", "fwd", "--types", "fp16", "--workers", "2", "--errata", "rules.json",
                          *arguments, **more)

    def block(self, output):
        """The lines on the errata file, with counts as N."""
        text = re.search(r"(?s)\nerrata file: .*?\n\n", output).group(0).strip("\n")
        return re.sub(r"\b\d+ (?=wrong plan|right one|offered|by |of \d|failing|plans? blocked)",
                      "N ", re.sub(r"\d+ of \d+ failing", "N failing", text)).replace("plans", "plan") \
            .replace("ones", "one").replace("problems", "problem")

    @property
    def file(self):
        return self.scratch / "rules.json"

    def test_rules_are_written_merged_and_verified(self):
        self.file.write_text(FOREIGN, encoding="utf-8")
        self.file.chmod(0o604)
        status, out, err = self.written("--seconds", "2", SIMULATED_FAULT=FAULTS)
        self.assertEqual((status, err), (0, ""))
        before, behind = FOREIGN.split("\t")
        whole = before + ",\n" + RULES + "\t" + behind
        self.assertEqual(self.file.read_text(encoding="utf-8"), whole)
        self.assertEqual(self.file.stat().st_mode & 0o777, 0o604)
        self.assertEqual(self.block(out), """\
errata file: rules.json
  added:     ConvFwd engine 71
             ConvFwd engine 72
  kept:      1 rule
  effect:    N wrong plan blocked, and N right one: N offered by heuristic A, N by B or FALLBACK alone, N by none
  verified:  N failing problem computed again: N plan blocked, 0 wrong left
  valid for: programs compiled with cuDNN 9.19.0
  to use it: export CUDNN_ERRATA_JSON_FILE=<scratch>/rules.json""")
        self.assertIn("\n  fix: export CUDNN_ERRATA_JSON_FILE=<scratch>/rules.json\n", out)

        status, out, err = self.written("--seconds", "2", "--json", SIMULATED_FAULT=FAULTS)
        self.assertEqual((status, err), (0, ""))
        self.assertEqual(self.file.read_text(encoding="utf-8"), whole)
        errata = json.loads(out)["errata"]
        self.assertEqual((errata["file"], errata["error"], errata["added"], errata["kept"]), ("rules.json", "", [], 3))
        self.assertEqual(errata["left"], 0)
        self.assertEqual(errata["right_blocked_of_a"], 0)
        verification = errata["verification"]
        self.assertTrue(verification["verified"])
        self.assertEqual(verification["left"], 0)
        self.assertGreaterEqual(verification["blocked"], verification["problems"])
        self.assertEqual([path.name for path in self.scratch.iterdir()], ["rules.json"])

    def test_nothing_failed(self):
        status, out, err = self.written("--seconds", "1")
        self.assertEqual((status, err), (0, ""))
        self.assertEqual(self.file.read_text(encoding="utf-8"), '{\n  "version": 1,\n  "rules": []\n}\n')
        self.assertEqual(self.block(out), """\
errata file: rules.json
  added:     nothing
  valid for: programs compiled with cuDNN 9.19.0
  to use it: export CUDNN_ERRATA_JSON_FILE=<scratch>/rules.json""")

    def test_a_file_that_is_something_else_is_an_error_before_the_sweep(self):
        for text, reason in (("", "it is empty"), ("{}", 'it has no array "rules"'),
                             ('{"rules": [{"operation": "ConvFwd", "engine": "7"}]}',
                              'rule 1: "engine" is not a whole number')):
            self.file.write_text(text, encoding="utf-8")
            self.assertEqual(self.written("--seconds", "60"), (
                2, "", f"cudnn-checked: error: sweep: --errata rules.json: no errata file: {reason}\n"))
            self.assertEqual(self.file.read_text(encoding="utf-8"), text)
        self.assertEqual(self.swept("--errata", "none/rules.json"), (
            2, "", "cudnn-checked: error: sweep: --errata none/rules.json: cannot be written: "
                   "No such file or directory\n"))
        self.assertEqual(self.swept("--errata"), (
            2, "", "cudnn-checked: error: sweep: --errata needs a file, for example --errata errata.json\n"))

    def test_a_file_that_becomes_something_else_meanwhile_is_left_alone(self):
        process = self.started("--seconds", "2", "--workers", "2", "--operations", "fwd", "--errata", "rules.json",
                               SIMULATED_FAULT=FAULTS)
        self.file.write_text("[]", encoding="utf-8")
        out, err = process.communicate(timeout=30)
        self.assertEqual(process.returncode, 2)
        reason = 'rules.json: no errata file: it has no array "rules"'
        self.assertEqual(err, f"cudnn-checked: error: sweep: --errata {reason}\n")
        self.assertIn(f"\n\nerrata file: {reason}\n\n", out)
        self.assertEqual(self.file.read_text(encoding="utf-8"), "[]")
        self.assertTrue(wait_for(lambda: [path.name for path in self.scratch.iterdir()] == ["rules.json"]))

    def test_the_fix_pasted(self):
        """From a message to a variable that leads to a file with the rule, with what is printed alone; where
        ordinary calls meet the engine as well, which is status 1."""
        environment = clean_environment(self.scratch, **self.environment(SIMULATED_FAULT="engine-wrong:38:fwd"))
        environment["PATH"] = f"{cudnn_checked_program().parent}:{environment['PATH']}"
        command = f"cudnn-checked sweep {self.sdk.prefix} --operations fwd --types fp16"
        for fix in (r"(cudnn-checked sweep .* --errata errata\.json)", r"(export CUDNN_ERRATA_JSON_FILE=.*)"):
            done = subprocess.run(["sh", "-c", command + " --seconds 1"], env=environment, cwd=self.scratch, timeout=60,
                                  capture_output=True, text=True, check=False)
            self.assertEqual((done.returncode, done.stderr), (1, ""))
            command = re.search(r"\n  fix: " + fix + r"\n", done.stdout).group(1)
        done = subprocess.run(["sh", "-c", command + ' && cat "$CUDNN_ERRATA_JSON_FILE"'], env=environment,
                              cwd=self.scratch, capture_output=True, text=True, check=True)
        self.assertEqual([rule["engine"] for rule in json.loads(done.stdout)["rules"]], [38])

    def test_a_file_that_programs_read_already(self):
        """What is typed afterwards would take its rules away."""
        mine = self.scratch / "my rules.json"
        mine.write_text('{"rules": []}', encoding="utf-8")
        self.assertEqual(self.written("--seconds", "1", CUDNN_ERRATA_JSON_FILE=mine)[2],
                         "cudnn-checked: note: sweep: CUDNN_ERRATA_JSON_FILE names another file, and programs read one; "
                         "to add to it: --errata '<scratch>/my rules.json'\n")
        for value in self.file, self.scratch / "gone":
            self.assertEqual(self.written("--seconds", "1", CUDNN_ERRATA_JSON_FILE=value)[2], "")

    def test_nothing_was_computed(self):
        status, out, _ = self.written("--seconds", "1", gpus="")
        self.assertEqual(status, 3)
        self.assertNotIn("errata file", out)
        self.assertEqual(list(self.scratch.iterdir()), [])


if __name__ == "__main__":
    unittest.main()
