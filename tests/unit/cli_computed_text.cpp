// SPDX-License-Identifier: BSD-3-Clause
//
// What `cudnn-checked probe` prints of what was computed.
#include <doctest/doctest.h>

#include "cli/probe/computed_text.cpp"
#include "core/judge/rules/tolerance.h"
#include "fused_runs.h"

using namespace cudnn_checked;

namespace cudnn_checked::cli {

/// Without the columns.
std::string aligned(const text_rows& rows) {
  std::string text;
  for (const std::vector<std::string>& row : rows) {
    for (const std::string& cell : row) text += "|" + cell;
    text += "\n";
  }
  return text;
}

}  // namespace cudnn_checked::cli

static arena_string text_of(const observation& observed) {
  judgement judged;
  judge_convolutions(observed, judged);
  return cli::computed_text(observed, judged);
}

TEST_CASE("probe: what was computed, a row for each kind and GPU") {
  observation observed;
  CHECK(text_of(observed) == "convolutions\n  none\n");
  convolution legacy;
  legacy.ran = true;
  legacy.engine = 0;
  legacy.products = 288;
  observed.convolutions.push_back(legacy);
  CHECK(text_of(observed) ==
        "convolutions\n|legacy fp32 nchw|GPU 0|1 of 1 right|algorithm 0|error 0.0e+00\n");
  observed.skipped.push_back({"graph/fp32/nchw", "a reason", false});
  for (const int engine : {6, 7, 6}) {
    convolution run = test::fused_run(fused_operation::attention_backward);
    run.engine = engine;
    if (engine == 7) run = test::wrong_run(fused_operation::attention_backward);
    if (engine == 7) run.engine = 7;
    observed.convolutions.push_back(run);
  }
  observed.convolutions.push_back(test::fused_run(fused_operation::matmul, element::bf16));
  observed.convolutions.in_place().back().ran = false;
  observed.convolutions.in_place().back().engine = -1;
  observed.skipped.push_back({"attention/forward on GPU 0", "no engine", true});
  observed.skipped.push_back({"rms-norm/forward", "no engine", true});
  CHECK(text_of(observed) ==
        "convolutions\n"
        "|legacy fp32 nchw|GPU 0|1 of 1 right|algorithm 0|error 0.0e+00\n"
        "  not run: graph/fp32/nchw: a reason\n"
        "operations\n"
        "|attention/backward fp16|GPU 0|2 of 3 right|engine 6, 7|error 1.2e-01\n"
        "|matmul bf16|GPU 0|0 of 1 right||\n"
        "  not run: attention/forward on GPU 0, rms-norm/forward: no engine\n");
}
