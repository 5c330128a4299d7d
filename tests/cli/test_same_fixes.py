# SPDX-License-Identifier: BSD-3-Clause
"""What is wrong has the same fix at each door that looks at it: a command that changes something."""

import os
import sys

from checked_program import call, messages
from fake_packages import NUMBER, WHEEL, FakePackages, ids_of, make_library


class SameFixes(FakePackages):
    python = "python{}.{}".format(*sys.version_info)

    def setUp(self):
        super().setUp()
        # Libraries with code are mapped.
        code, wheel, user = self.root / "code.c", self.site / WHEEL, self.site / "torch/lib/libtorch_cuda.so"
        code.write_text("void f(void) {}\n")
        for name, build_id in ids_of(NUMBER, "12").items():
            (wheel / name).unlink()
            make_library(wheel / name, code, "-Wl,-rpath,$ORIGIN", "-Wl,--build-id=0x" + build_id)
        user.unlink()
        make_library(user, code, wheel / "libcudnn.so.9", "-Wl,-rpath,$ORIGIN/../../" + WHEEL)
        self.user = user
        (self.site / "torch/__init__.py").write_text(f"import ctypes\nctypes.CDLL({str(user)!r})\n")
        self.interpreter = self.root / "venv/bin/python3"
        self.interpreter.parent.mkdir()
        self.interpreter.symlink_to(os.path.realpath(sys.executable))
        home = os.path.dirname(os.path.realpath(sys.executable))
        (self.root / "venv/pyvenv.cfg").write_text(f"home = {home}\ninclude-system-site-packages = false\n")

    def doors(self):
        return (["doctor", self.root / "venv"], ["verify", self.user],
                ["run", "--python", "torch", "--", self.interpreter, "-c", ""])

    def test_several_libraries_are_missing(self):
        """doctor tells the first, and its command is no worse for those behind it."""
        lacks = [self.root / name for name in ("libcublas.so.12", "libcufft.so.10", "libcusolver.so.10")]
        for library in lacks:
            make_library(library)
        make_library(self.user, self.root / "code.c", self.site / WHEEL / "libcudnn.so.9", *lacks,
                     "-Wl,-rpath,$ORIGIN/../../" + WHEEL)
        for library in lacks:
            library.unlink()
        fixes = set()
        for words in self.doors():
            status, out, err = call(*words, home=self.root)
            fixes.add(next(fix for name, fix in messages(out + err) if name == "[dependency-missing]"))
        self.assertEqual((len(fixes), "in a new environment" in min(fixes)), (1, False), fixes)

    def test_what_is_installed_where_cudnn_does_not_look(self):
        """The run path of this cuDNN does not lead to the folder in which pip puts cuBLAS."""
        (self.site / WHEEL / "libcublasLt.so.12").unlink()
        for words in (*self.doors()[:2], ["verify", "--python", "torch", self.interpreter]):
            status, out, err = call(*words, home=self.root)
            self.assertEqual((status, err, dict(messages(out)).get("[dependency-missing]")), (
                0, "", "no command that is known here changes it"), out)
