# SPDX-License-Identifier: BSD-3-Clause
"""examples/README.md against the directories, and each directory against the others."""

import re
import unittest

from support import REPOSITORY
from support.gallery import EXAMPLES, commands

DIRECTORIES = sorted(path.name for path in EXAMPLES.iterdir() if path.is_dir())
PROJECTS = [name for name in DIRECTORIES if (EXAMPLES / name / "CMakeLists.txt").exists()]
README = (EXAMPLES / "README.md").read_text(encoding="utf-8")


class Gallery(unittest.TestCase):
    def test_every_example_is_listed_and_has_its_commands(self):
        self.assertEqual(sorted(re.findall(r"(?m)^\| \[\w+\]\((\w+)\) \|", README)), DIRECTORIES)
        self.assertEqual(sorted(re.findall(r"(?m)^## (\w+)$", README)), DIRECTORIES)
        for name in PROJECTS:
            configure = f"cmake -S examples/{name} -B build/{name} -D CuDNNChecked_DIR=$PWD/cmake"
            self.assertTrue(any(c.startswith(configure) for c in commands(name)), name)
            self.assertIn(f"cmake --build build/{name}", commands(name))

    def test_every_example_has_a_test(self):
        for name in DIRECTORIES:
            self.assertTrue((REPOSITORY / "tests" / "examples" / f"test_{name}.py").is_file(), name)

    def test_an_example_names_nothing_outside_of_it(self):
        """What `..` leads to is not there in a copy; comments may name it."""
        for path in (p for name in DIRECTORIES for p in (EXAMPLES / name).rglob("*") if p.is_file()):
            code = re.sub(r"(?m)(#|//) .*$|/\*.*?\*/", "", path.read_text(encoding="utf-8"))
            self.assertNotIn("../", code, path)

    def test_the_copies_of_a_source_are_equal(self):
        """Examples stand alone, so some have the same source; mended in one, it is mended in all."""
        for name in ("blur.h", "blur.cpp", "blur_refusal.h", "blur_refusal.cpp"):
            texts = {path.read_text(encoding="utf-8") for path in EXAMPLES.glob(f"*/{name}")}
            self.assertEqual(len(texts), 1, name)
