# SPDX-License-Identifier: BSD-3-Clause
"""CuDNNCheckedProvider.cmake: projects that know nothing of CuDNNChecked get the proved cuDNN."""

import os

from looking_for_cudnn import WAYS
from provided_project import FIND_FILES, HEAD, LOCATED, PROVIDER, TOOLKIT, ProviderTest
from support import bare_cuda, bare_cudnn, cmake_program, errors, simulated_sdk, status_lines, warnings
from support.library_roles import COMPONENTS


class Ways(ProviderTest):
    def test_35_ways(self):
        """Without the provider each takes the decoy, with it the header and the libraries that were asked for."""
        self.assertEqual(len(WAYS), 35)
        for number, way in enumerate(WAYS):
            with self.subTest(project=way.project):
                app = self.consumer(f"way{number}", **way.files())
                taken = self.taken(app, self.configure(app, includes=[]))
                self.assertEqual({name for name, _ in taken}, {"decoy"}, taken)
                app.build_directory = self.scratch / f"way{number}-provided"
                done = self.configure(app)
                self.assertNotIn("note:", done.output)
                taken = self.taken(app, done)
                self.assertEqual({name for name, _ in taken}, {"wanted"}, taken)
                self.assertEqual(len(taken), 4 if way.subs else 2)
                # Its own module makes whatever it makes.
                self.assertEqual(app.path("module.txt").exists(), bool(way.package))

    def taken(self, app, done):
        self.assertEqual(done.status, 0, done.output)
        paths = [os.path.realpath(line) for line in app.path("taken.txt").read_text().splitlines()]
        for path in paths:
            self.assertTrue(os.path.exists(path), path)
        return [tuple(os.path.relpath(path, self.scratch).split("/", 1)) for path in paths]


class Requests(ProviderTest):
    def test_what_the_call_says(self):
        app = self.project("""
find_package(CUDNN 9 COMPONENTS cudnn CUDNN_graph OPTIONAL_COMPONENTS cnn)
print("${CUDNN_FOUND} ${CUDNN_VERSION} ${CUDNN_VERSION_MAJOR} ${CUDNN_CUDNN_graph_FOUND} ${CUDNN_cnn_FOUND}")
print("${CuDNNChecked_LIBRARY} ${CuDNNChecked_ops_LIBRARY} ${CuDNNChecked_INCLUDE_DIR} <${CUDNN_DIR}>")
find_package(cuDNN 99 QUIET)
print("${cuDNN_FOUND}")
find_package(CuDNN 9.13...<9.15 REQUIRED QUIET)
print("${CuDNN_FOUND} ${CuDNN_INCLUDE_DIR}")
""")
        done = self.configure(app)
        self.assertEqual(self.printed(app, done), [
            "1 9.14.0 9 TRUE FALSE",
            "<scratch>/wanted/lib/libcudnn.so.9 <scratch>/wanted/lib/libcudnn_ops.so.9 <scratch>/wanted/include <>",
            "0", "1 <scratch>/wanted/include"])
        self.assertEqual(status_lines(done.output), [LOCATED])
        self.assertEqual(warnings(done.output), [])

    def test_not_found(self):
        refusal = """\
cudnn_checked: refused: this cuDNN is not the version that was asked for
  asked for:  cuDNN 99 or newer   find_package
  found:      cuDNN 9.14.0        <scratch>/wanted/lib/libcudnn.so.9
"""
        for words, read in [("99", warnings), ("99 REQUIRED", errors)]:
            with self.subTest(words=words):
                app = self.project(f'find_package(CUDNN {words})\nprint("${{CUDNN_FOUND}}")\n')
                done = self.configure(app)
                self.assertEqual(done.status != 0, "REQUIRED" in words, done.output)
                [text] = read(done.output)
                self.assertIn(refusal.split("\n")[1], self.relative(text))

    def test_an_unknown_component(self):
        done = self.configure(self.project("find_package(CUDNN REQUIRED COMPONENTS cudnn_grph)\n"))
        self.assertEqual(self.relative(errors(done.output)[0]), f"""\
cudnn_checked: refused: COMPONENTS has a value that is not known; did you mean graph?
  value:     grph   COMPONENTS
  possible:  {", ".join(COMPONENTS)}
  fix: name graph in COMPONENTS
  [bad-input]
""")

    def test_a_newer_cmake_is_needed(self):
        script = self.write("old.cmake", f'set(CMAKE_VERSION 3.22.1)\ninclude("{PROVIDER}")\n')
        done = self.consumer(cmake_lists="").run(cmake_program(), "-P", script)
        self.assertNotEqual(done.status, 0)
        self.assertEqual(errors(done.output)[0], """\
CuDNNCheckedProvider.cmake needs CMake 3.24 or newer; this is 3.22.1
  fix: python3 -m pip install cmake
   or: in the project's CMakeLists.txt: find_package(CuDNNChecked)
""")


