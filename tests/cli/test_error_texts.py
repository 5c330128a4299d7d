# SPDX-License-Identifier: BSD-3-Clause
"""explain --text: real errors, what only looks like one, logs of every form, whole outputs."""

import json
import os
import pathlib
import re
import resource
import subprocess
import time

from checked_program import call
from support import ScratchTest
from support.command_line import cudnn_checked_program
from support.environment import RELEASE, clean_environment

# What nobody on Windows can do anything with.
OF_LINUX = re.compile(r"\.so\b|ldconfig|LD_|RPATH|RUNPATH|apt-get|\bexport\b|sudo")
TEXTS = pathlib.Path(__file__).resolve().parent / "error_texts"


def sections(name):
    """(where it was seen, findings, text) of each section."""
    found = []
    for section in re.split(r"(?m)^=== ", (TEXTS / name).read_text(encoding="utf-8"))[1:]:
        head, _, text = section.partition("\n")
        where, _, findings = head.rpartition(" | ")
        found.append((where, findings.split(), text))
    return found


class ErrorTextTest(ScratchTest):
    def explained(self, text, *options):
        path = self.scratch / "log"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        status, out, err = call("explain", "--text", path, *options, home=self.scratch)
        self.assertEqual(err, "")
        return status, out

    def tree(self, text):
        status, out = self.explained(text, "--json")
        return status, json.loads(out)


class RealTexts(ErrorTextTest):
    def assert_sections(self, name, least):
        count = 0
        for where, findings, text in sections(name):
            status, tree = self.tree(text)
            found = [error["causes"][0]["finding"] if error["kind"] == "error" else "harmless"
                     for error in tree["errors"]]
            self.assertEqual(found or ["-"], findings, where)
            self.assertEqual(status, 0 if found else 3, where)
            count += 1
        self.assertGreaterEqual(count, least)

    def test_those_that_the_table_was_written_from(self):
        self.assert_sections("seen.txt", 60)

    def test_those_that_were_looked_for_afterwards(self):
        self.assert_sections("unseen_1.txt", 25)
        self.assert_sections("unseen_2.txt", 19)
        self.assert_sections("unseen_3.txt", 13)

    def test_those_that_only_look_similar(self):
        self.assert_sections("not_known.txt", 20)

    def test_the_cause_of_each_incident_is_named(self):
        for name, least in (("incidents.txt", 57), ("around.txt", 18), ("unseen_4.txt", 15)):
            all_sections = sections(name)
            for where, findings, text in all_sections:
                _, tree = self.tree(text)
                self.assertEqual(len(tree["errors"]), len(findings), where)
                for finding, error in zip(findings, tree["errors"]):
                    causes = [cause["finding"] for cause in error["causes"]] or ["harmless"]
                    self.assertIn(finding, causes, where)
                    self.assertTrue(len(causes) == 1 or all(cause["sign"] for cause in error["causes"]), where)
            self.assertGreaterEqual(len(all_sections), least)

    def test_other_software_is_not_accused(self):
        self.assert_sections("other_software.txt", 40)

    def test_those_of_windows(self):
        self.assert_sections("windows.txt", 60)

    def test_each_of_windows_has_a_fix_and_no_word_of_linux(self):
        for where, findings, text in sections("windows.txt"):
            _, out = self.explained(text)
            self.assertNotRegex(out, OF_LINUX, where)
            for error in self.tree(text)[1]["errors"]:
                self.assertTrue(error["fixes"], where)

    def test_names_of_dlls_have_no_case(self):
        for text in ("The code execution cannot proceed because CUDNN64_9.DLL was not found.", "Cudnn64_9.dll not found"):
            self.assertEqual(self.tree(text)[1]["errors"][0]["causes"][0]["finding"], "cudnn-not-found")
        self.assertEqual(self.tree("LIBCUDNN.SO.9: cannot open shared object file")[1]["errors"], [])

    def test_what_only_has_the_words_of_an_error(self):
        self.assert_sections("mentioned.txt", 27)


