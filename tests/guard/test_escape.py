# SPDX-License-Identifier: BSD-3-Clause
"""CUDNN_CHECKED and CUDNN_CHECKED_REPORT, and what a refusal does to the process."""

import json
import subprocess

from guarded_program import GuardedProgram

NO_DRIVER = """\
cudnn_checked: {verdict}: there is no NVIDIA driver on this machine
  needed:  libcuda.so.1   of the NVIDIA driver
  found:   nothing   in the directories that the loader searches
  Every CUDA call would fail: cuDNN computes on a GPU only.
  fix: run it on a machine with a GPU; in a container, give it a GPU: docker run --gpus all
  [driver-missing]
"""


class Escape(GuardedProgram):
    def test_warn_says_it_and_goes_on(self):
        status, output = self.start(driver=False, CUDNN_CHECKED="warn")
        self.assertEqual(status, 0)
        self.assertEqual(output, NO_DRIVER.format(verdict="warning") +
                         "  continues: CUDNN_CHECKED=warn\nmain runs on 91400\n")

    def test_off_does_not_look(self):
        self.assert_runs(self.start(driver=False, CUDNN_CHECKED="off"))

    def test_enforce_is_the_default(self):
        expected = (78, NO_DRIVER.format(verdict="refused") + "  override: CUDNN_CHECKED=warn\n")
        self.assertEqual(self.start(driver=False), expected)
        self.assertEqual(self.start(driver=False, CUDNN_CHECKED="enforce"), expected)
        self.assertEqual(self.start(driver=False, CUDNN_CHECKED=""), expected)

    def test_any_other_value_is_an_error(self):
        self.assertEqual(self.start(CUDNN_CHECKED="of"), (78, """\
cudnn_checked: error: CUDNN_CHECKED=of: not a mode
  CUDNN_CHECKED=enforce   refuse to start on a cuDNN that cannot be right (the default)
  CUDNN_CHECKED=warn   report it and continue
  CUDNN_CHECKED=off   do not check
"""))

    def report(self, **environment):
        path = self.scratch / "report.json"
        self.start(CUDNN_CHECKED_REPORT=str(path), **environment)
        return json.loads(path.read_text())

    def test_the_report(self):
        report = self.report()
        self.assertEqual(report["verdict"], "ok")
        self.assertEqual(report["level"], "ran")
        self.assertEqual(report["triple"], {"cudnn": "9.14.0", "cuda": "13.0", "architectures": []})
        self.assertIsNone(report["escape"])
        refused = self.report(driver=False)
        self.assertEqual(refused["verdict"], "refused")
        self.assertEqual([f["name"] for f in refused["findings"]], ["driver-missing"])
        self.assertEqual(self.report(driver=False, CUDNN_CHECKED="warn")["escape"],
                         "CUDNN_CHECKED=warn")

    def test_a_report_that_cannot_be_written_is_said_and_the_program_starts(self):
        status, output = self.start(CUDNN_CHECKED_REPORT=f"{self.scratch}/no/report.json")
        self.assertEqual((status, output), (0, """\
cudnn_checked: error: cannot write the report to <scratch>/no/report.json (CUDNN_CHECKED_REPORT)
main runs on 91400
"""))

    def test_a_closed_stderr_is_still_78(self):
        started = subprocess.Popen([str(self.app.path("app"))], env={}, stderr=subprocess.PIPE)
        started.stderr.close()
        self.assertEqual(started.wait(), 78)
