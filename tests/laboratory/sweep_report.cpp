// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

#include "core/json/json.h"
#include "laboratory/sweep/judge/judge.h"
#include "laboratory/sweep/model/line.h"
#include "laboratory/sweep/report/report.h"
#include "laboratory/sweep/reproduce/reproduce.h"
#include "sweep_record.h"

namespace reported {

using cudnn_checked::json;
using namespace cudnn_checked::sweep;
using test::add_problem;
using test::add_result;

/// Of each severity one engine, and one that is right.
static record every_severity() {
  record of = test::h200_record();
  of.unsupported = 210;
  of.too_large = 3;
  of.skipped = 40;
  of.blocked = 2;
  add_problem(of, "fwd fp16 nchw 1x32x16x16 * 32x32x3x3, padding 1");
  add_result(of, 4, outcome::right, {"A2", "B1"}).microseconds = 6;
  add_result(of, 7, outcome::wrong, {"A1"}, {{2, 14}, {13, 0}}).microseconds = 12;
  add_problem(of, "fwd fp16 nchw 1x4x5x1 * 16x4x3x3, padding 1, stride 2");
  add_result(of, 4, outcome::right, {"A1"}).microseconds = 24.56789;
  add_result(of, 72, outcome::wrong).relative_error = INFINITY;
  add_problem(of, "dgrad bf16 nchw 2x4x7x7 * 16x4x3x3");
  add_result(of, 1, outcome::right, {"A1"}).microseconds = 30;
  result& died = add_result(of, 78, outcome::died, {"F3"});
  died.detail = "misaligned address";
  died.alignment = 16;
  died.workspace = 4096;
  add_result(of, 78, outcome::unwritten, {}, {{2, 1}}).unwritten = 7;
  add_result(of, 4, outcome::inexact, {"A2"}).relative_error = 2e-3;
  of.results[6].right_with = cudnn_checked::sweep::remedy::zero_workspace;
  add_problem(of, "wgrad fp32 nhwc 2x4x7x7x7 * 16x4x3x3x3");
  add_result(of, 70, outcome::wrong, {"B1"});
  of.unfinished = {3};
  return of;
}

static std::string text_of_record(const record& of) {
  return report_text(of, judge_record(of, {"/opt/cudnn/lib", "", "sweep.json"}));
}

static std::string json_of_record(const record& of) {
  return report_json(of, judge_record(of, {"/opt/cudnn/lib", "", "sweep.json"}));
}

TEST_CASE("the text of a sweep without a defect") {
  record of = test::h200_record();
  add_problem(of, "fwd fp16 nchw 1x32x16x16 * 32x32x3x3, padding 1");
  add_result(of, 4, outcome::right).microseconds = 0;
  CHECK(text_of_record(of) ==
        "cuDNN 9.19.0 \xC2\xB7 CUDA 13.0 \xC2\xB7 NVIDIA H200 (sm_90)\n"
        "  library:    /opt/cudnn/lib/libcudnn.so.9\n"
        "  problems:   1 of fwd, dgrad, wgrad in fp32, fp16, bf16, seed 1\n"
        "  plans:      1 in 60 s, 0 a second: 1 right\n"
        "  not run:    0 not supported\n"
        "\n"
        "cudnn-checked: ok: 1 plan, none failed\n");
}

TEST_CASE("the text of a sweep that computed nothing") {
  record of = test::h200_record();
  of.why_not = "there is no NVIDIA driver\n[forged]";
  CHECK(text_of_record(of) ==
        "cudnn-checked: unknown: nothing was computed: there is no NVIDIA driver\\x0a[forged]\n");
  of.why_not.clear();
  CHECK(text_of_record(of) == "cudnn-checked: unknown: nothing was computed\n");
  of.unsupported = 40;
  of.too_large = 8;
  CHECK(
      text_of_record(of) ==
      "cudnn-checked: unknown: nothing was computed: 40 not supported, 8 that need more memory\n");
}

TEST_CASE("an interrupted sweep says so, and no text of a machine begins a line") {
  record of = every_severity();
  of.interrupted = true;
  of.asked.library = "/opt/a\nb";
  of.on.gpu = "GPU\n\x1b[2J";
  of.ended_early = "all processes\nended";
  const std::string text = text_of_record(of);
  CHECK(text.find("  interrupted:   what was known by then is reported\n"
                  "  ended early:   all processes\\x0aended\n") != std::string::npos);
  CHECK(text.find("  library:       /opt/a\\x0ab\n") != std::string::npos);
  CHECK(text.find("GPU\\x0a\\x1b[2J (sm_90)\n") != std::string::npos);
}

/// A file of tests/laboratory, which CUDNN_CHECKED_WRITE_EXPECTED=1 writes.
static void check_file(const std::string& name, const std::string& text) {
  const std::string path = std::string(CUDNN_CHECKED_SOURCE_DIR) + "/tests/laboratory/" + name;
  if (std::getenv("CUDNN_CHECKED_WRITE_EXPECTED") != nullptr) std::ofstream(path) << text;
  std::stringstream expected;
  expected << std::ifstream(path).rdbuf();
  CHECK(text == expected.str());
}

TEST_CASE("a sweep in which asking for plans ends the process") {
  record of = test::h200_record();
  of.why_not = "each process ended";
  add_problem(of, "fwd fp16 nchw 1x32x16x16 * 32x32x3x3, padding 1");
  add_result(of, -1, outcome::died).detail = "SIGSEGV";
  check_file("sweep_report_died.txt", text_of_record(of));
}

TEST_CASE("the text of a sweep, whole") {
  check_file("sweep_report.txt", text_of_record(every_severity()));
}

TEST_CASE("the JSON of a sweep, whole but for two messages that sweep_report.txt has") {
  const record of = every_severity();
  auto judged = judge_record(of, {"/opt/cudnn/lib", "", "sweep.json"});
  REQUIRE(judged.findings.size() == 4);
  judged.findings = {judged.findings[0], judged.findings[3]};
  std::string text = report_json(of, judged);
  const std::string key = "\"package\": \"";
  const auto release = text.find(key) + key.size();
  text.replace(release, text.find('"', release) - release, "0.1.0");
  check_file("sweep_report.json", text);
}

static bool read_back(const std::string& text, record& result, std::string& error) {
  json tree;
  cudnn_checked::arena_string why;
  if (!parse_json(text, tree, why)) {
    error = why.c_str();
    return false;
  }
  std::string package;
  return read_record(tree, result, package, error);
}

static std::string program_of_row(const record& of, std::size_t number) {
  return reproducing_program(of, judge_record(of, {}).rows[number]);
}

/// The comment on top of a program and the constants between these texts, as a file that is
/// compiled with the rest of it.
static void check_failure(const std::string& name, const std::string& program,
                          const std::string& first) {
  const std::size_t begin = program.find(first);
  const std::size_t end = program.find("\n[[noreturn]]");
  REQUIRE(end > begin);
  check_file(name, "// SPDX-License-Identifier: BSD-3-Clause\n//\n" +
                       program.substr(0, program.find("\n\n") + 2) +
                       program.substr(begin, end - begin));
}

/// What stands behind the last file that a program includes.
static std::string own_part(const std::string& name) {
  std::stringstream text;
  text
      << std::ifstream(CUDNN_CHECKED_SOURCE_DIR "/tool/laboratory/sweep/reproduce/" + name).rdbuf();
  return text.str().substr(text.str().find('\n', text.str().rfind("#include \"")));
}

static bool ends_with(const std::string& text, const std::string& end) {
  return text.size() > end.size() && text.substr(text.size() - end.size()) == end;
}

TEST_CASE("a program that reproduces a failure, whole") {
  const std::string text = program_of_row(every_severity(), 0);
  check_failure("failure.inc", text, "constexpr tensor written");
  CHECK(ends_with(text, own_part("program.cpp")));
}

TEST_CASE("a program that reproduces the failure of an attention, whole") {
  record of = test::h200_record();
  add_problem(of, "attention/backward fp16 2x2x160x128 keys 1x192x64, lengths, log-sum-exp 5");
  result& failed = add_result(of, 6, outcome::wrong);
  failed.alignment = 256;
  failed.detail = "in dQ, 9 of 78720 elements not finite";
  const std::string text = program_of_row(of, 0);
  check_failure("graph_failure.inc", text, "constexpr cudnnDataType_t");
  CHECK(ends_with(text, own_part("graph_program.cpp")));
}

TEST_CASE("a program that reproduces the failure of a recurrent network, whole") {
  record of = test::h200_record();
  add_problem(of, "rnn/backward fp16 tanh 8x2x1 to 32, 2 directions");
  result& failed = add_result(of, 13, outcome::wrong, {"A1"});
  failed.detail = "in dx; in dw";
  failed.relative_error = 0.3;
  const std::string text = program_of_row(of, 0);
  check_failure("network_failure.inc", text, "constexpr cudnnRNNMode_t");
  CHECK(ends_with(text, own_part("network_program.cpp")));
}

TEST_CASE("the same from a report that was read back") {
  record back;
  std::string error;
  REQUIRE(read_back(json_of_record(every_severity()), back, error));
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(program_of_row(back, i) == program_of_row(every_severity(), i));
  }
}

