# SPDX-License-Identifier: BSD-3-Clause
"""A value that is not possible is an error that lists those that are."""

from support import bare_cudnn
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
cudnn_checked: refused: CuDNNChecked_REQUIRE has a value that is not known
  value:     RUN   CuDNNChecked_REQUIRE
  possible:  AUTO, LOCATED, LINKED, LOADED, RAN
  fix: use one of the possible values
  [bad-input]
""")

    def test_policy(self):
        self.assertEqual(self.refused("-DCuDNNChecked_POLICY=strict"), """\
cudnn_checked: refused: CuDNNChecked_POLICY has a value that is not known
  value:     strict   CuDNNChecked_POLICY
  possible:  compatible, exact, major
  fix: use one of the possible values
  [bad-input]
""")

    def test_timeout(self):
        self.assertEqual(self.refused("-DCuDNNChecked_PROBE_TIMEOUT=2min"), """\
cudnn_checked: refused: CuDNNChecked_PROBE_TIMEOUT is no number of seconds
  value:  2min   CuDNNChecked_PROBE_TIMEOUT
  fix: cmake -D CuDNNChecked_PROBE_TIMEOUT=120
  [bad-input]
""")

    def test_component(self):
        self.assertEqual(self.refused(request="REQUIRED;COMPONENTS;cnn;convolutions"), """\
cudnn_checked: refused: COMPONENTS has a value that is not known
  value:     convolutions   COMPONENTS
  possible:  graph, ops, cnn, adv, engines_precompiled, engines_runtime_compiled, \
engines_tensor_ir, heuristic, ext
  fix: use one of the possible values
  [bad-input]
""")

    def test_no_cxx(self):
        self.assertEqual(self.refused(), """\
cudnn_checked: refused: the probe is C++, and this project does not enable that language
  languages:  NONE   project()
  fix: project(... LANGUAGES C CXX), before find_package(CuDNNChecked)
  [probe-not-compiled]
""")
