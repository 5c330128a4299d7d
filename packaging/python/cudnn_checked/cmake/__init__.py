# SPDX-License-Identifier: BSD-3-Clause
"""A directory of CMake modules: the entry point "cmake.module" names a Python package."""
