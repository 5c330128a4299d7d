// SPDX-License-Identifier: BSD-3-Clause
//
// The lines between a worker of the sweep and the process that has started it.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>

#include "sweep/model/line.h"

using namespace cudnn_checked;

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

TEST_CASE("a result comes back from its line as it was, whatever bytes the detail has") {
  const sweep::result r = long_result();
  const std::string line = sweep::result_line(r);
  CHECK(line.find('\n') == std::string::npos);
  sweep::message said;
  REQUIRE(sweep::read_line(line, said));
  REQUIRE(said.what == sweep::message::kind::result);
  const sweep::result& back = said.came;
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
  CHECK(sweep::result_line(back) == line);
  sweep::result nothing;
  nothing.relative_error = std::numeric_limits<double>::quiet_NaN();
  REQUIRE(sweep::read_line(sweep::result_line(nothing), said));
  CHECK(std::isnan(back.relative_error));
  CHECK(back.with.knobs.empty());
  CHECK(back.with.offers.empty());
}

TEST_CASE("a long detail is cut, and the line is read") {
  sweep::result r;
  r.detail = std::string(5000, 'x');
  sweep::message said;
  REQUIRE(sweep::read_line(sweep::result_line(r), said));
  CHECK(said.came.detail == std::string(1000, 'x'));
}

TEST_CASE("machine, request and assignment come back from their lines") {
  sweep::machine m;
  m.cudnn = {9, 19, 0};
  m.cudart = {13, 0, 0};
  m.driver = {13, 1, 0};
  m.gpu = "NVIDIA H200";
  m.gpu_uuid = "GPU-1";
  m.capability = 90;
  m.memory_free = 149000000000;
  m.memory_total = 150000000000;
  sweep::message said;
  REQUIRE(sweep::read_line(sweep::machine_line(m), said));
  REQUIRE(said.what == sweep::message::kind::machine);
  const sweep::machine& m_back = said.on;
  CHECK(sweep::machine_line(m_back) == sweep::machine_line(m));
  CHECK(m_back.gpu == "NVIDIA H200");
  CHECK(m_back.driver == version{13, 1, 0});
  CHECK(m_back.memory_free == 149000000000);

  sweep::request asked;
  asked.library = "/opt/a b/libcudnn.so.9";
  asked.operations = {sweep::operation::filter_gradient};
  asked.types = {element::bf16, element::fp32};
  asked.seed = ~std::uint64_t{0};
  asked.devices = {3};
  asked.worker_bytes = 77;
  asked.errata = "{\n  \"rules\": []\n}\n";
  sweep::request asked_back;
  REQUIRE(sweep::read_line(sweep::to_line(asked), asked_back));
  CHECK(sweep::to_line(asked_back) == sweep::to_line(asked));
  CHECK(asked_back.library == asked.library);
  CHECK(asked_back.operations == asked.operations);
  CHECK(asked_back.types == asked.types);
  CHECK(asked_back.seconds == 60);
  CHECK(asked_back.plan_seconds == 10);
  CHECK(asked_back.worker_bytes == 77);
  CHECK(asked_back.errata == asked.errata);

  sweep::assignment given;
  REQUIRE(sweep::read_line(sweep::to_line(sweep::assignment{12, 34}), given));
  CHECK(given.problem == 12);
  CHECK(given.first_plan == 34);
}

