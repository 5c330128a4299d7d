// SPDX-License-Identifier: BSD-3-Clause
//
// usage: errata_against_frontend FILE
//
// Asks NVIDIA's cudnn-frontend and this project which plans an errata file blocks, of files and
// plans at random, and prints where the two differ.  FILE is written with rules of this project and
// read by cudnn-frontend.  The operations are made by a real cuDNN, which needs no GPU for them.
#include <cudnn.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "cudnn_frontend_ConvDesc.h"
#include "cudnn_frontend_OperationGraph.h"
#include "cudnn_frontend_Tensor.h"
// It uses what stands above.
#include "cudnn_frontend_Errata.h"
#include "laboratory/sweep/errata/errata.h"

namespace frontend = cudnn_frontend;
namespace sweep = cudnn_checked::sweep;

static int failures = 0;

static void expect(bool holds, const std::string& what) {
  if (holds) return;
  ++failures;
  std::printf("%s\n", what.c_str());
}

static frontend::Tensor tensor(std::vector<std::int64_t> extents, std::int64_t id,
                               bool channels_last) {
  const int count = static_cast<int>(extents.size());
  std::vector<std::int64_t> strides(extents.size());
  std::int64_t step = 1;
  if (channels_last) {
    strides[1] = 1;
    step = extents[1];
  }
  for (int i = count - 1; i >= (channels_last ? 2 : 1); --i) {
    strides[i] = step;
    step *= extents[i];
  }
  strides[0] = step;
  return frontend::TensorBuilder()
      .setDim(count, extents.data())
      .setStride(count, strides.data())
      .setId(id)
      .setAlignment(16)
      .setDataType(CUDNN_DATA_FLOAT)
      .build();
}

static std::vector<std::int64_t> extents_of(std::int64_t first, std::int64_t second,
                                            const std::int64_t* others, int count) {
  std::vector<std::int64_t> extents = {first, second};
  extents.insert(extents.end(), others, others + count);
  return extents;
}

static frontend::Operation operation_of(const sweep::problem& p) {
  const sweep::shape& s = p.of;
  const bool last = p.layout == cudnn_checked::tensor_layout::nhwc;
  std::int64_t output[3] = {s.output(0), s.output(1), s.dimensions == 3 ? s.output(2) : 1};
  const frontend::Tensor x =
      tensor(extents_of(s.batch, s.channels, s.image, s.dimensions), 1, last);
  const frontend::Tensor w =
      tensor(extents_of(s.filters, s.channels / s.groups, s.kernel, s.dimensions), 2, last);
  const frontend::Tensor y = tensor(extents_of(s.batch, s.filters, output, s.dimensions), 3, last);
  const frontend::ConvDesc window = frontend::ConvDescBuilder()
                                        .setDataType(CUDNN_DATA_FLOAT)
                                        .setMathMode(CUDNN_CROSS_CORRELATION)
                                        .setNDims(s.dimensions)
                                        .setStrides(s.dimensions, s.stride)
                                        .setPrePadding(s.dimensions, s.padding)
                                        .setPostPadding(s.dimensions, s.padding)
                                        .setDilation(s.dimensions, s.dilation)
                                        .build();
  const cudnnBackendDescriptorType_t kinds[] = {
      CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR,
      CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR,
      CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR};
  // Without a name for the gradients: the same calls for all three, as in PyTorch.
  return frontend::OperationBuilder(kinds[static_cast<int>(p.what)])
      .setxDesc(x)
      .setwDesc(w)
      .setyDesc(y)
      .setcDesc(window)
      .build();
}

struct subject {
  sweep::problem of;
  std::unique_ptr<frontend::Operation> operation;
  std::unique_ptr<frontend::OperationGraph> graph;
};

static subject make_subject(const sweep::problem& p) {
  subject made;
  made.of = p;
  made.operation = std::make_unique<frontend::Operation>(operation_of(p));
  expect(made.operation->get_status() == CUDNN_STATUS_SUCCESS,
         sweep::to_string(p) + ": " + made.operation->get_error());
  const std::vector<const frontend::Operation*> all = {made.operation.get()};
  // Without a handle it cannot be finalised, but it has its operations and its tag.
  made.graph = std::make_unique<frontend::OperationGraph>(
      frontend::OperationGraphBuilder()
          .setOperationGraph(1, const_cast<frontend::Operation const**>(all.data()))
          .build());
  expect(made.graph->getTag() == std::string(sweep::errata_name(p.what)) + "_",
         "the graph of " + sweep::to_string(p) + " is named " + made.graph->getTag());
  return made;
}

static std::vector<subject> all_subjects() {
  std::vector<subject> all;
  for (const char* of :
       {"nchw 2x8x5x7 * 16x8x3x1", "nhwc 2x8x5x7 * 16x8x3x1", "nchw 2x8x5x7 * 16x4x3x3, groups 2",
        "nchw 2x8x5x7x9 * 16x8x1x2x3", "nhwc 3x8x5x7x9 * 16x2x3x2x1, groups 4"}) {
    for (const char* what : {"fwd fp32 ", "dgrad fp32 ", "wgrad fp32 "}) {
      sweep::problem p;
      expect(sweep::read_problem(std::string(what) + of, p), of);
      all.push_back(make_subject(p));
    }
  }
  return all;
}

