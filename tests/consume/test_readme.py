# SPDX-License-Identifier: BSD-3-Clause
"""The code and the commands of README.md, and the code of docs/reference, as they stand there."""

import re
import shutil
import textwrap

from support import REPOSITORY, ScratchTest, simulated_sdk
from support.consumer import cmake_program, path_of_builders
from support.readme import README, readme_blocks

REFERENCE = """\
cmake_minimum_required(VERSION 3.22)
project(reference LANGUAGES C CXX)
find_package(CuDNNChecked 9.1...<10 REQUIRED)
add_library(plugin SHARED cpp.cpp c.c)
target_link_libraries(plugin PRIVATE CuDNNChecked::cudnn)
cudnn_checked_guard(plugin MANUAL)
add_executable(app app.cpp)
target_link_libraries(app PRIVATE plugin CuDNNChecked::cudnn)
cudnn_checked_guard(app)

add_library(filters STATIC filters.cpp)
target_link_libraries(filters PRIVATE CuDNNChecked::cudnn)
{export}
"""

CONSUMER = """\
cmake_minimum_required(VERSION 3.22)
project(consumer LANGUAGES CXX)
find_package(filters REQUIRED)
"""

APP = """\
#include <cstdio>
void cpp();
extern "C" void c(void);
int main() {
  cpp();
  c();
  std::puts("done");
}
"""


def code_block(text, language):
    """The first one of a text in reStructuredText: what is indented deeper than its directive."""
    indent, rest = re.search(rf"(?ms)^( *)\.\. code-block:: {language}\n(.*)", text).groups()
    return textwrap.dedent(re.match(rf"(?:{indent} +.*\n|\n)+", rest)[0]).strip("\n")


def reference_block(page, language):
    return code_block((REPOSITORY / "docs" / "reference" / f"{page}.rst").read_text(encoding="utf-8"), language)


def function(declaration, code, before=""):
    """The statements as a function; what must stand before it stays there."""
    lines = code.splitlines()
    includes = [line for line in lines if line.startswith("#")]
    rest = [line for line in lines if not line.startswith("#")]
    return "\n".join([*includes, before, declaration + " {", *rest, "}", ""])


