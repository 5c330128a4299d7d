// SPDX-License-Identifier: BSD-3-Clause
//
// Known defects of single operations, reported to programs that declare them.
#include <doctest/doctest.h>

#include <set>

#include "core/judge/rules/known_defects.h"
#include "defective_machines.h"

using namespace cudnn_checked;
using test::defects;
using test::machine;
using test::silent_on;
using test::using_on;

TEST_CASE("defects of recurrent networks, at each border") {
  const struct {
    const char* operation;
    const char* expected;
  } rows[] = {{"rnn", "rnn-small-h"},
              {"rnn/backward", "rnn-small-h"},
              {"rnn/backward/fp16", "rnn-small-h"},
              {"rnn/forward", ""},
              {"lstm/forward", "lstm-small-h"},
              {"lstm/backward/fp16", "lstm-small-h"},
              {"gru", "gru-small-h"}};
  for (const auto& row : rows) {
    CAPTURE(row.operation);
    CHECK(defects(using_on(row.operation, "9.11.1", "90")) == "");
    CHECK(defects(using_on(row.operation, "9.12.0", "90")) == row.expected);
    CHECK(defects(using_on(row.operation, "9.28.1", "90")) == row.expected);
    CHECK(defects(using_on(row.operation, "9.29.0", "90")) == "");
    CHECK(defects(using_on(row.operation, "9.20.0", "89")) == "");
    CHECK(defects(using_on(row.operation, "9.20.0", "100")) == "");
  }
  // Who declares nothing hears nothing of it.
  CHECK(defects(silent_on("9.28.1", "90")) == "");
}

TEST_CASE("defects of single operations, at each border") {
  const struct {
    const char* operation;
    const char* gpu;
    const char* before;  ///< the release before the first
    const char* first;
    const char* last;
    const char* after;
    const char* expected;
  } rows[] = {
      {"conv/depthwise", "75", "9.10.0", "9.10.1", "9.14.1", "9.15.0", "conv-depthwise-64bit"},
      {"conv/asymmetric", "86", "9.5.1", "9.6.0", "9.6.0", "9.7.0", "conv-asymmetric"},
      {"conv/asymmetric", "75", "9.5.1", "9.6.0", "9.6.0", "9.7.0", "conv-asymmetric-sm75"},
      {"conv3d/fp32", "80", "9.10.1", "9.10.2", "9.15.0", "9.15.1", "conv3d-tf32"},
      {"conv/fp32", "75", "9.7.1", "9.8.0", "9.8.0", "9.9.0", "conv-sm75"},
      {"sdpa/backward/dropout", "80", "9.11.0", "9.11.1", "9.13.1", "9.14.0", "sdpa-dropout"},
      {"sdpa/forward/dropout", "120", "9.11.0", "9.11.1", "9.13.1", "9.14.0", "sdpa-dropout"},
      {"sdpa/forward", "86", "9.9.0", "9.10.0", "9.10.1", "9.10.2", "sdpa-9.10"},
      {"sdpa/backward", "107", "9.23.2", "9.24.0", "9.24.0", "9.25.1", "sdpa-sm107"},
      {"sdpa/backward", "107", "9.23.2", "9.24.1", "9.25.0", "9.25.1", "sdpa-sm107-d256"},
      {"sdpa/forward/window", "86", "9.13.1", "9.14.0", "9.14.0", "9.14.1", "sdpa-window"},
      {"sdpa/backward/graph", "80", "8.9.7", "9.0.0", "9.9.0", "9.15.1", "sdpa-graph"},
      {"sdpa/backward/graph", "80", "8.9.7", "9.15.0", "9.15.0", "9.15.1", "sdpa-graph"},
      {"sdpa/forward/decode", "100", "9.18.1", "9.19.0", "9.23.2", "9.24.1", "sdpa-decode"},
      {"sdpa/forward/decode", "110", "9.24.1", "9.25.0", "9.25.0", "9.25.1", "sdpa-decode"},
      {"sdpa/forward/fp8", "103", "9.23.2", "9.24.0", "9.24.2", "9.25.0", "sdpa-fp8-zeros"},
      {"sdpa/forward/fp8", "100", "9.12.0", "9.13.1", "9.13.1", "9.14.0", "sdpa-fp8-scaling"},
      {"norm/mxfp8", "100", "9.6.0", "9.7.0", "9.9.0", "9.10.0", "norm-mxfp8"},
      {"sdpa/backward/fp8", "100", "9.22.0", "9.23.0", "9.23.1", "9.23.2", "sdpa-mxfp8"},
      {"matmul", "120", "9.18.1", "9.19.0", "9.23.0", "9.23.1", "matmul-sm120"},
      {"matmul/block_scaled", "100", "9.6.0", "9.7.0", "9.12.0", "9.13.0", "matmul-global-scale"},
      {"rnn", "86", "8.0.5", "8.1.0", "8.9.1", "8.9.2", "rnn-masked"},
      {"rnn/masked", "61", "8.0.5", "8.1.0", "8.9.1", "8.9.2", "rnn-masked"},
  };
  for (const auto& row : rows) {
    CAPTURE(row.operation);
    CAPTURE(row.first);
    CHECK(defects(using_on(row.operation, row.before, row.gpu)) == "");
    CHECK(defects(using_on(row.operation, row.first, row.gpu)) == row.expected);
    CHECK(defects(using_on(row.operation, row.last, row.gpu)) == row.expected);
    CHECK(defects(using_on(row.operation, row.after, row.gpu)) == "");
    // Who declares nothing hears nothing of it, and neither does a GPU that is not known.
    CHECK(defects(silent_on(row.first, row.gpu)) == "");
    machine unknown = using_on(row.operation, row.first, row.gpu);
    unknown.observed.devices.gpus.in_place()[0].capability = {};
    CHECK(defects(unknown) == "");
  }
}

