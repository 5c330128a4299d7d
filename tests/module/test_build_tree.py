# SPDX-License-Identifier: BSD-3-Clause
"""A build tree mends itself: files that were cut, a second CMake, a compiler that was stopped."""

import fcntl
import os
import pathlib
import re
import subprocess
import threading

from support import REPOSITORY, bare_cudnn, cmake_program, compiler
from support.known_configure import own_work_directory
from support.locating import LocatingTest
from support.proving import ProvingTest
from support.scratch import ScratchTest

# Prints for each damage whether the program still counts as built.
BUILT = """
cmake_minimum_required(VERSION 3.22)
include("{parts}/every_configure/facts.cmake")
include("{parts}/memory/written.cmake")
set(program "${{CMAKE_CURRENT_LIST_DIR}}/program")
function(ask what)
  _cudnn_checked_is_built(built "${{program}}" "${{ARGN}}")
  message("${{what}}: ${{built}}")
  file(WRITE "${{program}}" "the program")
  file(CHMOD "${{program}}" PERMISSIONS OWNER_READ OWNER_WRITE)
  _cudnn_checked_keep_program("${{program}}" "of these sources")
endfunction()
ask("no program" "of these sources")
ask("whole, and without the permission at first" "of these sources")
ask("of other sources" "of others")
file(CHMOD "${{program}}" PERMISSIONS OWNER_READ OWNER_WRITE)
ask("may not be started" "of these sources")
file(WRITE "${{program}}" "")
ask("empty" "of these sources")
file(WRITE "${{program}}" "the prog")
ask("cut" "of these sources")
file(WRITE "${{program}}" "           ")
ask("of the same size" "of these sources")
file(WRITE "${{program}}.signature" "of these")
ask("its signature was cut" "of these sources")
file(REMOVE "${{program}}.signature")
ask("without its signature" "of these sources")
file(REMOVE "${{program}}")
file(MAKE_DIRECTORY "${{program}}")
_cudnn_checked_is_built(built "${{program}}" "of these sources")
message("a directory: ${{built}}")
"""


class Program(ScratchTest):
    def test_what_is_built(self):
        script = self.write("built.cmake", BUILT.format(parts=REPOSITORY / "cmake/CuDNNChecked"))
        done = subprocess.run([cmake_program(), "-P", script], text=True, capture_output=True)
        self.assertEqual(done.stderr, """\
no program: FALSE
whole, and without the permission at first: TRUE
of other sources: FALSE
may not be started: FALSE
empty: FALSE
cut: FALSE
of the same size: FALSE
its signature was cut: FALSE
without its signature: FALSE
a directory: FALSE
""")
        self.assertEqual(sorted(path.name for path in self.scratch.iterdir()),
                         ["built.cmake", "program", "program.signature"])