IN_C = """
cmake_minimum_required(VERSION 3.5...3.22)
project(app C)
find_package(CUDNN REQUIRED)
add_executable(app main.c)
target_link_libraries(app PRIVATE CUDNN::cudnn)
"""


class InC(ProviderTest):
    """The probe and the guard are C++, and nobody edits the project."""

    def setUp(self):
        super().setUp()
        self.sdk = simulated_sdk(gpus="")
        self.main = {"main.c": "#include <cudnn.h>\nint main(void) { return cudnnGetVersion() == 0; }\n"}

    def proved(self, app, *arguments):
        return app.configure(*arguments, f"-DCMAKE_PROJECT_TOP_LEVEL_INCLUDES={PROVIDER}", f"-DCuDNNChecked_ROOT={self.sdk.prefix}",
                             f"-DCUDAToolkit_ROOT={self.sdk.prefix}", "-DCuDNNChecked_GUARD=ALL",
                             "-DCuDNNChecked_GPU=OPTIONAL", environment=self.sdk.environment)

    def test_proved_and_guarded(self):
        app = self.consumer(cmake_lists=IN_C, **self.main)
        for done in (self.proved(app), self.proved(app), app.build()):
            self.assertEqual(done.status, 0, done.output)
        other = simulated_sdk(cudnn="9.13.0", gpus="").library_directory
        for directory, status in ((self.sdk.library_directory, 0), (other, 78)):
            done = app.run(app.path("app"), environment={"LD_LIBRARY_PATH": f"{directory}:{self.sdk.driver_directory}"})
            self.assertEqual(done.status, status, done.output)

    def test_without_any_find_package(self):
        """What find_path and find_library ask for is proved as well, with the project's compiler launcher."""
        launcher = self.write("launcher", f'#!/bin/sh\necho "$*" >>"{self.scratch}/launched"\nexec "$@"\n')
        launcher.chmod(0o755)
        text = IN_C.replace("find_package(CUDNN REQUIRED)", "find_path(INC cudnn.h)\nfind_library(LIB cudnn)")
        app = self.consumer(cmake_lists=text.replace("CUDNN::cudnn", "${LIB}") + "target_include_directories(app PRIVATE ${INC})\n",
                            **self.main)
        for done in (self.proved(app, f"-DCMAKE_CXX_COMPILER_LAUNCHER={launcher}"), app.build()):
            self.assertEqual(done.status, 0, done.output)
        launched = (self.scratch / "launched").read_text()
        for name in ("probe", "guard"):
            self.assertRegex(launched, rf"/{name}\S*\.cpp")
        other = simulated_sdk(cudnn="9.13.0", gpus="").library_directory
        for directory, status in ((self.sdk.library_directory, 0), (other, 78)):
            done = app.run(app.path("app"), environment={"LD_LIBRARY_PATH": f"{directory}:{self.sdk.driver_directory}"})
            self.assertEqual(done.status, status, done.output)

    def test_in_a_subdirectory_and_in_a_function(self):
        """C++ is enabled behind project(), where all directories have it."""
        asks = IN_C.split("find_package")[0] + "add_subdirectory(sub)\n"
        sub = "function(look)\n  find_package(CUDNN REQUIRED)\nendfunction()\nlook()\n" + IN_C.split("REQUIRED)\n")[1]
        app = self.consumer(cmake_lists=asks, **{"sub/CMakeLists.txt": sub, "sub/main.c": self.main["main.c"],
                                                 "included.cmake": 'message(STATUS "included by the user")\n'})
        for done in (self.proved(app, f"-DCMAKE_PROJECT_INCLUDE={app.source}/included.cmake"), app.build()):
            self.assertEqual(done.status, 0, done.output)
        self.assertIn("included by the user", self.proved(app).output)


