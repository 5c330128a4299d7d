# SPDX-License-Identifier: BSD-3-Clause
"""sweep --reproduce of recurrent networks, and of random problems whose inputs have another range."""

import shutil
import subprocess
import unittest

import test_sweep_reproduce as of_engines
from support import ScratchTest, simulated_sdk
from support.environment import compiler

# 13 is small-h with tensor-op, 0 the standard algorithm.  Right results must be those of the program's own reference, which
# differentiates by itself.
NETWORKS = [
    ("rnn/backward fp16 tanh 8x2x1 to 32, 2 directions", 13, "wrong", "small-h:rnn"),
    ("rnn/backward fp32 relu 3x4x5 to 7, 2 layers, 2 directions, lengths 4 1 3", 0, "wrong", "wrong:rnn/backward/fp32"),
    ("lstm/backward bf16 lstm 3x4x5 to 8, projection 6, 2 layers, 2 directions, lengths 4 3 1, packed", 0, "wrong",
     "nan:lstm/backward/bf16"),
    ("gru/backward fp16 gru 2x3x4 to 5, 2 directions, inputs times 1 plus 0.5", 0, "unwritten", "wrong:gru/backward/fp16"),
    ("gru/backward fp32 gru 3x4x5 to 6, lengths 4 2 0", 0, "wrong", "wrong:gru/backward/fp32"),
    ("rnn/backward bf16 tanh 2x3x5 to 8, inputs times 0.0078125 plus 1", 0, "wrong", "wrong:rnn/backward/bf16"),
    ("gru/forward fp16 gru 8x2x5 to 40", 13, "wrong", "small-h:gru"),
    ("lstm/forward fp16 lstm 2x1x3 to 4", 0, "failed", "fail:cudnnRNNForward:5000"),
    ("lstm/forward fp16 lstm 2x1x3 to 4", 0, "died", "crash:cudnnRNNForward"),
]

RANGES = [
    ("fwd fp16 nchw 2x8x9x7 * 12x8x3x3, inputs times 16 plus 0", 72),
    ("fwd fp16 nchw 2x8x9x7 * 12x8x3x3, inputs times 0.00390625 plus 0", 72),
    ("wgrad bf16 nhwc 2x3x5x5 * 2x3x3x3, padding 1, inputs times 1 plus 0.5", 70),
    ("matmul fp16 1x7x5 * 1x5x3, bias, relu, inputs times 0.25 plus 0", 6),
    ("rms-norm/backward fp16 3x7, inputs times 1 plus 1", 6),
    ("layer-norm/forward bf16 3x7, inputs times 0.0078125 plus 1", 6),
    ("layer-norm/backward fp16 3x7, inputs times 64 plus 0", 6),
]


class Random(ScratchTest):
    program = of_engines.Reproduce.program
    compiled = of_engines.Reproduce.compiled
    built_whole = of_engines.Reproduce.built_whole
    run_program = of_engines.Reproduce.run_program

    def setUp(self):
        super().setUp()
        self.sdk = simulated_sdk(cudnn="9.19.0", gpus="sm_90")

    def test_networks(self):
        for failure in NETWORKS:
            with self.subTest(failure=failure):
                program = self.built_whole(self.program(failure))
                status, out = self.run_program(program)
                self.assertEqual((status, out.splitlines()[-1]), (0, "right"), out)
                status, out = self.run_program(program, fault=failure[3])
                self.assertEqual((status, out.splitlines()[-1][:5]), (1, "WRONG"), out)

    def test_inputs_in_another_range(self):
        for problem, engine in RANGES:
            with self.subTest(problem):
                program = self.built_whole(self.program((problem, engine, "wrong", "")))
                status, out = self.run_program(program)
                self.assertEqual((status, out.splitlines()[-1]), (0, "right"), out)

    @unittest.skipUnless(of_engines.CUDA, "no CUDA toolkit here has the headers of a cuDNN")
    def test_the_real_headers(self):
        name = shutil.which("clang++") or compiler("CXX")
        for failure in NETWORKS[:3]:
            done = subprocess.run([name, "-std=c++17", "-x", "c++", "-fsyntax-only", "-Wall", "-Wextra", "-Wpedantic",
                                   "-Werror", f"-isystem{of_engines.CUDA}", "-"],
                                  input=self.program(failure), capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, f"{failure}: {done.stderr}")


if __name__ == "__main__":
    unittest.main()
