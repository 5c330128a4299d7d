# SPDX-License-Identifier: BSD-3-Clause
"""One spelling of a path, whatever the one was that came in: of arguments, of variables, of PATH."""

import os

from dll_places import windows_path
from stand_ins import WithCommandLine


class Paths(WithCommandLine):
    def setUp(self):
        super().setUp()
        self.root = self.scratch / "c r"
        self.put("bin", "9.28.0.42", without={"cudnn_ops64_9.dll"})
        self.root.mkdir()
        (self.scratch / "bin").rename(self.root / "bin")

    def spellings(self, path):
        plain = windows_path(path)
        return {"backslashes": plain, "slashes": plain.replace("\\", "/"), "a slash at its end": plain + "\\",
                "quotes": f'"{plain}"', "a low drive": "z" + plain[1:], "verbatim": "\\\\?\\" + plain,
                "of the drive's directory": "Z:" + os.path.relpath(path, self.app).replace("/", "\\"),
                "relative": os.path.relpath(path, self.app).replace("/", "\\")}

    def doctor(self, *words, path=(), **variables):
        status, output, errors = self.start_in_windows([self.program, "doctor", *words], [*path, self.cuda], **variables)
        return output + errors

    def test_a_variable(self):
        expected = self.doctor(CUDNN_ROOT=windows_path(self.root).replace("\\", "/"))
        self.assertIn("  9.28.0 for CUDA 12   partial, broken   {}/c r/bin   CUDNN_ROOT\n", expected)
        self.assertIn("error: a sub-library of cuDNN is missing: cudnn_ops64_9.dll\n", expected)
        self.assertIn("  fix: reinstall cuDNN 9.28.0 for CUDA 12 in {}/c r/bin\n", expected)
        for name, spelling in self.spellings(self.root).items():
            with self.subTest(name):
                said = self.doctor(CUDNN_ROOT=spelling)
                self.assertNotIn("ldconfig", said)
                if name in ("relative", "of the drive's directory"):
                    said = said.replace("{}/app/../c r", "{}/c r").replace("{}\\app\\..\\c r", "{}\\c r")
                self.assertEqual(said, expected)

    def test_an_argument(self):
        expected = self.doctor("Z:" + str(self.root))
        self.assertIn("  9.28.0 for CUDA 12   partial, broken   {}/c r/bin   command line\n", expected)
        for name, spelling in self.spellings(self.root).items():
            with self.subTest(name):
                self.assertEqual(self.doctor(spelling), expected)
        self.assertEqual(self.doctor("\\\\?\\UNC\\server\\share\\cudnn\\"),
                         "cudnn-checked: error: doctor: //server/share/cudnn: no such directory\n")

    def test_files_that_are_named(self):
        dll = self.root / "bin" / "cudnn64_9.dll"
        for verb in ("inspect", "explain", "verify"):
            expected = self.start_in_windows([self.program, verb, f"Z:{dll}"])
            for name, spelling in self.spellings(dll).items():
                if name == "relative" or name.startswith(("a slash", "of the")):
                    continue
                with self.subTest(name, verb=verb):
                    self.assertEqual(self.start_in_windows([self.program, verb, spelling]), expected)

