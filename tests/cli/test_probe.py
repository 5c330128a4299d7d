# SPDX-License-Identifier: BSD-3-Clause
"""`cudnn-checked probe`: what it prints, and what it finds."""

import json
import os
import shutil
import signal
import subprocess

from checked_program import call
from support import ScratchTest, relative_output, simulated_sdk
from support.command_line import cudnn_checked_program
from support.environment import clean_environment
from support.bare_install import empty_library
from support.processes import processes, wait_for

LIBRARIES = ("libcudnn.so.9, libcudnn_graph.so.9.14.0, libcudnn_ops.so.9.14.0, libcudnn_cnn.so.9.14.0, "
             "libcudnn_engines_precompiled.so.9.14.0, libcudnn_heuristic.so.9.14.0, "
             "libcudnn_engines_runtime_compiled.so.9.14.0")
RIGHT = """\
cuDNN
  9.14.0   <sdk>/lib/libcudnn.so.9   CUDA 13.0 inside   header 9.14.0
opened
  <sdk>/lib   """ + LIBRARIES + """
  <sdk>/driver/lib   libcuda.so.1
GPUs
  0   sm_75   Simulated GPU sm_75   GPU-a0494d55-4c41-5445-442d-475055004b00
convolutions
  legacy fp32 nchw   GPU 0   1 of 1 right   algorithm 0   error 2.9e-07
  graph fp32 nchw   GPU 0   6 of 6 right   engine 70   error 3.0e-07
  graph fp32 nhwc   GPU 0   6 of 6 right   engine 70   error 3.0e-07
  graph fp16 nchw   GPU 0   6 of 6 right   engine 38   error 2.1e-04
  graph fp16 nhwc   GPU 0   6 of 6 right   engine 38   error 2.1e-04

cudnn-checked: ok: cuDNN 9.14.0 \u00b7 sm_75, convolution verified (legacy, graph; error fp32 3.0e-07, fp16 2.1e-04)
"""


class ProbeTest(ScratchTest):
    options = {"cudnn": "9.14.0", "gpus": "sm_75;sm_87"}

    def setUp(self):
        super().setUp()
        self.sdk = simulated_sdk(**self.options)

    def probe(self, *arguments, driver=True, **environment):
        path = [environment.pop("LD_LIBRARY_PATH", "")]
        if driver:
            path.append(str(self.sdk.driver_directory))
        environment["LD_LIBRARY_PATH"] = ":".join(entry for entry in path if entry)
        environment.setdefault("SIMULATED_GPUS", "sm_75")
        status, out, err = call("probe", *arguments, home=self.scratch, **environment)
        place = {"scratch": self.scratch, "sdk": self.sdk.prefix}
        return status, relative_output(out, **place), relative_output(err, **place)

    def found(self, *arguments, **more):
        """[(name, severity)] of a report, and its status."""
        status, out, err = self.probe("--json", *arguments, **more)
        self.assertEqual(err, "")
        report = json.loads(out)
        return status, report["verdict"], [(f["name"], f["severity"]) for f in report["findings"]]


