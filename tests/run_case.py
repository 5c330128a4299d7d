# SPDX-License-Identifier: BSD-3-Clause
"""./dev test -k NAME: says which test cases have NAME in their name, then installs and builds what these
need, and runs them.

A case is a doctest TEST_CASE of tests/unit and tests/laboratory or a method of a Python unittest class; its full name is
"unit TEXT" or "FOLDER/FILE CLASS.METHOD".  Where NAME is all of a text, a method, a class or a full
name, only those cases run; else every case whose full name contains it, in any case of letters.
Each Python file runs in a process of its own, as ctest runs it.
Exit status: 0 passed, 1 failed, 2 no such case, 77 all of it was skipped.
"""

import ast
import collections
import concurrent.futures
import difflib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import case_needs
import progress

TESTS = pathlib.Path(__file__).resolve().parent
ROOT = TESTS.parent
RUNNER = TESTS / "run_unittest.py"
BUILD = ROOT / "build" / "test"
ALL_SKIPPED = 77
CORES = str(len(os.sched_getaffinity(0)))
LITERAL = r'"(?:[^"\\\n]|\\.)*"'
TEST_CASE = re.compile(rf"^TEST_CASE\(\s*({LITERAL}(?:\s*{LITERAL})*)", re.MULTILINE)

# What is skipped where install_missing.sh cannot install what the word stands for.
OF_WORD = {"cross": "builds for aarch64", "windows": "Windows"}

# key is what its runner calls it: a doctest name, or the id of a unittest case of `path`.
Case = collections.namedtuple("Case", "full parts path key")


# What the program unit_tests is compiled from.
UNIT_FOLDERS = ("unit", "laboratory")


def unit_cases():
    for path in sorted(path for folder in UNIT_FOLDERS for path in (TESTS / folder).glob("*.cpp")):
        for literals in TEST_CASE.findall(path.read_text(encoding="utf-8")):
            text = "".join(ast.literal_eval(part) for part in re.findall(LITERAL, literals))
            yield Case(f"unit {text}", [text], path, text)


def listed(paths):
    """The lines of run_unittest.py --list."""
    done = subprocess.run([sys.executable, RUNNER, "--list", *paths], cwd=ROOT, text=True, stdout=subprocess.PIPE,
                          env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"})
    if done.returncode != 0:
        sys.exit("dev: error: the test cases cannot be listed")
    return done.stdout.splitlines()


def python_cases():
    folders = collections.defaultdict(list)
    for path in sorted(TESTS.rglob("test_*.py")):
        folders[path.parent].append(path)
    with concurrent.futures.ThreadPoolExecutor(int(CORES)) as pool:
        lines = [line for lines in pool.map(listed, folders.values()) for line in lines]
    for line in lines:
        path, key = line.split("\t")
        path = pathlib.Path(path)
        entry = f"{path.parent.relative_to(TESTS)}/{path.stem[len('test_'):]}"
        _, name, method = key.rsplit(".", 2)
        yield Case(f"{entry} {name}.{method}", [entry, name, method, f"{name}.{method}"], path, key)


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


def install(paths):
    """What these files need and this machine lacks."""
    words = [case_needs.words_of(path) for path in paths]
    script = ["sh", ROOT / "scripts" / "install_missing.sh"]
    needed = dict.fromkeys(word for first, _ in words for word in first)
    if subprocess.run([*script, *needed]).returncode != 0:
        sys.exit(1)
    for word in dict.fromkeys(word for _, second in words for word in second):
        if subprocess.run([*script, word]).returncode != 0:
            print(f"== tests of {OF_WORD[word]} are skipped", flush=True)
    newer = subprocess.run(["sh", ROOT / "scripts" / "newer_cmake.sh", "3.25"], text=True, stdout=subprocess.PIPE)
    if newer.returncode != 0:
        sys.exit(1)
    if newer.stdout:
        os.environ["PATH"] = newer.stdout.rstrip("\n") + os.pathsep + os.environ["PATH"]


def build(preset, *targets):
    """Configures and builds them; the output of a failure is printed."""
    print(f"== preset {preset}: building {' '.join(targets)}", flush=True)
    for command in [["cmake", "--preset", preset],
                    ["cmake", "--build", "--preset", preset, "-j", CORES, "--target", *targets]]:
        with tempfile.NamedTemporaryFile() as log:
            with progress.shown(lambda: progress.last_line(log.name)):
                status = subprocess.run(command, cwd=ROOT, stdout=log, stderr=subprocess.STDOUT).returncode
            if status != 0:
                sys.exit(pathlib.Path(log.name).read_text(encoding="utf-8", errors="replace")
                         + f"dev: error: preset {preset} does not build")


def build_for(paths):
    targets = dict.fromkeys(target for path in paths for target in case_needs.targets_of(path))
    if targets:
        build("test", *targets)
    # Without the compiler its tests say that they are skipped.
    if any(path.parent.name == "windows" for path in paths) and shutil.which("x86_64-w64-mingw32-g++-posix"):
        build("windows", "cudnn_checked_cli")


def run_unit(program, cases):
    # A comma separates filters, a star is a wildcard; a question mark stands for any character.
    names = [re.sub(r"[,*\\]", "?", case.key) for case in cases]
    program = BUILD / "tests" / "unit" / program
    if not program.exists():
        print("skipped: there is no doctest.h (doctest-dev)")
        return ALL_SKIPPED
    done = subprocess.run([program, "-nv", "-tc=" + ",".join(names)], cwd=ROOT, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    print(done.stdout, end="", flush=True)
    ran = re.search(r"test cases:\s+(\d+)", done.stdout)
    if done.returncode == 0 and (ran is None or int(ran.group(1)) < len(set(names))):
        print("dev: error: not all of these cases are in the program", file=sys.stderr)
        return 1
    return min(done.returncode, 1)


def run_python(path, cases):
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "CUDNN_CHECKED_BUILD": str(BUILD),
                   "CUDNN_CHECKED_CLI": str(BUILD / "tool" / "cli" / "cudnn-checked")}
    covered = [] if path.parent.name == "gpu" else [TESTS / "without_gpu.py"]
    command = [sys.executable, *covered, RUNNER, *(f"--case={case.key}" for case in cases), path]
    return subprocess.run(command, cwd=ROOT, env=environment).returncode


def run(cases):
    """The exit status of each program."""
    programs = collections.defaultdict(list)
    for case in cases:
        unit = case.path.suffix == ".cpp"
        programs[case_needs.targets_of(case.path)[0] if unit else case.path].append(case)
    for program, its in programs.items():
        yield run_unit(program, its) if isinstance(program, str) else run_python(program, its)


def main(arguments):
    if len(arguments) != 1 or not arguments[0]:
        print("dev: error: usage: ./dev test -k NAME", file=sys.stderr)
        return 2
    with progress.shown(lambda: "reading the names of the test cases"):
        cases = [*unit_cases(), *python_cases()]
    found, near = chosen(arguments[0], cases)
    if not found:
        print(f'dev: error: no test case has "{arguments[0]}" in its name', file=sys.stderr)
        for name in near:
            print(f"  near: {name}", file=sys.stderr)
        print("  Entries of ctest: ./dev test -R NAME", file=sys.stderr)
        return 2
    for case in found:
        print(f"case: {case.full}")
    sys.stdout.flush()
    paths = list(dict.fromkeys(case.path for case in found))
    install(paths)
    build_for(paths)
    statuses = list(run(found))
    return next((status for status in statuses if status not in (0, ALL_SKIPPED)), min(statuses))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