class Files(ProviderTest):
    """Projects that only call find_path and find_library."""

    def test_one_line_says_what_is_provided(self):
        app = self.project(FIND_FILES * 2)
        done = self.configure(app)
        self.assertEqual(self.printed(app, done),
                         ["<scratch>/wanted/include <scratch>/wanted/lib/libcudnn.so.9 13.0"] * 2)
        self.assertEqual(status_lines(done.output), [LOCATED])

    def test_another_one_later(self):
        """What was answered is of one configure, and no entry of the cache."""
        other = bare_cuda(bare_cudnn(self.scratch / "other", "9.14.1"))
        app = self.project(FIND_FILES)
        self.configure(app)
        done = self.configure(app, f"-DCuDNNChecked_ROOT={other}", f"-DCUDAToolkit_ROOT={other}", root=False)
        self.assertEqual(self.printed(app, done), ["<scratch>/other/include <scratch>/other/lib/libcudnn.so.9 13.0"])
        self.assertNotIn("CUDNN_INCLUDE_DIR", app.path("CMakeCache.txt").read_text())

    def test_another_one_after_a_configure_that_failed(self):
        other = bare_cuda(bare_cudnn(self.scratch / "other", "9.14.1"))
        app = self.project(FIND_FILES + "if(FAILS)\nmessage(FATAL_ERROR fails)\nendif()\n")
        self.assertNotEqual(self.configure(app, "-DFAILS=ON").status, 0)
        done = self.configure(app, f"-DCuDNNChecked_ROOT={other}", f"-DCUDAToolkit_ROOT={other}", "-DFAILS=OFF", root=False)
        self.assertEqual(self.printed(app, done), ["<scratch>/other/include <scratch>/other/lib/libcudnn.so.9 13.0"])

    def test_none_is_there(self):
        """A project without cuDNN is not stopped."""
        (self.wanted / "lib" / "libcudnn.so.9").unlink()
        (self.wanted / "include" / "cudnn.h").unlink()
        app = self.project(FIND_FILES.replace(" HINTS ${DECOY}/include", ""))
        done = app.configure(f"-DDECOY={self.decoy}", f"-DCMAKE_PROJECT_TOP_LEVEL_INCLUDES={PROVIDER}",
                             "-DCMAKE_SYSROOT=" + str(self.write("root/none", "").parent), environment={"PATH": "/usr/bin"})
        self.assertEqual(done.status, 0, done.output)
        [text] = warnings(done.output)
        self.assertTrue(text.startswith("CuDNNCheckedProvider.cmake: no cuDNN is provided to this project\n"), text)

    REFUSED = """\
cudnn_checked: refused: cuDNN's headers were found without their library
  looked in:  <scratch>/wanted   CuDNNChecked_ROOT: cudnn.h of 9.14.0 without libcudnn.so.9
  CuDNNChecked_ROOT is set, so no other directory was searched.
  fix: in a Python environment, which CuDNNChecked_ROOT then names: pip install nvidia-cudnn-cu13
       cuDNN alone is a download of 517 MB
   or: name the directory above include/cudnn.h and lib/libcudnn.so: -D CuDNNChecked_ROOT=DIRECTORY
  [library-missing]
"""

    def test_a_broken_one_stops_a_project_that_does_not_require_it(self):
        (self.wanted / "lib" / "libcudnn.so.9").unlink()
        ending = ("  This project does not require cuDNN.  To configure it without cuDNN: "
                  "-D CuDNNChecked_OPTIONAL=ON\n")
        for number, text in enumerate((FIND_FILES, "find_package(CUDNN)\n")):
            with self.subTest(text):
                app = self.project(text)
                app.build_directory = self.scratch / f"broken{number}"
                done = self.configure(app)
                self.assertNotEqual(done.status, 0, done.output)
                self.assertEqual([self.relative(one) for one in errors(done.output)], [self.REFUSED + ending])
                self.assertEqual(warnings(done.output), [])
                done = self.configure(app, "-DCuDNNChecked_OPTIONAL=ON")
                self.assertEqual(done.status, 0, done.output)
                [one] = warnings(done.output)
                self.assertIn(self.REFUSED.split("\n")[0], self.relative(one))

    def test_one_that_asks_twice_has_one_line(self):
        done = self.configure(self.project(FIND_FILES + "find_package(CUDNN REQUIRED)\nfind_package(cuDNN)\n"))
        self.assertEqual([line for line in status_lines(done.output) if "cuDNN" in line], [LOCATED])

    def test_what_find_commands_do_besides(self):
        """Other calls do what CMake's own do, with each argument."""
        (self.scratch / "a;b").mkdir()
        (self.scratch / "a;b" / "other.h").write_text("")
        app = self.project(FIND_FILES + """
set(odd "a;b")
find_path(EMPTY NAMES other.h DOC "" HINTS a b NO_DEFAULT_PATH)
find_path(PLACE other.h PATHS "${DECOY}/../${odd}" NO_DEFAULT_PATH)
find_file(HEADER cudnn_version.h)
find_file(FILE NAMES cudnn.h NO_CACHE)
find_library(OLD NAMES cudnn_cnn_infer HINTS ${DECOY}/lib)
find_path(FRONTEND cudnn_frontend.h HINTS ${DECOY}/frontend)
find_library(OLDER NAMES libcudnn.so.8 cudnn64_8 HINTS ${DECOY}/lib)
find_library(SAME NAMES libcudnn.so.9 HINTS ${DECOY}/lib)
set(SEVERAL SEVERAL-NOTFOUND)
find_library(SEVERAL NAMES cudnn8 libcudnn.so.8 cudnn)
print("${EMPTY} ${PLACE} ${HEADER} ${FILE} $CACHE{FILE} ${OLD} ${FRONTEND} ${SEVERAL} ${OLDER} ${SAME}")
""", **{"dummy": ""})
        (self.decoy / "frontend").mkdir()
        (self.decoy / "frontend" / "cudnn_frontend.h").write_text("")
        self.assertEqual(self.printed(app, self.configure(app))[1:], [
            "EMPTY-NOTFOUND <scratch>/a;b <scratch>/wanted/include/cudnn_version.h "
            "<scratch>/wanted/include/cudnn.h  OLD-NOTFOUND <scratch>/decoy/frontend <scratch>/wanted/lib/libcudnn.so.9 "
            "OLDER-NOTFOUND <scratch>/wanted/lib/libcudnn.so.9"])
        app = self.project("find_library(OLD cudnn_cnn_infer REQUIRED)\n")
        self.assertEqual(self.relative(errors(self.configure(app).output)[0]),
                         "find_library(OLD) requires cudnn_cnn_infer, which is no part of cuDNN 9.14.0 in "
                         "<scratch>/wanted\n")

    def test_variables_with_names_of_any_kind(self):
        """Those of the functions here are no others than those of the project."""
        names = ("variable", "command", "value", "kind", "found", "names", "part", "major", "answered", "has_value", "asked")
        app = self.project("".join(f"find_library({name} cudnn)\nprint(\"${{{name}}}\")\n"
                                   f"find_path({name}_ none.h)\nunset({name} CACHE)\n"
                                   f"find_path({name} other.h PATHS ${{DECOY}})\nprint(\"${{{name}}}\")\n" for name in names))
        (self.decoy / "other.h").write_text("")
        self.assertEqual(self.printed(app, self.configure(app)),
                         ["<scratch>/wanted/lib/libcudnn.so.9", "<scratch>/decoy"] * len(names))

    def test_commands_that_the_project_defines_anew(self):
        """Theirs call the one before by the name that CMake gives it, which is the provider's."""
        own = "".join(f"function({name})\n  print(\"own {name}\")\n  _{name}(${{ARGV}})\nendfunction()\n"
                      for name in ("find_path", "find_library"))
        app = self.project(own + "find_path(A cudnn.h)\nfind_library(B cudnn)\nfind_path(C other.h PATHS ${DECOY})\n"
                           'print("${A} ${B} ${C}")\n')
        (self.decoy / "other.h").write_text("")
        self.assertEqual(self.printed(app, self.configure(app)), [
            "own find_path", "own find_library", "own find_path",
            "<scratch>/wanted/include <scratch>/wanted/lib/libcudnn.so.9 <scratch>/decoy"])

    def test_a_command_that_was_defined_anew_before(self):
        app = self.project("", **{"toolchain.cmake": "include_guard(GLOBAL)\n"
                                                     "macro(find_file)\n  _find_file(${ARGV})\nendmacro()\n"})
        done = self.configure(app, f"-DCMAKE_TOOLCHAIN_FILE={app.source}/toolchain.cmake")
        self.assertNotEqual(done.status, 0, done.output)
        self.assertEqual(errors(done.output), ["""\
CuDNNCheckedProvider.cmake: find_file is defined anew before it, in a
toolchain file or another entry of CMAKE_PROJECT_TOP_LEVEL_INCLUDES, and can be so once
  fix: put CuDNNCheckedProvider.cmake first in CMAKE_PROJECT_TOP_LEVEL_INCLUDES
   or: in the project's CMakeLists.txt: find_package(CuDNNChecked)
"""])

    def test_an_option_of_the_same_name(self):
        """It keeps its value, and what was answered is gone when the provider is taken out."""
        app = self.project('option(CUDNN "" OFF)\noption(cudnn "" OFF)\n' + FIND_FILES + 'print("${CUDNN} ${cudnn}")\n')
        self.assertEqual(self.printed(app, self.configure(app))[1], "OFF OFF")
        self.assertEqual(self.printed(app, self.configure(app, "-UCMAKE_PROJECT_TOP_LEVEL_INCLUDES", includes=())),
                         ["<scratch>/decoy/include <scratch>/decoy/lib/libcudnn.so 13.0", "OFF OFF"])

    def test_an_old_minimum(self):
        """No policy warning is about this package."""
        for minimum in ("2.8.12", "3.5", "3.11", "3.22...4.0"):
            with self.subTest(minimum=minimum):
                app = self.consumer(f"minimum{minimum}", **TOOLKIT, cmake_lists=HEAD.format(languages="NONE").replace(
                    "VERSION 3.22)", f"VERSION {minimum})") + "".join(
                        line for line in FIND_FILES.splitlines(True) if "CUDAToolkit" not in line)
                    + "find_package(CUDNN REQUIRED)\n")
                done = self.configure(app, "-DCMAKE_POLICY_VERSION_MINIMUM=3.5", "-Wno-deprecated")
                self.assertEqual((done.status, warnings(done.output)), (0, []), done.output)
                self.assertNotIn("CuDNNChecked_ROOT", done.output)


