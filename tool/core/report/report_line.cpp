// SPDX-License-Identifier: BSD-3-Clause
//
// A report in one line.
#include <algorithm>
#include <cstdio>

#include "../model/architecture.h"
#include "../model/one_line.h"
#include "../model/paths.h"
#include "proof.h"
#include "report.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

static arena_vector<convolution> single_convolutions(const observation& observed) {
  return filtered(observed.convolutions, [](const convolution& c) { return !is_fused(c); });
}

/// "legacy, graph; error fp32 1.4e-07, fp16 2.1e-04": the largest relative error of each type.
static arena_string convolution_summary(const observation& observed) {
  const arena_vector<convolution> all = single_convolutions(observed);
  arena_vector<arena_string> apis;
  arena_string errors;
  for (const convolution_api api : {convolution_api::legacy, convolution_api::graph}) {
    if (any_of(all, [&](const convolution& c) { return c.api == api; })) {
      apis.push_back(to_string(api));
    }
  }
  for (const element type : {element::fp32, element::fp16}) {
    double largest = -1;
    for (const convolution& c : all) {
      if (c.type == type) largest = std::max(largest, c.relative_error);
    }
    if (largest < 0) continue;
    char text[48];
    std::snprintf(text, sizeof text, "%s%s %.1e", errors.empty() ? "" : ", ", to_string(type),
                  largest);
    errors += text;
  }
  return joined(apis, ", ") + "; error " + errors;
}

/// ", kernel verified (nvcc 13.0.88, sm_90)": with the code that ran.
static arena_string kernel_summary(const kernel_facts& kernel,
                                   const arena_vector<kernel_verdict>& judged) {
  arena_vector<arena_string> codes;
  bool verified = false;
  for (std::size_t i = 0; i < kernel.runs.size(); ++i) {
    if (!kernel.runs[i].ran || !judged[i].right) continue;
    verified = true;
    if (!judged[i].code.empty()) add_once(judged[i].code, codes);
  }
  if (!verified) return {};
  arena_string text = ", kernel verified (" + kernel.compiler;
  for (const arena_string& code : codes) text += ", " + code;
  return text + ")";
}

static arena_string names_of_measured(const judgement& judged) {
  arena_vector<arena_string> names;
  for (const architecture& a : judged.measured) names.push_back(to_sm_string(a));
  return joined(names, " ");
}

arena_string report_line(const report_input& input) {
  const judgement& judged = *input.judged;
  const observation& observed = *input.observed;
  arena_string line = "cuDNN ";
  if (judged.computes.known()) line += to_string(judged.computes);
  // If cuDNN was opened and not linked, nothing was compiled with headers of CUDA.
  const version& toolkit = input.stamped->toolkit;
  if (toolkit.known()) line += " \xC2\xB7 CUDA " + to_cuda_string(toolkit);
  if (judged.reached == level::ran) {
    return one_line(line + " \xC2\xB7 " + names_of_measured(judged) + ", convolution verified (" +
                    convolution_summary(observed) + ")" +
                    operations_summary(proved_operations(runs_of(input))) +
                    kernel_summary(observed.kernel, judged.kernel));
  }
  line += arena_string(" \xC2\xB7 ") + to_string(judged.reached);
  for (const finding& f : judged.findings) {
    if (f.id == finding_id::not_verified) line += ", " + f.summary;
  }
  return one_line(line);
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
