# SPDX-License-Identifier: BSD-3-Clause
"""A process has a library in its memory that lacks the versions of symbols which cuDNN needs, and loads cuDNN later."""

import sys

from checked_program import call
from fake_packages import CUDA, NUMBER, WHEEL, FakePackages, ids_of, make_library
from support.output import relative_output
from test_verify_pid import running

HOLD = "import ctypes, sys\nctypes.CDLL(sys.argv[1])\nprint('ready', flush=True)\nsys.stdin.read()\n"


class VersionsInMemory(FakePackages):
    python = "python{}.{}".format(*sys.version_info)

    def setUp(self):
        super().setUp()
        (self.root / "code.c").write_text("int own(void) { return 0; }\n")
        (self.root / "call.c").write_text("extern int own(void);\nint call(void) { return own(); }\n")
        for name, script in (("old", "V_1 { global: own; };"), ("new", "V_1 {}; V_2 { global: own; } V_1;")):
            (self.root / name).mkdir()
            (self.root / f"{name}.map").write_text(script)
            make_library(self.root / name / "libown.so.1", self.root / "code.c",
                         f"-Wl,--version-script={self.root / name}.map")

    def ask(self, held):
        """What `run` says of torch to a Python that has loaded that libown."""
        with running(sys.executable, "-c", HOLD, self.root / held / "libown.so.1") as pid:
            status, out, err = call("run", "--python", "torch", "--from", self.site, "--pid", pid, home=self.root)
        self.assertEqual(out, "")
        return status, relative_output(err, site=self.site, root=self.root)

    def test_cudnn_opens_what_needs_it(self):
        graph = self.site / WHEEL / "libcudnn_graph.so.9"
        make_library(graph, self.root / "call.c", self.root / "new/libown.so.1",
                     f"-Wl,--build-id=0x{ids_of(NUMBER, CUDA)[graph.name]},-rpath,$ORIGIN:{self.root / 'new'}")
        self.assertEqual(self.ask("new"), (0, ""))
        self.assertEqual(self.ask("old"), (78, f"""\
cudnn-checked: refused: torch 2.7.1: cuDNN needs V_2 of libown.so.1, which the one that it gets lacks
  needed:   V_2   by <site>/torch/lib/../../{WHEEL}/libcudnn_graph.so.9
  found:    V_1   <root>/old/libown.so.1   already loaded
  used by:  torch 2.7.1   <site>/torch/lib/libtorch_cuda.so
  The loader refuses a file that needs what is not there: "version `V_2' not found".
  fix: give the program a libown.so.1 that has V_2
  [dependency-missing]
  override: CUDNN_CHECKED=warn
"""))

    def test_the_library_needs_it(self):
        for name in ("libtorch_cuda.so", "libtorch_python.so"):
            make_library(self.site / "torch/lib" / name, self.root / "call.c", self.site / WHEEL / "libcudnn.so.9",
                         self.root / "new/libown.so.1",
                         f"-Wl,--disable-new-dtags,-rpath,$ORIGIN/../../{WHEEL}:{self.root / 'new'}")
        self.assertEqual(self.ask("new"), (0, ""))
        self.assertEqual(self.ask("old"), (78, """\
cudnn-checked: refused: torch 2.7.1: libtorch_cuda.so needs V_2, which the libown.so.1 that it gets lacks
  needs:    V_2   by <site>/torch/lib/libtorch_cuda.so
  found:    V_1   <root>/old/libown.so.1
  used by:  torch 2.7.1   <site>/torch/lib/libtorch_cuda.so
  dlopen() of it fails: "version `V_2' not found".
  fix: let the process load a libown.so.1 that has it first
   or: use a system that has it
  [cannot-start]
  override: CUDNN_CHECKED=warn
"""))

    def test_what_is_not_loaded_yet(self):
        self.test_the_library_needs_it()
        (self.site / "one.py").write_text(f"import ctypes\nctypes.CDLL({str(self.root / 'old/libown.so.1')!r})\n")
        status, out, err = call("verify", "--python", "one,torch", sys.executable, home=self.root, PYTHONPATH=self.site)
        self.assertEqual((status, err), (1, ""))
        out = relative_output(out, site=self.site)
        self.assertTrue(out.startswith("cudnn-checked: refused: libtorch_cuda.so needs V_2, which"), out)
        self.assertTrue(out.endswith("""\
and: libtorch_cuda.so uses cuDNN and cannot be loaded in this process
  lacks:  V_2   NEEDED by <site>/torch/lib/libtorch_cuda.so
  dlopen() of it fails, unless the process loads what it lacks before.
  fix: cudnn-checked verify <site>/torch/lib/libtorch_cuda.so
  [not-stamped]
"""), out)


if __name__ == "__main__":
    import unittest

    unittest.main()
