# SPDX-License-Identifier: BSD-3-Clause
"""The module as other tools read it: the types of the reports, mypy, ruff, and the oldest Python of the wheel."""

import ast
import json
import re
import subprocess
import sys
import typing
import unittest

from support import REPOSITORY, ScratchTest, clean_environment
from support.python_tools import python_with_tools
from support.schema import schema

PACKAGE = REPOSITORY / "packaging" / "python"
sys.path.insert(0, str(PACKAGE))
import make_reports  # noqa: E402
import make_wheel  # noqa: E402
from cudnn_checked import reports  # noqa: E402

PROGRAM = """\
import pathlib
import cudnn_checked
from cudnn_checked.reports import Doctor, Report

def worst(tree: Doctor) -> str:
    return tree["verdict"]

report: Report = cudnn_checked.verify(pathlib.Path("app"), timeout=5)
text: str = worst(cudnn_checked.doctor("/opt", b"/opt", pathlib.Path("/opt"), hash=True)) + cudnn_checked.__version__
wrong: int = report["verdict"]
report["nothing"]
cudnn_checked.nothing
"""


class Reports(unittest.TestCase):
    def test_they_are_those_of_the_schema(self):
        self.assertTrue(make_reports.REPORTS.read_text(encoding="utf-8") == make_reports.reports(),
                        "the schema was changed; type: python3 packaging/python/make_reports.py")

    def test_each_object_has_the_members_of_the_schema(self):
        for name, rule in schema()["$defs"].items():
            made = getattr(reports, make_reports.class_name(name))
            if "properties" in rule:
                self.assertEqual(set(typing.get_type_hints(made)), set(rule["properties"]), name)
                self.assertEqual(set(made.__required_keys__), set(rule["required"]), name)

    def test_rules_of_every_kind(self):
        """Those that the schema has today, and an object in an object, which gets the name of both."""
        text = json.loads("""{"$defs": {
          "one_thing": {"type": "object", "description": "A thing.", "required": ["a"], "properties": {
            "a": {"type": "object", "description": "In it.", "required": ["b"],
                  "properties": {"b": {"type": ["number", "null"], "description": "B."}}},
            "c": {"type": "array", "items": {"$ref": "#/$defs/word"}}}},
          "word": {"enum": ["x", 2]}}}""")
        types = make_reports.Types(text)
        self.assertEqual("\n".join([*types.classes.values(), *types.aliases.values()]), '''\
class OneThingA(TypedDict):
    """In it."""

    b: Union[float, None]
    """B."""

class _WholeOneThing(TypedDict):
    """What is always there."""

    a: OneThingA
    """In it."""

class OneThing(_WholeOneThing, total=False):
    """A thing."""

    c: List[Word]

Word = Literal["x", 2]
''')


class Sources(unittest.TestCase):
    def test_the_oldest_python_parses_them(self):
        oldest = re.search(r"Requires-Python: >=(\d+)\.(\d+)\n", make_wheel.METADATA)
        oldest = int(oldest[1]), int(oldest[2])
        for path in (PACKAGE / "cudnn_checked").rglob("*.py"):
            ast.parse(path.read_text(encoding="utf-8"), str(path), feature_version=oldest)
        self.assertIn('target-version = "py{}{}"\n'.format(*oldest), (PACKAGE / "ruff.toml").read_text(encoding="utf-8"))


class Tools(ScratchTest):
    @classmethod
    def setUpClass(cls):
        cls.python = python_with_tools()

    def output(self, *words, path=""):
        done = subprocess.run([self.python, "-m", *map(str, words)], text=True, cwd=PACKAGE,
                              env=clean_environment(self.scratch, MYPYPATH=path),
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return done.returncode, done.stdout

    def test_mypy(self):
        cache = self.scratch / "mypy"
        status, out = self.output("mypy", "--config-file", "mypy.ini", "--cache-dir", cache, "cudnn_checked")
        self.assertEqual(status, 0, out)
        program = self.write("program.py", PROGRAM)
        status, out = self.output("mypy", "--strict", "--cache-dir", cache, "--no-error-summary", program, path=str(PACKAGE))
        self.assertEqual((status, [line.partition(" error: ")[::2] for line in out.splitlines()]), (1, [
            (f"{program}:10:", 'Incompatible types in assignment (expression has type "Literal[\'ok\', \'unknown\', '
                               '\'warning\', \'refused\']", variable has type "int")  [assignment]'),
            (f"{program}:11:", 'TypedDict "Report" has no key "nothing"  [typeddict-item]'),
            (f"{program}:12:", 'Module has no attribute "nothing"  [attr-defined]')]))

    def test_ruff(self):
        self.assertEqual(self.output("ruff", "check", "--no-cache", "cudnn_checked"), (0, "All checks passed!\n"))
