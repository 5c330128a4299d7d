# SPDX-License-Identifier: BSD-3-Clause
"""The release of cuDNN is the one that the compiler sees, however cudnn_version.h is written."""

import os

from support import bare_cudnn, compiler
from support.locating import LocatingTest
from support.output import status_lines
from support.proving import ProvingTest

OLDER = "#if 0\n#define CUDNN_MAJOR 9\n#define CUDNN_MINOR 1\n#define CUDNN_PATCHLEVEL 5\n#endif\n"
NUMBERS = "#define CUDNN_MAJOR 9\n#define CUDNN_MINOR 14\n#define CUDNN_PATCHLEVEL 0\n"


class Compiled(ProvingTest):
    def test_the_compiler_decides(self):
        header = self.sdk.include / "cudnn_version.h"
        plain = header.read_text()
        text = OLDER + "#define FOURTEEN 0x0E\n" + plain.replace("MINOR 14", "MINOR FOURTEEN")
        header.write_text(text.replace("MAJOR 9\n#define CUDNN_MINOR F", "MAJOR (9u)\n#define CUDNN_MINOR F"))
        result = self.proved(request="9.10;REQUIRED")
        self.assertEqual((result["VERSION"], result["LEVEL"]), ("9.14.0", "LOADED"))
        stamp = self.app.path("CuDNNChecked/include/cudnn_checked/stamp.h").read_text()
        self.assertIn("#define CUDNN_CHECKED_CUDNN_VERSION 91400\n", stamp)
        with self.subTest("also where plain text says another"):
            self.scratch.joinpath("right.h").write_text(plain)
            header.write_text(plain.replace("MINOR 14", "MINOR 13"))
            flags = f"-include {self.scratch}/right.h"
            self.assertEqual(self.refused(f"-DCMAKE_CXX_FLAGS={flags}"), f"""\
cudnn_checked: refused: the compiler sees the headers of another cuDNN than the one that was found
  found:          9.13.0   <scratch>/sdk/include/cudnn_version.h
  compiled with:  9.14.0   CUDNN_VERSION in the probe
  flags:          -include <scratch>/right.h   CMAKE_CXX_FLAGS
  A program compiled with it would call functions and pass enumerations of another release.
  fix: remove the other directory from CMAKE_CXX_FLAGS, CPATH and CPLUS_INCLUDE_PATH
   or: let CuDNNChecked_ROOT name the directory above the headers that the compiler sees
  [header-library-mismatch]
""")

    def test_an_expression_is_computed(self):
        header = self.sdk.include / "cudnn_version.h"
        plain = header.read_text()
        header.write_text(plain.replace("MINOR 14", "MINOR (10+4)"))
        self.assertEqual(self.proved()["VERSION"], "9.14.0")
        header.write_text(plain.replace("MINOR 14", "MINOR 14 of 20"))
        self.assertRegex(self.refused(), self.unread(r"<scratch>/sdk/include/cudnn_version\.h:\d+:\d+: error: [^\n]*of[^\n]*"))

    def unread(self, error):
        return rf"(?m)  CuDNNChecked_ROOT: <scratch>/sdk/include/cudnn_version\.h cannot be preprocessed: {error}$"

    def test_the_first_error_of_the_compiler_is_told(self):
        header = self.sdk.include / "cudnn_version.h"
        plain = header.read_text()
        header.write_text('#include "more;[1].h"\n' + plain)
        self.assertRegex(self.refused(), self.unread(
            r"<scratch>/sdk/include/cudnn_version\.h:1:10: fatal error: '?more;\[1\]\.h'?(: No such file or directory| file not found)"))
        header.write_text("#if 1\n" + plain + "#endif\n")
        self.assertRegex(self.refused("-DCMAKE_CXX_FLAGS=-fno-such-flag"), self.unread(r"\S+: error: .*-fno-such-flag.*"))
        with self.subTest("a header without the macros is read"):
            header.write_text('#include "cudnn_graph.h"\n')
            (self.sdk.include / "cudnn_graph.h").write_text("")
            self.assertRegex(self.refused("-DCMAKE_CXX_FLAGS="), r"(?m)  CuDNNChecked_ROOT: <scratch>/sdk/include/cudnn_version\.h "
                                                                 r"defines no version$")

    def test_a_compiler_that_says_nothing(self):
        header = self.sdk.include / "cudnn_version.h"
        header.write_text("#if 1\n" + header.read_text() + "#endif\n")
        script = self.write("c++", f'#!/bin/sh\ncase $* in *release.cpp*) exit 7 ;; esac\nexec {compiler()} "$@"\n')
        script.chmod(0o755)
        self.assertRegex(self.refused(f"-DCMAKE_CXX_COMPILER={script}"), self.unread("<scratch>/c\\+\\+ ends with 7"))

    def test_a_header_that_never_ends(self):
        """It includes a FIFO: the compiler waits for who writes to it."""
        header = self.sdk.include / "cudnn_version.h"
        header.write_text('#include "more.h"\n' + header.read_text())
        os.mkfifo(self.sdk.include / "more.h")
        # CMake ends the compiler, and newer ones not what that has started: it gets its writer.
        self.addCleanup(lambda: os.close(os.open(self.sdk.include / "more.h", os.O_RDWR)))
        self.assertIn("CuDNNChecked_ROOT: <scratch>/sdk/include/cudnn_version.h is not read by the compiler within 2 s\n",
                      self.refused("-DCuDNNChecked_PROBE_TIMEOUT=2"))

    def test_a_flag_that_leads_to_another_header(self):
        """The files are of one release, so none of them is to blame."""
        header = self.sdk.include / "cudnn_version.h"
        self.scratch.joinpath("other.h").write_text(header.read_text().replace("MINOR 14", "MINOR 13"))
        self.assertIn("""\
  found:          9.14.0   <scratch>/sdk/include/cudnn_version.h
  compiled with:  9.13.0   CUDNN_VERSION in the probe
  flags:          -include <scratch>/other.h   CMAKE_CXX_FLAGS
""", self.refused(f"-DCMAKE_CXX_FLAGS=-include {self.scratch}/other.h"))