class Right(ProbeTest):
    def test_all_that_is_printed(self):
        self.assertEqual(self.probe(self.sdk.prefix), (0, RIGHT, ""))

    def test_what_the_loader_gives(self):
        self.assertEqual(self.probe(LD_LIBRARY_PATH=str(self.sdk.library_directory)), (0, RIGHT, ""))

    def test_the_report(self):
        status, out, err = self.probe("--json", self.sdk.library_directory)
        report = json.loads(out)
        self.assertEqual((status, err, report["verdict"], report["level"]), (0, "", "ok", "ran"))
        self.assertEqual(report["triple"], {"cudnn": "9.14.0", "cuda": "", "architectures": ["sm_75"]})
        self.assertEqual(report["cudnn"]["header"],
                         {"version": "9.14.0", "path": "<sdk>/include/cudnn_version.h"})
        self.assertEqual(report["cuda"],
                         {"toolkit": "", "runtime": "", "driver": "13.0", "kernel_module": ""})
        self.assertEqual(len(report["convolutions"]), 25)

    def test_without_a_driver(self):
        status, out, err = self.probe(self.sdk.prefix, driver=False)
        self.assertEqual((status, err), (3, ""))
        self.assertEqual(out, """\
cuDNN
  9.14.0   <sdk>/lib/libcudnn.so.9   CUDA 13.0 inside   header 9.14.0
opened
  <sdk>/lib   libcudnn.so.9, libcudnn_graph.so.9.14.0
GPUs
  none
convolutions
  not run: legacy, graph/fp32/nchw, graph/fp32/nhwc, graph/fp16/nchw, graph/fp16/nhwc: cudaGetDeviceCount: 35 \
cudaErrorInsufficientDriver, CUDA driver version is insufficient for CUDA runtime version

note: no convolution was run: no NVIDIA driver here
  proved by running:  ran
  reached:            loaded
  Whether this cuDNN computes right numbers was not verified on this machine.
  fix: nothing; to verify it, do the same on a machine with a GPU
  [not-verified]

cudnn-checked: unknown: cuDNN 9.14.0 \u00b7 loaded, no convolution was run: no NVIDIA driver here
""")

    def test_a_level_is_required(self):
        """A health check: 0 or 1."""
        loaded = "cuDNN 9.14.0 \u00b7 loaded, no convolution was run: no NVIDIA driver here\n"
        for required, driver, status, end in [
                ("ran", False, 1, f"\ncudnn-checked: refused: --require ran: {loaded}"),
                ("loaded", False, 0, f"\ncudnn-checked: ok: {loaded}"),
                ("ran", True, 0, RIGHT[RIGHT.rindex("\n\n") + 1:]), ("loaded", True, 0, RIGHT[RIGHT.rindex("\n\n") + 1:])]:
            with self.subTest(required=required, driver=driver):
                answer = self.probe("--require", required, self.sdk.prefix, driver=driver)
                self.assertEqual((answer[0], answer[1].endswith(end), answer[2]), (status, True, ""), answer[1])
                answer = self.probe("--json", f"--require={required}", self.sdk.prefix, driver=driver)
                report = json.loads(answer[1])
                self.assertEqual((answer[0], report["verdict"], report["level"], answer[2]),
                                 (status, "ok", "ran" if driver else "loaded", ""))
        with self.subTest("what is wrong is refused, whatever is required"):
            self.assertEqual(self.probe("--require", "loaded", self.sdk.prefix,
                                        SIMULATED_FAULT="wrong:graph/fp16/nchw")[0], 1)
        with self.subTest("there is none"):
            (self.scratch / "empty").mkdir()
            self.assertEqual(self.probe("--require", "loaded", "empty"),
                             (1, "", "cudnn-checked: error: probe: empty: no cuDNN in it\n"))

    def test_without_a_gpu(self):
        status, out, _ = self.probe(self.sdk.prefix, SIMULATED_GPUS="")
        self.assertEqual(status, 3)
        self.assertIn("cudaGetDeviceCount: 100 cudaErrorNoDevice, no CUDA-capable device is detected\n", out)
        status, out, _ = self.probe(self.sdk.prefix, CUDA_VISIBLE_DEVICES="")
        self.assertIn("GPUs\n  none: CUDA_VISIBLE_DEVICES=\n", out)


