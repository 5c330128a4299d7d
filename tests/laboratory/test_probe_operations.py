# SPDX-License-Identifier: BSD-3-Clause
"""`cudnn-checked probe --operations`: attention and other graphs of several operations, right and faulty."""

import contextlib
import json
import os
import re
import unittest

from of_product import ProbeTest

from support.environment import REPOSITORY


def known_operations():
    table = (REPOSITORY / "tool/facts/fused_operations.def").read_text()
    return re.findall(r'^FUSED\(\w+, "(.*)"\)', table, re.MULTILINE)


def has_tail(type_, problem):
    """As the defect of 9.19.0 has it: half a tile of keys is left, and the rows' sums are small."""
    keys, level = re.search(r" keys \d+x(\d+)x\d+.*, log-sum-exp (-?\d+)$", problem).groups()
    return int(keys) % 128 == 64 and int(level) < {"fp16": -12, "bf16": -88, "e4m3": 0}[type_]


class Operations(ProbeTest):
    options = {"cudnn": "9.19.0", "gpus": "sm_90"}

    def report(self, operations, fault="", gpus="sm_90"):
        """The report, and of each run its operation, type, problem, output and status."""
        status, out, err = self.probe("--json", "--operations", operations, self.sdk.prefix,
                                      SIMULATED_GPUS=gpus, SIMULATED_FAULT=fault)
        self.assertEqual(err, "")
        report = json.loads(out)
        self.assertEqual(status, {"ok": 0, "refused": 1}[report["verdict"]])
        keys = ("operation", "type", "problem", "output", "status")
        return report, [tuple(run[key] for key in keys) for run in report.get("operations", [])]

    def assert_refused(self, report, name, where):
        """By the first finding, with that fact."""
        first = report["findings"][0]
        self.assertEqual((report["verdict"], first["name"], first["where"]), ("refused", name, where))

    def test_nan_in_one_output_of_some_problems(self):
        """All else that there is comes out right: a second opinion on graphs and references."""
        report, runs = self.report("all", fault="kv-tail:attention/backward")
        wrong = [run for run in runs if run[4] != "ok"]
        tails = [run[1:3] for run in runs if run[0] == "attention/backward" and has_tail(*run[1:3])]
        self.assertEqual(wrong, [("attention/backward", *tail, "largest dS" if tail[0] == "e4m3" else "dQ", "wrong-numbers")
                                 for tail in tails])
        self.assertEqual({type_ for type_, _ in tails}, {"fp16", "bf16", "e4m3"})
        self.assert_refused(report, "wrong-numbers", f"attention/backward/fp16, {tails[0][1]}, dQ, engine 7 on GPU 0")
        self.assertEqual(sorted({run[0] for run in runs}), sorted(known_operations()))
        masks = {mask for run in runs for mask in ("causal", "lengths") if mask in run[2]}
        self.assertEqual(masks, {"causal", "lengths"})

    def test_right(self):
        report, runs = self.report("attention/forward,rms-norm")
        self.assertEqual({(run[0], run[4]) for run in runs},
                         {("attention/forward", "ok"), ("rms-norm/forward", "ok"), ("rms-norm/backward", "ok")})
        self.assertEqual((report["verdict"], report["level"]), ("ok", "ran"))

    def test_one_output_is_never_written(self):
        report, runs = self.report("layer-norm", fault="unwritten:layer-norm/backward/bf16/2")
        self.assertEqual([run for run in runs if run[4] != "ok"],
                         [("layer-norm/backward", "bf16", "64x512", "dbias", "wrong-numbers")])
        self.assert_refused(report, "wrong-numbers", "layer-norm/backward/bf16, 64x512, dbias, engine 7 on GPU 0")
        self.assertEqual(report["findings"][0]["found"], "512 elements never written")

    def test_e4m3_where_the_gpu_has_it(self):
        for gpu, expected in (("sm_90", {"attention/forward", "attention/backward", "matmul"}), ("sm_89", {"matmul"}), ("sm_86", set())):
            report, runs = self.report("attention,matmul", gpus=gpu)
            self.assertEqual({run[0] for run in runs if run[1] == "e4m3"}, expected)
            self.assertEqual({run[4] for run in runs}, {"ok"})
            self.assertEqual(report["skipped"], [])

    def test_no_engine_for_e4m3_is_told_and_fails_nothing(self):
        report, runs = self.report("matmul,attention/forward", fault="unsupported:matmul/e4m3")
        self.assertNotIn(("matmul", "e4m3"), {run[:2] for run in runs})
        self.assertIn(("attention/forward", "e4m3"), {run[:2] for run in runs})
        self.assertEqual(report["skipped"], [
            "matmul e4m3 on GPU 0: cudnnBackendGetAttribute(CUDNN_ATTR_ENGINEHEUR_RESULTS), CUDNN_STATUS_NOT_SUPPORTED"])
        self.assertEqual((report["verdict"], report["level"]), ("ok", "ran"))

    def test_wrong_in_e4m3(self):
        report, runs = self.report("matmul,attention/forward", fault="wrong:attention/forward/e4m3/2")
        self.assertEqual({run[:2] + run[3:] for run in runs if run[4] != "ok"},
                         {("attention/forward", "e4m3", "largest P", "wrong-numbers")})
        self.assertEqual(report["verdict"], "refused")

    def test_recurrent_networks_as_they_are_measured(self):
        """All else that there is comes out right: a second opinion on the reference."""
        report, runs = self.report("rnn,lstm,gru", fault="small-h:rnn,small-h:lstm,small-h:gru")
        wrong = {(run[0], run[1], run[2]) for run in runs if run[4] != "ok"}
        self.assertEqual(wrong, {
            ("rnn/backward", "fp16", "tanh 8x4x32 to 32, 2 directions, small-h, tensor-op"),
            ("rnn/backward", "fp16", "relu 16x3x24 to 64, 2 layers, 2 directions, small-h, tensor-op"),
            *((f"lstm/{way}", "fp16", "lstm 8x2x24 to 48, small-h, tensor-op") for way in ("forward", "backward")),
            *((f"gru/{way}", "fp16", "gru 8x2x24 to 40, small-h, tensor-op") for way in ("forward", "backward"))})
        self.assertEqual({run[0] for run in runs}, {f"{cell}/{way}" for cell in ("rnn", "lstm", "gru") for way in ("forward", "backward")})
        self.assertEqual({run[1] for run in runs}, {"fp16", "bf16", "fp32"})
        first = report["findings"][0]
        self.assertEqual((first["name"], first["found"].split(",")[0].split(" ", 1)[1]), ("wrong-numbers", "of the bound"))
        self.assertRegex(first["where"], r"^rnn/backward/fp16, tanh 8x4x32 to 32, 2 directions, small-h, tensor-op, d[xw], "
                                         r"algorithm 3 on GPU 0$")
        self.assertEqual([line["value"] for line in first["evidence"] if line["label"] == "may be"],
                         ["rnn-small-h", "lstm-small-h", "gru-small-h"])

    def test_recurrent_networks_that_are_right(self):
        report, runs = self.report("rnn,lstm,gru")
        self.assertEqual(({run[4] for run in runs}, report["verdict"], report["skipped"]), ({"ok"}, "ok", []))
        particular = {"packed", "padded", "projection", "layers", "directions", "standard", "small-h"}
        self.assertEqual({word for run in runs for word in particular if word in run[2]}, particular)

    def test_recurrent_networks_that_fail(self):
        for fault, expected in (("unsupported:lstm", "CUDNN_STATUS_NOT_SUPPORTED"),
                                ("fail:cudnnRNNForward:5000", "CUDNN_STATUS_EXECUTION_FAILED")):
            report, runs = self.report("lstm/forward", fault=fault)
            self.assertEqual(({run[4] for run in runs}, report["verdict"]), ({expected}, "refused"))

    def test_gradients_that_are_nan(self):
        report, runs = self.report("gru", fault="nan:gru/backward/bf16")
        self.assertEqual({(run[0], run[1]) for run in runs if run[4] != "ok"}, {("gru/backward", "bf16")})
        self.assertRegex(report["findings"][0]["found"], "^[0-9]+ elements are NaN or infinite$")

    def test_an_output_that_is_never_written(self):
        _, runs = self.report("rnn/forward", fault="unwritten:rnn/forward/fp32")
        self.assertEqual({(run[1], run[3]) for run in runs if run[4] != "ok"}, {("fp32", "y")})

    def test_legacy_operations_that_are_right(self):
        """A second opinion on the references."""
        report, runs = self.report("batch-norm,softmax,pooling,conv-backward,activation,tensor,lrn,spatial-grid,spatial-sampler,ctc-loss,conv-activation,dropout")
        self.assertEqual(({run[4] for run in runs}, report["verdict"], report["skipped"]), ({"ok"}, "ok", []))
        self.assertEqual({run[0] for run in runs},
                         {"batch-norm/inference", "batch-norm/forward", "batch-norm/backward", "softmax/forward", "softmax/backward",
                          "pooling/forward", "pooling/backward", "conv-backward/data", "conv-backward/filter",
                          "activation/forward", "activation/backward", "conv-backward/bias", "tensor/add", "tensor/op", "tensor/reduce",
                          "tensor/transform", "lrn/forward", "lrn/backward", "spatial-grid/forward", "spatial-grid/backward",
                          "spatial-sampler/forward", "spatial-sampler/backward", "ctc-loss", "conv-activation", "dropout"})
        self.assertEqual({run["engine"] for run in report["operations"]}, {-1, 0, 1, 3})
        self.assertEqual({run[1] for run in runs}, {"fp16", "bf16", "fp32"})

    def test_one_element_of_a_legacy_operation(self):
        for operation, output in (("batch-norm/inference", "y"), ("batch-norm/forward", "y"), ("batch-norm/backward", "dx"),
                                  ("softmax/forward", "y"), ("softmax/backward", "dx"), ("pooling/forward", "y"), ("pooling/backward", "dx"),
                                  ("conv-backward/data", "dx"), ("conv-backward/filter", "dw"), ("activation/forward", "y"), ("activation/backward", "dx"),
                                  ("conv-backward/bias", "db"), ("tensor/add", "c"), ("tensor/op", "c"), ("tensor/reduce", "y"),
                                  ("tensor/transform", "y"), ("lrn/forward", "y"), ("lrn/backward", "dx"), ("spatial-grid/forward", "grid"),
                                  ("spatial-grid/backward", "dtheta"), ("spatial-sampler/forward", "y"), ("spatial-sampler/backward", "dx"),
                                  ("ctc-loss", "dx"), ("conv-activation", "y")):
            with self.subTest(operation):
                report, runs = self.report(operation, fault=f"wrong:{operation}/fp32")
                self.assertEqual({(run[1], run[3], run[4]) for run in runs if run[1] == "fp32"}, {("fp32", output, "wrong-numbers")})
                self.assertLessEqual({run[4] for run in runs if run[1] != "fp32"}, {"ok"})
                first = [run for run in runs if run[4] != "ok"][0]
                by = {"conv-backward/data": ", algorithm 1", "conv-backward/filter": ", algorithm 1", "ctc-loss": ", algorithm 0", "conv-activation": ", algorithm 1"}
                self.assert_refused(report, "wrong-numbers", f"{operation}/fp32, {first[2]}, {output}{by.get(operation, '')} on GPU 0")

    def test_a_second_output_of_a_legacy_operation(self):
        for fault, operation, output in (("nan:ctc-loss-alone", "ctc-loss", "loss"),
                                         ("wrong:spatial-sampler/backward-grid", "spatial-sampler/backward", "dgrid"),
                                         ("wrong:batch-norm/backward-z", "batch-norm/backward", "dz")):
            _, runs = self.report(operation, fault=fault)
            self.assertEqual({(run[3], run[4]) for run in runs if ", z, " in run[2] or "batch" not in operation}, {(output, "wrong-numbers")})

    def test_dropout(self):
        for fault, output in (("wrong:dropout/backward", "dx"), ("nan:dropout/forward", "y"), ("unwritten:dropout/forward", "y"),
                              ("few:dropout", "dropped elements"), ("another-mask:dropout", None)):
            with self.subTest(fault):
                _, runs = self.report("dropout", fault=fault)
                self.assertEqual({run[4] for run in runs}, {"wrong-numbers"})
                self.assertLessEqual({run[3] for run in runs}, {output} if output else {"y", "dx"})

    def test_legacy_operations_that_fail(self):
        for fault, expected in (("unsupported:softmax/forward/fp16", "CUDNN_STATUS_NOT_SUPPORTED"),
                                ("fail:cudnnSoftmaxForward:5000", "CUDNN_STATUS_EXECUTION_FAILED")):
            report, runs = self.report("softmax/forward", fault=fault)
            self.assertEqual(({run[4] for run in runs} - {"ok"}, report["verdict"]), ({expected}, "refused"))

    def test_legacy_operations_without_bf16(self):
        report, runs = self.report("pooling/forward", fault="unsupported:pooling/forward/bf16")
        self.assertEqual(({run[1] for run in runs}, {run[4] for run in runs}), ({"fp16", "fp32"}, {"ok"}))
        self.assertEqual(report["skipped"], ["pooling/forward bf16 on GPU 0: cudnnPoolingForward, CUDNN_STATUS_NOT_SUPPORTED"])
        _, runs = self.report("pooling/forward", gpus="sm_75")
        self.assertEqual({run[1] for run in runs}, {"fp16", "fp32"})

    def test_a_library_that_is_not_there_is_told_as_not_run(self):
        report, runs = self.report("pooling,softmax/forward", fault="fail:cudnnPoolingBackward:1008")
        self.assertEqual(({run[0] for run in runs}, {run[4] for run in runs}), ({"pooling/forward", "softmax/forward"}, {"ok"}))
        self.assertEqual((report["verdict"], report["skipped"]),
                         ("ok", ["pooling/backward on GPU 0: cudnnPoolingBackward, CUDNN_STATUS_SUBLIBRARY_LOADING_FAILED"]))

    def test_a_legacy_output_that_is_never_written(self):
        report, runs = self.report("pooling/backward", fault="unwritten:pooling/backward/fp16,nan:pooling/backward/fp32")
        self.assertEqual({(run[1], run[3], run[4]) for run in runs if run[4] != "ok"},
                         {("fp16", "dx", "wrong-numbers"), ("fp32", "dx", "wrong-numbers")})
        self.assertRegex(report["findings"][0]["found"], "^[0-9]+ elements never written$")

    def test_no_engine_on_this_gpu(self):
        report, runs = self.report("matmul,attention/forward", fault="unsupported:attention")
        self.assertEqual({(run[0], run[4]) for run in runs},
                         {("matmul", "ok"), ("attention/forward", "CUDNN_STATUS_NOT_SUPPORTED")})
        self.assert_refused(report, "convolution-failed", "heuristic mode A offers no engine for this operation")

    def test_cudnn_does_not_start(self):
        report, runs = self.report("rms-norm", fault="fail:cudnnCreate:1001")
        self.assertEqual({(run[0], run[4]) for run in runs},
                         {(f"rms-norm/{way}", "CUDNN_STATUS_NOT_INITIALIZED") for way in ("forward", "backward")})
        self.assertEqual(len(runs), 2)
        self.assert_refused(report, "convolution-failed", "")

    def test_planning_ends_the_process(self):
        right = {("layer-norm/forward", "ok"), ("layer-norm/backward", "ok"), ("rms-norm/forward", "ok")}
        for alone in (False, True):
            with self.one_processor() if alone else contextlib.nullcontext():
                report, runs = self.report("layer-norm,rms-norm", fault="crash:rms-norm/backward")
            self.assertEqual((report["verdict"], report["stage"]), ("refused", "rms-norm/backward on GPU 0"))
            # Of several processes, what was at its end by then is told.
            self.assertEqual({(run[0], run[4]) for run in runs} | (set() if alone else right), right)
        [crashed] = report["findings"]
        self.assertEqual(crashed["name"], "probe-crashed")
        self.assertEqual(crashed["fixes"][0]["text"],
                         "leave this operation out of CuDNNChecked_OPERATIONS if the program does not call it")

    def test_without_a_gpu_what_was_asked_for_is_told_as_not_run(self):
        status, out, _ = self.probe("--operations", "attention", self.sdk.prefix, SIMULATED_GPUS="")
        self.assertEqual(status, 3)
        self.assertIn("  not run: attention/forward, attention/backward: cudaGetDeviceCount: 100 cudaErrorNoDevice", out)

    def whole_report(self, operations="all", gpus="sm_90", **more):
        """Without times, and by whom of it."""
        report = json.loads(self.probe("--json", "--operations", operations, self.sdk.prefix, SIMULATED_GPUS=gpus, **more)[1])
        return json.loads(re.sub(r'"(milliseconds|memory_free|time)": [^,}]+', '"time": 0', json.dumps(report)))

    @contextlib.contextmanager
    def one_processor(self):
        all_of_them = os.sched_getaffinity(0)
        os.sched_setaffinity(0, {min(all_of_them)})
        self.addCleanup(os.sched_setaffinity, 0, all_of_them)
        yield
        os.sched_setaffinity(0, all_of_them)

    @unittest.skipIf(len(os.sched_getaffinity(0)) < 2, "one processor")
    def test_several_processes_report_what_one_does(self):
        # Without attention/backward, which costs as much as all others.
        asked = "attention/forward,conv-bias,layer-norm,matmul,rms-norm"
        with self.one_processor():
            by_one = self.whole_report(asked)
        self.assertEqual(by_one["verdict"], "ok")
        self.assertEqual(self.whole_report(asked), by_one)

    @unittest.skipIf(len(os.sched_getaffinity(0)) < 2, "one processor")
    def test_where_the_gpu_has_memory_for_one_process(self):
        asked = ("rms-norm", "sm_90,sm_80")
        alone = self.whole_report(*asked, SIMULATED_FAULT=f"alone:{self.scratch}/lock")
        self.assertEqual(alone["verdict"], "ok")
        self.assertEqual(alone, self.whole_report(*asked))

    def test_each_gpu_of_another_architecture_has_its_types(self):
        report, _ = self.report("matmul", "unsupported:matmul", "sm_80,sm_90")
        asked = [text.split(":")[0] for text in report["skipped"] if text.startswith("matmul")]
        self.assertEqual(asked, ["matmul e4m3 on GPU 1"])

    def test_the_whole_name_of_an_output_comes_from_another_gpu(self):
        _, runs = self.report("layer-norm/forward", "unwritten:layer-norm/forward/fp16/2", "sm_90,sm_90")
        self.assertEqual([run[3] for run in runs if run[4] != "ok"], ["inverse deviation"] * 4)


