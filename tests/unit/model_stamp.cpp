// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <vector>

#include "core/model/stamp.h"

using namespace cudnn_checked;

static const char* const whole_stamp =
    R"json({"schema":1,"package":"0.1.0","program":"app","level":"ran",
"cudnn":{"header":"9.14.0","library":"9.14.1","cudart":"13.0"},
"cuda":{"toolkit":"13.0","runtime":"13.1","driver":"13.2"},
"architectures":{"measured":["90"],"compiled":["75-real","86"]},
"components":["cnn"],"sublibraries":["graph","ops"],"operations":["conv3d/bf16","sdpa"],"policy":"exact","gpu":"optional"})json";

TEST_CASE("every field of a stamp is read") {
  stamp s;
  arena_string error;
  REQUIRE(parse_stamp(whole_stamp, s, error));
  CHECK(s.program == "app");
  CHECK(s.package == "0.1.0");
  CHECK(s.proved == level::ran);
  CHECK(to_string(s.cudnn_header) == "9.14.0");
  CHECK(to_string(s.cudnn_library) == "9.14.1");
  CHECK(to_cuda_string(s.cudart) == "13.0");
  CHECK(to_cuda_string(s.toolkit) == "13.0");
  CHECK(to_cuda_string(s.runtime) == "13.1");
  CHECK(to_cuda_string(s.driver) == "13.2");
  REQUIRE(s.measured.size() == 1);
  CHECK(to_string(s.measured[0]) == "90");
  CHECK(s.compiled.size() == 3);
  CHECK(s.components == std::vector<std::string>{"cnn"});
  CHECK(s.sublibraries == std::vector<std::string>{"graph", "ops"});
  CHECK(s.operations == std::vector<std::string>{"conv3d/bf16", "sdpa"});
  CHECK(s.policy == "exact");
  CHECK(s.gpu_optional);
}

TEST_CASE("a stamp of a program that does not say what it computes") {
  stamp s;
  arena_string error;
  REQUIRE(parse_stamp(R"({"schema":1,"guard":"warn","cudnn":{"header":"9.14.0"}})", s, error));
  CHECK(s.guard == "warn");
  REQUIRE(parse_stamp(R"({"schema":1,"cudnn":{"header":"9.14.0"}})", s, error));
  CHECK(s.guard.empty());
  CHECK(s.operations.empty());
}

TEST_CASE("what is no stamp is refused with the reason") {
  stamp s;
  arena_string error;
  CHECK_FALSE(parse_stamp("", s, error));
  CHECK(error == "it is not a JSON object");
  // No part of a stamp that was cut is taken for a stamp.
  const std::string whole = whole_stamp;
  for (std::size_t size = 0; size < whole.size(); ++size) {
    CHECK_FALSE(parse_stamp(whole.substr(0, size), s, error));
  }
  const std::string opening = R"({"schema":1,"cudnn":{"header":"9.14.0"},"x":)";
  const auto with = [&](const std::string& value) { return opening + value + "}"; };
  CHECK(parse_stamp(with(std::string(15, '{') + std::string(15, '}')), s, error));
  CHECK_FALSE(parse_stamp(with(std::string(16, '{') + std::string(16, '}')), s, error));
  CHECK(error == "it is not a JSON object");
  CHECK(parse_stamp(with(std::string(65536 - opening.size() - 1, ' ')), s, error));
  CHECK_FALSE(parse_stamp(with(std::string(65536 - opening.size(), ' ')), s, error));
  CHECK(error == "it is longer than 64 KiB");
  CHECK_FALSE(parse_stamp("{}", s, error));
  CHECK(error == "it names no schema");
  CHECK_FALSE(parse_stamp(R"({"schema":2})", s, error));
  CHECK(error == "a stamp of schema 2, this release reads schema 1");
  CHECK_FALSE(parse_stamp(R"({"schema":1})", s, error));
  CHECK(error == "the stamp names no cuDNN version");
}

TEST_CASE("levels by name") {
  level l = level::none;
  CHECK(parse_level("RAN", l));
  CHECK(l == level::ran);
  CHECK(parse_level("loaded", l));
  CHECK(l == level::loaded);
  CHECK_FALSE(parse_level("none", l));
  CHECK_FALSE(parse_level("AUTO", l));
}
