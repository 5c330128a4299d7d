# SPDX-License-Identifier: BSD-3-Clause
"""What a command that takes long shows meanwhile: on the terminal of standard error only."""

import os
import re
import shutil
import subprocess

from support import ScratchTest, simulated_sdk
from support.command_line import cudnn_checked_program
from support.environment import clean_environment, compiler
from support.terminal import open_terminal, read_until_closed

ERASED = "\r\x1b[K"
# Takes longer than nothing is shown, whatever machine this is.
SLOW = """
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <string.h>
#include <unistd.h>
DIR *opendir(const char *name) {
  static int waited;
  if (strstr(name, "slow.libs") && !waited++) sleep(1);
  return ((DIR *(*)(const char *))dlsym(RTLD_NEXT, "opendir"))(name);
}
"""


class Progress(ScratchTest):
    def started(self, *arguments, output="file", terminal=True, **environment):
        """Standard output, and what was sent to the terminal of standard error."""
        master, slave = open_terminal()
        error = slave if terminal else subprocess.PIPE
        environment = {"TERM": "xterm", **environment}
        printed = open(self.scratch / "output", "w+", encoding="utf-8")
        self.addCleanup(printed.close)
        process = subprocess.Popen([str(cudnn_checked_program()), *map(str, arguments)], cwd=self.scratch,
                                   env=clean_environment(self.scratch, **environment), stderr=error,
                                   stdout=slave if output == "terminal" else printed)
        os.close(slave)
        sent = read_until_closed(master)
        err = process.communicate(timeout=60)[1]
        self.assertIn(process.returncode, (0, 1, 3))
        printed.seek(0)
        return printed.read(), (sent if terminal else err).decode().replace("\r\n", "\n")

    def slow_python(self, seconds=2):
        python = self.write("venv/bin/python", f"#!/bin/sh\nexec {self.sleep} {seconds}\n")
        python.chmod(0o755)
        return {"VIRTUAL_ENV": self.scratch / "venv"}

    @property
    def sleep(self):
        return next(path for path in ("/bin/sleep", "/usr/bin/sleep") if os.path.exists(path))

    def test_a_step_that_takes_long(self):
        out, sent = self.started("doctor", **self.slow_python())
        self.assertEqual(sent, "\rlooking at this machine ...\x1b[K" + ERASED)
        self.assertRegex(out, r"^cuDNN\n")
        self.assertNotIn("\x1b", out)

    def test_it_is_erased_before_the_result(self):
        sent = self.started("doctor", output="terminal", NO_COLOR="1", **self.slow_python())[1]
        self.assertRegex(sent, "^\rlooking at this machine \\.\\.\\.\x1b\\[K\r\x1b\\[KcuDNN\n")

    def test_it_is_erased_before_an_error(self):
        directory = self.scratch / "many"
        directory.mkdir()
        _, sent = self.shown("doctor", None, directory, NO_COLOR="1")
        self.assertTrue(sent.endswith(ERASED + f"cudnn-checked: error: doctor: {directory}: no cuDNN in it\n"), sent)

    def shown(self, *arguments, name="environment", **environment):
        """What is sent where None stands for a directory at which to look takes long."""
        site = self.slow_folder(self.scratch / name)
        library = self.scratch / "slow.so"
        subprocess.run([compiler("C"), "-shared", "-fPIC", "-xc", self.write("slow.c", SLOW), "-o", library, "-ldl"], check=True)
        return self.started(*[site if a is None else a for a in arguments], LD_PRELOAD=library, **environment)

    def slow_folder(self, site):
        """A cuDNN in a folder of the name that SLOW knows."""
        sdk = simulated_sdk(cudnn="9.14.0").copy(self.scratch / "source")
        shutil.copytree(sdk.library_directory, site / "slow.libs")
        return site

    def test_several_directories(self):
        sdk = simulated_sdk(cudnn="9.14.0").copy(self.scratch / "sdk")
        _, sent = self.shown("doctor", None, sdk.prefix)
        steps = re.findall(r"\r([^\r\x1b]+)\x1b\[K", sent)
        self.assertRegex(steps[0], r"^looking at \S+ \.\.\. 1 of 2$")
        self.assertTrue(sent.endswith(ERASED))

    def test_not_where_nobody_sees_it_or_wants_it(self):
        slow = self.slow_python(1)
        for more in [{"TERM": "dumb"}, {"TERM": ""}, {"terminal": False}]:
            self.assertEqual(self.started("doctor", **{**slow, **more})[1], "", more)
        self.assertEqual(self.started("doctor", "--json", **slow)[1], "")

    def test_not_in_the_first_half_second(self):
        self.assertEqual(self.started("explain", "cudnn-older")[1], "")

    def test_a_name_moves_no_cursor(self):
        _, sent = self.shown("doctor", None, name="a\x1b[2J\nb")
        self.assertNotIn("\x1b[2J", sent)
        self.assertIn(r"a\x1b[2J\x0ab ...", sent)
