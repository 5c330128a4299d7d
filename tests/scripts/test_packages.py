# SPDX-License-Identifier: BSD-3-Clause
"""Names of packages stand in one table, which C++ and CMake read."""

import re
import subprocess
import unittest

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

    def test_cmake_names_rows_of_the_table(self):
        table = TABLE.read_text(encoding="utf-8")
        named = {name for path, text in code().items() if path.endswith(".cmake")
                 for name in re.findall(r"_cudnn_checked_package_name\(\w+ (\w+)", text)}
        self.assertIn("cudnn_wheel", named)
        self.assertEqual([name for name in named if f"PACKAGE({name}, " not in table], [])

    def test_cmake_reads_the_rows(self):
        rows = re.findall(r'(?m)^PACKAGE\((\w+), "(.*)"\)$', TABLE.read_text(encoding="utf-8"))
        self.assertGreater(len(rows), 15)
        script = [f'set(tool_directory "{REPOSITORY}/tool")',
                  f'include("{REPOSITORY}/cmake/CuDNNChecked/package_name.cmake")']
        for identifier, _ in rows:
            script += [f"_cudnn_checked_package_name(name {identifier} 12)",
                       f'message("{identifier} ${{name}}")']
        (self.scratch / "names.cmake").write_text("\n".join(script))
        done = subprocess.run([cmake_program(), "-P", self.scratch / "names.cmake"], text=True,
                              capture_output=True, check=True)
        names = [(identifier, name.replace("cudnn%d", "cudnn9").replace("%d", "12"))
                 for identifier, name in rows]
        self.assertEqual([tuple(line.split(" ", 1)) for line in done.stderr.splitlines()], names)


if __name__ == "__main__":
    unittest.main()
