# SPDX-License-Identifier: BSD-3-Clause
"""probe and sweep open what cuDNN asks for by name from the Python environment that it lies in, as PyTorch does."""

import json
import subprocess
import unittest

from checked_program import call, compiled
from support import ScratchTest, simulated_sdk

# Adds the name of its file to the list of what was opened.
LIBRARY = """
#include <stdio.h>
#include <stdlib.h>
__attribute__((constructor)) static void opened(void) {
  FILE* file = fopen(getenv("OPENED"), "a");
  fputs(FILE_NAME "\\n", file);
  fclose(file);
}
"""
COMMANDS = (["probe"], ["sweep", "--seconds", "0.3"])
# CUDA 12 or 13: what ld.so.cache has, the loader finds by itself.
CACHE = subprocess.run(["/sbin/ldconfig", "-p"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
CUDA = next((release for release in ("12.9", "13.0") if f"libnvrtc.so.{release[:2]}" not in CACHE), None)


@unittest.skipIf(CUDA is None, "the loader of this machine finds NVRTC of CUDA 12 and of CUDA 13")
class Environment(ScratchTest):
    def setUp(self):
        super().setUp()
        self.nvidia = self.scratch / "venv/lib/python3.12/site-packages/nvidia"
        self.write("venv/bin/python")

    def cudnn(self, libraries):
        self.sdk = simulated_sdk(cudnn="9.14.0", cudnn_cudart=CUDA, sublibraries=libraries, build_ids="catalogue")
        self.sdk.copy(self.nvidia / "cudnn")

    def library(self, name, folder):
        path = folder / "lib" / name
        compiled(path, f'#define FILE_NAME "{path.relative_to(self.scratch)}"\n{LIBRARY}', "-shared", "-fPIC",
                 f"-Wl,-soname,{name}", language="C")

    def opened(self, command, directory=""):
        """What was opened, and what is missing by the report of the probe."""
        log = self.scratch / "opened"
        log.write_text("")
        _, out, err = call(*command, "--json", self.nvidia / "cudnn", home=self.scratch, OPENED=str(log),
                           SIMULATED_GPUS="sm_90", LD_LIBRARY_PATH=f"{self.sdk.driver_directory}:{directory}")
        self.assertEqual(err, "")
        missing = [f["expected"] for f in json.loads(out)["findings"] if f["name"] == "dependency-missing"]
        return sorted(set(log.read_text().splitlines())), missing

    def of_environment(self, *names):
        return [f"venv/lib/python3.12/site-packages/nvidia/{name}" for name in names]

    def test_a_jit_only_set_gets_nvrtc_and_what_that_opens(self):
        self.cudnn("jit")
        nvrtc, builtins = f"libnvrtc.so.{CUDA[:2]}", f"libnvrtc-builtins.so.{CUDA}"
        self.assertEqual(self.opened(["probe"]), ([], [nvrtc]))
        for name in (nvrtc, builtins, f"libcublasLt.so.{CUDA[:2]}"):
            self.library(name, self.nvidia / "cuda_nvrtc")
        for command in COMMANDS:
            with self.subTest(command):
                self.assertEqual(self.opened(command), (
                    self.of_environment(f"cuda_nvrtc/lib/{builtins}", f"cuda_nvrtc/lib/{nvrtc}"), []))

    def test_a_whole_set_gets_cublaslt_as_well(self):
        self.cudnn("full")
        cublaslt, nvrtc = f"libcublasLt.so.{CUDA[:2]}", f"libnvrtc.so.{CUDA[:2]}"
        self.library(cublaslt, self.nvidia / "cublas")
        self.library(nvrtc, self.nvidia / "cuda_nvrtc")
        for command in COMMANDS:
            with self.subTest(command):
                self.assertEqual(self.opened(command), (
                    self.of_environment(f"cublas/lib/{cublaslt}", f"cuda_nvrtc/lib/{nvrtc}"), []))

    def test_what_the_loader_finds_is_left_to_it(self):
        self.cudnn("jit")
        nvrtc = f"libnvrtc.so.{CUDA[:2]}"
        for folder in (self.nvidia / "cuda_nvrtc", self.scratch / "own"):
            self.library(nvrtc, folder)
        for command in COMMANDS:
            with self.subTest(command):
                self.assertEqual(self.opened(command, self.scratch / "own/lib"), ([], []))
