# SPDX-License-Identifier: BSD-3-Clause
"""./dev test: which presets are built and run, and what is said of what they took."""

import os
import re
import shutil
import subprocess
import sys

from support import REPOSITORY, ScratchTest

CORES = str(len(os.sched_getaffinity(0)))
AT_ONCE = f"-j {max(3 * int(CORES) // 2, 2)}"

# Writes down what it was told; fails where it was told the word in $FAILS.
PROGRAM = """#!/bin/sh
echo "$(basename "$0") $*" >>"$LOG"
echo "output of $(basename "$0") $*"
echo "$(basename "$0") ${CMAKE_C_COMPILER_LAUNCHER:-} ${CMAKE_CXX_COMPILER_LAUNCHER:-} ${CCACHE_DIR:-}" >>"$LOG.cache"
case " $* " in *" ${FAILS:-none} "*) exit 1 ;; esac
"""

LAST_TEST = """1/3 Testing: cli/verify
1/3 Test: cli/verify
Output:
CPU: 3.5 s
skipped: no GPU
<end of output>
Test time =   4.25 sec
2/3 Testing: unit/rooms
Output:
<end of output>
Test time =   0.50 sec
3/3 Testing: module/paths
Output:
CPU: 20.0 s
skipped: no GPU
<end of output>
Test time =  11.00 sec
"""

UNIT_TEST = """1/1 Testing: unit
Output:
<end of output>
Test time =  75.00 sec
"""


def sanitized(text):
    """Without the times of the parts, which are measured."""
    return re.sub(r" +\d+\.\d s +\d+\.\d s  (configure|build|run) ", r"  TIME TIME  \1 ",
                  re.sub(r"(whole: )\d+ s", r"\1N s", text))


class RunPresets(ScratchTest):
    def setUp(self):
        super().setUp()
        for folder in ("tests", "bin"):
            (self.scratch / folder).mkdir()
        for name in ("home_cache.py", "progress.py", "run_presets.py"):
            shutil.copy2(REPOSITORY / "tests" / name, self.scratch / "tests")
        for name in ("cmake", "ctest"):
            (self.scratch / "bin" / name).write_text(PROGRAM)
            (self.scratch / "bin" / name).chmod(0o755)
        for preset, text in (("asan", UNIT_TEST), ("test", LAST_TEST)):
            folder = self.scratch / "build" / preset / "Testing" / "Temporary"
            folder.mkdir(parents=True)
            (folder / "LastTest.log").write_text(text)

    def ran(self, *arguments, fails="", **more):
        """Status, output, errors and what was started, of each program in its order."""
        log = self.scratch / "log"
        log.write_text("")
        environment = {**os.environ, "PATH": f"{self.scratch}/bin:{os.environ['PATH']}", "LOG": str(log),
                       "FAILS": fails, "XDG_CACHE_HOME": "/cache", **more}
        for name in ("CMAKE_C_COMPILER_LAUNCHER", "CCACHE_DIR"):
            environment.pop(name, None)
        if not more:
            environment.pop("CMAKE_CXX_COMPILER_LAUNCHER", None)
        done = subprocess.run([sys.executable, self.scratch / "tests" / "run_presets.py", *arguments], text=True,
                              env=environment, capture_output=True)
        return done.returncode, sanitized(done.stdout), done.stderr, log.read_text().splitlines()

    def build_of(self, preset, *more):
        return [f"cmake --preset {preset}",
                " ".join(["cmake --build --preset", preset, "-j", CORES, *more])]

    def test_all(self):
        status, output, errors, started = self.ran("--windows", "--random")
        self.assertEqual((status, errors), (0, ""), output)
        asan = [*self.build_of("asan"), "ctest --preset asan --schedule-random"]
        test = [*self.build_of("test", "--target all_but_unit_tests"), *self.build_of("windows"),
                f"ctest --preset test {AT_ONCE} --schedule-random -E ^unit(/world|/judge_alone)?$"]
        self.assertEqual([line for line in started if " asan" in line], asan)
        self.assertEqual([line for line in started if " asan" not in line], test)
        lines = output.splitlines()
        self.assertEqual(sorted(lines[:lines.index("== the slowest entries")]), sorted([
            "== preset asan: building", "== preset test: building", "== preset windows: building",
            "== preset asan: unit tests with AddressSanitizer and UndefinedBehaviorSanitizer",
            "== preset asan: unit tests passed (build/asan_tests.log)", "== preset test: running",
            "output of " + test[-1]]))

    def test_what_it_took(self):
        """Of asan as well; CPU where the entry says it."""
        _, output, _, _ = self.ran()
        report = output[output.index("== the slowest"):]
        self.assertEqual(report[:report.index("== builds")], """== the slowest entries
     clock       CPU
    75.0 s            asan: unit
    11.0 s    20.0 s  test: module/paths
     4.2 s     3.5 s  test: cli/verify
     0.5 s            test: unit/rooms
""")
        report = report[report.index("== builds"):].splitlines()
        self.assertEqual(report[:2] + sorted(report[2:-2]) + report[-2:], [
            "== builds and runs", "     clock       CPU", "  TIME TIME  build asan", "  TIME TIME  build test",
            "  TIME TIME  configure asan", "  TIME TIME  configure test", "  TIME TIME  run asan",
            "  TIME TIME  run test", "== CPU time of the whole: N s", "skipped: no GPU: cli/verify module/paths"])

    def test_a_selection(self):
        status, output, _, started = self.ran("-R", "cli/verify")
        self.assertEqual(status, 0, output)
        self.assertEqual(started, [*self.build_of("test"), f"ctest --preset test {AT_ONCE} -R cli/verify"])
        self.assertNotIn("asan", output)

    def test_a_compiler_cache(self):
        """It is the builds' own, and no test has it; a launcher that somebody has chosen stays."""
        cache = self.scratch / "log.cache"
        (self.scratch / "bin" / "ccache").touch(mode=0o755)
        self.ran("-R", "cli/verify")
        self.assertEqual(cache.read_text().splitlines(),
                         ["cmake ccache ccache /cache/cudnn-checked/ccache"] * 2 + ["ctest   "])
        cache.unlink()
        self.ran("-R", "cli/verify", CMAKE_CXX_COMPILER_LAUNCHER="other")
        self.assertEqual(cache.read_text().splitlines(), ["cmake  other "] * 2 + ["ctest  other "])

    def test_a_preset_that_does_not_build(self):
        """Its output is shown, and no test of another is started behind it."""
        status, output, errors, started = self.ran("-R", "cli/verify", fails="-j")
        self.assertEqual((status, errors), (1, "\n".join([
            *(f"output of {line}" for line in self.build_of("test")),
            "dev: error: preset test does not build", "  All of its output: build/test.log", ""])), output)
        self.assertEqual(started, self.build_of("test"))

    def test_failures(self):
        """Each is named, and the output of the unit tests, which are run behind, is shown."""
        status, output, errors, _ = self.ran(fails="--schedule-random")
        self.assertEqual((status, errors), (0, ""))
        status, output, errors, _ = self.ran("--random", fails="--schedule-random")
        self.assertEqual((status, errors), (1, "dev: error: not all tests passed; presets: asan test\n"))
        self.assertIn("output of ctest --preset asan --schedule-random\n== preset asan: unit tests failed "
                      "(build/asan_tests.log)\n", output)
