# SPDX-License-Identifier: BSD-3-Clause
"""A configure that is killed at any moment: the next one in its tree is right, and nothing is stuck.

CUDNN_CHECKED_KILLS=200 kills as often as that; the moments are those of the seed CUDNN_CHECKED_SEED.
"""

import os
import random
import shutil
import signal
import subprocess
import time

from support.environment import clean_environment
from support.consumer import Result
from support.processes import processes, wait_for
from support.proving import ProvingTest

KILLS = int(os.environ.get("CUDNN_CHECKED_KILLS", "4"))
SEED = int(os.environ.get("CUDNN_CHECKED_SEED", "46"))
SIGNALS = [signal.SIGKILL, signal.SIGTERM, signal.SIGINT]


class Killed(ProvingTest):
    sdk_options = {"cudnn": "9.14.0", "gpus": ""}

    def killed(self, kind, seconds, *arguments, again=False):
        """Configures, and kills that CMake after so many seconds; a terminal's Ctrl-C reaches its group."""
        def run(*command, environment=None, timeout=None):
            process = subprocess.Popen([str(part) for part in command], cwd=self.scratch, start_new_session=True,
                                       env=clean_environment(self.scratch, **(environment or {})),
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            try:
                process.wait(seconds)
                return Result(process.returncode, "")
            except subprocess.TimeoutExpired:
                (os.killpg if kind == signal.SIGINT else os.kill)(process.pid, kind)
                try:
                    status = process.wait(60)
                except subprocess.TimeoutExpired:  # seen once: what CMake does with SIGTERM is its own
                    process.kill()
                    status = process.wait()
                # Before CMake had a cache of its own: here it has the one that names known compilers.
                cache = self.app.path("CMakeCache.txt")
                if cache.exists() and "CMAKE_GENERATOR:" not in cache.read_text():
                    cache.unlink()
                return Result(status, "killed")

        whole, self.app.run = self.app.run, run
        try:
            return self.configure(*arguments).output == "killed"
        finally:
            self.app.run = whole

    def files(self):
        """What lies in the tree's folder, without what compilers write and what is remembered of old files."""
        work = self.app.path("CuDNNChecked")
        return sorted({str(path.relative_to(work)) for path in work.rglob("*")
                       if "build" not in path.relative_to(work).parts and not path.name.startswith("answer-")})

    def left_running(self):
        return [words for words in processes().values() if any(os.fsencode(self.app.build_directory) in word
                                                               for word in words)]

    def test_the_next_configure(self):
        expected = self.proved()  # the compiler's cache, where there is one, has the probe then
        shutil.rmtree(self.app.build_directory)
        begin = time.monotonic()
        self.assertEqual(self.proved(), expected)
        taken = time.monotonic() - begin
        files = self.files()
        moments, killed, longest = random.Random(SEED), 0, 0.0
        for number in range(KILLS):
            # The first one early: on a machine that does less by now, all others may have ended before.
            kind, seconds = SIGNALS[number % len(SIGNALS)], moments.uniform(0, taken if number else taken / 10)
            with self.subTest(number=number, kind=kind.name, seconds=seconds, seed=SEED):
                if moments.random() < 0.7:
                    shutil.rmtree(self.app.build_directory)
                    arguments = []
                else:
                    # A tree that was right: only the proof is made again.
                    arguments = [f"-DCuDNNChecked_CONVOLUTIONS={moments.choice(['legacy', 'graph', 'all'])}"]
                killed += self.killed(kind, seconds, *arguments)
                begin = time.monotonic()
                self.assertEqual(self.proved("-DCuDNNChecked_CONVOLUTIONS="), expected)
                longest = max(longest, time.monotonic() - begin)
                self.assertEqual(self.files(), files)
            if KILLS > 20 and number % 10 == 9:
                print(f"\n{number + 1} configures, {killed} of them killed, the longest next one {longest:.1f} s",
                      end="", flush=True)
        self.assertEqual(wait_for(lambda: not self.left_running(), 30), True, self.left_running())
        print(f"\n{killed} of {KILLS} configures were killed within {taken:.1f} s, "
              f"the longest next one took {longest:.1f} s", end=" ... ", flush=True)
        self.assertGreater(killed, 0)
