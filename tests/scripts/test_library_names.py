# SPDX-License-Identifier: BSD-3-Clause
"""What a sub-library of cuDNN is, opens and needs stands in its row of library_roles.def, and what some of its
releases do in tables beside it: no other code names one."""

import re
import unittest

from support.environment import REPOSITORY
from support.library_roles import ROWS

TOOL = REPOSITORY / "tool"
TABLES = [TOOL / "core/model" / name for name in ("library_roles.def", "needed_on_linux.def")]
# Made from data, stubs that link as cuDNN does, and a product of its own.
OTHERS = ("data", "opened", "laboratory")
# The shim is what a program asks for, and graph is what all computing of cuDNN 9 goes through: the search and
# the rules are about these two.
OF_EACH = {"shim", "graph"}
EXCEPTIONS = {
    "cli/explain/error_texts": "sentences for a person, and the words of other programs",
    "cli/words/command_table.cpp": "an example of a command",
    "cli/windows/help_words.cpp": "the same example on Windows",
    "facts/words.h": "graph is an API as well",
}
ROLES = {name for name, _, _ in ROWS}


def code_of(text):
    """Without comments, as good as it gets without a parser: no string of this project has // or /*."""
    return re.sub(r"(?m)(?<!:)//.*$", "", re.sub(r"(?s)/\*.*?\*/", "", text))


def names_in(text):
    """The sub-libraries that code names: as an enumerator, as a word, as a file or by its version check."""
    code = code_of(text)
    found = {name for name in re.findall(r"\blibrary_role::(\w+)", code) if name in ROLES - OF_EACH}
    for literal in re.findall(r'"((?:[^"\\\n]|\\.)*)"', code):
        if literal in ROLES - {"shim"}:
            found.add(literal)
        found |= {name for name in re.findall(r"(?:lib)?cudnn_([a-z_]+?)(?=64_|[^a-z_]|$)", literal)
                  if name in ROLES and not re.search(rf"cudnn_{name}\.h", literal)}
        found |= {name for name in ROLES
                  if f"cudnn{name.title().replace('_', '')}VersionCheck" == literal}
    return found


class LibraryNames(unittest.TestCase):
    def test_no_other_code_names_a_sub_library(self):
        named = {}
        for path in sorted(TOOL.rglob("*")):
            place = path.relative_to(TOOL).as_posix()
            if path.suffix not in {".cpp", ".h", ".def", ".cu"} or path in TABLES or place.startswith(OTHERS):
                continue
            names = names_in(path.read_text(encoding="utf-8"))
            if names:
                named[place] = names
        unexpected = {place: names for place, names in named.items() if not place.startswith(tuple(EXCEPTIONS))}
        self.assertEqual(unexpected, {})
        for place in EXCEPTIONS:
            self.assertTrue(any(one.startswith(place) for one in named), f"{place} names none, and needs no exception")

    def test_each_way_to_name_one_is_seen(self):
        for code, names in (
                ("return library_role::ops;", {"ops"}),
                ("return library_role::graph;", set()),
                ('if (component == "adv") {', {"adv"}),
                ('open("libcudnn_cnn_infer.so.8");', {"cnn_infer"}),
                ('open("cudnn_ops64_9.dll");', {"ops"}),
                ('{"cudnn_heuristic", 1},', {"heuristic"}),
                ('find("cudnnOpsInferVersionCheck");', {"ops_infer"}),
                ('follow("cudnn_ops.h");', set()),
                ('/// "libcudnn_ops.so.9" is "ops".', set()),
                ('say("https://host/of");  // "adv"', set())):
            with self.subTest(code):
                self.assertEqual(names_in(code), names)

