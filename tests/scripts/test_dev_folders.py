# SPDX-License-Identifier: BSD-3-Clause
"""./dev where it cannot write: the whole message, and what it prints is typed.  And what it shows on a terminal."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

from support.namespaces import own_mounts, why_no_mounts
from support.scratch import ScratchTest
from support.terminal import open_terminal, read_until_closed

ROOT = pathlib.Path(__file__).resolve().parents[2]
NOBODY = {"user": 65534, "group": 65534, "extra_groups": []}
# A word that builds two files, and takes as long as it is told.
DEMO = """\
#!/bin/sh
set -eu
repository=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
. "$repository/scripts/common.sh"
begin demo demo
mkdir -p "$repository/build/demo/tree"
: >"$repository/build/demo/log"
: >"$repository/build/demo/tree/file"
with_progress "$repository/build/demo/log" sh -c 'echo "[1/2] one"; sleep "$1"; echo "[2/2] two"; exit "$2"' sh "$TAKES" "$STATUS"
echo built
"""


class Tree(ScratchTest):
    """`repository`: dev with that word, in a folder whose name has a blank and a quotation mark."""

    def setUp(self):
        super().setUp()
        self.scratch.chmod(0o755)
        self.repository = self.scratch / "the user's copy"
        for name in ("dev", "scripts/common.sh", "scripts/words.txt"):
            (self.repository / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, self.repository / name)
        (self.repository / "examples").mkdir()
        (self.repository / "examples/demo.sh").write_text(DEMO)
        self.temporary = self.scratch / "temporary"
        self.temporary.mkdir()
        self.temporary.chmod(0o777)

    def environment(self, **more):
        return {"PATH": os.environ["PATH"], "HOME": str(self.temporary), "TMPDIR": str(self.temporary), "TAKES": "0",
                "STATUS": "0", **more}

    def demo(self, *before, user=None, **variables):
        """Status, output and errors but for the line of how long it takes."""
        done = subprocess.run([*before, str(self.repository / "dev"), "demo"], text=True, capture_output=True,
                              env=self.environment(**variables), cwd="/", **(user or {}))
        return done.returncode, done.stdout, re.sub(r"\A== demo: .*\n", "", done.stderr)

    def type(self, lines, user=None, **variables):
        done = subprocess.run(["sh", "-c", lines], text=True, capture_output=True, env=self.environment(**variables), cwd="/",
                              **(user or {}))
        self.assertEqual((done.returncode, re.sub(r"== demo: .*\n", "", done.stderr)), (0, ""), lines)
        return done.stdout

    def assert_a_copy_works(self, errors, user):
        message, commands = errors.split("Type, for a copy that can be:\n")
        self.assertEqual(message, f"dev: error: {self.repository} cannot be written, and ./dev builds in its folder build\n  ")
        quoted = str(self.repository).replace("'", "'\\''")
        self.assertEqual(commands, (
            f"    copy=$(mktemp -d) && tar -C '{quoted}' --exclude=./build --mode=u+w -c . | tar -C \"$copy\" -x\n"
            '    "$copy/dev" demo\n'))
        self.assertEqual(self.type(commands, user), "built\n")
        self.assertEqual(len([*self.temporary.glob("*/build/demo/tree/file")]), 1)


class Folders(Tree):
    def test_twice_by_one_user(self):
        for _ in range(2):
            self.assertEqual(self.demo(), (0, "built\n", ""))

    @unittest.skipIf(os.geteuid() != 0, "only root can be two users")
    def test_as_root_and_then_as_a_user(self):
        os.chown(self.repository, 65534, 65534)
        self.assertEqual(self.demo(), (0, "built\n", ""))
        build = self.repository / "build"
        quoted = str(self.repository).replace("'", "'\\''")
        for theirs, whole in ((build, "build"), (build / "demo", "build/demo"), (build / "demo/tree/file", "build/demo")):
            with self.subTest(theirs=theirs):
                status, output, errors = self.demo(user=NOBODY)
                self.assertEqual((status, output), (1, ""))
                self.assertEqual(errors, (
                    f"dev: error: {theirs} belongs to root, and this user may not replace it\n"
                    "  That user has run ./dev here.  Type as root, or with sudo before it:\n"
                    f"    rm -r '{quoted}/{whole}'\n"))
                # The next: the user's own folder, in which root has been.
                self.type(errors.splitlines()[-1])
                self.assertEqual(self.demo(user=NOBODY), (0, "built\n", ""))
                self.assertEqual(self.demo(), (0, "built\n", ""))
                for path in [build / "demo/tree/file"] if theirs == build / "demo" else [build / "demo"]:
                    os.chown(path, 0, 0)
                    path.chmod(0o755)

    @unittest.skipIf(os.geteuid() != 0, "only root can be two users")
    def test_a_checkout_of_root(self):
        status, output, errors = self.demo(user=NOBODY)
        self.assertEqual((status, output), (1, ""))
        self.assert_a_copy_works(errors, NOBODY)

    @unittest.skipIf(why_no_mounts(), why_no_mounts())
    def test_a_read_only_mount(self):
        """With what an earlier run has built, and without."""
        mount = [*own_mounts(), "sh", "-c", 'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && exec "$@"', self.repository]
        for _ in range(2):
            status, output, errors = self.demo(*mount)
            self.assertEqual((status, output), (1, ""), errors)
            self.assert_a_copy_works(errors, None)
            shutil.rmtree(self.temporary)
            self.temporary.mkdir()
            self.assertEqual(self.demo(), (0, "built\n", ""))

    @unittest.skipIf(os.geteuid() != 0, "only root can be another user")
    def test_a_home_that_cannot_be_written(self):
        os.chown(self.repository, 65534, 65534)
        for home in ("/nonexistent", "/proc", str(self.scratch)):
            status, output, errors = self.demo(user=NOBODY, HOME=home)
            self.assertEqual((status, output), (1, ""))
            self.assertEqual(errors, (
                f"dev: error: {home}/.cache/cudnn-checked cannot be written, and what is fetched is kept there\n"
                "  Type: export XDG_CACHE_HOME=/var/tmp/cache-of-65534\n  and the same again.\n"))
            export = re.search("Type: (.*)", errors)[1].replace("/var/tmp", str(self.temporary))
            self.assertEqual(self.type(f'{export}\n"{self.repository}/dev" demo', NOBODY, HOME=home), "built\n")

    @unittest.skipIf(os.geteuid() != 0, "only root can be another user")
    def test_a_cache_of_another_user_that_is_there(self):
        """It may have all that is needed."""
        os.chown(self.repository, 65534, 65534)
        (self.scratch / "cache/cudnn-checked").mkdir(parents=True)
        self.assertEqual(self.demo(user=NOBODY, XDG_CACHE_HOME=str(self.scratch / "cache")), (0, "built\n", ""))


PROGRAM = """\
import sys, time
sys.path.insert(0, sys.argv[1])
import progress
with progress.shown(lambda: progress.last_line(sys.argv[2])):
    time.sleep(float(sys.argv[3]))
