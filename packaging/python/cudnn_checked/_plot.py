# SPDX-License-Identifier: BSD-3-Clause
"""python -m cudnn_checked plot: a picture of what `cudnn-checked sweep --json` has printed.

Each operation is a panel, each type and layout a block of it; rows are engines, columns problems.  What is drawn is
found here; _drawing.py draws it with matplotlib, which only this command needs.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import re
import shlex
import sys
import time
from typing import Any, NamedTuple, NoReturn

NAMES = {"fwd": "forward (fwd)", "dgrad": "data gradient (dgrad)", "wgrad": "filter gradient (wgrad)"}
# Shorter times count as this one: the start of a kernel takes about as long.
LEAST_MICROSECONDS = 5.0
# How many times the time of the fastest right engine it takes, at most, and the name of that colour.
FACTORS = {1.1: "fastest, up to 1.1 times", 1.5: "up to 1.5 times", 2.5: "up to 2.5 times", 5.0: "up to 5 times",
           math.inf: "more"}
# The other names.
UNTIMED, UNCHANGED, FASTER, SLOWER = "right, not timed", "unchanged", "faster", "slower"
GAINED, LOST = "newly supported", "no longer supported"
FILLS = (*FACTORS.values(), UNTIMED, UNCHANGED, FASTER, SLOWER, GAINED, LOST)
# From this factor on a time is another one, as in `sweep --against`.
CHANGED = 1.5
MENDED = "mended"
# Outcomes that are defects, and one that was.
SIGNS = {"wrong": "wrong numbers", "unwritten": "elements not written", "outside": "wrote outside",
         "changing": "changing results", "failed": "call failed", "died": "process died", "hung": "hung",
         MENDED: "no longer wrong"}


class Wrong(Exception):
    """The text is for who typed the command."""


class Plan(NamedTuple):
    """What came of an engine at a problem: its first defect, else its fastest right plan."""

    microseconds: float
    defect: str


class Problem(NamedTuple):
    """first: the engine that heuristic A offers first."""

    text: str
    finished: bool
    engines: dict[int, Plan]
    first: int | None


class Cell(NamedTuple):
    """An engine at a problem.  fill: one of FILLS; sign: one of SIGNS; known: the earlier sweep has a defect too."""

    fill: str
    sign: str = ""
    known: bool = False


class Column(NamedTuple):
    """A problem; strip is the fill of the line above the rows."""

    text: str
    strip: str
    cells: dict[int, Cell]

    def fill_at(self, engine: int) -> str:
        return self.cells[engine].fill if engine in self.cells else ""


class Block(NamedTuple):
    element: str
    layout: str
    columns: list[Column]


class Picture(NamedTuple):
    """panels: the blocks of each operation; strip: what the line above the rows shows."""

    title: str
    lines: list[str]
    strip: str
    panels: dict[str, list[Block]]


class Report:
    """What `cudnn-checked sweep --json` has printed."""

    def __init__(self, path: str):
        try:
            with open(path, encoding="utf-8") as file:
                tree = json.load(file)
            if (tree["schema"], tree["program"]) != (1, "sweep"):
                raise ValueError
            machine = tree["machine"]
            capability = machine["capability"].replace(".", "")
            self.cudnn = machine["cudnn"]
            self.gpu = printable(machine["gpu"] or "an unknown GPU") + (f" (sm_{capability})" if capability else "")
            self.driver, self.seed = machine["driver"], tree["request"]["seed"]
            self.errata, self.why_not = tree["request"]["errata"], printable(tree["why_not"])
            self.plans = sum(len(one["plans"]) for one in tree["problems"])
            self.problems = [problem_of(one, tree["plan_columns"]) for one in tree["problems"]]
        except OSError as wrong:
            raise Wrong(f"{path}: {wrong.strerror}") from wrong
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as wrong:
            raise Wrong(f"{path}: not a report of cudnn-checked sweep --json") from wrong


def printable(text: str) -> str:
    """XML has not every character."""
    return "".join(one if one.isprintable() else "?" for one in text)


def problem_of(entry: dict[str, Any], names: list[str]) -> Problem:
    """An element of `problems`, whose plans are rows with these columns."""
    engines: dict[int, Plan] = {}
    first = None
    for row in entry["plans"]:
        values = dict(zip(names, row))
        number = re.match(r"eng(\d+)", values["plan"])
        engine = int(number[1]) if number else -1
        plan = Plan(float(values["microseconds"] or 0), values["outcome"] if values["outcome"] in SIGNS else "")
        before = engines.get(engine)
        if before is None or not before.defect and (plan.defect or 0 < plan.microseconds < before.microseconds):
            engines[engine] = plan
        if "A1" in values["offers"].split():
            first = engine
    block_of(entry["problem"])
    return Problem(entry["problem"], bool(entry["finished"]), engines, first)


def counted(plan: Plan) -> float:
    return max(plan.microseconds, LEAST_MICROSECONDS)


def fastest(problem: Problem) -> Plan | None:
    return min((plan for plan in problem.engines.values() if not plan.defect and plan.microseconds > 0), default=None)


def cell_of(plan: Plan, best: Plan | None) -> Cell:
    if plan.defect or best is None or plan.microseconds <= 0:
        return Cell("" if plan.defect else UNTIMED, plan.defect)
    factor = counted(plan) / counted(best)
    return Cell(next(name for limit, name in FACTORS.items() if factor <= limit))


def change_of(then: Plan | None, now: Plan | None) -> str:
    """The fill."""
    if then is None or now is None:
        return GAINED if now else LOST if then else ""
    if then.defect or now.defect or min(then.microseconds, now.microseconds) <= 0:
        return UNCHANGED
    factor = counted(now) / counted(then)
    return SLOWER if factor > CHANGED else FASTER if factor < 1 / CHANGED else UNCHANGED


def changed_cell(then: Plan | None, now: Plan | None) -> Cell:
    had_defect = then is not None and then.defect != ""
    if now is not None and now.defect:
        return Cell(change_of(then, now), now.defect, had_defect)
    return Cell(change_of(then, now), MENDED if had_defect and now else "")


def picture_of(now: Report) -> Picture:
    """Right, wrong or not supported; right ones beside the fastest of the problem."""
    columns = []
    for one in now.problems:
        best = fastest(one)
        cells = {engine: cell_of(plan, best) for engine, plan in one.engines.items()}
        columns.append(Column(one.text, cells[one.first].fill if one.first in cells else "", cells))
    lines = [f"{len(columns)} problems, {now.plans} plans, driver for CUDA {now.driver}, seed {now.seed}",
             list_of("defects", columns) or "no defect found"]
    return Picture(f"cuDNN's engines: cuDNN {now.cudnn} on {now.gpu}",
                   lines if columns else [now.why_not or "no problem was computed"],
                   "first choice of heuristic A", panels_of(columns))


def picture_of_change(then: Report, now: Report) -> Picture:
    """Only the problems that both computed to the end."""
    before = {one.text: one for one in then.problems if one.finished}
    columns = []
    for one in now.problems:
        if one.finished and one.text in before:
            other = before[one.text]
            cells = {engine: changed_cell(other.engines.get(engine), one.engines.get(engine))
                     for engine in {**other.engines, **one.engines}}
            columns.append(Column(one.text, change_of(fastest(other), fastest(one)), cells))
    lines = [f"{len(columns)} problems of both sweeps; faster and slower: by {CHANGED} times or more",
             list_of("new defects", columns) or "no new defect"]
    if then.errata != now.errata:
        lines.append("plans that the errata file of one sweep blocks are drawn as not supported")
    machines = f"cuDNN {then.cudnn} on {then.gpu} -> cuDNN {now.cudnn} on {now.gpu}"
    if then.gpu == now.gpu:
        machines = f"cuDNN {' -> '.join(dict.fromkeys((then.cudnn, now.cudnn)))} on {now.gpu}"
    return Picture(f"What changed: {machines}", lines if columns else ["the two sweeps have no problem in common"],
                   "fastest right engine", panels_of(columns))


def list_of(heading: str, columns: list[Column]) -> str:
    """Engines with a defect that the earlier sweep has not, eight at most: "defects: fwd engine 72"."""
    found: set[tuple[str, int]] = {(column.text.split(" ")[0], engine) for column in columns
                                   for engine, cell in column.cells.items()
                                   if cell.sign not in ("", MENDED) and not cell.known}
    order = list(dict.fromkeys(column.text.split(" ")[0] for column in columns))
    names = [f"{operation} engine {engine}" for operation, engine in
             sorted(found, key=lambda one: (order.index(one[0]), one[1]))]
    more = f" and {len(names) - 8} more" if len(names) > 8 else ""
    return f"{heading}: {', '.join(names[:8])}{more}" if names else ""


def block_of(text: str) -> tuple[str, str, str]:
    """Operation, type and layout: "fwd fp16 nchw 1x4x5x1 * 16x4x3x3".  The text of an operation that is no
    convolution has no layout."""
    operation, element, layout = text.split(" ")[:3]
    return operation, element, layout if operation in NAMES else "packed"


def order_of(text: str) -> tuple[bool, bool, bool, int]:
    """Images before volumes, plain before dilated before grouped ones, each by size."""
    shape = text.split(", ")[0].split(" ", 2)[-1]
    sizes = [int(number) for number in re.findall(r"\b\d+(?=x)|(?<=x)\d+\b", shape)]
    return shape.count("x") > 6, ", groups " in text, ", dilation " in text, math.prod(sizes)


def panels_of(columns: list[Column]) -> dict[str, list[Block]]:
    """Operations and blocks stand in the order in which the sweep has them."""
    found: dict[str, dict[tuple[str, str], list[Column]]] = {}
    for column in columns:
        operation, element, layout = block_of(column.text)
        found.setdefault(operation, {}).setdefault((element, layout), []).append(column)
    return {operation: [Block(*key, sorted(blocks[key], key=lambda column: order_of(column.text))) for key in blocks]
            for operation, blocks in found.items()}


def write(picture: Picture, path: str) -> None:
    """The file lies beside its place until it is whole."""
    from ._drawing import content_of, kinds
    kind = os.path.splitext(path)[1][1:].lower()
    if kind not in kinds():
        raise Wrong(f"{path}: matplotlib writes no .{kind} file, but .{', .'.join(kinds())}")
    content = content_of(picture, kind)
    part = os.path.join(os.path.dirname(path), f"cudnn_checked.{os.getpid()}.{time.time_ns()}.part")
    try:
        try:
            with open(part, "xb") as file:
                file.write(content)
            os.replace(part, path)
        finally:
            if os.path.exists(part):
                os.unlink(part)
    except OSError as wrong:
        raise Wrong(f"{path}: cannot be written: {wrong.strerror}") from wrong


def main(words: list[str]) -> None:
    parser = argparse.ArgumentParser(
        prog="python -m cudnn_checked plot",
        description="Draws engines by problems, or with --against what changed.  The name of the file tells "
                    "matplotlib the kind of picture: .svg, .png, .pdf.")
    parser.add_argument("report", help="what `cudnn-checked sweep --json` has printed")
    parser.add_argument("--against", metavar="REPORT", help="an earlier one")
    parser.add_argument("--output", metavar="FILE", help="default: the name of the report, with .svg")
    given = parser.parse_args(words)
    output = given.output or os.path.splitext(given.report)[0] + ".svg"
    try:
        now = Report(given.report)
        picture = picture_of_change(Report(given.against), now) if given.against else picture_of(now)
        for report in filter(None, (given.report, given.against)):
            if os.path.exists(output) and os.path.samefile(output, report):
                raise Wrong(f"{output}: it is the report {report}, which the picture would replace")
        write(picture, output)
    except Wrong as wrong:
        stop(str(wrong))
    except ModuleNotFoundError as wrong:
        if wrong.name != "matplotlib":
            raise
        stop(f"matplotlib is not installed\n  fix: {shlex.quote(sys.executable)} -m pip install matplotlib")


def stop(text: str) -> NoReturn:
    print(f"cudnn_checked: error: plot: {text}", file=sys.stderr)
    sys.exit(2)
