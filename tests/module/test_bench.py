# SPDX-License-Identifier: BSD-3-Clause
"""What ./dev bench compares a cold configure with."""

import os
import sys
from unittest import mock

from support.environment import REPOSITORY
from support.proving import ProvingTest

sys.path.insert(0, str(REPOSITORY / "tests" / "bench"))
import bench  # noqa: E402


class Bench(ProvingTest):
    sdk_options = {"cudnn": "9.14.0", "gpus": "sm_75"}

    def test_by_hand_the_same_is_proved(self):
        found = f"{self.sdk.library_directory}:{self.sdk.driver_directory}"
        given = [f"-DCuDNNChecked_ROOT={self.sdk.prefix}", f"-DCUDAToolkit_ROOT={self.sdk.prefix}"]
        with mock.patch.object(bench, "COLD_RUNS", 1), mock.patch.dict(os.environ, LD_LIBRARY_PATH=found):
            checked = bench.Configure(REPOSITORY, self.scratch / "bench", "ON", given)
            checked.cold()
            of_package = bench.report_of(checked.output)
            taken, by_hand = bench.probe_by_hand(REPOSITORY, checked.folder, of_package)
        self.assertGreater(taken, 0)
        self.assertEqual(of_package["level"], "ran")
        for report in (by_hand, of_package):
            for run in report["convolutions"]:
                del run["milliseconds"]
        for part in ("level", "verdict", "cudnn", "cuda", "convolutions", "findings"):
            self.assertEqual(by_hand[part], of_package[part], part)
