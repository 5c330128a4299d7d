# SPDX-License-Identifier: BSD-3-Clause
"""Nothing leaks: find_package leaves the documented variables and no others behind, and reads no others of the project."""

import re
import shutil

from support import REPOSITORY, bare_cuda, bare_cudnn
from support.locating import LocatingTest

ROOMS = REPOSITORY / "cmake" / "CuDNNChecked"
PARTS = sorted(ROOMS.glob("**/*.cmake"))

# What CMake's own find_package and include() leave behind.
OWN = re.compile(r"CMAKE_|_CMAKE_|CuDNNChecked_FIND_|CuDNNChecked_DIR$|CuDNNChecked_CONSIDERED_|"
                 r"CuDNNChecked_NOT_FOUND_|FIND_PACKAGE_|CuDNNChecked_PYTHON_|before$|after$")

DIFFERENCE = """
get_cmake_property(after VARIABLES)
list(REMOVE_ITEM after ${before})
file(WRITE "${CMAKE_BINARY_DIR}/new.txt" "${after}")
"""


def documented():
    """The result variables that the reference of the find module names."""
    text = (REPOSITORY / "cmake" / "FindCuDNNChecked.cmake").read_text()
    section = text.split("Result variables\n")[1].split("Imported targets\n")[0]
    names = set(re.findall(r"^``(CuDNNChecked_\w+)``|, ``(CuDNNChecked_\w+)``", section, re.M))
    names = {name for pair in names for name in pair if name}
    names |= {"CuDNNChecked_VERSION" + part for part in re.findall(r"``(_[A-Z]+)``", section)}
    # It is of a refusal only.
    return names - {"CuDNNChecked_NOT_FOUND_MESSAGE"}


