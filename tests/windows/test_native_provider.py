# SPDX-License-Identifier: BSD-3-Clause
"""The provider, by a CMake for Windows: how a person names a cuDNN to a project that knows nothing of this package, and which files
the project gets."""

import os

from dll_places import windows_path
from native import InstalledTest
from support.bare_install import bare_cuda, bare_cudnn

LINKS = "cudnn_checked: warning: app links another cuDNN than the one that was proved"
PROJECT = """\
cmake_minimum_required(VERSION 3.24)
project(app LANGUAGES CXX)
set(CUDNN_ROOT_DIR "" CACHE PATH "Directory of cuDNN")
set(OWN "" CACHE STRING "What the program links")
find_path(CUDNN_INCLUDE_DIR cudnn.h HINTS ${CUDNN_ROOT_DIR} PATH_SUFFIXES include)
find_library(CUDNN_LIBRARY cudnn HINTS ${CUDNN_ROOT_DIR} PATH_SUFFIXES lib/x64)
find_file(CUDNN_DLL cudnn64_9.dll)
add_executable(app main.cpp)
target_link_libraries(app ${OWN})
message(STATUS "taken: ${CUDNN_INCLUDE_DIR} ${CUDNN_LIBRARY} ${CUDNN_DLL}")
"""


class Provider(InstalledTest):
    """The level is LOCATED; of the two installs a variable names one."""

    def setUp(self):
        super().setUp()
        for folder in ("a b", "other"):
            install = bare_cudnn(self.scratch / folder, libraries=False)
            bare_cuda(install)
            for name in ("bin/cudnn64_9.dll", "bin/cudart64_13.dll", "lib/x64/cudnn.lib"):
                self.write(f"{folder}/{name}")
        self.write("app/CMakeLists.txt", PROJECT)
        self.write("app/main.cpp", "int main() {}\n")
        self.place = f"{self.drive}\\a b"

    def provided(self, *arguments, **environment):
        if (self.build / "CMakeCache.txt").exists():
            os.remove(self.build / "CMakeCache.txt")
        return self.relative(self.configure(
            f"-DCMAKE_PROJECT_TOP_LEVEL_INCLUDES={windows_path(self.prefix)}/share/CuDNNChecked/cmake/CuDNNCheckedProvider.cmake",
            "-DCuDNNChecked_REQUIRE=LOCATED", *arguments, **environment))

    def taken(self, output):
        return next((line.partition("taken: ")[2] for line in output.splitlines() if "taken: " in line), output)

    def assert_taken(self, *arguments, **environment):
        output = self.provided(*arguments, **environment)
        self.assertEqual(self.taken(output), "<scratch>/a b/include <scratch>/a b/lib/x64/cudnn.lib <scratch>/a b/bin/cudnn64_9.dll")
        self.assertNotIn("another", output)

    def test_how_it_is_named(self):
        """A project links an import library, as link.exe takes no DLL; and CMake's PATH makes "C:/here/"C:/x"" of a quoted value."""
        for spelled in (self.place, f"{self.place}\\", f'"{self.place}"'):
            for name in ("CUDNN_ROOT", "CUDNN_ROOT_DIR"):
                with self.subTest(name, spelled=spelled):
                    self.assert_taken(f"-D{name}={spelled}")
        self.assert_taken(CUDNN_ROOT_DIR=f'"{self.place}\\"')
        self.assert_taken(f"-DCUDNN_INCLUDE_DIR={self.place}\\include")
        # By its import library alone.
        self.assert_taken(f"-DCUDNN_LIBRARY={self.place}\\lib\\x64\\cudnn.lib")
        self.assert_taken(f"-DCuDNNChecked_ROOT={self.place}", f"-DCUDNN_LIBRARY={self.place}\\lib\\x64\\cudnn.lib",
                          f"-DCUDNN_INCLUDE_DIR={self.place}/include")

    def test_an_environment_of_python(self):
        """cmd keeps the quotes of set VIRTUAL_ENV="C:\\venv"; this one has no Python that starts."""
        wheel = self.scratch / "venv/Lib/site-packages/nvidia/cudnn"
        bare_cuda(bare_cudnn(wheel, libraries=False))
        for name in ("cudnn64_9.dll", "cudart64_13.dll"):
            self.write(wheel / "bin" / name)
        report = self.write("report.json", "{}")
        output = self.provided(VIRTUAL_ENV=f'"{self.drive}\\venv\\"')
        self.assertIn("/venv/Lib/site-packages/nvidia/cudnn/bin/cudnn64_9.dll", self.taken(output))
        # At this level it is not read.
        output = self.provided(f'-DCuDNNChecked_PROBE_REPORT="{self.drive}\\{report.name}"', VIRTUAL_ENV=f"{self.drive}\\venv")
        self.assertIn("/venv/Lib/site-packages/nvidia/cudnn/bin/cudnn64_9.dll", self.taken(output))

    def test_another_place(self):
        other = f"{self.drive}\\other"
        for name, value in (("CUDNN_ROOT", other), ("CUDNN_LIBRARY", f"{other}\\lib\\x64\\cudnn.lib"),
                            ("CUDNN_LIBRARY", f"{other}\\bin\\cudnn64_9.dll")):
            with self.subTest(value):
                output = self.provided(f"-DCuDNNChecked_ROOT={self.place}", f"-D{name}={value}")
                self.assertIn(f"refused: {name} names another place than that of the cuDNN that was proved", output)
                self.assertIn("-D CuDNNChecked_ROOT=<scratch>\\other <scratch>\\build\n", output)

    def test_quotes_that_the_project_would_keep(self):
        for name, value in (("CUDNN_INCLUDE_DIR", "include"), ("CUDNN_LIBRARY", "lib\\x64\\cudnn.lib")):
            with self.subTest(name):
                output = self.provided(f'-D{name}="{self.place}\\{value}"')
                self.assertIn(f"refused: {name} names a path in quotes, which a project takes for a part of it\n", output)
                self.assertIn(f'-U {name} -D "CuDNNChecked_ROOT=<scratch>\\a b" <scratch>\\build\n', output)
        # cmd has no rm, and one command for files and another for directories: CMake has one for both.
        told = ("fix", "cmake=cmake", "build=C:/b", "fix=@remove C:/b/c d")
        self.assertEqual(self.windows.start([self.prefix / "bin/cudnn-checked.exe", "configure", *told], cwd=self.scratch)[:2],
                         (0, 'cmake -E rm -rf "C:\\b\\c d"\n'))

    def test_what_a_target_links(self):
        root = f"-DCuDNNChecked_ROOT={self.place}"
        for own in ("lib\\x64\\cudnn.lib", "bin\\cudnn64_9.dll"):
            with self.subTest(own):
                self.assertNotIn("another", self.provided(root, f"-DOWN={self.place}\\{own}"))
                output = self.provided(root, f"-DOWN={self.drive}\\other\\{own}")
                self.assertIn(LINKS, output)
                self.assertIn('-D "OWN=<scratch>\\a b\\lib\\x64\\cudnn.lib" <scratch>\\build\n', output)
                self.assertIn("-D CuDNNChecked_ROOT=<scratch>\\other <scratch>\\build\n", output)
        self.provided(root, "-DOWN=cudnn")
        self.assertIn("LINK_LIBRARIES = \"" + f"{self.drive}\\a b".replace("\\", "/") + "/lib/x64/cudnn.lib\"",
                      (self.build / "build.ninja").read_text())
