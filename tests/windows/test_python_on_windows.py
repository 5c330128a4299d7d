# SPDX-License-Identifier: BSD-3-Clause
"""Python environments as pip and conda lay them out on Windows, and the commands that cudnn-checked.exe gives for them.

Their python.exe is python.c: it prints what it is started with.
"""

import json
import re
import shutil

import wine
from dll_places import linked, unpacked, windows_path
from stand_ins import WithCommandLine, with_identity
from support.downloads import download

CUDNN = "Lib/site-packages/nvidia/cudnn/bin"
AGAIN = " --force-reinstall --no-deps nvidia-cudnn-cu12==9.28.0.42"


class Python(WithCommandLine):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.python = cls.folder / "python.exe"
        wine.run(wine.CC, "-O1", "-municode", "-static", "-s", wine.HERE / "python.c", "-o", cls.python)

    def setUp(self):
        super().setUp()
        shutil.copyfile(self.tools.linked, self.app / "app.exe")

    def environment(self, name="venv", kind="venv", pip=True):
        """Its site-packages.  <scratch>/base is the Python that a virtual environment was made of."""
        prefix = self.scratch / name
        site = prefix / "Lib" / "site-packages"
        site.mkdir(parents=True)
        program = prefix / "Scripts" / "python.exe" if kind == "venv" else prefix / "python.exe"
        program.parent.mkdir(exist_ok=True)
        shutil.copyfile(self.python, program)
        if kind == "venv":
            home = f"Z:{self.scratch}/base".replace("/", "\\")
            (prefix / "pyvenv.cfg").write_text(f"home = {home}\r\ninclude-system-site-packages = false\r\n"
                                               "version = 3.12.4\r\n")
        if kind == "conda":
            (prefix / "conda-meta").mkdir()
        if pip:
            (site / "pip").mkdir()
            (site / "pip" / "__main__.py").touch()
        return site

    def wheel(self, site, release, slash="/", cuda="12"):
        """A wheel of cuDNN, with its record."""
        folder = site / "nvidia" / "cudnn" / "bin"
        folder.mkdir(parents=True, exist_ok=True)
        info = site / f"nvidia_cudnn_cu{cuda}-{release}.dist-info"
        info.mkdir()
        record = []
        for (number, major, name), identity in self.ids.items():
            if (number, major) != (release, cuda):
                continue
            record.append(slash.join(("nvidia", "cudnn", "bin", name)) + f",sha256=,{len(self.fake)}")
            (folder / name).write_bytes(with_identity(self.fake, identity))
        (info / "RECORD").write_text("\r\n".join([*record, info.name + slash + "RECORD,,", ""]))
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: nvidia-cudnn-cu{cuda}\nVersion: {release}\n")
        (info / "INSTALLER").write_text("pip\n")
        return folder

    def run_it(self, *arguments, path=(), **variables):
        status, output, errors = self.start_in_windows([self.program, *arguments], path, **variables)
        return status, (output + errors).replace(windows_path(self.scratch), "{}")

    def verify(self, *path, **variables):
        return self.run_it("verify", "--no-gpu", f"Z:{self.app}/app.exe", path=[*path, self.cuda], **variables)[1]

    def doctor(self, name, *path):
        return self.run_it("doctor", f"Z:{self.scratch}/{name}", path=[*path, self.cuda])

    def spoil(self, folder, name="cudnn_ops64_9.dll"):
        (folder / name).write_bytes(with_identity(self.fake, self.ids["9.10.2.21", "12", name]))

    def typed(self, folder, *lines):
        """By cmd, and then what `verify` says."""
        batch = self.app / "typed.bat"
        verify = f'"Z:{self.program}" verify --no-gpu Z:{self.app}/app.exe'
        batch.write_text("\r\n".join(["@echo off", *lines, verify, ""]), encoding="utf-8")
        entries = ";".join(map(windows_path, (*folder, self.cuda)))
        return self.windows.start(["cmd", "/c", "typed.bat"], cwd=self.app, path=entries).output.replace("\r\n", "\n")

    def test_a_file_of_another_release(self):
        """Its record has backslashes.  What pip would install was tried: it is no "try"."""
        folder = self.wheel(self.environment(), "9.28.0.42", slash="\\")
        self.spoil(folder)
        message = f"""\
the files of cuDNN are of more than one release
  shim:  9.28.0 for CUDA 12   {{}}/venv/{CUDNN}/cudnn64_9.dll%s (wheel nvidia-cudnn-cu12 9.28.0.42)
  ops:   9.10.2 for CUDA 12   {{}}/venv/{CUDNN}/cudnn_ops64_9.dll%s (wheel nvidia-cudnn-cu12 9.28.0.42)
  cuDNN does not compare all of its libraries: such a set has silently computed wrong numbers.
  fix: {{}}\\venv\\Scripts\\python.exe -m pip install{AGAIN}
{download(12, "9.28.0", "win_amd64")}\
  [mixed-sublibraries]
"""
        chosen = "   chosen by PATH[0]"
        said = self.verify(folder)
        self.assertEqual(said[:said.index("and: not stamped")], "cudnn-checked: refused: " + message % (chosen, chosen))
        self.assertEqual(self.doctor("venv"), (1, f"""\
cuDNN
  9.28.0   full, broken   {{}}/venv/{CUDNN}   command line

error: {message % ("", "")}
cudnn-checked: refused: 1 cuDNN, 1 of them broken, 1 error, 0 warnings
"""))

    def test_its_command_is_typed(self):
        """By cmd, which must take it as it stands.  PowerShell cannot run here: its command is compared."""
        folder = self.wheel(self.environment("a & b's"), "9.28.0.42")
        self.spoil(folder)
        said = self.verify(folder)
        of_cmd, of_powershell = re.search(r"(?m)^  fix: (.*)\n   or: in PowerShell: (.*)$", said).groups()
        self.assertEqual(of_cmd, '"{}\\a & b\'s\\Scripts\\python.exe" -m pip install' + AGAIN)
        self.assertEqual(of_powershell, "& '{}\\a & b\'\'s\\Scripts\\python.exe' -m pip install" + AGAIN)
        done = self.typed([folder], of_cmd.replace("{}", windows_path(self.scratch)))
        self.assertTrue(done.startswith("\n".join(["-m", "pip", "install", *AGAIN.split(), "cudnn-checked: refused: "])), done)
        # What it stands for.
        shutil.rmtree(folder.parents[2] / "nvidia_cudnn_cu12-9.28.0.42.dist-info")
        folder = self.wheel(folder.parents[2], "9.28.0.42")
        self.assertIn("ok: app.exe takes cuDNN 9.28.0 for CUDA 12, whole, from {}/a & b's/" + CUDNN, self.verify(folder))

    def test_a_command_that_does_not_help(self):
        """What pip installs is of another release than the file beside the program, which comes first."""
        folder = self.wheel(self.environment(), "9.28.0.42")
        self.spoil(self.app, "cudnn_graph64_9.dll")
        self.assertEqual(re.findall(r"(?m)^  (?:fix|try): (.*)\n  \[mixed-sublibraries\]$", self.verify(folder)),
                         ["install cuDNN in a new environment: no command that was tried here mends this one"])

    def test_cublas_is_in_no_folder(self):
        """What pip brings is not found before PATH leads to it, and its name has a capital letter."""
        folder = self.wheel(self.environment(), "9.28.0.42")
        lacking = self.scratch / "lacking"
        lacking.mkdir()
        shutil.copy(self.cuda / "nvrtc64_120_0.dll", lacking)
        status, said = self.run_it("verify", f"Z:{self.app}/app.exe", path=[folder, lacking])
        of_cmd, of_powershell = re.search(r"(?m)^  fix: (.*)\n   or: in PowerShell: (.*)$", said).groups()
        pip, cublas = "{}\\venv\\Scripts\\python.exe -m pip install", "{}\\venv\\Lib\\site-packages\\nvidia\\cublas\\bin;"
        self.assertEqual((status, of_cmd), (1, f'{pip} "nvidia-cublas-cu12==12.*" && set "PATH={cublas}%PATH%"'))
        self.assertEqual(of_powershell, f"{pip} 'nvidia-cublas-cu12==12.*'; if ($?) {{ $env:PATH = '{cublas}' + $env:PATH }}")

    def test_the_shim_is_lost(self):
        """For which CUDA it was is in the record alone."""
        folder = self.wheel(self.environment(), "9.28.0.42")
        (folder / "cudnn64_9.dll").unlink()
        fix = "\n  fix: {}\\venv\\Scripts\\python.exe -m pip install" + AGAIN + "\n"
        self.assertIn("the loader finds no cudnn64_9.dll for this program\n", said := self.verify(folder))
        self.assertIn(fix, said)
        self.assertIn(fix, self.doctor("venv")[1])
        self.assertIn(fix, self.run_it("doctor", path=[folder, self.cuda])[1])

    def test_who_installs(self):
        base = self.scratch / "base" / "Lib" / "ensurepip"
        tools = self.scratch / "tools"
        tools.mkdir()
        for name, options, fix in (
                ("plain", {"kind": "plain"}, "{}\\plain\\python.exe -m pip install" + AGAIN),
                ("none", {"pip": False}, "with pip or uv, neither of which is here: install nvidia-cudnn-cu12==9.28.0.42 "
                                         "in {}/none/Lib/site-packages"),
                ("bare", {"pip": False, "base": base}, "{}\\bare\\Scripts\\python.exe -m ensurepip && "
                                                       "{}\\bare\\Scripts\\python.exe -m pip install" + AGAIN),
                ("uv", {"pip": False, "tool": "uv.exe"}, "uv pip install --python {}\\uv --no-cache --reinstall --no-deps "
                                                         "nvidia-cudnn-cu12==9.28.0.42")):
            with self.subTest(name):
                if options.pop("base", None):
                    base.mkdir(parents=True)
                    (base / "__main__.py").touch()
                if tool := options.pop("tool", None):
                    (tools / tool).touch()
                folder = self.wheel(self.environment(name, **options), "9.28.0.42")
                self.spoil(folder)
                self.assertIn(f"\n  fix: {fix}\n", self.verify(folder, tools))

    def test_a_folder_of_pip_install_target(self):
        """By a Python on PATH that has pip: "py" may start another one."""
        self.environment("base", kind="plain")
        target = self.scratch / "target"
        target.mkdir()
        folder = self.wheel(target, "9.28.0.42")
        self.spoil(folder)
        self.assertIn("\n  fix: {}\\base\\python.exe -m pip install --upgrade --target {}\\target --no-deps "
                      "nvidia-cudnn-cu12==9.28.0.42\n", self.verify(folder, self.scratch / "base"))

    def test_wheels_for_two_cudas(self):
        """Commands one after the other: Windows PowerShell has no "&&"."""
        site = self.environment()
        self.wheel(site, "9.28.0.42", cuda="13")
        self.spoil(self.wheel(site, "9.28.0.42"))
        pip = "{}\\venv\\Scripts\\python.exe -m pip "
        commands = (pip + "install" + AGAIN, pip + "uninstall -y nvidia-cudnn-cu13", pip + "install" + AGAIN)
        said = self.doctor("venv")[1]
        self.assertIn("\n  fix: " + " && ".join(commands) + "\n   or: in PowerShell: " + "; if ($?) { ".join(commands) +
                      " } }\n", said)
        self.assertIn(f"""
warning: nvidia-cudnn-cu12 and nvidia-cudnn-cu13 have recorded the same files
  recorded by:  nvidia-cudnn-cu12 9.28.0.42   {{}}/venv/Lib/site-packages/nvidia_cudnn_cu12-9.28.0.42.dist-info/RECORD
  and by:       nvidia-cudnn-cu13 9.28.0.42   {{}}/venv/Lib/site-packages/nvidia_cudnn_cu13-9.28.0.42.dist-info/RECORD
  files:        10                            {{}}/venv/{CUDNN}
""", said)

    def test_the_active_environment(self):
        self.wheel(self.environment("a b"), "9.28.0.42")
        said = self.verify(VIRTUAL_ENV=windows_path(self.scratch / "a b"))
        self.assertIn(f"  not looked in:  {{}}/a b/{CUDNN}   cuDNN 9.28.0\n", said)
        at = f"{{}}\\a b\\{CUDNN}".replace("/", "\\")
        fix = f'set "PATH={at};%PATH%"'
        self.assertIn(f"\n  fix: {fix}\n   or: in PowerShell: $env:PATH = '{at};' + $env:PATH\n", said)
        self.assertIn("ok: app.exe takes cuDNN 9.28.0 for CUDA 12, whole",
                      self.typed([], fix.replace("{}", windows_path(self.scratch))))

    def test_what_an_interrupted_pip_left(self):
        """pip renames what it replaces, in a folder whose name begins with "~"."""
        site = self.environment("a b")
        folder = self.wheel(site, "9.28.0.42")
        left = [site / "nvidia" / name for name in ("~cudnn", "~udnn")]
        for one in left:
            one.mkdir()
        said = self.doctor("a b")[1]
        words = [f'"{{}}\\a b\\Lib\\site-packages\\nvidia\\{one.name}"' for one in sorted(left)]
        fix = " && ".join("rmdir /s /q " + word for word in words)
        removals = ["Remove-Item -Recurse -Force " + word.replace('"', "'") for word in words]
        self.assertIn(f"\n  fix: {fix}\n   or: in PowerShell: {removals[0]}; if ($?) {{ {removals[1]} }}\n", said)
        self.typed([folder], fix.replace("{}", windows_path(self.scratch)))
        self.assertEqual([one.exists() for one in left], [False, False])

    def test_conda(self):
        site = self.environment(kind="conda")
        library = self.scratch / "venv" / "Library" / "bin"
        library.mkdir(parents=True)
        for file in self.put("whole", "9.10.2.21").iterdir():
            shutil.copyfile(file, library / file.name)
        (site.parents[1] / "conda-meta" / "cudnn-9.10.2.21-h0.json").write_text(json.dumps({
            "name": "cudnn", "version": "9.10.2.21", "depends": ["cuda-version >=12,<13"],
            "files": ["Library/bin/" + file.name for file in library.iterdir()]}))
        (library / "cudnn_graph64_9.dll").unlink()
        conda = self.scratch / "condabin"
        conda.mkdir()
        (conda / "conda.bat").touch()
        text = """\
cudnn lacks a library that its record lists
  listed:  cudnn_graph64_9.dll   {}/venv/conda-meta/cudnn-9.10.2.21-h0.json
  found:   no such file          {}/venv/Library/bin
  An interrupted installation, or the removal of another package with the same folder, causes this; the package manager still lists the files.
  try: conda install -y -p {}\\venv --force-reinstall cudnn=9.10.2.21
  [library-missing]
"""
        self.assertIn("cudnn-checked: refused: " + text, self.verify(library, conda))
        self.assertIn("\nerror: " + text, self.doctor("venv", conda)[1])

    def test_a_framework_with_its_own_copy(self):
        site = self.environment()
        folder = site / "torch" / "lib"
        folder.mkdir(parents=True)
        for file in self.put("whole", "9.10.2.21").iterdir():
            shutil.copyfile(file, folder / file.name)
        shutil.copyfile(self.tools.plugin, folder / "torch_cuda.dll")
        info = site / "torch-2.8.0+cu128.dist-info"
        info.mkdir()
        (info / "METADATA").write_text("Name: torch\nVersion: 2.8.0+cu128\n"
                                       "Requires-Dist: nvidia-cudnn-cu12==9.10.2.21; platform_system == 'Linux'\n")
        (info / "RECORD").write_text("".join(f"torch/lib/{file.name},sha256=,{file.stat().st_size}\n"
                                             for file in folder.iterdir()))
        self.assertEqual(self.doctor("venv"), (0, """\
cuDNN
  9.10.2 for CUDA 12   full   {}/venv/Lib/site-packages/torch/lib   command line
users of cuDNN in {}/venv/Lib/site-packages
  torch 2.8.0+cu128   torch_cuda.dll   9.10.2 for CUDA 12, whole   torch/lib      [loader-unknown]

cudnn-checked: ok: 1 cuDNN, 0 errors, 0 warnings
"""))
        self.spoil(folder, "cudnn_cnn64_9.dll")
        (folder / "cudnn_ops64_9.dll").unlink()
        self.assertIn("  listed:  cudnn_ops64_9.dll   {}/venv/Lib/site-packages/torch-2.8.0+cu128.dist-info/RECORD\n",
                      self.doctor("venv")[1])

    def test_the_machine(self):
        """doctor without a directory asks the Python on PATH where it imports from."""
        self.wheel(self.environment("base", kind="plain"), "9.28.0.42")
        status, said = self.run_it("doctor", path=[self.scratch / "base", self.cuda])
        self.assertTrue(said.startswith("""\
cuDNN
  9.28.0 for CUDA 12   full   {}/base/""" + CUDNN + """   packages of {}/base/python.exe
what a program in another directory gets
  none
"""), said)
        self.assertIn("note: a program in another directory finds no cuDNN\n", said)
        self.assertIn("  A program that is linked with cuDNN starts only if it lies beside it.\n", said)
        self.assertEqual(status, 0)

    def test_paths_are_redacted(self):
        """PATH is a list with semicolons, and a home in it is nobody's business."""
        user = next(path.name for path in (self.windows.prefix / "drive_c" / "users").iterdir() if path.name != "Public")
        entries = f"C:\\users\\{user}\\venv\\Scripts;C:\\Users\\Somebody Else\\bin"
        said = self.windows.start([self.program, "doctor", "--paste"], cwd=self.app, path=entries).output
        self.assertRegex(said, r"(?m)^  PATH +~\\venv\\Scripts;C:/Users/<user>\\bin;C:\\windows\\system32;")
        said = self.windows.start([self.program, "doctor", "--paste"], cwd=self.app, path="C:\\bin;word").output
        self.assertRegex(said, r"(?m)^  PATH +<redacted>")

    def test_real_wheels(self):
        """With their own records: untouched, and with one file of another release."""
        wheels = [unpacked("9.28.0.42"), unpacked("cuda-12.9")]
        other = unpacked("9.10.2.21") / "nvidia/cudnn/bin/cudnn_ops64_9.dll"
        if not other.exists() or not all(wheel.exists() for wheel in wheels):
            self.skipTest("NVIDIA's wheels are not unpacked in CUDNN_CHECKED_WINDOWS_CUDNN")
        site = self.environment()
        for wheel in wheels:
            shutil.copytree(wheel, site, copy_function=linked, dirs_exist_ok=True)
        self.assertEqual(self.doctor("venv"), (0, f"""\
cuDNN
  9.28.0 for CUDA 12   full   {{}}/venv/{CUDNN}   command line   header 9.28.0

cudnn-checked: ok: 1 cuDNN, 0 errors, 0 warnings
"""))
        ops = site / "nvidia/cudnn/bin/cudnn_ops64_9.dll"
        ops.unlink()
        linked(other, ops)
        status, said = self.doctor("venv")
        self.assertEqual(status, 1)
        self.assertEqual(re.findall(r"(?m)^  fix: (.*)$", said), ["{}\\venv\\Scripts\\python.exe -m pip install" + AGAIN] * 2)
        self.assertEqual(re.findall(r"(?m)^  \[(.*)\]$", said), ["mixed-sublibraries", "record-differs"])
