# SPDX-License-Identifier: BSD-3-Clause
"""Every finding has a row, or a reason why it has none."""

import unittest

import test_doctor
import test_fixes_at_configure
import test_fixes_of_machine
import test_start
from harness import FixesTest
from support.environment import REPOSITORY
from support.findings import findings

# What can only be raised elsewhere; its fixes are in the test that is named.
ELSEWHERE = {
    "arch-above-cudnn": "a warning without a fault: guard/test_driver_and_gpus.py",
    "arch-jit-only": "a warning without a fault: guard/test_driver_and_gpus.py",
    "compat-driver": "needs a kernel module: unit/judge_driver.cpp",
    "cudnn-differs": "its fix is that of cudnn-older: guard/test_files.py",
    "cudnn-known-bad": "needs a release with a known defect: unit/judge_defects.cpp",
    "dependency-mixed": "needs two installs of CUDA in one process: unit/judge_dependencies.cpp",
    "driver-mismatch": "needs a kernel module: unit/judge_driver.cpp",
    "kernel-failed": "needs nvcc: module/test_kernel_with_nvcc.py",
    "kernel-not-compiled": "needs nvcc: module/test_kernel_with_nvcc.py",
    "not-verified": "a note without a fault: module/test_proof.py",
    "not-stamped": "a note without a fault: cli/test_unstamped.py",
    "probe-not-linked": "as probe-not-compiled, which has rows: module/test_refusals.py",
    "probe-timeout": "needs a machine that is slow once: module/test_refusals.py",
    "record-differs": "a note without a fault where nothing else is wrong: real/test_scenarios_without_gpu.py",
    "replaced-in-use": "needs a process that runs: cli/test_process_states.py",
    "toolkit-mixed": "needs nvcc: module/test_kernel_with_nvcc.py",
    "two-cudnns": "two users of cuDNN in one process: guard/test_sets_of_the_loader.py",
    "version-unknown": "unknown, never refused: unit/judge_versions.cpp",
    "wrong-engine": "needs a GPU, or the simulated one: laboratory/test_sweep_errata.py",
}


def rows():
    for module in (test_doctor, test_fixes_at_configure, test_fixes_of_machine, test_start):
        for case in vars(module).values():
            if isinstance(case, type) and issubclass(case, FixesTest) and case.__module__ == module.__name__:
                yield from ((case, fault) for fault in (*case.faults, *case.without_command))


class Tables(unittest.TestCase):
    def test_every_finding_has_a_row_or_a_reason(self):
        known = {finding.name for finding in findings()}
        have = {name for _, fault in rows() for name in fault.finding.split("|")} & known
        self.assertEqual(sorted(known - have), sorted(ELSEWHERE))
        for reason in ELSEWHERE.values():
            self.assertTrue((REPOSITORY / "tests" / reason.split()[-1]).exists(), reason)

    def test_every_row_without_a_command_has_a_reason(self):
        for case, fault in rows():
            self.assertEqual(fault in case.without_command, fault.no_command != "", fault.name)

    def test_how_many(self):
        commands = [fault for _, fault in rows() if not fault.no_command]
        self.assertGreaterEqual(len(commands), 40)
        print(f"{len(commands)} faults, {sum(len(fault.checks) for fault in commands)} checks; "
              f"{sum(1 for _ in rows()) - len(commands)} without a command", flush=True)


if __name__ == "__main__":
    unittest.main()
