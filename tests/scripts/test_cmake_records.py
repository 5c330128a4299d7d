# SPDX-License-Identifier: BSD-3-Clause
"""Records of CMake (every_configure/facts.cmake): what a function sets in its caller reaches those who need it."""

import re
import unittest

from support import REPOSITORY

ROOMS = REPOSITORY / "cmake/CuDNNChecked"
OWN = "_cudnn_checked_"
# Where the road of a record ends: these functions use it and hand it to nobody.
ENDS = {
    "input": {"answer"},
    "place": {"answer"},
    "cuda": {"answer"},
    "result": {"answer"},
    "named": {"prove"},
    "prover": {"reach_level", "judge_again"},
    "built": {"link_probe", "link_sweep"},
    "run": {"load_and_run", "sweep"},
    "seen": {"remember_answer"},
    "found": {"find_cuda", "find_cudnn", "find_elsewhere", "first_runtime", "use_pinned", "words_of_places"},
    "passed": {"find_cuda", "find_cudnn", "find_elsewhere", "first_runtime"},
}


def functions(other_platform):
    """{name: body} of one platform; a macro's as well."""
    found = {}
    for path in sorted(ROOMS.rglob("*.cmake")):
        if other_platform not in path.parts:
            code = re.sub(r"(?m)^ *#.*$", "", path.read_text(encoding="utf-8"))
            found.update(re.findall(rf"(?ms)^(?:function|macro)\(\s*{OWN}(\w+)(.*?)^end(?:function|macro)\(\)", code))
    return found


def called(body, known):
    """The functions that a body calls, those of a list of steps included."""
    steps = "".join(re.findall(rf"{OWN}steps\(([^)]*)\)", body))
    return {name for name in re.findall(rf"{OWN}(\w+)\(", body) + re.findall(r"\w+", steps) if name in known}


def handed_up(body):
    names = set(" ".join(re.findall(rf"{OWN}hand_up\(([^)]*)\)", body)).split())
    for record in ENDS:
        if re.search(rf"set\(\s*{record}_[\w${{}}]+ [^)]*PARENT_SCOPE", body):
            names.add(record)
    return names & set(ENDS)


def ends(code):
    """{record: functions that get it of one that they call, and hand it to nobody}"""
    up = {name: handed_up(body) for name, body in code.items()}
    found = {record: set() for record in ENDS}
    for name, body in code.items():
        for callee in called(body, code) - {name}:
            for record in up[callee] - up[name]:
                found[record].add(name)
    return found


class Records(unittest.TestCase):
    def test_each_road_ends_where_the_table_says(self):
        for other in ("windows", "linux"):
            with self.subTest(without=other):
                self.assertEqual(ends(functions(other)), ENDS)

    def test_a_function_that_hands_nothing_on_is_seen(self):
        code = functions("windows")
        code["cuda_places"] = code["cuda_places"].replace(f"{OWN}hand_up(passed)", "")
        self.assertEqual(ends(code)["passed"], ENDS["passed"] | {"cuda_places"})
        code["reach_level"] = re.sub(rf"{OWN}hand_up\(.*?\)", "", code["reach_level"])
        self.assertIn("reach_level", ends(code)["result"])

    def test_the_table_of_fields_has_each_record(self):
        text = (ROOMS / "every_configure/facts.cmake").read_text(encoding="utf-8")
        rows = re.findall(r'(?m)^ +"([a-z]+) [a-z_ ]+"$', text)
        self.assertEqual(set(rows) - {"configure", "lock"}, set(ENDS))


if __name__ == "__main__":
    unittest.main()
