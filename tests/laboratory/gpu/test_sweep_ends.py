# SPDX-License-Identifier: BSD-3-Clause
"""Whatever ends `cudnn-checked sweep`: nothing is left behind.

The memory of the GPU is test_sweep_of_real_engines.py's to measure: other tests use it at the same time."""
import json
import os
import signal
import time
import unittest

import of_gpu  # noqa: F401 -- before gpu_machine
import sweeps
from gpu_machine import keep, needs_gpu
from sweeps import NOTHING, OnBoth


@needs_gpu
class LeftBehind(OnBoth):
    """Whatever ends a sweep: no process, no file, no memory of the GPU."""

    def start(self, *options):
        install = self.installs()[0]
        started = sweeps.Started(install.libraries, *options)
        self.addCleanup(started.close)
        return started

    def test_interrupted(self):
        started = self.start("--seconds", "60", "--json")
        self.assertTrue(started.workers())
        started.interrupt()
        begin = time.monotonic()
        status, out, _ = started.finish(30)
        self.assertLess(time.monotonic() - begin, 10)
        tree = json.loads(out)
        self.assertTrue(tree["interrupted"])
        self.assertGreater(tree["counts"]["plans"], 0)
        self.assertEqual(started.left.behind(), NOTHING)
        keep("left-interrupted.txt", f"status {status}, {tree['counts']}\n")

    def test_worker_killed(self):
        started = self.start("--seconds", "15", "--json")
        killed = started.workers()[:2]
        for number in killed:
            os.kill(number, signal.SIGKILL)
        time.sleep(3)
        workers = started.running_workers()
        status, out, _ = started.finish(60)
        self.assertTrue(workers)
        self.assertFalse(set(killed) & set(workers))
        tree = json.loads(out)
        self.assertEqual((tree["interrupted"], tree["why_not"]), (False, ""))
        self.assertEqual(started.left.behind(), NOTHING)
        keep("left-worker-killed.txt", f"status {status}, {tree['counts']}\n")

    def test_killed(self):
        started = self.start("--seconds", "60", "--json")
        self.assertTrue(started.workers())
        started.process.kill()
        started.process.wait(10)
        self.assertEqual(started.left.behind(), NOTHING)


if __name__ == "__main__":
    unittest.main()
