# SPDX-License-Identifier: BSD-3-Clause
"""A picture of engines by problems, drawn by matplotlib.  The same picture gives the same bytes."""

from __future__ import annotations

import io
from typing import Any, Tuple

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, PathPatch, Rectangle
from matplotlib.path import Path

from ._plot import FILLS, MENDED, NAMES, SIGNS, Block, Column, Picture

COLOURS = dict(zip(FILLS, ("#08417f", "#2f76b8", "#6ba6d6", "#a3c8e6", "#c9dced", "#b9c0c8", "#d3d8de", "#2f76b8",
                           "#8a5a9e", "#7fc4c4", "#8b949e")))
EMPTY, PAPER, BAD = "#eef0f3", "#ffffff", "#b83a00"
MARKERS = dict(zip(SIGNS, "XsDP^od*"))
ENDED = ("died", "hung")
# Of matplotlib 3.11 the names are a type.
SETTINGS: dict[Any, Any] = {"svg.hashsalt": "cudnn_checked", "svg.fonttype": "none", "font.family": "sans-serif",
                            "font.sans-serif": ["DejaVu Sans"], "font.size": 8}
# Of the width of all panels: the narrowest block, and the room between two.
NARROWEST, GAP = 0.03, 0.006
# Of the height of a row: where the line above the rows begins, and its height; and that of a cell.
STRIP, STRIP_HEIGHT, CELL = -1.3, 0.7, 0.88
# Inches: the page, a row of an ordinary picture and all rows at most, what stands above and below the rows, the
# numbers of engines beside a panel.
WIDTH, ROW, TALLEST, HEAD, FOOT, BESIDE = 15.0, 0.16, 13.5, 1.25, 0.85, 0.35

Sign = Tuple[str, bool]


