# SPDX-License-Identifier: BSD-3-Clause
"""./dev test -k NAME: which cases a name means, what is installed and built for them, and what is said where
it means none."""

import os
import pathlib
import shutil
import subprocess
import sys
import unittest
from unittest import mock

from support import REPOSITORY, ScratchTest

sys.path.insert(0, str(REPOSITORY / "tests"))
import case_needs  # noqa: E402
import run_case  # noqa: E402

CASES = [run_case.Case(f"unit {text}", [text], pathlib.Path("a.cpp"), text)
         for text in ("PTX only", "PTX only, and more", "a missing file")]
CASES.append(run_case.Case("module/stamp Stamp.test_ran",
                           ["module/stamp", "Stamp", "test_ran", "Stamp.test_ran"],
                           pathlib.Path("module/test_stamp.py"), "module_test_stamp.Stamp.test_ran"))


def full_names(name):
    found, near = run_case.chosen(name, CASES)
    return [case.full for case in found], near


class RunCase(unittest.TestCase):
    def test_a_whole_name_means_that_case_alone(self):
        self.assertEqual(full_names("PTX only"), (["unit PTX only"], []))
        for name in ("module/stamp", "Stamp", "test_ran", "Stamp.test_ran", CASES[3].full):
            self.assertEqual(full_names(name), ([CASES[3].full], []), name)

    def test_a_part_means_every_case_that_has_it(self):
        self.assertEqual(full_names("ptx"), (["unit PTX only", "unit PTX only, and more"], []))

    def test_near_names(self):
        self.assertEqual(full_names("a mising fiel"), ([], ["a missing file"]))

    def test_every_case_of_the_sources_is_known(self):
        """As many doctest cases as there are, and this very case; nothing that ctest sets is there."""
        unit = list(run_case.unit_cases())
        lines = sum(path.read_text(encoding="utf-8").count("\nTEST_CASE(")
                    for folder in run_case.UNIT_FOLDERS for path in (run_case.TESTS / folder).glob("*.cpp"))
        self.assertEqual(len(unit), lines)
        with mock.patch.dict(os.environ):
            for name in [name for name in os.environ if name.startswith("CUDNN_CHECKED_")]:
                del os.environ[name]
            names = [case.full for case in run_case.python_cases()]
        self.assertIn("scripts/run_case RunCase.test_near_names", names)

    def test_no_two_helpers_of_one_name(self):
        """A process has the helpers of several folders on its path: each is imported by its name alone."""
        names = [path.stem for path in run_case.TESTS.rglob("*.py")
                 if path.parent.name != "support" and not path.stem.startswith("test_")]
        self.assertEqual(sorted({name for name in names if names.count(name) > 1}), [])

    def test_what_a_file_needs(self):
        """By what it and its helpers name."""
        for name, targets, more in (
                ("unit/json_tree.cpp", ["unit_tests"], []), ("unit/world.cpp", ["world_tests"], []),
                ("module/test_paths.py", [], []), ("module/test_probe_report.py", [], ["cross"]),
                ("scripts/test_dev.py", [], []), ("scripts/test_picture.py", ["cudnn_checked_cli"], []),
                ("cli/test_verify.py", ["cudnn_checked_cli"], []), ("windows/test_swaps.py", [], ["windows"]),
                ("fixes/test_effects.py", ["cudnn_checked_cli", "try_repair"], []),
                ("real/test_predicted_files.py", ["observe_cudnn"], []), ("real/test_predicted_dlopen.py", ["ask_loader"], []),
                ("laboratory/test_errata.py", ["cudnn_checked_cli"], []), ("examples/test_cross_aarch64.py",
                                                                    ["cudnn_checked_cli"], ["cross"])):
            path = run_case.TESTS / name
            self.assertTrue(path.exists(), name)
            self.assertEqual((case_needs.targets_of(path), case_needs.words_of(path)[1]), (targets, more), name)


HELPER = "def answer():\n    return {!r}\n"
TEST = """
import unittest
import helper
import test_other

class {name}(unittest.TestCase):
    def test_older(self):
        self.assertEqual(helper.answer(), {answer!r})
        self.assertEqual(test_other.WHOSE, {answer!r})
"""
ABSENT = """
import unittest
import a_package_that_is_absent

class Absent(unittest.TestCase):
    def test_of_absent(self):
        pass
"""
CASE = 'TEST_CASE("an older release") {}\n'