TEST_CASE("defects of single operations, on other GPUs") {
  const struct {
    const char* operation;
    const char* cudnn;
    const char* gpu;
  } rows[] = {
      {"conv/asymmetric", "9.6.0", "90"},
      {"conv/asymmetric", "9.6.0", "70"},
      {"conv/asymmetric", "9.6.0", "80"},
      {"conv3d/fp32", "9.14.0", "75"},
      {"sdpa/forward/fp8", "9.13.1", "90"},
      {"norm/mxfp8", "9.8.0", "90"},
      {"conv/fp32", "9.8.0", "86"},
      {"sdpa/backward", "9.26.0", "100"},
      {"sdpa/forward/decode", "9.20.0", "90"},
      {"sdpa/forward/decode", "9.20.0", "120"},
      {"sdpa/backward", "9.24.0", "103"},
      {"sdpa/forward/fp8", "9.24.0", "120"},
      {"sdpa/forward/fp8", "9.23.0", "90"},
      {"matmul", "9.19.0", "121"},
      {"matmul/block_scaled", "9.12.0", "90"},
      {"rnn/masked", "8.9.1", "90"},
      {"rnn/masked", "8.9.1", "60"},
  };
  for (const auto& row : rows) {
    CAPTURE(row.operation);
    CAPTURE(row.gpu);
    CHECK(defects(using_on(row.operation, row.cudnn, row.gpu)) == "");
  }
  CHECK(defects(using_on("sdpa/backward", "9.12.0", "100")) == "sdpa-dropout sdpa-graph");
  CHECK(defects(using_on("sdpa/forward", "9.24.0", "107")) == "sdpa-decode sdpa-sm107");
  CHECK(defects(using_on("sdpa/backward", "9.12.0", "90")) ==
        "sdpa-one-query sdpa-backward-nan sdpa-head-sizes sdpa-dropout sdpa-graph");
  CHECK(defects(using_on("sdpa/backward", "9.11.0", "90")) ==
        "sdpa-one-query sdpa-head-sizes sdpa-graph");
  CHECK(defects(using_on("sdpa/backward", "9.13.0", "90")) ==
        "sdpa-one-query sdpa-dropout sdpa-9.13.0 sdpa-graph");
  CHECK(defects(using_on("sdpa/backward", "9.13.1", "90")) ==
        "sdpa-one-query sdpa-dropout sdpa-graph sdpa-fp8-largest sdpa-fp8-last-row");
  CHECK(defects(using_on("sdpa/backward", "9.14.0", "90")) ==
        "sdpa-one-query sdpa-window sdpa-graph sdpa-fp8-largest sdpa-fp8-last-row");
  CHECK(defects(using_on("sdpa/backward", "9.26.0", "90")) == "sdpa-one-query sdpa-one-query-plan");
  CHECK(defects(using_on("sdpa/backward", "9.26.1", "90")) == "sdpa-one-query sdpa-one-query-plan");
  CHECK(defects(using_on("sdpa/backward", "9.27.0", "90")) == "sdpa-one-query");
  CHECK(defects(using_on("sdpa/backward/fp8", "9.20.0", "90")) ==
        "sdpa-kv-tail sdpa-one-query sdpa-fp8-largest sdpa-fp8-last-row");
  CHECK(defects(using_on("sdpa/backward/fp8", "9.25.1", "90")) ==
        "sdpa-kv-tail sdpa-one-query sdpa-fp8-largest");
  CHECK(defects(using_on("sdpa/backward/fp8", "9.26.1", "90")) ==
        "sdpa-one-query sdpa-one-query-plan");
  for (const char* const gpu : {"89", "100"}) {
    CHECK(defects(using_on("sdpa/backward/fp8", "9.20.0", gpu)) == "");
  }
}

