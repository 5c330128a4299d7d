# SPDX-License-Identifier: BSD-3-Clause
"""./dev vendor and ./dev archive: what the copy is, that it is the same program, and that a project builds with it."""

import collections
import hashlib
import pathlib
import re
import shutil
import subprocess
import tempfile
import textwrap
import unittest

from support import REPOSITORY, ScratchTest, cmake_program, cmake_version, compiler, errors, simulated_sdk
from support.environment import RELEASE

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
TREE = 'set(CuDNNChecked_DIR "${CUDNN_CHECKED_SOURCE}/cmake")'
SUBDIRECTORY = "add_subdirectory(third_party/CuDNNChecked)"
FAQ = (REPOSITORY / "docs/faq.md").read_text(encoding="utf-8")
FETCHED = textwrap.dedent(re.search(r"(?m)^    include\(FetchContent\)\n(?:^    .*\n)+", FAQ)[0])

FILES = {"CMakeLists.txt", "LICENSE", "cmake/CuDNNCheckedConfig.cmake", "cmake/CuDNNCheckedConfigVersion.cmake",
         "cmake/CuDNNCheckedProvider.cmake", "cmake/CuDNNCheckedSearch.cmake", "cmake/FindCuDNNChecked.cmake",
         "include/cudnn_checked/guard.h", "include/cudnn_checked/guard.hpp", "source/configure.cpp", "source/core.cpp",
         "source/core.h", "source/guard.cpp", "source/kernel.cu", "source/probe.cpp", "source/stamp.cpp"}
OF_LABORATORY = {"source/sweep.cpp", "source/opened/cudnn_functions.def", *(
    f"source/opened/include/{path.name}" for path in (REPOSITORY / "tool/opened/include").iterdir())}
# Of what people bring into their tree: it does not grow unseen.
MOST_LINES = 36763

DEFINITIONS = ['-DCUDNN_CHECKED_PACKAGE_VERSION="0"', "-DCUDNN_VERSION=92200", "-DCUDART_VERSION=13000",
               "-DCUDNN_CHECKED_PROBE_KERNEL"]
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow"]
# Of clang's -Weverything: other dialects, how much room a struct has, what a style is, and (from 16 on) that
# pointers are used and functions looked up by name.
NOT_WANTED = ["c++98-compat", "c++98-compat-pedantic", "pre-c++14-compat", "pre-c++17-compat", "padded", "weak-vtables",
              "switch-enum", "switch-default", "exit-time-destructors", "non-virtual-dtor", "float-equal",
              "disabled-macro-expansion", "unused-macros", "unsafe-buffer-usage", "cast-function-type-strict",
              "deprecated-declarations", "unknown-warning-option"]


