// SPDX-License-Identifier: BSD-3-Clause
#include "told.h"

#include <algorithm>

#include "../facts/line.h"

namespace cudnn_checked::prove {

using facts::told_line;

static version cuda_version(long long number) {
  return number > 0 ? decode_cuda_version(static_cast<unsigned long long>(number)) : version();
}

static version cudnn_version(long long number) {
  return number > 0 ? decode_cudnn_version(static_cast<unsigned long long>(number)) : version();
}

static void take(const std::string& value, arena_string& field) { field = value; }
template <class number>
static void take(long long value, number& field) {
  field = static_cast<number>(value);
}
static void take(long long value, bool& field) { field = value != 0; }

static convolution run_of(const told_line& line) {
  convolution run;
  (void)parse_word(line["operation"], run.operation);
  (void)parse_word(line["api"], run.api);
  (void)parse_word(line["type"], run.type);
  (void)parse_word(line["layout"], run.layout);
  (void)parse_word(line["math"], run.math);
#define FIELD_TEXT(name) take(line[#name], run.name);
#define FIELD_WHOLE(name) take(line.whole(#name), run.name);
#define FIELD_REAL(name) run.name = line.real(#name);
#include "../facts/run_fields.def"
#undef FIELD_TEXT
#undef FIELD_WHOLE
#undef FIELD_REAL
  return run;
}

/// "cudaGetDeviceCount: 35 cudaErrorInsufficientDriver, CUDA driver version is insufficient ..."
static arena_string failed_call(const told_line& line) {
  std::string text = line["call"] + ": " + line["status"];
  const std::string& name = line["status-name"];
  if (!name.empty()) text += " " + name + ", " + line["status-text"];
  return text;
}

static gpu gpu_of(const told_line& line) {
  gpu described;
  described.index = static_cast<int>(line.whole("index"));
  described.uuid = line["uuid"];
  described.name = line["name"];
  described.capability.major = static_cast<int>(line.whole("major"));
  described.capability.minor = static_cast<int>(line.whole("minor"));
  return described;
}

void told_facts::add(const std::string& text) {
  const told_line line(text);
  const std::string& name = line.name();
  part& from = parts_[line.whole("part")];
  if (name == "probe" && line.whole("format") == facts::line_format) {
    begun_ = true;
    header_ = cudnn_version(line.whole("cudnn"));
    toolkit_ = cuda_version(line.whole("toolkit"));
  } else if (name == "kernel") {
    kernel_.compiler = line["compiler"];
    kernel_.release = cuda_version(line.whole("release"));
    kernel_.headers = cuda_version(line.whole("headers"));
  } else if (name == "not-opened") {
    not_opened_ = line["text"];
  } else if (name == "step") {
    from.step = {line["what"], step_kind::other};
    (void)parse_word(line["of"], from.step.kind);
  } else if (name == "forget") {
    from = part();
  } else if (name == "died") {
    from.died = true;
  } else if (name == "versions") {
    answers_.library = cudnn_version(line.whole("library"));
    answers_.cudart = cuda_version(line.whole("cudart"));
    answers_.max_device = static_cast<int>(line.whole("max-device"));
    answers_.asked = true;
  } else if (name == "check") {
    answers_.checks.push_back(
        {line["name"], static_cast<int>(line.whole("status")), line["status-name"]});
  } else if (name == "runtime") {
    runtime_ = cuda_version(line.whole("cuda"));
  } else if (name == "driver") {
    driver_ = cuda_version(line.whole("cuda"));
  } else if (name == "no-gpus") {
    devices_.failed_call = line["call"];
    devices_.status = static_cast<int>(line.whole("status"));
    devices_.status_name = line["status-name"];
    devices_.status_text = line["status-text"];
    why_no_gpu_ = failed_call(line);
  } else if (name == "gpus") {
    devices_.source = gpu_source::cuda;
    devices_.visible = line.whole("count") > 0 ? answer::yes : answer::no;
    if (line.whole("count") == 0) why_no_gpu_ = failed_call(line);
  } else if (name == "gpu") {
    devices_.gpus.push_back(gpu_of(line));
  } else if (name == "no-such-gpu") {
    no_such_gpu_ = line["name"];
  } else if (name == "run") {
    (line["by"] == "kernel" ? from.kernel_runs : from.runs).push_back(run_of(line));
  } else if (name == "skipped") {
    step_kind kind = step_kind::other;
    (void)parse_word(line["of"], kind);
    from.skipped.push_back({line["what"], line["why"], kind == step_kind::operation});
  } else if (name == "mapped") {
    mapped_.push_back(line["path"]);
  } else if (name == "end") {
    // The libraries are told right before it: without one, somebody else has written the word.
    finished_ = begun_ && (!mapped_.empty() || !not_opened_.empty());
  }
}

probe_step told_facts::step() const {
  for (const auto& numbered : parts_) {
    if (numbered.second.died) return numbered.second.step;
  }
  probe_step all;
  arena_vector<arena_string> steps;
  for (const auto& numbered : parts_) {
    const probe_step& step = numbered.second.step;
    if (step.words.empty()) continue;
    if (numbered.first == 0) return step;
    if (steps.empty()) all.kind = step.kind;
    add_once(step.words, steps);
  }
  all.words = joined(steps, ", ");
  return all;
}

probe_step last_step_of(const told_facts& told) {
  if (told.finished()) return {"its end, after all checks", step_kind::other};
  return told.step();
}

/// How far what cuDNN computed is from what the kernel computed of the same problem on the same
/// GPU.
static void compare_with_kernel(const arena_vector<convolution>& runs,
                                arena_vector<convolution>& kernel_runs) {
  for (convolution& by_kernel : kernel_runs.in_place()) {
    for (const convolution& run : runs) {
      if (run.device != by_kernel.device || run.problem != by_kernel.problem) continue;
      by_kernel.difference = std::max(by_kernel.difference, run.difference);
    }
  }
}

/// As if one process had computed all of a GPU.
static void sort_runs(arena_vector<convolution>& runs) {
  const auto all = runs.in_place();
  std::stable_sort(all.begin(), all.end(), [](const convolution& one, const convolution& other) {
    return one.device != other.device ? one.device < other.device : one.turn < other.turn;
  });
}

void told_facts::put_into(observation& observed) const {
  observed.answers = answers_;
  observed.runtime = runtime_;
  if (driver_.known()) observed.driver.cuda = driver_;
  observed.devices = devices_;
  observed.kernel.compiler = kernel_.compiler;
  observed.kernel.release = kernel_.release;
  observed.kernel.headers = kernel_.headers;
  for (const auto& numbered : parts_) {
    const part& one = numbered.second;
    for (const convolution& run : one.runs) observed.convolutions.push_back(run);
    for (const convolution& run : one.kernel_runs) observed.kernel.runs.push_back(run);
    for (const skipped_work& work : one.skipped) add_once(work, observed.skipped);
  }
  compare_with_kernel(observed.convolutions, observed.kernel.runs);
  const bool side_by_side =
      any_of(observed.convolutions, [](const convolution& run) { return run.turn > 0; });
  if (side_by_side) sort_runs(observed.convolutions);
}

}  // namespace cudnn_checked::prove
