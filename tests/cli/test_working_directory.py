# SPDX-License-Identifier: BSD-3-Clause
"""No Python that is started runs code of the working directory, whatever its files are called."""

import os
import shutil
import subprocess
import sys

from checked_program import call
from support import bare_cudnn
from support.locating import LocatingTest

# Of each module of Python's own one that writes down that it was imported.
TRAP = "open({file!r}, 'a').write(__name__ + '\\n')\nraise SystemExit('imported')\n"
MODULES = sorted(set(sys.stdlib_module_names) - set(sys.builtin_module_names)) + ["torch", "sitecustomize"]


class WorkingDirectory(LocatingTest):
    def setUp(self):
        super().setUp()
        self.trapped = self.scratch / "trapped.txt"
        self.here = self.scratch / "here"
        for name in MODULES:
            self.write(f"here/{name}.py", TRAP.format(file=str(self.trapped)))
        self.site = self.scratch / "venv/lib/python3.99/site-packages"
        self.write("venv/lib/python3.99/site-packages/torch/__init__.py", "__version__ = '2.7.1'\n")
        self.write("venv/lib/python3.99/site-packages/torch-2.7.1.dist-info/METADATA", "Name: torch\nVersion: 2.7.1\n")
        self.library = self.site / "nvidia/cudnn"
        shutil.copytree(bare_cudnn(self.scratch / "sdk"), self.library)
        # Without site, which imports os and more before "-c" does.  With "-c" Python 3.13 imports linecache first.
        self.python = self.write("venv/bin/python", "#!/bin/sh\n"
                                 f"case \" $* \" in *' -c '*) [ \"$PYTHONSAFEPATH\" ] || echo linecache >>'{self.trapped}' ;; esac\n"
                                 f"PYTHONPATH='{self.site}' exec '{sys.executable}' -S \"$@\"\n")
        self.python.chmod(0o755)

    def called(self, *arguments, **environment):
        """Of a call in that directory the status and what it printed."""
        status, out, err = call(*arguments, home=self.here, **environment)
        self.assertEqual(self.trapped.read_text() if self.trapped.exists() else "", "")
        return status, out + err

    def test_the_traps_work(self):
        subprocess.run([self.python, "-c", "import importlib"], cwd=self.here, capture_output=True)
        first = "linecache" if sys.version_info >= (3, 13) else "importlib"
        self.assertEqual(self.trapped.read_text(), f"linecache\n{first}\n")

    def test_doctor(self):
        status, text = self.called("doctor", "--paste", self.scratch / "venv")
        self.assertRegex(text, r"\n  torch: +version 2\.7\.1")
        for words in (["doctor"], ["doctor", "--paste"], ["probe"]):
            self.called(*words, VIRTUAL_ENV=self.scratch / "venv")

    def test_verify_and_run(self):
        status, text = self.called("verify", "--python", "torch", self.python)
        self.assertEqual(status, 3, text)
        self.assertIn("\n  in memory:  none   after import torch\n", text)
        app = self.write("app.py", "print('started')\n")
        status, text = self.called("run", "--python", "torch", "--", self.python, app)
        self.assertEqual((status, text.splitlines()[0]), (0, "started"))
        # A module of the working directory is named by the variable.
        self.write("here/own.py")
        missing = f"cudnn-checked: error: verify: {self.python}: there is no module own\n"
        self.assertEqual(self.called("verify", "--python", "own", self.python), (2, missing))

    def test_configure(self):
        run = self.app.run
        self.app.run = lambda *command, **options: run("sh", "-c", 'cd "$1" && shift && exec "$@"', "sh", self.here,
                                                       *command, **options)
        result = self.locate(environment={"VIRTUAL_ENV": self.scratch / "venv"})
        self.assertFalse(os.path.exists(self.trapped))
        self.assert_located(result, self.library)
