# SPDX-License-Identifier: BSD-3-Clause
"""The second configure starts no process; what the proof depends on makes it start again."""

import os
import re
import shutil

from support import ProcessLog
from support.proving import ProvingTest

# What CMake itself starts when it configures again: the generator, and since 3.31 the linker.
WITHOUT_CUDNN = "cmake_minimum_required(VERSION 3.22)\nproject(without LANGUAGES CXX)\n"


class Warm(ProvingTest):
    def test_no_process_is_started(self):
        cold = ProcessLog(self.scratch / "cold")
        self.proved(environment=cold.environment)
        self.assertIn("cudnn_checked_probe", cold.programs)
        # The preloaded library is a part of the environment that the result depends on.
        warm = ProcessLog(self.scratch / "warm")
        before = self.output
        self.proved(environment=warm.environment)
        without = self.consumer("without", cmake_lists=WITHOUT_CUDNN)
        # It has asked the compilers itself too.
        self.assertEqual(without.configure(environment=cold.environment).status, 0)
        of_cmake = ProcessLog(self.scratch / "of_cmake")
        self.assertEqual(without.configure(environment=of_cmake.environment).status, 0)
        self.assertEqual(warm.programs, of_cmake.programs)
        line = [text for text in before.splitlines() if text.startswith("-- cuDNN ")]
        self.assertEqual(len(line), 1, before)
        self.assertIn(line[0], self.output.splitlines())

    def test_a_touched_library_is_probed_again(self):
        self.proved()
        self.assert_probe_ran(False)
        for role in ["", "graph", "heuristic"]:
            with self.subTest(role=role):
                path = self.sdk.library(role)
                time = int(path.stat().st_mtime) - 100
                os.utime(path, (time, time))
                self.assert_probe_ran(True)
                self.assert_probe_ran(False)

    def test_a_library_of_the_same_size_and_time_is_probed_again(self):
        self.proved()
        path = self.sdk.library("heuristic")
        status = path.stat()
        content = path.read_bytes()
        # The end of the last section header, sh_entsize of .shstrtab: no loader reads it.
        with open(path, "r+b") as file:
            file.write(content[:-1] + bytes([content[-1] ^ 1]))
        os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
        self.assert_probe_ran(True)

    def test_options_and_environment(self):
        self.proved()
        for arguments, environment in [
                (["-DCuDNNChecked_CONVOLUTIONS=graph/fp32/nchw"], {}),
                (["-DCuDNNChecked_CONVOLUTIONS="], {}),
                (["-DCuDNNChecked_OPERATIONS=conv"], {}),
                (["-DCMAKE_CXX_FLAGS=-O1"], {}),
                ([], {"LD_LIBRARY_PATH": self.sdk.library_directory})]:
            with self.subTest(arguments=arguments, environment=environment):
                self.assert_probe_ran(True, *arguments, environment=environment)
                self.assert_probe_ran(False, environment=environment)

    def test_beside_the_cuda_runtime(self):
        """Its directory is on the RUNPATH of the probe, and the order decides which GPU is 0."""
        cuda = self.scratch / "cuda"
        (cuda / "lib").mkdir(parents=True)
        (cuda / "include").symlink_to(self.sdk.include)
        for file in self.sdk.library_directory.glob("libcudart*"):
            shutil.copy2(file, cuda / "lib" / file.name, follow_symlinks=False)
        root = f"-DCUDAToolkit_ROOT={cuda}"
        self.proved(root)
        self.assert_probe_ran(False, root)
        shutil.copy2(self.sdk.library("ops"), cuda / "lib" / "libcudnn_other.so.9")
        self.assert_probe_ran(True, root)
        self.assert_probe_ran(True, root, environment={"CUDA_DEVICE_ORDER": "PCI_BUS_ID"})

    def test_a_header_is_read_again(self):
        self.proved()
        header = self.sdk.include / "cudnn_version.h"
        header.write_text(header.read_text() + "\n")
        self.assert_probe_ran(True)

    def test_a_failure_is_not_kept(self):
        library = self.sdk.library("graph")
        content = library.read_bytes()
        library.write_bytes(b"")
        self.assertIn("[library-corrupt]", self.refused())
        library.write_bytes(content)
        self.proved()

    def forget_answers(self):
        """They would be enough without a result; test_recall.py cuts them."""
        for answer in self.app.path("CuDNNChecked").glob("answer-*.txt"):
            answer.unlink()

    def test_a_result_that_was_cut_is_no_proof(self):
        self.proved()
        file = self.app.path("CuDNNChecked/all/result.txt")
        text = file.read_text()
        cuts = [match.end() for match in re.finditer("\n", text)][:-1]
        for cut in [0, *cuts[::3], cuts[-1], cuts[-1] - 3, len(text) - 5]:
            with self.subTest(cut=text[:cut].splitlines()[-1:]):
                file.write_text(text[:cut])
                self.forget_answers()
                self.assert_probe_ran(True)
                self.assertEqual(file.read_text(), text)
        file.write_text(text.replace("proved_level=", "proved_level=ran"))
        self.forget_answers()
        self.assert_probe_ran(True)
        self.assert_probe_ran(False)

    def test_the_next_build_configures_again_when_the_library_changed(self):
        self.proved()
        done = self.app.build(environment=self.sdk.environment)
        self.assertNotIn("Re-running CMake", done.output)
        library = self.sdk.library("ops")
        newer = self.scratch / "newer"
        newer.write_bytes(library.read_bytes())
        time = int(library.stat().st_mtime) - 100
        os.utime(newer, (time, time))
        newer.chmod(0o755)
        newer.rename(library)
        done = self.app.build(environment=self.sdk.environment)
        self.assertEqual(done.status, 0, done.output)
        self.assertIn("-- cuDNN 9.14.0", done.output)

    def test_a_file_from_the_future_does_not_stop_the_build(self):
        time = self.sdk.library().stat().st_mtime + 10**6
        os.utime(self.sdk.library("ops"), (time, time))
        self.proved()
        done = self.app.build(environment=self.sdk.environment)
        self.assertEqual(done.status, 0, done.output)
