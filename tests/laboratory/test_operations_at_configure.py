# SPDX-License-Identifier: BSD-3-Clause
"""CuDNNChecked_OPERATIONS: what is asked for, what a report proves, and what a target declares without its proof."""

import json

from support import stamps, status_lines, warnings
from support.output import assert_refusal
from support.proving import ProvingTest

RIGHT = {"type": "fp16", "problem": "2x4x192x64, causal", "output": "O", "engine": 6, "device": 0, "status": "ok",
         "status_number": 0, "relative_error": 4e-4, "element_error": 0.5, "tolerance": 4, "milliseconds": 0.25}


class Asked(ProvingTest):
    sdk_options = {"cudnn": "9.14.0", "gpus": "sm_75"}

    def test_an_unknown_operation(self):
        self.assertEqual(self.refused("-DCuDNNChecked_OPERATIONS=atention;matmul"), """\
cudnn_checked: refused: an option of the probe has an invalid value
  operations:  atention, matmul   CuDNNChecked_OPERATIONS
  fix: cmake -U CuDNNChecked_OPERATIONS <scratch>/app-build
   or: name one of the values that the probe lists below
  [bad-input]
  | cudnn_checked: error: unknown operation 'atention' in operations=; known are: all, conv, conv-bias, matmul, attention/forward, \
attention/backward, layer-norm/forward, layer-norm/backward, rms-norm/forward, rms-norm/backward, rnn/forward, rnn/backward, \
lstm/forward, lstm/backward, gru/forward, gru/backward, batch-norm/inference, batch-norm/forward, batch-norm/backward, \
softmax/forward, softmax/backward, pooling/forward, pooling/backward, conv-backward/data, conv-backward/filter, conv-backward/bias, \
conv-activation, activation/forward, activation/backward, tensor/add, tensor/op, tensor/reduce, tensor/transform, lrn/forward, \
lrn/backward, spatial-grid/forward, spatial-grid/backward, spatial-sampler/forward, spatial-sampler/backward, ctc-loss, dropout
""")

    def test_the_convolutions_alone(self):
        """The probe is not compiled again for them, and nothing is told of operations."""
        self.proved()
        probe = next(self.app.build_directory.rglob("cudnn_checked_probe"))
        before = probe.stat().st_mtime_ns
        result = self.proved("-DCuDNNChecked_OPERATIONS=conv")
        self.assertNotIn("operations", json.loads(open(result["REPORT"]).read()))
        self.assertEqual(probe.stat().st_mtime_ns, before)
        # Whatever comes of it.
        self.configure("-DCuDNNChecked_OPERATIONS=conv;matmul")
        self.assertNotEqual(probe.stat().st_mtime_ns, before)


class Computed(ProvingTest):
    """The simulated cuDNN computes attention, as laboratory/probe_operations shows of all operations."""

    sdk_options = {"cudnn": "9.19.0", "gpus": "sm_90"}

    def test_refused_and_proved(self):
        self.app.write("main.cpp", "int main() {}\n")
        self.app.write("after.cmake", "add_executable(app main.cpp)\ntarget_link_libraries(app PRIVATE CuDNNChecked::guard)\n"
                       "cudnn_checked_guard(app OPERATIONS attention/forward)\n")
        asked = ["-DCuDNNChecked_OPERATIONS=attention/forward", "-DCuDNNChecked_REQUIRE=RAN"]
        with self.subTest("NaN"):
            text = self.refused(*asked, environment={"SIMULATED_FAULT": "nan:attention/forward/bf16/0"})
            assert_refusal(self, text, "cuDNN computes wrong numbers: attention/forward/bf16\n", "wrong-numbers",
                           "take another release of cuDNN")
            self.assertRegex(text, r"\n  computed: +\d+ elements are NaN or infinite   attention/forward/bf16, .*, O, "
                                   r"engine 7 on GPU 0\n")
        with self.subTest("a crash"):
            text = self.refused(*asked, environment={"SIMULATED_FAULT": "crash:attention/forward"})
            assert_refusal(self, text, "the probe crashed with SIGSEGV\n", "probe-crashed", "leave this operation out of "
                           "CuDNNChecked_OPERATIONS if the program does not call it")
        with self.subTest("right"):
            self.assertEqual(self.proved(*asked)["LEVEL"], "RAN")
            self.assertEqual(self.app.build().status, 0)
            [stamp] = stamps(self.app.path("app"))
            self.assertEqual((stamp["proved"], stamp["operations"]), (["attention/forward"], ["attention/forward"]))


