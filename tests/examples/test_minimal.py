# SPDX-License-Identifier: BSD-3-Clause
"""examples/minimal, copied out of the repository, on simulated SDKs: it computes, writes a picture,
and notices wrong numbers."""

import struct

from support.gallery import GalleryTest

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


class Minimal(GalleryTest):
    """On an SDK with two GPUs."""

    def start(self, picture="picture.bmp", **environment):
        command = next(c for c in self.shown if not c.startswith("cmake "))
        return self.shell(command.replace("edges.bmp", picture), **environment)

    def assert_computes(self, version, cuda):
        done = self.start()
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

    def assert_fails(self, message, *picture, **environment):
        (self.scratch / "picture.bmp").unlink(missing_ok=True)
        done = self.start(*picture, **environment)
        self.assertEqual(done.status, 1, done.output)
        self.assertRegex(done.output, rf"(?m)^minimal: error: {message}$")
        self.assertFalse((self.scratch / "picture.bmp").exists())


class MinimalOnCudnn9(Minimal):
    """Built once; each start after the first has one thing wrong with it."""

    name = "minimal"
    sdk_options = {"cudnn": "9.14.0", "gpus": "sm_75;sm_86"}
    arguments = ("-DMINIMAL_CUDNN_VERSION=9.1...<10", "-DMINIMAL_CUDA=OFF")

    def test_it_computes(self):
        self.assertNotIn("warning", self.output)
        self.assertRegex(self.output,
                         r"-- cuDNN 9\.14\.0 · CUDA 13\.0 · sm_75 sm_86, convolution verified")
        self.assert_computes("9.14.0", "13.0")
        self.assert_picture_shows_edges()

    def test_right_when_it_was_configured_wrong_when_it_runs(self):
        self.assert_fails("cuDNN computed wrong numbers", SIMULATED_FAULT="wrong:graph")

    def test_a_call_that_fails(self):
        self.assert_fails(r"cudnnBackendExecute\(.*\): CUDNN_STATUS_EXECUTION_FAILED \(5000\)",
                          SIMULATED_FAULT="fail:cudnnBackendExecute:5000")

    def test_a_picture_that_cannot_be_written(self):
        self.assert_fails("cannot write no/such/folder.bmp: No such file or directory",
                          "no/such/folder.bmp")


class MinimalOnCudnn8(Minimal):
    name = "minimal"
    sdk_options = {"cudnn": "8.1.0", "cuda": "11.2", "driver": "460.27.04", "gpus": "sm_75;sm_86"}
    arguments = ("-DMINIMAL_CUDNN_VERSION=8.1.0", "-DMINIMAL_CUDA=OFF")

    def test_it_computes(self):
        self.assertNotIn("warning", self.output)
        self.assert_computes("8.1.0", "11.2")
        self.assert_picture_shows_edges()
