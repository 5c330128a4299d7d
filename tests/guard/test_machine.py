# SPDX-License-Identifier: BSD-3-Clause
"""What the guard says of the driver, the GPUs and the program's device code."""

import json
import shutil

from guarded_program import GuardedProgram


class WithoutDeviceCode(GuardedProgram):
    def test_no_driver(self):
        self.assertEqual(self.start(driver=False), (78, """\
cudnn_checked: refused: there is no NVIDIA driver on this machine
  needed:  libcuda.so.1   of the NVIDIA driver
  found:   nothing   in the directories that the loader searches
  Every CUDA call would fail: cuDNN computes on a GPU only.
  fix: run it on a machine with a GPU
   or: in a container, give it a GPU: docker run --gpus all
  [driver-missing]
  override: CUDNN_CHECKED=warn
"""))

    def test_no_gpu(self):
        self.assertEqual(self.start(SIMULATED_GPUS=""), (78, """\
cudnn_checked: refused: no GPU is visible to this program
  needed:  a GPU
  found:   none
  cuDNN computes on a GPU only.
  fix: nvidia-smi lists the GPUs that the driver detects
  [no-device]
  override: CUDNN_CHECKED=warn
"""))

    def test_gpus_hidden(self):
        self.assertEqual(self.start(CUDA_VISIBLE_DEVICES=""), (78, """\
cudnn_checked: refused: no GPU is visible to this program
  needed:  a GPU
  found:   none   CUDA_VISIBLE_DEVICES=
  cuDNN computes on a GPU only.
  fix: unset CUDA_VISIBLE_DEVICES
   or: let CUDA_VISIBLE_DEVICES name a GPU
  [no-device]
  override: CUDNN_CHECKED=warn
"""))

    def test_a_driver_below_the_floor(self):
        older = self.other_sdk(driver="535.104.05", cudnn=None, cuda=None, gpus="sm_86")
        self.assertEqual(self.start(older.driver_directory, driver=False), (78, """\
cudnn_checked: refused: the NVIDIA driver is too old for CUDA 13.0
  needed:     580 or newer   CUDA Toolkit Release Notes, minimum driver for CUDA 13.x
  found:      535.104.05, CUDA 12.2   <scratch>/other/driver/lib/libcuda.so.535.104.05   chosen by LD_LIBRARY_PATH[0]
  built for:  CUDA 13.0   stamp of app
  Every CUDA call would fail with error 35, the CUDA driver version is insufficient.
  fix: upgrade the driver to 580.65.06 or newer, for a container on its host
   or: on a data-center GPU, install the package cuda-compat-13-0
  [driver-too-old]
  override: CUDNN_CHECKED=warn
"""))

    def test_newer_drivers_are_welcome(self):
        newer = self.other_sdk(driver="610.43.02", cudnn=None, cuda=None, gpus="sm_86")
        self.assert_runs(self.start(newer.driver_directory, driver=False))

    def test_the_toolkits_stub(self):
        stub = self.scratch / "lib64" / "stubs"
        stub.mkdir(parents=True)
        shutil.copy(self.built_on.driver_directory / "libcuda.so.1", stub / "libcuda.so.1")
        self.assertEqual(self.start(stub), (78, """\
cudnn_checked: refused: the loader finds the toolkit's stub instead of the NVIDIA driver
  needed:  libcuda.so.1   of the NVIDIA driver
  found:   a stub   <scratch>/lib64/stubs/libcuda.so.1   chosen by LD_LIBRARY_PATH[0]
  Every CUDA call would fail: cuDNN computes on a GPU only.
  fix: export LD_LIBRARY_PATH=<shared>/sdk/driver/lib
  [driver-missing]
  override: CUDNN_CHECKED=warn
"""))

    def test_cuda_compat_in_a_container_image(self):
        compat = self.scratch / "cuda" / "compat"
        shutil.copytree(self.built_on.driver_directory, compat, symlinks=True)
        self.assert_runs(self.start(compat))

    def test_a_gpu_that_cudnn_dropped(self):
        status, output = self.start(SIMULATED_GPUS="sm_70")
        self.assertEqual(status, 78)
        self.assertRegex(output, r"""\Acudnn_checked: refused: cuDNN 9\.14\.0 does not compute on this GPU, sm_70
  needed:  sm_75 or newer   cuDNN Support Matrix
  GPU 0:   sm_70   [^\n]+
  cuDNN:   9\.14\.0   [^\n]+libcudnn_graph\.so\.9[^\n]+
  It has no code for this GPU: its calls fail, with errors that do not say why\.
  fix: build the program with cuDNN 9\.10\.2, the last release for this GPU
   or: run it on a newer GPU
  \[arch-below-cudnn\]
  override: CUDNN_CHECKED=warn
\Z""")
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


