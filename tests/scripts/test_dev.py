# SPDX-License-Identifier: BSD-3-Clause
"""./dev: words and their help, what is said where there is no such word, and what a word begins with."""

import pathlib
import platform
import re
import shutil
import subprocess
import sys
import unittest

from support.consumer import cmake_program
from support.known_compilers import compiler_arguments
from support.scratch import ScratchTest

ROOT = pathlib.Path(__file__).resolve().parents[2]

# Those of which dev knows a script.
SCRIPTS = dict(re.findall(r'(?m)^  ([a-z]+)\) exec sh "\$here/(\S+)"', (ROOT / "dev").read_text(encoding="utf-8")))


def dev(*words, **options):
    return subprocess.run([str(ROOT / "dev"), *words], **{"capture_output": True, "text": True, "cwd": "/", **options})


class Dev(unittest.TestCase):
    def test_help_names_every_word(self):
        result = dev("help")
        self.assertEqual(result.returncode, 0)
        self.assertEqual(sorted(re.findall(r"(?m)^  ([a-z]+)  ", result.stdout)), sorted([*SCRIPTS, "help"]))
        self.assertEqual(dev().stdout, result.stdout)

    def test_help_of_a_word_that_there_is_not(self):
        result = dev("help", "tset")
        self.assertEqual((result.returncode, result.stdout, result.stderr),
                         (1, "", 'dev: error: unknown word "tset"\n  The words: ./dev help\n'))

    def test_projects_wants_a_folder(self):
        result = dev("projects", "/nowhere")
        self.assertEqual((result.returncode, result.stdout, result.stderr), (1, "", (
            "dev: error: usage: ./dev projects DIR [--build] [WORD...]\n"
            "       ./dev projects DIR --time [PROJECT]\n"
            '  There is no folder "/nowhere": DIR has the checkouts.\n')))

    def test_words_that_take_no_such_argument(self):
        for words, usage in ((("demo", "--fast"), "./dev demo"), (("docs", "html"), "./dev docs"), (("lint", "fxi"), "./dev lint [fix]"),
                             (("wheel", "a", "b"), "./dev wheel [--windows] [DIR]")):
            result = dev(*words)
            self.assertEqual((result.returncode, result.stdout, result.stderr), (1, "", f"dev: error: usage: {usage}\n"))

    def test_words_that_select_nothing(self):
        """Said before anything is fetched, and where ctest would run all."""
        for word, *error in (
                ("incidents", 'no thread has "torhc" in its name\n  The threads: docs/incidents.md\n'),
                ("wheels", 'no row has "torhc" in its name\n  The rows:\n    8.9.7 cu12\n', "    jit newest cu13\n"),
                ("frameworks", 'no row has "torhc" in its name\n  The rows:\n    torch 1.13\n', "    unsound\n    sets\n"),
                ("test", "usage: ./dev test [--random] [ARGUMENTS of ctest...]\n       ./dev test -k NAME\n"
                         '  "torhc" is no option.  For the test cases of that name: ./dev test -k torhc\n')):
            if word != "test" and platform.machine() != "x86_64":
                continue  # said before that
            result = dev(word, "torhc")
            self.assertEqual((result.returncode, result.stdout), (1, ""), result.stderr)
            self.assertTrue(result.stderr.startswith(f"dev: error: {error[0]}"), result.stderr)
            for text in error[1:]:
                self.assertIn(text, result.stderr)

    def test_unknown_word(self):
        result = dev("tset")
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertTrue(result.stderr.startswith('dev: error: unknown word "tset"\n\nusage: ./dev'))

    def test_every_word_leads_to_a_script(self):
        self.assertEqual(len(SCRIPTS), (ROOT / "dev").read_text(encoding="utf-8").count(") exec sh "))
        for script in SCRIPTS.values():
            self.assertTrue((ROOT / script).is_file(), script)

    def test_fuzz_wants_a_number_of_seconds(self):
        for words, message in ((("5m",), 'seconds are a number, not "5m"'),
                               (("5", "6"), "usage: ./dev fuzz [SECONDS]")):
            result = dev("fuzz", *words)
            self.assertEqual((result.returncode, result.stdout, result.stderr),
                             (1, "", f"dev: error: {message}\n"))


class Help(ScratchTest):
    """With these programs alone on PATH nothing can be built, installed or fetched."""

    PROGRAMS = ("sh", "dirname", "awk", "sed")

    def setUp(self):
        super().setUp()
        (self.scratch / "bin").mkdir()
        (self.scratch / "here").mkdir()
        for name in self.PROGRAMS:
            (self.scratch / "bin" / name).symlink_to(shutil.which(name))

    def ask(self, *words):
        # A cache that cannot be made would be an error of whatever goes on.
        environment = {"PATH": str(self.scratch / "bin"), "HOME": str(self.scratch / "none"), "TMPDIR": str(self.scratch / "none")}
        result = dev(*words, env=environment, cwd=self.scratch / "here")
        self.assertEqual((result.returncode, result.stderr), (0, ""), words)
        self.assertEqual(sorted(path.name for path in self.scratch.iterdir()), ["bin", "here"], words)
        self.assertEqual([*(self.scratch / "here").iterdir()], [], words)
        return result.stdout

    def test_help_of_every_word_does_nothing_else(self):
        for word in SCRIPTS:
            text = self.ask("help", word)
            # What it is for, how long it takes, what it fetches.
            self.assertRegex(text, rf"\Ausage: \./dev {word}\b.*\n(       \./dev {word}\b.*\n)*[a-z].+\ntakes: .+\n")
            for words in (("--help",), ("-h",), ("folder", "--help"), ("-k", "-h"), ("--help", "folder")):
                self.assertEqual(self.ask(word, *words), text)
        self.assertEqual(self.ask("--help"), self.ask("help"))
        self.assertEqual(self.ask("-h"), self.ask("help"))

    def test_the_whole_of_one(self):
        self.assertEqual(self.ask("vendor", "--help"), (
            "usage: ./dev vendor DIR [--laboratory]\n"
            "the copy that a project puts into its own tree\n"
            "takes: some seconds; nothing is fetched\n"
            "--laboratory  with what CuDNNChecked_SWEEP and CuDNNChecked_OPERATIONS compile\n"))


class Begin(unittest.TestCase):
    def test_every_word_says_first_how_long_it_takes(self):
        """But for those of some seconds; and each asks for the folders of build that it writes."""
        for word, script in SCRIPTS.items():
            lines = (ROOT / script).read_text(encoding="utf-8").splitlines()
            begins = [line for line in lines if re.match(rf"begin {word}( |$)", line)]
            self.assertEqual(len(begins), 0 if word in ("vendor", "archive") else 1, script)
            first = next((i for i, line in enumerate(lines) if re.match(r".*(install_missing|fetch_cudnn|newer_cmake)\.sh ", line)
                          and not line.startswith("#") and "python" not in line), len(lines))
            self.assertLess(lines.index(begins[0]) if begins else -1, first, script)


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
