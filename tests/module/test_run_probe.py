# SPDX-License-Identifier: BSD-3-Clause
"""How the program that judges ended: from the words of every release of CMake, and from its exit status and its files."""

import hashlib
import subprocess

from support import REPOSITORY, cmake_program
from support.scratch import ScratchTest

# What execute_process() answers and leaves is replaced; each line has what the message calls it.
SCRIPT = """
cmake_minimum_required(VERSION 3.22)
include("{repository}/cmake/CuDNNChecked/every_configure/facts.cmake")
include("{repository}/cmake/CuDNNChecked/every_configure/package.cmake")
include("{repository}/cmake/CuDNNChecked/run/run_probe.cmake")
include("{repository}/cmake/CuDNNChecked/run/take_proof.cmake")
include("{repository}/cmake/CuDNNChecked/search/linux/names.cmake")
_cudnn_checked_put_where()
_cudnn_checked_put(work_directory "${{CMAKE_CURRENT_LIST_DIR}}")
function(execute_process)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "RESULT_VARIABLE;OUTPUT_VARIABLE;ERROR_VARIABLE" "")
  set(${{arg_RESULT_VARIABLE}} "${{ANSWER}}" PARENT_SCOPE)
  set(${{arg_OUTPUT_VARIABLE}} "${{OUTPUT}}" PARENT_SCOPE)
  set(${{arg_ERROR_VARIABLE}} "${{ERRORS}}" PARENT_SCOPE)
  foreach(kind IN ITEMS proof end)
    if(FILE_${{kind}})
      configure_file("${{FILE_${{kind}}}}" "${{CMAKE_CURRENT_LIST_DIR}}/report.json.${{kind}}" COPYONLY)
    endif()
  endforeach()
endfunction()
# A project may have such variables.
set(proof_verdict ok)
set(proof_option devices)
set(proof_ended crashed)
function(try)
  _cudnn_checked_run_probe(run judge 1 probe "${{CMAKE_CURRENT_LIST_DIR}}/report.json" prover place cuda)
  message("${{ANSWER}}|${{run_status}}|${{run_signal}}|${{run_stage}}")
endfunction()
{tries}
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
}
JUDGE = "what /b/judge does, which runs it"
UNWRITTEN = "cudnn_checked: error: cannot write /a: b/report.json: Permission denied"


def facts(**values):
    """As the judge writes them."""
    text = "".join(f"proof_{name}={value}\n" for name, value in values.items())
    return f"{text}whole={hashlib.md5(text.encode()).hexdigest()}\n"


def proof(verdict, stage=""):
    return facts(stage=stage, verdict=verdict)


CRASHED = facts(ended="crashed", signal="SIGSEGV", step="cudnnCreate")


class Ends(ScratchTest):
    def told(self, *tries):
        """What is told of each run: a dictionary with its `status`, `output`, `errors`, and the files `proof` and `end`."""
        lines = ['set(prover_program "/b/judge")']
        for number, run in enumerate(tries):
            for kind in ("proof", "end"):
                file = self.write(f"{number}.{kind}", run[kind]) if kind in run else ""
                lines.append(f'set(FILE_{kind} "{file}")')
            lines += [f'set({name.upper()} "{run.get(name, "")}")' for name in ("output", "errors")]
            lines += [f'set(ANSWER "{run["status"]}")', "try()"]
        script = self.write("ends.cmake", SCRIPT.format(repository=REPOSITORY, tries="\n".join(lines)))
        done = subprocess.run([cmake_program(), "-P", script], text=True, capture_output=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return [line.split("|", 1)[1] for line in done.stderr.splitlines()]

    def test_words(self):
        told = self.told(*({"status": answer} for answer in ENDS))
        self.assertEqual(dict(zip(ENDS, told)), {answer: "|".join((*end, JUDGE)) for answer, end in ENDS.items()})

    def test_a_status_alone_proves_nothing(self):
        """As what starts the program may have it: an emulator that is /bin/true, or /bin/false."""
        for status in "0", "1", "2", "3", "4", "5":
            ended = f"ended|{status}|{JUDGE}"
            for files in ({}, {"proof": "", "end": ""},
                          {"proof": proof("ok")[:-2] + "\n", "end": CRASHED[1:]},
                          {"proof": proof("ok", "cudnnCreate")}, {"proof": proof("refused", "cudnnCreate")},
                          {"proof": proof("")}, {"proof": proof("OK")}, {"end": facts(option="")},
                          {"end": facts(ended="", signal="", step="")}, {"proof": CRASHED}):
                with self.subTest(status=status, files=files):
                    self.assertEqual(self.told({"status": status, "output": "a line\n", "errors": "cannot", **files}), [ended])

    def test_files_of_an_earlier_run(self):
        for kind, text, status, end in (("proof", proof("ok"), "0", "ok||"), ("proof", proof("refused"), "1", "refused||"),
                                        ("end", facts(option="devices"), "2", "usage||"),
                                        ("end", CRASHED, "3", "crashed|SIGSEGV|cudnnCreate")):
            run = {"status": status, "output": "a line\n"}
            with self.subTest(status=status):
                self.assertEqual(self.told({**run, kind: text}, run), [end, f"ended|{status}|{JUDGE}"])

    def test_a_verdict_and_its_status(self):
        for verdict, said in (("ok", {"0": "ok||"}), ("warning", {"0": "ok||"}), ("unknown", {"0": "ok||"}),
                              ("refused", {"1": "refused||"})):
            for status in "0", "1", "2", "3", "4", "5":
                with self.subTest(verdict=verdict, status=status):
                    self.assertEqual(self.told({"status": status, "output": "a line\n", "proof": proof(verdict)}),
                                     [said.get(status, f"ended|{status}|{JUDGE}")])

    def test_a_refusal_without_words(self):
        self.assertEqual(self.told({"status": "1", "proof": proof("refused")}), [f"ended|1|{JUDGE}"])

    def test_what_the_judge_says_of_the_end(self):
        for text, said in ((facts(option="devices"), {"2": "usage||"}), (CRASHED, {"3": "crashed|SIGSEGV|cudnnCreate"})):
            for status in "0", "1", "2", "3", "4", "5":
                with self.subTest(status=status, text=text):
                    self.assertEqual(self.told({"status": status, "output": "a line\n", "end": text}),
                                     [said.get(status, f"ended|{status}|{JUDGE}")])

    def test_a_file_that_cannot_be_written(self):
        """Words decide nothing: test_cross.py has what the directory shows."""
        for status in "0", "1", "2", "3", "4", "5":
            with self.subTest(status=status):
                self.assertEqual(self.told({"status": status, "errors": UNWRITTEN}), [f"ended|{status}|{JUDGE}"])