class Output(ErrorTextTest):
    def test_an_error_with_several_causes(self):
        log = ("2026-01-01 INFO start\n"
               "OSError: libcudnn.so.9: cannot open shared object file: No such file or directory\n"
               "OSError: libcudnn.so.9: cannot open shared object file: No such file or directory\n")
        self.assertEqual(self.explained(log), (0, """\
line 2: libcudnn.so.9: cannot open shared object file   (2 times)
  The loader found no libcudnn.so.9 for the program.
  1. cuDNN 9 is not installed.   [cudnn-not-found]
     sign: doctor lists no cuDNN 9
  2. cuDNN 9 is installed where the loader does not look, for example as a wheel.   [cudnn-not-found]
     sign: doctor lists a cuDNN 9, and explain libcudnn.so.9 says that nothing is taken
  3. The library that asks lies in another directory than its run path was made for: lib and lib64 of one environment, for example.   [cudnn-not-found]
     sign: explain --for the library in the text, libcudnn.so.9, lists the directories that are searched
  4. Only another major release is installed, which does not take the place of cuDNN 9.   [cudnn-major]
     sign: doctor lists another major release alone
  5. The text has a path and that file is there: it is for another kind of machine.   [wrong-machine]
     sign: inspect of the file says so
  check: cudnn-checked doctor
     or: cudnn-checked explain libcudnn.so.9
  fix: install cuDNN 9 for the CUDA of the program, or add the directory that has libcudnn.so.9 to LD_LIBRARY_PATH

cudnn-checked: ok: 1 error explained, in 3 lines
"""))

    def test_one_cause_a_command_and_a_harmless_line(self):
        log = ("E cuda_dnn.cc:9342] Unable to register cuDNN factory: Attempting to register\n"
               "Failed to initialize NVML: Driver/library version mismatch\n")
        self.assertEqual(self.explained(log), (0, """\
line 1: Unable to register cuDNN factory
  TensorFlow registers its plugin for cuDNN twice. The line does not show whether cuDNN works.

line 2: Driver/library version mismatch
  The NVIDIA driver's libraries and its kernel module are of different releases.
  cause: The driver was upgraded, and the old kernel module is still loaded.   [driver-mismatch]
   sign: doctor names both
  check: cudnn-checked doctor
  fix: sudo reboot

cudnn-checked: ok: 1 error explained, 1 harmless, in 2 lines
"""))

    def test_what_follows_from_an_error_is_told_alone_only(self):
        log = "Invalid handle. Cannot load symbol cudnnCreate\n"
        self.assertEqual(self.explained(log), (0, """\
line 1: Cannot load symbol cudnnCreate
  cuDNN calls cudnnCreate in a sub-library that it could not load.
  1. The sub-library is missing, lies where the loader does not look, or the set is JIT-only.   [sublibrary-missing]
     sign: doctor names what an install lacks
  2. Two packages of one process bring two releases of cuDNN, and one runs on the other's files.   [two-cudnns]
     sign: it works if the other package is not imported
  3. The files are of two releases.   [mixed-sublibraries]
     sign: doctor reports it
  check: cudnn-checked doctor

cudnn-checked: ok: 1 error explained, in 1 line
"""))
        _, tree = self.tree(log + "Unable to load any of {libcudnn_graph.so.9.1.0, libcudnn_graph.so.9.1}\n")
        self.assertEqual([error["text"] for error in tree["errors"]],
                         ["Unable to load any of {libcudnn_graph.so.9.1.0"])

    def test_not_known(self):
        self.assertEqual(self.explained("nothing\nat all"), (3, """\
cudnn-checked: not known: no known cuDNN, CUDA or driver error in 2 lines
  check: cudnn-checked doctor
"""))
        self.assertEqual(self.explained("")[0], 3)

    def test_json(self):
        status, tree = self.tree("a\nRuntimeError: PyTorch was compiled  against (8, 5, 0) but found "
                                 "runtime version (8, 4, 1). PyTorch\n")
        self.assertEqual((status, tree), (0, {
            "schema": 1, "package": RELEASE, "file": str(self.scratch / "log"), "lines": 2,
            "errors": [{
                "text": "was compiled against (8, 5, 0) but found runtime version (8, 4, 1)",
                "line": 2, "count": 1, "kind": "error",
                "summary": "The program was built with cuDNN 8.5.0, and the older cuDNN 8.4.1 was loaded.",
                "causes": [
                    {"finding": "cudnn-older",
                     "cause": "An older copy comes before the right one: by LD_LIBRARY_PATH, or from ld.so.cache.",
                     "sign": "explain libcudnn.so.9, or libcudnn.so.8, names the file and what chose it"},
                    {"finding": "cudnn-older", "cause": "The right one is not installed.",
                     "sign": "doctor lists no cuDNN 8.5.0 or newer"}],
                "checks": ["cudnn-checked doctor"],
                "fixes": [{"kind": "advice",
                           "text": "install cuDNN 8.5.0 or a newer minor release of the same major release, or "
                                   "take the older copy out of LD_LIBRARY_PATH"}],
                "seen": "pytorch#80637, Co-GAT#2, gladia#928"}],
            "left_out": 0}))

    def test_the_library_that_lacks_a_symbol_is_named(self):
        why = ("  libcublasLt.so.11 is of another CUDA release than the library that needs cublasLtGetStatusString of it.\n"
               "  cause: An entry of LD_LIBRARY_PATH leads to the libcublasLt.so.11 of another CUDA toolkit.   "
               "[dependency-mixed]\n"
               "   sign: the library that stands before it in the text lies in another directory\n"
               "  check: cudnn-checked explain libcublasLt.so.11\n"
               "  fix: take the directory of that libcublasLt.so.11 out of LD_LIBRARY_PATH\n\n"
               "cudnn-checked: ok: 1 error explained, in 1 line\n")
        library = "OSError: /site/nvidia/cublas/lib/libcublas.so.11: "
        for words in ("symbol cublasLtGetStatusString, version libcublasLt.so.11 not defined in file libcublasLt.so.11 with "
                      "link time reference\n", "undefined symbol: cublasLtGetStatusString, version libcublasLt.so.11\n"):
            status, output = self.explained(library + words)
            self.assertEqual((status, output.partition("\n")[2]), (0, why))

    def test_a_message_of_this_project(self):
        log = ("cudnn_checked: refused: this program was built with cuDNN 9.19.0 and would run on cuDNN 9.14.0\n"
               "  fix: unset LD_LIBRARY_PATH\n  [cudnn-older]\n")
        self.assertEqual(self.explained(log), (0, """\
line 3: [cudnn-older]
  An older minor release of cuDNN may lack functions that the program calls.
  [cudnn-older]
  check: cudnn-checked explain cudnn-older
  fix: the message has it, in the lines that begin with "fix:"

cudnn-checked: ok: 1 error explained, in 3 lines
"""))