class WithoutAdv(ProbeTest):
    options = {"cudnn": "9.19.0", "gpus": "sm_90", "sublibraries": "jit"}

    def test_recurrent_networks_are_told_as_not_run(self):
        status, out, _ = self.probe("--json", "--operations", "rnn,rms-norm/forward", self.sdk.prefix)
        report = json.loads(out)
        # Its convolutions are wrong: engine-7-nchw.
        self.assertEqual((status, {run["operation"] for run in report["operations"]}), (1, {"rms-norm/forward"}))
        why = "this cuDNN has no libcudnn_ops, and its legacy API would end the process"
        self.assertEqual(report["skipped"], [f"rnn/forward: {why}", f"rnn/backward: {why}", f"legacy: {why}"])

    def test_ctc_is_told_as_not_run(self):
        report = json.loads(self.probe("--json", "--operations", "ctc-loss", self.sdk.prefix)[1])
        why = "this cuDNN has no libcudnn_ops, and its legacy API would end the process"
        self.assertEqual(report["skipped"], [f"ctc-loss: {why}", f"legacy: {why}"])

    def test_legacy_operations_are_told_as_not_run(self):
        report = json.loads(self.probe("--json", "--operations", "softmax,rms-norm/forward", self.sdk.prefix)[1])
        why = "this cuDNN has no libcudnn_ops, and its legacy API would end the process"
        self.assertEqual(report["skipped"], [f"softmax/forward: {why}", f"softmax/backward: {why}", f"legacy: {why}"])
