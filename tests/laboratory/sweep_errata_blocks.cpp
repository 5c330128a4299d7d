// SPDX-License-Identifier: BSD-3-Clause
//
// What is an errata file, and which plans its rules block.  test_errata.py asks NVIDIA's
// cudnn-frontend the same.
#include <doctest/doctest.h>

#include <string>

#include "laboratory/sweep/errata/errata.h"

using namespace cudnn_checked;

static std::string with_rule(const std::string& members) {
  return R"({"version": 1, "rules": [{)" + members + "}]}";
}

static std::string why_no_errata(const std::string& text) {
  sweep::errata_file file;
  std::string error;
  return sweep::read_errata(text, file, error) ? "read" : error;
}

static std::string why_no_rule(const std::string& members) {
  return why_no_errata(with_rule(members));
}

// Members of a rule that blocks "ConvFwd_eng7_k2=14_k13=0" of 9.19.0, and those that are added.
static bool rule_blocks(const std::string& members,
                        sweep::errata_reader read_by = sweep::errata_reader::graphs,
                        const version& cudnn = {9, 19, 0}) {
  sweep::errata_file file;
  std::string error;
  REQUIRE_MESSAGE(sweep::read_errata(with_rule(members), file, error), error);
  sweep::problem of;
  of.of.batch = 2;
  of.of.channels = 8;
  of.of.filters = 16;
  of.of.image[0] = 5;
  of.of.image[1] = 7;
  of.of.kernel[0] = 3;
  of.of.kernel[1] = 1;
  sweep::plan with;
  with.engine = 7;
  with.knobs = {{2, 14}, {13, 0}};
  return sweep::blocks(file, cudnn, of, with, read_by);
}

TEST_CASE("a rule blocks an operation's engine, and no other") {
  CHECK(rule_blocks(R"("operation": "ConvFwd", "engine": 7)"));
  CHECK(rule_blocks(R"("operation": "ConvFwd", "engine": 7, "rule_id": 3, "comment": null)"));
  CHECK_FALSE(rule_blocks(R"("operation": "ConvFwd", "engine": 72)"));
  CHECK_FALSE(rule_blocks(R"("operation": "ConvFwd", "engine": -1)"));
  CHECK_FALSE(rule_blocks(R"("operation": "ConvBwdData", "engine": 7)"));
  CHECK_FALSE(rule_blocks(R"("operation": "ConvFwd_Add_Add", "engine": 7)"));
  CHECK_FALSE(rule_blocks(R"("operation": "convfwd", "engine": 7)"));
  CHECK_FALSE(rule_blocks(R"("operation": "", "engine": 7)"));

  sweep::errata_file file;
  std::string error;
  REQUIRE(sweep::read_errata(with_rule(R"("operation": "ConvFwd", "engine": 7)"), file, error));
  sweep::plan with;
  with.engine = 7;
  CHECK(sweep::blocks(file, {9, 19, 0}, {}, with));
  with.engine = 72;
  CHECK_FALSE(sweep::blocks(file, {9, 19, 0}, {}, with));
}

TEST_CASE("a rule names knobs as parts of a plan's tag") {
  const auto knob_blocks = [](const std::string& knob) {
    return rule_blocks(R"("operation": "ConvFwd", "engine": 7, "knob": )" + knob);
  };
  CHECK(knob_blocks("[]"));
  CHECK(knob_blocks("null"));
  CHECK(knob_blocks(R"(["k2=14"])"));
  CHECK(knob_blocks(R"(["k13=0", "k2=14"])"));
  CHECK_FALSE(knob_blocks(R"(["k13=0", "k2=15"])"));
  CHECK_FALSE(knob_blocks(R"(["k3=0"])"));
  // The value 1 is the beginning of 14; only what stands behind it makes it whole.
  CHECK(knob_blocks(R"(["k2=1"])"));
  CHECK_FALSE(knob_blocks(R"(["k2=1_"])"));
  CHECK(knob_blocks(R"(["k2=14_"])"));
  CHECK_FALSE(knob_blocks(R"(["k13=0_"])"));
  CHECK(knob_blocks(R"("k2=14")"));
  CHECK(knob_blocks(R"({"k2": "14", "k13": "0"})"));
  CHECK_FALSE(knob_blocks(R"({"k2": "15"})"));
}

