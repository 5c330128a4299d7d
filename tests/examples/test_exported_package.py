# SPDX-License-Identifier: BSD-3-Clause
"""examples/exported_package: a library, installed, and a project that uses it without CuDNNChecked."""

from support.gallery import GalleryTest, OLDER


class ExportedPackage(GalleryTest):
    name = "exported_package"

    def test_the_consumer_did_not_use_cudnnchecked(self):
        self.assertEqual(self.output.count("convolution verified"), 1)
        cache = (self.scratch / "build" / "consumer" / "CMakeCache.txt").read_text()
        self.assertIn("\nCuDNNChecked_DIR:PATH=CuDNNChecked_DIR-NOTFOUND\n", cache)

    def test_it_computes(self):
        self.assert_runs("consumer: 192 numbers blurred by cuDNN, all right\n")

    def test_without_a_gpu(self):
        self.assert_runs("consumer: 192 numbers blurred by the CPU, all right\n", LD_LIBRARY_PATH=None)

    def test_an_older_cudnn(self):
        self.assert_runs("consumer: the library refuses cuDNN:\n" + OLDER.format(target="blur", program="consumer/consumer") +
                         "consumer: 192 numbers blurred by the CPU, all right\n", LD_LIBRARY_PATH=self.older())

    def test_wrong_numbers(self):
        self.assert_runs("consumer: 192 numbers blurred by cuDNN, some wrong\n", status=1,
                         SIMULATED_FAULT="wrong:legacy")

    def test_a_call_that_fails(self):
        self.assert_runs("consumer: error: cudnnConvolutionForward: CUDNN_STATUS_EXECUTION_FAILED\n",
                         status=1, SIMULATED_FAULT="fail:cudnnConvolutionForward:5000")
