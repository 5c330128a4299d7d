# SPDX-License-Identifier: BSD-3-Clause
"""./dev test -k NAME: builds and runs the test cases that have NAME in their name.

A case is a doctest TEST_CASE of tests/unit or a method of a Python unittest class; its full name is
"unit TEXT" or "FOLDER/FILE CLASS.METHOD".  Where NAME is all of a text, a method, a class or a full
name, only those cases run; else every case whose full name contains it, in any case of letters.
Exit status: 0 passed, 1 failed, 2 no such case, 77 all of it was skipped.
"""

import ast
import collections
import difflib
import os
import pathlib
import re
import subprocess
import sys

import run_unittest

TESTS = run_unittest.TESTS
ROOT = TESTS.parent
BUILD = ROOT / "build" / "test"
LITERAL = r'"(?:[^"\\\n]|\\.)*"'
TEST_CASE = re.compile(rf"^TEST_CASE\(\s*({LITERAL}(?:\s*{LITERAL})*)", re.MULTILINE)

# key is what its runner calls it: a doctest name, or the id of a unittest case of `path`.
Case = collections.namedtuple("Case", "full parts path key")


def unit_cases():
    for path in sorted((TESTS / "unit").glob("*.cpp")):
        for literals in TEST_CASE.findall(path.read_text(encoding="utf-8")):
            text = "".join(ast.literal_eval(part) for part in re.findall(LITERAL, literals))
            yield Case(f"unit {text}", [text], path, text)


def python_cases():
    for path in sorted(TESTS.glob("*/test_*.py")):
        run_unittest.add_helpers([path])
        entry = f"{path.parent.name}/{path.stem[len('test_'):]}"
        for test in run_unittest.flat(run_unittest.load(path)):
            module, name, method = test.id().rsplit(".", 2)
            yield Case(f"{entry} {name}.{method}", [entry, name, method, f"{name}.{method}"], path,
                       test.id())


def chosen(name, cases):
    """The cases that `name` names, and where there is none the nearest names."""
    wanted = name.lower()
    exact = [case for case in cases
             if wanted in [case.full.lower(), *(part.lower() for part in case.parts)]]
    found = exact or [case for case in cases if wanted in case.full.lower()]
    if found:
        return found, []
    by_part = {part.lower(): part for case in cases for part in case.parts}
    near = difflib.get_close_matches(wanted, by_part, n=5, cutoff=0.5)
    return [], [by_part[part] for part in near]


def build(*targets):
    """Configures and builds them; the output of a failure is printed."""
    for command in [["cmake", "--preset", "test"],
                    ["cmake", "--build", "--preset", "test", "--target", *targets]]:
        done = subprocess.run(command, cwd=ROOT, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT)
        if done.returncode != 0:
            sys.exit(done.stdout + "dev: error: preset test does not build")


def run_unit(cases):
    build("unit_tests")
    # A comma separates filters, a star is a wildcard; a question mark stands for any character.
    names = [re.sub(r"[,*\\]", "?", case.key) for case in cases]
    program = BUILD / "tests" / "unit" / "unit_tests"
    if not program.exists():
        print("skipped: there is no doctest.h (doctest-dev)")
        return run_unittest.ALL_SKIPPED
    done = subprocess.run([program, "-nv", "-tc=" + ",".join(names)], cwd=ROOT, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    print(done.stdout, end="")
    ran = re.search(r"test cases:\s+(\d+)", done.stdout)
    if done.returncode == 0 and (ran is None or int(ran.group(1)) < len(set(names))):
        print("dev: error: not all of these cases are in the program", file=sys.stderr)
        return 1
    return min(done.returncode, 1)


def run_python(cases):
    if not all(case.path.parent.name == "scripts" for case in cases):
        build("cudnn_checked_cli", "observe_cudnn", "ask_loader", "try_repair")
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "CUDNN_CHECKED_BUILD": str(BUILD),
                   "CUDNN_CHECKED_CLI": str(BUILD / "tool" / "cli" / "cudnn-checked")}
    command = [sys.executable, TESTS / "run_unittest.py"]
    if cases[0].path.parent.name != "gpu":
        command.insert(1, TESTS / "without_gpu.py")
    command += [f"--case={case.key}" for case in cases]
    command += sorted({str(case.path) for case in cases})
    return subprocess.run(command, cwd=ROOT, env=environment).returncode


def main(arguments):
    if len(arguments) != 1 or not arguments[0]:
        print("dev: error: usage: ./dev test -k NAME", file=sys.stderr)
        return 2
    found, near = chosen(arguments[0], [*unit_cases(), *python_cases()])
    if not found:
        print(f'dev: error: no test case has "{arguments[0]}" in its name', file=sys.stderr)
        for name in near:
            print(f"  near: {name}", file=sys.stderr)
        print("  Entries of ctest: ./dev test -R NAME", file=sys.stderr)
        return 2
    for case in found:
        print(f"case: {case.full}")
    sys.stdout.flush()
    unit = [case for case in found if case.path.suffix == ".cpp"]
    of_gpu = [case for case in found if case.path.parent.name == "gpu"]
    python = [case for case in found if case.path.suffix == ".py" and case not in of_gpu]
    statuses = [run_unit(unit)] if unit else []
    statuses += [run_python(cases) for cases in (python, of_gpu) if cases]
    return next((status for status in statuses if status not in (0, run_unittest.ALL_SKIPPED)),
                min(statuses))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
