# SPDX-License-Identifier: BSD-3-Clause
"""What reference_numbers prints of a problem, by hand; and gpu/confirm_by_pytorch.py with a PyTorch, where this Python has
one: the reference of each operation is confirmed, and one that is changed is refuted."""

import array
import importlib.util
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAM = pathlib.Path(os.environ.get("CUDNN_CHECKED_BUILD", "build/test")) / "tests/reference_numbers"
SCRIPT = pathlib.Path(__file__).resolve().parent / "gpu/confirm_by_pytorch.py"
CONFIRMED = """\
rnn/backward fp16 tanh 8x2x1 to 32, 2 directions
lstm/backward fp32 lstm 3x4x5 to 6, projection 2, 2 layers, lengths 4 2 1, packed, inputs times 4 plus 0
gru/forward bf16 gru 3x5x7 to 9, 2 layers, lengths 5 1 4
fwd fp16 nhwc 1x4x5x1 * 16x4x3x3, padding 1
dgrad bf16 nhwc 2x8x9x7 * 6x4x2x3, padding 1x2, stride 2x1, dilation 1x2, groups 2
wgrad fp32 nchw 2x8x4x9x7 * 6x4x1x2x3, padding 0x1x2, groups 2
conv-bias bf16 1x8x6x6 * 24x8x3x3
matmul fp16 3x5x7 * 3x7x9, bias, gelu
matmul e4m3 1x256x1024 * 1x1024x192, bias, relu
layer-norm/forward bf16 9x192
layer-norm/backward fp32 9x192, inputs times 1 plus 1
rms-norm/forward fp16 9x192
rms-norm/backward fp32 9x192
attention/forward fp16 2x2x5x32 keys 1x7x32, lengths, log-sum-exp 5
attention/backward fp16 2x4x60x32 keys 2x70x40, window 48, log-sum-exp -15
""".splitlines()


def printed(text):
    """The status; and the lines and arrays, if there are some."""
    done = subprocess.run([PROGRAM, text], stdout=subprocess.PIPE, check=False)
    if done.returncode:
        return done.returncode, [], []
    head, data = done.stdout.split(b"\n\n", 1)
    return 0, head.decode().split("\n"), list(array.array("d", data))


@unittest.skipUnless(PROGRAM.exists(), "reference_numbers is not built")
class Numbers(unittest.TestCase):
    def test_a_convolution_by_hand(self):
        status, lines, numbers = printed("fwd fp32 nhwc 1x1x1x2 * 1x1x1x2")
        self.assertEqual(status, 0)
        self.assertEqual(lines[:3] + lines[4:], ["fwd", "fp32", "1x1x1x2 * 1x1x1x2", "given fp32 2 x", "given fp32 2 w",
                                                 "expected fp32 1 y"])
        x, w, y = numbers[:2], numbers[2:4], numbers[4]
        self.assertTrue(all(-1 <= one < 1 for one in x + w))
        self.assertAlmostEqual(y, x[0] * w[0] + x[1] * w[1], 15)
        self.assertEqual(len(numbers), 6)

    def test_a_network_by_hand(self):
        text = "rnn/forward fp16 tanh 1x1x1 to 1"
        _, lines, numbers = printed(text)
        self.assertEqual(lines, ["rnn/forward", "fp16", "tanh 1x1x1 to 1", "4", "given fp16 1 x", "given fp16 1 hx",
                                 "given fp16 4 w", "expected fp16 1 y", "expected fp16 1 hy"])
        x, h, weight, of_state, bias, of_state_bias, y = numbers[:7]
        self.assertAlmostEqual(y, math.tanh(weight * x + of_state * h + bias + of_state_bias), 15)

    def test_what_is_no_problem(self):
        for text in ("fwd", "fwd fp32 nchw 1x1x1x1 * 1x1x3x3", "rnn/forward fp16 sine 1x1x1 to 1", "matmul fp16 2x2",
                     "softmax/forward fp16 2x2"):
            with self.subTest(text):
                self.assertEqual(printed(text)[0], 2)


@unittest.skipUnless(PROGRAM.exists() and importlib.util.find_spec("torch"), "this Python has no PyTorch")
class Confirmation(unittest.TestCase):
    def said(self, lines, program=PROGRAM):
        with tempfile.TemporaryDirectory() as folder:
            found = pathlib.Path(folder) / "found.txt"
            found.write_text("# found\n\n" + "\n".join(lines) + "\n", encoding="utf-8")
            # A GPU is another script's.
            done = subprocess.run([sys.executable, SCRIPT, found, "--numbers", program], capture_output=True, text=True,
                                  check=False, env=os.environ | {"CUDA_VISIBLE_DEVICES": ""})
        self.assertEqual(done.stderr, "")
        return done.returncode, [line.split(" (")[0] for line in done.stdout.splitlines()]

    def test_each_operation_is_confirmed(self):
        status, lines = self.said(CONFIRMED)
        self.assertEqual(lines, [f"confirmed: {one}" for one in CONFIRMED] + [f"{len(CONFIRMED)} confirmed"])
        self.assertEqual(status, 0)

    def test_a_wrong_reference_is_refuted(self):
        with tempfile.TemporaryDirectory() as folder:
            # One given number is another one than the reference was computed with.
            other = pathlib.Path(folder) / "other"
            other.write_text(f"""#!{sys.executable}
import subprocess, sys
out = bytearray(subprocess.run([{str(PROGRAM)!r}, sys.argv[1]], stdout=subprocess.PIPE).stdout)
at = out.index(b"\\n\\n") + 2
out[at + 7] ^= 0x80  # the sign of the first number
sys.stdout.buffer.write(out)
""", encoding="utf-8")
            other.chmod(0o755)
            status, lines = self.said(CONFIRMED, other)
        self.assertEqual(lines, [f"refuted: {one}" for one in CONFIRMED] + [f"{len(CONFIRMED)} refuted"])
        self.assertEqual(status, 1)

    def test_what_pytorch_lacks_and_what_is_none(self):
        status, lines = self.said(["attention/forward e4m3 2x4x128x64 keys 4x128x64, log-sum-exp 5", "fwd"])
        self.assertEqual(lines, [
            "no such call in PyTorch: attention/forward e4m3 2x4x128x64 keys 4x128x64, log-sum-exp 5", "no problem: fwd",
            "1 no problem, 1 no such call in PyTorch"])
        self.assertEqual(status, 1)


if __name__ == "__main__":
    unittest.main()
