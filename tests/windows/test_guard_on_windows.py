# SPDX-License-Identifier: BSD-3-Clause
"""Guarded programs under wine, compiled by mingw-w64, and by zig where it is there and has its libraries built.

The program loads the DLLs, whose identities are those of real ones.
"""

import os
import re
import shutil
import subprocess
import textwrap
import unittest

import wine
from dll_places import dlls_of, linked, unpacked
from stand_ins import StandIns, with_identity
from support.environment import REPOSITORY

GUARD = REPOSITORY / "tool/guard"
STAMP = ('{"schema":1,"package":"0.1.0","program":"%s","level":"loaded",'
         '"cudnn":{"header":"9.28.0","library":"9.28.0","cudart":"12.9"},'
         '"cuda":{"toolkit":"12.9","runtime":"12.9","driver":""},"architectures":{"measured":[],"compiled":[]},'
         '"components":[],"sublibraries":["cnn"],"operations":[],"policy":"compatible","gpu":"optional"}')
REFUSED = """\
cudnn_checked: refused: the files of cuDNN are of more than one release
  shim:  9.28.0 for CUDA 12   {}/cudnn/cudnn64_9.dll   chosen by PATH[0]
  cnn:   9.10.2 for CUDA 12   {}/cudnn/cudnn_cnn64_9.dll   chosen by PATH[0]
  cuDNN does not compare all of its libraries: such a set has silently computed wrong numbers.
  fix: reinstall cuDNN 9.28.0 for CUDA 12 in {}/cudnn, so that every file comes from there
  [mixed-sublibraries]
  override: CUDNN_CHECKED=warn
"""
NOT_FOUND = """\
cudnn_checked: refused: the loader finds no cudnn64_9.dll for this program
  needed:     cudnn64_9.dll   by {}/app/late.exe, when a function is called
  looked in:  {}/app   the program's directory
  looked in:  C:/windows/system32   the system directory
  looked in:  C:/windows/system   the Windows directory
  looked in:  C:/windows   the Windows directory
  looked in:  {}/app   the current directory
  looked in:  {}/cuda   PATH[0]
  looked in:  C:/windows/system32   PATH[1]
  looked in:  C:/windows   PATH[2]
  looked in:  C:/windows/system32/wbem   PATH[3]
  looked in:  C:/windows/system32/WindowsPowershell/v1.0   PATH[4]
  The first call into it ends the program: exception 0xc06d007e.
  fix: for a command: cudnn-checked verify {}\\app\\late.exe
  [cudnn-not-found]
  override: CUDNN_CHECKED=warn
"""
NO_DLL = """\
cudnn_checked: refused: a library of cuDNN is damaged: cudnn64_9.dll
  expected:  a whole library   needed by {}/app/late.exe
  found:     not a DLL   {}/cudnn/cudnn64_9.dll   chosen by PATH[0]
  The first call into it ends the program: exception 0xc06d00c1.
  fix: reinstall the package that contains {}/cudnn/cudnn64_9.dll
  [library-corrupt]
  override: CUDNN_CHECKED=warn
"""
INITIALISER = "an initialiser of the program\n"


def zig():
    """The program of PyPI's ziglang; none where its first link would build the C++ library, which takes minutes."""
    program = os.environ.get("CUDNN_CHECKED_ZIG", "")
    return [program, "c++", "-target", "x86_64-windows-gnu"] if program else None


