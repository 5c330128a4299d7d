#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""sweep_program.cpp, which other people's compilers compile, includes each source file that it needs once.

With a compiler as argument: as one file it has no warning, and no file-local name twice.
"""

import pathlib
import re
import subprocess
import sys

TOOL = pathlib.Path(__file__).resolve().parents[2] / "tool"
SWEEP = TOOL / "sweep"
# What only the command line does: two reports side by side, pictures.
LEFT_OUT = {"compare", "plot"}

text = (SWEEP / "sweep_program.cpp").read_text(encoding="utf-8")
included = [str((SWEEP / name).resolve().relative_to(TOOL))
            for name in re.findall(r'^#include "(.*\.cpp)"$', text, re.MULTILINE)]
present = {str(path.relative_to(TOOL)) for folder in ("convolution", "opened") for path in (TOOL / folder).glob("*.cpp")}
present |= {str(path.relative_to(TOOL)) for path in SWEEP.glob("*/*.cpp") if path.parent.name not in LEFT_OUT}
expected = present | {"core/core.cpp", "probe/report_file.cpp"}
missing = [f"sweep_program.cpp does not include {name}" for name in sorted(expected - set(included))]
extra = [f"sweep_program.cpp includes {name} twice or for nothing" for name in sorted(set(included))
         if name not in expected or included.count(name) > 1]
if not missing and not extra and len(sys.argv) > 1:
    options = ["-std=c++17", "-fsyntax-only", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow",
               "-Werror", f"-I{TOOL / 'opened' / 'include'}", '-DCUDNN_CHECKED_PACKAGE_VERSION="0"']
    done = subprocess.run([sys.argv[1], *options, SWEEP / "sweep_program.cpp"], stderr=subprocess.PIPE,
                          text=True, check=False)
    missing = [done.stderr[:4000]] if done.returncode != 0 else []
sys.exit("\n".join(missing + extra) or 0)
