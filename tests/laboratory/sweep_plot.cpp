// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <cmath>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "laboratory/sweep/plot/plot.h"
#include "sweep_record.h"

namespace plotted {

using namespace cudnn_checked::sweep;
using test::add_problem;
using test::add_result;

static std::string plot(const record& of) { return plot_of(side{&of, "a.json", "0.1.0"}); }

static std::string plot(const record& then, const record& now) {
  return plot_of(compare({&then, "a.json", "0.1.0"}, {&now, "b.json", "0.1.0"}));
}

static std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++found;
  }
  return found;
}

static bool has(const std::string& text, const std::string& part) { return count(text, part) > 0; }

/// Tags that are opened and closed in their order, and nothing from outside the file.
static void check_alone(const std::string& svg) {
  std::vector<std::string> open;
  for (std::size_t at = svg.find('<'); at != std::string::npos; at = svg.find('<', at + 1)) {
    const std::size_t end = svg.find('>', at);
    REQUIRE(end != std::string::npos);
    const std::string tag = svg.substr(at + 1, end - at - 1);
    if (tag.back() == '/') continue;
    const std::string name = tag.substr(0, tag.find(' '));
    if (tag[0] != '/') {
      open.push_back(name);
      continue;
    }
    REQUIRE_FALSE(open.empty());
    CHECK(open.back() == tag.substr(1));
    open.pop_back();
  }
  CHECK(open.empty());
  for (const char* outside : {"<script", "href", "url(", "@import", "<image", "https:"}) {
    CHECK_FALSE(has(svg, outside));
  }
  CHECK(count(svg, "http:") == 1);
}

/// Every outcome, in two operations.
static record every_outcome() {
  record of = test::h200_record();
  add_problem(of, "fwd fp16 nchw 1x4x5x1 * 16x4x3x3, padding 1, stride 2");
  add_result(of, 7, outcome::right, {"A1"}).microseconds = 8;
  add_result(of, 42, outcome::right).microseconds = 6;
  add_result(of, 71, outcome::died, {"F3"}).detail = "misaligned address";
  add_result(of, 72, outcome::wrong, {}, {{2, 14}}).relative_error = 1.4;
  add_problem(of, "fwd fp16 nchw 1x32x16x16 * 32x32x3x3, padding 1");
  add_result(of, 7, outcome::right, {"A1"}).microseconds = 60;
  add_result(of, 42, outcome::right).microseconds = 20;
  add_result(of, 43, outcome::right).microseconds = 120;
  add_result(of, 72, outcome::unwritten).unwritten = 7;
  add_problem(of, "fwd fp16 nchw 1x32x16x16 * 32x8x3x3, groups 4");
  add_result(of, 7, outcome::right, {"A1"}).microseconds = 0;
  add_result(of, 42, outcome::changing);
  add_problem(of, "dgrad fp32 nhwc 2x4x7x7x7 * 16x4x3x3x3");
  add_result(of, 1, outcome::right, {"A1", "B1"}).microseconds = 30;
  add_result(of, 60, outcome::outside).detail = "64 bytes behind the output";
  add_result(of, 61, outcome::failed).detail = "cudnnBackendExecute: CUDNN_STATUS_EXECUTION_FAILED";
  add_result(of, 62, outcome::hung);
  return of;
}

static void check_svg(const std::string& name, const std::string& svg) {
  std::ifstream file(CUDNN_CHECKED_SOURCE_DIR "/tests/laboratory/" + name);
  std::ostringstream expected;
  expected << file.rdbuf();
  CHECK(svg == expected.str());
}

static std::string style_of(const std::string& svg) {
  const std::size_t begin = svg.find("<style>\n");
  return svg.substr(begin, svg.find("</style>\n") - begin);
}

TEST_CASE("a picture of a sweep, whole") {
  const std::string svg = plot(every_outcome());
  check_alone(svg);
  check_svg("sweep_plot.svg", svg);
  CHECK(has(svg,
            "<title>engine 72, fwd fp16 nchw 1x4x5x1 * 16x4x3x3, padding 1, stride 2: wrong, "
            "relative error 1.4 (eng72_k2=14, offered by no heuristic)</title>"));
}