class Guard(StandIns):
    compiler = [wine.CXX, "-static"]

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.build()

    @classmethod
    def compile(cls, *arguments):
        # As cudnn_checked_guard compiles it, and with all warnings.
        flags = ["-std=c++17", "-O1", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror",
                 f"-I{GUARD}/include", f"-I{GUARD}/windows"]
        done = subprocess.run([*cls.compiler, *flags, *map(str, arguments)], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, check=False)
        if done.returncode != 0:
            raise AssertionError(done.stdout)

    @classmethod
    def build(cls):
        cls.compile("-c", GUARD / "windows/guard.cpp", "-o", cls.folder / "guard.o")
        for name, more in (("app", ""), ("plugin", "-DPLUGIN")):
            stamp = cls.folder / f"{name}_stamp.cpp"
            symbol = f"cudnn_checked_stamp_{name}"
            startup = f"CUDNN_CHECKED_AT_STARTUP({symbol})\n" if name == "app" else ""
            stamp.write_text('#include "stamp_object.h"\n'
                             f'CUDNN_CHECKED_DEFINE_STAMP({symbol}, R"json({STAMP % name})json")\n{startup}')
            cls.compile("-c", stamp, "-o", stamp.with_suffix(".o"))
            cls.compile("-c", *more.split(), f"-DCUDNN_CHECKED_STAMP={symbol}", wine.HERE / "guarded.cpp",
                        "-o", cls.folder / f"{name}.o")
        # Targets whose flags differ bring a guard each.
        shutil.copyfile(cls.folder / "guard.o", cls.folder / "guard_again.o")
        objects = [cls.folder / name for name in ("app.o", "app_stamp.o", "guard.o", "guard_again.o", "libcudnn.a")]
        cls.compile(*objects, "-o", cls.folder / "app.exe")
        cls.compile(*objects[:-1], cls.folder / "libdelayed.a", "-o", cls.folder / "late.exe")
        (cls.folder / "late.exe").write_bytes(wine.with_delayed_imports(cls.folder / "late.exe"))
        cls.compile("-shared", *(cls.folder / name for name in ("plugin.o", "plugin_stamp.o", "guard.o")),
                    "-o", cls.folder / "plugin.dll")

    def setUp(self):
        super().setUp()
        for name in ("app.exe", "late.exe", "plugin.dll"):
            shutil.copyfile(self.folder / name, self.app / name)

    def mixed(self, folder="cudnn"):
        target = self.put(folder, "9.28.0.42")
        identity = self.ids[("9.10.2.21", "12", "cudnn_cnn64_9.dll")]
        (target / "cudnn_cnn64_9.dll").write_bytes(with_identity(self.fake, identity))
        return target

    def start(self, *arguments, path=(), program="app.exe", **variables):
        return self.start_in_windows([self.app / program, *arguments], (*path, self.cuda), **variables)

    def test_a_sound_one_starts_without_a_word(self):
        self.assertEqual(self.start(path=[self.put("cudnn", "9.28.0.42")]), (0, "driver-missing\nmain, verdict 0\n", INITIALISER))

    def test_a_mixed_one_does_not_start(self):
        self.assertEqual(self.start(path=[self.mixed()]), (78, "", REFUSED))

    def test_what_the_person_asks_for(self):
        path = [self.mixed()]
        warned = REFUSED.replace("refused", "warning").replace("  override: ", "  continues: ")
        self.assertEqual(self.start("call", path=path, CUDNN_CHECKED="warn"), (0, "", warned + INITIALISER))
        self.assertEqual(self.start("call", path=path, CUDNN_CHECKED="off"), (0, "", INITIALISER))
        self.assertEqual(self.start("call", path=path, CUDNN_CHECKED="bogus"), (78, "", textwrap.dedent("""\
            cudnn_checked: error: CUDNN_CHECKED=bogus: not a mode
              CUDNN_CHECKED=enforce   refuse to start on a cuDNN that cannot be right (the default)
              CUDNN_CHECKED=warn      report it and continue
              CUDNN_CHECKED=off       do not check
              fix: set "CUDNN_CHECKED="
            """)))
        typed = self.app / "typed.bat"
        typed.write_text("@set CUDNN_CHECKED=bogus\r\n@set \"CUDNN_CHECKED=\"\r\n@app.exe\r\n", encoding="utf-8")
        self.assertEqual(self.start_in_windows(["cmd", "/c", "typed.bat"], (*path, self.cuda))[2], REFUSED)

    def test_a_dll_says_nothing_again(self):
        warned = REFUSED.replace("refused", "warning").replace("  override: ", "  continues: ")
        self.assertEqual(self.start("plugin", path=[self.mixed()], CUDNN_CHECKED="warn"), (0, "", warned + INITIALISER))

    def test_a_cudnn_that_is_imported_when_a_function_is_called(self):
        """/DELAYLOAD."""
        self.assertEqual(self.start("call", program="late.exe", path=[self.mixed()]), (78, "", REFUSED))
        status, _, errors = self.start("call", program="late.exe", path=[self.put("sound", "9.28.0.42")])
        self.assertEqual((status, errors), (0, INITIALISER))

    def test_a_cudnn_that_the_first_call_does_not_find(self):
        """What verify says of the start, but for what a guard leaves to it."""
        damaged = self.put("cudnn", "9.28.0.42")
        (damaged / "cudnn64_9.dll").write_bytes(b"a text")
        for path, said in (((), NOT_FOUND), ((damaged,), NO_DLL)):
            status, output, errors = self.start("call", program="late.exe", path=path)
            self.assertEqual((status, output, re.sub(r"(?<=[^: ])   +", "   ", errors)),
                             (78, "", said))
            if self.program.exists():
                verify = [self.program, "verify", "--no-gpu", f"Z:{self.app}/late.exe"]
                self.assertEqual(self.start_in_windows(verify, (*path, self.cuda))[1].partition("  fix: ")[0],
                                 errors.partition("  fix: ")[0].replace("cudnn_checked", "cudnn-checked"))
        status, output, errors = self.start(program="late.exe", CUDNN_CHECKED="warn")
        self.assertEqual((status, output), (0, "cudnn-not-found\nmain, verdict 3\n"))
        self.assertIn("  continues: CUDNN_CHECKED=warn\n" + INITIALISER, errors)

    def test_what_ends_the_process_is_not_there(self):
        """Without a driver, as verify says: of a program that needs what opens it."""
        app = self.app / "app.exe"
        app.write_bytes(app.read_bytes().replace(b'"sublibraries":["cnn"]', b'"sublibraries":["adv"]'))
        (self.cuda / "cublasLt64_12.dll").unlink()
        status, output, errors = self.start(path=[self.put("cudnn", "9.28.0.42")])
        self.assertEqual((status, output), (78, ""))
        self.assertIn("cudnn_checked: refused: cuDNN needs cublasLt64_12.dll, which the loader does not find\n", errors)

    def test_real_sets(self):
        """A few of those that test_swaps.py gives to verify."""
        other = dlls_of("9.10.2.21")
        if not other or not dlls_of("9.28.0.42"):
            self.skipTest(f"the wheels in {unpacked('')} are not there")
        folder = self.scratch / "cudnn"
        for name, how, status, said in (
                ("", "", 0, ""), ("cudnn_cnn64_9.dll", "swapped", 78, REFUSED),
                ("cudnn_heuristic64_9.dll", "swapped", 78, "mixed-sublibraries"),
                ("cudnn_engines_precompiled64_9.dll", "swapped", 78, "mixed-sublibraries"),
                ("cudnn64_9.dll", "swapped", 0, "mixed-sublibraries"), ("cudnn_cnn64_9.dll", "absent", 78, "sublibrary-missing"),
                ("cudnn_graph64_9.dll", "zeros", 78, "library-corrupt")):
            with self.subTest(f"{name} {how}"):
                folder.mkdir()
                for file in dlls_of("9.28.0.42").values():
                    if file.name != name:
                        linked(file, folder / file.name)
                if how == "swapped":
                    linked(other[name], folder / name)
                elif how == "zeros":
                    (folder / name).write_bytes(bytes(1 << 20))
                ended, _, errors = self.start("call", path=[folder])
                self.assertEqual(ended, status)
                if said == REFUSED or not said:
                    self.assertEqual(errors, said or INITIALISER)
                else:
                    self.assertIn(f"  [{said}]\n", errors)
                    self.assertIn(name, errors)
            shutil.rmtree(folder)

    def test_a_report(self):
        report = self.scratch / "report.json"
        self.start(path=[self.mixed()], CUDNN_CHECKED_REPORT=f"Z:{report}")
        self.assertIn('"verdict": "refused"', report.read_text(encoding="utf-8"))
        self.assertEqual([path.name for path in self.scratch.glob("report*")], ["report.json"])
        status, _, errors = self.start(path=[self.put("cudnn", "9.28.0.42")], CUDNN_CHECKED_REPORT="Z:/none/report.json")
        self.assertEqual(status, 0)
        self.assertIn("cudnn_checked: error: cannot write the report to Z:/none/report.json (CUDNN_CHECKED_REPORT): ", errors)

    def test_an_older_release(self):
        self.assertEqual(self.start(path=[self.put("cudnn", "9.1.0.70")]), (78, "", textwrap.dedent("""\
            cudnn_checked: refused: this program was built with cuDNN 9.28.0 and would run on cuDNN 9.1.0
              built with:  9.28.0              stamp of app
              would load:  9.1.0               {}/cudnn/cudnn_graph64_9.dll   chosen by PATH[0]
              shim:        9.1.0 for CUDA 12   {}/cudnn/cudnn64_9.dll   chosen by PATH[0]
              An older minor release of cuDNN may lack functions that the program calls.
              fix: let the loader find cuDNN 9.28 or newer before {}/cudnn
              [cudnn-older]
              override: CUDNN_CHECKED=warn
            """)))

    def test_letters_beyond_ascii(self):
        folder = "Ünïcode 語"
        refused = REFUSED.replace("/cudnn/", f"/{folder}/").replace("}/cudnn,", "}/" + folder + ",")
        path = self.mixed(folder)
        self.assertEqual(self.start(path=[path]), (78, "", refused))
        console = self.windows.start_in_console([self.app / "app.exe"], self.app, f"Z:{path};Z:{self.cuda}".replace("/", "\\"))
        self.assertEqual(console.replace(f"Z:{self.scratch}", "{}"), refused)

    def test_verify_reads_the_stamp(self):
        if not self.program.exists():
            self.skipTest("the command line is not built for Windows (tests/windows/mingw-w64.cmake)")
        status, output, errors = self.start_in_windows([self.program, "verify", "--no-gpu", f"Z:{self.app}/app.exe"],
                                                       (self.mixed(), self.cuda))
        self.assertEqual(output + errors, REFUSED.replace("cudnn_checked", "cudnn-checked").replace("  override: CUDNN_CHECKED=warn\n", ""))
        self.assertEqual(status, 1)


class GuardOfZig(Guard):
    @classmethod
    def setUpClass(cls):
        if zig() is None:
            raise unittest.SkipTest("CUDNN_CHECKED_ZIG names no zig (PyPI: ziglang)")
        cls.compiler = zig()
        super().setUpClass()


if __name__ == "__main__":
    unittest.main()
