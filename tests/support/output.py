# SPDX-License-Identifier: BSD-3-Clause
"""Whole outputs, with the paths of this run replaced by words."""

import re


def _blocks(kind, output):
    """The texts of CMake's errors or warnings, without the frame that CMake puts around them."""
    pattern = (r"CMake " + kind + r"[^\n]*:\n(.*?)(?=\nCall Stack|\n\n\n|\nThis warning is for|"
               r"\n-- |\nCMake |\Z)")
    found = []
    for text in re.findall(pattern, output, re.DOTALL):
        lines = [line.rstrip() for line in text.strip("\n").split("\n")]
        indent = min((len(line) - len(line.lstrip()) for line in lines if line), default=0)
        found.append("\n".join(line[indent:] for line in lines) + "\n")
    return found


def errors(output):
    return _blocks("Error", output)


def warnings(output):
    return _blocks("Warning", output)


def status_lines(output):
    """What was printed with message(STATUS), without CMake's own lines about compilers."""
    own = re.compile(r"(The (C|CXX) compiler|Detecting C|Check for working|Configuring |"
                     r"Generating |Build files)")
    lines = [line[3:] for line in output.splitlines() if line.startswith("-- ")]
    return [line for line in lines if not own.match(line)]


def assert_refusal(test, text, summary, name, fix, *facts):
    """A message whose whole text stands in tests/unit: its summary, name and first fix, and facts in it."""
    for part in [f"cudnn_checked: refused: {summary}", *(f"\n  {fact}" for fact in facts), f"\n  fix: {fix}\n",
                 f"\n  [{name}]\n"]:
        test.assertIn(part, text)


def relative_output(text, **paths):
    """Replaces paths by <name>: relative_output(text, scratch=...) gives <scratch>/...

    The longest path is replaced first, so that one may lie within another.  Columns that were
    padded for the real paths are narrowed to three spaces, and the CMake that runs is "cmake".
    """
    text = re.sub(r"(?m)(?<=[:&;] )(?:'[^'\n]*/cmake'|/[^\s']*/cmake)(?= )", "cmake", text)
    # Which of the two is told depends on the package lists of this machine.
    text = re.sub(r"(?m)^(  (?:fix| or)): install the Debian package (\S+)(?: from NVIDIA's repository)?$",
                  r"  try: apt-get install \2", text)
    for name, path in sorted(paths.items(), key=lambda item: -len(str(item[1]))):
        text = text.replace(str(path), f"<{name}>")
    return re.sub(r"(?<=[^\s:]) {3,}(?=\S)", "   ", text)
