# SPDX-License-Identifier: BSD-3-Clause
"""A guarded program after the tools of packagers: patchelf (Nix, auditwheel, conda-build), strip, objcopy."""

import shutil
import subprocess
import unittest

from guarded_program import GuardedProgram

INTERPRETER = "/lib64/ld-linux-x86-64.so.2"
# patchelf moves the note and fills its old place; the others take it out.
CHANGES = {
    "a longer run path": ["patchelf", "--set-rpath", "{libraries}:/opt/" + "x" * 400],
    "one more needed library": ["patchelf", "--add-needed", "libm.so.6"],
    "another interpreter": ["patchelf", "--set-interpreter", "/lib64/../lib64/.." + INTERPRETER],
    "stripped of all notes": ["strip", "--remove-section=.note.*"],
    "stripped of the stamp's note": ["objcopy", "--remove-section=.note.cudnn_checked"],
}


class AfterTools(GuardedProgram):
    def changed(self, command):
        program = self.scratch / "app"
        shutil.copy(self.app.path("app"), program)
        words = [word.format(libraries=self.built_on.library_directory) for word in command]
        if shutil.which(words[0]) is None:
            self.skipTest(f"{words[0]} is not installed")
        done = subprocess.run([*words, str(program)], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return program

    def test_still_guarded(self):
        older = self.other_sdk(cudnn="9.13.1", cuda="13.0")
        for name, command in CHANGES.items():
            with self.subTest(name):
                program = self.changed(command)
                self.assert_runs(self.start(program=program))
                status, output = self.start(older.library_directory, program=program)
                self.assertEqual(status, 78, output)
                self.assertTrue(output.startswith(
                    "cudnn_checked: refused: this program was built with cuDNN 9.14.0 and would run on "
                    "cuDNN 9.13.1\n  built with:   9.14.0   stamp of app\n"), output)


if __name__ == "__main__":
    unittest.main()
