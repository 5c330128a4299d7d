# SPDX-License-Identifier: BSD-3-Clause
"""verify --python with CPython for Windows.

CUDNN_CHECKED_WINDOWS_PYTHON names its folder, which has python.exe, DLLs and Lib.  PyPI has such a python311.dll with its
_ctypes.pyd inside of the win_amd64 wheel of panda3d (deploy_libs); a python.exe calls Py_Main of it, and Lib is that of any
Python 3.11.
"""

import os
import pathlib
import subprocess
import unittest

import wine
from dll_places import windows_path
from stand_ins import StandIns

# What a package does that brings its DLLs: each is loaded by its path.
PACKAGE = """\
import ctypes, os
folder = os.environ["FOLDER"]
os.add_dll_directory(folder)
for name in sorted(os.listdir(folder)):
    ctypes.WinDLL(os.path.join(folder, name))
"""


class RealPython(StandIns):
    @classmethod
    def setUpClass(cls):
        cls.python = pathlib.Path(os.environ.get("CUDNN_CHECKED_WINDOWS_PYTHON", "/")) / "python.exe"
        if not cls.python.exists():
            raise unittest.SkipTest("CUDNN_CHECKED_WINDOWS_PYTHON does not name the folder of a Python for Windows")
        super().setUpClass()
        if not cls.program.exists():
            raise unittest.SkipTest("the command line is not built for Windows (tests/windows/mingw-w64.cmake)")

    def imported(self, folder, module="brings"):
        package = self.scratch / "site" / "brings"
        package.mkdir(parents=True, exist_ok=True)
        (package / "__init__.py").write_text(PACKAGE)
        status, output, errors = self.start_in_windows(
            [self.program, "verify", "--python", module, "--no-gpu", windows_path(self.python)], [self.cuda],
            PYTHONPATH=windows_path(package.parent), FOLDER=windows_path(folder))
        return status, (output + errors).replace(str(self.python), "PYTHON")

    def test_a_package_that_loads_all_of_its_dlls(self):
        sound = self.put("sound", "9.28.0.42")
        self.assertEqual(self.imported(sound), (0, """\
cudnn-checked: ok: python.exe has in its memory cuDNN 9.28.0 for CUDA 12, whole, from {}/sound
  shim:       9.28.0 for CUDA 12   {}/sound/cudnn64_9.dll   already loaded
  in memory:  10 of 10 files       after import brings
  It has no stamp: the driver, the GPUs and the code for them are not checked.
  fix: nothing
  [not-stamped]
"""))

    def test_one_of_another_release(self):
        mixed = self.put("mixed", "9.28.0.42", without=("cudnn_ops64_9.dll",))
        self.put("mixed", "9.10.2.21", only=("cudnn_ops64_9.dll",))
        self.assertEqual(self.imported(mixed), (1, """\
cudnn-checked: refused: the files of cuDNN are of more than one release
  shim:  9.28.0 for CUDA 12   {}/mixed/cudnn64_9.dll   already loaded
  ops:   9.10.2 for CUDA 12   {}/mixed/cudnn_ops64_9.dll   already loaded
  cuDNN does not compare all of its libraries: such a set has silently computed wrong numbers.
  fix: reinstall cuDNN 9.28.0 for CUDA 12 in {}/mixed, so that every file comes from there
  [mixed-sublibraries]
"""))

    def test_what_it_leaves_to_the_search(self):
        """os.add_dll_directory is not for LoadLibrary, by which cuDNN opens its files."""
        some = self.put("some", "9.28.0.42", only=("cudnn64_9.dll", "cudnn_graph64_9.dll", "cudnn_ops64_9.dll"))
        status, said = self.imported(some)
        self.assertEqual((status, said.splitlines()[0]), 
                         (1, "cudnn-checked: refused: 6 sub-libraries of cuDNN are missing"))

    def test_no_such_module(self):
        self.assertEqual(self.imported(self.scratch, "absent"), 
                         (2, "cudnn-checked: error: verify: Z:PYTHON: there is no module absent\n"))

    def test_run(self):
        """The words, the streams and the status are those of Python."""
        done = subprocess.run(
            [wine.program_of_wine("wine64", "wine"), self.program, "run", "--", windows_path(self.python), "-c",
             "import sys; print(sys.argv[1:]); sys.exit(7)", "a b"], env=self.windows.environment(), cwd=self.app,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=120)
        self.assertEqual((done.returncode, done.stdout), (7, "['a b']\n"))
