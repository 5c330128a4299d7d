# SPDX-License-Identifier: BSD-3-Clause
"""examples/cross_aarch64: the real cuDNN of the wheel for aarch64, under qemu-user."""

import os
import pathlib
import shutil
import subprocess
import types
import unittest

from support import REPOSITORY, status_lines, tools
from support.command_line import cudnn_checked_program
from support.consumer import cmake_program
from support.gallery import GalleryTest

COMPILER, EMULATOR = "aarch64-linux-gnu-g++", "qemu-aarch64"


def fetched(script, *arguments):
    """The directory that a script of scripts/ prints; skips the test where it has nothing to print."""
    done = subprocess.run(["sh", REPOSITORY / "scripts" / script, *arguments], text=True, timeout=300,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode != 0:
        raise unittest.SkipTest(f"{script} fetched nothing: {done.stderr.strip().splitlines()[-1]}")
    return pathlib.Path(done.stdout.splitlines()[-1])


class CrossAarch64(GalleryTest):
    name = "cross_aarch64"
    loaded = ("cuDNN 9.14.0 · CUDA 13.0 · loaded, no convolution was run: level loaded was asked "
              "for")
    linked = ("cuDNN 9.14.0 · CUDA 13.0, linked only; nothing was run: cross-compiling without "
              "CMAKE_CROSSCOMPILING_EMULATOR [not-verified]")

    @classmethod
    def setUpClass(cls):
        for tool in (COMPILER, EMULATOR):
            if shutil.which(tool) is None:
                raise unittest.SkipTest(f"{tool} is not installed")
        super().setUpClass()

    @classmethod
    def find_sdk(cls):
        """The packages that the README's pip installs, where it installs them."""
        wheels = fetched("fetch_cudnn.sh", "jit-aarch64")
        (cls.scratch / "build").mkdir(exist_ok=True)
        (cls.scratch / "build" / "aarch64").symlink_to(wheels)
        return types.SimpleNamespace(prefix=wheels, environment={})

    @classmethod
    def environment(cls):
        return {"PATH": f"{cls.scratch}/bin:{tools()}:{os.environ['PATH']}"}

    @classmethod
    def prepare(cls):
        """The compilers are the toolchain file's; the root has the libz of the target."""
        root = fetched("aarch64_root.sh")
        cls.write_program("cmake", f'#!/bin/sh\n[ "$1" = -S ] || exec {cmake_program()} "$@"\n'
                          f'exec {cmake_program()} "$@" -G "{cls.consumer.generator}" '
                          f'-DAARCH64_ROOT="${{TEST_ROOT:-{root}}}" $TEST_MORE\n')

    def run_verify(self):
        program = self.scratch / "build" / self.name / self.name
        done = self.consumer.run(cudnn_checked_program(), "verify", program)
        return done.status, done.output.replace(str(program), "PROGRAM")

    def test_loaded_and_started_without_ld_library_path(self):
        self.assertEqual(status_lines(self.output), [self.loaded])
        status, output = self.run_shown()
        self.assertIn("1: cross_aarch64: built with cuDNN 9.14.0, runs on 91400, on aarch64\n", output)
        self.assertEqual(status, 0, output)

    def test_its_guard_refuses_under_the_emulator_too(self):
        """A sub-library that is missing; nothing of the real one is changed."""
        folder = self.scratch / "partial"
        shutil.copytree(self.sdk.prefix / "nvidia/cudnn_jit/lib", folder)
        self.addCleanup(shutil.rmtree, folder)
        (folder / "libcudnn_graph.so.9").unlink()
        _, output = self.run_shown(LD_LIBRARY_PATH=folder)
        said = [line[3:] for line in output.splitlines() if line.startswith("1: ")]
        self.assertEqual(said[said.index(next(s for s in said if "refused" in s)):], [
            "cudnn_checked: refused: a sub-library of a JIT-only cuDNN is missing: libcudnn_graph.so.9",
            "  needed:  libcudnn_graph.so.9",
            "  found:   unknown   <scratch>/partial/libcudnn.so.9   chosen by LD_LIBRARY_PATH[0]",
            "  cuDNN does not report it: depending on the file it aborts, fails later, runs slower or "
            "computes wrong numbers.",
            "  fix: unset LD_LIBRARY_PATH",
            "   or: export LD_LIBRARY_PATH=<scratch>/build/aarch64/nvidia/"
            "cudnn_jit/lib",
            "  [sublibrary-missing]",
            "  override: CUDNN_CHECKED=warn"])

    @unittest.skipIf(os.uname().machine == "aarch64", "this machine is aarch64")
    def test_verify_here_names_both_machines(self):
        self.assertEqual(self.run_verify(), (3, (
            "cudnn-checked: error: verify: PROGRAM: for aarch64, and this machine is "
            f"{os.uname().machine}\n")))

    def test_the_packages_are_those_of_the_readme(self):
        pip = next(line for line in self.shown if "pip install" in line)
        sets = (REPOSITORY / "scripts" / "cudnn_sets.txt").read_text(encoding="utf-8")
        row = next(line for line in sets.splitlines() if line.startswith("jit-aarch64 "))
        self.assertEqual([word for word in pip.split() if word.startswith("nvidia-")],
                         [word.split("==")[0] for word in row.split() if "==" in word])

    def test_below_the_root_of_the_target(self):
        """As on Jetson and as on Arm servers: no option but the root."""
        nvidia = self.sdk.prefix / "nvidia"
        for name, cudnn_include, cudnn_lib, cuda in [
                ("jetson", "usr/include/aarch64-linux-gnu", "usr/lib/aarch64-linux-gnu",
                 "usr/local/cuda/targets/aarch64-linux"),
                ("sbsa", "usr/local/cuda/targets/sbsa-linux/include",
                 "usr/local/cuda/targets/sbsa-linux/lib", "usr/local/cuda/targets/sbsa-linux")]:
            with self.subTest(name=name):
                root = self.scratch / name
                shutil.copytree(fetched("aarch64_root.sh"), root, symlinks=True)
                for source, target in [("cudnn_jit/include", cudnn_include),
                                       ("cudnn_jit/lib", cudnn_lib), ("cu13", cuda)]:
                    shutil.copytree(nvidia / source, root / target, dirs_exist_ok=True)
                command = self.shown[-3].replace("build/cross_aarch64", "build/rooted").replace(
                    "-D CuDNNChecked_ROOT=$PWD/build/aarch64", "")
                self.assertNotIn("CuDNNChecked_ROOT", command)
                levels = {"OFF": self.linked, shutil.which(EMULATOR): self.loaded}
                if name == "sbsa":
                    del levels["OFF"]
                for emulator, level in levels.items():
                    more = f"-DAARCH64_EMULATOR={emulator}"
                    done = self.shell(command, TEST_ROOT=root, TEST_MORE=more)
                    self.assertEqual((done.status, status_lines(done.output)), (0, [level]), done.output)
                shutil.rmtree(root)