class GpuOptional(GuardedProgram):
    guard = "GPU;OPTIONAL"

    def test_starts_without(self):
        self.assert_runs(self.start(driver=False))
        self.assert_runs(self.start(SIMULATED_GPUS=""))
        self.assert_runs(self.start(CUDA_VISIBLE_DEVICES=""))


class CompiledForOneGpu(GuardedProgram):
    device_code = "86-real"

    def test_on_that_gpu_and_a_newer_one_of_its_kind(self):
        self.assert_runs(self.start())
        self.assert_runs(self.start(SIMULATED_GPUS="sm_89"))

    def test_on_an_older_gpu(self):
        status, output = self.start(SIMULATED_GPUS="sm_75")
        self.assertEqual(status, 78)
        self.assertRegex(output, r"""\Acudnn_checked: refused: this program was not compiled for this GPU, sm_75
  compiled for:  sm_86   <shared>/app-build/app
  GPU 0:         sm_75   [^\n]+
  Its first kernel would fail with error 209, no kernel image is available.
  fix: compile it for this GPU as well: -DCMAKE_CUDA_ARCHITECTURES="86;75"
  \[arch-not-built\]
  override: CUDNN_CHECKED=warn
\Z""")

    def test_one_of_two_gpus_is_enough(self):
        self.assert_runs(self.start(SIMULATED_GPUS="sm_75,sm_86"))
        self.assert_runs(self.start(SIMULATED_GPUS="sm_75,sm_86", CUDA_VISIBLE_DEVICES="1"))


class CompiledForAnOlderGpu(GuardedProgram):
    device_code = "75-real"

    def test_without_ptx_on_a_newer_gpu(self):
        status, output = self.start()
        self.assertEqual(status, 78)
        self.assertRegex(output, r"""\Acudnn_checked: refused: this program was not compiled for this GPU, sm_86
  compiled for:  sm_75   <shared>/app-build/app
  GPU 0:         sm_86   [^\n]+
  Its first kernel would fail with error 209, no kernel image is available.
  fix: compile it for this GPU as well: -DCMAKE_CUDA_ARCHITECTURES="75;86"
  \[arch-not-built\]
  override: CUDNN_CHECKED=warn
\Z""")

    def test_on_a_gpu_of_another_generation(self):
        status, output = self.start(SIMULATED_GPUS="sm_120")
        self.assertEqual(status, 78)
        self.assertIn("  fix: compile it for this GPU as well: -DCMAKE_CUDA_ARCHITECTURES=\"75;120\"\n"
                      "  [arch-not-built]\n", output)


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
        status, output = self.start_on_older_driver()
        self.assertEqual(status, 78)
        self.assertRegex(output, r"""\Acudnn_checked: refused: the NVIDIA driver cannot compile the PTX that this program has for its GPU, sm_86
  PTX of:  CUDA 13\.2   stamp of app
  found:   580\.65\.06, CUDA 13\.0   <scratch>/other/driver/lib/libcuda\.so\.580\.65\.06   chosen by LD_LIBRARY_PATH\[0\]
  GPU 0:   sm_86   [^\n]+
  Its first kernel would fail with error 222, the PTX was compiled with an unsupported toolchain: an older driver runs a newer toolkit's machine code, not its PTX\.
  fix: compile it for this GPU as well: -DCMAKE_CUDA_ARCHITECTURES="86"
   or: upgrade the driver to 595\.45\.04 or newer
  \[driver-too-old\]
  override: CUDNN_CHECKED=warn
\Z""")


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