class EightGpus(ProbeTest):
    """Every GPU computes, and the one that does not do so right is named (S55)."""

    options = {"cudnn": "9.14.0", "gpus": "sm_90"}
    UUID = "GPU-a{0}494d55-4c41-5445-442d-475055005a0{0}"

    def eight(self, *arguments, fault=""):
        return self.probe(*arguments, self.sdk.prefix, SIMULATED_GPUS=",".join(["sm_90"] * 8), SIMULATED_FAULT=fault)

    def test_each_of_them_computes(self):
        status, out, err = self.eight("--json")
        self.assertEqual((status, err), (0, ""))
        report = json.loads(out)
        computed = [run["device"] for run in report["convolutions"] if run["status"] == "ok"]
        self.assertEqual(computed, [gpu for gpu in range(8) for _ in range(25)])

    def test_one_of_them_computes_wrong(self):
        status, out, _ = self.eight(fault="wrong:graph/fp16:gpu=5")
        self.assertEqual(status, 1)
        self.assertIn("  graph fp16 nchw   GPU 5   0 of 6 right   ", out)
        self.assertIn("  graph fp16 nchw   GPU 4   6 of 6 right   ", out)
        also = "".join(f"  also:       relative error {error}   graph/fp16/nchw, {shape}, engine 38 on GPU 5\n"
                       for error, shape in (("1.1", "4x32x16x16 * 32x32x3x3"), ("1.8", "1x16x7x7 * 32x16x1x1"),
                                            ("1.8", "4x16x7x7 * 32x16x1x1"), ("1.2", "1x16x7x7 * 64x16x3x3")))
        others = ",".join(self.UUID.format(gpu) for gpu in range(8) if gpu != 5)
        self.assertEqual(out[out.index("error: "):out.index("\nnote: ")], f"""\
error: GPU 5 computes wrong numbers: graph/fp16/nchw graph/fp16/nhwc
  tolerance:  0.002 of sum |x*w|   float64 reference
  computed:   relative error 1.1   graph/fp16/nchw, 1x32x16x16 * 32x32x3x3, engine 38 on GPU 5
{also}  also:       7 more
  GPU 5:      {self.UUID.format(5)}   Simulated GPU sm_90
  right on:   7 GPUs   the same cuDNN, sm_90
  CUDA and cuDNN report no error, and others of its kind compute right: it is the GPU.
  fix: export CUDA_VISIBLE_DEVICES={others}
   or: nvidia-smi -q -i {self.UUID.format(5)}
   or: dcgmi diag -r 3
  [wrong-numbers]
""")
        self.assertIn("cudnn-checked: refused: GPU 5 computes wrong numbers: graph/fp16/nchw graph/fp16/nhwc\n", out)

    def test_one_of_them_ends_the_process(self):
        status, out, _ = self.eight(fault="crash:cudnnCreate:gpu=6")
        self.assertEqual(status, 1)
        self.assertIn("error: the probe crashed with SIGSEGV\n", out)
        self.assertIn("  during:  cudnnCreate on GPU 6\n", out)

    def test_one_of_them_does_not_answer(self):
        status, out, _ = self.eight("--timeout", "10", fault="hang:cudnnBackendExecute:gpu=2")
        self.assertEqual(status, 1)
        self.assertIn("error: the probe did not finish within 10 s\n", out)
        self.assertIn("  during:  graph/fp32/nchw on GPU 2\n", out)

    def test_one_of_them_loses_its_context(self):
        status, out, _ = self.eight(fault="fail:cudnnCreate:1001:gpu=7")
        self.assertEqual(status, 1)
        self.assertIn("error: cudnnCreate failed with CUDNN_STATUS_NOT_INITIALIZED (1001)\n", out)
        self.assertIn("  GPU 7:     GPU-a7", out)


class Release8(ProbeTest):
    options = {"cudnn": "8.9.7", "cuda": "12.2", "driver": "535.54.03", "gpus": "sm_86"}

    def test_right(self):
        status, out, _ = self.probe(self.sdk.prefix)
        self.assertEqual(status, 0, out)
        self.assertIn("cudnn-checked: ok: cuDNN 8.9.7 \u00b7 sm_75, convolution verified", out)

    def test_statuses_have_the_names_and_numbers_of_that_release(self):
        fault = "fail:cudnnConvolutionForward:8"
        _, out, _ = self.probe(self.sdk.prefix, SIMULATED_FAULT=fault)
        self.assertIn("error: cudnnConvolutionForward failed with CUDNN_STATUS_EXECUTION_FAILED (8)\n", out)


