# SPDX-License-Identifier: BSD-3-Clause
"""Programs and libraries without a stamp: what their packages ask for, what they open by name, and copies
that a package has renamed."""

import json
import shutil

from checked_program import CheckedProgram, messages, NOT_STAMPED
from fake_packages import record

CALLS = 'extern "C" unsigned long cudnnGetVersion();\n' \
        'extern "C" unsigned long f() { return cudnnGetVersion(); }\n'
NO_STAMP = """\
  It has no stamp: the driver, the GPUs and the code for them are not checked.
  fix: nothing
   or: build it with cudnn_checked_guard()
  [not-stamped]
"""


# Each of the three kinds of recurrent networks, by the algorithm that torch takes by default.
RECURRENT = [("[cudnn-known-bad]", "take CUDNN_RNN_ALGO_STANDARD, bf16, or a batch that is no multiple of 8")] * 3


class Unstamped(CheckedProgram):
    @property
    def shim(self):
        return self.built_on.library_directory / "libcudnn.so.9"

    def framework(self, requirement, *arguments, source=CALLS, release="2.7.1"):
        """A site-packages with a wheel of cuDNN and a package that takes it by its RPATH."""
        site = self.scratch / "site"
        shutil.copytree(self.built_on.library_directory, site / "nvidia/cudnn/lib", symlinks=True)
        library = self.compile("site/torch/lib/libtorch_cuda.so", source, "-shared", "-fPIC",
                               "-Wl,--disable-new-dtags,-rpath,$ORIGIN/../../nvidia/cudnn/lib", *arguments)
        record(site, "torch", release, [library], f'{requirement}; platform_system == "Linux"')
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
        fix = "upgrade to torch 2.9.0 or newer, which avoids it"
        status, out = self.verify(program=library, SIMULATED_GPUS="sm_90")
        self.assertEqual((status, messages(out)), (0, [("[cudnn-known-bad]", fix), *RECURRENT, NOT_STAMPED]))
        self.assertIn("and torch 2.8.0 does not avoid it: conv3d-large\n", out)
        _, out, _ = self.checked("doctor", self.scratch / "site", SIMULATED_GPUS="sm_90")
        self.assertIn(("[cudnn-known-bad]", fix), messages(out))
        self.assertIn("  used by:     torch 2.8.0+cu128   <scratch>/site/torch/lib/libtorch_cuda.so\n", out)
        self.assertEqual(out.count("does not avoid it: conv3d-large"), 1, out)
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
        self.assertEqual((status, messages(out)), (0, [*RECURRENT, NOT_STAMPED]))
        _, out, _ = self.checked("doctor", self.scratch / "site", SIMULATED_GPUS="sm_90")
        self.assertNotIn("conv3d-large", out)

    def test_a_framework_on_an_older_one(self):
        library = self.framework("nvidia-cudnn-cu12==9.15.0.57", self.shim)
        status, out = self.verify(program=library)
        self.assertEqual((status, messages(out)), (1, [
            ("[cudnn-older]", "install the wheel nvidia-cudnn-cu12==9.15.0.57 in a Python environment, and name its "
                              "directory of libraries in LD_LIBRARY_PATH"), NOT_STAMPED]))

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
        status, out = self.verify(program=program)
        self.assertEqual((status, messages(out)), (3, [NOT_STAMPED]))
        self.assertTrue(out.startswith("cudnn-checked: unknown: " + nothing), out)
        self.assertEqual(self.checked("run", "--", program, "train.py"),
                         (2, "", "cudnn-checked: note: " + nothing))

    def test_the_driver_that_it_needs(self):
        stub = self.compile("stubs/libcuda.so.1", 'extern "C" int cuInit(unsigned) { return 34; }',
                            "-shared", "-fPIC", "-Wl,-soname,libcuda.so.1")
        program = self.compile("plain", 'extern "C" int cuInit(unsigned);\nint main() { return cuInit(0); }',
                               stub)
        status, out = self.verify(program=program, driver=False)
        self.assertEqual((status, messages(out)[0]), (1, ("[driver-missing]", "run it on a machine with a GPU")))
        library = self.compile("libplugin.so", CALLS + 'extern "C" int cuInit(unsigned);\n'
                               "int g() { return cuInit(0); }\n", "-shared", "-fPIC", stub,
                               self.shim,
                               f"-Wl,-rpath,{self.built_on.library_directory}")
        status, out = self.verify(stub.parent, program=library, driver=False)
        self.assertEqual((status, messages(out)), (1, [("[driver-missing]", "unset LD_LIBRARY_PATH"), NOT_STAMPED]))
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
