// SPDX-License-Identifier: BSD-3-Clause
//
// Properties of versions and architectures over all values that occur, against formulations of the
// same documents that share nothing with the code under test.
#include <doctest/doctest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/judge/rules/coverage.h"
#include "core/model/architecture.h"
#include "core/model/version.h"

using namespace cudnn_checked;

namespace {

const std::vector<std::string> capabilities = {"70",  "72",  "75",  "80",  "86",  "87",
                                               "88",  "89",  "90",  "100", "101", "103",
                                               "107", "110", "120", "121", "130"};

using strings = std::set<std::string>;

// CUDA C++ Programming Guide, "Binary Compatibility": the GPUs that run a cubin, written out one by
// one.  Desktop chips within a major version, upwards; each embedded chip (72, 87, 101, 110) alone.
const std::map<std::string, strings> runs_cubin = {
    {"70", {"70", "75"}},    {"72", {"72"}},
    {"75", {"75"}},          {"80", {"80", "86", "89"}},
    {"86", {"86", "89"}},    {"87", {"87"}},
    {"88", {"88"}},          {"89", {"89"}},
    {"90", {"90"}},          {"100", {"100", "103", "107"}},
    {"101", {"101"}},        {"103", {"103", "107"}},
    {"107", {"107"}},        {"110", {"110"}},
    {"120", {"120", "121"}}, {"121", {"121"}},
    {"130", {"130"}},
};

// The same, "Feature Set Compiler Targets": the families.
const std::map<std::string, strings> families = {
    {"100", {"100", "103", "107"}},
    {"101", {"101"}},
    {"103", {"103", "107"}},
    {"107", {"107"}},
    {"110", {"110"}},
    {"120", {"120", "121"}},
    {"121", {"121"}},
};

/// All spellings of targets: 90a since 9.0, 100f since 10.0.
std::vector<std::string> targets() {
  std::vector<std::string> result;
  for (const std::string& base : capabilities) {
    result.push_back(base);
    if (base.size() == 3 || base == "90") result.push_back(base + "a");
    if (families.count(base) != 0) result.push_back(base + "f");
  }
  return result;
}

bool expect_cubin(const std::string& target, const std::string& device) {
  const std::string base = target.substr(0, target.find_first_of("af"));
  if (target.back() == 'a') return base == device;
  if (target.back() == 'f') return families.at(base).count(device) != 0;
  return runs_cubin.at(base).count(device) != 0;
}

bool expect_ptx(const std::string& target, const std::string& device) {
  if (target.back() == 'a' || target.back() == 'f') return expect_cubin(target, device);
  return std::stoi(target) <= std::stoi(device);
}

/// Pairs of which no document says whether they fit.
bool is_doubtful_pair(const std::string& target, const std::string& device) {
  static const std::set<std::pair<std::string, std::string>> pairs = {
      {"101", "110"}, {"110", "101"}, {"80", "88"}, {"86", "88"}, {"88", "89"}};
  return pairs.count({target.substr(0, target.find_first_of("af")), device}) != 0;
}

coverage covered(const std::string& target, const std::string& device, device_code::kind form) {
  return coverage_of(code_container{{{form, parse_architecture(target)}}},
                     parse_architecture(device));
}

constexpr device_code::kind cubin = device_code::kind::cubin;
constexpr device_code::kind ptx = device_code::kind::ptx;

}  // namespace

TEST_CASE("every pair of architectures, cubin and PTX, against sets written out") {
  int pairs = 0;
  for (const std::string& target : targets()) {
    for (const std::string& device : capabilities) {
      CAPTURE(target);
      CAPTURE(device);
      const architecture t = parse_architecture(target);
      const architecture d = parse_architecture(device);
      REQUIRE(t.known());
      CHECK(cubin_runs_on(t, d) == expect_cubin(target, device));
      CHECK(ptx_runs_on(t, d) == expect_ptx(target, device));
      const bool doubtful = is_doubtful_pair(target, device);
      const coverage none = doubtful ? coverage::unknown : coverage::none;
      CHECK(covered(target, device, cubin) ==
            (expect_cubin(target, device) ? coverage::cubin : none));
      CHECK(covered(target, device, ptx) ==
            (expect_ptx(target, device) ? coverage::ptx_only : none));
      ++pairs;
    }
  }
  CHECK(pairs == 33 * 17);
}

