# SPDX-License-Identifier: BSD-3-Clause
"""The program that runs the probe and judges, where it has to be compiled."""

from support import compiler
from support.proving import ProvingTest

# A compiler that refuses one source.
WRAPPER = """#!/bin/sh
for word in "$@"; do
  case $word in
  */configure.cpp) echo "configure.cpp:7:1: error: not today" >&2 && exit 1 ;;
  esac
done
exec {compiler} "$@"
"""
# One that prints errors where Microsoft's does, and refuses both parts.
PRINTS = """#!/bin/sh
for word in "$@"; do
  case $word in
  */core.cpp | */configure.cpp) echo "${{word##*/}}(7): error C2065: not today" && exit 2 ;;
  esac
done
exec {compiler} "$@"
"""
# One that compiles nothing of the package.
NOTHING = """#!/bin/sh
for word in "$@"; do
  case $word in
  */tool/*.cpp)
    line=0
    while [ $line -lt 30 ]; do
      line=$((line + 1)) && echo "error $line: not today" >&2
    done
    exit 1 ;;
  esac
done
exec {compiler} "$@"
"""
# One for whose files there is no space.
FULL = """#!/bin/sh
case " $* " in
*/configure.cpp" "*)
  echo "{{standard input}}: Fatal error: core.o: No space left on device" >&2
  exit 1 ;;
esac
exec {compiler} "$@"
"""
# One that finds no standard library without a flag of the project.
NEEDS_FLAG = """#!/bin/sh
case " $* " in
*" -DFINDS_LIBRARY "*) ;;
*.cpp" "*) echo "fatal error: string: No such file or directory" >&2 && exit 1 ;;
esac
exec {compiler} "$@"
"""
# A compiler cache, for example, that is the first word of CXX.
FIRST_WORD = """#!/bin/sh
exec "$@"
"""


class Prover(ProvingTest):
    sdk_options = {"cudnn": "9.14.0", "gpus": ""}

    def test_its_parts_are_compiled_once(self):
        self.app.shares_configure = False
        self.assertEqual(self.proved()["LEVEL"], "LOADED")
        core, judge = (self.app.path(f"CuDNNChecked/cudnn_checked_{part}.o") for part in ("core", "judge"))
        built = [part.stat().st_mtime_ns for part in (core, judge)]
        self.assertTrue(self.app.path("CuDNNChecked/cudnn_checked_judge").exists())
        # What says what to type has repairs: their part is compiled besides, and no other once more.
        self.assertIn("[probe-crashed]", self.refused("-DCuDNNChecked_REQUIRE=LOADED",
                                                       environment={"SIMULATED_FAULT": "crash:cudnnGetVersion"}))
        self.assertTrue(self.app.path("CuDNNChecked/cudnn_checked_configure").exists())
        self.assertEqual([part.stat().st_mtime_ns for part in (core, judge)], built)
        left = {path.name for path in core.parent.iterdir() if path.is_file()}
        self.assertEqual({name for name in left if name.endswith((".o", ".new"))},
                         {"cudnn_checked_core.o", "cudnn_checked_judge.o", "cudnn_checked_repairs.o"})

    def test_a_compiler_that_does_not_compile_it(self):
        self.app.shares_configure = False
        text = self.refused(f"-DCMAKE_CXX_COMPILER={self.compiler_script(WRAPPER)}")
        self.assertRegex(text, r"""\Acudnn_checked: refused: the program that runs the probe and judges does not compile
  no program says more: <scratch>/c\+\+ cannot compile \S+/tool/configure/linux/configure.cpp: 1
  the compiler: configure.cpp:7:1: error: not today
  all of it: <scratch>/app-build/CuDNNChecked/build_judge.log
\Z""")

    def test_what_a_compiler_prints_of_each_part_is_kept(self):
        self.app.shares_configure = False
        text = self.refused(f"-DCMAKE_CXX_COMPILER={self.compiler_script(PRINTS)}")
        self.assertIn("refused: the program that runs the probe and judges does not compile\n", text)
        expected = [f"{name}.cpp(7): error C2065: not today" for name in ("configure", "core")]
        self.assertEqual(sorted(self.app.path("CuDNNChecked/build_judge.log").read_text().splitlines()), expected)
        self.assertIn(text.splitlines()[2], [f"  the compiler: {line}" for line in expected])

    def test_a_compiler_that_compiles_nothing(self):
        """There is no program that reads the compiler's words: the first error is repeated."""
        self.app.shares_configure = False
        text = self.refused(f"-DCMAKE_CXX_COMPILER={self.compiler_script(NOTHING)}")
        self.assertRegex(text, r"""\Acudnn_checked: refused: the probe was not built, so cuDNN could not be checked
  no program says more: <scratch>/c\+\+ cannot compile \S+/tool/configure/linux/configure.cpp: 1
  the compiler: error 1: not today
  all of it: <scratch>/app-build/CuDNNChecked/build.log
\Z""")

    def compiler_script(self, text):
        script = self.write("c++", text.format(compiler=compiler()))
        script.chmod(0o755)
        return script

    def test_a_compiler_that_needs_flags_of_the_project(self):
        self.app.shares_configure = False
        script = self.compiler_script(NEEDS_FLAG)
        result = self.proved(f"-DCMAKE_CXX_COMPILER={script}", "-DCMAKE_CXX_FLAGS=-DFINDS_LIBRARY")
        self.assertEqual(result["LEVEL"], "LOADED")
        self.assertFalse(self.app.path("CuDNNChecked/build_judge.log").exists())

    def test_a_compiler_of_two_words(self):
        self.app.shares_configure = False
        result = self.proved(f"-DCMAKE_CXX_COMPILER={self.compiler_script(FIRST_WORD)};{compiler()}")
        self.assertEqual(result["LEVEL"], "LOADED")

    def test_a_compiler_without_space(self):
        self.app.shares_configure = False
        self.assertRegex(self.refused(f"-DCMAKE_CXX_COMPILER={self.compiler_script(FULL)}"), r"""\Acudnn_checked: refused: a directory of the build tree cannot be written: <scratch>/app-build/CuDNNChecked, No space left on device
  no program says more: <scratch>/c\+\+ cannot compile \S+/tool/configure/linux/configure.cpp: 1
  the compiler: {standard input}: Fatal error: (core|configure)\.o: No space left on device
  all of it: <scratch>/app-build/CuDNNChecked/build_judge.log
\Z""")