class Tree(ScratchTest):
    """./dev test -k in a small tree of the same form: its programs that install and build write down their words."""

    def setUp(self):
        super().setUp()
        for name in ("dev", "tests/run.sh", "tests/run_case.py", "tests/run_unittest.py", "tests/case_needs.py", "tests/progress.py",
                     "tests/without_gpu.py", "scripts/common.sh", "scripts/words.txt"):
            (self.scratch / name).parent.mkdir(exist_ok=True)
            shutil.copy2(REPOSITORY / name, self.scratch / name)
        for folder in ("module", "windows"):
            self.write(f"tests/{folder}/helper.py", HELPER.format(folder))
            self.write(f"tests/{folder}/test_other.py", f"WHOSE = {folder!r}\n")
            self.write(f"tests/{folder}/test_{folder}.py", TEST.format(name=folder.title(), answer=folder))
        self.write("tests/cli/test_absent.py", ABSENT)
        self.write("tests/unit/a.cpp", CASE)
        self.write("scripts/install_missing.sh", 'echo "install $*"\n[ "${1:-}" != "${FAILS:-}" ]\n')
        self.write("scripts/newer_cmake.sh", "")
        self.program("cmake", 'echo "cmake $*" >>"$LOG"\necho "output of $1"\n[ "$1" != "${FAILS:-}" ]\n')
        self.program("x86_64-w64-mingw32-g++-posix", "")
        self.write("build/test/tests/unit/unit_tests", '#!/bin/sh\necho "$@"\necho "test cases: 1"\n').chmod(0o755)

    def write(self, name, text):
        path = self.scratch / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def program(self, name, text):
        self.write(f"bin/{name}", "#!/bin/sh\n" + text).chmod(0o755)

    def dev(self, name, fails=""):
        """Status, output and what cmake was told."""
        log = self.write("log", "")
        environment = {**os.environ, "PATH": f"{self.scratch}/bin:{os.environ['PATH']}", "LOG": str(log),
                       "FAILS": fails}
        done = subprocess.run([self.scratch / "dev", "test", "-k", name], env=environment, text=True, cwd="/",
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return done.returncode, done.stdout, log.read_text()

    def test_each_file_has_the_modules_of_its_folder(self):
        """Two folders have modules of the same names; the cases are named before anything is installed."""
        status, output, built = self.dev("test_older")
        self.assertEqual(status, 0, output)
        lines = [line for line in output.splitlines() if "a_package" not in line]
        self.assertEqual(lines[:6], [
            "install python", "case: module/module Module.test_older", "case: windows/windows Windows.test_older",
            "install build fetch venv test", "install windows", "== preset windows: building cudnn_checked_cli"])
        self.assertEqual(output.count(" ... ok"), 2, output)
        self.assertEqual(built.splitlines(), [
            "cmake --preset windows",
            f"cmake --build --preset windows -j {run_case.CORES} --target cudnn_checked_cli"])

    def test_what_cannot_be_installed(self):
        """Without what only the tests of Windows need, they skip themselves."""
        status, output, _ = self.dev("module.test_older", fails="build")
        self.assertEqual((status, output.splitlines()[-1]), (1, "install build fetch venv test"))
        status, output, _ = self.dev("windows.test_older", fails="windows")
        self.assertIn("install windows\n== tests of Windows are skipped\n", output)
        self.assertEqual(status, 0, output)

    def test_what_does_not_build(self):
        status, output, _ = self.dev("windows.test_older", fails="--build")
        self.assertEqual((status, output.splitlines()[-2:]), (
            1, ["output of --build", "dev: error: preset windows does not build"]))

    def test_a_unit_test(self):
        status, output, built = self.dev("an older release")
        lines = [line for line in output.splitlines() if "a_package" not in line]
        self.assertEqual((status, lines), (0, [
            "install python", "case: unit an older release", "install build unit",
            "== preset test: building unit_tests", "-nv -tc=an older release", "test cases: 1"]))
        self.assertEqual(built.splitlines(), [
            "cmake --preset test", f"cmake --build --preset test -j {run_case.CORES} --target unit_tests"])

    def test_a_package_that_is_absent(self):
        """The case is known and fails, and harms no other."""
        status, output, _ = self.dev("test_of_absent")
        self.assertEqual((status, "case: cli/absent Absent.test_of_absent" in output), (1, True), output)
        self.assertIn("test_absent.py: its cases are those that stand in it: "
                      "ModuleNotFoundError(\"No module named 'a_package_that_is_absent'\")", output)

    def test_no_such_case(self):
        status, output, built = self.dev("tset_oldre")
        self.assertEqual((status, built), (2, ""))
        self.assertEqual([line for line in output.splitlines() if "a_package" not in line], [
            "install python", 'dev: error: no test case has "tset_oldre" in its name', "  near: test_older",
            "  near: Windows.test_older", "  near: Module.test_older", "  near: test_of_absent",
            "  Entries of ctest: ./dev test -R NAME"])

    def test_files_of_several_folders(self):
        done = subprocess.run([sys.executable, self.scratch / "tests/run_unittest.py",
                               *self.scratch.glob("tests/*/test_other.py")], text=True, capture_output=True)
        self.assertEqual((done.returncode, done.stderr),
                         (2, "run_unittest.py: error: these files are of several folders\n"))
