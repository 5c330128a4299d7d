# SPDX-License-Identifier: BSD-3-Clause
"""CuDNNCheckedProvider.cmake: which cuDNN a person names, and what a project's own find module makes of it."""

from provided_project import HEAD, PROVIDER, TOOLKIT, ProviderTest
from support import bare_cuda, cmake_program, errors


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
target_link_libraries(CUDNN::cudnn_all INTERFACE CUDNN::cudnn CUDNN::cudnn_adv $<$<NOT:$<BOOL:OFF>>:CUDNN::cudnn_cnn>)
set(CUDNN_FOUND TRUE)
"""
        app = self.project("find_package(CUDNN REQUIRED)\nadd_executable(app main.c)\n"
                           "target_link_libraries(app PRIVATE CUDNN::cudnn_all)\n", languages="C",
                           **{"FindCUDNN.cmake": module, "main.c": "int main(void) { return 0; }\n"})
        (self.decoy / "lib" / "libcudnn_adv.so").write_text("")
        done = self.configure(app)
        self.assertEqual((done.status, errors(done.output)), (0, []), done.output)
        self.assertIn("Generating done", done.output)

    def test_a_list_with_one_that_is_missing(self):
        """It is the module's own: without what is missing nobody would see it."""
        module = self.MODULE + "set(CUDNN_LIBRARIES ${SPECIAL_LIB} NVINFER-NOTFOUND)\nset(CUDNN_LIBRARY LIB-NOTFOUND)\n"
        app = self.project('find_package(CUDNN REQUIRED)\nprint("${CUDNN_LIBRARIES}\n${CUDNN_LIBRARY}")\n',
                           **{"FindCUDNN.cmake": module})
        self.assertEqual(self.printed(app, self.configure(app)), [
            "<scratch>/wanted/lib/libcudnn.so.9;NVINFER-NOTFOUND", "<scratch>/wanted/lib/libcudnn.so.9"])

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

    def test_a_variable_goes_before_the_environment(self):
        for number, name in enumerate(("CUDNN_PATH", "cuDNN_ROOT")):
            with self.subTest(name):
                app = self.consumer(f"before{number}", cmake_lists=HEAD.format(languages="NONE") + self.ASKS, **TOOLKIT)
                done = self.configure_named(app, f"-D{name}={self.wanted}", environment={"CUDNN_DIR": str(self.decoy)})
                self.assertEqual(self.printed(app, done), self.WANTED)

    def test_files_and_hints(self):
        for number, (text, arguments) in enumerate((
                (self.ASKS, [f"-DCUDNN_LIBRARY={self.wanted}/lib/libcudnn.so.9"]),
                (self.ASKS, [f"-DCUDNN_INCLUDE_DIR={self.wanted}/include"]),
                (self.ASKS, [f"-DCUDNN_INCLUDE_DIR={self.wanted}/include",
                             f"-DCUDNN_LIBRARY={self.wanted}/lib/libcudnn.so.9"]),
                ("find_path(SPECIAL cudnn.h HINTS ${MINE}/include)\nfind_library(LIB cudnn HINTS ${MINE}/lib)\n"
                 'print("${SPECIAL} ${LIB}")\n', ["-DCMAKE_PREFIX_PATH=", f"-DMINE={self.wanted}/"]),
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

    def test_paths_of_the_call(self):
        """Searched last, as CMake does, or first where the call searches nothing else."""
        both = 'print("${SPECIAL} ${LIB}")\n'
        toolkit = bare_cuda(self.scratch / "toolkit")
        for number, (text, prefix, taken) in enumerate((
                # As NVIDIA's samples, and in the short form.
                ("find_path(SPECIAL cudnn.h PATHS ${MINE}/include)\n"
                 "find_library(LIB NAMES cudnn PATHS ${MINE}/lib)\n", "", "wanted"),
                ("find_library(LIB cudnn ${MINE}/lib)\nfind_path(SPECIAL cudnn.h ${MINE}/include)\n", "", "wanted"),
                # As SINGA, which misspells NAMES: all in front of PATHS are names.
                ("find_library(LIB NAME libcudnn.so PATHS ${MINE}/lib)\n"
                 "find_path(SPECIAL NAME cudnn.h PATHS ${MINE}/include)\n", "", "wanted"),
                ("find_library(LIB cudnn PATHS ENV MINE PATH_SUFFIXES lib)\nfind_path(SPECIAL cudnn.h)\n", "", "wanted"),
                ("find_library(LIB cudnn PATHS ${MINE}/lib)\nfind_path(SPECIAL cudnn.h)\n", "decoy", "decoy"),
                ("find_library(LIB cudnn HINTS ${DECOY}/lib PATHS ${MINE}/lib)\nfind_path(SPECIAL cudnn.h)\n", "", "decoy"),
                ("find_library(LIB cudnn PATHS ${MINE}/lib NO_DEFAULT_PATH)\n"
                 "find_path(SPECIAL cudnn.h PATHS ${MINE}/include NO_DEFAULT_PATH)\n", "", "wanted"))):
            with self.subTest(text=text, prefix=prefix):
                app = self.consumer(f"paths{number}", cmake_lists=HEAD.format(languages="NONE") + text + both, **TOOLKIT)
                done = self.configure_named(app, f"-DMINE={self.wanted}", f"-DCUDAToolkit_ROOT={toolkit}",
                                            f"-DCMAKE_PREFIX_PATH={self.scratch / prefix if prefix else ''}",
                                            environment={"MINE": str(self.wanted)})
                self.assertEqual(self.printed(app, done), [line.replace("wanted", taken) for line in self.WANTED])

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

    def test_one_that_leads_nowhere_and_two_of_one_kind(self):
        """Only what mends is a fix: there is nothing to take, or another variable names the one that was proved."""
        for number, (name, arguments) in enumerate((
                ("CUDNN_ROOT", [f"-DCUDNN_ROOT={self.scratch}/none"]),
                ("CUDNN_LIBRARY", [f"-DCUDNN_INCLUDE_DIR={self.decoy}/include",
                                   f"-DCUDNN_LIBRARY={self.wanted}/lib/libcudnn.so.9"]))):
            with self.subTest(name):
                app = self.consumer(f"one{number}", cmake_lists=HEAD.format(languages="NONE") + self.ASKS, **TOOLKIT)
                [text] = errors(self.configure_named(app, *arguments).output)
                self.assertEqual(self.relative(text).split("\n")[3:], [
                    f"  fix: cmake -U {name} <scratch>/one{number}-build", "  [bad-input]", ""])
                done = app.run(cmake_program(), "-U", name, app.build_directory)
                self.assertEqual(self.printed(app, done), [line.replace("wanted", "decoy") for line in self.WANTED])

    def test_what_the_project_sets_itself(self):
        """Its default is no word of a person, also in the second configure."""
        app = self.project('set(CUDNN_ROOT "${DECOY}" CACHE PATH "")\nset(cuDNN_DIR "${DECOY}")\n'
                           'find_path(CUDNN_INCLUDE_DIR cudnn.h HINTS ${CUDNN_ROOT})\nprint("${CUDNN_INCLUDE_DIR} ${CUDNN_ROOT}")\n')
        for _ in range(2):
            self.assertEqual(self.printed(app, self.configure(app)), ["<scratch>/wanted/include <scratch>/decoy"])
        done = self.configure(app, f"-DCUDNN_ROOT={self.decoy}")
        self.assertNotEqual(done.status, 0)
        self.assertIn("CUDNN_ROOT names another place than that of the cuDNN that was proved", done.output)

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

    def test_a_variable_of_the_project_that_disagrees(self):
        """It reaches the call alone, as TVM's USE_CUDNN; both fixes mend, in a second configure as well."""
        looks = ("find_path(INC cudnn.h HINTS ${USE_CUDNN}/include NO_DEFAULT_PATH)\n"
                 "find_library(LIB cudnn PATHS ${USE_CUDNN}/lib NO_DEFAULT_PATH)\nprint(\"${INC} ${LIB}\")\n")
        for number, text in enumerate((looks, "find_package(CUDNN REQUIRED)\n" + looks)):
            with self.subTest(text):
                app = self.consumer(f"own{number}", cmake_lists=HEAD.format(languages="NONE") + text, **TOOLKIT)
                self.assertEqual(self.printed(app, self.configure(app, f"-DUSE_CUDNN={self.wanted}/")), self.WANTED)
                [text] = errors(self.configure(app, f"-DUSE_CUDNN={self.decoy}/").output)
                self.assertEqual(self.relative(text), f"""\
cudnn_checked: refused: USE_CUDNN names another place than that of the cuDNN that was proved
  named:   <scratch>/decoy/   USE_CUDNN
  proved:  <scratch>/wanted/lib/libcudnn.so.9   cuDNN 9.14.0
  fix: cmake -D USE_CUDNN=<scratch>/wanted <scratch>/own{number}-build
   or: cmake -D CuDNNChecked_ROOT=<scratch>/decoy <scratch>/own{number}-build
  [bad-input]
""")
                done = app.run(cmake_program(), f"-DCuDNNChecked_ROOT={self.decoy}", app.build_directory)
                self.assertEqual(self.printed(app, done), ["<scratch>/decoy/include <scratch>/decoy/lib/libcudnn.so.9"])
                for _ in range(2):
                    done = app.run(cmake_program(), f"-DUSE_CUDNN={self.wanted}", f"-DCuDNNChecked_ROOT={self.wanted}",
                                   app.build_directory)
                    self.assertEqual(self.printed(app, done), self.WANTED)

    def test_a_directory_of_the_project_that_disagrees(self):
        """Hard-wired, or its default, or what it has found: no word of a person, also in a configure after another."""
        app = self.project('set(OWN_CUDNN "${DECOY}" CACHE PATH "")\n'
                           'find_path(INC cudnn.h HINTS ${OWN_CUDNN}/include ${DECOY}/include)\n'
                           'find_path(OF_CUDNN of_cudnn.h PATHS ${DECOY}/include)\n'
                           'find_library(LIB cudnn HINTS ${OWN_CUDNN}/lib ${CUDNN_INCLUDE_DIR})\nprint("${INC} ${LIB} ${OF_CUDNN}")\n'
                           "if(FAILS)\nmessage(FATAL_ERROR fails)\nendif()\n")
        self.write("decoy/include/of_cudnn.h", "")
        named = f"-DCUDNN_INCLUDE_DIR={self.wanted}/include"
        taken = [f"{self.WANTED[0]} <scratch>/decoy/include"]
        self.assertEqual(self.printed(app, self.configure(app, named)), taken)
        self.assertEqual(self.printed(app, self.configure(app, named)), taken)
        self.assertNotEqual(self.configure(app, named, "-DFAILS=ON").status, 0)
        self.assertEqual(self.printed(app, self.configure(app, named, "-DFAILS=OFF")), taken)
