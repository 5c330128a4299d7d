# SPDX-License-Identifier: BSD-3-Clause
"""What is written for a person is there whole or not at all, also where two write it at once, and where a signal ends
the one that writes.

--count=200 behind the name of this file repeats each case so often, at random moments; ./dev test has a few.
"""

import filecmp
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time

from checked_program import CalledTest, compiled
from support import simulated_sdk
from support.command_line import cudnn_checked_program
from support.environment import clean_environment
from support.processes import wait_for

COUNT = next((int(word[len("--count="):]) for word in sys.argv if word.startswith("--count=")), 6)
PART = re.compile(r"cudnn_checked\.\d+\.\d+\.part")
LARGE = 8 << 20  # bytes that are added to a library, so that copying takes a while


class WrittenFiles(CalledTest):
    def setUp(self):
        super().setUp()
        self.random = random.Random(46)
        extra = self.scratch / "extra"
        extra.write_bytes(bytes(LARGE))
        for name, release in (("one", "9.14.0"), ("other", "9.13.0")):
            sdk = self.sdk(name, cudnn=release, sublibraries="jit", build_ids="catalogue", cuda=None, gpus="", driver=None)
            for path in sdk.library_directory.glob("libcudnn*.so.9.*"):
                if not path.is_symlink():
                    subprocess.run(["objcopy", "--add-section", f".extra={extra}", path], check=True)
        extra.unlink()
        self.kept = sorted(os.listdir(self.scratch))

    def started(self, *arguments, **variables):
        return subprocess.Popen([cudnn_checked_program(), *arguments], cwd=self.scratch, stdout=subprocess.DEVNULL,
                                stderr=subprocess.PIPE, text=True, env=clean_environment(self.scratch, **variables))

    def bundle(self, name="one"):
        return self.started("bundle", "--from", name, "out")

    def seconds_of_one(self):
        began = time.monotonic()
        process = self.bundle()
        self.assertEqual((process.communicate()[1], process.returncode), ("", 0))
        self.assert_whole("one")
        shutil.rmtree(self.scratch / "out")
        return time.monotonic() - began

    def assert_whole(self, name):
        """The bundle has the files of that one, and nothing is left beside it."""
        out = self.scratch / "out"
        files = sorted(path for path in out.iterdir() if not path.is_symlink())
        self.assertEqual(len(files), 3)
        for path in files:
            source = os.path.realpath(self.scratch / name / "lib" / path.name)
            self.assertTrue(filecmp.cmp(path, source, shallow=False), path)

    def test_several_into_one_folder(self):
        """One whole bundle, and of each other run one error."""
        takes = self.seconds_of_one()
        for number in range(COUNT):
            for runs in (2, 5):
                with self.subTest(number=number, runs=runs):
                    processes = []
                    for run in range(runs):
                        processes.append((("one", "other")[run % 2], self.bundle(("one", "other")[run % 2])))
                        time.sleep(self.random.uniform(0, takes / runs))
                    results = [(process.communicate()[1], process.returncode, name) for name, process in processes]
                    written = [name for _, status, name in results if status == 0]
                    self.assertEqual(len(written), 1, results)
                    self.assertEqual([(text, status) for text, status, _ in results if status != 0],
                                     [("cudnn-checked: error: bundle: out: not empty\n", 2)] * (runs - 1))
                    self.assert_whole(written[0])
                    self.assertEqual(sorted(os.listdir(self.scratch)), sorted([*self.kept, "out"]))
                shutil.rmtree(self.scratch / "out")

    def test_a_bundle_that_a_signal_ends(self):
        takes = self.seconds_of_one()
        for number in range(COUNT):
            for one in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGKILL):
                with self.subTest(number=number, signal=one.name):
                    process = self.bundle()
                    time.sleep(self.random.uniform(0, takes))
                    process.send_signal(one)
                    text = process.communicate()[1]
                    self.assertEqual(text, "")
                    self.assertIn(process.returncode, (0, -one))
                    left = sorted(set(os.listdir(self.scratch)) - set(self.kept))
                    if "out" in left:
                        self.assert_whole("one")
                        shutil.rmtree(self.scratch / "out")
                        left.remove("out")
                    if one != signal.SIGKILL:
                        self.assertEqual(left, [])
                    # What a run leaves that nothing could stop hinders no other, and is not taken for its own.
                    for name in left:
                        self.assertRegex(name, PART)
                    if left:
                        self.seconds_of_one()
                    for name in left:
                        shutil.rmtree(self.scratch / name)

    def test_errata_that_a_signal_ends(self):
        """The rules are written at the end of a sweep: a signal comes in its last part."""
        sdk = simulated_sdk(cudnn="9.19.0", gpus="sm_90")
        rules = self.scratch / "rules.json"
        older = '{"version": 1, "rules": []}'

        def sweep(seconds):
            rules.write_text(older)
            return self.started("sweep", sdk.prefix, "--seconds", str(seconds), "--operations", "fwd", "--types", "fp16", "--workers", "1",
                                "--errata", "rules.json", LD_LIBRARY_PATH=sdk.driver_directory, SIMULATED_GPUS="sm_90",
                                SIMULATED_FAULT="engine-wrong:71:fwd")

        # A machine that is busy comes to the wrong engine later.
        for seconds in (0.2, 1, 5, 25):
            began = time.monotonic()
            sweep(seconds).communicate()
            takes = time.monotonic() - began
            if rules.read_text() != older:
                break
        self.assertIn('"engine": 71', rules.read_text())
        for number in range(max(COUNT // 3, 1) if COUNT > 6 else 1):
            for one in (signal.SIGTERM, signal.SIGINT, signal.SIGKILL):
                with self.subTest(number=number, signal=one.name):
                    process = sweep(seconds)
                    time.sleep(self.random.uniform(takes * 0.6, takes))
                    process.send_signal(one)
                    process.communicate()
                    text = rules.read_text()
                    # What was seen until then is written at the end of a sweep that SIGTERM or SIGINT ends.
                    self.assertTrue(text == older or json.loads(text)["rules"], text)
                    left = set(os.listdir(self.scratch)) - {*self.kept, "rules.json"}
                    if one == signal.SIGKILL:
                        left = {name for name in left if not PART.fullmatch(name)}
                    self.assertEqual(left, set())

    def test_a_report_for_standard_output(self):
        """What a shell has opened is continued: what is in it stays, and so does what is printed after."""
        for name, number in (("/dev/stdout", 1), ("/dev/stderr", 2), ("/proc/self/fd/1", 1), ("log", 1)):
            with self.subTest(name=name):
                log = self.write("log", "before\n")
                with open(log, "a") as opened:
                    done = subprocess.run([cudnn_checked_program(), "run", "--", "/bin/sh", "-c", f"echo after >&{number}"],
                                          cwd=self.scratch, stdout=opened, stderr=opened if number == 2 else subprocess.PIPE,
                                          env=clean_environment(self.scratch, CUDNN_CHECKED_REPORT=name))
                self.assertEqual(done.returncode, 0)
                text = log.read_text()
                self.assertTrue(text.startswith("before\n") and text.endswith("after\n"), text)
                self.assertIn('"schema": 1', text)

    def test_no_room_for_a_longer_report(self):
        """Where it cannot be replaced: the folder takes no file, and a limit stands for a full disk."""
        folder = self.scratch / "folder"
        folder.mkdir()
        report = self.write("folder/report.json", "older\n")
        program = shutil.copy(cudnn_checked_program(), self.scratch)
        is_root = os.geteuid() == 0
        if is_root:  # whom no permission keeps out
            os.chmod(self.scratch, 0o755)
            os.chown(report, 65534, -1)
        folder.chmod(0o555)
        for blocks, whole in (("1", False), ("unlimited", True)):
            with self.subTest(blocks=blocks):
                done = subprocess.run(["/bin/sh", "-c", f'ulimit -f {blocks}; "$0" run -- /bin/true', program],
                                      cwd=self.scratch, stderr=subprocess.PIPE, text=True,
                                      preexec_fn=(lambda: os.setuid(65534)) if is_root else None,
                                      env=clean_environment(self.scratch, CUDNN_CHECKED_REPORT="folder/report.json"))
                self.assertEqual(done.returncode, 0)
                self.assertEqual(report.read_text().startswith("{\n"), whole)
                self.assertEqual(report.read_text() == "older\n", not whole)
                self.assertEqual("(CUDNN_CHECKED_REPORT): File too large" in done.stderr, not whole, done.stderr)
                self.assertEqual(os.listdir(folder), ["report.json"])

    def test_what_the_user_has_made_stays(self):
        """The name that a copy once had before it was whole."""
        self.write("out.partial/thesis", "work")
        self.seconds_of_one()
        self.assertEqual((self.scratch / "out.partial/thesis").read_text(), "work")

    def test_what_was_there_stays_where_a_bundle_fails(self):
        (self.scratch / "out").mkdir()
        self.write("two/keep")
        process = self.started("bundle", "--from", "one", "two")
        self.assertEqual(process.communicate()[1], "cudnn-checked: error: bundle: two: not empty\n")
        self.assertEqual(os.listdir(self.scratch / "two"), ["keep"])
        shutil.rmtree(self.scratch / "two")
        os.symlink("out", self.scratch / "link")
        process = self.started("bundle", "--from", "one", "link")
        self.assertEqual((process.communicate()[1], process.returncode), ("", 0))
        self.assert_whole("one")
        self.assertTrue((self.scratch / "link").is_symlink())

    def test_a_folder_that_is_there_is_filled(self):
        """It may be a mount point or a working directory, and its mode is the user's."""
        out = self.scratch / "out"
        out.mkdir()
        out.chmod(0o2775)
        before = out.stat()
        for name in (".", "../out", out):
            done = subprocess.run([cudnn_checked_program(), "bundle", "--from", self.scratch / "one", name], cwd=out,
                                  capture_output=True, text=True, env=clean_environment(self.scratch))
            self.assertEqual((done.stderr, done.returncode), ("", 0))
            self.assertIn(f" copied to {out}: 3 libraries, ", done.stdout.splitlines()[0])
            self.assert_whole("one")
            self.assertEqual((out.stat().st_ino, out.stat().st_mode), (before.st_ino, before.st_mode))
            for path in out.iterdir():
                path.unlink()

    def test_several_into_a_folder_that_is_there(self):
        for _ in range(COUNT):
            out = self.scratch / "out"
            out.mkdir()
            processes = {name: self.bundle(name) for name in ("one", "other")}
            ends = {name: (process.communicate()[1], process.returncode) for name, process in processes.items()}
            done = [name for name, end in ends.items() if end == ("", 0)]
            self.assertEqual(len(done), 1, ends)
            self.assertIn(("cudnn-checked: error: bundle: out: not empty\n", 2), ends.values())
            self.assert_whole(done[0])
            shutil.rmtree(out)

    def test_a_folder_that_is_there_stays_empty_after_a_signal(self):
        (self.scratch / "out").mkdir()
        process = self.bundle()
        wait_for(lambda: process.poll() is not None or os.listdir(self.scratch / "out"))
        process.terminate()
        process.communicate()
        self.assertIn((process.returncode, len(os.listdir(self.scratch / "out"))), [(-signal.SIGTERM, 0), (0, 6)])

    def test_a_copy_that_is_not_the_file(self):
        """A disk that stores something else, as far as the program can see it."""
        broken = compiled(self.scratch / "broken.so", """
#include <dlfcn.h>
#include <cstring>
#include <sys/types.h>
extern "C" ssize_t write(int file, const void* bytes, size_t size) {
  const auto real = reinterpret_cast<ssize_t (*)(int, const void*, size_t)>(dlsym(RTLD_NEXT, "write"));
  static char zeros[1 << 20];
  return real(file, size > 100000 ? zeros : bytes, size);
}
""", "-shared", "-fPIC", "-ldl", "-D_GNU_SOURCE")
        before = sorted(os.listdir(self.scratch))
        status, out, err = self.called("bundle", "--from", "one", "new/out", LD_PRELOAD=broken)
        self.assertEqual((status, out), (2, ""))
        self.assertRegex(err, r"^cudnn-checked: error: bundle: <scratch>/one/lib/libcudnn\.so\.9\.14\.0: the copy is not the "
                              r"file that was judged: (\d+) bytes of \1, build id none for [0-9a-f]{40}\n$")
        self.assertEqual(sorted(os.listdir(self.scratch)), before)