# As conan_provider.cmake does: its own folder first, then what find_package finds.
OTHER_PROVIDER = """
macro(other_provide method package)
  message("other provider: ${package}")
  find_package(${package} BYPASS_PROVIDER QUIET PATHS "${CMAKE_SOURCE_DIR}/generated" NO_DEFAULT_PATH)
  if(NOT ${package}_FOUND)
    find_package(${package} ${ARGN} BYPASS_PROVIDER)
  endif()
endmacro()
cmake_language(SET_DEPENDENCY_PROVIDER other_provide SUPPORTED_METHODS FIND_PACKAGE)
"""


class OtherProviders(ProviderTest):
    def test_either_order(self):
        app = self.project("""
find_package(fmt REQUIRED)
find_package(CUDAToolkit REQUIRED)
find_package(CUDNN 9 REQUIRED)
print("${fmt_FOUND} ${CUDAToolkit_VERSION} ${CUDNN_LIBRARY}")
""", **{"other.cmake": OTHER_PROVIDER, "generated/fmt-config.cmake": "set(fmt_FOUND TRUE)\n"})
        other = app.source / "other.cmake"
        for includes in ([other, PROVIDER], [PROVIDER, other]):
            with self.subTest(first=includes[0].name):
                done = self.configure(app, includes=includes)
                self.assertEqual(self.printed(app, done), ["1 13.0 <scratch>/wanted/lib/libcudnn.so.9"])
                self.assertIn("other provider: fmt", done.output)

    def test_a_toolchain_that_redefines_find_package(self):
        """As vcpkg's does."""
        toolchain = """
include_guard(GLOBAL)
macro(find_package)
  message("toolchain: ${ARGV0}")
  _find_package(${ARGV})
endmacro()
"""
        app = self.project("find_package(CUDNN 9 REQUIRED)\nprint(\"${CUDNN_LIBRARY}\")\n",
                           **{"toolchain.cmake": toolchain})
        done = self.configure(app, f"-DCMAKE_TOOLCHAIN_FILE={app.source}/toolchain.cmake")
        self.assertEqual(self.printed(app, done), ["<scratch>/wanted/lib/libcudnn.so.9"])
        self.assertIn("toolchain: CUDNN", done.output)