class Readme(ScratchTest):
    """In a directory that has the repository as CuDNNChecked, as README asks for."""

    def setUp(self):
        super().setUp()
        (self.scratch / "CuDNNChecked").symlink_to(REPOSITORY)
        self.sdk = simulated_sdk(cudnn="9.14.0", gpus="sm_86")
        self.project = self.consumer("unused")

    def shell(self, command, **environment):
        generator = self.project.generator
        return self.project.run("sh", "-c", f"set -e\ncd '{self.scratch}'\n{command}", environment={
            "PATH": path_of_builders(), "CMAKE_GENERATOR": generator, "CXXFLAGS": "-O0", **environment})

    def test_the_project(self):
        cmake_lists, app, commands = readme_blocks("In your project")
        self.write("CMakeLists.txt", cmake_lists + "\n")
        self.write("app.cpp", app + "\n")
        hints = {"CuDNNChecked_ROOT": self.sdk.prefix, "CUDAToolkit_ROOT": self.sdk.prefix}
        done = self.shell(commands, **hints)
        self.assertEqual(done.status, 0, done.output)
        self.assertNotIn("warning", done.output.lower())
        self.assertEqual(done.output.splitlines()[-1], "computes with cuDNN 91400")
        with self.subTest("GPU REQUIRED is what makes it refuse without a GPU"):
            call = re.search(r"`(cudnn_checked_guard\(app GPU REQUIRED\))`", README)[1]
            option = re.search(r"`(-D CuDNNChecked_GPU=REQUIRED)`", README)[1]
            for text, with_option in [(cmake_lists.replace("cudnn_checked_guard(app)", call), ""),
                                      (cmake_lists, f" {option}")]:
                self.write("CMakeLists.txt", text)
                done = self.shell(commands.replace("cmake -S . -B build", "cmake -S . -B build" + with_option), **hints)
                self.assertEqual(done.status, 78, done.output)
                self.assertIn("\ncudnn_checked: refused: there is no NVIDIA driver on this machine\n", done.output)
        with self.subTest("add_subdirectory comes before find_package"):
            shutil.rmtree(self.scratch / "build")
            door, find = "add_subdirectory(CuDNNChecked)", "find_package(CuDNNChecked 9.1...<10 REQUIRED)"
            self.write("CMakeLists.txt", cmake_lists.replace(door, "#").replace(find, f"{find}\n{door}"))
            self.assertIn('By not providing "FindCuDNNChecked.cmake"', self.shell(commands, **hints).output)

    def test_the_packages(self):
        """On a machine that has nothing else, CMake's own choice of generator is make."""
        known = (REPOSITORY / "scripts" / "install_missing.sh").read_text(encoding="utf-8")
        lines = re.findall(r"(?m)^    .*apt-get install (.*)$", README)
        self.assertEqual([line.split() for line in lines], [["cmake", "make", "g++"]] * 2)
        for package in lines[1].split():
            self.assertIn(f" need {package}\n", known)
        # Not every container has it.
        self.assertNotRegex(README, r"(?m)^    .*\bsudo\b")

    def test_the_command_line(self):
        commands = readme_blocks("The command line")[-1]
        lines = commands.replace("\\\n", "").splitlines()
        self.assertIn("-D CUDNN_CHECKED_BUILD_CLI=ON", lines[0])
        # Built as it is by the tests: compiling all of it again, optimised, takes minutes.
        done = self.shell("\n".join([lines[0] + " -D CUDNN_CHECKED_BUILD_CLI=OFF", *lines[1:]]))
        self.assertEqual(done.status, 0, done.output)
        local = self.scratch / ".local"
        self.assertTrue((local / "share/CuDNNChecked/cmake/FindCuDNNChecked.cmake").is_file())
        uninstall = re.search(r"`(cmake --build build/cudnn-checked --target uninstall)`", README)[1]
        self.assertEqual(self.shell(uninstall).status, 0)
        self.assertFalse(local.exists())

    def test_the_words_of_the_command_line(self):
        """Each command of the table is one of the program's, as docs/command_line.md lists them."""
        words = re.findall(r"(?m)^\| `cudnn-checked ([\w-]+)[^|]*` \| ", README)
        document = (REPOSITORY / "docs" / "command_line.md").read_text(encoding="utf-8")
        table = document.replace("\\|", "/").split("| command | answers |\n")[1].split("\n\n")[0]
        listed = dict.fromkeys(re.findall(r"(?m)^\| `([\w-]+)[^|]*` \| ", table))
        self.assertEqual([*words, "help"], list(listed))

    def test_the_other_cudnn_of_the_first_hour(self):
        """It is one of those with which the tests show a refusal."""
        page = (REPOSITORY / "docs/index.md").read_text(encoding="utf-8")
        requirement = re.search(r"(?m)^    python3 -m pip install --target other (\S+)$", page)[1]
        self.assertIn(requirement, (REPOSITORY / "scripts/cudnn_sets.txt").read_text(encoding="utf-8"))

    def test_links(self):
        for target in re.findall(r"\]\(([^)]+)\)", README):
            self.assertTrue((REPOSITORY / target).exists(), target)


class Reference(ScratchTest):
    def test_the_code_of_the_reference(self):
        text = (REPOSITORY / "cmake/CuDNNChecked/every_configure/targets.cmake").read_text(encoding="utf-8")
        export, config = code_block(text, "cmake").split("\n\n# filtersConfig.cmake\n")
        app = self.consumer("reference", cmake_lists=REFERENCE.format(export=export))
        app.write("app.cpp", APP)
        app.write("filters.cpp", "#include <cudnn.h>\nsize_t version() { return cudnnGetVersion(); }\n")
        app.write("filtersConfig.cmake", config + "\n")
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
        done = self.consumer("consumer", cmake_lists=CONSUMER).configure(
            f"-DCMAKE_PREFIX_PATH={self.scratch}/prefix", *hints)
        self.assertEqual(done.status, 0, done.output)
