# SPDX-License-Identifier: BSD-3-Clause
"""examples/minimal, copied out of the repository, on simulated SDKs: it computes, writes a picture,
and notices wrong numbers."""

import shutil
import struct
import unittest

from support import REPOSITORY, ScratchTest, simulated_sdk

SIDE, GAP = 384, 8


class Picture:
    """A BMP file of 24 bits a pixel, as grey values; rows from the top."""

    def __init__(self, path):
        data = path.read_bytes()
        kind, self.size, offset, _, self.width, self.height, planes, bits = struct.unpack(
            "<2sI4xIIiiHH", data[:30])
        self.whole = (kind, planes, bits, self.size) == (b"BM", 1, 24, len(data))
        row = (self.width * 3 + 3) // 4 * 4
        self.rows = [data[offset + y * row:offset + y * row + self.width * 3:3]
                     for y in reversed(range(self.height))]

    def panel(self, index):
        """The scene, the blurred or the edges."""
        left = index * (SIDE + GAP)
        return [row[left:left + SIDE] for row in self.rows]


class Minimal(ScratchTest):
    def build(self, request, **options):
        """Builds it on an SDK with two GPUs; returns what CMake said."""
        self.sdk = simulated_sdk(gpus="sm_75;sm_86", **options).copy(self.scratch / "sdk")
        shutil.copytree(REPOSITORY / "examples" / "minimal", self.scratch / "minimal")
        self.minimal = self.consumer("minimal")
        prefix = self.sdk.prefix
        configured = self.minimal.configure(
            f"-DCuDNNChecked_DIR={REPOSITORY / 'cmake'}", f"-DCuDNNChecked_ROOT={prefix}",
            f"-DCUDAToolkit_ROOT={prefix}", f"-DMINIMAL_CUDNN_VERSION={request}",
            "-DMINIMAL_CUDA=OFF", environment=self.sdk.environment)
        self.assertEqual(configured.status, 0, configured.output)
        built = self.minimal.build()
        self.assertEqual(built.status, 0, built.output)
        self.assertNotIn("warning", built.output)
        return configured.output

    def start(self, *arguments, **environment):
        return self.minimal.run(self.minimal.path("minimal"), *arguments,
                                environment={**self.sdk.environment, **environment})

    def assert_computes(self, version, cuda):
        done = self.start("picture.bmp")
        self.assertRegex(
            done.output,
            rf"\Aminimal: built on cuDNN {version}, CUDA {cuda}, proved: ran\n"
            r"minimal: 442368 numbers computed by cuDNN, largest difference from the CPU's: \S+\n"
            r"minimal: wrote picture.bmp \(scene, blurred, edges; grey values by the CPU\)\n\Z")
        self.assertEqual(done.status, 0)

    def assert_picture_shows_edges(self):
        picture = Picture(self.scratch / "picture.bmp")
        self.assertTrue(picture.whole)
        self.assertEqual((picture.width, picture.height), (3 * SIDE + 2 * GAP, SIDE))
        scene, blurred, edges = (picture.panel(i) for i in range(3))
        # The wall's left side: a step in the scene, a ramp in the blurred one, a line in the edges.
        wall, row = int(0.2 * SIDE), int(0.7 * SIDE)
        step = abs(scene[row][wall + 3] - scene[row][wall - 3])
        self.assertGreater(step, 80)
        ramp = blurred[row][wall - 4:wall + 5]
        self.assertLess(max(abs(a - b) for a, b in zip(ramp, ramp[1:])), step)
        self.assertGreater(max(edges[row][wall - 2:wall + 3]), 100)
        # Inside the wall there is nothing.
        self.assertEqual(set(edges[int(0.55 * SIDE)][int(0.32 * SIDE):int(0.4 * SIDE)]), {0})

    def assert_fails(self, message, *arguments, **environment):
        (self.scratch / "picture.bmp").unlink(missing_ok=True)
        done = self.start(*arguments, **environment)
        self.assertEqual(done.status, 1, done.output)
        self.assertRegex(done.output, rf"(?m)^minimal: error: {message}$")
        self.assertFalse((self.scratch / "picture.bmp").exists())

    def test_cudnn_9(self):
        """Built once; each start after the first has one thing wrong with it."""
        output = self.build("9.1...<10", cudnn="9.14.0", cuda="13.0", driver="580.65.06")
        self.assertRegex(output, r"-- cuDNN 9\.14\.0 · CUDA 13\.0 · sm_75 sm_86, convolution verified")
        self.assert_computes("9.14.0", "13.0")
        self.assert_picture_shows_edges()
        with self.subTest("right when it was configured, wrong when it runs"):
            self.assert_fails("cuDNN computed wrong numbers", "picture.bmp",
                              SIMULATED_FAULT="wrong:graph")
        with self.subTest("a call fails"):
            self.assert_fails(r"cudnnBackendExecute\(.*\): CUDNN_STATUS_EXECUTION_FAILED \(5000\)",
                              "picture.bmp", SIMULATED_FAULT="fail:cudnnBackendExecute:5000")
        with self.subTest("a picture that cannot be written"):
            self.assert_fails("cannot write no/such/folder.bmp: No such file or directory",
                              "no/such/folder.bmp")

    def test_cudnn_8(self):
        self.build("8.1.0", cudnn="8.1.0", cuda="11.2", driver="460.27.04")
        self.assert_computes("8.1.0", "11.2")
        self.assert_picture_shows_edges()


if __name__ == "__main__":
    unittest.main()
