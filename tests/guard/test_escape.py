# SPDX-License-Identifier: BSD-3-Clause
"""CUDNN_CHECKED and CUDNN_CHECKED_REPORT, and what a refusal does to the process."""

import fcntl
import json
import os
import pathlib
import shutil
import subprocess

from guarded_program import NO_DRIVER, GuardedProgram
from support.schema import check_json


class Escape(GuardedProgram):
    guard = "GPU;REQUIRED"

    def test_warn_says_it_and_goes_on(self):
        status, output = self.start(driver=False, CUDNN_CHECKED="warn")
        self.assertEqual(status, 0)
        self.assertEqual(output, NO_DRIVER.format(verdict="warning") +
                         "  continues: CUDNN_CHECKED=warn\nmain runs on 91400\n")

    def test_a_directory_of_the_name_of_the_page_is_not_written_to(self):
        program = self.scratch / "memfd:cudnn_checked_said/app"
        program.parent.mkdir()
        shutil.copy(self.app.path("app"), program)
        status, output = self.start(program=program, driver=False, CUDNN_CHECKED="warn")
        self.assertEqual(status, 0)
        self.assertTrue(output.startswith(NO_DRIVER.format(verdict="warning")), output)

    def test_off_does_not_look(self):
        self.assert_runs(self.start(driver=False, CUDNN_CHECKED="off"))

    def test_enforce_is_the_default(self):
        expected = (78, NO_DRIVER.format(verdict="refused") + "  override: CUDNN_CHECKED=warn\n")
        self.assertEqual(self.start(driver=False), expected)
        self.assertEqual(self.start(driver=False, CUDNN_CHECKED="enforce"), expected)
        self.assertEqual(self.start(driver=False, CUDNN_CHECKED=""), expected)

    def test_any_other_value_is_an_error(self):
        self.assertEqual(self.start(CUDNN_CHECKED="of"), (78, """\
cudnn_checked: error: CUDNN_CHECKED=of: not a mode; did you mean off?
  CUDNN_CHECKED=enforce   refuse to start on a cuDNN that cannot be right (the default)
  CUDNN_CHECKED=warn   report it and continue
  CUDNN_CHECKED=off   do not check
  fix: unset CUDNN_CHECKED
"""))

    def test_what_was_meant(self):
        for value, meant in [("warning", "warn"), ("wran", "warn"), ("OFFF", "off"), ("enforced", "enforce")]:
            status, output = self.start(CUDNN_CHECKED=value)
            self.assertEqual((status, output.splitlines()[0]), (
                78, f"cudnn_checked: error: CUDNN_CHECKED={value}: not a mode; did you mean {meant}?"))
        self.assertEqual(self.start(CUDNN_CHECKED="1")[1].splitlines()[0], "cudnn_checked: error: CUDNN_CHECKED=1: not a mode")

    def test_upper_and_lower_case_are_one(self):
        self.assert_runs(self.start(driver=False, CUDNN_CHECKED="Off"))
        status, output = self.start(driver=False, CUDNN_CHECKED="WARN")
        self.assertEqual((status, "  continues: CUDNN_CHECKED=WARN\n" in output), (0, True), output)
        self.assertEqual(self.start(driver=False, CUDNN_CHECKED="ENFORCE")[0], 78)

    def report(self, **environment):
        path = self.scratch / "report.json"
        self.start(CUDNN_CHECKED_REPORT=str(path), **environment)
        tree = json.loads(path.read_text())
        check_json(tree, "report")
        return tree

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

    def test_off_with_a_report_says_there_that_nothing_was_checked(self):
        report = self.report(driver=False, CUDNN_CHECKED="off")
        self.assertEqual((report["verdict"], report["level"], report["escape"], report["findings"],
                          report["program"]), ("unknown", "ran", "CUDNN_CHECKED=off", [], "app"))

    def assert_not_written(self, path, reason, program=None):
        self.assertEqual(self.start(program=program, CUDNN_CHECKED_REPORT=str(path)), (0, f"""\
cudnn_checked: error: cannot write the report to {path} (CUDNN_CHECKED_REPORT): {reason}
main runs on 91400
""".replace(str(self.scratch), "<scratch>")))

    def test_a_report_that_cannot_be_written_is_said_and_the_program_starts(self):
        self.assert_not_written(self.scratch / "no/report.json", "No such file or directory")
        self.assert_not_written(self.scratch, "Is a directory")

    def test_a_report_does_not_replace_the_program(self):
        program = pathlib.Path(shutil.copy(self.app.path("app"), self.scratch))
        before, inode = program.read_bytes(), program.stat().st_ino
        for report in (program, "/proc/self/exe"):
            self.assert_not_written(report, "it is a program or a library", program=program)
        self.assertEqual((program.read_bytes() == before, program.stat().st_ino), (True, inode))

    def test_a_fifo_that_nobody_reads_does_not_hold_the_program(self):
        os.mkfifo(self.scratch / "fifo")
        self.assert_not_written(self.scratch / "fifo", "nobody reads it")

    def test_a_report_may_go_to_a_fifo_or_a_device(self):
        fifo = self.scratch / "fifo"
        os.mkfifo(fifo)
        reader = os.open(fifo, os.O_RDWR)
        self.addCleanup(os.close, reader)
        self.assert_runs(self.start(CUDNN_CHECKED_REPORT=str(fifo)))
        self.assertEqual(json.loads(os.read(reader, 1 << 20))["verdict"], "ok")
        self.assert_runs(self.start(CUDNN_CHECKED_REPORT="/dev/null"))
        self.assertFalse(os.path.isfile("/dev/null"))

    def test_a_reader_that_takes_nothing_is_not_waited_for(self):
        fifo = self.scratch / "fifo"
        os.mkfifo(fifo)
        kept = os.open(fifo, os.O_RDWR | os.O_NONBLOCK)
        self.addCleanup(os.close, kept)
        os.write(kept, bytes(fcntl.fcntl(kept, fcntl.F_GETPIPE_SZ)))
        self.assert_not_written(fifo, "Resource temporarily unavailable")

    def test_a_limit_of_file_size_does_not_end_the_program(self):
        limited = self.scratch / "limited"
        limited.write_text(f"#!/bin/sh\nulimit -f 1\nexec '{self.app.path('app')}'\n")
        limited.chmod(0o755)
        path = self.scratch / "reports/report.json"
        path.parent.mkdir()
        self.assert_not_written(path, "File too large", program=limited)
        self.assertEqual(os.listdir(path.parent), [])
        path.write_text("older")
        self.assert_not_written(path, "File too large", program=limited)
        self.assertEqual(path.read_text(), "older")
        # What was said before is kept in memory that counts as a file.
        self.assertEqual(self.start(program=limited, driver=False, CUDNN_CHECKED="warn"),
                         (0, NO_DRIVER.format(verdict="warning") +
                          "  continues: CUDNN_CHECKED=warn\nmain runs on 91400\n"))

    def test_a_report_replaces_the_older_one_whole(self):
        path = self.scratch / "report.json"
        path.write_text("older")
        path.chmod(0o622)  # umask(2) takes nothing from it
        os.link(path, self.scratch / "kept")
        os.symlink("report.json", self.scratch / "link")
        self.report()
        # Whoever reads the older file goes on reading it, whole.
        self.assertEqual((self.scratch / "kept").read_text(), "older")
        self.assertEqual(path.stat().st_mode & 0o777, 0o622)
        path.write_text("older")
        self.assert_runs(self.start(CUDNN_CHECKED_REPORT=str(self.scratch / "link")))
        self.assertEqual(json.loads(path.read_text())["verdict"], "ok")
        self.assertEqual(sorted(os.listdir(self.scratch)), ["kept", "link", "report.json"])

    def test_eight_programs_write_one_report(self):
        path = self.scratch / "report.json"
        environment = {**self.built_on.environment, "CUDNN_CHECKED_REPORT": str(path)}
        for _ in range(4):
            programs = [subprocess.Popen([self.app.path("app")], env=environment,
                                         stdout=subprocess.DEVNULL) for _ in range(8)]
            self.assertEqual([program.wait() for program in programs], [0] * 8)
            self.assertEqual(json.loads(path.read_text())["verdict"], "ok")
        self.assertEqual(os.listdir(self.scratch), ["report.json"])

    def test_a_closed_stderr_is_still_78(self):
        started = subprocess.Popen([str(self.app.path("app"))], env={}, stderr=subprocess.PIPE)
        started.stderr.close()
        self.assertEqual(started.wait(), 78)