TEST_CASE("a picture of what changed, whole") {
  const record then = every_outcome();
  record now = then;
  now.on.cudnn = {9, 20, 0};
  now.results[0].microseconds = 80;
  now.results[3].what = outcome::right;
  now.results[5].what = outcome::wrong;
  now.results[5].microseconds = 2;
  now.results[6].microseconds = 12;
  now.results.pop_back();
  const std::string svg = plot(then, now);
  check_alone(svg);
  const std::string style = style_of(svg);
  CHECK(style == style_of(plot(then)));  // which stands in sweep_plot.svg
  check_svg("sweep_plot_change.svg", std::string(svg).erase(svg.find(style), style.size()));
}

TEST_CASE("a picture without defects, without problems, of one engine") {
  record of = test::h200_record();
  of.why_not = "no GPU <is> here";
  const std::string nothing = plot(of);
  check_alone(nothing);
  CHECK(has(nothing, "no GPU &lt;is&gt; here"));
  CHECK(has(plot(of, of), "the two sweeps have no problem in common"));
  of.why_not.clear();
  CHECK(has(plot(of), "no problem was computed"));
  add_problem(of, "wgrad bf16 nhwc 2x16x9x9 * 16x16x3x3");
  check_alone(plot(of));  // that no engine supports
  check_alone(plot(of, of));
  add_result(of, 3, outcome::right);
  const std::string one = plot(of);
  check_alone(one);
  CHECK(has(one, "no defect found"));
  CHECK(count(one, "class=\"row\"") == 1);
  CHECK(count(one, "class=\"bad\"") == 0);
}

TEST_CASE("words of a picture that the whole ones lack") {
  record of = every_outcome();
  of.on.gpu.clear();
  of.results[3].relative_error = INFINITY;
  of.results[4].microseconds = 40;  // engine 42 takes 20
  const std::string svg = plot(of);
  CHECK(has(svg, ">cuDNN's engines: cuDNN 9.19.0 on an unknown GPU (sm_90)</title>"));
  CHECK(has(svg, "padding 1, stride 2: wrong, not finite (eng72_k2=14, offered by no heuristic)<"));
  CHECK(has(svg, ">up to 2.5 times</text>"));
  record now = of;
  add_result(now, 44, outcome::right);
  CHECK(has(plot(of, now), ">newly supported</text>"));
}

TEST_CASE("names in a picture are text") {
  record of = every_outcome();
  of.on.gpu = "<script>alert(\"1\")</script>&\x01\xff\xef\xbf\xbf\x1b[0m";
  of.results[2].detail = "]]><svg onload='x'>";
  const std::string svg = plot(of);
  CHECK(has(svg, "&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;????[0m (sm_90)</title>"));
  CHECK(has(svg, "died: ]]&gt;&lt;svg onload='x'&gt;"));
  check_alone(svg);
}

/// Each engine is right, wrong or not there by chance: nothing can be merged.
static record random_record(int engines, int problems, unsigned defects) {
  std::mt19937 numbers(1);
  record of = test::h200_record();
  for (int i = 1; i <= problems; ++i) {
    add_problem(of, std::string(i % 2 == 0 ? "fwd" : "dgrad") + " fp16 nchw " + std::to_string(i) +
                        "x32x16x16 * 32x32x3x3");
    for (int engine = 0; engine < engines; ++engine) {
      if (numbers() % 3 == 0) continue;
      result& r = add_result(of, engine, outcome::right);
      r.microseconds = 10 + static_cast<double>(numbers() % 90);
      if (numbers() % 1000 < defects) r.what = outcome::wrong;
    }
  }
  return of;
}

TEST_CASE("a large picture stays below a size") {
  const record usual = random_record(90, 1000, 1);
  const std::string svg = plot(usual);
  check_alone(svg);
  CHECK(svg.size() < 1100000);
  CHECK(has(svg,
            "<title>engine 89, fwd fp16 nchw: at 331 of 500 columns, among the fastest at 14"
            "</title>"));
  std::size_t defects = 0;
  for (const result& r : usual.results) defects += r.what == outcome::wrong ? 1 : 0;
  CHECK(count(svg, "<path class=\"s\"") == defects + 1);  // the legend has one
  CHECK(count(svg, "class=\"row\"") + count(svg, "class=\"bad\"") == 180);
  // Above the rows each problem has its name.
  CHECK(count(svg, "32x32x3x3: fastest engine") == 1000);
  CHECK(plot(usual, usual).size() < 1100000);
  const std::string broken = plot(random_record(90, 250, 500));
  CHECK(broken.size() < 600000);
  const std::string large = plot(random_record(5, 8000, 20));
  CHECK(large.size() < 1500000);
  CHECK(has(large, " and 5 like it</title>"));
  CHECK(has(broken, " more up to the right end of the line</title>"));
}

}  // namespace plotted
