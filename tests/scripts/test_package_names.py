# SPDX-License-Identifier: BSD-3-Clause
"""Names of packages stand in one table, which C++ and CMake read."""

import re
import subprocess

from support import REPOSITORY, ScratchTest, cmake_program

TABLE = REPOSITORY / "tool/core/judge/advice/packages.def"
NAME = re.compile(r"nvidia-(?:cu|nv)[a-z]+|\b(?:lib)?cudnn\d+-|libcudnn8\b|zlib1g|cuda-nvrtc|"
                  r"libnvjitlink\b")
C_COMMENT = "//.*"
CMAKE_COMMENT = r"#\[=+\[[\s\S]*?\]=+\]|(?m:^ *#.*$)"
ENDINGS = {".cpp": C_COMMENT, ".h": C_COMMENT, ".inc": C_COMMENT, ".cmake": CMAKE_COMMENT}


def code():
    """{path: text without comments} of everything that is shipped, but the table."""
    files = [path for folder in ("tool", "cmake") for path in (REPOSITORY / folder).rglob("*")]
    return {str(path.relative_to(REPOSITORY)):
                re.sub(ENDINGS[path.suffix], "", path.read_text(encoding="utf-8"))
            for path in sorted(files) if path.suffix in ENDINGS}


class Packages(ScratchTest):
    def test_no_name_stands_elsewhere(self):
        found = {path: NAME.findall(text) for path, text in code().items()}
        self.assertEqual({path: names for path, names in found.items() if names}, {})

    def test_cmake_reads_rows_of_the_table(self):
        """The package that lacks, in what is said of a place that was passed over."""
        script = f"""
include("{REPOSITORY}/cmake/CuDNNChecked/every_configure/facts.cmake")
include("{REPOSITORY}/cmake/CuDNNChecked/every_configure/package.cmake")
include("{REPOSITORY}/cmake/CuDNNChecked/search/find_cuda.cmake")
_cudnn_checked_put_where()
foreach(cuda IN ITEMS 12 13)
  _cudnn_checked_crt_package(name ${{cuda}})
  message("${{name}}")
endforeach()
"""
        (self.scratch / "names.cmake").write_text(script)
        done = subprocess.run([cmake_program(), "-P", self.scratch / "names.cmake"], text=True,
                              capture_output=True, check=True)
        rows = dict(re.findall(r'(?m)^PACKAGE\((\w+), "(.*)"\)$', TABLE.read_text(encoding="utf-8")))
        self.assertEqual(done.stderr.split(), [rows["nvcc_wheel"] + "-cu12", rows["crt_wheel"]])
