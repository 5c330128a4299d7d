# SPDX-License-Identifier: BSD-3-Clause
"""cudnn_checked_guard: what it can be given to, what it adds, and what it leaves alone."""

import re
import shutil
import subprocess

from support import (REPOSITORY, bare_cuda, bare_cudnn, clean_environment, compiler, errors, exported_symbols, relative_output,
                     stamps)
from support.scratch import ScratchTest

HEAD = """
cmake_minimum_required(VERSION 3.22)
project(app LANGUAGES {languages})
list(APPEND CMAKE_MODULE_PATH "${{CUDNN_CHECKED_SOURCE}}/cmake")
set(CuDNNChecked_REQUIRE LOCATED)
"""

# What a guarded program links counts by its name; these libraries are empty files.
FIND = "find_package(CuDNNChecked REQUIRED)\nlink_libraries($<0:CuDNNChecked::cudnn>)\n"

MAIN_C = """
#include <cudnn_checked/guard.h>
#include <cudnn_checked/stamp.h>
int main(void) { return CUDNN_CHECKED_CUDNN_VERSION == 91400 ? 0 : 1; }
"""

MAIN_CPP = """
#include <cudnn_checked/guard.hpp>
int main() { return 0; }
"""

LIBRARY_CPP = """
#include <cudnn_checked/guard.hpp>
int checks() { return cudnn_checked::check().json().empty() ? 1 : 0; }
"""


class GuardTest(ScratchTest):
    def setUp(self):
        super().setUp()
        bare_cuda(bare_cudnn(self.scratch / "sdk"))

    def project(self, text, languages="C CXX", find=FIND, **files):
        return self.consumer(cmake_lists=HEAD.format(languages=languages) + find + text,
                             **{"main.c": MAIN_C, "main.cpp": MAIN_CPP, "library.cpp": LIBRARY_CPP},
                             **files)

    def configure(self, app, *arguments):
        return app.configure(f"-DCuDNNChecked_ROOT={self.scratch}/sdk",
                             f"-DCUDAToolkit_ROOT={self.scratch}/sdk", *arguments)

    def built(self, app, *arguments):
        """Configures and builds; both must succeed without a word of warning."""
        for done in [self.configure(app, *arguments), app.build()]:
            self.assertEqual(done.status, 0, done.output)
            self.assertNotIn("warning", done.output.lower())
        return app


