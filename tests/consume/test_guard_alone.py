# SPDX-License-Identifier: BSD-3-Clause
"""cudnn_checked_guard where the package is a part of the build, and nothing has found a cuDNN."""

from support import REPOSITORY, ScratchTest, errors

PROJECT = """
cmake_minimum_required(VERSION 3.22)
project(app LANGUAGES CXX)
add_subdirectory("{package}" package)
{find}
add_executable(app main.cpp)
cudnn_checked_guard(app)
"""


class GuardAlone(ScratchTest):
    def test_it_says_what_is_missing(self):
        """Without find_package, and behind one that has found nothing."""
        none = self.write("none/file", "").parent
        for find in ("", f'set(CuDNNChecked_ROOT "{none}")\nfind_package(CuDNNChecked QUIET)'):
            with self.subTest(find=find):
                app = self.consumer(f"app{bool(find)}", cmake_lists=PROJECT.format(package=REPOSITORY, find=find),
                                    **{"main.cpp": "int main() {}\n"})
                done = app.configure()
                self.assertNotEqual(done.status, 0, done.output)
                self.assertEqual(errors(done.output), ["""\
cudnn_checked_guard(app): no cuDNN was proved yet
  fix: find_package(CuDNNChecked REQUIRED), before this call
"""])