static std::mt19937 numbers(12);

static std::size_t below(std::size_t count) { return numbers() % count; }

template <std::size_t count>
static const char* one_of(const char* const (&texts)[count]) {
  return texts[below(count)];
}

static std::string random_extents(const char* name, const sweep::problem& p) {
  const sweep::shape& s = p.of;
  const std::int64_t values[] = {
      -1,          s.batch,     s.groups,   s.channels, s.channels / s.groups,
      s.image[0],  s.image[1],  s.image[2], s.filters,  s.filters / s.groups,
      s.kernel[0], s.kernel[1], s.kernel[2]};
  const std::int64_t input[] = {s.groups, s.channels / s.groups, s.image[0], s.image[1]};
  const std::int64_t filter[] = {s.filters / s.groups, s.channels / s.groups, s.kernel[0],
                                 s.kernel[1]};
  std::string text = std::string(", \"") + name + "\": [";
  for (int i = 0; i < 4; ++i) {
    const std::int64_t fitting = (name[0] == 'i' ? input : filter)[i];
    const std::int64_t value = below(3) == 0 ? values[below(13)] : below(4) == 0 ? -1 : fitting;
    text += (i == 0 ? "" : ", ") + std::to_string(value);
  }
  return text + "]";
}

static std::string random_rule(const sweep::problem& p) {
  const std::string name = below(4) == 0 ? one_of({"ConvFwd", "ConvBwdData", "ConvBwdFilter",
                                                   "ConvFwd_Add_Add", "ConvFwd_eng7", "Conv", ""})
                                         : sweep::errata_name(p.what);
  std::string rule =
      "{\"operation\": \"" + name + "\", \"engine\": " + one_of({"7", "7", "7", "72", "0", "-1"});
  rule += one_of({"", "", ", \"knob\": []", ", \"knob\": null", ", \"knob\": [\"k2=1\"]",
                  ", \"knob\": [\"k2=1_\"]", ", \"knob\": [\"k13=0\", \"k2=14\"]",
                  ", \"knob\": [\"k13=0_\"]", ", \"knob\": \"k2=14\"", ", \"knob\": [\"\"]",
                  ", \"knob\": {\"k2\": \"1\", \"x\": \"k13\"}", ", \"knob\": [\"eng7\"]",
                  ", \"knob\": [\"ConvFwd_eng7\"]"});
  const std::string version = std::to_string(CUDNN_VERSION);
  const std::string next = std::to_string(CUDNN_VERSION + 1);
  const std::string starts[] = {"", "", "0", "8000", version, next, "-1"};
  const std::string ends[] = {"", "", "0", version, next, "99999", "-1"};
  const std::string start = starts[below(7)];
  const std::string end = ends[below(7)];
  if (!start.empty()) rule += ", \"cudnn_version_start\": " + start;
  if (!end.empty()) rule += ", \"cudnn_version_end\": " + end;
  if (below(3) == 0) {
    rule +=
        std::string(", \"shape_format\": \"") + one_of({"NCHW", "NCHW", "NHWC", "other"}) + "\"";
    rule += random_extents("input_shape", p);
  }
  if (below(3) == 0) rule += random_extents("filter_shape", p);
  return rule + "}";
}

static sweep::plan random_plan() {
  sweep::plan with;
  const std::int64_t engines[] = {7, 7, 7, 72, 0};
  with.engine = engines[below(5)];
  if (below(2) == 0) with.knobs.push_back({2, below(2) == 0 ? 1 : 14});
  if (below(3) == 0) with.knobs.push_back({3, 5});
  if (below(2) == 0) with.knobs.push_back({13, static_cast<std::int64_t>(below(2))});
  return with;
}

static bool always() { return true; }

struct answers {
  bool tags;
  bool graphs;
};

static answers frontend_answers(const nlohmann::json& rules, const subject& s,
                                const std::string& tag) {
  return {frontend::check_errata(rules, tag, nullptr, always),
          frontend::check_errata(rules, tag, nullptr, *s.graph, always)};
}

static const cudnn_checked::version compiled_with = {CUDNN_MAJOR, CUDNN_MINOR, CUDNN_PATCHLEVEL};

static answers own_answers(const sweep::errata_file& file, const subject& s,
                           const sweep::plan& with) {
  return {sweep::blocks(file, compiled_with, s.of, with, sweep::errata_reader::tags),
          sweep::blocks(file, compiled_with, s.of, with, sweep::errata_reader::graphs)};
}

