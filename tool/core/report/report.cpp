// SPDX-License-Identifier: BSD-3-Clause
//
// The tree of a report: schema 1, documented in docs/report.md.
#include "report.h"

#include "../judge/cudnn_set.h"
#include "../judge/rules/tolerance.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// An empty string where the version is not known.
static string version_text(const version& v) { return v.known() ? to_string(v) : ""; }
static string cuda_text(const version& v) { return v.known() ? to_cuda_string(v) : ""; }

static json findings_json(const vector<finding>& findings) {
  json list = json::array();
  for (const finding& f : findings) {
    json item = json::object();
    item.add_string("name", to_string(f.id));
    item.add_string("severity", to_string(f.weight));
    item.add_string("summary", f.summary);
    item.add_string("expected", f.expected.value);
    item.add_string("found", f.found.value);
    item.add_string("where", f.found.where);
    item.add_string("because", f.because);
    item.add_string("fix", f.fix);
    json evidence = json::array();
    const auto add_fact = [&evidence](const fact& line) {
      if (line.label.empty()) return;
      json one = json::object();
      one.add_string("label", line.label);
      one.add_string("value", line.value);
      one.add_string("where", line.where);
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
static vector<architecture> measured_architectures(const observation& observed) {
  vector<architecture> result;
  for (const gpu& device : observed.devices.gpus) {
    bool ran = false;
    bool right = true;
    for (const convolution& c : observed.convolutions) {
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

static json triple_json(const stamp& stamped, const observation& observed, const cudnn_set& set) {
  json triple = json::object();
  triple.add_string(
      "cudnn", version_text(observed.answers.asked ? observed.answers.library : set.effective));
  triple.add_string("cuda", cuda_text(stamped.toolkit));
  json list = json::array();
  for (const architecture& a : measured_architectures(observed))
    list.add(json::from_text(to_sm_string(a)));
  triple.add("architectures", std::move(list));
  return triple;
}

static json files_json(const cudnn_set& set) {
  json list = json::array();
  for (const cudnn_set::member& m : set.members) {
    if (m.file->state == file_state::missing) continue;
    json item = json::object();
    item.add_string("name", m.file->name);
    item.add_string("role", m.file->role);
    item.add_string("path", m.file->path);
    item.add_string("version", describe(m.identity.releases));
    item.add_string("chosen_by", to_string(m.file->chosen_by));
    item.add("mapped", json::boolean(m.file->mapped));
    item.add_string("build_id", m.file->build_id);
    item.add_string("package", describe(m.file->package));
    list.add(std::move(item));
  }
  return list;
}

static json cudnn_json(const stamp& stamped, const observation& observed, const cudnn_set& set) {
  json header = json::object();
  header.add_string("version", version_text(stamped.cudnn_header));
  header.add_string("path", observed.header_path);
  json library = json::object();
  library.add_string(
      "version", version_text(observed.answers.asked ? observed.answers.library : set.effective));
  const cudnn_set::member* shim = set.find("shim");
  library.add_string("path", shim == nullptr ? "" : shim->file->path);
  library.add_string("cudart", cuda_text(observed.answers.cudart));
  library.add_number("max_device", static_cast<long long>(observed.answers.max_device));
  json checks = json::array();
  for (const cudnn_answers::check& check : observed.answers.checks) {
    json item = json::object();
    item.add_string("name", check.name);
    item.add_number("status", static_cast<long long>(check.status));
    item.add_string("status_name", check.status_name);
    checks.add(std::move(item));
  }
  json result = json::object();
  result.add("header", std::move(header));
  result.add("library", std::move(library));
  result.add("files", files_json(set));
  result.add("checks", std::move(checks));
  return result;
}

static json needs_json(const stamp& stamped, const observation& observed, const cudnn_set& set) {
  json list = json::array();
  for (const string& role : needed_roles(stamped, set, observed.cudnn_major)) {
    list.add(json::from_text(role));
  }
  return list;
}

static json cuda_facts_json(const stamp& stamped, const observation& observed) {
  json result = json::object();
  result.add_string("toolkit", cuda_text(stamped.toolkit));
  result.add_string("runtime", cuda_text(observed.runtime));
  result.add_string("driver", cuda_text(observed.driver.cuda));
  const version& module = observed.driver.kernel_module;
  result.add_string("kernel_module", module.known() ? to_driver_string(module) : "");
  return result;
}

static json devices_json(const observation& observed) {
  json list = json::array();
  for (const gpu& device : observed.devices.gpus) {
    json item = json::object();
    item.add_number("index", static_cast<long long>(device.index));
    item.add_string("uuid", device.uuid);
    item.add_string("name", device.name);
    item.add_string("architecture", to_sm_string(device.capability));
    list.add(std::move(item));
  }
  return list;
}

static json convolutions_json(const observation& observed) {
  json list = json::array();
  for (const convolution& c : observed.convolutions) {
    json item = json::object();
    item.add_string("api", c.api);
    item.add_string("type", c.type);
    item.add_string("layout", c.layout);
    item.add_string("shape", c.shape);
    item.add_string("math", c.math);
    item.add_number("engine", c.engine);
    item.add_number("device", static_cast<long long>(c.device));
    const char* outcome = has_right_numbers(c) ? "ok" : to_string(finding_id::wrong_numbers);
    item.add_string("status", c.ran ? outcome : c.status_name);
    item.add_number("status_number", static_cast<long long>(c.status));
    item.add_number("relative_error", c.relative_error);
    item.add_number("element_error", c.element_error);
    item.add_number("tolerance", convolution_tolerance(c));
    item.add_number("milliseconds", c.milliseconds);
    list.add(std::move(item));
  }
  return list;
}

json make_report(const report_input& input) {
  const stamp& stamped = *input.stamped;
  const observation& observed = *input.observed;
  const cudnn_set set = make_set(observed.files, observed.cudnn_major);
  json report = json::object();
  report.add_number("schema", 1LL);
  report.add_string("package", stamped.package);
  report.add_string("program", stamped.program);
  report.add_string("verdict", to_string(verdict_of(*input.findings)));
  if (!input.stage.empty()) report.add_string("stage", input.stage);
  report.add_string("level", to_string(input.reached));
  report.add("triple", triple_json(stamped, observed, set));
  report.add("cudnn", cudnn_json(stamped, observed, set));
  json components = json::array();
  for (const string& name : stamped.components) components.add(json::from_text(name));
  report.add("components", std::move(components));
  report.add("needs", needs_json(stamped, observed, set));
  report.add("cuda", cuda_facts_json(stamped, observed));
  report.add("devices", devices_json(observed));
  report.add("convolutions", convolutions_json(observed));
  json skipped = json::array();
  for (const string& text : observed.skipped) skipped.add(json::from_text(text));
  report.add("skipped", std::move(skipped));
  report.add("findings", findings_json(*input.findings));
  report.add("escape", input.escape.empty() ? json() : json::from_text(input.escape));
  return report;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
