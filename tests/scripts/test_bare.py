# SPDX-License-Identifier: BSD-3-Clause
"""./dev bare, with a root of six programs in place of a Debian: what runs in it, and what is left behind."""

import contextlib
import fcntl
import os
import pathlib
import re
import shutil
import signal
import subprocess
import unittest

from support.namespaces import why_no_mounts
from support.scratch import ScratchTest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAMS = ("sh", "env", "chroot", "umount", "dirname", "mkdir")


@contextlib.contextmanager
def open_directory(path):
    descriptor = os.open(path, os.O_RDONLY)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def why_not():
    if os.geteuid() != 0:
        return "only root can change the root directory"
    return why_no_mounts() or ("" if (ROOT / ".git").exists() else "this is no clone of git")


class Refused(ScratchTest):
    def bare(self, *words, user=0):
        (self.scratch / "id").write_text(f"#!/bin/sh\necho {user}\n")
        (self.scratch / "id").chmod(0o755)
        done = subprocess.run([str(ROOT / "dev"), "bare", *words], text=True, capture_output=True,
                              env={**os.environ, "PATH": f"{self.scratch}:{os.environ['PATH']}",
                                   "XDG_CACHE_HOME": str(self.scratch / "cache")})
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertFalse((self.scratch / "cache").exists())
        return done.stderr

    def test_without_a_suite(self):
        for words in ((), ("--keep",), ("../etc",), ("--quick", "trixie")):
            self.assertEqual(self.bare(*words), "dev: error: usage: ./dev bare [--keep] [--cache] SUITE [WORDS...]\n"
                                                "  SUITE is Debian's name of the release: bookworm, trixie.\n")

    def test_without_root(self):
        self.assertEqual(self.bare("trixie", user=1000),
                         "dev: error: ./dev bare needs root: it mounts file systems and changes the root\n"
                         "  Type: sudo ./dev bare trixie\n")


@unittest.skipIf(why_not(), why_not())
class Bare(ScratchTest):
    """`awk`, which ./dev help starts, is a script of the test."""

    def setUp(self):
        super().setUp()
        self.home = self.scratch / "cache" / "cudnn-checked" / "bare"
        self.base = self.home / "tiny"
        for folder in ("bin", "etc", "root", "proc", "sys", "dev"):
            (self.base / folder).mkdir(parents=True)
        for name in PROGRAMS:
            program = os.path.realpath(shutil.which(name, path=os.environ["PATH"] + ":/usr/sbin:/sbin"))
            shutil.copy(program, self.base / "bin" / name)
            listed = subprocess.run(["ldd", program], text=True, capture_output=True).stdout
            for library in re.findall(r"(/\S+) \(0x", listed):
                target = self.base / library.lstrip("/")
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(library, target)

    def awk(self, text):
        path = self.base / "bin" / "awk"
        path.write_text("#!/bin/sh\n" + text)
        path.chmod(0o755)

    def start(self, *words, **environment):
        return subprocess.Popen(
            [str(ROOT / "dev"), "bare", *words], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            start_new_session=True, env={"PATH": os.environ["PATH"] + ":/usr/sbin:/sbin", "HOME": str(self.scratch),
                                         "XDG_CACHE_HOME": str(self.scratch / "cache"), "SECRET": "1", **environment})

    def run_bare(self, *words, **environment):
        process = self.start(*words, **environment)
        out = process.communicate(timeout=120)[0]
        out = re.sub(r"== bare: .*\n", "", out, count=1)
        return process.returncode, out.replace("== what is not committed is not in the clone\n", "")

    def assert_nothing_left(self, *kept):
        self.assertEqual(sorted(path.name for path in self.home.iterdir()), sorted(["tiny", *kept]))
        self.assertNotIn(str(self.scratch), pathlib.Path("/proc/self/mountinfo").read_text())

    def test_its_environment_is_empty_but_for_the_network(self):
        certificate = self.write("own/certificates.crt", "a certificate\n")
        self.awk('export -p\nread -r line <"$PIP_CERT" && echo "$line"\n[ -e /proc/1 ] && [ -e /dev/null ]\n')
        status, out = self.run_bare("tiny", "help", PIP_CERT=str(certificate), PIP_EXTRA_INDEX_URL="http://a http://b")
        names = re.findall(r"(?m)^export (\w+)", out)
        self.assertEqual(sorted(set(names) - {"PWD", "OLDPWD", "SHLVL", "_"}),
                         ["HOME", "PATH", "PIP_CERT", "PIP_EXTRA_INDEX_URL"])
        self.assertIn("'http://a http://b'", out)
        self.assertTrue(out.endswith("a certificate\nbare Debian tiny: ./dev help: exit status 0, 0 s of CPU time\n"),
                        out)
        self.assertEqual(status, 0)
        self.assert_nothing_left()

    def test_a_word_that_fails(self):
        self.awk("exit 7\n")
        self.assertEqual(self.run_bare("tiny", "help"),
                         (1, "bare Debian tiny: ./dev help: exit status 7, 0 s of CPU time\n"))
        self.assert_nothing_left()

    def test_the_root_is_kept_and_the_cache_is_this_machines(self):
        self.awk("[ ! -e /seen ] || echo seen\n: >/seen\n[ ! -e ~/.cache/cudnn-checked/set ] || echo fetched\n")
        (self.home.parent / "set").mkdir()
        line = "bare Debian tiny: ./dev help: exit status 0, 0 s of CPU time\n"
        self.assertEqual(self.run_bare("--keep", "--cache", "tiny", "help"), (0, "fetched\n" + line))
        self.assertEqual(self.run_bare("--keep", "tiny", "help"), (0, "seen\n" + line))
        self.assert_nothing_left("tiny.run")
        self.assertEqual(self.run_bare("tiny", "help"), (0, line))
        self.assert_nothing_left()

    def test_two_at_a_time(self):
        self.awk("exit 0\n")
        with open_directory(self.base) as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            self.assertEqual(self.run_bare("tiny", "help"), (1, "dev: error: another ./dev bare tiny is running\n"))
        self.assert_nothing_left()

    def test_ctrl_c(self):
        os.mkfifo(self.base / "waits")
        self.awk("echo waiting\nread -r line </waits\n")
        process = self.start("tiny", "help")
        for line in process.stdout:
            if line == "waiting\n":
                break
        os.killpg(process.pid, signal.SIGINT)
        process.communicate(timeout=60)
        self.assertNotEqual(process.returncode, 0)
        self.assert_nothing_left()
