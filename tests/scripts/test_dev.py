# SPDX-License-Identifier: BSD-3-Clause
"""./dev: words, and what is said where there is no such word."""

import pathlib
import subprocess
import sys
import unittest

from support.consumer import cmake_program
from support.known_compilers import compiler_arguments
from support.scratch import ScratchTest

ROOT = pathlib.Path(__file__).resolve().parents[2]

WORDS = ("demo", "test", "gpu", "lint", "fuzz", "catalogue", "bench", "docs", "frameworks", "wheel", "wheels", "bare",
         "vendor", "archive", "incidents", "advice", "doors", "projects", "channels", "compilers")


def dev(*words):
    return subprocess.run([str(ROOT / "dev"), *words], capture_output=True, text=True, cwd="/")


class Dev(unittest.TestCase):
    def test_help_names_every_word(self):
        result = dev("help")
        self.assertEqual(result.returncode, 0)
        for word in (*WORDS, "help"):
            self.assertRegex(result.stdout, rf"(?m)^  {word} ")
        self.assertEqual(dev().stdout, result.stdout)

    def test_projects_wants_a_folder(self):
        result = dev("projects", "/nowhere")
        self.assertEqual((result.returncode, result.stdout, result.stderr), (1, "", (
            "dev: error: projects: no folder of checkouts\n  usage: ./dev projects DIR [--build | --time] [WORD...]\n")))

    def test_unknown_word(self):
        result = dev("tset")
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertTrue(result.stderr.startswith('dev: error: unknown word "tset"\n\nusage: ./dev'))

    def test_every_word_leads_to_a_script(self):
        text = (ROOT / "dev").read_text(encoding="utf-8")
        scripts = [line.split('"')[1] for line in text.splitlines() if ") exec sh " in line]
        self.assertEqual(len(scripts), len(WORDS))
        for script in scripts:
            self.assertTrue(pathlib.Path(script.replace("$here", str(ROOT))).is_file(), script)

    def test_fuzz_wants_a_number_of_seconds(self):
        for words, message in ((("5m",), 'seconds are a number, not "5m"'),
                               (("5", "6"), "usage: ./dev fuzz [SECONDS]")):
            result = dev("fuzz", *words)
            self.assertEqual((result.returncode, result.stdout, result.stderr),
                             (1, "", f"dev: error: {message}\n"))


class WithoutDoctest(ScratchTest):
    def test_the_unit_tests_are_skipped(self):
        """The others need none, on a machine that cannot have it."""
        done = subprocess.run(
            [cmake_program(), "-S", ROOT, "-B", self.scratch, *compiler_arguments("Unix Makefiles"), "-DDOCTEST_INCLUDE_DIR=",
             f"-DPython3_EXECUTABLE={sys.executable}"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("  doctest.h was not found, and the unit tests are skipped.  Install\n"
                      "  doctest-dev, or set DOCTEST_INCLUDE_DIR to its folder.\n", done.stderr)
        done = subprocess.run(["ctest", "-R", "^unit(/world)?$"], cwd=self.scratch, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout.count("***Skipped")), (0, 2), done.stdout)
        log = (self.scratch / "Testing/Temporary/LastTest.log").read_text()
        self.assertEqual(log.count("\nskipped: there is no doctest.h (doctest-dev)\n"), 2)
