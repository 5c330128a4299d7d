# SPDX-License-Identifier: BSD-3-Clause
"""./dev frameworks: how what the loader does is read, and compared with a verdict."""

import platform
import shutil
import subprocess
import sys
import unittest

from support import REPOSITORY, ScratchTest

sys.path[:0] = [str(REPOSITORY / "tests" / "frameworks"), str(REPOSITORY / "tests" / "real")]

from truth import Opener, read_truth  # noqa: E402
from verdict import Finding, Verdict, contradictions, missed  # noqa: E402

MIXED = Finding("mixed-sublibraries", "error", "two releases")
OLDER = Finding("cudnn-older", "warning", "older")
PRELOAD = Finding("cudnn-not-found", "unknown", "as it lies")
NOT_STAMPED = Finding("not-stamped", "unknown", "no stamp")
DRIVER = Finding("driver-missing", "error", "no driver")

WORKS = """mapped /x/libcudnn.so.9
call cudnnGetVersion 90501
call cudnnGraphVersionCheck 0
call tensor 3000
mapped /x/libcudnn_graph.so.9
end
"""
BOTH = frozenset({"/x/libcudnn.so.9", "/x/libcudnn_graph.so.9"})


def verdict(*findings, predicted=BOTH):
    return Verdict("", "", findings, predicted, 1.0)


class ReadTruth(unittest.TestCase):
    def test_what_works(self):
        truth = read_truth(WORKS)
        self.assertEqual((truth.mapped, truth.version, truth.failures), (BOTH, 90501, ()))

    def test_what_fails(self):
        for output, signal, failure in (
                ("error libx.so: not there\nend\n", "", "libx.so: not there"),
                ("mapped /x/libcudnn.so.9\ncall cudnnCnnVersionCheck 3009\nend\n", "",
                 "cudnnCnnVersionCheck: status 3009"),
                ("call cudnnGetVersion 8500\nmapped /x/libcudnn.so.8\nCould not load\n", "SIGABRT",
                 "SIGABRT ended it: Could not load"),
                ("end\n", "", "no cuDNN is mapped")):
            with self.subTest(output):
                self.assertEqual(read_truth(output, signal).failures, (failure,))


class Compare(unittest.TestCase):
    def test_a_sound_library(self):
        truth = read_truth(WORKS)
        self.assertEqual(contradictions(verdict(DRIVER), truth), [])
        self.assertEqual(contradictions(verdict(MIXED, OLDER), truth),
                         ["false alarm: [mixed-sublibraries] two releases",
                          "false alarm: [cudnn-older] older"])
        self.assertEqual(contradictions(verdict(OLDER), truth, {"cudnn-older"}), [])
        self.assertEqual(len(contradictions(verdict(MIXED), truth, {"mixed-sublibraries"})), 1)
        self.assertEqual(contradictions(verdict(predicted=frozenset({"/x/libcudnn.so.9"})), truth),
                         ["1 files not predicted: /x/libcudnn_graph.so.9"])

    def test_a_library_that_fails(self):
        truth = read_truth("error gone\nend\n")
        for finding in (MIXED, PRELOAD):
            self.assertEqual(contradictions(verdict(finding), truth), [])
        for findings in ((), (DRIVER,), (OLDER,), (NOT_STAMPED,)):
            self.assertEqual(contradictions(verdict(*findings), truth), ["passed, but: gone"])
        as_it_lies = Finding("cudnn-not-found", "unknown", "as it lies, x.so does not find libcudnn.so.9")
        self.assertEqual(contradictions(verdict(as_it_lies), truth), [])

    def test_expected_findings(self):
        self.assertEqual(missed(frozenset({"cudnn-older"}), [OLDER]), [])
        self.assertEqual(missed(frozenset(), []), [])
        self.assertEqual(missed(frozenset({"cuda-major", "cudnn-older"}), [MIXED]),
                         ["expected cuda-major or cudnn-older, found mixed-sublibraries"])


@unittest.skipUnless(shutil.which("cc") and platform.machine() == "x86_64", "a C compiler on x86-64")
class Opened(ScratchTest):
    """opened.c with libraries of our own."""

    def compile(self, target, text, *options):
        target.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run(["cc", "-shared", "-fPIC", "-x", "c", "-", "-o", target, *map(str, options)],
                       input=text, text=True, check=True)

    def test_a_name_is_opened_from_the_code_of_the_library(self):
        name = "libcudnn.so.77"  # which no machine has
        cudnn = self.scratch / "cudnn" / name
        self.compile(cudnn, "unsigned long cudnnGetVersion(void) { return 90501; }")
        library, opener = self.scratch / "libuser.so", Opener(self.scratch)
        truths = []
        for options in ((), (f"-Wl,-rpath,{cudnn.parent}",)):
            self.compile(library, "int user(int a) { return a + 1; }", *options)
            truths.append(opener.open(library, name, {}, None))
        without, found = truths
        self.assertEqual(without.failures, (f"{name}: cannot open shared object file: "
                                            "No such file or directory",))
        self.assertEqual((found.mapped, found.version, found.works), ({str(cudnn)}, 90501, True))
