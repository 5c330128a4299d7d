# SPDX-License-Identifier: BSD-3-Clause
"""Examples on real cuDNNs, without a GPU: verified up to LOADED, and started."""

import pathlib
import sysconfig
import types
import unittest

from real_cudnn import fetched, has_gpu
from support.gallery import GalleryTest

HAS_HEADERS = (pathlib.Path(sysconfig.get_paths()["include"]) / "Python.h").exists()


class RealExample(GalleryTest):
    """On a set of scripts/cudnn_sets.txt, with the CUDA runtime of the set `jit`."""

    arguments = ("-DCuDNNChecked_REQUIRE=LOADED",)
    cudnn = "full-9.19-cu13"

    @classmethod
    def find_sdk(cls):
        cls.root, cls.cuda = fetched(cls.cudnn), fetched("jit")
        if cls.root is None or cls.cuda is None:
            raise unittest.SkipTest("PyPI cannot be reached, and the cache has no real cuDNN")
        return types.SimpleNamespace(prefix=cls.root)

    @classmethod
    def environment(cls):
        """cuBLASLt and NVRTC are found, as where there is a CUDA toolkit, and never opened without a GPU."""
        cuda, found = cls.cuda.parent / "cu13", cls.scratch / "found"
        found.mkdir(exist_ok=True)
        for name in ("libcublasLt.so.13", "libnvrtc.so.13"):
            if not (found / name).exists():
                (found / name).symlink_to(cuda / "lib" / "libcudart.so.13")
        return {"CuDNNChecked_ROOT": cls.root, "CUDAToolkit_ROOT": cuda, "LD_LIBRARY_PATH": found}


@unittest.skipIf(has_gpu(), "tests/gpu computes with them")
class RealCProgram(RealExample):
    name = "c_program"

    def test_loaded_and_started(self):
        self.assertIn("-- cuDNN 9.19.0 · CUDA 13.0 · loaded, no convolution was run: ", self.output)
        self.assert_runs("c_program: built with cuDNN 9.19.0\n"
                         "c_program: note: there is no NVIDIA driver on this machine"
                         " [driver-missing]\n"
                         "c_program: no GPU here, nothing was computed\n")


@unittest.skipIf(has_gpu(), "tests/gpu computes with them")
@unittest.skipUnless(HAS_HEADERS, "this Python has no headers")
class RealPythonExtension(RealExample):
    name = "python_extension"

    def test_loaded_and_imported(self):
        self.assertIn("-- cuDNN 9.19.0 · CUDA 13.0 · loaded, no convolution was run: ", self.output)
        self.assert_runs("use_blurring: the check says: ok\n"
                         "use_blurring: nothing was computed: blur needs an NVIDIA GPU, "
                         "and there is none here\n")


@unittest.skipIf(has_gpu(), "tests/gpu computes with them")
class RealWheelsOnly(RealExample):
    """The packages lie in an environment, as pip puts them there."""

    name = "wheels_only"
    cudnn = "jit"

    @classmethod
    def environment(cls):
        site = cls.scratch / "build" / "venv" / "lib" / "python3.12" / "site-packages"
        if not site.exists():
            site.mkdir(parents=True)
            (cls.scratch / "build" / "venv" / "pyvenv.cfg").write_text("home = /usr/bin\n")
            for entry in cls.root.parent.parent.iterdir():
                if entry.name != "complete":
                    (site / entry.name).symlink_to(entry)
        return {}

    def test_loaded_and_started(self):
        self.assertIn("-- cuDNN 9.14.0 · CUDA 13.0 · loaded, no convolution was run: ", self.output)
        self.assert_runs("wheels_only: built with cuDNN 9.14.0, runs on 91400\n"
                         "wheels_only: no GPU here, nothing was computed\n")


del RealExample
