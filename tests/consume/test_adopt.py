# SPDX-License-Identifier: BSD-3-Clause
"""What docs/adopt.md shows: the job, the lines behind an option, and the lines that two projects would get."""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import textwrap
import unittest

from support import REPOSITORY, ScratchTest, clean_environment, cmake_version, errors, simulated_sdk, warnings
from support.consumer import path_of_builders
from support.wheel import install_tree

PAGE = (REPOSITORY / "docs/adopt.md").read_text(encoding="utf-8")
LIBRARY = "#include <cudnn.h>\nsize_t version() { return cudnnGetVersion(); }\n"
CALLS_LIBRARY = '#include <cstdio>\nsize_t version();\nint main() { std::printf("runs on %zu\\n", version()); }\n'
MAIN = '#include <cudnn.h>\n#include <cstdio>\nint main() { std::printf("runs on %zu\\n", cudnnGetVersion()); }\n'
SEARCH = """\
find_path(CUDNN_INCLUDE_DIR cudnn.h HINTS ${OWN}/include)
find_library(CUDNN_LIBRARY NAMES cudnn HINTS ${OWN}/lib)
target_include_directories(app PRIVATE ${CUDNN_INCLUDE_DIR})
target_link_libraries(app PRIVATE ${CUDNN_LIBRARY})
"""
HEAD = """\
cmake_minimum_required(VERSION 3.22)
project(app LANGUAGES CXX)
set(OWN "" CACHE PATH "What the project finds by itself")
"""
# As the two projects go on: the toolkit's directory, which has a cuDNN of its own, comes first.
AROUND_KATAGO = HEAD + """\
add_executable(katago main.cpp)
{lines}
find_path(CUDNN_INCLUDE_DIR cudnn.h HINTS ${{OWN}}/include)
find_library(CUDNN_LIBRARY cudnn HINTS ${{OWN}}/lib)
include_directories(SYSTEM ${{OWN}}/include ${{CUDNN_INCLUDE_DIR}})
target_link_libraries(katago ${{CUDNN_LIBRARY}})
"""
AROUND_CTRANSLATE2 = HEAD + """\
macro(cuda_include_directories)
  set(given_to_nvcc ${{ARGN}})
endmacro()
include_directories(${{OWN}}/include)
{lines}
find_path(CUDNN_INCLUDE_DIR NAMES cudnn.h HINTS ${{OWN}}/include)
find_library(CUDNN_LIBRARIES NAMES cudnn HINTS ${{OWN}}/lib)
add_library(ctranslate2 SHARED library.cpp)
target_include_directories(ctranslate2 PRIVATE ${{CUDNN_INCLUDE_DIR}})
target_link_libraries(ctranslate2 PRIVATE ${{CUDNN_LIBRARIES}})
add_executable(translator main.cpp)
target_link_libraries(translator PRIVATE ctranslate2)
{more}
if(given_to_nvcc AND NOT given_to_nvcc STREQUAL CUDNN_INCLUDE_DIR)
  message(FATAL_ERROR "nvcc: ${{given_to_nvcc}}")
endif()
"""


def blocks(title):
    """The indented blocks of a section."""
    section = re.search(rf"(?ms)^## {title}\n(.*?)^## ", PAGE)[1]
    return [textwrap.dedent(block).lstrip("\n") for block in re.findall(r"(?m)(?:^(?:    .*)?\n)*^    .*\n", section)]


def added():
    """What each of the diffs adds; it takes nothing away."""
    diffs = re.findall(r"(?ms)^```diff\n(.*?)^```", PAGE)
    for diff in diffs:
        kept = [line for line in diff.splitlines() if not line.startswith("+")]
        assert len(kept) <= 3 and not any(line.startswith("-") for line in kept), diff
    return ["\n".join(re.findall(r"(?m)^\+(.*)$", diff)) for diff in diffs]


