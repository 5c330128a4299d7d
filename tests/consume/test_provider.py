# SPDX-License-Identifier: BSD-3-Clause
"""CuDNNCheckedProvider.cmake: projects that know nothing of CuDNNChecked get the proved cuDNN."""

import json
import os
import re
import unittest

from looking_for_cudnn import WAYS
from support import (REPOSITORY, bare_cuda, bare_cudnn, cmake_program, cmake_version, errors, relative_output,
                     simulated_sdk, status_lines, warnings)
from support.library_roles import COMPONENTS
from support.scratch import ScratchTest

PROVIDER = REPOSITORY / "cmake" / "CuDNNCheckedProvider.cmake"
HEAD = """
cmake_minimum_required(VERSION 3.22)
project(app LANGUAGES {languages})
list(APPEND CMAKE_MODULE_PATH ${{CMAKE_SOURCE_DIR}})
set(CuDNNChecked_REQUIRE LOCATED)
file(WRITE ${{CMAKE_BINARY_DIR}}/printed.txt "")
macro(print text)
  file(APPEND ${{CMAKE_BINARY_DIR}}/printed.txt "${{text}}\\n")
endmacro()
"""
TOOLKIT = {"FindCUDAToolkit.cmake": "set(CUDAToolkit_FOUND TRUE)\nset(CUDAToolkit_VERSION 13.0)\n"}
LOCATED = ("cuDNN 9.14.0 · CUDA 13.0, located only; nothing was run: CuDNNChecked_REQUIRE=LOCATED "
           "[not-verified]")