TEST_CASE("no text of a machine leaves the comment of a program") {
  record of = every_severity();
  of.on.gpu = "GPU\nint x;\\";
  of.results[1].detail = "a\r\nint y;\\";
  const std::string text = program_of_row(of, 0);
  CHECK(text.find("on GPU/x0aint x;/ (sm_90), plan eng7_k2=14_k13=0, offered by heuristic A, "
                  "first:\n") != std::string::npos);
  CHECK(text.find("// was wrong: a/x0d/x0aint y;/.\n") != std::string::npos);
}

TEST_CASE("the JSON of a sweep is read back, and gives the same JSON and text") {
  for (const bool interrupted : {false, true}) {
    record of = every_severity();
    of.interrupted = interrupted;
    of.asked.errata = "{\"version\": 1}\n";
    of.asked.library = "/opt/\"cudnn\"/\xC3\xA4";
    of.asked.seed = UINT64_MAX;
    of.ended_early = "a reason";
    of.right_left_out = 1000;
    record back;
    std::string error;
    REQUIRE_MESSAGE(read_back(json_of_record(of), back, error), error);
    CHECK(json_of_record(back) == json_of_record(of));
    CHECK(text_of_record(back) == text_of_record(of));
    CHECK(back.results.size() == of.results.size());
    CHECK(std::isinf(back.results[3].relative_error));
    CHECK(back.results[5].detail == "misaligned address");
  }
}

