# SPDX-License-Identifier: BSD-3-Clause
"""One build tree has one cuDNN: later calls are held against the first."""

from support import bare_cudnn, errors
from support.locating import LocatingTest


class SecondCall(LocatingTest):
    def configure_twice(self, second, sub=False):
        bare_cudnn(self.scratch / "sdk")
        text = (self.app.source / "CMakeLists.txt").read_text()
        if sub:
            self.app.write("sub/CMakeLists.txt", second)
            second = "add_subdirectory(sub)"
        self.app.write("CMakeLists.txt", text + second)
        done = self.app.configure("-DREQUEST=9.14;REQUIRED", f"-DCUDNN_ROOT={self.scratch}/sdk",
                                  f"-DCUDAToolkit_ROOT={self.cuda}")
        return done.status, self.relative("".join(errors(done.output))), done.output

    def test_the_same_again(self):
        status, _, output = self.configure_twice("""
find_package(CuDNNChecked 9.1...<10 REQUIRED)
if(NOT CuDNNChecked_VERSION STREQUAL "9.14.0")
  message(FATAL_ERROR "not the same")
endif()""", sub=True)
        self.assertEqual(status, 0, output)

    def test_another_hint_does_not_change_it(self):
        bare_cudnn(self.scratch / "other", "9.15.0")
        status, _, output = self.configure_twice(f"""
set(CUDNN_ROOT "{self.scratch}/other")
find_package(CuDNNChecked REQUIRED)
if(NOT CuDNNChecked_VERSION STREQUAL "9.14.0")
  message(FATAL_ERROR "not the same")
endif()""")
        self.assertEqual(status, 0, output)

    def test_another_root_is_an_instruction_that_cannot_be_followed(self):
        bare_cudnn(self.scratch / "other", "9.15.0")
        status, text, output = self.configure_twice(f"""
set(CuDNNChecked_ROOT "{self.scratch}/other")
find_package(CuDNNChecked REQUIRED)""")
        self.assertNotEqual(status, 0, output)
        self.assertEqual(text, """\
cudnn_checked: refused: this build tree already uses another cuDNN than the one asked for
  asked for:  <scratch>/other   CuDNNChecked_ROOT
  in use:     cuDNN 9.14.0   <scratch>/sdk/lib/libcudnn.so.9
  All targets of a build tree share one CuDNNChecked::cudnn.
  fix: ask for the same cuDNN in every find_package(CuDNNChecked)
  [cudnn-not-found]
""")

    def test_another_version(self):
        bare_cudnn(self.scratch / "other", "9.15.0")
        status, text, output = self.configure_twice(f"""
set(CUDNN_ROOT "{self.scratch}/other")
find_package(CuDNNChecked 9.15 REQUIRED)""", sub=True)
        self.assertNotEqual(status, 0, output)
        self.assertEqual(text, """\
cudnn_checked: refused: this build tree already uses another cuDNN than the one asked for
  asked for:  cuDNN 9.15 or newer   find_package
  in use:     cuDNN 9.14.0   <scratch>/sdk/lib/libcudnn.so.9
  All targets of a build tree share one CuDNNChecked::cudnn.
  fix: ask for the same cuDNN in every find_package(CuDNNChecked)
  [cudnn-not-found]
""")

    def test_targets_are_seen_by_siblings(self):
        self.app.write("one/CMakeLists.txt", "find_package(CuDNNChecked QUIET)\n")
        self.app.write("two/CMakeLists.txt", """
if(NOT TARGET CuDNNChecked::cudnn OR NOT TARGET CuDNNChecked::guard)
  message(FATAL_ERROR "not seen")
endif()""")
        status, _, output = self.configure_twice("add_subdirectory(one)\nadd_subdirectory(two)")
        self.assertEqual(status, 0, output)
