# SPDX-License-Identifier: BSD-3-Clause
"""python -m cudnn_checked COMMAND...: the program cudnn-checked, with this Python as the active one; plot alone is done
by this Python itself."""

from __future__ import annotations

import os
import subprocess
import sys

from ._program import ProgramNotFound, environment_at_start, find_program, with_this_python


def with_python(words: list[str]) -> list[str]:
    """`run [OPTIONS] app.py ...` and `run -m module ...` are for this Python; behind "--" is any program."""
    at = 1
    while at < len(words) and words[at].startswith("--"):
        if words[at] in ("--", "--help"):
            return words
        at += 2 if words[at] in ("--python", "--from") else 1
    if at >= len(words) or words[at] == "-h":
        return words
    return [*words[:at], "--", sys.executable, *words[at:]]


def main() -> None:
    words = sys.argv[1:]
    if words[:1] == ["plot"]:
        from . import _plot
        return _plot.main(words[1:])
    is_run = words[:1] == ["run"]
    try:
        program = find_program()
    except ProgramNotFound as wrong:
        sys.exit(f"cudnn_checked: error: {wrong}")
    # What `run` starts has the variables that it would have without it.
    environment = dict(os.environ) if is_run else with_this_python(environment_at_start())
    command = [program, *(with_python(words) if is_run else words)]
    sys.stdout.flush()
    if os.name == "nt":  # There exec leaves this process before the program has ended.
        sys.exit(subprocess.call(command, env=environment))
    os.execve(program, command, environment)


if __name__ == "__main__":
    main()
