# SPDX-License-Identifier: BSD-3-Clause
"""Functions that a program calls, and a real JIT-only cuDNN that has no library for them."""

import pathlib
import signal
import subprocess
import sys
import unittest

from real_cudnn import fetched
from support import ScratchTest
from support.command_line import cudnn_checked_program
from support.environment import REPOSITORY, clean_environment, compiler

sys.path.insert(0, str(REPOSITORY / "tool/data/catalogue"))

import functions  # noqa: E402

LOADER = pathlib.Path("/lib64/ld-linux-x86-64.so.2")
DECLARED = {"cudnnCreatePoolingDescriptor": "void**", "cudnnCreateConvolutionDescriptor": "void**",
            "cudnnCreateRNNDescriptor": "void**", "cudnnBackendInitialize": "void*"}


@unittest.skipUnless(LOADER.exists(), "the cuDNNs of these tests are for x86_64")
class CalledFunctions(ScratchTest):
    def library(self, name):
        if fetched(name) is None:
            self.skipTest("PyPI cannot be reached, and the cache has no real cuDNN")
        return fetched(name) / "lib"

    def program(self, name, lib, *called):
        source = "".join(f"int {one}({DECLARED[one]});\n" for one in called) + \
            "int main(void) { void* p = 0; return " + " + ".join(f"({one}((void*)&p) != 0)" for one in called) + "; }\n"
        path = self.scratch / name
        subprocess.run([compiler("C"), "-x", "c", "-", "-x", "none", lib / "libcudnn.so.9", f"-Wl,-rpath,{lib}", "-o", path],
                       input=source, text=True, check=True)
        return path

    def called(self, *words):
        return subprocess.run([cudnn_checked_program(), *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              env=clean_environment(self.scratch))

    def answers(self, program):
        """verify and run: the status, and whether the finding is told."""
        for words in (["verify", program], ["run", "--", program]):
            done = self.called(*words)
            yield done.returncode, "functions are called of what a JIT-only cuDNN lacks" in done.stdout

    def test_a_jit_only_cudnn(self):
        lib = self.library("jit")
        for function in ("cudnnCreatePoolingDescriptor", "cudnnCreateConvolutionDescriptor", "cudnnCreateRNNDescriptor"):
            program = self.program("legacy", lib, function)
            truth = subprocess.run([LOADER, "--inhibit-cache", program], stderr=subprocess.DEVNULL, check=False)
            self.assertEqual(truth.returncode, -signal.SIGABRT)
            self.assertEqual(list(self.answers(program)), [(1, True), (78, True)], function)
        both = self.program("both", lib, "cudnnBackendInitialize", "cudnnCreatePoolingDescriptor")
        self.assertEqual([told for _, told in self.answers(both)], [True, True])
        self.assertEqual(self.called("verify", both).returncode, 0)
        graph = self.program("graph", lib, "cudnnBackendInitialize")
        self.assertEqual([told for _, told in self.answers(graph)], [False, False])

    def test_what_the_shim_opens(self):
        """A few rows of functions.csv, asked of a real shim."""
        rows, shim = functions.read_rows(), self.library("jit-9.27-cu13") / "libcudnn.so.9"
        exported = functions.exports(shim)
        self.assertEqual(sorted(set(exported) - set(rows)), [])
