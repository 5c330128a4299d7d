# SPDX-License-Identifier: BSD-3-Clause
"""verify(), doctor() and probe(): what they return, the paths that they take, and their time limit."""

import json
import os
import pathlib
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from test_check import WHEEL, Module  # noqa: E402

PRINT = """\
import cudnn_checked, json, os, pathlib, sys
print(json.dumps({}))
"""


class Functions(Module):
    def printed(self, expression, *words, **environment):
        status, out, err = self.started("-c", PRINT.format(expression), *words, **environment)
        self.assertEqual((status, err), (0, ""))
        return json.loads(out)

    def last_line(self, expression, *words, **environment):
        """Of a Python that ends with an exception."""
        status, out, err = self.started("-c", PRINT.format(expression), *words, **environment)
        self.assertEqual((status, out), (1, ""))
        return err.splitlines()[-1]

    def test_verify(self):
        library = self.site / "torch/lib/libtorch_cuda.so"
        verdicts = []
        for status in (0, 1):
            done, text, _ = self.started("-m", "cudnn_checked", "verify", "--json", library)
            self.assertEqual(done, status)
            report = self.printed("cudnn_checked.verify(sys.argv[1])", library)
            self.assertEqual(report, json.loads(text))
            verdicts.append(report["verdict"])
            (self.site / WHEEL / "libcudnn_ops.so.9").write_bytes(b"")
        self.assertEqual(verdicts, ["ok", "refused"])

    def test_verify_is_for_what_would_be_started_now(self):
        """A program gets the variables that this process has by then."""
        front = self.root / "front"
        front.mkdir()
        (front / "libcudnn.so.9").symlink_to(self.site / WHEEL / "libcudnn.so.9")
        library = self.beside / "libtorch_cuda.so"
        code = "[os.environ.update(LD_LIBRARY_PATH=sys.argv[2]), cudnn_checked.verify(sys.argv[1])['cudnn']['library']['path']][1]"
        self.assertEqual(self.printed(code, library, front), f"{front}/libcudnn.so.9")

    def test_a_file_that_cannot_be_verified(self):
        self.assertEqual(self.last_line("cudnn_checked.verify('nowhere')"),
                         "cudnn_checked.Failed: cudnn-checked: error: verify: nowhere: no such file")
        # No option.
        self.assertEqual(self.last_line("cudnn_checked.verify('--pid')"),
                         "cudnn_checked.Failed: cudnn-checked: error: verify: --pid: no such file")

    def test_probe(self):
        """The libraries hold nothing but names: cuDNN cannot be opened."""
        report = self.printed("cudnn_checked.probe(sys.argv[1])", self.root / "venv")
        self.assertEqual((report["triple"]["cudnn"], report["convolutions"]), ("9.5.1", []))
        _, text, _ = self.started("-m", "cudnn_checked", "probe", "--json", self.root / "venv")
        self.assertEqual(report["verdict"], json.loads(text)["verdict"])
        (self.root / "empty").mkdir()
        self.assertEqual(self.last_line("cudnn_checked.probe('empty')"),
                         "cudnn_checked.Failed: cudnn-checked: error: probe: empty: no cuDNN in it")

    def test_every_kind_of_path(self):
        library = self.site / "torch/lib/libtorch_cuda.so"
        kinds = ("sys.argv[1]", "pathlib.Path(sys.argv[1])", "os.fsencode(sys.argv[1])", "next(os.scandir(sys.argv[2]))")
        links = self.root / "links"
        links.mkdir()
        # By a link to the library its run path would lead elsewhere.
        only = self.root / "only"
        shutil.copytree(self.site / "nvidia", only / "nvidia", symlinks=True)
        shutil.copytree(library.parent, only / "torch/lib", symlinks=True, ignore=lambda _, names: [
            name for name in names if name != library.name])
        for kind in kinds:
            with self.subTest(kind):
                self.assertEqual(self.printed(f"cudnn_checked.verify({kind})['verdict']", library, only / "torch/lib"), "ok")
        venv = self.root / "venv"
        (links / "venv").symlink_to(venv)
        for kind in kinds:
            with self.subTest(kind):
                self.assertEqual(self.printed(f"cudnn_checked.doctor({kind})['verdict']", venv, links), "ok")
                self.assertEqual(self.printed(f"cudnn_checked.probe({kind})['triple']['cudnn']", venv, links), "9.5.1")

    def replace_program(self, text):
        program = self.target / "bin/cudnn-checked"
        program.rename(self.target / "kept")
        self.addCleanup(os.replace, self.target / "kept", program)
        program.write_text(text)
        program.chmod(0o755)
        return program

    def test_a_program_that_takes_too_long(self):
        program = self.replace_program(f"#!/bin/sh\nexec {shutil.which('sleep')} 60\n")
        for asked, command in (("check('torch', timeout=0.5)", "run"), ("doctor(timeout=0.5)", "doctor"),
                               ("verify('app', timeout=0.5)", "verify"), ("probe(timeout=0.5)", "probe")):
            with self.subTest(asked):
                self.assertEqual(self.last_line(f"cudnn_checked.{asked}"),
                                 f"cudnn_checked.TimedOut: {program} {command}: no answer within 0.5 s")
        caught = """\
import cudnn_checked
for kind in (TimeoutError, cudnn_checked.Failed):
    try:
        cudnn_checked.doctor(timeout=0.1)
    except kind:
        print("caught")
"""
        self.assertEqual(self.started("-c", caught), (0, "caught\ncaught\n", ""))

    def test_a_time_that_is_enough(self):
        self.assertEqual(self.printed("cudnn_checked.check('torch', timeout=60)"), None)
        self.assertEqual(self.printed("cudnn_checked.doctor(sys.argv[1], timeout=60)['verdict']", self.site), "ok")

    def test_another_program_of_this_name(self):
        program = self.replace_program("#!/bin/sh\necho no report\n")
        self.assertEqual(self.last_line("cudnn_checked.doctor()"),
                         f"cudnn_checked.Failed: {program} doctor: it printed no report")

    def test_the_version_is_that_of_the_metadata(self):
        (self.target / "cudnn_checked-7.8.9.dist-info").mkdir()
        metadata = self.target / "cudnn_checked-7.8.9.dist-info/METADATA"
        metadata.write_text("Metadata-Version: 2.1\nName: cudnn-checked\nVersion: 7.8.9\n")
        self.assertEqual(self.printed("cudnn_checked.__version__"), "7.8.9")
        metadata.unlink()
        metadata.parent.rmdir()
        for name in ("__version__", "version"):
            self.assertEqual(self.last_line(f"cudnn_checked.{name}"),
                             f"AttributeError: module 'cudnn_checked' has no attribute '{name}'")
