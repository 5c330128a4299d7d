# SPDX-License-Identifier: BSD-3-Clause
"""What a test file needs: targets of preset test, and what machines may lack.

A file needs what it and the modules that it imports name, so there is no table of it.
"""

import ast
import functools
import pathlib
import re

TESTS = pathlib.Path(__file__).resolve().parent

TARGETS = {
    "cudnn_checked_cli": r"cudnn_checked_program|CUDNN_CHECKED_CLI|built\(\"tool",
    "observe_cudnn": r"built\(\"tests/support/observe_cudnn",
    "ask_loader": r"built\(\"tests/support/ask_loader",
    "try_repair": r"built\(\"tests/support/try_repair",
}
CROSS_COMPILER = "aarch64-linux-gnu-g++"
# Compiled as programs of their own, from these files of tests/unit.
WORLD = "world_tests", {"world.cpp", "world_catalogue.cpp"}


@functools.lru_cache(maxsize=None)
def modules():
    """Every module of the tests by the name that an import has for it, but for the tests themselves."""
    found = {}
    for path in sorted(TESTS.rglob("*.py")):
        if path.parent.name == "support":
            found["support" if path.stem == "__init__" else f"support.{path.stem}"] = path
        elif not path.stem.startswith("test_"):
            found[path.stem] = path
    # What the tests of the documents import.
    found.update({path.stem: path for path in (TESTS.parent / "docs").glob("*.py")})
    return found


@functools.lru_cache(maxsize=None)
def imported(path):
    """The modules of the tests that a file imports: of its own folder first."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        for name in names:
            beside = path.parent / f"{name}.py"
            other = beside if beside.exists() else modules().get(name)
            if other is not None:
                found.add(other)
    return found


def with_imported(path):
    """The file and all that it imports, directly or not."""
    found, waiting = set(), [path]
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            waiting += imported(path)
    return found


def targets_of(path):
    """The targets of preset test that the cases of a file run, in their order."""
    if path.suffix == ".cpp":
        return [WORLD[0] if path.name in WORLD[1] else "unit_tests"]
    # The Windows that a case is tried on has its own.
    if path.parent.name == "windows":
        return []
    texts = [file.read_text(encoding="utf-8") for file in with_imported(path)]
    return [target for target, name in TARGETS.items() if any(re.search(name, text) for text in texts)]


def words_of(path):
    """The words of install_missing.sh for what a file needs: those that it can go on without come second."""
    if path.suffix == ".cpp":
        return ["build", "unit"], []
    if path.parent.name == "windows":
        return ["build", "fetch", "venv", "test"], ["windows"]
    cross = CROSS_COMPILER in path.read_text(encoding="utf-8")
    return ["build", "fetch", "venv", "test"], ["cross"] if cross else []