class Scope(LocatingTest):
    def new_variables(self, find):
        self.app.write("CMakeLists.txt", f"""
cmake_minimum_required(VERSION 3.22)
project(app LANGUAGES NONE)
list(APPEND CMAKE_MODULE_PATH "${{CUDNN_CHECKED_SOURCE}}/cmake")
set(CuDNNChecked_REQUIRE LOCATED)
get_cmake_property(before VARIABLES)
{find}
{DIFFERENCE}""")
        done = self.app.configure(f"-DCuDNNChecked_ROOT={self.scratch}/sdk",
                                  f"-DCUDAToolkit_ROOT={self.cuda}")
        self.assertEqual(done.status, 0, done.output)
        names = self.app.path("new.txt").read_text().split(";")
        return {name for name in names if name and not OWN.match(name)}

    def test_found(self):
        bare_cudnn(self.scratch / "sdk")
        names = self.new_variables("find_package(CuDNNChecked 9 REQUIRED)")
        self.assertEqual(names, documented())

    def test_with_components(self):
        bare_cudnn(self.scratch / "sdk")
        names = self.new_variables("find_package(CuDNNChecked OPTIONAL_COMPONENTS ops)")
        self.assertEqual(names - documented(), {"CuDNNChecked_ops_FOUND"})

    def test_not_found(self):
        names = self.new_variables("find_package(CuDNNChecked QUIET)")
        self.assertEqual(names, {"CuDNNChecked_FOUND", "CuDNNChecked_PACKAGE_VERSION"})

    def test_a_message_has_its_origin(self):
        """As cmake --log-context shows it; what the project says later has none of it."""
        bare_cudnn(self.scratch / "sdk")
        self.app.write("CMakeLists.txt", """
cmake_minimum_required(VERSION 3.22)
project(app LANGUAGES NONE)
list(APPEND CMAKE_MODULE_PATH "${CUDNN_CHECKED_SOURCE}/cmake")
set(CuDNNChecked_REQUIRE LOCATED)
list(APPEND CMAKE_MESSAGE_CONTEXT app)
find_package(CuDNNChecked 9 REQUIRED)
message(STATUS "after: ${CMAKE_MESSAGE_CONTEXT}")""")
        done = self.app.configure("--log-context", f"-DCuDNNChecked_ROOT={self.scratch}/sdk",
                                  f"-DCUDAToolkit_ROOT={self.cuda}")
        self.assertEqual(done.status, 0, done.output)
        self.assertRegex(done.output, r"(?m)^-- \[app\.CuDNNChecked\] cuDNN 9\.")
        self.assertIn("-- [app] after: app\n", done.output)

    def test_values_of_an_earlier_call_do_not_stay(self):
        bare_cudnn(self.scratch / "sdk")
        names = self.new_variables("""
find_package(CuDNNChecked 9)
find_package(CuDNNChecked 99 QUIET)""")
        self.assertEqual(names, {"CuDNNChecked_FOUND", "CuDNNChecked_PACKAGE_VERSION"})

    def test_through_the_package_configuration(self):
        bare_cudnn(self.scratch / "sdk")
        names = self.new_variables("""
set(CuDNNChecked_DIR "${CUDNN_CHECKED_SOURCE}/cmake")
find_package(CuDNNChecked 9.1...<10 CONFIG REQUIRED)""")
        self.assertEqual(names - {"CuDNNChecked_CONFIG"}, documented())

    def test_variables_of_the_project_are_its_own(self):
        """A function sees its caller's variables: it gives each of its own a value first."""
        words = {word for part in PARTS
                 for word in re.findall(r"(?m)^ *(?:set|foreach|list\(\w+|string\(\w+)[( ]([a-z]\w*)", part.read_text())}
        bare_cuda(bare_cudnn(self.scratch / "sdk"))
        self.app.write("CMakeLists.txt", """
cmake_minimum_required(VERSION 3.22)
project(app LANGUAGES CXX)
list(APPEND CMAKE_MODULE_PATH "${CUDNN_CHECKED_SOURCE}/cmake")
set(CuDNNChecked_REQUIRE LOCATED)
foreach(WORD IN LISTS WORDS)
  set(${WORD} "of the project")
endforeach()
find_package(CuDNNChecked 9 REQUIRED)
file(WRITE "${CMAKE_BINARY_DIR}/app.cpp" "int main() {}")
add_executable(app "${CMAKE_BINARY_DIR}/app.cpp")
target_link_libraries(app PRIVATE CuDNNChecked::cudnn)
cudnn_checked_guard(app)
cudnn_checked_export(DESTINATION lib/app)
foreach(WORD IN LISTS WORDS)
  if(NOT "${${WORD}}" STREQUAL "of the project")
    message(FATAL_ERROR "${WORD} is ${${WORD}}")
  endif()
endforeach()""")
        arguments = f"-DCuDNNChecked_ROOT={self.scratch}/sdk", f"-DCUDAToolkit_ROOT={self.scratch}/sdk"
        said = []
        for value in ("", ";".join(sorted(words))):
            done = self.app.configure(*arguments, f"-DWORDS={value}")
            self.assertEqual(done.status, 0, done.output)
            said.append(done.output)
            shutil.rmtree(self.app.build_directory)
        self.assertEqual(*said)

    def test_a_part_only_defines(self):
        for part in PARTS:
            if part.name == "package_version.cmake":
                continue
            with self.subTest(part=part.name):
                self.assertEqual(self.new_variables(f'include("{part}")'), set())
                text = part.read_text()
                outside = re.sub(r"^( *)(function|macro)\(.*?^\1end\2\(\)$", "", text,
                                 flags=re.DOTALL | re.MULTILINE)
                # Functions of one text for several commands.
                outside = re.sub(r"foreach\((\w+)[^)]*\)\s*endforeach\(\)\s*unset\(\1\)", "", outside)
                outside = re.sub(r"#\[(=*)\[.*?\]\1\]", "", outside, flags=re.DOTALL)
                outside = re.sub(r"^#.*$", "", outside, flags=re.MULTILINE)
                self.assertEqual(outside.strip(), "")

    def test_the_module_loads_every_part(self):
        """Four files for every configure, the others by _cudnn_checked_load, by their room and name."""
        text = (REPOSITORY / "cmake/FindCuDNNChecked.cmake").read_text()
        always = re.search(r"_part IN ITEMS (.*?)\)", text).group(1).split()
        self.assertLessEqual(len(always), 4)
        loaded = {f"every_configure/{name}" for name in always}
        for part in PARTS:
            for names in re.findall(r"_cudnn_checked_load\(([a-z_/\s${}]+)\)", part.read_text()):
                loaded |= {name.replace("${platform}", platform) for name in names.split()
                           for platform in ("linux", "windows")}
        # Of the package itself, and of the provider: included where they are used.
        parts = {str(part.relative_to(ROOMS).with_suffix("")) for part in PARTS}
        elsewhere = {"package_version", "project_doors", *(part for part in parts if part.startswith("provider/"))}
        self.assertEqual(loaded, parts - elsewhere)

    def test_no_cps_file(self):
        # CMake 4.3 would prefer it, and the probe would be skipped without a word.
        self.assertEqual([p for p in REPOSITORY.glob("cmake/**/*.cps")], [])
