# SPDX-License-Identifier: BSD-3-Clause
"""A program that brings a real cuDNN, where LD_LIBRARY_PATH and ld.so.cache lead to another real one.

What is mapped is read in /proc/self/maps, after the calls that load sub-libraries without a GPU.
"""

import os
import pathlib
import re
import shutil
import subprocess
import unittest

import isolation
from real_cudnn import REPOSITORY, fetched
from support import ScratchTest, cmake_program
from support.command_line import cudnn_checked_program
from support.patching import patchelf

PROJECT = """
cmake_minimum_required(VERSION 3.22)
project(app LANGUAGES C CXX)
list(APPEND CMAKE_MODULE_PATH "${CUDNN_CHECKED_SOURCE}/cmake")
find_package(CuDNNChecked REQUIRED)
add_executable(app "${CUDNN_CHECKED_SOURCE}/tests/real/audit/calls.c")
target_link_libraries(app PRIVATE CuDNNChecked::cudnn)
cudnn_checked_guard(app GPU OPTIONAL)
cudnn_checked_bundle(app CUDA DESTINATION bin)
add_executable(plain "${CUDNN_CHECKED_SOURCE}/tests/real/audit/calls.c")
target_link_libraries(plain PRIVATE CuDNNChecked::cudnn)
install(TARGETS app plain DESTINATION bin)
"""


def cuda_directory():
    """Where this machine has the NVRTC that cuDNN for CUDA 13 opens."""
    places = [pathlib.Path("/usr/local/cuda/lib64"), pathlib.Path("/usr/local/cuda-13.0/lib64")]
    return next((place for place in places if (place / "libnvrtc.so.13").exists()), None)


