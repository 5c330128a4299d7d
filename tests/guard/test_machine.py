# SPDX-License-Identifier: BSD-3-Clause
"""What the guard says of the driver, the GPUs and the program's device code."""

from guarded_program import GuardedProgram


class WithoutDeviceCode(GuardedProgram):
    def test_no_driver(self):
        self.assertEqual(self.start(driver=False), (78, """\
cudnn_checked: refused: there is no NVIDIA driver on this machine
  needed:  libcuda.so.1   of the NVIDIA driver
  found:   nothing   nowhere where the loader looks
  Every CUDA call would fail: cuDNN computes on a GPU only.
  fix: run it on a machine with a GPU; in a container, give it a GPU: docker run --gpus all
  [driver-missing]
  override: CUDNN_CHECKED=warn
"""))

    def test_no_gpu(self):
        self.assertEqual(self.start(SIMULATED_GPUS=""), (78, """\
cudnn_checked: refused: no GPU is visible to this program
  needed:  a GPU
  found:   none
  cuDNN computes on a GPU only.
  fix: nvidia-smi says which GPUs the driver has
  [no-device]
  override: CUDNN_CHECKED=warn
"""))

    def test_gpus_hidden(self):
        self.assertEqual(self.start(CUDA_VISIBLE_DEVICES=""), (78, """\
cudnn_checked: refused: no GPU is visible to this program
  needed:  a GPU
  found:   none   CUDA_VISIBLE_DEVICES=
  cuDNN computes on a GPU only.
  fix: unset CUDA_VISIBLE_DEVICES, or let it name a GPU
  [no-device]
  override: CUDNN_CHECKED=warn
"""))

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


class CompiledToPtx(GuardedProgram):
    device_code = "75-virtual"

    def test_starts_with_a_warning(self):
        status, output = self.start()
        self.assertEqual(status, 0)
        self.assertRegex(output, r"""cudnn_checked: warning: this program carries no machine code for this GPU, sm_86, only PTX
  compiled for:  compute_75 \(PTX\)   <shared>/app-build/app
  GPU 0:         sm_86              [^\n]+
  The driver compiles the PTX when the program starts, which takes time.
  fix: compile it for this GPU as well: -DCMAKE_CUDA_ARCHITECTURES="86"
  \[arch-jit-only\]
""".replace("sm_86              ", "sm_86   "))
        self.assertIn("main runs on 91400\n", output)


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
