# SPDX-License-Identifier: BSD-3-Clause
"""Which place is taken where several have a cuDNN."""

from support import bare_cuda, bare_cudnn
from support.locating import LocatingTest

ORDER = ["CuDNNChecked_ROOT", "CUDNN_ROOT", "CUDNN_PATH", "CUDNN_ROOT_DIR", "CUDNN_HOME"]


class Hints(LocatingTest):
    def test_the_order(self):
        for name in ORDER:
            bare_cudnn(self.scratch / name)
        for form in ["variable", "environment"]:
            for index, name in enumerate(ORDER):
                with self.subTest(form=form, first=name):
                    given = {n: self.scratch / n for n in ORDER[index:]}
                    unset = [f"-U{n}" for n in ORDER]
                    if form == "variable":
                        result = self.locate(*unset, *[f"-D{n}={p}" for n, p in given.items()])
                    else:
                        result = self.locate(*unset, environment=given)
                    self.assert_located(result, self.scratch / name)

    def test_a_variable_comes_before_the_environment(self):
        one = bare_cudnn(self.scratch / "one")
        two = bare_cudnn(self.scratch / "two")
        result = self.locate(f"-DCUDNN_PATH={one}", environment={"CUDNN_PATH": two})
        self.assert_located(result, one)

    def test_the_toolkit_comes_after_the_hints(self):
        bare_cudnn(self.cuda, "9.1.0")
        other = bare_cudnn(self.scratch / "other")
        self.assert_located(self.locate(), self.cuda, version="9.1.0")
        self.assert_located(self.locate(f"-DCUDNN_HOME={other}"), other)

    def test_the_prefix_path(self):
        prefix = bare_cudnn(self.scratch / "prefix")
        result = self.locate(f"-DCMAKE_PREFIX_PATH={self.scratch}/none;{prefix}")
        self.assert_located(result, prefix)

    def test_conda(self):
        prefix = bare_cudnn(self.scratch / "conda")
        self.assert_located(self.locate(environment={"CONDA_PREFIX": prefix}), prefix)

    def test_cuda_home(self):
        bare_cudnn(self.cuda)
        result = self.locate(cuda=False, environment={"CUDA_HOME": self.cuda})
        self.assert_located(result, self.cuda)

    def test_nvcc_on_path(self):
        bare_cudnn(bare_cuda(self.scratch / "toolkit"))
        nvcc = self.write("toolkit/bin/nvcc", "#!/bin/sh\nexit 1\n")
        nvcc.chmod(0o755)
        self.app.environment["PATH"] = f"{nvcc.parent}"
        self.assert_located(self.locate(cuda=False), self.scratch / "toolkit")

    def test_a_stale_entry_of_another_module_is_not_inherited(self):
        bare_cudnn(self.scratch / "stale", "9.1.0")
        prefix = bare_cudnn(self.scratch / "sdk")
        stale = self.scratch / "stale"
        result = self.locate(f"-DCUDNN_INCLUDE_DIR={stale}/include", f"-DCUDNN_VERSION=9.1.0",
                             f"-DCUDNN_LIBRARY={stale}/lib/libcudnn.so.9",
                             f"-DCuDNNChecked_ROOT={prefix}")
        self.assert_located(result, prefix)
