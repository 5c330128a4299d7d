// SPDX-License-Identifier: BSD-3-Clause
//
// What is asked of a proof, and the files that it reads and writes.
#include "prove/options.h"

#include <doctest/doctest.h>

#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "core/observe/header_version.h"
#include "prove/report_file.h"

using namespace cudnn_checked;
using namespace cudnn_checked::prove;

namespace {

bool parse(const arena_vector<const char*>& arguments, options& result, arena_string& error) {
  return parse_options(static_cast<int>(arguments.size()), arguments.data(), result, error);
}

arena_string error_of(const arena_vector<const char*>& arguments) {
  options result;
  cudnn_checked::arena_string error;
  CHECK_FALSE(parse(arguments, result, error));
  return error;
}

arena_string kinds_of(const options& given) {
  arena_string names;
  for (const convolution_kind* kind : given.convolutions) names += arena_string(kind->name) + " ";
  return names;
}

}  // namespace

TEST_CASE("proof: with nothing but a report all is asked for") {
  options given;
  cudnn_checked::arena_string error;
  REQUIRE(parse({"report=r.json", "components=", "convolutions=", "devices="}, given, error));
  CHECK(given.report == "r.json");
  CHECK_FALSE(given.level_required);
  CHECK(given.components.empty());
  CHECK(given.devices.empty());
  CHECK(kinds_of(given) ==
        "legacy graph/fp32/nchw graph/fp32/nhwc graph/fp16/nchw graph/fp16/nhwc ");
}

TEST_CASE("proof: the option with an unknown value is named") {
  const auto wrong = [](const arena_vector<const char*>& arguments) {
    return std::string(wrong_option(static_cast<int>(arguments.size()), arguments.data()));
  };
  CHECK(wrong({"report=r", "devices=all", "convolutions=legacy"}).empty());
  CHECK(wrong({"report=r", "devices=0", "convolutions=x", "operations=y"}) == "convolutions");
  CHECK(wrong({"operations=y"}) == "operations");
  CHECK(wrong({"devices=-1"}) == "devices");
  CHECK(wrong({"device=x", "report"}).empty());
}

TEST_CASE("proof: arguments are read") {
  options given;
  cudnn_checked::arena_string error;
  REQUIRE(parse({"report=a=b.json", "require=ran", "components=cnn,graph",
                 "convolutions=graph/fp16/nhwc,legacy", "devices=0,GPU-12ab",
                 "header=/usr/include/cudnn_version.h"},
                given, error));
  CHECK(given.report == "a=b.json");
  CHECK(given.level_required);
  CHECK(given.required == level::ran);
  CHECK(given.components == arena_vector<arena_string>{"cnn", "graph"});
  CHECK(kinds_of(given) == "legacy graph/fp16/nhwc ");
  CHECK(given.devices == arena_vector<arena_string>{"0", "GPU-12ab"});
  CHECK(given.header == "/usr/include/cudnn_version.h");
}

TEST_CASE("proof: a part of a kind's name stands for all below it") {
  options given;
  cudnn_checked::arena_string error;
  REQUIRE(parse({"report=r", "convolutions=graph/fp32"}, given, error));
  CHECK(kinds_of(given) == "graph/fp32/nchw graph/fp32/nhwc ");
}

TEST_CASE("proof: operations are those of the table, in its order, and none by default") {
  const auto asked_by = [](const char* argument) {
    options given;
    cudnn_checked::arena_string error;
    REQUIRE(parse({"report=r", argument}, given, error));
    CHECK(given.convolutions.size() == std::size(convolution_kinds));
    arena_string names;
    for (const fused_operation one : given.operations) {
      fused_operation parsed = fused_operation::none;
      CHECK(parse_word(cudnn_checked::to_string(one), parsed));
      CHECK(parsed == one);
      names += arena_string(cudnn_checked::to_string(one)) + " ";
    }
    return names;
  };
  CHECK(asked_by("convolutions=") == "");
  CHECK(asked_by("operations=") == "");
  CHECK(asked_by("operations=conv") == "");
  CHECK(asked_by("operations=rms-norm/backward,conv,matmul") == "matmul rms-norm/backward ");
  CHECK(asked_by("operations=attention") == "attention/forward attention/backward ");
  CHECK(asked_by("operations=all") ==
        "conv-bias matmul attention/forward attention/backward layer-norm/forward "
        "layer-norm/backward rms-norm/forward rms-norm/backward rnn/forward rnn/backward "
        "lstm/forward lstm/backward gru/forward gru/backward batch-norm/inference "
        "batch-norm/forward batch-norm/backward softmax/forward softmax/backward pooling/forward "
        "pooling/backward conv-backward/data conv-backward/filter conv-backward/bias "
        "conv-activation activation/forward activation/backward tensor/add tensor/op tensor/reduce "
        "tensor/transform lrn/forward lrn/backward spatial-grid/forward spatial-grid/backward "
        "spatial-sampler/forward spatial-sampler/backward ctc-loss dropout ");
  CHECK(asked_by("operations=gru,rnn") == "rnn/forward rnn/backward gru/forward gru/backward ");
  fused_operation parsed = fused_operation::none;
  CHECK_FALSE(parse_word("attention", parsed));
}

TEST_CASE("proof: each text goes where its key says") {
  options given;
  arena_string error;
  REQUIRE(parse({"build=/b", "cmake=/c", "header=/h", "report=/r", "named=CuDNNChecked_ROOT"},
                given, error));
  CHECK(given.build == "/b");
  CHECK(given.cmake == "/c");
  CHECK(given.header == "/h");
  CHECK(given.report == "/r");
  CHECK(given.named);
  options unnamed;
  REQUIRE(parse({"report=/r", "named="}, unnamed, error));
  CHECK_FALSE(unnamed.named);
  CHECK(unnamed.cmake.empty());
}

