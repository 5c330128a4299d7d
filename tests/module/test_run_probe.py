# SPDX-License-Identifier: BSD-3-Clause
"""How the probe ended, from the words of every release of CMake: it crashed, or was not started."""

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
  _cudnn_checked_run_probe(1 probe "${{CMAKE_CURRENT_LIST_DIR}}/report.json")
  _cudnn_checked_get(run)
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
    # Both.
    "Segmentation fault": ("crashed", "SIGSEGV"),
    "Subprocess aborted": ("crashed", "SIGABRT"),
    "Bus error": ("crashed", "SIGBUS"),
    "Illegal instruction": ("crashed", "SIGILL"),
    "Floating-point exception": ("crashed", "SIGFPE"),
    "User interrupt": ("crashed", "SIGINT"),
    "Subprocess killed": ("crashed", "SIGKILL"),
    "Subprocess terminated": ("crashed", "SIGTERM"),
    "SIGXFSZ": ("crashed", "SIGXFSZ"),
    "Signal 40": ("crashed", "Signal 40"),
    "Process terminated due to timeout": ("timeout", ""),
    "127": ("not-started", "exit status 127"),
    "3": ("ended", "3"),
}


class Ends(ScratchTest):
    def test_words(self):
        answers = " ".join(f'"{answer}"' for answer in ENDS)
        script = self.write("ends.cmake", SCRIPT.format(repository=REPOSITORY, answers=answers))
        done = subprocess.run([cmake_program(), "-P", script], text=True, capture_output=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = (line.split("|") for line in done.stderr.splitlines())
        self.assertEqual({answer: tuple(rest) for answer, *rest in lines}, ENDS)
