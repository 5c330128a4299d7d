# SPDX-License-Identifier: BSD-3-Clause
"""./dev vendor: the copy has what the compiler reads and no more, and a project builds with it."""

import re
import shutil
import subprocess
import textwrap

from support import REPOSITORY, ScratchTest, compiler, simulated_sdk

PROJECT = """
cmake_minimum_required(VERSION 3.22)
project(app LANGUAGES CXX)
{door}
find_package(CuDNNChecked 9.1...<10 REQUIRED)
add_executable(app main.cpp)
target_link_libraries(app PRIVATE CuDNNChecked::cudnn)
cudnn_checked_guard(app)
"""
MAIN = """
#include <cudnn.h>
#include <cstdio>
int main() { std::printf("cuDNN %zu\\n", cudnnGetVersion()); }
"""
SUBDIRECTORY = "add_subdirectory(third_party/CuDNNChecked)"
FAQ = (REPOSITORY / "docs/faq.md").read_text(encoding="utf-8")
FETCHED = textwrap.dedent(re.search(r"(?m)^    include\(FetchContent\)\n(?:^    .*\n)+", FAQ)[0])

# Each is compiled with all that it includes.
UNITS = ["tool/sweep/sweep_program.cpp", "tool/core/linux/core.cpp", "tool/core/windows/core.cpp",
         *(f"tool/{room}/{platform}/{room}.cpp" for room in ("adviser", "probe", "guard")
           for platform in ("linux", "windows"))]
# For users' sources, for a stamp, which is generated, and for nvcc.
NOT_OF_A_UNIT = {"tool/core/observe/cudnn_hints.def", "tool/guard/include/cudnn_checked/guard.hpp", "tool/probe/kernel/kernel.cu",
                 *(f"tool/guard/{platform}/stamp_of_target.cpp" for platform in ("linux", "windows"))}


def vendor(directory, cwd="/"):
    return subprocess.run([str(REPOSITORY / "dev"), "vendor", str(directory)], cwd=cwd, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def files_below(directory):
    return {str(path.relative_to(directory)) for path in directory.rglob("*") if path.is_file()}


class Copy(ScratchTest):
    def setUp(self):
        super().setUp()
        self.copy = self.scratch / "CuDNNChecked"
        self.done = vendor("CuDNNChecked", cwd=self.scratch)

    def test_what_is_in_it(self):
        """All that the compiler and CMake read, and nothing that they do not read."""
        read = set()
        for unit in UNITS:
            done = subprocess.run(
                [compiler(), "-MM", "-MG", "-std=c++17", "-DCUDNN_CHECKED_PACKAGE_VERSION=\"\"",
                 "-DCUDNN_CHECKED_PROBE_KERNEL", "-DCUDNN_CHECKED_PROBE_FUSED", "-Itool/guard/include", "-Itool/opened/include", unit],
                cwd=REPOSITORY, check=True, stdout=subprocess.PIPE, text=True)
            for path in done.stdout.replace("\\\n", " ").split()[1:]:
                if (REPOSITORY / path).exists():
                    read.add(str((REPOSITORY / path).resolve().relative_to(REPOSITORY)))
        self.assertGreater(len(read), 300)
        expected = read | NOT_OF_A_UNIT | {"CMakeLists.txt", "LICENSE"}
        for folder in ("cmake", "templates"):
            expected |= {f"{folder}/{name}" for name in files_below(REPOSITORY / folder)}
        self.assertEqual(files_below(self.copy), expected)

    def test_what_is_said(self):
        copied = files_below(self.copy)
        size = sum((self.copy / name).stat().st_size for name in copied)
        self.assertEqual((self.done.returncode, self.done.stdout),
                         (0, f"== {len(copied)} files, {size} bytes in CuDNNChecked\n"))
        about = re.search(r"About (\d+) files, (\d\.\d) MB", FAQ)
        self.assertAlmostEqual(len(copied) / int(about[1]), 1, delta=0.05)
        self.assertAlmostEqual(size / 1e6 / float(about[2]), 1, delta=0.05)

    def test_it_is_not_mixed_with_another_release(self):
        done = vendor("CuDNNChecked", cwd=self.scratch)
        self.assertEqual((done.returncode, done.stdout),
                         (1, "dev: error: CuDNNChecked exists\n"
                             "  Remove it, or name another directory: files of two releases must not mix.\n"))
        done = vendor("")
        self.assertEqual((done.returncode, done.stdout), (1, "dev: error: usage: ./dev vendor DIR\n"))

    def test_it_is_no_project_of_its_own(self):
        done = self.consumer("CuDNNChecked").configure()
        self.assertNotEqual(done.status, 0)
        self.assertIn("This copy of CuDNNChecked is for add_subdirectory and FetchContent (./dev vendor): tests, "
                      "command line and installation are in the whole repository.", " ".join(done.output.split()))


class Projects(ScratchTest):
    def setUp(self):
        super().setUp()
        self.sdk = simulated_sdk(cudnn="9.14.0", gpus="sm_86")

    def project(self, name, door):
        # With the same path from the build tree, so that each source is compiled once: its text is the same.
        app = self.consumer(f"{name}/app", cmake_lists=PROJECT.format(door=door), **{"main.cpp": MAIN})
        app.environment = self.sdk.environment
        self.assertEqual(vendor(app.source / "third_party" / "CuDNNChecked").returncode, 0)
        return app

    def configure(self, app):
        return app.configure(f"-DCuDNNChecked_ROOT={self.sdk.prefix}", f"-DCUDAToolkit_ROOT={self.sdk.prefix}")

    def test_a_project_builds_and_starts(self):
        for name, door in (("subdirectory", SUBDIRECTORY), ("fetched", FETCHED)):
            with self.subTest(name):
                app = self.project(name, door)
                for done in (self.configure(app), app.build()):
                    self.assertEqual(done.status, 0, done.output)
                done = app.run(app.path("app"))
                self.assertEqual((done.status, done.output), (0, "cuDNN 91400\n"))
                older = simulated_sdk(cudnn="9.13.1", cuda="13.0")
                done = app.run(app.path("app"), environment={
                    "LD_LIBRARY_PATH": f"{older.library_directory}:{self.sdk.environment['LD_LIBRARY_PATH']}"})
                self.assertEqual(done.status, 78, done.output)

    def test_a_lost_file_is_an_error(self):
        app = self.project("app", SUBDIRECTORY)
        copy = app.source / "third_party" / "CuDNNChecked"
        for name in ("tool/core/elf/elf_file.cpp", "tool/core/observe/cudnn_hints.def", "templates/stamp.h.in"):
            with self.subTest(name):
                (copy / name).rename(self.scratch / "lost")
                self.assertNotEqual(self.configure(app).status, 0)
                shutil.rmtree(app.build_directory)
                (self.scratch / "lost").rename(copy / name)
