# SPDX-License-Identifier: BSD-3-Clause
"""examples/cuda_architectures: built by a real CUDA compiler; tests/gpu runs its kernel."""

import shutil
import unittest

from support import compiler, stamps
from support.gallery import GalleryTest

NVCC = shutil.which("nvcc") or shutil.which("nvcc", path="/usr/local/cuda/bin")


@unittest.skipUnless(NVCC, "there is no nvcc")
class CudaArchitectures(GalleryTest):
    """The cuDNN is simulated; compiler, headers and runtime are the toolkit's."""

    name = "cuda_architectures"

    @classmethod
    def find_sdk(cls):
        sdk = super().find_sdk()
        shutil.rmtree(sdk.include / "crt")
        for file in [*sdk.library_directory.glob("libcudart*"), *sdk.include.iterdir()]:
            if not file.name.startswith(("cudnn", "libcudnn")):
                file.unlink()
        return sdk

    @classmethod
    def environment(cls):
        return {"CuDNNChecked_ROOT": cls.sdk.prefix, "CUDACXX": NVCC, "CUDAHOSTCXX": compiler()}

    def test_built_for_both(self):
        self.assertRegex(self.output, r"-- cuDNN 9\.14\.0 · CUDA \S+ · loaded")
        stamp, = stamps(self.scratch / "build" / self.name / self.name)
        self.assertEqual(stamp["architectures"]["compiled"], ["75", "86"])

    def test_without_a_gpu_it_starts_and_says_so(self):
        self.assert_runs("cuda_architectures: no GPU here, nothing was computed\n")
