# SPDX-License-Identifier: BSD-3-Clause
"""docs/ci.md: each block is run as it stands, but for the directories, on a sound and on a broken cuDNN."""

import os
import re
import shutil
import subprocess
import unittest

from support import REPOSITORY, ScratchTest, clean_environment, simulated_sdk
from support.command_line import cudnn_checked_program
from support.environment import compiler
from support.formats import read_junit, read_metrics, read_workflow

PAGE = (REPOSITORY / "docs" / "ci.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"(?ms)^```(yaml|sh)\n(.*?)^```$", PAGE)
WORKFLOW, GITLAB, PROLOG, METRICS, ALERTS = (text for _, text in BLOCKS)


class Page(ScratchTest):
    def setUp(self):
        super().setUp()
        self.venv = simulated_sdk(cudnn="9.14.0", cuda="13.0").copy(self.scratch / "venv")
        self.venv.add_cuda_libraries(self.venv.library_directory)
        (self.scratch / "bin").mkdir()
        (self.scratch / "bin/cudnn-checked").symlink_to(cudnn_checked_program())

    def damage(self):
        self.venv.library("ops").resolve().write_bytes(b"")

    def run_block(self, text, *arguments):
        """As sh runs it where /opt/venv is the scratch one."""
        script = self.write("script", text.replace("/opt/venv", str(self.venv.prefix)))
        path = f"{self.scratch / 'bin'}:{os.defpath}"
        done = subprocess.run(["sh", script, *map(str, arguments)], cwd=self.scratch, text=True, timeout=120,
                              env=clean_environment(self.scratch, PATH=path), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        return done.returncode, done.stdout, done.stderr

    def test_the_blocks(self):
        self.assertEqual([kind for kind, _ in BLOCKS], ["yaml", "yaml", "sh", "sh", "yaml"])
        for file in re.findall("`((?:examples|tests)/[^`]+)`", PAGE):
            self.assertTrue((REPOSITORY / file).exists(), file)

    def test_the_workflow(self):
        command = re.search(r"(?m)^      - run: (.*)$", WORKFLOW)[1]
        status, out, err = self.run_block(command)
        self.assertEqual((status, read_workflow(out)[0], err), (0, [], ""))
        self.damage()
        status, out, err = self.run_block(command)
        commands, lines = read_workflow(out)
        self.assertEqual((status, err), (1, ""))
        self.assertEqual([(one.name, one.title) for one in commands], [("error", "cudnn-checked: library-corrupt")])
        self.assertIn(commands[0].message.partition("\n")[2].partition("\n")[0], (
            "error: a library of cuDNN is damaged: libcudnn_ops.so.9.14.0"))
        self.assertEqual(lines, [f"cudnn-checked: refused: {self.venv.library()}", f"cudnn-checked: ok: {self.venv.prefix}"])

    def test_junit(self):
        command = re.search(r"(?m)^    - (cudnn-checked .*)$", GITLAB)[1]
        self.assertIn("      junit: cudnn.xml\n", GITLAB)
        for status, results in [(0, {"passed"}), (1, {"passed", "failure"})]:
            self.assertEqual(self.run_block(command), (status, "", ""))
            cases = read_junit((self.scratch / "cudnn.xml").read_text(encoding="utf-8"))
            self.assertEqual({case.result for case in cases}, results)
            self.damage()

    def test_the_prolog(self):
        self.assertEqual(self.run_block(PROLOG), (0, "", ""))
        self.damage()
        status, out, err = self.run_block(PROLOG)
        self.assertEqual((status, out), (1, ""))
        self.assertIn("\nerror: a library of cuDNN is damaged: libcudnn_ops.so.9.14.0\n", err)
        self.assertTrue(err.endswith("cudnn-checked: refused: 1 cuDNN, 1 of them broken, 1 error, 0 warnings\n"), err)
        with self.subTest("what says nothing of the cuDNN drains no node"):
            shutil.rmtree(self.venv.prefix)
            self.assertEqual(self.run_block(PROLOG), (0, "", ""))
            (self.scratch / "bin/cudnn-checked").unlink()
            self.assertEqual(self.run_block(PROLOG), (0, "", ""))

    def test_the_metrics(self):
        folder = self.scratch / "textfile"
        folder.mkdir()
        subject = ("subject", str(self.venv.library()))
        for errors in (0, 1):
            self.assertEqual(self.run_block(METRICS, folder), (0, "", ""))
            self.assertEqual([path.name for path in folder.iterdir()], ["cudnn.prom"])
            self.assertEqual((folder / "cudnn.prom").stat().st_mode & 0o777, 0o644)
            metrics = read_metrics((folder / "cudnn.prom").read_text(encoding="utf-8"))
            self.assertEqual({dict(labels)["severity"]: value for (metric, labels), value in metrics.items()
                              if metric == "cudnn_checked_findings" and subject in labels},
                             {"error": errors, "warning": 0, "unknown": 0, "note": 0})
            self.damage()
        with self.subTest("the metrics of the alerts are there"):
            shutil.rmtree(self.venv.prefix)
            self.assertEqual(self.run_block(METRICS, folder)[0], 0)
            metrics.update(read_metrics((folder / "cudnn.prom").read_text(encoding="utf-8")))
            self.assertEqual(metrics["cudnn_checked_up", frozenset([("command", "doctor"), ("subject", "")])], 0)
            self.assertEqual(set(re.findall(r"cudnn_checked_\w+", ALERTS)) - {metric for metric, _ in metrics}, set())
        with self.subTest("without the program the file stays, and gets old"):
            before = (folder / "cudnn.prom").stat()
            (self.scratch / "bin/cudnn-checked").unlink()
            self.assertEqual(self.run_block(METRICS, folder)[:2], (1, ""))
            self.assertEqual([path.name for path in folder.iterdir()], ["cudnn.prom"])
            after = (folder / "cudnn.prom").stat()
            self.assertEqual((after.st_mtime_ns, after.st_size), (before.st_mtime_ns, before.st_size))

    @unittest.skipUnless(shutil.which("promtool"), "there is no promtool (Debian's prometheus)")
    def test_the_alerts_by_promtool(self):
        done = subprocess.run(["promtool", "check", "rules", self.write("rules.yml", ALERTS)], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_for_a_gpu_that_ci_has_not(self):
        words = re.search(r"`(verify --strict --as .*) APP`", PAGE)[1]
        program = self.scratch / "program"
        subprocess.run([compiler("C"), "-o", program, "-x", "c", "-", "-x", "none", self.venv.library(),
                        f"-Wl,-rpath,{self.venv.library_directory}"], check=True, text=True,
                       input="long cudnnGetVersion(void); int main(void) { return cudnnGetVersion() == 0; }")
        command = f"cudnn-checked {words} {program}"
        for status, results in [(0, {"passed"}), (1, {"passed", "failure"})]:
            answer, out, _ = self.run_block(command)
            self.assertEqual((answer, {case.result for case in read_junit(out)}), (status, results), out)
            self.damage()