class Mended(ProvingTest):
    sdk_options = {"cudnn": "9.14.0", "gpus": ""}

    def test_a_probe_that_was_cut(self):
        """As a crash of the machine leaves it; and an archive loses the permission."""
        self.proved()
        probe = self.app.path("CuDNNChecked/cudnn_checked_probe")
        whole = probe.read_bytes()
        probe.write_bytes(bytes(len(whole) // 2))
        probe.chmod(0o600)
        self.proved("-DCuDNNChecked_CONVOLUTIONS=legacy")
        self.assertEqual(probe.stat().st_size, len(whole))
        self.assertTrue(os.access(probe, os.X_OK))

    def test_a_report_that_was_cut(self):
        self.proved()
        report = self.app.path("CuDNNChecked/all/report.json")
        whole = report.read_bytes()
        report.write_bytes(whole[:100])
        self.proved()
        self.assertGreater(report.stat().st_size, 1000)
        self.assert_probe_ran(False)


class TwoAtOnce(LocatingTest):
    def setUp(self):
        super().setUp()
        self.sdk = bare_cudnn(self.scratch / "sdk")
        self.work = own_work_directory(self.app.build_directory)
        self.lock = open(self.work / "lock", "w")
        self.addCleanup(self.lock.close)
        fcntl.lockf(self.lock, fcntl.LOCK_EX)

    def configure(self, seconds):
        return self.locate(f"-DCuDNNChecked_ROOT={self.sdk}", f"-DCuDNNChecked_PROBE_TIMEOUT={seconds}")

    def test_the_other_one_goes_on(self):
        self.assertEqual(self.configure(1.5), """\
cudnn_checked: refused: another CMake configures this build tree
  waited for:  2 s   CuDNNChecked_PROBE_TIMEOUT + 1
  locked:      <scratch>/app-build/CuDNNChecked/lock
  Two of them would overwrite each other's programs and reports.
  fix: configure again when the other one has ended
   or: cmake -D CuDNNChecked_PROBE_TIMEOUT=600 <scratch>/app-build
   or: name another build directory: cmake -B DIRECTORY
  [bad-input]
""")

    def test_the_other_one_ends(self):
        left = self.work / "answer.txt.0123456789ab.new"
        left.write_text("of a CMake that was killed")
        threading.Timer(4, lambda: fcntl.lockf(self.lock, fcntl.LOCK_UN)).start()
        self.assert_located(self.configure(100), self.sdk)
        self.assertIn("-- CuDNNChecked: waits for another CMake that configures this build tree", self.output.splitlines())
        self.assertFalse(left.exists())


class Stopped(ProvingTest):
    """The compiler is g++, with a part of it that is replaced."""

    sdk_options = {"cudnn": "9.14.0", "gpus": ""}

    def refusal_of(self, text):
        """What is said where cc1plus is this script."""
        program = self.write("parts/cc1plus", f"#!/bin/sh\n{text}\n")
        program.chmod(0o755)
        refused = self.refused(f"-DCMAKE_CXX_FLAGS=-B{self.scratch}/parts", "-DCuDNNChecked_REQUIRE=AUTO",
                               environment={"CCACHE_DISABLE": "1"})
        program.unlink()
        return refused

    def message(self, summary, ended, fix, quoted, finding="probe-not-compiled"):
        [known] = self.app.path("CMakeFiles").glob("[0-9]*/CMakeCXXCompiler.cmake")
        path, number = (re.search(rf'CMAKE_CXX_COMPILER{name} "(.*)"', known.read_text())[1]
                        for name in ("", "_VERSION"))
        return f"""\
cudnn_checked: refused: {summary}, so cuDNN could not be checked
  ended:      {ended}
  compiler:   GNU {number}   {path}
  all of it:  <scratch>/app-build/CuDNNChecked/build.log
  Neither a source nor a header nor cuDNN is the cause.
  fix: {fix}
  [{finding}]
{quoted}"""

    def setUp(self):
        super().setUp()
        part = self.write("asked/cc1plus", "#!/bin/sh\n")
        part.chmod(0o755)
        taken = subprocess.run([compiler(), f"-B{part.parent}", "-print-prog-name=cc1plus"], stdout=subprocess.PIPE,
                               text=True).stdout
        if pathlib.Path(taken.strip()) != part:
            self.skipTest(f"{compiler()} takes no part of another directory by -B")
        # CMake asks the compiler itself where a first configure has such flags.
        self.proved("-DCuDNNChecked_REQUIRE=LOCATED")

    def test_by_a_signal(self):
        for text, program, summary, ended, fix, name in [
                ("kill -9 $$", "c++", "the compiler was killed", "Killed signal terminated program cc1plus",
                 "configure again where more memory is free: the kernel kills a process where none is left",
                 "probe-not-compiled"),
                ("kill -15 $$", "c++", "the compiler was told to end", "Terminated signal terminated program cc1plus",
                 "configure again", "probe-not-compiled"),
                # A linker writes with mmap(2).
                ("echo 'collect2: fatal error: ld terminated with signal 7 [Bus error]' >&2; exit 1", "collect2",
                 "the compiler ended by a bus error", "ld terminated with signal 7 [Bus error]",
                 "check that the disk has space left, then configure again", "probe-not-linked")]:
            with self.subTest(summary):
                self.assertEqual(self.refusal_of(text), self.message(
                    summary, ended, fix, f"  | {program}: fatal error: {ended}\n", name))

    def test_limits(self):
        again = ", then configure again"
        for text, summary, ended, fix in [
                ("kill -25 $$", "a limit on the size of files stopped the compiler",
                 "File size limit exceeded signal terminated program cc1plus", "raise the limit (ulimit -f)" + again),
                ("kill -24 $$", "a limit on processor time stopped the compiler",
                 "CPU time limit exceeded signal terminated program cc1plus", "raise the limit (ulimit -t)" + again),
                ("echo 'virtual memory exhausted: Cannot allocate memory' >&2; exit 1",
                 "the compiler had no memory left", "virtual memory exhausted: Cannot allocate memory",
                 "raise the limit (ulimit -v), or configure where more memory is free"),
                ("echo 'cc1plus: error: pipe: Too many open files' >&2; exit 1",
                 "a limit on files or processes stopped the compiler", "Too many open files",
                 "raise the limit (ulimit -n, ulimit -u)" + again)]:
            with self.subTest(summary):
                said = self.refusal_of(text)
                expected = self.message(summary, ended, fix, "")
                self.assertEqual(said[:len(expected)], expected)

    def test_no_word(self):
        self.assertEqual(self.refusal_of("exit 1"), self.message(
            "the compiler ended without a word", "without a word",
            "run the compiler's command from the log: it exited without an error message", ""))

    def test_no_space_for_temporary_files(self):
        text = "echo 'a.cpp:4:77: fatal error: error writing to /scratch/tmp/ccX.s: No space left on device' >&2; exit 1"
        self.assertEqual(self.refusal_of(text), """\
cudnn_checked: refused: the compiler's temporary directory cannot be written
  directory:  /scratch/tmp
  error:      No space left on device
  fix: name a directory with space in the environment variable TMPDIR, then configure again
  [bad-input]
""")
