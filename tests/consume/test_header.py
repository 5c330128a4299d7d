# SPDX-License-Identifier: BSD-3-Clause
"""A guarded target that is compiled with another cudnn.h than the one that was found."""

import json
import re

from support import bare_cuda, bare_cudnn, relative_output
from support.scratch import ScratchTest

PROJECT = """
cmake_minimum_required(VERSION 3.22)
project(app LANGUAGES C CXX)
list(APPEND CMAKE_MODULE_PATH "${{CUDNN_CHECKED_SOURCE}}/cmake")
set(CuDNNChecked_REQUIRE LOCATED)
find_package(CuDNNChecked REQUIRED)
{text}
"""

LINKED = """
add_executable(app main.cpp)
target_link_libraries(app PRIVATE CuDNNChecked::cudnn)
cudnn_checked_guard(app)
"""

OTHER_FIRST = 'target_include_directories(app PRIVATE "${OTHER}")\n'

MAIN = "#include <cudnn.h>\nint main(void) { return CUDNN_MINOR == 14 ? 0 : 1; }\n"


def message(output):
    """The texts of the errors and notes of header_check.*, in the order of their lines, and the files
    in which the compiler then found the poisoned name."""
    found = re.findall(r'header_check\.\w+:(\d+):\d+: (?:error|note|warning): '
                       r'(?:#error "|"|[‘\']#pragma message: )?(  .*?|cudnn_checked: .*?)'
                       r'(?: \[-W.*\])?["’\']*$', output, re.M)
    lines = [text for _, text in sorted({(int(line), text) for line, text in found})]
    places = re.findall(r"^(\S*cudnn_version\.h):\d+:\d+: error: attempt to use (?:a )?poisoned",
                        output, re.M)
    return "\n".join(lines) + "\n", sorted(set(places))


class HeaderTest(ScratchTest):
    def setUp(self):
        super().setUp()
        bare_cuda(bare_cudnn(self.scratch / "sdk"))
        bare_cudnn(self.scratch / "other", "9.15.1", libraries=False)

    def project(self, text, main=MAIN):
        return self.consumer(cmake_lists=PROJECT.format(text=text),
                             **{"main.c": main, "main.cpp": main})

    def configure(self, app):
        done = app.configure(f"-DCuDNNChecked_ROOT={self.scratch}/sdk",
                             f"-DCUDAToolkit_ROOT={self.scratch}/sdk",
                             f"-DOTHER={self.scratch}/other/include")
        self.assertEqual(done.status, 0, done.output)

    def built(self, text, main=MAIN):
        """Configures and builds a project that must compile without a word."""
        app = self.project(text, main)
        self.configure(app)
        done = app.build()
        self.assertEqual(done.status, 0, done.output)
        self.assertNotIn("warning", done.output)
        return app, done.output

    def refusal(self, text):
        """The message of a project that must not compile, and where the other header is."""
        app = self.project(text)
        self.configure(app)
        done = app.build()
        self.assertNotEqual(done.status, 0, done.output)
        text, places = message(done.output)
        return (relative_output(text, scratch=self.scratch),
                [relative_output(place, scratch=self.scratch) for place in places])


REFUSED = """\
cudnn_checked: refused: app is compiled with the headers of another cuDNN than the one that was \
found
  found:          9.14.0   <scratch>/sdk/include/cudnn.h
  compiled with:  9.15.1   the header with the error about CUDNN_MAJOR
  A program compiled with it would call functions and pass enumerations of another release.
  fix: target_include_directories(app BEFORE PRIVATE <scratch>/sdk/include)
       set_property(TARGET app PROPERTY NO_SYSTEM_FROM_IMPORTED ON)
   or: name the cuDNN that the target is compiled with: -D CuDNNChecked_ROOT=DIRECTORY
  [header-library-mismatch]
"""


