# SPDX-License-Identifier: BSD-3-Clause
"""examples/python_extension: a module whose import fails, in an interpreter that goes on."""

import pathlib
import sysconfig
import unittest

from support.gallery import GalleryTest, OLDER

HAS_HEADERS = (pathlib.Path(sysconfig.get_paths()["include"]) / "Python.h").exists()

BLURRED = """\
use_blurring: the check says: ok
use_blurring:  1.0  2.0  1.0  0.0
use_blurring:  2.0  4.0  2.0  0.0
use_blurring:  1.0  2.0  1.0  0.0
"""

WITHOUT_GPU = """\
use_blurring: the check says: ok
use_blurring: nothing was computed: blur needs an NVIDIA GPU, and there is none here
"""


@unittest.skipUnless(HAS_HEADERS, "this Python has no headers")
class PythonExtension(GalleryTest):
    name = "python_extension"

    def python(self, code, **environment):
        done = self.shell(f"PYTHONPATH=build/python_extension python3 -c '{code}'", **environment)
        return done.status, done.output

    def test_it_computes(self):
        self.assert_runs(BLURRED)

    def test_without_a_gpu_it_is_imported_and_says_so(self):
        self.assert_runs(WITHOUT_GPU, LD_LIBRARY_PATH=None)

    def test_an_older_cudnn_is_an_import_error(self):
        program = "python_extension/blurring" + sysconfig.get_config_var("EXT_SUFFIX")
        self.assert_runs("use_blurring: the module cannot be used here, this program goes on without it:\n" +
                         OLDER.format(target="blurring", program=program), LD_LIBRARY_PATH=self.older())

    def test_a_call_that_fails_is_a_runtime_error(self):
        # Python 3.13 shows the line too.
        self.assertEqual(
            self.python("import sys; sys.tracebacklimit = 0; import blurring; blurring.blur([[1, 2]])",
                        SIMULATED_FAULT="fail:cudnnConvolutionForward:5000"),
            (1, "RuntimeError: cudnnConvolutionForward: CUDNN_STATUS_EXECUTION_FAILED\n"))

    def test_what_is_no_picture(self):
        for rows, message in (
                ("[]", "ValueError: the picture is empty"), ("[[]]", "ValueError: the picture is empty"),
                ("[[1], [1, 2]]", "ValueError: rows must be lists of one length"),
                ("[1]", "ValueError: rows must be lists of one length"),
                ('[["a"]]', "TypeError: must be real number, not str"),
                ("7", "TypeError: blur() argument 1 must be list, not int")):
            with self.subTest(rows=rows):
                status, output = self.python(f"import blurring; blurring.blur({rows})")
                self.assertEqual((status, output.splitlines()[-1]), (1, message))
