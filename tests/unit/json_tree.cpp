// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <limits>

#include "core/json/json.h"
#include "core/json/json_tree_writer.h"
#include "core/json/json_writer.h"

using namespace cudnn_checked;

static json sample() {
  json list = json::array();
  list.add(json::number(1LL)).add(json::from_text("two")).add(json());
  json tree = json::object();
  tree.add("b", json::boolean(true)).add("a", std::move(list)).add("empty", json::object());
  return tree;
}

TEST_CASE("keys keep their order in both renderings") {
  CHECK(sample().print_compact() == R"({"b":true,"a":[1,"two",null],"empty":{}})");
  CHECK(
      sample().print() ==
      "{\n  \"b\": true,\n  \"a\": [\n    1,\n    \"two\",\n    null\n  ],\n  \"empty\": {}\n}\n");
}

TEST_CASE("strings are escaped, and bytes that are not UTF-8 are replaced") {
  CHECK(json::from_text("a\"b\\c\nd\te").print_compact() == R"("a\"b\\c\nd\u0009e")");
  CHECK(json::from_text("\xC2\xB7").print_compact() == "\"\xC2\xB7\"");
  CHECK(json::from_text("x\xFFy").print_compact() == "\"x\xEF\xBF\xBDy\"");
  CHECK(json::from_text("\xC0\xAF").print_compact() == "\"\xEF\xBF\xBD\xEF\xBF\xBD\"");
  CHECK(json::from_text("\xE2\x82").print_compact() == "\"\xEF\xBF\xBD\xEF\xBF\xBD\"");
}

TEST_CASE("numbers print as the shortest text that reads back the same") {
  CHECK(json::number(0.1).print_compact() == "0.1");
  CHECK(json::number(1.4e-7).print_compact() == "1.4e-07");
  CHECK(json::number(1.0 / 3).print_compact() == "0.3333333333333333");
  CHECK(json::number(std::numeric_limits<double>::infinity()).print_compact() == "null");
  CHECK(json::number(std::numeric_limits<double>::quiet_NaN()).print_compact() == "null");
}

TEST_CASE("what was printed is read back") {
  json tree;
  arena_string error;
  REQUIRE(parse_json(sample().print(), tree, error));
  CHECK(tree.print_compact() == sample().print_compact());
  REQUIRE(parse_json(R"({"s":"\u00b7\ud83d\ude00\/","n":-1.5e3})", tree, error));
  CHECK(tree["s"].text() == "\xC2\xB7\xF0\x9F\x98\x80/");
  CHECK(tree["n"].text() == "-1.5e+03");
  CHECK(tree["absent"].type() == json::kind::null);
}

template <class writer>
static auto written() {
  writer out;
  out.begin(nullptr, '{');
  out.members("name count index", "a\"\n\xFF", std::size_t{3}, -2);
  out.members("release unknown cuda driver", version::of(9, 14, 0), version(),
              as_cuda(version::of(13, 0, 0)), as_driver(version()));
  out.begin("list", '[');
  out.text(nullptr, "one");
  out.begin(nullptr, '{');
  out.boolean("yes", true);
  out.boolean("no", false);
  out.end();
  out.begin(nullptr, '[');
  out.end();
  out.end();
  out.null("nothing");
  out.end();
  return out.take();
}

TEST_CASE("a document that is written as a tree prints as the one that is written as text") {
  const json tree = written<json_tree_writer>();
  CHECK(tree.print() == written<json_writer>());
  CHECK(tree["count"].type() == json::kind::number);
  CHECK(tree["unknown"].type() == json::kind::text);
  CHECK(tree["unknown"].text() == "");
  CHECK(tree["cuda"].text() == "13.0");
  CHECK(tree["list"].elements()[1]["yes"].as_boolean());
}

TEST_CASE("malformed documents are refused with the place") {
  const struct {
    const char* text;
    const char* error;
  } rows[] = {
      {"", "a value is missing at byte 0"},
      {"{", "a key is missing at byte 1"},
      {"{\"a\" 1}", "':' is missing at byte 5"},
      {"{\"a\":1", "'}' is missing at byte 6"},
      {"[1 2]", "']' is missing at byte 3"},
      {"[1,]", "not a JSON value at byte 3"},
      {"01", "not a JSON value at byte 2"},
      {"1.", "a digit is missing at byte 2"},
      {"1e", "a digit is missing at byte 2"},
      {"tru", "not a JSON value at byte 0"},
      {"\"abc", "the string does not end at byte 4"},
      {"\"\\", "the string does not end at byte 2"},
      {"\"\\x\"", "an unknown escape at byte 3"},
      {"\"\\u12\"", "four hexadecimal digits are missing at byte 3"},
      {"\"\\ud800\"", "half of a surrogate pair at byte 7"},
      {"\"\n\"", "a control character in a string at byte 2"},
      {"{} {}", "something follows the document at byte 3"},
  };
  for (const auto& row : rows) {
    CAPTURE(row.text);
    json tree;
    arena_string error;
    CHECK_FALSE(parse_json(row.text, tree, error));
    CHECK(error == row.error);
  }
}

TEST_CASE("a document nested without end is refused") {
  json tree;
  arena_string error;
  CHECK_FALSE(parse_json(std::string(100000, '['), tree, error));
  CHECK(error == "too deep at byte 33");
}