class RealBundle(ScratchTest):
    def setUp(self):
        super().setUp()
        self.other = fetched("full-9.19-cu13")
        if self.other is None or fetched("jit") is None or fetched("full-9.14-cu13") is None:
            self.skipTest("PyPI cannot be reached, and the cache has no real cuDNN")
        self.other /= "lib"

    def run_in(self, program, *words, by="", root=None):
        """By which of the two, or of both, the loader is led to 9.19."""
        cache = isolation.make_cache(self.scratch, [self.other] if "ld.so.cache" in by else [])
        variables = {"LD_LIBRARY_PATH": self.other} if "LD_LIBRARY_PATH" in by else {}
        done = isolation.run([program, *words, "maps"], variables, self.scratch, cache)
        return done.output, sorted(re.findall(r"(?m)^mapped (.*)$", done.output))

    WAYS = ("", "LD_LIBRARY_PATH", "ld.so.cache", "LD_LIBRARY_PATH and ld.so.cache")

    def assert_own(self, program, bundle, count, *words, answers):
        for by in self.WAYS:
            with self.subTest(by=by):
                output, mapped = self.run_in(program, *words, by=by)
                self.assertEqual({os.path.dirname(path) for path in mapped}, {str(bundle)}, output)
                self.assertEqual(len(mapped), count, output)
                self.assertTrue(output.startswith(answers), output)

    def built(self, root, *arguments):
        app = self.consumer(cmake_lists=PROJECT)
        done = app.configure(f"-DCuDNNChecked_ROOT={root}", "-DCuDNNChecked_REQUIRE=LOADED",
                             "-DCMAKE_EXECUTABLE_FORMAT=ELF", *arguments,
                             system=True)
        self.assertEqual(done.status, 0, done.output)
        done = app.build()
        self.assertEqual(done.status, 0, done.output)
        build = done.output
        done = app.run(cmake_program(), "--install", app.build_directory, "--prefix", self.scratch / "there")
        self.assertEqual(done.status, 0, done.output)
        shutil.rmtree(app.build_directory)
        return build, self.scratch / "there/bin"

    @unittest.skipIf(isolation.why_cache_stays(), f"ld.so.cache cannot be covered: {isolation.why_cache_stays()}")
    def test_a_jit_only_cudnn(self):
        build, home = self.built(fetched("jit"))
        self.assertIn("cuDNN 9.14.0 for CUDA 13 copied to ", build)
        bundle = home / "cudnn"
        self.assertTrue((bundle / "licenses/nvidia-cudnn-jit-cu13/License.txt").is_file())
        words = ("version", "graph", "engines")
        self.assert_own(home / "app", bundle, 3, *words, answers="version 91400\ngraph 0\nengines 2000\n")
        with self.subTest("what is not bundled runs on the other one"):
            output, _ = self.run_in(home / "plain", *words, by="LD_LIBRARY_PATH")
            self.assertTrue(output.startswith("version 91900\n"), output)
        if cuda_directory():
            self.in_an_empty_root(home)

    def in_an_empty_root(self, home):
        """verify and the loader of a tree that has glibc and the bundle, and no other cuDNN or CUDA."""
        tree = self.scratch / "tree"
        shutil.copytree(home, tree / "bin", symlinks=True)
        done = subprocess.run(["ldd", home / "app"], stdout=subprocess.PIPE, text=True, check=True)
        libraries = subprocess.run(["ldd", home / "cudnn/libcudnn_graph.so.9"], stdout=subprocess.PIPE, text=True,
                                   check=True)
        for path in set(re.findall(r"(?<=\s)(/lib\S+)", done.stdout + libraries.stdout)):
            target = tree / path[1:]
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(os.path.realpath(path), target)
        done = subprocess.run([cudnn_checked_program(), "verify", "--root", tree, "/bin/app"],
                              stdout=subprocess.PIPE, text=True, check=False)
        # It can be told to call the version check of each library, and this cuDNN lacks three.
        told, _, note = done.stdout.partition("cudnn-checked: note: ")
        self.assertEqual(told, f"cudnn-checked: ok: app would start in {tree}: cuDNN 9.14.0 · CUDA 13.0; "
                               "driver and GPUs are not checked\n")
        self.assertTrue(note.startswith("functions are called of what a JIT-only cuDNN lacks: "), note)
        (tree / "proc").mkdir()  # $ORIGIN comes from there
        started = 'mount -t proc proc "$1/proc" && exec chroot "$1" /bin/app version graph engines maps'
        # In a user namespace /proc can be mounted only where nothing covers a part of it.
        unshare = ["unshare", "-mpf" if os.geteuid() == 0 else "-rmpf"]
        done = subprocess.run([*unshare, "sh", "-c", started, "sh", tree], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, check=False)
        if done.stdout.startswith("mount: "):
            self.skipTest("/proc cannot be mounted in a namespace here")
        self.assertIn("\nmapped /bin/cudnn/libcudnn_engines_runtime_compiled.so.9.14.0\n", done.stdout)

    @unittest.skipIf(isolation.why_cache_stays(), f"ld.so.cache cannot be covered: {isolation.why_cache_stays()}")
    def test_the_command_for_a_finished_program(self):
        """A full cuDNN.  The order of the calls is the one in which a run path alone is not enough."""
        cudnn = fetched("full-9.14-cu13")
        app, near = self.scratch / "app", self.scratch / "near"
        source = REPOSITORY / "tests/real/audit/calls.c"
        subprocess.run(["cc", source, "-o", app, cudnn / "lib/libcudnn.so.9"], check=True)
        done = subprocess.run([cudnn_checked_program(), "bundle", "--from", cudnn, "--for", app,
                               self.scratch / "cudnn"], stdout=subprocess.PIPE, text=True, check=True)
        shutil.copy2(app, near)
        patchelf(near, "--force-rpath", "--set-rpath", "$ORIGIN/cudnn")
        [command] = re.findall(r"(?m)^  then type:    (patchelf .*)$", done.stdout)
        subprocess.run(["sh", "-c", command], check=True)
        self.assertTrue((self.scratch / "cudnn/licenses/nvidia-cudnn-cu13/License.txt").is_file())
        words = ("graph", "cnn", "engines")
        self.assert_own(app, self.scratch / "cudnn", 8, *words, answers="graph 0\ncnn 0\nengines 2000\n")
        output, mapped = self.run_in(near, *words, by="LD_LIBRARY_PATH")
        self.assertTrue(output.startswith("graph 0\ncnn 1002\n"), output)
        self.assertIn(f"{self.other}/libcudnn_ops.so.9", mapped)
