# SPDX-License-Identifier: BSD-3-Clause
"""examples/wheels_only: on a simulated JIT-only package as pip would install it into an environment."""

import shutil

from support.gallery import GalleryTest
from support import REPOSITORY, simulated_sdk


class WheelsOnly(GalleryTest):
    """The commands that make the environment are not run: its packages are simulated."""

    name = "wheels_only"
    sdk_options = {"cudnn": "9.14.0", "gpus": "sm_90", "sublibraries": "jit"}

    @classmethod
    def find_sdk(cls):
        sdk = simulated_sdk(**cls.sdk_options)
        venv = cls.scratch / "build" / "venv"
        nvidia = venv / "lib" / "python3.12" / "site-packages" / "nvidia"
        for package, prefix in (("cudnn_jit", "cudnn"), ("cu13", "")):
            shutil.copytree(sdk.include, nvidia / package / "include")
            (nvidia / package / "lib").mkdir()
            # Each file once, under its SONAME.
            for file in sdk.library_directory.glob(f"lib{prefix or 'cudart'}*.so.[0-9]*"):
                if file.name.count(".") == 2:
                    shutil.copyfile(file, nvidia / package / "lib" / file.name)
        for header in (nvidia / "cu13" / "include").glob("cudnn*"):
            header.unlink()
        (venv / "pyvenv.cfg").write_text("home = /usr/bin\n")
        return sdk

    @classmethod
    def environment(cls):
        return cls.sdk.environment

    def test_it_computes(self):
        self.assertIn("-- cuDNN 9.14.0 · CUDA 13.0 · sm_90, convolution verified (graph; ", self.output)
        self.assert_runs("wheels_only: built with cuDNN 9.14.0, runs on 91400\n"
                         "wheels_only: cuDNN computed 8192 numbers, all right\n")

    def test_without_a_gpu_it_starts_and_says_so(self):
        self.assert_runs("wheels_only: built with cuDNN 9.14.0, runs on 91400\n"
                         "wheels_only: no GPU here, nothing was computed\n", LD_LIBRARY_PATH=None)

    def test_wrong_numbers(self):
        self.assert_runs("wheels_only: built with cuDNN 9.14.0, runs on 91400\n"
                         "wheels_only: cuDNN computed 8192 numbers, some wrong\n",
                         status=1, SIMULATED_FAULT="wrong:graph")

    def test_a_call_that_fails(self):
        self.assert_runs("wheels_only: error: cudnnBackendExecute: CUDNN_STATUS_EXECUTION_FAILED\n"
                         "wheels_only: built with cuDNN 9.14.0, runs on 91400\n",
                         status=1, SIMULATED_FAULT="fail:cudnnBackendExecute:5000")

    def test_the_packages_are_those_that_other_tests_fetch(self):
        pip = next(line for line in self.shown if "pip install" in line)
        names = pip.split("pip install ")[1].split()
        sets = (REPOSITORY / "scripts" / "cudnn_sets.txt").read_text(encoding="utf-8")
        fetched = {word.split("==")[0] for word in sets.split() if "==" in word}
        self.assertEqual([name for name in names if name not in fetched], [])
