// SPDX-License-Identifier: BSD-3-Clause
//
// The tree of a report: schema 1, documented in docs/report.md.
#include "report.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// An empty string where the version is not known.
static string version_text(const version& v) { return v.known() ? to_string(v) : ""; }
static string cuda_text(const version& v) { return v.known() ? to_cuda_string(v) : ""; }

json findings_json(const vector<finding>& findings) {
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

static json strings_json(const vector<string>& texts) {
  json list = json::array();
  for (const string& text : texts) list.add(json::from_text(text));
  return list;
}

static json roles_json(const vector<library_role>& roles) {
  json list = json::array();
  for (const library_role& role : roles) list.add(json::from_text(to_string(role)));
  return list;
}

static json triple_json(const report_input& input) {
  json triple = json::object();
  triple.add_string("cudnn", version_text(input.judged->computes));
  triple.add_string("cuda", cuda_text(input.stamped->toolkit));
  json list = json::array();
  for (const architecture& a : input.judged->measured) list.add(json::from_text(to_sm_string(a)));
  triple.add("architectures", std::move(list));
  return triple;
}

static json files_json(const cudnn_set& set) {
  json list = json::array();
  for (const cudnn_set::member& m : set.members) {
    if (m.file->state == file_state::missing) continue;
    json item = json::object();
    item.add_string("name", m.file->name);
    item.add_string("role", to_string(m.file->role));
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

static json cudnn_json(const report_input& input, json&& checks) {
  const observation& observed = *input.observed;
  const cudnn_set& set = input.judged->set;
  json header = json::object();
  header.add_string("version", version_text(input.stamped->cudnn_header));
  header.add_string("path", observed.header_path);
  json library = json::object();
  library.add_string("version", version_text(input.judged->computes));
  const cudnn_set::member* shim = set.find(library_role::shim);
  library.add_string("path", shim == nullptr ? "" : shim->file->path);
  library.add_string("cudart", cuda_text(observed.answers.cudart));
  library.add_number("max_device", static_cast<long long>(observed.answers.max_device));
  json result = json::object();
  result.add("header", std::move(header));
  result.add("library", std::move(library));
  result.add("files", files_json(set));
  result.add("checks", std::move(checks));
  return result;
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

/// What only the probe has; empty for everyone else.
struct probe_parts {
  json checks = json::array();
  json convolutions = json::array();
  json skipped = json::array();
};

static json report_with(const report_input& input, probe_parts&& parts) {
  const stamp& stamped = *input.stamped;
  const observation& observed = *input.observed;
  json report = json::object();
  report.add_number("schema", 1LL);
  report.add_string("package", stamped.package);
  report.add_string("program", stamped.program);
  report.add_string("verdict", to_string(input.judged->result));
  if (!input.stage.empty()) report.add_string("stage", input.stage);
  report.add_string("level", to_string(input.judged->reached));
  report.add("triple", triple_json(input));
  report.add("cudnn", cudnn_json(input, std::move(parts.checks)));
  report.add("components", strings_json(stamped.components));
  report.add("needs", roles_json(input.judged->needs));
  report.add("cuda", cuda_facts_json(stamped, observed));
  report.add("devices", devices_json(observed));
  report.add("convolutions", std::move(parts.convolutions));
  report.add("skipped", std::move(parts.skipped));
  report.add("findings", findings_json(input.judged->findings));
  report.add("escape", input.escape.empty() ? json() : json::from_text(input.escape));
  return report;
}

json make_report(const report_input& input) { return report_with(input, {}); }

static json checks_json(const cudnn_answers& answers) {
  json list = json::array();
  for (const cudnn_answers::check& check : answers.checks) {
    json item = json::object();
    item.add_string("name", check.name);
    item.add_number("status", static_cast<long long>(check.status));
    item.add_string("status_name", check.status_name);
    list.add(std::move(item));
  }
  return list;
}

static json convolution_json(const convolution& c, const convolution_verdict& judged) {
  json item = json::object();
  item.add_string("api", to_string(c.api));
  item.add_string("type", to_string(c.type));
  item.add_string("layout", to_string(c.layout));
  item.add_string("shape", c.shape);
  item.add_string("math", to_string(c.math));
  item.add_number("engine", c.engine);
  item.add_number("device", static_cast<long long>(c.device));
  const char* outcome = judged.right ? "ok" : to_string(finding_id::wrong_numbers);
  item.add_string("status", c.ran ? outcome : c.status_name);
  item.add_number("status_number", static_cast<long long>(c.status));
  item.add_number("relative_error", c.relative_error);
  item.add_number("element_error", c.element_error);
  item.add_number("tolerance", judged.tolerance);
  item.add_number("milliseconds", c.milliseconds);
  return item;
}

json make_probe_report(const report_input& input) {
  const observation& observed = *input.observed;
  probe_parts parts;
  parts.checks = checks_json(observed.answers);
  for (std::size_t i = 0; i < observed.convolutions.size(); ++i) {
    parts.convolutions.add(
        convolution_json(observed.convolutions[i], input.judged->convolutions[i]));
  }
  parts.skipped = strings_json(observed.skipped);
  return report_with(input, std::move(parts));
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
