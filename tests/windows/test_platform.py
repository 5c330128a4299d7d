# SPDX-License-Identifier: BSD-3-Clause
"""What the rooms above core have for Windows does what their headers say, under wine."""

import tempfile
import unittest
from pathlib import Path

import wine
from support.environment import REPOSITORY

TOOL = REPOSITORY / "tool"
FLAGS = ["-std=c++17", f"-I{TOOL}"]
# kind: 0 runs, 1 exited, 2 signalled, 3 timed out.
EXPECTED = """\
child: 1, status 7, [a b][c"d][e\\][f\\\\"g h\\][][ä]
hangs: started 1, ended 0
none: started 0
ends: one,two, kind 1, number 5, 'last words'
waits: one,two, kind 0, number 0, ''
hangs: one,two, kind 3, number 2, ''
dies: one,two, kind 2, number -1073741819, ''
folders: \n\
made: C:/folder
made: C:/folder/x
folder again: C:/folder/x: File exists
file: \n\
file again: \n\
copy: \n\
copy again: C:/folder/x/b: File exists
copy of more: C:/folder/x/\xe4.txt: it is no longer the file that was looked at
copy of nothing: C:/folder/none: No such file or directory
link: \n\
not empty: C:/folder/x: not empty
absent: \n\
renamed: \n\
rename of nothing: C:/folder/y: No such file or directory
read: hello
in use: 1
read: a directory
read: no such file
read: not a file; for standard input: --text -
left: 0
dll: cudnn_cnn64_9.dll, 002c4eb61a6ad, needs cudnn_ops64_9.dll and cudnn_graph64_9.dll, whole
"""


class Platform(unittest.TestCase):
    maxDiff = None

    def test_what_is_printed(self):
        wine.skip_where_absent()
        sources = [TOOL / "cli/machine/child_output.cpp", *sorted((TOOL / "cli/windows").glob("*.cpp"))]
        sources.remove(TOOL / "cli/windows/process_facts.cpp")
        libraries = [wine.build_for_windows() / "tool" / room / f"libcudnn_checked_{room}.a"
                     for room in ("bundle", "repair", "spawn")]
        windows = wine.Windows()
        self.addCleanup(windows.wait)
        with tempfile.TemporaryDirectory() as folder:
            program = Path(folder) / "platform.exe"
            unit = Path(folder) / "unit.cpp"
            unit.write_text("".join(f'#include "{file}"\n' for file in (*sources, wine.HERE / "platform.cpp")))
            wine.run(wine.CXX, *FLAGS, "-static", unit, "-o", program, *libraries, *wine.core_libraries())
            done = windows.start([program], cwd=folder)
        self.assertEqual(done.output.replace("\r\n", "\n"), EXPECTED)
