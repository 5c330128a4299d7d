# SPDX-License-Identifier: BSD-3-Clause
"""Errors that no other test of the command line has; tests/scripts/test_messages.py says which those are."""

import os
import subprocess
import unittest

from checked_program import CalledTest
from support import clean_environment
from support.command_line import cudnn_checked_program


class Errors(CalledTest):
    CASES = [
        (["verify", "--pid", "", "app"], "verify: --pid needs the number of a process"),
        (["--json=yes", "doctor"], "unknown option --json=yes; did you mean --json?"),
        (["verify", "--timeout", "5", "app"], "verify: --timeout is for --python"),
        (["verify", "--python", "torch", "a", "b"], "verify: --python takes one environment: b"),
        (["explain", "--for", "app"], "explain: --for needs a library: cudnn-checked explain --for APP "
                                      "libcudnn.so.9"),
        (["verify", "--", "--no-gpu"], "verify: --no-gpu: no such file"),
        (["probe", "--timeout", "5", "--timeout", "0"], "probe: --timeout 0: not a number of seconds"),
    ]

    def error_of(self, *arguments):
        status, out, err = self.called(*arguments)
        self.assertEqual(out, "")
        return status, err

    def test_arguments_that_do_not_fit(self):
        for arguments, words in self.CASES:
            self.assertEqual(self.error_of(*arguments), (2, f"cudnn-checked: error: {words}\n"))

    def test_a_report_that_cannot_be_read(self):
        loop = self.scratch / "loop"
        loop.symlink_to("loop")
        large = self.scratch / "large"
        large.touch()
        os.truncate(large, (16 << 20) + 1)
        cut = self.write("cut", '{"schema": 1, "verdict": "o')
        empty = self.write("empty")
        other = self.write("other", "[1, 2")
        text = self.write("text", "no JSON")
        good = self.write("good", '{"schema": 1}')
        for path, words in [(loop, "it cannot be read"), (large, "more than 16 MiB"), (empty, "an empty file"),
                            (cut, "it ends in the middle"), (other, "it ends in the middle"),
                            (text, "not JSON: not a JSON value at byte 0")]:
            self.assertEqual(self.error_of("diff", good, path), (
                2, f"cudnn-checked: error: diff: <scratch>/{path.name}: {words}\n"))

    @unittest.skipIf(os.geteuid() == 0, "root may read every file")
    def test_a_report_without_permission(self):
        denied = self.write("denied", '{"schema": 1}')
        denied.chmod(0)
        self.assertEqual(self.error_of("diff", denied, denied), (
            2, "cudnn-checked: error: diff: <scratch>/denied: no permission to read it\n"))

    @unittest.skipUnless(os.path.exists("/dev/full"), "there is no /dev/full")
    def test_no_command_loses_its_result(self):
        sdk = self.sdk(cudnn="9.14.0")
        library = str(sdk.library_directory / "libcudnn.so.9")
        report = str(self.write("report.json", '{"schema": 1, "verdict": "ok", "triple": {"cudnn": ""}}'))
        for arguments in [["doctor", str(sdk.prefix)], ["doctor", "--paste", str(sdk.prefix)], ["verify", library],
                          ["inspect", library], ["inspect", str(sdk.library_directory)], ["explain", library],
                          ["explain", "--text", report], ["diff", report, report], ["fleet", report],
                          ["help", "verify"]]:
            for more in [[], ["--json"]]:
                if "--paste" in arguments and more:
                    continue
                with open("/dev/full", "w", encoding="utf-8") as full:
                    done = subprocess.run([str(cudnn_checked_program()), *arguments, *more], stdout=full, timeout=60,
                                          env=clean_environment(self.scratch), stderr=subprocess.PIPE, text=True)
                self.assertEqual((done.returncode, done.stderr), (
                    2, "cudnn-checked: error: standard output: No space left on device\n"), arguments + more)
