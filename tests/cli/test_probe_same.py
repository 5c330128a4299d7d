# SPDX-License-Identifier: BSD-3-Clause
"""`cudnn-checked probe` finds the same as the probe at configure time, and CMake takes its report."""

import json
import shutil
import subprocess

from checked_program import call
from support import simulated_sdk, status_lines
from support.environment import clean_environment
from support.proving import ProvingTest

# Key by key, but for what cannot be the same: nothing is compiled, and the shim is opened.
FAULTS = ["", "fail:cudnnCreate:1001", "fail:cudnnConvolutionForward:5000", "fail:cudnnBackendExecute:5000",
          "fail:cudnnBackendFinalize:3000", "wrong:graph/fp16/nchw", "wrong-element:legacy", "unwritten:graph/fp32/nhwc",
          "fail:cudaMemcpy:700", "fail:cudaSetDevice:101", "full:gpu", "engine-lost:70"]
DEATHS = {"crash:cudnnGetVersion": "cudnnGetVersion", "abort:cudnnCreate": "cudnnCreate on GPU 0",
          "hang:cudnnBackendExecute": "graph/fp32/nchw on GPU 0"}


class SameBothWays(ProvingTest):
    sdk_options = {"cudnn": "9.14.0", "gpus": "sm_75;sm_87"}

    def setUp(self):
        super().setUp()
        self.assertEqual(self.proved("-DCMAKE_SYSTEM_NAME=Linux", "-DCMAKE_SYSTEM_PROCESSOR=x86_64")["LEVEL"], "LINKED")
        self.judge = self.app.path("CuDNNChecked/cudnn_checked_target_judge")
        self.report = self.scratch / "linked.json"

    def environment(self, fault, sdk):
        # A real GPU beside one whose context is lost goes on; the simulated one does not.
        gpus = "sm_75" if "lost" in fault else "sm_75,sm_87"
        return {"SIMULATED_FAULT": fault, "SIMULATED_GPUS": gpus,
                "LD_LIBRARY_PATH": f"{sdk.library_directory}:{sdk.driver_directory}"}

    def of_linked(self, fault, sdk):
        header = sdk.include / "cudnn_version.h"
        self.report.unlink(missing_ok=True)
        limit = "2" if "hang" in fault else "60"
        subprocess.run([self.judge, "configure", "judge", f"report={self.report}", f"header={header}", f"seconds={limit}"],
                       env=clean_environment(self.scratch, **self.environment(fault, sdk)), stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
        return json.loads(self.report.read_text())

    def of_command(self, fault, sdk):
        limit = "2" if "hang" in fault else "60"
        _, out, err = call("probe", "--json", "--timeout", limit, sdk.prefix, home=self.scratch,
                           **self.environment(fault, sdk))
        self.assertEqual(err, "")
        return json.loads(out)

    def comparable(self, report):
        report["triple"].pop("cuda")
        report["cuda"].pop("toolkit")
        report["cuda"].pop("runtime")
        for file in report["cudnn"]["files"]:
            file.pop("chosen_by")
        for convolution in report["convolutions"]:
            convolution.pop("milliseconds")
        report["findings"] = [(f["name"], f["severity"], f["summary"], f["expected"], f["found"])
                              for f in report["findings"]]
        return report

    def assert_same(self, fault, sdk):
        linked = self.comparable(self.of_linked(fault, sdk))
        opened = self.comparable(self.of_command(fault, sdk))
        self.assertEqual(linked, opened)
        return opened

    def test_computed(self):
        verdicts = set()
        for fault in FAULTS:
            with self.subTest(fault=fault):
                verdicts.add(self.assert_same(fault, self.sdk)["verdict"])
        self.assertEqual(verdicts, {"ok", "refused"})

    def test_died(self):
        for fault, stage in DEATHS.items():
            with self.subTest(fault=fault):
                opened = self.of_command(fault, self.sdk)
                self.assertEqual(opened["stage"], stage)
                self.assertEqual(self.of_linked(fault, self.sdk)["stage"], stage)
                name = "probe-timeout" if "hang" in fault else "probe-crashed"
                self.assertEqual([f["name"] for f in opened["findings"]], [name])

    def test_broken_sets(self):
        other = simulated_sdk(cudnn="9.19.0", gpus="sm_75")
        for role, change in [("heuristic", "missing"), ("engines_precompiled", "missing"), ("graph", "missing"),
                             ("cnn", "missing"), ("ops", "empty"), ("heuristic", "foreign"), ("graph", "foreign")]:
            with self.subTest(role=role, change=change):
                sdk = self.sdk.copy(self.scratch / f"{role}-{change}")
                for path in sdk.library_directory.glob(f"libcudnn_{role}.so*"):
                    if change == "empty" and not path.is_symlink():
                        path.write_bytes(b"")
                    elif change != "empty":
                        path.unlink()
                if change == "foreign":
                    shutil.copy2(other.library(role).resolve(), sdk.library(role))
                self.assertEqual(self.assert_same("", sdk)["verdict"], "refused")

    def test_cmake_takes_the_report(self):
        for header in (True, False):
            with self.subTest(header=header):
                sdk = self.sdk
                if not header:
                    sdk = self.sdk.copy(self.scratch / "without")
                    shutil.rmtree(sdk.include)
                written = self.of_command("", sdk)
                self.assertEqual(written["cudnn"]["header"]["version"], "9.14.0" if header else "")
                self.report.write_text(json.dumps(written))
                result = self.taken()
                self.assertEqual(result["LEVEL"], "RAN")
                self.assertEqual(result["ARCHITECTURES"], "75;87")
                self.assertEqual(status_lines(self.output), [
                    f"cuDNN 9.14.0 \u00b7 CUDA 13.0 \u00b7 sm_75 sm_87, convolution verified; taken from report {self.report}"])
        for change, said in [(("version", "9.13.0"), "its library is of another release"),
                             (("cudart", "12.9"), "its CUDA is of another major release"),
                             (("version", ""), "it names no release of cuDNN")]:
            with self.subTest(change=change):
                other = json.loads(json.dumps(written))
                other["cudnn"]["library"][change[0]] = change[1]
                self.report.write_text(json.dumps(other))
                self.assertIn(f"the report of the probe cannot be used: {said}\n", self.refused(*self.arguments()))
        with self.subTest("one that died"):
            self.report.write_text(json.dumps(self.of_command("crash:cudnnGetVersion", self.sdk)))
            self.assertIn("it was not finished\n  report:  stopped at cudnnGetVersion", self.refused(*self.arguments()))

    def arguments(self):
        return ["-DCMAKE_SYSTEM_NAME=Linux", "-DCMAKE_SYSTEM_PROCESSOR=x86_64",
                f"-DCuDNNChecked_PROBE_REPORT={self.report}"]

    def taken(self):
        return self.proved(*self.arguments(), environment={"LD_LIBRARY_PATH": ""})
