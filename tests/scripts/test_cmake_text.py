# SPDX-License-Identifier: BSD-3-Clause
"""What CMake accepts without a word, and nobody wants: a function that is defined twice, lines that the formatter leaves long."""

import collections
import re
import unittest

from support import REPOSITORY

CMAKE = REPOSITORY / "cmake"
OTHER_PLATFORM = {"linux": "windows", "windows": "linux"}


def texts():
    return {path.relative_to(CMAKE).as_posix(): path.read_text(encoding="utf-8") for path in sorted(CMAKE.rglob("*.cmake"))}


def defined_twice(files, platform):
    """The functions and macros of more than one definition, with their files: the second replaces the first."""
    found = collections.defaultdict(list)
    for name, text in files.items():
        if OTHER_PLATFORM[platform] not in name.split("/"):
            for function in re.findall(r"(?mi)^\s*(?:function|macro)\(\s*(\w+)", text):
                found[function].append(name)
    return {function: where for function, where in found.items() if len(where) > 1}


def long_lines(files):
    """The formatter breaks neither comments nor strings."""
    return [f"{name}:{number}" for name, text in files.items() for number, line in enumerate(text.split("\n"), 1) if len(line) > 100]


class Text(unittest.TestCase):
    def test_a_function_has_one_definition_on_each_platform(self):
        for platform in OTHER_PLATFORM:
            with self.subTest(platform=platform):
                self.assertEqual(defined_twice(texts(), platform), {})

    def test_a_second_definition_is_seen(self):
        one, two = "function(f result)\nendfunction()\n", "macro(\n  f\n  result\n)\nendmacro()\n"
        self.assertEqual(defined_twice({"a.cmake": one + two}, "linux"), {"f": ["a.cmake", "a.cmake"]})
        rooms = {"search/linux/a.cmake": one, "search/windows/a.cmake": one}
        self.assertEqual(defined_twice(rooms, "windows"), {})
        self.assertEqual(defined_twice({**rooms, "b.cmake": two}, "windows"), {"f": ["search/windows/a.cmake", "b.cmake"]})

    def test_no_line_has_over_100_columns(self):
        self.assertEqual(long_lines(texts()), [])

    def test_a_long_line_is_seen(self):
        self.assertEqual(long_lines({"a.cmake": "#" * 100 + "\n#" + "·" * 100}), ["a.cmake:2"])


if __name__ == "__main__":
    unittest.main()
