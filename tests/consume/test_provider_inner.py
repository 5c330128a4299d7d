# SPDX-License-Identifier: BSD-3-Clause
"""CuDNNCheckedProvider.cmake in a superbuild: the builds of ExternalProject_Add get it, or one line says that they do not."""

from provided_project import HEAD, LOCATED, PROVIDER, ProviderTest
from support import bare_cuda, bare_cudnn, simulated_sdk, status_lines, warnings
from support.consumer import path_of_builders

SUPERBUILD = """
cmake_minimum_required(VERSION 3.22)
project(super LANGUAGES NONE)
include(ExternalProject)
ExternalProject_Add(one SOURCE_DIR ${CMAKE_SOURCE_DIR}/inner BINARY_DIR ${CMAKE_BINARY_DIR}/one
                    CMAKE_ARGS -D GREETING=hello -D CMAKE_MAKE_PROGRAM=${CMAKE_MAKE_PROGRAM}
                    INSTALL_COMMAND "" LIST_SEPARATOR | COMMENT "" DEPENDS)
"""
INNER = HEAD.format(languages="NONE").replace("set(CuDNNChecked_REQUIRE LOCATED)\n", "") + """
find_package(CUDNN REQUIRED)
print("${GREETING} ${CUDNN_LIBRARY} ${CuDNNChecked_GUARD} ${CuDNNChecked_CONVOLUTIONS} ${CuDNNChecked_REQUIRE}")
"""
NOTE = "cudnn_checked: note: inner builds without CuDNNCheckedProvider.cmake, which their call of ExternalProject_Add keeps out: "


class Inner(ProviderTest):
    def superbuild(self, text=SUPERBUILD):
        return self.consumer(cmake_lists=text, **{"inner/CMakeLists.txt": INNER})

    def built(self, app, *arguments, root=True):
        done = self.configure(app, "-DCuDNNChecked_REQUIRE=LOCATED", *arguments, root=root)
        self.assertEqual((done.status, warnings(done.output)), (0, []), done.output)
        self.assertEqual(status_lines(done.output), [])
        done = app.build()
        self.assertEqual(done.status, 0, done.output)
        return self.relative(app.path("one/printed.txt").read_text()), done

    def test_what_was_named_goes_with_it(self):
        app = self.superbuild()
        printed, done = self.built(app, "-DCuDNNChecked_GUARD=OFF", "-DCuDNNChecked_CONVOLUTIONS=legacy;graph")
        self.assertEqual(printed, "hello <scratch>/wanted/lib/libcudnn.so.9 OFF legacy;graph LOCATED\n")
        self.assertIn(LOCATED, done.output)
        # Another one is named later.
        other = bare_cuda(bare_cudnn(self.scratch / "other", "9.14.1"))
        printed, done = self.built(app, f"-DCuDNNChecked_ROOT={other}", f"-DCUDAToolkit_ROOT={other}", root=False)
        self.assertEqual(printed, "hello <scratch>/other/lib/libcudnn.so.9 OFF legacy;graph LOCATED\n")

    def test_by_a_variable_of_find_modules(self):
        app = self.superbuild()
        printed, _ = self.built(app, f"-DcuDNN_ROOT={self.wanted}", f"-DCUDAToolkit_ROOT={self.wanted}", root=False)
        self.assertEqual(printed, "hello <scratch>/wanted/lib/libcudnn.so.9   LOCATED\n")

    def test_those_that_get_none(self):
        """But not one that builds nothing."""
        app = self.superbuild(SUPERBUILD + f"""
ExternalProject_Add(fetched SOURCE_DIR ${{CMAKE_SOURCE_DIR}}/inner CONFIGURE_COMMAND "" BUILD_COMMAND "" INSTALL_COMMAND "")
ExternalProject_Add(made SOURCE_DIR ${{CMAKE_SOURCE_DIR}}/inner CONFIGURE_COMMAND "" INSTALL_COMMAND "")
ExternalProject_Add(script SOURCE_DIR ${{CMAKE_SOURCE_DIR}}/inner CONFIGURE_COMMAND ./configure)
ExternalProject_Add(own SOURCE_DIR ${{CMAKE_SOURCE_DIR}}/inner CMAKE_ARGS -DCMAKE_PROJECT_TOP_LEVEL_INCLUDES=own.cmake)
ExternalProject_Add(both SOURCE_DIR ${{CMAKE_SOURCE_DIR}}/inner
                    CMAKE_ARGS -DCMAKE_PROJECT_TOP_LEVEL_INCLUDES=own.cmake$<SEMICOLON>{PROVIDER})
""")
        done = self.configure(app)
        self.assertEqual(done.status, 0, done.output)
        self.assertEqual([line for line in status_lines(done.output) if "note" in line], [NOTE + "made, script, own"])

    def test_a_project_that_defines_the_command_itself(self):
        """Its function calls the one before by the name that CMake gives it, which is the provider's."""
        text = SUPERBUILD.replace('INSTALL_COMMAND ""', "INSTALL_COMMAND ${CMAKE_COMMAND} -E true")
        app = self.superbuild(text.replace("(ExternalProject)\n", """(ExternalProject)
function(ExternalProject_Add name)
  file(APPEND ${CMAKE_BINARY_DIR}/own.txt "own ${name}")
  _ExternalProject_Add(${ARGV})
endfunction()
"""))
        printed, _ = self.built(app, "-DCuDNNChecked_GUARD=OFF")
        self.assertEqual(printed, "hello <scratch>/wanted/lib/libcudnn.so.9 OFF  LOCATED\n")
        self.assertEqual(app.path("own.txt").read_text(), "own one")

    def test_policies_are_those_of_the_call(self):
        """No word of CMake's about one that the project has set behind project()."""
        app = self.superbuild(SUPERBUILD.replace("3.22", "3.18").replace("include(", """
cmake_policy(SET CMP0114 NEW)
if(POLICY CMP0135)
  cmake_policy(SET CMP0135 NEW)
endif()
include(""") + """
ExternalProject_Add(archive URL http://localhost/none.tar.gz)
ExternalProject_Add_StepTargets(archive download)
""")
        done = self.configure(app)
        self.assertEqual((done.status, warnings(done.output)), (0, []), done.output)


