# SPDX-License-Identifier: BSD-3-Clause
"""String literals that Microsoft's compiler takes: of at most 16,380 bytes, and of 65,535 with those beside it that become
one with it (C2026, also of cl 19.44, and "String literals (C++)", Size of String Literals)."""

import pathlib
import re
import subprocess
import tempfile
import unittest

from support.environment import REPOSITORY, built

MOST, MOST_JOINED = 16380, 65535
ENDINGS = (".c", ".cpp", ".cu", ".def", ".h", ".hpp", ".in", ".inc")
TOKEN = re.compile(r"""//[^\n]*|/\*.*?\*/                                     # a comment
                       |(?:u8|[uUL])?R"([^()\\\s]{0,16})\((?P<raw>.*?)\)\1"
                       |(?:u8|[uUL])?"(?P<plain>(?:[^"\\\n]|\\.)*)"
                       |'(?:[^'\\\n]|\\.)+'|\w+|\S""", re.DOTALL | re.VERBOSE)


def too_long(source):
    """The lines of literals that are too long, alone or joined, with their bytes as they are written."""
    joined = 0
    for token in TOKEN.finditer(source):
        literal = token["raw"] if token["raw"] is not None else token["plain"]
        if literal is None:
            joined = joined if token[0].startswith(("//", "/*")) else 0
            continue
        size = len(literal.encode())
        joined += size
        if size > MOST or joined > MOST_JOINED:
            yield source.count("\n", 0, token.start()) + 1, size, joined


def sources():
    """Those of the product, those that its build generates, and those of the copy that a project brings into its tree."""
    for folder in ("tool", "include", "cmake", "templates"):
        yield from (path for path in (REPOSITORY / folder).rglob("*") if path.suffix in ENDINGS)
    yield from (path for path in built("tool").rglob("*.cpp") if "CMakeFiles" not in path.parts)


class StringLiterals(unittest.TestCase):
    def of_all(self, paths):
        paths = list(paths)
        found = {str(path): list(too_long(path.read_text(encoding="utf-8"))) for path in paths}
        self.assertEqual({name: lines for name, lines in found.items() if lines}, {})
        return {path.name for path in paths}

    def test_of_the_product(self):
        self.assertLessEqual({"findings_document.cpp", "identity.cpp", "program_text.cpp", "guard.h"}, self.of_all(sources()))

    def test_of_the_copy(self):
        with tempfile.TemporaryDirectory(prefix="cudnn-checked-literals-") as folder:
            copy = pathlib.Path(folder) / "copy"
            subprocess.run([REPOSITORY / "dev", "vendor", copy, "--laboratory"], check=True, stdout=subprocess.DEVNULL)
            names = self.of_all(path for path in copy.rglob("*") if path.suffix in ENDINGS)
        self.assertLessEqual({"core.cpp", "guard.cpp", "configure.cpp", "probe.cpp", "sweep.cpp"}, names)

    def test_which_are_too_long(self):
        fits, parts = "a" * MOST, "b" * 16000
        for source, lines in (
                (f'x = "{fits}";', []),
                (f'x =\n "{fits}a";', [(2, 16381, 16381)]),
                (f'R"t({fits}\n)t"', [(1, 16381, 16381)]),
                (f'"{fits}" // "\n"a"', []),
                (f'// "{fits}a"\n/* "{fits}a" */ \'"\' "b"', []),
                (f'"{parts}", ' * 5, []),
                (f'"{parts}"\n' * 5, [(5, 16000, 80000)]),
                (f'"{parts}" "{parts}" /* */ "{parts}" // \n "{parts}" "{parts}"', [(2, 16000, 80000)])):
            self.assertEqual(list(too_long(source)), lines, source[:40])


if __name__ == "__main__":
    unittest.main()
