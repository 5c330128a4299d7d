# SPDX-License-Identifier: BSD-3-Clause
"""What cudnn-checked.exe says in words: its help, of libraries by their names, of entries of PATH that lead nowhere.
StandIns.start_in_windows looks for words of Linux in all of it."""

import json
import shutil

import wine
from dll_places import windows_path
from stand_ins import WithCommandLine


class Words(WithCommandLine):
    def setUp(self):
        super().setUp()
        shutil.copyfile(self.tools.linked, self.app / "app.exe")

    def said(self, *words, path=(), **variables):
        status, output, errors = self.start_in_windows([self.program, *words], path, **variables)
        return output + errors

    def test_help(self):
        verbs = [one["name"] for one in json.loads(self.said("--help", "--json"))["commands"]]
        self.assertIn("doctor", verbs)
        for verb in verbs:
            with self.subTest(verb):
                text = self.said(verb, "--help")
                self.assertNotRegex(text, r"(?m)~/|/opt|/usr|\$PWD|^  \$ ")
                self.assertNotIn("/opt", self.said(verb, "--help", "--json"))
        self.assertIn("""\
example:
  > cudnn-checked doctor
  > cudnn-checked doctor C:\\venv
  > cudnn-checked doctor --hash C:\\venv
  > cudnn-checked doctor --paste > report.md
  > set "CUDNN_ROOT=C:\\cudnn" && cudnn-checked doctor --json
""", self.said("doctor", "--help"))
        self.assertIn("needs a variable, for example --env PATH=C:\\lib\n", self.said("verify", "app.exe", "--env"))

    def test_a_bundle_and_what_is_typed_then(self):
        """The program lies beside the copy, and takes it."""
        self.put("c d", "9.28.0.42")
        said = self.said("bundle", "--from", windows_path(self.scratch / "c d"), "--for", "app.exe", "my app")
        self.assertTrue(said.startswith("cuDNN 9.28.0 for CUDA 12 copied to {}/app/my app: 10 libraries, "), said)
        command = 'copy /-y app.exe "{}\\app\\my app"'
        self.assertTrue(said.endswith(f"  then type:    {command}\n"), said)
        (self.app / "typed.bat").write_text(command.replace("{}", windows_path(self.scratch)) + "\r\n", encoding="utf-8")
        typed = self.windows.start(["cmd", "/c", "typed.bat"], cwd=self.app)
        self.assertTrue((self.app / "my app" / "app.exe").exists(), typed)
        self.assertIn("ok: app.exe takes cuDNN 9.28.0 for CUDA 12, whole, from {}/app/my app",
                      self.said("verify", "--no-gpu", "my app\\app.exe", path=[self.cuda]))

    def test_the_directory_above_that_of_a_library(self):
        whole = self.put("cudnn", "9.28.0.42")
        said = self.said("explain", "cudnn64_9.dll", path=[self.scratch, whole])
        self.assertRegex(said, r"\n    PATH\[0\] +\{\} +nothing\n    PATH\[1\] +\{\}/cudnn +taken\n")

    def test_a_name_in_upper_case(self):
        whole = self.put("cudnn", "9.28.0.42")
        for name in ("cudnn64_9.dll", "CUDNN64_9.DLL", "Cudnn_Ops64_9.dll", "cublasLt64_12.dll"):
            with self.subTest(name):
                said = self.said("explain", name, path=[whole, self.cuda])
                self.assertRegex(said, r"\n    PATH\[[01]\] +\{\}/cu(da|dnn) +taken\n")

    def test_entries_of_path_that_are_no_directories(self):
        whole = self.put("cu dnn", "9.28.0.42")
        (self.scratch / "file").write_text("")
        quoted = f'"{windows_path(whole)}"'
        said = self.said("doctor", PATH="", WINEPATH=f"{quoted};{windows_path(self.scratch)}\\file;{windows_path(self.cuda)}")
        self.assertIn("  9.28.0 for CUDA 12   full   {}/cu dnn   in quotes in PATH[0]\n", said)
        self.assertIn("""\
warning: PATH has 2 entries that are no directories
  named:  "{}\\cu dnn"   PATH[0], in quotes
  named:  {}/file       PATH[1], a file
""", said)
        self.assertIn('  fix: set "PATH={}\\cu dnn;', said)

    def test_a_python_that_says_nothing(self):
        """Its packages are looked at all the same."""
        site = self.scratch / "venv" / "Lib" / "site-packages"
        (site / "nvidia" / "cudnn").mkdir(parents=True)
        self.put("bin", "9.28.0.42").rename(site / "nvidia" / "cudnn" / "bin")
        (self.scratch / "venv" / "Scripts").mkdir()
        wine.run(wine.CC, "-O1", "-municode", "-static", "-s", "-DSILENT", wine.HERE / "python.c", "-o",
                 self.scratch / "venv" / "Scripts" / "python.exe")
        said = self.said("doctor", path=[self.cuda], VIRTUAL_ENV=windows_path(self.scratch / "venv"))
        self.assertIn("  9.28.0 for CUDA 12   full   {}/venv/Lib/site-packages/nvidia/cudnn/bin   VIRTUAL_ENV\n", said)