TEST_CASE("few calls of what a program declares are a warning, and wrong numbers an error") {
  machine m = using_on("sdpa/forward/window", "9.14.0", "86");
  CHECK(defects(m) == "sdpa-window");
  CHECK(m.fact("operations") ==
        "sdpa/forward/window sdpa/backward/window   cudnn-frontend, sdpa_support_surface.h");
  CHECK(m.because() ==
        "A sliding window that is not causal is wrong if K and V are longer than 1024.");
  CHECK(m.fix() == "> upgrade to cuDNN 9.14.1 or newer");
  CHECK(m.result() == verdict::warning);
  m = using_on("sdpa/forward/decode", "9.20.0", "100");
  CHECK(m.result() == verdict::refused);
  CHECK(m.fix() == "> upgrade to cuDNN 9.25.1 or newer");
  m = using_on("sdpa/backward", "9.12.0", "90");
  CHECK(m.fix() == "> give a single query row twice, and drop the second result");
}

TEST_CASE("a release to upgrade to has no other defect of what the program declares") {
  const auto fixes = [](machine m) {
    std::string text;
    for (const finding& f : m.findings()) text += test::fix_of(f) + "\n";
    return text;
  };
  // 9.13.1 lacks dropout, and 9.14.0 has wrong windows: what declares attention has both.
  CHECK(fixes(using_on("sdpa/forward", "9.13.0", "86")) ==
        "> upgrade to cuDNN 9.14.1 or newer\n> upgrade to cuDNN 9.14.1 or newer\n");
  CHECK(fixes(using_on("sdpa/forward/fp8", "9.23.0", "100")) ==
        "> upgrade to cuDNN 9.23.2 or newer\n");
  // On another GPU, and of a program that declares less, that other defect is none.
  CHECK(fixes(using_on("sdpa/forward/dropout", "9.13.0", "86")) ==
        "> upgrade to cuDNN 9.14.0 or newer\n> upgrade to cuDNN 9.14.0 or newer\n");
}

TEST_CASE("the names of operations") {
  for (const char* name : {"conv",
                           "conv/fp16",
                           "conv/fp16/nchw",
                           "conv3d/bf16",
                           "sdpa/backward",
                           "sdpa/forward/decode",
                           "matmul",
                           "norm/mxfp8",
                           "rnn",
                           "autotune",
                           "autotune/wgrad/nhwc",
                           "attention",
                           "attention/backward",
                           "attention/forward/decode",
                           "conv-bias",
                           "layer-norm",
                           "rms-norm/backward",
                           "rnn/backward/fp16",
                           "lstm",
                           "gru/forward/fp16"}) {
    CAPTURE(name);
    CHECK(is_operation_name(name));
  }
  for (const char* name : {"", "con", "conv/", "conv/fp16/nchw/", "conv/fp8", "CONV", "conv4d",
                           "attention/", "attentions", "layer-norm/fp16", "lstm/forward/fp32"}) {
    CAPTURE(name);
    CHECK_FALSE(is_operation_name(name));
  }
  CHECK(operations_meet("conv", "conv/fp16/nchw"));
  CHECK(operations_meet("conv/fp16/nchw", "conv"));
  CHECK(operations_meet("conv/fp16", "conv/fp16"));
  CHECK_FALSE(operations_meet("conv", "conv3d/fp16"));
  CHECK_FALSE(operations_meet("conv/fp16/nchw", "conv/bf16"));
  CHECK_FALSE(operations_meet("", "conv"));
  for (const char* word : {"attention", "sdpa"}) {
    CAPTURE(word);
    const std::string backward = std::string(word) + "/backward";
    CHECK(operations_meet(word, "sdpa/backward/fp8"));
    CHECK(operations_meet("sdpa", backward));
    CHECK(operations_meet(backward, "attention"));
    CHECK(operations_meet(backward, "sdpa/backward"));
    CHECK(operations_meet("sdpa/backward/fp8", backward));
    CHECK_FALSE(operations_meet(backward, "sdpa/forward"));
    CHECK_FALSE(operations_meet(word, "matmul"));
    CHECK_FALSE(operations_meet(word, ""));
  }
}

TEST_CASE("every line of the table is one that can be read and can fire") {
  std::set<std::pair<std::string, int>> entries;
  REQUIRE(!known_defects().empty());
  for (const known_defect& d : known_defects()) {
    CAPTURE(d.id);
    CHECK(entries.insert({d.id, d.first}).second);  // one defect may leave a release out
    CHECK(d.first <= d.last);
    CHECK((d.fixed == 0 || d.fixed > d.last));
    CHECK(d.first >= 80000);
    CHECK(d.first_gpu <= d.last_gpu);
    CHECK(d.first_gpu >= 50);
    const std::string what = d.what;
    CHECK(what.back() == '.');
    CHECK(std::string(d.source).size() > 0);
    std::string name;
    for (const char c : std::string(d.operations) + " ") {
      if (c != ' ') {
        name += c;
        continue;
      }
      CAPTURE(name);
      CHECK(is_operation_name(name));
      name.clear();
    }
  }
}
