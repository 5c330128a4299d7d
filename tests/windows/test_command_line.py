# SPDX-License-Identifier: BSD-3-Clause
"""cudnn-checked.exe under wine, on programs and DLLs that have NVIDIA's names and identities.

The DLLs are stand-ins whose headers have the size of image and the time stamp of the real ones (tool/data/catalogue); nothing
loads them.  What the loader takes is compared with the loader's own work in test_arrangements.py.
"""

import csv
import re
import shutil
import tempfile
import textwrap
import unittest
from pathlib import Path

import wine
from support.environment import REPOSITORY

NOT_STAMPED = """\
and: not stamped: only the loader's search and the cuDNN that it finds are checked
  expected:  a stamp   {app}/app.exe
  found:     none
  Which cuDNN, CUDA and GPUs it was built for is not known.
  fix: nothing
   or: build it with cudnn_checked_guard()
  [not-stamped]
"""


def identities():
    with open(REPOSITORY / "tool/data/catalogue/dll_ids.csv", encoding="utf-8", newline="") as file:
        return {(row["cudnn"], row["cuda_major"], row["file"]): row["build_id"] for row in csv.DictReader(file)}


def with_identity(dll, identity):
    """Five digits of SizeOfImage in pages, the lowest five of TimeDateStamp, the other three."""
    header = int.from_bytes(dll[60:64], "little")
    size = int(identity[:5], 16) * 4096
    stamp = int(identity[10:] + identity[5:10], 16)
    changed = bytearray(dll)
    changed[header + 8:header + 12] = stamp.to_bytes(4, "little")
    changed[header + 80:header + 84] = size.to_bytes(4, "little")
    return bytes(changed)


