# SPDX-License-Identifier: BSD-3-Clause
"""S50: the shim of an environment for CUDA 12, and by LD_LIBRARY_PATH sub-libraries of a newer release for CUDA 13."""

import sys

from checked_program import call, compiled
from fake_packages import CUDA, FakePackages, NUMBER, WHEEL, ids_of, make_library
from support.output import relative_output
from test_verify_pid import OPEN, running

OTHER = "9.19.0.56"
REQUIRED = """\
: this cuDNN is for CUDA 13, and libtorch_cuda.so requires one for CUDA 12
  requires:  CUDA 12   nvidia-cudnn-cu12==9.5.1.17 of torch 2.7.1
  cuDNN:     9.19.0 for CUDA 13   <other>/libcudnn_graph.so.9   chosen by LD_LIBRARY_PATH[0]
"""


class TwoCudas(FakePackages):
    def make(self, folder, number, cuda):
        """Libraries with code: without it none is taken as mapped."""
        code = self.root / "code.c"
        code.write_text("void f(void) {}\n")
        for name, build_id in ids_of(number, cuda).items():
            make_library(folder / name, code, "-Wl,-rpath,$ORIGIN", "-Wl,--build-id=0x" + build_id)
        for name in (f"libcublasLt.so.{cuda}", f"libnvrtc.so.{cuda}", f"libcudart.so.{cuda}"):
            make_library(folder / name, code)

    def setUp(self):
        super().setUp()
        self.other = self.root / "cuda/lib64"
        self.make(self.other, OTHER, "13")
        self.library = self.site / "torch/lib/libtorch_cuda.so"

    def call(self, *arguments):
        status, out, err = call(*arguments, home=self.root, LD_LIBRARY_PATH=str(self.other))
        self.assertEqual(err, "")
        return status, relative_output(out, site=self.site, other=self.other)

    def test_the_package_requires_one_for_cuda_12(self):
        status, out = self.call("verify", self.library)
        self.assertEqual((status, out.split("  It would bring")[0]), (1, "cudnn-checked: refused" + REQUIRED))
        self.assertIn("\nand: the files of cuDNN are of more than one release\n", out)
        status, out = self.call("doctor", self.site)
        self.assertEqual(status, 1)
        self.assertIn("error" + REQUIRED + "  used by: ", out)

    def test_in_a_process(self):
        """What the shim would open is opened by its names."""
        self.make(self.site / WHEEL, NUMBER, CUDA)
        make_library(self.library, self.root / "code.c", self.site / WHEEL / "libcudnn.so.9",
                     self.site / WHEEL / "libcudart.so.12",
                     "-Wl,--disable-new-dtags,-rpath,$ORIGIN/../../" + WHEEL)
        names = [name for name in ids_of(OTHER, "13") if name != "libcudnn.so.9"]
        with running(sys.executable, "-c", OPEN, self.library, *names, LD_LIBRARY_PATH=str(self.other)) as pid:
            status, out = self.call("verify", "--pid", pid)
        self.assertEqual((status, out.split("\n")[0]), (
            1, "cudnn-checked: refused: this cuDNN is for CUDA 13, and libtorch_cuda.so needs CUDA 12"), out)

    def test_in_the_process_of_a_program(self):
        """What the program itself NEEDs counts there, as before its start."""
        wheel = self.site / WHEEL
        self.make(wheel, NUMBER, CUDA)
        program = compiled(self.root / "app", '#include <stdio.h>\nint main(void) { puts("ready"); fflush(stdout); '
                           "return getchar() != EOF; }\n", "-Wl,--no-as-needed", wheel / "libcudnn.so.9",
                           wheel / "libcudart.so.12", f"-Wl,--disable-new-dtags,-rpath,{wheel}", language="C")
        wanted = (1, "cudnn-checked: refused: this cuDNN is for CUDA 13, and app needs CUDA 12")
        with running(program, LD_LIBRARY_PATH=str(self.other)) as pid:
            for words in (["--pid", pid], [program]):
                status, out = self.call("verify", *words)
                self.assertEqual((status, out.split("\n")[0]), wanted, out)

    def test_nothing_but_the_shim_says_it(self):
        """ctranslate2 names no CUDA: what its shim was built for is all that is known."""
        for info in self.site.glob("torch*"):
            if info.suffix == ".dist-info":
                (info / "METADATA").write_text("Name: torch\nVersion: 2.7.1\n")
        for command in (("verify", self.library), ("doctor", self.site)):
            status, out = self.call(*command)
            self.assertEqual(status, 1, out)
            self.assertRegex(out, "(refused|error): the files of cuDNN are of more than one release\n"
                                  "  graph: .*\n  shim: +9.5.1 for CUDA 11 or 12 ")

    def give_it_a_python(self):
        prefix = self.root / "venv"
        (prefix / "bin").mkdir()
        (prefix / "bin/python").touch()
        (prefix / "pyvenv.cfg").touch()

    def test_transformer_engine_opens_another_one(self):
        """S53: below CUDA_HOME, before the wheel of its environment."""
        self.give_it_a_python()
        library = self.site / "transformer_engine/wheel_lib/libtransformer_engine.so"
        cudart = self.site / WHEEL / "libcudart.so.12"
        make_library(cudart)
        make_library(library, self.site / WHEEL / "libcudnn.so.9", cudart,
                     "-Wl,-rpath,$ORIGIN/../../" + WHEEL)
        self.record("transformer-engine-cu12", "2.9.0", [library])
        for home, status, takes in ((self.other.parent, 1, "9.19.0 for CUDA 13, whole"),
                                    (self.root / "none", 0, "9.5.1 for CUDA 12, whole")):
            status_of_verify, out, _ = call("verify", library, home=self.root, CUDA_HOME=home)
            self.assertEqual(status_of_verify, status, out)
            status_of_doctor, table, _ = call("doctor", self.site, home=self.root, CUDA_HOME=home)
            self.assertEqual(status_of_doctor, status, table)
            self.assertRegex(table, f"  transformer-engine-cu12 2.9.0   libtransformer_engine.so +{takes} ")
            if status:
                self.assertIn("  opens it:  libcudnn.so.9        CUDA_HOME, as transformer_engine/common/__init__.py "
                              "does\n", out)
                self.assertIn("this cuDNN is for CUDA 13, and libtransformer_engine.so needs CUDA 12\n", out)
                self.assertIn("error: this cuDNN is for CUDA 13, and libtransformer_engine.so needs CUDA 12\n", table)

    def test_the_frontend_takes_that_of_its_python(self):
        """S53: a folder of pip install --target is no purelib, whatever lies in it."""
        library = self.site / "cudnn/_compiled_module.cpython-312-x86_64-linux-gnu.so"
        make_library(library, "-Wl,-rpath,$ORIGIN/../nvidia/cudnn/lib")
        self.record("nvidia-cudnn-frontend", "1.23.0", [library])
        row = "  nvidia-cudnn-frontend 1.23.0   _compiled_module.cpython-312-x86_64-linux-gnu.so   "
        self.assertIn(row + "not known", call("doctor", self.site, home=self.root)[1])
        status, out, _ = call("verify", library, home=self.root)
        self.assertEqual((status, relative_output(out, site=self.site)), (3, f"""\
cudnn-checked: unknown: which cuDNN {library.name} opens is not known, so none was checked
  opens it:  not known   purelib of its Python, as cudnn/__init__.py does
  It opens cuDNN itself, and in which order it searches is not known.
  fix: cudnn-checked verify --pid PID
  [not-stamped]
"""))
        self.give_it_a_python()
        self.assertIn(row + "9.5.1 for CUDA 12, whole", call("doctor", self.site, home=self.root)[1])

    def test_a_newer_minor_release_for_the_same_cuda(self):
        self.make(self.other, OTHER, CUDA)
        status, out = self.call("verify", self.library)
        self.assertEqual((status, out.split("\n")[0]), (
            0, "cudnn-checked: warning: the files of cuDNN are of more than one release"), out)
