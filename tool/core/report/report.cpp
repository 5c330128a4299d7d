// SPDX-License-Identifier: BSD-3-Clause
//
// A report: schema 1, documented in docs/report.md.
#include "report.h"

#include "../json/json_writer.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

const char* status_of_wrong_numbers() { return to_string(finding_id::wrong_numbers); }

static void write_fact(json_writer& out, const fact& line) {
  if (line.label.empty()) return;
  out.begin(nullptr, '{');
  out.members("label value where", line.label, line.value, line.where);
  out.end();
}

static void write_findings(json_writer& out, const vector<finding>& findings) {
  out.begin("findings", '[');
  for (const finding& f : findings) {
    out.begin(nullptr, '{');
    out.members("name severity summary expected found where because fix", to_string(f.id),
                to_string(f.weight), f.summary, f.expected.value, f.found.value, f.found.where,
                f.because, in_one_line(f.fix));
    out.begin("fixes", '[');
    for (const fix_line& line : f.fix) {
      out.begin(nullptr, '{');
      out.members("kind text", to_string(line.what), line.text);
      if (line.what == fix_line::kind::command) {
        out.members("tried", line.tried == trial_result::green ? "green" : "unknown");
      }
      out.end();
    }
    out.end();
    out.begin("evidence", '[');
    write_fact(out, f.expected);
    write_fact(out, f.found);
    for (const fact& line : f.more) write_fact(out, line);
    out.end();
    out.end();
  }
  out.end();
}

static void write_strings(json_writer& out, const char* key, const vector<string>& texts) {
  out.begin(key, '[');
  for (const string& text : texts) out.text(nullptr, text);
  out.end();
}

static void write_triple(json_writer& out, const report_input& input) {
  out.begin("triple", '{');
  out.members("cudnn cuda", input.judged->computes, as_cuda(input.stamped->toolkit));
  out.begin("architectures", '[');
  for (const architecture& a : input.judged->measured) out.text(nullptr, to_sm_string(a));
  out.end();
  out.end();
}

static void write_files(json_writer& out, const cudnn_set& set) {
  out.begin("files", '[');
  for (const cudnn_set::member& m : set.members) {
    const cudnn_file& file = *m.file;
    if (file.state == file_state::missing) continue;
    out.begin(nullptr, '{');
    out.members("name role path version chosen_by", file.name, to_string(file.role), file.path,
                m.identity.releases, to_string(file.chosen_by));
    out.bare("mapped", file.mapped ? "true" : "false");
    out.members("build_id package", file.build_id, describe(file.package));
    out.end();
  }
  out.end();
}

/// What only the probe has.
struct probe_part {
  static void write_checks(json_writer& out, const report_input& input) {
    for (const cudnn_answers::check& check : input.observed->answers.checks) {
      out.begin(nullptr, '{');
      out.members("name status status_name", check.name, check.status, check.status_name);
      out.end();
    }
  }

  static void write_numbers(json_writer& out, const convolution& c,
                            const convolution_verdict& judged) {
    const auto add = [&out](const char* key, double number) {
      out.bare(key, json::number(number).print_compact());
    };
    add("relative_error", c.relative_error);
    add("element_error", c.element_error);
    add("tolerance", judged.tolerance);
    add("milliseconds", c.milliseconds);
  }

  static void write_convolution(json_writer& out, const convolution& c,
                                const convolution_verdict& judged) {
    const char* outcome = judged.right ? "ok" : status_of_wrong_numbers();
    const string status = c.ran ? string(outcome) : c.status_name;
    out.begin(nullptr, '{');
    out.members("api type layout shape math", to_string(c.api), to_string(c.type),
                to_string(c.layout), c.shape, to_string(c.math));
    out.bare("engine", to_string(c.engine));
    out.members("device status status_number", c.device, status, c.status);
    write_numbers(out, c, judged);
    out.end();
  }

  static void write_convolutions(json_writer& out, const report_input& input) {
    const vector<convolution>& all = input.observed->convolutions;
    for (std::size_t i = 0; i < all.size(); ++i) {
      write_convolution(out, all[i], input.judged->convolutions[i]);
    }
  }

  static void write_kernel_run(json_writer& out, const convolution& c,
                               const kernel_verdict& judged) {
    const char* outcome = judged.right ? "ok" : status_of_wrong_numbers();
    out.begin(nullptr, '{');
    out.members("device code shape status status_number", c.device, judged.code, c.shape,
                c.ran ? string(outcome) : c.status_name, c.status);
    write_numbers(out, c, judged);
    out.bare("cudnn_difference",
             c.difference < 0 ? "null" : json::number(c.difference).print_compact());
    out.end();
  }

