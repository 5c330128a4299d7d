# SPDX-License-Identifier: BSD-3-Clause
"""examples/library_and_plugin: both check themselves, and the program decides."""

from support.gallery import GalleryTest, OLDER

COMPUTED = """\
host: 192 numbers blurred by cuDNN, all right
host: the plugin sharpened 192 numbers
host: done
"""

WITHOUT_GPU = """\
host: 192 numbers blurred by the CPU, all right
host: the plugin refuses to work here:
cudnn_checked: refused: there is no NVIDIA driver on this machine
  needed:  libcuda.so.1   of the NVIDIA driver
  found:   nothing   in the directories that the loader searches
  Every CUDA call would fail: cuDNN computes on a GPU only.
  fix: run it on a machine with a GPU
   or: in a container, give it a GPU: docker run --gpus all
  [driver-missing]
host: done
"""

PROGRAM = "library_and_plugin/libblur.so"
REFUSED = "host: the library refuses cuDNN:\n" + OLDER.format(target="blur", program=PROGRAM)
ON_CPU = ("host: 192 numbers blurred by the CPU, all right\n"
          "host: the plugin refuses to work here:\n" + OLDER.format(target="sharpen", program=PROGRAM)
          + "host: done\n")


class LibraryAndPlugin(GalleryTest):
    name = "library_and_plugin"

    def test_both_compute(self):
        self.assert_runs(COMPUTED)
        self.assert_runs(COMPUTED, more=" --strict")

    def test_without_a_gpu(self):
        self.assert_runs(WITHOUT_GPU, LD_LIBRARY_PATH=None)

    def test_an_older_cudnn(self):
        older = self.older()
        self.assert_runs(REFUSED + ON_CPU, LD_LIBRARY_PATH=older)
        self.assert_runs(REFUSED, more=" --strict", status=1, LD_LIBRARY_PATH=older)

    def test_no_plugin(self):
        self.assert_runs("host: 192 numbers blurred by cuDNN, all right\n"
                         "host: no plugin: none.so: cannot open shared object file: "
                         "No such file or directory\n"
                         "host: done\n", more=" none.so")

    def test_a_call_that_fails(self):
        self.assert_runs("host: error: cudnnConvolutionForward: CUDNN_STATUS_EXECUTION_FAILED\n",
                         status=1, SIMULATED_FAULT="fail:cudnnConvolutionForward:5000")

    def test_wrong_numbers(self):
        self.assert_runs(COMPUTED.replace("all right", "some wrong"), SIMULATED_FAULT="wrong:legacy")