static void compare_at_random(const std::vector<subject>& subjects) {
  int blocked_by_tag = 0;
  int blocked_by_graph = 0;
  constexpr int rounds = 20000;
  for (int round = 0; round < rounds; ++round) {
    const subject& s = subjects[below(subjects.size())];
    const std::string text = "{\"version\": 1, \"rules\": [" + random_rule(s.of) +
                             (below(4) == 0 ? ", " + random_rule(s.of) : std::string()) + "]}";
    const sweep::plan with = random_plan();
    const std::string tag = std::string(sweep::errata_name(s.of.what)) + "_" + sweep::tag_of(with);
    sweep::errata_file file;
    std::string error;
    expect(sweep::read_errata(text, file, error), text + ": " + error);
    const answers theirs = frontend_answers(nlohmann::json::parse(text), s, tag);
    const answers own = own_answers(file, s, with);
    expect(theirs.tags == own.tags && theirs.graphs == own.graphs,
           sweep::to_string(s.of) + ", " + tag + ": cudnn-frontend " + std::to_string(theirs.tags) +
               std::to_string(theirs.graphs) + ", blocks() " + std::to_string(own.tags) +
               std::to_string(own.graphs) + ": " + text);
    blocked_by_tag += own.tags;
    blocked_by_graph += own.graphs;
  }
  // Neither answer is rare, so that it matters.
  expect(blocked_by_tag > rounds / 20 && blocked_by_tag < rounds / 2, "few rules fit");
  expect(blocked_by_graph > rounds / 40 && blocked_by_tag - blocked_by_graph > rounds / 40,
         "few shapes differ");
}

// A file as --errata writes it, added to one that somebody else wrote.
static void write_and_load(const std::vector<subject>& subjects, const char* path) {
  sweep::record seen;
  seen.on.cudnn = compiled_with;
  seen.problems = {subjects[0].of, subjects[1].of};
  sweep::result r;
  r.with.engine = 72;
  r.what = sweep::outcome::wrong;
  seen.results.push_back(r);
  r.problem = 1;
  r.with.engine = 7;
  r.with.knobs = {{2, 1}, {13, 0}};
  seen.results.push_back(r);

  sweep::errata_file foreign;
  std::string error;
  expect(sweep::read_errata(R"({"rules": [{"operation": "ConvBwdFilter", "engine": 0, "a": {}}]})",
                            foreign, error),
         error);
  std::ofstream(path) << sweep::with_rules(foreign, sweep::needed_rules({seen, {}}, foreign));
  nlohmann::json loaded;
  expect(frontend::load_from_config(loaded, ""), "the file is not loaded");
  const auto blocked = [&](const subject& s, const char* tag) {
    const answers theirs = frontend_answers(loaded, s, tag);
    return theirs.tags && theirs.graphs;
  };
  expect(blocked(subjects[0], "ConvFwd_eng72"), "engine 72");
  expect(blocked(subjects[0], "ConvFwd_eng72_k2=3"), "engine 72 with a knob");
  expect(!blocked(subjects[0], "ConvFwd_eng7"), "engine 7");
  expect(!blocked(subjects[1], "ConvBwdData_eng72"), "another operation");
  expect(blocked(subjects[1], "ConvBwdData_eng7_k2=1_k13=0"), "engine 7 with k2=1");
  expect(blocked(subjects[1], "ConvBwdData_eng7_k2=14_k13=0"), "engine 7 with k2=14");
  expect(!blocked(subjects[1], "ConvBwdData_eng70_k2=1"), "engine 70");
  expect(blocked(subjects[2], "ConvBwdFilter_eng0"), "the foreign rule");
}

static bool throws(const std::string& text, const subject& s) {
  try {
    const nlohmann::json rules = nlohmann::json::parse(text);
    frontend_answers(rules, s, "ConvFwd_eng7");
  } catch (const nlohmann::json::exception&) {
    return true;
  }
  return false;
}

// What is refused here ends a program there.
static void compare_refusals(const subject& s) {
  const std::string engine = R"("operation": "ConvFwd", "engine": 7, )";
  for (const std::string& rule :
       {std::string(R"("operation": 1, "engine": 7)"),
        std::string(R"("operation": "ConvFwd", "engine": "7")"),
        engine + R"("cudnn_version_start": "9")", engine + R"("cudnn_version_end": null)",
        engine + R"("knob": 2)", engine + R"("knob": [2])", engine + R"("filter_shape": 3)",
        engine + R"("filter_shape": ["1", 1, 1, 1])",
        engine + R"("shape_format": 1, "input_shape": [1, 1, 1, 1])"}) {
    const std::string text = "{\"rules\": [{" + rule + "}]}";
    sweep::errata_file file;
    std::string error;
    expect(!sweep::read_errata(text, file, error), "read_errata() takes " + text);
    expect(throws(text, s), "cudnn-frontend takes " + text);
  }
  expect(throws("{\"rules\": [", s), "cudnn-frontend takes what is cut");
}

int main(int count, char** arguments) {
  if (count != 2) return 2;
  setenv("CUDNN_ERRATA_JSON_FILE", "/nowhere/errata.json", 1);
  nlohmann::json nothing;
  expect(!frontend::load_from_config(nothing, ""), "a file that is missing is loaded");
  setenv("CUDNN_ERRATA_JSON_FILE", arguments[1], 1);
  const std::vector<subject> subjects = all_subjects();
  compare_at_random(subjects);
  write_and_load(subjects, arguments[1]);
  compare_refusals(subjects[0]);
  std::printf("%d differences, cuDNN %d\n", failures, CUDNN_VERSION);
  return failures == 0 ? 0 : 1;
}
