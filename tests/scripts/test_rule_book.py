# SPDX-License-Identifier: BSD-3-Clause
"""A release of cuDNN or CUDA is a number in the tables alone (*.def, tool/data), not in code."""

import csv
import re
import unittest

from support.environment import REPOSITORY

# Major releases of cuDNN and CUDA, those of tomorrow too.  Below are those of glibc.
MAJOR = r"(?:[7-9]|1[0-9])"
IN_CPP = [
    r"version\s*(?:\w+\s*)?\{\s*" + MAJOR + r"\s*,",
    r"\b(?:number|built|toolkit|effective|release|cudnn|cuda)\w*[.]major\s*(?:==|!=|<=?|>=?)\s*" + MAJOR + r"\b",
    r"\b(?:cudnn|cuda)_major\w*\s*(?:==|!=|<=?|>=?)\s*" + MAJOR + r"\b",
    r"\b(?:wheel_of_cudnn|install_cudnn|make_set)\(\s*(?:\w+,\s*)?" + MAJOR + r"\b",
    r"== 0 [?] " + MAJOR + r" :",
    r'"lib[^" ]*[.]so[.]' + MAJOR + r'"',
    r'"[^"]*[-/]cu1[0-9]\b',
]
IN_CMAKE = [
    r"(?:major|cuda|cudnn|version)\w*\}?\"?\s+(?:VERSION_)?(?:LESS|GREATER|EQUAL|STREQUAL)\w*\s+\"?" + MAJOR + r"\b",
    r"\^" + MAJOR + r"\\\\[.]",
    r"[.]so[.]" + MAJOR + r"\b",
    r"\bcu1[0-9]\b",
]


def code_of(path):
    """Its lines without comments."""
    comment = r"^\s*//.*|///.*" if path.suffix in (".cpp", ".h") else r"^\s*#.*"
    return re.sub(comment, "", path.read_text(), flags=re.M)


def numbers(folder, endings, patterns):
    for ending in endings:
        for path in sorted((REPOSITORY / folder).rglob(f"*{ending}")):
            for number, line in enumerate(code_of(path).splitlines(), 1):
                if any(re.search(pattern, line) for pattern in patterns):
                    yield f"{path.relative_to(REPOSITORY)}:{number}: {line.strip()}"


class RuleBook(unittest.TestCase):
    def test_cpp(self):
        rooms = ("core", "guard", "repair", "configure", "probe", "prove", "bundle", "laboratory", "convolution", "opened", "cli/machine",
                 "cli/program", "cli/process", "cli/survey", "cli/doctor")
        self.assertEqual([room for room in rooms if not (REPOSITORY / "tool" / room).is_dir()], [])
        found = [line for room in rooms for line in numbers(f"tool/{room}", (".cpp", ".h"), IN_CPP)]
        self.assertEqual(found, [])

    def test_cmake(self):
        text = [line for line in numbers("cmake/CuDNNChecked", (".cmake",), IN_CMAKE)]
        self.assertEqual(text, [])

    def test_the_catalogue_has_a_cudnn_for_each_cuda(self):
        """Where no CUDA is known, the wheel for the newest one is advised."""
        model = REPOSITORY / "tool/core/model/cuda_majors.def"
        rows = re.findall(r"(?m)^CUDA_MAJOR_ROW\((\d+), ", model.read_text(encoding="utf-8"))
        with (REPOSITORY / "tool/data/catalogue/build_ids.csv").open(encoding="utf-8", newline="") as stream:
            known = {row["cuda_major"] for row in csv.DictReader(stream)}
        self.assertEqual([major for major in rows if major not in known], [])

    def test_what_is_found(self):
        for patterns, line in [(IN_CPP, "if (number < version{9, 11, 0}) {"), (IN_CPP, "const version bad{9, 10, 0};"),
                               (IN_CPP, "return observed.cudnn_major >= 9;"), (IN_CPP, "if (number.major == 8) {"),
                               (IN_CPP, "wheel_of_cudnn(9, 0, kind)"), (IN_CPP, 'open("libcudnn.so.9")'),
                               (IN_CPP, 'folder = "nvidia/cu13"'), (IN_CMAKE, "if(cuda LESS 13)"),
                               (IN_CMAKE, 'if(place_version MATCHES "^8\\\\.")'), (IN_CMAKE, "if(major EQUAL 8)"),
                               (IN_CMAKE, 'set(asker "${lib}/libcudnn_ops_infer.so.8")')]:
            self.assertTrue(any(re.search(pattern, line) for pattern in patterns), line)
