#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""cudnn-checked sweep on several GPUs: they share the problems, and a defective one is told from an engine (S55)."""

import json
import re

from test_sweep_command import SDK
from of_product import call
from support import ScratchTest, simulated_sdk
from support.schema import check_json

EIGHT = ",".join(["sm_90"] * 8)
UUID = "GPU-a{0}494d55-4c41-5445-442d-475055005a0{0}"
# Of each operation, and all types and layouts of forward convolutions on one GPU.
BROKEN = ",".join(f"engine-wrong:{engine}:gpu=5" for engine in (0, 1, 38, 57, 58, 60, 62, 70, 71, 74))


class Several(ScratchTest):
    def setUp(self):
        super().setUp()
        self.sdk = simulated_sdk(**SDK)

    def swept(self, *arguments, gpus=EIGHT, **more):
        return call("sweep", self.sdk.prefix, *arguments, home=self.scratch, SIMULATED_GPUS=gpus,
                    LD_LIBRARY_PATH=self.sdk.driver_directory, **more)

    def report(self, *arguments, **more):
        status, out, err = self.swept("--json", *arguments, **more)
        self.assertEqual(err, "")
        return status, json.loads(out)

    def long_enough(self, sweep, *arguments, until, **more):
        """The first of some sweeps that has it: a busy machine needs more time.  A longer one computes what a shorter does."""
        for seconds in ("1", "4", "15"):
            result = sweep(*arguments, "--seconds", seconds, **more)
            if until(*result):
                break
        return result

    def test_they_share_the_problems(self):
        status, report = self.long_enough(
            self.report, "--device", "all",
            until=lambda status, report: status != 3 and all(gpu["problems"] for gpu in report["gpus"]))
        self.assertEqual((status, report["verdict"], report["request"]["devices"]), (0, "ok", list(range(8))))
        self.assertEqual([gpu["uuid"] for gpu in report["gpus"]], [UUID.format(number) for number in range(8)])
        begun = [gpu["problems"] for gpu in report["gpus"]]
        self.assertEqual(sum(begun), report["counts"]["problems"])
        self.assertNotIn(0, begun)
        check_json(report, "sweep")
        status, out, _ = self.swept("--device", "6,2,6", "--seconds", "1", "--workers", "1")
        self.assertEqual(status, 0)
        self.assertIn("\n  GPUs:       6, 2\n", out)

    def test_one_of_them_computes_wrong(self):
        status, out, err = self.long_enough(self.swept, "--device", "all", SIMULATED_FAULT=BROKEN + ",engine-wrong:72:fwd",
                                            until=lambda _, out, __: "1 engine and 1 GPU failed" in out)
        self.assertEqual((status, err), (1, ""))
        # The engine that is wrong on all of them is the engine's, and no other has a row.
        rows = re.findall(r"(?m)^  \d+ +(\d+) +(\S+) ", out)
        self.assertEqual(set(rows), {("72", "fwd")})
        text = re.sub(r"wrong numbers: \d+ plans", "wrong numbers: N plans", out)
        text = re.sub(r"(?m)^  computed:  .*, plan eng\S+, relative error \S+$", "  computed:  <example>", text)
        others = ",".join(UUID.format(gpu) for gpu in range(8) if gpu != 5)
        self.assertIn(f"""
error: GPU 5 computes wrong numbers: N plans that another GPU computes right
  computed:  <example>
  GPU 5:     {UUID.format(5)}   Simulated GPU sm_90
  CUDA and cuDNN report no error, and others of its kind compute right: it is the GPU.
  fix: export CUDA_VISIBLE_DEVICES={others}
   or: nvidia-smi -q -i {UUID.format(5)}
   or: dcgmi diag -r 3
  [wrong-numbers]

cudnn-checked: refused: 1 engine and 1 GPU failed: 1 error, 0 warnings, 1 note
""", text)
        # Without it all is right.
        self.assertEqual(self.report("--device", "all", "--seconds", "2", CUDA_VISIBLE_DEVICES=others,
                                     SIMULATED_FAULT=BROKEN)[1]["verdict"], "ok")

    def test_an_engine_that_is_wrong_everywhere_is_no_defective_gpu(self):
        status, report = self.long_enough(
            self.report, "--device", "0,1", until=lambda status, _: status == 1,
            SIMULATED_FAULT="engine-wrong:70:fwd,engine-unwritten:72,engine-changing:71:fwd")
        self.assertEqual(status, 1)
        self.assertEqual({finding["name"] for finding in report["findings"]}, {"wrong-engine"})
        self.assertEqual([gpu["wrong_alone"] for gpu in report["gpus"]], [0, 0])

    def test_one_of_them_does_not_compute(self):
        for broken in (0, 2):
            status, out, err = self.long_enough(
                self.swept, "--device", "all", gpus="sm_90,sm_90,sm_90", until=lambda status, *_: status == 1,
                SIMULATED_FAULT=f"fail:cudnnCreate:1001:gpu={broken}")
            self.assertEqual((status, err), (1, ""))
            rest = ",".join(UUID.format(gpu) for gpu in range(3) if gpu != broken)
            self.assertIn(f"""
error: GPU {broken} computes nothing, and others of its kind do
  answered:  cudnnCreate: 1001 CUDNN_STATUS_NOT_INITIALIZED
  GPU {broken}:     no UUID   Simulated GPU sm_90
  The program's own convolutions would fail in the same way.
  fix: export CUDA_VISIBLE_DEVICES={rest}
   or: nvidia-smi -q
   or: dcgmi diag -r 3
  [convolution-failed]

cudnn-checked: refused: 1 GPU failed: 1 error, 0 warnings
""", out)

    def test_they_are_of_one_kind(self):
        status, out, _ = self.swept("--device", "all", "--seconds", "3", gpus="sm_90,sm_80")
        self.assertEqual((status, out), (3, "cudnn-checked: unknown: nothing was computed: a sweep is of GPUs of one "
                                            "kind: GPU 1 is Simulated GPU sm_80 (sm_80), and others are Simulated GPU "
                                            "sm_90 (sm_90)\n"))
        self.assertEqual(self.swept("--device", "1", "--seconds", "1", gpus="sm_90,sm_80")[0], 0)

    def test_nothing_is_there(self):
        for devices in ("all", "0,1"):
            status, out, _ = self.swept("--device", devices, "--seconds", "3", CUDA_VISIBLE_DEVICES="")
            self.assertEqual((status, out), (3, "cudnn-checked: unknown: nothing was computed: there is no GPU that "
                                                "CUDA can use: CUDA_VISIBLE_DEVICES=\n"))
