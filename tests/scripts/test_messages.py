# SPDX-License-Identifier: BSD-3-Clause
"""Every sentence of an error of tool/cli and tool/laboratory/command stands in a test of the command line, as a person sees it."""

import re
import unittest

from support.environment import REPOSITORY

LITERAL = r'"((?:[^"\\]|\\.)*)"'
CALL = re.compile(r"(?<![\w:])error\(((?:[^;{}]|\n)*?)\);")
RESULT = re.compile(r'(?:return|error =|wrong =|\?|:)\s*' + LITERAL)
COMMANDS = sorted(path.stem[len("help_"):] for path in (REPOSITORY / "tests/cli/expected").glob("help_*.txt"))


def text_of(literal):
    return literal.encode().decode("unicode_escape")


def sentences():
    """The parts of errors that are fixed, with the file in which they stand."""
    found = {}
    for path in sorted(path for room in ("cli", "laboratory/command") for path in (REPOSITORY / "tool" / room).rglob("*.cpp")):
        if path.parent.name == "windows":
            continue  # the tests run on Linux
        source = re.sub(r'"\s*\n\s*"', "", path.read_text(encoding="utf-8"))
        texts = [literal for call in CALL.findall(source) for literal in re.findall(LITERAL, call)]
        texts += [text for text in re.findall(LITERAL, source) if text.startswith(tuple(f"{c}: " for c in COMMANDS))]
        if path.name in ("check_program.cpp", "report_input.cpp", "assumed_machine.cpp"):
            texts += RESULT.findall(source)
        for text in texts:
            fixed = re.sub("^: ", "", text_of(text).strip())
            if len(fixed) > 9 and " " in fixed and "\n" not in fixed:
                found[fixed] = path.name
    return found


class Messages(unittest.TestCase):
    maxDiff = None

    def test_each_error_is_asserted(self):
        # Long ones are broken over lines of the test.
        tests = "".join(path.read_text(encoding="utf-8") for room in ("cli", "laboratory")
                        for path in (REPOSITORY / "tests" / room).glob("*.py"))
        tests = re.sub(r'"\s*\n\s*f?"', "", tests)
        missing = [f"{file}: {text}" for text, file in sentences().items() if text not in tests]
        self.assertEqual("\n".join(missing), "")

    def test_there_are_such_sentences(self):
        self.assertGreater(len(sentences()), 30)
