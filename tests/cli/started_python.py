# SPDX-License-Identifier: BSD-3-Clause
"""A Python with packages that use cuDNN, started by `run`."""

import os
import shutil
import sys

from checked_program import call
from fake_packages import WHEEL, FakePackages, make_library
from support.output import relative_output

SCRIPT = "import sys\nprint('started', *sys.argv)\nsys.exit(7)\n"


class StartedPython(FakePackages):
    """A virtual environment whose `app.py` prints and imports nothing."""

    python = "python{}.{}".format(*sys.version_info)
    started = (7, "started app.py --json\n", "")

    def setUp(self):
        super().setUp()
        self.venv = self.root / "venv"
        (self.venv / "bin").mkdir()
        self.interpreter = self.venv / "bin/python3"
        self.interpreter.symlink_to(os.path.realpath(sys.executable))
        home = os.path.dirname(os.path.realpath(sys.executable))
        (self.venv / "pyvenv.cfg").write_text(f"home = {home}\ninclude-system-site-packages = false\n")
        (self.root / "app.py").write_text(SCRIPT)
        # Who imports it fails.
        (self.site / "torch/__init__.py").write_text("raise SystemExit('imported')\n")

    def run_it(self, *words, **environment):
        status, out, err = call("run", *words, home=self.root, **environment)
        return status, out, relative_output(err, site=self.site, root=self.root)

    def app(self, *options, **environment):
        return self.run_it(*options, "--", self.interpreter, "app.py", "--json", **environment)

    def script(self, name, first_lines):
        file = self.venv / "bin" / name
        file.write_text(first_lines + SCRIPT)
        file.chmod(0o755)
        return file

    def break_torch(self, site=None):
        ((site or self.site) / WHEEL / "libcudnn_ops.so.9").write_bytes(b"")

    def second_package(self):
        """One with a cuDNN of its own."""
        shutil.copytree(self.made / WHEEL, self.site / "onnx/cudnn")
        library = self.site / "onnx/lib/libonnx.so"
        make_library(library, self.site / "onnx/cudnn/libcudnn.so.9",
                     "-Wl,--disable-new-dtags,-rpath,$ORIGIN/../cudnn")
        self.record("onnx", "1.2", [library, *sorted((self.site / "onnx/cudnn").iterdir())])