class Targets(GuardTest):
    def test_every_kind_of_target(self):
        """One project, because the checks are compiled once for a build tree."""
        app = self.built(self.project("""
add_compile_options(-Wall -Wextra -Werror $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes>
                    "SHELL:-include ${CMAKE_SOURCE_DIR}/forced.h")
add_compile_definitions(string=broken json=broken)
set(CMAKE_CXX_STANDARD 11)
set(CMAKE_UNITY_BUILD ON)
include_directories("${CMAKE_SOURCE_DIR}/shadow")

add_executable(program main.c)
cudnn_checked_guard(program)
add_executable(required main.c)
cudnn_checked_guard(required GPU REQUIRED POLICY exact OPERATIONS conv3d/bf16 conv2d conv2d)

add_library(plugin MODULE plain.c)
cudnn_checked_guard(plugin MANUAL)
add_library(shared SHARED plain.c)
cudnn_checked_guard(shared MANUAL)

add_executable(plain-signature main.c)
target_link_libraries(plain-signature m)
cudnn_checked_guard(plain-signature MANUAL)
add_executable(elsewhere main.c)
# Not guarded: whatever links cuDNN sees the stamp.
add_library(unguarded OBJECT stamped.c)
target_link_libraries(unguarded PRIVATE CuDNNChecked::cudnn)
add_subdirectory(below)
""", **{"forced.h": "#define vector broken\n", "plain.c": "int plain(void) { return 1; }\n",
            "shadow/version": "0.1.0\n",
            "stamped.c": "#include <cudnn_checked/stamp.h>\nint stamped = CUDNN_CHECKED_CUDNN_VERSION;\n",
            # The defaults of a directory; what the call says wins.
            "below/CMakeLists.txt": "set(CuDNNChecked_GPU REQUIRED)\nset(CuDNNChecked_POLICY major)\n"
                                    "cudnn_checked_guard(elsewhere POLICY exact)\n"}))
        names = {"program": ("optional", "compatible"), "required": ("required", "exact"),
                 "plain-signature": ("optional", "compatible"),
                 "elsewhere": ("required", "exact"),
                 "libplugin.so": ("optional", "compatible"),
                 "libshared.so": ("optional", "compatible")}
        for name, (gpu, policy) in names.items():
            with self.subTest(target=name):
                [stamp] = stamps(app.path(name))
                self.assertEqual(stamp["gpu"], gpu)
                self.assertEqual(stamp["policy"], policy)
                self.assertEqual(stamp["operations"],
                                 ["conv3d/bf16", "conv2d"] if name == "required" else [])
                self.assertEqual(stamp["cudnn"]["header"], "9.14.0")
                self.assertEqual(stamp["level"], "located")
                self.assertEqual({s for s in exported_symbols(app.path(name))
                                  if "cudnn_checked" in s}, set())
        built = list(app.build_directory.rglob("guard.cpp.o"))
        self.assertEqual(len(built), 1, built)
        done = app.run(app.path("program"), environment={"CUDNN_CHECKED": "off"})
        self.assertEqual(done.status, 0, done.output)

    def test_names_with_the_same_identifier(self):
        app = self.built(self.project("""
foreach(name IN ITEMS a-b a_b)
  add_executable(${name} main.cpp)
  cudnn_checked_guard(${name})
endforeach()
"""))
        for name in ["a-b", "a_b"]:
            self.assertEqual([s["program"] for s in stamps(app.path(name))], [name])

    def test_libraries_in_a_program(self):
        app = self.built(self.project("""
add_library(static STATIC library.cpp)
cudnn_checked_guard(static MANUAL)
add_library(shared SHARED library.cpp)
cudnn_checked_guard(shared MANUAL)
add_executable(with_static use.cpp)
target_link_libraries(with_static PRIVATE static)
add_executable(with_both use.cpp)
cudnn_checked_guard(with_both MANUAL)
target_link_libraries(with_both PRIVATE static)
""", **{"use.cpp": "int checks();\nint main() { return checks(); }\n"}))
        self.assertEqual([s["program"] for s in stamps(app.path("with_static"))], ["static"])
        self.assertEqual(sorted(s["program"] for s in stamps(app.path("with_both"))),
                         ["static", "with_both"])
        for name in ["with_static", "with_both"]:
            self.assertEqual(app.run(app.path(name)).status, 0)

    def test_the_stamp_stays(self):
        """Link-time optimisation, removal of unused sections and strip leave the note."""
        linked = subprocess.run([compiler(), "-flto", "-x", "c++", "-", "-o", self.scratch / "linked"], text=True,
                                input="int main() { return 0; }", env=clean_environment(self.scratch),
                                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        if linked.returncode != 0:
            self.skipTest(f"{compiler()} cannot link with -flto here: {linked.stderr.splitlines()[-1:]}")
        app = self.built(self.project("""
add_executable(lto main.cpp)
set_property(TARGET lto PROPERTY INTERPROCEDURAL_OPTIMIZATION ON)
cudnn_checked_guard(lto MANUAL)
add_executable(collected main.cpp)
target_compile_options(collected PRIVATE -ffunction-sections -fdata-sections)
target_link_options(collected PRIVATE -Wl,--gc-sections -Wl,-s)
cudnn_checked_guard(collected)
"""))
        for name in ["lto", "collected"]:
            with self.subTest(target=name):
                self.assertEqual([s["program"] for s in stamps(app.path(name))], [name])

    def test_sanitizers_and_late_standards(self):
        app = self.project("""
add_executable(program main.cpp)
target_compile_options(program PRIVATE -fsanitize=address,undefined -std=c++17)
target_link_options(program PRIVATE -fsanitize=address,undefined)
cudnn_checked_guard(program)
add_executable(other main.cpp)
cudnn_checked_guard(other)
""")
        app = self.built(app)
        self.assertEqual(len(list(app.build_directory.rglob("guard.cpp.o"))), 2)
        done = app.run(app.path("program"), environment={"CUDNN_CHECKED": "off"})
        self.assertEqual((done.status, done.output), (0, ""))

    def test_exports_of_a_guarded_library(self):
        app = self.built(self.project("""
add_library(static STATIC library.cpp)
cudnn_checked_guard(static MANUAL)
install(TARGETS static EXPORT e)
install(EXPORT e DESTINATION cmake)
export(EXPORT e FILE "${CMAKE_BINARY_DIR}/e.cmake")
"""))
        text = app.path("e.cmake").read_text()
        self.assertNotIn("cudnn_checked", text.lower())


class Compilations(GuardTest):
    """The checks are compiled once for a build tree and a set of flags that matter.

    How often is all that is asked here, so they are empty: the real ones take seconds to compile, and are compiled with
    sanitizers, by clang and by each generator in the classes above and below.
    """

    def package(self):
        """A copy of this package with checks that do nothing."""
        package = self.scratch / "package"
        if not package.exists():
            for folder in ("cmake", "templates", "tool"):
                shutil.copytree(REPOSITORY / folder, package / folder)
            guard = package / "tool/guard/linux"
            functions = re.findall(r"(?m)^void \w+\([^)]*\)(?=;)", (guard / "stamp_object.h").read_text())
            self.assertEqual(len(functions), 2)
            (guard / "guard.cpp").write_text('#include "stamp_object.h"\n'
                                             + "".join(f"{function} {{}}\n" for function in functions))
        return package

    def directories(self, count, **folders):
        """A project with guarded programs in <count> directories."""
        files = {f"d{i}/CMakeLists.txt": f"add_executable(app{i} ../main.cpp)\n"
                                         + folders.get(f"d{i}", "")
                                         + f"cudnn_checked_guard(app{i})\n"
                 for i in range(count)}
        text = "".join(f"add_subdirectory(d{i})\n" for i in range(count))
        return self.project(text, **files)

    def project(self, text, **files):
        """What the programs are is nothing to these tests: main.cpp includes nothing."""
        app = super().project(text, **files)
        app.write("main.cpp", "int main() { return 0; }\n")
        return app

    def compiled(self, app, *build_arguments):
        """How often the build compiled the checks."""
        self.assertEqual(self.configure(app, f"-DCUDNN_CHECKED_SOURCE={self.package()}").status, 0)
        done = app.build("--verbose", *build_arguments)
        self.assertEqual(done.status, 0, done.output)
        return len(re.findall(r" -c \S*/guard/linux/guard\.cpp", done.output))

    def test_five_directories_and_three_generators(self):
        for generator, arguments in [("Ninja", []), ("Unix Makefiles", []),
                                     ("Ninja Multi-Config", ["--config", "Release"])]:
            with self.subTest(generator=generator):
                app = self.directories(5)
                app.build_directory = self.scratch / generator.replace(" ", "-")
                app.generator = generator
                self.assertEqual(self.compiled(app, *arguments), 1)
                for i in range(5):
                    program = next(path for path in app.build_directory.glob(f"d{i}/**/app{i}")
                                   if path.is_file())
                    self.assertEqual([s["program"] for s in stamps(program)], [f"app{i}"])

    def test_ten_directories(self):
        self.assertEqual(self.compiled(self.directories(10)), 1)

    def test_what_does_not_matter(self):
        """Standards, definitions, warnings and position independence of a directory."""
        app = self.directories(5, d0="set_property(TARGET app0 PROPERTY CXX_STANDARD 20)\n",
                               d1="add_compile_definitions(LATER=1)\n",
                               d2="target_compile_options(app2 PRIVATE -Wall -DX=1)\n",
                               d3="set_property(TARGET app3 PROPERTY POSITION_INDEPENDENT_CODE ON)\n",
                               d4="target_compile_definitions(app4 PRIVATE NDEBUG)\n")
        self.assertEqual(self.compiled(app), 1)

    def test_two_sets_of_sanitizers(self):
        sanitizer = ("target_compile_options({0} PRIVATE -fsanitize={1})\n"
                     "target_link_options({0} PRIVATE -fsanitize={1})\n")
        app = self.directories(4, d0=sanitizer.format("app0", "address"),
                               d1=sanitizer.format("app1", "undefined"),
                               d2=sanitizer.format("app2", "address"),
                               d3=sanitizer.format("app3", "undefined"))
        self.assertEqual(self.compiled(app), 2)

    def test_flags_of_a_directory(self):
        # One check of it: those that many lines are compiled for are in the tests above.
        flags = 'set(CMAKE_CXX_FLAGS "-fsanitize=bool")\n'
        app = self.directories(3)
        app.write("d1/CMakeLists.txt", flags + "add_executable(app1 ../main.cpp)\n"
                                               "cudnn_checked_guard(app1)\n")
        self.assertEqual(self.compiled(app), 2)

    def test_a_target_of_another_directory_has_the_flags_of_its_own(self):
        app = self.project("""
add_subdirectory(below)
add_executable(here main.cpp)
cudnn_checked_guard(here)
cudnn_checked_guard(there)
""", **{"below/CMakeLists.txt": """
set(CMAKE_CXX_FLAGS "-fsanitize=bool")
add_executable(there ../main.cpp)
"""})
        self.assertEqual(self.compiled(app), 2)


class Mistakes(GuardTest):
    def refusal(self, text, languages="C CXX", find=FIND):
        app = self.project(text, languages, find)
        done = self.configure(app)
        self.assertNotEqual(done.status, 0, done.output)
        return relative_output("".join(errors(done.output)), scratch=self.scratch)

    def test_a_program_without_cudnn(self):
        """Its guard would look for a cuDNN that the program never takes."""
        find = "find_package(CuDNNChecked REQUIRED)\n"
        guarded = "add_executable(app main.cpp)\ncudnn_checked_guard(app{})\n"
        self.assertEqual(self.refusal(guarded.format(""), find=find), """\
cudnn_checked_guard(app): app links no cuDNN
  fix: target_link_libraries(app PRIVATE CuDNNChecked::cudnn)
   or: if it opens cuDNN by itself: target_link_libraries(app PRIVATE CuDNNChecked::guard)
  [bad-input]
""")
        for text in (guarded.format(" MANUAL"),
                     guarded.format("") + "target_link_libraries(app PRIVATE CuDNNChecked::guard)\n",
                     guarded.format("") + "add_library(between INTERFACE)\ntarget_link_libraries(app PRIVATE between)\n"
                     "target_link_libraries(between INTERFACE CuDNNChecked::cudnn)\n"):
            with self.subTest(text):
                app = self.project(text, find=find)
                app.build_directory = self.scratch / "linked"
                self.assertEqual(self.configure(app).status, 0)

    def test_targets_that_cannot_be_guarded(self):
        library = ("a library never ends its host by itself, so it needs MANUAL",
                   "cudnn_checked_guard(l MANUAL), and call cudnn_checked::check() or cudnn_checked::require() in the code\n  [bad-input]")
        object_ = "an {} library is not linked, so it cannot carry a stamp"
        links = "guard the executable or the library that links it"
        name = "\n  [bad-input]"
        for text, call, said, fix, options in [
                ("", "app", "there is no target of this name", "call it after add_executable(app ...)" + name, {}),
                *[(f"add_library(l {kind} library.cpp)", "l", *library, {}) for kind in ["STATIC", "SHARED", "MODULE"]],
                ("add_library(l OBJECT library.cpp)", "l MANUAL", object_.format("OBJECT"), links + name, {}),
                ("add_library(l INTERFACE)", "l MANUAL", object_.format("INTERFACE"), links + name, {}),
                ("", "CuDNNChecked::cudnn MANUAL", "an imported target is not compiled by this project",
                 "guard the executable that links it" + name, {}),
                ("add_custom_target(t)", "t", "a custom target has no program", "guard an executable or a library" + name, {}),
                ("add_executable(app main.cpp)\ncudnn_checked_guard(app)", "app MANUAL",
                 "the target is guarded already", "call it once for a target" + name, {}),
                ("add_executable(app main.c)", "app", "the guard is C++, and this project does not enable that language",
                 "project(... LANGUAGES C CXX)" + name, {"languages": "C"}),
                ("add_executable(app main.cpp)", "app", "no cuDNN was proved yet",
                 "find_package(CuDNNChecked REQUIRED), before this call", {"find": "find_package(CuDNNChecked 99 QUIET)\n"})]:
            with self.subTest(text=text, call=call):
                shutil.rmtree(self.scratch / "app-build", ignore_errors=True)
                self.assertEqual(self.refusal(f"{text}\ncudnn_checked_guard({call})", **options),
                                 f"cudnn_checked_guard({call.split()[0]}): {said}\n  fix: {fix}\n")

    def test_arguments(self):
        usage = "  fix: cudnn_checked_guard(<target> [MANUAL] [GPU REQUIRED|OPTIONAL] " \
                "[POLICY compatible|exact|major] [OPERATIONS <operation>...])\n  [bad-input]\n"
        for arguments, said in [
                ("STARTUP", "unknown argument: STARTUP"),
                ("OPERATION conv3d", "unknown argument: OPERATION conv3d; did you mean OPERATIONS?"),
                ("MANUAL NOW PLEASE", "unknown argument: NOW PLEASE"),
                ("GPUS OPTIONAL MANUEL", "unknown argument: GPUS OPTIONAL MANUEL; did you mean GPU, MANUAL?"),
                *[(word, f"unknown argument: {word}")
                  for word in ["OFF", "NO", "0", "FALSE", "off", "IGNORE", "N", "a-NOTFOUND", '""']],
                ("GPU", "no value after GPU"),
                ("GPU MAYBE", "GPU is MAYBE, and can be REQUIRED or OPTIONAL"),
                ("GPU optinal", "GPU is optinal, and can be REQUIRED or OPTIONAL; did you mean "
                                "OPTIONAL?"),
                ("POLICY strict", "POLICY is strict, and can be compatible, exact or major"),
                ("POLICY exct", "POLICY is exct, and can be compatible, exact or major; did you mean "
                                "exact?"),
                ("OPERATIONS", "no value after OPERATIONS"),
                ("OPERATIONS conv3d conv.2d", 'OPERATIONS has "conv.2d", and can have words such as '
                                              "conv3d/bf16"),
                ('OPERATIONS conv3d ""', 'OPERATIONS has "", and can have words such as '
                                         "conv3d/bf16")]:
            with self.subTest(arguments=arguments):
                self.assertEqual(self.refusal(
                    f"add_executable(app main.cpp)\ncudnn_checked_guard(app {arguments})"),
                    f"cudnn_checked_guard(app): {said}\n{usage}")
        for variable, said in [
                ("GPU no", "CuDNNChecked_GPU is no, and can be REQUIRED or OPTIONAL"),
                ("POLICY strict", "CuDNNChecked_POLICY is strict, and can be compatible, exact or "
                                  "major"),
                ("GUARD al", "CuDNNChecked_GUARD is al, and can be DECLARED, ALL, WARN or OFF; did you mean ALL?")]:
            with self.subTest(variable=variable):
                self.assertEqual(self.refusal(
                    f"add_executable(app main.cpp)\nset(CuDNNChecked_{variable})\n"
                    "cudnn_checked_guard(app)"), f"cudnn_checked_guard(app): {said}\n{usage}")


class Generators(GuardTest):
    def test_ninja_multi_config(self):
        app = self.project("add_executable(app main.cpp)\ncudnn_checked_guard(app)")
        if app.generator != "Ninja":
            self.skipTest("no ninja on PATH")
        app.generator = "Ninja Multi-Config"
        done = self.configure(app)
        self.assertEqual(done.status, 0, done.output)
        done = app.build("--config", "Release")
        self.assertEqual(done.status, 0, done.output)
        self.assertEqual(len(stamps(app.path("Release/app"))), 1)

    def test_clang(self):
        clang = shutil.which("clang++")
        if clang is None:
            self.skipTest("no clang++ on PATH")
        app = self.project("add_executable(app main.cpp)\ncudnn_checked_guard(app)", languages="CXX")
        self.built(app, f"-DCMAKE_CXX_COMPILER={clang}")
        self.assertEqual(len(stamps(app.path("app"))), 1)

    def test_makefiles(self):
        app = self.project("add_executable(app main.cpp)\ncudnn_checked_guard(app)")
        app.generator = "Unix Makefiles"
        self.built(app)
        self.assertEqual(len(stamps(app.path("app"))), 1)
