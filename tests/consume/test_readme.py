# SPDX-License-Identifier: BSD-3-Clause
"""The code of README.md and of docs/reference, as it stands there, in one project that builds and runs."""

import re
import textwrap
import unittest

from support import REPOSITORY, ScratchTest, cmake_program, simulated_sdk

PROJECT = """\
cmake_minimum_required(VERSION 3.22)
project(readme LANGUAGES C CXX)
{use}
add_library(plugin SHARED readme.cpp cpp.cpp c.c)
target_link_libraries(plugin PRIVATE CuDNNChecked::cudnn)
{manual}
target_link_libraries(app PRIVATE plugin)

add_library(filters STATIC filters.cpp)
target_link_libraries(filters PRIVATE CuDNNChecked::cudnn)
install(TARGETS filters EXPORT filtersTargets)
install(EXPORT filtersTargets NAMESPACE filters:: DESTINATION lib/cmake/filters)
{export}
"""

CONSUMER = """\
cmake_minimum_required(VERSION 3.22)
project(consumer LANGUAGES CXX)
find_package(filters REQUIRED)
"""

APP = """\
#include <cstdio>
void readme();
void cpp();
extern "C" void c(void);
int main() {
  readme();
  cpp();
  c();
  std::puts("done");
}
"""


def readme_blocks():
    """The indented blocks of `In your project`; a blank line between two indented ones does not end one."""
    text = (REPOSITORY / "README.md").read_text(encoding="utf-8")
    section = re.search(r"(?ms)^## In your project\n(.*?)^## ", text)[1]
    return [textwrap.dedent(block).strip("\n") for block in
            re.findall(r"(?m)(?:^    .*\n(?:\n(?=    ))?)+", section)]


def reference_block(page, language):
    text = (REPOSITORY / "docs" / "reference" / f"{page}.rst").read_text(encoding="utf-8")
    return textwrap.dedent(re.search(rf"code-block:: {language}\n\n((?:  .*\n|\n)+)", text)[1])


def function(declaration, code, before=""):
    """The statements as a function; what must stand before it stays there."""
    lines = code.splitlines()
    includes = [line for line in lines if line.startswith("#")]
    rest = [line for line in lines if not line.startswith("#")]
    return "\n".join([*includes, before, declaration + " {", *rest, "}", ""])


class Readme(ScratchTest):
    def test_the_code_of_the_documents(self):
        use, manual, export = readme_blocks()
        manual, readme = manual.split("\n\n", 1)
        export, config = export.split("\n# filtersConfig.cmake: ")
        app = self.consumer("readme", cmake_lists=PROJECT.format(use=use, manual=manual, export=export))
        app.write("app.cpp", APP)
        app.write("filters.cpp", "#include <cudnn.h>\nsize_t version() { return cudnnGetVersion(); }\n")
        app.write("readme.cpp", function("void readme()", readme))
        app.write("cpp.cpp", function("void cpp()", reference_block("cpp", "cpp"),
                                      "static void use_the_cpu(const std::string&) {}"))
        app.write("c.c", function("void c(void)", reference_block("c", "c"), "#include <stdio.h>"))
        sdk = simulated_sdk(cudnn="9.14.0", gpus="sm_86")
        hints = [f"-DCuDNNChecked_ROOT={sdk.prefix}", f"-DCUDAToolkit_ROOT={sdk.prefix}"]
        for done in [app.configure(f"-DCuDNNChecked_DIR={REPOSITORY}/cmake", *hints,
                                   environment=sdk.environment),
                     app.build(),
                     app.run(cmake_program(), "--install", app.build_directory, "--prefix",
                             self.scratch / "prefix")]:
            self.assertEqual(done.status, 0, done.output)
            self.assertNotIn("warning", done.output.lower())
        done = app.run(app.path("app"), environment=sdk.environment)
        self.assertEqual((done.status, done.output), (0, "done\n"))
        with self.subTest("without a GPU the program does not start"):
            done = app.run(app.path("app"))
            self.assertEqual((done.status, done.output.splitlines()[0]), (
                78, "cudnn_checked: refused: there is no NVIDIA driver on this machine"))

        self.write("prefix/lib/cmake/filters/filtersConfig.cmake",
                   config + '\ninclude("${CMAKE_CURRENT_LIST_DIR}/filtersTargets.cmake")\n')
        done = self.consumer("consumer", cmake_lists=CONSUMER).configure(
            f"-DCMAKE_PREFIX_PATH={self.scratch}/prefix", *hints)
        self.assertEqual(done.status, 0, done.output)

    def test_the_first_page_has_the_code_of_the_readme(self):
        page = (REPOSITORY / "docs" / "index.rst").read_text(encoding="utf-8")
        use = re.sub(r" +#.*", "", readme_blocks()[0])
        self.assertIn(textwrap.indent(use, "  "), page)


if __name__ == "__main__":
    unittest.main()