TEST_CASE("a list of problems that is too long loses those that are right, the last ones first") {
  record of = test::h200_record();
  for (int i = 0; i < 20; ++i) {
    add_problem(of, "fwd fp16 nchw " + std::to_string(i + 2) + "x32x16x16 * 32x32x3x3");
    add_result(of, 4, outcome::right);
    if (i == 18) add_result(of, 7, outcome::wrong);
  }
  const auto judged = judge_record(of, {});
  const auto left_out = [&](std::size_t most) {
    record back;
    std::string error;
    const std::string text = report_json(of, judged, {}, most);
    REQUIRE(read_back(text, back, error));
    CHECK(text.size() < most + 8000);
    json tree;
    cudnn_checked::arena_string why;
    REQUIRE(parse_json(text, tree, why));
    CHECK(tree["left_out"].text() == std::to_string(20 - back.problems.size()));
    CHECK(tree["counts"]["problems"].text() == "20");
    if (!back.problems.empty()) CHECK(back.problems[0].of.batch == 2);
    std::size_t wrong = 0;
    for (const result& r : back.results) wrong += r.what == outcome::wrong ? 1 : 0;
    CHECK(wrong == (back.problems.empty() ? 0 : 1));
    return 20 - back.problems.size();
  };
  CHECK(left_out(std::size_t{6} << 20) == 0);
  CHECK(left_out(1500) > 5);
  CHECK(left_out(1500) < 15);
  CHECK(left_out(10) == 20);
}

}  // namespace reported