  static void write_kernel(json_writer& out, const report_input& input) {
    const kernel_facts& kernel = input.observed->kernel;
    if (kernel.compiler.empty()) {
      out.bare("kernel", "null");
      return;
    }
    vector<device_code> codes;
    for (const code_container& container : input.observed->code.containers) {
      for (const device_code& code : container.codes) codes.push_back(code);
    }
    out.begin("kernel", '{');
    out.members("compiler headers", kernel.compiler, as_cuda(kernel.headers));
    write_strings(out, "compiled", to_cuda_architectures(codes));
    out.begin("runs", '[');
    for (std::size_t i = 0; i < kernel.runs.size(); ++i) {
      write_kernel_run(out, kernel.runs[i], input.judged->kernel[i]);
    }
    out.end();
    out.end();
  }

  static void write_skipped(json_writer& out, const report_input& input) {
    for (const string& text : input.observed->skipped) out.text(nullptr, text);
  }
};

struct no_probe_part {
  static void write_checks(json_writer&, const report_input&) {}
  static void write_convolutions(json_writer&, const report_input&) {}
  static void write_skipped(json_writer&, const report_input&) {}
  static void write_kernel(json_writer&, const report_input&) {}
};

template <class probe>
static void write_cudnn(json_writer& out, const report_input& input) {
  const observation& observed = *input.observed;
  const cudnn_set& set = input.judged->set;
  const cudnn_set::member* shim = set.find(library_role::shim);
  out.begin("cudnn", '{');
  out.begin("header", '{');
  out.members("version path", input.stamped->cudnn_header, observed.header_path);
  out.end();
  out.begin("library", '{');
  out.members("version path cudart max_device", input.judged->computes,
              shim == nullptr ? string() : shim->file->path, as_cuda(observed.answers.cudart),
              observed.answers.max_device);
  out.end();
  write_files(out, set);
  out.begin("checks", '[');
  probe::write_checks(out, input);
  out.end();
  out.end();
}

static void write_cuda(json_writer& out, const stamp& stamped, const observation& observed) {
  out.begin("cuda", '{');
  out.members("toolkit runtime driver kernel_module", as_cuda(stamped.toolkit),
              as_cuda(observed.runtime), as_cuda(observed.driver.cuda),
              as_driver(observed.driver.kernel_module));
  out.end();
}

static void write_devices(json_writer& out, const observation& observed) {
  out.begin("devices", '[');
  for (const gpu& device : observed.devices.gpus) {
    out.begin(nullptr, '{');
    out.members("index uuid name architecture", device.index, device.uuid, device.name,
                device.capability);
    out.end();
  }
  out.end();
}

template <class probe>
static string report_with(const report_input& input) {
  const stamp& stamped = *input.stamped;
  const observation& observed = *input.observed;
  json_writer out;
  out.begin(nullptr, '{');
  out.members("schema package program verdict", 1, stamped.package, stamped.program,
              to_string(input.judged->result));
  if (!input.stage.empty()) out.text("stage", input.stage);
  out.text("level", to_string(input.judged->reached));
  write_triple(out, input);
  write_cudnn<probe>(out, input);
  write_strings(out, "components", stamped.components);
  out.begin("needs", '[');
  for (const library_role& role : input.judged->needs) out.text(nullptr, to_string(role));
  out.end();
  write_cuda(out, stamped, observed);
  write_devices(out, observed);
  out.begin("convolutions", '[');
  probe::write_convolutions(out, input);
  out.end();
  out.begin("skipped", '[');
  probe::write_skipped(out, input);
  out.end();
  probe::write_kernel(out, input);
  write_findings(out, input.judged->findings);
  if (input.escape.empty()) {
    out.bare("escape", "null");
  } else {
    out.text("escape", input.escape);
  }
  out.end();
  return out.take();
}

static json tree_of(const string& text) {
  json tree;
  string error;
  (void)parse_json(text, tree, error);
  return tree;
}

string report_text(const report_input& input) { return report_with<no_probe_part>(input); }

json make_report(const report_input& input) { return tree_of(report_text(input)); }

json make_probe_report(const report_input& input) {
  return tree_of(report_with<probe_part>(input));
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
