# SPDX-License-Identifier: BSD-3-Clause
"""What the guard says of the driver, the GPUs and the program's device code."""

import json
import re
import shutil

from guarded_program import NO_DRIVER, PROJECT, GuardedProgram

NO_GPU = "no GPU is visible to this program\n"
NOT_COMPILED = "this program was not compiled for this GPU, {}\n"
ADDING = 'compile it for this GPU as well: -DCMAKE_CUDA_ARCHITECTURES="{}"'


class WithoutDeviceCode(GuardedProgram):
    guard = "GPU;REQUIRED"

    def test_no_driver(self):
        self.assert_refused(self.start(driver=False), "there is no NVIDIA driver on this machine\n",
                            "driver-missing", "run it on a machine with a GPU")

    def test_no_gpu(self):
        self.assert_refused(self.start(SIMULATED_GPUS=""), NO_GPU, "no-device",
                            "nvidia-smi lists the GPUs that the driver detects", "found:   none\n")

    def test_gpus_hidden(self):
        self.assert_refused(self.start(CUDA_VISIBLE_DEVICES=""), NO_GPU, "no-device",
                            "unset CUDA_VISIBLE_DEVICES", "found:   none   CUDA_VISIBLE_DEVICES=\n")

    def test_a_driver_below_the_floor(self):
        older = self.other_sdk(driver="535.104.05", cudnn=None, cuda=None, gpus="sm_86")
        self.assert_refused(
            self.start(older.driver_directory, driver=False), "the NVIDIA driver is too old for CUDA 13.0\n",
            "driver-too-old", "upgrade the driver to 580.65.06 or newer, for a container on its host",
            "found:      535.104.05, CUDA 12.2   <scratch>/other/driver/lib/libcuda.so.535.104.05   "
            "chosen by LD_LIBRARY_PATH[0]\n")

    def test_an_older_cudnn_hides_no_missing_driver(self):
        older = self.other_sdk(cudnn="9.13.1", cuda="13.0").library_directory
        status, err = self.start(older, driver=False)
        self.assertEqual((status, re.findall(r"^  \[(.*)\]$", err, re.M)), (78, ["cudnn-older", "driver-missing"]), err)
        self.assertRegex(self.start(older)[1], r"\[cudnn-older\]\n  override")

    def test_newer_drivers_are_welcome(self):
        newer = self.other_sdk(driver="610.43.02", cudnn=None, cuda=None, gpus="sm_86")
        self.assert_runs(self.start(newer.driver_directory, driver=False))

    def test_the_toolkits_stub(self):
        stub = self.scratch / "lib64" / "stubs"
        stub.mkdir(parents=True)
        shutil.copy(self.built_on.driver_directory / "libcuda.so.1", stub / "libcuda.so.1")
        self.assert_refused(
            self.start(stub), "the loader finds the toolkit's stub instead of the NVIDIA driver\n",
            "driver-missing", "export LD_LIBRARY_PATH=<shared>/sdk/driver/lib",
            "found:   a stub   <scratch>/lib64/stubs/libcuda.so.1   chosen by LD_LIBRARY_PATH[0]\n")

    def test_cuda_compat_in_a_container_image(self):
        compat = self.scratch / "cuda" / "compat"
        shutil.copytree(self.built_on.driver_directory, compat, symlinks=True)
        self.assert_runs(self.start(compat))

    def test_a_gpu_that_cudnn_dropped(self):
        self.assert_refused(
            self.start(SIMULATED_GPUS="sm_70"), "cuDNN 9.14.0 does not compute on this GPU, sm_70\n",
            "arch-below-cudnn", "build the program with cuDNN 9.10.2, the last release for this GPU",
            "GPU 0:   sm_70   ")
        self.assert_runs(self.start(SIMULATED_GPUS="sm_70,sm_86"))

    def test_a_gpu_newer_than_cudnn_is_a_warning(self):
        status, output = self.start(SIMULATED_GPUS="sm_130")
        self.assertEqual(status, 0)
        self.assertIn("cudnn_checked: warning: this GPU, sm_130, is newer than cuDNN 9.14.0 knows\n", output)
        self.assertIn("main runs on 91400\n", output)

    def test_a_known_defect_of_what_few_programs_use_is_kept_in_the_report(self):
        report = self.scratch / "report.json"
        self.assert_runs(self.start(SIMULATED_GPUS="sm_90", CUDNN_CHECKED_REPORT=str(report)))
        self.assertEqual([(f["name"], f["severity"]) for f in json.loads(report.read_text())["findings"]],
                         [("cudnn-known-bad", "note")])

    def test_any_gpu_will_do(self):
        for gpus in ["sm_75", "sm_86", "sm_120"]:
            self.assert_runs(self.start(SIMULATED_GPUS=gpus))


class NoWordOfAGpu(GuardedProgram):
    """GPU OPTIONAL is the default."""

    def notes(self, **environment):
        """It starts; what its report has."""
        report = self.scratch / "report.json"
        self.assert_runs(self.start(CUDNN_CHECKED_REPORT=str(report), **environment))
        return [(f["name"], f["severity"]) for f in json.loads(report.read_text())["findings"]]

    def test_starts_without(self):
        self.assertEqual(self.notes(driver=False), [("driver-missing", "note")])
        self.assertEqual(self.notes(SIMULATED_GPUS=""), [("no-device", "note")])
        self.assertEqual(self.notes(CUDA_VISIBLE_DEVICES=""), [("no-device", "note")])

    def test_a_driver_that_does_not_serve_the_gpu_is_refused(self):
        older = self.other_sdk(driver="535.104.05", cudnn=None, cuda=None, gpus="sm_86").driver_directory
        self.assert_refused(self.start(older, driver=False), "the NVIDIA driver is too old for CUDA 13.0\n",
                            "driver-too-old",
                            "upgrade the driver to 580.65.06 or newer, for a container on its host")
        self.assert_runs(self.start(older, driver=False, SIMULATED_GPUS=""))
        self.assert_runs(self.start(older, driver=False, CUDA_VISIBLE_DEVICES=""))

    def test_a_missing_driver_hides_no_older_cudnn(self):
        older = self.other_sdk(cudnn="9.13.1", cuda="13.0").library_directory
        status, err = self.start(older, driver=False)
        self.assertEqual((status, re.findall(r"^  \[(.*)\]$", err, re.M)), (78, ["cudnn-older"]), err)


