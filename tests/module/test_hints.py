# SPDX-License-Identifier: BSD-3-Clause
"""Which place is taken where several have a cuDNN."""

from support import REPOSITORY, bare_cuda, bare_cudnn
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

    def test_a_list_with_an_empty_element(self):
        prefix = bare_cudnn(self.scratch / "sdk")
        self.assert_located(self.locate(f"-DCMAKE_PREFIX_PATH=;;{prefix}"), prefix)
        self.assert_located(self.locate(environment={"CUDNN_ROOT": f":{self.scratch}/none::{prefix}"}), prefix)

    def test_a_relative_path(self):
        """Of the source directory, as find_library takes it, wherever CMake is started."""
        source = self.app.source
        prefix = bare_cudnn(source / "sdk")
        self.assert_located(self.locate("-DCuDNNChecked_ROOT=sdk"), prefix)
        self.assert_located(self.locate("-UCuDNNChecked_ROOT", environment={"CUDNN_ROOT": "sdk"}), prefix)
        self.assertIn(f"\n  looked in:  {self.relative(str(source))}/absent   CuDNNChecked_ROOT: no such directory\n",
                      self.locate("-DCuDNNChecked_ROOT=absent"))

    def test_where_this_package_is_there_is_no_cudnn(self):
        """<PackageName>_ROOT is CMake's own variable (CMP0074): packagers and scikit-build-core set it."""
        prefix = bare_cudnn(self.scratch / "sdk")
        for number, folder in enumerate(["", "/cmake", "/share/CuDNNChecked/cmake"]):
            self.write(f"own{number}{folder}/CuDNNCheckedConfig.cmake")
            own = self.scratch / f"own{number}"
            for given in ({"environment": {"CuDNNChecked_ROOT": own, "CUDNN_ROOT": prefix}},
                          {"environment": {"CuDNNChecked_ROOT": f"{own}:{prefix}"}}):
                with self.subTest(folder=folder, **given):
                    self.assert_located(self.locate(**given), prefix)
            self.assert_located(self.locate(f"-DCuDNNChecked_ROOT={own}", f"-DCUDNN_ROOT={prefix}"), prefix)
            self.assert_located(self.locate(f"-DCuDNNChecked_ROOT={own}", "-UCUDNN_ROOT",
                                            environment={"CuDNNChecked_ROOT": prefix}), prefix)
        self.assert_located(self.locate(f"-DCuDNNChecked_ROOT={REPOSITORY}", f"-DCUDNN_ROOT={prefix}"), prefix)

    def test_a_prefix_with_this_package_and_a_cudnn(self):
        other = bare_cudnn(self.scratch / "other")
        for number, below in enumerate(["", "/lib/python3.12/site-packages/nvidia/cudnn"]):
            both = self.scratch / f"both{number}"
            self.write(f"both{number}/share/CuDNNChecked/cmake/CuDNNCheckedConfig.cmake")
            arguments = [f"-DCuDNNChecked_ROOT={both}", f"-DCUDNN_ROOT={other}"]
            self.assert_located(self.locate(*arguments), other)
            # What is installed there later is found then.
            taken = bare_cudnn(self.scratch / f"both{number}{below}")
            self.assert_located(self.locate(*arguments), taken)

    def test_half_a_cudnn_beside_this_package_is_refused(self):
        self.write("own/share/CuDNNChecked/cmake/CuDNNCheckedConfig.cmake")
        bare_cudnn(self.scratch / "own", headers=False)
        other = bare_cudnn(self.scratch / "other")
        self.assertIn("[headers-missing]", self.locate(f"-DCuDNNChecked_ROOT={self.scratch}/own", f"-DCUDNN_ROOT={other}"))

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
        result = self.locate(f"-DCUDNN_INCLUDE_DIR={stale}/include", "-DCUDNN_VERSION=9.1.0",
                             f"-DCUDNN_LIBRARY={stale}/lib/libcudnn.so.9",
                             f"-DCuDNNChecked_ROOT={prefix}")
        self.assert_located(result, prefix)
