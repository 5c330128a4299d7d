# SPDX-License-Identifier: BSD-3-Clause
"""Runs the unittest files that are named on the command line, or of their cases those of --case=ID, or whose
ID has the text of --match=TEXT.  All files are of one folder: each folder has modules of its own, and two
of one name cannot be in one process.  --list prints the ids of the cases, and runs none.

Exit status: 0 passed, 1 failed, 77 nothing was run because everything was skipped (ctest's
SKIP_RETURN_CODE).  The reasons of what was skipped are printed at the end.
"""

import ast
import importlib.util
import pathlib
import resource
import sys
import time
import unittest

TESTS = pathlib.Path(__file__).resolve().parent
ALL_SKIPPED = 77


class CountingResult(unittest.TextTestResult):
    """Counts what passed: testsRun includes what was skipped, in some releases of Python."""

    passed = 0

    def stopTest(self, test):
        super().stopTest(test)
        taken = time.monotonic() - self.began
        if taken >= 5:
            self.stream.writeln(f"  {taken:.0f} s")

    def startTest(self, test):
        self.began = time.monotonic()
        super().startTest(test)

    def addSuccess(self, test):
        super().addSuccess(test)
        self.passed += 1


def module_name(path):
    return "_".join(path.relative_to(TESTS).with_suffix("").parts)


def load(path):
    """Loads one file as a module of its own."""
    name = module_name(path)
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return unittest.defaultTestLoader.loadTestsFromModule(module)


def flat(suite):
    """The cases of a suite and of the suites in it, in their order."""
    for test in suite:
        yield from flat(test) if isinstance(test, unittest.TestSuite) else [test]


def add_helpers(paths):
    """Helpers lie beside the tests, and in tests/support."""
    wanted = [*{str(p.parent) for p in paths}, str(TESTS)]
    sys.path[:0] = [folder for folder in wanted if folder not in sys.path]


def written_cases(path):
    """The ids of the cases that stand in the source, of a file that cannot be imported here."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        for method in node.body if isinstance(node, ast.ClassDef) else []:
            if isinstance(method, ast.FunctionDef) and method.name.startswith("test"):
                yield f"{module_name(path)}.{node.name}.{method.name}"


def list_cases(paths):
    """Prints the file and the id of each case.  A package that a file imports may be absent."""
    for path in paths:
        try:
            ids = [test.id() for test in flat(load(path))]
        except (Exception, SystemExit) as error:  # pylint: disable=broad-except
            print(f"{path}: its cases are those that stand in it: {error!r}", file=sys.stderr)
            ids = written_cases(path)
        for name in ids:
            print(path, name, sep="\t")


def main(arguments):
    ids = {a[len("--case="):] for a in arguments if a.startswith("--case=")}
    texts = [a[len("--match="):] for a in arguments if a.startswith("--match=")]
    paths = [pathlib.Path(a).resolve() for a in arguments if not a.startswith("--")]
    if len({path.parent for path in paths}) > 1:
        print("run_unittest.py: error: these files are of several folders", file=sys.stderr)
        return 2
    add_helpers(paths)
    if "--list" in arguments:
        list_cases(paths)
        return 0
    suite = unittest.TestSuite(load(p) for p in paths)
    if ids:
        suite = unittest.TestSuite(test for test in flat(suite) if test.id() in ids)
    if texts:
        suite = unittest.TestSuite(test for test in flat(suite) if any(text in test.id() for text in texts))
    if suite.countTestCases() == 0:
        print("no test in " + " ".join(map(str, paths)), file=sys.stderr)
        return 1
    runner = unittest.TextTestRunner(stream=sys.stdout, verbosity=2, resultclass=CountingResult)
    result = runner.run(suite)
    usage = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    print(f"CPU: {sum(u.ru_utime + u.ru_stime for u in usage):.1f} s")
    for reason in sorted({reason for _, reason in result.skipped}):
        print("skipped: " + reason)
    if not result.wasSuccessful():
        return 1
    return ALL_SKIPPED if result.skipped and not result.passed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