TEST_CASE("proof: wrong arguments say what would be right") {
  CHECK(error_of({}) == "report=FILE is missing");
  CHECK(
      error_of({"report=r", "header"}) ==
      "unknown argument 'header'; known are, each followed by =VALUE: report, require, components, "
      "convolutions, operations, devices, header, cmake, build, sweep, named, found, flags, "
      "linked");
  CHECK(error_of({"report=r", "reprot=r"}).substr(0, 28) == "unknown argument 'reprot=r';");
  CHECK(error_of({"report=r", "report=s"}) == "report= is given twice");
  CHECK(error_of({"report=r", "require=rna"}) ==
        "unknown level 'rna' in require=; known are: auto, located, linked, loaded, ran");
  CHECK(error_of({"report=r", "sweep=0"}) == "sweep=0 is no number of seconds");
  CHECK(error_of({"report=r", "sweep=6.5"}) == "sweep=6.5 is no number of seconds");
  CHECK(error_of({"report=r", "sweep="}) == "sweep= is no number of seconds");
  CHECK(error_of({"report=r", "require=none"}).substr(0, 20) == "unknown level 'none'");
  CHECK(error_of({"report=r", "components=cnm"}) ==
        "unknown component 'cnm' in components=; known are: graph, ops, cnn, adv, "
        "engines_precompiled, engines_runtime_compiled, heuristic, engines_tensor_ir, ext");
  CHECK(error_of({"report=r", "convolutions=graph/fp"}) ==
        "unknown convolution 'graph/fp' in convolutions=; known are: all, legacy, graph/fp32/nchw, "
        "graph/fp32/nhwc, graph/fp16/nchw, graph/fp16/nhwc");
  CHECK(
      error_of({"report=r", "operations=conv,attention/back"}) ==
      "unknown operation 'attention/back' in operations=; known are: all, conv, conv-bias, matmul, "
      "attention/forward, attention/backward, layer-norm/forward, layer-norm/backward, "
      "rms-norm/forward, rms-norm/backward, rnn/forward, rnn/backward, lstm/forward, "
      "lstm/backward, gru/forward, gru/backward, batch-norm/inference, batch-norm/forward, "
      "batch-norm/backward, softmax/forward, softmax/backward, pooling/forward, pooling/backward, "
      "conv-backward/data, conv-backward/filter, conv-backward/bias, conv-activation, "
      "activation/forward, activation/backward, tensor/add, tensor/op, tensor/reduce, "
      "tensor/transform, lrn/forward, lrn/backward, spatial-grid/forward, spatial-grid/backward, "
      "spatial-sampler/forward, spatial-sampler/backward, ctc-loss, dropout");
  CHECK(error_of({"report=r", "devices=first"}) ==
        "unknown device 'first' in devices=; known are: all, an index (0), a UUID or the beginning "
        "of one (GPU-8932f937)");
}

TEST_CASE("proof: the version is read from the text of a header") {
  const version read = read_header_version(
      "#define CUDNN_MAJOR 9\n#define CUDNN_MINOR 14\n#define CUDNN_PATCHLEVEL 2\n");
  CHECK(to_string(read) == "9.14.2");
  CHECK_FALSE(read_header_version("#define CUDNN_MAJOR 9\n#define CUDNN_MINOR 1\n").known());
  CHECK_FALSE(read_header_version("").known());
  const auto with_minor = [](const char* text) {
    return to_string(
        read_header_version(arena_string("#define CUDNN_MAJOR 9\n#define CUDNN_MINOR ") + text +
                            "\n#define CUDNN_PATCHLEVEL 2\r\n"));
  };
  for (const char* const number : {"14", "14 ", "\t14 /* minor */", "14// minor", "14\r"}) {
    CHECK(with_minor(number) == "9.14.2");
  }
  for (const char* const other :
       {"10+9", "(10+9)", "10 + 9", "0x0E", "014", "14.5", "14a", "-1", "1'4", "\n14"}) {
    CHECK(with_minor(other) == "unknown");
  }
}

TEST_CASE("proof: a report replaces the one before") {
  const arena_string path = "probe_options_report.json";
  const arena_string report = "{\"verdict\": \"ok\"}\n";
  cudnn_checked::arena_string error;
  REQUIRE(write_report(path, "{\"stage\": \"cudnnGetVersion\"}\n", {}, error));
  CHECK_FALSE(std::filesystem::exists("probe_options_report.json.proof"));
  REQUIRE(write_report(path, report, "proof_verdict=ok\n", error));
  CHECK(std::filesystem::exists("probe_options_report.json.proof"));
  std::FILE* file = std::fopen(path.c_str(), "rb");
  REQUIRE(file != nullptr);
  char text[256] = "";
  const std::size_t count = std::fread(text, 1, sizeof text - 1, file);
  std::fclose(file);
  std::remove(path.c_str());
  std::remove((path + ".proof").c_str());
  CHECK(arena_string(text, count) == report);
  for (const auto& left : std::filesystem::directory_iterator(".")) {
    CHECK(left.path().extension() != ".part");
  }

  CHECK_FALSE(write_report("no-such-folder/report.json", report, {}, error));
  CHECK(error == "cannot write no-such-folder/report.json: No such file or directory");
}
