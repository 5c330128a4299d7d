# SPDX-License-Identifier: BSD-3-Clause
"""The examples on a real GPU, built with the cuDNN of this machine; examples/minimal is in most other tests."""
import os
import re
import subprocess
import sys
import tempfile
import unittest

import gpu_machine
from gpu_machine import REPOSITORY, Build, keep, needs_gpu, python_wheel


@needs_gpu
class Examples(unittest.TestCase):
    def setUp(self):
        self.install = python_wheel() or gpu_machine.debian_package()
        if self.install is None:
            self.skipTest("neither a wheel nor Debian's package of cuDNN is here")
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = os.path.join(scratch.name, "build")
        self.number = str(sum(int(part) * factor for part, factor in
                              zip(self.install.release.split("."), (10000, 100, 1))))

    def run_example(self, name, program, **definitions):
        """Builds it and runs it, in the folder of the build; all of its output."""
        source = os.path.join(REPOSITORY, "examples", name)
        build = Build(self.folder, self.install.root, source, **definitions)
        self.assertEqual(build.status, 0, build.output)
        self.assertRegex(build.output, r"convolution verified|\[arch-jit-only\]")
        build.compile()
        done = subprocess.run(program.format(build=self.folder, source=source, python=sys.executable),
                              shell=True, capture_output=True, text=True, timeout=300)
        keep(f"example-{name}.txt", build.line + "\n" + done.stdout + done.stderr)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        return done.stdout

    def test_c_program(self):
        # It lists notes as well: what is known of this cuDNN on this GPU.
        output = self.run_example("c_program", "{build}/c_program")
        output = re.sub(r"(?m)^c_program: note: .* \[cudnn-known-bad\]\n", "", output)
        self.assertEqual(output,
                         f"c_program: built with cuDNN {self.install.release}\n"
                         "c_program: cuDNN computed 192 numbers, 0 of them wrong\n")

    def cuda_architectures(self, architectures, code):
        output = self.run_example("cuda_architectures", "{build}/cuda_architectures",
                                  CMAKE_CUDA_ARCHITECTURES=architectures)
        gpu = gpu_machine.capability()
        self.assertEqual(output, (
            f"cuda_architectures: GPU 0 is an sm_{gpu} and runs code for sm_{gpu}, from PTX of "
            f"compute_{code}\ncuda_architectures: 192 numbers by cuDNN and the kernel, 0 of them wrong\n"))

    def test_machine_code_for_this_gpu(self):
        self.cuda_architectures(f"75;{gpu_machine.capability()}", gpu_machine.capability())

    def test_ptx_alone(self):
        self.cuda_architectures("75-virtual", "75")

    def test_code_for_other_gpus_only(self):
        """What examples/README.md says of it."""
        if gpu_machine.capability() in ("75", "86"):
            self.skipTest("written for a GPU that is neither sm_75 nor sm_86")
        source = os.path.join(REPOSITORY, "examples", "cuda_architectures")
        build = Build(self.folder, self.install.root, source,
                      CMAKE_CUDA_ARCHITECTURES="75-real;86-real")
        self.assertEqual(build.status, 0, build.output)
        self.assertIn("[arch-not-built]", build.output)

    def test_library_and_plugin(self):
        self.assertEqual(self.run_example("library_and_plugin", "{build}/host --strict"),
                         "host: 192 numbers blurred by cuDNN, all right\n"
                         "host: the plugin sharpened 192 numbers\nhost: done\n")

    def test_python_extension(self):
        output = self.run_example(
            "python_extension", "PYTHONPATH={build} {python} {source}/use_blurring.py",
            Python3_EXECUTABLE=sys.executable)
        self.assertEqual(output, "use_blurring: the check says: ok\n"
                                 "use_blurring:  1.0  2.0  1.0  0.0\n"
                                 "use_blurring:  2.0  4.0  2.0  0.0\n"
                                 "use_blurring:  1.0  2.0  1.0  0.0\n")

    def test_exported_package(self):
        source = os.path.join(REPOSITORY, "examples", "exported_package")
        build = Build(self.folder, self.install.root, source)
        self.assertEqual(build.status, 0, build.output)
        build.compile()
        prefix, consumer = self.folder + "-prefix", self.folder + "-consumer"
        for command in [["cmake", "--install", self.folder, "--prefix", prefix],
                        ["cmake", "-S", f"{source}/consumer", "-B", consumer, "-G", "Ninja",
                         f"-DCMAKE_PREFIX_PATH={prefix}", f"-DCuDNNChecked_ROOT={self.install.root}"],
                        ["cmake", "--build", consumer]]:
            done = gpu_machine.run(command)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        done = gpu_machine.run([f"{consumer}/consumer"])
        self.assertEqual((done.returncode, done.stdout, done.stderr),
                         (0, "consumer: 192 numbers blurred by cuDNN, all right\n", ""))

    def wheels_only(self):
        self.assertEqual(self.run_example("wheels_only", "{build}/wheels_only"),
                         f"wheels_only: built with cuDNN {self.install.release}, runs on {self.number}\n"
                         "wheels_only: cuDNN computed 8192 numbers, all right\n")

    def test_wheels_only(self):
        self.wheels_only()

    def test_wheels_only_on_a_jit_only_set(self):
        if self.install.release.startswith("8."):
            self.skipTest("cuDNN 8 has no JIT-only set")
        self.install = gpu_machine.make_jit_only(
            gpu_machine.copy_of_set(self.install, os.path.dirname(self.folder) + "/jit"))
        self.wheels_only()


if __name__ == "__main__":
    unittest.main()
