# SPDX-License-Identifier: BSD-3-Clause
"""`cudnn-checked probe` and the probe at configure time on real cuDNNs: the same report as far as LOADED, and CMake
takes it."""

import json
import subprocess

from real_cudnn import fetched, has_gpu
from support import ScratchTest
from support.command_line import cudnn_checked_program
from support.environment import clean_environment
from support.proving import PROJECT
from support.schema import check_json

# Two of them: the probe is compiled for each.  jit-9.27 and full-9.14 were the same, too.
SETS = {"jit": "9.14.0", "full-9.19-cu13": "9.19.0"}


class SameBothWays(ScratchTest):
    def setUp(self):
        super().setUp()
        self.jit = fetched("jit")
        if self.jit is None:
            self.skipTest("PyPI cannot be reached, and the cache has no real cuDNN")
        if has_gpu():
            self.skipTest("this is about machines without a GPU")
        self.app = self.consumer(cmake_lists=PROJECT)

    def configure(self, root, *arguments):
        done = self.app.configure(
            "-DREQUEST=REQUIRED", f"-DCuDNNChecked_ROOT={root}", f"-DCUDAToolkit_ROOT={self.jit.parent / 'cu13'}",
            *arguments)
        self.assertEqual(done.status, 0, done.output)
        return dict(line.split("=", 1) for line in self.app.path("result.txt").read_text().splitlines())

    def opened(self, root):
        done = subprocess.run([cudnn_checked_program(), "probe", "--json", root], cwd=self.scratch,
                              env=clean_environment(self.scratch), stdout=subprocess.PIPE, text=True)
        report = json.loads(done.stdout)
        self.assertEqual(done.returncode, 0 if report["level"] == "ran" else 3, done.stdout)
        check_json(report, "report")
        return report

    def comparable(self, report):
        report["triple"].pop("cuda")
        for key in ("toolkit", "runtime"):
            report["cuda"].pop(key)
        for file in report["cudnn"]["files"]:
            file.pop("chosen_by")
        report["findings"] = [(f["name"], f["severity"], f["summary"]) for f in report["findings"]]
        return report

    def test_the_same(self):
        for name, release in SETS.items():
            root = fetched(name)
            if root is None:
                continue
            with self.subTest(set=name):
                report = self.scratch / f"{name}.json"
                opened = self.opened(root)
                self.assertEqual((opened["level"], opened["cudnn"]["library"]["version"]), ("loaded", release))
                report.write_text(json.dumps(opened))
                self.assertEqual(self.configure(root, "-UCuDNNChecked_PROBE_REPORT")["LEVEL"], "LOADED")
                linked = json.loads(self.app.path("CuDNNChecked/all/report.json").read_text())
                self.assertEqual(self.comparable(linked), self.comparable(opened))
                self.assertEqual(self.configure(root, f"-DCuDNNChecked_PROBE_REPORT={report}")["REPORT"], str(report))