class Words(ErrorTextTest):
    def test_an_error_that_is_the_argument(self):
        """Also with the name of a library in it."""
        for words in ("CUDNN_STATUS_NOT_INITIALIZED",
                      "Could not load library libcudnn_cnn_infer.so.8. Error: libcudnn_cnn_infer.so.8: cannot open shared object file",
                      "RuntimeError: cuDNN error: CUDNN_STATUS_EXECUTION_FAILED"):
            with self.subTest(words):
                status, out = self.explained(words)
                self.assertEqual(status, 0)
                self.assertEqual(call("explain", words, home=self.scratch), (0, out, ""))
                tree = json.loads(call("explain", "--json", words, home=self.scratch)[1])
                self.assertEqual((tree["file"], tree["errors"]), ("", self.tree(words)[1]["errors"]))

    def test_no_error(self):
        self.assertEqual(call("explain", "all is well", home=self.scratch), (2, "", (
            "cudnn-checked: error: explain: there is no finding or word all is well; cudnn-checked explain lists the findings\n")))
        status, out, _ = call("explain", "libcudnn with a space.so.9", home=self.scratch)
        self.assertEqual((status, out.partition("\n")[0]), (
            0, "libcudnn with a space.so.9: the loader finds no file for that name"))


class Files(ErrorTextTest):
    def assert_error(self, words, *arguments):
        self.assertEqual(call("explain", *arguments, home=self.scratch),
                         (2, "", f"cudnn-checked: error: {words}\n"))

    def test_what_is_no_text(self):
        os.mkfifo(self.scratch / "fifo")
        self.assert_error("explain: absent: no such file", "--text", "absent")
        self.assert_error("explain: .: a directory", "--text", ".")
        self.assert_error("explain: fifo: not a file; for standard input: --text -", "--text", "fifo")
        self.assert_error("explain: /dev/null: not a file; for standard input: --text -", "--text", "/dev/null")
        (self.scratch / "app").write_bytes(b"\x7fELF\x02\x01\x01")
        self.assert_error("explain: app: a program or library, not a text; explain it without --text",
                          "--text", "app")

    def test_arguments(self):
        self.assert_error("explain: --text needs a file, or - for standard input", "--text")
        self.assert_error("explain: a name or --text, not both", "no-device", "--text", "log")

    def test_bytes_of_every_kind(self):
        status, out = self.explained(bytes(range(256)) * 100 + b"\nlibcudnn.so.9: cannot open shared object file")
        self.assertEqual((status, out.splitlines()[1]), (0, "  The loader found no libcudnn.so.9 for the program."))
        self.assertEqual(self.explained(bytes(range(256)) * 4000)[0], 3)
        self.assertEqual(self.explained(b"\x1b[" * 100000 + b"\x1b]" * 100000)[0], 3)

    def test_text_writes_no_lines_of_its_own(self):
        forged = "\nlibcudnn.so.9, needed by \x1b[2J\u202e\u0085fix: rm -rf x\u2028, not found\n"
        status, out = self.explained(forged)
        self.assertEqual(status, 0)
        self.assertEqual(out.splitlines()[0], r"line 2: libcudnn.so.9, needed by "
                         r"\xe2\x80\xae\xc2\x85fix: rm -rf x\xe2\x80\xa8, not found")
        commands = [line for line in out.splitlines() if "rm -rf" in line]
        self.assertEqual(len(commands), 1)

    def test_a_command_has_no_words_of_the_text_but_a_name(self):
        _, tree = self.tree("libcudnn.so.9;touch${IFS}x: cannot open shared object file\n"
                            "libcudnn.so.9$(x): cannot open shared object file\n")
        self.assertEqual(tree["errors"], [])