print("built")
"""


class OfPython(ScratchTest):
    def shown(self, seconds, text="[1/2] one\n[2/2] two\n"):
        master, slave = open_terminal()
        log = self.write("log", text)
        done = subprocess.Popen([sys.executable, "-B", "-c", PROGRAM, ROOT / "tests", log, str(seconds)], stdout=slave, stderr=slave)
        os.close(slave)
        shown = read_until_closed(master).decode()
        self.assertEqual(done.wait(), 0, shown)
        return shown

    def test_what_takes_longer_than_three_seconds(self):
        shown = self.shown(5.5)
        self.assertRegex(shown, r"\A\r\x1b\[K   [45] s  \[2/2\] two\r")
        self.assertTrue(shown.endswith("\r\x1b[Kbuilt\r\n"), shown)
        self.assertRegex(self.shown(4.5, ""), r"\A\r\x1b\[K   4 s  \r")

    def test_what_does_not(self):
        self.assertEqual(self.shown(0), "\r\x1b[Kbuilt\r\n")


class Progress(Tree):
    def on_terminal(self, **variables):
        master, slave = open_terminal()
        done = subprocess.Popen([self.repository / "dev", "demo"], env=self.environment(**variables), stdout=slave, stderr=slave)
        os.close(slave)
        shown = read_until_closed(master).decode()
        return done.wait(), shown

    def test_on_a_terminal_what_takes_longer_than_three_seconds(self):
        status, shown = self.on_terminal(TAKES="5.5")
        self.assertEqual(status, 0)
        lines = re.findall(r"\r\x1b\[K([^\r]*)", shown)
        self.assertEqual(lines[0], "   4 s  [1/2] one")
        self.assertTrue(shown.endswith("\r\x1b[Kbuilt\r\n"), shown)
        self.assertEqual((self.repository / "build/demo/log").read_text(), "[1/2] one\n[2/2] two\n")

    def test_nothing_of_what_is_shorter_and_the_status(self):
        status, shown = self.on_terminal(STATUS="7")
        self.assertEqual((status, re.findall(r"\r\x1b\[K([^\r]*)", shown)), (7, [""]))

    def test_nothing_where_there_is_no_terminal(self):
        self.assertEqual(self.demo(TAKES="4.5", STATUS="7"), (7, "", ""))
