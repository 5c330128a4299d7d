// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include "core/judge/rules/coverage.h"
#include "core/model/architecture.h"

using namespace cudnn_checked;

TEST_CASE("architectures are read in every spelling") {
  CHECK(to_string(parse_architecture("75")) == "75");
  CHECK(to_string(parse_architecture("sm_86")) == "86");
  CHECK(to_string(parse_architecture("compute_90")) == "90");
  CHECK(to_string(parse_architecture("90a")) == "90a");
  CHECK(to_string(parse_architecture("sm_120f")) == "120f");
  CHECK(to_string(parse_architecture("7.5")) == "75");
  CHECK(to_string(parse_architecture("12.1")) == "121");
  for (const char* bad :
       {"", "7", "native", "all", "OFF", "sm_", "75x", "7.5.0", "1234", "7.51", "a"}) {
    CAPTURE(bad);
    CHECK_FALSE(parse_architecture(bad).known());
  }
}

TEST_CASE("an item of CUDA_ARCHITECTURES stands for a cubin, PTX or both") {
  const std::vector<device_code> codes =
      parse_cuda_architectures({"75-real", "86", "90a-virtual", "native"});
  REQUIRE(codes.size() == 4);
  CHECK(to_string(codes[0]) == "sm_75");
  CHECK(to_string(codes[1]) == "sm_86");
  CHECK(to_string(codes[2]) == "compute_86 (PTX)");
  CHECK(to_string(codes[3]) == "compute_90a (PTX)");
}

TEST_CASE("cubins run within their major version, upwards, on desktop chips") {
  const struct {
    const char* target;
    const char* device;
    bool runs;
  } rows[] = {
      {"75", "75", true},    {"75", "86", false},    {"86", "75", false},   {"80", "86", true},
      {"86", "80", false},   {"86", "89", true},     {"89", "86", false},   {"86", "87", false},
      {"87", "89", false},   {"87", "87", true},     {"90", "90", true},    {"90", "100", false},
      {"90a", "90", true},   {"100a", "103", false}, {"100f", "103", true}, {"103f", "100", false},
      {"120f", "121", true}, {"120", "121", true},   {"70", "72", false},   {"110", "110", true},
  };
  for (const auto& row : rows) {
    CAPTURE(row.target);
    CAPTURE(row.device);
    CHECK(cubin_runs_on(parse_architecture(row.target), parse_architecture(row.device)) ==
          row.runs);
  }
}

TEST_CASE("PTX compiles for every equal or greater capability") {
  const struct {
    const char* target;
    const char* device;
    bool runs;
  } rows[] = {
      {"75", "75", true},  {"75", "90", true},    {"90", "75", false},   {"86", "87", true},
      {"90a", "90", true}, {"90a", "100", false}, {"100f", "103", true}, {"100f", "120", false},
      {"80", "121", true}, {"121", "120", false},
  };
  for (const auto& row : rows) {
    CAPTURE(row.target);
    CAPTURE(row.device);
    CHECK(ptx_runs_on(parse_architecture(row.target), parse_architecture(row.device)) == row.runs);
  }
}

TEST_CASE("the worst container of a program decides") {
  const architecture sm_90 = parse_architecture("90");
  const code_container cubins{parse_cuda_architectures({"75-real", "90-real"})};
  const code_container ptx{parse_cuda_architectures({"75"})};
  const code_container old{parse_cuda_architectures({"75-real"})};
  CHECK(coverage_of({cubins}, sm_90) == coverage::cubin);
  CHECK(coverage_of({cubins, ptx}, sm_90) == coverage::ptx_only);
  CHECK(coverage_of({cubins, ptx, old}, sm_90) == coverage::none);
}
