# SPDX-License-Identifier: BSD-3-Clause
"""How the program that judges ended, from the words of every release of CMake: by itself, or it was not started."""

import subprocess

from support import REPOSITORY, cmake_program
from support.scratch import ScratchTest

# What execute_process() answers is replaced; each line has what the message calls it.
SCRIPT = """
include("{repository}/cmake/CuDNNChecked/every_configure/facts.cmake")
include("{repository}/cmake/CuDNNChecked/every_configure/package.cmake")
include("{repository}/cmake/CuDNNChecked/run/run_probe.cmake")
include("{repository}/cmake/CuDNNChecked/search/linux/names.cmake")
_cudnn_checked_put_where()
_cudnn_checked_put(work_directory "${{CMAKE_CURRENT_LIST_DIR}}")
function(execute_process)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "RESULT_VARIABLE" "")
  set(${{arg_RESULT_VARIABLE}} "${{ANSWER}}" PARENT_SCOPE)
endfunction()
foreach(ANSWER IN ITEMS {answers})
  _cudnn_checked_run_probe(judge 1 probe "${{CMAKE_CURRENT_LIST_DIR}}/report.json")
  message("${{ANSWER}}|${{run_status}}|${{run_signal}}")
endforeach()
"""

ENDS = {
    # CMake before 3.28, and strerror().
    "Permission denied": ("not-started", "Permission denied"),
    "No such file or directory": ("not-started", "No such file or directory"),
    "Exec format error": ("not-started", "Exec format error"),
    # CMake since then, and libuv.
    "permission denied": ("not-started", "Permission denied"),
    "no such file or directory": ("not-started", "No such file or directory"),
    "not a directory": ("not-started", "Not a directory"),
    "Unknown system error -8": ("not-started", "Unknown system error -8"),
    # Both: it never ends so by itself.
    "Segmentation fault": ("ended", "Segmentation fault"),
    "Subprocess aborted": ("ended", "Subprocess aborted"),
    "Bus error": ("ended", "Bus error"),
    "Illegal instruction": ("ended", "Illegal instruction"),
    "Floating-point exception": ("ended", "Floating-point exception"),
    "User interrupt": ("ended", "User interrupt"),
    "Subprocess killed": ("ended", "Subprocess killed"),
    "Subprocess terminated": ("ended", "Subprocess terminated"),
    "SIGXFSZ": ("ended", "SIGXFSZ"),
    "Signal 40": ("ended", "Signal 40"),
    "Process terminated due to timeout": ("timeout", ""),
    "127": ("ended", "127"),
    "3": ("ended", "3"),
    "1": ("refused", ""),
}


class Ends(ScratchTest):
    def test_words(self):
        answers = " ".join(f'"{answer}"' for answer in ENDS)
        script = self.write("ends.cmake", SCRIPT.format(repository=REPOSITORY, answers=answers))
        done = subprocess.run([cmake_program(), "-P", script], text=True, capture_output=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = (line.split("|") for line in done.stderr.splitlines())
        self.assertEqual({answer: tuple(rest) for answer, *rest in lines}, ENDS)