TEST_CASE("what a worker says is recognised by its first word") {
  sweep::message said;
  REQUIRE(sweep::read_line(sweep::begin_line(5, 9, long_result().with), said));
  CHECK(said.what == sweep::message::kind::begin);
  CHECK(said.problem == 5);
  CHECK(said.number == 9);
  CHECK(same(said.with, long_result().with));
  REQUIRE(sweep::read_line(sweep::result_line(long_result()), said));
  CHECK(said.what == sweep::message::kind::result);
  CHECK(said.problem == 17);
  CHECK(said.came.detail == long_result().detail);
  REQUIRE(sweep::read_line(sweep::cannot_line("cuInit: CUDA_ERROR_NO_DEVICE"), said));
  CHECK(said.what == sweep::message::kind::cannot);
  CHECK(said.why == "cuInit: CUDA_ERROR_NO_DEVICE");
  REQUIRE(sweep::read_line(sweep::counts_line(5, 40, 3, 1, 7), said));
  CHECK(said.what == sweep::message::kind::counts);
  CHECK(said.unsupported == 40);
  CHECK(said.blocked == 3);
  CHECK(said.too_large == 1);
  CHECK(said.skipped == 7);
  REQUIRE(sweep::read_line(sweep::built_line(5, 9), said));
  CHECK(said.what == sweep::message::kind::built);
  CHECK(said.problem == 5);
  CHECK(said.number == 9);
  REQUIRE(sweep::read_line(sweep::prepares_line(5), said));
  CHECK(said.what == sweep::message::kind::prepares);
  CHECK(said.problem == 5);
  REQUIRE(sweep::read_line(sweep::end_line(5), said));
  CHECK(said.what == sweep::message::kind::end);
  CHECK(said.problem == 5);
  REQUIRE(sweep::read_line(sweep::machine_line({}), said));
  CHECK(said.what == sweep::message::kind::machine);
}

TEST_CASE("a line that is cut anywhere, or has a byte too many, is rejected") {
  sweep::message said;
  for (const std::string& line :
       {sweep::result_line(long_result()), sweep::begin_line(5, 9, long_result().with),
        sweep::machine_line({}), sweep::cannot_line("why"), sweep::counts_line(5, 40, 3, 1, 7),
        sweep::built_line(12, 34), sweep::prepares_line(1234), sweep::end_line(1234)}) {
    REQUIRE(sweep::read_line(line, said));
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
           "cannot\t\\\t.",
           "cannot\t\\4\t.",
           "cannot\t\\4g\t.",
           "cannot\t\\4A\t.",
           "cannot\t\\41\t.",
           "cannot\t\xc3\xa9\t.",
           "begin\t1\t2\t-2\t\t\t\t1\t1\t.",
           "begin\t1\t2\t3\t2\t\t\t1\t1\t.",
           "begin\t1\t2\t3\t2=\t\t\t1\t1\t.",
           "begin\t1\t2\t3\t2=1,\t\t\t1\t1\t.",
           "begin\t1\t2\t3\t,2=1\t\t\t1\t1\t.",
           "begin\t1\t2\t3\t2=9223372036854775808\t\t\t1\t1\t.",
           "begin\t1\t2\t3\t\tA\t\t1\t1\t.",
           "begin\t1\t2\t3\t\tA=0\t\t1\t1\t.",
           "begin\t1\t2\t3\t\tC=1\t\t1\t1\t.",
           "begin\t1\t2\t3\t\tFALL=1\t\t1\t1\t.",
           "begin\t1\t2\t3\t\t\tfast\t1\t1\t.",
           "begin\t1\t2\t3\t\t\t\t2\t1\t.",
           "Could not load library libcudnn_cnn.so.9",
       }) {
    CAPTURE(line);
    CHECK_FALSE(sweep::read_line(std::string(line), said));
  }
  CHECK(sweep::read_line(std::string("begin\t1\t2\t3\t\tA=1\tfma\t1\t1\t."), said));
  std::string line = sweep::result_line(long_result());
  const std::size_t outcome = line.find("unwritten");
  CHECK_FALSE(sweep::read_line(line.replace(outcome, 9, "unwriting"), said));
  // More knobs than any engine has: the reader's work is bounded.
  std::string many = "begin\t1\t2\t3\t1=1";
  for (int i = 0; i < 1000; ++i) many += ",1=1";
  CHECK_FALSE(sweep::read_line(many + "\t\t\t1\t1\t.", said));
}

TEST_CASE("a request with an unknown word is rejected") {
  sweep::request asked;
  const std::string line = sweep::to_line(asked);
  CHECK(sweep::read_line(line, asked));
  for (const char* word : {"fwd", "fp16"}) {
    std::string changed = line;
    changed.replace(changed.find(word), 3, "FWD");
    CHECK_FALSE(sweep::read_line(changed, asked));
  }
  sweep::assignment given;
  CHECK_FALSE(sweep::read_line("problem\t1\t.", given));
  CHECK_FALSE(sweep::read_line("problem 1 2", given));
}
