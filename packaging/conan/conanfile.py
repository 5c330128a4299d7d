# SPDX-License-Identifier: BSD-3-Clause
import os
import re

from conan import ConanFile
from conan.tools.cmake import CMake, CMakeToolchain
from conan.tools.files import copy, load

required_conan_version = ">=2.0"


class CuDNNCheckedConan(ConanFile):
    name = "cudnn-checked"
    description = "check that NVIDIA cuDNN computes, at configure time and at start"
    license = "BSD-3-Clause"
    topics = ("cudnn", "cuda", "cmake")
    package_type = "build-scripts"
    settings = "os", "arch", "compiler", "build_type"
    options = {"with_cli": [True, False]}
    default_options = {"with_cli": False}

    @property
    def _repository(self):
        return os.path.join(self.recipe_folder, "..", "..")

    def set_version(self):
        text = load(self, os.path.join(self._repository, "cmake/CuDNNChecked/package_version.cmake"))
        self.version = re.search(r"set\(_cudnn_checked_package_version ([0-9.]+)\)", text)[1]

    def export_sources(self):
        for pattern in ("CMakeLists.txt", "LICENSE", "README.md", "cmake/*", "docs/*", "packaging/*", "templates/*", "tool/*"):
            # What test_package builds there would be a new revision of the recipe.
            copy(self, pattern, self._repository, self.export_sources_folder, excludes="packaging/conan/*")

    def layout(self):
        self.folders.build = self.folders.generators = "build"

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables["CMAKE_UNITY_BUILD"] = True
        toolchain.cache_variables["CUDNN_CHECKED_BUILD_TESTING"] = False
        toolchain.cache_variables["CUDNN_CHECKED_BUILD_CLI"] = bool(self.options.with_cli)
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()

    def package_id(self):
        if self.info.options.with_cli:
            del self.info.settings.compiler
            del self.info.settings.build_type
        else:
            self.info.clear()

    def package_info(self):
        self.cpp_info.includedirs = []
        self.cpp_info.libdirs = []
        self.cpp_info.bindirs = ["bin"] if self.options.with_cli else []
        # The package has CuDNNCheckedConfig.cmake, and Conan writes none.
        self.cpp_info.builddirs = ["share/CuDNNChecked/cmake"]
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.set_property("cmake_file_name", "CuDNNChecked")
