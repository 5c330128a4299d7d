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

    def test_none_is_there(self):
        """A project without cuDNN is not stopped."""
        (self.wanted / "lib" / "libcudnn.so.9").unlink()
        (self.wanted / "include" / "cudnn.h").unlink()
        app = self.project(FIND_FILES.replace(" HINTS ${DECOY}/include", " PATHS ${DECOY}/include"))
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
set(SEVERAL SEVERAL-NOTFOUND)
find_library(SEVERAL NAMES cudnn8 libcudnn.so.8 cudnn)
print("${EMPTY} ${PLACE} ${HEADER} ${FILE} $CACHE{FILE} ${OLD} ${FRONTEND} ${SEVERAL}")
""", **{"dummy": ""})
        (self.decoy / "frontend").mkdir()
        (self.decoy / "frontend" / "cudnn_frontend.h").write_text("")
        self.assertEqual(self.printed(app, self.configure(app))[1:], [
            "EMPTY-NOTFOUND <scratch>/a;b <scratch>/wanted/include/cudnn_version.h "
            "<scratch>/wanted/include/cudnn.h  OLD-NOTFOUND <scratch>/decoy/frontend <scratch>/wanted/lib/libcudnn.so.9"])
        app = self.project("find_library(OLD cudnn_cnn_infer REQUIRED)\n")
        self.assertEqual(self.relative(errors(self.configure(app).output)[0]),
                         "find_library(OLD) requires cudnn_cnn_infer, which is no part of cuDNN 9.14.0 in "
                         "<scratch>/wanted\n")

    def test_a_static_library(self):
        app = self.project("find_library(CUDNN_LIBRARY NAMES cudnn_static libcudnn_static.a)\n")
        self.assertEqual(self.relative(errors(self.configure(app).output)[0]), """\
cudnn_checked: refused: this project asks for the static cuDNN, and the shared one was proved
  asked for:  cudnn_static, libcudnn_static.a   CUDNN_LIBRARY
  proved:     <scratch>/wanted/lib/libcudnn.so.9   cuDNN 9.14.0
  fix: configure this project with its option for a shared cuDNN
  [bad-input]