class Refused(HeaderTest):
    def test_cxx(self):
        text, places = self.refusal(LINKED + OTHER_FIRST)
        self.assertEqual(text, REFUSED)
        self.assertEqual(places, ["<scratch>/other/include/cudnn_version.h"])

    def test_every_flag_and_standard(self):
        """The message is the same in C, in old standards and where warnings are errors."""
        for text in [
                LINKED.replace("main.cpp", "main.c"),
                LINKED.replace("main.cpp", "main.c")
                + "set_property(TARGET app PROPERTY C_STANDARD 90)\n",
                LINKED + "set_property(TARGET app PROPERTY CXX_STANDARD 98)\n",
                LINKED + "target_compile_options(app PRIVATE -Wall -Wextra -Wpedantic -Werror)\n",
                "set(CMAKE_UNITY_BUILD ON)\n" + LINKED
                + "target_precompile_headers(app PRIVATE <cudnn.h>)\n"]:
            with self.subTest(text=text):
                said, places = self.refusal(text + OTHER_FIRST)
                self.assertEqual(said, REFUSED)
                self.assertEqual(places, ["<scratch>/other/include/cudnn_version.h"])

    def test_libraries(self):
        """Also where include directories and sources follow after the call."""
        for kind in ["STATIC", "SHARED", "MODULE"]:
            with self.subTest(kind=kind):
                self.assertEqual(self.refusal(f"""
add_library(app {kind})
cudnn_checked_guard(app MANUAL)
target_sources(app PRIVATE "$<$<BOOL:ON>:${{CMAKE_SOURCE_DIR}}/main.cpp>")
target_link_libraries(app PRIVATE CuDNNChecked::cudnn)
{OTHER_FIRST}""")[0], REFUSED)

    def test_a_directory_of_the_compiler(self):
        """It is searched last, so no directory of a target can come behind it."""
        text, _ = self.refusal(f"""
list(APPEND CMAKE_CXX_IMPLICIT_INCLUDE_DIRECTORIES "{self.scratch}/sdk/include")
{LINKED}{OTHER_FIRST}""")
        self.assertEqual(text, REFUSED.replace("""\
  fix: target_include_directories(app BEFORE PRIVATE <scratch>/sdk/include)
       set_property(TARGET app PROPERTY NO_SYSTEM_FROM_IMPORTED ON)
   or:""", "  fix:"))

    def test_the_fixes(self):
        before = ('target_include_directories(app BEFORE PRIVATE {0}/sdk/include)\n'
                  'set_property(TARGET app PROPERTY NO_SYSTEM_FROM_IMPORTED ON)\n'
                  ).format(self.scratch)
        for line in before.splitlines():
            self.assertIn(line.replace(str(self.scratch), "<scratch>"), REFUSED)
        app, _ = self.built(LINKED + OTHER_FIRST + before)
        self.assertEqual(app.run(app.path("app"), environment={"CUDNN_CHECKED": "off"}).status, 0)

        (self.scratch / "other/lib").mkdir()
        (self.scratch / "other/lib/libcudnn.so.9").write_text("")
        app = self.project(LINKED + OTHER_FIRST, MAIN.replace("14", "15"))
        done = app.configure(f"-DCuDNNChecked_ROOT={self.scratch}/other",
                             f"-DCUDAToolkit_ROOT={self.scratch}/sdk",
                             f"-DOTHER={self.scratch}/other/include")
        self.assertEqual(done.status, 0, done.output)
        done = app.build()
        self.assertEqual(done.status, 0, done.output)
        self.assertEqual(app.run(app.path("app"), environment={"CUDNN_CHECKED": "off"}).status, 0)

    def test_the_order_of_two_imported_targets(self):
        self.assertEqual(self.refusal("""
add_library(toolkit INTERFACE IMPORTED)
target_include_directories(toolkit INTERFACE "${OTHER}")
add_executable(app main.cpp)
target_link_libraries(app PRIVATE toolkit CuDNNChecked::cudnn)
cudnn_checked_guard(app)
""")[0], REFUSED)