class CommandLine(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        wine.skip_where_absent()
        cls.program = wine.build_for_windows() / "tool" / "cli" / "cudnn-checked.exe"
        if not cls.program.exists():
            raise unittest.SkipTest("the command line is not built for Windows (tests/windows/mingw-w64.cmake)")
        cls.folder = Path(tempfile.mkdtemp(prefix="cudnn_checked_windows_"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.ids = identities()
        cls.tools = wine.Tools(cls.folder)
        cls.fake = cls.tools.fake.read_bytes()
        cls.windows = wine.Windows()
        cls.addClassCleanup(cls.windows.wait)

    def setUp(self):
        self.scratch = Path(tempfile.mkdtemp(dir=self.folder))
        self.app = self.scratch / "app"
        self.app.mkdir()
        shutil.copyfile(self.tools.linked, self.app / "app.exe")
        self.cuda = self.scratch / "cuda"
        self.cuda.mkdir()
        for name in ("cublasLt64_12.dll", "nvrtc64_120_0.dll"):
            (self.cuda / name).write_bytes(self.fake)

    def put(self, folder, release, cuda="12", only=None, without=()):
        """Stand-ins for the DLLs of a release."""
        target = self.scratch / folder
        target.mkdir(exist_ok=True)
        for (number, major, name), identity in self.ids.items():
            if number != release or major != cuda or name in without or (only and name not in only):
                continue
            (target / name).write_bytes(with_identity(self.fake, identity))
        return target

    def run_it(self, *arguments, path=()):
        entries = ";".join("Z:" + str(entry).replace("/", "\\") for entry in path)
        done = self.windows.start([self.program, *arguments], cwd=self.app, path=entries)
        text = (done.output + done.errors).replace("\r\n", "\n").replace("Z:" + str(self.scratch), "{}")
        return done.status, text

    def verify(self, *path):
        return self.run_it("verify", "--no-gpu", f"Z:{self.app}/app.exe", path=(*path, self.cuda))

    def assert_refused(self, text, *path):
        status, said = self.verify(*path)
        self.assertEqual(said, "cudnn-checked: refused: " + textwrap.dedent(text) + NOT_STAMPED.replace("{app}", "{}/app"))
        self.assertEqual(status, 1)

    def test_a_whole_cudnn_on_path(self):
        status, said = self.verify(self.put("cudnn", "9.28.0.42"))
        self.assertIn("cudnn-checked: ok: app.exe takes cuDNN 9.28.0 for CUDA 12, whole, from {}/cudnn", said)
        self.assertIn("chosen by PATH[0]", said)
        self.assertEqual(status, 0)

    def test_a_file_of_another_release(self):
        """Each in turn; the message of one as a whole."""
        whole = self.put("cudnn", "9.28.0.42")
        for name in sorted(path.name for path in whole.iterdir()):
            other = self.ids.get(("9.10.2.21", "12", name))
            if other is None:
                continue
            kept = (whole / name).read_bytes()
            (whole / name).write_bytes(with_identity(self.fake, other))
            with self.subTest(name):
                status, said = self.verify(whole)
                # A shim forwards calls, and was never seen to compute wrongly with its neighbours.
                weight, number = ("warning", 0) if name == "cudnn64_9.dll" else ("refused", 1)
                self.assertIn(f"{weight}: the files of cuDNN are of more than one release\n", said)
                self.assertIn("9.10.2 for CUDA 12   {}/cudnn/" + name, said)
                self.assertEqual(status, number)
            if name == "cudnn_cnn64_9.dll":
                self.assert_refused("""\
                    the files of cuDNN are of more than one release
                      shim:  9.28.0 for CUDA 12   {}/cudnn/cudnn64_9.dll   chosen by PATH[0]
                      cnn:   9.10.2 for CUDA 12   {}/cudnn/cudnn_cnn64_9.dll   chosen by PATH[0]
                      cuDNN does not compare all of its libraries: such a set has silently computed wrong numbers.
                      fix: reinstall cuDNN 9.28.0 for CUDA 12 in {}/cudnn, so that every file comes from there
                      [mixed-sublibraries]
                    """, whole)
            (whole / name).write_bytes(kept)

    def test_a_new_library_that_was_forgotten(self):
        self.assert_refused("""\
            a sub-library of cuDNN is missing: cudnn_engines_tensor_ir64_9.dll
              needed:  cudnn_engines_tensor_ir64_9.dll
              found:   9.28.0 for CUDA 12   {}/cudnn/cudnn_graph64_9.dll   chosen by PATH[0]
              cuDNN does not report it: depending on the file it aborts, fails later, runs slower or computes wrong numbers.
              fix: reinstall cuDNN 9.28.0 for CUDA 12 in {}/cudnn
              [sublibrary-missing]
            """, self.put("cudnn", "9.28.0.42", without={"cudnn_engines_tensor_ir64_9.dll"}))

    def test_half_a_set_that_a_directory_on_path_completes(self):
        half = self.put("app", "9.28.0.42", without={"cudnn_ops64_9.dll"})
        self.assertEqual(half, self.app)
        self.assert_refused("""\
            the files of cuDNN are of more than one release
              shim:  9.28.0 for CUDA 12   {}/app/cudnn64_9.dll   chosen by the program's directory
              ops:   9.10.2 for CUDA 12   {}/toolkit/cudnn_ops64_9.dll   chosen by PATH[0]
              cuDNN does not compare all of its libraries: such a set has silently computed wrong numbers.
              fix: reinstall cuDNN 9.28.0 for CUDA 12 in {}/app, so that every file comes from there
              [mixed-sublibraries]
            """, self.put("toolkit", "9.10.2.21"))

    def test_a_shim_of_another_release_beside_the_program(self):
        """As CTranslate2's wheel has it.  What is advised is done, and then nothing is wrong."""
        self.put("app", "9.1.0.70", only={"cudnn64_9.dll"})
        status, said = self.verify(self.put("cudnn", "9.28.0.42"))
        self.assertIn("warning: the files of cuDNN are of more than one release\n", said)
        self.assertIn("  fix: reinstall cuDNN 9.28.0 for CUDA 12 in {}/app, so that every file comes from there\n", said)
        self.assertEqual(status, 0)
        self.put("app", "9.28.0.42")
        status, said = self.verify(self.scratch / "cudnn")
        self.assertIn("cudnn-checked: ok: app.exe takes cuDNN 9.28.0 for CUDA 12, whole, from {}/app", said)

    def test_the_search_of_a_dll_is_that_of_its_program(self):
        (self.app / "plugin.dll").write_bytes(self.tools.plugin.read_bytes())
        self.put("app", "9.28.0.42", without={"cudnn_graph64_9.dll"})
        status, said = self.run_it("verify", "--no-gpu", f"Z:{self.app}/plugin.dll", path=[self.cuda])
        self.assertIn("""\
and: which libraries this program gets is decided by rules that are not known here
  expected:  a program
  found:     a DLL: the search is that of the program which loads it
  Which cuDNN it gets cannot be predicted: what is found for it is unknown at most.
  fix: verify the program that loads it
  [loader-unknown]
""", said)
        self.assertEqual(status, 3)

    def test_the_command_that_sets_path(self):
        """It is typed as it stands, by cmd."""
        self.put("root", "9.28.0.42").rename(self.scratch / "bin")
        (self.scratch / "root").mkdir()
        (self.scratch / "bin").rename(self.scratch / "root" / "bin")

        def typed(*lines):
            batch = self.app / "typed.bat"
            known = f"set CUDNN_PATH=Z:{self.scratch}/root".replace("/", "\\")
            verify = f'"Z:{self.program}" verify --no-gpu Z:{self.app}/app.exe'
            batch.write_text("\r\n".join(["@echo off", known, *lines, verify, ""]), encoding="utf-8")
            done = self.windows.start(["cmd", "/c", "typed.bat"], cwd=self.app,
                                      path="Z:" + str(self.cuda).replace("/", "\\"))
            return done.output.replace("\r\n", "\n")

        said = typed()
        self.assertIn("refused: the loader finds no cudnn64_9.dll for this program\n", said)
        fix = re.search(r"(?m)^  fix: (set .*)$", said)[1]
        self.assertEqual(fix, f'set "PATH=Z:{self.scratch}/root/bin;%PATH%"'.replace("/", "\\"))
        self.assertIn("ok: app.exe takes cuDNN 9.28.0 for CUDA 12, whole", typed(fix))

    def test_no_cudnn(self):
        status, said = self.verify()
        self.assertIn("refused: the loader finds no cudnn64_9.dll for this program\n", said)
        self.assertIn("  looked in:  {}/app ", said)
        self.assertIn("  Windows ends it before main(): exit status 0xc0000135 (STATUS_DLL_NOT_FOUND).\n", said)
        self.assertNotIn("Debian", said)
        self.assertEqual(status, 1)

    def test_a_cudnn_that_is_imported_when_a_function_is_called(self):
        """/DELAYLOAD: it starts without, and ends at the first call."""
        shutil.copyfile(self.tools.delayed, self.app / "app.exe")
        status, said = self.verify()
        self.assertRegex(said, "(?m)^  needed:     cudnn64_9.dll +by {}/app/app.exe, when a function is called$")
        self.assertIn("  The first call into it ends the program: exception 0xc06d007e.\n", said)
        self.assertEqual(status, 1)
        for steps, result in (([], 0), (["imported"], 126)):
            self.assertEqual(self.windows.start([self.app / "app.exe", *steps], cwd=self.app).status, result)
        status, said = self.verify(self.put("cudnn", "9.28.0.42"))
        self.assertIn("cudnn-checked: ok: app.exe takes cuDNN 9.28.0 for CUDA 12, whole, from {}/cudnn", said)
        self.assertEqual(status, 0)
        (self.scratch / "cudnn" / "cudnn64_9.dll").write_text("a text")
        self.assertIn("  The first call into it ends the program: exception 0xc06d00c1.\n",
                      self.verify(self.scratch / "cudnn")[1])

    def test_a_library_that_is_cut(self):
        whole = self.put("cudnn", "9.28.0.42")
        (whole / "cudnn_ops64_9.dll").write_bytes((whole / "cudnn_ops64_9.dll").read_bytes()[:700])
        status, said = self.verify(whole)
        self.assertIn("700 bytes of", said)
        self.assertIn("[library-corrupt]", said)
        self.assertEqual(status, 1)
        (whole / "cudnn_ops64_9.dll").write_text("a text")
        self.assertIn("not a DLL", self.verify(whole)[1])

    def test_a_library_of_32_bits_is_passed_over(self):
        small = self.scratch / "small"
        small.mkdir()
        (small / "cudnn64_9.dll").write_bytes(wine.with_machine(self.fake, 0x014C))
        status, said = self.verify(small, self.put("cudnn", "9.28.0.42"))
        self.assertIn("{}/cudnn/cudnn64_9.dll   chosen by PATH[1]", said)
        self.assertEqual(status, 0)

    def test_what_cudnn_8_lacks(self):
        """Q9 and S19: a sub-library of 8 that is absent, and zlibwapi.dll."""
        whole = self.put("cudnn", "8.9.7.29", without={"cudnn_cnn_infer64_8.dll"})
        status, said = self.run_it("doctor", f"Z:{whole}")
        self.assertIn("a sub-library of cuDNN is missing: cudnn_cnn_infer64_8.dll\n", said)
        self.assertEqual(status, 1)
        status, said = self.run_it("doctor", f"Z:{self.put('cudnn', '8.9.7.29')}")
        self.assertIn("note: cuDNN needs zlibwapi.dll, which the loader does not find\n", said)
        self.assertEqual(status, 0)

    def test_inspect(self):
        status, said = self.run_it("inspect", f"Z:{self.put('cudnn', '9.28.0.42')}/cudnn_ops64_9.dll")
        self.assertIn("  role:            ops\n  release:         9.28.0 for CUDA 12\n  identified by:   build id\n", said)
        self.assertEqual(status, 0)

    def test_what_windows_has_not_yet(self):
        for words, what in ((["probe"], "probe"), (["sweep"], "sweep"), (["run", "app.exe"], "run"),
                            (["verify", "--pid", "4"], "verify: --pid"), (["verify", "--python", "torch"], "verify: --python"),
                            (["verify", "--root", "C:/", "app.exe"], "verify: --root")):
            with self.subTest(what):
                status, said = self.run_it(*words)
                self.assertEqual(said, f"cudnn-checked: error: {what}: not on Windows yet\n")
                self.assertEqual(status, 2)
