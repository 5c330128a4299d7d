// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <vector>

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

TEST_CASE("the worst container of a program decides") {
  const architecture sm_90 = parse_architecture("90");
  const code_container cubins{parse_cuda_architectures({"75-real", "90-real"})};
  const code_container ptx{parse_cuda_architectures({"75"})};
  const code_container old{parse_cuda_architectures({"75-real"})};
  CHECK(coverage_of({cubins}, sm_90) == coverage::cubin);
  CHECK(coverage_of({cubins, ptx}, sm_90) == coverage::ptx_only);
  CHECK(coverage_of({cubins, ptx, old}, sm_90) == coverage::none);
}