@unittest.skipIf(cmake_version() < (3, 24), "CMake before 3.24 has no CMAKE_PROJECT_TOP_LEVEL_INCLUDES")
class ProviderTest(ScratchTest):
    """The wanted cuDNN has the files of a wheel, without libcudnn.so; the decoy is an install with it."""

    def setUp(self):
        super().setUp()
        self.wanted = bare_cuda(bare_cudnn(self.scratch / "wanted"))
        self.decoy = bare_cudnn(self.scratch / "decoy", "9.1.0", unversioned=True)
        for sub in ("graph", "ops"):
            (self.wanted / "lib" / f"libcudnn_{sub}.so.9").write_text("")
            (self.decoy / "lib" / f"libcudnn_{sub}.so").write_text("")

    def project(self, text, languages="NONE", **files):
        return self.consumer(cmake_lists=HEAD.format(languages=languages) + text, **{**TOOLKIT, **files})

    def configure(self, app, *arguments, includes=(PROVIDER,), root=True):
        if includes:
            arguments = ["-DCMAKE_PROJECT_TOP_LEVEL_INCLUDES=" + ";".join(map(str, includes)), *arguments]
        if root:
            arguments = [f"-DCuDNNChecked_ROOT={self.wanted}", f"-DCUDAToolkit_ROOT={self.wanted}", *arguments]
        return app.configure(f"-DDECOY={self.decoy}", *arguments)

    def relative(self, text):
        return relative_output(text, scratch=self.scratch, provider=PROVIDER.parent / "CuDNNChecked/provider")

    def printed(self, app, done):
        self.assertEqual(done.status, 0, done.output)
        return self.relative(app.path("printed.txt").read_text()).splitlines()


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
                taken = self.taken(app, self.configure(app))
                self.assertEqual({name for name, _ in taken}, {"wanted"}, taken)
                self.assertEqual(len(taken), 4 if way.subs else 2)
                # Its module is needed for a name of its own only.
                self.assertEqual(app.path("module.txt").exists(), way.target == "cuda::cudnn")

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

    def proved(self, app):
        return app.configure(f"-DCMAKE_PROJECT_TOP_LEVEL_INCLUDES={PROVIDER}", f"-DCuDNNChecked_ROOT={self.sdk.prefix}",
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

    def test_in_a_function_no_language_can_be_enabled(self):
        app = self.consumer(cmake_lists=IN_C.replace("find_package(CUDNN REQUIRED)", """\
function(look)
  find_package(CUDNN REQUIRED)
endfunction()
look()"""), **self.main)
        self.assertIn("the probe is C++, and this project does not enable that language", errors(self.proved(app).output)[0])


FIND_FILES = """
find_package(CUDAToolkit REQUIRED)
find_path(CUDNN_INCLUDE_DIR cudnn.h HINTS ${DECOY}/include)
find_library(CUDNN_LIBRARY cudnn HINTS ${DECOY}/lib)
print("${CUDNN_INCLUDE_DIR} ${CUDNN_LIBRARY} ${CUDAToolkit_VERSION}")
"""
LINKED = """
add_executable(app main.c)
target_include_directories(app PRIVATE ${CUDNN_INCLUDE_DIR})
target_link_libraries(app PRIVATE ${CUDNN_LIBRARY})
"""


class Files(ProviderTest):
    """Projects that only call find_path and find_library."""

    def test_one_line_says_what_is_provided(self):
        app = self.project(FIND_FILES * 2)
        done = self.configure(app)
        self.assertEqual(self.printed(app, done),
                         ["<scratch>/wanted/include <scratch>/wanted/lib/libcudnn.so.9 13.0"] * 2)
        self.assertEqual(status_lines(done.output), [LOCATED])

    def test_another_one_later(self):
        """What this file has set follows; what the user has set stays."""
        other = bare_cuda(bare_cudnn(self.scratch / "other", "9.14.1"))
        app = self.project(FIND_FILES)
        self.configure(app)
        done = self.configure(app, f"-DCuDNNChecked_ROOT={other}", f"-DCUDAToolkit_ROOT={other}", root=False)
        self.assertEqual(self.printed(app, done), ["<scratch>/other/include <scratch>/other/lib/libcudnn.so.9 13.0"])
        done = self.configure(app, f"-DCUDNN_INCLUDE_DIR={self.decoy}/include")
        self.assertEqual(self.printed(app, done), ["<scratch>/decoy/include <scratch>/wanted/lib/libcudnn.so.9 13.0"])
        self.assertEqual(self.printed(app, self.configure(app)),
                         ["<scratch>/decoy/include <scratch>/wanted/lib/libcudnn.so.9 13.0"])

    def test_none_is_there(self):
        """A project without cuDNN is not stopped, and what was provided before goes."""
        app = self.project(FIND_FILES)
        self.configure(app)
        (self.wanted / "lib" / "libcudnn.so.9").unlink()
        done = self.configure(app)
        self.assertEqual(self.printed(app, done), ["<scratch>/decoy/include <scratch>/decoy/lib/libcudnn.so 13.0"])
        [text] = warnings(done.output)
        self.assertTrue(text.startswith("CuDNNCheckedProvider.cmake: no cuDNN is provided to this project\n"), text)
        self.assertTrue(text.endswith("\n  [library-missing]\n"), text)

    def test_what_was_refused_is_linked_nevertheless(self):
        (self.wanted / "lib" / "libcudnn.so.9").unlink()
        app = self.project(FIND_FILES + LINKED, languages="C", **{"main.c": "int main(void) { return 0; }\n"})
        done = self.configure(app)
        self.assertNotEqual(done.status, 0)
        [text] = errors(done.output)
        self.assertTrue(text.startswith("cudnn_checked: refused: "), text)
        self.assertTrue(self.relative(text).endswith(
            "  [library-missing]\n  It is linked by app: <scratch>/decoy/lib/libcudnn.so\n"), text)

    def test_another_one_is_linked(self):
        app = self.project(FIND_FILES + LINKED, languages="C", **{"main.c": "int main(void) { return 0; }\n"})
        done = self.configure(app, f"-DCUDNN_LIBRARY={self.decoy}/lib/libcudnn.so",
                              f"-DCUDNN_INCLUDE_DIR={self.decoy}/include")
        self.assertEqual(done.status, 0, done.output)
        self.assertEqual([self.relative(text) for text in warnings(done.output)], ["""\
cudnn_checked: warning: app links another cuDNN than the one that was proved
  links:   <scratch>/decoy/lib/libcudnn.so   app
  proved:  <scratch>/wanted/lib/libcudnn.so.9   cuDNN 9.14.0
  Nothing is known of the other one, and together they are a mix.
  fix: cmake -U CUDNN_LIBRARY <scratch>/app-build
   or: cmake -D CuDNNChecked_ROOT=<scratch>/decoy <scratch>/app-build
  [two-cudnns]
""", """\
cudnn_checked: warning: app includes another cuDNN than the one that was proved
  includes:  <scratch>/decoy/include/cudnn.h   app
  proved:    <scratch>/wanted/include/cudnn.h   cuDNN 9.14.0
  Nothing is known of the other one, and together they are a mix.
  fix: cmake -U CUDNN_INCLUDE_DIR <scratch>/app-build
   or: cmake -D CuDNNChecked_ROOT=<scratch>/decoy <scratch>/app-build
  [two-cudnns]
"""])
        with self.subTest("the fixes"):
            done = app.run(cmake_program(), "-U", "CUDNN_LIBRARY", "-U", "CUDNN_INCLUDE_DIR", app.build_directory)
            self.assertEqual((done.status, warnings(done.output)), (0, []), done.output)

    def test_what_is_guarded(self):
        """The project declares nothing: ALL and WARN are the programs that link cuDNN."""
        app = self.project(FIND_FILES + LINKED + "add_executable(other main.c)\n", languages="C CXX",
                           **{"main.c": "int main(void) { return 0; }\n"})
        for guard, expected in (("ALL", {"app": False}), ("WARN", {"app": True}), ("OFF", {}), ("DECLARED", {})):
            with self.subTest(guard=guard):
                app.build_directory = self.scratch / guard
                done = self.configure(app, f"-DCuDNNChecked_GUARD={guard}")
                self.assertEqual(done.status, 0, done.output)
                stamps = app.build_directory.rglob("stamp_of_target.inc")
                self.assertEqual({path.parent.name: '"guard":"warn"' in path.read_text() for path in stamps}, expected)

    def test_the_headers_of_a_toolkit_are_searched_first(self):
        """Those of an imported target come behind them: the proved ones are put before."""
        app = self.project("include_directories(${DECOY}/include)\nfind_package(CUDNN REQUIRED)\n"
                           "add_executable(app main.c)\ntarget_link_libraries(app CUDNN::cudnn)\n"
                           "add_library(lib STATIC main.c)\ntarget_link_libraries(lib CUDNN::cudnn)\n"
                           "target_include_directories(lib PUBLIC $<BUILD_INTERFACE:${DECOY}/include>)\n"
                           "add_executable(through main.c)\ntarget_link_libraries(through lib)\n"
                           "set_property(TARGET through PROPERTY INCLUDE_DIRECTORIES)\n"
                           "add_executable(other main.c)\n", languages="C",
                           **{"main.c": "#include <cudnn.h>\nint a[CUDNN_MINOR];\nint main(void) { return 0; }\n"})
        done = self.configure(app, "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON")
        self.assertEqual((done.status, warnings(done.output)), (0, []), done.output)
        commands = json.loads(app.path("compile_commands.json").read_text())
        first = [self.relative(re.search(r"-(?:I|isystem )(\S+)", command["command"])[1]) for command in commands]
        self.assertEqual(first, ["<scratch>/wanted/include"] * 3 + ["<scratch>/decoy/include"])

    def test_one_file_by_another_path(self):
        (self.scratch / "link").symlink_to("wanted")
        app = self.project(FIND_FILES + LINKED, languages="C", **{"main.c": "int main(void) { return 0; }\n"})
        done = self.configure(app, f"-DCUDNN_LIBRARY={self.scratch}/link/lib/libcudnn.so.9",
                              f"-DCUDNN_INCLUDE_DIR={self.scratch}/link/include")
        self.assertEqual((done.status, warnings(done.output)), (0, []), done.output)

    def test_a_module_of_its_own_finds_another_one(self):
        """It makes a target that is not provided, and searches by names that nobody else has."""
        module = """
find_path(SPECIAL_INC cudnn.h HINTS ${DECOY}/include)
find_library(SPECIAL_LIB cudnn HINTS ${DECOY}/lib)
add_library(special::dnn UNKNOWN IMPORTED GLOBAL)
set_target_properties(special::dnn PROPERTIES IMPORTED_LOCATION ${SPECIAL_LIB})
set(CUDNN_FOUND TRUE)
"""
        app = self.project("find_package(CUDNN REQUIRED)\nadd_library(between INTERFACE)\n"
                           "target_link_libraries(between INTERFACE special::dnn)\n"
                           "add_executable(app main.c)\ntarget_link_libraries(app $<LINK_ONLY:between>)\n",
                           languages="C", **{"main.c": "int main(void) { return 0; }\n",
                                             "FindCUDNN.cmake": module})
        done = self.configure(app)
        self.assertEqual([self.relative(text) for text in warnings(done.output)], ["""\
cudnn_checked: warning: between links another cuDNN than the one that was proved
  links:   <scratch>/decoy/lib/libcudnn.so   between
  proved:  <scratch>/wanted/lib/libcudnn.so.9   cuDNN 9.14.0
  Nothing is known of the other one, and together they are a mix.
  fix: cmake -D CuDNNChecked_ROOT=<scratch>/decoy <scratch>/app-build
  [two-cudnns]
"""])


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
