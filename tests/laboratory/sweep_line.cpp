// SPDX-License-Identifier: BSD-3-Clause
//
// The lines between a worker of the sweep and the process that has started it.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "laboratory/sweep/model/line.h"

using namespace cudnn_checked;
using kind = sweep::message::kind;

static sweep::result long_result() {
  sweep::result r;
  r.problem = 17;
  r.with.engine = 72;
  r.with.knobs = {{2, 14}, {13, -1}};
  r.with.offers = {{sweep::heuristic::b, 4}, {sweep::heuristic::fallback, 3}};
  r.with.math = convolution_math::winograd_tf32;
  r.with.deterministic = false;
  r.with.compiled_at_run = true;
  r.what = sweep::outcome::unwritten;
  r.relative_error = 1.4;
  r.element_error = std::numeric_limits<double>::infinity();
  r.tolerance = 1e-300;
  r.unwritten = 665;
  r.elements = ~std::uint64_t{0};
  r.workspace = 1U << 30;
  r.alignment = 16;
  r.right_with = sweep::remedy::zero_workspace;
  r.microseconds = 12.5;
  r.detail = "cudnnBackendExecute: status 5000\tand \\ a tab,\na line feed, \x7f, \xc3\xa9";
  return r;
}

/// Written, and read back.
static sweep::message returned(const sweep::message& said) {
  const std::string line = sweep::to_line(said);
  sweep::message back;
  REQUIRE(sweep::read_line(line, back));
  CHECK(back.what == said.what);
  CHECK(sweep::to_line(back) == line);
  return back;
}

static sweep::machine long_machine() {
  sweep::machine m;
  m.cudnn = {9, 19, 0};
  m.cudart = {13, 0, 0};
  m.driver = {13, 1, 0};
  m.gpu = "NVIDIA H200";
  m.gpu_uuid = "GPU-1";
  m.capability = 90;
  m.memory_free = 149000000000;
  m.memory_total = 150000000000;
  m.gpus = 8;
  return m;
}

static sweep::message long_request() {
  sweep::message first(kind::request);
  first.asked.library = "/opt/a b/libcudnn.so.9";
  first.asked.operations = {sweep::operation::filter_gradient};
  first.asked.types = {element::bf16, element::fp32};
  first.asked.seed = ~std::uint64_t{0};
  first.asked.devices = {3};
  first.asked.workers = 2;
  first.asked.worker_bytes = 77;
  first.asked.errata = "{\n  \"rules\": []\n}\n";
  first.asked.random = true;
  first.asked.listed.resize(2);
  CHECK(sweep::read_problem("rms-norm/forward bf16 64x512", first.asked.listed[0]));
  CHECK(sweep::read_problem("gru/forward fp16 gru 1x1x1 to 1", first.asked.listed[1]));
  return first;
}

struct written_message {
  sweep::message said;
  const char* line;
};

/// One of each kind.
static std::vector<written_message> one_of_each() {
  sweep::message counts(kind::counts, 5);
  counts.left = {40, 1, 7, 3};
  return {
      {long_request(),
       "request\t/opt/a "
       "b/libcudnn.so.9\t404e000000000000\twgrad\tbf16,fp32\t18446744073709551615\t3"
       "\t2\t4024000000000000\t77\t{\\0a  \"rules\": []\\0a}\\0a"
       "\ttrue\trms-norm/forward bf16 64x512; gru/forward fp16 gru 1x1x1 to 1\t."},
      {sweep::message(kind::compute, 12, 34), "compute\t12\t34\t."},
      {sweep::message(long_machine()),
       "machine\t9.19.0\t13.0\t13.1\tNVIDIA H200\tGPU-1\t9.0\t149000000000\t150000000000\t8\t."},
      {sweep::message(std::string("cuInit: CUDA_ERROR_NO_DEVICE"), 2),
       "cannot\tcuInit: CUDA_ERROR_NO_DEVICE\t2\t."},
      {sweep::message(kind::prepares, 1234), "prepares\t1234\t."},
      {sweep::message(5, 9, long_result().with),
       "begin\t5\t9\teng72_k2=14_k13=-1\tB4 FALLBACK3\twinograd-tf32\tfalse\ttrue\t."},
      {sweep::message(kind::built, 5, 9), "built\t5\t9\t."},
      {sweep::message(long_result()),
       "result\t17\teng72_k2=14_k13=-1\tunwritten\t4029000000000000\t3ff6666666666666\tB4 FALLBACK3"
       "\twinograd-tf32\tfalse\ttrue\t16\t7ff0000000000000\t01a56e1fc2f8f359\t665"
       "\t18446744073709551615\t1073741824\tzero-workspace\tcudnnBackendExecute: status "
       "5000\\09and "
       "\\5c a tab,\\0aa line feed, \\7f, \\c3\\a9\t."},
      {counts, "counts\t5\t40\t1\t7\t3\t."},
      {sweep::message(kind::end, 1234), "end\t1234\t."}};
}