class Panel:
    """Draws one operation.  A unit is a row, which has `row` inches, and the width of all panels."""

    def __init__(self, axes: Axes, blocks: list[Block], columns: int, rows: int, row: float):
        self.axes, self.row = axes, row
        self.rows = sorted({engine for block in blocks for column in block.columns for engine in column.cells})
        self.fills: list[str] = []
        self.signs: list[Sign] = []
        left = 0.0
        for block in blocks:
            width = width_of(block, columns)
            axes.text(left + width / 2, STRIP - 0.3, f"{block.element}\n{block.layout}", ha="center", fontsize=6)
            self.draw([[column.fill_at(engine) for column in block.columns] for engine in self.rows], left, width, 0, 1)
            self.draw([[column.strip for column in block.columns]], left, width, STRIP, STRIP_HEIGHT)
            self.mark(block.columns, left, width / len(block.columns))
            left += width + GAP
        axes.set_xlim(0, left - GAP)
        axes.set_ylim(rows, STRIP)
        axes.set_xticks([])
        axes.set_yticks([row + 0.5 for row in range(len(self.rows))])
        axes.set_yticklabels(["asking" if engine < 0 else str(engine) for engine in self.rows], fontsize=6)
        axes.tick_params(length=0, pad=2)
        axes.set_frame_on(False)
        defective = {engine for block in blocks for column in block.columns
                     for engine, cell in column.cells.items() if cell.sign not in ("", MENDED)}
        for engine, label in zip(self.rows, axes.get_yticklabels()):
            if engine in defective:
                label.set(color=BAD, fontweight="bold")

    def draw(self, rows: list[list[str]], left: float, width: float, top: float, height: float) -> None:
        """Neighbours of one colour in a row are one line as thick as a cell, and all lines of a colour one path."""
        self.axes.add_patch(Rectangle((left, top), width, height * len(rows), facecolor=EMPTY, linewidth=0))
        ends: dict[str, list[tuple[float, float]]] = {}
        for number, row in enumerate(rows):
            middle = top + (number + 0.5) * height
            for begin, end, fill in runs_of(row):
                ends.setdefault(fill, []).extend((left + width * at / len(row), middle) for at in (begin, end))
        for fill, points in ends.items():
            self.axes.add_patch(PathPatch(Path(points, [Path.MOVETO, Path.LINETO] * (len(points) // 2)), fill=False,
                                          edgecolor=COLOURS[fill], linewidth=72 * self.row * height * CELL,
                                          capstyle="butt"))
            self.fills.append(fill)

    def mark(self, columns: list[Column], left: float, width: float) -> None:
        places: dict[Sign, list[tuple[float, float]]] = {}
        for at, column in enumerate(columns):
            for engine, cell in column.cells.items():
                if cell.sign:
                    places.setdefault((cell.sign, cell.known), []).append(
                        (left + width * (at + 0.5), self.rows.index(engine) + 0.5))
        for sign, points in places.items():
            self.axes.plot(*zip(*points), **style_of(sign))
            self.signs.append(sign)


def width_of(block: Block, columns: int) -> float:
    return max(NARROWEST, len(block.columns) / columns)


def runs_of(row: list[str]) -> list[tuple[int, int, str]]:
    """Of each run of one colour the first column, the one behind its last, and the colour."""
    runs: list[tuple[int, int, str]] = []
    for at, fill in enumerate(row):
        if runs and runs[-1][1:] == (at, fill):
            runs[-1] = (runs[-1][0], at + 1, fill)
        elif fill:
            runs.append((at, at + 1, fill))
    return runs


def style_of(sign: Sign) -> dict[str, Any]:
    """One that the earlier sweep has as well is hollow."""
    name, known = sign
    colour = "#0b6e4f" if name == MENDED else "#1f2328" if name in ENDED else "#d94801"
    face, edge = (PAPER, colour) if known else (colour, PAPER)
    return {"linestyle": "", "marker": MARKERS[name], "markersize": 5, "markerfacecolor": face,
            "markeredgecolor": edge, "markeredgewidth": 0.8 if known else 0.4}


def legend_of(panels: list[Panel]) -> list[Any]:
    fills = {fill for panel in panels for fill in panel.fills}
    signs = {sign for panel in panels for sign in panel.signs}
    return [*(Patch(facecolor=COLOURS[fill], label=fill) for fill in FILLS if fill in fills),
            Patch(facecolor=EMPTY, label="not supported"),
            *(Line2D([], [], label=SIGNS[name] + (", as before" if known else ""), **style_of((name, known)))
              for known in (False, True) for name in SIGNS if (name, known) in signs)]


def figure_of(picture: Picture) -> Figure:
    rows = max((len({engine for block in blocks for column in block.columns for engine in column.cells})
                for blocks in picture.panels.values()), default=0)
    row = min(ROW, TALLEST / max(rows, 1))
    tall = row * (rows - STRIP)
    height = HEAD + tall + FOOT
    figure = Figure(figsize=(WIDTH, height), facecolor=PAPER)
    figure.text(0.01, 1 - 0.1 / height, "\n".join([picture.title, *picture.lines]), va="top", fontsize=11, parse_math=False)
    if not picture.panels:
        return figure
    columns = sum(len(block.columns) for blocks in picture.panels.values() for block in blocks)
    widths = {operation: sum(width_of(block, columns) + GAP for block in blocks) - GAP
              for operation, blocks in picture.panels.items()}
    unit = (WIDTH - BESIDE * (len(widths) + 1)) / sum(widths.values())
    left = BESIDE
    panels = []
    for operation, blocks in picture.panels.items():
        axes = figure.add_axes((left / WIDTH, FOOT / height, widths[operation] * unit / WIDTH, tall / height))
        axes.set_title(NAMES.get(operation, operation), fontsize=9, loc="left", pad=24)
        panels.append(Panel(axes, blocks, columns, max(rows, 1), row))
        left += widths[operation] * unit + BESIDE
    figure.legend(handles=legend_of(panels), loc="lower left", ncols=7, frameon=False, alignment="left",
                  title="rows: engines; columns: problems, plain, dilated, grouped, volumes, each by size; "
                        f"line above the rows: {picture.strip}")
    return figure


def metadata_of(kind: str, title: str) -> dict[str, Any] | None:
    """Without a date, and without the release of matplotlib."""
    if kind == "svg":
        return {"Title": title, "Date": None, "Creator": None, "Format": None, "Type": None}
    return {"Title": title, "Creator": None, "Producer": None, "CreationDate": None} if kind == "pdf" else None


def kinds() -> list[str]:
    return sorted(Figure().canvas.get_supported_filetypes())


def content_of(picture: Picture, kind: str) -> bytes:
    """The bytes of a file of one of kinds()."""
    with matplotlib.rc_context({**matplotlib.rcParamsDefault, **SETTINGS}):
        content = io.BytesIO()
        figure_of(picture).savefig(content, format=kind, dpi=150, metadata=metadata_of(kind, picture.title))
    return content.getvalue()
