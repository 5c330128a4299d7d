# SPDX-License-Identifier: BSD-3-Clause
"""CuDNNCheckedProvider.cmake: projects that know nothing of CuDNNChecked get the proved cuDNN."""

import json
import os
import re

from looking_for_cudnn import WAYS
from provided_project import HEAD, LOCATED, PROVIDER, TOOLKIT, ProviderTest
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
                done = self.configure(app, "-DCuDNNChecked_OPTIONAL=ON")
                self.assertEqual(done.status, 0, done.output)
                [one] = warnings(done.output)
                self.assertIn(self.REFUSED.split("\n")[0], self.relative(one))

    def test_what_was_refused_is_linked_nevertheless(self):
        (self.wanted / "lib" / "libcudnn.so.9").unlink()
        app = self.project(FIND_FILES + LINKED, languages="C", **{"main.c": "int main(void) { return 0; }\n"})
        done = self.configure(app, "-DCuDNNChecked_OPTIONAL=ON")
        self.assertNotEqual(done.status, 0)
        [text] = errors(done.output)
        self.assertTrue(text.startswith("cudnn_checked: refused: "), text)
        self.assertTrue(self.relative(text).endswith(
            "  [library-missing]\n  It is linked by app: <scratch>/decoy/lib/libcudnn.so\n"), text)

    def test_another_one_is_linked(self):
        """By its path, which no call has asked for."""
        text = FIND_FILES + LINKED.replace("${CUDNN_LIBRARY}", "${DECOY}/lib/libcudnn.so").replace(
            "${CUDNN_INCLUDE_DIR}", "${DECOY}/include")
        app = self.project(text, languages="C", **{"main.c": "int main(void) { return 0; }\n"})
        done = self.configure(app)
        self.assertEqual(done.status, 0, done.output)
        self.assertEqual([self.relative(text) for text in warnings(done.output)], ["""\
cudnn_checked: warning: app links another cuDNN than the one that was proved
  links:   <scratch>/decoy/lib/libcudnn.so   app
  proved:  <scratch>/wanted/lib/libcudnn.so.9   cuDNN 9.14.0
  Nothing is known of the other one, and together they are a mix.
  fix: cmake -D CuDNNChecked_ROOT=<scratch>/decoy <scratch>/app-build
  [two-cudnns]
"""])

    def test_another_one_is_an_error_where_each_program_is_guarded(self):
        """The project's own variable, which no call looks up, is the first fix, and it is one."""
        text = FIND_FILES + "set(MY_DNN ${DECOY}/lib/libcudnn.so CACHE FILEPATH \"\")\n" + LINKED.replace(
            "${CUDNN_LIBRARY}", "${MY_DNN}")
        app = self.project(text, languages="C CXX", **{"main.c": "int main(void) { return 0; }\n"})
        done = self.configure(app, "-DCuDNNChecked_GUARD=ALL")
        self.assertNotEqual(done.status, 0)
        self.assertEqual([self.relative(text) for text in errors(done.output)], ["""\
cudnn_checked: refused: app links another cuDNN than the one that was proved
  links:   <scratch>/decoy/lib/libcudnn.so   app
  proved:  <scratch>/wanted/lib/libcudnn.so.9   cuDNN 9.14.0
  Nothing is known of the other one, and together they are a mix.
  fix: cmake -D MY_DNN=<scratch>/wanted/lib/libcudnn.so.9 <scratch>/app-build
   or: cmake -D CuDNNChecked_ROOT=<scratch>/decoy <scratch>/app-build
  [two-cudnns]
"""])
        done = app.run(cmake_program(), f"-DMY_DNN={self.wanted}/lib/libcudnn.so.9", app.build_directory)
        self.assertEqual((done.status, warnings(done.output)), (0, []), done.output)

    def test_one_that_asks_twice_has_one_line(self):
        done = self.configure(self.project(FIND_FILES + "find_package(CUDNN REQUIRED)\nfind_package(cuDNN)\n"))
        self.assertEqual([line for line in status_lines(done.output) if "cuDNN" in line], [LOCATED])

    def test_a_project_that_asks_for_the_proof_itself(self):
        """What it links is compared with that, and nothing is proved twice."""
        app = self.project("find_package(CuDNNChecked REQUIRED)\n" + LINKED.replace(
            "${CUDNN_LIBRARY}", "${CuDNNChecked_LIBRARY}").replace("${CUDNN_INCLUDE_DIR}", "${CuDNNChecked_INCLUDE_DIR}"),
            languages="C", **{"main.c": "int main(void) { return 0; }\n"})
        done = self.configure(app, f"-DCuDNNChecked_DIR={PROVIDER.parent}")
        self.assertEqual((done.status, warnings(done.output)), (0, []), done.output)
        self.assertEqual([line for line in status_lines(done.output) if "cuDNN" in line], [LOCATED])

    def test_names_without_a_file(self):
        """-lcudnn, and paths of files that are not there, are whichever the linker finds: the proved ones are linked.
        A project that looks for none has its line as well."""
        links = """
add_library(cudnn_by_path SHARED IMPORTED)
set_target_properties(cudnn_by_path PROPERTIES IMPORTED_LOCATION ${MADE_UP}/libcudnn.so)
add_library(lib STATIC main.c)
target_link_libraries(lib PRIVATE cudnn_by_path)
add_executable(app main.c)
link_directories(${DECOY}/lib)
target_link_libraries(app PRIVATE cudnn cudnn $<$<BOOL:ON>:-lcudnn_ops> ${MADE_UP}/libcudnn_graph.so lib)
file(GENERATE OUTPUT links.txt CONTENT "$<TARGET_PROPERTY:app,LINK_LIBRARIES>;$<TARGET_FILE:cudnn_by_path>")
"""
        for number, asks in enumerate((FIND_FILES, "")):
            with self.subTest(asks):
                app = self.project(asks + links, languages="C", **{"main.c": "int main(void) { return 0; }\n"})
                app.build_directory = self.scratch / f"named{number}"
                done = self.configure(app, f"-DMADE_UP={self.scratch}/wanted/lib64")
                self.assertEqual((done.status, warnings(done.output)), (0, []), done.output)
                self.assertEqual([line for line in status_lines(done.output) if "cuDNN" in line], [LOCATED])
                self.assertEqual(self.relative(app.path("links.txt").read_text()).split(";"), [
                    "<scratch>/wanted/lib/libcudnn.so.9"] * 2 + [
                        "$<$<BOOL:ON>:<scratch>/wanted/lib/libcudnn_ops.so.9>",
                        "<scratch>/wanted/lib/libcudnn_graph.so.9", "lib",
                        "<scratch>/wanted/lib/libcudnn.so.9"])

    def test_a_file_that_this_cudnn_does_not_have(self):
        """Modules make its path from that of the library."""
        app = self.project(FIND_FILES + LINKED + "target_link_libraries(app PRIVATE ${DECOY}/none/libcudnn_adv.so)\n",
                           languages="C", **{"main.c": "int main(void) { return 0; }\n"})
        done = self.configure(app)
        self.assertNotEqual(done.status, 0, done.output)
        self.assertEqual([self.relative(text) for text in errors(done.output)], ["""\
cudnn_checked: refused: app links libcudnn_adv.so, which the cuDNN that was proved does not have
  missing:  <scratch>/decoy/none/libcudnn_adv.so   app
  proved:   <scratch>/wanted/lib/libcudnn.so.9   cuDNN 9.14.0
  fix: name a cuDNN that has it with -D CuDNNChecked_ROOT=DIRECTORY
  [bad-input]
"""])

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
                           "add_executable(other main.c)\n"
                           "add_library(objects OBJECT main.c)\n"
                           "target_include_directories(objects PRIVATE ${CUDNN_INCLUDE_DIR})\n"
                           "add_custom_target(nothing_compiled)\nset_property(TARGET nothing_compiled PROPERTY "
                           "INCLUDE_DIRECTORIES ${DECOY}/include ${CUDNN_INCLUDE_DIR})\n", languages="C",
                           **{"main.c": "#include <cudnn.h>\nint a[CUDNN_MINOR];\nint main(void) { return 0; }\n"})
        done = self.configure(app, "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON")
        self.assertEqual((done.status, warnings(done.output)), (0, []), done.output)
        commands = json.loads(app.path("compile_commands.json").read_text())
        first = [self.relative(re.search(r"-(?:I|isystem )(\S+)", command["command"])[1]) for command in commands]
        self.assertEqual(first, ["<scratch>/wanted/include"] * 3 + ["<scratch>/decoy/include", "<scratch>/wanted/include"])

    def test_one_file_by_another_path(self):
        (self.scratch / "link").symlink_to("wanted")
        app = self.project(FIND_FILES + LINKED, languages="C", **{"main.c": "int main(void) { return 0; }\n"})
        done = self.configure(app, f"-DCUDNN_LIBRARY={self.scratch}/link/lib/libcudnn.so.9",
                              f"-DCUDNN_INCLUDE_DIR={self.scratch}/link/include")
        self.assertEqual((done.status, warnings(done.output)), (0, []), done.output)

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
CuDNNCheckedProvider.cmake: find_file is defined anew before it, in a toolchain file or
another entry of CMAKE_PROJECT_TOP_LEVEL_INCLUDES, and can be so once only
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