class Located(LocatingTest):
    """Without a compiler only text that has one meaning is read."""

    def test_text(self):
        prefix = bare_cudnn(self.scratch / "sdk")
        header = prefix / "include" / "cudnn_version.h"
        unread = "<scratch>/sdk/include/cudnn_version.h defines its release in a way that only a C++ compiler reads\n"
        guard = "#ifndef GUARD\n#define GUARD\n"
        for text in (NUMBERS, guard + NUMBERS + "#endif\n", guard + NUMBERS.replace("\n", " \r\n") + "# endif\n",
                     NUMBERS.replace("#define ", " #\tdefine\t")):
            with self.subTest(text=text):
                header.write_text(text)
                self.assertEqual(self.locate(f"-DCuDNNChecked_ROOT={prefix}")["VERSION"], "9.14.0")
                self.assertTrue(status_lines(self.output)[0].startswith("cuDNN 9.14.0 · CUDA 13.0, located only"))
        for text in (NUMBERS.replace("14", "0x0E"), NUMBERS.replace("14", "014"), OLDER + NUMBERS, "#if 0\n" + NUMBERS + "#endif\n",
                     OLDER.replace("#endif", "#else\n" + NUMBERS + "#endif"), NUMBERS.replace("14", "14 /* minor */"),
                     guard + guard + NUMBERS + "#endif\n#endif\n", "/*\n" + NUMBERS.replace("14", "13") + "*/\n" + NUMBERS,
                     NUMBERS.replace("14", "(10+4)"), NUMBERS.replace("14", "OTHER"),
                     '#include "more.h"\n' + NUMBERS, NUMBERS + "#undef CUDNN_MINOR\n"):
            with self.subTest(text=text):
                header.write_text(text)
                self.assertIn("CuDNNChecked_ROOT: " + unread, self.locate(f"-DCuDNNChecked_ROOT={prefix}"))
        for text in (NUMBERS.replace("MINOR", "MINER"), guard + "#endif\n", "// none\n"):
            with self.subTest(text=text):
                header.write_text(text)
                self.assertIn("CuDNNChecked_ROOT: <scratch>/sdk/include/cudnn_version.h defines no version\n",
                              self.locate(f"-DCuDNNChecked_ROOT={prefix}"))
