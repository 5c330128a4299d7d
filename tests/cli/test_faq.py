# SPDX-License-Identifier: BSD-3-Clause
"""Commands of docs/faq.md, as they stand there."""

import pathlib
import re
import subprocess
import textwrap

from support import REPOSITORY, ScratchTest, clean_environment, simulated_sdk
from support.command_line import cudnn_checked_program


def blocks(title):
    faq = (REPOSITORY / "docs/faq.md").read_text(encoding="utf-8")
    section = re.search(rf"(?ms)^## {re.escape(title)}\n(.*?)(?=^## |\Z)", faq)[1]
    return [textwrap.dedent(block) for block in re.findall(r"(?m)(?:^    .*\n)+", section)]


class Faq(ScratchTest):
    def shell(self, commands, **variables):
        environment = clean_environment(self.scratch, **variables)
        environment["PATH"] = f"{pathlib.Path(cudnn_checked_program()).parent}:{environment['PATH']}"
        done = subprocess.run(["sh", "-c", commands], cwd=self.scratch, env=environment, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return done.returncode, done.stdout

    def test_a_report_as_a_lock_file(self):
        write, compare = blocks("How do I notice in CI that the cuDNN of an image has changed?")
        self.assertEqual(self.shell(write)[1], "")
        self.assertEqual(self.shell(compare), (0, "cudnn-checked: ok: no difference\n"))
        libraries = simulated_sdk(cudnn="9.14.0", gpus="sm_90").library_directory
        status, out = self.shell(compare, LD_LIBRARY_PATH=str(libraries))
        self.assertEqual(status, 1)
        self.assertRegex(out, rf"(?m)^  cudnn {re.escape(str(libraries))}: +- +9\.14\.0")
        self.assertRegex(out, r"(?m)^  by_default chosen_by: +\S.* +LD_LIBRARY_PATH\[0\]$")
        # More where the machine had no cuDNN before.
        self.assertLess(len(out.splitlines()), 30)

    def test_a_health_check(self):
        command, = blocks("How do I drain a node of a cluster whose GPU computes wrong?")
        self.assertEqual(command, "cudnn-checked probe --require ran\n")
        right = simulated_sdk(cudnn="9.14.0", gpus="sm_90")
        self.assertEqual(self.shell(command.replace("\n", f" {right.prefix}"), **right.environment)[0], 0)
        self.assertEqual(self.shell(command.replace("\n", f" {right.prefix}"))[0], 1)
