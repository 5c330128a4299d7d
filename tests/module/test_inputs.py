# SPDX-License-Identifier: BSD-3-Clause
"""A value that is not possible is an error that lists those that are."""

from support import bare_cudnn, relative_output
from support.downloads import download
from support.library_roles import COMPONENTS
from support.locating import LocatingTest


class Inputs(LocatingTest):
    def refused(self, *arguments, request="REQUIRED"):
        prefix = self.scratch / "sdk"
        if not prefix.exists():
            bare_cudnn(prefix)
        self.app.write("CMakeLists.txt", (self.app.source / "CMakeLists.txt").read_text().replace(
            "set(CuDNNChecked_REQUIRE LOCATED)\n", ""))
        return self.locate(f"-DCuDNNChecked_ROOT={prefix}", *arguments, request=request)

    def test_require(self):
        self.assertEqual(self.refused("-DCuDNNChecked_REQUIRE=RUN"), """\
cudnn_checked: refused: CuDNNChecked_REQUIRE has a value that is not known; did you mean RAN?
  value:     RUN   CuDNNChecked_REQUIRE
  possible:  AUTO, LOCATED, LINKED, LOADED, RAN
  fix: cmake -D CuDNNChecked_REQUIRE=RAN <scratch>/app-build
  [bad-input]
""")

    def test_require_is_no_switch(self):
        for word in ["off", "NO", "0", "FALSE", "n", "IGNORE", "A-NOTFOUND"]:
            with self.subTest(word=word):
                self.assertEqual(self.refused(f"-DCuDNNChecked_REQUIRE={word}"), f"""\
cudnn_checked: refused: CuDNNChecked_REQUIRE has a value that is not known
  value:     {word}   CuDNNChecked_REQUIRE
  possible:  AUTO, LOCATED, LINKED, LOADED, RAN
  fix: cmake -U CuDNNChecked_REQUIRE <scratch>/app-build
  [bad-input]
""")

    def test_policy(self):
        self.assertEqual(self.refused("-DCuDNNChecked_POLICY=strict"), """\
cudnn_checked: refused: CuDNNChecked_POLICY has a value that is not known
  value:     strict   CuDNNChecked_POLICY
  possible:  compatible, exact, major
  fix: cmake -U CuDNNChecked_POLICY <scratch>/app-build
  [bad-input]
""")

    def test_gpu(self):
        self.assertEqual(self.refused("-DCuDNNChecked_GPU=optoinal"), """\
cudnn_checked: refused: CuDNNChecked_GPU has a value that is not known; did you mean OPTIONAL?
  value:     optoinal   CuDNNChecked_GPU
  possible:  REQUIRED, OPTIONAL
  fix: cmake -D CuDNNChecked_GPU=OPTIONAL <scratch>/app-build
  [bad-input]
""")

    def test_guard(self):
        self.assertEqual(self.refused("-DCuDNNChecked_GUARD=NONE"), """\
cudnn_checked: refused: CuDNNChecked_GUARD has a value that is not known
  value:     NONE   CuDNNChecked_GUARD
  possible:  DECLARED, ALL, WARN, OFF
  fix: cmake -U CuDNNChecked_GUARD <scratch>/app-build
  [bad-input]
""")

    def test_a_word_that_goes_on(self):
        for word, meant in (("warning", "WARN"), ("wran", "WARN"), ("declare", "DECLARED")):
            with self.subTest(word):
                self.assertEqual(self.refused(f"-DCuDNNChecked_GUARD={word}"), f"""\
cudnn_checked: refused: CuDNNChecked_GUARD has a value that is not known; did you mean {meant}?
  value:     {word}   CuDNNChecked_GUARD
  possible:  DECLARED, ALL, WARN, OFF
  fix: cmake -D CuDNNChecked_GUARD={meant} <scratch>/app-build
  [bad-input]
""")

    def test_upper_and_lower_case_are_one(self):
        words = {"REQUIRE": "located", "POLICY": "Exact", "GPU": "required", "GUARD": "warn", "KERNEL": "off",
                 "PROVIDE_CUDNN_TARGETS": "no", "OPERATIONS": "Matmul", "CONVOLUTIONS": "Legacy", "DEVICES": "ALL"}
        given = [f"-DCuDNNChecked_{name}={word}" for name, word in words.items()]
        self.assertEqual(self.refused(*given)["LEVEL"], "LOCATED")

    def test_a_version_of_four_numbers(self):
        """As wheels and Debian's packages have it."""
        for request, version in (("9.19.0.56 EXACT", "9.19.0.56"), ("9.1...<9.20.0.1", "9.20.0.1")):
            with self.subTest(request):
                self.assertEqual(self.refused(request=request.replace(" ", ";") + ";REQUIRED"), f"""\
cudnn_checked: refused: find_package asks for a cuDNN by four numbers, and its header has three
  asked for:  {version}   find_package
  fix: in the find_package call: {version.rpartition(".")[0]} in place of {version}
  [bad-input]
""")

    def test_the_version_of_the_header(self):
        """CUDNN_VERSION: no download has that release."""
        for request, version, meant in (("90100", "90100", "9.1.0"), ("8907 EXACT", "8907", "8.9.7"), ("9.1...<91000", "91000", "9.10.0"),
                                        ("100203", "100203", "10.2.3")):
            with self.subTest(request):
                self.assertEqual(self.refused(request=request.replace(" ", ";") + ";REQUIRED"), f"""\
cudnn_checked: refused: find_package asks for a cuDNN by CUDNN_VERSION of its header
  asked for:  {version}   find_package
  fix: in the find_package call: {meant} in place of {version}
  [bad-input]
""")

    def test_a_number_that_no_header_has(self):
        for version in ("12345", "900", "1234567"):
            with self.subTest(version):
                self.assertIn(f"cudnn_checked: refused: no cuDNN {version} or newer was found",
                              self.refused(request=f"{version};REQUIRED"))

    def test_provide_cudnn_targets(self):
        self.assertEqual(self.refused("-DCuDNNChecked_PROVIDE_CUDNN_TARGETS=onn"), """\
cudnn_checked: refused: CuDNNChecked_PROVIDE_CUDNN_TARGETS has a value that is not known; did you mean ON?
  value:     onn   CuDNNChecked_PROVIDE_CUDNN_TARGETS
  possible:  ON, OFF
  fix: cmake -D CuDNNChecked_PROVIDE_CUDNN_TARGETS=ON <scratch>/app-build
  [bad-input]
""")

    def test_a_value_that_the_project_sets(self):
        """The cache does not count then."""
        text = (self.app.source / "CMakeLists.txt").read_text()
        self.app.write("CMakeLists.txt", text.replace("find_package(", "set(CuDNNChecked_GPU no)\nfind_package("))
        self.assertIn("\n  fix: in CMakeLists.txt: remove what sets CuDNNChecked_GPU\n", self.refused())
        self.app.write("CMakeLists.txt", text.replace("find_package(", "set(CuDNNChecked_GPU Optinal)\nfind_package("))
        self.assertIn("\n  fix: in CMakeLists.txt: set(CuDNNChecked_GPU OPTIONAL)\n", self.refused())

    def test_a_value_that_a_toolchain_file_sets(self):
        file = self.write("chain.cmake", "set(CuDNNChecked_GPU no)\n")
        self.assertIn("\n  fix: in <scratch>/chain.cmake: remove what sets CuDNNChecked_GPU\n",
                      self.refused(f"-DCMAKE_TOOLCHAIN_FILE={file}"))

    def test_a_value_that_a_preset_sets(self):
        """The cache has it again after the next "cmake --preset"."""
        presets = self.app.source / "CMakePresets.json"
        for value, line in [("no", "remove what sets CuDNNChecked_GPU"),
                            ("Optinal", '"CuDNNChecked_GPU": "OPTIONAL"')]:
            self.app.write("CMakePresets.json", '{"configurePresets": [{"cacheVariables": '
                           f'{{"CuDNNChecked_GPU": "{value}"}}}}]}}')
            self.assertIn(f"\n  fix: in <scratch>/{presets.relative_to(self.scratch)}: {line}\n",
                          self.refused(f"-DCuDNNChecked_GPU={value}"))
        self.assertIn("\n  fix: cmake -U CuDNNChecked_GPU <scratch>/app-build\n",
                      self.refused("-DCuDNNChecked_GPU=of-the-command-line"))

    def test_timeout(self):
        self.assertEqual(self.refused("-DCuDNNChecked_PROBE_TIMEOUT=2min"), """\
cudnn_checked: refused: CuDNNChecked_PROBE_TIMEOUT is no number of seconds
  value:  2min   CuDNNChecked_PROBE_TIMEOUT
  fix: cmake -D CuDNNChecked_PROBE_TIMEOUT=120 <scratch>/app-build
  [bad-input]
""")

    def test_control_characters(self):
        self.assertEqual(self.refused("-DCuDNNChecked_POLICY=a\n  fix: rm b\x1bc\x7f\rd"), """\
cudnn_checked: refused: CuDNNChecked_POLICY has a value that is not known
  value:     a\\x0a  fix: rm b\\x1bc\\x7f\\x0dd   CuDNNChecked_POLICY
  possible:  compatible, exact, major
  fix: cmake -U CuDNNChecked_POLICY <scratch>/app-build
  [bad-input]
""")

    def test_component(self):
        self.assertEqual(self.refused(request="REQUIRED;COMPONENTS;cnn;convolutions"), f"""\
cudnn_checked: refused: COMPONENTS has a value that is not known
  value:     convolutions   COMPONENTS
  possible:  {", ".join(COMPONENTS)}
  fix: name one of the possible ones in COMPONENTS
  [bad-input]
""")

    def test_what_was_meant(self):
        for name, meant in [("cnn_infer", "cnn"), ("engines_precompild", "engines_precompiled"),
                            ("Heuristics", "heuristic"), ("heurstik", "heuristic"),
                            ("tensor_ir", "")]:
            with self.subTest(name=name):
                text = self.refused(request=f"REQUIRED;COMPONENTS;{name}")
                self.assertIn(f"not known; did you mean {meant}?\n" if meant else "not known\n", text)
                self.assertIn(f"\n  fix: name {meant or 'one of the possible ones'} in COMPONENTS\n", text)

    def test_an_optional_component_that_is_not_known(self):
        text = (self.app.source / "CMakeLists.txt").read_text()
        self.app.write("CMakeLists.txt", text + """
if(CuDNNChecked_later_FOUND OR NOT DEFINED CuDNNChecked_later_FOUND)
  message(FATAL_ERROR "later: ${CuDNNChecked_later_FOUND}")
endif()""")
        result = self.refused("-DCuDNNChecked_REQUIRE=LOCATED",
                              request="REQUIRED;OPTIONAL_COMPONENTS;later")
        self.assertEqual(result["FOUND"], "TRUE")

    def test_a_component_of_a_later_release(self):
        self.assertEqual(relative_output(self.refused(request="REQUIRED;COMPONENTS;ext"),
                                         scratch=self.scratch), f"""\
cudnn_checked: refused: cuDNN 9.14.0 has no component ext
  asked for:     ext   COMPONENTS
  exists since:  9.22.0   release of cuDNN
  cuDNN:         9.14.0   <scratch>/sdk/lib/libcudnn.so.9
  Reinstalling this release does not bring it.
  fix: in a Python environment, which CuDNNChecked_ROOT then names: pip install 'nvidia-cudnn-cu13>=9.22.0'
{download()}   or: ask for COMPONENTS without ext
  [sublibrary-missing]
""")
        self.assertIn("exists since:  9.21.0 ",
                      self.refused(request="REQUIRED;COMPONENTS;engines_tensor_ir"))

    def test_no_cxx(self):
        self.assertEqual(self.refused(), """\
cudnn_checked: refused: the probe is C++, and this project does not enable that language
  languages:  NONE   project()
  fix: project(... LANGUAGES CXX), before find_package(CuDNNChecked)
  [probe-not-compiled]
""")
        cmake_lists = self.app.source / "CMakeLists.txt"
        cmake_lists.write_text(cmake_lists.read_text().replace("LANGUAGES NONE", "LANGUAGES C ASM"))
        self.assertIn("""
  languages:  ASM C   project()
  fix: project(... LANGUAGES ASM C CXX), before find_package(CuDNNChecked)
""", self.refused())
