# SPDX-License-Identifier: BSD-3-Clause
"""CuDNNCheckedProvider.cmake: a static cuDNN is refused in words, however a project or a person asks for it."""

from provided_project import ProviderTest
from support import cmake_program, errors, warnings
from support.environment import with_installers

ASKED = """\
cudnn_checked: refused: this project asks for the static cuDNN, and the shared one was proved
  asked for:  {}   {}
  proved:     <scratch>/wanted/lib/libcudnn.so.9   cuDNN 9.14.0
  fix: {}
  [bad-input]
"""
WORDS = "configure this project with its option for a shared cuDNN"
# As PyTorch's and OneFlow's module, and as MegEngine's.
OPTIONS = {
    "CUDNN_STATIC": """
option(CUDNN_STATIC "Look for static CUDNN" OFF)
set(CUDNN_LIBNAME "cudnn")
if(CUDNN_STATIC)
  set(CUDNN_LIBNAME "libcudnn_static.a")
endif()
find_library(CUDNN_LIBRARY_PATH ${CUDNN_LIBNAME} PATHS ${CUDNN_LIBRARY} PATH_SUFFIXES lib lib64)
""",
    # Of MegEngine, whose CUDA is static and whose cuDNN is shared by default.
    "MGE_WITH_CUDNN_SHARED": """
option(MGE_CUDA_USE_STATIC "" ON)
option(MGE_WITH_CUDNN_SHARED "" ON)
if(MGE_CUDA_USE_STATIC AND NOT MGE_WITH_CUDNN_SHARED)
  find_library(CUDNN_LIBRARY_PATH NAMES libcudnn_static.a cudnn.lib PATHS $ENV{LD_LIBRARY_PATH})
else()
  find_library(CUDNN_LIBRARY_PATH NAMES libcudnn.so cudnn.lib PATHS $ENV{LD_LIBRARY_PATH})
endif()
""",
}
PRINT = 'print("${CUDNN_LIBRARY_PATH}")\n'
WANTED = ["<scratch>/wanted/lib/libcudnn.so.9"]