TEST_CASE("laws of architectures") {
  for (const std::string& target : targets()) {
    const architecture t = parse_architecture(target);
    CAPTURE(target);
    CHECK(to_string(t) == target);
    CHECK(parse_architecture(to_sm_string(t)) == t);
    CHECK(parse_architecture("compute_" + target) == t);
    // What is compiled for a GPU runs on it.
    const architecture own{t.major, t.minor, '\0'};
    CHECK(cubin_runs_on(t, own));
    CHECK(ptx_runs_on(t, own));
    bool before = false;
    for (const std::string& device : capabilities) {
      const architecture d = parse_architecture(device);
      CAPTURE(device);
      // A cubin never runs outside its major version, nor on an older GPU.
      if (cubin_runs_on(t, d)) CHECK(t.major == d.major);
      if (cubin_runs_on(t, d)) CHECK(t.minor <= d.minor);
      // Where machine code runs, PTX of the same target compiles.
      if (cubin_runs_on(t, d)) CHECK(ptx_runs_on(t, d));
      // 'a' is exact.
      if (t.suffix == 'a') CHECK(ptx_runs_on(t, d) == (d == own));
      // PTX without a suffix goes on working for every newer GPU.
      if (t.suffix == '\0' && before) CHECK(ptx_runs_on(t, d));
      before = before || ptx_runs_on(t, d);
    }
  }
}

TEST_CASE("a suffix restricts, and never adds a GPU") {
  for (const std::string& base : capabilities) {
    for (const std::string& device : capabilities) {
      const architecture d = parse_architecture(device);
      const architecture plain = parse_architecture(base);
      for (const char* suffix : {"a", "f"}) {
        const architecture special = parse_architecture(base + suffix);
        CAPTURE(base + suffix);
        CAPTURE(device);
        if (cubin_runs_on(special, d)) CHECK(cubin_runs_on(plain, d));
        if (ptx_runs_on(special, d)) CHECK(ptx_runs_on(plain, d));
      }
      if (cubin_runs_on(parse_architecture(base + "a"), d)) {
        CHECK(cubin_runs_on(parse_architecture(base + "f"), d));
      }
    }
  }
}

TEST_CASE("more code never serves a GPU worse") {
  for (const std::string& device : capabilities) {
    const architecture d = parse_architecture(device);
    for (const std::string& one : targets()) {
      for (const std::string& two : targets()) {
        const device_code a{cubin, parse_architecture(one)};
        const device_code b{ptx, parse_architecture(two)};
        const coverage both = coverage_of(code_container{{a, b}}, d);
        REQUIRE(both == coverage_of(code_container{{b, a}}, d));
        REQUIRE(both ==
                std::max(coverage_of(code_container{{a}}, d), coverage_of(code_container{{b}}, d)));
      }
    }
  }
}

TEST_CASE("cuDNN's numbers come back from their release, and grow with it") {
  unsigned long long previous = 0;
  for (int major = 5; major <= 20; ++major) {
    for (int minor = 0; minor <= (major < 9 ? 9 : 99); ++minor) {
      for (int patch = 0; patch <= 99; ++patch) {
        const auto number = static_cast<unsigned long long>(
            (major < 9 ? major * 1000 : major * 10000) + minor * 100 + patch);
        const version v = decode_cudnn_version(number);
        REQUIRE(v == version::of(major, minor, patch));
        REQUIRE(previous < number);
        REQUIRE(parse_version(to_string(v)) == v);
        REQUIRE(decode_cudnn_version(previous) < v);
        previous = number;
      }
    }
  }
  CHECK(parse_version("10.0.0") == version{10, 0, 0});
  CHECK(parse_version("10") == version{10, 0, 0});
}

TEST_CASE("CUDA's and the driver's numbers come back from their release") {
  for (int major = 7; major <= 20; ++major) {
    for (int minor = 0; minor <= 9; ++minor) {
      const version v = version::of(major, minor, 0);
      REQUIRE(decode_cuda_version(static_cast<unsigned>(major * 1000 + minor * 10)) == v);
      REQUIRE(parse_version(to_cuda_string(v)) == v);
    }
  }
  for (int major = 300; major <= 700; major += 5) {
    for (int minor = 0; minor <= 300; minor += 3) {
      for (int patch = 0; patch <= 99; patch += 9) {
        const version v = version::of(major, minor, patch);
        REQUIRE(parse_version(to_driver_string(v)) == v);
      }
    }
  }
}

TEST_CASE("versions are in one order") {
  std::vector<version> all;
  for (const int major : {8, 9, 10}) {
    for (const int minor : {0, 1, 9, 10, 19}) {
      for (const int patch : {0, 1, 10}) all.push_back(version::of(major, minor, patch));
    }
  }
  for (std::size_t a = 0; a < all.size(); ++a) {
    for (std::size_t b = 0; b < all.size(); ++b) {
      REQUIRE((all[a] < all[b]) == (a < b));
      REQUIRE((all[a] == all[b]) == (a == b));
      REQUIRE((all[a] != all[b]) == (a != b));
    }
  }
}
