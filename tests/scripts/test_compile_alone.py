# SPDX-License-Identifier: BSD-3-Clause
"""What other compilers see: sources compiled alone (scripts/compile_alone.py), and ./dev compilers."""

import json
import os
import re
import shutil
import subprocess
import sys

from support import REPOSITORY, ScratchTest, compiler

SCRIPT = REPOSITORY / "scripts" / "compile_alone.py"


class CompileAlone(ScratchTest):
    """A unity build of two files: the second one has what the first one includes."""

    def setUp(self):
        super().setUp()
        self.write("first.cpp", '#include "word.h"\nint first() { return word; }\n')
        self.write("word.h", "const int word = 1;\n")
        self.write("second.cpp", "int second() { return word; }\n")
        (self.scratch / "Unity").mkdir()
        self.write("Unity/unity_0_cxx.cxx", "".join(
            f'#include "{self.scratch}/{name}.cpp"\n' for name in ("first", "second")))
        file = f"{self.scratch}/Unity/unity_0_cxx.cxx"
        self.write("compile_commands.json", json.dumps([
            {"directory": str(self.scratch), "file": file, "command": f"c++ -std=c++17 -o unity.o -c {file}"}]))

    def write(self, name, text):
        (self.scratch / name).write_text(text)

    def compiled(self, program=None):
        done = subprocess.run([sys.executable, SCRIPT, self.scratch, program or compiler()], text=True,
                              capture_output=True)
        first = done.stdout.splitlines()[0]
        return done.returncode, first.split(": ", 1)[1], done.stderr

    def test_what_a_unity_build_hides(self):
        status, counts, errors = self.compiled()
        self.assertEqual((status, counts), (1, "2 sources, 2 of them compiled"))
        self.assertIn(f"{self.scratch}/second.cpp:1:", errors)
        self.assertNotIn("first.cpp", errors)

    def test_only_what_has_changed(self):
        """A source that failed is compiled again, and one whose header has changed."""
        self.compiled()
        self.assertEqual(self.compiled()[:2], (1, "2 sources, 1 of them compiled"))
        self.write("second.cpp", '#include "word.h"\nint second() { return word; }\n')
        self.assertEqual(self.compiled(), (0, "2 sources, 1 of them compiled", ""))
        self.assertEqual(self.compiled(), (0, "2 sources, 0 of them compiled", ""))
        self.write("word.h", "const int word = 2;\n")
        self.assertEqual(self.compiled(), (0, "2 sources, 2 of them compiled", ""))

    def test_a_run_that_was_ended(self):
        """What it found sound is not compiled again."""
        self.write("second.cpp", "int second() { return 2; }\n")
        program = self.scratch / "compiler"
        program.write_text('#!/bin/sh\ncase "$*" in *second.cpp*) [ ! -e "$0.ends" ] || '
                           f'{{ sleep 1; kill -INT $PPID; sleep 1; }} ;; esac\nexec {compiler()} "$@"\n')
        program.chmod(0o755)
        self.write("compiler.ends", "")
        done = subprocess.run([sys.executable, SCRIPT, self.scratch, program], capture_output=True)
        self.assertNotEqual(done.returncode, 0)
        (self.scratch / "compiler.ends").unlink()
        self.assertEqual(self.compiled(program), (0, "2 sources, 1 of them compiled", ""))

    def test_a_warning_is_an_error(self):
        self.write("second.cpp", "char second(int n) { return n; }\n")
        status, _, errors = self.compiled()
        self.assertEqual((status, "conversion]" in errors), (1, True), errors)


class Compilers(ScratchTest):
    """Compilers that write down what they were told; one fails with what has the sweep."""

    COPIED = ("copied_guard", "copied_probe", "copied_configure")

    def dev(self, *words, installed=("g++-9", "clang++-19")):
        for name in ("dev", "scripts/compilers.sh", "scripts/common.sh", "scripts/words.txt"):
            (self.scratch / name).parent.mkdir(exist_ok=True)
            shutil.copy2(REPOSITORY / name, self.scratch / name)
        (self.scratch / "scripts/install_missing.sh").write_text('echo "install $*"\n')
        (self.scratch / "scripts/vendor.sh").write_text('mkdir "$1"\n')
        (self.scratch / "bin").mkdir(exist_ok=True)
        for name in installed:
            program = self.scratch / "bin" / name
            program.write_text('#!/bin/sh\necho "$*" >>"$LOG"\ncase "$0 $*" in *clang*sweep_program*) echo no; exit 1 ;; esac\n')
            program.chmod(0o755)
        log = self.scratch / "log"
        log.write_text("")
        # Those of this machine are not among them.
        path = self.scratch / "bin"
        for name in ("sh", "dirname", "seq", "mktemp", "mkdir", "chmod", "rm", "cat", "ls", "awk", "sed"):
            if not (path / name).exists():
                (path / name).symlink_to(shutil.which(name))
        environment = {**os.environ, "PATH": str(path), "LOG": str(log)}
        done = subprocess.run([self.scratch / "dev", "compilers", *words], env=environment, text=True,
                              capture_output=True)
        errors = re.sub(r"\A== compilers: .*\n", "", done.stderr)
        return done.returncode, done.stdout, errors, log.read_text().splitlines()

    def test_table(self):
        status, output, errors, told = self.dev()
        self.assertEqual((status, errors), (
            1, "clang++-19: sweep\nno\ndev: error: not compiled: clang++-19/sweep\n"))
        self.assertEqual([line.split() for line in output.splitlines()], [
            ["install", "build"], ["install", "compilers"], ["compiler", "guard", "core", "probe", "configure", "sweep", *self.COPIED],
            ["g++-9", *["ok"] * 8], ["clang++-19", *["ok"] * 4, "FAILED", *["ok"] * 3]])
        self.assertEqual(len(told), 16)
        for line in told:
            self.assertRegex(line, r"^-std=c\+\+17 -O0 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror "
                                   r"(-Wno-deprecated-declarations )?-c (tool|/\S+/copy/source)/\S+\.cpp ")

    def test_named(self):
        status, output, _, told = self.dev("g++-9")
        self.assertEqual((status, output.splitlines()[1].split(), len(told)), (0, ["g++-9", *["ok"] * 8], 8))

    def test_one_that_is_absent(self):
        self.assertEqual(self.dev("g++-77")[::2], (1, "dev: error: there is no g++-77 here\n"))

    def test_none(self):
        self.assertEqual(self.dev(installed=())[::2], (
            1, "dev: error: no g++-N and no clang++-N on PATH\n  Type: ./dev compilers c++\n"))
