# SPDX-License-Identifier: BSD-3-Clause
"""Programs and libraries without a stamp: what their packages ask for, what they open by name, and copies
that a package has renamed."""

import json
import shutil
import subprocess

from checked_program import CheckedProgram
from support.environment import compiler

CALLS = 'extern "C" unsigned long cudnnGetVersion();\n' \
        'extern "C" unsigned long f() { return cudnnGetVersion(); }\n'
NO_STAMP = """\
  It has no stamp: the driver, the GPUs and the code for them are not checked.
  fix: nothing
   or: build it with cudnn_checked_guard()
  [not-stamped]
"""
NOT_STAMPED = """\
and: not stamped: only the loader's search and the cuDNN that it finds are checked
  expected:  a stamp   {}
  found:     none
  Which cuDNN, CUDA and GPUs it was built for is not known.
  fix: nothing
   or: build it with cudnn_checked_guard()
  [not-stamped]
"""
NO_DRIVER = """\
cudnn-checked: refused: there is no NVIDIA driver on this machine
  needed:     libcuda.so.1   by <scratch>/plain
"""
ENDED = '  The loader ends it before main(): "error while loading shared libraries".\n'


class Unstamped(CheckedProgram):
    @property
    def shim(self):
        return self.built_on.library_directory / "libcudnn.so.9"

    def compile(self, path, source, *arguments):
        path = self.scratch / path
        path.parent.mkdir(parents=True, exist_ok=True)
        (self.scratch / "source.cpp").write_text(source)
        subprocess.run([compiler("CXX"), "-o", str(path), str(self.scratch / "source.cpp"),
                        *map(str, arguments)], check=True)
        return path

    def framework(self, requirement, *arguments, source=CALLS, release="2.7.1"):
        """A site-packages with a wheel of cuDNN and a package that takes it by its RPATH."""
        site = self.scratch / "site"
        shutil.copytree(self.built_on.library_directory, site / "nvidia/cudnn/lib", symlinks=True)
        library = self.compile("site/torch/lib/libtorch_cuda.so", source, "-shared", "-fPIC",
                               "-Wl,--disable-new-dtags,-rpath,$ORIGIN/../../nvidia/cudnn/lib", *arguments)
        info = site / f"torch-{release}.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Name: torch\nVersion: {release}\n"
                                       f"Requires-Dist: {requirement}; platform_system == \"Linux\"\n")
        (info / "RECORD").write_text("torch/lib/libtorch_cuda.so,sha256=x,1\n")
        return library

    def test_a_framework_on_what_it_requires(self):
        library = self.framework("nvidia-cudnn-cu12==9.5.1.17", self.shim)
        self.assertEqual(self.verify(program=library), (0, """\
cudnn-checked: ok: libtorch_cuda.so takes cuDNN 9.14.0, whole, from <scratch>/site/nvidia/cudnn/lib
  requires:  9.5.1   nvidia-cudnn-cu12==9.5.1.17 of torch 2.7.1
  shim:      9.14.0   <scratch>/site/torch/lib/../../nvidia/cudnn/lib/libcudnn.so.9   chosen by RPATH of \
<scratch>/site/torch/lib/libtorch_cuda.so
""" + NO_STAMP))

    def test_a_framework_that_does_not_avoid_a_defect(self):
        library = self.framework("nvidia-cudnn-cu12==9.10.2.21", self.shim, release="2.8.0+cu128")
        place = "<scratch>/site/torch/lib/../../nvidia/cudnn/lib/libcudnn"
        defect = f"""\
cuDNN 9.14.0 has a known defect on this GPU, sm_90, and torch 2.8.0 does not avoid it: conv3d-large
  operations:  conv3d/bf16 conv3d/fp16   pytorch/pytorch#163539, pytorch/pytorch#166480
  cuDNN:       9.14.0   {place}_graph.so.9.14.0   chosen by RUNPATH of {place}.so.9
  GPU 0:       sm_90   Simulated GPU sm_90
"""
        what = """\
  Convolutions of large volumes in NCDHW with filters above 1x1x1 are wrong, and every status is success.
  fix: upgrade to torch 2.9.0 or newer, which avoids it
   or: upgrade to cuDNN 9.15.0 or newer
   or: keep volumes in channels_last_3d
  [cudnn-known-bad]
"""
        self.assertEqual(self.verify(program=library, SIMULATED_GPUS="sm_90"), (
            0, "cudnn-checked: warning: " + defect + what +
            NOT_STAMPED.format("<scratch>/site/torch/lib/libtorch_cuda.so")))
        used = "  used by:     torch 2.8.0+cu128   <scratch>/site/torch/lib/libtorch_cuda.so\n"
        _, out, _ = self.checked("doctor", self.scratch / "site", SIMULATED_GPUS="sm_90")
        self.assertIn("warning: " + defect + used + what, out)
        self.assertEqual(out.count("does not avoid it"), 1, out)
        # The GPUs of another machine, and none.
        status, out, _ = self.checked("verify", "--as", "sm_90,driver=580.65.06", library)
        self.assertIn("sm_90, and torch 2.8.0 does not avoid it: conv3d-large", out)
        for options, gpus in [(["--as", "sm_89,driver=580.65.06"], "sm_90"), (["--no-gpu"], "sm_90"),
                              ([], "sm_89"), ([], "")]:
            status, out, _ = self.checked("verify", *options, library, SIMULATED_GPUS=gpus)
            self.assertNotIn("cudnn-known-bad", out)
            self.assertIn("cudnn-checked: ok: ", out)
        _, out, _ = self.checked("doctor", self.scratch / "site", SIMULATED_GPUS="sm_89")
        self.assertNotIn("cudnn-known-bad", out)

    def test_a_framework_that_avoids_a_defect(self):
        library = self.framework("nvidia-cudnn-cu12==9.10.2.21", self.shim, release="2.9.0")
        status, out = self.verify(program=library, SIMULATED_GPUS="sm_90")
        self.assertEqual((status, out.split(":")[1]), (0, " ok"), out)
        _, out, _ = self.checked("doctor", self.scratch / "site", SIMULATED_GPUS="sm_90")
        self.assertNotIn("cudnn-known-bad", out)

    def test_a_framework_on_an_older_one(self):
        library = self.framework("nvidia-cudnn-cu12==9.15.0.57", self.shim)
        self.assertEqual(self.verify(program=library), (1, """\
cudnn-checked: refused: libtorch_cuda.so requires cuDNN 9.15.0 and would run on cuDNN 9.14.0
  requires:    9.15.0   nvidia-cudnn-cu12==9.15.0.57 of torch 2.7.1
  would load:  9.14.0   <scratch>/site/torch/lib/../../nvidia/cudnn/lib/libcudnn_graph.so.9.14.0   chosen \
by RUNPATH of <scratch>/site/torch/lib/../../nvidia/cudnn/lib/libcudnn.so.9
  An older minor release of cuDNN may lack functions that the program calls.
  fix: install the wheel nvidia-cudnn-cu12==9.15.0.57 in a Python environment, and name its directory of libraries in LD_LIBRARY_PATH
  [cudnn-older]
""" + NOT_STAMPED.format("<scratch>/site/torch/lib/libtorch_cuda.so")))

    def test_a_library_that_opens_it_by_name(self):
        library = self.framework("nvidia-cudnn-cu12<10,>=9.3", source="void f() {}")
        self.assertEqual(self.verify(program=library), (0, """\
cudnn-checked: ok: libtorch_cuda.so would take, by dlopen("libcudnn.so.9"), cuDNN 9.14.0, whole, from \
<scratch>/site/nvidia/cudnn/lib
  requires:  9.3.0   nvidia-cudnn-cu12<10,>=9.3 of torch 2.7.1
  shim:      9.14.0   <scratch>/site/torch/lib/../../nvidia/cudnn/lib/libcudnn.so.9   chosen by RPATH \
of <scratch>/site/torch/lib/libtorch_cuda.so
  opens it:  libcudnn.so.9   RPATH of <scratch>/site/torch/lib/libtorch_cuda.so
""" + NO_STAMP))

    def test_nothing_is_known(self):
        program = self.compile("python3", "int main(int n, char**) { return n; }")
        nothing = "nothing is known of a cuDNN of python3, so none was checked\n"
        self.assertEqual(self.verify(program=program), (3, f"""\
cudnn-checked: unknown: {nothing}\
  found:  none   no stamp; no cuDNN in NEEDED, in its run path or required by its package
  It uses none, or opens one later.
  fix: nothing
   or: verify the library that uses cuDNN, such as libtorch_cuda.so
  [not-stamped]
"""))
        self.assertEqual(self.checked("run", "--", program, "train.py"),
                         (2, "", "cudnn-checked: note: " + nothing))

    def test_the_driver_that_it_needs(self):
        stub = self.compile("stubs/libcuda.so.1", 'extern "C" int cuInit(unsigned) { return 34; }',
                            "-shared", "-fPIC", "-Wl,-soname,libcuda.so.1")
        program = self.compile("plain", 'extern "C" int cuInit(unsigned);\nint main() { return cuInit(0); }',
                               stub)
        status, out = self.verify(program=program, driver=False)
        self.assertEqual(status, 1)
        self.assertTrue(out.startswith(NO_DRIVER), out)
        self.assertIn(ENDED + """\
  fix: run it on a machine with a GPU
   or: in a container, give it a GPU: docker run --gpus all
  [driver-missing]
""", out)
        library = self.compile("libplugin.so", CALLS + 'extern "C" int cuInit(unsigned);\n'
                               "int g() { return cuInit(0); }\n", "-shared", "-fPIC", stub,
                               self.shim,
                               f"-Wl,-rpath,{self.built_on.library_directory}")
        status, out = self.verify(stub.parent, program=library, driver=False)
        self.assertEqual((status, out), (1, """\
cudnn-checked: refused: the loader finds the toolkit's stub instead of the NVIDIA driver
  needed:  libcuda.so.1   of the NVIDIA driver
  found:   a stub   <scratch>/stubs/libcuda.so.1   chosen by LD_LIBRARY_PATH[0]
  Every CUDA call would fail: cuDNN computes on a GPU only.
  try: unset LD_LIBRARY_PATH
  [driver-missing]
""" + NOT_STAMPED.format("<scratch>/libplugin.so")))
        # Where it will run there is one.
        for options in (["--no-gpu"], ["--as", "sm_86,driver=580"]):
            for libraries in ([], [stub.parent]):
                status, out, err = self.checked("verify", *options, library, driver=False, libraries=libraries)
                self.assertEqual((status, out, err), (0, f"""\
cudnn-checked: ok: libplugin.so takes cuDNN 9.14.0, whole, from {self.relative(str(self.shim.parent))}
  shim:  9.14.0   {self.relative(str(self.shim))}   chosen by RUNPATH of <scratch>/libplugin.so
""" + NO_STAMP, ""))
            status, out, _ = self.checked("verify", *options, program, driver=False)
            self.assertEqual((status, out.split("\n")[0]), (
                3, "cudnn-checked: unknown: nothing is known of a cuDNN of plain, so none was checked"))

    def test_doctor_lists_renamed_copies(self):
        prefix = self.scratch / "venv"
        libs = prefix / "lib/python3.12/site-packages/ctranslate2.libs"
        libs.mkdir(parents=True)
        copy = libs / "libcudnn-74a4c495.so.9.1.0"
        shutil.copyfile(self.shim.resolve(), copy)
        status, out, _ = self.checked("doctor", CONDA_PREFIX=prefix)
        self.assertIn(f"copies that packages have renamed\n  9.1.0   shim   {self.relative(str(copy))}\n", out)
        status, out, _ = self.checked("doctor", "--json", CONDA_PREFIX=prefix)
        self.assertEqual(json.loads(out)["copies"], [{
            "path": self.relative(str(copy)), "role": "shim", "release": "9.1.0", "state": "whole", "asked_by": ""}])
        self.assertNotIn("ctranslate2.libs", json.dumps(json.loads(out)["findings"]))