class Arguments(ProbeTest):
    def error(self, words, status):
        return status, "", f"cudnn-checked: error: probe: {words}\n"

    def test_operations(self):
        error = """\
cudnn-checked: error: probe: unknown operation 'attention/sideways' in --operations; known are: all, conv, conv-bias, matmul, \
attention/forward, attention/backward, layer-norm/forward, layer-norm/backward, rms-norm/forward, rms-norm/backward, rnn/forward, \
rnn/backward, lstm/forward, lstm/backward, gru/forward, gru/backward, batch-norm/inference, batch-norm/forward, batch-norm/backward, \
softmax/forward, softmax/backward, pooling/forward, pooling/backward, conv-backward/data, conv-backward/filter, conv-backward/bias, \
conv-activation, activation/forward, activation/backward, tensor/add, tensor/op, tensor/reduce, tensor/transform, lrn/forward, \
lrn/backward, spatial-grid/forward, spatial-grid/backward, spatial-sampler/forward, spatial-sampler/backward, ctc-loss, dropout
"""
        self.assertEqual(self.probe("--operations", "conv,attention/sideways", self.sdk.prefix), (2, "", error))
        with self.subTest("the convolutions are computed anyway"):
            self.assertEqual(self.probe("--operations", "conv", self.sdk.prefix), (0, RIGHT, ""))

    def test_what_is_no_cudnn(self):
        (self.scratch / "empty").mkdir()
        self.assertEqual(self.probe("empty"), self.error("empty: no cuDNN in it", 3))
        self.assertEqual(self.probe("absent"), self.error("absent: no such directory", 2))
        self.assertEqual(self.probe("--timeout", "0", "x"), self.error("--timeout 0: not a number of seconds", 2))
        self.assertEqual(self.probe("x", "--timeout"), self.error("--timeout needs a number of seconds", 2))
        self.assertEqual(self.probe("x", "--require"), self.error("--require needs a level: ran or loaded", 2))
        self.assertEqual(self.probe("x", "--require="), self.error("--require needs a level: ran or loaded", 2))
        for word in ("runs", "linked"):
            self.assertEqual(self.probe("--require", word, "x"),
                             (2, "", f"cudnn-checked: error: probe: --require {word}: neither ran nor loaded\n"))
        self.assertEqual(self.probe("a", "b"), self.error("one argument too many: b", 2))

    def test_several_cudnns(self):
        nvidia = self.scratch / "venv/lib/python3.12/site-packages/nvidia"
        for name in ("cudnn", "cudnn_jit"):
            shutil.copytree(self.sdk.library_directory, nvidia / name / "lib", symlinks=True)
        status, out, err = self.probe("venv", driver=False)
        self.assertEqual(status, 3)
        self.assertTrue(out.startswith(f"cuDNN\n  9.14.0   <scratch>/{(nvidia / 'cudnn').relative_to(self.scratch)}"), out)
        site = "<scratch>/venv/lib/python3.12/site-packages/nvidia"
        self.assertEqual(err, f"cudnn-checked: note: probe: there are 2 cuDNNs; this is the one of {site}/cudnn/lib; "
                              f"name the directory of another: {site}/cudnn_jit/lib\n")


