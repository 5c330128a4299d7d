# SPDX-License-Identifier: BSD-3-Clause
"""examples/windows_runner: what can be said of a workflow that no Windows has run."""

import re
import unittest

from support import REPOSITORY

try:
    import yaml
except ImportError:
    yaml = None

FILE = REPOSITORY / "examples/windows_runner/windows.yml"


class WindowsRunner(unittest.TestCase):
    def test_it_says_that_it_is_untried(self):
        self.assertIn("# Untried: ", FILE.read_text(encoding="utf-8"))

    @unittest.skipUnless(yaml, "there is no PyYAML here (python3-yaml)")
    def test_it_names_what_there_is(self):
        job = yaml.safe_load(FILE.read_text(encoding="utf-8"))["jobs"]["minimal"]
        commands = "\n".join(step.get("run", "") for step in job["steps"])
        for source in re.findall(r"-S (\S+)", commands):
            self.assertTrue((REPOSITORY / source / "CMakeLists.txt").is_file(), source)
        project = (REPOSITORY / "examples/minimal/CMakeLists.txt").read_text(encoding="utf-8")
        module = (REPOSITORY / "cmake/FindCuDNNChecked.cmake").read_text(encoding="utf-8")
        for option in re.findall(r"-D (\w+)=", commands):
            self.assertIn(option, project + module + "CuDNNChecked_DIR")


if __name__ == "__main__":
    unittest.main()
