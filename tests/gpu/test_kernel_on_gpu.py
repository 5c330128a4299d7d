# SPDX-License-Identifier: BSD-3-Clause
"""The kernel that the project's CUDA compiler compiled, run at configure time on the real GPU."""
import json
import os
import re
import shlex
import tempfile
import textwrap
import unittest

import gpu_machine
from gpu_machine import Build, keep, needs_gpu, python_wheel

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.join(HERE, "architectures")


def message_of(output):
    """The text of CMake's warning or error, without its own lines; empty where there is none."""
    found = re.search(r"^CMake (?:Warning|Error)[^\n]*\n(.*?)\n(?:Call Stack|\n\n)", output, re.M | re.S)
    return textwrap.dedent(found.group(1)).strip() + "\n" if found else ""


@needs_gpu
class Kernel(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.install = python_wheel() or gpu_machine.debian_package()
        self.capability = gpu_machine.capability()
        if self.capability in ("75", "86"):
            self.skipTest("written for a GPU that is neither sm_75 nor sm_86")
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = os.path.join(scratch.name, "build")

    def configure(self, architectures, **definitions):
        return Build(self.folder, self.install.root, SOURCE, CMAKE_CUDA_ARCHITECTURES=architectures,
                     **definitions)

    def message(self, verdict, summary, compiled, lines, because, architectures, name):
        """A message whose facts are `compiled for`, the GPU and `lines`, each (label, value, where)."""
        facts = [("compiled for:", compiled, "CMAKE_CUDA_ARCHITECTURES"),
                 ("GPU 0:", "sm_" + self.capability, gpu_machine.gpu_name()), *lines]
        label, value = (max(len(fact[i]) for fact in facts) for i in (0, 1))
        return (f"cudnn_checked: {verdict}: {summary}\n"
                + "".join(f"  {a:{label}}  {b:{value}}   {c}\n" for a, b, c in facts)
                + f"  {because}\n"
                f"  fix: cmake -D 'CMAKE_CUDA_ARCHITECTURES={architectures};{self.capability}' {self.folder}\n"
                f"  [{name}]\n")

    def not_built(self, verdict):
        return self.message(
            verdict, f"this project compiles no code for this GPU, sm_{self.capability}", "sm_75, sm_86",
            [("cudaLaunchKernel:", "cudaErrorNoKernelImageForDevice (209)",
              "no kernel image is available for execution on the device")],
            "Its first kernel would fail with error 209, no kernel image is available.",
            "75-real;86-real", "arch-not-built")

    def assert_verified(self, build, code, compiled):
        self.assertEqual(build.status, 0, build.output)
        kernel = build.report["kernel"]
        self.assertEqual(kernel["compiled"], compiled)
        self.assertEqual([(run["status"], run["code"]) for run in kernel["runs"]], [("ok", code)] * 3)
        for run in kernel["runs"]:
            self.assertLess(run["element_error"], run["tolerance"])
            # cuDNN may take fp32 inputs as TF32.
            self.assertTrue(0 <= run["cudnn_difference"] < 4 * 2 * 2 ** -11, run)
        return kernel

    def test_machine_code_for_this_gpu(self):
        build = self.configure(self.capability)
        kernel = self.assert_verified(build, "sm_" + self.capability, [self.capability])
        self.assertEqual(message_of(build.output), "")
        self.assertRegex(build.line, rf", kernel verified \(nvcc [\d.]+, sm_{self.capability}\)$")
        keep("kernel.txt", build.line + "\n" + json.dumps(kernel, indent=1) + "\n")

    def test_flags_that_change_arithmetic_and_separate_compilation(self):
        build = self.configure(f"75-real;{self.capability}-real", CMAKE_CUDA_FLAGS="-use_fast_math",
                               CMAKE_CUDA_SEPARABLE_COMPILATION="ON")
        self.assert_verified(build, "sm_" + self.capability, ["75-real", self.capability + "-real"])

    def test_native(self):
        build = self.configure("native")
        self.assert_verified(build, "sm_" + self.capability, [self.capability + "-real"])

    def test_ptx_only_is_a_warning(self):
        build = self.configure("75-virtual")
        self.assert_verified(build, "compute_75 (PTX)", ["75-virtual"])
        self.assertEqual(message_of(build.output), self.message(
            "warning", f"this project compiles no machine code for this GPU, sm_{self.capability}, only PTX",
            "compute_75 (PTX)", [], "The driver compiles the PTX when the program starts, which takes time.",
            "75-virtual", "arch-jit-only"))

    def test_code_for_other_gpus_is_a_warning_and_the_fix_ends_it(self):
        build = self.configure("75-real;86-real")
        self.assertEqual(build.status, 0, build.output)
        keep("kernel-not-built.txt", build.output)
        warning = message_of(build.output)
        self.assertEqual(warning, self.not_built("warning"))
        self.assertEqual(build.report["level"], "ran")
        self.assertEqual([(run["status"], run["status_number"], run["code"])
                          for run in build.report["kernel"]["runs"]],
                         [("cudaErrorNoKernelImageForDevice", 209, "")])
        fix = re.search(r"^  fix: (cmake .*)$", warning, re.M).group(1)
        again = gpu_machine.run(shlex.split(fix))
        self.assertEqual(again.returncode, 0, again.stdout + again.stderr)
        self.assertEqual(message_of(again.stderr), "")
        self.assertIn("kernel verified (nvcc", again.stdout)

    def test_code_for_other_gpus_is_refused_where_ran_is_required(self):
        build = self.configure("75-real;86-real", CuDNNChecked_REQUIRE="RAN")
        self.assertNotEqual(build.status, 0, build.output)
        self.assertEqual(message_of(build.output), self.not_built("refused"))

    def test_off_leaves_it_out(self):
        build = self.configure("75-real;86-real", CuDNNChecked_KERNEL="OFF")
        self.assertEqual(build.status, 0, build.output)
        self.assertIsNone(build.report["kernel"])
        self.assertEqual(message_of(build.output), "")

    def test_a_host_compiler_that_nvcc_rejects_is_not_blamed_on_cudnn(self):
        host = os.path.join(os.path.dirname(self.folder), "g++-99")
        with open(host, "w", encoding="utf-8") as script:
            script.write('#!/bin/sh\nexec g++ -U__GNUC__ -D__GNUC__=99 "$@"\n')
        os.chmod(host, 0o755)
        # CMake tries nvcc once only: later flags are not its matter.
        self.assert_verified(self.configure(self.capability), "sm_" + self.capability, [self.capability])
        build = self.configure(self.capability, CMAKE_CUDA_FLAGS=f"-ccbin={host}")
        keep("kernel-host.txt", build.output)
        self.assertNotEqual(build.status, 0, build.output)
        self.assertIn("unsupported GNU version", build.output)
        self.assertIn("[kernel-not-compiled]", build.output)


if __name__ == "__main__":
    unittest.main()
