// SPDX-License-Identifier: BSD-3-Clause
//
// A report: schema 1, documented in docs/report.md.  `writer` makes its text (json_writer) or its
// tree (json_tree_writer, which no guard has).
#pragma once

#include "report.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// What only the probe has in its report, which is no part of a guard.
template <class writer>
struct probe_part {
  using write = void (*)(writer&, const report_input&);
  write checks;
  write convolutions;  ///< the elements of its array
  write operations;    ///< its whole member
  write skipped;
  write kernel;
  write sweep;  ///< its whole member
};

template <class writer>
void write_fact(writer& out, const fact& line) {
  if (line.label.empty()) return;
  out.begin(nullptr, '{');
  out.members("label value where", line.label, line.value, line.where);
  out.end();
}

template <class writer>
void write_findings(writer& out, const char* key, const arena_vector<finding>& findings) {
  out.begin(key, '[');
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
      if (line.megabytes != 0) out.members("download_megabytes", line.megabytes);
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

template <class writer>
void write_strings(writer& out, const char* key, const arena_vector<arena_string>& texts) {
  out.begin(key, '[');
  for (const arena_string text : texts) out.text(nullptr, text);
  out.end();
}

template <class writer>
void write_triple(writer& out, const report_input& input) {
  out.begin("triple", '{');
  out.members("cudnn cuda", input.judged->computes, as_cuda(input.stamped->toolkit));
  out.begin("architectures", '[');
  for (const architecture& a : input.judged->measured) out.text(nullptr, to_sm_string(a));
  out.end();
  out.end();
}

template <class writer>
void write_files(writer& out, const cudnn_set& set) {
  out.begin("files", '[');
  for (const cudnn_set::member& m : set.members) {
    const cudnn_file& file = *m.file;
    if (file.state == file_state::missing) continue;
    out.begin(nullptr, '{');
    out.members("name role path version chosen_by", file.name, to_string(file.role), file.path,
                m.identity.releases, to_string(file.chosen_by));
    out.boolean("mapped", file.mapped);
    out.members("build_id package", file.build_id, describe(file.package));
    out.end();
  }
  out.end();
}

template <class writer>
void write_cudnn(writer& out, const report_input& input, const probe_part<writer>* probe) {
  const observation& observed = *input.observed;
  const cudnn_set& set = input.judged->set;
  const cudnn_set::member* shim = set.find(library_role::shim);
  out.begin("cudnn", '{');
  out.begin("header", '{');
  out.members("version path", input.stamped->cudnn_header, observed.header_path);
  out.end();
  out.begin("library", '{');
  out.members("version path cudart max_device", input.judged->computes,
              shim == nullptr ? arena_string() : shim->file->path, as_cuda(observed.answers.cudart),
              observed.answers.max_device);
  out.end();
  write_files(out, set);
  out.begin("checks", '[');
  if (probe != nullptr) probe->checks(out, input);
  out.end();
  out.end();
}

template <class writer>
void write_cuda(writer& out, const stamp& stamped, const observation& observed) {
  out.begin("cuda", '{');
  out.members("toolkit runtime driver kernel_module", as_cuda(stamped.toolkit),
              as_cuda(observed.runtime), as_cuda(observed.driver.cuda),
              as_driver(observed.driver.kernel_module));
  out.end();
}

template <class writer>
void write_devices(writer& out, const observation& observed) {
  out.begin("devices", '[');
  for (const gpu& device : observed.devices.gpus) {
    out.begin(nullptr, '{');
    out.members("index uuid name architecture", device.index, device.uuid, device.name,
                device.capability);
    out.end();
  }
  out.end();
}

/// With the part of the probe where there is one.
template <class writer>
void write_report(writer& out, const report_input& input,
                  const probe_part<writer>* probe = nullptr) {
  const stamp& stamped = *input.stamped;
  const observation& observed = *input.observed;
  out.begin(nullptr, '{');
  out.members("schema package program verdict", 1, stamped.package, stamped.program,
              to_string(input.judged->result));
  if (!input.stage.empty()) out.text("stage", input.stage);
  out.text("level", to_string(input.judged->reached));
  write_triple(out, input);
  write_cudnn(out, input, probe);
  write_strings(out, "components", stamped.components);
  out.begin("needs", '[');
  for (const library_role& role : input.judged->needs) out.text(nullptr, to_string(role));
  out.end();
  write_cuda(out, stamped, observed);
  write_devices(out, observed);
  out.begin("convolutions", '[');
  if (probe != nullptr) probe->convolutions(out, input);
  out.end();
  if (probe != nullptr) probe->operations(out, input);
  out.begin("skipped", '[');
  if (probe != nullptr) probe->skipped(out, input);
  out.end();
  if (probe != nullptr) probe->kernel(out, input);
  write_findings(out, "findings", input.judged->findings);
  if (input.escape.empty()) {
    out.null("escape");
  } else {
    out.text("escape", input.escape);
  }
  if (probe != nullptr) probe->sweep(out, input);
  out.end();
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