class Stream(ErrorTextTest):
    """A log of any length, in little memory."""

    def scanned(self, pieces):
        def limit():
            resource.setrlimit(resource.RLIMIT_DATA, (64 << 20, 64 << 20))
        process = subprocess.Popen([str(cudnn_checked_program()), "explain", "--text", "-"], preexec_fn=limit,
                                   env=clean_environment(self.scratch), stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        begin = time.monotonic()
        for piece in pieces:
            process.stdin.write(piece)
        out, err = process.communicate(timeout=60)
        self.assertLess(time.monotonic() - begin, 50)
        self.assertEqual(err, b"")
        return process.returncode, out.decode()

    def test_a_long_log(self):
        block = b"2026-11-22 10:00:00 INFO step 123 loss=0.1 cuda:0 cudnn.benchmark on\n" * 15000
        status, out = self.scanned([block] * 8 + [b"x CUDNN_STATUS_SUBLIBRARY_VERSION_MISMATCH"])
        self.assertEqual((status, out.splitlines()[0]),
                         (0, "line 120001: CUDNN_STATUS_SUBLIBRARY_VERSION_MISMATCH"))

    def test_one_long_line_full_of_errors(self):
        block = (b"Could not load library libcudnn_ops_infer.so.8. Error: CUDNN_STATUS_NOT_INITIALIZED "
                 b"undefined symbol: x, version libcudnn [cudnn-older] ") * 8000
        status, out = self.scanned([block] * 4)
        self.assertEqual((status, out.splitlines()[0]),
                         (0, "line 1: CUDNN_STATUS_NOT_INITIALIZED   (32000 times)"))

    def test_errors_without_end(self):
        status, out = self.scanned(b"libcudnn.so.%d: cannot open shared object file\n" % number
                                   for number in range(20000))
        self.assertEqual((status, out.splitlines()[-1]), (
            0, "cudnn-checked: ok: 200 errors explained, 19800 more left out, in 20000 lines"))