class Died(ProbeTest):
    def died(self, fault, *arguments):
        status, out, err = self.probe(*arguments, self.sdk.prefix, SIMULATED_FAULT=fault)
        self.assertEqual((status, err), (1, ""))
        return out

    def test_crash(self):
        self.assertEqual(self.died("crash:cudnnGetVersion"), """
error: the probe crashed with SIGSEGV
  signal:  SIGSEGV
  during:  cudnnGetVersion
  cuDNN:   9.14.0   <sdk>/lib/libcudnn.so.9
  A program that uses this cuDNN would crash in the same call.
  fix: reinstall the cuDNN of <sdk>/lib
   or: find where it crashes, with a debugger on such a program
  [probe-crashed]

cudnn-checked: refused: the probe crashed with SIGSEGV
""")

    def test_abort_on_the_gpu(self):
        out = self.died("abort:cudnnBackendExecute")
        self.assertIn("error: the probe crashed with SIGABRT\n", out)
        self.assertIn("  during:  graph/fp32/nchw on GPU 0\n", out)

    def test_hang(self):
        self.assertEqual(self.died("hang:cudnnCreate", "--timeout", "1"), """
error: the probe did not finish within 1 s
  limit:   1 s   --timeout
  during:  cudnnCreate on GPU 0
  cuDNN:   9.14.0   <sdk>/lib/libcudnn.so.9
  A program that uses this cuDNN may hang in the same call.
  fix: cudnn-checked probe --timeout 600 <sdk>
   or: check whether the GPU answers: nvidia-smi
  [probe-timeout]

cudnn-checked: refused: the probe did not finish within 1 s
""")

    def test_the_report_of_one_that_died(self):
        status, out, _ = self.probe("--json", self.sdk.prefix, SIMULATED_FAULT="crash:cudnnGetVersion")
        report = json.loads(out)
        self.assertEqual((status, report["verdict"], report["stage"]), (1, "refused", "cudnnGetVersion"))
        self.assertEqual([f["name"] for f in report["findings"]], ["probe-crashed"])
        self.assertEqual([line["kind"] for line in report["findings"][0]["fixes"]], ["advice", "advice"])

    def test_it_is_not_started(self):
        done = subprocess.run(["sh", "-c", 'ulimit -n 10 && exec "$0" "$@"', cudnn_checked_program(), "probe", self.sdk.prefix],
                              env=clean_environment(self.scratch), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.assertEqual((done.returncode, relative_output(done.stdout, sdk=self.sdk.prefix)), (1, """
error: the probe could not be started
  ended with:  Too many open files
  during:      its start
  cuDNN:       9.14.0   <sdk>/lib/libcudnn.so.9
  Nothing was proved.
  fix: correct the error above
  [probe-crashed]

cudnn-checked: refused: the probe could not be started
"""))

    def test_a_library_that_lacks_a_function(self):
        sdk = self.sdk.copy(self.scratch / "sdk")
        empty_library(sdk.library().resolve())
        status, out, err = self.probe(sdk.prefix)
        self.assertEqual((status, err), (1, ""))
        self.assertIn("""
error: the loader does not load this cuDNN
  library:     <scratch>/sdk/lib/libcudnn.so.9
  the loader:  <scratch>/sdk/lib/libcudnn.so.9: it lacks the function cudnnGetVersion
  A program that uses this cuDNN would not start either.
  fix: correct what the loader complains of
  [probe-crashed]
""", out)

    def test_an_error_that_cuda_got_later(self):
        out = self.probe(self.sdk.prefix, SIMULATED_FAULT="fail:cudaMemcpy:4242")[1]
        self.assertIn("error: cudaMemcpy failed with unrecognized error code (4242)\n", out)

    def test_a_lost_context(self):
        status, out, _ = self.probe(self.sdk.prefix, SIMULATED_FAULT="engine-lost:38")
        self.assertEqual(status, 1)
        self.assertIn("error: cudaEventRecord failed with cudaErrorMisalignedAddress (716)\n", out)
        self.assertIn("  not run: graph/fp16/nhwc on GPU 0: the GPU's context was lost by cudaEventRecord, "
                      "cudaErrorMisalignedAddress\n", out)

    def test_nothing_is_left_of_a_killed_one(self):
        environment = clean_environment(self.scratch, SIMULATED_FAULT="hang:cudnnCreate",
                                        LD_LIBRARY_PATH=self.sdk.driver_directory)
        for number in (signal.SIGINT, signal.SIGKILL):
            with self.subTest(signal=number):
                started = subprocess.Popen([cudnn_checked_program(), "probe", self.sdk.prefix], env=environment,
                                           cwd=self.scratch, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                children = wait_for(self.children)
                started.send_signal(number)
                started.wait(10)
                self.assertTrue(children)
                self.assertTrue(wait_for(lambda: not self.children()))
                self.assertEqual([p.name for p in self.scratch.iterdir() if p.name.startswith("core")], [])

    def children(self):
        """Processes that have this test's SDK among their arguments behind the hidden word."""
        library = os.fsencode(self.sdk.library())
        return [number for number, words in processes().items() if b"--probe-child" in words and library in words]
