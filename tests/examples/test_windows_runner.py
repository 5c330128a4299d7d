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
        jobs = yaml.safe_load(FILE.read_text(encoding="utf-8"))["jobs"]
        self.assertEqual(set(jobs), {"minimal", "command_line"})
        commands = "\n".join(step.get("run", "") for job in jobs.values() for step in job["steps"])
        for source in re.findall(r"-S (\S+)", commands):
            self.assertTrue((REPOSITORY / source / "CMakeLists.txt").is_file(), source)
        for script in re.findall(r"python (\S+\.py)", commands):
            self.assertTrue((REPOSITORY / script).is_file(), script)
        files = ("examples/minimal/CMakeLists.txt", "cmake/FindCuDNNChecked.cmake", "CMakeLists.txt", "tool/cli/option.cmake")
        known = "".join((REPOSITORY / name).read_text(encoding="utf-8") for name in files)
        known += "CuDNNChecked_DIR CMAKE_COMPILE_WARNING_AS_ERROR CMAKE_MSVC_RUNTIME_LIBRARY"
        for option in re.findall(r"-D (\w+)=", commands):
            self.assertIn(option, known)


if __name__ == "__main__":
    unittest.main()