def dev(*words, cwd="/"):
    return subprocess.run([str(REPOSITORY / "dev"), *map(str, words)], cwd=cwd, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def files_below(directory):
    return {str(path.relative_to(directory)) for path in directory.rglob("*") if path.is_file()}


def setUpModule():
    global WRITTEN
    directory = tempfile.TemporaryDirectory(prefix="cudnn-checked-copy-")
    unittest.addModuleCleanup(directory.cleanup)
    WRITTEN = pathlib.Path(directory.name) / "CuDNNChecked"
    done = dev("vendor", WRITTEN)
    if done.returncode != 0:
        raise RuntimeError(done.stdout)


class Copy(ScratchTest):
    def test_what_is_in_it(self):
        self.assertEqual(files_below(WRITTEN), FILES)
        self.assertLessEqual(len(FILES), 16)
        lines = sum(len((WRITTEN / name).read_bytes().splitlines()) for name in FILES)
        self.assertLessEqual(lines, MOST_LINES)
        self.assertRegex(FAQ, rf"\b{len(FILES)} files\b")
        said = int(re.search(r"(\d+),000 lines", FAQ)[1]) * 1000
        self.assertAlmostEqual(lines / said, 1, delta=0.03)

    def test_the_first_line_names_release_and_content(self):
        for name in FILES:
            first, _, rest = (WRITTEN / name).read_bytes().partition(b"\n")
            self.assertRegex(first.decode(), rf"^(# |// |)CuDNNChecked {re.escape(RELEASE)}, SHA-256 of the lines below: "
                             f"{hashlib.sha256(rest).hexdigest()}$")
            second = rest.partition(b"\n")[0].decode()
            if name not in ("LICENSE", *(f"include/cudnn_checked/guard.{ending}" for ending in ("h", "hpp"))):
                self.assertRegex(second, "^(#|//) SPDX-License-Identifier: BSD-3-Clause$")

    def test_what_is_said(self):
        done = dev("vendor", "copy", cwd=self.scratch)
        lines = sum((self.scratch / "copy" / name).read_bytes().count(b"\n") for name in FILES)
        self.assertEqual((done.returncode, done.stdout), (0, f"== {len(FILES)} files, {lines} lines in copy\n"))
        self.assertEqual({path.name for path in self.scratch.iterdir()}, {"copy"})
        with self.subTest("the same again"):
            for name in FILES:
                self.assertEqual((self.scratch / "copy" / name).read_bytes(), (WRITTEN / name).read_bytes())
        with self.subTest("it is not mixed with another release"):
            done = dev("vendor", "copy", cwd=self.scratch)
            self.assertEqual((done.returncode, done.stdout),
                             (1, "dev: error: copy exists\n"
                                 "  Remove it, or name another directory: files of two releases must not mix.\n"))
        for word in ("vendor", "archive"):
            for arguments in ([""], [], ["a", "--lab"], ["a", "--laboratory", "b"]):
                done = dev(word, *arguments, cwd=self.scratch)
                self.assertEqual((done.returncode, done.stdout),
                                 (1, f"dev: error: usage: ./dev {word} DIR [--laboratory]\n"))

    def test_it_is_no_project_of_its_own(self):
        shutil.copytree(WRITTEN, self.scratch / "CuDNNChecked")
        done = self.consumer("CuDNNChecked").configure()
        self.assertNotEqual(done.status, 0)
        self.assertIn("This copy of CuDNNChecked is for add_subdirectory and FetchContent (./dev vendor): tests, "
                      "command line and installation are in the whole repository.", " ".join(done.output.split()))

    def test_an_edited_file_is_named(self):
        copy = shutil.copytree(WRITTEN, self.scratch / "copy")

        def ask():
            done = subprocess.run([cmake_program(), "-P", copy / "CMakeLists.txt"], cwd="/", text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            return done.returncode, [line.strip() for line in done.stdout.splitlines() if line.strip()]

        as_written = (0, [f"The files are as CuDNNChecked {RELEASE} wrote them."])
        self.assertEqual(ask(), as_written)
        (copy / "LICENSE").write_bytes((WRITTEN / "LICENSE").read_bytes().replace(b"\n", b"\r\n"))
        self.assertEqual(ask(), as_written)
        for name, change in (("source/guard.cpp", lambda path: path.write_text(path.read_text() + "\n")),
                             ("cmake/CuDNNCheckedSearch.cmake", lambda path: path.unlink()),
                             ("CMakeLists.txt", lambda path: path.write_text(path.read_text().replace("LANGUAGES NONE", "")))):
            change(copy / name)
            status, lines = ask()
            self.assertNotEqual(status, 0)
            self.assertIn(f"These files are not as CuDNNChecked {RELEASE} wrote them:", lines)
            self.assertIn(name, lines)
            self.assertNotIn("LICENSE", lines)

    def test_the_archive(self):
        name = f"CuDNNChecked-{RELEASE}"
        contents = []
        for folder in ("first", "second"):
            done = dev("archive", folder, cwd=self.scratch)
            contents.append((self.scratch / folder / f"{name}.tar.gz").read_bytes())
            digest = hashlib.sha256(contents[-1]).hexdigest()
            self.assertEqual((done.returncode, done.stdout), (0, f"== {name}.tar.gz, SHA-256 {digest} in {folder}\n"))
            self.assertEqual(files_below(self.scratch / folder), {f"{name}.tar.gz", f"{name}.tar.gz.sha256"})
            self.assertEqual((self.scratch / folder / f"{name}.tar.gz.sha256").read_text(), f"{digest}  {name}.tar.gz\n")
        self.assertEqual(*contents)
        shutil.unpack_archive(self.scratch / "first" / f"{name}.tar.gz", self.scratch / "unpacked")
        for path in FILES:
            self.assertEqual((self.scratch / "unpacked" / name / path).read_bytes(), (WRITTEN / path).read_bytes())
        self.assertEqual(files_below(self.scratch / "unpacked" / name), FILES)


class SameProgram(ScratchTest):
    """What a compiler reads of a source of the copy is what it reads of that of the tree, in another order.

    The configure program includes all of core.
    """

    def words(self, program, source, home, *flags):
        done = subprocess.run([program, "-std=c++17", "-E", *DEFINITIONS, *flags, f"-I{REPOSITORY / 'tool/opened/include'}",
                               source], check=True, stdout=subprocess.PIPE, text=True, cwd=self.scratch)
        ours, found = False, []
        for line in done.stdout.splitlines():
            marked = re.match(r'# \d+ "([^"]*)"', line)
            if marked:
                ours = str(home) in marked[1] and "/opened/include/" not in marked[1]
            elif ours:
                found.append(line)
        # Where a namespace ends and begins again, the copy goes on.
        text = re.sub(r"(?:inline )?namespace(?: [\w:]+)? \{", "", "\n".join(found))
        return collections.Counter(re.findall(r"""'(?:[^'\\\n]|\\.)'|"(?:[^"\\\n]|\\.)*"|\w+|[^\s{}]""", text))

    def assert_same(self, program, copy, sources, *flags):
        (self.scratch / "stamp_of_target.inc").touch()
        for name, source in sources.items():
            with self.subTest(name=name, program=program):
                tree = self.words(program, REPOSITORY / "tool" / source, REPOSITORY / "tool", f"-I{self.scratch}",
                                  f"-I{REPOSITORY / 'tool/guard/include'}", *flags)
                same = self.words(program, copy / "source" / name, copy, f"-I{self.scratch}", f"-I{copy / 'include'}", *flags)
                self.assertGreater(sum(tree.values()), 10)
                self.assertEqual(tree - same, collections.Counter())
                self.assertEqual(same - tree, collections.Counter())

    def sources(self, platform):
        return {"stamp.cpp": f"guard/{platform}/stamp_of_target.cpp", **{
            f"{name}.cpp": f"{name}/{platform}/{name}.cpp" for name in ("guard", "configure", "probe")}}

    def test_for_linux(self):
        self.assert_same(compiler(), WRITTEN, self.sources("linux"))

    def test_for_windows(self):
        program = shutil.which("x86_64-w64-mingw32-g++-posix")
        if not program:
            self.skipTest("there is no mingw-w64")
        self.assert_same(program, WRITTEN, self.sources("windows"))

    def test_with_the_laboratory(self):
        copy = self.scratch / "copy"
        self.assertEqual(dev("vendor", copy, "--laboratory").returncode, 0)
        self.assertEqual(files_below(copy), FILES | OF_LABORATORY)
        self.assert_same(compiler(), copy, {"probe.cpp": "laboratory/operations/linux/probe.cpp", "sweep.cpp": "laboratory/sweep/sweep_program.cpp"},
                         "-DCUDNN_CHECKED_PROBE_FUSED")
        done = subprocess.run([compiler(), "-std=c++17", "-fsyntax-only", *DEFINITIONS[:1], f"-I{copy / 'source/opened/include'}",
                               copy / "source/sweep.cpp"], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.assertEqual((done.returncode, done.stdout), (0, ""))


class Compiled(ScratchTest):
    def compile(self, program, warnings, *names):
        for name in names:
            with self.subTest(program=program, name=name):
                done = subprocess.run(
                    [program, "-std=c++17", "-fsyntax-only", "-Werror", *warnings, *DEFINITIONS, f"-I{WRITTEN / 'include'}",
                     f"-I{REPOSITORY / 'tool/opened/include'}", WRITTEN / f"source/{name}.cpp"],
                    text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
                self.assertEqual((done.returncode, done.stdout), (0, ""))

    def test_a_warning_is_an_error(self):
        """The configure program includes all of core."""
        self.compile(compiler(), WARNINGS, "configure", "guard", "probe")

    def test_every_warning_of_clang(self):
        program = shutil.which("clang++")
        if not program:
            self.skipTest("there is no clang++")
        self.compile(program, ["-Weverything", *(f"-Wno-{name}" for name in NOT_WANTED)], "configure", "guard", "probe")

    def test_other_targets(self):
        programs = list(filter(None, map(shutil.which, ("x86_64-w64-mingw32-g++-posix", "aarch64-linux-gnu-g++"))))
        if not programs:
            self.skipTest("there is no compiler for Windows or aarch64")
        for program in programs:
            self.compile(program, WARNINGS, "guard")


class Projects(ScratchTest):
    def setUp(self):
        super().setUp()
        self.sdk = simulated_sdk(cudnn="9.14.0", gpus="sm_86")

    def project(self, name, door):
        # With the same path from the build tree, so that each source is compiled once: its text is the same.
        app = self.consumer(f"{name}/app", cmake_lists=PROJECT.format(door=door), **{"main.cpp": MAIN})
        app.environment = self.sdk.environment
        app.shares_configure = door == TREE
        shutil.copytree(WRITTEN, app.source / "third_party" / "CuDNNChecked")
        return app

    def configure(self, app, *arguments, root=None):
        root = root or self.sdk.prefix
        return app.configure(f"-DCuDNNChecked_ROOT={root}", f"-DCUDAToolkit_ROOT={root}", *arguments)

    def doors(self):
        done = dev("archive", self.scratch / "archive")
        self.assertEqual(done.returncode, 0, done.stdout)
        archive = next((self.scratch / "archive").glob("*.tar.gz"))
        digest = archive.with_name(archive.name + ".sha256").read_text().split()[0]
        return {"subdirectory": SUBDIRECTORY, "fetched": FETCHED, "archive": FETCHED.replace(
            'SOURCE_DIR "${CMAKE_SOURCE_DIR}/third_party/CuDNNChecked"', f'URL "{archive}" URL_HASH SHA256={digest}')}

    def test_a_project_builds_and_starts(self):
        for name, door in self.doors().items():
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

    @unittest.skipIf(cmake_version() < (3, 24), "a provider needs CMake 3.24")
    def test_its_provider(self):
        app = self.project("app", "")
        text = PROJECT.format(door="").replace("CuDNNChecked 9.1...<10", "CUDNN 9").replace("cudnn_checked_guard(app)", "")
        app.write("CMakeLists.txt", text.replace("CuDNNChecked::cudnn", "CUDNN::cudnn"))
        provider = app.source / "third_party/CuDNNChecked/cmake/CuDNNCheckedProvider.cmake"
        for done in (self.configure(app, f"-DCMAKE_PROJECT_TOP_LEVEL_INCLUDES={provider}"), app.build()):
            self.assertEqual(done.status, 0, done.output)
        self.assertEqual(app.run(app.path("app")).output, "cuDNN 91400\n")
        with self.subTest("find_package(CUDAToolkit) is answered as well"):
            app.write("CMakeLists.txt", "cmake_minimum_required(VERSION 3.24)\nproject(app LANGUAGES CXX)\n"
                      "find_package(CUDAToolkit)\nfind_library(CUDNN_LIBRARY cudnn)\nmessage(STATUS <${CUDNN_LIBRARY}>)\n")
            shutil.rmtree(app.build_directory)
            done = self.configure(app, f"-DCMAKE_PROJECT_TOP_LEVEL_INCLUDES={provider}")
            self.assertIn(f"-- <{self.sdk.library()}>\n", done.output)

    def test_a_lost_file_is_an_error(self):
        app = self.project("app", SUBDIRECTORY)
        copy = app.source / "third_party" / "CuDNNChecked"
        for name in ("source/core.cpp", "source/core.h", "cmake/CuDNNCheckedSearch.cmake"):
            with self.subTest(name):
                (copy / name).rename(self.scratch / "lost")
                self.assertNotEqual(self.configure(app).status, 0)
                shutil.rmtree(app.build_directory)
                (self.scratch / "lost").rename(copy / name)

    def test_it_says_what_the_tree_says(self):
        """Proved, judged by the probe, advised, not found; and the guard has the same sections."""
        broken = self.sdk.copy(self.scratch / "broken")
        broken.library("heuristic").resolve().write_bytes(b"")
        said, sections = [], []
        for name, door in (("tree", TREE), ("copy", SUBDIRECTORY)):
            app = self.project(name, door)
            outputs = [self.configure(app), self.configure(app, root=broken.prefix),
                       self.configure(app, "-DCuDNNChecked_REQUIRE=LOCATED", root=self.scratch / "nothing"),
                       self.configure(app, "-DCuDNNChecked_POLICY=compatibel"), self.configure(app, "-UCuDNNChecked_POLICY")]
            self.assertEqual([done.status for done in outputs], [0, 1, 1, 1, 0])
            said.append([self.words(done.output, app, name) for done in outputs])
            self.assertEqual(app.build().status, 0)
            guard = next(path for path in app.build_directory.rglob("guard.cpp.o"))
            text = subprocess.run(["size", "-A", guard], check=True, stdout=subprocess.PIPE, text=True).stdout
            sections.append(dict(re.findall(r"(?m)^(\.\S+) +(\d+)", text)))
        self.assertIn("[library-corrupt]", said[0][1])
        self.assertIn("[cudnn-not-found]", said[0][2])
        self.assertEqual(*said)
        self.assertEqual(*map(set, sections))
        for name, size in sections[0].items():
            # Functions in another order have other distances, and tables other gaps: each begins at a multiple of up to 32.
            self.assertAlmostEqual(int(size), int(sections[1][name]), delta=64 if name == ".rodata" else 16, msg=name)

    def words(self, output, app, name):
        """Without the lines of CMake's own, and the place of the find module."""
        text = output.replace(str(app.build_directory), "<build>").replace(f"{self.scratch}/{name}", "<project>")
        text = re.sub(r"(?m)^CMake Error at .*\(message\):$|^Call Stack(.*\n)*?\n|^See also .*\n", "", text)
        return "\n".join(line for line in text.splitlines() if not line.startswith(("-- Configuring", "-- Generating")))

    def test_without_the_laboratory(self):
        app = self.project("app", SUBDIRECTORY)
        copy = app.source / "third_party" / "CuDNNChecked"
        for variable, value in (("SWEEP", "60"), ("OPERATIONS", "matmul")):
            done = self.configure(app, f"-DCuDNNChecked_{variable}={value}")
            self.assertNotEqual(done.status, 0)
            self.assertEqual("".join(errors(done.output)), f"""\
cudnn_checked: refused: CuDNNChecked_{variable} needs sources that this copy of CuDNNChecked was made without
  value:  {value}   CuDNNChecked_{variable}
  copy:   {copy}
  fix: make the copy again, with them: ./dev vendor DIRECTORY --laboratory
   or: {cmake_program()} -U CuDNNChecked_{variable} {app.build_directory}
  [bad-input]
""")
            self.assertEqual(self.configure(app, f"-UCuDNNChecked_{variable}", "-DCuDNNChecked_REQUIRE=LOCATED").status, 0)
        done = self.configure(app, "-DCuDNNChecked_OPERATIONS=conv", "-DCuDNNChecked_SWEEP=0")
        self.assertEqual(done.status, 0, done.output)

    def test_with_the_laboratory(self):
        app = self.project("app", SUBDIRECTORY)
        copy = app.source / "third_party" / "CuDNNChecked"
        shutil.rmtree(copy)
        self.assertEqual(dev("vendor", copy, "--laboratory").returncode, 0)
        done = self.configure(app, "-DCuDNNChecked_OPERATIONS=matmul", "-DCuDNNChecked_SWEEP=1",
                              "-DCuDNNChecked_REQUIRE=LOCATED")
        self.assertEqual(done.status, 0, done.output)
