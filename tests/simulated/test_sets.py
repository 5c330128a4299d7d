# SPDX-License-Identifier: BSD-3-Clause
"""The simulated SDKs: what each of them does by itself (ctest), and mixed and incomplete sets.

What a mix does was measured with real libraries; the sets here must do the same.
"""

import os
import pathlib
import re
import shutil
import signal
import struct
import subprocess
import tempfile
import unittest

from support.environment import compiler_cache
from support.known_compilers import compiler_arguments, give_known_compilers

HERE = pathlib.Path(__file__).resolve().parent


def interpreter_of(program):
    """The loader that an ELF program names (PT_INTERP)."""
    data = program.read_bytes()
    table, = struct.unpack_from("<Q", data, 32)
    size, count = struct.unpack_from("<HH", data, 54)
    for i in range(count):
        kind, _, offset, _, _, length = struct.unpack_from("<IIQQQQ", data, table + i * size)
        if kind == 3:
            return data[offset : offset + length - 1].decode()
    raise ValueError(f"{program} names no interpreter")


class Simulated(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.temporary.cleanup)
        cls.build = pathlib.Path(cls.temporary.name, "build")
        generator = "Ninja" if shutil.which("ninja") else "Unix Makefiles"
        give_known_compilers(cls.build, "cmake", generator)
        options = ["-S", HERE, "-B", cls.build, "-DSIMULATED_SELF_TEST=ON", *compiler_arguments(generator)]
        for command in (["cmake", *options], ["cmake", "--build", cls.build, "-j2"]):
            done = subprocess.run(command, capture_output=True, text=True, check=False,
                                  env={**os.environ, **compiler_cache(cls.build)})
            if done.returncode != 0:
                raise AssertionError(done.stdout + done.stderr)
        cls.full = cls.build / "full/lib"
        cls.newer = cls.build / "newer/nvidia/cudnn/lib"

    def set_of(self, source, without=(), foreign=(), origin=None):
        """A copy of one set's files, some left out, some replaced by those of another set."""
        folder = pathlib.Path(tempfile.mkdtemp(dir=self.temporary.name))
        for file in source.glob("libcudnn*.so.9"):
            role = re.sub(r"libcudnn_?(.*)\.so\.9", r"\1", file.name)
            if role in foreign:
                file = origin / file.name
            if role not in without:
                shutil.copy(file.resolve(), folder / file.name)
        return folder

    def run_on(self, folder, *arguments, sdk="newer", timeout=30, **environment):
        """Runs the test program of one SDK on the libraries of a folder, without ld.so.cache."""
        program = self.build / f"self_test_{sdk}"
        environment.setdefault(
            "LD_LIBRARY_PATH", f"{folder}:{self.build}/machine/driver/lib")
        command = [interpreter_of(program), "--inhibit-cache", program, *arguments]
        return subprocess.run(command, env={"PATH": os.environ["PATH"], **environment},
                              capture_output=True, text=True, timeout=timeout, check=False)

    def expect(self, done, text, returncode=None):
        self.assertIn(text, done.stdout + done.stderr)
        if returncode is not None:
            self.assertEqual(done.returncode, returncode, done.stdout + done.stderr)

    def test_each_sdk(self):
        done = subprocess.run(["ctest", "--output-on-failure", "-j2"], cwd=self.build,
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_no_graph(self):
        folder = self.set_of(self.newer, without=["graph"])
        self.expect(self.run_on(folder, "versions"),
                    "Invalid handle. Cannot load symbol cudnnGet", -signal.SIGABRT)

    def test_no_ops_or_cnn(self):
        done = self.run_on(self.set_of(self.newer, without=["ops"]), "versions")
        self.expect(done, "graph 0 ops 3009 cnn 3009 adv 3009", 0)
        self.expect(done, "Invalid handle. Cannot load symbol cudnnOpsVersionCheck")
        done = self.run_on(self.set_of(self.newer, without=["cnn"]), "versions")
        self.expect(done, "graph 0 ops 0 cnn 3009 adv 0", 0)

    def test_9_14_aborts_where_9_19_answers(self):
        done = self.run_on(self.set_of(self.full, without=["cnn"]), "versions", sdk="full")
        self.expect(done, "Cannot load symbol cudnnCnnVersionCheck", -signal.SIGABRT)

    def test_foreign_graph(self):
        folder = self.set_of(self.newer, foreign=["graph"], origin=self.full)
        self.expect(self.run_on(folder, "versions"), "graph 0 ops 1002 cnn 3009 adv 0", 0)

    def test_foreign_cnn(self):
        folder = self.set_of(self.newer, foreign=["cnn"], origin=self.full)
        self.expect(self.run_on(folder, "versions"), "graph 0 ops 0 cnn 3009 adv 0", 0)

    def test_precompiled_engines_or_heuristic_missing_or_foreign(self):
        for role in ("engines_precompiled", "heuristic"):
            for change in ({"without": [role]}, {"foreign": [role], "origin": self.full}):
                with self.subTest(role=role, change=list(change)[0]):
                    folder = self.set_of(self.newer, **change)
                    done = self.run_on(folder, "versions")
                    self.expect(done, "graph 0 ops 0 cnn 0 adv 0", 0)
                    self.assertEqual(done.stderr, "")
                    done = self.run_on(folder, "graph", "fp16", "nchw")
                    self.expect(done, "2 plans, engine 7: graph WRONG", 1)
                    self.expect(self.run_on(folder, "graph", "fp32", "nchw"), "graph right", 0)
                    self.expect(self.run_on(folder, "graph", "fp16", "nhwc"), "graph right", 0)
                    done = self.run_on(folder, "legacy")
                    if role == "heuristic":
                        self.expect(done, "legacy right", 0)
                    else:
                        self.expect(done, "3000 CUDNN_STATUS_NOT_SUPPORTED", 2)

    def test_runtime_compiled_engines_missing_or_foreign(self):
        role = "engines_runtime_compiled"
        for change in ({"without": [role]}, {"foreign": [role], "origin": self.full}):
            folder = self.set_of(self.newer, **change)
            done = self.run_on(folder, "graph", "fp32", "nhwc")
            self.expect(done, "1008 CUDNN_STATUS_SUBLIBRARY_LOADING_FAILED", 2)
            self.expect(done, "Unable to load any of {libcudnn_engines_runtime_compiled.so.9.28.0, "
                              "libcudnn_engines_runtime_compiled.so.9.28, ")
            self.expect(self.run_on(folder, "legacy"), "1008 ", 2)

    def test_foreign_tensor_ir(self):
        folder = self.set_of(self.newer, foreign=["engines_tensor_ir"],
                             origin=self.build / "tensor_ir/nvidia/cudnn/lib")
        self.expect(self.run_on(folder, "versions"), "graph 0 ops 0 cnn 0 adv 0", 0)
        self.expect(self.run_on(folder, "graph", "fp32", "nchw"), "1002 ", 2)
        folder = self.set_of(self.newer, without=["engines_tensor_ir", "ext"])
        self.expect(self.run_on(folder, "graph", "fp32", "nchw"), "graph right", 0)

    def test_rpath_keeps_the_shim_only(self):
        # The program finds the shim of 9.28 by its RUNPATH; 9.14 comes first in LD_LIBRARY_PATH.
        folder = self.set_of(self.full, without=[""])
        done = self.run_on(folder, "versions")
        self.expect(done, "cudnn 92800 ", 0)
        done = self.run_on(folder, "graph", "fp32", "nchw")
        self.expect(done, "1008 CUDNN_STATUS_SUBLIBRARY_LOADING_FAILED", 2)

    def test_runpath_keeps_nothing(self):
        folder = self.set_of(self.newer, without=[""])
        self.expect(self.run_on(folder, "versions", sdk="full"), "cudnn 91400 ", 0)  # .so.9.14.0
        plain = self.set_of(self.full)
        for file in plain.glob("libcudnn_*"):
            file.rename(plain / (file.name + ".aside"))
        path = f"{folder}:{plain}:{self.build}/machine/driver/lib"
        done = self.run_on(None, "versions", LD_LIBRARY_PATH=path, sdk="full")
        self.expect(done, "cudnn 92800 header 91400", 0)

    def test_names_that_the_loader_is_asked_for(self):
        folder = self.set_of(self.newer)
        done = self.run_on(folder, "graph", "fp16", "nchw", LD_DEBUG="libs")
        asked = re.findall(r"find library=libcudnn_(\S+)", done.stdout + done.stderr)
        engines = [name for name in asked if not name.startswith("graph")]
        expected = [role + suffix for role in (
            "engines_precompiled", "heuristic", "engines_runtime_compiled", "engines_tensor_ir")
            for suffix in (".so.9.28.0", ".so.9.28", ".so.9")]
        self.assertEqual(engines, expected)
        self.assertEqual(asked[:3], ["graph.so.9.28.0", "graph.so.9.28", "graph.so.9"])

    def test_engines_of_9_27_need_a_driver(self):
        folder = self.set_of(self.newer)
        done = self.run_on(folder, "graph", "fp32", "nchw", LD_LIBRARY_PATH=str(folder))
        self.expect(done, "1001 CUDNN_STATUS_NOT_INITIALIZED", 2)
        file = self.newer / "libcudnn_engines_runtime_compiled.so.9"
        text = subprocess.run(["readelf", "-dW", file], capture_output=True, text=True,
                              check=True).stdout
        self.assertIn("[libcuda.so.1]", text)

    def test_crash_and_hang(self):
        done = self.run_on(self.newer, "versions", SIMULATED_FAULT="crash:cudnnGetVersion")
        self.assertEqual(done.returncode, -signal.SIGSEGV)
        with self.assertRaises(subprocess.TimeoutExpired):
            self.run_on(self.newer, "legacy", SIMULATED_FAULT="hang:cudnnCreate", timeout=1)


if __name__ == "__main__":
    unittest.main()
