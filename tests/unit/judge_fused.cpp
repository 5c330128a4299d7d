// SPDX-License-Identifier: BSD-3-Clause
//
// Fused operations of the probe: wrong, right, failed.
#include <doctest/doctest.h>

#include <limits>

#include "core/judge/rules/tolerance.h"
#include "fused_runs.h"
#include "observation_builder.h"

using namespace cudnn_checked;
using test::configuration;
using test::fused_run;
using test::wrong_run;

namespace {

/// An H200 whose convolutions are right, with that run.
struct with_run : configuration {
  explicit with_run(const convolution& run, const char* release = "9.14.0")
      : configuration(release, release) {
    observed.convolutions.push_back(run);
  }
};

}  // namespace

TEST_CASE("a fused operation is right up to four times the bound of its reference") {
  convolution run = fused_run(fused_operation::matmul);
  CHECK(convolution_tolerance(run) == 4);
  run.element_error = 4;
  CHECK(has_right_numbers(run));
  CHECK(with_run(run).names() == "");
  run.element_error = 4.1;
  CHECK_FALSE(has_right_numbers(run));
  run.element_error = std::numeric_limits<double>::quiet_NaN();
  CHECK_FALSE(has_right_numbers(run));
  run.element_error = 0;
  run.not_finite = 1;
  CHECK_FALSE(has_right_numbers(run));
}

TEST_CASE("a fused operation that is wrong names its output") {
  with_run c(wrong_run(fused_operation::attention_backward));
  CHECK(c.message() ==
        "refused: cuDNN computes wrong numbers: attention/backward/fp16\n"
        "  tolerance:  4 of the first-order bound             float64 reference\n"
        "  computed:   31 of the bound, relative error 0.12   attention/backward/fp16, "
        "2x4x192x64, causal, dQ, engine 6 on GPU 0\n"
        "  may be:     sdpa-one-query                         docs/measurements.md, "
        "NVIDIA/cudnn-frontend#1072\n"
        "  cuDNN reports no error: every status was CUDNN_STATUS_SUCCESS.\n"
        "  fix: leave this operation out of CuDNNChecked_OPERATIONS if the program does not call "
        "it\n"
        "  [wrong-numbers]\n");
  CHECK(reached_level(c.observed, c.findings()) == level::loaded);
}

TEST_CASE("a fused operation that is NaN or unwritten is told as such") {
  convolution run = fused_run(fused_operation::attention_backward);
  run.not_finite = 49152;
  run.element_error = std::numeric_limits<double>::infinity();
  CHECK(with_run(run).findings()[0].found.value == "49152 elements are NaN or infinite");
  run.unwritten = 12;
  CHECK(with_run(run).findings()[0].found.value == "12 elements never written");
}

TEST_CASE("a defect that is known of the release, the GPU and the whole operation is named") {
  const struct {
    fused_operation operation;
    const char* release;
    const char* gpu;
    const char* expected;
  } rows[] = {
      {fused_operation::attention_backward, "9.24.0", "107",
       "sdpa-sm107 of pytorch/pytorch#192843"},
      {fused_operation::attention_backward, "9.24.0", "80", ""},
      {fused_operation::attention_backward, "9.23.2", "107", ""},
      {fused_operation::attention_forward, "9.19.0", "100", ""},  // sdpa-decode
      {fused_operation::matmul, "9.19.0", "120", "matmul-sm120 of vllm-project/vllm#35566"},
      {fused_operation::matmul, "9.12.0", "100", ""},  // matmul-global-scale: block-scaled alone
      {fused_operation::rnn_backward, "9.12.0", "90", "rnn-small-h of docs/recurrent.md"},
      {fused_operation::rnn_forward, "9.12.0", "90", ""},
  };
  for (const auto& row : rows) {
    CAPTURE(row.expected);
    CAPTURE(row.release);
    with_run c(wrong_run(row.operation), row.release);
    c.set_gpu(row.gpu);
    c.observed.convolutions.push_back(c.observed.convolutions[1]);
    std::string names;
    for (const finding& f : c.findings()) {
      for (const fact& line : f.more) {
        if (line.label == "may be") names += (line.value + " of " + line.where).c_str();
      }
    }
    CHECK(names == row.expected);
  }
}

TEST_CASE("the fix for a wrong fused operation follows the set and what else is wrong") {
  with_run jit(wrong_run(fused_operation::matmul));
  jit.lose_precompiled();
  CHECK(jit.fix() ==
        "> install the full cuDNN package instead of the JIT-only one\n"
        "> leave this operation out of CuDNNChecked_OPERATIONS if the program does not call it");
  with_run jit_defect(wrong_run(fused_operation::attention_backward), "9.27.0");
  jit_defect.lose_precompiled();
  CHECK(jit_defect.fix() ==
        "> leave this operation out of CuDNNChecked_OPERATIONS if the program does not call it");
  with_run unknown(wrong_run(fused_operation::attention_backward), "9.9.0");
  CHECK(unknown.fix() ==
        "> take another release of cuDNN\n"
        "> leave this operation out of CuDNNChecked_OPERATIONS if the program does not call it");
  with_run both(wrong_run(fused_operation::matmul));
  both.observed.convolutions.in_place()[0].element_error = 0.2;
  CHECK(both.summary() == "cuDNN computes wrong numbers: graph/fp16/nchw matmul/fp16");
  CHECK(both.fix() ==
        "> take another release of cuDNN\n"
        "> report it to NVIDIA, if this one is NVIDIA's complete package");
}

TEST_CASE("a fused operation that fails is no convolution") {
  convolution failed = fused_run(fused_operation::layer_norm_forward);
  failed.ran = false;
  failed.output = "";
  failed.failed_call = "cudnnBackendExecute";
  failed.status = 5000;
  failed.status_name = "CUDNN_STATUS_EXECUTION_FAILED";
  with_run c(failed);
  CHECK(c.message() ==
        "refused: cudnnBackendExecute failed with CUDNN_STATUS_EXECUTION_FAILED (5000)\n"
        "  expected:  success   layer-norm/forward/fp16, 2x4x192x64, "
        "causal\n"
        "  answered:  CUDNN_STATUS_EXECUTION_FAILED (5000)\n"
        "  The program's own calls of this operation would fail in the same way.\n"
        "  fix: the status is explained in cuDNN's documentation\n"
        "   or: CUDNN_LOGLEVEL_DBG=2 CUDNN_LOGDEST_DBG=stderr makes cuDNN log more\n"
        "   or: leave this operation out of CuDNNChecked_OPERATIONS if the program does not call "
        "it\n"
        "  [convolution-failed]\n");
  c.observed.convolutions.in_place()[0].ran = false;
  CHECK(c.findings()[0].because == "The program's own convolutions would fail in the same way.");
}
