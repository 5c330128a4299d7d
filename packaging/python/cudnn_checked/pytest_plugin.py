# SPDX-License-Identifier: BSD-3-Clause
"""pytest --cudnn-check, the fixture cudnn_report and the marker cudnn.

pytest imports this file in every run of an environment that has the package: what only a check needs is imported when
there is one.
"""

from __future__ import annotations

import functools
import os
import re
import sys
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

if TYPE_CHECKING:
    from cudnn_checked.reports import Doctor, Finding, Report

MODULES = "cudnn_check_modules"
LEVELS = ("located", "loaded", "ran")


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("cudnn")
    group.addoption("--cudnn-check", action="store_true", dest="cudnn_check", help=(
        "check the cuDNN of this Python before the first conftest.py is imported, and run no test if it is wrong"))
    group.addoption("--cudnn-no-skip", action="store_true", dest="cudnn_no_skip", help=(
        "let a test end with an error that the marker cudnn would skip, for a machine that is meant to have it all"))
    parser.addini(MODULES, "modules that --cudnn-check checks for, in the order of their import; without it, all that "
                           "cudnn-checked doctor looks at", type="args", default=[])


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", (
        'cudnn(level="located", version=None): the test needs the cuDNN of this Python, in that release or a newer one '
        '("9.8", "9.8...<9.20"), opened by a process (level="loaded") or right on a GPU (level="ran"); it is skipped '
        "where that is not so, and fails where the cuDNN is wrong"))
    # Of a plugin that a conftest.py names the other hook is not called.
    check_once(config, config.option)


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    check_once(early_config, early_config.known_args_namespace)


def pytest_report_header(config: pytest.Config) -> list[str]:
    lines: list[str] = getattr(config.option, "cudnn_checked", [])
    return lines


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    for mark in item.iter_markers("cudnn"):
        if mark.args or not set(mark.kwargs) <= {"level", "version"}:
            pytest.fail("pytest.mark.cudnn takes level= and version=", pytrace=False)
        why = why_not(**mark.kwargs)
        if why and item.config.option.cudnn_no_skip:
            pytest.fail(f"cudnn: {why}", pytrace=False)
        if why:
            # pytest's own hook comes next, and reports the place of the test.
            item.add_marker(pytest.mark.skip(reason=f"cudnn: {why}"))


@pytest.fixture(scope="session")
def cudnn_report() -> Doctor:
    """What cudnn-checked doctor --json prints of this machine and this Python."""
    return facts()


def check_once(config: pytest.Config, options: Any) -> None:
    """Leaves what was found in config.option.  A process that pytest-xdist has started is one of a session that was checked."""
    if options.cudnn_check and not hasattr(config.option, "cudnn_checked") and "PYTEST_XDIST_WORKER" not in os.environ:
        config.option.cudnn_checked = checked(config.getini(MODULES))


def checked(modules: list[str]) -> list[str]:
    """The lines that say what was found.  Raises UsageError, with the message of the program, where cuDNN is wrong."""
    if os.environ.get("CUDNN_CHECKED") == "off":
        return ["cudnn-checked: nothing was checked (CUDNN_CHECKED=off)"]
    import cudnn_checked
    try:
        text = text_of_check(modules) if modules else text_of_doctor()
    except (ImportError, cudnn_checked.Failed, cudnn_checked.ProgramNotFound) as wrong:
        raise pytest.UsageError(f"--cudnn-check: no test was run\n\n{wrong}") from wrong
    return text.splitlines()


def text_of_check(modules: list[str]) -> str:
    """pytest shows nothing of what is printed so early."""
    import contextlib
    import io

    import cudnn_checked
    with contextlib.redirect_stderr(io.StringIO()) as printed:
        cudnn_checked.check(*modules)
    return printed.getvalue() or f"cudnn-checked: ok: {', '.join(modules)}"


