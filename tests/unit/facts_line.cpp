// SPDX-License-Identifier: BSD-3-Clause
//
// Lines of facts: what is written is read back, and no value begins a line or a fact of its own.
#include "facts/line.h"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "facts/words.h"

using namespace cudnn_checked;
using facts::line_writer;
using facts::told_line;

static told_line read_back(const line_writer& line) {
  const std::string text = line.whole();
  CHECK(text.back() == '\n');
  return told_line(std::string_view(text).substr(0, text.size() - 1));
}

TEST_CASE("line: a fact is its name and its values") {
  const line_writer line =
      line_writer("gpu").add_whole("index", -3).add("name", "NVIDIA H200").add_real("part", 0.1);
  CHECK(line.whole() == "gpu\tindex=-3\tname=NVIDIA H200\tpart=0x1.999999999999ap-4\n");
  const told_line told = read_back(line);
  CHECK(told.name() == "gpu");
  CHECK(told.whole("index") == -3);
  CHECK(told["name"] == "NVIDIA H200");
  CHECK(told.real("part") == 0.1);
  CHECK(told["uuid"].empty());
  CHECK(told.whole("uuid") == 0);
}

TEST_CASE("line: no value begins a line or another value") {
  const std::string text = "a\tb=c\nend\r%0a%\x7f\x01 \xc2\xb7 d=e";
  const line_writer line = line_writer("step").add("what", text);
  CHECK(line.whole() == "step\twhat=a%09b=c%0aend%0d%250a%25%7f%01 \xc2\xb7 d=e\n");
  CHECK(read_back(line)["what"] == text);
}

TEST_CASE("line: numbers that are not finite are read back as such") {
  const told_line told =
      read_back(line_writer("run").add_real("a", INFINITY).add_real("b", NAN).add_real("c", -0.0));
  CHECK(std::isinf(told.real("a")));
  CHECK(std::isnan(told.real("b")));
  CHECK(std::signbit(told.real("c")));
}

TEST_CASE("line: one is never longer than what is written in one piece") {
  const std::string whole = line_writer("step").add("what", std::string(10000, 'x')).whole();
  CHECK(whole.size() + 1 == facts::longest_line);  // with the line feed before it
  CHECK(whole.back() == '\n');
}

TEST_CASE("line: what is no line of a probe is a name that nobody knows") {
  CHECK(told_line("").name().empty());
  CHECK(told_line("words of a library").name() == "words of a library");
  CHECK(told_line("run\t\tnothing\t=x\ta=%zz%4")["a"] == "%zz%4");
}

TEST_CASE("words: each is read by its name alone") {
  for (const fused_operation one : fused_operations) {
    fused_operation parsed = fused_operation::none;
    CHECK(parse_word(to_string(one), parsed));
    CHECK(parsed == one);
  }
  convolution_math math = convolution_math::fft;
  CHECK(parse_word("winograd-tf32", math));
  CHECK(math == convolution_math::winograd_tf32);
  CHECK_FALSE(parse_word("winograd-", math));
  CHECK(math == convolution_math::winograd_tf32);
  CHECK(std::string(convolution_kinds[3].name) == std::string(to_string(convolution_kinds[3].api)) +
                                                      "/" + to_string(convolution_kinds[3].number) +
                                                      "/" + to_string(convolution_kinds[3].order));
}
