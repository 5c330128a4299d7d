# SPDX-License-Identifier: BSD-3-Clause
"""What a sound cuDNN gives: the level, the results, the targets, one line."""

import json

from support import status_lines
from support.environment import RELEASE
from support.proving import ProvingTest
from support.schema import check_json


class OnTwoGpus(ProvingTest):
    sdk_options = {"cudnn": "9.14.0", "gpus": "sm_75;sm_86"}

    def test_ran(self):
        result = self.proved(request="9.1...<10;REQUIRED;COMPONENTS;cnn")
        self.assertEqual(result["FOUND"], "TRUE")
        self.assertEqual(result["VERSION"], "9.14.0")
        self.assertEqual(result["LIBRARY_VERSION"], "9.14.0")
        self.assertEqual(result["LEVEL"], "RAN")
        self.assertEqual(result["CUDA_VERSION"], "13.0")
        self.assertEqual(result["ARCHITECTURES"], "75;86")
        self.assertEqual(result["LIBRARIES"], "CuDNNChecked::cudnn")
        self.assertEqual(result["cnn_FOUND"], "TRUE")
        self.assertEqual(result["PACKAGE_VERSION"], RELEASE)
        report = json.loads(open(result["REPORT"]).read())
        check_json(report, "report")
        self.assertEqual(report["verdict"], "ok")
        self.assertEqual(report["level"], "ran")
        [line] = status_lines(self.output)
        self.assertRegex(line, r"^cuDNN 9\.14\.0 · CUDA 13\.0 · sm_75 sm_86, convolution verified "
                               r"\(legacy, graph; error fp32 \S+, fp16 \S+\)$")

    def test_quiet(self):
        self.proved(request="REQUIRED;QUIET")
        self.assertEqual(status_lines(self.output), [])

    def test_one_device(self):
        self.assertEqual(self.proved("-DCuDNNChecked_DEVICES=1")["ARCHITECTURES"], "86")

    def test_each_gpu_where_all_are_asked_for(self):
        alike = {"SIMULATED_GPUS": ",".join(["sm_86"] * 8)}
        for asked, computed in (("", [0]), ("all", list(range(8))), ("7;GPU-a2", [7, 2])):
            result = self.proved(f"-DCuDNNChecked_DEVICES={asked}", environment=alike)
            runs = json.loads(open(result["REPORT"]).read())["convolutions"]
            self.assertEqual(list(dict.fromkeys(run["device"] for run in runs)), computed)
        text = self.refused("-DCuDNNChecked_DEVICES=all", environment={
            **alike, "SIMULATED_FAULT": "wrong:legacy:gpu=6"})
        self.assertIn("cudnn_checked: refused: GPU 6 computes wrong numbers: legacy/fp32/nchw\n", text)
        self.assertIn("  right on:   7 GPUs ", text)
        self.assertIn("\n  GPU 6:      GPU-a6", text)

    def test_a_program_links_and_runs(self):
        self.app.write("main.cpp", """
#include <cudnn.h>
#include <cstdio>
int main() { std::printf("%zu\\n", cudnnGetVersion()); }
""")
        self.app.write("after.cmake", """
add_executable(program main.cpp)
target_link_libraries(program PRIVATE CuDNNChecked::cudnn)
add_executable(whole main.cpp)
target_link_libraries(whole PRIVATE CuDNNChecked::cudnn_all CuDNNChecked::cudnn_ops)
""")
        self.proved()
        done = self.app.build()
        self.assertEqual(done.status, 0, done.output)
        for name in ["program", "whole"]:
            self.assertEqual(self.app.run(self.app.path(name)).output, "91400\n")

    def test_an_install_without_the_plain_name_links(self):
        plain = self.sdk.library_directory / "libcudnn.so"
        if plain.exists():
            plain.unlink()
        self.assertEqual(self.proved()["LEVEL"], "RAN")


class WithoutGpu(ProvingTest):
    sdk_options = {"cudnn": "9.14.0", "gpus": ""}

    def test_loaded(self):
        result = self.proved()
        self.assertEqual(result["LEVEL"], "LOADED")
        self.assertEqual(result["ARCHITECTURES"], "")
        [line] = status_lines(self.output)
        self.assertRegex(line, r"^cuDNN 9\.14\.0 · CUDA 13\.0 · loaded, no convolution was run")

    def test_ran_is_required(self):
        self.assertIn("[not-verified]", self.refused("-DCuDNNChecked_REQUIRE=RAN"))


class Linked(ProvingTest):
    def test_cross_compiling(self):
        result = self.proved("-DCMAKE_SYSTEM_NAME=Linux", "-DCMAKE_SYSTEM_PROCESSOR=x86_64")
        self.assertEqual(result["LEVEL"], "LINKED")
        self.assertEqual(result["REPORT"], "")
        self.assertEqual(status_lines(self.output), [
            "cuDNN 9.14.0 · CUDA 13.0, linked only; nothing was run: cross-compiling without "
            "CMAKE_CROSSCOMPILING_EMULATOR [not-verified]"])

    def test_cross_compiling_with_an_emulator(self):
        result = self.proved("-DCMAKE_SYSTEM_NAME=Linux", "-DCMAKE_SYSTEM_PROCESSOR=x86_64",
                             "-DCMAKE_CROSSCOMPILING_EMULATOR=/usr/bin/env")
        self.assertIn(result["LEVEL"], ["LOADED", "RAN"])

    def test_a_level_that_cannot_be_reached(self):
        self.assertEqual(self.refused("-DCMAKE_SYSTEM_NAME=Linux",
                                      "-DCMAKE_SYSTEM_PROCESSOR=x86_64",
                                      "-DCuDNNChecked_REQUIRE=LOADED"), """\
cudnn_checked: refused: the level that is required cannot be reached in this cross build
  required:  LOADED   CuDNNChecked_REQUIRE
  reached:   LINKED   CMAKE_CROSSCOMPILING_EMULATOR is not set
  The probe is built for another machine and cannot be started here.
  fix: cmake -D CuDNNChecked_REQUIRE=AUTO <scratch>/app-build
   or: name the report that <scratch>/app-build/CuDNNChecked/cudnn_checked_target_judge wrote there in \
CuDNNChecked_PROBE_REPORT
  [not-verified]
""")

    def test_by_request(self):
        self.assertEqual(self.proved("-DCuDNNChecked_REQUIRE=linked")["LEVEL"], "LINKED")
        self.assertFalse(self.app.path("CuDNNChecked/all/report.json").exists())