def text_of_doctor() -> str:
    import cudnn_checked
    from cudnn_checked._program import answer_of, environment_at_start, with_this_python
    done = answer_of(["doctor"], with_this_python(environment_at_start()))
    text = done.stdout.rstrip("\n")
    if done.returncode == 1 and os.environ.get("CUDNN_CHECKED") == "warn":
        return text
    if done.returncode in (1, 2):
        raise cudnn_checked.Failed(text or done.stderr.rstrip("\n"))
    return text.splitlines()[-1]


@functools.lru_cache(maxsize=None)
def facts() -> Doctor:
    import cudnn_checked
    return cudnn_checked.doctor()


@functools.lru_cache(maxsize=None)
def proof(directory: str) -> Report:
    import cudnn_checked
    return cudnn_checked.probe(directory)


def why_not(level: str = "located", version: str | None = None) -> str:
    """What this Python lacks of that; empty if nothing.  The test fails where its cuDNN is wrong."""
    if level not in LEVELS:
        pytest.fail(f"pytest.mark.cudnn: level is {', '.join(LEVELS[:-1])} or {LEVELS[-1]}, not {level!r}", pytrace=False)
    bounds = None if version is None else bounds_of(version)
    found = cudnn_of(facts())
    if found is None:
        return "this Python has no cuDNN, and the loader finds none"
    fail_for(found.findings)
    if bounds and not bounds.have(found.release):
        return f"the test needs {version}; {found.directory} has {found.release or 'an unknown release'}"
    if level == "located":
        return ""
    report = proof(found.directory)
    fail_for(report["findings"])
    if report["level"] in LEVELS[LEVELS.index(level):]:
        return ""
    reasons = [one["summary"] for one in report["findings"]] or report["skipped"] or ["nothing was computed"]
    return f"the test needs level {level}; {found.directory}: {reasons[0]}"


def fail_for(findings: list[Finding]) -> None:
    errors = [one for one in findings if one["severity"] == "error"]
    if errors:
        pytest.fail("\n".join([
            *(f"cudnn: {one['summary']}" for one in errors),
            # One command mends several of them.
            *(f"  fix: {fix}" for fix in dict.fromkeys(one["fix"] for one in errors)),
            "  " + " ".join(f"[{one['name']}]" for one in errors)]), pytrace=False)


class Found(NamedTuple):
    directory: str
    release: str
    findings: list[Finding]


def cudnn_of(tree: Doctor) -> Found | None:
    """The first in the directories of this Python's packages, else the one that the loader takes for a program without a
    run path."""
    directories = [one["directory"] for one in tree["environments"]]
    if os.path.isdir(os.path.join(sys.prefix, "conda-meta")):
        directories.append(sys.prefix)
    default = tree["by_default"]["path"]
    found = [one for directory in directories for one in tree["cudnn"] if is_below(one["directory"], directory)]
    found += [one for one in tree["cudnn"] if default and os.path.realpath(one["library"]) == os.path.realpath(default)]
    return Found(found[0]["directory"], found[0]["version"], found[0]["findings"]) if found else None


def is_below(path: str, directory: str) -> bool:
    return os.path.realpath(path).startswith(os.path.join(os.path.realpath(directory), ""))


class Bounds(NamedTuple):
    """Of releases, as find_package has them."""

    least: list[int]
    most: list[int] | None
    with_most: bool

    def have(self, release: str) -> bool:
        number = numbers_of(release)
        if not number or number < self.least:
            return False
        return self.most is None or number < self.most or (self.with_most and number == self.most)


def bounds_of(text: str) -> Bounds:
    found = re.fullmatch(r"(\d+(?:\.\d+)*)(?:\.\.\.(<?)(\d+(?:\.\d+)*))?", text)
    if found is None:
        pytest.fail(f"pytest.mark.cudnn: version is a release or a range, 9.8 or 9.8...<9.20, not {text!r}", pytrace=False)
    return Bounds(numbers_of(found[1]), numbers_of(found[3]) if found[3] else None, not found[2])


def numbers_of(release: str) -> list[int]:
    """Four of them: 9.8 is 9.8.0.0.  Empty if the release is not known."""
    numbers = [int(number) for number in release.split(".")] if re.fullmatch(r"\d+(\.\d+)*", release) else []
    return numbers + [0] * (4 - len(numbers)) if numbers else []
