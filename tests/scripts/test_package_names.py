# SPDX-License-Identifier: BSD-3-Clause
"""Names of packages stand in one table."""

import re
import unittest

from support import REPOSITORY

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


class Packages(unittest.TestCase):
    def test_no_name_stands_elsewhere(self):
        found = {path: NAME.findall(text) for path, text in code().items()}
        self.assertEqual({path: names for path, names in found.items() if names}, {})