TEST_CASE("a message comes back from its line as it was, whatever bytes a text has") {
  for (const written_message& one : one_of_each()) {
    CHECK(sweep::to_line(one.said) == one.line);
    (void)returned(one.said);
  }
  const sweep::result back = returned(sweep::message(long_result())).came;
  CHECK(back.problem == 17);
  CHECK(back.relative_error == 1.4);
  CHECK(back.detail == long_result().detail);
  sweep::result nothing;
  nothing.relative_error = std::numeric_limits<double>::quiet_NaN();
  CHECK(std::isnan(returned(sweep::message(nothing)).came.relative_error));
}

TEST_CASE("a long detail is cut, and the line is read") {
  sweep::result r;
  r.detail = std::string(5000, 'x');
  CHECK(returned(sweep::message(r)).came.detail == std::string(1000, 'x'));
  CHECK(returned(sweep::message(r.detail)).why == std::string(1000, 'x'));
}

TEST_CASE("a line that is cut anywhere, or has a byte too many, is rejected") {
  sweep::message said;
  for (const written_message& whole : one_of_each()) {
    const std::string line = whole.line;
    for (std::size_t length = 0; length < line.size(); ++length) {
      CAPTURE(line.substr(0, length));
      REQUIRE_FALSE(sweep::read_line(line.substr(0, length), said));
    }
    CHECK_FALSE(sweep::read_line(line + "\t.", said));
    CHECK_FALSE(sweep::read_line(line + "x", said));
    CHECK_FALSE(sweep::read_line(" " + line, said));
  }
}

TEST_CASE("a line that is damaged or foreign is rejected") {
  sweep::message said;
  for (const char* line : {
           "",
           "\t.",
           "end",
           "end\t.",
           "end\t-1\t.",
           "end\t01\t.",
           "end\t+1\t.",
           "end\t1 \t.",
           "end\t0x1\t.",
           "end\t18446744073709551616\t.",
           "end\t1\t2\t.",
           "ending\t1\t.",
           "compute\t1\t.",
           "compute 1 2",
           "cannot\t\\\t0\t.",
           "cannot\t\\4\t0\t.",
           "cannot\t\\4g\t0\t.",
           "cannot\t\\4A\t0\t.",
           "cannot\t\\41\t0\t.",
           "cannot\t\xc3\xa9\t0\t.",
           "begin\t1\t2\teng-2\t\tfma\ttrue\ttrue\t.",
           "begin\t1\t2\t3\t\tfma\ttrue\ttrue\t.",
           "begin\t1\t2\teng3_k2\t\tfma\ttrue\ttrue\t.",
           "begin\t1\t2\teng3_k2=\t\tfma\ttrue\ttrue\t.",
           "begin\t1\t2\teng3_k2=1_\t\tfma\ttrue\ttrue\t.",
           "begin\t1\t2\teng3__k2=1\t\tfma\ttrue\ttrue\t.",
           "begin\t1\t2\teng3_k2=9223372036854775808\t\tfma\ttrue\ttrue\t.",
           "begin\t1\t2\teng3\tA\tfma\ttrue\ttrue\t.",
           "begin\t1\t2\teng3\tA0\tfma\ttrue\ttrue\t.",
           "begin\t1\t2\teng3\tC1\tfma\ttrue\ttrue\t.",
           "begin\t1\t2\teng3\tFALL1\tfma\ttrue\ttrue\t.",
           "begin\t1\t2\teng3\t\tfast\ttrue\ttrue\t.",
           "begin\t1\t2\teng3\t\tfma\t1\ttrue\t.",
           "Could not load library libcudnn_cnn.so.9",
       }) {
    CAPTURE(line);
    CHECK_FALSE(sweep::read_line(std::string(line), said));
  }
  CHECK(sweep::read_line("cannot\t\\09\t0\t.", said));
  CHECK(sweep::read_line("begin\t1\t2\teng3_k2=1\tA1\tfma\ttrue\ttrue\t.", said));
  for (const char* word : {"unwritten", "winograd-tf32", "B4"}) {
    std::string line = sweep::to_line(sweep::message(long_result()));
    REQUIRE(line.find(word) != std::string::npos);
    CHECK_FALSE(sweep::read_line(line.replace(line.find(word), 1, "X"), said));
  }
  for (const char* word : {"fwd", "fp16"}) {
    std::string line = sweep::to_line(sweep::message(kind::request));
    CHECK_FALSE(sweep::read_line(line.replace(line.find(word), 3, "FWD"), said));
  }
  // More knobs than any engine has: the reader's work is bounded.
  std::string many = "begin\t1\t2\teng3";
  for (int i = 0; i < 1000; ++i) many += "_k1=1";
  CHECK_FALSE(sweep::read_line(many + "\t\tfma\ttrue\ttrue\t.", said));
}
