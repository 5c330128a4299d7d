// SPDX-License-Identifier: BSD-3-Clause
//
// The tree of a report: schema 1, documented in docs/report.md.
#include "report.h"

#include "../judge/cudnn_set.h"
#include "../judge/tolerance.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// An empty string where the version is not known.
static json version_json(const version& v) { return json::string(v.known() ? to_string(v) : ""); }
static json cuda_json(const version& v) { return json::string(v.known() ? to_cuda_string(v) : ""); }

static json findings_json(const std::vector<finding>& findings) {
  json list = json::array();
  for (const finding& f : findings) {
    json item = json::object();
    item.add("name", json::string(f.name));
    item.add("severity", json::string(to_string(f.weight)));
    item.add("summary", json::string(f.summary));
    item.add("expected", json::string(f.expected.value));
    item.add("found", json::string(f.found.value));
    item.add("where", json::string(f.found.where));
    item.add("because", json::string(f.because));
    item.add("fix", json::string(f.fix));
    json evidence = json::array();
    const auto add_fact = [&evidence](const fact& line) {
      if (line.label.empty()) return;
      json one = json::object();
      one.add("label", json::string(line.label));
      one.add("value", json::string(line.value));
      one.add("where", json::string(line.where));
      evidence.add(std::move(one));
    };
    add_fact(f.expected);
    add_fact(f.found);
    for (const fact& line : f.more) add_fact(line);
    item.add("evidence", std::move(evidence));
    list.add(std::move(item));
  }
  return list;
}

/// Architectures on which every convolution that ran gave right numbers, each once.
static std::vector<architecture> measured_architectures(const observation& seen) {
  std::vector<architecture> result;
  for (const gpu& device : seen.devices.gpus) {
    bool ran = false;
    bool right = true;
    for (const convolution& c : seen.convolutions) {
      if (c.device != device.index) continue;
      ran = true;
      right = right && has_right_numbers(c);
    }
    bool known = false;
    for (const architecture& a : result) known = known || a == device.capability;
    if (ran && right && !known) result.push_back(device.capability);
  }
  return result;
}

static json triple_json(const stamp& stamped, const observation& seen, const cudnn_set& set) {
  json triple = json::object();
  triple.add("cudnn", version_json(seen.answers.asked ? seen.answers.library : set.effective));
  triple.add("cuda", cuda_json(stamped.toolkit));
  json list = json::array();
  for (const architecture& a : measured_architectures(seen)) list.add(json::string(to_sm_string(a)));
  triple.add("architectures", std::move(list));
  return triple;
}

static json files_json(const cudnn_set& set) {
  json list = json::array();
  for (const cudnn_set::member& m : set.members) {
    if (m.file->state == file_state::missing) continue;
    json item = json::object();
    item.add("name", json::string(m.file->name));
    item.add("role", json::string(m.file->role));
    item.add("path", json::string(m.file->path));
    item.add("version", json::string(describe(m.who.releases)));
    item.add("chosen_by", json::string(m.file->chosen_by));
    item.add("mapped", json::boolean(m.file->mapped));
    item.add("build_id", json::string(m.file->build_id));
    list.add(std::move(item));
  }
  return list;
}

static json cudnn_json(const stamp& stamped, const observation& seen, const cudnn_set& set) {
  json header = json::object();
  header.add("version", version_json(stamped.cudnn_header));
  header.add("path", json::string(seen.header_path));
  json library = json::object();
  library.add("version", version_json(seen.answers.asked ? seen.answers.library : set.effective));
  const cudnn_set::member* shim = set.find("shim");
  library.add("path", json::string(shim == nullptr ? "" : shim->file->path));
  library.add("cudart", cuda_json(seen.answers.cudart));
  library.add("max_device", json::number(static_cast<long long>(seen.answers.max_device)));
  json checks = json::array();
  for (const cudnn_answers::check& check : seen.answers.checks) {
    json item = json::object();
    item.add("name", json::string(check.name));
    item.add("status", json::number(static_cast<long long>(check.status)));
    item.add("status_name", json::string(check.status_name));
    checks.add(std::move(item));
  }
  json result = json::object();
  result.add("header", std::move(header));
  result.add("library", std::move(library));
  result.add("files", files_json(set));
  result.add("checks", std::move(checks));
  return result;
}

static json needs_json(const stamp& stamped, const observation& seen, const cudnn_set& set) {
  json list = json::array();
  for (const std::string& role : needed_roles(stamped, set, seen.cudnn_major)) {
    list.add(json::string(role));
  }
  return list;
}

static json cuda_facts_json(const stamp& stamped, const observation& seen) {
  json result = json::object();
  result.add("toolkit", cuda_json(stamped.toolkit));
  result.add("runtime", cuda_json(seen.runtime));
  result.add("driver", cuda_json(seen.driver.cuda));
  const version& module = seen.driver.kernel_module;
  result.add("kernel_module", json::string(module.known() ? to_driver_string(module) : ""));
  return result;
}

static json devices_json(const observation& seen) {
  json list = json::array();
  for (const gpu& device : seen.devices.gpus) {
    json item = json::object();
    item.add("index", json::number(static_cast<long long>(device.index)));
    item.add("uuid", json::string(device.uuid));
    item.add("name", json::string(device.name));
    item.add("architecture", json::string(to_sm_string(device.capability)));
    list.add(std::move(item));
  }
  return list;
}

static json convolutions_json(const observation& seen) {
  json list = json::array();
  for (const convolution& c : seen.convolutions) {
    json item = json::object();
    item.add("api", json::string(c.api));
    item.add("type", json::string(c.type));
    item.add("layout", json::string(c.layout));
    item.add("shape", json::string(c.shape));
    item.add("math", json::string(c.math));
    item.add("engine", json::number(c.engine));
    item.add("device", json::number(static_cast<long long>(c.device)));
    const char* outcome = has_right_numbers(c) ? "ok" : "wrong-numbers";
    item.add("status", json::string(c.ran ? outcome : c.status_name));
    item.add("status_number", json::number(static_cast<long long>(c.status)));
    item.add("relative_error", json::number(c.relative_error));
    item.add("element_error", json::number(c.element_error));
    item.add("tolerance", json::number(convolution_tolerance(c)));
    item.add("milliseconds", json::number(c.milliseconds));
    list.add(std::move(item));
  }
  return list;
}

json make_report(const report_input& input) {
  const stamp& stamped = *input.stamped;
  const observation& seen = *input.seen;
  const cudnn_set set = make_set(seen.files, seen.cudnn_major);
  json report = json::object();
  report.add("schema", json::number(1LL));
  report.add("package", json::string(stamped.package));
  report.add("verdict", json::string(to_string(verdict_of(*input.findings))));
  if (!input.stage.empty()) report.add("stage", json::string(input.stage));
  report.add("level", json::string(to_string(input.reached)));
  report.add("triple", triple_json(stamped, seen, set));
  report.add("cudnn", cudnn_json(stamped, seen, set));
  report.add("needs", needs_json(stamped, seen, set));
  report.add("cuda", cuda_facts_json(stamped, seen));
  report.add("devices", devices_json(seen));
  report.add("convolutions", convolutions_json(seen));
  json skipped = json::array();
  for (const std::string& text : seen.skipped) skipped.add(json::string(text));
  report.add("skipped", std::move(skipped));
  report.add("findings", findings_json(*input.findings));
  report.add("escape", input.escape.empty() ? json() : json::string(input.escape));
  return report;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
