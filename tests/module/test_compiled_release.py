# SPDX-License-Identifier: BSD-3-Clause
"""The release of cuDNN is the one that cudnn_version.h has as plain numbers, and that the compiler sees."""

from support import bare_cudnn
from support.locating import LocatingTest
from support.output import status_lines
from support.proving import ProvingTest

OLDER = "#if 0\n#define CUDNN_MAJOR 9\n#define CUDNN_MINOR 1\n#define CUDNN_PATCHLEVEL 5\n#endif\n"
NUMBERS = "#define CUDNN_MAJOR 9\n#define CUDNN_MINOR 14\n#define CUDNN_PATCHLEVEL 0\n"


class Compiled(ProvingTest):
    def test_the_compiler_decides(self):
        header = self.sdk.include / "cudnn_version.h"
        plain = header.read_text()
        self.scratch.joinpath("right.h").write_text(plain)
        header.write_text(plain.replace("MINOR 14", "MINOR 13"))
        flags = f"-include {self.scratch}/right.h"
        self.assertEqual(self.refused(f"-DCMAKE_CXX_FLAGS={flags}"), """\
cudnn_checked: refused: the compiler sees the headers of another cuDNN than the one that was found
  found:          9.13.0   <scratch>/sdk/include/cudnn_version.h
  compiled with:  9.14.0   CUDNN_VERSION in the probe
  flags:          -include <scratch>/right.h   CMAKE_CXX_FLAGS
  A program compiled with it would call functions and pass enumerations of another release.
  fix: remove the other directory from CMAKE_CXX_FLAGS, CPATH and CPLUS_INCLUDE_PATH
   or: let CuDNNChecked_ROOT name the directory above the headers that the compiler sees
  [header-library-mismatch]
""")

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
    """Only text that has one meaning is read."""

    def test_text(self):
        prefix = bare_cudnn(self.scratch / "sdk")
        header = prefix / "include" / "cudnn_version.h"
        odd = "<scratch>/sdk/include/cudnn_version.h defines no release as three plain numbers\n"
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
                     '#include "more.h"\n' + NUMBERS, NUMBERS + "#undef CUDNN_MINOR\n",
                     NUMBERS.replace("MINOR", "MINER"), guard + "#endif\n", "// none\n"):
            with self.subTest(text=text):
                header.write_text(text)
                self.assertIn("CuDNNChecked_ROOT: " + odd, self.locate(f"-DCuDNNChecked_ROOT={prefix}"))
