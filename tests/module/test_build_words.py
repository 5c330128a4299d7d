# SPDX-License-Identifier: BSD-3-Clause
"""What is shown of the words of compilers and linkers: real ones, called here."""

import re
import shutil
import subprocess
import unittest

from support import REPOSITORY, cmake_program
from support.command_line import cudnn_checked_program
from support.scratch import ScratchTest

PARTS = REPOSITORY / "cmake" / "CuDNNChecked"

class BuildTest(ScratchTest):
    def run_in_scratch(self, *command):
        return subprocess.run([str(part) for part in command], cwd=self.scratch, text=True,
                              env={"PATH": "/usr/local/cuda/bin:/usr/bin:/bin", "LC_ALL": "C"},
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def made(self, *command):
        done = self.run_in_scratch(*command)
        self.assertEqual(done.returncode, 0, done.stdout)

    def explained(self, output, *facts):
        """The message about a build whose log is <output>, without the directory of a linker in it."""
        log = self.write("build.log", output)
        done = subprocess.run(
            [cudnn_checked_program(), "configure", "explain-build", "kind=probe", f"log={log}",
             "compiler_fact=compiler|GNU 12|c++", "cmake=cmake", "build=/b", *facts], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertEqual((done.returncode, done.stderr), (0, b""), done.stdout)
        return re.sub(r"^(  \| )\S*/(ld\S*|clang\S*|g\+\+\S*): ", r"\1\2: ", done.stdout.decode().replace(f"{self.scratch}/", ""),
                      flags=re.M)

    def words_of(self, output, program="c++"):
        """The status, and the lines, each without the directory of the linker."""
        text = self.explained(output, f"compiler={program}")
        return (re.search(r"(?m)^  \[probe-(.*)\]$", text)[1],
                re.findall(r"(?m)^  \| (.*)$", text))

    def words(self, program, *arguments):
        """What is shown of a command that fails, in the log of a build by Ninja."""
        done = self.run_in_scratch(program, *arguments)
        self.assertNotEqual(done.returncode, 0, done.stdout)
        command = " ".join([str(program), *map(str, arguments)])
        return self.words_of(
            "Change Dir: /tmp/build\n\nRun Build Command(s):/usr/bin/ninja cmTC_1 && [1/2] "
            f"Building CXX object a.o\n{command}\n[2/2] {command}\nFAILED: error: cmTC_1 \n"
            f": && {command} && :\n"
            f"{done.stdout}ninja: build stopped: subcommand failed.\n\n", program)


def compilers():
    return [program for program in ["g++", "clang++"] if shutil.which(program)]


class Compile(BuildTest):
    def compiled(self, program, *arguments):
        status, lines = self.words(program, *arguments, "-c", "main.cpp")
        self.assertEqual(status, "not-compiled")
        return lines

    def test_a_missing_header(self):
        for number in range(1, 6):
            self.write(f"h{number}.h", f'#include "h{number + 1}.h"\n')
        self.write("main.cpp", '#include "h1.h"\n')
        for program in compilers():
            lines = self.compiled(program)
            # The nearest three, in the order of the compiler.
            chain = {"g++": ["In file included from h4.h:1,", "                 from h3.h:1,",
                             "                 from h2.h:1,"],
                     "clang++": [f"In file included from ./h{n}.h:1:" for n in [2, 3, 4]]}
            self.assertEqual(lines[:-1], chain[program])
            self.assertRegex(lines[-1], r"^(\./)?h5\.h:1:10: fatal error: '?h6\.h'?(:| file not) ")

    def test_an_error_directive(self):
        # What CMake would take apart or lose.
        self.write("main.cpp", '#error "a; b [c] \\d ${e}"\n#error "a; b [c] \\d ${e}"\nint i = j;\n')
        for program in compilers():
            # The command, which Ninja repeats, says nothing.
            lines = self.compiled(program, "-DTEXT=error: cannot find x")
            self.assertEqual(len(lines), 3)
            self.assertRegex(lines[0], r'^main\.cpp:1:2: error: (#error )?"a; b \[c\] \\d \$\{e\}"$')
            self.assertRegex(lines[2], r"^main\.cpp:3:9: error: .*['‘]?j")

    def test_options(self):
        self.write("main.cpp", "static int unused;\n")
        for program in compilers():
            [line] = self.compiled(program, "-fnonsense")
            self.assertRegex(line, r"^(g\+\+|clang): error: (unrecognized command-line option|unknown "
                                   r"argument:) '-fnonsense'")
            first, *_ = self.compiled(program, "-Wall", "-Werror")
            self.assertRegex(first, r"^main\.cpp:1:12: error: .*-W(error=)?unused-variable")

    def test_at_most_twelve(self):
        self.write("main.cpp", "".join(f"int i{n} = j{n};\n" for n in range(15)))
        for program in compilers():
            lines = self.compiled(program)
            self.assertEqual(len(lines), 13)
            self.assertIn("j11", lines[11])
            self.assertEqual(lines[12], "... and 3 more")


class Link(BuildTest):
    """Each linker, by its own words."""

    LINKERS = [name for name in ["bfd", "gold", "lld"] if shutil.which("ld." + name)]

    def setUp(self):
        super().setUp()
        self.write("main.cpp", "int f(); int main() { return f() + f(); }\n")
        self.write("f.c", "int counter; int f(void) { return counter++; }\n")
        self.made("g++", "-fno-pic", "-c", "main.cpp")

    def linked(self, linker, *arguments, program="g++"):
        status, lines = self.words(program, f"-fuse-ld={linker}", *arguments)
        self.assertEqual(status, "not-linked", lines)
        return lines

    def assert_lines(self, expected, *arguments):
        for linker in self.LINKERS:
            with self.subTest(linker=linker):
                lines = self.linked(linker, *arguments)
                self.assertEqual(len(lines), len(expected[linker]), lines)
                for line, pattern in zip(lines, expected[linker]):
                    self.assertRegex(line, "^" + pattern + "$")

    def test_undefined(self):
        self.assert_lines({
            "bfd": [r"main\.cpp:\(\.text\+0x\w+\): undefined reference to `f\(\)'"],
            "gold": [r"main\.o:main\.cpp:function main(?::\(\.text\+0x\w+\))?: error: undefined reference to 'f\(\)'"],
            "lld": [r"ld\.lld: error: undefined symbol: f\(\)", ">>> referenced by main.cpp"]},
            "main.o")

    def test_no_such_library(self):
        self.assert_lines({
            "bfd": [r"ld\.bfd: cannot find -lfoo: No such file or directory"],
            "gold": [r"ld\.gold: error: cannot find -lfoo",
                     r"main\.o:main\.cpp:function main(?::\(\.text\+0x\w+\))?: error: undefined reference to 'f\(\)'"],
            "lld": [r"ld\.lld: error: unable to find library -lfoo"]}, "main.o", "-lfoo")

    def test_static(self):
        self.made("gcc", "-xc++", "-shared", "-fPIC", "-o", "libf.so.9", "f.c")
        for linker in self.LINKERS:
            with self.subTest(linker=linker):
                lines = self.linked(linker, "-static", "main.o", "libf.so.9")
                self.assertRegex(lines[0], r"^ld\S*: (error: )?(attempted static link of dynamic "
                                           r"object|cannot mix -static with dynamic object) "
                                           r"[`']?libf\.so\.9'?$")

    def test_position_independence(self):
        self.made("gcc", "-fno-pic", "-mcmodel=small", "-c", "f.c")
        for linker in self.LINKERS:
            with self.subTest(linker=linker):
                lines = self.linked(linker, "-shared", "f.o")
                self.assertRegex(lines[0], r"^(ld\S*: )?(f\.o: |error: f\.o: |error: )+.*R_X86_64_")
                self.assertRegex(lines[0], r"recompile with -fPIC")

    def test_another_machine(self):
        self.made("gcc", "-m32", "-c", "f.c")
        for linker in self.LINKERS:
            with self.subTest(linker=linker):
                lines = self.linked(linker, "main.o", "f.o")
                self.assertRegex(lines[0], r"f\.o.*is incompatible with|f\.o: incompatible target")

    def test_no_library_at_all(self):
        self.write("libf.so", "garbage: neither ELF nor a script\n")
        for linker in self.LINKERS:
            with self.subTest(linker=linker):
                lines = self.linked(linker, "main.o", "libf.so")
                self.assertIn("libf.so", lines[0])

    def test_a_library_that_another_needs(self):
        self.write("g.c", "int f(void); int g(void) { return f(); }\n")
        self.made("gcc", "-shared", "-fPIC", "-o", "libf.so", "f.c")
        self.made("gcc", "-shared", "-fPIC", "-o", "libg.so", "g.c", "libf.so")
        self.write("main2.cpp", 'extern "C" int g(); int main() { return g(); }\n')
        (self.scratch / "libf.so").unlink()
        lines = self.linked("bfd", "main2.cpp", "libg.so")
        self.assertEqual(lines, [
            "ld.bfd: warning: libf.so, needed by libg.so, not found (try using -rpath or -rpath-link)",
            "ld.bfd: libg.so: undefined reference to `f'"])

    @unittest.skipUnless("clang++" in compilers(), "no clang")
    def test_no_runtime_of_a_sanitizer(self):
        lines = self.linked("bfd", "-fsanitize=address", "-resource-dir=/nowhere", "-xc++", "f.c",
                            "-xnone", program="clang++")
        self.assertRegex(lines[0], r"^ld\.bfd: cannot find /nowhere/lib/linux/libclang_rt\.asan")

    def test_no_linker(self):
        if shutil.which("ld.mold"):
            self.skipTest("mold is installed")
        [line] = self.linked("mold", "main.o")
        self.assertEqual(line, "collect2: fatal error: cannot find 'ld'")


NVCC = shutil.which("nvcc", path="/usr/local/cuda/bin")


class Others(BuildTest):
    @unittest.skipUnless(NVCC, "no nvcc")
    def test_nvcc(self):
        self.write("k.cu", "__global__ void k() { undeclared(); }\n")
        self.assertEqual(self.words(NVCC, "-arch=sm_20", "-c", "k.cu"), (
            "not-compiled", ["nvcc fatal   : Unsupported gpu architecture 'sm_20'"]))
        self.assertEqual(self.words(NVCC, "-arch=sm_90", "-c", "k.cu"), (
            "not-compiled", ['k.cu(1): error: identifier "undeclared" is undefined']))

    def test_a_tool_that_is_not_known(self):
        """Nothing that the build tool wrote, and the end, where errors are."""
        self.assertEqual(self.words_of("".join(f"ligne {n}\n" for n in range(20)) + """
gmake[1]: *** [CMakeFiles/a.dir/build.make:99: a] Error 1
gmake: *** [Makefile:127: a/fast] Error 2
"""), ("not-compiled", [f"ligne {n}" for n in range(8, 20)]))

    def test_only_the_end(self):
        self.assertEqual(self.words_of("collect2: error: ld returned 1 exit status\n"), (
            "not-linked", ["collect2: error: ld returned 1 exit status"]))


FLAGS = """
cmake_minimum_required(VERSION 3.22)
foreach(part IN ITEMS every_configure/facts build/flag_sources say/message)
  include("%s/${part}.cmake")
endforeach()
%s
_cudnn_checked_flag_sources(words)
list(JOIN words "\n" words)
file(WRITE "${CMAKE_ARGV3}" "${words}\n")
"""


class Flags(BuildTest):
    def flags(self, text, said):
        """The facts about flags, and the fixes, of a build whose log has these words."""
        self.write("flags.cmake", FLAGS % (PARTS, text))
        self.made(cmake_program(), "-P", "flags.cmake", "flags.txt")
        words = (self.scratch / "flags.txt").read_text().splitlines()
        text = self.explained(said + "\n", *words)
        facts = re.findall(r"(?m)^  (?:flags:)? +(\S.*)$", text.split("all of it:")[0])
        return [re.sub(" +", " ", fact) for fact in facts], re.findall(r"(?m)^  (?:fix|try| or): (.*)$", text)

    def test_where_they_come_from(self):
        facts, fixes = self.flags("""
set(ENV{CXXFLAGS} "-O2 -fnonsense")
set(ENV{LDFLAGS} "-Lelsewhere")
set(ENV{CPATH} /opt/include)
set(CMAKE_CXX_FLAGS " -O2 -fnonsense -g ")
set(CMAKE_EXE_LINKER_FLAGS "-lfoo -include x.h")
set(CMAKE_TRY_COMPILE_CONFIGURATION Release)
set(CMAKE_CXX_FLAGS_RELEASE -O3)
set(CMAKE_CXX_FLAGS_DEBUG -O0)
set(CMAKE_EXE_LINKER_FLAGS_RELEASE -Wl,-O1)
set(CMAKE_CXX_COMPILER_TARGET x86_64-linux-gnu)
set(CMAKE_TOOLCHAIN_FILE /opt/toolchain.cmake)
""", "unrecognized option '-fnonsense', x.h: No such file; cannot find -lfoo")
        self.assertEqual(facts, [
            "-O2 -fnonsense -g CMAKE_CXX_FLAGS, from environment CXXFLAGS", "-O3 CMAKE_CXX_FLAGS_RELEASE",
            "x86_64-linux-gnu CMAKE_CXX_COMPILER_TARGET", "/opt/include environment CPATH",
            "/opt/toolchain.cmake CMAKE_TOOLCHAIN_FILE", "-lfoo -include x.h CMAKE_EXE_LINKER_FLAGS",
            "-Wl,-O1 CMAKE_EXE_LINKER_FLAGS_RELEASE"])
        self.assertEqual(fixes, [
            "remove -fnonsense from CMAKE_CXX_FLAGS, or correct it", "remove -lfoo from CMAKE_EXE_LINKER_FLAGS, or correct it",
            "remove -include x.h from CMAKE_EXE_LINKER_FLAGS, or correct it", "correct the linker's errors below"])

    def test_of_the_cache(self):
        facts, fixes = self.flags("""
set(CMAKE_CXX_FLAGS "-O2 -fnonsense -I /a" CACHE STRING "")
set(CMAKE_EXE_LINKER_FLAGS "-lfoo" CACHE STRING "")
""", "a.cpp:1: error: unrecognized option '-fnonsense', -lfoo")
        with self.subTest("what is for the linker alone is not named where the compiler fails"):
            self.assertEqual(facts, ["-O2 -fnonsense -I /a CMAKE_CXX_FLAGS"])
        self.assertEqual(fixes, ["cmake -D 'CMAKE_CXX_FLAGS=-O2 -I /a' /b", "remove -fnonsense from CMAKE_CXX_FLAGS, or correct it",
                                 "correct the compiler's errors below"])
        with self.subTest("a value with quotes would not be the same any more"):
            _, fixes = self.flags('set(CMAKE_CXX_FLAGS "-fnonsense -DA=\\"b\\"" CACHE STRING "")', "error: -fnonsense")
            self.assertEqual(fixes, ["remove -fnonsense from CMAKE_CXX_FLAGS, or correct it", "correct the compiler's errors below"])

    def test_what_is_known_to_follow_from_a_flag(self):
        for flag, said in [
                ("-static", "attempted static link of dynamic object `libcudnn.so.9'"),
                ("-m32", "skipping incompatible libcudnn.so.9 when searching"),
                ("-fsanitize=address", "cannot find libclang_rt.asan-x86_64.a"),
                ("-fsanitize=memory", "error: unrecognized argument to '-fsanitize=' option: 'memory'"),
                ("-nostdlib", "undefined reference to `memcpy'"),
                ("-pie", "relocation R_X86_64_32 against `.rodata'; recompile with -fPIE")]:
            with self.subTest(flag=flag):
                facts, fixes = self.flags(f'set(CMAKE_CXX_FLAGS "-O2 {flag} -g")', said)
                self.assertEqual(facts, [f"-O2 {flag} -g CMAKE_CXX_FLAGS"])
                self.assertEqual(fixes[0], f"remove {flag} from CMAKE_CXX_FLAGS, or correct it")
        self.assertEqual(self.flags('set(CMAKE_CXX_FLAGS "-static -g")', "a.cpp:1: error:"),
                         (["-static -g CMAKE_CXX_FLAGS"], ["correct the compiler's errors below"]))
