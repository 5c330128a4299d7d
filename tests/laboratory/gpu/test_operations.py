# SPDX-License-Identifier: BSD-3-Clause
"""Operations besides single convolutions, proved at configure time on each cuDNN of the machine."""
import json
import os
import subprocess
import tempfile
import unittest

import of_gpu  # noqa: F401 -- before gpu_machine
import gpu_machine
from gpu_machine import Build, keep, needs_gpu
from support.command_line import cudnn_checked_program

# Of gradients of attention on this GPU: sdpa-kv-tail (dQ), sdpa-one-query (dK), sdpa-fp8-last-row and sdpa-fp8-largest.
DEFECTIVE = {"9.14.0": {("fp16", "dK"), ("bf16", "dK"), ("e4m3", "dQ"), ("e4m3", "largest dS")}}
DEFECTIVE["9.19.0"] = DEFECTIVE["9.14.0"] | {("fp16", "dQ"), ("bf16", "dQ")}
# The engine that heuristic A offers first for them.
ENGINE = {"9.14.0": 2, "9.19.0": 6}
RIGHT = ["attention/forward", "conv-bias", "layer-norm/backward", "layer-norm/forward", "matmul",
         "rms-norm/backward", "rms-norm/forward"]
# Of the legacy API, besides recurrent networks: all right (docs/legacy_calls.md).
LEGACY = ["batch-norm/inference", "batch-norm/forward", "batch-norm/backward", "softmax/forward", "softmax/backward",
          "pooling/forward", "pooling/backward", "conv-backward/data", "conv-backward/filter", "conv-backward/bias",
          "activation/forward", "activation/backward", "tensor/add", "tensor/op", "tensor/reduce", "tensor/transform",
          "lrn/forward", "lrn/backward", "spatial-grid/forward", "spatial-grid/backward", "spatial-sampler/forward",
          "spatial-sampler/backward", "ctc-loss", "conv-activation", "dropout"]
# What cuDNN has in other types alone.
REFUSED = {f"{name} bf16" for name in ("conv-backward/bias", "dropout", "lrn/backward", "lrn/forward", "tensor/reduce")}


@needs_gpu
class Operations(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = os.path.join(scratch.name, "build")

    def installs(self):
        return [one for one in (gpu_machine.debian_package(), gpu_machine.python_wheel()) if one]

    def configure(self, install, operations):
        return Build(self.folder, install.root, CuDNNChecked_OPERATIONS=";".join(operations))

    def test_what_is_right_is_verified(self):
        install = self.installs()[0]
        build = self.configure(install, ["attention/forward", "matmul"])
        self.assertEqual(build.status, 0, build.output)
        self.assertIn("operations verified (matmul, attention/forward)", build.line)

    def test_the_command_line_computes_all(self):
        for install in self.installs():
            with self.subTest(install.name):
                done = subprocess.run(
                    [cudnn_checked_program(), "probe", install.libraries, "--json", "--operations", ",".join(RIGHT)],
                    check=False, capture_output=True, text=True)
                self.assertEqual(done.returncode, 0, done.stderr)
                keep(f"operations-{install.release}.json", done.stdout)
                runs = json.loads(done.stdout)["operations"]
                self.assertEqual({run["operation"] for run in runs}, set(RIGHT))
                self.assertEqual({run["status"] for run in runs}, {"ok"})

    def test_operations_of_the_legacy_api(self):
        for install in self.installs():
            done = subprocess.run(
                [cudnn_checked_program(), "probe", install.libraries, "--json", "--operations", ",".join(LEGACY)],
                check=False, capture_output=True, text=True)
            keep(f"legacy-{install.release}.json", done.stdout)
            report = json.loads(done.stdout)
            for operation in LEGACY:
                with self.subTest(install.name, operation=operation):
                    runs = [run for run in report["operations"] if run["operation"] == operation]
                    self.assertEqual({run["status"] for run in runs}, {"ok"})
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertLessEqual({text.split(" on GPU ")[0] for text in report["skipped"]}, REFUSED)

    def test_gradients_of_attention_are_refused_and_named(self):
        for install in self.installs()[-1:]:
            if gpu_machine.capability() != "90" or install.release not in DEFECTIVE:
                continue
            with self.subTest(install.name):
                build = self.configure(install, ["attention"])
                self.assertNotEqual(build.status, 0)
                self.assertIn("[wrong-numbers]", build.output)
                runs = build.report["operations"]
                wrong = [run for run in runs if run["status"] != "ok"]
                self.assertEqual({run["operation"] for run in wrong}, {"attention/backward"})
                self.assertEqual({(run["type"], run["output"]) for run in wrong}, DEFECTIVE[install.release])

    def test_recurrent_networks(self):
        """rnn-small-h, lstm-small-h and gru-small-h: docs/recurrent.md."""
        expected = {("rnn/backward", "tanh 8x4x32 to 32, 2 directions, small-h, tensor-op"),
                    ("rnn/backward", "relu 16x3x24 to 64, 2 layers, 2 directions, small-h, tensor-op"),
                    *((f"lstm/{way}", "lstm 8x2x24 to 48, small-h, tensor-op") for way in ("forward", "backward")),
                    *((f"gru/{way}", "gru 8x2x24 to 40, small-h, tensor-op") for way in ("forward", "backward"))}
        for install in self.installs():
            if gpu_machine.capability() != "90" or install.release not in DEFECTIVE:
                continue
            with self.subTest(install.name):
                done = subprocess.run(
                    [cudnn_checked_program(), "probe", install.libraries, "--json", "--operations", "rnn,lstm,gru"],
                    check=False, capture_output=True, text=True)
                self.assertEqual(done.returncode, 1, done.stderr)
                keep(f"recurrent-{install.release}.json", done.stdout)
                wrong = [run for run in json.loads(done.stdout)["operations"] if run["status"] != "ok"]
                self.assertEqual({(run["operation"], run["problem"]) for run in wrong}, expected)
                self.assertEqual({(run["type"], run["engine"]) for run in wrong}, {("fp16", 3)})

    def test_a_sweep_finds_the_engine(self):
        for install in self.installs():
            if gpu_machine.capability() != "90" or install.release not in ENGINE:
                continue
            with self.subTest(install.name):
                done = subprocess.run(
                    [cudnn_checked_program(), "sweep", install.libraries, "--json", "--operations", "attention,matmul,conv-bias"],
                    check=False, capture_output=True, text=True)
                self.assertEqual(done.returncode, 1, done.stderr)
                report = json.loads(done.stdout)
                keep(f"sweep-operations-{install.release}.json", done.stdout)
                self.assertFalse(report["interrupted"])
                errors = [row for row in report["rows"] if row["severity"] == "error"]
                self.assertEqual({(row["operation"], row["engine"]) for row in errors},
                                 {("attention/backward", ENGINE[install.release])})
                self.assertEqual({row["operation"] for row in report["rows"]}, {"attention/backward"})
                self.assertEqual({row["plans"]["changing"] for row in report["rows"]}, {0})
