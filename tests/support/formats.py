# SPDX-License-Identifier: BSD-3-Clause
"""Readers of what --format writes, each as the documents of its field describe the form, and the field's own tools."""

import collections
import re
import shutil
import subprocess
import unittest
import xml.etree.ElementTree

from support.environment import REPOSITORY

JUNIT_SCHEMA = REPOSITORY / "tests" / "cli" / "junit.xsd"
# A Char of XML 1.0.
NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

# What relative_output() shows for a path.
SHOWN = re.compile("<(scratch|shared|sdk)>")

Case = collections.namedtuple("Case", "suite name result type message text")


def read_junit(text):
    """The cases of a document; its numbers are held against what it has."""
    assert NO_XML.search(text) is None, text
    root = xml.etree.ElementTree.fromstring(SHOWN.sub(r"&lt;\1&gt;", text).encode())
    cases, numbers = [], collections.Counter()
    for suite in root:
        own = collections.Counter(tests=0, failures=0, errors=0, skipped=0)
        for case in suite:
            results = [child for child in case if child.tag != "system-out"]
            result = results[0] if results else None
            kind = "passed" if result is None else result.tag
            own["tests"] += 1
            own[{"passed": "passed", "failure": "failures", "error": "errors"}.get(kind, kind)] += 1
            told = "" if result is None else result.text or ""
            cases.append(Case(suite.get("name"), case.get("name"), kind, None if result is None else result.get("type"),
                              None if result is None else result.get("message"),
                              told + (case.findtext("system-out") or "")))
        for name in ("tests", "failures", "errors", "skipped"):
            assert suite.get(name) == str(own[name]), (name, text)
        numbers.update(own)
    for name in ("tests", "failures", "errors"):
        assert root.get(name) == str(numbers[name]), (name, text)
    return cases


def check_junit(text):
    """By xmllint, against the schema."""
    if shutil.which("xmllint") is None:
        raise unittest.SkipTest("there is no xmllint (libxml2-utils)")
    done = subprocess.run(["xmllint", "--noout", "--schema", JUNIT_SCHEMA, "-"], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, input=SHOWN.sub(r"&lt;\1&gt;", text).encode())
    assert done.returncode == 0, done.stdout.decode() + text


Command = collections.namedtuple("Command", "name title message")


def read_workflow(text):
    """What a runner of GitHub takes from a log: its commands, and the other lines.

    actions/runner, ActionCommand.cs: a line that begins with "::" behind blanks; else one that has "##[" anywhere.
    """
    commands, lines = [], []
    for line in re.split(r"\r\n|\r|\n", text.removesuffix("\n")):
        trimmed = line.lstrip()
        if not trimmed.startswith("::"):
            assert "##[" not in line, line
            lines.append(line)
            continue
        head, _, message = trimmed[2:].partition("::")
        name, _, properties = head.partition(" ")
        found = dict(one.split("=", 1) for one in properties.split(",") if one)
        assert set(found) == {"title"}, line
        title = found["title"]
        for escaped, character in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
            title = title.replace(escaped, character)
        for escaped, character in (("%0D", "\r"), ("%0A", "\n"), ("%25", "%")):
            message = message.replace(escaped, character)
        commands.append(Command(name, title, message))
    return commands, lines


LABEL = r'([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"'
SAMPLE = re.compile(r"([a-zA-Z_:][a-zA-Z0-9_:]*)\{(" + LABEL + "(?:," + LABEL + r")*)\} (-?[0-9]+)")


def read_metrics(text):
    """{(metric, frozen labels): value}; each metric has one HELP and one TYPE in front of its samples."""
    assert text.endswith("\n") and "\r" not in text, text
    samples, described, metric = {}, set(), None
    for line in text.removesuffix("\n").split("\n"):
        head = re.fullmatch(r"# (HELP|TYPE) (\w+) (.+)", line)
        if head:
            assert head[1] == "HELP" or (head[2] == metric and head[3] == "gauge"), line
            assert head[1] == "TYPE" or head[2] not in described, line
            metric = head[2]
            described.add(metric)
            continue
        sample = SAMPLE.fullmatch(line)
        assert sample and sample[1] == metric, line
        labels = {name: re.sub(r"\\(.)", lambda one: {"n": "\n"}.get(one[1], one[1]), value)
                  for name, value in re.findall(LABEL, sample[2])}
        key = (metric, frozenset(labels.items()))
        assert key not in samples, line
        samples[key] = int(line.rpartition(" ")[2])
    return samples


def check_metrics(text):
    """By promtool, or by the parser of Prometheus' client for Python."""
    if shutil.which("promtool"):
        done = subprocess.run(["promtool", "check", "metrics"], input=text.encode(), stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT)
        # Status 3: advice on style.
        assert done.returncode in (0, 3), done.stdout.decode() + text
    try:
        from prometheus_client.parser import text_string_to_metric_families
    except ImportError:
        if shutil.which("promtool") is None:
            raise unittest.SkipTest("there is neither promtool nor prometheus_client of Python")
        return
    samples = {(one.name, frozenset(one.labels.items())): int(one.value)
               for family in text_string_to_metric_families(text) for one in family.samples}
    assert samples == read_metrics(text), text
