// SPDX-License-Identifier: BSD-3-Clause
//
// What only the probe has in its report.
#include <algorithm>

#include "../json/json.h"
#include "../json/json_writer.h"
#include "write_report.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

const char* status_of_wrong_numbers() { return to_string(finding_id::wrong_numbers); }

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

static arena_string status_of(const convolution& c, const convolution_verdict& judged) {
  return c.ran ? arena_string(judged.right ? "ok" : status_of_wrong_numbers()) : c.status_name;
}

static void write_convolution(json_writer& out, const convolution& c,
                              const convolution_verdict& judged) {
  out.begin(nullptr, '{');
  out.members("api type layout shape math", to_string(c.api), to_string(c.type),
              to_string(c.layout), c.shape, to_string(c.math));
  out.bare("engine", to_string(c.engine));
  out.members("device status status_number", c.device, status_of(c, judged), c.status);
  write_numbers(out, c, judged);
  out.end();
}

static void write_operation(json_writer& out, const convolution& c,
                            const convolution_verdict& judged) {
  out.begin(nullptr, '{');
  out.members("operation type problem output", to_string(c.operation), to_string(c.type), c.shape,
              c.output);
  out.bare("engine", to_string(c.engine));
  out.members("device status status_number", c.device, status_of(c, judged), c.status);
  write_numbers(out, c, judged);
  out.end();
}

static void write_convolutions(json_writer& out, const report_input& input) {
  const arena_vector<convolution>& all = input.observed->convolutions;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!is_fused(all[i])) write_convolution(out, all[i], input.judged->convolutions[i]);
  }
}

/// Absent where there are none: most projects ask for none.
static void write_operations(json_writer& out, const report_input& input) {
  const arena_vector<convolution>& all = input.observed->convolutions;
  if (none_of(all, is_fused)) return;
  out.begin("operations", '[');
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (is_fused(all[i])) write_operation(out, all[i], input.judged->convolutions[i]);
  }
  out.end();
}

static void write_kernel_run(json_writer& out, const convolution& c, const kernel_verdict& judged) {
  out.begin(nullptr, '{');
  out.members("device code shape status status_number", c.device, judged.code, c.shape,
              status_of(c, judged), c.status);
  write_numbers(out, c, judged);
  out.bare("cudnn_difference",
           c.difference < 0 ? "null" : json::number(c.difference).print_compact());
  out.end();
}

arena_vector<arena_string> compiled_architectures(const observation& observed) {
  arena_vector<device_code> codes;
  for (const code_container& container : observed.code.containers) {
    for (const device_code& code : container.codes) codes.push_back(code);
  }
  return to_cuda_architectures(codes);
}

static void write_kernel(json_writer& out, const report_input& input) {
  const kernel_facts& kernel = input.observed->kernel;
  if (kernel.compiler.empty()) {
    out.bare("kernel", "null");
    return;
  }
  out.begin("kernel", '{');
  out.members("compiler headers", kernel.compiler, as_cuda(kernel.headers));
  write_strings(out, "compiled", compiled_architectures(*input.observed));
  out.begin("runs", '[');
  for (std::size_t i = 0; i < kernel.runs.size(); ++i) {
    write_kernel_run(out, kernel.runs[i], input.judged->kernel[i]);
  }
  out.end();
  out.end();
}

static void write_skipped(json_writer& out, const report_input& input) {
  for (const skipped_work& one : input.observed->skipped) {
    out.text(nullptr, one.what + ": " + one.why);
  }
}

/// What the sweep is asked for stands in the report that it reads.
static void write_sweep(json_writer& out, const report_input& input) {
  if (input.sweep.empty()) return;
  out.begin("sweep", '{');
  out.bare("asked", input.sweep);
  out.end();
}

static constexpr probe_part<json_writer> part_of_probe = {
    write_checks, write_convolutions, write_operations, write_skipped, write_kernel, write_sweep};

arena_string probe_report_text(const report_input& input) {
  json_writer out;
  write_report(out, input, &part_of_probe);
  return out.take();
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
