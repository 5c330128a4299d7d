// SPDX-License-Identifier: BSD-3-Clause
//
// The lines between a worker of the sweep and the process that has started it.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "sweep/model/line.h"

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
  r.microseconds = 12.5;
  r.detail = "cudnnBackendExecute: status 5000\tand \\ a tab,\na line feed, \x7f, \xc3\xa9";
  return r;
}

static bool same(const sweep::plan& a, const sweep::plan& b) {
  bool equal = a.engine == b.engine && a.math == b.math && a.deterministic == b.deterministic &&
               a.compiled_at_run == b.compiled_at_run && sweep::tag_of(a) == sweep::tag_of(b) &&
               a.offers.size() == b.offers.size();
  for (std::size_t i = 0; equal && i < a.offers.size(); ++i) {
    equal = a.offers[i].mode == b.offers[i].mode && a.offers[i].rank == b.offers[i].rank;
  }
  return equal;
}

/// Written, and read back.
static sweep::message returned(const sweep::message& said) {
  const std::string line = sweep::to_line(said);
  CHECK(line.find('\n') == std::string::npos);
  sweep::message back;
  REQUIRE(sweep::read_line(line, back));
  CHECK(back.what == said.what);
  CHECK(sweep::to_line(back) == line);
  return back;
}

/// One of each kind.
static std::vector<sweep::message> one_of_each() {
  sweep::message counts(kind::counts, 5);
  counts.left = {40, 1, 7, 3};
  return {sweep::message(kind::request),
          sweep::message(kind::compute, 12, 34),
          sweep::message(sweep::machine()),
          sweep::message(std::string("cuInit: CUDA_ERROR_NO_DEVICE"), 2),
          sweep::message(kind::prepares, 1234),
          sweep::message(5, 9, long_result().with),
          sweep::message(kind::built, 5, 9),
          sweep::message(long_result()),
          counts,
          sweep::message(kind::end, 1234)};
}

TEST_CASE("a result comes back from its line as it was, whatever bytes the detail has") {
  const sweep::result r = long_result();
  const sweep::result back = returned(sweep::message(r)).came;
  CHECK(back.problem == 17);
  CHECK(same(back.with, r.with));
  CHECK(back.what == sweep::outcome::unwritten);
  CHECK(back.relative_error == 1.4);
  CHECK(std::isinf(back.element_error));
  CHECK(back.tolerance == 1e-300);
  CHECK(back.unwritten == 665);
  CHECK(back.elements == ~std::uint64_t{0});
  CHECK(back.workspace == 1U << 30);
  CHECK(back.alignment == 16);
  CHECK(back.microseconds == 12.5);
  CHECK(back.detail == r.detail);
  sweep::result nothing;
  nothing.relative_error = std::numeric_limits<double>::quiet_NaN();
  const sweep::result nothing_back = returned(sweep::message(nothing)).came;
  CHECK(std::isnan(nothing_back.relative_error));
  CHECK(nothing_back.with.knobs.empty());
  CHECK(nothing_back.with.offers.empty());
}

TEST_CASE("a long detail is cut, and the line is read") {
  sweep::result r;
  r.detail = std::string(5000, 'x');
  CHECK(returned(sweep::message(r)).came.detail == std::string(1000, 'x'));
  CHECK(returned(sweep::message(r.detail)).why == std::string(1000, 'x'));
}

TEST_CASE("machine and request come back from their lines") {
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
  const sweep::machine on = returned(sweep::message(m)).on;
  CHECK(on.cudnn == m.cudnn);
  CHECK(on.cudart == m.cudart);
  CHECK(on.driver == m.driver);
  CHECK(on.gpu == "NVIDIA H200");
  CHECK(on.gpu_uuid == "GPU-1");
  CHECK(on.capability == 90);
  CHECK(on.memory_free == 149000000000);
  CHECK(on.memory_total == 150000000000);
  CHECK(on.gpus == 8);

  sweep::message first(kind::request);
  first.asked.library = "/opt/a b/libcudnn.so.9";
  first.asked.operations = {sweep::operation::filter_gradient};
  first.asked.types = {element::bf16, element::fp32};
  first.asked.seed = ~std::uint64_t{0};
  first.asked.devices = {3};
  first.asked.worker_bytes = 77;
  first.asked.errata = "{\n  \"rules\": []\n}\n";
  const sweep::request asked = returned(first).asked;
  CHECK(asked.library == first.asked.library);
  CHECK(asked.operations == first.asked.operations);
  CHECK(asked.types == first.asked.types);
  CHECK(asked.seed == first.asked.seed);
  CHECK(asked.devices == first.asked.devices);
  CHECK(asked.seconds == 60);
  CHECK(asked.plan_seconds == 10);
  CHECK(asked.worker_bytes == 77);
  CHECK(asked.errata == first.asked.errata);
}

TEST_CASE("what a line is stands at its beginning") {
  for (const sweep::message& said : one_of_each()) {
    const sweep::message back = returned(said);
    CHECK(back.problem == said.problem);
    CHECK(back.number == said.number);
    CHECK(back.why == said.why);
    CHECK(back.on.gpus == said.on.gpus);
    CHECK(same(back.came.with, said.came.with));
    CHECK(back.left.unsupported == said.left.unsupported);
    CHECK(back.left.too_large == said.left.too_large);
    CHECK(back.left.skipped == said.left.skipped);
    CHECK(back.left.blocked == said.left.blocked);
  }
}

TEST_CASE("a line that is cut anywhere, or has a byte too many, is rejected") {
  sweep::message said;
  for (const sweep::message& whole : one_of_each()) {
    const std::string line = sweep::to_line(whole);
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