TEST_CASE("a rule holds from one version to before another") {
  const auto holds = [](const std::string& range, const version& cudnn = {9, 19, 0}) {
    return rule_blocks(R"("operation": "ConvFwd", "engine": 7, )" + range,
                       sweep::errata_reader::graphs, cudnn);
  };
  CHECK(holds(R"("cudnn_version_start": 91900)"));
  CHECK_FALSE(holds(R"("cudnn_version_start": 91901)"));
  CHECK(holds(R"("cudnn_version_end": 91901)"));
  CHECK_FALSE(holds(R"("cudnn_version_end": 91900)"));
  CHECK(holds(R"("cudnn_version_start": 91900, "cudnn_version_end": 91901)"));
  CHECK(holds(R"("cudnn_version_start": 8000, "cudnn_version_end": -1)"));
  CHECK_FALSE(holds(R"("cudnn_version_start": -1)"));
  CHECK_FALSE(holds(R"("cudnn_version_end": 0)"));
  CHECK(holds(R"("cudnn_version_start": 8907, "cudnn_version_end": 8908)", {8, 9, 7}));
  CHECK_FALSE(holds(R"("cudnn_version_start": 8907, "cudnn_version_end": 8908)", {9, 0, 0}));
}

// The problem of rule_blocks() is x 2x8x5x7, w 16x8x3x1, one group.
TEST_CASE("shapes are compared as cudnn-frontend compares them") {
  const std::string engine = R"("operation": "ConvFwd", "engine": 7, )";
  const auto input = [&](const std::string& extents, const char* format = "NCHW") {
    return rule_blocks(engine + R"("shape_format": ")" + format + R"(", "input_shape": )" +
                       extents);
  };
  const auto filter = [&](const std::string& extents) {
    return rule_blocks(engine + R"("filter_shape": )" + extents);
  };
  // In the place of the batch is the number of groups.
  CHECK(input("[1, 8, 5, 7]"));
  CHECK_FALSE(input("[2, 8, 5, 7]"));
  CHECK(input("[-1, 8, 5, 7]"));
  CHECK_FALSE(input("[-1, 8, 5, 8]"));
  CHECK_FALSE(input("[-1, 8, 6, 7]"));
  CHECK_FALSE(input("[-1, 9, 5, 7]"));
  // -1 forgets what was compared before it.
  CHECK(input("[2, -1, 5, 7]"));
  CHECK(input("[-1, 9, -1, 7]"));
  CHECK(input("[-1, 9, 6, -1]"));
  CHECK_FALSE(input("[-1, 9, -1, 8]"));
  CHECK(input("[-1, -1, -1, -1]"));
  // Of NHWC the last one is compared with the width, and so on.
  CHECK(input("[1, 8, 5, 7]", "NHWC"));
  CHECK_FALSE(input("[1, 5, 7, 8]", "NHWC"));
  CHECK(input("[1, -1, 5, 6]", "NHWC"));
  CHECK_FALSE(input("[1, -1, 6, 7]", "NHWC"));
  CHECK(input("[1, 8, 5, 7, 9]"));

  CHECK(filter("[16, 8, 3, 1]"));
  CHECK_FALSE(filter("[16, 8, 3, 3]"));
  CHECK_FALSE(filter("[8, 8, 3, 1]"));
  CHECK(rule_blocks(engine + R"("shape_format": "NCHW", "input_shape": [1, 8, 5, 7],
                              "filter_shape": [16, 8, 3, 1])"));
  CHECK_FALSE(rule_blocks(engine + R"("shape_format": "NCHW", "input_shape": [1, 8, 5, 7],
                                    "filter_shape": [16, 8, 1, 1])"));
}

TEST_CASE("who is given the tag alone does not look at shapes") {
  const std::string rule = R"("operation": "ConvFwd", "engine": 7, "shape_format": "NCHW",
                               "input_shape": [9, 9, 9, 9], "filter_shape": [9, 9, 9, 9])";
  CHECK(rule_blocks(rule, sweep::errata_reader::tags));
  CHECK_FALSE(rule_blocks(rule, sweep::errata_reader::graphs));
}

TEST_CASE("groups stand in a tensor's shape, and a volume's last extent does not") {
  sweep::problem of;
  of.of.dimensions = 3;
  of.of.groups = 2;
  of.of.channels = 8;
  of.of.filters = 16;
  for (int i = 0; i < 3; ++i) {
    of.of.image[i] = 5 + i;
    of.of.kernel[i] = 1 + i;
  }
  sweep::plan with;
  with.engine = 7;
  const auto shapes_block = [&](const std::string& shapes) {
    sweep::errata_file file;
    std::string error;
    REQUIRE(sweep::read_errata(
        with_rule(R"("operation": "ConvFwd", "engine": 7, "shape_format": "NCHW", )" + shapes),
        file, error));
    return sweep::blocks(file, {9, 19, 0}, of, with);
  };
  CHECK(shapes_block(R"("input_shape": [2, 4, 5, 6])"));
  CHECK_FALSE(shapes_block(R"("input_shape": [1, 8, 5, 6])"));
  CHECK(shapes_block(R"("filter_shape": [8, 4, 1, 2])"));
  CHECK_FALSE(shapes_block(R"("filter_shape": [16, 4, 1, 2])"));
}

TEST_CASE("each operation has its name") {
  CHECK(std::string(sweep::errata_name(sweep::operation::forward)) == "ConvFwd");
  CHECK(std::string(sweep::errata_name(sweep::operation::data_gradient)) == "ConvBwdData");
  CHECK(std::string(sweep::errata_name(sweep::operation::filter_gradient)) == "ConvBwdFilter");
}

TEST_CASE("what is no errata file is refused with the reason") {
  CHECK(why_no_errata(R"({"version": 1, "rules": []})") == "read");
  CHECK(why_no_errata(R"({"rules": [], "comment": {"rules": 3}})") == "read");
  CHECK(why_no_errata("") == "it is empty");
  CHECK(why_no_errata("rules:\n") == "not a JSON value at byte 0");
  CHECK(why_no_errata(R"({"rules": [)") == "a value is missing at byte 11");
  CHECK(why_no_errata(R"({"rules": []} {})") == "something follows the document at byte 14");
  CHECK(why_no_errata("[]") == "it has no array \"rules\"");
  CHECK(why_no_errata("{}") == "it has no array \"rules\"");
  CHECK(why_no_errata(R"({"rules": {}})") == "it has no array \"rules\"");
  CHECK(why_no_errata(R"({"version": 2, "rules": []})") == "its \"version\" is not 1");
  CHECK(why_no_errata(R"({"version": "1", "rules": []})") == "its \"version\" is not 1");
  CHECK(why_no_errata(R"({"rules": [], "rules": []})") == "it has the key \"rules\" twice");
  CHECK(why_no_errata(R"({"rule\u0073": []})") == "the name \"rules\" is written with escapes");
  CHECK(why_no_errata(R"({"schema": 1, "findings": []})") == "it has no array \"rules\"");
  CHECK(why_no_errata(R"({"rules": [3]})") == "rule 1 is not an object");
}

TEST_CASE("a rule that ends a program with an exception is refused, with its number and key") {
  const std::string engine = R"("operation": "ConvFwd", "engine": 7, )";
  CHECK(why_no_rule(R"("engine": 7)") == "rule 1 has no \"operation\"");
  CHECK(why_no_rule(R"("operation": "ConvFwd")") == "rule 1 has no \"engine\"");
  CHECK(why_no_rule(R"("operation": 1, "engine": 7)") == "rule 1: \"operation\" is not a string");
  for (const char* value : {"\"7\"", "true", "null", "7.5", "[7]", "1e300"}) {
    CAPTURE(value);
    CHECK(why_no_rule(std::string(R"("operation": "ConvFwd", "engine": )") + value) ==
          "rule 1: \"engine\" is not a whole number");
  }
  CHECK(why_no_rule(engine + R"("cudnn_version_start": "9.19")") ==
        "rule 1: \"cudnn_version_start\" is not a whole number");
  CHECK(why_no_rule(engine + R"("cudnn_version_end": null)") ==
        "rule 1: \"cudnn_version_end\" is not a whole number");
  CHECK(why_no_rule(engine + R"("knob": 2)") == "rule 1: \"knob\" is not an array of strings");
  CHECK(why_no_rule(engine + R"("knob": ["k2=1", 3])") ==
        "rule 1: \"knob\" is not an array of strings");
  CHECK(why_no_rule(engine + R"("input_shape": [1, 8, 5, 7])") == "rule 1 has no \"shape_format\"");
  CHECK(why_no_rule(engine + R"("shape_format": 1, "input_shape": [1, 8, 5, 7])") ==
        "rule 1: \"shape_format\" is not a string");
  for (const char* value : {"8", "[]", "[1, 8, 5]", "[1, 8, 5, \"7\"]", "{}", "null"}) {
    CAPTURE(value);
    CHECK(why_no_rule(engine + R"("filter_shape": )" + value) ==
          "rule 1: \"filter_shape\" is not an array of four whole numbers");
  }
  CHECK(why_no_rule(engine + R"("engine": 8)") == "rule 1 has the key \"engine\" twice");
  CHECK(why_no_errata(R"({"rules": [{"operation": "ConvFwd", "engine": 7}, {"engine": 7}]})") ==
        "rule 2 has no \"operation\"");
}