class Declared(ProvingTest):
    """A target declares operations."""

    sdk_options = {"cudnn": "9.14.0", "gpus": "sm_75"}

    def declare(self, operations, names="app"):
        self.app.write("main.cpp", "int main() {}\n")
        self.app.write("after.cmake", "".join(
            f"add_executable({name} main.cpp)\ntarget_link_libraries({name} PRIVATE CuDNNChecked::guard)\n"
            f"cudnn_checked_guard({name} OPERATIONS {operations})\n"
            for name in names.split()))

    def message(self, operations, fix, proved="convolutions"):
        return (f"cudnn_checked_guard(app): OPERATIONS has what was not proved: {operations}\n"
                f"  proved by running:  {proved}   CuDNNChecked_OPERATIONS\n  fix: {fix}\n  [not-verified]\n")

    def test_without_its_proof(self):
        self.declare("conv/fp16 attention matmul", names="app other")
        said = self.message("matmul, attention/forward, attention/backward",
                            "cmake -D 'CuDNNChecked_OPERATIONS=matmul;attention/forward;attention/backward' "
                            "<scratch>/app-build")
        with self.subTest("a warning, once"):
            self.proved()
            self.assertEqual([self.relative(text) for text in warnings(self.output)], [said])
        with self.subTest("an error where RAN is required"):
            self.assertEqual(self.refused("-DCuDNNChecked_REQUIRE=RAN"), said)
        with self.subTest("nothing where RAN was not reached"):
            self.proved("-DCuDNNChecked_REQUIRE=LOADED")
            self.assertEqual(warnings(self.output), [])

    def test_other_words(self):
        """What only known defects have names for needs no proof."""
        self.declare("sdpa/backward conv matmul/block_scaled attention/forward/decode")
        self.proved("-DCuDNNChecked_REQUIRE=RAN")
        self.assertEqual(warnings(self.output), [])

    def test_the_proof_of_a_report(self):
        result = self.proved("-DCuDNNChecked_OPERATIONS=conv")
        report = json.loads(open(result["REPORT"]).read())
        report["operations"] = [{"operation": "attention/forward", **RIGHT}]
        path = self.write("report.json", json.dumps(report))
        self.declare("attention")
        taken = [f"-DCuDNNChecked_PROBE_REPORT={path}", "-DCuDNNChecked_REQUIRE=RAN"]
        self.assertEqual(self.refused(*taken), self.message(
            "attention/backward", "let CuDNNChecked_PROBE_REPORT name a report that has it: cudnn-checked probe "
            "--operations attention/backward --json DIRECTORY > report.json", "convolutions, attention/forward"))
        for asked, lacking in (("matmul", "matmul"), ("attention;conv", "attention/backward"), ("atention", "atention")):
            self.assertEqual(self.refused(*taken, f"-DCuDNNChecked_OPERATIONS={asked}").replace("d_configure", "d_judge"), f"""\
cudnn_checked: refused: the report of the probe cannot be used: it lacks an operation
  here:    {lacking}   CuDNNChecked_OPERATIONS
  report:  convolutions, attention/forward   <scratch>/report.json
  It is a report of this cuDNN, and this was not proved there.
  fix: cmake -U CuDNNChecked_PROBE_REPORT <scratch>/app-build
   or: copy <scratch>/app-build/CuDNNChecked/cudnn_checked_judge and <scratch>/app-build/CuDNNChecked/cudnn_checked_probe to where the program will run, \
and start it there as: ./cudnn_checked_judge configure judge report=report.json operations={asked.replace(";", ",")}
   or: run there, with the directory of this cuDNN: cudnn-checked probe --operations {asked.replace(";", ",")} --json \
DIRECTORY > report.json
  [bad-input]
""")
        self.declare("attention/forward")
        self.proved(*taken, "-DCuDNNChecked_OPERATIONS=conv;attention/forward")
        self.assertEqual(warnings(self.output), [])
        self.assertEqual([self.relative(line) for line in status_lines(self.output)], [
            "cuDNN 9.14.0 · CUDA 13.0 · sm_75, convolution verified, operations verified (attention/forward); taken from "
            "report <scratch>/report.json"])
        header = next(self.app.build_directory.rglob("include/cudnn_checked/stamp.h")).read_text()
        self.assertIn('#define CUDNN_CHECKED_OPERATIONS "attention/forward"\n', header)
        self.assertEqual(self.app.build().status, 0)
        [stamp] = stamps(self.app.path("app"))
        self.assertEqual((stamp["proved"], stamp["operations"]), (["attention/forward"], ["attention/forward"]))