class Adopt(ScratchTest):
    def setUp(self):
        super().setUp()
        options = {"gpus": "", "build_ids": "catalogue"}
        self.sdk = simulated_sdk(**options).copy(self.scratch / "sdk")
        self.sdk.add_cuda_libraries(self.sdk.library_directory)
        self.older = simulated_sdk(cudnn="9.13.0", **options)
        self.mixed = self.sdk.copy(self.scratch / "mixed")
        self.mixed.take_from(self.older, "graph")
        self.foreign = self.sdk.copy(self.scratch / "foreign")
        for header in self.older.include.glob("cudnn*.h"):
            (self.foreign.include / header.name).unlink(missing_ok=True)
            shutil.copy(header, self.foreign.include)

    def configured(self, app, tree, *options, sdk=None):
        app.build_directory = self.scratch / tree
        hints = [f"-DCuDNNChecked_ROOT={sdk.prefix}", f"-DCUDAToolkit_ROOT={sdk.prefix}"] if sdk else []
        return app.configure(f"-DCuDNNChecked_DIR={REPOSITORY}/cmake", f"-DOWN={self.older.prefix}",
                             f"-DCUDAToolkit_ROOT={self.older.prefix}", "-DCuDNNChecked_GPU=OPTIONAL", *hints, *options)

    def files_of(self, tree):
        """What the generator has written for the targets of the project."""
        top = self.scratch / tree
        names = ["build.ninja"] if (top / "build.ninja").exists() else [
            path.relative_to(top) for path in sorted(top.rglob("build.make"))]
        return [(top / name).read_text().replace(str(top), "TREE") for name in names]

    def assert_adopted(self, with_lines, without, program, option, **files):
        """Off: the same build.  On: proved and guarded."""
        app = self.consumer(cmake_lists=without, **{"main.cpp": MAIN, **files})
        self.assertEqual(self.configured(app, "before").status, 0)
        app.write("CMakeLists.txt", with_lines)
        done = self.configured(app, "off")
        self.assertEqual(done.status, 0, done.output)
        self.assertNotIn("cuDNN", done.output)
        self.assertEqual(self.files_of("off"), self.files_of("before"))
        self.assertNotEqual(self.files_of("off"), [])
        # A tree that has searched by itself before takes what is proved, too.
        done = self.configured(app, "off", f"-D{option}=ON", sdk=self.sdk)
        self.assertEqual(done.status, 0, done.output)
        self.assertEqual(warnings(done.output), [])
        done = app.build()
        self.assertEqual(done.status, 0, done.output)
        ran = app.run(app.path(program), environment=self.sdk.environment)
        self.assertEqual((ran.status, ran.output), (0, "runs on 91400\n"))
        ran = app.run(app.path(program), environment={"LD_LIBRARY_PATH": self.older.library_directory})
        self.assertEqual(ran.status, 78, ran.output)
        return app

    def assert_refuses(self, app, option):
        for sdk, name in ((self.mixed, "mixed-sublibraries"), (self.foreign, "header-library-mismatch")):
            with self.subTest(name):
                done = self.configured(app, name, f"-D{option}=ON", sdk=sdk)
                self.assertNotEqual(done.status, 0, done.output)
                self.assertIn(f"[{name}]", errors(done.output)[0])

    def test_three_lines_behind_an_option(self):
        [lines] = blocks("Three lines behind an option")
        head = HEAD + "add_executable(app main.cpp)\n"
        today = "  # what stands here today\n"
        self.assertIn(today, lines)
        app = self.assert_adopted(head + lines.replace(today, SEARCH), head + SEARCH, "app", "APP_CHECK_CUDNN")
        self.assert_refuses(app, "APP_CHECK_CUDNN")

    def test_the_lines_of_katago(self):
        lines, _, _ = added()
        app = self.assert_adopted(AROUND_KATAGO.format(lines=lines), AROUND_KATAGO.format(lines=""), "katago",
                                  "CHECK_CUDNN")
        self.assert_refuses(app, "CHECK_CUDNN")
        with self.subTest("without BEFORE the header is that of the toolkit"):
            app = self.consumer("other", cmake_lists=AROUND_KATAGO.format(
                lines=re.sub(r"include_directories\(BEFORE.*", "", lines)), **{"main.cpp": MAIN})
            self.assertEqual(self.configured(app, "other-build", "-DCHECK_CUDNN=ON", sdk=self.sdk).status, 0)
            done = app.build()
            self.assertNotEqual(done.status, 0)
            self.assertIn("[header-library-mismatch]", done.output)

    def test_the_lines_of_ctranslate2(self):
        _, lines, more = added()
        self.assert_adopted(AROUND_CTRANSLATE2.format(lines=lines, more=more),
                            AROUND_CTRANSLATE2.format(lines="", more=""), "translator", "CHECK_CUDNN",
                            **{"library.cpp": LIBRARY, "main.cpp": CALLS_LIBRARY})

    def test_the_copy(self):
        command, line = blocks("The copy")
        self.assertEqual(command, "./dev vendor YOUR_PROJECT/third_party/CuDNNChecked\n")
        place = self.scratch / "app/third_party/CuDNNChecked"
        place.parent.mkdir(parents=True)
        done = subprocess.run([REPOSITORY / "dev", "vendor", place], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        for name in re.findall(r"third_party/CuDNNChecked/(\S+?)`", PAGE):
            self.assertTrue((place / name).exists(), name)
        [lines] = blocks("Three lines behind an option")
        find = "  find_package("
        lines = lines.replace(find, f"  {line}{find}", 1)
        app = self.consumer(cmake_lists=HEAD + "add_executable(app main.cpp)\n" + lines, **{"main.cpp": MAIN})
        app.shares_configure = False
        done = app.configure("-DAPP_CHECK_CUDNN=ON", f"-DCuDNNChecked_ROOT={self.mixed.prefix}",
                             f"-DCUDAToolkit_ROOT={self.mixed.prefix}")
        self.assertIn("[mixed-sublibraries]", errors(done.output)[0])


@unittest.skipIf(cmake_version() < (3, 24), "the provider needs CMake 3.24")
class Job(ScratchTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        shared = pathlib.Path(tempfile.mkdtemp(prefix="cudnn-checked-adopt-"))
        cls.addClassCleanup(shutil.rmtree, shared, ignore_errors=True)
        cls.inside = shared
        cls.installed = install_tree(shared)

    def job(self, sdk):
        """The last step, in a project without a line of this package."""
        [workflow] = blocks("A CI job, and no line in the project")
        step = textwrap.dedent(workflow.split("- run: |\n")[1])
        self.assertEqual(len(step.splitlines()), 5)
        self.write("CMakeLists.txt", HEAD + "add_executable(app main.cpp)\n" + SEARCH)
        self.write("main.cpp", MAIN)
        shutil.rmtree(self.scratch / "build", ignore_errors=True)
        environment = clean_environment(self.scratch, CuDNNChecked_ROOT=str(sdk.prefix),
                                        CUDAToolkit_ROOT=str(sdk.prefix))
        environment["PATH"] = f"{self.installed}/bin:{path_of_builders()}"
        done = subprocess.run(["sh", "-ec", step], cwd=self.scratch, env=environment, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return done.returncode, done.stdout

    def test_its_commands(self):
        options = {"gpus": "", "build_ids": "catalogue"}
        sdk = simulated_sdk(**options).copy(self.scratch / "sdk")
        sdk.add_cuda_libraries(sdk.library_directory)
        status, out = self.job(sdk)
        self.assertEqual(status, 0, out)
        self.assertRegex(out, r"(?m)^cudnn-checked: (ok|unknown|warning): ")
        mixed = sdk.copy(self.scratch / "mixed")
        mixed.take_from(simulated_sdk(cudnn="9.13.0", **options), "graph")
        status, out = self.job(mixed)
        self.assertNotEqual(status, 0)
        self.assertIn("[mixed-sublibraries]", out)
        self.assertFalse(os.path.exists(self.scratch / "build/app"))

    def test_its_steps(self):
        """The checkout is pinned as that of this repository is."""
        [workflow] = blocks("A CI job, and no line in the project")
        own = (REPOSITORY / ".github/workflows/ci.yml").read_text(encoding="utf-8")
        [uses] = re.findall(r"uses: .*", workflow)
        self.assertIn(uses, own)
