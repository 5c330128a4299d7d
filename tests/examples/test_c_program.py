# SPDX-License-Identifier: BSD-3-Clause
"""examples/c_program: a C program that lists what the check found, and computes."""

from support.gallery import GalleryTest


class CProgram(GalleryTest):
    name = "c_program"

    def test_configured_with_the_convolution_components(self):
        self.assertIn("-- cuDNN 9.14.0 · CUDA 13.0 · sm_86, convolution verified", self.output)

    def test_it_computes(self):
        self.assert_runs("c_program: built with cuDNN 9.14.0\n"
                         "c_program: cuDNN computed 192 numbers, 0 of them wrong\n")

    def test_without_a_gpu_it_starts_and_says_so(self):
        self.assert_runs("c_program: built with cuDNN 9.14.0\n"
                         "c_program: note: there is no NVIDIA driver on this machine"
                         " [driver-missing]\n"
                         "c_program: no GPU here, nothing was computed\n", LD_LIBRARY_PATH=None)

    def test_wrong_numbers(self):
        self.assert_runs("c_program: built with cuDNN 9.14.0\n"
                         "c_program: cuDNN computed 192 numbers, 192 of them wrong\n",
                         status=1, SIMULATED_FAULT="wrong:legacy")

    def test_a_call_that_fails(self):
        self.assert_runs("c_program: error: cudnnConvolutionForward: "
                         "CUDNN_STATUS_EXECUTION_FAILED\n"
                         "c_program: built with cuDNN 9.14.0\n",
                         status=1, SIMULATED_FAULT="fail:cudnnConvolutionForward:5000")
