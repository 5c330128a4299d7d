# SPDX-License-Identifier: BSD-3-Clause
"""The recipe for Spack 1.0 and newer; ../../../../README.md has the commands."""

import pathlib

from spack_repo.builtin.build_systems.cmake import CMakePackage

from spack.package import *


class CudnnChecked(CMakePackage):
    """Check that NVIDIA cuDNN computes, at configure time and at start."""

    # The checkout that the recipe lies in.  In Spack's own repository the address of the sources takes its place.
    git = pathlib.Path(__file__).resolve().parents[6].as_uri()

    license("BSD-3-Clause")

    version("0.9.0", tag="v0.9.0")

    variant("cli", default=True, description="cudnn-checked, the command line")

    # The package itself is CMake files and the sources that a user's build compiles.
    depends_on("c", type="build", when="+cli")
    depends_on("cxx", type="build", when="+cli")
    depends_on("cmake@3.22:", type="build")

    for _platform in ("darwin", "freebsd", "windows"):
        conflicts(f"platform={_platform}", msg="CuDNNChecked reads ELF files, as glibc's loader does")

    def cmake_args(self):
        return [
            self.define("CUDNN_CHECKED_BUILD_TESTING", False),
            self.define_from_variant("CUDNN_CHECKED_BUILD_CLI", "cli"),
        ]