class Silent(HeaderTest):
    def test_the_same_release_elsewhere(self):
        bare_cudnn(self.scratch / "other", libraries=False)
        self.built(LINKED + OTHER_FIRST)

    def test_the_one_that_was_found_first(self):
        self.built(LINKED + "target_link_libraries(app PRIVATE other)\n"
                   "add_library(other INTERFACE IMPORTED)\n"
                   'target_include_directories(other INTERFACE "${OTHER}")\n')

    def test_a_header_of_another_name(self):
        (self.scratch / "sdk/include/cudnn_version.h").rename(
            self.scratch / "sdk/include/cudnn_version_v9.h")
        (self.scratch / "sdk/include/cudnn.h").write_text('#include "cudnn_version_v9.h"\n')
        app, _ = self.built(LINKED)
        self.assertEqual(list(app.build_directory.rglob("header_check.*")), [])

    def test_targets_that_do_not_have_the_directory(self):
        """Whether they include any cudnn.h is not known: it may lie beside the headers of CUDA."""
        plain = "int main(void) { return 0; }\n"
        self.built("""
add_library(hidden STATIC main.c)
target_link_libraries(hidden PRIVATE CuDNNChecked::cudnn)
set_property(SOURCE main.c PROPERTY COMPILE_DEFINITIONS main=hidden)
add_executable(app main.cpp)
target_link_libraries(app PRIVATE hidden)
target_include_directories(app PRIVATE "${OTHER}")
cudnn_checked_guard(app)
add_library(plugin MODULE main.c)
cudnn_checked_guard(plugin MANUAL)
""", plain)

    def test_targets_without_a_language(self):
        """Objects of an OBJECT library are compiled with the directories of that one."""
        app, _ = self.built("""
add_library(objects OBJECT main.cpp)
target_link_libraries(objects PRIVATE CuDNNChecked::cudnn)
add_executable(app $<TARGET_OBJECTS:objects>)
target_link_libraries(app PRIVATE CuDNNChecked::cudnn)
target_include_directories(app PRIVATE "${OTHER}")
cudnn_checked_guard(app)
""")
        self.assertEqual(list(app.build_directory.rglob("header_check.*")), [])

    def test_flags_that_only_suit_the_target(self):
        app, _ = self.built("""
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_UNITY_BUILD ON)
set(CMAKE_CXX_STANDARD 98)
set(CMAKE_C_STANDARD 90)
add_compile_options(-Wall -Wextra -Wpedantic -Wundef -Wshadow -Wunused-macros -Werror
                    "SHELL:-include ${CMAKE_SOURCE_DIR}/main.h")
add_compile_definitions(string=broken json=broken)
add_executable(app main.c)
target_compile_options(app PRIVATE -Wstrict-prototypes -Wmissing-prototypes -Wold-style-definition)
target_link_libraries(app PRIVATE CuDNNChecked::cudnn)
cudnn_checked_guard(app)
add_executable(cxx main.cpp)
target_compile_options(cxx PRIVATE -Wold-style-cast -Woverloaded-virtual)
target_link_libraries(cxx PRIVATE CuDNNChecked::cudnn)
target_precompile_headers(cxx PRIVATE <cudnn.h>)
cudnn_checked_guard(cxx)
file(WRITE "${CMAKE_SOURCE_DIR}/main.h" "#define vector broken\\n")
""")
        objects = app.build_directory.rglob("header_check.*.o")
        self.assertEqual(sorted(path.name for path in objects),
                         ["header_check.c.o", "header_check.cpp.o"])
        commands = json.loads(app.path("compile_commands.json").read_text())
        self.assertEqual({"cmake_pch" in command["command"] for command in commands
                          if "header_check" in command["file"]}, {False})

    def test_nothing_is_compiled_again(self):
        app, output = self.built(LINKED)
        self.assertIn("header_check.cpp.o", output)
        (app.source / "CMakeLists.txt").touch()
        self.configure(app)
        self.assertNotIn("Building", app.build().output)

    def test_another_release_is_compiled_again(self):
        app, _ = self.built(LINKED)
        bare_cudnn(self.scratch / "sdk", "9.15.1")
        self.configure(app)
        done = app.build()
        self.assertEqual(done.status, 0, done.output)
        self.assertIn("header_check.cpp.o", done.output)