class Static(ProviderTest):
    def refused(self, app, *arguments):
        done = self.configure(app, *arguments)
        self.assertNotEqual(done.status, 0, done.output)
        [text] = errors(done.output)
        return self.relative(text)

    def test_names_of_the_call(self):
        for number, names in enumerate(("cudnn_static", "libcudnn_static.a", "libcudnn_static_v9.a", "cudnn_static64_9",
                                        "cudnn_graph_static", "libcudnn_graph_static.a", "libcudnn_graph_static_v9.a",
                                        "libcudnn.a", "cudnn_static.lib", "cudnn_static libcudnn_static.a",
                                        "libcudnn_static.a cudnn")):
            with self.subTest(names):
                app = self.project(f"find_library(CUDNN_LIBRARY NAMES {names})\n")
                app.build_directory = self.scratch / f"names{number}"
                self.assertEqual(self.refused(app), ASKED.format(names.replace(" ", ", "), "CUDNN_LIBRARY", WORDS))

    def test_one_that_is_asked_for_after_an_answer(self):
        """The variable has a value already: find_library would search nothing."""
        app = self.project("find_package(CUDNN REQUIRED)\nfind_library(CUDNN_LIBRARY_PATH NAMES libcudnn_static.a)\n")
        self.assertEqual(self.refused(app), ASKED.format("libcudnn_static.a", "CUDNN_LIBRARY_PATH", WORDS))

    def test_one_that_is_asked_for_behind_the_shared_one(self):
        app = self.project("find_library(CUDNN_LIBRARY_PATH NAMES cudnn cudnn_static)\n" + PRINT)
        self.assertEqual(self.printed(app, self.configure(app)), WANTED)

    def test_options_of_projects(self):
        for name, text in OPTIONS.items():
            for asks in (text, f"find_package(CUDNN REQUIRED)\n{text}"):
                with self.subTest(option=name, asks=asks):
                    app = self.project(asks + PRINT)
                    app.build_directory = self.scratch / f"{name}{asks == text}"
                    asked, shared = ("OFF", "ON") if name.endswith("SHARED") else ("ON", "OFF")
                    fix = f"cmake -D {name}={shared} {self.relative(str(app.build_directory))}"
                    self.assertEqual(self.refused(app, "-DMGE_CUDA_USE_STATIC=ON", f"-D{name}={asked}"), ASKED.format(asked, name, fix))
                    done = app.run(cmake_program(), f"-D{name}={shared}", app.build_directory)
                    self.assertEqual(self.printed(app, done), WANTED)
                    app.build_directory = self.scratch / f"{name}{asks == text}-default"
                    self.assertEqual(self.printed(app, self.configure(app)), WANTED)

    def test_an_archive_in_a_variable(self):
        """The fix takes the shared one beside it; where there is none, there is no command."""
        static = self.scratch / "static/lib/libcudnn_static_v9.a"
        self.write("static/lib/libcudnn_static_v9.a", "!<arch>\n")
        beside = self.wanted / "lib/libcudnn_static.a"
        beside.write_text("!<arch>\n")
        for number, (variable, value, fix) in enumerate((
                ("CUDNN_LIBRARY", beside, "cmake -U CUDNN_LIBRARY -D CuDNNChecked_ROOT=<scratch>/wanted <scratch>/archive0"),
                ("CUDNN_LIBRARY", static, "name the shared library itself"),
                ("cudnn_graph_LIBRARY", self.scratch / "static/lib/libcudnn_graph_static_v9.a", "name the shared library itself"),
                ("CUDNN_LIBRARY", "cudnn_static", "name the shared library itself"),
                # The variable of the call itself.
                ("CUDNN_LIBRARY_PATH", static, "name the shared library itself"))):
            with self.subTest(variable=variable, value=value):
                app = self.project("find_library(CUDNN_LIBRARY_PATH cudnn)\nfind_library(cudnn_graph_LIBRARY cudnn_graph)\n" + PRINT)
                app.build_directory = self.scratch / f"archive{number}"
                self.assertEqual(self.refused(app, f"-D{variable}={value}"), f"""\
cudnn_checked: refused: {variable} names a static cuDNN, and only a shared one can be proved
  value:  {self.relative(str(value))}   {variable}
  fix: {fix}
  [bad-input]
""")
                done = app.run(cmake_program(), "-U", variable, f"-DCuDNNChecked_ROOT={self.wanted}", app.build_directory)
                self.assertEqual(self.printed(app, done), WANTED)

    def test_in_a_build_tree_that_has_nothing_yet(self):
        """What writes the message is compiled there, before the search: here no compiler is."""
        app = self.project("find_library(LIB cudnn)\n")
        app.shares_configure = False
        app.environment = with_installers(self.scratch / "installers", "python3")
        self.assertEqual(self.refused(app, "-DCUDNN_LIBRARY=cudnn_static", "-DCMAKE_CXX_COMPILER="), """\
cudnn_checked: refused: CUDNN_LIBRARY names a static cuDNN, and only a shared one can be proved: cudnn_static
  no program says more: no C++ compiler for programs that this machine runs
""")

    def test_an_archive_that_no_variable_names(self):
        """What is linked by its path or its name is told, as another shared one is; to take it is no fix."""
        self.write("static/lib/libcudnn_static_v9.a", "!<arch>\n")
        for number, (linked, guard) in enumerate((("<scratch>/static/lib/libcudnn_static_v9.a", "DECLARED"),
                                                  ("-lcudnn_static", "DECLARED"), ("cudnn_graph_static_v9", "ALL"))):
            with self.subTest(linked):
                word = linked.replace("<scratch>", str(self.scratch))
                app = self.project(f"find_library(LIB cudnn)\nadd_executable(app main.c)\ntarget_link_libraries(app PRIVATE {word})\n",
                                   languages="C CXX", **{"main.c": "int main(void) { return 0; }\n"})
                app.build_directory = self.scratch / f"linked{number}"
                done = self.configure(app, f"-DCuDNNChecked_GUARD={guard}")
                self.assertEqual(done.status != 0, guard == "ALL", done.output)
                [text] = errors(done.output) if guard == "ALL" else warnings(done.output)
                self.assertEqual(self.relative(text), f"""\
cudnn_checked: {"refused" if guard == "ALL" else "warning"}: app links another cuDNN than the one that was proved
  links:   {linked}   app
  proved:  <scratch>/wanted/lib/libcudnn.so.9   cuDNN 9.14.0
  Nothing is known of the other one, and together they are a mix.
  [two-cudnns]
""")