""")

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


class Modules(ProviderTest):
    """A project's own find module runs, and what it looks up is what was proved."""

    MODULE = """
find_path(SPECIAL_INC cudnn.h HINTS ${DECOY}/include)
find_library(SPECIAL_LIB cudnn HINTS ${DECOY}/lib)
find_library(SPECIAL_GRAPH cudnn_graph HINTS ${DECOY}/lib)
add_library(special::dnn UNKNOWN IMPORTED GLOBAL)
set_target_properties(special::dnn PROPERTIES IMPORTED_LOCATION ${SPECIAL_LIB})
add_library(CUDNN::cudnn ALIAS special::dnn)
add_library(CUDNN::cudnn_needed INTERFACE IMPORTED)
set(NVINFER_LIBRARY /opt/nvinfer)
function(of_the_module)
  print("a function of the module")
endfunction()
set(CUDNN_FOUND TRUE)
"""

    def test_all_that_it_makes(self):
        app = self.project("find_package(CUDNN REQUIRED)\nof_the_module()\nget_target_property(file special::dnn "
                           "IMPORTED_LOCATION)\nif(TARGET CUDNN::cudnn_needed AND TARGET CUDNN::cudnn_graph)\n"
                           'print("${SPECIAL_INC} ${file} ${SPECIAL_GRAPH} ${NVINFER_LIBRARY}")\nendif()\n',
                           **{"FindCUDNN.cmake": self.MODULE})
        self.assertEqual(self.printed(app, self.configure(app)), [
            "a function of the module",
            "<scratch>/wanted/include <scratch>/wanted/lib/libcudnn.so.9 <scratch>/wanted/lib/libcudnn_graph.so.9 "
            "/opt/nvinfer"])

    def test_a_sub_library_that_this_cudnn_has_not(self):
        """As modules after cudnn-frontend's: an optional one has no target, and is linked nevertheless."""
        module = """
find_library(cudnn_LIBRARY cudnn)
find_library(cudnn_adv_LIBRARY cudnn_adv HINTS ${DECOY}/lib)
add_library(CUDNN::cudnn UNKNOWN IMPORTED)
set_target_properties(CUDNN::cudnn PROPERTIES IMPORTED_LOCATION ${cudnn_LIBRARY})
add_library(CUDNN::cudnn_all INTERFACE IMPORTED)
if(cudnn_adv_LIBRARY)
  add_library(CUDNN::cudnn_adv UNKNOWN IMPORTED)
endif()
target_link_libraries(CUDNN::cudnn_all INTERFACE CUDNN::cudnn CUDNN::cudnn_adv)
set(CUDNN_FOUND TRUE)
"""
        app = self.project("find_package(CUDNN REQUIRED)\nadd_executable(app main.c)\n"
                           "target_link_libraries(app PRIVATE CUDNN::cudnn_all)\n", languages="C",
                           **{"FindCUDNN.cmake": module, "main.c": "int main(void) { return 0; }\n"})
        (self.decoy / "lib" / "libcudnn_adv.so").write_text("")
        done = self.configure(app)
        self.assertEqual((done.status, errors(done.output)), (0, []), done.output)
        self.assertIn("Generating done", done.output)

    def test_one_that_finds_nothing(self):
        app = self.project('find_package(CUDNN REQUIRED)\nprint("${CUDNN_FOUND} ${CUDNN_LIBRARY}")\n',
                           **{"FindCUDNN.cmake": "set(CUDNN_FOUND FALSE)\n"})
        self.assertEqual(self.printed(app, self.configure(app)), ["1 <scratch>/wanted/lib/libcudnn.so.9"])

    def test_one_that_asks_for_a_configuration_of_that_name(self):
        app = self.project('find_package(CUDNN REQUIRED)\nprint("${CUDNN_FOUND} ${CUDNN_LIBRARY}")\n',
                           **{"FindCUDNN.cmake": "find_package(CUDNN CONFIG)\n"})
        self.assertEqual(self.printed(app, self.configure(app)), ["1 <scratch>/wanted/lib/libcudnn.so.9"])


