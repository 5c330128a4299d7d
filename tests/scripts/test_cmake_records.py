# SPDX-License-Identifier: BSD-3-Clause
"""The functions of the find module read what their signatures name, and what they set reaches those who need it."""

import re
import unittest

from support import REPOSITORY, cmake_code, cmake_scopes

ROOMS = REPOSITORY / "cmake/CuDNNChecked"
OTHER_PLATFORM = {"linux": "windows", "windows": "linux"}


def module(platform, change=lambda text: text):
    texts = {path.relative_to(ROOMS).as_posix(): path.read_text(encoding="utf-8") for path in sorted(ROOMS.rglob("*.cmake"))}
    texts = {name: change(text) for name, text in texts.items() if OTHER_PLATFORM[platform] not in name.split("/")}
    return cmake_scopes.Module(texts, cmake_scopes.records(texts["every_configure/facts.cmake"]))


def problems(known):
    found = set()
    for function in known.functions.values():
        name = f"{function.path}: {function.name.replace(cmake_scopes.OWN, '')}"
        # What both platforms have has one signature, though one of them may need less.
        one_of_two = any(platform in function.path.split("/") for platform in OTHER_PLATFORM)
        for problem in known.problems(function):
            if not function.is_macro and not (one_of_two and problem.endswith("for nothing")):
                found.add(f"{name} {problem}")
    return found


class Records(unittest.TestCase):
    maxDiff = None

    def test_each_function_reads_what_its_signature_names(self):
        for platform in OTHER_PLATFORM:
            with self.subTest(platform=platform):
                self.assertEqual(problems(module(platform)), set())

    def seeded(self, before, after):
        """What is wrong with the module where a text of it is replaced."""
        count = 0

        def change(text):
            nonlocal count
            count += text.count(before)
            return text.replace(before, after)

        known = module("linux", change)
        self.assertEqual(count, 1, before)
        return problems(known)

    def test_a_violation_is_seen(self):
        for before, after, seen in (
                # A value of a caller that no signature names, and one that nobody has set.
                ("_cudnn_checked_missing_components result components sublibraries", "_cudnn_checked_missing_components result",
                 "run/components.cmake: missing_components reads components"),
                ('  set(lost "")\n', "", "search/find_cudnn.cmake: find_cudnn reads lost"),
                # A record that is not in the signature, is not handed on, or is another one.
                ("_cudnn_checked_check_paths place cuda)", "_cudnn_checked_check_paths place)",
                 "run/prove.cmake: check_paths reads cuda_include"),
                ("_cudnn_checked_check_paths(place cuda)", "_cudnn_checked_check_paths(place input)",
                 "run/prove.cmake: prove calls check_paths without cuda"),
                ("find_cudnn(place input)\n  endif", "find_cudnn(input place)\n  endif", "run/prove.cmake: locate_cudnn calls find_cudnn without place"),
                # A record that is lost on the way.
                ('  _cudnn_checked_hand_up(passed)\n  set(${places} "${found}" PARENT_SCOPE)\nendfunction()\n\n# _cudnn_checked_cuda_of',
                 '  set(${places} "${found}" PARENT_SCOPE)\nendfunction()\n\n# _cudnn_checked_cuda_of',
                 "search/cuda_prefixes.cmake: cuda_places keeps passed of rooted"),
                # A field that the table does not have, so that nothing reads it from a file.
                ("${proof_step_kind}", "${proof_kind_of_step}",
                 "run/run_probe.cmake: read_end reads proof_kind_of_step, which is no field"),
                # One that is handed up and in no signature, and one that is there for nothing.
                ("function(_cudnn_checked_place_of_found place prefix found)", "function(_cudnn_checked_place_of_found prefix found)",
                 "search/find_cudnn.cmake: place_of_found hands up place"),
                ("function(_cudnn_checked_compare_header target place)", "function(_cudnn_checked_compare_header target place run)",
                 "provider/compare.cmake: compare_header has run for nothing")):
            with self.subTest(seen=seen):
                self.assertIn(seen, self.seeded(before, after))

    def usages(self, files, table):
        """The lines of comments that show how a function is called, and are not as its signature is."""
        for name, text in files.items():
            signatures = {function.name: function.formals for function in cmake_code.functions(text, name)}
            for called, usage in re.findall(rf"(?m)^# ({cmake_scopes.OWN}\w+)\(([^)]*)\)", text):
                shown = re.findall(r"<[^>]*>(?:\.\.\.)?|\[[^]]*\]+|[\w|]+(?:\.\.\.)?", re.sub(r"\s*\n#\s*", " ", usage))
                shown = [word for word in shown if not word.startswith("[") and not word.endswith("...")]
                formals = signatures.get(called, shown)
                if len(shown) != len(formals) or [w for w in shown if w in table] != [w for w in formals if w in table]:
                    yield f"{name}: {called}"

    def test_a_comment_shows_the_signature(self):
        known = module("linux")
        texts = {path.relative_to(ROOMS).as_posix(): path.read_text(encoding="utf-8") for path in ROOMS.rglob("*.cmake")}
        # It has words in place of a signature.
        self.assertEqual(list(self.usages(texts, known.records)), ["say/message.cmake: _cudnn_checked_refuse"])
        road = texts["run/prove.cmake"].replace("# _cudnn_checked_prove(input place cuda proved)", "# _cudnn_checked_prove(place)")
        self.assertEqual(list(self.usages({"prove.cmake": road}, known.records)), ["prove.cmake: _cudnn_checked_prove"])

    def test_the_table_of_fields_has_no_field_twice(self):
        table = cmake_scopes.records((ROOMS / "every_configure/facts.cmake").read_text(encoding="utf-8"))
        fields = [field for record in table.values() for field in record]
        self.assertEqual(len(fields), len(set(fields)))


if __name__ == "__main__":
    unittest.main()
