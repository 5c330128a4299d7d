# SPDX-License-Identifier: BSD-3-Clause
"""CuDNNCheckedProvider.cmake: what the targets of the project link and are compiled with, compared with what was proved."""

import json
import re

from provided_project import FIND_FILES, LINKED, LOCATED, PROVIDER, ProviderTest
from support import cmake_program, errors, status_lines, warnings


class Targets(ProviderTest):
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