class RequiredByTheBuild(GuardedProgram):
    """What the call says comes before the variable, and that before the default."""

    options = ["-DCuDNNChecked_GPU=REQUIRED"]
    project = PROJECT + """
foreach(name IN ITEMS optional optional_there)
  add_executable(${name} main.cpp)
  target_link_libraries(${name} PRIVATE CuDNNChecked::cudnn)
endforeach()
cudnn_checked_guard(optional GPU OPTIONAL)
set(CuDNNChecked_GPU OPTIONAL)
cudnn_checked_guard(optional_there)
"""

    def test_refuses_without(self):
        refusal = NO_DRIVER.format(verdict="refused") + "  override: CUDNN_CHECKED=warn\n"
        self.assertEqual(self.start(driver=False), (78, refusal))
        self.assert_refused(self.start(SIMULATED_GPUS=""), NO_GPU, "no-device",
                            "nvidia-smi lists the GPUs that the driver detects")
        self.assert_runs(self.start())

    def test_what_says_otherwise_wins(self):
        for name in ["optional", "optional_there"]:
            self.assert_runs(self.start(program=self.app.path(name), driver=False))


class CompiledForOneGpu(GuardedProgram):
    device_code = "86-real"

    def test_on_that_gpu_and_a_newer_one_of_its_kind(self):
        self.assert_runs(self.start())
        self.assert_runs(self.start(SIMULATED_GPUS="sm_89"))

    def test_on_an_older_gpu(self):
        self.assert_refused(self.start(SIMULATED_GPUS="sm_75"), NOT_COMPILED.format("sm_75"), "arch-not-built",
                            ADDING.format("86;75"), "compiled for:  sm_86   <shared>/app-build/app\n")

    def test_one_of_two_gpus_is_enough(self):
        self.assert_runs(self.start(SIMULATED_GPUS="sm_75,sm_86"))
        self.assert_runs(self.start(SIMULATED_GPUS="sm_75,sm_86", CUDA_VISIBLE_DEVICES="1"))


class CompiledForAnOlderGpu(GuardedProgram):
    device_code = "75-real"

    def test_without_ptx_on_a_newer_gpu(self):
        self.assert_refused(self.start(), NOT_COMPILED.format("sm_86"), "arch-not-built", ADDING.format("75;86"),
                            "compiled for:  sm_75   <shared>/app-build/app\n")

    def test_on_a_gpu_of_another_generation(self):
        self.assert_refused(self.start(SIMULATED_GPUS="sm_120"), NOT_COMPILED.format("sm_120"), "arch-not-built",
                            ADDING.format("75;120"))


class CompiledToPtx(GuardedProgram):
    device_code = "75-virtual"

    def test_starts_without_a_word_and_reports_it(self):
        report = self.scratch / "report.json"
        self.assert_runs(self.start(CUDNN_CHECKED_REPORT=str(report)))
        self.assertEqual([(f["name"], f["severity"]) for f in json.loads(report.read_text())["findings"]],
                         [("arch-jit-only", "note")])


class BuiltWithANewerToolkitThanTheDriver(GuardedProgram):
    sdk_options = {"cudnn": "9.14.0", "cuda": "13.2", "driver": "595.45.04", "gpus": "sm_86"}

    def start_on_older_driver(self):
        older = self.other_sdk(driver="580.65.06", cudnn=None, cuda=None, gpus="sm_86")
        return self.start(older.driver_directory, driver=False)

    def test_on_an_older_driver(self):
        self.assert_runs(self.start_on_older_driver())


class WithMachineCode(BuiltWithANewerToolkitThanTheDriver):
    device_code = "86-real"


class WithPtxOnly(BuiltWithANewerToolkitThanTheDriver):
    device_code = "75-virtual"

    def test_on_the_toolkits_own_driver(self):
        self.assert_runs(self.start())

    def test_on_an_older_driver(self):
        self.assert_refused(
            self.start_on_older_driver(),
            "the NVIDIA driver cannot compile the PTX that this program has for its GPU, sm_86\n", "driver-too-old",
            ADDING.format("86"),
            "found:   580.65.06, CUDA 13.0   <scratch>/other/driver/lib/libcuda.so.580.65.06   "
            "chosen by LD_LIBRARY_PATH[0]\n")


class SpecialisedLibrary(GuardedProgram):
    """A library's code for one GPU beside code for another; the device link step's container too."""

    device_code = "LINK_STUB;75-real;86-real;AND;90a-real"

    def test_something_fits(self):
        self.assert_runs(self.start())
        self.assert_runs(self.start(SIMULATED_GPUS="sm_75"))
        self.assert_runs(self.start(SIMULATED_GPUS="sm_90"))

    def test_nothing_fits(self):
        status, output = self.start(SIMULATED_GPUS="sm_80")
        self.assertEqual(status, 78)
        self.assertIn("[arch-not-built]", output)