OUTER = """
cmake_minimum_required(VERSION 3.22)
project(super LANGUAGES CXX)
include(ExternalProject)
ExternalProject_Add(inner SOURCE_DIR ${CMAKE_SOURCE_DIR}/inner BINARY_DIR ${CMAKE_BINARY_DIR}/inner
                    CMAKE_ARGS -DCMAKE_INSTALL_PREFIX=${CMAKE_BINARY_DIR}/stage)
ExternalProject_Add(user SOURCE_DIR ${CMAKE_SOURCE_DIR}/user BINARY_DIR ${CMAKE_BINARY_DIR}/user DEPENDS inner
                    CMAKE_ARGS -DCMAKE_PREFIX_PATH=${CMAKE_BINARY_DIR}/stage INSTALL_COMMAND "")
"""
# Its dependency looks cuDNN up by itself, and is compiled in the same build.
WITH_FETCHED = """
cmake_minimum_required(VERSION 3.22)
project(inner LANGUAGES CXX)
find_package(CUDNN REQUIRED)
include(FetchContent)
FetchContent_Declare(layers SOURCE_DIR ${CMAKE_SOURCE_DIR}/../layers)
FetchContent_MakeAvailable(layers)
add_executable(app main.cpp)
target_link_libraries(app PRIVATE layers CUDNN::cudnn)
install(TARGETS layers ARCHIVE DESTINATION lib)
"""
LAYERS = """
cmake_minimum_required(VERSION 3.22)
project(layers LANGUAGES CXX)
find_path(LAYERS_INCLUDE cudnn.h)
find_library(LAYERS_LIBRARY cudnn)
add_library(layers STATIC layers.cpp)
target_include_directories(layers PRIVATE ${LAYERS_INCLUDE})
target_link_libraries(layers PUBLIC ${LAYERS_LIBRARY})
"""
USER = """
cmake_minimum_required(VERSION 3.22)
project(user LANGUAGES CXX)
find_library(LAYERS layers REQUIRED)
find_library(DNN cudnn REQUIRED)
add_executable(user ../inner/main.cpp)
target_link_libraries(user PRIVATE ${LAYERS} ${DNN})
"""


class Superbuild(ProviderTest):
    def test_it_is_proved_built_and_guarded(self):
        """Two builds inside, one of which fetches another project; the outer one asks for nothing."""
        sdk = simulated_sdk(gpus="")
        app = self.consumer(cmake_lists=OUTER, **{
            "inner/CMakeLists.txt": WITH_FETCHED, "layers/CMakeLists.txt": LAYERS, "user/CMakeLists.txt": USER,
            "inner/main.cpp": "int layers();\nint main() { return layers() == 0; }\n",
            "layers/layers.cpp": "#include <cudnn.h>\nint layers() { return int(cudnnGetVersion()); }\n"})
        done = app.configure(f"-DCMAKE_PROJECT_TOP_LEVEL_INCLUDES={PROVIDER}", f"-DCUDNN_ROOT={sdk.prefix}",
                             f"-DCUDAToolkit_ROOT={sdk.prefix}", "-DCuDNNChecked_GUARD=ALL", "-DCuDNNChecked_GPU=OPTIONAL",
                             environment=sdk.environment)
        self.assertEqual((done.status, warnings(done.output), status_lines(done.output)), (0, [], []), done.output)
        # The inner builds look for their programs anew.
        done = app.build(environment={**sdk.environment, "PATH": path_of_builders()})
        self.assertEqual(done.status, 0, done.output)
        # Each inner build has one line, also the one with two projects.
        self.assertEqual(done.output.count("-- cuDNN 9.14.0 "), 2, done.output)
        other = simulated_sdk(cudnn="9.13.0", gpus="").library_directory
        for program in ("inner/app", "user/user"):
            for directory, status in ((sdk.library_directory, 0), (other, 78)):
                done = app.run(app.path(program), environment={"LD_LIBRARY_PATH": f"{directory}:{sdk.driver_directory}"})
                self.assertEqual(done.status, status, done.output)
