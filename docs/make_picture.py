#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes docs/terminal.svg: a guarded program that refuses to start, and the command of its message; and
docs/sweep.svg, engines by problems.

    CUDNN_CHECKED_BUILD=BUILD CUDNN_CHECKED_CLI=BUILD/tool/cli/cudnn-checked docs/make_picture.py

The first shows what the programs print on simulated SDKs; only the directories have other names. The second is of a
sweep on an H200 (docs/sweep_h200.json.gz: its first 414 problems), drawn by one release of matplotlib, which is fetched
from PyPI. The test scripts/picture fails if one of them is not what this makes.
"""

import gzip
import html
import os
import pathlib
import re
import subprocess
import sys
import tempfile

REPOSITORY = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(REPOSITORY / "tests"))

from support.command_line import cudnn_checked_program  # noqa: E402
from support.consumer import Consumer  # noqa: E402
from support.environment import clean_environment  # noqa: E402
from support.matplotlib import fetch_matplotlib  # noqa: E402
from support.simulated_sdk import simulated_sdk  # noqa: E402

PICTURE = REPOSITORY / "docs" / "terminal.svg"
SWEEP_PICTURE = REPOSITORY / "docs" / "sweep.svg"
SWEEP = REPOSITORY / "docs" / "sweep_h200.json.gz"

PROJECT = """
cmake_minimum_required(VERSION 3.22)
project(app LANGUAGES CXX)
find_package(CuDNNChecked 9.1...<10 REQUIRED)
add_executable(app main.cpp)
target_link_libraries(app PRIVATE CuDNNChecked::cudnn)
cudnn_checked_guard(app)
"""
MAIN = """
#include <cudnn.h>
#include <cstdio>
int main() { std::printf("app: computes with cuDNN %zu\\n", cudnnGetVersion()); }
"""

COLUMN, ROW, MARGIN, HEAD = 8.43, 19, 16, 30
# The colours of cudnn-checked: SGR 1;32 and its siblings.
CLASSES = {"1;31": "red", "1;32": "green", "1;33": "yellow", "1;36": "blue", "1": "bold", "0": ""}
STYLE = """\
.page { fill: #f6f8fa; stroke: #d0d7de } .dot { fill: #d0d7de }
text { fill: #1f2328; font: 14px ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace; white-space: pre }
.bold { font-weight: bold } .command { fill: #0550ae; font-weight: bold } .status { fill: #59636e }
.red { fill: #cf222e; font-weight: bold } .green { fill: #116329; font-weight: bold }
.yellow { fill: #7d4e00; font-weight: bold } .blue { fill: #0550ae; font-weight: bold }
@media (prefers-color-scheme: dark) {
  .page { fill: #151b23; stroke: #3d444d } .dot { fill: #3d444d }
  text { fill: #d1d7e0 }
  .command { fill: #6cb6ff } .status { fill: #9198a1 }
  .red { fill: #ff7b72 } .green { fill: #7ee787 } .yellow { fill: #e3b341 } .blue { fill: #6cb6ff }
}
"""


def build(folder):
    """The program, and where it and two cuDNNs are."""
    right = simulated_sdk(cudnn="9.14.0", gpus="sm_90").copy(folder / "right")
    older = simulated_sdk(cudnn="9.13.1", cuda="13.0").copy(folder / "older")
    app = Consumer(folder / "app", home=folder, cmake_lists=PROJECT, **{"main.cpp": MAIN})
    driver = right.environment["LD_LIBRARY_PATH"]
    for done in [app.configure(f"-DCuDNNChecked_DIR={REPOSITORY}/cmake", f"-DCuDNNChecked_ROOT={right.prefix}",
                               f"-DCUDAToolkit_ROOT={right.prefix}", f"-DCMAKE_BUILD_RPATH={driver}",
                               environment=right.environment),
                 app.build()]:
        if done.status != 0:
            raise RuntimeError(done.output)
    names = {str(app.path("app").parent): "/srv", str(right.prefix): "/opt/cudnn",
             str(older.prefix): "/opt/old"}
    return app.path("app"), older.library_directory, names


def session():
    """What stands on the terminal, as lines with the escape sequences of colours."""
    lines = []
    with tempfile.TemporaryDirectory(prefix="cudnn-checked-") as folder:
        folder = pathlib.Path(os.path.realpath(folder))
        app, older, names = build(folder)
        environment = clean_environment(folder, TERM="xterm", CLICOLOR_FORCE="1",
                                        PATH=f"{cudnn_checked_program().parent}:/usr/bin:/bin")

        def run(command):
            done = subprocess.run(["sh", "-c", command], cwd=app.parent, env=environment, text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
            text = done.stdout
            for path, name in names.items():
                text, command = text.replace(path, name), command.replace(path, name)
            lines.extend([f"$ {command}", *text.splitlines()])
            return done.stdout

        environment["LD_LIBRARY_PATH"] = str(older)
        message = run("./app")
        fix = re.search(r"(?m)^  fix: (unset LD_LIBRARY_PATH)", message)[1]
        del environment["LD_LIBRARY_PATH"]
        lines.append(f"$ {fix}")
        run("cudnn-checked verify app")
        run("./app")
    return lines


def spans(line):
    """A line with escape sequences as the contents of a <text>."""
    if line.startswith("$ "):
        return f'<tspan class="status">$ </tspan><tspan class="command">{html.escape(line[2:], False)}</tspan>'
    result, name = "", ""
    for part in re.split(r"(\x1b\[[0-9;]*m)", line):
        if part.startswith("\x1b"):
            name = CLASSES[part[2:-1]]
        elif part:
            text = html.escape(part, False)
            result += f'<tspan class="{name}">{text}</tspan>' if name else text
    return result


def picture(lines):
    columns = max(len(re.sub(r"\x1b\[[0-9;]*m", "", line)) for line in lines)
    width, height = round(columns * COLUMN + 2 * MARGIN), round(len(lines) * ROW + HEAD + 2 * MARGIN - 8)
    body = "".join(f'<text x="{MARGIN}" y="{HEAD + MARGIN + ROW * i + 8}" xml:space="preserve">{spans(line)}</text>\n'
                   for i, line in enumerate(lines))
    return f"""\
<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" role="img">
<!-- SPDX-License-Identifier: BSD-3-Clause -->
<title>A program refuses to start with an older cuDNN. Its message names the file, the variable and the command.</title>
<style>
{STYLE}</style>
<rect class="page" x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="8"/>
<circle class="dot" cx="20" cy="18" r="6"/><circle class="dot" cx="40" cy="18" r="6"/>\
<circle class="dot" cx="60" cy="18" r="6"/>
{body}</svg>
"""


def sweep_picture(python):
    """What `python -m cudnn_checked plot` writes."""
    with tempfile.TemporaryDirectory(prefix="cudnn-checked-") as folder:
        report, plot = pathlib.Path(folder, "sweep.json"), pathlib.Path(folder, "sweep.svg")
        report.write_bytes(gzip.decompress(SWEEP.read_bytes()))
        subprocess.run([str(python), "-m", "cudnn_checked", "plot", str(report)], check=True,
                       env=clean_environment(folder, PYTHONPATH=str(REPOSITORY / "packaging" / "python")))
        return plot.read_text(encoding="utf-8")


if __name__ == "__main__":
    SWEEP_PICTURE.write_text(sweep_picture(fetch_matplotlib()), encoding="utf-8")
    PICTURE.write_text(picture(session()), encoding="utf-8")
