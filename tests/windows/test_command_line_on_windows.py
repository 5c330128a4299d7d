# SPDX-License-Identifier: BSD-3-Clause
"""cudnn-checked.exe under wine, on programs and DLLs that have NVIDIA's names and identities.

Nothing loads the DLLs.  What the loader takes is compared with the loader's own work in test_arrangements.py.
"""

import re
import shutil
import textwrap

import wine
from stand_ins import MIXED, WithCommandLine, with_identity

NOT_STAMPED = """\
and: not stamped: only the loader's search and the cuDNN that it finds are checked
  expected:  a stamp   {app}/app.exe
  found:     none
  Which cuDNN, CUDA and GPUs it was built for is not known.
  fix: nothing
   or: build it with cudnn_checked_guard()
  [not-stamped]
"""


class CommandLine(WithCommandLine):
    def setUp(self):
        super().setUp()
        shutil.copyfile(self.tools.linked, self.app / "app.exe")

    def run_it(self, *arguments, path=()):
        status, output, errors = self.start_in_windows([self.program, *arguments], path)
        return status, output + errors

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
                self.assert_refused(MIXED, whole)
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

    def test_a_new_library_that_computes_nothing(self):
        half = self.put("cudnn", "9.28.0.42", without={"cudnn_ext64_9.dll"})
        status, said = self.verify(half)
        self.assertIn("ok: app.exe takes cuDNN 9.28.0 for CUDA 12, whole, from {}/cudnn", said)
        self.assertEqual(status, 0)
        status, said = self.run_it("doctor", f"Z:{half}", path=[self.cuda])
        self.assertIn("note: a sub-library that cuDNN computes without is missing: cudnn_ext64_9.dll\n", said)
        self.assertEqual(status, 0)

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
        """It is typed as it stands, by cmd.  PowerShell cannot run here: its command is compared."""
        root = self.scratch / "a & b's"
        root.mkdir()
        self.put("bin", "9.28.0.42").rename(root / "bin")

        def typed(*lines):
            batch = self.app / "typed.bat"
            known = f'set "CUDNN_PATH=Z:{root}"'.replace("/", "\\")
            verify = f'"Z:{self.program}" verify --no-gpu Z:{self.app}/app.exe'
            batch.write_text("\r\n".join(["@echo off", known, *lines, verify, ""]), encoding="utf-8")
            done = self.windows.start(["cmd", "/c", "typed.bat"], cwd=self.app,
                                      path="Z:" + str(self.cuda).replace("/", "\\"))
            return done.output.replace("\r\n", "\n")

        said = typed()
        self.assertIn("refused: the loader finds no cudnn64_9.dll for this program\n", said)
        of_cmd, of_powershell = re.search(r"(?m)^  fix: (set .*)\n   or: in PowerShell: (.*)$", said).groups()
        at = f"Z:{root}/bin".replace("/", "\\")
        self.assertEqual(of_cmd, f'set "PATH={at};%PATH%"')
        self.assertEqual(of_powershell, "$env:PATH = '" + at.replace("'", "''") + ";' + $env:PATH")
        self.assertIn("ok: app.exe takes cuDNN 9.28.0 for CUDA 12, whole", typed(of_cmd))

    def test_a_percent_sign_is_for_powershell_alone(self):
        (self.scratch / "50%").mkdir()
        self.put("bin", "9.28.0.42").rename(self.scratch / "50%" / "bin")
        said = self.run_it("explain", "--for", f"Z:{self.app}/app.exe", f"Z:{self.scratch}/50%/bin/cudnn64_9.dll")[1]
        self.assertTrue(said.endswith("\n  fix: in PowerShell: $env:PATH = '{}\\50%\\bin;' + $env:PATH\n"), said)

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
        ops = whole / "cudnn_ops64_9.dll"
        bytes_of_ops = ops.read_bytes()
        damages = [(bytes_of_ops[:700], "700 bytes of 4096"), (bytes(4096), "not a DLL"), (b"a text", "not a DLL"), (b"", "an empty file")]
        for contents, found in damages:
            with self.subTest(found):
                ops.write_bytes(contents)
                self.assert_refused(f"""\
                    a library of cuDNN is damaged: cudnn_ops64_9.dll
                      expected:  a whole library
                      found:     {found}   {{}}/cudnn/cudnn_ops64_9.dll   chosen by PATH[0]
                      Windows does not load it, or it crashes: cuDNN ends the process or continues without it.
                      fix: reinstall cuDNN 9.28.0 for CUDA 12 in {{}}/cudnn
                      [library-corrupt]
                    """, whole)

    def test_a_shim_that_is_no_dll(self):
        whole = self.put("cudnn", "9.28.0.42")
        (whole / "cudnn64_9.dll").write_bytes(b"")
        self.assert_refused("""\
            a library of cuDNN is damaged: cudnn64_9.dll
              expected:  a whole library   needed by {}/app/app.exe
              found:     an empty file     {}/cudnn/cudnn64_9.dll   chosen by PATH[0]
              Windows ends it before main(): exit status 0xc000007b (STATUS_INVALID_IMAGE_FORMAT).
              fix: reinstall the package that contains {}/cudnn/cudnn64_9.dll
              [library-corrupt]
            """, whole)

    def test_a_shim_of_32_bits_alone(self):
        whole = self.put("cudnn", "9.28.0.42")
        (whole / "cudnn64_9.dll").write_bytes(wine.with_machine(self.fake, 0x014C))
        self.assert_refused("""\
            a library of cuDNN is for another machine: cudnn64_9.dll
              needed:  a file for x86_64   by {}/app/app.exe
              found:   a file for i386     {}/cudnn/cudnn64_9.dll   chosen by PATH[0]
              Windows ends it before main(): exit status 0xc000007b (STATUS_INVALID_IMAGE_FORMAT).
              fix: reinstall the package that contains {}/cudnn/cudnn64_9.dll
              [wrong-machine]
            """, whole)

    def test_an_applications_own_copy(self):
        """S34: a newer cuDNN on PATH has no effect."""
        self.put("app", "9.10.2.21")
        wheel = self.put("wheel", "9.28.0.42")
        self.assertIn("ok: app.exe takes cuDNN 9.10.2 for CUDA 12, whole, from {}/app\n", self.verify(wheel)[1])
        said = self.run_it("explain", "--for", f"Z:{self.app}/app.exe", f"Z:{wheel}/cudnn64_9.dll", path=[wheel])[1]
        self.assertIn("""\
  asked for by:    {}/app/app.exe
  taken:           {}/app/cudnn64_9.dll   9.10.2 for CUDA 12   chosen by the program's directory
  the program's directory comes before PATH[0], in which it lies.
""", said)

    def test_no_cublas(self):
        (self.cuda / "cublasLt64_12.dll").unlink()
        self.assert_refused("""\
            cuDNN needs cublasLt64_12.dll, which the loader does not find
              needed:     cublasLt64_12.dll
              found:      nothing               in the directories that the loader searches
              needed by:  adv                   {}/cudnn/cudnn_adv64_9.dll
              needed by:  engines_precompiled   {}/cudnn/cudnn_engines_precompiled64_9.dll
              It is opened by name when cuDNN computes; without it cuDNN ends the process.
              fix: install the CUDA Toolkit 12, which has cublasLt64_12.dll
               or: add the directory that has cublasLt64_12.dll to PATH
              [dependency-missing]
            """, self.put("cudnn", "9.28.0.42"))

    def test_doctor_without_anything(self):
        said = self.run_it("doctor", path=[self.cuda])[1]
        self.assertIn("what a program in another directory gets\n  none\n", said)
        self.assertIn("""\
note: there is no NVIDIA driver on this machine
  needed:  nvcuda.dll   of the NVIDIA driver
  found:   nothing      in the directories that the loader searches
  Every CUDA call would fail: cuDNN computes on a GPU only.
  fix: run it on a machine with a GPU
   or: install NVIDIA's driver for Windows
  [driver-missing]
""", said)

    def test_a_program_without_cudnn(self):
        self.assertEqual(self.run_it("verify", f"Z:{self.tools.calls}"), (3, """\
cudnn-checked: unknown: which cuDNN calls.exe opens is not known, so none was checked
  opens it:  not known   the name cudnnGetVersion in its read-only data
  It opens cuDNN itself, and in which order it searches is not known.
  fix: cudnn-checked verify --pid PID
  [not-stamped]
"""))

    def test_letters_beyond_ascii_on_a_console(self):
        said = self.windows.start_in_console([self.program, "doctor", "Z:/Ünïcode 語"], self.app)
        self.assertEqual(said, "cudnn-checked: error: doctor: Z:/Ünïcode 語: no such directory\n")

    def test_a_program_whose_imports_cannot_be_read(self):
        (self.app / "app.exe").write_bytes(wine.with_directory(self.tools.linked.read_bytes(), 1, 0x7FFFFFFF))
        self.assertEqual(self.verify(), (3, """\
cudnn-checked: unknown: nothing is known of a cuDNN of app.exe, so none was checked
  found:  not known   no stamp; its tables of imports and exports cannot be read
  They are damaged, or have a form that is not known here.
  fix: install it again, or build it again
  [not-stamped]
"""))

    def test_a_library_for_another_machine_in_the_way(self):
        """Microsoft documents no answer: a whole one behind it is not known to be taken."""
        other = self.scratch / "other"
        other.mkdir()
        whole = self.put("cudnn", "9.28.0.42")
        for number, name in ((0x014C, "i386"), (0xAA64, "aarch64")):
            with self.subTest(name):
                (other / "cudnn64_9.dll").write_bytes(wine.with_machine(self.fake, number))
                status, said = self.verify(other, whole)
                self.assertEqual(said, f"""\
cudnn-checked: unknown: which libraries this program gets is decided by rules that are not known here
  expected:  no DLL for another machine in the search
  found:     {{}}/cudnn/cudnn64_9.dll comes behind one for {name}
  Microsoft does not document whether Windows ends its search there or goes on.
  fix: put the directory with the DLLs for this machine first in PATH, or remove the others
  [loader-unknown]
""")
                self.assertEqual(status, 3)
                # The fix.
                self.assertEqual(self.verify(whole, other)[0], 0)

    def test_what_cudnn_8_lacks(self):
        """Q9 and S19: a sub-library of 8 that is absent, and zlibwapi.dll."""
        whole = self.put("cudnn", "8.9.7.29", without={"cudnn_cnn_infer64_8.dll"})
        status, said = self.run_it("doctor", f"Z:{whole}", path=[self.cuda])
        self.assertIn("""\
error: a sub-library of cuDNN is missing: cudnn_cnn_infer64_8.dll
  needed:  cudnn_cnn_infer64_8.dll
  found:   8.9.7 for CUDA 12   {}/cudnn/cudnn_ops_infer64_8.dll
  cuDNN does not report it: depending on the file it aborts, fails later, runs slower or computes wrong numbers.
  fix: reinstall cuDNN 8.9.7 for CUDA 12 in {}/cudnn
  [sublibrary-missing]
""", said)
        self.assertEqual(status, 1)

    def test_what_ends_the_process_is_an_error_at_every_door(self):
        """zlibwapi.dll, cuBLAS and NVRTC of cuDNN 8, without a driver and without a stamp."""
        set_8 = self.put("cudnn", "8.9.7.29")
        app = self.app / "app.exe"
        app.write_bytes(app.read_bytes().replace(b"cudnn64_9.dll", b"cudnn64_8.dll"))
        for name in ("cublas64_12.dll", "zlibwapi.dll"):
            (self.cuda / name).write_bytes(self.fake)
        doors = (["verify", f"Z:{app}"], ["verify", "--no-gpu", f"Z:{app}"], ["doctor", f"Z:{set_8}"], ["run", "--", f"Z:{app}"])
        for door in doors:
            self.assertNotIn("needs", self.run_it(*door, path=[set_8, self.cuda])[1])
        for name, kind in (("zlibwapi.dll", "cuDNN computes; without it cuDNN"), ("cublasLt64_12.dll", "cuDNN computes; without it cuDNN"),
                           ("cublas64_12.dll", "cuDNN compiles an engine; without it cuDNN 8"),
                           ("nvrtc64_120_0.dll", "cuDNN compiles an engine; without it cuDNN 8")):
            (self.cuda / name).rename(self.scratch / "kept.dll")
            for door in doors:
                with self.subTest(f"{name}: {door[0]}"):
                    status, said = self.run_it(*door, path=[set_8, self.cuda])
                    self.assertIn(f"cuDNN needs {name}, which the loader does not find\n", said)
                    self.assertIn(f"  It is opened by name when {kind} ends the process.\n", said)
                    self.assertEqual(status, 78 if door[0] == "run" else 1)
            (self.scratch / "kept.dll").rename(self.cuda / name)

    def test_a_zlib_of_32_bits(self):
        set_8 = self.put("cudnn", "8.9.7.29")
        (self.cuda / "cublas64_12.dll").write_bytes(self.fake)
        (self.cuda / "zlibwapi.dll").write_bytes(wine.with_machine(self.fake, 0x014C))
        said = self.run_it("doctor", f"Z:{set_8}", path=[self.cuda])[1]
        self.assertIn("""\
error: cuDNN needs zlibwapi.dll, which the loader cannot use
  needed:     zlibwapi.dll
  found:      a file for i386   {}/cuda/zlibwapi.dll   chosen by PATH[0]
  needed by:  cnn_infer         {}/cudnn/cudnn_cnn_infer64_8.dll
  It is opened by name when cuDNN computes; without it cuDNN ends the process.
  fix: put zlibwapi.dll of 64 bits beside the program: NVIDIA's guide of cuDNN 8, "Installing zlib", says where it is
  [dependency-missing]
""", said)

    def test_inspect(self):
        status, said = self.run_it("inspect", f"Z:{self.put('cudnn', '9.28.0.42')}/cudnn_ops64_9.dll")
        self.assertIn("  role:            ops\n  release:         9.28.0 for CUDA 12\n  identified by:   build id\n", said)
        self.assertEqual(status, 0)

    def test_what_windows_has_not_yet(self):
        for words, what in ((["sweep"], "sweep"),
                            (["verify", "--root", "C:/", "app.exe"], "verify: --root")):
            with self.subTest(what):
                status, said = self.run_it(*words)
                self.assertEqual(said, f"cudnn-checked: error: {what}: not on Windows yet\n")
                self.assertEqual(status, 2)