class Named(ProviderTest):
    """What a person names is taken, or refused in words."""

    ASKS = 'find_package(cuDNN REQUIRED)\nprint("${cuDNN_INCLUDE_DIR} ${cuDNN_LIBRARY}")\n'
    WANTED = ["<scratch>/wanted/include <scratch>/wanted/lib/libcudnn.so.9"]

    def configure_named(self, app, *arguments, environment=None):
        return app.configure(f"-DDECOY={self.decoy}", f"-DCMAKE_PROJECT_TOP_LEVEL_INCLUDES={PROVIDER}",
                             f"-DCMAKE_PREFIX_PATH={self.decoy}", f"-DCUDAToolkit_ROOT={self.wanted}", *arguments,
                             environment=environment)

    def test_variables(self):
        for number, name in enumerate(("cuDNN_ROOT", "CUDNN_ROOT", "CuDNN_ROOT", "cuDNN_ROOT_DIR", "CUDNN_DIR",
                                       "cuDNN_DIR", "CUDNN_PATH")):
            with self.subTest(variable=name):
                app = self.consumer(f"variable{number}", cmake_lists=HEAD.format(languages="NONE") + self.ASKS, **TOOLKIT)
                done = self.configure_named(app, f"-D{name}={self.wanted}")
                self.assertEqual(self.printed(app, done), self.WANTED)
                self.assertEqual(self.printed(app, self.configure_named(app)), self.WANTED)
            with self.subTest(environment=name):
                app = self.consumer(f"environment{number}", cmake_lists=HEAD.format(languages="NONE") + self.ASKS, **TOOLKIT)
                done = self.configure_named(app, environment={name: str(self.wanted)})
                self.assertEqual(self.printed(app, done), self.WANTED)

    def test_files_and_hints(self):
        for number, (text, arguments) in enumerate((
                (self.ASKS, [f"-DCUDNN_LIBRARY={self.wanted}/lib/libcudnn.so.9"]),
                (self.ASKS, [f"-DCUDNN_INCLUDE_DIR={self.wanted}/include"]),
                (self.ASKS, [f"-DCUDNN_INCLUDE_DIR={self.wanted}/include",
                             f"-DCUDNN_LIBRARY={self.wanted}/lib/libcudnn.so.9"]),
                ("find_path(SPECIAL cudnn.h HINTS ${MINE}/include)\nfind_library(LIB cudnn HINTS ${MINE}/lib)\n"
                 'print("${SPECIAL} ${LIB}")\n', ["-DCMAKE_PREFIX_PATH=", f"-DMINE={self.wanted}"]),
                ("find_library(LIB NAMES cudnn HINTS ENV MINE)\nfind_path(SPECIAL NAMES cudnn.h)\n"
                 'print("${SPECIAL} ${LIB}")\n', ["-DCMAKE_PREFIX_PATH="]),
                # As CMake has it: a prefix of CMAKE_PREFIX_PATH is searched before HINTS.
                ("find_path(SPECIAL cudnn.h HINTS ${DECOY}/include)\nfind_library(LIB cudnn HINTS ${DECOY}/lib)\n"
                 'print("${SPECIAL} ${LIB}")\n', [f"-DCMAKE_PREFIX_PATH={self.wanted}"]),
                (self.ASKS, [f"-DcuDNN_ROOT={self.scratch}/none;{self.wanted}"]))):
            with self.subTest(arguments=arguments):
                app = self.consumer(f"app{number}", cmake_lists=HEAD.format(languages="NONE") + text, **TOOLKIT)
                done = self.configure_named(app, *arguments, environment={"MINE": str(self.wanted)})
                self.assertEqual(self.printed(app, done), self.WANTED)

    def test_a_directory_in_place_of_a_library(self):
        app = self.project(self.ASKS)
        for place in ("wanted", "wanted/lib"):
            done = self.configure_named(app, f"-DCUDNN_LIBRARY={self.scratch}/{place}")
            [text] = errors(done.output)
            self.assertEqual(self.relative(text), f"""\
cudnn_checked: refused: CUDNN_LIBRARY names a directory, and a project links what it names
  value:  <scratch>/{place}   CUDNN_LIBRARY
  fix: cmake -U CUDNN_LIBRARY -D CuDNNChecked_ROOT=<scratch>/wanted <scratch>/app-build
  [bad-input]
""")
            done = app.run(cmake_program(), "-U", "CUDNN_LIBRARY", f"-DCuDNNChecked_ROOT={self.wanted}", app.build_directory)
            self.assertEqual(self.printed(app, done), self.WANTED)
            app.run(cmake_program(), "-U", "CuDNNChecked_ROOT", app.build_directory)

    def test_two_that_disagree(self):
        for number, (name, value) in enumerate((("CUDNN_LIBRARY", "decoy/lib/libcudnn.so"), ("cuDNN_ROOT", "decoy"),
                                                ("CUDNN_ROOT", "decoy"), ("CUDNN_INCLUDE_DIR", "decoy/include"))):
            with self.subTest(name):
                app = self.consumer(f"two{number}", cmake_lists=HEAD.format(languages="NONE") + self.ASKS, **TOOLKIT)
                done = self.configure(app, f"-D{name}={self.scratch}/{value}")
                [text] = errors(done.output)
                self.assertEqual(self.relative(text), f"""\
cudnn_checked: refused: {name} names another place than that of the cuDNN that was proved
  named:   <scratch>/{value}   {name}
  proved:  <scratch>/wanted/lib/libcudnn.so.9   cuDNN 9.14.0
  fix: cmake -U {name} <scratch>/two{number}-build
   or: cmake -D CuDNNChecked_ROOT=<scratch>/decoy <scratch>/two{number}-build
  [bad-input]
""")
                done = app.run(cmake_program(), "-U", name, app.build_directory)
                self.assertEqual(self.printed(app, done), self.WANTED)


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
