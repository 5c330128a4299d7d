# SPDX-License-Identifier: BSD-3-Clause
"""The cuDNN that is named, and a CUDA runtime beside which another cuDNN lies: one run path leads to both."""

from support.proving import ProvingTest


class TwoDirectories(ProvingTest):
    sdk_options = {"cudnn": "9.14.0", "gpus": ""}

    def test_the_other_one_is_not_taken_for_the_named_one(self):
        other = self.sdk.copy(self.scratch / "toolkit")
        self.assertEqual(self.refused(f"-DCUDAToolkit_ROOT={other.prefix}"), """\
cudnn_checked: refused: the probe runs on another cuDNN than the one that was found
  found:    9.14.0   <scratch>/sdk/lib/libcudnn.so.9.14.0
  runs on:  9.14.0   <scratch>/toolkit/lib/libcudnn.so.9   chosen by RUNPATH of \
<scratch>/app-build/CuDNNChecked/cudnn_checked_probe
  The run path has the directory of another library before it, also in programs of this project that link both.
  fix: let CuDNNChecked_ROOT name <scratch>/toolkit
   or: let CUDAToolkit_ROOT name a CUDA toolkit without a cuDNN
  [two-cudnns]
""")
        with self.subTest("each fix"):
            self.proved(f"-DCUDAToolkit_ROOT={other.prefix}", f"-DCuDNNChecked_ROOT={other.prefix}")
            for library in other.library_directory.glob("libcudnn*"):
                library.unlink()
            self.proved(f"-DCUDAToolkit_ROOT={other.prefix}")
